// The panel beside the picture: what is asked, what is known, the decisions, kind and note.

import { button, cap, h, keysDialog } from "./dom.js";
import { TOOLS } from "./drawing.js";
import { list } from "./marks.js";
import { rating } from "./rating.js";
import { DONE, KEYS, QUEUES, SIGNS, asked, helpOn, meaning, number, spoken } from "./words.js";

/** All of the panel. `desk` decides, draws and moves on. */
export function panel(desk) {
  const { item } = desk;
  const words = QUEUES[item.queue];
  desk.kinds = words.draws || words.says ? kinds(desk) : null;
  desk.note = h("textarea", { id: "note", rows: "2", maxlength: "2000", placeholder: "For whoever looks again; say nothing that identifies a person" });
  return h("aside", { class: "panel", "aria-label": "What is asked", "data-item": item.id, "data-queue": item.queue },
    h("section", { class: "ask" }, h("h2", { id: "question" }, asked(item)), facts(item)),
    item.opinions ? opinions(desk) : null,
    h("section", { class: "decide", "aria-labelledby": "question" }, words.rates ? rating(desk) : Object.keys(KEYS).map((decision) => choice(desk, decision))),
    words.draws ? h("section", { class: "draw", "aria-label": "Regions" }, tools(desk), desk.kinds, desk.list) : desk.kinds,
    words.shows ? list(desk) : null,
    words.plays ? desk.viewer.list() : null,
    h("section", { class: "say" }, h("label", { for: "note" }, "Note ", cap("n")), desk.note),
    h("section", { class: "move" }, button("Skip", "s", () => desk.skip(), { class: "quiet" }), button("Undo", "z", () => desk.undo(), { class: "quiet undo" }),
      button("Keys", "?", () => keysDialog(helpOn(item.queue)), { class: "quiet" })),
  );
}

function choice(desk, decision) {
  const was = desk.item.mine?.decision === decision;
  return button(h("span", {}, h("i", { "aria-hidden": "true" }, SIGNS[decision]), meaning(desk.item, decision)), KEYS[decision], () => desk.decide(decision),
    { class: `choice ${decision}`, "data-decision": decision, "aria-pressed": was ? "true" : null });
}

function facts(item) {
  const { plays, shows, rates } = QUEUES[item.queue];
  const by = plays || shows || rates ? "" : item.check; // what is drawn by lot, or asked of everybody, was found by nobody
  const rows = [["Found by", by], ["Kind", item.kind && spoken(item.kind)], ["Annotated people", shows ? "" : annotated(item)]];
  return h("dl", { class: "facts" },
    rows.filter(([, value]) => value).map(([name, value]) => h("div", {}, h("dt", {}, name), h("dd", {}, value))),
    item.score === null ? null : h("div", {}, h("dt", {}, "Score"), h("dd", {}, number(item.score), meter(item))),
    item.reason ? h("div", { class: "reason" }, h("dt", {}, "Reason"), h("dd", {}, item.reason)) : null,
    item.caution ? h("div", { class: "reason" }, h("dt", {}, "Look for others"), h("dd", {}, h("small", {}, `${item.caution} Draw whoever is missing.`))) : null,
    item.votes > 1 ? h("div", {}, h("dt", {}, "Votes"), h("dd", {}, `${item.votes} people decide, each alone`)) : null);
}

/** How many people annotators drew in the picture, where they are shown. */
function annotated({ marks }) {
  if (!marks) return "";
  const count = new Set(marks.map((mark) => mark.number)).size;
  return count ? `${count}, outlined in the picture` : "nobody";
}

/** The score's limit; on a bar where both are shares. */
function meter({ score, threshold }) {
  const share = (value) => value !== null && value >= 0 && value <= 1;
  if (!share(score) || !share(threshold)) return h("small", {}, threshold === null ? "" : ` limit ${number(threshold)}`);
  const bar = h("span", { class: "bar" });
  const [full, mark] = [h("b", {}), h("u", {})];
  full.style.width = `${100 * score}%`;
  mark.style.left = `${100 * threshold}%`;
  bar.append(full, mark);
  return [bar, h("small", {}, `limit ${number(threshold)}`)];
}

function tools(desk) {
  const names = { choose: "Choose", box: "Box", polygon: "Polygon", brush: "Brush" };
  desk.tools = TOOLS.map(([tool, key]) => button(names[tool], key, () => desk.drawing.use(tool), { class: "tool", "data-tool": tool }));
  return h("div", { class: "tools", role: "toolbar", "aria-label": "Drawing" }, desk.tools);
}

function kinds(desk) {
  const all = [...new Set([...(QUEUES[desk.item.queue].free ? [] : [desk.item.kind]), ...desk.item.kinds])].filter(Boolean);
  const select = h("select", { id: "kind", onchange: (event) => { desk.drawing.setKind(event.target.value); event.target.blur(); } },
    all.map((kind) => h("option", { value: kind }, spoken(kind))));
  select.value = desk.item.kind || (QUEUES[desk.item.queue].says ? all.at(-1) : all[0]);
  desk.list = h("ul", { class: "regions", "aria-label": "Drawn regions" });
  return h("label", { class: "kind", for: "kind" }, h("span", {}, QUEUES[desk.item.queue].plays ? "Why " : "Kind ", cap("k")), select);
}

/** The list of regions, as they are now: one can be chosen and deleted without a pointer. */
export function regionList(desk) {
  const { drawing } = desk;
  desk.list.replaceChildren(...drawing.regions.map((region, i) => h("li", {},
    h("button", { type: "button", class: "region-name", "aria-pressed": String(i === drawing.chosen), onclick: () => drawing.choose(i) },
      `${i + 1}. ${spoken(region.kind)}`, h("small", {}, `${region.polygon.length / 2} corners`)),
    h("button", { type: "button", class: "icon", "aria-label": `Delete region ${i + 1}`, onclick: () => { drawing.choose(i); drawing.remove(); } }, "×"))));
  if (!drawing.regions.length) desk.list.append(h("li", { class: "none" }, "No region is drawn."));
}

const MARKS = ["first", "second"];

function opinions(desk) {
  return h("section", { class: "opinions", "aria-label": "Both opinions" }, desk.item.opinions.map((one, i) => h("div", { class: `opinion ${MARKS[i] ?? "more"}`, "data-opinion": i },
    h("h3", {}, h("span", { class: "line", "aria-hidden": "true" }), `Opinion ${i + 1}`),
    h("p", { class: `verdict ${one.decision}` }, `${SIGNS[one.decision]} ${DONE[one.decision]}`, h("small", {}, QUEUES[desk.item.queue].says ? one.regions.map(({ kind }) => spoken(kind)).join(", ") : one.regions.length ? `${one.regions.length} drawn` : "")),
    one.note ? h("blockquote", {}, one.note) : null,
    button("Take over", String(i + 1), () => desk.adopt(i), { class: "quiet" }))));
}

/** Shapes of opinions to be shown over the picture: solid and dashed. */
export const marked = (item) => (item.opinions ?? []).flatMap((one, i) => one.regions.map(({ polygon }) => ({ polygon, mark: MARKS[i] ?? "more" })));
