// The page: signing in, the bar at the top, and which view is open (it stands in the address after #).

import { get, me, post, signIn, whenLeft } from "./api.js";
import { Desk } from "./desk.js";
import { button, h, typing } from "./dom.js";
import { Faces } from "./faces.js";
import { Grid } from "./grid.js";
import { home, people } from "./home.js";
import { QUEUES } from "./words.js";

const main = document.getElementById("main");
const top = document.getElementById("top");
let who = null;
let desk = null;
let keys = {};
let turn = 0;

const THEME = "accord-theme";
const theme = (value) => {
  document.documentElement.dataset.theme = value;
  localStorage.setItem(THEME, value);
};
if (localStorage.getItem(THEME)) document.documentElement.dataset.theme = localStorage.getItem(THEME);

function switchTheme() {
  const dark = document.documentElement.dataset.theme ?? (matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light");
  theme(dark === "dark" ? "light" : "dark");
}

function bar() {
  const parts = [h("a", { class: "brand", href: "#" }, h("img", { src: "/static/icon.svg", alt: "", width: "26", height: "26" }), h("span", {}, "Accord ", h("b", {}, "review"))),
    who ? h("nav", { "aria-label": "Pages" }, h("a", { href: "#" }, "Queues"), who.role === "admin" ? h("a", { href: "#people" }, "People") : null) : null,
    h("span", { class: "gap" }),
    who ? h("span", { class: "who" }, h("b", {}, who.name), h("small", {}, who.role)) : null,
    h("button", { type: "button", class: "icon", "aria-label": "Light or dark", title: "Light or dark", onclick: switchTheme }, "◐"),
    who ? button("Sign out", "", leave, { class: "quiet", id: "sign-out" }) : null];
  top.replaceChildren(...parts.filter(Boolean));
}

async function leave() {
  await desk?.close();
  desk = null;
  await post("/api/sign-out", {}).catch(() => {});
  out();
}

/** Nobody is signed in any more. */
async function out() {
  who = null;
  keys = {};
  bar();
  await me().catch(() => {});
  door();
}

function door() {
  const problem = h("p", { class: "problem", role: "alert" });
  const name = h("input", { name: "name", autocomplete: "username", required: true, autocapitalize: "none", spellcheck: "false", maxlength: "64" });
  const password = h("input", { name: "password", type: "password", autocomplete: "current-password", required: true, maxlength: "256" });
  const submit = h("button", { type: "submit", class: "primary" }, "Sign in");
  const form = h("form", { class: "door", onsubmit: async (event) => {
    event.preventDefault();
    submit.disabled = true;
    problem.textContent = "";
    try {
      who = await signIn(name.value, password.value);
      bar();
      await route();
    } catch (error) {
      problem.textContent = error.message;
      password.select();
    }
    submit.disabled = false;
  } }, h("h1", {}, "Sign in to review"), h("p", {}, "These are pictures of people. What you see here stays here."),
  h("label", {}, "Name", name), h("label", {}, "Password", password), problem, submit);
  main.replaceChildren(form);
  name.focus();
}

async function route() {
  if (!who) return;
  const mine = (turn += 1);
  const before = desk;
  desk = null;
  keys = {};
  await before?.close();
  const [page, queue] = location.hash.slice(1).split("/");
  try {
    if (page === "queue" && Object.hasOwn(QUEUES, queue ?? "")) await work(queue);
    else if (page === "disputes" && who.role !== "reviewer") await work("");
    else if (page === "people" && who.role === "admin") shown(mine, await people());
    else {
      const found = await home({ open: (of) => { location.hash = of ? `queue/${of}` : "disputes"; } });
      if (shown(mine, found.element)) keys = found.keys;
    }
  } catch (error) {
    if (error.status !== 401) shown(mine, h("p", { class: "problem", role: "alert" }, error.message));
  }
}

function shown(mine, element) {
  if (mine !== turn || !who) return false;
  main.replaceChildren(element);
  main.focus({ preventScroll: true });
  return true;
}

async function work(queue) {
  const View = { grid: Grid, faces: Faces }[QUEUES[queue]?.view] ?? Desk;
  const opened = new View(queue, { leave: () => { location.hash = ""; }, waiting: 0 });
  desk = opened;
  main.replaceChildren(opened.element);
  main.focus({ preventScroll: true });
  const counted = get("/api/queues").then(({ queues, disputes }) => {
    opened.total = queue ? queues.find((of) => of.queue === queue)?.waiting ?? 0 : disputes ?? 0;
    opened.tell();
  });
  await Promise.all([opened.start(), counted]);
}

addEventListener("hashchange", route);
addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || typing(event) || !Object.hasOwn(keys, event.key)) return;
  event.preventDefault();
  keys[event.key]();
});
whenLeft(() => { if (who) { desk?.close(); desk = null; out(); } });

bar();
me().then((found) => {
  who = found.name ? found : null;
  bar();
  return who ? route() : door();
}, (error) => main.replaceChildren(h("p", { class: "problem", role: "alert" }, error.message)));
