// The first page: what waits in which queue, how far everyone is, how well people agree; and, for admins, the people.

import { get } from "./api.js";
import { cap, h } from "./dom.js";
import { DISPUTES, QUEUES, number, percent } from "./words.js";

const KEYS = "1234567890bcdefghijk"; // of the queues, in their order; a is adjudication

/** The queues as cards; `open` opens one. Returns the element and what its keys do. */
export async function home({ open }) {
  const { queues, disputes } = await get("/api/queues");
  const cards = queues.map((of, i) => card(of, KEYS[i], () => open(of.queue, of.waiting)));
  const keys = Object.fromEntries(queues.map((of, i) => [KEYS[i], () => open(of.queue, of.waiting)]));
  if (disputes !== null) {
    cards.push(tile(DISPUTES, "a", disputes, disputes === 1 ? "item is disputed" : "items are disputed", () => open("", disputes)));
    keys.a = () => open("", disputes);
  }
  const total = queues.reduce((sum, of) => sum + of.waiting, 0);
  const element = h("div", { class: "home" },
    h("h1", {}, total ? `${total.toLocaleString("en")} decisions wait for you` : "Nothing waits for you"),
    h("p", { class: "lead" }, "One key opens a queue, one key decides. Nobody sees what you said before they have said it themselves."),
    cards.length ? h("div", { class: "cards" }, cards) : h("p", {}, "No queue holds anything yet: ", h("code", {}, "accord review"), " fills them from the results and gives work out."));
  return { element, keys };
}

function card(of, key, open) {
  const words = QUEUES[of.queue];
  return tile(words, key, of.waiting, of.waiting === 1 ? "waits for you" : "wait for you", open, [
    progress(of),
    h("dl", { class: "small" }, fact("Settled", `${of.settled} of ${of.items}`), of.disputed ? fact("Disputed", of.disputed) : null,
      fact("Agreement", percent(of.agreement.percent), of.agreement.reason), fact("Alpha", number(of.agreement.alpha), of.agreement.reason)),
  ], of.queue);
}

function tile(words, key, count, label, open, more = [], queue = "disputes") {
  return h("button", { type: "button", class: `card${count ? "" : " idle"}`, onclick: open, "data-queue": queue, "aria-keyshortcuts": key },
    h("span", { class: "card-top" }, h("strong", {}, words.title), cap(key)), h("span", { class: "about" }, words.about),
    h("span", { class: "waits" }, h("b", {}, count.toLocaleString("en")), ` ${label}`), more);
}

function progress(of) {
  const bar = h("span", { class: "progress", role: "img", "aria-label": `${of.settled} of ${of.items} are settled, ${of.voted} have all votes` });
  const [settled, voted] = [h("b", {}), h("u", {})];
  settled.style.width = `${(100 * of.settled) / Math.max(of.items, 1)}%`;
  voted.style.width = `${(100 * Math.max(of.voted - of.settled, 0)) / Math.max(of.items, 1)}%`;
  bar.append(settled, voted);
  return bar;
}

const fact = (name, value, why = "") => h("div", why ? { title: why } : {}, h("dt", {}, name), h("dd", {}, String(value)));

/** All accounts and how far each is: for admins. */
export async function people() {
  const [{ reviewers }, { queues }] = await Promise.all([get("/api/reviewers"), get("/api/queues")]);
  return h("div", { class: "home" }, h("h1", {}, "People and progress"),
    h("p", { class: "lead" }, "Accounts are made and put out of use, and work is given out, with the command ", h("code", {}, "accord review"), "."),
    h("div", { class: "scroll", tabindex: "0" }, h("table", { id: "people" }, h("caption", {}, "Accounts"), head("Name", "Role", "State", "Asked", "Decided", "Waiting", "By queue"), h("tbody", {}, reviewers.map(person)))),
    h("div", { class: "scroll", tabindex: "0" }, h("table", { id: "progress" }, h("caption", {}, "Queues"),
      head("Queue", "Items", "Given out", "All votes in", "Settled", "Disputed", "Agreement", "Alpha"), h("tbody", {}, queues.map(queue)))));
}

const head = (...names) => h("thead", {}, h("tr", {}, names.map((name) => h("th", { scope: "col" }, name))));
const row = (name, ...cells) => h("tr", {}, h("th", { scope: "row" }, name), cells.map((cell) => h("td", {}, cell)));

function person(of) {
  const sum = (key) => String(of.queues.reduce((total, one) => total + one[key], 0));
  const each = of.queues.map((one) => h("span", { class: "chip" }, `${QUEUES[one.queue].title} ${one.voted}/${one.asked}`));
  return row(of.name, of.role, of.active ? "● active" : "○ out of use", sum("asked"), sum("voted"), sum("waiting"), each);
}

function queue(of) {
  const counts = [of.items, of.assigned, of.voted, of.settled, of.disputed].map(String);
  return row(QUEUES[of.queue].title, ...counts, percent(of.agreement.percent), number(of.agreement.alpha));
}
