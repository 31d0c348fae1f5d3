// Things and the links between them, drawn: nodes push each other away, links pull. The same things give the same
// picture: nothing is left to chance.
import { h, svg } from "../dom";
import { t } from "../i18n";

export interface Node {
  id: string;
  name: string;
  note?: string;
  weight?: number;
}

export interface Edge {
  from: string;
  to: string;
  label: string;
}

const WIDTH = 832;
const ROUNDS = 240;

interface Body extends Node {
  x: number;
  y: number;
}

function push(a: Body, b: Body, strength: number): void {
  const [dx, dy] = [a.x - b.x, a.y - b.y];
  const distance = Math.max(Math.hypot(dx, dy), 1);
  const force = strength / (distance * distance);
  // Names are wide: bodies on one line keep farther apart.
  a.x += (dx / distance) * force * 1.5;
  b.x -= (dx / distance) * force * 1.5;
  a.y += (dy / distance) * force;
  b.y -= (dy / distance) * force;
}

function pull(a: Body, b: Body, length: number, heat: number): void {
  const [dx, dy] = [b.x - a.x, b.y - a.y];
  const distance = Math.max(Math.hypot(dx, dy), 1);
  const force = ((distance - length) / distance) * 0.12 * heat;
  a.x += dx * force;
  a.y += dy * force;
  b.x -= dx * force;
  b.y -= dy * force;
}

/** Places for the nodes within the box. */
export function layout(nodes: Node[], edges: Edge[], height: number): Body[] {
  const around = (n: number): number => (2 * Math.PI * n * 7) / Math.max(nodes.length, 1);
  const bodies = nodes.map((node, n): Body => ({
    ...node,
    x: WIDTH / 2 + (WIDTH / 3) * Math.cos(around(n) + n * 0.01),
    y: height / 2 + (height / 3) * Math.sin(around(n) + n * 0.01),
  }));
  const byId = new Map(bodies.map((body) => [body.id, body]));
  const length = Math.max(70, Math.min(150, Math.sqrt((WIDTH * height) / Math.max(nodes.length, 1)) * 0.8));
  for (let round = 0; round < ROUNDS; round++) {
    const heat = 1 - round / ROUNDS;
    for (const [n, a] of bodies.entries()) for (const b of bodies.slice(n + 1)) push(a, b, 9000 * heat);
    for (const { from, to } of edges) {
      const [a, b] = [byId.get(from), byId.get(to)];
      if (a && b && a !== b) pull(a, b, length, heat);
    }
    for (const body of bodies) {
      body.x = Math.min(Math.max(body.x + (WIDTH / 2 - body.x) * 0.01, 60), WIDTH - 60);
      body.y = Math.min(Math.max(body.y + (height / 2 - body.y) * 0.02, 22), height - 30);
    }
  }
  return bodies;
}

const short = (text: string, most: number): string => (text.length > most ? `${text.slice(0, most - 1)}…` : text);

function edgeMark(edge: Edge, byId: Map<string, Body>): SVGElement | null {
  const [a, b] = [byId.get(edge.from), byId.get(edge.to)];
  if (!a || !b || a === b) return null;
  const distance = Math.max(Math.hypot(b.x - a.x, b.y - a.y), 1);
  const end = { x: b.x - ((b.x - a.x) / distance) * 11, y: b.y - ((b.y - a.y) / distance) * 11 };
  return svg("g", { class: "edge" }, svg("title", null, t.schema_text(a.name, edge.label, b.name)),
    svg("line", { x1: a.x, y1: a.y, x2: end.x, y2: end.y, "marker-end": "url(#arrow)" }));
}

/** The picture; screen readers get its links as a list. */
export function graph(nodes: Node[], edges: Edge[], open?: (id: string, name: string) => void): HTMLElement {
  const height = Math.min(640, Math.max(240, 110 + nodes.length * 15));
  const bodies = layout(nodes, edges, height);
  const byId = new Map(bodies.map((body) => [body.id, body]));
  const most = Math.max(...nodes.map(({ weight }) => weight ?? 1), 1);
  const marker = svg("defs", null, svg("marker",
    { id: "arrow", viewBox: "0 0 8 8", refX: 7, refY: 4, markerWidth: 7, markerHeight: 7, orient: "auto-start-reverse" },
    svg("path", { d: "M0 0L8 4L0 8z" })));
  const node = (body: Body): SVGElement =>
    svg("g", { class: open ? "node opens" : "node", ...(open && { onclick: () => open(body.id, body.name) }) },
      svg("title", null, body.note ? `${body.name}: ${body.note}` : body.name),
      svg("circle", { class: "dot", cx: body.x, cy: body.y, r: 5 + 6 * Math.sqrt((body.weight ?? 0) / most) }),
      svg("text", { x: body.x, y: body.y + 24, "text-anchor": "middle" }, short(body.name, 22)));
  const picture = svg("svg", { viewBox: `0 0 ${WIDTH} ${height}`, class: "drawing links", "aria-hidden": "true" },
    marker, edges.map((edge) => edgeMark(edge, byId)), bodies.map(node));
  const told = edges.map(({ from, to, label }) =>
    h("li", null, t.schema_text(byId.get(from)?.name ?? from, label, byId.get(to)?.name ?? to)));
  return h("figure", { class: "linked" },
    h("figcaption", { class: "soft" }, t.links_of(nodes.length, edges.length)),
    h("div", { class: "wide" }, picture), h("ul", { class: "unseen" }, told));
}
