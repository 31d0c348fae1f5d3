import assert from "node:assert/strict";
import { test } from "node:test";
import type { Run } from "../types";
import { begin, opened, reduce, shown, type RunState } from "./run";

const run: Run = {
  id: "r1", dataset: "demo", question: "How long is the Danube?", state: "done", query: "SELECT ?x {}", explanation: [],
  rows: { columns: [{ name: "x", title: "x", kind: "number" }], rows: [[{ type: "literal", value: "1" }]], row_count: 3 },
  answer: { text: "1", parts: [{ text: "1" }], by: "reading", kind: "answer" }, words: [{ text: "Danube", used: true }],
  trace: { steps: [{ at_ms: 0, elapsed_ms: 1, kind: "planner", readings: ["a"] }] },
};

const feed = (state: RunState, events: [string, unknown][], from = 1): RunState =>
  events.reduce((now, [type, data], n) => reduce(now, { type: "event", event: { id: from + n, type, data: JSON.stringify(data) } }), state);

const start = (): RunState => begin("demo", "How long is the Danube?");

test("events build the state in their order", () => {
  const state = feed(start(), [
    ["reading", { lang: "en", asked: "How long is the Danube?", taken_over: [], words: run.words }],
    ["step", run.trace?.steps?.[0]],
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

test("what the end repeats keeps its identity", () => {
  const state = feed(start(), [["rows", run.rows], ["step", run.trace?.steps?.[0]]]);
  const done = feed(state, [["done", run]], 3);
  assert.equal(done.rows, state.rows);
  assert.equal(done.steps, state.steps);
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

test("more rows come behind those that are there", () => {
  const more = reduce(opened(run), { type: "more", rows: { rows: [[null], [null]] } });
  assert.equal(more.rows?.rows?.length, 3);
  assert.equal(more.rows?.columns?.length, 1);
});
