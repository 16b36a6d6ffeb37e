// The keyboard: what each key does, as the help lists it.
import { at, choose, steps, causesOnly, rowHeight, tab, phoneTab, stateFilter } from "./store.js";

const page = () => Math.max(1, Math.floor((document.querySelector(".scroll")?.clientHeight || 400) / rowHeight.value) - 2);
export const zoom = (by) => (rowHeight.value = Math.max(6, Math.min(44, rowHeight.value + by)));
const focus = (id) => document.getElementById(id)?.focus();

const actions = {
  ArrowDown: () => choose(at.value + 1), ArrowRight: () => choose(at.value + 1),
  ArrowUp: () => choose(at.value - 1), ArrowLeft: () => choose(at.value - 1),
  PageDown: () => choose(at.value + page()), PageUp: () => choose(at.value - page()),
  Home: () => choose(0), End: () => choose(steps.value.length - 1),
  c: () => (causesOnly.value = !causesOnly.value),
  "+": () => zoom(4), "-": () => zoom(-4), "/": () => focus("search"),
  n: () => show("next"), a: () => show("ahead"), m: () => show("flight"), h: () => show("history"), l: () => show("lines"), p: () => show("props"),
  f: () => { phoneTab.value = "state"; stateFilter.value = ""; focus("filter"); },
};

function show(name) {
  tab.value = name;
  phoneTab.value = "lower";
}

export const help = [
  ["↓ → ↑ ←", "next and previous step"], ["Home End", "first and last step"], ["c", "causes only"],
  ["+ −", "zoom"], ["/", "search"], ["f", "filter the state"],
  ["n a m h l p", "what can happen, what is ahead, messages, history, lines, properties"],
];

export function keys(e) {
  if (e.ctrlKey || e.metaKey || e.altKey) return;
  const tag = e.target.tagName;
  if (tag === "INPUT" || tag === "SELECT" || tag === "TEXTAREA") {
    if (e.key === "Escape") e.target.blur();
    return;
  }
  if (tag === "BUTTON" && (e.key === " " || e.key === "Enter")) return;
  const act = actions[e.key];
  if (!act) return;
  e.preventDefault();
  act();
}
