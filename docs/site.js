// Name what scrolls and what copies, for keyboards and screen readers: the theme adds both when a page is open.
const named = () => {
  document.querySelectorAll(".md-typeset__scrollwrap:not([tabindex])").forEach((table) => table.setAttribute("tabindex", "0"));
  document.querySelectorAll("nav.md-nav[aria-labelledby]").forEach((nav) => {
    nav.setAttribute("aria-label", nav.querySelector(".md-nav__title").textContent.trim());
    nav.removeAttribute("aria-labelledby");
  });
  document.querySelectorAll(".md-code__nav:not([aria-label])").forEach((nav, at) => nav.setAttribute("aria-label", `Code ${nav.closest("pre, .highlight")?.id || at + 1}`));
};
new MutationObserver(named).observe(document.documentElement, { childList: true, subtree: true });
named();
