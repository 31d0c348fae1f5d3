import assert from "node:assert/strict";
import { test } from "node:test";
import { aTable } from "../fixtures";
import type { ColumnKind, Place, Table, Term } from "../types";
import { rowName, viewsOf } from "./shape";
import { arrange } from "./table";
import { lanes, ticks } from "./time";

const thing = (name: string): Term => ({ type: "uri", value: `http://x/${name}`, label: name });
const literal = (value: string | number): Term => ({ type: "literal", value: String(value) });
const rows = (kinds: ColumnKind[], list: (Term | null)[][], places?: Record<string, Place>): Table =>
  aTable(kinds.map((kind, n) => ({ name: `c${n}`, title: `c${n}`, kind })), list, places);

test("the shape of the rows decides the view", () => {
  assert.deepEqual(viewsOf({ boolean: false }), ["verdict"]);
  assert.deepEqual(viewsOf(rows(["number"], [[literal(3)]])), ["big", "table"]);
  assert.deepEqual(viewsOf(rows(["thing"], [[thing("a")]])), ["card", "table"]);
  assert.deepEqual(viewsOf(rows(["thing"], [[thing("a")], [thing("b")]])), ["list", "table"]);
  assert.deepEqual(viewsOf(rows(["thing", "number"], [[thing("a"), literal(1)], [thing("b"), literal(2)]])), ["table", "bars"]);
  assert.deepEqual(viewsOf(rows(["thing", "year"], [[thing("a"), literal(1900)], [thing("b"), literal(1910)]])), ["table", "time"]);
  assert.deepEqual(viewsOf(rows(["thing"], [])), []);
});

test("numbers for each of something are bars first", () => {
  const counts = rows(["thing", "number"], [[thing("a"), literal(2)], [thing("b"), literal(1)]]);
  assert.deepEqual(viewsOf(counts, true), ["bars", "table"]);
  const years = rows(["year", "number"], [[literal(1900), literal(2)], [literal(1910), literal(1)]]);
  assert.deepEqual(viewsOf(years, true), ["bars", "table", "time"]);
  const months = rows(["month", "number"], [[literal(5), literal(2)], [literal(6), literal(1)]]);
  assert.deepEqual(viewsOf(months, true), ["bars", "table"]);
  assert.deepEqual(months.rows.map((row) => rowName(months, row)), ["May", "June"]);
});

test("places make a map, links a graph", () => {
  const two = [[thing("a")], [thing("b")]];
  assert.deepEqual(viewsOf(rows(["thing"], two, { "http://x/a": [1, 2] })), ["list", "table", "map"]);
  assert.deepEqual(viewsOf(rows(["thing", "coordinates"], [[thing("a"), literal("POINT(13 52)")], [thing("b"), literal("1.5, 2")]])), ["map", "table"]);
  assert.deepEqual(viewsOf(rows(["thing", "coordinates"], [[thing("a"), literal("nowhere")], [thing("b"), literal("POINT(900 52)")]])), ["table"]);
  assert.ok(viewsOf(rows(["thing", "thing"], [[thing("a"), thing("b")], [thing("b"), thing("c")]])).includes("graph"));
});

test("too many things for a picture stay a table", () => {
  const many = Array.from({ length: 40 }, (_, n) => [thing(`a${n}`), thing(`b${n}`)]);
  assert.deepEqual(viewsOf(rows(["thing", "thing"], many)), ["table"]);
});

test("rows are filtered by all words and sorted as numbers", () => {
  const all = rows(["thing", "number"], [[thing("Rhine"), literal(1233)], [thing("Danube"), literal(2850)], [thing("Main"), literal("527")], [thing("Inn"), null]]);
  assert.deepEqual(arrange(all, "", { column: 1, down: false }), [2, 0, 1, 3]);
  assert.deepEqual(arrange(all, "", { column: 0, down: false }), [1, 3, 2, 0]);
  assert.deepEqual(arrange(all, "in", undefined), [0, 2, 3]);
  assert.deepEqual(arrange(all, "in 1,2", undefined), [0]);
});

test("names in time keep clear of each other", () => {
  assert.deepEqual(lanes([{ start: 0, end: 50 }, { start: 20, end: 60 }, { start: 55, end: 90 }]), [0, 1, 0]);
  assert.deepEqual(ticks(1786, 1954), [1800, 1825, 1850, 1875, 1900, 1925, 1950]);
  assert.deepEqual(ticks(2000.2, 2003.4), [2001, 2002, 2003]);
});
