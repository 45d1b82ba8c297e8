// Pictures to look at closely: one, two side by side, or one over the other; they zoom and move together.

import { picture } from "./api.js";
import { h, s, toast } from "./dom.js";
import { NAMES } from "./words.js";

const MOST = 24; // times the size that fits
const STEP = 1.25;

/** A picture on a stage of its own, and a layer of shapes over it, in px of the picture. */
class Pane {
  constructor(shown, label) {
    this.shown = shown;
    this.width = shown[0].width;
    this.height = shown[0].height;
    this.images = shown.map((one) => h("img", { alt: "", draggable: "false", "data-name": one.name }));
    this.layer = s("svg", { class: "layer", viewBox: `0 0 ${this.width} ${this.height}`, preserveAspectRatio: "none" });
    this.world = h("div", { class: "world" }, this.images, this.layer);
    this.tag = h("span", { class: "tag" }, label);
    this.element = h("div", { class: "pane", role: "img", "aria-label": label || "Picture" }, this.world, this.tag);
    this.loaded = shown.map(() => "");
    this.scale = 1; // until it is placed
    this.world.style.width = `${this.width}px`;
    this.world.style.height = `${this.height}px`;
  }

  /** Load a picture, and a sharper one when it is looked at closely. */
  async load(index, sharp = false) {
    const wanted = sharp ? this.shown[index].full : this.shown[index].view;
    if (this.loaded[index] === wanted || (!sharp && this.loaded[index])) return;
    this.loaded[index] = wanted;
    try {
      const url = await picture(wanted);
      if (!this.element.isConnected || this.loaded[index] !== wanted) return;
      this.images[index].src = url;
      await this.images[index].decode();
      this.element.classList.add("ready");
    } catch (error) {
      this.loaded[index] = "";
      if (this.element.isConnected && error.message && error.name !== "EncodingError") toast(error.message, "wrong");
    }
  }

  /** Place the picture: `zoom` times the size that fits, its middle at x, y (0 to 1) of the picture. */
  place({ zoom, x, y }) {
    const { clientWidth, clientHeight } = this.element;
    this.fit = Math.min(clientWidth / this.width, clientHeight / this.height) || 1;
    this.scale = this.fit * zoom;
    this.left = clientWidth / 2 - x * this.width * this.scale;
    this.top = clientHeight / 2 - y * this.height * this.scale;
    this.world.style.transform = `translate(${this.left}px, ${this.top}px) scale(${this.scale})`;
    this.layer.style.setProperty("--px", 1 / this.scale);
    if (this.scale * devicePixelRatio * this.width > 1.15 * 1600) this.shown.forEach((_, i) => this.loaded[i] && this.load(i, true));
  }

  /** Where on the picture, px, a pointer is. */
  at(event) {
    const box = this.element.getBoundingClientRect();
    return [(event.clientX - box.left - this.left) / this.scale, (event.clientY - box.top - this.top) / this.scale];
  }
}

export class Viewer {
  /** `shown`: pictures of an item. `over`: they lie over each other (before and after), else side by side. */
  constructor(shown, { over = false, veiled = false } = {}) {
    this.look = { zoom: 1, x: 0.5, y: 0.5 };
    this.panes = over && shown.length ? [new Pane(shown, "")] : shown.map((one) => new Pane([one], shown.length > 1 ? NAMES[one.name] ?? one.name : ""));
    this.over = over && shown.length > 1;
    this.veil = veiled ? this.veilFor() : null;
    this.element = h("div", { class: `viewer${this.panes.length > 1 ? " two" : ""}` }, this.panes.map((pane) => pane.element), this.veil);
    if (!shown.length) this.element.append(h("p", { class: "nothing" }, "The picture of this item is not in the results now."));
    this.zoomed = () => {};
    this.shared = () => {};
    this.watch = new ResizeObserver(() => this.draw());
    for (const pane of this.panes) {
      this.watch.observe(pane.element);
      this.listen(pane);
    }
    if (!veiled) this.reveal();
    if (this.over) this.show(0);
  }

  get main() {
    return this.panes[0];
  }

  /** Show what is veiled. */
  reveal() {
    this.veil?.remove();
    this.veil = null;
    requestAnimationFrame(() => this.panes.forEach((pane) => pane.shown.forEach((_, i) => pane.load(i))));
  }

  veilFor() {
    const ask = h("button", { type: "button", onclick: () => this.reveal(), "aria-keyshortcuts": "r" }, "Show the picture ", h("kbd", {}, "r"));
    return h("div", { class: "veil" }, h("p", {}, "This picture may be disturbing."), ask);
  }

  /** Show before over after, from the left, as far as `share` says: 0 is after alone, 1 before alone. */
  show(share) {
    if (!this.over) return;
    this.share = share;
    this.shared(share);
    const { world, images, shown, tag, element } = this.main;
    const whole = share === 0 || share === 1;
    images[0].style.clipPath = `inset(0 ${100 - 100 * share}% 0 0)`;
    tag.textContent = whole ? NAMES[shown[1 - share].name] : `${NAMES.before} | ${NAMES.after}`;
    element.setAttribute("aria-label", `Picture: ${tag.textContent}`);
    element.dataset.share = share;
    world.classList.toggle("split", !whole);
    world.style.setProperty("--split", `${100 * share}%`);
  }

  /** Zoom by a factor, around a point of a pane in px of its picture. */
  zoom(factor, pane = this.main, at = null) {
    if (!pane) return;
    const before = this.look.zoom;
    const zoom = Math.min(Math.max(before * factor, 1), MOST);
    const [x, y] = at ? [at[0] / pane.width, at[1] / pane.height] : [this.look.x, this.look.y];
    const keep = before / zoom;
    this.look = { zoom, x: x + (this.look.x - x) * keep, y: y + (this.look.y - y) * keep };
    this.draw();
  }

  fit() {
    this.look = { zoom: 1, x: 0.5, y: 0.5 };
    this.draw();
  }

  /** Look at a part of the picture, px: left, top, right, bottom; it takes up a share of what is seen. */
  focus([left, top, right, bottom], part = 0.35, most = 6) {
    const { width, height } = this.main;
    const share = Math.max((right - left) / width, (bottom - top) / height, 0.02);
    this.look = { zoom: Math.min(Math.max(part / share, 1), most), x: (left + right) / 2 / width, y: (top + bottom) / 2 / height };
    this.draw();
  }

  /** Move by px of the screen. */
  pan(dx, dy, pane = this.main) {
    if (!pane) return;
    this.look.x -= dx / (pane.width * pane.scale);
    this.look.y -= dy / (pane.height * pane.scale);
    this.draw();
  }

  draw() {
    const inside = (value, half) => (half >= 0.5 ? 0.5 : Math.min(Math.max(value, half), 1 - half));
    if (this.main) {
      const { clientWidth, clientHeight } = this.main.element;
      const fit = Math.min(clientWidth / this.main.width, clientHeight / this.main.height) || 1;
      const scale = 2 * fit * this.look.zoom;
      this.look.x = inside(this.look.x, clientWidth / scale / this.main.width);
      this.look.y = inside(this.look.y, clientHeight / scale / this.main.height);
    }
    this.panes.forEach((pane) => pane.place(this.look));
    this.zoomed();
  }

  listen(pane) {
    const { element } = pane;
    element.addEventListener("wheel", (event) => {
      event.preventDefault();
      this.zoom(STEP ** (-event.deltaY / 100), pane, pane.at(event));
    }, { passive: false });
    element.addEventListener("pointerdown", (event) => {
      if (event.defaultPrevented || event.button > 1) return;
      element.setPointerCapture(event.pointerId);
      element.classList.add("held");
      const move = (moved) => this.pan(moved.movementX, moved.movementY, pane);
      const end = () => {
        element.classList.remove("held");
        element.removeEventListener("pointermove", move);
      };
      element.addEventListener("pointermove", move);
      element.addEventListener("pointerup", end, { once: true });
      element.addEventListener("pointercancel", end, { once: true });
    });
  }

  /** What a key does here; whether it does something. */
  key(event) {
    const far = 60;
    const keys = {
      "+": () => this.zoom(STEP), "=": () => this.zoom(STEP), "-": () => this.zoom(1 / STEP), 0: () => this.fit(),
      ArrowLeft: () => this.pan(far, 0), ArrowRight: () => this.pan(-far, 0), ArrowUp: () => this.pan(0, far), ArrowDown: () => this.pan(0, -far),
      ...(this.veil ? { r: () => this.reveal() } : {}),
      ...(this.over ? { b: () => this.show(this.share === 0 ? 1 : 0), c: () => this.show(this.share > 0 && this.share < 1 ? 0 : 0.5) } : {}),
      ...(this.over && this.share > 0 && this.share < 1 ? {
        "[": () => this.show(Math.max(0.02, this.share - 0.04)), "]": () => this.show(Math.min(0.98, this.share + 0.04)) } : {}),
    };
    if (!Object.hasOwn(keys, event.key)) return false;
    keys[event.key]();
    return true;
  }

  close() {
    this.watch.disconnect();
  }
}
