// The map of a hierarchy: a cell for each edge, inside the rectangle of its branch, coloured by verdict.

import { hierarchy as nested, treemap } from "d3-hierarchy";
import { select } from "d3-selection";
import { zoom, zoomIdentity } from "d3-zoom";
import { SIGNS, button, element, plural, shortened, whole } from "./dom.js";
import { hierarchyOf } from "./tree.js";

const STRIP = 15; // height of the name of a branch
const NAMED = { width: 80, height: 44 }; // branches that are smaller have no name
const LABELLED = { width: 54, height: 19 }; // so are cells
const SHARE = 6; // a region is a branch of at most a sixth of all edges
const REGIONS = 12;

// A node stands below one of its parents; its further edges are cells of their own there.
function branches(graph) {
  const below = (node) => {
    const children = [];
    for (let i = graph.first[node]; i < graph.first[node + 1]; i++) {
      const edge = graph.below[i], child = graph.edges[2 * edge];
      children.push(graph.above[child] === edge && graph.first[child + 1] > graph.first[child] ? { node: child, edge } : { edge });
    }
    return children;
  };
  const root = nested({ node: -1, edge: -1 }, (one) => {
    if (one.node === undefined) return null;
    if (one.node < 0) return graph.roots.map((node) => ({ node, edge: -1 }));
    return one.edge < 0 ? below(one.node) : [{ edge: one.edge }, ...below(one.node)];
  });
  root.eachAfter((one) => {
    one.value = one.children ? 0 : 1;
    one.failed = one.children || graph.hits[one.data.edge] ? 0 : 1;
    for (const child of one.children ?? []) { one.value += child.value; one.failed += child.failed; }
  });
  return root.sort((a, b) => b.value - a.value);
}

// The branches that are missed most, beyond what is missed anywhere: the largest ones that are not most of the whole.
function regions(root) {
  const found = [];
  const visit = (one) => {
    for (const child of one.children ?? []) {
      if (!child.children || child.data.node === undefined) continue;
      if (child.value > Math.max(8, root.value / SHARE)) visit(child);
      else if (child.failed) found.push(child);
    }
  };
  visit(root);
  const more = (one) => one.failed - one.value * root.failed / root.value;
  return found.sort((a, b) => more(b) - more(a) || a.value - b.value).slice(0, REGIONS);
}

const rest = () => new Promise((resolve) => { setTimeout(resolve, 0); });

class Map_ {
  constructor(box, panel, { choose }) {
    Object.assign(this, { panel, choose, side: "gold", marked: {} });
    this.canvas = element("canvas", { role: "img" });
    this.over = element("canvas", { class: "over", "aria-hidden": "true" });
    this.tip = element("div", { class: "tip", hidden: "" });
    this.stage = element("div", { class: "stage" }, this.canvas, this.over, this.tip);
    this.list = element("div", { class: "regions" });
    this.probes = Object.fromEntries([...Object.keys(SIGNS), "ink", "paper"].map((word) => [word, element("i", { class: `v-${word}` })]));
    const sides = ["gold", "pred"].map((side) => button(side === "gold" ? "Gold standard" : "Prediction", () => this.turn(side), { "data-side": side, "aria-pressed": "false" }));
    const moves = [button("+", () => this.scale(1.6), { "aria-label": "Zoom in" }), button("−", () => this.scale(1 / 1.6), { "aria-label": "Zoom out" }), button("Whole map", () => this.reset())];
    this.legend = element("p", { class: "legend" });
    box.append(element("div", { class: "filters" }, ...sides, element("span", { class: "spacer" }), ...moves), this.legend,
      element("div", { class: "mapped" }, this.stage, this.list), ...Object.values(this.probes));
    this.sides = sides;
    this.zooming = zoom().scaleExtent([1, 200]).on("zoom", (event) => this.moved(event.transform))
      // The wheel scrolls the page, and one finger does.
      .filter((event) => (event.type === "wheel" ? event.ctrlKey || event.metaKey : !event.button && !(event.touches?.length < 2)));
    select(this.over).call(this.zooming).on("dblclick.zoom", null);
    this.over.addEventListener("pointermove", (event) => this.hover(event));
    this.over.addEventListener("pointerleave", () => { this.tip.hidden = true; });
    this.over.addEventListener("click", (event) => { const leaf = this.leafAt(event); if (leaf) choose(`${this.side}:${leaf.data.edge}`); });
    new ResizeObserver(() => { if (this.root && this.stage.clientWidth && this.stage.clientWidth !== this.width) this.layOut(); }).observe(this.stage);
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => this.draw());
    document.addEventListener("theme", () => this.draw());
    this.roots = {};
    this.turn("gold");
  }

  // A hierarchy of 100,000 edges takes a moment to arrange; between the steps the page stays usable.
  async turn(side) {
    this.side = side;
    for (const one of this.sides) one.setAttribute("aria-pressed", String(one.dataset.side === side));
    const graph = hierarchyOf(this.panel[side]);
    await rest();
    const root = this.roots[side] ??= branches(graph);
    await rest();
    if (this.side !== side) return;
    Object.assign(this, { graph, root, hovered: null, leaves: null });
    const counts = new Map();
    graph.verdicts.forEach((_, edge) => counts.set(graph.verdict(edge), (counts.get(graph.verdict(edge)) ?? 0) + 1));
    this.legend.replaceChildren(...[...counts].map(([word, count]) => element("span", {}, element("i", { class: `swatch v-${word}` }), ` ${SIGNS[word] ?? ""} ${whole(count)} ${word}`)));
    const where = side === "gold" ? "gold standard" : "prediction";
    this.canvas.setAttribute("aria-label", `Map of the ${where}: ${[...counts].map(([word, count]) => `${whole(count)} ${word}`).join(", ")}; the list beside it names the branches that are worst`);
    const failed = side === "gold" ? "missed" : "invented";
    const found = regions(this.root);
    this.list.replaceChildren(element("h3", {}, `Branches with most ${failed}`),
      ...(found.length ? [] : [element("p", { class: "note" }, "None.")]),
      element("ol", {}, ...found.map((one) => element("li", {},
        button(shortened(graph.text(one.data.node)), () => this.goTo(one), { class: "link", title: graph.text(one.data.node) }),
        element("span", { class: "soft" }, ` ${whole(one.failed)} of ${plural(one.value, "edge")}`),
        element("span", { class: "bar", "aria-hidden": "true" }, element("i", { class: `v-${failed}`, style: `--share:${(100 * one.failed / one.value).toFixed(1)}%` }))))));
    if (this.stage.clientWidth) this.layOut();
  }

  layOut() {
    this.width = this.stage.clientWidth;
    this.height = Math.round(Math.max(260, Math.min(640, this.width * 0.62, 120 + 10 * this.root.value)));
    this.ratio = Math.min(2, devicePixelRatio || 1);
    for (const canvas of [this.canvas, this.over]) {
      Object.assign(canvas, { width: this.width * this.ratio, height: this.height * this.ratio });
      Object.assign(canvas.style, { width: `${this.width}px`, height: `${this.height}px` });
    }
    const large = (one) => one.data.node >= 0 && one.x1 - one.x0 > NAMED.width && one.y1 - one.y0 > NAMED.height;
    treemap().size([this.width, this.height]).paddingOuter((one) => (large(one) ? 2 : 0)).paddingTop((one) => (large(one) ? STRIP : 0))(this.root);
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

  draw() {
    if (!this.root || !this.width) return;
    const colours = Object.fromEntries(Object.entries(this.probes).map(([word, probe]) => [word, getComputedStyle(probe).color]));
    const { k, x, y } = this.transform;
    const cells = {}, names = [], labels = [];
    const visit = (one) => {
      const left = one.x0 * k + x, top = one.y0 * k + y, right = one.x1 * k + x, bottom = one.y1 * k + y;
      if (right < 0 || bottom < 0 || left > this.width || top > this.height) return;
      if (!one.children) {
        if (one.data.edge < 0) return;
        (cells[this.graph.verdict(one.data.edge)] ??= []).push(left, top, right - left, bottom - top);
        if (right - left > LABELLED.width && bottom - top > LABELLED.height) labels.push([one.data.edge, left, top, right - left]);
        return;
      }
      if (one.data.node >= 0 && right - left > NAMED.width && bottom - top > NAMED.height) names.push([one, Math.max(0, left), top, Math.min(this.width, right), bottom]);
      one.children.forEach(visit);
    };
    visit(this.root);
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
      const verdict = this.graph.verdict(edge);
      pen.fillStyle = verdict === "hit" ? colours.ink : colours.paper;
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
      pen.fillText(this.fitted(pen, shortened(this.graph.text(one.data.node)), right - left - 6), left + 3, top + 2);
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

  // The chosen cell and the one under the pointer lie on a canvas of their own.
  outline() {
    const { k, x, y } = this.transform, pen = this.over.getContext("2d");
    pen.setTransform(this.ratio, 0, 0, this.ratio, 0, 0);
    pen.clearRect(0, 0, this.width, this.height);
    pen.strokeStyle = getComputedStyle(this.probes.ink).color;
    for (const [one, thick] of [[this.hovered, 1.5], [this.leafOf(this.marked[this.side]), 3]]) {
      if (!one) continue;
      pen.lineWidth = thick;
      const width = Math.max(7, (one.x1 - one.x0) * k), height = Math.max(7, (one.y1 - one.y0) * k);
      pen.strokeRect((one.x0 + one.x1) / 2 * k + x - width / 2, (one.y0 + one.y1) / 2 * k + y - height / 2, width, height);
    }
  }

  leafOf(edge) {
    if (edge === undefined || !this.root) return null;
    this.leaves ??= new Map(this.root.leaves().map((one) => [one.data.edge, one]));
    return this.leaves.get(edge);
  }

  leafAt(event) {
    if (!this.last) return null;
    const { left, top } = this.over.getBoundingClientRect();
    const [x, y] = this.transform.invert([event.clientX - left, event.clientY - top]);
    let one = this.root;
    while (one?.children) one = one.children.find((child) => x >= child.x0 && x < child.x1 && y >= child.y0 && y < child.y1);
    return one?.data.edge >= 0 ? one : null;
  }

  hover(event) {
    const leaf = this.leafAt(event);
    if (leaf === this.hovered) return;
    this.hovered = leaf;
    this.outline();
    this.tip.hidden = !leaf;
    if (!leaf) return;
    const { edges } = this.graph, edge = leaf.data.edge;
    const path = leaf.ancestors().slice(1).map((one) => one.data.node).filter((node) => node >= 0 && node !== edges[2 * edge]).map((node) => shortened(this.graph.text(node)));
    this.tip.replaceChildren(
      element("div", {}, element("b", {}, shortened(this.graph.text(edges[2 * edge]))), ` below ${shortened(this.graph.text(edges[2 * edge + 1]))}`),
      element("div", {}, `${SIGNS[this.graph.verdict(edge)] ?? ""} ${this.graph.verdict(edge)}`),
      element("div", { class: "soft" }, path.reverse().join(" › ")));
    const { left, top } = this.stage.getBoundingClientRect();
    this.tip.style.left = `${Math.max(0, Math.min(event.clientX - left + 14, this.width - this.tip.offsetWidth))}px`;
    this.tip.style.top = `${Math.min(event.clientY - top + 14, this.height - this.tip.offsetHeight)}px`;
  }

  scale(by) { select(this.over).call(this.zooming.scaleBy, by); }
  reset() { select(this.over).call(this.zooming.transform, zoomIdentity); }
  goTo(one) {
    const k = Math.min(60, 0.9 / Math.max((one.x1 - one.x0) / this.width, (one.y1 - one.y0) / this.height));
    const at = zoomIdentity.translate(this.width / 2, this.height / 2).scale(k).translate(-(one.x0 + one.x1) / 2, -(one.y0 + one.y1) / 2);
    select(this.over).call(this.zooming.transform, at);
  }

  show(item, counterpart) {
    this.marked = {};
    for (const key of [item, counterpart]) if (key) { const [side, edge] = key.split(":"); this.marked[side] = Number(edge); }
    if (this.width) this.outline();
  }
}

export const drawMap = (box, panel, actions) => new Map_(box, panel, actions);
