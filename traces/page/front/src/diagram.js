// The space-time diagram: a row for each step, a line for each process. Only the rows in sight are
// drawn, so that a log of 100,000 lines scrolls as a short run does.
import { useEffect, useLayoutEffect, useRef } from "preact/hooks";
import { signal, computed } from "@preact/signals";
import { html } from "./html.js";
import * as store from "./store.js";
import { at, choose, causes, causesOnly, columns, data, excess, hover, messages, opened, rowHeight, rows, stays, steps, units } from "./store.js";

const sight = signal({ first: 0, last: 60 }); // rows that are drawn
const ahead = 24; // rows that are drawn beyond what is in sight
const mostPrinted = 5000; // rows

// layout says where everything stands across.
const layout = computed(() => {
  const d = data.value, phone = narrow.value;
  const longest = Math.max(0, ...d.lanes.map((l) => l.length));
  const room = (phone ? 90 : 420) / Math.max(1, d.lanes.length);
  const lane = Math.max(phone ? 20 : 30, Math.min(longest * 8 + 10, room));
  const number = String(steps.value.length).length * 8 + 12;
  const cycle = d.cycle ? 14 : 0;
  const from = number + cycle;
  const most = steps.value.reduce((n, s) => Math.max(n, units(s)), d.capacity); // many: no arguments of a call
  const unit = Math.min(phone ? 7 : 12, 48 / Math.max(1, most));
  const capacity = from + lane * d.lanes.length + 8;
  const useWidth = d.uses ? most * unit + 14 : 0;
  const props = capacity + useWidth;
  const propWidth = d.properties?.length ? Math.min(9, (phone ? 18 : 90) / d.properties.length) : 0;
  return { lane, number, cycle, from, unit, capacity, useWidth, props, propWidth,
    width: props + propWidth * (d.properties?.length || 0) + 8, value: 64 };
});
export const narrow = signal(false);

const x = (lane) => layout.value.from + (data.value.lanes.indexOf(lane) + 0.5) * layout.value.lane;
const top = (step) => rows.value.row[Math.min(step, steps.value.length - 1)] * rowHeight.value;
const y = (step) => top(step) + rowHeight.value / 2;
const grey = (i) => causesOnly.value && !causes.value.has(i);

export function Diagram() {
  const box = useRef(null), dragged = useRef(null);
  const height = rowHeight.value, all = rows.value.list;
  const look = () => {
    const el = box.current;
    if (!el) return;
    const height = rowHeight.peek(), all = rows.peek().list; // now, not when this was rendered
    const first = Math.max(0, Math.min(all.length - 1, Math.floor(el.scrollTop / height)) - ahead);
    const last = Math.min(all.length - 1, Math.ceil((el.scrollTop + el.clientHeight) / height) + ahead);
    const now = sight.peek();
    if (Math.abs(first - now.first) > ahead / 2 || Math.abs(last - now.last) > ahead / 2 || now.last > all.length - 1 || first === 0 && now.first > 0 || last === all.length - 1 && now.last < last) {
      sight.value = { first, last };
    }
  };
  useLayoutEffect(look, [height, all]);
  useEffect(() => {
    const el = box.current, seen = new ResizeObserver(() => { narrow.value = el.clientWidth < 560; look(); });
    if (el.clientWidth < 560) rowHeight.value = 34;
    seen.observe(el);
    addEventListener("beforeprint", () => { sight.value = { first: 0, last: Math.min(rows.peek().list.length - 1, mostPrinted) }; });
    addEventListener("afterprint", look);
    return () => seen.disconnect();
  }, []);
  // The step that is looked at stays in sight.
  useLayoutEffect(() => {
    const el = box.current, y0 = top(at.value);
    if (y0 < el.scrollTop || y0 + height > el.scrollTop + el.clientHeight - 40) {
      el.scrollTop = Math.max(0, y0 - (el.clientHeight - 40) * (y0 < el.scrollTop ? 0.3 : 0.7));
    }
    look();
  }, [at.value, height, all]);
  const { first, last } = sight.value, l = layout.value;
  const inSight = all.slice(first, last + 1);
  return html`<div class="scroll" ref=${box} onScroll=${look} ...${dragging(box, dragged)} tabindex="0" role="region" aria-label="diagram; arrow keys go from step to step">
    <${Names} />
    <div class="rows" style=${{ height: all.length * height + 34 + "px", minWidth: l.width + columns.value.length * l.value + 120 + "px" }}>
      <${Marks} first=${first} last=${last} />
      <${Picture} first=${first} last=${last} />
      ${inSight.map((r, k) => html`<${Row} key=${r.first} r=${r} y=${(first + k) * height} left=${l.width} />`)}
      ${last >= all.length - 1 && html`<div class="end" style=${{ top: all.length * height + "px", left: l.width + "px" }}>${ending()}</div>`}
    </div>
  </div>`;
}

// ending says how the run goes on after its last step.
function ending() {
  const d = data.value;
  if (!d.cycle) return "";
  if (d.cycle.at === steps.value.length - 1) return "and nothing more for ever";
  return `↺ and again from step ${d.cycle.at}, for ever`;
}

// dragging moves the diagram with the mouse; a click without moving chooses a row.
function dragging(box, from) {
  return {
    onPointerDown: (e) => { if (e.pointerType === "mouse" && e.button === 0) from.current = { y: e.clientY, top: box.current.scrollTop, moves: false }; },
    onPointerMove: (e) => {
      if (!from.current || !(e.buttons & 1)) { from.current = null; return; }
      const moved = e.clientY - from.current.y;
      if (Math.abs(moved) > 4) from.current.moves = true;
      if (from.current.moves) box.current.scrollTop = from.current.top - moved;
    },
    onPointerUp: () => { from.current = null; },
  };
}

function Names() {
  const d = data.value, l = layout.value;
  const name = (text, left, width, cls, title) =>
    html`<span class=${"name " + (cls || "")} title=${title || text} style=${{ left: left + "px", width: width + "px" }}>${text}</span>`;
  return html`<div class="names" style=${{ minWidth: l.width + columns.value.length * l.value + 120 + "px" }}>
    ${d.lanes.map((lane) => name(lane, l.from + d.lanes.indexOf(lane) * l.lane, l.lane, (d.culprits.includes(lane) ? "culprit" : "") + (l.lane < 26 ? " close" : ""),
      d.culprits.includes(lane) ? lane + ": what is shown is about it" : lane))}
    ${l.useWidth > 0 && name(d.capacity ? (l.useWidth < 34 ? "/" : "of ") + d.capacity : "use", l.capacity - 4, l.useWidth, "small", d.capacity ? `units in use; there are ${d.capacity}, the line falls with each crash, and rises with each recovery` : "units in use")}
    ${l.propWidth * d.properties?.length > 50 && name("properties", l.props, l.propWidth * d.properties.length, "small", d.properties.map((p) => p.name).join(", "))}
    ${columns.value.map(([owner, n], i) => name(store.label(owner, n), l.width + i * l.value, l.value - 6, "value"))}
  </div>`;
}

// Marks are the bands behind the rows: the step that is looked at, where too many are inside, a cycle.
function Marks({ first, last }) {
  const h = rowHeight.value, list = [];
  const band = (cls, from, to) => list.push(html`<div class=${"band " + cls} style=${{ top: from + "px", height: to - from + "px" }}></div>`);
  for (let r = first; r <= last && r < rows.value.list.length; r++) {
    const row = rows.value.list[r], s = steps.value[row.first];
    if (!row.fold && (excess(s) || s.mark === "departs")) band("over", r * h, (r + 1) * h);
  }
  band("at", top(at.value), top(at.value) + h);
  return list;
}

// Picture draws what is in sight of lanes, stays, messages, units and properties.
function Picture({ first, last }) {
  const h = rowHeight.value, l = layout.value, list = rows.value.list;
  if (!list.length) return null;
  const from = list[Math.min(first, list.length - 1)].first, to = list[Math.min(last, list.length - 1)].last;
  const y0 = first * h, height = (last - first + 1) * h;
  return html`<svg class="picture" width=${l.width} height=${height} viewBox="0 ${y0} ${l.width} ${height}" style=${{ top: y0 + "px" }} aria-hidden="true">
    <${Cycle} from=${from} to=${to} />
    ${data.value.lanes.map((lane) => html`<${Lane} key=${lane} lane=${lane} y1=${y0} y2=${y0 + height} />`)}
    ${stays.value.filter(([, a, b]) => b >= from && a <= to).map(([lane, a, b]) => html`<rect class=${"stay" + (data.value.culprits.includes(lane) && b >= steps.value.length ? " culprit" : "")}
      x=${x(lane) - 6} width="12" rx="5" y=${y(a)} height=${Math.max(4, (b < steps.value.length ? y(b) : list.length * h) - y(a))} />`)}
    ${messages.value.filter((m) => m.sent <= to && Math.max(m.got, m.lost, m.sent + 1) >= from).map(arrow)}
    <${Events} first=${first} last=${last} />
    <${Use} first=${first} last=${last} />
    <${Truth} first=${first} last=${last} />
  </svg>`;
}

// Lane draws the line of a process: dotted where it is dead.
function Lane({ lane, y1, y2 }) {
  let alive = y1;
  const piece = (cls, from, to) => to > from && html`<line class=${cls} x1=${x(lane)} x2=${x(lane)} y1=${from} y2=${to} />`;
  const pieces = (store.deaths.value.get(lane) || []).map(([from, to]) => {
    const begins = alive, dies = Math.min(y2, y(from)), ends = to < steps.value.length ? Math.min(y2, y(to)) : y2;
    alive = Math.max(y1, ends);
    return html`${piece("lane", begins, dies)}${piece("lane dead", Math.max(dies, y1), ends)}`;
  });
  return html`${pieces}${piece("lane", alive, y2)}`;
}

// arrow draws a message from the step that sends it to the one that receives it. One that does not
// arrive is dotted: it ends where it is lost, or soon after it was sent.
function arrow(m) {
  if (!data.value.lanes.includes(m.from) || !data.value.lanes.includes(m.to)) return null;
  const x1 = x(m.from), y1 = y(m.sent), arrives = m.got >= 0;
  const lively = [hover.value, at.value].some((i) => i >= 0 && (i === m.sent || i === m.got || i === m.lost));
  const unrelated = grey(m.sent) || arrives && grey(m.got) || !arrives && causesOnly.value;
  let x2 = x(m.to), y2 = y(m.got);
  if (!arrives) [x2, y2] = m.lost >= 0 ? [(x1 + x2) / 2, y(m.lost)] : [x1 + (x2 - x1) * 0.55, y1 + rowHeight.value * 0.8];
  const length = Math.hypot(x2 - x1, y2 - y1) || 1, ux = (x2 - x1) / length, uy = (y2 - y1) / length;
  const [hx, hy] = arrives ? [x2 - ux * 6, y2 - uy * 6] : [x2, y2];
  const head = `M${hx} ${hy}L${hx - ux * 7 - uy * 3.5} ${hy - uy * 7 + ux * 3.5}L${hx - ux * 7 + uy * 3.5} ${hy - uy * 7 - ux * 3.5}z`;
  return html`<g key=${m.id + m.sent + m.got} class=${"message" + (arrives ? "" : " pending") + (lively ? " lively" : "") + (unrelated ? " grey" : "")}>
    <line x1=${x1} y1=${y1} x2=${hx} y2=${hy} />
    ${arrives ? html`<path d=${head} />` : html`<path class="lost" d=${`M${x2 - 3} ${y2 - 3}l6 6m0 -6l-6 6`} />`}
  </g>`;
}

function Events({ first, last }) {
  const marks = [];
  for (let r = first; r <= last && r < rows.value.list.length; r++) {
    const { first: i, fold } = rows.value.list[r], s = steps.value[i];
    if (fold || i === 0 || !data.value.lanes.includes(s.node)) continue;
    const cx = x(s.node), cy = y(i);
    const cls = (grey(i) ? " grey" : "") + ((data.value.roots || []).includes(i) && data.value.culprits.includes(s.node) ? " culprit" : "") + (s.mark ? " " + s.mark : "");
    marks.push(s.crashed
      ? html`<path key=${i} class=${"crash" + cls} d=${`M${cx - 6} ${cy - 6}l12 12m0 -12l-12 12`} />`
      : html`<circle key=${i} class=${"event" + cls} cx=${cx} cy=${cy} r=${Math.min(5, rowHeight.value / 3)} />`);
  }
  return marks;
}

// Use draws the lane of the limit: the units in use, and how many there are.
function Use({ first, last }) {
  const l = layout.value, h = rowHeight.value, d = data.value, bars = [];
  if (!l.useWidth) return null;
  for (let r = first; r <= last && r < rows.value.list.length; r++) {
    const s = steps.value[rows.value.list[r].last], n = units(s);
    if (n > 0) bars.push(html`<rect key=${r} class=${excess(s) ? "units over" : "units"} x=${l.capacity} y=${r * h + 1} width=${n * l.unit} height=${h - 2} />`);
  }
  return html`${bars}${d.capacity > 0 && html`<path class="limit" d=${limit(first, last)} />`}`;
}

// limit is the line of the units that there are: as declared, less those that the dead could use.
function limit(first, last) {
  const l = layout.value, h = rowHeight.value, d = data.value;
  let path = "", now = null;
  for (let r = first; r <= Math.min(last, rows.value.list.length - 1); r++) {
    const i = rows.value.list[r].last, dead = d.lanes.filter((lane) => store.isDead(lane, i)).length;
    const x0 = l.capacity + Math.max(0, d.capacity - dead) * l.unit + 0.5;
    if (x0 !== now) path += now === null ? `M${x0} ${r * h}` : `H${x0}`;
    now = x0;
    path += `V${(r + 1) * h}`;
  }
  return path;
}

// openProperty opens the list of properties at one of them, and goes to the step where it is violated or reached.
function openProperty(p, verdict, step) {
  store.property.value = p;
  store.tab.value = "props";
  if (verdict === "v" && step === sight.value.first) step = store.firstBad.value[p];
  if (verdict !== "h") choose(step);
}

// Truth draws a thin column for each property: red where it is violated.
function Truth({ first, last }) {
  const l = layout.value, h = rowHeight.value, bars = [];
  const verdict = (p, r) => steps.value[rows.value.list[r].last].verdicts?.[p] || "-";
  const end = Math.min(last, rows.value.list.length - 1);
  (data.value.properties || []).forEach((property, p) => {
    for (let r = first; r <= end;) {
      const v = verdict(p, r), start = r;
      while (r <= end && verdict(p, r) === v) r++;
      if (v !== "-") bars.push(html`<rect key=${p + "/" + start} onClick=${() => openProperty(p, v, rows.value.list[start].first)} class=${"truth " + v + (p === data.value.shown ? " shown" : "")} x=${l.props + p * l.propWidth + 0.5} width=${Math.max(1, l.propWidth - 1.5)} y=${start * h} height=${(r - start) * h}><title>${property.name} ${{ v: "is violated", r: "is reached", h: "holds" }[v]}</title></rect>`);
    }
  });
  return bars;
}

// Cycle draws what repeats itself for ever.
function Cycle({ from, to }) {
  const c = data.value.cycle;
  if (!c || to < c.at) return null;
  const l = layout.value, y1 = y(c.at), y2 = Math.max(y1 + 8, y(steps.value.length - 1)), cx = l.number + 4;
  return html`<path class="cycle" d=${`M${cx + 8} ${y2}H${cx}V${y1}H${cx + 8}`} /><path class="cycle head" d=${`M${cx + 9} ${y1}l-5 -4v8z`} />`;
}

function Row({ r, y: y0, left }) {
  const height = rowHeight.value, i = r.first;
  if (r.fold) {
    const open = () => (opened.value = new Set(opened.value).add(r.first));
    return html`<button class="fold" style=${{ top: y0 + "px", height: height + "px", left: left + "px" }} onClick=${open}>${height > 12 && `⋯ ${store.plural(r.last - r.first + 1, "step")}, ${r.first}–${r.last}`}</button>`;
  }
  const s = steps.value[i], over = excess(s);
  const cls = "row" + (grey(i) ? " grey" : "") + (i === at.value ? " at" : "") + (s.mark ? " " + s.mark : "") + ((data.value.roots || []).includes(i) ? " root" : "");
  const small = height < 15;
  return html`<div class=${cls} style=${{ top: y0 + "px", height: height + "px", lineHeight: height + "px" }} title=${small ? s.text : undefined}
    onClick=${() => choose(i)} onMouseEnter=${() => (hover.value = i)} onMouseLeave=${() => (hover.value = -1)} data-step=${i}>
    ${!small && html`<span class="number" style=${{ width: layout.value.number - 8 + "px" }}>${i}</span>`}
    ${!small && columns.value.length > 0 && html`<${Cells} i=${i} left=${left} />`}
    ${!small && html`<span class=${"text" + (height >= 32 ? " wrap" : "")} style=${{ left: left + columns.value.length * layout.value.value + "px" }}>
      ${broken(i)}${over && html`<b class="bad">${units(s)} of ${data.value.capacity} in use: </b>`}${told(s)}${s.where && html`<span class="where"> ${s.where.replace(/^.*[/\\]/, "")}</span>`}</span>`}
  </div>`;
}

// broken names the properties that are violated from a step on.
function broken(i) {
  const cycle = data.value.cycle ? data.value.shown : -1;
  const names = (data.value.properties || []).filter((_, p) => store.firstBad.value[p] === i && p !== cycle).map((p) => p.name);
  return names.length > 0 && html`<b class="bad">‼ ${names.join(", ")}: </b>`;
}

// told is what happened in a step, with its process in bold.
function told(s) {
  const text = s.text || s.event || "";
  const open = (s.sent || []).map((m) => store.byID.value.get(m.id)).filter((m) => m && m.got < 0);
  const to = (list) => list.map((m) => m.to).join(", ");
  const lost = store.isLog ? [] : open.filter((m) => m.lost >= 0), under = store.isLog ? [] : open.filter((m) => m.lost < 0);
  return html`${s.node && text.startsWith(s.node + " ") ? html`<b>${s.node}</b>${text.slice(s.node.length)}` : text}
    ${lost.length > 0 && html`<span class="soft"> (lost: ${to(lost)})</span>`}${under.length > 0 && html`<span class="soft"> (not received: ${to(under)})</span>`}`;
}

// Cells show the variables of a state side by side.
function Cells({ i, left }) {
  const state = store.stateAt(i), changed = new Set((steps.value[i].changed || []).map((v) => (v.owner || "") + "\n" + (v.name || "")));
  return columns.value.map(([owner, name], k) => {
    const key = owner + "\n" + name;
    return html`<span class=${"cell" + (i > 0 && changed.has(key) ? " changed" : "")} style=${{ left: left + k * layout.value.value + "px", width: layout.value.value - 6 + "px" }}>${state.get(key)?.value ?? ""}</span>`;
  });
}
