// Two trees next to each other: which nodes belong together; they are in one line, and are opened and scrolled together.

import { column, texts } from "./data.js";

const columnsOf = (table) => Object.fromEntries(table.columns.map((one) => [one.name, column(one.array)]));

// Nodes of gold and of the prediction that have one text, or are ends of edges that match.
export function pairsOf(gold, pred, table) {
  const pairs = { gold: new Map(), pred: new Map() };
  const join = (one, other) => {
    if (pairs.gold.has(one) || pairs.pred.has(other)) return;
    pairs.gold.set(one, other);
    pairs.pred.set(other, one);
  };
  const known = new Map();
  pred.codes.forEach((code, node) => { if (!known.has(code)) known.set(code, node); });
  gold.codes.forEach((code, node) => { if (known.has(code)) join(node, known.get(code)); });
  if (!table) return pairs;
  const { side, item, counterpart, verdict } = columnsOf(table), rows = column(table.places);
  const [ofPred, hit] = ["pred", "hit"].map((word) => texts.indexOf(word));
  const edges = new Map();
  rows.forEach((edge, row) => { if (side[row] === ofPred) edges.set(item[row], edge); });
  rows.forEach((edge, row) => {
    const other = side[row] !== ofPred && verdict[row] === hit ? edges.get(counterpart[row]) : undefined;
    if (other !== undefined) for (const end of [0, 1]) join(gold.edges[2 * edge + end], pred.edges[2 * other + end]);
  });
  return pairs;
}

// The roots of both sides if none of them belong together: the largest ones do, so that there is something to align.
export function joinRoots(pairs, gold, pred) {
  const tops = new Set(pred.roots);
  if (!gold.roots.length || !pred.roots.length || gold.roots.some((root) => tops.has(pairs.gold.get(root)))) return;
  pairs.gold.set(gold.roots[0], pred.roots[0]);
  pairs.pred.set(pred.roots[0], gold.roots[0]);
}

// The kind of error of each edge that has one, by side.
export function errorsOf(table) {
  const found = { gold: new Map(), pred: new Map() };
  if (!table?.columns.some((one) => one.name === "error")) return found;
  const { side, error } = columnsOf(table);
  column(table.places).forEach((edge, row) => { if (error[row] >= 0) found[texts[side[row]]].set(edge, texts[error[row]]); });
  return found;
}

// The items of two lists that belong together.
export function meet(list, other, pairs) {
  Object.assign(list, { other });
  Object.assign(other, { other: list });
  const there = new Map([...other.children].map((item) => [item.node, item]));
  for (const item of list.children) {
    const partner = there.get(pairs.get(item.node));
    if (!partner || item.partner) continue;
    item.partner = partner;
    partner.partner = item;
  }
}

const heightOf = (node) => node.getBoundingClientRect().height;
const listOf = (item) => (item.list && !item.list.hidden ? item.list : null);

// How much room has to be left above and below the items of two lists, so that pairs are in one line; returns their height.
function level(here, there, leave) {
  const others = [...there.children], placeOf = new Map(others.map((item, place) => [item, place]));
  let at = 0, height = 0, own = 0; // `own`: of the items since the last pair, which the other list has not
  const passed = (until) => {
    let sum = 0;
    for (; at < until; at++) sum += heightOf(others[at]);
    return sum;
  };
  for (const item of here.children) {
    const place = item.partner ? placeOf.get(item.partner) ?? -1 : -1;
    if (place < at) { own += heightOf(item); continue; }
    const theirs = passed(place);
    if (own > theirs) leave(item.partner, "marginTop", own - theirs);
    if (own < theirs) leave(item, "marginTop", theirs - own);
    height += Math.max(own, theirs) + levelPair(item, item.partner, leave);
    own = 0;
    at = place + 1;
  }
  const theirs = passed(others.length);
  if (own > theirs) leave(there, "paddingBottom", own - theirs);
  if (own < theirs) leave(here, "paddingBottom", theirs - own);
  return height + Math.max(own, theirs);
}

function levelPair(item, partner, leave) {
  const lists = [item, partner].map(listOf), lines = [item, partner].map((one) => heightOf(one.line));
  const below = lists.map((list) => (list ? heightOf(list) : 0));
  const both = lists[0] && lists[1] ? level(...lists, leave) : 0;
  const most = both ? Math.max(...lines) + both : Math.max(lines[0] + below[0], lines[1] + below[1]);
  [item, partner].forEach((one, side) => {
    const lacking = most - lines[side] - (both || below[side]);
    if (lacking > 0.5) leave(both ? one.line : one, both ? "marginBottom" : "paddingBottom", lacking);
  });
  return most;
}

export class Aligned {
  constructor(trees) {
    Object.assign(this, { trees, left: [], shift: 0 }); // `shift`: how much further the prediction is scrolled than gold
    const observer = new ResizeObserver(() => this.align());
    for (const tree of trees) {
      observer.observe(tree.box);
      tree.box.addEventListener("scroll", () => this.follow(tree), { passive: true });
    }
  }

  get beside() {
    const [one, other] = this.trees.map((tree) => tree.box.getBoundingClientRect().top);
    return Math.abs(one - other) < 1;
  }

  alignSoon() {
    this.asked ??= requestAnimationFrame(() => { this.asked = undefined; this.align(); });
  }

  align() {
    const tops = this.trees.map((tree) => tree.box.scrollTop); // which shorter trees do not keep
    for (const [node, name] of this.left) node.style[name] = "";
    this.left = [];
    if (!this.beside) return;
    const wanted = [];
    level(...this.trees.map((tree) => tree.box.firstChild), (node, name, height) => wanted.push([node, name, height]));
    for (const [node, name, height] of wanted) node.style[name] = `${height}px`;
    this.left = wanted;
    this.trees.forEach((tree, place) => { if (tree.box.scrollTop !== tops[place]) this.place(tree, tops[place]); });
  }

  // Shows an item of each tree, or else the other tree where it belongs.
  scroll(items) {
    this.align();
    items.forEach((item, place) => { if (item) this.place(this.trees[place], this.trees[place].topOf(item)); });
    const [gold, pred] = this.trees.map((tree) => tree.box);
    this.shift = items.every(Boolean) ? pred.scrollTop - gold.scrollTop : 0;
    const only = items.findIndex((item, place) => item && !items[1 - place]);
    if (only >= 0 && this.beside) this.place(this.trees[1 - only], this.trees[only].box.scrollTop);
  }

  place(tree, top) {
    tree.box.scrollTop = top;
    tree.placed = tree.box.scrollTop;
  }

  follow(tree) {
    const by = tree === this.trees[0] ? this.shift : -this.shift;
    if (tree.box.scrollTop !== tree.placed && this.beside) this.place(this.trees[tree === this.trees[0] ? 1 : 0], tree.box.scrollTop + by);
    tree.placed = undefined;
  }
}
