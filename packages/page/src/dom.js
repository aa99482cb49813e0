// What all parts of the page share: elements, words for numbers, names, and files to download.

export const SIGNS = { hit: "✓", missed: "−", invented: "+", partial: "~" };
export const byId = (id) => document.getElementById(id);

export function element(tag, attributes = {}, ...children) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (name.startsWith("on")) made.addEventListener(name.slice(2), value);
    else if (value !== null && value !== undefined && value !== false) made.setAttribute(name, value);
  }
  made.append(...children);
  return made;
}

const SVG = "http://www.w3.org/2000/svg";
export function shape(tag, attributes = {}, ...children) {
  const made = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (name.startsWith("on")) made.addEventListener(name.slice(2), value);
    else if (value !== null && value !== undefined) made.setAttribute(name, value);
  }
  made.append(...children);
  return made;
}

export const button = (label, act, attributes = {}) => element("button", { type: "button", onclick: act, ...attributes }, label);

export function verdictElement(word) {
  return element("span", { class: `verdict v-${word}`, "data-sign": SIGNS[word] ?? "·" }, word);
}

export const whole = (number) => number.toLocaleString("en-US");
export const plural = (number, word) => `${whole(number)} ${word}${number === 1 ? "" : "s"}`;
export function plain(number, counts) {
  if (Number.isNaN(number)) return "";
  if (counts || (Number.isInteger(number) && Math.abs(number) > 1)) return whole(number);
  // A very small margin must not be shown as 0 or -0.
  return number !== 0 && Math.abs(number) < 5e-5 ? number.toExponential(1) : number.toFixed(4);
}

// A long IRI is shown by its last part; the whole stands in its title.
const IRI = /\b(?:https?|urn|ftp):[^\s<>"|]*?[#/:](?=[^\s<>"|#/:]+(?:[\s<>"|,;)]|$))/g;
export const shortened = (text) => (text.includes(":") ? text.replace(IRI, "") : text);
export function named(text) {
  const short = shortened(text);
  return short === text ? text : element("span", { title: text }, short);
}
export function namespacesOf(texts) {
  const found = new Set();
  for (const text of texts) if (text.includes(":")) for (const [space] of text.matchAll(IRI)) found.add(space);
  return [...found].sort();
}

// -- files ---------------------------------------------------------------------------------------------------------

// A spreadsheet would run such a cell (OWASP, CSV Injection).
const FORMULA = /^[=+\-@\t\r]./s;
function csvCell(value) {
  if (typeof value === "number") return Number.isNaN(value) ? "" : String(value);
  const text = FORMULA.test(value) && Number.isNaN(Number(value)) ? `'${value}` : value;
  return /[",\n\r]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
export const csv = (rows) => rows.map((row) => row.map(csvCell).join(",")).join("\r\n") + "\r\n";

export function download(name, rows) {
  const address = URL.createObjectURL(new Blob([csv(rows)], { type: "text/csv" }));
  const link = element("a", { href: address, download: `${name.toLowerCase().replace(/[^a-z0-9]+/g, "-").replace(/^-|-$/g, "")}.csv` });
  link.click();
  setTimeout(() => URL.revokeObjectURL(address), 10_000);
}

export function copyText(text) {
  // Some browsers do not allow local pages to use the clipboard; the old method works everywhere.
  const area = element("textarea", { class: "unseen", readonly: "" });
  area.value = text;
  document.body.append(area);
  area.select();
  const done = document.execCommand("copy");
  area.remove();
  return done ? Promise.resolve() : navigator.clipboard.writeText(text);
}
