// State graphs of thousands of nodes, on a canvas: small squares in bands by their distance from the beginning.
// What a node is stands above as soon as it is chosen, and in it when it is large enough.
import { select } from "d3-selection";
import { zoom, zoomIdentity } from "d3-zoom";

const cell = 16, square = 10, band = 26; // pixels at scale 1
const readable = 150; // pixels of a cell in which there is room for words

// place puts the nodes of each distance side by side, in several lines where there are many, so that the whole
// is as wide as the room; nodes stand near those that lead to them.
function place(g, room) {
  const levels = [], before = g.nodes.map(() => []), at = [];
  g.nodes.forEach((n, i) => (levels[n.level] ||= []).push(i));
  for (const e of g.edges) if (g.nodes[e.from].level < g.nodes[e.to].level) before[e.to].push(e.from);
  const across = Math.max(4, Math.ceil(Math.sqrt((g.nodes.length * room.width) / room.height)));
  const middle = (i) => before[i].reduce((sum, j) => sum + at[j].x, 0) / (before[i].length || 1);
  let y = 0;
  for (const level of levels.filter((l) => l)) {
    const lines = Math.ceil(level.length / across), columns = Math.ceil(level.length / lines);
    level.map((i) => [middle(i), i]).sort((a, b) => a[0] - b[0]).forEach(([, i], k) => {
      at[i] = { x: (Math.floor(k / lines) - (columns - 1) / 2) * cell, y: y + (k % lines) * cell };
    });
    y += lines * cell + band;
  }
  return at;
}

// drawMany draws a graph into a canvas; tell is called with the node that is chosen.
export function drawMany(canvas, g, properties, words, tell) {
  const room = canvas.getBoundingClientRect(), dense = window.devicePixelRatio || 1, at = place(g, room);
  canvas.width = room.width * dense;
  canvas.height = room.height * dense;
  const paper = canvas.getContext("2d"), style = getComputedStyle(document.documentElement), ink = (name) => style.getPropertyValue("--" + name);
  const edges = new Path2D(), touching = g.nodes.map(() => []);
  for (const e of g.edges) {
    edges.moveTo(at[e.from].x, at[e.from].y);
    edges.lineTo(at[e.to].x, at[e.to].y);
    touching[e.from].push(e);
    touching[e.to].push(e);
  }
  let chosen = -1, view = zoomIdentity, asked = 0;
  const node = (n, i) => {
    const { x, y } = at[i], s = square / 2;
    paper.fillStyle = n.violated?.length ? ink("v") : i === g.at ? ink("message") : i === 0 ? ink("ink") : n.ends ? ink("staybad") : ink("unit");
    paper.fillRect(x - s, y - s, square, square);
    if (i === chosen) {
      paper.strokeStyle = ink("ink");
      paper.lineWidth = 2 / view.k;
      paper.strokeRect(x - s - 2 / view.k, y - s - 2 / view.k, square + 4 / view.k, square + 4 / view.k);
    }
  };
  const write = (i) => {
    const x = view.applyX(at[i].x - square / 2), y = view.applyY(at[i].y - square / 2), side = square * view.k;
    paper.fillStyle = ink("panel");
    paper.fillRect(x + 4, y + 4, side - 8, side - 8);
    paper.fillStyle = ink("ink");
    words(g.nodes[i]).slice(0, Math.floor((side - 12) / 14)).forEach((t, k) => paper.fillText(t, x + 8, y + 18 + k * 14, side - 16));
  };
  const paint = () => {
    asked = 0;
    paper.setTransform(dense, 0, 0, dense, 0, 0);
    paper.clearRect(0, 0, room.width, room.height);
    paper.save();
    paper.translate(view.x, view.y);
    paper.scale(view.k, view.k);
    paper.globalAlpha = g.edges.length > 2000 ? 0.35 : 0.7;
    paper.strokeStyle = ink("lane");
    paper.lineWidth = 0.7 / view.k;
    paper.stroke(edges);
    paper.globalAlpha = 1;
    if (chosen >= 0) {
      paper.strokeStyle = ink("message");
      paper.lineWidth = 2 / view.k;
      for (const e of touching[chosen]) paper.stroke(new Path2D(`M${at[e.from].x} ${at[e.from].y}L${at[e.to].x} ${at[e.to].y}`));
    }
    g.nodes.forEach(node);
    paper.restore();
    if (cell * view.k < readable) return;
    paper.font = "11px ui-monospace, Menlo, Consolas, monospace";
    at.forEach((p, i) => {
      const x = view.applyX(p.x), y = view.applyY(p.y), side = cell * view.k;
      if (x > -side && x < room.width + side && y > -side && y < room.height + side) write(i);
    });
  };
  const repaint = () => { asked ||= requestAnimationFrame(paint); };
  const zooming = zoom().scaleExtent([0.02, 40]).on("zoom", (e) => { view = e.transform; repaint(); });
  const choose = (i) => { chosen = i; tell(g.nodes[i], i); repaint(); };
  canvas.onclick = (e) => {
    const [x, y] = view.invert([e.offsetX, e.offsetY]);
    const i = at.findIndex((p) => Math.abs(p.x - x) <= cell / 2 && Math.abs(p.y - y) <= cell / 2);
    if (i >= 0) choose(i);
  };
  // The arrow keys go from node to node, in the order of their distances; the one chosen stays in sight.
  canvas.onkeydown = (e) => {
    const by = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[e.key];
    if (!by) return;
    e.preventDefault();
    choose(Math.max(0, Math.min(g.nodes.length - 1, chosen + by)));
    const [x, y] = view.apply([at[chosen].x, at[chosen].y]);
    if (x < 0 || y < 0 || x > room.width || y > room.height) select(canvas).call(zooming.translateTo, at[chosen].x, at[chosen].y);
  };
  const xs = at.map((p) => p.x), left = xs.reduce((a, b) => Math.min(a, b)), width = xs.reduce((a, b) => Math.max(a, b)) - left + cell;
  const height = at.reduce((n, p) => Math.max(n, p.y), 0) + cell, scale = Math.min(3, 0.96 * Math.min(room.width / width, room.height / height));
  select(canvas).call(zooming).call(zooming.transform, zoomIdentity.translate(room.width / 2 - scale * (left + (width - cell) / 2), room.height / 2 - scale * (height - cell) / 2).scale(scale));
  canvas.dataset.nodes = g.nodes.length;
}
