// Pairs of small graphs: nodes in layers, arrows downwards where that is possible.

import { SIGNS, element, shape, shortened, verdictElement } from "./dom.js";
import { paged } from "./texts.js";

function layersOf(count, arrows) {
  const below = Array.from({ length: count }, () => []);
  const coming = new Array(count).fill(0);
  for (const [source, target] of arrows) if (source !== target) { below[source].push(target); coming[target]++; }
  const layer = new Array(count).fill(-1);
  const order = [...Array(count).keys()].sort((a, b) => coming[a] - coming[b] || below[b].length - below[a].length || a - b);
  for (const start of order) {
    if (layer[start] >= 0) continue;
    layer[start] = 0;
    for (let queue = [start]; queue.length;) {
      const node = queue.shift();
      for (const next of below[node]) if (layer[next] < 0) { layer[next] = layer[node] + 1; queue.push(next); }
    }
  }
  const layers = [];
  layer.forEach((depth, node) => (layers[depth] ??= []).push(node));
  return layers;
}

// Moves the nodes of each layer to where their neighbours of the layers above and below are, a few times over.
function untangle(layers, arrows) {
  const place = new Map();
  const number = () => layers.forEach((layer) => layer.forEach((node, at) => place.set(node, (at + 0.5) / layer.length)));
  number();
  for (let round = 0; round < 6; round++) {
    for (const layer of round % 2 ? [...layers].reverse() : layers) {
      const wish = new Map(layer.map((node) => {
        const near = arrows.flatMap(([a, b]) => (a === node && b !== node ? [place.get(b)] : b === node && a !== node ? [place.get(a)] : []));
        return [node, near.length ? near.reduce((sum, one) => sum + one, 0) / near.length : place.get(node)];
      }));
      layer.sort((a, b) => wish.get(a) - wish.get(b));
      number();
    }
  }
}

// A label stands beside its own arrow, where it lies over the fewest lines, nodes and other labels.
const ALONG = [0.5, 0.36, 0.66, 0.24, 0.78];
const ASIDE = [5, 12, 22];
const UPDOWN = [0, -9, 9];
const CLEAR = 3; // of a label
const POINTS = 40; // of an arrow
const TALL = 14; // height of a label
const over = (box, { x, y }) => x > box.left - CLEAR && x < box.right + CLEAR && y > box.top - CLEAR && y < box.bottom + CLEAR;
const overlap = (a, b) => a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;
function besideLine(curve, words, { lines, boxes, width, height }) {
  const wide = pen.measureText(words).width;
  let best = { cost: Infinity };
  const weigh = (left, y, far) => {
    const box = { left, right: left + wide, top: y - TALL / 2, bottom: y + TALL / 2 };
    let cost = far / 100;
    for (const line of lines) for (const point of line) if (over(box, point)) cost++;
    for (const other of boxes) if (overlap(box, other)) cost += 100;
    if (box.left < 0 || box.right > width || box.top < 0 || box.bottom > height) cost += 1000;
    if (cost < best.cost) best = { ...box, cost };
  };
  for (const t of ALONG) {
    const { x, y } = curve[Math.round(t * (curve.length - 1))];
    for (const aside of ASIDE) for (const down of UPDOWN) for (const left of [x + aside, x - aside - wide]) weigh(left, y + down, aside + Math.abs(down));
  }
  return best;
}

const pen = document.createElement("canvas").getContext("2d");
pen.font = "12px system-ui, sans-serif";
function diagram(graph, title) {
  const HIGH = 28, GAP = 26, DOWN = 84;
  const short = (whole) => { const text = shortened(whole); return text.length > 42 ? `${text.slice(0, 40)}…` : text; };
  const layers = layersOf(graph.nodes.length, graph.arrows);
  untangle(layers, graph.arrows);
  const wide = graph.nodes.map(([text]) => pen.measureText(short(text)).width + 26);
  const lengths = layers.map((layer) => layer.reduce((sum, node) => sum + wide[node] + GAP, -GAP));
  const width = Math.max(160, ...lengths) + 80;
  const at = [];
  layers.forEach((layer, depth) => {
    let x = (width - lengths[depth]) / 2;
    for (const node of layer) { at[node] = { x: x + wide[node] / 2, y: 22 + depth * DOWN }; x += wide[node] + GAP; }
  });
  const height = 44 + Math.max(0, layers.length - 1) * DOWN;
  const svg = shape("svg", { width, height, viewBox: `0 0 ${width} ${height}`, role: "img", "aria-label": title, style: `max-width:100%;height:auto;min-width:${Math.round(width * 0.7)}px` });
  const told = graph.arrows.map(([a, b, label, verdict]) => `${label || "scope"}(${graph.nodes[a][0]}, ${graph.nodes[b][0]}) ${verdict}`);
  svg.append(shape("title", {}, `${title}: ${told.join("; ")}`));
  const seen = new Map();
  const labels = [], lines = [];
  for (const [source, target, label, verdict] of graph.arrows) {
    const key = [Math.min(source, target), Math.max(source, target)].join();
    const nth = seen.get(key) ?? 0;
    seen.set(key, nth + 1);
    const from = at[source], to = at[target];
    const group = shape("g", { class: verdict ? `v-${verdict}` : "scope" });
    const words = label && `${SIGNS[verdict] ?? ""} ${label}`;
    let curve, end, angle;
    if (source === target) {
      const x = from.x + wide[source] / 2;
      curve = `M${x},${from.y - 6}c34,-26 34,38 1,12`; end = { x: x + 1, y: from.y + 6 }; angle = 215;
    } else if (from.y === to.y) {
      const way = to.x > from.x ? 1 : -1;
      const lift = (34 + 18 * nth);
      end = { x: to.x - way * 10, y: to.y + HIGH / 2 };
      curve = `M${from.x + way * 10},${from.y + HIGH / 2}C${from.x + way * 20},${from.y + lift + 14} ${to.x - way * 30},${to.y + lift + 14} ${end.x},${end.y + 6}`;
      angle = -90;
    } else {
      const down = to.y > from.y ? 1 : -1;
      const aside = (nth % 2 ? -1 : 1) * Math.ceil(nth / 2) * 46 + (Math.abs(to.y - from.y) > DOWN || down < 0 ? 54 : 0);
      end = { x: to.x, y: to.y - down * (HIGH / 2) };
      const start = { x: from.x, y: from.y + down * (HIGH / 2) };
      const mid = (start.y + end.y) / 2;
      curve = `M${start.x},${start.y}C${start.x + aside},${mid} ${end.x + aside},${mid} ${end.x},${end.y - down * 6}`;
      angle = down * 90;
    }
    const path = shape("path", { d: curve });
    group.append(path);
    group.append(shape("path", { class: "head-of-arrow", d: "M0,0L-8,-4L-8,4Z", transform: `translate(${end.x},${end.y}) rotate(${angle})` }));
    const long = path.getTotalLength();
    lines.push(Array.from({ length: POINTS }, (_, place) => path.getPointAtLength(long * place / (POINTS - 1))));
    if (words) labels.push([group.getAttribute("class"), words, lines.at(-1)]);
    svg.append(group);
  }
  graph.nodes.forEach(([text, verdict], node) => {
    const group = shape("g", { class: verdict === "hit" ? "" : `v-${verdict}` });
    group.append(shape("rect", { x: at[node].x - wide[node] / 2, y: at[node].y - HIGH / 2, width: wide[node], height: HIGH, rx: 6 }));
    group.append(shape("text", { x: at[node].x, y: at[node].y + 4, "text-anchor": "middle" }, short(text)));
    group.append(shape("title", {}, `${text}: ${verdict}`));
    svg.append(group);
  });
  const boxes = graph.nodes.map((_, node) => ({ left: at[node].x - wide[node] / 2, right: at[node].x + wide[node] / 2, top: at[node].y - HIGH / 2, bottom: at[node].y + HIGH / 2 }));
  for (const [verdict, words, line] of labels) {
    const box = besideLine(line, words, { lines, boxes, width, height });
    boxes.push(box);
    svg.append(shape("g", { class: verdict }, shape("text", { class: "label", x: box.left, y: (box.top + box.bottom) / 2 + 4 }, words)));
  }
  return svg;
}

export function drawDiagrams(box, panel) {
  const goTo = paged(box, panel, 1, (entry) => {
    const half = (title, graph) => element("div", {}, element("p", { class: "caption" }, title),
      element("div", { class: "drawing", tabindex: "0", role: "group", "aria-label": title }, graph.nodes.length ? diagram(graph, title) : element("p", { class: "note" }, "No graph.")));
    return element("div", {},
      element("p", {}, element("b", {}, entry.name), " ", entry.verdict ? verdictElement(entry.verdict) : "", " ", element("span", { class: "told" }, entry.told)),
      element("div", { class: "sides" }, half("Gold standard", entry.gold), half("Prediction", entry.pred)));
  });
  return { show: (key, partner, { item }) => { if (item) goTo(item); } };
}
