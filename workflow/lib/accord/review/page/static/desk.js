// Where decisions are made: one item after the other, the next one's pictures already there.

import { get, keepOnly, picture } from "./api.js";
import { Ballot } from "./ballot.js";
import { button, h, keysDialog, toast, topBar, typing } from "./dom.js";
import { Drawing } from "./drawing.js";
import { marked, panel, regionList } from "./panel.js";
import { Player } from "./player.js";
import { pressed, rated } from "./rating.js";
import { DISPUTES, DONE, KEYS, QUEUES, asked, helpOn } from "./words.js";
import { Viewer } from "./viewer.js";

const CLOSE = [0.8, 14]; // share of the stage that an annotation takes up, and how far it is enlarged at most

export class Desk {
  /** `queue`: its name, or "" to adjudicate; `leave`: go home; `waiting`: how many items wait, as far as is known. */
  constructor(queue, { leave, waiting }) {
    Object.assign(this, { queue, leave, total: waiting, decided: 0 });
    this.source = queue ? `/api/queues/${encodeURIComponent(queue)}/next` : "/api/disputes/next";
    this.ballot = new Ballot(queue ? "/api/vote" : "/api/adjudicate", () => this.tell());
    this.words = queue ? QUEUES[queue] : DISPUTES;
    this.count = h("span", { class: "count", "aria-live": "off" });
    this.bar = h("b", {});
    this.stage = h("section", { class: "stage", "aria-label": "Picture" });
    this.side = h("div", { class: "side" });
    this.heard = h("p", { class: "heard", "aria-live": "polite" });
    this.element = h("div", { class: "desk" },
      topBar(this.words.title, leave, this.bar, this.count),
      this.stage, this.side, this.heard);
    this.pressed = (event) => this.key(event);
    addEventListener("keydown", this.pressed);
  }

  async start() {
    this.show(await this.ask(""));
  }

  /** The next item after one (its name), or the first; null where there is none, undefined where it can't be had. */
  async ask(after) {
    try {
      return (await get(`${this.source}?after=${encodeURIComponent(after)}`)).item;
    } catch (error) {
      if (error.status !== 401) toast(error.message, "wrong");
      return undefined;
    }
  }

  /** Show an item; fetch the one after it meanwhile. */
  show(item, mine = null) {
    this.viewer?.close();
    this.item = item && { ...item, mine };
    if (!item) {
      this.finish(item === undefined);
      return;
    }
    const over = item.queue === "inpainting";
    this.viewer = QUEUES[item.queue].plays ? new Player(item) : new Viewer(item.pictures, { over, veiled: item.veiled });
    this.stage.replaceChildren(this.viewer.element, ...(item.pictures.length ? [this.controls()] : []));
    this.drawing = null;
    this.side.replaceChildren(panel(this));
    this.draw(mine);
    this.viewer.draw();
    if (QUEUES[item.queue].shows && this.drawing.marks.length) this.look();
    this.heard.textContent = `${this.words.title}: ${item.check}. ${asked(item)} ${item.reason}`;
    this.tell();
    this.following = this.prefetch(item);
  }

  /** Look at what is drawn: an annotation as large as can be, a region with what is around it. */
  look() {
    const { bounds } = this.drawing;
    if (bounds) this.viewer.focus(bounds, ...(QUEUES[this.item.queue].shows ? CLOSE : []));
  }

  draw(mine) {
    const { item } = this;
    const proposed = item.polygon.length ? [{ kind: item.kind, polygon: item.polygon }] : [];
    const draws = Boolean(QUEUES[item.queue].draws);
    const kind = item.kind || item.kinds[0];
    this.drawing = new Drawing(this.viewer, proposed, { draws, kind, changed: () => this.drawn() });
    this.drawing.others = marked(item);
    this.drawing.marks = item.marks ?? [];
    if (mine?.regions.length && draws) this.drawing.replace(mine.regions);
    if (mine?.regions.length && this.kinds && !draws) this.kinds.querySelector("select").value = mine.regions[0].kind;
    if (mine) this.note.value = mine.note;
    if (item.queue === "agreement") this.drawing.tool = "box";
    this.drawing.draw();
    if (draws) this.drawn();
  }

  /** The panel follows the drawing. */
  drawn() {
    if (!this.drawing?.draws || !this.kinds) return;
    for (const tool of this.tools) tool.setAttribute("aria-pressed", String(tool.dataset.tool === this.drawing.tool));
    const select = this.kinds.querySelector("select");
    if ([...select.options].some((one) => one.value === this.drawing.kind)) select.value = this.drawing.kind;
    regionList(this);
  }

  async prefetch(item) {
    const next = await this.ask(item.id);
    const kept = [item, next, ...this.ballot.cast.slice(-2).map((one) => one.item)].filter(Boolean);
    keepOnly(kept.flatMap((one) => one.pictures.flatMap(({ view, full }) => [view, full])));
    if (next && !next.veiled) next.pictures.forEach(({ view }) => picture(view).catch(() => {}));
    return next;
  }

  controls() {
    const { viewer } = this;
    const one = (label, key, text) => h("button", { type: "button", "aria-label": label, title: `${label} (${key})`, "aria-keyshortcuts": key, onclick: () => this.press(key) }, text);
    const range = viewer.over ? h("input", { type: "range", min: "0", max: "100", value: "0", "aria-label": "Share of the picture from before", oninput: (event) => viewer.show(event.target.value / 100) }) : null;
    if (range) viewer.shared = (share) => { range.value = 100 * share; };
    return h("div", { class: "controls" },
      viewer.over ? [one("Before or after", "b", "before ⇄ after"), one("Slider", "c", "◧"), range] : null,
      one("Zoom out", "-", "−"), one("Whole picture", "0", "fit"), one("Zoom in", "+", "+"), this.item.polygon.length || this.item.marks?.length ? one("To the region", "f", "◎") : null);
  }

  press(key) {
    this.key(new KeyboardEvent("keydown", { key }));
  }

  /** Decide: the vote is held for a moment, and the next item is shown at once. */
  decide(decision) {
    const { item, drawing } = this;
    if (!item || this.busy) return;
    const { draws, plays, rates, says, shows } = QUEUES[item.queue];
    if (plays && decision === "dismiss" && !this.viewer.ready) {
      toast("Nothing of the video was shown: it can't be kept unseen.", "wrong");
      return;
    }
    if (shows && !item.marks.length && decision !== "drop") {
      toast("There is nothing to judge: the annotation is not in the results now.", "wrong");
      return;
    }
    const drawn = draws && decision === "uphold" && (drawing.touched || item.queue === "agreement");
    const said = says && decision === "uphold" ? [{ kind: this.kinds.querySelector("select").value, polygon: [] }] : [];
    const voted = rates && decision === "uphold" ? [{ kind: this.type, polygon: [] }] : said;
    const regions = drawn ? drawing.regions.map(({ kind, polygon }) => ({ kind, polygon })) : voted;
    if (drawn && !regions.length) {
      toast("No region is drawn: draw one, or dismiss.", "wrong");
      return;
    }
    this.ballot.add(item, { decision, regions, note: this.note.value.trim() });
    this.decided += 1;
    toast(`${rates ? "Voted" : DONE[decision]}. z takes it back.`);
    this.advance();
  }

  /** Vote on a type of skin, or a value of a face. */
  rate(type) {
    this.type = rated(type, this.unsure);
    this.decide("uphold");
  }

  /** Go on to the next item; after the last one, to those that were skipped. */
  async advance() {
    this.busy = true;
    try {
      let next = await this.following;
      if (!next) {
        await this.ballot.flush();
        next = await this.ask("");
      }
      this.show(next);
    } finally {
      this.busy = false;
    }
  }

  skip() {
    if (this.item && !this.busy) this.advance();
  }

  undo() {
    if (this.busy) return;
    const one = this.ballot.undo();
    if (!one) {
      toast("There is nothing to undo.");
      return;
    }
    this.decided -= 1;
    this.show(one.item, one.vote);
    toast(one.sending ? "Decide again: it was recorded already, and may be settled." : "Taken back: decide again.");
  }

  /** Take over one of the opinions on a disputed item. */
  adopt(index) {
    const opinion = this.item?.opinions?.[index];
    if (!opinion || this.busy) return;
    if (QUEUES[this.item.queue].says && opinion.regions.length) this.kinds.querySelector("select").value = opinion.regions[0].kind;
    else if (opinion.regions.length) this.drawing.replace(opinion.regions);
    else this.drawing.replace(JSON.parse(this.drawing.first));
    this.decide(opinion.decision);
  }

  /** Nothing more to show: all is decided, or (`lost`) the server can't be asked. */
  finish(lost) {
    this.following = Promise.resolve(null);
    this.side.replaceChildren();
    if (lost) {
      this.stage.replaceChildren(h("div", { class: "finished" }, h("h2", {}, "The next item can't be had now"), button("Try again", "", () => this.start())));
      return;
    }
    keepOnly([]);
    this.stage.replaceChildren(h("div", { class: "finished" }, h("p", { class: "big", "aria-hidden": "true" }, "✓"), h("h2", {}, "Nothing waits for you here"),
      h("p", {}, this.decided ? `You decided ${this.decided} just now.` : "Thank you."), button("All queues", "Escape", this.leave)));
    this.heard.textContent = "Nothing waits for you here.";
    this.tell(0);
  }

  tell(waits = Math.max(0, this.total - this.decided)) {
    this.count.textContent = `${waits} to go`;
    this.element.dataset.unsent = this.ballot.waiting;
    this.bar.style.width = `${this.total ? 100 * (1 - waits / Math.max(this.total, waits)) : 100}%`;
  }

  key(event) {
    if (event.ctrlKey || event.metaKey || document.querySelector("dialog[open]")) return;
    if (typing(event)) {
      if (event.key === "Escape") event.target.blur();
      return;
    }
    if (event.target instanceof HTMLButtonElement && [" ", "Enter"].includes(event.key)) return;
    if (this.command(event)) event.preventDefault();
  }

  command(event) {
    if (this.item && this.words.rates && pressed(this, event)) return true;
    const decision = Object.keys(KEYS).find((one) => KEYS[one] === event.key);
    const does = {
      s: () => this.skip(), z: () => this.undo(), "?": () => keysDialog(helpOn(this.item?.queue ?? this.queue)), n: () => this.note?.focus(), k: () => this.kinds?.querySelector("select").focus(),
      f: () => this.drawing && this.look(), 1: () => this.adopt(0), 2: () => this.adopt(1) };
    if (this.item && this.drawing?.key(event)) return true;
    if (event.key === "Escape") this.leave();
    else if (decision && !event.repeat) this.decide(decision);
    else if (this.item && this.viewer.key(event)) return true;
    else if (Object.hasOwn(does, event.key)) does[event.key]();
    else return false;
    return true;
  }

  async close() {
    removeEventListener("keydown", this.pressed);
    this.viewer?.close();
    await this.ballot.close();
    keepOnly([]);
  }
}
