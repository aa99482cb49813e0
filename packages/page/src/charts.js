// The charts: as wide as there is room, with each value by pointer or by arrow keys, and a choice that filters the list.

import { scaleBand, scaleLinear } from "d3-scale";
import { curveStepAfter, curveStepBefore, line } from "d3-shape";
import { column } from "./data.js";
import { button, download, element, plain, shape, whole } from "./dom.js";

const DASHES = ["", "7 4", "", "2 3", "9 3 2 3", "4 4"];
const EDGE = { top: 22, right: 18, bottom: 40, left: 46 };
const LONGEST = 12; // letters of a slanted name
const short = (value) => (Math.abs(value) >= 10_000 ? `${value / 1000}k` : String(Number(value.toPrecision(6))));

// A chart is drawn again whenever its width changes. `paint(width)` returns the drawing, its points and how to mark one.
function chart(box, { label, paint, act, name, rows }) {
  const plot = element("div", { class: "plot", tabindex: "0", role: "slider", "aria-label": label });
  const tip = element("div", { class: "tip", hidden: "" });
  const head = element("div", { class: "chart-head" });
  if (name) head.append(button("CSV", () => download(name, rows()), { class: "small", "aria-label": `Download as CSV: ${name}` }));
  box.append(head, plot);
  let drawn = null, at = -1, width = 0;

  const mark = (place) => {
    at = Math.max(0, Math.min(place, drawn.points.length - 1));
    const point = drawn.points[at];
    if (!point) return;
    plot.setAttribute("aria-valuenow", at);
    plot.setAttribute("aria-valuetext", point.told.join(", "));
    drawn.mark(point);
    tip.replaceChildren(...point.told.map((text) => element("div", {}, text)), ...(act && point.hint ? [element("div", { class: "soft" }, point.hint)] : []));
    tip.hidden = false;
    const room = plot.clientWidth - tip.offsetWidth;
    tip.style.left = `${Math.max(0, Math.min(point.x + 12 > room ? point.x - tip.offsetWidth - 12 : point.x + 12, room))}px`;
    tip.style.top = `${Math.max(0, point.y - tip.offsetHeight / 2)}px`;
  };
  const leave = () => { if (document.activeElement !== plot) { tip.hidden = true; drawn?.mark(null); } };
  const nearest = (event) => {
    const { left, top } = plot.getBoundingClientRect();
    return drawn.near(event.clientX - left, event.clientY - top);
  };
  const choose = () => { if (act && drawn.points[at]) act(drawn.points[at]); };
  plot.addEventListener("pointermove", (event) => { const place = nearest(event); if (place >= 0) mark(place); });
  plot.addEventListener("pointerleave", leave);
  plot.addEventListener("blur", leave);
  plot.addEventListener("focus", () => { if (at < 0 && plot.matches(":focus-visible")) mark(drawn.start ?? 0); });
  plot.addEventListener("click", (event) => { const place = nearest(event); if (place >= 0) { mark(place); choose(); } });
  plot.addEventListener("keydown", (event) => {
    const steps = { ArrowRight: 1, ArrowUp: 1, ArrowLeft: -1, ArrowDown: -1, PageUp: 10, PageDown: -10, Home: -Infinity, End: Infinity };
    if (event.key === "Enter" || event.key === " ") choose();
    else if (event.key in steps) mark(at < 0 ? drawn.start ?? 0 : at + steps[event.key]);
    else return;
    event.preventDefault();
  });
  const render = () => {
    if (plot.clientWidth === width || !plot.clientWidth) return;
    width = plot.clientWidth;
    drawn = paint(width);
    plot.setAttribute("aria-valuemin", 0);
    plot.setAttribute("aria-valuemax", Math.max(0, drawn.points.length - 1));
    plot.setAttribute("aria-valuenow", Math.max(0, at));
    if (!plot.hasAttribute("aria-valuetext")) plot.setAttribute("aria-valuetext", "use the arrow keys");
    plot.replaceChildren(drawn.svg, tip);
    leave();
  };
  new ResizeObserver(render).observe(plot);
  render();
}

function frame(width, height) {
  return shape("svg", { width, height, viewBox: `0 0 ${width} ${height}`, "aria-hidden": "true" });
}
function axes(svg, { x, y, width, height, title, ticks = 6, left = 5 }) {
  const low = height - EDGE.bottom;
  for (const value of y.ticks(left)) {
    svg.append(shape("line", { class: "grid-line", x1: EDGE.left, x2: width - EDGE.right, y1: y(value), y2: y(value) }));
    svg.append(shape("text", { class: "tick", x: EDGE.left - 8, y: y(value) + 4, "text-anchor": "end" }, short(value)));
  }
  for (const value of x.ticks(ticks)) svg.append(shape("text", { class: "tick", x: x(value), y: low + 18, "text-anchor": "middle" }, short(value)));
  svg.append(shape("line", { class: "axis", x1: EDGE.left, x2: width - EDGE.right, y1: low, y2: low }));
  svg.append(shape("text", { class: "tick", x: (EDGE.left + width - EDGE.right) / 2, y: low + 35, "text-anchor": "middle" }, title));
}
// What was chosen stands above the plot, where no line runs.
function cutMark(svg, x, cut, height) {
  if (cut === null || cut < x.domain()[0] || cut > x.domain()[1]) return;
  const end = x(cut) > x.range()[1] - 70;
  svg.append(shape("line", { class: "cut", x1: x(cut), x2: x(cut), y1: EDGE.top - 6, y2: height - EDGE.bottom }));
  svg.append(shape("text", { class: "tick", x: x(cut) + (end ? -4 : 4), y: EDGE.top - 8, "text-anchor": end ? "end" : "start" }, `chosen ${short(cut)}`));
}
function legend(box, names, swatch) {
  box.append(element("p", { class: "legend" }, ...names.map((name, place) => {
    const svg = shape("svg", { width: 26, height: 12, "aria-hidden": "true" });
    svg.append(swatch(name, place));
    return element("span", {}, svg, name);
  })));
}

export function drawLines(box, panel, { filterBySimilarity }) {
  const at = column(panel.thresholds);
  const names = panel.series.map(([name]) => name), values = panel.series.map(([, array]) => column(array));
  let top = 1;
  for (const one of values) for (const value of one) if (value > top) top = value; // a few measures can exceed 1
  const near = panel.cut === null ? 0 : at.findIndex((value) => value >= panel.cut - 1e-6);
  legend(box, names, (name, place) => shape("line", { class: `series s${place % 6}`, "stroke-dasharray": DASHES[place % 6], x1: 0, x2: 26, y1: 6, y2: 6 }));
  chart(box, {
    label: `${panel.title}: values at each ${panel.axis}`,
    name: panel.title,
    rows: () => [[panel.axis, ...names], ...Array.from(at, (value, row) => [value, ...values.map((one) => one[row])])],
    act: panel.linked && panel.cut !== null ? (point) => filterBySimilarity(Math.min(point.at, panel.cut), Math.max(point.at, panel.cut)) : null,
    paint: (width) => {
      const height = Math.max(220, Math.min(320, width * 0.5));
      const first = at[0], last = at[at.length - 1], chosen = panel.cut ?? first, beyond = (last - first) / 50;
      const least = panel.after || first <= 0 ? first : Math.max(0, first - beyond), most = panel.after ? last + beyond : last;
      const x = scaleLinear([Math.min(least, chosen), Math.max(most, chosen)], [EDGE.left, width - EDGE.right]).nice(6);
      const y = scaleLinear([0, top], [height - EDGE.bottom, EDGE.top]).nice(5);
      const svg = frame(width, height);
      axes(svg, { x, y, width, height, title: panel.axis });
      cutMark(svg, x, panel.cut, height);
      // A value holds up to its threshold, or from it on: also where no item has one.
      const [low, high] = x.domain();
      const whole = panel.after ? (row) => [...row, row.at(-1)] : (row) => [row[0], ...row];
      const places = panel.after ? [...at, Math.max(high, at.at(-1))] : [Math.min(low, at[0]), ...at];
      const path = line((_, row) => x(places[row]), (value) => y(value)).defined((value) => !Number.isNaN(value)).curve(panel.after ? curveStepAfter : curveStepBefore);
      values.forEach((one, place) => svg.append(shape("path", { class: `series s${place % 6}`, "stroke-dasharray": DASHES[place % 6], d: path(whole(Array.from(one))) })));
      const ruler = shape("line", { class: "ruler", y1: EDGE.top, y2: height - EDGE.bottom, visibility: "hidden" });
      svg.append(ruler);
      const points = Array.from(at, (value, row) => ({
        at: value, x: x(value), y: height / 2.6, hint: "Enter or click: the items between this and the chosen one",
        told: [`${panel.axis} ${short(value)}`, ...names.map((name, one) => `${name} ${plain(values[one][row]) || "undefined"}`)],
      }));
      return {
        svg, points, start: Math.max(0, near),
        near: (px) => nearestOf(points, px),
        mark: (point) => { ruler.setAttribute("visibility", point ? "visible" : "hidden"); if (point) { ruler.setAttribute("x1", point.x); ruler.setAttribute("x2", point.x); } },
      };
    },
  });
}

function nearestOf(points, px) {
  let best = -1;
  points.forEach((point, place) => { if (best < 0 || Math.abs(point.x - px) < Math.abs(points[best].x - px)) best = place; });
  return best;
}

// One row of bars a verdict, so that they are told apart without colour.
export function drawHistogram(box, panel, { filterBySimilarity }) {
  const edges = panel.edges, verdicts = Object.keys(panel.counts);
  chart(box, {
    label: `${panel.title}: number of items`,
    name: panel.title,
    rows: () => [["from", "to", ...verdicts], ...edges.slice(1).map((high, bin) => [edges[bin], high, ...verdicts.map((word) => panel.counts[word][bin])])],
    act: (point) => filterBySimilarity(point.low, point.high, point.verdict),
    paint: (width) => {
      const GAP = 14, low = Math.max(54, 190 / verdicts.length);
      const height = EDGE.top + EDGE.bottom + verdicts.length * (low + GAP) - GAP;
      const x = scaleLinear([edges[0], edges.at(-1)], [EDGE.left, width - EDGE.right]);
      const svg = frame(width, height);
      const points = [];
      verdicts.forEach((word, row) => {
        const foot = EDGE.top + row * (low + GAP) + low, most = Math.max(1, ...panel.counts[word]);
        const y = scaleLinear([0, most], [foot, foot - low + 12]).nice(2);
        for (const count of y.ticks(2).filter((one) => one && Number.isInteger(one))) {
          svg.append(shape("line", { class: "grid-line", x1: EDGE.left, x2: width - EDGE.right, y1: y(count), y2: y(count) }));
          svg.append(shape("text", { class: "tick", x: EDGE.left - 8, y: y(count) + 4, "text-anchor": "end" }, short(count)));
        }
        svg.append(shape("line", { class: "axis", x1: EDGE.left, x2: width - EDGE.right, y1: foot, y2: foot }));
        svg.append(shape("text", { class: `word v-${word}`, x: EDGE.left + 2, y: foot - low + 6 }, word));
        panel.counts[word].forEach((count, bin) => {
          if (!count) return;
          const bar = shape("rect", { class: `bin v-${word}`, x: x(edges[bin]) + 0.5, width: Math.max(1, x(edges[bin + 1]) - x(edges[bin]) - 1), y: y(count), height: foot - y(count) });
          svg.append(bar);
          points.push({
            bar, low: edges[bin], high: edges[bin + 1], verdict: word, row, x: x((edges[bin] + edges[bin + 1]) / 2), y: y(count),
            hint: "Enter or click: list them", told: [`${whole(count)} ${word}`, `${panel.axis} ${edges[bin].toFixed(3)} to ${edges[bin + 1].toFixed(3)}`],
          });
        });
      });
      cutMark(svg, x, panel.cut, height);
      const foot = height - EDGE.bottom;
      for (const value of x.ticks(6)) svg.append(shape("text", { class: "tick", x: x(value), y: foot + 18, "text-anchor": "middle" }, short(value)));
      svg.append(shape("text", { class: "tick", x: width / 2, y: foot + 35, "text-anchor": "middle" }, panel.axis));
      const bins = (px, py) => {
        const row = Math.max(0, Math.min(verdicts.length - 1, Math.floor((py - EDGE.top) / (low + GAP))));
        let best = -1;
        points.forEach((point, place) => { if (point.row === row && (best < 0 || Math.abs(point.x - px) < Math.abs(points[best].x - px))) best = place; });
        return best;
      };
      return {
        svg, points, near: bins,
        mark: (point) => { svg.querySelectorAll(".marked").forEach((one) => one.classList.remove("marked")); point?.bar.classList.add("marked"); },
      };
    },
  });
}

export function drawBars(box, panel) {
  const names = Object.keys(panel.series);
  legend(box, names, (name, place) => shape("rect", { class: `bar-fill s${place % 6}`, x: 4, width: 12, height: 12 }));
  chart(box, {
    label: `${panel.title}: ${panel.axis} of each group`,
    name: panel.title,
    rows: () => [["", ...names], ...panel.categories.map((name, row) => [name, ...names.map((one) => panel.series[one][row])])],
    paint: (width) => {
      const long = panel.categories.reduce((sum, name) => sum + name.length * 7 + 10, 0) > width - EDGE.left;
      const below = long ? Math.min(LONGEST, Math.max(...panel.categories.map((name) => name.length))) * 6 + 16 : EDGE.bottom - 10;
      const height = 220 + below, foot = height - below;
      const x = scaleBand(panel.categories, [EDGE.left, width - EDGE.right]).padding(0.25);
      const inner = scaleBand(names, [0, x.bandwidth()]);
      const y = scaleLinear([0, Math.max(1e-9, ...names.flatMap((name) => panel.series[name].map((value) => value ?? 0)))], [foot, EDGE.top]).nice();
      const svg = frame(width, height);
      for (const value of y.ticks(5)) {
        svg.append(shape("line", { class: "grid-line", x1: EDGE.left, x2: width - EDGE.right, y1: y(value), y2: y(value) }));
        svg.append(shape("text", { class: "tick", x: EDGE.left - 8, y: y(value) + 4, "text-anchor": "end" }, short(value)));
      }
      const points = panel.categories.map((name, row) => {
        const middle = x(name) + x.bandwidth() / 2;
        names.forEach((one, place) => {
          const value = panel.series[one][row] ?? 0;
          svg.append(shape("rect", { class: `bar-fill s${place % 6}`, x: x(name) + inner(one), width: inner.bandwidth(), y: y(value), height: foot - y(value) }));
        });
        svg.append(shape("text", long
          ? { class: "tick", "text-anchor": "end", transform: `translate(${middle + 4},${foot + 12}) rotate(-50)` }
          : { class: "tick", "text-anchor": "middle", x: middle, y: foot + 18 }, long && name.length > LONGEST ? `${name.slice(0, LONGEST - 1)}…` : name));
        return { x: middle, y: foot / 2, told: [name, ...names.map((one) => `${one} ${plain(panel.series[one][row] ?? NaN)}`)] };
      });
      svg.append(shape("line", { class: "axis", x1: EDGE.left, x2: width - EDGE.right, y1: foot, y2: foot }));
      return { svg, points, near: (px) => nearestOf(points, px), mark: () => {} };
    },
  });
}
