// The map of a hierarchy: a cell for each edge, coloured by verdict, by branch or by meaning; for the pointer and for the keyboard.

import { select } from "d3-selection";
import { zoom, zoomIdentity } from "d3-zoom";
import { SIGNS, button, download, element, plural, shortened, whole } from "./dom.js";
import { STRIP, arranged } from "./regions.js";
import { state, writeFragment } from "./state.js";
import { hierarchyOf } from "./tree.js";

const LABELLED = { width: 54, height: 19 }; // cells that are smaller have no label
const INSIDE = 4; // who looks into a region comes to a part of at most a fourth of it
const MOST = 60; // times as large as it was drawn first
const FAILED = { gold: "missed", pred: "invented" };
const NONE = {
  gold: "None: the prediction has every edge of gold. The map of the prediction shows what it has beyond that.",
  pred: "None: gold has every edge of the prediction.",
};
const WHERE = { gold: "gold standard", pred: "prediction" };
const KEYS = "Arrow keys move from region to region, Enter looks into a region or chooses an edge, Backspace goes out, plus and minus zoom.";

const rest = () => new Promise((resolve) => { setTimeout(resolve, 0); });
const holds = (one, x, y) => x >= one.x0 && x < one.x1 && y >= one.y0 && y < one.y1;

class Map_ {
  constructor(box, panel, { choose }) {
    Object.assign(this, { panel, choose, marked: {}, kept: new Map(), pointed: null, focused: null });
    Object.assign(this, this.wanted());
    this.canvas = element("canvas", { "aria-hidden": "true" });
    this.over = element("canvas", { class: "over", role: "application", tabindex: "0", "aria-roledescription": "map" });
    this.tip = element("div", { class: "tip", hidden: "" });
    this.told = element("output", { class: "unseen", "aria-live": "polite" });
    this.stage = element("div", { class: "stage" }, this.canvas, this.over, this.tip, this.told);
    this.list = element("div", { class: "regions" });
    this.probes = Object.fromEntries([...Object.keys(SIGNS), "ink", "paper"].map((word) => [word, element("i", { class: `v-${word}` })]));
    this.legend = element("p", { class: "legend" });
    box.append(element("div", { class: "filters" }, ...this.switches(), element("span", { class: "spacer" }), ...this.moves()), this.legend,
      element("div", { class: "mapped" }, this.stage, this.list), ...Object.values(this.probes));
    this.zooming = zoom().scaleExtent([1, 200]).on("zoom", (event) => this.moved(event.transform))
      // The wheel scrolls the page, and one finger does.
      .filter((event) => (event.type === "wheel" ? event.ctrlKey || event.metaKey : !event.button && !(event.touches?.length < 2)));
    select(this.over).call(this.zooming).on("dblclick.zoom", null);
    this.listen();
    this.arrange();
  }

  switches() {
    const pick = (label, name, value) => button(label, () => this.turn({ [name]: value }), { "data-name": name, "data-value": value });
    const sides = [pick("Gold standard", "side", "gold"), pick("Prediction", "side", "pred")];
    const ways = this.panel.size ? [element("span", { class: "soft" }, "arranged"), pick("By branch", "by", "branch"), pick("By meaning", "by", "meaning")] : [];
    this.picks = [...sides, ...ways.slice(1)];
    return [...sides, ...ways];
  }

  moves() {
    return [button("+", () => this.scale(1.6), { "aria-label": "Zoom in" }), button("−", () => this.scale(1 / 1.6), { "aria-label": "Zoom out" }), button("Whole map", () => this.reset())];
  }

  listen() {
    this.over.addEventListener("pointermove", (event) => this.hover(event));
    this.over.addEventListener("pointerleave", () => this.point(null));
    this.over.addEventListener("click", (event) => { const leaf = this.leafAt(event); if (leaf) this.chooseLeaf(leaf); });
    this.over.addEventListener("keydown", (event) => this.key(event));
    this.over.addEventListener("focus", () => { if (this.over.matches(":focus-visible") && this.last) this.focusOn(this.focused ?? this.start()); });
    this.over.addEventListener("blur", () => { this.tip.hidden = true; this.outline(); });
    new ResizeObserver(() => { if (this.root && this.stage.clientWidth && this.stage.clientWidth !== this.width) this.layOut(); }).observe(this.stage);
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => this.draw());
    document.addEventListener("theme", () => this.draw());
  }

  // What the fragment asks for.
  wanted() {
    const [side, by] = state.map.split(".");
    return { side: side in WHERE ? side : "gold", by: by === "meaning" && this.panel.size ? by : "branch" };
  }

  restore() {
    const { side, by } = this.wanted();
    if (side === this.side && by === this.by) return;
    Object.assign(this, { side, by });
    this.arrange();
  }

  turn(changes) {
    Object.assign(this, changes);
    writeFragment({ map: `${this.side}.${this.by}` });
    this.arrange();
  }

  // A hierarchy of 100,000 edges takes a moment to arrange; between the steps the page stays usable.
  async arrange() {
    const { side, by } = this;
    for (const one of this.picks) one.setAttribute("aria-pressed", String(this[one.dataset.name] === one.dataset.value));
    const graph = hierarchyOf(this.panel[side]);
    await rest();
    const key = `${side}.${by}`;
    if (!this.kept.has(key)) this.kept.set(key, arranged(by, graph, graph.places, this.panel.size));
    await rest();
    if (this.side !== side || this.by !== by) return;
    this.arrangement = this.kept.get(key);
    Object.assign(this, { graph, root: this.arrangement.root, pointed: null, focused: null });
    this.describe();
    this.listWorst();
    this.width = 0;
    if (this.stage.clientWidth) this.layOut();
  }

  describe() {
    const { graph } = this, counts = new Map();
    graph.verdicts.forEach((_, edge) => counts.set(graph.verdict(edge), (counts.get(graph.verdict(edge)) ?? 0) + 1));
    this.legend.replaceChildren(...[...counts].map(([word, count]) => element("span", {}, element("i", { class: `swatch v-${word}` }), ` ${SIGNS[word] ?? ""} ${whole(count)} ${word}`)));
    const told = [...counts].map(([word, count]) => `${whole(count)} ${word}`).join(", ");
    this.over.setAttribute("aria-label", `Map of the ${WHERE[this.side]} by ${this.by}: ${told}. ${KEYS}`);
  }

  listWorst() {
    const failed = FAILED[this.side], found = this.arrangement.worst(), title = `${this.arrangement.worstTitle} with most ${failed}`;
    const name = (one) => this.arrangement.nameOf(one);
    const rows = () => [["region", failed, "edges"], ...found.map((one) => [name(one), one.failed, one.value])];
    this.list.replaceChildren(
      element("p", { class: "caption" }, title, " ", found.length ? button("CSV", () => download(title, rows()), { class: "small", "aria-label": `Download as CSV: ${title}` }) : ""),
      ...(found.length ? [] : [element("p", { class: "note" }, NONE[this.side])]),
      element("ol", {}, ...found.map((one) => element("li", {},
        button(shortened(name(one)), () => this.visit(one), { class: "link", title: name(one) }),
        element("span", { class: "soft" }, ` ${whole(one.failed)} of ${plural(one.value, "edge")}`),
        element("span", { class: "bar", "aria-hidden": "true" }, element("i", { class: `v-${failed}`, style: `--share:${(100 * one.failed / one.value).toFixed(1)}%` }))))));
  }

  // -- drawing -----------------------------------------------------------------------------------------------------

  layOut() {
    this.width = this.stage.clientWidth;
    this.height = Math.round(Math.max(260, Math.min(640, this.width * 0.62, 120 + 10 * this.root.value)));
    this.ratio = Math.min(2, devicePixelRatio || 1);
    for (const canvas of [this.canvas, this.over]) {
      Object.assign(canvas, { width: this.width * this.ratio, height: this.height * this.ratio });
      Object.assign(canvas.style, { width: `${this.width}px`, height: `${this.height}px` });
    }
    this.arrangement.layOut(this.width, this.height);
    this.zooming.extent([[0, 0], [this.width, this.height]]).translateExtent([[0, 0], [this.width, this.height]]);
    this.transform = zoomIdentity;
    select(this.over).property("__zoom", zoomIdentity);
    this.draw();
  }

  // While it moves, the last drawing is moved; when it rests, it is drawn anew.
  moved(transform) {
    if (!this.last) return;
    this.transform = transform;
    this.asked ??= requestAnimationFrame(() => {
      this.asked = undefined;
      const { k, x, y } = this.transform, pen = this.canvas.getContext("2d"), last = this.last;
      const by = k / last.transform.k;
      pen.setTransform(this.ratio, 0, 0, this.ratio, 0, 0);
      pen.clearRect(0, 0, this.width, this.height);
      pen.drawImage(last.image, x - last.transform.x * by, y - last.transform.y * by, this.width * by, this.height * by);
      this.outline();
      clearTimeout(this.resting);
      this.resting = setTimeout(() => this.draw(), 90);
    });
  }

  // Where a part lies in the window: its left, top, right and bottom.
  placeOf(one) {
    const { k, x, y } = this.transform;
    return [one.x0 * k + x, one.y0 * k + y, one.x1 * k + x, one.y1 * k + y];
  }

  // What is in the window: cells by verdict, labels of cells, and names of regions.
  visible() {
    const cells = {}, names = [], labels = [];
    const visit = (one) => {
      const [left, top, right, bottom] = this.placeOf(one);
      if (right < 0 || bottom < 0 || left > this.width || top > this.height) return;
      if (!one.children) {
        const { edge } = one.data;
        if (!(edge >= 0)) return;
        (cells[this.graph.verdict(edge)] ??= []).push(left, top, right - left, bottom - top);
        if (right - left > LABELLED.width && bottom - top > LABELLED.height) labels.push([edge, left, top, right - left]);
        return;
      }
      if (this.arrangement.isTitled(one)) names.push([one, Math.max(0, left), top, Math.min(this.width, right), bottom]);
      one.children.forEach(visit);
    };
    visit(this.root);
    return { cells, names, labels };
  }

  draw() {
    if (!this.root || !this.width) return;
    const colours = Object.fromEntries(Object.entries(this.probes).map(([word, probe]) => [word, getComputedStyle(probe).color]));
    const { cells, names, labels } = this.visible();
    const pen = this.canvas.getContext("2d");
    pen.setTransform(this.ratio, 0, 0, this.ratio, 0, 0);
    pen.clearRect(0, 0, this.width, this.height);
    for (const [verdict, rects] of Object.entries(cells)) {
      pen.fillStyle = colours[verdict] ?? colours.ink;
      pen.globalAlpha = verdict === "hit" ? 0.42 : 1;
      for (let i = 0; i < rects.length; i += 4) {
        const gap = rects[i + 2] > 5 && rects[i + 3] > 5 ? 0.8 : 0;
        pen.fillRect(rects[i], rects[i + 1], rects[i + 2] - gap, rects[i + 3] - gap);
      }
    }
    pen.globalAlpha = 1;
    pen.font = "11.5px system-ui, sans-serif";
    pen.textBaseline = "top";
    for (const [edge, left, top, width] of labels) {
      pen.fillStyle = this.graph.verdict(edge) === "hit" ? colours.ink : colours.paper;
      pen.fillText(this.fitted(pen, shortened(this.graph.text(this.graph.edges[2 * edge])), width - 8), left + 4, top + 4);
    }
    for (const [one, left, top, right, bottom] of names) {
      pen.strokeStyle = colours.paper;
      pen.lineWidth = 2;
      pen.strokeRect(left, top, right - left, bottom - top);
      if (top < -STRIP || top > this.height) continue;
      pen.fillStyle = colours.paper;
      pen.fillRect(left, top, right - left, STRIP);
      pen.fillStyle = colours.ink;
      pen.fillText(this.fitted(pen, shortened(this.arrangement.nameOf(one)), right - left - 6), left + 3, top + 2);
    }
    const image = document.createElement("canvas");
    Object.assign(image, { width: this.canvas.width, height: this.canvas.height });
    image.getContext("2d").drawImage(this.canvas, 0, 0);
    this.last = { image, transform: this.transform };
    this.outline();
  }

  fitted(pen, text, width) {
    if (pen.measureText(text).width <= width) return text;
    let length = Math.floor(text.length * width / pen.measureText(text).width);
    while (length > 1 && pen.measureText(`${text.slice(0, length)}…`).width > width) length--;
    return length > 1 ? `${text.slice(0, length)}…` : "";
  }

  // The chosen cell, the part under the pointer and the one with the focus lie on a canvas of their own.
  outline() {
    if (!this.last) return;
    const pen = this.over.getContext("2d");
    pen.setTransform(this.ratio, 0, 0, this.ratio, 0, 0);
    pen.clearRect(0, 0, this.width, this.height);
    pen.strokeStyle = getComputedStyle(this.probes.ink).color;
    const chosen = this.marked[this.side];
    const focused = document.activeElement === this.over ? this.focused : null;
    for (const [one, thick] of [[this.pointed, 1.5], [focused, 3], [chosen === undefined ? null : this.arrangement.leaf(chosen), 3]]) {
      if (!one) continue;
      const [left, top, right, bottom] = this.placeOf(one), width = Math.max(7, right - left), height = Math.max(7, bottom - top);
      pen.lineWidth = thick;
      pen.strokeRect((left + right - width) / 2, (top + bottom - height) / 2, width, height);
    }
  }

  // -- pointer -----------------------------------------------------------------------------------------------------

  // The smallest part at a point of the map, at most so deep.
  partAt(x, y, deepest = Infinity) {
    let one = holds(this.root, x, y) ? this.root : null;
    while (one?.children && one.depth < deepest) {
      const child = one.children.find((part) => holds(part, x, y));
      if (!child) break;
      one = child;
    }
    return one;
  }

  leafAt(event) {
    if (!this.last) return null;
    const { left, top } = this.over.getBoundingClientRect();
    const one = this.partAt(...this.transform.invert([event.clientX - left, event.clientY - top]));
    return one?.data.edge >= 0 && !one.children ? one : null;
  }

  hover(event) {
    const { left, top } = this.stage.getBoundingClientRect();
    this.point(this.leafAt(event), event.clientX - left + 14, event.clientY - top + 14);
  }

  point(leaf, x, y) {
    if (leaf === this.pointed) return;
    this.pointed = leaf;
    this.outline();
    this.tip.hidden = !leaf;
    if (leaf) this.tell(leaf, x, y);
  }

  tell(one, x, y) {
    const lines = one.children ? this.toldOfRegion(one) : this.toldOfEdge(one.data.edge);
    this.tip.replaceChildren(...lines.map((line, place) => element("div", { class: place > 1 ? "soft" : null }, line)));
    this.tip.hidden = false;
    this.tip.style.left = `${Math.max(0, Math.min(x, this.width - this.tip.offsetWidth))}px`;
    this.tip.style.top = `${Math.max(0, Math.min(y, this.height - this.tip.offsetHeight))}px`;
    return lines.join("; ");
  }

  toldOfRegion(one) {
    const name = one === this.root ? `Whole ${WHERE[this.side]}` : shortened(this.arrangement.nameOf(one));
    return [name, `${whole(one.failed)} of ${plural(one.value, "edge")} ${FAILED[this.side]}`, "Enter looks inside"];
  }

  toldOfEdge(edge) {
    const { edges } = this.graph, name = (node) => shortened(this.graph.text(node)), verdict = this.graph.verdict(edge);
    const parent = edges[2 * edge + 1], path = this.graph.pathTo(parent);
    const above = [path.length ? edges[2 * path[0] + 1] : parent, ...path.map((one) => edges[2 * one])];
    return [`${name(edges[2 * edge])} below ${name(parent)}`, `${SIGNS[verdict] ?? ""} ${verdict}`, above.map(name).join(" › ")];
  }

  chooseLeaf(leaf) { this.choose(`${this.side}:${leaf.data.edge}`); }

  // -- keyboard ----------------------------------------------------------------------------------------------------

  key(event) {
    if (!this.last || event.ctrlKey || event.metaKey || event.altKey) return;
    const one = this.focused ?? this.start();
    const aside = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }[event.key];
    if (aside) this.focusOn(this.beside(one, aside));
    else if (event.key === "Enter" || event.key === " ") { if (one.children) this.visit(one, this.inside(one)); else this.chooseLeaf(one); }
    else if (event.key === "Backspace") { const out = this.outside(one); this.visit(this.outside(out), out); }
    else if (event.key === "Home") { this.reset(); this.focusOn(this.start()); }
    else if (event.key === "+" || event.key === "-") this.scale(event.key === "+" ? 1.6 : 1 / 1.6);
    else return;
    event.preventDefault();
  }

  // Who comes to the map begins at the chosen edge, or else at a part of the whole.
  start() {
    const chosen = this.marked[this.side];
    return (chosen === undefined ? null : this.arrangement.leaf(chosen)) ?? this.inside(this.root);
  }

  inside(one) {
    let part = one;
    while (part.children && part.value > one.value / INSIDE) part = part.children.reduce((most, child) => (child.value > most.value ? child : most));
    return part;
  }

  outside(one) {
    let part = one;
    while (part.parent && part.value < one.value * INSIDE) part = part.parent;
    return part;
  }

  // The next part in a direction, as deep as this one; between parts there is room for names.
  beside(one, [dx, dy]) {
    let x = dx > 0 ? one.x1 : dx < 0 ? one.x0 - 0.01 : (one.x0 + one.x1) / 2;
    let y = dy > 0 ? one.y1 : dy < 0 ? one.y0 - 0.01 : (one.y0 + one.y1) / 2;
    const around = one.ancestors();
    for (let part = this.partAt(x, y, one.depth); part; part = this.partAt(x += dx, y += dy, one.depth)) if (!around.includes(part)) return part;
    return one;
  }

  focusOn(one) {
    this.focused = one;
    const [left, top, right, bottom] = this.placeOf(one);
    if (this.transform.k > 1 && (left < 0 || top < 0 || right > this.width || bottom > this.height)) this.goTo(one, this.transform.k);
    this.outline();
    const place = this.placeOf(one);
    this.told.textContent = this.tell(one, place[2] + 8, place[1]);
  }

  // -- moving ------------------------------------------------------------------------------------------------------

  // Shows a part as large as the window, and gives it or a part of it the focus.
  visit(one, part = one) {
    this.goTo(one, Math.max(1, Math.min(MOST, 0.9 / Math.max((one.x1 - one.x0) / this.width, (one.y1 - one.y0) / this.height))));
    this.over.focus({ preventScroll: true });
    this.over.scrollIntoView({ block: "nearest" });
    this.focusOn(part);
  }

  scale(by) { select(this.over).call(this.zooming.scaleBy, by); }
  reset() { select(this.over).call(this.zooming.transform, zoomIdentity); }
  goTo(one, k) {
    const at = zoomIdentity.translate(this.width / 2, this.height / 2).scale(k).translate(-(one.x0 + one.x1) / 2, -(one.y0 + one.y1) / 2);
    select(this.over).call(this.zooming.transform, at);
  }

  show(item, counterpart) {
    this.marked = {};
    for (const key of [item, counterpart]) if (key) { const [side, edge] = key.split(":"); this.marked[side] = Number(edge); }
    if (document.activeElement !== this.over) this.focused = null;
    this.outline();
  }
}

export const drawMap = (box, panel, actions) => new Map_(box, panel, actions);
