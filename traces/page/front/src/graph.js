// The state graph: states with the same values of the chosen variables are one node. Only the live page has it;
// up to some hundred nodes elkjs lays it out, in a worker, and beyond that they are squares on a canvas.
import { select } from "d3-selection";
import { zoom, zoomIdentity } from "d3-zoom";
import { drawMany } from "./many.js";

const most = { nodes: 250, edges: 900 }; // that elkjs lays out
const line = 15; // pixels
const longest = 48; // characters of a line
const svgNS = "http://www.w3.org/2000/svg";

function element(name, attributes, ...children) {
  const e = name.startsWith("svg:") ? document.createElementNS(svgNS, name.slice(4)) : document.createElement(name);
  for (const [key, value] of Object.entries(attributes || {})) key.startsWith("on") ? e.addEventListener(key.slice(2), value) : e.setAttribute(key, value);
  e.append(...children.filter((c) => c !== null));
  return e;
}

// lines are what stands in a node: each variable with its value, those of one owner in one line.
function lines(g, n) {
  const byOwner = new Map();
  g.shown.forEach((name, i) => {
    const [owner, rest] = name.includes(".") ? [name.slice(0, name.indexOf(".")), name.slice(name.indexOf(".") + 1)] : ["", name];
    byOwner.set(owner, [...(byOwner.get(owner) || []), rest + "=" + n.label[i]]);
  });
  const all = [...byOwner].map(([owner, values]) => (owner ? owner + " " : "") + values.join(" "));
  if (n.states > 1 || !all.length) all.push(`${n.states} ${n.states === 1 ? "state" : "states"}`);
  return all.flatMap(wrap);
}

// wrap breaks a long line at blanks; a word that is longer than a line is cut.
function wrap(text) {
  const list = [];
  for (const word of text.split(" ").map((w) => (w.length > longest ? w.slice(0, longest - 1) + "…" : w))) {
    const last = list.length - 1;
    if (last >= 0 && list[last].length + word.length < longest) list[last] += " " + word;
    else list.push((last >= 0 ? "  " : "") + word);
  }
  return list;
}

// layered asks elkjs where nodes and edges go.
function layered(base, g, boxes) {
  return new Promise((done, failed) => {
    const worker = new Worker(base + "elk-worker.js");
    worker.onerror = () => failed(new Error("the layout failed"));
    worker.onmessage = ({ data }) => {
      if (data.id !== 1) return;
      worker.terminate();
      data.error ? failed(new Error(String(data.error.message || data.error))) : done(data.data);
    };
    worker.postMessage({ id: 0, cmd: "register", algorithms: ["layered"] });
    worker.postMessage({ id: 1, cmd: "layout", layoutOptions: {}, options: {}, graph: {
      id: "root",
      layoutOptions: { "elk.algorithm": "layered", "elk.direction": "DOWN", "elk.edgeRouting": "POLYLINE", "elk.spacing.nodeNode": "24", "elk.layered.spacing.nodeNodeBetweenLayers": "44" },
      children: boxes.map((b, i) => ({ id: "n" + i, width: b.width, height: b.height, layoutOptions: i ? {} : { "elk.layered.layering.layerConstraint": "FIRST" } })),
      edges: g.edges.map((e, i) => ({ id: "e" + i, sources: ["n" + e.from], targets: ["n" + e.to], labels: [{ text: text(e), width: text(e).length * 6.4, height: line }] })),
    } });
  });
}

const text = (e) => (e.label.length > 3 ? e.label.slice(0, 3).join(", ") + ", …" : e.label.join(", "));

function path(sections) {
  return (sections || []).map((s) => [s.startPoint, ...(s.bendPoints || []), s.endPoint].map((p, i) => (i ? "L" : "M") + p.x + " " + p.y).join("")).join("");
}

// about tells all of a node.
function about(g, n, i, properties) {
  const bad = (n.violated || []).map((p) => properties[p].name);
  return lines(g, n).join(" · ") + (bad.length ? " · violates " + bad.join(", ") : "") + (n.ends ? " · nothing is enabled in some state of it" : "") + (i === g.at ? " · you are here" : "");
}

// draw draws a graph that is laid out, and lets one pan and zoom it.
function draw(svg, g, boxes, placed, properties, says) {
  const all = element("svg:g"), few = g.edges.length <= most.edges;
  all.append(...placed.edges.map((e, i) => {
    const label = e.labels?.[0];
    return element("svg:g", { class: "edge" }, element("svg:path", { d: path(e.sections), "marker-end": "url(#tip)" }, element("svg:title", {}, g.edges[i].label.join(", "))),
      few && label?.x !== undefined ? element("svg:text", { x: label.x, y: label.y + 11 }, text(g.edges[i])) : null);
  }));
  g.nodes.forEach((n, i) => {
    const { x, y } = placed.children[i], b = boxes[i], bad = (n.violated || []).map((p) => properties[p].name);
    const cls = "node" + (i === g.at ? " here" : "") + (bad.length ? " bad" : "") + (n.ends ? " ends" : "") + (i === 0 ? " first" : "");
    const show = () => (says.textContent = about(g, n, i, properties));
    all.append(element("svg:g", { class: cls, transform: `translate(${x} ${y})`, tabindex: 0, onclick: show, onfocus: show },
      element("svg:rect", { width: b.width, height: b.height, rx: 5 }), ...b.lines.map((t, k) => element("svg:text", { x: 7, y: 14 + k * line }, t))));
  });
  svg.replaceChildren(element("svg:defs", {}, element("svg:marker", { id: "tip", viewBox: "0 0 8 8", refX: 7, refY: 4, markerWidth: 7, markerHeight: 7, orient: "auto" }, element("svg:path", { class: "tip", d: "M0 0L8 4L0 8z" }))), all);
  const frame = all.getBBox(), room = svg.getBoundingClientRect();
  const scale = Math.min(1.2, 0.96 * Math.min(room.width / frame.width, room.height / frame.height)) || 1;
  const zooming = zoom().scaleExtent([0.02, 4]).on("zoom", (e) => all.setAttribute("transform", e.transform.toString()));
  select(svg).call(zooming).call(zooming.transform, zoomIdentity.translate(room.width / 2 - scale * (frame.x + frame.width / 2), room.height / 2 - scale * (frame.y + frame.height / 2)).scale(scale));
}

// open shows the graph. ask fetches it, projected on variables.
window.openStateGraph = ({ ask, base, properties }) => {
  const says = element("p", { class: "says", role: "status" }), svg = element("svg:svg", { class: "graph", role: "group", "aria-label": "state graph; drag and wheel move and zoom it" });
  const canvas = element("canvas", { class: "graph", role: "img", tabindex: 0, "aria-label": "state graph; drag and wheel move and zoom it, arrow keys go from node to node" });
  const choices = element("div", { class: "choose" }), chosen = new Set();
  const dialog = element("dialog", { class: "graph", "aria-label": "state graph" },
    element("p", {}, element("b", {}, "State graph "), "projected on ", choices, element("button", { onclick: () => dialog.close() }, "close")), says);
  dialog.addEventListener("close", () => dialog.remove());
  dialog.addEventListener("keydown", (e) => e.stopPropagation());
  const redraw = async () => {
    says.textContent = "…";
    const g = await ask([...chosen].flatMap((name) => names.get(name)));
    if (!g) return (says.textContent = "The program does not answer.");
    if (!choices.childElementCount) offer(g.vars);
    const boxes = g.nodes.map((n) => {
      const all = lines(g, n);
      return { lines: all, width: Math.max(...all.map((t) => t.length)) * 6.6 + 16, height: all.length * line + 8 };
    });
    let placed = null;
    if (g.nodes.length <= most.nodes && g.edges.length <= most.edges) placed = await layered(base, g, boxes).catch(() => null);
    if (!dialog.isConnected) return;
    (placed ? canvas : svg).remove();
    dialog.append(placed ? svg : canvas);
    if (placed) draw(svg, g, boxes, placed, properties, says);
    else drawMany(canvas, g, properties, (n) => lines(g, n), (n, i) => (says.textContent = about(g, n, i, properties)));
    says.textContent = g.text + (g.shown.length ? "" : "; nothing differs in them") + (placed ? "" : "; a click or an arrow key tells what a node is, and zooming shows it");
  };
  const names = new Map(); // variables by what stands after the owner
  const offer = (vars) => {
    for (const v of vars) {
      const name = v.includes(".") ? v.slice(v.indexOf(".") + 1) : v;
      names.set(name, [...(names.get(name) || []), v]);
    }
    choices.append(...[...names.keys()].map((name) => element("label", {}, element("input", { type: "checkbox", onchange: (e) => { e.target.checked ? chosen.add(name) : chosen.delete(name); redraw(); } }), name)));
  };
  document.body.append(dialog);
  dialog.showModal();
  redraw();
};
