// Elements made of plain values: text stays text, whatever is in it.

const SVG = "http://www.w3.org/2000/svg";

/** An element with properties (on...: listeners; class, aria-..., data-...: attributes) and children. */
export function h(tag, properties = {}, ...children) {
  return filled(document.createElement(tag), properties, children);
}

/** The same for SVG. */
export function s(tag, properties = {}, ...children) {
  return filled(document.createElementNS(SVG, tag), properties, children);
}

function filled(element, properties, children) {
  for (const [name, value] of Object.entries(properties)) {
    if (value === null || value === undefined || value === false) continue;
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else element.setAttribute(name, value === true ? "" : value);
  }
  element.append(...children.flat().filter((child) => child !== null && child !== undefined && child !== false));
  return element;
}

/** A key as it is printed on a keyboard. */
export function cap(key) {
  return h("kbd", { "aria-hidden": "true" }, { " ": "space", Escape: "esc", Delete: "del", ArrowLeft: "←", ArrowRight: "→" }[key] ?? key);
}

/** A button with the key that does the same. */
export function button(label, key, does, properties = {}) {
  const shortcut = key ? { "aria-keyshortcuts": key } : {};
  return h("button", { type: "button", onclick: does, ...shortcut, ...properties }, h("span", {}, label), key ? cap(key) : null);
}

/** Show which key does what: pairs of keys and what they do. */
export function keysDialog(help) {
  const dialog = h("dialog", { class: "help", "aria-label": "Keys", onclose: () => dialog.remove() }, h("h2", {}, "Keys"),
    h("dl", {}, help.map(([keys, does]) => h("div", {}, h("dt", {}, h("kbd", {}, keys)), h("dd", {}, does)))),
    h("button", { type: "button", onclick: () => dialog.close() }, "Close"));
  document.body.append(dialog);
  dialog.showModal();
}

/** Tell something in passing; it is read out, too. */
export function toast(text, kind = "told") {
  const one = h("p", { class: `toast ${kind}` }, text);
  const all = document.getElementById("toasts");
  all.append(one);
  while (all.children.length > 3) all.firstChild.remove();
  setTimeout(() => one.remove(), kind === "wrong" ? 8000 : 3000);
}

/** Whether keys are being typed into a field, where letters are no commands. */
export function typing(event) {
  const target = event.target;
  return target instanceof HTMLElement && (target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName))
    && target.type !== "range" && target.type !== "checkbox";
}

/** The bar over a queue: the way back, its title, how far one is. */
export function topBar(title, leave, bar, count) {
  return h("div", { class: "bar-top" }, button("All queues", "Escape", leave, { class: "quiet" }), h("h1", {}, title), h("span", { class: "way" }, bar), count);
}
