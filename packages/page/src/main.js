// The page: one prediction and one measure are shown; what is chosen in one view is marked in all.

import { drawBars, drawHistogram, drawLines } from "./charts.js";
import { data } from "./data.js";
import { drawDiagrams } from "./diagrams.js";
import { button, byId, copyText, element } from "./dom.js";
import { Items } from "./items.js";
import { drawMap } from "./map.js";
import { readFragment, state, writeFragment } from "./state.js";
import { setUpTables, sortTables } from "./tables.js";
import { drawTexts } from "./texts.js";
import { drawTree } from "./tree.js";

// -- theme, copying ------------------------------------------------------------------------------------------------

const theme = byId("theme");
const root = document.documentElement;
const isDark = () => (root.dataset.theme ?? (matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light")) === "dark";
const nameTheme = () => { theme.textContent = isDark() ? "Light theme" : "Dark theme"; };
theme.hidden = false;
theme.addEventListener("click", () => { root.dataset.theme = isDark() ? "light" : "dark"; nameTheme(); document.dispatchEvent(new Event("theme")); });
matchMedia("(prefers-color-scheme: dark)").addEventListener("change", nameTheme);
nameTheme();

const copy = byId("copy");
copy.hidden = false;
copy.addEventListener("click", () => {
  const label = copy.textContent;
  copyText([...document.querySelectorAll("#signatures code")].map((one) => one.textContent).join("\n")).then(
    () => { copy.textContent = "Copied"; },
    () => { copy.textContent = "Copy failed: select the text"; },
  );
  setTimeout(() => { copy.textContent = label; }, 2000);
});

// -- the forest plot: one measure at a time ------------------------------------------------------------------------

const run = byId("run"), measure = byId("measure");
const NOTHING = { item: "", entry: "", open: "" }; // what is chosen of one prediction by one measure
const plots = [...document.querySelectorAll(".forest")];
const switches = byId("switch");
if (plots.length > 1) {
  switches.append(...plots.map((plot) => button(plot.dataset.name, () => view({ ...NOTHING, measure: plot.dataset.measure }), { "data-measure": plot.dataset.measure })));
  switches.hidden = false;
}
function showPlot() {
  for (const plot of plots) plot.hidden = plot.dataset.measure !== measure.value;
  for (const one of document.querySelectorAll("[data-errors]")) one.hidden = one.dataset.errors !== measure.value;
  for (const one of switches.children) one.setAttribute("aria-pressed", String(one.dataset.measure === measure.value));
}

// -- one item, in all views ----------------------------------------------------------------------------------------

const grid = byId("items");
const items = grid ? new Items(grid, choose) : null;
const shown = () => Object.values(drawn).filter(({ section, view }) => !section.hidden && view?.show).map(({ view }) => view);

function choose(key) {
  writeFragment({ item: key });
  if (!items?.order) return;
  items.choose(key);
  if (key) for (const box of document.querySelectorAll('[data-run]:not([hidden]) > [data-kind="tree"]')) draw(box.parentElement);
  const row = key ? items.rowOf(key) : -1;
  const other = row < 0 ? -1 : items.counterpartOf(row);
  const partner = other < 0 ? "" : items.keyOf(other);
  const names = { item: items.nameOf(row), counterpart: items.nameOf(other) };
  for (const view of shown()) view.show(key, partner, names);
  for (const box of document.querySelectorAll("[data-detail]")) box.replaceChildren(...detailOf(key, row, partner, box.dataset.detail));
}

function detailOf(key, row, partner, where) {
  if (!key) return [];
  if (row < 0) return [element("p", { class: "note" }, "This item is not on the page.")];
  const facts = new Map(items.facts(row).map(([name, title, shown]) => [name, { title, shown }]));
  const [side] = key.split(":");
  const take = (name) => { const found = facts.get(name); facts.delete(name); return found?.shown ?? ""; };
  const [verdict, item, counterpart, similarity] = ["verdict", "item", "counterpart", "similarity"].map(take);
  take("side");
  const tree = shown().find((view) => view.edge && view.edge(key));
  const ends = tree && ["child", "parent"].map((end, place) => [end, tree.edge(key)[place], partner ? tree.edge(partner)[place] : "", take(`${end}_cosine`)]);
  const rows = [...(ends ?? []), [ends ? "whole edge" : "item", item, counterpart || "none", similarity]];
  const here = side === "gold" ? "gold standard" : "prediction", there = side === "gold" ? "prediction" : "gold standard";
  const table = element("div", { class: "scroll", tabindex: "0", role: "group", "aria-label": "The chosen item and its best counterpart" }, element("table", {},
    element("thead", {}, element("tr", {}, element("td"), ...[`this, in the ${here}`, `best counterpart, in the ${there}`].map((text) => element("th", { scope: "col" }, text)), element("th", { class: "number", scope: "col" }, "similarity"))),
    element("tbody", {}, ...rows.map(([name, one, two, number]) => element("tr", {}, element("th", { scope: "row" }, name), element("td", {}, one), element("td", {}, two), element("td", { class: "number" }, number))))));
  const rest = element("dl", { class: "facts" }, ...[...facts.values()].flatMap(({ title, shown }) => [element("dt", {}, title), element("dd", {}, shown)]));
  const go = (id) => () => goTo(id, id === "items-section" ? grid : byId(id).querySelector(".chosen, .counterpart")?.closest('[role="treeitem"]'));
  const moves = element("p", { class: "moves" },
    partner ? button("Choose the counterpart", () => choose(partner)) : "",
    where !== "trees" && byId("trees") ? button("Show in both trees", go("trees")) : "",
    ...[["texts", "Show in its text"], ["graphs", "Show in its graph"]].map(([id, label]) => (byId(id) && !byId(id).hidden ? button(label, () => goTo(id, byId(id).querySelector("h2"))) : "")),
    where !== "items" ? button("Show in the list", go("items-section")) : "",
    button("Choose none", () => choose("")));
  return [element("p", { class: "what" }, verdict), table, rest, moves];
}

// What has the focus where a link leads to.
const FIRST = { "items-section": ".grid", trees: "section:not([hidden]) .tree [tabindex='0']" };
function goTo(id, target) {
  const section = byId(id);
  section.scrollIntoView({ block: "start" });
  if (!target) return;
  if (target.matches('[role="treeitem"]')) { section.querySelectorAll('.tree [tabindex="0"]').forEach((one) => { if (target.closest(".tree").contains(one)) one.tabIndex = -1; }); target.tabIndex = 0; }
  target.focus({ preventScroll: true });
  if (target.line) target.line.scrollIntoView({ block: "nearest" });
}

function narrow(changes) {
  if (!items?.order) return;
  items.refine(changes);
  goTo("items-section", grid);
}
const actions = {
  choose,
  filterBySimilarity: (low, high, verdict = "") => narrow({ similarity: [low, high, verdict].filter((part) => part !== "").join(":"), group: "" }),
};
setUpTables((by, group) => narrow({ group: `${by}:${group}`, similarity: "" }));

// -- the view: one prediction, one measure -------------------------------------------------------------------------

const DRAWN = { lines: drawLines, histogram: drawHistogram, bars: drawBars, tree: drawTree, map: drawMap, texts: drawTexts, diagrams: drawDiagrams };
const drawn = {};
// What is far below is drawn when it comes near.
const near = new IntersectionObserver((entries) => {
  for (const { isIntersecting, target } of entries) if (isIntersecting) draw(target);
}, { rootMargin: "600px" });

function draw(section) {
  const box = section.querySelector("[data-panel]");
  near.unobserve(section);
  if (!box || drawn[section.id]) return;
  const number = Number(box.dataset.panel);
  drawn[section.id] = { section, view: DRAWN[box.dataset.kind](box, { ...data.panels[number], number, table: data.items[section.dataset.run][section.dataset.measure] }, actions) };
  if (state.item && box.dataset.kind !== "tree") choose(state.item);
}

// The best prediction by the measure that is shown, whose row is the first of its plot.
const bestRun = () => plots[measure.selectedIndex]?.querySelector("[data-of-run]")?.dataset.ofRun ?? 0;

function view(changes = {}) {
  writeFragment(changes);
  measure.value = state.measure === "" ? measure.dataset.first : state.measure;
  run.value = state.run || bestRun();
  if (run.selectedIndex < 0) run.value = 0;
  if (measure.selectedIndex < 0) measure.value = measure.dataset.first;
  showPlot();
  for (const section of document.querySelectorAll("[data-run]")) {
    const other = section.dataset.measure !== undefined && section.dataset.measure !== measure.value;
    section.hidden = section.dataset.run !== run.value || other;
    if (section.hidden || !section.querySelector("[data-panel]")) continue;
    near.observe(section);
    drawn[section.id]?.view?.restore?.();
  }
  for (const part of document.querySelectorAll("[data-part]")) {
    const empty = !part.querySelector("[data-run]:not([hidden])") && part.id !== "items-section";
    part.hidden = empty;
    for (const link of document.querySelectorAll(`a[href="#${part.id}"]`)) link.hidden = empty;
  }
  if (items) {
    const table = data.items[Number(run.value)][Number(measure.value)];
    byId("items-section").hidden = !table; // a report that was read back may have values only
    if (table) { items.show(table); choose(state.item); }
  }
}

run.addEventListener("change", () => view({ ...NOTHING, run: run.value }));
measure.addEventListener("change", () => view({ ...NOTHING, measure: measure.value }));
document.addEventListener("click", (event) => {
  const link = event.target.closest('a[href^="#"]');
  if (!link) return;
  event.preventDefault();
  const target = link.getAttribute("href").slice(1);
  const { ofRun, ofMeasure, ofError, ofSide } = link.dataset;
  if (ofRun !== undefined) view({ ...NOTHING, run: ofRun, measure: ofMeasure, ...(ofError && { group: `error:${ofError}`, hide: ofSide === "pred" ? "gold" : "pred", find: "", similarity: "" }) });
  writeFragment({}, target);
  goTo(target, byId(target).querySelector(FIRST[target] ?? "h2"));
});
// Shows what the address says.
function follow() {
  const place = readFragment();
  view();
  sortTables();
  if (place) byId(place)?.scrollIntoView();
}
addEventListener("hashchange", follow);
addEventListener("beforeprint", () => {
  for (const one of [...plots, ...document.querySelectorAll("[data-errors]")]) one.hidden = false;
  document.querySelector("#reproduce > details").open = true;
  for (const section of document.querySelectorAll("[data-run]:not([hidden])")) draw(section);
  if (items?.order) items.print();
});
addEventListener("afterprint", showPlot);

// The top of the page is painted before the items are unpacked.
requestAnimationFrame(() => setTimeout(follow, 0));
