// What the page knows and where its reader is. Signals are read by the parts that show them.
import { signal, computed, batch } from "@preact/signals";

// Characters that cannot be seen, or that change the direction of writing, are spelled.
const unseen = /[\p{Cc}\p{Cf}\p{Co}\p{Cn}\p{Zl}\p{Zp}]/gu;
const longest = 20000; // characters of one text that are kept

// clean makes a text from outside one that can be shown.
export function clean(text) {
  const cut = text.length > longest ? text.slice(0, longest) + "…" : text;
  return cut.replace(unseen, (c) => "\\u{" + c.codePointAt(0).toString(16) + "}");
}

// parse reads JSON, with all its texts cleaned.
export const parse = (text) => JSON.parse(text, (_, v) => (typeof v === "string" ? clean(v) : v));

export const data = signal(parse(document.getElementById("data").textContent));
export const live = !!data.value.api;
export const isLog = data.value.kind === "log";

// The reader begins at the end of a run, where it shows something, and in a log where it departs.
export const at = signal(isLog && data.value.start >= 0 ? data.value.start : data.value.steps.length - 1);
export const hover = signal(-1);
export const causesOnly = signal(false);
export const query = signal("");
export const messageType = signal("");
export const mutedLanes = signal(new Set());
export const opened = signal(new Set()); // folds that the reader opened, by their first step
export const rowHeight = signal(24);
export const tab = signal(isLog ? "points" : data.value.cycle ? "cycle" : "next"); // of the lower panel
export const phoneTab = signal(live ? "lower" : "run");
export const variable = signal(null); // whose history is shown: [owner, name]
export const stateFilter = signal("");
export const preview = signal(-1); // the choice that is looked at
export const notice = signal(""); // what the page has to say, such as an error of the server

export const steps = computed(() => data.value.steps);
export const step = computed(() => steps.value[at.value]);

// choose makes a step the one that is looked at.
export function choose(i) {
  batch(() => {
    at.value = Math.max(0, Math.min(steps.value.length - 1, i));
    preview.value = -1;
  });
}

export const label = (owner, name) => (owner && name ? owner + "." + name : owner || name || "state");
const key = (v) => (v.owner || "") + "\n" + (v.name || "");

// States are made from what the steps change. Some are kept, so that none takes long.
const every = 200;
const kept = computed(() => {
  const all = [new Map()];
  let now = new Map();
  steps.value.forEach((s, i) => {
    if (i > 0 && i % every === 0) all.push(new Map(now));
    apply(now, s);
  });
  return all;
});

function apply(state, s) {
  for (const v of s.changed || []) state.set(key(v), v);
  for (const v of s.gone || []) state.delete(key(v));
}

// stateAt returns the variables after a step, by owner and name, in the order of the model.
export function stateAt(i) {
  const base = Math.floor(i / every);
  const now = new Map(kept.value[base]);
  for (let j = base * every; j <= i; j++) apply(now, steps.value[j]);
  return now;
}

// after returns the state to which a choice leads from the step that is looked at.
export function after(choice) {
  const now = stateAt(at.value);
  apply(now, choice);
  return now;
}

// history lists the values that a variable has, each with the step from which on.
export function history(owner, name) {
  const wanted = key({ owner, name }), list = [];
  steps.value.forEach((s, i) => {
    for (const v of s.changed || []) if (key(v) === wanted) list.push({ step: i, value: v.value });
    for (const v of s.gone || []) if (key(v) === wanted) list.push({ step: i, value: null });
  });
  return list;
}

// messages lists what is sent, each with the steps of its send, receipt and loss.
export const messages = computed(() => {
  const list = [], byID = new Map();
  steps.value.forEach((s, i) => {
    const m = s.received;
    if (m) {
      const known = byID.get(m.id);
      if (known && known.got < 0) known.got = i;
      else if (!isLog) list.push({ ...m, sent: 0, got: i, lost: -1 });
    }
    for (const l of s.lost || []) if (byID.has(l.id)) byID.get(l.id).lost = i;
    for (const o of s.sent || []) {
      const entry = { ...o, sent: i, got: -1, lost: -1 };
      byID.set(o.id, entry);
      list.push(entry);
    }
  });
  return list;
});

// byID are the messages that are sent, by their ids.
export const byID = computed(() => new Map(messages.value.map((m) => [m.id, m])));

// inFlight lists the messages that are under way after a step.
export const inFlight = (i) =>
  messages.value.filter((m) => m.sent <= i && (m.got < 0 || m.got > i) && (m.lost < 0 || m.lost > i) && (m.got > i || !closed(m, i)));

// deaths lists for each process from which step to which it is dead. In a log who acts is alive.
export const deaths = computed(() => {
  const all = new Map();
  const of = (list, is) => (list || []).filter((v) => v.name === "crashed" && is(v)).map((v) => v.owner);
  const open = (lane) => all.get(lane)?.findLast(([, to]) => to === Infinity);
  steps.value.forEach((s, i) => {
    const down = [...of(s.changed, (v) => v.value === "true"), ...(s.crashed ? [s.node] : [])];
    const up = [...of(s.changed, (v) => v.value !== "true"), ...of(s.gone, () => true), ...(isLog && !s.crashed ? [s.node] : [])];
    for (const lane of up) if (open(lane)) open(lane)[1] = i;
    for (const lane of down) if (!open(lane)) all.set(lane, [...(all.get(lane) || []), [i, Infinity]]);
  });
  return all;
});
export const isDead = (lane, i) => (deaths.value.get(lane) || []).some(([from, to]) => from <= i && i < to);
const closed = (m, i) => (deaths.value.get(m.to) || []).some(([from, to]) => from <= i && m.sent < to);

export const plural = (n, thing) => n + " " + thing + (n === 1 ? "" : "s");

// kind is the type of a message: what stands before its arguments.
export const kind = (text) => (text.match(/^[^\s([{<:]+/) || [text])[0];
export const messageTypes = computed(() => [...new Set(messages.value.map((m) => kind(m.text)))].sort().slice(0, 200));

// causes are the steps whose order suffices for the violation, with its last steps; if no order is known, all
// steps that happened before what the run shows.
export const causes = computed(() => {
  if (data.value.order) return new Set([...data.value.order, ...(data.value.roots || [])]);
  const found = new Set(), todo = [...(data.value.roots || [])];
  while (todo.length) {
    const i = todo.pop();
    if (found.has(i)) continue;
    found.add(i);
    for (const j of steps.value[i]?.causes || []) todo.push(j);
  }
  return found;
});

const words = (s) => [s.text, s.event, s.node, s.where, s.received?.text, ...(s.sent || []).map((m) => m.text)].join(" ").toLowerCase();

// shownSteps says which steps pass the filters.
const passes = computed(() => {
  const q = query.value.toLowerCase(), type = messageType.value, muted = mutedLanes.value;
  if (!q && !type && muted.size === 0) return null;
  return (s, i) => {
    if (i === 0) return true;
    if (muted.has(s.node)) return false;
    if (type && ![s.received, ...(s.sent || [])].some((m) => m && kind(m.text) === type)) return false;
    return !q || words(s).includes(q);
  };
});

// rows are what the diagram shows one below the other: steps, and folds of those that were
// filtered out.
export const rows = computed(() => {
  const pass = passes.value, list = [], row = new Int32Array(steps.value.length), open = opened.value;
  let start = -1;
  steps.value.forEach((s, i) => {
    const hidden = pass && !pass(s, i);
    if (hidden && start < 0) start = i;
    if (!hidden) start = -1;
    if (hidden && !open.has(start)) {
      if (start === i) list.push({ first: i, last: i, fold: true });
      list[list.length - 1].last = i;
    } else list.push({ first: i, last: i, fold: false });
    row[i] = list.length - 1;
  });
  return { list, row };
});

// property is the one that the list of properties shows first; -1: none in particular.
export const property = signal(-1);

// firstBad is for each property the first step that violates it; -1: none does.
export const firstBad = computed(() => (data.value.properties || []).map((_, p) => steps.value.findIndex((s) => s.verdicts?.[p] === "v")));

// stays lists where each process uses units: [lane, first step, first step after it].
export const stays = computed(() => {
  const list = [], since = new Map();
  const n = steps.value.length;
  steps.value.forEach((s, i) => {
    const now = new Set((s.inside || []).map((u) => u.owner));
    for (const lane of now) if (!since.has(lane)) since.set(lane, i);
    for (const [lane, first] of since) {
      if (!now.has(lane)) {
        list.push([lane, first, i]);
        since.delete(lane);
      }
    }
  });
  for (const [lane, first] of since) list.push([lane, first, n]);
  return list;
});

export const units = (s) => (s.inside || []).reduce((n, u) => n + u.units, 0);
export const excess = (s) => data.value.capacity > 0 && units(s) > data.value.capacity;

// columns are the variables that stand side by side where there are no processes.
export const columns = computed(() =>
  data.value.lanes.length ? [] : (steps.value[0]?.changed || []).map((v) => [v.owner || "", v.name || ""]).slice(0, 12));
