import { html } from "./html.js";
import { data, causesOnly, query, messageType, messageTypes, mutedLanes, rows, steps, isLog, plural } from "./store.js";
import { help, zoom } from "./keys.js";

// Head says first what the run shows, who does it, and of which model it is one.
export function Head() {
  const d = data.value;
  return html`<header>
    <h1 class=${"verdict " + d.verdict.replace(" ", "-")}>${d.sentence}</h1>
    ${d.says && html`<p class="says"><b>${d.shown >= 0 ? d.properties[d.shown].name : "It says"}:</b> ${d.says}</p>`}
    ${d.why && html`<p class="why">${d.why}</p>`}
    ${(d.notes || []).map((n) => html`<p class="says">${n}</p>`)}
    <p class="model">
      ${d.model && html`<b>${d.model}</b>`} ${d.set.join(" ")}
      ${d.title && html`<span class="soft"> · ${d.title}${d.source && ", " + d.source}</span>`}
    </p>
    <details class="more"><summary>parameters, command, keys</summary>
      ${d.default.length > 0 && html`<p class="soft">By default: ${d.default.join(" ")}</p>`}
      ${d.command && html`<p>Again: <code>${d.command}</code></p>`}
      <table class="keys"><tbody>${help.map(([k, what]) => html`<tr><td><kbd>${k}</kbd></td><td>${what}</td></tr>`)}</tbody></table>
      <p class="soft">${d.tool}</p>
    </details>
  </header>`;
}

function toggle(lane) {
  const next = new Set(mutedLanes.value);
  if (!next.delete(lane)) next.add(lane);
  mutedLanes.value = next;
}

// Tools filter and zoom the diagram.
export function Tools() {
  const d = data.value, hidden = rows.value.list.filter((r) => r.fold).reduce((n, r) => n + r.last - r.first + 1, 0);
  return html`<div class="tools">
    ${(d.roots || []).length > 0 && d.lanes.length > 0 && html`<label><input type="checkbox" id="causes" checked=${causesOnly.value}
      onChange=${(e) => (causesOnly.value = e.target.checked)} /> causes only</label>`}
    <input id="search" type="search" placeholder="search" aria-label="search the steps" value=${query.value}
      onInput=${(e) => (query.value = e.target.value)} />
    ${messageTypes.value.length > 1 && html`<select aria-label="messages of one type" value=${messageType.value}
      onChange=${(e) => (messageType.value = e.target.value)}>
      <option value="">all messages</option>${messageTypes.value.map((t) => html`<option value=${t}>${t}</option>`)}</select>`}
    ${d.lanes.length > 1 && html`<details class="lanes"><summary>processes</summary><div>${d.lanes.map((l) =>
      html`<label><input type="checkbox" checked=${!mutedLanes.value.has(l)} onChange=${() => toggle(l)} /> ${l}</label>`)}</div></details>`}
    <span class="zoom"><button aria-label="zoom out" onClick=${() => zoom(-4)}>−</button><button aria-label="zoom in" onClick=${() => zoom(4)}>+</button></span>
    <span class="soft">${plural(steps.value.length - 1, isLog ? "row" : "step")}${hidden > 0 && `, ${hidden} folded`}</span>
  </div>`;
}
