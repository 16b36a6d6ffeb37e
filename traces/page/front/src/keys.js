// The keyboard: what each key does, as the help lists it.
import { undoStep } from "./live.js";
import { at, choose, live, notice, preview, steps, causesOnly, rowHeight, tab, phoneTab, stateFilter } from "./store.js";

const page = () => Math.max(1, Math.floor((document.querySelector(".scroll")?.clientHeight || 400) / rowHeight.value) - 2);
export const zoom = (by) => (rowHeight.value = Math.max(6, Math.min(44, rowHeight.value + by)));
const focus = (id) => document.getElementById(id)?.focus();

// press chooses what can happen by its number, as a click does.
function press(n) {
  show("next");
  setTimeout(() => document.querySelector(`.choices button[data-choice="${n}"]`)?.click());
}

function more() {
  const fold = document.querySelector("details.more");
  fold.open = !fold.open;
  if (fold.open) fold.querySelector("summary").focus();
}

const actions = {
  "?": more, Escape: () => { notice.value = ""; preview.value = -1; document.querySelector("details.more").open = false; },
  u: () => live && undoStep(),
  ...Object.fromEntries([1, 2, 3, 4, 5, 6, 7, 8, 9].map((n) => [n, () => press(n)])),
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
  ["1 to 9", live ? "take a step that can happen" : "look at a step that can happen"], ...(live ? [["u", "undo the last step; so does the browser's Back"]] : []),
  ["+ −", "zoom"], ["?", "these keys"], ["Esc", "close a notice, leave a field"], ["/", "search"], ["f", "filter the state"],
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
