// Regions over a picture: shown, chosen, moved, reshaped, drawn as box or polygon, painted with a brush, deleted.

import { s } from "./dom.js";
import { drawn as drawnMarks } from "./marks.js";
import { area, bounds, box, brushed, moved, points, resized, round, within, withCorner } from "./shapes.js";

const NEAR = 9; // px of the screen: that close to the first corner, a polygon is closed
const SMALLEST = 3; // px of the screen: shorter drags draw no box

export const TOOLS = [["choose", "e"], ["box", "w"], ["polygon", "p"], ["brush", "m"]];

export class Drawing {
  /** Draws on a viewer's first pane. `regions`: {kind, polygon}; `changed`: called after each change. */
  constructor(viewer, regions, { draws, kind, changed }) {
    Object.assign(this, { viewer, draws, kind, changed });
    this.pane = viewer.main;
    this.first = JSON.stringify(regions);
    this.regions = regions.map((one) => ({ ...one }));
    this.chosen = -1;
    this.tool = "choose";
    this.radius = 14;
    this.open = null; // corners of a polygon that is not closed yet
    this.stroke = null;
    this.others = []; // regions that are shown only: {polygon, mark}
    this.marks = []; // an annotation that is shown only
    this.named = true; // whether names stand beside its marks
    this.pointed = -1; // the mark that is pointed at
    viewer.zoomed = () => this.draw();
    if (this.pane && draws) this.pane.element.addEventListener("pointerdown", (event) => this.down(event));
    if (this.pane && draws) this.pane.element.addEventListener("dblclick", () => this.close());
    this.draw();
  }

  get touched() {
    return JSON.stringify(this.regions) !== this.first;
  }

  use(tool) {
    this.tool = tool;
    this.open = null;
    this.update();
  }

  /** Take over regions from elsewhere. */
  replace(regions) {
    this.regions = regions.map((one) => ({ ...one }));
    this.chosen = -1;
    this.update();
  }

  setKind(kind) {
    this.kind = kind;
    if (this.regions[this.chosen]) this.regions[this.chosen].kind = kind;
    this.update();
  }

  /** Point at a mark of the annotation (-1: at none). */
  point(index) {
    this.pointed = index;
    this.draw();
  }

  choose(index) {
    this.chosen = index;
    if (this.regions[index]) this.kind = this.regions[index].kind;
    this.update();
  }

  remove() {
    if (this.chosen < 0) return;
    this.regions.splice(this.chosen, 1);
    this.chosen = this.regions.length - 1;
    this.update();
  }

  add(polygon) {
    this.regions.push({ kind: this.kind, polygon: round(within(polygon, this.pane.width, this.pane.height)) });
    this.chosen = this.regions.length - 1;
    this.update();
  }

  change(polygon) {
    this.regions[this.chosen].polygon = round(polygon);
    this.update();
  }

  update() {
    this.draw();
    this.changed();
  }

  /** Close the polygon that is being drawn. */
  close() {
    const corners = this.open?.filter((one, i, all) => !i || Math.hypot(one[0] - all[i - 1][0], one[1] - all[i - 1][1]) > 0.5);
    this.open = null;
    if (corners?.length > 2) this.add(corners.flat());
    else this.draw();
  }

  down(event) {
    if (event.button !== 0 || event.defaultPrevented || this.viewer.veil) return;
    const at = this.pane.at(event);
    const corner = event.target.dataset?.corner;
    const region = event.target.dataset?.region;
    if (corner !== undefined) this.drag(event, (now, polygon) => this.change(within(withCorner(polygon, Number(corner), now), this.pane.width, this.pane.height)));
    else if (this.tool === "box") this.dragBox(event, at);
    else if (this.tool === "polygon") this.corner(event, at);
    else if (this.tool === "brush") this.paint(event, at);
    else if (region !== undefined) this.dragRegion(event, Number(region), at);
    else if (this.chosen >= 0) this.choose(-1);
  }

  /** Follow the pointer until it is let go. */
  follow(event, move, end = () => {}) {
    event.preventDefault();
    document.activeElement?.blur?.();
    const { element } = this.pane;
    element.setPointerCapture(event.pointerId);
    const step = (now) => move(this.pane.at(now), now);
    const over = (now) => {
      element.removeEventListener("pointermove", step);
      end(this.pane.at(now), now);
    };
    element.addEventListener("pointermove", step);
    element.addEventListener("pointerup", over, { once: true });
  }

  drag(event, change) {
    const { polygon } = this.regions[this.chosen];
    this.follow(event, (now) => change(now, polygon));
  }

  dragRegion(event, index, [x, y]) {
    this.choose(index);
    const { width, height } = this.pane;
    this.drag(event, ([u, v], polygon) => this.change(moved(polygon, u - x, v - y, width, height)));
  }

  dragBox(event, from) {
    this.follow(event, (now) => { this.draft = box(from, now); this.draw(); }, (now) => {
      this.draft = null;
      const long = Math.min(Math.abs(now[0] - from[0]), Math.abs(now[1] - from[1])) * this.pane.scale;
      if (long >= SMALLEST) this.add(box(from, now));
      else this.draw();
    });
  }

  corner(event, at) {
    event.preventDefault();
    const start = this.open?.[0];
    if (start && this.open.length > 2 && Math.hypot(at[0] - start[0], at[1] - start[1]) * this.pane.scale < NEAR) this.close();
    else {
      this.open = [...(this.open ?? []), at];
      this.draw();
    }
  }

  paint(event, at) {
    this.stroke = [at];
    this.wipes = event.altKey;
    this.follow(event, (now) => { this.stroke.push(now); this.draw(); }, () => {
      const target = this.regions[this.chosen];
      const radius = this.radius / this.pane.scale;
      const found = brushed(target?.polygon, this.stroke, radius, this.wipes, this.pane.width, this.pane.height);
      this.stroke = null;
      const made = found.map((polygon) => ({ kind: target?.kind ?? this.kind, polygon }));
      if (target) this.regions.splice(this.chosen, 1, ...made);
      else if (!this.wipes) this.regions.push(...made);
      this.chosen = Math.min(target ? this.chosen : this.regions.length - 1, this.regions.length - 1);
      this.update();
    });
    this.draw();
  }

  /** What a key does here; whether it does something. */
  key(event) {
    if (event.key === "l" && this.marks.length) {
      this.named = !this.named;
      this.draw();
      return true;
    }
    if (!this.draws || !this.pane) return false;
    const tool = TOOLS.find(([, key]) => key === event.key);
    if (tool) this.use(tool[0]);
    else if (event.key === "Delete" || event.key === "Backspace") this.back();
    else if (event.key === "Enter") this.enter();
    else if (event.key === "Escape" && (this.open || this.chosen >= 0)) { this.open = null; this.choose(-1); }
    else if (this.tool === "brush" && "[]".includes(event.key)) this.thicken(event.key === "]" ? 1.25 : 0.8);
    else if (event.key.startsWith("Arrow") && this.chosen >= 0) this.nudge(event);
    else return false;
    return true;
  }

  back() {
    if (this.open) {
      this.open.pop();
      if (!this.open.length) this.open = null;
      this.draw();
    } else this.remove();
  }

  /** Close a polygon, or put a box into the middle of what is seen: drawing without a pointer. */
  enter() {
    if (this.open) this.close();
    else if (this.tool === "box") {
      const { width, height, scale, element } = this.pane;
      const [x, y] = [this.viewer.look.x * width, this.viewer.look.y * height];
      const [u, v] = [element.clientWidth / scale / 8, element.clientHeight / scale / 8];
      this.add(box([x - u, y - v], [x + u, y + v]));
    } else if (this.regions.length) this.choose((this.chosen + 1) % this.regions.length);
  }

  thicken(factor) {
    this.radius = Math.min(Math.max(this.radius * factor, 2), 120);
    this.update();
  }

  nudge(event) {
    const step = Math.max(1, 4 / this.pane.scale);
    const [dx, dy] = { ArrowLeft: [-step, 0], ArrowRight: [step, 0], ArrowUp: [0, -step], ArrowDown: [0, step] }[event.key];
    const { polygon } = this.regions[this.chosen];
    const { width, height } = this.pane;
    this.change(event.shiftKey ? within(resized(polygon, dx, dy), width, height) : moved(polygon, dx, dy, width, height));
  }

  draw() {
    if (!this.pane) return;
    const { layer, scale, element } = this.pane;
    element.dataset.tool = this.tool;
    const line = (polygon) => points(polygon).map((one) => one.join(",")).join(" ");
    const shape = (polygon, kind, more = {}) => [
      s("polygon", { points: line(polygon), class: `halo ${kind}` }), s("polygon", { points: line(polygon), class: kind, ...more })];
    const drawn = [
      ...this.others.flatMap(({ polygon, mark }) => shape(polygon, `region ${mark}`)),
      ...this.regions.flatMap(({ polygon }, i) => shape(polygon, `region${i === this.chosen ? " chosen" : ""}`, this.draws ? { "data-region": i } : {})),
    ];
    drawn.push(...drawnMarks(this.marks, scale, this.named, this.pointed));
    if (this.draft) drawn.push(...shape(this.draft, "region chosen"));
    if (this.open) drawn.push(s("polyline", { points: line(this.open.flat()), class: "region chosen open" }));
    if (this.stroke) drawn.push(s("polyline", { points: line(this.stroke.flat()), class: `stroke${this.wipes ? " wipe" : ""}`, "stroke-width": (2 * this.radius) / scale }));
    for (const [x, y] of this.open ?? []) drawn.push(s("circle", { cx: x, cy: y, r: 4 / scale, class: "corner" }));
    const chosen = this.regions[this.chosen];
    if (this.draws && chosen && chosen.polygon.length <= 400 && this.tool !== "brush")
      points(chosen.polygon).forEach(([x, y], i) => drawn.push(s("circle", { cx: x, cy: y, r: 5 / scale, class: "corner", "data-corner": i })));
    layer.replaceChildren(...drawn);
  }

  /** left, top, right, bottom of all regions, where there are none of all marks; null without any. */
  get bounds() {
    const outlines = [...this.regions, ...this.others].filter((one) => area(one.polygon) > 0);
    const all = (outlines.length ? outlines : this.marks).flatMap((one) => one.polygon);
    return all.length ? bounds(all) : null;
  }
}
