// The viewer: failures as a grid, the worst first; one of them large, with or without what annotators and the model say.

import { get, keepOnly, me, picture, signIn, whenLeft } from "./api.js";
import { button, h, keysDialog, toast, typing } from "./dom.js";

const main = document.getElementById("main");
const top = document.getElementById("top");
/** Milliseconds between two questions whether all that is shown may still be shown. */
const AGAIN = 2000;
const HELP = [["arrows", "go from picture to picture"], ["enter", "see a picture large"], ["t", "truth on or off"], ["p", "prediction on or off"],
  ["esc", "back to all pictures"], ["l", "light or dark"], ["?", "this list"]];

let failures = [];
let at = 0;
let large = null;
let drawn = { truth: true, predicted: true };

const THEME = "accord-theme";
if (localStorage.getItem(THEME)) document.documentElement.dataset.theme = localStorage.getItem(THEME);
function switchTheme() {
  const now = document.documentElement.dataset.theme ?? (matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light");
  document.documentElement.dataset.theme = now === "dark" ? "light" : "dark";
  localStorage.setItem(THEME, document.documentElement.dataset.theme);
}

top.replaceChildren(
  h("span", { class: "brand" }, h("img", { src: "/static/icon.svg", alt: "", width: "26", height: "26" }), h("span", {}, "Accord ", h("b", {}, "look"))),
  h("span", { class: "gap" }), button("Keys", "?", () => keysDialog(HELP), { class: "quiet" }),
  h("button", { type: "button", class: "icon", "aria-label": "Light or dark", title: "Light or dark", onclick: switchTheme }, "◐"));

const value = (one) => one.value.toLocaleString("en", { maximumFractionDigits: 3 });
const variant = () => (drawn.truth ? (drawn.predicted ? "both" : "truth") : drawn.predicted ? "predicted" : "bare");
const says = () => [drawn.truth ? "truth" : "", drawn.predicted ? "prediction" : ""].filter(Boolean).join(" and ") || "nothing";

function lost(text) {
  failures = [];
  keepOnly([]);
  large?.close();
  main.replaceChildren(h("div", { class: "look" }, h("p", { class: "problem", role: "alert" }, text)));
}

function show(told) {
  failures = told.failures;
  const left = told.listed - failures.length;
  const hidden = h("p", { class: "lead", id: "hidden" }, left ? hiddenText(left) : "");
  main.replaceChildren(h("div", { class: "look" }, h("h1", {}, told.title),
    h("p", { class: "lead" }, `The worst ${told.listed.toLocaleString("en")} of ${told.scored.toLocaleString("en")} scores, the worst first. Every view is recorded.`), hidden,
    h("p", { class: "key" }, h("span", {}, h("i", {}), "truth"), h("span", {}, h("i", { class: "predicted" }), "prediction")),
    failures.length ? h("ol", { class: "failures" }, failures.map(card)) : h("p", {}, "There is nothing to show.")));
  main.querySelector(".failure")?.focus();
}

const hiddenText = (left) => `${left} not shown: somebody in ${left === 1 ? "it" : "them"} does not consent now.`;

function card(one, index) {
  const image = h("img", { alt: `Picture ${one.rank}, with truth and prediction` });
  new IntersectionObserver((seen, watch) => {
    if (!seen.some((entry) => entry.isIntersecting)) return;
    watch.disconnect();
    place(image, one.pictures.thumb);
  }, { rootMargin: "200px" }).observe(image);
  return h("li", { "data-rank": one.rank }, h("button", { type: "button", class: "failure", onclick: () => open(index), onfocus: () => { at = index; } }, image,
    h("span", { class: "said" }, h("span", {}, `no. ${one.rank}`), h("b", {}, value(one)))));
}

async function place(image, name) {
  try {
    image.src = await picture(name);
  } catch (error) {
    image.removeAttribute("src");
    image.alt = "This picture can't be shown now.";
    if (error.status !== 404) toast(error.message, "wrong");
  }
}

function open(index) {
  at = index;
  const image = h("img", {});
  const said = h("p", { "aria-live": "polite" });
  const truth = button("Truth", "t", () => turn("truth"));
  const predicted = button("Prediction", "p", () => turn("predicted"));
  const dialog = h("dialog", { class: "large", "aria-label": "One picture", onclose: () => { large = null; dialog.remove(); main.querySelectorAll(".failure")[at]?.focus(); } },
    image, h("div", { class: "tools" }, said, button("Previous", "ArrowLeft", () => step(-1)), button("Next", "ArrowRight", () => step(1)), truth, predicted, button("Back", "Escape", () => dialog.close())));
  large = dialog;
  large.draw = () => {
    const one = failures[at];
    said.textContent = `No. ${one.rank}: ${value(one)}. Drawn: ${says()}.`;
    image.alt = `Picture ${one.rank}, drawn: ${says()}`;
    truth.setAttribute("aria-pressed", String(drawn.truth));
    predicted.setAttribute("aria-pressed", String(drawn.predicted));
    place(image, one.pictures[variant()]);
  };
  document.body.append(dialog);
  dialog.showModal();
  large.draw();
}

function turn(what) {
  drawn = { ...drawn, [what]: !drawn[what] };
  large?.draw();
}

function step(by) {
  const next = Math.min(Math.max(at + by, 0), failures.length - 1);
  if (large) {
    at = next;
    large.draw();
  } else main.querySelectorAll(".failure")[next]?.focus();
}

/** How many pictures stand beside each other. */
function across() {
  const cards = [...main.querySelectorAll(".failure")];
  return Math.max(cards.findIndex((one) => one.getBoundingClientRect().top > cards[0].getBoundingClientRect().top + 1), 1);
}

/** What may not be shown any more goes, from the page and from its memory. */
async function again() {
  try {
    const told = await get("/api/failures");
    const may = new Set(told.failures.map((one) => one.rank));
    if (failures.length === may.size && failures.every((one) => may.has(one.rank))) return;
    keepOnly(told.failures.flatMap((one) => Object.values(one.pictures)));
    large?.close();
    show(told);
  } catch (error) {
    if (error.status !== 401) lost(error.message);
  }
}

addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || typing(event) || document.querySelector("dialog.help[open]")) return;
  const does = { ArrowLeft: () => step(-1), ArrowRight: () => step(1), "?": () => keysDialog(HELP), l: switchTheme,
    ...(large ? { t: () => turn("truth"), p: () => turn("predicted") } : { ArrowUp: () => step(-across()), ArrowDown: () => step(across()) }) };
  if (!Object.hasOwn(does, event.key)) return;
  event.preventDefault();
  does[event.key]();
});
whenLeft(() => lost("This address is out of date: open the one that `accord look` printed."));

async function begin() {
  const key = location.hash.slice(1);
  history.replaceState(null, "", "/"); // the key stays in no address, and in no history
  const { name } = await me();
  if (!name) await signIn("", key);
  show(await get("/api/failures"));
  setInterval(again, AGAIN);
}
begin().catch((error) => lost(error.message));
