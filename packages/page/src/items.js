// The list of items: a window on up to 200,000 rows; filtered, searched, sorted; one of them chosen.

import { column, holding, lowered, textAt, texts, wordsOf } from "./data.js";
import { button, byId, download, element, named, namespacesOf, plain, shortened, verdictElement, whole } from "./dom.js";
import { state, writeFragment } from "./state.js";

const LINE = 32; // height of a row in the grid, as in the style
const PRINTED = 200;
const NAMESPACES = 6;
const WIDTHS = { verdict: [92], side: [44] };
const PHONE = matchMedia("(max-width: 44rem)"); // there a verdict is its sign, as in the style
const NAMES = ["item", "counterpart"];
const MOST = { item: 560, counterpart: 380 };
const SAMPLED = 2000; // the rows from which a column takes its width
const GAP = 14; // between the parts of a triple
const BETWEEN = " | "; // the parts of a triple

export class Items {
  constructor(grid, chosen) {
    this.grid = grid;
    this.chosen = chosen; // told which item is chosen, by whatever means
    grid.addEventListener("scroll", () => this.paintSoon(), { passive: true });
    grid.addEventListener("keydown", (event) => this.key(event));
    grid.addEventListener("mousedown", (event) => {
      const row = event.target.closest(".pane .row");
      if (row) this.activate(Number(row.dataset.place));
    });
    new ResizeObserver(() => this.paintSoon()).observe(grid);
    let waiting = 0;
    byId("search").addEventListener("input", () => {
      clearTimeout(waiting);
      waiting = setTimeout(() => this.refine({ find: byId("search").value.trim() }), 80);
    });
    byId("items-csv").append(button("CSV", () => this.save(), { class: "small", "aria-label": "Download the listed items as CSV" }));
  }

  show(table) {
    this.table = table;
    this.columns = table.columns.map((one) => ({ ...one, values: column(one.array) }));
    this.named = Object.fromEntries(this.columns.map((one) => [one.name, one]));
    this.rows = column(table.places);
    const place = this.columns.findIndex((one) => one.name === state.sort.replace("-", ""));
    this.sorting = place < 0 ? null : { place, way: state.sort.startsWith("-") ? -1 : 1 };
    byId("cut").textContent = table.rows < table.total
      ? `${whole(table.rows)} of ${whole(table.total)} items are on this page; the others are hits, or misses with the lowest similarity. --explain writes all items.`
      : "";
    const spaces = namespacesOf(texts);
    byId("namespaces").textContent = spaces.length
      ? `Names are shown without their namespace: ${spaces.slice(0, NAMESPACES).join(" ")}${spaces.length > NAMESPACES ? ` and ${spaces.length - NAMESPACES} more` : ""}. Point at a name to see it whole.`
      : "";
    byId("search").value = state.find;
    this.layOut();
    this.filter();
  }

  layOut() {
    const widths = this.columns.map((one) => (PHONE.matches && one.name === "verdict" ? [24] : WIDTHS[one.name]) ?? (one.type === "number" ? [Math.max(80, 7.2 * one.title.length + 6)] : this.widthOf(one)));
    this.grid.style.setProperty("--columns", widths.map(([least, share]) => (share ? `minmax(${least}px, ${share})` : `${least}px`)).join(" "));
    this.grid.style.setProperty("--least", `${widths.reduce((sum, [least]) => sum + least + 20, 32)}px`);
    this.head = element("div", { class: "row head", role: "row", "aria-rowindex": 1 });
    this.columns.forEach((one, place) => {
      this.head.append(element("div", { role: "columnheader", class: one.type === "number" ? "number" : null }, button(one.title, () => this.sort(place))));
    });
    this.pane = element("div", { class: "pane", role: "rowgroup" });
    this.body = element("div", { class: "body" }, this.pane);
    this.grid.replaceChildren(element("div", { role: "rowgroup", class: "heads" }, this.head), this.body);
  }

  // An item takes as much room as it needs, a counterpart and a name on a phone as nine of ten need, within bounds, and what is left over.
  widthOf(one) {
    const { fontSize, fontFamily } = getComputedStyle(this.grid);
    this.pen ??= document.createElement("canvas").getContext("2d");
    this.pen.font = `${fontSize} ${fontFamily}`;
    const name = NAMES.includes(one.name);
    const sorted = Array.from(one.values.subarray(0, SAMPLED), (code) => (code < 0 ? 0 : this.measure(shortened(texts[code])))).sort((a, b) => a - b);
    const most = sorted[Math.floor((one.name === "counterpart" || (name && PHONE.matches) ? 0.9 : 1) * (sorted.length - 1))] ?? 0;
    const needed = Math.max(most, this.pen.measureText(one.title).width + 12) + 4;
    return name ? [Math.min(Math.max(190, needed), MOST[one.name]), "1fr"] : [Math.min(needed, 220)];
  }

  // How wide a name is; the three parts of a triple have equal room.
  measure(text) {
    const wide = text.split(BETWEEN).map((part) => this.pen.measureText(part).width);
    return wide.length === 3 ? 3 * Math.max(...wide) + 2 * GAP : this.pen.measureText(text).width;
  }

  // The parts of a triple, without the document before them where it has a column.
  partsOf(text, row) {
    const document = this.named.document ? `${textAt(this.named.document.values, row)}: ` : "";
    const parts = (document.length > 2 && text.startsWith(document) ? text.slice(document.length) : text).split(BETWEEN);
    return parts.length === 3 ? parts : null;
  }

  // -- filters -----------------------------------------------------------------------------------------------------

  refine(changes) {
    writeFragment(changes);
    byId("search").value = state.find;
    this.filter();
  }

  toggles(id, name) {
    const hidden = new Set(state.hide.split(","));
    const counts = new Map();
    for (const code of this.named[name].values) counts.set(code, (counts.get(code) ?? 0) + 1);
    byId(id).replaceChildren(...[...counts].flatMap(([code, count]) => {
      const word = texts[code];
      const toggle = () => {
        const off = new Set(state.hide.split(",").filter(Boolean));
        if (!off.delete(word)) off.add(word);
        const held = document.activeElement?.dataset.word;
        this.refine({ hide: [...off].join(",") });
        if (held) document.querySelector(`[data-word="${held}"]`)?.focus();
      };
      const label = element("span", {}, name === "verdict" ? verdictElement(word) : word, ` ${whole(count)}`);
      return [button(label, toggle, { "aria-pressed": String(!hidden.has(word)), "data-word": word }), " "];
    }));
  }

  // What narrows the list besides its buttons and its search, each with a button that takes it away.
  chips() {
    const made = [];
    const chip = (label, name) => made.push(button(`${label} ✕`, () => this.refine({ [name]: "" }), { class: "chip", "aria-label": `Remove the filter: ${label}` }));
    if (state.similarity) {
      const [low, high, verdict] = state.similarity.split(":");
      chip(`${verdict ? `${verdict}, ` : ""}similarity ${Number(low).toFixed(3)} to ${Number(high).toFixed(3)}`, "similarity");
    }
    if (state.group) chip(state.group.replace(":", " "), "group");
    byId("chips").replaceChildren(...made);
  }

  tests() {
    const { verdict, side, item, counterpart, similarity } = this.named;
    const found = [];
    const hidden = new Set(state.hide.split(",").filter(Boolean));
    if (hidden.size) found.push((row) => !hidden.has(texts[verdict.values[row]]) && !hidden.has(texts[side.values[row]]));
    for (const word of wordsOf(state.find)) {
      const meets = holding(word);
      found.push((row) => meets[item.values[row]] || (counterpart.values[row] >= 0 && meets[counterpart.values[row]]));
    }
    if (state.similarity && similarity) {
      const [low, high, wanted] = state.similarity.split(":");
      const code = wanted ? texts.indexOf(wanted) : -1;
      const [least, most] = [Math.fround(Number(low)), Math.fround(Number(high))];
      found.push((row) => similarity.values[row] >= least && similarity.values[row] <= most && (code < 0 || verdict.values[row] === code));
    }
    if (state.group) {
      const [by, ...rest] = state.group.split(":");
      const groups = this.table.groups[by];
      if (groups) {
        const codes = column(groups.array), wanted = groups.names.indexOf(rest.join(":"));
        found.push((row) => codes[row] === wanted);
      } else if (this.named[by]) { // all items are of one group
        const code = texts.indexOf(rest.join(":"));
        found.push((row) => this.named[by].values[row] === code);
      }
    }
    return found;
  }

  filter() {
    this.toggles("verdicts", "verdict");
    this.toggles("sides", "side");
    this.chips();
    const tests = this.tests();
    const kept = new Uint32Array(this.table.rows);
    let count = 0;
    for (let row = 0; row < this.table.rows; row++) if (tests.every((test) => test(row))) kept[count++] = row;
    this.order = kept.slice(0, count);
    byId("shown").textContent = `${whole(count)} of ${whole(this.table.rows)}`;
    this.arrange();
  }

  sort(place) {
    // Numbers are sorted with the largest first.
    const first = this.columns[place].type === "number" ? -1 : 1;
    this.sorting = this.sorting?.place === place ? { place, way: -this.sorting.way } : { place, way: first };
    writeFragment({ sort: `${this.sorting.way < 0 ? "-" : ""}${this.columns[place].name}` });
    this.arrange();
  }

  arrange() {
    [...this.head.children].forEach((cell) => cell.removeAttribute("aria-sort"));
    if (this.sorting) {
      const { place, way } = this.sorting;
      const { type, values } = this.columns[place];
      this.head.children[place].setAttribute("aria-sort", way > 0 ? "ascending" : "descending");
      const low = type === "number" ? null : lowered();
      const [key, missing] = low ? [(row) => low[values[row]], (row) => values[row] < 0] : [(row) => values[row], (row) => Number.isNaN(values[row])];
      this.order.sort((a, b) => {
        if (missing(a) || missing(b)) return missing(a) - missing(b) || a - b;
        const x = key(a), y = key(b);
        return (x < y ? -1 : x > y ? 1 : 0) * way || a - b;
      });
    } else {
      this.order.sort();
    }
    this.grid.style.setProperty("--rows", this.order.length);
    this.body.style.height = `${this.order.length * LINE}px`;
    this.grid.setAttribute("aria-rowcount", this.order.length + 1);
    this.grid.scrollTop = 0;
    this.active = this.placeOf(state.item);
    this.reveal();
  }

  // -- what is chosen ----------------------------------------------------------------------------------------------

  // An item is called by its side and its row there: gold:12.
  keyOf(row) { return `${textAt(this.named.side.values, row)}:${this.rows[row]}`; }

  nameOf(row) { return row < 0 ? "" : textAt(this.named.item.values, row); }

  rowOf(key) {
    const [side, place] = key.split(":");
    const code = texts.indexOf(side);
    for (let row = 0; row < this.table.rows; row++) if (this.rows[row] === Number(place) && this.named.side.values[row] === code) return row;
    return -1;
  }

  placeOf(key) {
    const row = key ? this.rowOf(key) : -1;
    return row < 0 ? -1 : this.order.indexOf(row);
  }

  // The item of the other side that is the best counterpart of this one.
  counterpartOf(row) {
    const { side, item, counterpart } = this.named;
    const wanted = counterpart.values[row];
    if (wanted < 0) return -1;
    for (let other = 0; other < this.table.rows; other++) {
      if (item.values[other] === wanted && side.values[other] !== side.values[row]) return other;
    }
    return -1;
  }

  activate(place) {
    if (!this.order.length) return;
    this.active = Math.max(0, Math.min(place, this.order.length - 1));
    this.reveal();
    this.chosen(this.keyOf(this.order[this.active]));
  }

  choose(key) {
    this.active = this.placeOf(key);
    this.reveal();
  }

  reveal() {
    if (this.active >= 0) {
      const top = this.active * LINE;
      const room = this.grid.clientHeight - this.head.offsetHeight - LINE;
      if (top < this.grid.scrollTop) this.grid.scrollTop = top;
      else if (top > this.grid.scrollTop + room) this.grid.scrollTop = top - room;
    }
    this.paint();
  }

  key(event) {
    if (event.target !== this.grid) return;
    const page = Math.max(1, Math.floor(this.grid.clientHeight / LINE) - 2);
    const moves = { ArrowDown: 1, ArrowUp: -1, PageDown: page, PageUp: -page, Home: -Infinity, End: Infinity };
    if (!(event.key in moves)) return;
    event.preventDefault();
    this.activate(this.active < 0 && event.key !== "End" ? 0 : this.active + moves[event.key]);
  }

  // -- drawing -----------------------------------------------------------------------------------------------------

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
    const active = this.active >= first && this.active < last;
    if (active) this.grid.setAttribute("aria-activedescendant", `row-${this.active}`);
    else this.grid.removeAttribute("aria-activedescendant");
    byId("none").hidden = this.order.length > 0;
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
    const text = textAt(one.values, row);
    const parts = NAMES.includes(one.name) ? this.partsOf(text, row) : null;
    if (parts) return element("span", { class: "triple", title: text }, ...parts.map((part) => element("span", {}, named(part))));
    return one.name === "verdict" ? verdictElement(text) : named(text);
  }

  // What is known of one item, as pairs of a title and a node.
  facts(row) {
    return this.columns.map((one) => [one.name, one.title, this.cell(one, row)]).filter(([, , shown]) => shown !== "");
  }

  save() {
    const value = (one, row) => (one.type === "number" ? one.values[row] : textAt(one.values, row));
    download("items", [this.columns.map((one) => one.name), ...Array.from(this.order, (row) => this.columns.map((one) => value(one, row)))]);
  }

  print() {
    const rows = [...this.order.slice(0, PRINTED)].map((row) =>
      element("tr", {}, ...this.columns.map((one) => element("td", { class: one.type === "number" ? "number" : null }, this.cell(one, row)))));
    const head = element("tr", {}, ...this.columns.map((one) => element("th", {}, one.title)));
    byId("printed").replaceChildren(
      element("p", { class: "note" }, `The first ${whole(rows.length)} of ${whole(this.order.length)} items chosen, of ${whole(this.table.total)}.`),
      element("table", {}, element("thead", {}, head), element("tbody", {}, ...rows)));
  }
}

