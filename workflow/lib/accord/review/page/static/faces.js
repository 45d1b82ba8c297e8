// All faces of a query at once, as crops or whole: those of somebody else than most are marked, one key decides on all.

import { picture } from "./api.js";
import { button, h, keysDialog } from "./dom.js";
import { Grid } from "./grid.js";
import { Tile } from "./tile.js";
import { FACES_HELP } from "./words.js";

const MOST = 40; // faces of a query
const AROUND = 1.5; // side of a crop, in sides of the face's box
const LONGEST = 640; // px of what a tile draws
const [SAME, OTHER, UNTOLD] = ["", "other", "untold"]; // marks; unmarked is the person whom most show
const MEANING = { [SAME]: "same person as most", [OTHER]: "somebody else", [UNTOLD]: "can't say" };

/** The square around a polygon that is cut out, px of a picture of so many; the whole of it without a polygon. */
export function cut(polygon, width, height) {
  if (!polygon.length) return [0, 0, width, height];
  const [xs, ys] = [0, 1].map((axis) => polygon.filter((_, i) => i % 2 === axis));
  const [x0, x1, y0, y1] = [Math.min(...xs), Math.max(...xs), Math.min(...ys), Math.max(...ys)];
  const side = Math.min(AROUND * Math.max(x1 - x0, y1 - y0, 1), width, height);
  const begin = (middle, most) => Math.min(Math.max(middle - side / 2, 0), most - side);
  return [begin((x0 + x1) / 2, width), begin((y0 + y1) / 2, height), side, side];
}

class Face extends Tile {
  blank() {
    return h("canvas", { "aria-hidden": "true" });
  }

  async fill({ view }) {
    this.whole = new Image();
    this.whole.src = await picture(view);
    await this.whole.decode();
    this.draw(this.cropped ?? true);
  }

  /** Draw the face alone, or the whole picture. */
  draw(cropped) {
    this.cropped = cropped;
    if (!this.whole?.naturalWidth) return;
    const { width, height } = this.item.pictures[0];
    const share = this.whole.naturalWidth / width; // the picture is shown smaller than it is
    const [x, y, w, t] = (cropped ? cut(this.item.polygon, width, height) : [0, 0, width, height]).map((of) => of * share);
    const scale = Math.min(1, LONGEST / Math.max(w, t));
    Object.assign(this.image, { width: Math.max(1, Math.round(w * scale)), height: Math.max(1, Math.round(t * scale)) });
    this.image.getContext("2d").drawImage(this.whole, x, y, w, t, 0, 0, this.image.width, this.image.height);
  }

  meaning(kind) {
    return MEANING[kind];
  }

  short(kind) {
    return MEANING[kind];
  }

  get vote() {
    const said = { [SAME]: "same", [OTHER]: "other" }[this.kind];
    const regions = said ? [{ kind: said, polygon: [] }] : [];
    return { item: this.item.id, decision: said ? "uphold" : "dismiss", regions };
  }
}

export class Faces extends Grid {
  constructor(queue, how) {
    super(queue, how);
    Object.assign(this, { many: MOST, cropped: true });
  }

  get usual() {
    return "the person whom most show";
  }

  get size() {
    return "view";
  }

  tileOf(...of) {
    const tile = new Face(...of);
    tile.draw(this.cropped);
    return tile;
  }

  tools() {
    const marks = [SAME, OTHER, UNTOLD].map((kind, i) => button(MEANING[kind], String(i + 1), () => this.mark(kind), { class: "kind-of", "data-kind": kind || "same" }));
    this.toggle = button("Whole pictures", "c", () => this.crop(), { class: "quiet", "aria-pressed": String(!this.cropped) });
    return [
      h("div", { class: "kinds", role: "toolbar", "aria-label": "Whom the chosen face shows" }, h("span", {}, "This face:"), marks),
      h("div", { class: "rest", role: "toolbar", "aria-label": "Page" },
        this.toggle, button("Look closely", "v", () => this.closely(), { class: "quiet" }),
        button("Skip", "s", () => this.skip(), { class: "quiet" }), button("Undo", "z", () => this.undo(), { class: "quiet undo" }), button("Keys", "?", () => keysDialog(FACES_HELP), { class: "quiet" })),
      button("All others: same person", "Enter", () => this.confirm(), { class: "primary confirm" }),
    ];
  }

  /** Crops, or whole pictures. */
  crop() {
    this.cropped = !this.cropped;
    this.tiles.forEach((tile) => tile.draw(this.cropped));
    this.toggle.setAttribute("aria-pressed", String(!this.cropped));
  }

  /** A face was clicked: the next of the three answers. */
  chosen(index) {
    this.at = index;
    const kinds = [SAME, OTHER, UNTOLD];
    this.mark(kinds[(kinds.indexOf(this.tile.kind) + 1) % kinds.length]);
  }

  mark(kind) {
    if (!this.tile) return;
    this.tile.set(kind);
    this.tile.element.focus();
    this.tell();
  }

  summary(seen) {
    const of = (kind) => seen.filter((tile) => tile.kind === kind).length;
    return `${of(SAME)} same person, ${of(OTHER)} somebody else, ${of(UNTOLD)} can't say`;
  }

  kindOf(key) {
    return { 1: SAME, 2: OTHER, 3: UNTOLD }[key];
  }

  command(event) {
    if (["-", "+", "="].includes(event.key)) return false; // a query is seen at once
    if (event.key !== "c" && event.key !== "?") return super.command(event);
    if (event.key === "?") keysDialog(FACES_HELP);
    else if (this.tiles.length) this.crop();
    return true;
  }
}
