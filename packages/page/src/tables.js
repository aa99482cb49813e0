// Tables that came with the page: sorted by a click on a head, downloaded as CSV, and rows that filter the list.

import { button, download } from "./dom.js";
import { state, writeFragment } from "./state.js";

function compare(a, b) {
  if (Number.isNaN(a) || Number.isNaN(b)) return Number.isNaN(a) - Number.isNaN(b);
  return a < b ? -1 : a > b ? 1 : 0;
}

function sort(table, place, down) {
  const heads = table.querySelectorAll("thead th");
  if (!heads[place]) return;
  heads.forEach((other) => other.removeAttribute("aria-sort"));
  heads[place].setAttribute("aria-sort", down ? "descending" : "ascending");
  const key = (row) => { const cell = row.cells[place]; return cell.dataset.value === undefined ? cell.textContent : Number(cell.dataset.value); };
  table.tBodies[0].append(...[...table.tBodies[0].rows].sort((a, b) => compare(key(a), key(b)) * (down ? -1 : 1)));
}

// The fragment keeps which tables are sorted, each by which column, and whether downwards: table-3:2,table-0:-1.
const kept = () => new Map(state.tables.split(",").filter(Boolean).map((one) => one.split(":")));
function sortable(table) {
  table.querySelectorAll("thead th").forEach((head, place) => head.replaceChildren(button(head.textContent, () => {
    const down = head.getAttribute("aria-sort") !== "descending";
    sort(table, place, down);
    const sorted = kept().set(table.id, `${down ? "-" : ""}${place}`);
    writeFragment({ tables: [...sorted].map((one) => one.join(":")).join(",") });
  })));
}
export function sortTables() {
  for (const [id, place = ""] of kept()) {
    const table = document.getElementById(id);
    if (table?.matches(".sortable")) sort(table, Number(place.replace("-", "")), place.startsWith("-"));
  }
}

export const rowsOf = (table) => [...table.rows].map((row) => [...row.cells].map((cell) => cell.dataset.csv ?? cell.textContent.trim()));

export function setUpTables(filterByGroup) {
  for (const table of document.querySelectorAll("table.sortable")) sortable(table);
  for (const place of document.querySelectorAll("[data-csv-of]")) {
    const table = document.getElementById(place.dataset.csvOf);
    place.append(button("CSV", () => download(place.dataset.name, rowsOf(table)), { class: "small", "aria-label": `Download as CSV: ${place.dataset.name}` }));
  }
  for (const table of document.querySelectorAll("table[data-group]")) {
    for (const row of table.tBodies[0].rows) {
      const group = row.cells[0].textContent;
      row.cells[0].replaceChildren(button(group, () => filterByGroup(table.dataset.group, group),
        { class: "link", title: `List the items of ${table.dataset.group} ${group}` }));
    }
  }
}
