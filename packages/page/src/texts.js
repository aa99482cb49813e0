// Texts beside those of gold: what was hit, missed or invented in both, and which span of one belongs to which of the other.

import { SIGNS, button, element, verdictElement, whole } from "./dom.js";
import { state, writeFragment } from "./state.js";

// Entries, a few at a time; which ones are shown stands in the fragment.
export function paged(box, { entries, number }, atOnce, draw) {
  const held = element("div");
  const pages = Math.ceil(entries.length / atOnce);
  const told = element("output");
  const choice = element("select", { "aria-label": "Entry", onchange: () => turn(Number(choice.value)) });
  for (let one = 0; one < pages; one++) {
    const name = atOnce === 1 ? `${SIGNS[entries[one].verdict] ?? ""} ${entries[one].name}` : `${one * atOnce + 1} to ${Math.min(entries.length, (one + 1) * atOnce)}`;
    choice.append(element("option", { value: one }, name));
  }
  let page = 0;
  const turn = (to, keep = true) => {
    page = Math.max(0, Math.min(pages - 1, to));
    choice.value = page;
    told.textContent = `of ${whole(entries.length)}`;
    held.replaceChildren(...entries.slice(page * atOnce, (page + 1) * atOnce).map(draw));
    if (keep) writeFragment({ entry: `${number}:${page}` });
  };
  if (pages > 1) box.append(element("div", { class: "pager" }, button("Previous", () => turn(page - 1)), choice, button("Next", () => turn(page + 1)), told));
  box.append(held);
  const [panel, kept] = state.entry.split(":");
  turn(panel === String(number) ? Number(kept) || 0 : 0, false);
  // Shows the entry that an item belongs to: items are called by the name of their entry, and more.
  return (item) => {
    const place = entries.findIndex(({ name }) => item === name || item.startsWith(`${name} `) || item.startsWith(`${name}:`));
    if (place >= 0) turn(Math.floor(place / atOnce), false);
    return place;
  };
}

const judged = (marks) => marks.some(([, verdict]) => verdict);

function textOf(marks, side, pair) {
  const spans = marks.map(([words, verdict, told, item, counterpart]) => {
    if (!verdict) return words;
    const linked = counterpart && pair[side === "gold" ? "pred" : "gold"].has(counterpart);
    const attributes = { class: `v-${verdict}${linked ? " linked" : ""}`, title: told || verdict, "data-item": item || null, "data-counterpart": counterpart || null };
    const content = [words, element("span", { class: "unseen" }, ` (${verdict})`)];
    if (!linked) return element("mark", attributes, ...content);
    return element("mark", { ...attributes, role: "button", tabindex: "0" }, ...content);
  });
  return element("div", { class: "text" }, ...(spans.length ? spans : [element("span", { class: "soft" }, "nothing")]));
}

// A click on a span shows its counterpart in the other text.
function link(article) {
  const show = (mark) => {
    const before = mark.classList.contains("lit");
    article.querySelectorAll(".lit").forEach((one) => one.classList.remove("lit"));
    if (before) return;
    mark.classList.add("lit");
    const half = mark.closest(".half");
    for (const other of article.querySelectorAll("mark")) {
      if (other.closest(".half") !== half && other.dataset.item === mark.dataset.counterpart) {
        other.classList.add("lit");
        other.scrollIntoView({ block: "nearest" });
      }
    }
  };
  article.addEventListener("click", (event) => { const mark = event.target.closest("mark.linked"); if (mark) show(mark); });
  article.addEventListener("keydown", (event) => {
    if (!event.target.matches("mark.linked") || (event.key !== "Enter" && event.key !== " ")) return;
    event.preventDefault();
    show(event.target);
  });
}

export function drawTexts(box, panel) {
  box.classList.add("texts");
  const goTo = paged(box, panel, 25, (entry) => {
    const about = element("div", { class: "about" }, element("b", {}, entry.name), " ", entry.verdict ? verdictElement(entry.verdict) : "", " ", element("span", { class: "told" }, entry.told));
    if (!entry.gold) return element("article", {}, about, textOf(entry.marks, "pred", { gold: new Set(), pred: new Set() }));
    const names = (marks) => new Set(marks.map(([, , , item]) => item).filter(Boolean));
    const pair = { gold: names(entry.gold), pred: names(entry.marks) };
    const half = (title, marks, side) => element("div", { class: "half" }, element("p", { class: "caption" }, title), textOf(marks, side, pair));
    const article = element("article", {}, about, element("div", { class: "sides" }, half("Gold standard", entry.gold, "gold"), half("Prediction", entry.marks, "pred")));
    if (judged(entry.gold) && judged(entry.marks)) link(article);
    return article;
  });
  return {
    show(key, partner, names) {
      if (!names.item || goTo(names.item) < 0) return;
      const side = (one) => (one?.startsWith("gold:") ? 1 : 2);
      for (const [one, name] of [[key, names.item], [partner, names.counterpart]]) {
        for (const mark of box.querySelectorAll(`.half:nth-child(${side(one)}) mark`)) if (one && mark.dataset.item === name) mark.classList.add("lit");
      }
    },
  };
}
