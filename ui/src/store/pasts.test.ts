import assert from "node:assert/strict";
import { test } from "node:test";
import { found, keep, note, pasts, type Past } from "./pasts";

const kept = new Map<string, string>();
Object.defineProperty(globalThis, "localStorage", {
  configurable: true, value: { getItem: (name: string) => kept.get(name) ?? null, setItem: (name: string, value: string) => kept.set(name, value) },
});

const past = (id: string, question: string, text = ""): Past => ({ id, dataset: "demo", question, text, at: "2026-01-01T00:00:00Z" });

test("the same question of the same graph stands once, at its last time", () => {
  for (const one of [past("1", "a"), past("2", "b"), past("3", "a"), { ...past("4", "a"), dataset: "other" }]) note(one);
  assert.deepEqual(pasts().map(({ id }) => id), ["4", "3", "2"]);
});

test("questions are found by all of their words, also those of the answer", () => {
  const all = [past("1", "How long is the Danube?", "2,850 km"), past("2", "How long is the Rhine?", "1,233 km")];
  assert.deepEqual(found(all, "LONG 2,850").map(({ id }) => id), ["1"]);
  assert.deepEqual(found(all, "  ").length, 2);
});

test("what cannot be read counts as nothing", () => {
  kept.set("eruca.history", '{"a":1}');
  assert.deepEqual(pasts(), []);
  kept.set("eruca.history", '[null,{"id":1},3]');
  assert.deepEqual(pasts(), []);
  keep([past("1", "a")]);
  assert.equal(pasts().length, 1);
});
