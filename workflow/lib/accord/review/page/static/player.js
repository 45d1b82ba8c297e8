// A painted video, and the moments in it that somebody should look at. It stands where a viewer of pictures does.

import { cap, h } from "./dom.js";

const SKIP = 5; // seconds
const FRAME = 1 / 25;
const BEFORE = 1; // seconds: a moment is looked at from a little earlier on

/** A time in a video, as people say it. */
export const clock = (seconds) => `${Math.floor(seconds / 60)}:${String(Math.floor(seconds % 60)).padStart(2, "0")}`;

export class Player {
  /**
   * `film`: the name of the video, null where it is not in the results now; `moments`: {begin, end, check, reason};
   * `veiled`: nothing of it is fetched until one asks for it.
   */
  constructor({ film, moments, veiled }) {
    Object.assign(this, { moments, over: false, main: undefined, ready: false, zoomed: () => {} });
    this.buttons = moments.map((one) => this.button(one));
    this.seen = h("span", { class: "seen" }, "nothing seen yet");
    this.source = film && `/film/${film}`;
    this.film = film && h("video", { class: "film", src: veiled ? null : this.source, controls: true, playsinline: true,
      preload: "auto", disablepictureinpicture: true, "aria-label": "The painted video",
      onloadedmetadata: () => { this.ready = true; }, onerror: () => this.lost(), ontimeupdate: () => this.tell() });
    this.element = h("div", { class: "viewer" }, this.film ?? h("p", { class: "nothing" }, "The video of this item is not in the results now."));
    this.veil = film && veiled ? this.veilFor() : null;
    if (this.veil) this.element.append(this.veil);
  }

  veilFor() {
    const ask = h("button", { type: "button", onclick: () => this.reveal(), "aria-keyshortcuts": "r" }, "Show the video ", cap("r"));
    return h("div", { class: "veil" }, h("p", {}, "This video may be disturbing."), ask);
  }

  reveal() {
    this.veil?.remove();
    this.veil = null;
    this.film.src = this.source;
  }

  /** The moments, each a button that jumps to it, and how much of the video was played. */
  list() {
    const none = h("p", { class: "none" }, "Nothing was found in its frames, and nobody is painted over.");
    return h("section", { class: "moments", "aria-label": "Moments to look at" }, h("h3", {}, "Moments ", cap("["), cap("]")),
      this.buttons.length ? h("ul", { class: "regions" }, this.buttons.map((one) => h("li", {}, one))) : none, h("p", { class: "played" }, "Played: ", this.seen));
  }

  button(moment) {
    const { begin, end, check, reason } = moment;
    const time = clock(begin) === clock(end) ? clock(begin) : `${clock(begin)}–${clock(end)}`;
    return h("button", { type: "button", class: "region-name", onclick: () => this.jump(moment) }, h("b", {}, time), ` ${check}`, h("small", {}, ` ${reason}`));
  }

  jump({ begin }) {
    if (this.film) this.film.currentTime = Math.max(0, begin - BEFORE);
  }

  /** To the moment after the time that is shown, or before it. */
  step(forward) {
    const now = this.film.currentTime + BEFORE;
    const others = this.moments.filter(({ begin }) => (forward ? begin > now + 0.1 : begin < now - 0.1));
    const next = forward ? others[0] : others.at(-1);
    if (next) this.jump(next);
  }

  tell() {
    const { currentTime: now, played, duration } = this.film;
    this.moments.forEach(({ begin, end }, i) => this.buttons[i].setAttribute("aria-current", String(begin - BEFORE <= now && now <= end + BEFORE)));
    let seconds = 0;
    for (let i = 0; i < played.length; i += 1) seconds += played.end(i) - played.start(i);
    this.seen.textContent = `${Math.round((100 * seconds) / duration) || 0} %`;
  }

  lost() {
    if (this.closed || this.veil) return;
    this.ready = false;
    this.element.replaceChildren(h("p", { class: "nothing", role: "alert" }, "The video can't be played."));
  }

  /** What a key does here; whether it does something. */
  key(event) {
    const { film } = this;
    if (!film) return false;
    if (this.veil) {
      if (event.key === "r") this.reveal();
      return event.key === "r";
    }
    const by = (seconds) => () => { film.currentTime = Math.min(Math.max(film.currentTime + seconds, 0), film.duration || 0); };
    const frame = (seconds) => () => { film.pause(); by(seconds)(); };
    const keys = {
      " ": () => (film.paused ? film.play().catch(() => {}) : film.pause()), ArrowLeft: by(-SKIP), ArrowRight: by(SKIP), ",": frame(-FRAME), ".": frame(FRAME),
      "[": () => this.step(false), "]": () => this.step(true), 0: () => { film.currentTime = 0; } };
    if (!Object.hasOwn(keys, event.key)) return false;
    keys[event.key]();
    return true;
  }

  draw() {}

  focus() {}

  /** Let the video go, and the connection that it is read over. */
  close() {
    if (!this.film) return;
    this.closed = true;
    this.film.pause();
    this.film.removeAttribute("src");
    this.film.load();
  }
}
