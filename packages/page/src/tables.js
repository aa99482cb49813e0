// Tables that came with the page: sorted by a click on a head, downloaded as CSV, and rows that filter the list.

import { button, download, element } from "./dom.js";

function compare(a, b) {
  if (Number.isNaN(a) || Number.isNaN(b)) return Number.isNaN(a) - Number.isNaN(b);
  return a < b ? -1 : a > b ? 1 : 0;
}

function sortable(table) {
  table.querySelectorAll("thead th").forEach((head, place) => {
    const made = button(head.textContent, () => {
      const down = head.getAttribute("aria-sort") !== "descending";
      table.querySelectorAll("th").forEach((other) => other.removeAttribute("aria-sort"));
      head.setAttribute("aria-sort", down ? "descending" : "ascending");
      const key = (row) => { const cell = row.cells[place]; return cell.dataset.value === undefined ? cell.textContent : Number(cell.dataset.value); };
      table.tBodies[0].append(...[...table.tBodies[0].rows].sort((a, b) => compare(key(a), key(b)) * (down ? -1 : 1)));
    });
    head.replaceChildren(made);
  });
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
