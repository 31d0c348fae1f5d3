import assert from "node:assert/strict";
import { test } from "node:test";
import { aRun, aTable } from "../fixtures";
import type { Run, Step } from "../types";
import { begin, opened, reduce, shown, type RunState } from "./run";

const step: Step = { at_ms: 0, elapsed_ms: 1, kind: "planner", readings: ["a"] };
const table = { ...aTable([{ name: "x", title: "x", kind: "number" }], [[{ type: "literal", value: "1" }]]), row_count: 3 };
const tokens = { prompt: 0, completion: 0, cached: 0, estimated: false };
const run = aRun({
  query: "SELECT ?x {}", rows: table, words: [{ text: "Danube", used: true }],
  answer: { text: "1", parts: [{ text: "1" }], lang: "en", by: "reading", unverified: [], kind: "answer" },
  trace: { dataset_id: "demo", answered_by: "planner", stop_reason: "no_model", degraded: [], elapsed_ms: 1, model_calls: 0, tokens, steps: [step] },
});

const feed = (state: RunState, events: [string, unknown][], from = 1): RunState =>
  events.reduce((now, [type, data], n) => reduce(now, { type: "event", event: { id: from + n, type, data: JSON.stringify(data) } }), state);

const start = (): RunState => begin("demo", "How long is the Danube?");

test("events build the state in their order", () => {
  const state = feed(start(), [
    ["reading", { lang: "en", asked: "How long is the Danube?", taken_over: [], words: run.words }],
    ["step", step],
    ["query", { query: run.query, explanation: [] }],
    ["rows", run.rows],
    ["token", { text: "It is " }],
    ["token", { text: "1" }],
  ]);
  assert.equal(state.phase, "working");
  assert.equal(state.streamed, "It is 1");
  assert.equal(state.steps.length, 1);
  assert.equal(state.query, run.query);
  assert.deepEqual(state.words, run.words);
  const done = feed(state, [["answer", run.answer], ["done", run]], 7);
  assert.equal(done.phase, "done");
  assert.equal(done.streamed, "");
  assert.equal(done.answer?.text, "1");
});

test("a replayed event changes nothing", () => {
  const state = feed(start(), [["token", { text: "a" }], ["token", { text: "b" }]]);
  assert.equal(feed(state, [["token", { text: "a" }], ["token", { text: "b" }], ["token", { text: "c" }]]).streamed, "abc");
});

test("what the end does not tell stays as the events told it", () => {
  const reading = { reading: "length of the Danube", confidence: { name: "sure", probability: 0.9 } };
  const state = feed(start(), [["reading", reading], ["step", step], ["query", { query: run.query }], ["rows", table], ["answer", run.answer]]);
  const done = feed(state, [["done", aRun()]], 6);
  assert.equal(done.phase, "done");
  assert.deepEqual([done.reading, done.confidence], [reading.reading, reading.confidence]);
  assert.deepEqual([done.steps, done.query, done.rows, done.answer], [[step], run.query, table, run.answer]);
  // What it tells is what counts.
  assert.deepEqual(feed(state, [["done", aRun({ query: "ASK {}", reading: "other" })]], 6).query, "ASK {}");
});

test("a run that is still under way, opened from its link, goes on", () => {
  const opening = opened(aRun({ state: "running" }));
  assert.deepEqual([opening.phase, opening.shared, opening.question], ["working", true, "How long is the Danube?"]);
  assert.equal(feed(opening, [["token", { text: "It" }]]).streamed, "It");
});

test("a reading does not take back what an earlier one told", () => {
  const state = feed(start(), [["reading", { words: run.words, lang: "en", taken_over: ["a"] }], ["reading", { reading: "b" }]]);
  assert.deepEqual([state.words, state.lang, state.taken_over, state.reading], [run.words, "en", ["a"], "b"]);
});

test("an event that cannot be read is passed over", () => {
  const broken = reduce(start(), { type: "event", event: { id: 1, type: "rows", data: "{" } });
  assert.equal(broken.last, 1);
  assert.equal(broken.rows, undefined);
  assert.equal(feed(start(), [["unheard_of", { a: 1 }], ["step", null]]).steps.length, 0);
});

test("a lost connection is told until events come again", () => {
  const lost = reduce(start(), { type: "lost" });
  assert.equal(lost.resuming, true);
  assert.equal(feed(lost, [["token", { text: "a" }]]).resuming, false);
});

test("a stopped question takes in nothing more", () => {
  const stopped = reduce(start(), { type: "stopped" });
  assert.equal(stopped.phase, "cancelled");
  assert.equal(feed(stopped, [["token", { text: "late" }]]).streamed, "");
});

test("an error of the run is kept with its question", () => {
  const error = { code: "endpoint_down", detail: "no" };
  const state = feed(start(), [["error", error], ["done", { ...run, state: "failed", error, rows: undefined, answer: undefined }]]);
  assert.equal(state.phase, "failed");
  assert.deepEqual(state.error, error);
  assert.equal(state.question, "How long is the Danube?");
});

test("another query stands in the place of the answer, and goes away again", () => {
  const done = opened(run);
  const other: Run = { ...run, id: "r2", query: "SELECT ?y {}", rows: { columns: [], rows: [], row_count: 0 } };
  const tried = reduce(done, { type: "other", other: { kind: "edited", title: "", run: other } });
  assert.equal(shown(tried).query, "SELECT ?y {}");
  assert.equal(shown(tried).id, "r2");
  assert.equal(shown(reduce(tried, { type: "back" })).query, run.query);
});

test("more rows come behind those that are there, with their places", () => {
  const more = reduce(opened(run), { type: "more", rows: { ...aTable([], [[null], [null]]), places: { a: [1, 2] } } });
  assert.ok(more.rows && !("boolean" in more.rows));
  assert.deepEqual([more.rows.rows.length, more.rows.columns, more.rows.row_count, more.rows.places], [3, table.columns, 3, { a: [1, 2] }]);
  // They belong to what is shown.
  const tried = reduce(opened(run), { type: "other", other: { kind: "edited", title: "", run: aRun({ id: "r2", rows: aTable([], [[null]]) }) } });
  const both = reduce(tried, { type: "more", rows: aTable([], [[null]]) });
  assert.deepEqual(shown(both).rows, { ...aTable([], [[null], [null]]), row_count: 1, places: {} });
  assert.deepEqual(both.rows, table);
  assert.deepEqual(reduce(opened(aRun({ rows: { boolean: true } })), { type: "more", rows: aTable([], []) }).rows, { boolean: true });
});
