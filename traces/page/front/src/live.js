// Going on from every state, where the page is served by the program. The server keeps nothing but
// what it was started with: each question names the path, as the numbers of the choices taken.
import { batch, signal } from "@preact/signals";
import { html } from "./html.js";
import { at, choose, clean, data, notice, parse, plural, steps, step } from "./store.js";

const path = signal(data.value.path || []);
const initial = signal(data.value.initial || 0);
const tried = signal([]); // paths that the reader left for others, the latest last
const beside = signal(null); // the path that is compared with the one that is open
const goal = signal(""); // the property to which a run is wanted
const where = signal(""); // or the conditions
const busy = signal("");
const wander = signal(20); // steps of a random run
export const ahead = signal(null); // what the search from the state that is looked at has found: { at, ... }
let watching = new AbortController();
let searching = new AbortController();

// giveUp ends a search for a shortest run: another question, or the page loaded again, would wait for it.
const giveUp = () => searching.abort();
addEventListener("beforeunload", giveUp);

// ask sends a question to the server; what it answers, or null where it refused, or the search was given up.
async function ask(what, question, read = parse) {
  giveUp();
  const { signal } = (searching = new AbortController());
  busy.value = what;
  try {
    const r = await fetch(data.value.api + what, {
      method: "POST", headers: { "Content-Type": "application/json" },
      body: JSON.stringify({ initial: initial.value, ...question }), signal: what === "shortest" ? signal : null,
    });
    const text = await r.text();
    notice.value = r.ok ? "" : clean(text.trim());
    if (r.ok) return read(text);
  } catch (e) {
    if (!signal.aborted) notice.value = "The program does not answer: " + e.message;
  } finally {
    if (searching.signal === signal) busy.value = "";
  }
}

const common = (a, b) => {
  let n = 0;
  while (n < a.length && n < b.length && a[n] === b[n]) n++;
  return n;
};

// untold is what an answer leaves out where it does not apply.
const untold = { labels: [], why: "", order: null, says: "", shown: -1, part: "" };

// go opens another path, of which the part that it has in common with the one that is open is known.
async function go(next, where = next.length, record = true) {
  const was = path.value, n = common(was, next);
  const answer = await ask("run", { path: next, from: n + 1 });
  if (!answer) return;
  if (path.value !== was) return go(next, where, record); // another path was opened meanwhile
  batch(() => {
    if (record && n < path.value.length) remember(path.value);
    const kept = steps.value.slice(0, n + 1);
    kept[n] = { ...kept[n], taken: next[n] ?? -1 };
    const lanes = answer.lanes.length >= data.value.lanes.length ? answer.lanes : data.value.lanes;
    data.value = { ...data.value, ...untold, ...answer, lanes, steps: [...kept, ...answer.steps] };
    path.value = next;
    beside.value = null;
    choose(where);
  });
  if (record) visit();
  look();
}

// address names the steps of the open path, so that a link also fits a model that has changed, as far as possible.
const address = () => "#" + initial.value + ":" + (data.value.labels || []).map(encodeURIComponent).join(";");

// visit makes the open path an entry of the browser's history, so that Back opens the one before.
function visit() {
  if (location.hash !== address()) history.pushState(null, "", address());
  document.title = plural(path.value.length, "step") + " · " + data.value.model;
}

// begin goes to another initial state.
async function begin(k, record = true) {
  const before = initial.value;
  initial.value = k;
  const answer = await ask("run", { path: [], from: 0 });
  if (!answer) return void (initial.value = before);
  batch(() => {
    data.value = { ...data.value, ...untold, ...answer };
    path.value = [];
    tried.value = [];
    beside.value = null;
    choose(0);
  });
  if (record) visit();
  look();
}

function remember(old) {
  const same = (p) => p.length === old.length && common(p, old) === old.length;
  tried.value = [...tried.value.filter((p) => !same(p)), old].slice(-50);
}

// take takes a choice in the state that is looked at, and leaves what followed there so far.
export function take(k) {
  if (step.value.taken === k && at.value < path.value.length) return choose(at.value + 1);
  return go([...path.value.slice(0, at.value), k]);
}

// look asks for what the search from the state that is looked at has found, over and over while it goes on and
// the reader stays there.
async function look() {
  watching.abort();
  const mine = (watching = new AbortController()), here = at.value;
  const body = JSON.stringify({ initial: initial.value, path: path.value.slice(0, here) });
  for (let ended = false; !ended;) {
    const r = await fetch(data.value.api + "ahead", { method: "POST", headers: { "Content-Type": "application/json" }, body, signal: mine.signal }).catch(() => null);
    if (!r?.ok) return;
    const answer = parse(await r.text().catch(() => "null"));
    if (mine.signal.aborted || !answer) return;
    ahead.value = { ...answer, at: here };
    ended = answer.ended;
    if (document.hidden) await new Promise((seen) => document.addEventListener("visibilitychange", seen, { once: true }));
  }
}

// openAhead opens a run that the search has found.
export const openAhead = (choices) => go([...path.value.slice(0, at.value), ...choices]);

function save(name, text) {
  const a = document.createElement("a");
  a.href = URL.createObjectURL(new Blob([text], { type: "text/plain" }));
  a.download = name;
  a.click();
  setTimeout(() => URL.revokeObjectURL(a.href), 1000);
}

async function found(what, question) {
  const answer = await ask(what, question);
  if (!answer) return;
  if (answer.path) await go(answer.path);
  if (answer.text) notice.value = answer.text;
}

async function file(what, name) {
  const answer = await ask(what, { path: path.value }, JSON.parse); // as it is: it is not shown
  if (answer) save(name, answer.text);
}

// undo leaves the crash out that is looked at, and takes the rest again as far as it goes.
const undo = () => found("undo", { path: path.value, step: at.value });

// find looks for the shortest run from the step that is looked at, or names the command that answers.
function find(here, sought) {
  const p = data.value.properties[sought.property], d = data.value;
  if (!p || seen(p)) return found("shortest", { path: here, ...sought });
  notice.value = `${p.name} is about whole runs (${p.kind}): ${d.tool.split(" ")[0]} check ${d.args} ${p.kind === "costs" ? "--costs " : ""}--property ${p.name}`;
}

// undoStep leaves the last step of the path out.
export const undoStep = () => path.value.length > 0 && go(path.value.slice(0, -1));

// seen reports whether a single state or step shows a property.
const seen = (p) => p.kind !== "liveness" && p.kind !== "costs";

// offers completes the condition that is typed, the last one of the text.
function offers(text) {
  const before = text.slice(0, text.lastIndexOf(";") + 1), typed = text.slice(before.length).trim().toLowerCase();
  return (data.value.conditions || []).filter((c) => c.toLowerCase().startsWith(typed)).slice(0, 60).map((c) => html`<option value=${before + c} />`);
}

const small = matchMedia("(max-width: 900px)").matches;

export function Live() {
  const here = path.value.slice(0, at.value);
  const sought = where.value.trim() ? { where: where.value } : goal.value !== "" && { property: Number(goal.value) };
  const button = (text, act, off) => html`<button disabled=${!!off || !!busy.value} onClick=${act}>${text}</button>`;
  return html`<div class="live" role="group" aria-label="explore">
    ${data.value.initials > 1 && html`<label>initial state <input type="number" min="0" max=${data.value.initials - 1} value=${initial.value} onChange=${(e) => begin(Number(e.target.value))} /> of ${data.value.initials}</label>`}
    ${button("◀ undo", undoStep, path.value.length === 0)}
    ${small ? html`<details class="asks"><summary>random run, find, save</summary>${asks()}</details>` : asks()}
    ${busy.value && html`<span class="soft" role="status">…</span>`}
  </div>`;

  function asks() {
    return html`
    <span>${button("random run", () => found("random", { path: here, steps: wander.value }))} of${" "}
      <input type="number" min="1" max="1000" aria-label="steps of a random run" value=${wander.value} onChange=${(e) => (wander.value = Number(e.target.value))} /> steps</span>
    <form onSubmit=${(e) => { e.preventDefault(); if (sought) find(here, sought); }}>
      <label>shortest run from here to <select value=${goal.value} onChange=${(e) => batch(() => { goal.value = e.target.value; where.value = ""; })}>
        <option value="">…</option>${data.value.properties.map((p, i) => html`<option value=${i}>${p.name} ${p.kind === "reachability" ? "reached" : "violated"}${!seen(p) && " (by check)"}</option>`)}</select></label>
      <label> or where <input name="where" size="26" placeholder=${data.value.example || "variable=value"} list="conditions" title="conditions with ; between them: = != < <= > >=" value=${where.value}
        onInput=${(e) => batch(() => { where.value = e.target.value; goal.value = ""; })} /></label>
      <datalist id="conditions">${offers(where.value)}</datalist>
      <button disabled=${!sought || !!busy.value}>find</button></form>
    ${button("undo this crash", undo, !step.value.crashed)}
    ${button("save trace", () => file("trace", data.value.model + ".ndjson"), path.value.length === 0)}
    ${button("save scenario", () => file("scenario", data.value.model + ".scenario"), path.value.length === 0)}
    ${tried.value.length > 0 && html`<details class="tried"><summary>${tried.value.length} tried</summary><${Tried} /></details>`}`;
  }
}

// Tried lists the branches that were left, each with where it parts from the open one.
function Tried() {
  return html`<div><ul>${tried.value.map((p) => html`<li><button class="link" onClick=${() => go(p)}>${plural(p.length, "step")}, parts at step ${common(p, path.value) + 1}</button>
    ${" "}<button class="link" onClick=${() => compare(p)}>compare</button></li>`)}</ul>
    ${beside.value && html`<${Beside} />`}</div>`;
}

async function compare(other) {
  const answer = await ask("run", { path: other, from: common(path.value, other) + 1 });
  if (answer) beside.value = { other, steps: answer.steps, from: common(path.value, other) };
}

// Beside shows two branches side by side from their first difference.
function Beside() {
  const { steps: others, from } = beside.value, mine = steps.value.slice(from + 1);
  const n = Math.max(mine.length, others.length);
  return html`<table class="list"><thead><tr><th></th><th>this run</th><th>the other</th></tr></thead><tbody>${Array.from({ length: n }, (_, i) =>
    html`<tr class=${i === 0 ? "now" : ""}><td>${from + 1 + i}</td><td>${mine[i]?.text || ""}</td><td>${others[i]?.text || ""}</td></tr>`)}</tbody></table>`;
}

// open opens the run that the address names, as far as the model has its steps. If there is no answer after
// Back or Forward, the address names the open run again.
async function open(moved) {
  const [, first, rest] = location.hash.match(/^#(\d+):(.*)$/) || [, "0", location.hash.slice(1)];
  if (location.hash === address()) return look();
  let labels;
  try {
    labels = rest.split(";").filter((x) => x).map(decodeURIComponent);
  } catch {
    labels = [rest];
  }
  const answer = await ask("link", { initial: Number(first), labels });
  if (!answer) return moved && history.replaceState(null, "", address());
  if (Number(first) !== initial.value && Number(first) < data.value.initials) await begin(Number(first), false);
  const next = answer.path || [];
  await go(next, next.length, false);
  history.replaceState(null, "", address());
  notice.value = answer.text || "";
}

// start opens the path that the address names, now and whenever Back or Forward changes it.
export async function start() {
  if (location.hash) await open();
  else {
    history.replaceState(null, "", address());
    look();
  }
  window.addEventListener("popstate", open);
  let last = at.value;
  at.subscribe((i) => { if (i !== last) { last = i; look(); } });
}
