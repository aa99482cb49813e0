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
  const starting = {}, ending = {};
  for (const [source, target] of graph.arrows) { starting[source] = (starting[source] ?? 0) + 1; ending[target] = (ending[target] ?? 0) + 1; }
  const labels = [];
  for (const [source, target, label, verdict] of graph.arrows) {
    const key = [Math.min(source, target), Math.max(source, target)].join();
    const nth = seen.get(key) ?? 0;
    seen.set(key, nth + 1);
    const from = at[source], to = at[target];
    const group = shape("g", { class: verdict ? `v-${verdict}` : "scope" });
    const words = label && `${SIGNS[verdict] ?? ""} ${label}`;
    let curve, end, angle, middle;
    if (source === target) {
      const x = from.x + wide[source] / 2;
      curve = `M${x},${from.y - 6}c34,-26 34,38 1,12`; end = { x: x + 1, y: from.y + 6 }; angle = 215; middle = { x: x + 40, y: from.y + 18 };
    } else if (from.y === to.y) {
      const way = to.x > from.x ? 1 : -1;
      const lift = (34 + 18 * nth);
      end = { x: to.x - way * 10, y: to.y + HIGH / 2 };
      curve = `M${from.x + way * 10},${from.y + HIGH / 2}C${from.x + way * 20},${from.y + lift + 14} ${to.x - way * 30},${to.y + lift + 14} ${end.x},${end.y + 6}`;
      angle = -90; middle = { x: (from.x + to.x) / 2, y: from.y + lift + 6 };
    } else {
      const down = to.y > from.y ? 1 : -1;
      const aside = (nth % 2 ? -1 : 1) * Math.ceil(nth / 2) * 46 + (Math.abs(to.y - from.y) > DOWN || down < 0 ? 54 : 0);
      end = { x: to.x, y: to.y - down * (HIGH / 2) };
      const start = { x: from.x, y: from.y + down * (HIGH / 2) };
      const mid = (start.y + end.y) / 2;
      curve = `M${start.x},${start.y}C${start.x + aside},${mid} ${end.x + aside},${mid} ${end.x},${end.y - down * 6}`;
      angle = down * 90;
      // Labels stand where arrows are apart: near the end where many begin at one node, and the other way round.
      const t = ending[target] > starting[source] ? 0.36 : 0.66;
      const along = 3 * t * t * (1 - t) + t * t * t;
      middle = { x: start.x + (end.x - start.x) * along + aside * 3 * t * (1 - t), y: start.y + (end.y - start.y) * (1.5 * t * (1 - t) + t * t * t) };
    }
    group.append(shape("path", { d: curve }));
    group.append(shape("path", { class: "head-of-arrow", d: "M0,0L-8,-4L-8,4Z", transform: `translate(${end.x},${end.y}) rotate(${angle})` }));
    labels.push([group, shape("text", { class: "label", x: middle.x, y: middle.y + 4, "text-anchor": "middle" }, words)]);
    svg.append(group);
  }
  graph.nodes.forEach(([text, verdict], node) => {
    const group = shape("g", { class: verdict === "hit" ? "" : `v-${verdict}` });
    group.append(shape("rect", { x: at[node].x - wide[node] / 2, y: at[node].y - HIGH / 2, width: wide[node], height: HIGH, rx: 6 }));
    group.append(shape("text", { x: at[node].x, y: at[node].y + 4, "text-anchor": "middle" }, short(text)));
    group.append(shape("title", {}, `${text}: ${verdict}`));
    svg.append(group);
  });
  for (const [group, label] of labels) { const over = shape("g", { class: group.getAttribute("class") }); over.append(label); svg.append(over); }
  return svg;
}

export function drawDiagrams(box, panel) {
  const goTo = paged(box, panel, 1, (entry) => {
    const half = (title, graph) => element("div", {}, element("h3", {}, title),
      element("div", { class: "drawing", tabindex: "0", role: "group", "aria-label": title }, graph.nodes.length ? diagram(graph, title) : element("p", { class: "note" }, "No graph.")));
    return element("div", {},
      element("p", {}, element("b", {}, entry.name), " ", entry.verdict ? verdictElement(entry.verdict) : "", " ", element("span", { class: "told" }, entry.told)),
      element("div", { class: "sides" }, half("Gold standard", entry.gold), half("Prediction", entry.pred)));
  });
  return { show: (key, met, { item }) => { if (item) goTo(item); } };
}
