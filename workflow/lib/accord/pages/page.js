// What can be done with a page: tables sorted and filtered, values of charts read by pointer or keys. All is there without.
"use strict";
const tip = document.getElementById("tip");
const number = (text) => (text.trim() === "" ? null : Number(text.replaceAll(",", "")));
const compare = (a, b) => {
  const [x, y] = [number(a), number(b)];
  if (x === null || y === null) return (x === null) - (y === null);
  return Number.isNaN(x) || Number.isNaN(y) ? a.localeCompare(b, "en", { numeric: true }) : x - y;
};

const sort = (table, head) => {
  const column = [...head.parentElement.children].indexOf(head);
  const down = head.getAttribute("aria-sort") === "ascending";
  const text = (row) => row.cells[column].textContent;
  const rows = [...table.tBodies[0].rows];
  const empty = rows.filter((row) => text(row).trim() === "");
  const filled = rows.filter((row) => text(row).trim() !== "").sort((a, b) => compare(text(a), text(b)));
  if (down) filled.reverse();
  table.tBodies[0].append(...filled, ...empty);
  for (const other of head.parentElement.children) other.removeAttribute("aria-sort");
  head.setAttribute("aria-sort", down ? "descending" : "ascending");
};
for (const table of document.querySelectorAll("table.sortable")) {
  for (const head of table.tHead.rows[0].cells) {
    const button = document.createElement("button");
    button.type = "button";
    button.append(...head.childNodes);
    head.append(button);
    button.addEventListener("click", () => sort(table, head));
  }
}

for (const input of document.querySelectorAll("input[data-filter]")) {
  const table = document.querySelector(`table[data-rows="${input.dataset.filter}"]`);
  const count = document.querySelector(`output[data-count="${input.dataset.filter}"]`);
  input.addEventListener("input", () => {
    const words = input.value.toLowerCase().split(/\s+/).filter(Boolean);
    let shown = 0;
    for (const row of table.tBodies[0].rows) {
      const text = row.textContent.toLowerCase();
      row.hidden = !words.every((word) => text.includes(word));
      shown += !row.hidden;
    }
    count.textContent = words.length ? `${shown} of ${table.tBodies[0].rows.length} rows` : "";
  });
}

const tell = (point) => {
  tip.textContent = point.dataset.tip || point.getAttribute("aria-label");
  tip.hidden = false;
  const box = point.getBoundingClientRect();
  const left = Math.min(box.left, window.innerWidth - tip.offsetWidth - 8);
  const above = box.top - tip.offsetHeight - 8;
  tip.style.left = `${Math.max(8, left)}px`;
  tip.style.top = `${above > 0 ? above : box.bottom + 8}px`;
};
const hush = () => (tip.hidden = true);
const STEPS = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 };
for (const holder of document.querySelectorAll("[data-points]")) {
  const points = [...holder.querySelectorAll('[data-tip], [role="graphics-symbol"][aria-label]')].filter(
    (point) => !point.querySelector("[aria-label]") && point.getAttribute("aria-roledescription") !== "axis",
  );
  points.forEach((point, place) => {
    point.setAttribute("tabindex", place ? "-1" : "0");
    if (point.dataset.tip) point.setAttribute("aria-description", point.dataset.tip);
    point.addEventListener("pointerenter", () => tell(point));
    point.addEventListener("pointerleave", hush);
    point.addEventListener("focus", () => tell(point));
    point.addEventListener("blur", hush);
    point.addEventListener("keydown", (event) => {
      if (event.key === "Escape") hush();
      const next = points[place + (STEPS[event.key] || 0)];
      if (!STEPS[event.key] || !next) return;
      event.preventDefault();
      point.setAttribute("tabindex", "-1");
      next.setAttribute("tabindex", "0");
      next.focus();
    });
  });
}
window.addEventListener("scroll", hush, { passive: true });

const KEYS = [["Tab", "to the next chart, table or link"], ["Arrows", "in a chart, from value to value: each is told"],
  ["Enter", "on a column's name, sort by it; on a heading that is folded, unfold it"], ["Esc", "close what is told"], ["?", "this list"]];
const made = (tag, ...children) => {
  const element = document.createElement(tag);
  element.append(...children);
  return element;
};
window.addEventListener("keydown", (event) => {
  if (event.key !== "?" || event.ctrlKey || event.metaKey || event.altKey) return;
  if (event.target.closest?.("input, textarea, select") || document.querySelector("dialog[open]")) return;
  const close = made("button", "Close");
  const list = made("dl", ...KEYS.map(([key, does]) => made("div", made("dt", made("kbd", key)), made("dd", does))));
  const dialog = made("dialog", made("h2", "Keys"), list, close);
  dialog.setAttribute("aria-label", "Keys");
  close.addEventListener("click", () => dialog.close());
  dialog.addEventListener("close", () => dialog.remove());
  document.body.append(dialog);
  dialog.showModal();
});

const everything = document.getElementById("print-all");
if (everything) everything.addEventListener("change", () => document.body.classList.toggle("print-all", everything.checked));
let closed = [];
window.addEventListener("beforeprint", () => {
  if (everything && !everything.checked) return;
  closed = [...document.querySelectorAll("main details:not([open])")];
  for (const details of closed) details.open = true;
});
window.addEventListener("afterprint", () => {
  closed.forEach((details) => (details.open = false));
  closed = [];
});
