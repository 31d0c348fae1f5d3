// Dates and years as a line of time: each row a point, its name beside it, in lanes so that no name hides another.
import { bdi, h, svg } from "../dom";
import { showDate, showYear, yearsOf } from "../format";
import { t } from "../i18n";
import type { Rows } from "../types";
import { rowName, timeColumn } from "./shape";

const WIDTH = 832;
const LANE = 26;
const LETTER = 7.6;

interface Moment {
  at: number;
  name: string;
  when: string;
}

function moments(rows: Rows): Moment[] {
  const column = timeColumn(rows) ?? 0;
  const kind = rows.columns?.[column]?.kind;
  return (rows.rows ?? []).flatMap((row) => {
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

function drawing(all: Moment[]): SVGElement {
  const [first, last] = [all[0]?.at ?? 0, all.at(-1)?.at ?? 1];
  const margin = Math.max((last - first) * 0.03, 0.5);
  const [from, to] = [first - margin, last + margin];
  const x = (year: number): number => 16 + ((year - from) / (to - from)) * (WIDTH - 32);
  const short = all.map((moment) => ({ ...moment, shown: moment.name.length > 26 ? `${moment.name.slice(0, 25)}…` : moment.name }));
  const placed = short.map(({ at, shown }) => {
    const width = shown.length * LETTER + 16;
    const left = x(at) + width > WIDTH;
    return { left, start: left ? x(at) - width : x(at) - 6, end: left ? x(at) + 6 : x(at) + width };
  });
  const rank = lanes(placed);
  const height = (Math.max(...rank) + 1) * LANE + 44;
  const base = height - 26;
  const axis = ticks(from, to).map((year) => [
    svg("line", { class: "grid", x1: x(year), x2: x(year), y1: 4, y2: base }),
    svg("text", { class: "tick", x: x(year), y: base + 20, "text-anchor": "middle" }, showYear(String(year))),
  ]);
  const marks = short.map((moment, n) => {
    const y = 18 + (rank[n] ?? 0) * LANE;
    const left = placed[n]?.left ?? false;
    return svg("g", null, svg("title", null, `${moment.name}: ${moment.when}`),
      svg("line", { class: "drop", x1: x(moment.at), x2: x(moment.at), y1: y, y2: base }),
      svg("circle", { class: "dot", cx: x(moment.at), cy: y, r: 5 }),
      svg("text", { x: x(moment.at) + (left ? -9 : 9), y: y + 5, "text-anchor": left ? "end" : "start" }, moment.shown));
  });
  return svg("svg", { viewBox: `0 0 ${WIDTH} ${height}`, class: "drawing time", "aria-hidden": "true" },
    axis, svg("line", { class: "axis", x1: 0, x2: WIDTH, y1: base, y2: base }), marks);
}

/** The line; screen readers and narrow screens get the same as a list. */
export function time(rows: Rows): HTMLElement {
  const all = moments(rows);
  const column = rows.columns?.[timeColumn(rows) ?? 0];
  return h("figure", { class: "timeline" },
    h("figcaption", { class: "soft" }, bdi(column?.title ?? "")),
    h("div", { class: "wide" }, drawing(all)),
    h("ol", { class: "moments", "aria-label": t.time_of(column?.title ?? "") },
      all.map(({ name, when }) => h("li", null, h("span", { class: "soft" }, bdi(when)), " ", bdi(name)))));
}
