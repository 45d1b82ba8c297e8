// Votes that count each: one of the types of a scale of skin, and whether one is sure of it; or a value of a face.

import { button, h } from "./dom.js";

const ROMAN = ["I", "II", "III", "IV", "V", "VI"];
const FITZPATRICK = ["burns always, tans never", "burns mostly, tans a little", "burns sometimes, tans slowly", "burns rarely, tans well", "burns very rarely, tans dark", "burns never"];
const MONK = ["#f6ede4", "#f3e7db", "#f7ead0", "#eadaba", "#d7bd96", "#a07e56", "#825c43", "#604134", "#3a312a", "#292420"];
const UNSURE = " unsure";

const types = (item) => item.kinds.filter((kind) => !kind.endsWith(UNSURE));
const keyOf = (item, type) => String((types(item).indexOf(type) + 1) % 10); // the tenth has 0
const doubts = (item) => types(item).length < item.kinds.length;

/** The types of the item's scale, whether one is sure, and that one can't tell. */
export function rating(desk) {
  const { item } = desk;
  const before = item.mine?.regions[0]?.kind ?? "";
  desk.unsure = before.endsWith(UNSURE);
  desk.doubt = button("I am not sure", "u", () => doubt(desk), { class: "quiet doubt", "aria-pressed": String(desk.unsure) });
  return [h("div", { class: `types ${item.kind}` }, types(item).map((type) => one(desk, type, before.replace(UNSURE, "") === type))), doubts(item) ? desk.doubt : null,
    button("Can't be judged", "d", () => desk.decide("dismiss"), { class: "choice dismiss", "data-decision": "dismiss" })];
}

function one(desk, type, was) {
  if (!doubts(desk.item)) {
    return button(type, keyOf(desk.item, type), () => desk.rate(type), { class: "choice", "data-type": type, "aria-pressed": was ? "true" : null });
  }
  const monk = desk.item.kind === "monk";
  const swatch = monk ? h("i", { class: "swatch", "aria-hidden": "true" }) : null;
  if (swatch) swatch.style.background = MONK[type - 1];
  const name = monk ? `Tone ${type}` : `Type ${ROMAN[type - 1]}`;
  return button(h("span", {}, swatch, name, monk ? null : h("small", {}, FITZPATRICK[type - 1])), keyOf(desk.item, type), () => desk.rate(type),
    { class: "choice", "data-type": type, "aria-pressed": was ? "true" : null });
}

function doubt(desk) {
  desk.unsure = !desk.unsure;
  desk.doubt.setAttribute("aria-pressed", String(desk.unsure));
}

/** What a vote on a type says. */
export const rated = (type, unsure) => `${type}${unsure ? UNSURE : ""}`;

/** Do what a key does where votes count each; false where it does nothing there. */
export function pressed(desk, { key, repeat }) {
  const type = types(desk.item).find((one) => keyOf(desk.item, one) === key);
  if (repeat && (type || key === "d")) return true;
  if (type) desk.rate(type);
  else if (key === "u" && doubts(desk.item)) doubt(desk);
  else if (key === "d") desk.decide("dismiss");
  else return key === "x"; // no picture is dropped here
  return true;
}
