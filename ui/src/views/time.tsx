// Dates and years as a line of time: each row a point, its name beside it, in lanes so that no name hides another.
import { showDate, showYear, yearsOf } from "../format";
import { t } from "../i18n";
import type { Table } from "../types";
import { rowName, timeColumn } from "./shape";

const WIDTH = 832;
const LANE = 26;
const LETTER = 7.6;

interface Moment {
  at: number;
  name: string;
  when: string;
}

function moments(rows: Table): Moment[] {
  const column = timeColumn(rows) ?? 0;
  const kind = rows.columns[column]?.kind;
  return rows.rows.flatMap((row) => {
    const text = row[column]?.value ?? "";
    const at = yearsOf(text);
    return at === undefined ? [] : [{ at, name: rowName(rows, row), when: kind === "year" ? showYear(text) : showDate(text) }];
  }).sort((a, b) => a.at - b.at);
}

/** Round years between two, at most eight of them. */
export function ticks(from: number, to: number): number[] {
  const span = Math.max(to - from, 1);
  const steps = [1, 2, 5, 10, 20, 25, 50, 100, 200, 250, 500, 1000, 2000, 5000, 10_000];
  const step = steps.find((one) => span / one <= 8) ?? 100_000;
  const found: number[] = [];
  for (let year = Math.ceil(from / step) * step; year <= to; year += step) found.push(year);
  return found;
}

/** The lane of each name, so that none overlaps another; `ends` are places in pixels. */
export function lanes(spans: { start: number; end: number }[]): number[] {
  const taken: number[] = [];
  return spans.map(({ start, end }) => {
    const free = taken.findIndex((until) => until < start);
    const lane = free < 0 ? taken.length : free;
    taken[lane] = end;
    return lane;
  });
}

const cut = (name: string): string => (name.length > 26 ? `${name.slice(0, 25)}…` : name);

/** A moment with its place in the drawing: beside it, on which side, and in which lane its name stands. */
interface Mark extends Moment {
  x: number;
  y: number;
  shown: string;
  left: boolean;
}

function marksOf(all: Moment[], x: (year: number) => number): Mark[] {
  const placed = all.map((moment) => {
    const [at, shown] = [x(moment.at), cut(moment.name)];
    const width = shown.length * LETTER + 16;
    const left = at + width > WIDTH;
    return { ...moment, x: at, shown, left, start: left ? at - width : at - 6, end: left ? at + 6 : at + width };
  });
  const rank = lanes(placed);
  return placed.map((one, n) => ({ ...one, y: 18 + (rank[n] ?? 0) * LANE }));
}

function Drawing({ all }: { all: Moment[] }) {
  const [first, last] = [all[0]?.at ?? 0, all.at(-1)?.at ?? 1];
  const margin = Math.max((last - first) * 0.03, 0.5);
  const [from, to] = [first - margin, last + margin];
  const x = (year: number): number => 16 + ((year - from) / (to - from)) * (WIDTH - 32);
  const marks = marksOf(all, x);
  const base = Math.max(...marks.map(({ y }) => y)) + LANE;
  return (
    <svg viewBox={`0 0 ${WIDTH} ${base + 26}`} class="drawing time" aria-hidden="true">
      {ticks(from, to).map((year) => (
        <>
          <line class="grid" x1={x(year)} x2={x(year)} y1={4} y2={base} />
          <text class="tick" x={x(year)} y={base + 20} text-anchor="middle">{showYear(String(year))}</text>
        </>
      ))}
      <line class="axis" x1={0} x2={WIDTH} y1={base} y2={base} />
      {marks.map(({ name, when, x, y, shown, left }) => (
        <g>
          <title>{name}: {when}</title>
          <line class="drop" x1={x} x2={x} y1={y} y2={base} />
          <circle class="dot" cx={x} cy={y} r={5} />
          <text x={x + (left ? -9 : 9)} y={y + 5} text-anchor={left ? "end" : "start"}>{shown}</text>
        </g>
      ))}
    </svg>
  );
}

/** The line; screen readers and narrow screens get the same as a list. */
export function Time({ rows }: { rows: Table }) {
  const all = moments(rows);
  const title = rows.columns[timeColumn(rows) ?? 0]?.title ?? "";
  return (
    <figure class="timeline">
      <figcaption class="soft"><bdi>{title}</bdi></figcaption>
      <div class="wide" tabIndex={0} role="group" aria-label={t.views.time}><Drawing all={all} /></div>
      <ol class="moments" aria-label={t.time_of(title)}>
        {all.map(({ name, when }) => <li><span class="soft"><bdi>{when}</bdi></span> <bdi>{name}</bdi></li>)}
      </ol>
    </figure>
  );
}
