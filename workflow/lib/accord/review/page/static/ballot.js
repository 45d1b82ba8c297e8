// Votes on their way: each is held here for some seconds, so that it can be taken back, and then sent.

import { post } from "./api.js";
import { toast } from "./dom.js";

const HELD = 5000; // ms
const MOST = 3; // votes held at once
const REMEMBERED = 50;
const MOST_FAILURES = 20; // attempts to send a vote

export class Ballot {
  /**
   * `path`: where votes go; `changed`: called when the number of votes on their way changes; `body`: what is sent of one
   * that was cast: {item, vote, more, sending: null | Promise}.
   */
  constructor(path, changed = () => {}, body = ({ item, vote }) => ({ item: item.id, ...vote })) {
    Object.assign(this, { path, changed, body });
    this.cast = [];
    this.away = () => this.flush(true);
    this.hidden = () => document.visibilityState === "hidden" && this.away();
    addEventListener("pagehide", this.away);
    document.addEventListener("visibilitychange", this.hidden);
  }

  /** How many votes are not recorded yet. */
  get waiting() {
    return this.cast.filter((one) => !one.done).length;
  }

  /** Cast a vote on an item; `more`: what its caller wants back when it is undone. */
  add(item, vote, more = null) {
    const one = { item, vote, more, done: false, sending: null };
    one.timer = setTimeout(() => this.send(one), HELD);
    this.cast.push(one);
    const held = this.cast.filter((other) => !other.sending);
    held.slice(0, Math.max(0, held.length - MOST)).forEach((other) => this.send(other));
    this.cast.splice(0, this.cast.length - REMEMBERED);
    this.changed();
  }

  /** Take the last vote back: its item and what was said; null where there is none. */
  undo() {
    const one = this.cast.pop();
    if (!one) return null;
    clearTimeout(one.timer);
    this.changed();
    return one;
  }

  /** Send a vote now. */
  send(one, last = false) {
    clearTimeout(one.timer);
    one.sending ??= post(this.path, this.body(one), last).then((told) => this.taken(one, told), (error) => this.failed(one, error)).then(this.changed);
    return one.sending;
  }

  taken(one, { refused = 0, problems = [] }) {
    one.done = true;
    if (refused) toast(`${refused} of the decisions were not taken: ${problems.join("; ")}`, "wrong");
  }

  failed(one, error) {
    one.failures = (one.failures ?? 0) + 1;
    if ((error.status === 0 || error.status === 429 || error.status >= 500) && one.failures < MOST_FAILURES) {
      one.sending = null;
      one.timer = setTimeout(() => this.send(one), HELD);
      toast(`${error.message} Your decision is kept and sent again.`, "wrong");
      return;
    }
    one.done = true;
    if (error.status !== 401) toast(`A decision was not taken: ${error.message}`, "wrong");
  }

  /** Send all that is held. */
  flush(last = false) {
    return Promise.all(this.cast.filter((one) => !one.done).map((one) => this.send(one, last)));
  }

  close() {
    removeEventListener("pagehide", this.away);
    document.removeEventListener("visibilitychange", this.hidden);
    return this.flush();
  }
}
