// Pictures of states: vessels, trees and rings, as the model draws them.
import { html } from "./html.js";
import { data } from "./store.js";

const wide = 300, high = 190;

export function StatePicture({ p }) {
  if (!p?.nodes.length) return null;
  const place = new Map(p.nodes.map((n, i) => [n.name, i])); // links name their ends
  p = { ...p, links: p.links.map((l) => ({ ...l, from: place.get(l.from), to: place.get(l.to) })).filter((l) => l.from >= 0 && l.to >= 0) };
  const body = p.nodes.some((n) => n.of) ? vessels(p) : graph(p, p.nodes.some((n) => n.row) ? inRows(p) : p.links.some((l) => l.tree) ? inTree(p) : inRing(p));
  return html`<svg class="state-picture" viewBox=${`0 0 ${wide} ${high}`} role="img" aria-label=${"picture of the state: " + p.nodes.map((n) => [n.name, n.note, n.dead && "dead", n.inside && "inside"].filter((x) => x).join(" ")).join("; ")}>${body}</svg>`;
}

// vessels stand side by side, as high as what they have room for.
function vessels(p) {
  const most = Math.max(...p.nodes.map((n) => n.of)), w = Math.min(70, wide / p.nodes.length - 20), unit = (high - 40) / most;
  return p.nodes.map((n, i) => {
    const holds = n.holds || 0, x = (i + 0.5) * (wide / p.nodes.length) - w / 2, bottom = high - 20;
    return html`<rect class="water" x=${x} width=${w} y=${bottom - holds * unit} height=${holds * unit} />
      <path class="vessel" d=${`M${x} ${bottom - n.of * unit}V${bottom}H${x + w}V${bottom - n.of * unit}`} />
      <text x=${x + w / 2} y=${high - 5} text-anchor="middle">${n.name}: ${holds} of ${n.of}</text>`;
  });
}

function inRing(p) {
  return p.nodes.map((_, i) => {
    const a = (2 * Math.PI * i) / p.nodes.length - Math.PI / 2;
    return [wide / 2 + Math.cos(a) * 95, high / 2 + Math.sin(a) * 68];
  });
}

// inTree places the nodes by their distance from the root, and those in no tree in the last row.
function inTree(p) {
  const depth = p.nodes.map((_, i) => (p.links.some((l) => l.tree && l.to === i) ? -1 : 0));
  for (let again = true; again;) {
    again = false;
    for (const l of p.links) if (l.tree && depth[l.from] >= 0 && depth[l.to] < 0) [depth[l.to], again] = [depth[l.from] + 1, true];
  }
  const rows = Math.max(...depth) + 1, counts = new Map(), seen = new Map();
  for (const d of depth) counts.set(d, (counts.get(d) || 0) + 1);
  return depth.map((d) => {
    const k = seen.get(d) || 0;
    seen.set(d, k + 1);
    return [((k + 0.5) * wide) / counts.get(d), ((d + 0.5) * high) / rows];
  });
}

// inRows places the nodes of each row side by side, with room for their notes.
function inRows(p) {
  const rows = [...new Set(p.nodes.map((n) => n.row))].sort((a, b) => a - b);
  return p.nodes.map((n) => {
    const row = p.nodes.filter((m) => m.row === n.row);
    return [((row.indexOf(n) + 0.5) * wide) / row.length, 40 + (rows.indexOf(n.row) * (high - 80)) / Math.max(1, rows.length - 1)];
  });
}

// frames stand around neighbours with the same one.
function frames(p, at) {
  const first = p.nodes.map((n, i) => n.frame && (i === 0 || p.nodes[i - 1].frame !== n.frame || p.nodes[i - 1].row !== n.row));
  return p.nodes.map((n, i) => {
    if (!first[i]) return null;
    let last = i;
    while (p.nodes[last + 1]?.frame === n.frame && p.nodes[last + 1].row === n.row) last++;
    const [x, y] = at[i], width = at[last][0] - x + 42;
    return html`<rect class="frame" x=${x - 21} y=${y - 21} width=${width} height="42" rx="6" /><text class="note" x=${x - 21 + width / 2} y=${y + 34} text-anchor="middle">${n.frame}</text>`;
  });
}

function graph(p, at) {
  const tree = p.links.some((l) => l.tree) || p.nodes.some((n) => n.row);
  const culprit = (n) => data.value.culprits.includes(n.name);
  const below = (n, i) => (n.row ? n.row > 1 : tree || at[i][1] >= high / 2); // where its note stands
  return html`${frames(p, at)}${p.links.map((l) => {
    const [x1, y1] = at[l.from], [x2, y2] = at[l.to], length = Math.hypot(x2 - x1, y2 - y1) || 1, ux = (x2 - x1) / length, uy = (y2 - y1) / length;
    const [px, py] = [-uy * 4, ux * 4], hx = x2 - ux * 18, hy = y2 - uy * 18; // two links between two nodes lie beside each other
    return html`<g class=${"link" + (l.note ? " busy" : "") + (tree && !l.tree ? " other" : "")}><line x1=${x1 + ux * 16 + px} y1=${y1 + uy * 16 + py} x2=${hx + px} y2=${hy + py} />
      ${(l.tree || !tree) && html`<path d=${`M${hx + px + ux * 5} ${hy + py + uy * 5}l${-ux * 7 - uy * 3.5} ${-uy * 7 + ux * 3.5}l${uy * 7} ${-ux * 7}z`} />`}
      ${l.note && html`<text x=${(x1 + x2) / 2 + px * 2} y=${(y1 + y2) / 2 + py * 2} text-anchor="middle">${l.note.length > 26 ? l.note.slice(0, 25) + "…" : l.note}</text>`}</g>`;
  })}${p.nodes.map((n, i) => html`<g class=${"place" + (n.dead ? " dead" : "") + (n.inside ? " inside" : "") + (n.inside && culprit(n) ? " culprit" : "")}>
    <circle cx=${at[i][0]} cy=${at[i][1]} r="14" /><text x=${at[i][0]} y=${at[i][1] + 4} text-anchor="middle">${n.dead ? "†" : ""}${n.name}</text>
    ${n.note && html`<text class="note" x=${at[i][0]} y=${at[i][1] + (below(n, i) ? 25 : -18)} text-anchor="middle">${n.note}</text>`}</g>`)}`;
}
