// Things and the links between them, drawn where a layout of forces puts them.
import { useMemo } from "preact/hooks";
import { t } from "../i18n";
import { layout, type Body } from "./layout";

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

export interface GraphNeeds {
  nodes: Node[];
  edges: Edge[];
  /** What is counted. */
  caption: string;
  open: (id: string, name: string) => void;
}

type Placed = Node & Body;

const WIDTH = 832;
/** More names of links than these would cover the picture. */
const MAX_NAMES = 16;

const short = (text: string, most: number): string => (text.length > most ? `${text.slice(0, most - 1)}…` : text);

function Link({ a, b, label, named }: { a: Placed; b: Placed; label: string; named: boolean }) {
  const distance = Math.max(Math.hypot(b.x - a.x, b.y - a.y), 1);
  const end = { x: b.x - ((b.x - a.x) / distance) * 11, y: b.y - ((b.y - a.y) / distance) * 11 };
  return (
    <g class="edge">
      <title>{t.schema_text(a.name, label, b.name)}</title>
      <line x1={a.x} y1={a.y} x2={end.x} y2={end.y} marker-end="url(#arrow)" />
      {named && <text class="linkname" x={(a.x + b.x) / 2} y={(a.y + b.y) / 2 + 4} text-anchor="middle">{short(label, 24)}</text>}
    </g>
  );
}

function Dot({ body, most, open }: { body: Placed; most: number; open: GraphNeeds["open"] }) {
  const { id, name, note, weight = 0, x, y } = body;
  return (
    <g class="node opens" onClick={() => open(id, name)}>
      <title>{note ? `${name}: ${note}` : name}</title>
      <circle class="dot" cx={x} cy={y} r={5 + 6 * Math.sqrt(weight / most)} />
      <text x={x} y={y + 24} text-anchor="middle">{short(name, 22)}</text>
    </g>
  );
}

/** The picture, under a caption; screen readers get its links as a list. */
export function Graph({ nodes, edges, caption, open }: GraphNeeds) {
  const height = Math.min(720, Math.max(240, 110 + nodes.length * 22));
  const links = nodes.length + edges.length;
  const bodies = useMemo(() => layout(nodes, edges, { width: WIDTH, height }), [links]);
  const byId = new Map(bodies.map((body) => [body.id, body]));
  const named = edges.length <= MAX_NAMES && new Set(edges.map(({ label }) => label)).size > 1;
  const most = Math.max(...nodes.map(({ weight }) => weight ?? 1), 1);
  return (
    <figure class="linked">
      <figcaption class="soft">{caption}</figcaption>
      <div class="wide" tabIndex={0} role="group" aria-label={t.views.graph}>
        <svg viewBox={`0 0 ${WIDTH} ${height}`} class="drawing links" aria-hidden="true">
          <defs>
            <marker id="arrow" viewBox="0 0 8 8" refX={7} refY={4} markerWidth={7} markerHeight={7} orient="auto-start-reverse">
              <path d="M0 0L8 4L0 8z" />
            </marker>
          </defs>
          {edges.map(({ from, to, label }) => {
            const [a, b] = [byId.get(from), byId.get(to)];
            return a && b && a !== b && <Link a={a} b={b} label={label} named={named} />;
          })}
          {bodies.map((body) => <Dot body={body} most={most} open={open} />)}
        </svg>
      </div>
      <ul class="unseen">
        {edges.map(({ from, to, label }) => <li>{t.schema_text(byId.get(from)?.name ?? from, label, byId.get(to)?.name ?? to)}</li>)}
      </ul>
    </figure>
  );
}
