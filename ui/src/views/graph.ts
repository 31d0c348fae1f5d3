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
/** More names of links than these would cover the picture. */
const MAX_NAMES = 16;

interface Body extends Node {
  x: number;
  y: number;
}

/** How far a body wants to go, of all the others and of its links. */
type Move = [number, number];

function push(a: Body, b: Body, ideal: number, moves: Map<string, Move>): void {
  // Names are wide: bodies on one line keep farther apart.
  const [dx, dy] = [(a.x - b.x) / 1.5, a.y - b.y || 0.1];
  const squared = Math.max(dx * dx + dy * dy, 1);
  shift(a, b, (dx * ideal * ideal) / squared, (dy * ideal * ideal) / squared, moves);
}

function pull(a: Body, b: Body, ideal: number, moves: Map<string, Move>): void {
  const [dx, dy] = [b.x - a.x, b.y - a.y];
  const strength = Math.hypot(dx, dy) / ideal;
  shift(a, b, dx * strength, dy * strength, moves);
}

function shift(a: Body, b: Body, x: number, y: number, moves: Map<string, Move>): void {
  const [one, other] = [moves.get(a.id), moves.get(b.id)];
  if (!one || !other) return;
  one[0] += x;
  one[1] += y;
  other[0] -= x;
  other[1] -= y;
}

/** One round: everything moves, at most so far as the heat lets it. */
function round(bodies: Body[], joined: [Body, Body][], ideal: number, heat: number, height: number): void {
  const moves = new Map<string, Move>(bodies.map(({ id, x, y }) => [id, [(WIDTH / 2 - x) * 0.3, (height / 2 - y) * 0.5]]));
  for (const [n, a] of bodies.entries()) for (const b of bodies.slice(n + 1)) push(a, b, ideal, moves);
  for (const [a, b] of joined) pull(a, b, ideal, moves);
  for (const body of bodies) {
    const [x, y] = moves.get(body.id) ?? [0, 0];
    const far = Math.max(Math.hypot(x, y), 1);
    const step = Math.min(far, heat) / far;
    body.x += x * step;
    body.y += y * step;
  }
}

/** Spreads the bodies over the box, with room for their names at its edges. */
function spread(bodies: Body[], height: number): void {
  const fit = (values: number[], from: number, to: number): ((value: number) => number) => {
    const [least, most] = [Math.min(...values), Math.max(...values)];
    return (value) => (most - least < 1 ? (from + to) / 2 : from + ((value - least) / (most - least)) * (to - from));
  };
  const [x, y] = [fit(bodies.map((body) => body.x), 80, WIDTH - 80), fit(bodies.map((body) => body.y), 18, height - 34)];
  for (const body of bodies) [body.x, body.y] = [x(body.x), y(body.y)];
}

/** Places for the nodes within the box. */
export function layout(nodes: Node[], edges: Edge[], height: number): Body[] {
  const angle = (n: number): number => (2 * Math.PI * n) / Math.max(nodes.length, 1);
  const bodies = nodes.map((node, n): Body => ({
    ...node, x: WIDTH / 2 + (WIDTH / 3) * Math.cos(angle(n)), y: height / 2 + (height / 3) * Math.sin(angle(n)),
  }));
  const byId = new Map(bodies.map((body) => [body.id, body]));
  const joined = edges.flatMap(({ from, to }): [Body, Body][] => {
    const [a, b] = [byId.get(from), byId.get(to)];
    return a && b && a !== b ? [[a, b]] : [];
  });
  const ideal = 0.75 * Math.sqrt((WIDTH * height) / Math.max(nodes.length, 1));
  for (let n = 0; n < ROUNDS; n++) round(bodies, joined, ideal, 60 * (1 - n / ROUNDS), height);
  spread(bodies, height);
  return bodies;
}

const short = (text: string, most: number): string => (text.length > most ? `${text.slice(0, most - 1)}…` : text);

function edgeMark(edge: Edge, byId: Map<string, Body>, named: boolean): SVGElement | null {
  const [a, b] = [byId.get(edge.from), byId.get(edge.to)];
  if (!a || !b || a === b) return null;
  const distance = Math.max(Math.hypot(b.x - a.x, b.y - a.y), 1);
  const end = { x: b.x - ((b.x - a.x) / distance) * 11, y: b.y - ((b.y - a.y) / distance) * 11 };
  return svg("g", { class: "edge" }, svg("title", null, t.schema_text(a.name, edge.label, b.name)),
    svg("line", { x1: a.x, y1: a.y, x2: end.x, y2: end.y, "marker-end": "url(#arrow)" }),
    named ? svg("text", { class: "linkname", x: (a.x + b.x) / 2, y: (a.y + b.y) / 2 + 4, "text-anchor": "middle" }, short(edge.label, 24)) : null);
}

/** The picture, under a caption that says what is counted; screen readers get its links as a list. */
export function graph(nodes: Node[], edges: Edge[], caption: string, open?: (id: string, name: string) => void): HTMLElement {
  const height = Math.min(720, Math.max(240, 110 + nodes.length * 22));
  const bodies = layout(nodes, edges, height);
  const byId = new Map(bodies.map((body) => [body.id, body]));
  const named = edges.length <= MAX_NAMES && new Set(edges.map(({ label }) => label)).size > 1;
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
    marker, edges.map((edge) => edgeMark(edge, byId, named)), bodies.map(node));
  const told = edges.map(({ from, to, label }) =>
    h("li", null, t.schema_text(byId.get(from)?.name ?? from, label, byId.get(to)?.name ?? to)));
  return h("figure", { class: "linked" },
    h("figcaption", { class: "soft" }, caption),
    h("div", { class: "wide", tabindex: 0, role: "group", "aria-label": t.views.graph }, picture), h("ul", { class: "unseen" }, told));
}
