import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";
import { isProposed, noteProposed, prefer, prefers } from "./prefers";

const kept = new Map<string, string>();

beforeEach(() => {
  kept.clear();
  Object.assign(globalThis, {
    localStorage: { getItem: (name: string) => kept.get(name) ?? null, setItem: (name: string, value: string) => kept.set(name, value) },
  });
});

test("a choice gives way to another one among the same, and to no other", () => {
  prefer("g", "made", ["made", "bought"]);
  prefer("g", "room", ["room", "place"]);
  prefer("g", "bought", ["made", "bought"]);
  assert.deepEqual(prefers("g"), ["bought", "room"]);
  assert.deepEqual(prefers("other"), []);
});

test("what cannot be read counts as nothing", () => {
  kept.set("eruca.prefers.g", "{");
  assert.deepEqual(prefers("g"), []);
});

test("what was proposed for all is known, in its graph", () => {
  noteProposed("g", "made");
  assert.deepEqual([isProposed("g", "made"), isProposed("g", "bought"), isProposed("other", "made")], [true, false, false]);
});
