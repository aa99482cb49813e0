"use strict";
(() => {
  const data = JSON.parse(document.getElementById("data").textContent);
  const texts = data.texts;
  const SIGNS = { hit: "✓", missed: "−", invented: "+", partial: "~" };
  const MANY = 200; // children, printed rows: as many at once
  const LINE = 32; // height of a row in the grid, as in the style
  const byId = (id) => document.getElementById(id);

  // -- columns -----------------------------------------------------------------------------------------------------

  const decoded = new Map();
  function column(number) {
    if (!decoded.has(number)) {
      const { type, bytes } = data.arrays[number];
      const packed = atob(bytes);
      const unpacked = new Uint8Array(packed.length);
      for (let i = 0; i < packed.length; i++) unpacked[i] = packed.charCodeAt(i);
      decoded.set(number, type === "text" ? new Int32Array(unpacked.buffer) : new Float32Array(unpacked.buffer));
    }
    return decoded.get(number);
  }
  const textAt = (codes, row) => (codes[row] < 0 ? "" : texts[codes[row]]);
  const whole = (number) => number.toLocaleString("en-US");
  function plain(number, counts) {
    if (Number.isNaN(number)) return "";
    if (counts || (Number.isInteger(number) && Math.abs(number) > 1)) return whole(number);
    // A very small margin must not be shown as 0 or -0.
    return number !== 0 && Math.abs(number) < 5e-5 ? number.toExponential(1) : number.toFixed(4);
  }

  function element(tag, attributes = {}, ...children) {
    const made = document.createElement(tag);
    for (const [name, value] of Object.entries(attributes)) {
      if (value !== null && value !== undefined && value !== false) made.setAttribute(name, value);
    }
    made.append(...children);
    return made;
  }
  function verdictElement(word) {
    return element("span", { class: `verdict v-${word}`, "data-sign": SIGNS[word] ?? "·" }, word);
  }

  // -- theme, copying, small tables --------------------------------------------------------------------------------

  const theme = byId("theme");
  const root = document.documentElement;
  const isDark = () => (root.dataset.theme ?? (matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light")) === "dark";
  const nameTheme = () => { theme.textContent = isDark() ? "Light theme" : "Dark theme"; };
  theme.hidden = false;
  theme.addEventListener("click", () => { root.dataset.theme = isDark() ? "light" : "dark"; nameTheme(); });
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", nameTheme);
  nameTheme();

  function copyText(text) {
    // Some browsers do not allow local pages to use the clipboard; the old method works everywhere.
    const area = element("textarea", { class: "unseen", readonly: "" });
    area.value = text;
    document.body.append(area);
    area.select();
    const done = document.execCommand("copy");
    area.remove();
    return done ? Promise.resolve() : navigator.clipboard.writeText(text);
  }
  for (const button of document.querySelectorAll("button.copy")) {
    button.hidden = false;
    button.addEventListener("click", () => {
      copyText(button.previousElementSibling.textContent).then(
        () => { button.textContent = "Copied"; },
        () => { button.textContent = "Copy failed: select the text"; },
      );
      setTimeout(() => { button.textContent = "Copy"; }, 2000);
    });
  }

  for (const table of document.querySelectorAll("table.sortable")) {
    table.querySelectorAll("thead th").forEach((head, place) => {
      const button = element("button", { type: "button" }, head.textContent);
      head.replaceChildren(button);
      button.addEventListener("click", () => {
        const down = head.getAttribute("aria-sort") !== "descending";
        table.querySelectorAll("th").forEach((other) => other.removeAttribute("aria-sort"));
        head.setAttribute("aria-sort", down ? "descending" : "ascending");
        const key = (row) => { const cell = row.cells[place]; return cell.dataset.value === undefined ? cell.textContent : Number(cell.dataset.value); };
        const rows = [...table.tBodies[0].rows].sort((a, b) => compare(key(a), key(b)) * (down ? -1 : 1));
        table.tBodies[0].append(...rows);
      });
    });
  }
  function compare(a, b) {
    if (Number.isNaN(a) || Number.isNaN(b)) return Number.isNaN(a) - Number.isNaN(b);
    return a < b ? -1 : a > b ? 1 : 0;
  }

  // -- items -------------------------------------------------------------------------------------------------------

  let lowered = null;
  const lower = () => (lowered ??= texts.map((text) => text.toLowerCase()));

  class Items {
    constructor(grid) {
      this.grid = grid;
      this.active = 0;
      this.off = { verdict: new Set(), side: new Set() };
      this.sorting = null;
      grid.addEventListener("scroll", () => this.paintSoon(), { passive: true });
      grid.addEventListener("keydown", (event) => this.key(event));
      grid.addEventListener("mousedown", (event) => {
        const row = event.target.closest(".pane .row");
        if (row) this.activate(Number(row.dataset.place));
      });
      new ResizeObserver(() => this.paintSoon()).observe(grid);
      let waiting = 0;
      byId("search").addEventListener("input", () => { clearTimeout(waiting); waiting = setTimeout(() => this.filter(), 80); });
    }

    show(table) {
      this.table = table;
      this.columns = table.columns.map((one) => ({ ...one, values: column(one.array) }));
      this.named = Object.fromEntries(this.columns.map((one) => [one.name, one]));
      this.sorting = null;
      this.off = { verdict: new Set(), side: new Set() };
      byId("cut").textContent = table.rows < table.total
        ? `${whole(table.rows)} of ${whole(table.total)} items are on this page; the others are hits, or misses with the lowest similarity. --explain writes all items.`
        : "";
      this.layOut();
      this.toggles("verdicts", "verdict");
      this.toggles("sides", "side");
      this.filter();
    }

    layOut() {
      const WIDTHS = { verdict: [92], side: [36], item: [190, "1.3fr"], counterpart: [190, "1.2fr"] };
      const widths = this.columns.map((one) => WIDTHS[one.name] ?? (one.type === "number" ? [Math.max(80, 7.2 * one.title.length + 6)] : [100, "0.6fr"]));
      this.grid.style.setProperty("--columns", widths.map(([least, share]) => (share ? `minmax(${least}px, ${share})` : `${least}px`)).join(" "));
      this.grid.style.setProperty("--least", `${widths.reduce((sum, [least]) => sum + least + 20, 32)}px`);
      this.head = element("div", { class: "row head", role: "row", "aria-rowindex": 1 });
      this.columns.forEach((one, place) => {
        const button = element("button", { type: "button" }, one.title);
        button.addEventListener("click", () => this.sort(place));
        this.head.append(element("div", { role: "columnheader", class: one.type === "number" ? "number" : null }, button));
      });
      this.pane = element("div", { class: "pane" });
      this.body = element("div", { class: "body" }, this.pane);
      this.grid.replaceChildren(this.head, this.body);
    }

    toggles(id, name) {
      const counts = new Map();
      for (const code of this.named[name].values) counts.set(code, (counts.get(code) ?? 0) + 1);
      const buttons = [...counts].map(([code, count]) => {
        const word = texts[code];
        const label = name === "verdict" ? verdictElement(word) : word;
        const button = element("button", { type: "button", "aria-pressed": "true", "data-word": word }, label, ` ${whole(count)}`);
        button.addEventListener("click", () => {
          const off = this.off[name];
          if (!off.delete(code)) off.add(code);
          button.setAttribute("aria-pressed", String(!off.has(code)));
          this.filter();
        });
        return button;
      });
      byId(id).replaceChildren(...buttons.flatMap((button) => [button, " "]));
    }

    filter() {
      const wanted = byId("search").value.trim().toLowerCase();
      const { verdict, side, item, counterpart } = this.named;
      const meets = wanted ? Uint8Array.from(lower(), (text) => text.includes(wanted)) : null;
      const kept = new Uint32Array(this.table.rows);
      let count = 0;
      for (let row = 0; row < this.table.rows; row++) {
        if (this.off.verdict.has(verdict.values[row]) || this.off.side.has(side.values[row])) continue;
        if (meets && !meets[item.values[row]] && !(counterpart.values[row] >= 0 && meets[counterpart.values[row]])) continue;
        kept[count++] = row;
      }
      this.order = kept.slice(0, count);
      byId("shown").textContent = `${whole(count)} of ${whole(this.table.rows)}`;
      this.arrange();
    }

    sort(place) {
      const way = this.sorting?.place === place && this.sorting.way === 1 ? -1 : 1;
      // Numbers are sorted with the largest first.
      const first = this.columns[place].type === "number" ? -1 : 1;
      this.sorting = this.sorting?.place === place ? { place, way: -this.sorting.way } : { place, way: first * way };
      this.arrange();
    }

    arrange() {
      [...this.head.children].forEach((cell) => cell.removeAttribute("aria-sort"));
      if (this.sorting) {
        const { place, way } = this.sorting;
        const { type, values } = this.columns[place];
        this.head.children[place].setAttribute("aria-sort", way > 0 ? "ascending" : "descending");
        if (type === "number") {
          this.order.sort((a, b) => {
            const x = values[a], y = values[b];
            if (x !== x || y !== y) return (x !== x) - (y !== y) || a - b;
            return (x - y) * way || a - b;
          });
        } else {
          const low = lower();
          this.order.sort((a, b) => {
            const x = values[a], y = values[b];
            if (x < 0 || y < 0) return (x < 0) - (y < 0) || a - b;
            return (low[x] < low[y] ? -1 : low[x] > low[y] ? 1 : 0) * way || a - b;
          });
        }
      } else {
        this.order.sort();
      }
      this.grid.style.setProperty("--rows", this.order.length);
      this.body.style.height = `${this.order.length * LINE}px`;
      this.grid.setAttribute("aria-rowcount", this.order.length + 1);
      this.grid.scrollTop = 0;
      this.activate(0);
    }

    paintSoon() {
      this.asked ??= requestAnimationFrame(() => { this.asked = undefined; this.paint(); });
    }

    paint() {
      if (!this.order) return;
      const first = Math.max(0, Math.floor(this.grid.scrollTop / LINE) - 6);
      const last = Math.min(this.order.length, first + Math.ceil(this.grid.clientHeight / LINE) + 12);
      this.pane.style.transform = `translateY(${first * LINE}px)`;
      const rows = [];
      for (let place = first; place < last; place++) rows.push(this.row(place));
      this.pane.replaceChildren(...rows);
      this.grid.setAttribute("aria-activedescendant", `row-${this.active}`);
    }

    row(place) {
      const cells = this.columns.map((one) =>
        element("div", { role: "gridcell", class: one.type === "number" ? "number" : null }, this.cell(one, this.order[place])));
      return element("div", {
        class: "row", role: "row", id: `row-${place}`, "data-place": place,
        "aria-rowindex": place + 2, "aria-selected": String(place === this.active),
      }, ...cells);
    }

    cell(one, row) {
      if (one.type === "number") return plain(one.values[row], one.whole);
      return one.name === "verdict" ? verdictElement(textAt(one.values, row)) : textAt(one.values, row);
    }

    activate(place) {
      this.active = Math.max(0, Math.min(place, this.order.length - 1));
      const top = this.active * LINE;
      const room = this.grid.clientHeight - this.head.offsetHeight - LINE;
      if (top < this.grid.scrollTop) this.grid.scrollTop = top;
      else if (top > this.grid.scrollTop + room) this.grid.scrollTop = top - room;
      this.paint();
      const told = [];
      if (this.order.length) {
        for (const one of this.columns) {
          const shown = this.cell(one, this.order[this.active]);
          if (shown !== "") told.push(element("dt", {}, one.title), element("dd", {}, shown));
        }
      } else {
        told.push(element("dd", { class: "soft" }, "No item matches the filters."));
      }
      byId("detail").replaceChildren(...told);
    }

    key(event) {
      if (event.target !== this.grid) return;
      const page = Math.max(1, Math.floor(this.grid.clientHeight / LINE) - 2);
      const moves = { ArrowDown: 1, ArrowUp: -1, PageDown: page, PageUp: -page, Home: -Infinity, End: Infinity };
      if (!(event.key in moves)) return;
      event.preventDefault();
      this.activate(this.active + moves[event.key]);
    }

    print() {
      const rows = [...this.order.slice(0, MANY)].map((row) =>
        element("tr", {}, ...this.columns.map((one) => element("td", { class: one.type === "number" ? "number" : null }, this.cell(one, row)))));
      const head = element("tr", {}, ...this.columns.map((one) => element("th", {}, one.title)));
      byId("printed").replaceChildren(
        element("p", { class: "note" }, `The first ${whole(rows.length)} of ${whole(this.order.length)} items chosen, of ${whole(this.table.total)}.`),
        element("table", {}, element("thead", {}, head), element("tbody", {}, ...rows)));
    }
  }

  // -- trees -------------------------------------------------------------------------------------------------------

  class Hierarchy {
    constructor(side) {
      this.codes = column(side.texts);
      this.edges = column(side.edges);
      this.verdicts = column(side.verdicts);
      const nodes = this.codes.length;
      const edges = this.edges.length / 2;
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

    pathTo(node) {
      const path = [];
      for (let edge = this.above[node]; edge >= 0; edge = this.above[this.edges[2 * edge + 1]]) path.unshift(edge);
      return path;
    }
  }

  class Tree {
    constructor(title, hierarchy) {
      this.hierarchy = hierarchy;
      this.box = element("div", { class: "tree", role: "tree", "aria-label": title });
      this.box.addEventListener("keydown", (event) => this.key(event));
      const tops = hierarchy.roots.map((node) => ({ node, edge: -1 }));
      this.box.append(tops.length ? this.list(tops, new Set()) : element("p", { class: "note" }, "No edges."));
      const first = this.box.querySelector('[role="treeitem"]');
      if (first) first.tabIndex = 0;
      this.openSome();
    }

    // Opens level by level what fits about one screen.
    openSome() {
      let room = 24 - this.hierarchy.roots.length;
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
      const more = element("button", { type: "button", class: "more", tabindex: "-1" });
      list.reveal = (place) => {
        const until = Math.min(children.length, Math.max(shown + MANY, place + 1));
        const added = children.slice(shown, until).map((child) => this.item(child, path));
        shown = until;
        more.remove();
        list.append(...added);
        if (shown < children.length) {
          more.textContent = `${whole(children.length - shown)} more`;
          list.append(more);
        }
      };
      list.children_ = children;
      more.addEventListener("click", (event) => { event.stopPropagation(); list.reveal(0); });
      list.reveal(0);
      return list;
    }

    item({ node, edge }, path) {
      const graph = this.hierarchy;
      const count = graph.first[node + 1] - graph.first[node];
      const loops = path.has(node);
      const verdict = edge < 0 ? "" : textAt(graph.verdicts, edge);
      const opens = count > 0 && !loops;
      const line = element("div", { class: "node" },
        element("span", { class: "fold", "aria-hidden": "true" }, opens ? "▸" : ""),
        element("span", { class: `sign v-${verdict}`, "aria-hidden": "true" }, SIGNS[verdict] ?? ""),
        element("span", { class: `v-${verdict}` }, graph.text(node)),
        element("span", { class: "unseen" }, verdict));
      if (loops) line.append(element("span", { class: "count" }, "↻ cycle"));
      else if (count) line.append(element("span", { class: "count", title: "hits of all edges below this node" }, `${whole(this.hits(node))} / ${whole(count)}`));
      const item = element("li", { role: "treeitem", tabindex: "-1", "aria-expanded": opens ? "false" : null }, line);
      Object.assign(item, { node, path, line });
      line.addEventListener("click", () => { this.focus(item); if (opens) this.fold(item); });
      return item;
    }

    hits(node) {
      const graph = this.hierarchy;
      let count = 0;
      for (let i = graph.first[node]; i < graph.first[node + 1]; i++) count += textAt(graph.verdicts, graph.below[i]) === "hit";
      return count;
    }

    fold(item, open = item.getAttribute("aria-expanded") === "false") {
      if (!item.hasAttribute("aria-expanded")) return;
      item.setAttribute("aria-expanded", String(open));
      item.line.firstChild.textContent = open ? "▾" : "▸";
      if (open && !item.list) {
        const graph = this.hierarchy;
        const children = [];
        for (let i = graph.first[item.node]; i < graph.first[item.node + 1]; i++) {
          children.push({ node: graph.edges[2 * graph.below[i]], edge: graph.below[i] });
        }
        item.list = this.list(children, new Set(item.path).add(item.node));
        item.append(item.list);
      } else if (item.list) {
        item.list.hidden = !open;
      }
    }

    focus(item) {
      this.box.querySelectorAll('[tabindex="0"]').forEach((other) => { other.tabIndex = -1; });
      item.tabIndex = 0;
      item.focus({ preventScroll: true });
      item.line.scrollIntoView({ block: "nearest" });
    }

    key(event) {
      const item = event.target.closest('[role="treeitem"]');
      if (!item || event.target.tagName === "BUTTON") return;
      const open = item.getAttribute("aria-expanded") === "true";
      const seen = () => [...this.box.querySelectorAll('[role="treeitem"]')].filter((one) => !one.closest("ul[hidden]"));
      const step = (by) => { const all = seen(); const to = all[all.indexOf(item) + by]; if (to) this.focus(to); };
      const does = {
        ArrowDown: () => step(1),
        ArrowUp: () => step(-1),
        ArrowRight: () => (open ? step(1) : this.fold(item, true)),
        ArrowLeft: () => (open ? this.fold(item, false) : this.focus(item.parentElement.closest('[role="treeitem"]') ?? item)),
        Enter: () => this.fold(item),
        " ": () => this.fold(item),
      }[event.key];
      if (does) { event.preventDefault(); does(); }
    }

    // Opens the way down to the first node whose text holds the wanted one, the whole text if there is such a node.
    find(wanted) {
      this.box.querySelectorAll(".found").forEach((line) => line.classList.remove("found"));
      const graph = this.hierarchy;
      let found = -1;
      for (let node = 0; node < graph.codes.length; node++) {
        const text = lower()[graph.codes[node]];
        if (graph.above[node] < 0 && graph.first[node + 1] === graph.first[node]) continue;
        if (text === wanted) { found = node; break; }
        if (found < 0 && text.includes(wanted)) found = node;
      }
      if (found < 0) return null;
      const edges = graph.pathTo(found);
      const top = edges.length ? graph.edges[2 * edges[0] + 1] : found;
      let item = this.child(this.box.firstChild, top, -1);
      for (const edge of edges) {
        this.fold(item, true);
        item = this.child(item.list, graph.edges[2 * edge], edge);
      }
      item.line.classList.add("found");
      this.box.scrollTop += item.line.getBoundingClientRect().top - this.box.getBoundingClientRect().top - this.box.clientHeight / 3;
      return graph.text(found);
    }

    child(list, node, edge) {
      const place = list.children_.findIndex((one) => one.node === node && one.edge === edge);
      const built = () => [...list.children].filter((one) => one.matches("[role=treeitem]"));
      if (built().length <= place) list.reveal(place);
      return built()[place];
    }
  }

  function drawTree(box, panel) {
    const trees = ["gold", "pred"].map((side) => new Tree(side === "gold" ? "Gold standard" : "Prediction", new Hierarchy(panel[side])));
    const search = element("input", { type: "search", placeholder: "Find a node in both trees (press Enter)", "aria-label": "Find a node in both trees" });
    const told = element("output", { "aria-live": "polite" });
    search.addEventListener("keydown", (event) => {
      if (event.key !== "Enter" || !search.value.trim()) return;
      const found = trees.map((tree) => tree.find(search.value.trim().toLowerCase()));
      told.textContent = `gold: ${found[0] ?? "none"}; prediction: ${found[1] ?? "none"}`;
    });
    const halves = trees.map((tree) => element("div", {}, element("h4", {}, tree.box.getAttribute("aria-label")), tree.box));
    box.append(element("div", { class: "filters" }, search, told), element("div", { class: "sides" }, ...halves));
  }

  // -- entries, a few at a time ------------------------------------------------------------------------------------

  function paged(box, entries, atOnce, draw) {
    const held = element("div");
    const pages = Math.ceil(entries.length / atOnce);
    let page = 0;
    const told = element("output");
    const choice = element("select", { "aria-label": "Entry" });
    for (let one = 0; one < pages; one++) {
      const name = atOnce === 1 ? `${SIGNS[entries[one].verdict] ?? ""} ${entries[one].name}` : `${one * atOnce + 1} to ${Math.min(entries.length, (one + 1) * atOnce)}`;
      choice.append(element("option", { value: one }, name));
    }
    const turn = (to) => {
      page = Math.max(0, Math.min(pages - 1, to));
      choice.value = page;
      told.textContent = `of ${whole(entries.length)}`;
      held.replaceChildren(...entries.slice(page * atOnce, (page + 1) * atOnce).map(draw));
    };
    const button = (word, by) => {
      const made = element("button", { type: "button" }, word);
      made.addEventListener("click", () => turn(page + by));
      return made;
    };
    choice.addEventListener("change", () => turn(Number(choice.value)));
    if (pages > 1) box.append(element("div", { class: "pager" }, button("Previous", -1), choice, button("Next", 1), told));
    box.append(held);
    turn(0);
  }

  function drawTexts(box, panel) {
    box.classList.add("texts");
    paged(box, panel.entries, 25, (entry) => {
      const text = element("div", { class: "text" }, ...entry.marks.map(([words, verdict, told]) =>
        verdict
          ? element("mark", { class: `v-${verdict}`, title: told || verdict }, words, element("span", { class: "unseen" }, ` (${verdict})`))
          : words));
      const about = element("div", {}, element("div", {}, entry.name), entry.verdict ? verdictElement(entry.verdict) : "", element("div", { class: "told" }, entry.told));
      return element("article", {}, about, text);
    });
  }

  // -- drawings: nodes in layers, arrows downwards where that is possible ------------------------------------------

  const SVG = "http://www.w3.org/2000/svg";
  function shape(tag, attributes, text) {
    const made = document.createElementNS(SVG, tag);
    for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
    if (text !== undefined) made.textContent = text;
    return made;
  }

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
    const short = (text) => (text.length > 42 ? `${text.slice(0, 40)}…` : text);
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

  function drawDiagrams(box, panel) {
    paged(box, panel.entries, 1, (entry) => {
      const half = (title, graph) => element("div", {}, element("h4", {}, title),
        element("div", { class: "drawing" }, graph.nodes.length ? diagram(graph, title) : element("p", { class: "note" }, "No graph.")));
      return element("div", {},
        element("p", {}, element("b", {}, entry.name), " ", entry.verdict ? verdictElement(entry.verdict) : "", " ", element("span", { class: "told" }, entry.told)),
        element("div", { class: "sides" }, half("Gold standard", entry.gold), half("Prediction", entry.pred)));
    });
  }

  // -- the view: one prediction, one measure -----------------------------------------------------------------------

  const DRAWN = { tree: drawTree, texts: drawTexts, diagrams: drawDiagrams };
  const grid = byId("items");
  const items = grid ? new Items(grid) : null;
  const run = byId("run"), measure = byId("measure");

  function view() {
    for (const section of document.querySelectorAll("[data-run]")) {
      const other = section.dataset.measure !== undefined && section.dataset.measure !== measure.value;
      section.hidden = section.dataset.run !== run.value || other;
      const box = section.querySelector("[data-panel]");
      if (box && !section.hidden && !box.childElementCount) {
        const panel = data.panels[Number(box.dataset.panel)];
        DRAWN[panel.kind](box, panel);
      }
    }
    for (const title of document.querySelectorAll("h2.of-view")) {
      title.title = `${run.selectedOptions[0].text}, ${measure.selectedOptions[0].text}`;
    }
    if (items) {
      const table = data.items[Number(run.value)][Number(measure.value)];
      byId("item-section").hidden = !table; // a loaded report has values only
      if (table) items.show(table);
    }
  }
  run.addEventListener("change", view);
  measure.addEventListener("change", view);
  addEventListener("beforeprint", () => { if (items?.order) items.print(); });
  // The top of the page is painted before the items are unpacked.
  requestAnimationFrame(() => setTimeout(view, 0));
})();
