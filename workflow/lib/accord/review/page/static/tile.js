// One of many pictures on a page.

import { picture } from "./api.js";
import { h } from "./dom.js";
import { spoken } from "./words.js";

/** One picture of a page: fine, or objectionable and of which kind. */
export class Tile {
  constructor(item, index, count, kind, chosen) {
    Object.assign(this, { item, name: `Picture ${index + 1} of ${count}`, state: "loading" });
    this.image = h("img", { alt: "", draggable: "false" });
    this.label = h("span", { class: "mark" });
    this.element = h("button", { type: "button", class: "tile", "data-item": item.id, onclick: chosen }, this.image, this.label);
    this.set(kind);
    this.load();
  }

  async load() {
    try {
      if (!this.item.pictures.length) throw new Error("The picture is not in the results now.");
      this.image.src = await picture(this.item.pictures[0].thumb);
      await this.image.decode();
      this.state = "ready";
    } catch {
      this.state = "lost";
    }
    this.set(this.kind);
  }

  get vote() {
    const regions = this.kind ? [{ kind: this.kind, polygon: [] }] : [];
    return { item: this.item.id, decision: this.kind ? "uphold" : "dismiss", regions };
  }

  set(kind) {
    this.kind = kind;
    const said = { loading: "loading", lost: "can't be shown: left out" }[this.state] ?? (kind ? `objectionable: ${spoken(kind)}` : "fine");
    this.label.textContent = this.state === "ready" && !kind ? "" : `${kind ? "⚑ " : ""}${kind && this.state === "ready" ? spoken(kind) : said}`;
    this.element.dataset.state = this.state;
    this.element.setAttribute("aria-pressed", String(Boolean(kind)));
    this.element.setAttribute("aria-label", `${this.name}, ${said}`);
  }
}
