// Two hierarchies side by side, folded; the chosen edge and its counterpart are marked in both, and errors have their kind.

import { column, lowered, textAt, texts, wordsOf } from "./data.js";
import { SIGNS, button, element, named, whole } from "./dom.js";
import { Aligned, errorsOf, joinRoots, meet, pairsOf } from "./pairs.js";
import { state, writeFragment } from "./state.js";

const MANY = 200; // children of a node: as many at once
const ROOM = 24; // lines that are open at first
const KEPT = 60; // nodes that were opened or closed last, in the fragment

const known = new Map();
// The hierarchy of one side, made once for the trees and the map.
export function hierarchyOf(side) {
  const key = [side.texts, side.edges, side.verdicts, side.places].join();
  if (!known.has(key)) known.set(key, new Hierarchy(side));
  return known.get(key);
}

class Hierarchy {
  constructor(side) {
    this.codes = column(side.texts);
    this.edges = column(side.edges);
    this.verdicts = column(side.verdicts);
    this.places = side.places === null ? null : column(side.places); // of the nodes in the order by meaning
    const hit = texts.indexOf("hit");
    this.hits = Uint8Array.from(this.verdicts, (code) => code === hit);
    const nodes = this.codes.length, edges = this.edges.length / 2;
    this.first = new Uint32Array(nodes + 1); // where the children of a node begin in `below`
    this.above = new Int32Array(nodes).fill(-1); // one edge that leads upwards
    for (let edge = 0; edge < edges; edge++) this.first[this.edges[2 * edge + 1] + 1]++;
    for (let node = 0; node < nodes; node++) this.first[node + 1] += this.first[node];
    const next = this.first.slice();
    this.below = new Uint32Array(edges);
    for (let edge = 0; edge < edges; edge++) {
      this.below[next[this.edges[2 * edge + 1]]++] = edge;
      if (this.above[this.edges[2 * edge]] < 0) this.above[this.edges[2 * edge]] = edge;
    }
    this.findRoots(nodes);
    this.counted = new Map();
    this.seen = new Uint32Array(nodes);
    this.round = 0;
  }

  // Every node is below a root: nodes without a parent, and one node of each cycle that nothing else leads to.
  findRoots(nodes) {
    this.roots = [];
    const seen = new Uint8Array(nodes);
    const visit = (queue) => {
      for (const node of queue) { seen[node] = 1; this.above[node] = -1; this.roots.push(node); }
      for (let at = 0; at < queue.length; at++) {
        const node = queue[at];
        for (let i = this.first[node]; i < this.first[node + 1]; i++) {
          const child = this.edges[2 * this.below[i]];
          if (!seen[child]) { seen[child] = 1; this.above[child] = this.below[i]; queue.push(child); }
        }
      }
    };
    const tops = [];
    for (let node = 0; node < nodes; node++) if (this.above[node] < 0 && this.first[node + 1] > this.first[node]) tops.push(node);
    visit(tops); // from all at once, so that every way down is a shortest one
    for (let node = 0; node < nodes; node++) if (!seen[node] && this.above[node] >= 0) visit([node]);
    const size = (node) => this.first[node + 1] - this.first[node];
    this.roots.sort((a, b) => size(b) - size(a) || a - b);
  }

  text(node) { return textAt(this.codes, node); }
  verdict(edge) { return textAt(this.verdicts, edge); }

  childrenOf(node) {
    return Array.from(this.below.subarray(this.first[node], this.first[node + 1]), (edge) => ({ node: this.edges[2 * edge], edge }));
  }

  // The edges on the way from a root down to a node.
  pathTo(node) {
    const path = [];
    for (let edge = this.above[node]; edge >= 0; edge = this.above[this.edges[2 * edge + 1]]) path.unshift(edge);
    return path;
  }

  // Hits and all edges of the whole branch below a node, each edge once.
  branch(node) {
    if (!this.counted.has(node)) {
      this.round++;
      const stack = [node];
      this.seen[node] = this.round;
      let hits = 0, all = 0;
      while (stack.length) {
        const from = stack.pop();
        for (let i = this.first[from]; i < this.first[from + 1]; i++) {
          const edge = this.below[i], child = this.edges[2 * edge];
          all++;
          hits += this.hits[edge];
          if (this.seen[child] !== this.round) { this.seen[child] = this.round; stack.push(child); }
        }
      }
      this.counted.set(node, { hits, all });
    }
    return this.counted.get(node);
  }
}

export class Tree {
  constructor(side, title, { hierarchy, order, pairs, errors, chosen, changed }) {
    Object.assign(this, { side, hierarchy, order, pairs, errors, chosen, changed, turned: new Map() });
    this.box = element("div", { class: "tree", role: "tree", tabindex: hierarchy.roots.length ? null : "0", "aria-label": title, onkeydown: (event) => this.key(event) });
    const tops = this.sorted(hierarchy.roots.map((node) => ({ node, edge: -1 })), () => order.roots);
    this.box.append(tops.length ? this.list(tops, new Set()) : element("p", { class: "note", role: "treeitem" }, "No edges."));
    const first = this.box.querySelector('[role="treeitem"]');
    if (first) first.tabIndex = 0;
  }

  // Children that belong to children of the other tree have their order, and the others are next to what this tree has not.
  sorted(children, inOrder) {
    if (!this.order) return children;
    const known = new Map(children.map((child) => [this.pairs.get(child.node), child]));
    const wanted = inOrder(), asked = new Set(wanted), own = children.filter(({ node }) => !asked.has(this.pairs.get(node)));
    const kept = new Set(own);
    const found = wanted.flatMap((node) => known.get(node) ?? own.shift() ?? []);
    const doubles = children.filter((child) => !kept.has(child) && known.get(this.pairs.get(child.node)) !== child);
    return [...found, ...own, ...doubles];
  }

  // What is opened or closed by hand stands in the fragment: g for gold, a minus for closed, an edge or the node of a root.
  turn(item, open = item.getAttribute("aria-expanded") === "false") {
    if (!item.hasAttribute("aria-expanded")) return; // it has no children
    this.fold(item, open);
    this.keep(item, open);
    if (item.partner) item.partner.tree.keep(item.partner, open);
  }

  keep(item, open) {
    const key = item.edge < 0 ? `r${item.node}` : String(item.edge);
    this.turned.delete(key);
    this.turned.set(key, open);
    const others = state.open.split(".").filter((one) => one && one[0] !== this.side[0]);
    const own = [...this.turned].slice(-KEPT).map(([one, opened]) => `${this.side[0]}${opened ? "" : "-"}${one}`);
    writeFragment({ open: [...others, ...own].join(".") });
  }

  restore() {
    for (const [, side, closed, root, number] of state.open.matchAll(/([gp])(-?)(r?)(\d+)/g)) {
      if (side !== this.side[0]) continue;
      const edge = root ? -1 : Number(number), node = root ? Number(number) : this.hierarchy.edges[2 * edge];
      const item = node < this.hierarchy.codes.length ? this.open(node, edge) : null;
      if (!item) continue;
      this.fold(item, !closed);
      this.turned.set(`${root}${number}`, !closed);
    }
  }

  // Opens level by level what fits about one screen.
  openSome() {
    let room = ROOM - this.hierarchy.roots.length;
    const queue = [...this.box.querySelectorAll('[role="treeitem"]')];
    for (let item = queue.shift(); item && room > 0; item = queue.shift()) {
      const graph = this.hierarchy;
      const count = graph.first[item.node + 1] - graph.first[item.node];
      if (!item.hasAttribute("aria-expanded") || count > room) continue;
      this.fold(item, true);
      room -= count;
      queue.push(...[...item.list.children].filter((one) => one.matches("[role=treeitem]")));
    }
  }

  // A list shows its first children, and more of them when asked: a node may have ten thousand.
  list(children, path) {
    const list = element("ul", { role: "group" });
    let shown = 0;
    const more = element("li", { role: "treeitem", class: "more", tabindex: "-1" });
    list.reveal = (most = MANY) => {
      const until = Math.min(children.length, shown + most);
      const added = children.slice(shown, until).map((child) => this.item(child, path));
      shown = until;
      more.remove();
      list.append(...added);
      if (list.other) meet(list, list.other, this.pairs);
      this.changed();
      if (shown < children.length) {
        more.textContent = `${whole(children.length - shown)} more`;
        list.append(more);
      }
    };
    more.line = more;
    more.act = () => { const before = shown; list.reveal(); this.focus(list.children[before]); };
    more.addEventListener("click", (event) => { event.stopPropagation(); more.act(); });
    list.reveal();
    // A child that is not shown yet is shown next, without all those before it.
    list.itemOf = (node, edge) => {
      const place = children.findIndex((one) => one.node === node && one.edge === edge);
      if (place < 0) return null;
      if (place >= shown) {
        children.splice(shown, 0, ...children.splice(place, 1));
        list.reveal(1);
        return list.children[shown - 1];
      }
      return list.children[place];
    };
    return list;
  }

  item({ node, edge }, path) {
    const graph = this.hierarchy;
    const loops = path.has(node);
    const verdict = edge < 0 ? "" : graph.verdict(edge);
    const opens = graph.first[node + 1] > graph.first[node] && !loops;
    const fold = element("span", { class: "fold", "aria-hidden": "true" }, opens ? "▸" : "");
    const line = element("div", { class: "node" }, fold,
      element("span", { class: `sign v-${verdict}`, "aria-hidden": "true" }, SIGNS[verdict] ?? ""),
      element("span", { class: `v-${verdict}` }, named(graph.text(node))),
      element("span", { class: "unseen" }, verdict));
    if (this.errors.has(edge)) line.append(element("span", { class: "count" }, this.errors.get(edge)));
    if (loops) line.append(element("span", { class: "count" }, "↻ cycle"));
    else if (opens) {
      const { hits, all } = graph.branch(node);
      line.append(element("span", { class: "count", title: "hits of all edges of the branch below this node" }, `${whole(hits)} / ${whole(all)}`));
    }
    const item = element("li", { role: "treeitem", tabindex: "-1", "aria-expanded": opens ? "false" : null }, line);
    Object.assign(item, { node, edge, path, line, tree: this });
    item.act = () => { if (edge >= 0) this.chosen(`${this.side}:${edge}`); else this.turn(item); };
    fold.addEventListener("click", (event) => { event.stopPropagation(); this.focus(item); this.turn(item); });
    line.addEventListener("click", () => { this.focus(item); item.act(); });
    return item;
  }

  fold(item, open = item.getAttribute("aria-expanded") === "false") {
    if (item.getAttribute("aria-expanded") !== String(!open)) return; // it is so already, or has no children
    item.setAttribute("aria-expanded", String(open));
    item.line.firstChild.textContent = open ? "▾" : "▸";
    if (open && !item.list) {
      const children = this.sorted(this.hierarchy.childrenOf(item.node), () => this.order.childrenOf(this.pairs.get(item.node)).map(({ node }) => node));
      item.list = this.list(children, new Set(item.path).add(item.node));
      item.append(item.list);
      this.mark();
    } else if (item.list) {
      item.list.hidden = !open;
    }
    if (item.partner) item.partner.tree.fold(item.partner, open);
    if (item.list && item.partner?.list && !item.list.other) meet(item.list, item.partner.list, this.pairs);
    this.changed();
  }

  focus(item) {
    this.box.querySelectorAll('[tabindex="0"]').forEach((other) => { other.tabIndex = -1; });
    item.tabIndex = 0;
    item.focus({ preventScroll: true });
    item.line.scrollIntoView({ block: "nearest" });
  }

  key(event) {
    const item = event.target.closest('[role="treeitem"]');
    if (!item?.line) return;
    const open = item.getAttribute("aria-expanded") === "true";
    const seen = () => [...this.box.querySelectorAll('[role="treeitem"]')].filter((one) => !one.closest("ul[hidden]"));
    const step = (by) => { const all = seen(); const to = all[all.indexOf(item) + by]; if (to) this.focus(to); };
    const does = {
      ArrowDown: () => step(1),
      ArrowUp: () => step(-1),
      ArrowRight: () => (open ? step(1) : this.turn(item, true)),
      ArrowLeft: () => (open ? this.turn(item, false) : this.focus(item.parentElement.closest('[role="treeitem"]') ?? item)),
      Home: () => this.focus(seen()[0]),
      End: () => this.focus(seen().at(-1)),
      Enter: () => item.act(),
      " ": () => this.turn(item),
    }[event.key];
    if (does) { event.preventDefault(); event.stopPropagation(); does(); }
  }

  // Opens the way down to a node, and by an edge if one is given.
  open(node, edge = -1) {
    const graph = this.hierarchy;
    const edges = edge < 0 ? graph.pathTo(node) : [...graph.pathTo(graph.edges[2 * edge + 1]), edge];
    const top = edges.length ? graph.edges[2 * edges[0] + 1] : node;
    let item = this.box.firstChild.itemOf(top, -1);
    for (const one of edges) {
      this.fold(item, true);
      const next = item.list?.itemOf(graph.edges[2 * one], one);
      if (!next) break; // a way that comes back to itself is folded
      item = next;
    }
    return item;
  }

  // Where the tree is scrolled to show an item.
  topOf(item) {
    return this.box.scrollTop + item.line.getBoundingClientRect().top - this.box.getBoundingClientRect().top - this.box.clientHeight / 3;
  }

  endsOf(item) { return [0, 1].map((end) => this.hierarchy.edges[2 * item.edge + end]); }

  // Of an edge without a counterpart: marks its child in this tree, or else its parent.
  point(ends) {
    const item = ends.filter((node) => node !== undefined).map((node) => this.open(node)).find(Boolean) ?? null;
    item?.line.classList.add("found");
    return item;
  }

  // Marks the chosen edge, or the counterpart of the chosen one; returns its item.
  show(wanted, kind) {
    const edge = wanted < this.hierarchy.edges.length / 2 ? wanted : -1;
    this.box.querySelectorAll(".found").forEach((line) => line.classList.remove("found"));
    this.marked = { edge, kind };
    const item = edge < 0 ? null : this.open(this.hierarchy.edges[2 * edge], edge);
    this.mark();
    return item;
  }

  mark() {
    for (const line of this.box.querySelectorAll(".chosen, .counterpart")) line.classList.remove("chosen", "counterpart");
    this.box.querySelectorAll("[aria-selected]").forEach((one) => one.removeAttribute("aria-selected"));
    if (!this.marked || this.marked.edge < 0) return;
    for (const item of this.box.querySelectorAll('[role="treeitem"]')) {
      if (item.edge === this.marked.edge && item.line) {
        item.line.classList.add(this.marked.kind);
        item.setAttribute("aria-selected", "true");
      }
    }
  }

  // Opens the way to a node whose text holds all words, first to one with exactly this text; asked again, to the next one.
  // Returns what was found in words, and its item.
  find(search) {
    this.box.querySelectorAll(".found").forEach((line) => line.classList.remove("found"));
    if (this.search !== search) { this.search = search; this.matches = this.matching(search); this.at = -1; }
    const { matches } = this;
    if (!matches.length) return ["none", null];
    this.at = (this.at + 1) % matches.length;
    const node = matches[this.at], item = this.open(node);
    item.line.classList.add("found");
    return [`${this.hierarchy.text(node)}${matches.length > 1 ? ` (${whole(this.at + 1)} of ${whole(matches.length)})` : ""}`, item];
  }

  matching(search) {
    const graph = this.hierarchy, low = lowered(), words = wordsOf(search), wanted = search.toLowerCase();
    const exact = [], others = [];
    for (let node = 0; node < graph.codes.length; node++) {
      const text = low[graph.codes[node]];
      if (graph.above[node] < 0 && graph.first[node + 1] === graph.first[node]) continue; // it has no edge
      if (text === wanted) exact.push(node);
      else if (words.every((word) => text.includes(word))) others.push(node);
    }
    return [...exact, ...others];
  }
}

// The kinds of errors of both sides, the most frequent first; a button chooses the next edge of its kind.
function kindsOf(errors, choose) {
  const found = Object.entries(errors).flatMap(([side, kinds]) =>
    [...Map.groupBy(kinds, ([, kind]) => kind)].map(([kind, edges]) => ({ side, kind, edges: edges.map(([edge]) => edge).sort((a, b) => a - b), at: -1 })));
  return found.sort((a, b) => b.edges.length - a.edges.length).map((one) => {
    const verdict = one.side === "gold" ? "missed" : "invented";
    const next = () => { one.at = (one.at + 1) % one.edges.length; choose(`${one.side}:${one.edges[one.at]}`); };
    return button(element("span", {}, element("span", { class: `verdict v-${verdict}`, "data-sign": SIGNS[verdict] }, one.kind), ` ${whole(one.edges.length)}`), next,
      { title: "Choose the next one", "aria-label": `${one.kind} ${whole(one.edges.length)}, ${verdict}: choose the next one` });
  });
}

export function drawTree(box, panel, { choose }) {
  const [gold, pred] = ["gold", "pred"].map((side) => hierarchyOf(panel[side]));
  const pairs = pairsOf(gold, pred, panel.table), errors = errorsOf(panel.table);
  joinRoots(pairs, gold, pred);
  const made = (side, title, hierarchy, order) =>
    new Tree(side, title, { hierarchy, order, pairs: pairs[side], errors: errors[side], chosen: choose, changed: () => aligned?.alignSoon() });
  let aligned = null;
  const trees = [made("gold", "Gold standard", gold, null), made("pred", "Prediction", pred, gold)];
  if (gold.roots.length && pred.roots.length) meet(trees[0].box.firstChild, trees[1].box.firstChild, pairs.gold);
  for (const tree of trees) { tree.openSome(); tree.restore(); }
  aligned = new Aligned(trees);
  const told = element("output", { "aria-live": "polite" });
  const search = element("input", {
    type: "search", placeholder: "Find a node in both trees", "aria-label": "Find a node in both trees", autocomplete: "off", spellcheck: "false",
    onkeydown: (event) => { if (event.key === "Enter") find(); },
  });
  const find = () => {
    if (!search.value.trim()) return;
    const found = trees.map((tree) => tree.find(search.value.trim()));
    told.textContent = `gold: ${found[0][0]}; prediction: ${found[1][0]}`;
    aligned.scroll(found.map(([, item]) => item));
  };
  const halves = trees.map((tree) => element("div", {}, element("p", { class: "caption" }, tree.box.getAttribute("aria-label")), tree.box));
  const kinds = kindsOf(errors, choose);
  if (kinds.length) box.append(element("div", { class: "filters kinds", role: "group", "aria-label": "Kinds of errors" }, ...kinds));
  box.append(element("div", { class: "filters" }, search, button("Find", find), told), element("div", { class: "sides" }, ...halves));
  return {
    restore() { for (const tree of trees) tree.restore(); },
    // Marks an item and its counterpart, each in the tree of its side.
    show(item, counterpart) {
      const items = trees.map((tree) => {
        const [chosen, met] = [item, counterpart].map((key) => (key?.startsWith(`${tree.side}:`) ? Number(key.split(":")[1]) : -1));
        return chosen >= 0 ? tree.show(chosen, "chosen") : tree.show(met, "counterpart");
      });
      const only = items.findIndex((one, place) => one && !items[1 - place]);
      if (only >= 0) items[1 - only] = trees[1 - only].point(trees[only].endsOf(items[only]).map((node) => pairs[trees[only].side].get(node)));
      aligned.scroll(items);
    },
    edge: (key) => {
      const tree = trees.find((one) => key?.startsWith(`${one.side}:`));
      const edge = Number(key?.split(":")[1]);
      if (!tree || !(edge < tree.hierarchy.edges.length / 2)) return null;
      return [0, 1].map((end) => tree.hierarchy.text(tree.hierarchy.edges[2 * edge + end]));
    },
  };
}
