// One of many pictures on a page.

import { picture } from "./api.js";
import { h } from "./dom.js";
import { spoken } from "./words.js";

/** One picture of a page: fine, or objectionable and of which kind. */
export class Tile {
  constructor(item, index, count, kind, chosen) {
    Object.assign(this, { item, name: `Picture ${index + 1} of ${count}`, state: "loading" });
    this.image = this.blank();
    this.label = h("span", { class: "mark" });
    this.element = h("button", { type: "button", class: "tile", "data-item": item.id, onclick: chosen }, this.image, this.label);
    this.set(kind);
    this.load();
  }

  async load() {
    try {
      if (!this.item.pictures.length) throw new Error("The picture is not in the results now.");
      await this.fill(this.item.pictures[0]);
      this.state = "ready";
    } catch {
      this.state = "lost";
    }
    this.set(this.kind);
  }

  /** The element that shows the picture, before it is there. */
  blank() {
    return h("img", { alt: "", draggable: "false" });
  }

  async fill({ thumb }) {
    this.image.src = await picture(thumb);
    await this.image.decode();
  }

  /** What a kind means, in words. */
  meaning(kind) {
    return kind ? `objectionable: ${spoken(kind)}` : "fine";
  }

  /** The same, as a mark on the picture. */
  short(kind) {
    return spoken(kind);
  }

  get vote() {
    const regions = this.kind ? [{ kind: this.kind, polygon: [] }] : [];
    return { item: this.item.id, decision: this.kind ? "uphold" : "dismiss", regions };
  }

  set(kind) {
    this.kind = kind;
    const said = { loading: "loading", lost: "can't be shown: left out" }[this.state] ?? this.meaning(kind);
    this.label.textContent = this.state === "ready" && !kind ? "" : `${kind ? "⚑ " : ""}${kind && this.state === "ready" ? this.short(kind) : said}`;
    this.element.dataset.state = this.state;
    this.element.setAttribute("aria-pressed", String(Boolean(kind)));
    this.element.setAttribute("aria-label", `${this.name}, ${said}`);
  }
}
