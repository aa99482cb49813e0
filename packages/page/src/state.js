// What is chosen, kept in the fragment of the address, so that a link shows the same.

const NAMES = ["run", "measure", "item", "find", "hide", "similarity", "group", "sort", "tables", "map", "open", "entry"];
export const state = Object.fromEntries(NAMES.map((name) => [name, ""]));
let anchor = "";

export function readFragment() {
  const [first, ...rest] = location.hash.slice(1).split("&");
  const named = first.includes("=") || !first ? [first, ...rest] : rest;
  anchor = named.length === rest.length && first ? decodeURIComponent(first) : "";
  const found = new URLSearchParams(named.join("&"));
  for (const name of NAMES) state[name] = found.get(name) ?? "";
  return anchor;
}

export function writeFragment(changes = {}, place) {
  Object.assign(state, changes);
  if (place !== undefined) anchor = place;
  const kept = new URLSearchParams(NAMES.filter((name) => state[name] !== "").map((name) => [name, state[name]]));
  const fragment = [anchor, kept.toString()].filter(Boolean).join("&");
  if (`#${fragment}` !== (location.hash || "#")) history.replaceState(null, "", `#${fragment}`);
}
