// Which views fit the rows, the best first. The shape alone decides; no name of a column or a graph.
import { nameOf, numberOf, pairOf, placeOf, showTerm, yearsOf } from "../format";
import type { ColumnKind, Place, Row, Rows, Table, Term } from "../types";

export type View = "big" | "verdict" | "card" | "list" | "table" | "bars" | "time" | "map" | "graph";

export const MAX_NODES = 60;
const MAX_BARS = 40;

export interface Point {
  place: Place;
  name: string;
  row: number;
  term?: Term;
}

export interface Link {
  from: Term;
  to: Term;
  label: string;
}

/** The columns of a kind, by their place. */
export function ofKind(rows: Table, ...kinds: ColumnKind[]): number[] {
  return rows.columns.flatMap(({ kind }, at) => (kinds.includes(kind as ColumnKind) ? [at] : []));
}

/** What a row is called: its first thing, else its first text. */
export function rowName(rows: Table, row: Row): string {
  const at = ofKind(rows, "thing")[0] ?? ofKind(rows, "text")[0] ?? ofKind(rows, "year", "month", "date")[0] ?? 0;
  const term = row[at];
  return term ? showTerm(term, rows.columns[at]?.kind) : "";
}

/** The places of the rows: coordinates in them, or those of their things. */
export function points(rows: Table): Point[] {
  const own = ofKind(rows, "coordinates")[0];
  const things = ofKind(rows, "thing");
  return rows.rows.flatMap((row, index): Point[] => {
    const value = own === undefined ? null : row[own];
    const place = value ? placeOf(value.value) : undefined;
    const name = rowName(rows, row);
    if (place) {
      const thing = things[0] === undefined ? null : row[things[0]];
      return [{ place, name, row: index, ...(thing && { term: thing }) }];
    }
    for (const at of things) {
      const term = row[at];
      const known = term && pairOf(rows.places?.[term.value]);
      if (term && known) return [{ place: known, name: nameOf(term), row: index, term }];
    }
    return [];
  });
}

/** The links that the rows tell: between the things of neighbouring columns. */
export function links(rows: Table): Link[] {
  const things = ofKind(rows, "thing");
  const seen = new Set<string>();
  const found: Link[] = [];
  for (const row of rows.rows) {
    for (let n = 1; n < things.length; n++) {
      const [left, right] = [things[n - 1] as number, things[n] as number];
      const [from, to] = [row[left], row[right]];
      const mark = `${from?.value}\n${to?.value}`;
      if (!from || !to || from.value === to.value || seen.has(mark)) continue;
      seen.add(mark);
      found.push({ from, to, label: rows.columns[right]?.title ?? "" });
    }
  }
  return found;
}

function nodes(all: Link[]): number {
  return new Set(all.flatMap(({ from, to }) => [from.value, to.value])).size;
}

/** The column whose numbers are drawn as bars. */
export function barColumn(rows: Table): number | undefined {
  return ofKind(rows, "number").find((at) => {
    const values = rows.rows.map((row) => numberOf(row[at]?.value));
    return values.filter((value) => value !== undefined).length > 1;
  });
}

/** The column whose dates are drawn as a line of time. */
export function timeColumn(rows: Table): number | undefined {
  return ofKind(rows, "date", "year").find((at) => {
    const values = rows.rows.map((row) => (row[at] ? yearsOf(row[at].value) : undefined));
    return values.filter((value) => value !== undefined).length > 1;
  });
}

/** The shape as a short text: for it the reader's choice of a view is kept. */
export function shapeOf(rows: Rows): string {
  if ("boolean" in rows) return "boolean";
  const many = rows.rows.length > 1 ? "n" : "1";
  return `${many}:${rows.columns.map((column) => column.kind).join(",")}`;
}

function single(rows: Table): View[] {
  const { columns } = rows;
  if (columns.length === 1 && columns[0]?.kind === "number") return ["big", "table"];
  const things = ofKind(rows, "thing");
  return things.length === 1 && rows.rows[0]?.[things[0] as number]?.type === "uri" ? ["card", "table"] : ["table"];
}

/** The views that fit, the best first; none when there is nothing to show. */
export function viewsOf(rows: Rows, grouped = false): View[] {
  if ("boolean" in rows) return ["verdict"];
  const count = rows.rows.length;
  if (count === 0) return [];
  const views: View[] = count === 1 ? single(rows) : [];
  const { columns } = rows;
  const named = ofKind(rows, "thing", "text").length > 0;
  if (count > 1) {
    const names = columns.length === 1 && (columns[0]?.kind === "thing" || columns[0]?.kind === "text");
    if (ofKind(rows, "coordinates").length > 0 && columns.length <= 2 && points(rows).length > 1) views.push("map");
    const drawn = (named || (grouped && ofKind(rows, "year", "month", "date").length > 0)) && barColumn(rows) !== undefined && count <= MAX_BARS;
    // A number for each of something is compared at a glance.
    if (drawn && grouped && columns.length === 2) views.push("bars");
    views.push(...(names ? (["list", "table"] as const) : (["table"] as const)));
    if (drawn && !views.includes("bars")) views.push("bars");
    if (timeColumn(rows) !== undefined) views.push("time");
  }
  const joined = links(rows);
  if (joined.length > 1 && nodes(joined) <= MAX_NODES) views.push("graph");
  if (!views.includes("map") && points(rows).length > 0) views.push("map");
  return views;
}
