// The panels beside the diagram: the state, which is always in view, and below it one of several.
import { html } from "./html.js";
import * as store from "./store.js";
import { at, choose, data, isLog, live, preview, stateAt, stateFilter, step, steps, tab, phoneTab, variable } from "./store.js";
import { nested } from "./tree.js";
import { StatePicture } from "./picture.js";
import { ahead, openAhead, take } from "./live.js";

const same = (a, b) => a && b && a.value === b.value;

// Value shows a value; one that is long and nested can be opened.
function Value({ text, was }) {
  const parts = text.length > 34 ? nested(text) : null;
  if (!parts) return html`<span class="value">${text}</span>`;
  const before = was !== undefined ? nested(was) : null;
  return html`<details class="tree"><summary>${parts.name || ""}${text[parts.name.length]} ${parts.parts.length} ${text[text.length - 1]} <span class="soft">${text}</span></summary>
    <ol start="0">${parts.parts.map((p, i) => html`<li class=${before && before.parts[i] !== p ? "changed" : ""}><${Value} text=${p} was=${before?.parts[i]} /></li>`)}</ol></details>`;
}

function show(owner, name) {
  variable.value = [owner, name];
  tab.value = "history";
  phoneTab.value = "lower";
}

// Changes lists what a step changed: was and is.
function Changes({ before, s }) {
  const list = [...(s.changed || []).map((v) => [v, v.value]), ...(s.gone || []).map((v) => [v, null])];
  if (!list.length) return html`<p class="soft">changes nothing</p>`;
  return html`<table class="changes"><tbody>${list.slice(0, 60).map(([v, now]) => {
    const was = before.get((v.owner || "") + "\n" + (v.name || ""));
    return html`<tr><th scope="row"><button class="link" onClick=${() => show(v.owner || "", v.name || "")}>${store.label(v.owner, v.name)}</button></th>
      <td>${was && html`<del>${was.value}</del> → `}${now === null ? html`<i>gone</i>` : html`<ins>${now}</ins>`}</td></tr>`;
  })}</tbody></table>`;
}

// StatePanel shows the step that is looked at, what it changed, and the state after it.
export function StatePanel() {
  const s = step.value, i = at.value, choice = preview.value >= 0 ? s.choices?.[preview.value] : null;
  const before = choice ? stateAt(i) : i > 0 ? stateAt(i - 1) : new Map(), now = choice ? store.after(choice) : stateAt(i);
  const groups = new Map(), wanted = stateFilter.value.toLowerCase();
  for (const [key, v] of now) {
    if (wanted && !store.label(v.owner, v.name).toLowerCase().includes(wanted) && !v.value.toLowerCase().includes(wanted)) continue;
    if (!groups.has(v.owner || "")) groups.set(v.owner || "", []);
    groups.get(v.owner || "").push([v, before.get(key)]);
  }
  return html`<div class="panel state"><h2>${choice ? "If instead" : isLog ? "Row" : "Step"} ${choice ? i + 1 : i}${!choice && ` of ${steps.value.length - 1}`}
      <small>${choice ? html`<button onClick=${() => (preview.value = -1)}>back to the run</button>` : ""}</small></h2>
    <p class="what" aria-live="polite">${(choice || s).text || (choice || s).event}</p>
    ${s.where && !choice && html`<p class="soft">${s.where}</p>`}
    ${!choice && store.excess(s) && html`<p class="bad"><b>Too many: ${store.units(s)} units in use, and there ${data.value.capacity === 1 ? "is" : "are"} ${data.value.capacity}.</b></p>`}
    ${(choice || s).failed && html`<p class="bad">${(choice || s).failed}</p>`}
    <${Standing} s=${s} choice=${choice} />
    ${(i > 0 || choice) && (!isLog || s.changed?.length > 0 && s.mark !== "departs") && html`<h3>Changed</h3><${Changes} before=${before} s=${choice || s} />`}
    ${!choice && html`<${StatePicture} p=${s.picture} />`}
    ${now.size > 0 && html`<h3>State <input id="filter" type="search" placeholder="filter" aria-label="filter the state" value=${stateFilter.value} onInput=${(e) => (stateFilter.value = e.target.value)} /></h3>
    <${Vars} groups=${groups} marks=${i > 0 || choice} at=${i} />`}
  </div>`;
}

// Vars shows variables: those of processes of one kind as a table with a column for each, the others
// one below the other.
function Vars({ groups, marks, at: i }) {
  const place = ([owner]) => (data.value.lanes.indexOf(owner) + 1 || data.value.lanes.length + 1);
  const all = [...groups].sort((a, b) => place(a) - place(b)), alike = all.filter(([owner, vars]) => owner && vars.length > 1 && data.value.lanes.includes(owner));
  const side = alike.length > 1 && alike.length <= 6 ? alike : [];
  const rest = all.filter((g) => !side.includes(g));
  const names = [...new Set(side.flatMap(([, vars]) => vars.map(([v]) => v.name || "")))];
  const mark = ([v, was]) => (marks && !same(v, was) ? "changed" : "");
  const dead = (owner) => store.isDead(owner, i);
  return html`${side.length > 0 && html`<table class="matrix"><thead><tr><td></td>${side.map(([owner]) => html`<th scope="col" class=${data.value.culprits.includes(owner) ? "bad" : ""}>${owner}${dead(owner) ? " †" : ""}</th>`)}</tr></thead>
    <tbody>${names.map((name) => html`<tr><th scope="row">${name || "state"}</th>${side.map(([owner, vars]) => {
      const found = vars.find(([v]) => (v.name || "") === name);
      return html`<td class=${found ? mark(found) : ""} onClick=${() => show(owner, name)} title="click for its history">${found && html`<${Value} text=${found[0].value} was=${found[1]?.value} />`}</td>`;
    })}</tr>`)}</tbody></table>`}
    <table class="vars"><tbody>${rest.map(([owner, vars]) => html`
      ${owner && html`<tr class="owner"><th scope="rowgroup" colspan="2">${owner}${dead(owner) ? html` <span class="bad">crashed</span>` : ""}</th></tr>`}
      ${vars.map(([v, was]) => html`<tr class=${mark([v, was])}>
        <th scope="row"><button class="link" title="its history" onClick=${() => show(v.owner || "", v.name || "")}>${v.name || "state"}</button></th>
        <td><${Value} text=${v.value} was=${was?.value} /></td></tr>`)}`)}</tbody></table>`;
}

// Standing names what is violated or reached after a step.
function Standing({ s, choice }) {
  const names = (letter) => (data.value.properties || []).filter((_, p) => s.verdicts?.[p] === letter).map((p) => p.name);
  if (choice) return html`<${Breaks} c=${choice} />`;
  const bad = names("v"), good = names("r");
  return html`${bad.length > 0 && html`<p class="bad">violated: ${bad.join(", ")}</p>`}${good.length > 0 && html`<p class="good">reached: ${good.join(", ")}</p>`}`;
}

const named = (list) => (list || []).map((p) => data.value.properties[p].name).join(", ");

function Breaks({ c }) {
  return html`${c.breaks && html` <span class="bad">breaks ${named(c.breaks)}</span>`}${c.reaches && html` <span class="good">reaches ${named(c.reaches)}</span>`}`;
}

const tabs = [["next", "Can happen"], ["ahead", "Ahead"], ["flight", "In flight"], ["history", "History"], ["lines", "Lines"], ["props", "Properties"], ["cycle", "For ever"], ["points", "Findings"]];

function offered() {
  return tabs.filter(([name]) => ({
    next: isLog ? step.value.choices : steps.value.some((s) => s.choices), ahead: live, flight: store.messages.value.length > 0, history: !isLog || variable.value, cycle: !!data.value.cycle,
    lines: data.value.actions?.length > 0, props: data.value.properties?.length > 0, points: isLog,
  })[name]);
}

// Lower shows one of the further panels.
export function Lower() {
  const list = offered(), now = list.some(([n]) => n === tab.value) ? tab.value : list[list.length - 1]?.[0];
  const body = { next: Choices, ahead: Ahead, flight: Flight, history: History, lines: Lines, props: Properties, cycle: Cycle, points: Points }[now];
  return html`<div class="panel lower"><div class="tabs" role="tablist" aria-label="further panels">${list.map(([name, text]) =>
    html`<button role="tab" id=${"tab-" + name} aria-selected=${name === now ? "true" : "false"} aria-controls="lower" onClick=${() => (tab.value = name)}>${text}</button>`)}</div>
    <div id="lower" role="tabpanel" tabindex="0" aria-labelledby=${"tab-" + now}>${body && html`<${body} />`}</div></div>`;
}

// Choices shows what is enabled after the step, grouped by process, with what each would break.
function Choices() {
  const s = step.value;
  if (!s.choices) return html`<p class="soft">${s.failed ? "The step fails: no state follows." : "Too many steps are enabled in this run to list the ones of this state."}</p>`;
  if (s.outside) return html`<p>This state leaves the constraint of the model: nothing that follows is looked at.</p>`;
  if (!s.choices.length) return html`<p>Nothing is enabled: the run ends here.</p>`;
  const groups = new Map(), faults = [];
  s.choices.forEach((c, k) => {
    if (c.fault) return faults.push([c, k]);
    if (!groups.has(c.node || "")) groups.set(c.node || "", []);
    groups.get(c.node || "").push([c, k]);
  });
  return html`${[...groups].map(([node, list]) => html`<h3>${node || "Anybody"}</h3><ul class="choices">${list.map(one)}</ul>`)}
    ${faults.length > 0 && html`<details class="faults" open=${faults.some(([c]) => c.breaks)}><summary>${faults.length === 1 ? "1 crash or fault" : faults.length + " crashes and faults"}</summary><ul class="choices">${faults.map(one)}</ul></details>`}
    <${Waiting} s=${s} />`;
}

function one([c, k]) {
  const s = step.value, taken = s.taken === k;
  const act = () => (live ? take(k) : taken ? choose(at.value + 1) : (preview.value = k));
  return html`<li class=${taken ? "taken" : ""}>${k < 9 && html`<kbd>${k + 1}</kbd> `}<button class="link" data-choice=${k + 1} onClick=${act} title=${live ? "take this step" : taken ? "the run goes on so" : "look at where it leads"}>${c.text || c.event}</button>
    ${taken && html`<span class="soft"> ← the run</span>`}<${Breaks} c=${c} />${c.outside && html`<span class="soft"> leaves the constraint</span>`}
    <${Near} n=${ahead.value?.at === at.value ? ahead.value.choices[k] : null} /></li>`;
}

// Near says how far it is from a choice to what is violated, or reached, next.
function Near({ n }) {
  return n && html`${n.bad && html`<span class="bad"> ${n.bad}</span>`}${n.text && html`<span class="soft"> ${n.text}</span>`}`;
}

// Ahead tells what the search from the state that is looked at has found so far.
function Ahead() {
  const a = ahead.value;
  if (!a || a.at !== at.value) return html`<p class="soft">…</p>`;
  return html`<p>${a.well}</p>
    <table class="list"><tbody>${a.targets.map((t) => html`<tr><td>${data.value.properties[t.property].name}</td><td class=${t.bad ? "bad" : ""}>${t.text}
      ${t.path && html` <button onClick=${() => openAhead(t.path)}>show</button>`}</td></tr>`)}</tbody></table>
    <h3>The search from here: ${a.text}</h3>
    ${!a.ended && html`<progress max="1" value=${a.progress} aria-label="how much of what it may visit was visited"></progress>`}
    <${Levels} levels=${a.levels} />`;
}

// Levels is a chart of how many states there are at each distance.
function Levels({ levels }) {
  const most = Math.max(...levels), w = Math.min(24, 360 / levels.length);
  return html`<svg class="levels" viewBox=${`0 0 ${Math.max(120, w * levels.length)} 80`} role="img" aria-label=${`states at each distance: ${levels.join(", ")}`}>
    ${levels.map((n, i) => html`<rect x=${i * w} width=${w * 0.85} y=${62 - (60 * n) / most} height=${(60 * n) / most + 1}><title>${n} at ${store.plural(i, "step")}</title></rect>`)}
    <text x="0" y="76">0 steps</text>${levels.length > 4 && html`<text x=${w * levels.length} y="76" text-anchor="end">${levels.length - 1}</text>`}</svg>
    <p class="soft">states by distance; at most ${most.toLocaleString("en")} at one</p>`;
}

// Waiting says of each kind of step that is not enabled when it was, or will be, in this run.
function Waiting() {
  const i = at.value, list = [];
  if (!data.value.lanes.length || steps.value.length > 2000) return null;
  const can = (j, node, event) => (steps.value[j].choices || []).some((c) => c.node === node && c.event === event);
  for (const lane of data.value.lanes) {
    for (const a of data.value.actions) {
      if (a.fault || can(i, lane, a.name)) continue;
      let last = i - 1, next = i + 1;
      while (last >= 0 && !can(last, lane, a.name)) last--;
      while (next < steps.value.length && !can(next, lane, a.name)) next++;
      if (last < 0 && next >= steps.value.length) continue;
      list.push(html`<li><b>${lane}</b> ${a.name}: ${last >= 0 && html`no more since <button class="link" onClick=${() => choose(last + 1)}>step ${last + 1}</button> (${steps.value[last + 1].text})`}
        ${last >= 0 && next < steps.value.length && "; "}${next < steps.value.length && html`again after <button class="link" onClick=${() => choose(next)}>step ${next}</button>`}</li>`);
    }
  }
  return list.length > 0 && html`<details class="waiting"><summary>${store.plural(list.length, "kind")} of steps not enabled, and why</summary><ul>${list}</ul></details>`;
}

function Flight() {
  const list = store.inFlight(at.value);
  if (!list.length) return html`<p class="soft">No message is under way.</p>`;
  return html`<table class="list"><thead><tr><th>from</th><th>to</th><th>message</th><th>sent</th><th>received</th></tr></thead><tbody>${list.map((m) => html`<tr><td>${m.from}</td><td>${m.to}</td><td>${m.text}</td>
    <td><button class="link" onClick=${() => choose(m.sent)}>${m.sent}</button></td><td>${m.got >= 0 ? html`<button class="link" onClick=${() => choose(m.got)}>${m.got}</button>` : m.lost >= 0 ? "lost" : data.value.cycle ? "never" : "not yet"}</td></tr>`)}</tbody></table>`;
}

// History shows the values of one variable over the steps.
function History() {
  const names = [...stateAt(at.value).values()].map((v) => [v.owner || "", v.name || ""]);
  const changed = at.value > 0 && step.value.changed?.find((v) => names.some(([o, n]) => o === (v.owner || "") && n === (v.name || "")));
  const chosen = variable.value || (changed ? [changed.owner || "", changed.name || ""] : names[0]);
  if (!chosen) return html`<p class="soft">There are no variables.</p>`;
  const list = store.history(...chosen);
  return html`<p><select aria-label="variable" value=${chosen.join("\n")} onChange=${(e) => (variable.value = e.target.value.split("\n"))}>
      ${names.map((n) => html`<option value=${n.join("\n")} selected=${n.join("\n") === chosen.join("\n")}>${store.label(...n)}</option>`)}</select> has had ${store.plural(list.length, "value")}</p>
    <table class="list"><tbody>${list.slice(0, 2000).map((h, k) => html`<tr class=${h.step <= at.value && (k + 1 === list.length || list[k + 1].step > at.value) ? "now" : ""}>
      <td><button class="link" onClick=${() => choose(h.step)}>${h.step === 0 ? "at first" : "step " + h.step}</button></td><td>${h.value === null ? html`<i>gone</i>` : h.value}</td><td class="soft">${h.step > 0 && steps.value[h.step].text}</td></tr>`)}</tbody></table>`;
}

function Lines() {
  const now = step.value.event;
  return html`<table class="list"><thead><tr><th>step</th><th>printed</th></tr></thead><tbody>${data.value.actions.map((a) => html`<tr class=${a.name === now ? "now" : ""}><td>${a.name}</td><td>${a.source || "–"}</td></tr>`)}</tbody></table>`;
}

function Properties() {
  const words = { v: "violated", r: "reached", h: "holds", "-": "" };
  return html`<table class="list"><tbody>${data.value.properties.map((p, k) => html`<tr class=${k === (store.property.value >= 0 ? store.property.value : data.value.shown) ? "now" : ""}><td class=${{ v: "bad", r: "good" }[step.value.verdicts?.[k]] || ""}>${words[step.value.verdicts?.[k] || "-"]}</td>
    <td>${p.name}</td><td class="soft">${p.doc}${store.firstBad.value[k] >= 0 && html` <button class="link" onClick=${() => choose(store.firstBad.value[k])}>violated from step ${store.firstBad.value[k]}</button>`}</td></tr>`)}</tbody></table>`;
}

function Cycle() {
  const c = data.value.cycle;
  return html`<p>${c.at === steps.value.length - 1 ? "Nothing more happens for ever." : `Steps ${c.at + 1} to ${steps.value.length - 1} repeat themselves for ever.`} ${data.value.part && html`It is ${data.value.part} that waits.`}</p>
    ${c.fairness.length > 0 && html`<p class="soft">The run is fair all the same:</p><table class="list"><tbody>${c.fairness.map((f) => html`<tr><td>${f.name}</td><td><button class="link" onClick=${() => choose(f.step)}>${f.how}</button></td></tr>`)}</tbody></table>`}`;
}

function Points() {
  return html`${(data.value.points || []).map((p) => html`<div class="point"><p class=${p.level}><b>${p.level}</b> ${p.row >= 0 ? html`<button class="link" onClick=${() => choose(p.row)}>${p.text}</button>` : p.text}</p>
    ${p.details && html`<pre>${p.details.join("\n")}</pre>`}</div>`)}`;
}

// Stepper goes from step to step by touch.
export function Stepper() {
  const n = steps.value.length - 1;
  return html`<nav class="stepper" aria-label="steps">
    <button aria-label="first step" onClick=${() => choose(0)}>|◀</button><button aria-label="step back" onClick=${() => choose(at.value - 1)}>◀</button>
    <span>${isLog ? "row" : "step"} ${at.value} of ${n}</span>
    <button aria-label="next step" onClick=${() => choose(at.value + 1)}>▶</button><button aria-label="last step" onClick=${() => choose(n)}>▶|</button></nav>`;
}

// PhoneTabs switch between the parts of the page where there is no room for all.
export function PhoneTabs() {
  return html`<nav class="phone" aria-label="parts of the page">${(live ? [["lower", "Choices"], ["run", "Run"], ["state", "State"]] : [["run", "Run"], ["state", "State"], ["lower", "More"]]).map(([name, text]) =>
    html`<button aria-pressed=${phoneTab.value === name ? "true" : "false"} onClick=${() => (phoneTab.value = name)}>${text}</button>`)}</nav>`;
}
