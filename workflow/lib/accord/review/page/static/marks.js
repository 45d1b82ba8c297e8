// An annotation over its picture: named points and the lines between them, named outlines, boxes.

import { h, s } from "./dom.js";
import { points } from "./shapes.js";

/** Keypoints (BlazePose) between which a line is drawn: so that a left hand on a right arm is seen. */
const LINES = [
  [1, 2], [2, 3], [4, 5], [5, 6], [9, 10], [11, 12], [11, 13], [13, 15], [15, 17], [15, 19], [15, 21], [17, 19], [12, 14], [14, 16], [16, 18], [16, 20], [16, 22], [18, 20],
  [11, 23], [12, 24], [23, 24], [23, 25], [25, 27], [27, 29], [29, 31], [27, 31], [24, 26], [26, 28], [28, 30], [30, 32], [28, 32],
];
const SIDES = [["Left", "left"], ["Right", "right"]]; // the person's own
const LETTER = 13; // px of the screen

const side = ({ name }) => SIDES.find(([word]) => name.startsWith(word) || name.endsWith(word.toLowerCase()))?.[1] ?? "middle";

/** All marks as shapes. `scale`: px of the screen for one of the picture; `named`: whether names are written beside them. */
export function drawn(marks, scale, named, chosen) {
  const of = Object.fromEntries(marks.filter((mark) => mark.point).map((mark) => [mark.number, mark]));
  const lines = LINES.filter(([one, other]) => of[one] && of[other]).map(([one, other]) => line(of[one], of[other]));
  return [...lines.flat(), ...marks.flatMap((mark, i) => shape(mark, scale, i === chosen)), ...(named ? labels(marks, scale) : [])];
}

function line(one, other) {
  const [[x1, y1], [x2, y2]] = [one.polygon, other.polygon];
  return ["halo", "bone"].map((kind) => s("line", { x1, y1, x2, y2, class: kind }));
}

function shape(mark, scale, chosen) {
  const classes = `annotation ${side(mark)}${mark.person ? " person" : ""}${mark.visible ? "" : " hidden"}${chosen ? " chosen" : ""}`;
  if (mark.point) {
    const [cx, cy] = mark.polygon;
    return [s("circle", { cx, cy, r: (chosen ? 9 : 5) / scale, class: classes })];
  }
  const polygon = points(mark.polygon).map((one) => one.join(",")).join(" ");
  const colour = `hsl(${(mark.number * 47) % 360} 90% 65%)`; // neighbours in the list are far apart in hue
  return [s("polygon", { points: polygon, class: "halo" }), s("polygon", { points: polygon, class: classes, stroke: colour, fill: colour })];
}

/** Names beside their marks, none over another: one that would be is moved down, at the end of a line from its mark. */
function labels(marks, scale) {
  const taken = [];
  const placed = marks.filter((mark) => mark.name).map((mark) => place(mark, scale)).sort((one, other) => one.y - other.y);
  return placed.flatMap((one) => {
    const { width, high, left } = one;
    let y = one.y;
    const hit = () => taken.find((other) => left < other.left + other.width && other.left < left + width && Math.abs(y - other.y) < high);
    for (let other = hit(); other; other = hit()) y = other.y + 1.02 * high; // strictly below, whatever is rounded
    taken.push({ left, width, y });
    const leader = y > one.y ? [s("line", { x1: one.from[0], y1: one.from[1], x2: one.x, y2: y - high / 3, class: "leader" })] : [];
    return [...leader, s("text", { x: one.x, y, "font-size": LETTER / scale, "text-anchor": one.anchor, class: "name" }, one.text)];
  });
}

/** Where a name would stand, in px of the picture: what is the person's left to the right of its mark, as one looks. */
function place(mark, scale) {
  const all = points(mark.polygon);
  const from = all.reduce((top, one) => (one[1] < top[1] ? one : top)); // of an outline its upper end
  const away = mark.point ? { left: 9, right: -9, middle: 0 }[side(mark)] / scale : 0;
  const anchor = !away ? "middle" : away > 0 ? "start" : "end";
  const text = mark.visible ? mark.name : `${mark.name} (hidden)`;
  const width = (0.6 * LETTER * text.length + 4) / scale; // about
  const x = from[0] + away;
  return { from, x, y: from[1] + (away ? 4 : 20) / scale, anchor, text, width, high: (LETTER + 3) / scale, left: x - width * { start: 0, middle: 0.5, end: 1 }[anchor] };
}

/** The marks as a list, in which each can be chosen without a pointer. */
export function list(desk) {
  const { marks } = desk.item;
  const at = (i) => () => desk.drawing?.point(i);
  const one = (mark, i) => h("li", {}, h("button", { type: "button", class: `region-name of-${side(mark)}`, "data-mark": i, onfocus: at(i), onblur: at(-1), onmouseenter: at(i), onmouseleave: at(-1) },
    mark.name, mark.point ? h("small", {}, mark.visible ? "● visible" : "○ hidden") : null));
  return h("section", { class: "draw", "aria-label": "What is drawn" }, h("ul", { class: "regions marks" }, marks.length ? marks.map(one) : h("li", { class: "none" }, "This annotation is not in the results now.")));
}
