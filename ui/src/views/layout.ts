// Places for things and the links between them: nodes push each other away, links pull. The same things give the same
// picture: nothing is left to chance.
import { forceLink, forceManyBody, forceSimulation, forceX, forceY, type SimulationLinkDatum } from "d3-force";

/** Names are wide: bodies on one line keep farther apart. */
const STRETCH = 1.5;
const ROUNDS = 300;

export interface Body {
  id: string;
  x: number;
  y: number;
}

export interface Box {
  width: number;
  height: number;
}

/** Spreads values over a range. */
function fit(values: number[], from: number, to: number): (value: number) => number {
  const [least, most] = [Math.min(...values), Math.max(...values)];
  return (value) => (most - least < 1 ? (from + to) / 2 : from + ((value - least) / (most - least)) * (to - from));
}

/** A place in the box for each node, with room for the names at its edges. */
export function layout<N extends { id: string }>(nodes: N[], edges: { from: string; to: string }[], { width, height }: Box): (N & Body)[] {
  const wide = width / STRETCH;
  const angle = (n: number): number => (2 * Math.PI * n) / nodes.length;
  const bodies = nodes.map((node, n) => ({ ...node, x: (wide / 3) * Math.cos(angle(n)), y: (height / 3) * Math.sin(angle(n)) }));
  const ids = new Set(nodes.map(({ id }) => id));
  const links = edges.filter(({ from, to }) => from !== to && ids.has(from) && ids.has(to)).map(({ from, to }) => ({ source: from, target: to }));
  const ideal = 0.75 * Math.sqrt((wide * height) / Math.max(nodes.length, 1));
  forceSimulation<N & Body>(bodies)
    .force("push", forceManyBody().strength(-3 * ideal))
    .force("pull", forceLink<N & Body, SimulationLinkDatum<N & Body>>(links).id(({ id }) => id).distance(0.6 * ideal))
    .force("x", forceX().strength(0.1))
    .force("y", forceY().strength(0.15))
    .stop()
    .tick(ROUNDS);
  const x = fit(bodies.map((body) => body.x), 80, width - 80);
  const y = fit(bodies.map((body) => body.y), 18, height - 34);
  return bodies.map((body) => ({ ...body, x: x(body.x), y: y(body.y) }));
}
