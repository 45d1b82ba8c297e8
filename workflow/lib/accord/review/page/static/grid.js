// Many pictures at once: the few that are objectionable are marked, one key says of all others that they are fine.

import { get, keepOnly, picture } from "./api.js";
import { Ballot } from "./ballot.js";
import { button, h, keysDialog, toast, topBar, typing } from "./dom.js";
import { Tile } from "./tile.js";
import { GRID_HELP, QUEUES, spoken } from "./words.js";
import { Viewer } from "./viewer.js";

const COUNTS = [1, 2, 4, 6, 12, 20, 30, 40]; // pictures on a page
const USUAL = 20;
const COUNT = "accord-pictures";
const WIDE = 4 / 3; // what a tile's width is to its height, about

/** How many columns make the tiles largest, so that all of them are on the screen. */
export function columns(count, width, height) {
  const size = (of) => Math.min(width / of, (WIDE * height) / Math.ceil(count / of));
  return Array.from({ length: count }, (_, i) => i + 1).reduce((best, of) => (size(of) > size(best) ? of : best), 1);
}

export class Grid {
  /** `queue`: its name; `leave`: go home. */
  constructor(queue, { leave }) {
    Object.assign(this, { queue, leave, total: 0, decided: 0, tiles: [], lost: new Set() });
    this.words = QUEUES[queue];
    this.ballot = new Ballot("/api/votes", () => this.tell(), (one) => one.vote);
    this.many = COUNTS.find((one) => String(one) === localStorage.getItem(COUNT)) ?? USUAL;
    this.count = h("span", { class: "count", "aria-live": "off" });
    this.bar = h("b", {});
    this.stage = h("section", { class: "tiles", "aria-label": "Pictures" });
    this.foot = h("div", { class: "foot" });
    this.heard = h("p", { class: "heard", "aria-live": "polite" });
    this.element = h("div", { class: "grid" },
      topBar(this.words.title, leave, this.bar, this.count),
      this.stage, this.foot, this.heard);
    this.pressed = (event) => this.key(event);
    addEventListener("keydown", this.pressed);
    this.watch = new ResizeObserver(() => this.place());
    this.watch.observe(this.stage);
  }

  async start() {
    this.show(await this.ask(""));
  }

  /** The next items after one (its name), or the first; null where there are none, undefined where they can't be had. */
  async ask(after) {
    try {
      const path = `/api/queues/${encodeURIComponent(this.queue)}/some?count=${this.many}&after=${encodeURIComponent(after)}`;
      const { items } = await get(path);
      return items.length ? items : null;
    } catch (error) {
      if (error.status !== 401) toast(error.message, "wrong");
      return undefined;
    }
  }

  /** Show items, with what was said of them before (`marks`: kind by name); fetch those after them meanwhile. */
  show(items, marks = {}) {
    if (!items) {
      this.finish(items === undefined);
      return;
    }
    this.items = items;
    this.tiles = items.map((item, i) => this.tileOf(item, i, items.length, marks[item.id] ?? "", () => this.chosen(i)));
    this.at = 0;
    this.stage.replaceChildren(...this.tiles.map((tile) => tile.element));
    this.foot.replaceChildren(...this.tools());
    this.place();
    this.tiles[0].element.focus();
    this.tell();
    this.heard.textContent = `${items.length} pictures. ${this.words.question} Enter says that all that are not marked are ${this.usual}.`;
    this.following = this.prefetch(items);
  }

  /** What Enter says of the pictures that are not marked. */
  get usual() {
    return "fine";
  }

  tileOf(...of) {
    return new Tile(...of);
  }

  /** Which of an item's pictures its tile shows: the name of a size. */
  get size() {
    return "thumb";
  }

  async prefetch(items) {
    const next = await this.ask(items.at(-1).id);
    const kept = [items, next, ...this.ballot.cast.slice(-2).map((one) => one.item)].filter(Boolean).flat();
    keepOnly(kept.flatMap((one) => one.pictures.map((of) => of[this.size])));
    for (const { pictures } of next ?? []) pictures.forEach((of) => picture(of[this.size]).catch(() => {}));
    return next;
  }

  tools() {
    const kinds = this.items[0].kinds.map((kind, i) => button(`${spoken(kind)}`, String(i + 1), () => this.mark(kind), { class: "kind-of", "data-kind": kind }));
    return [
      h("div", { class: "kinds", role: "toolbar", "aria-label": "What is objectionable in the chosen picture" }, h("span", {}, "Objectionable:"), kinds),
      h("div", { class: "rest", role: "toolbar", "aria-label": "Page" },
        button("Look closely", "v", () => this.closely(), { class: "quiet" }), button("Fewer", "-", () => this.resize(-1), { class: "quiet" }), button("More", "+", () => this.resize(1), { class: "quiet" }),
        button("Skip", "s", () => this.skip(), { class: "quiet" }), button("Undo", "z", () => this.undo(), { class: "quiet undo" }), button("Keys", "?", () => keysDialog(GRID_HELP), { class: "quiet" })),
      button("All others are fine", "Enter", () => this.confirm(), { class: "primary confirm" }),
    ];
  }

  get tile() {
    return this.tiles[this.at];
  }

  /** A picture was clicked: what is marked is fine again, what is fine is marked. */
  chosen(index) {
    this.at = index;
    this.mark(this.tile.kind || this.items[index].kinds.at(-1));
  }

  /** Say of the chosen picture that it is objectionable; said again, it is fine. */
  mark(kind) {
    if (!this.tile) return;
    this.tile.set(this.tile.kind === kind ? "" : kind);
    this.tile.element.focus();
    this.tell();
  }

  move(to) {
    this.at = Math.min(Math.max(to, 0), this.tiles.length - 1);
    this.tile.element.focus();
  }

  /** Decide on the whole page: the votes are held for a moment, and the next page is shown at once. */
  confirm() {
    if (!this.tiles.length || this.busy) return;
    const loading = this.tiles.filter((tile) => tile.state === "loading").length;
    if (loading) {
      toast(`Wait: ${loading} of the pictures can't be seen yet.`, "wrong");
      return;
    }
    this.tiles.filter((tile) => tile.state === "lost").forEach((tile) => this.lost.add(tile.item.id));
    const seen = this.tiles.filter((tile) => tile.state === "ready");
    const marks = Object.fromEntries(seen.map((tile) => [tile.item.id, tile.kind]));
    if (seen.length) this.ballot.add(this.items, { votes: seen.map((tile) => tile.vote) }, marks);
    this.decided += seen.length;
    toast(`${this.summary(seen)}. z takes them back.`);
    this.advance();
  }

  summary(seen) {
    const bad = seen.filter((tile) => tile.kind).length;
    return `${seen.length - bad} fine, ${bad} objectionable`;
  }

  async advance() {
    this.busy = true;
    try {
      let next = await this.following;
      if (!next) {
        await this.ballot.flush();
        next = await this.ask("");
        if (next?.every((item) => this.lost.has(item.id))) next = null;
      }
      this.show(next);
    } finally {
      this.busy = false;
    }
  }

  skip() {
    if (this.tiles.length && !this.busy) this.advance();
  }

  undo() {
    if (this.busy) return;
    const one = this.ballot.undo();
    if (!one) {
      toast("There is nothing to undo.");
      return;
    }
    this.decided -= one.vote.votes.length;
    this.show(one.item, one.more);
    toast(one.sending ? "Decide again: it was recorded already, and may be settled." : "Taken back: decide again.");
  }

  /** Fewer or more pictures on a page. */
  async resize(step) {
    this.many = COUNTS[Math.min(Math.max(COUNTS.indexOf(this.many) + step, 0), COUNTS.length - 1)];
    localStorage.setItem(COUNT, String(this.many));
    if (this.busy) return;
    this.busy = true;
    const marks = Object.fromEntries(this.tiles.map((tile) => [tile.item.id, tile.kind]));
    await this.ballot.flush();
    let [items, many] = [null, 0];
    while (many !== this.many) {
      many = this.many;
      items = await this.ask("");
    }
    this.busy = false;
    this.show(items, marks);
  }

  /** The chosen picture alone, to be zoomed. */
  closely() {
    const { tile } = this;
    if (!tile || !tile.item.pictures.length) return;
    const viewer = new Viewer(tile.item.pictures);
    const dialog = h("dialog", { class: "closely", "aria-label": `Picture ${this.at + 1}`, onclose: () => { viewer.close(); dialog.remove(); tile.element.focus(); } },
      viewer.element, button("Back", "v", () => dialog.close()));
    dialog.addEventListener("keydown", (event) => {
      event.stopPropagation(); // what closes the dialog is no key of the page behind it
      const kind = this.kindOf(event.key);
      if (event.key === "v") dialog.close();
      else if (kind !== undefined) { dialog.close(); this.mark(kind); }
      else if (!viewer.key(event)) return;
      event.preventDefault();
    });
    document.body.append(dialog);
    dialog.showModal();
    viewer.draw();
  }

  /** Place the tiles: all of them on the screen, as large as can be. */
  place() {
    const { clientWidth, clientHeight } = this.stage;
    if (!this.tiles.length || !clientWidth) return;
    this.across = columns(this.tiles.length, clientWidth, clientHeight);
    this.stage.style.gridTemplateColumns = `repeat(${this.across}, minmax(0, 1fr))`;
    this.stage.style.gridTemplateRows = `repeat(${Math.ceil(this.tiles.length / this.across)}, minmax(0, 1fr))`;
  }

  finish(lost) {
    this.following = Promise.resolve(null);
    this.tiles = [];
    this.foot.replaceChildren();
    this.stage.style.gridTemplate = "none";
    if (lost) {
      this.stage.replaceChildren(h("div", { class: "finished" }, h("h2", {}, "The next pictures can't be had now"), button("Try again", "", () => this.start())));
      return;
    }
    keepOnly([]);
    const left = this.lost.size ? h("p", { class: "problem" }, `${this.lost.size} pictures could not be shown, and were not decided.`) : null;
    this.stage.replaceChildren(h("div", { class: "finished" }, h("p", { class: "big", "aria-hidden": "true" }, "✓"), h("h2", {}, "Nothing waits for you here"),
      left, h("p", {}, this.decided ? `You saw ${this.decided} pictures just now.` : "Thank you."), button("All queues", "Escape", this.leave)));
    this.heard.textContent = "Nothing waits for you here.";
    this.tell(this.lost.size);
  }

  tell(waits = Math.max(0, this.total - this.decided)) {
    this.count.textContent = `${waits} to go`;
    this.element.dataset.unsent = this.ballot.waiting;
    this.bar.style.width = `${this.total ? 100 * (1 - waits / Math.max(this.total, waits)) : 100}%`;
  }

  key(event) {
    if (event.ctrlKey || event.metaKey || event.altKey || document.querySelector("dialog[open]") || typing(event)) return;
    const tile = event.target.closest?.(".tile");
    if (event.target instanceof HTMLButtonElement && !tile && [" ", "Enter"].includes(event.key)) return;
    if (tile) this.at = this.tiles.findIndex((one) => one.element === tile);
    if (this.command(event)) event.preventDefault();
  }

  /** The kind that a key marks the chosen picture with; undefined where it does nothing of that. */
  kindOf(key) {
    return this.items?.[0].kinds[Number(key) - 1];
  }

  command(event) {
    const kind = this.kindOf(event.key);
    const does = {
      Escape: this.leave, ArrowLeft: () => this.move(this.at - 1), ArrowRight: () => this.move(this.at + 1), ArrowUp: () => this.move(this.at - this.across), ArrowDown: () => this.move(this.at + this.across),
      Enter: () => !event.repeat && this.confirm(), v: () => this.closely(), s: () => this.skip(), z: () => this.undo(), "-": () => this.resize(-1), "+": () => this.resize(1), "=": () => this.resize(1), "?": () => keysDialog(GRID_HELP) };
    if (event.key === "Escape" || this.tiles.length || event.key === "z") {
      if (kind !== undefined && this.tiles.length) this.mark(kind);
      else if (Object.hasOwn(does, event.key)) does[event.key]();
      else return false;
      return true;
    }
    return false;
  }

  async close() {
    removeEventListener("keydown", this.pressed);
    this.watch.disconnect();
    await this.ballot.close();
    keepOnly([]);
  }
}
