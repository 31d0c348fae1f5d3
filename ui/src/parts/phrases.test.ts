import assert from "node:assert/strict";
import { test } from "node:test";
import type { Run } from "../types";
import { phrases } from "./phrases";

const run = (question: string, more: Partial<Run>): Run => ({ question, words: [], because: [], unused: [], ...more }) as unknown as Run;

test("words without a meaning come first, then what was read, then the rest, each once", () => {
  const words = ["Which", "account", "holders", "live", "in", "Rome", "Rome"].map((text) => ({ text, used: true }));
  const because = [{ words: "Rome", name: "Rome (city)", part: "thing", right: "exact", text: "" }];
  const found = phrases(run("", { words, because, unused: ["account", "holders"] }));
  assert.deepEqual(found.map(({ words }) => words), ["account", "holders", "account holders", "Rome", "Which", "live", "in"]);
  assert.deepEqual(found.find(({ words }) => words === "Rome"), { words: "Rome", name: "Rome (city)" });
});

test("without the words of a planner, those of the question are taken", () => {
  assert.deepEqual(phrases(run("Who wrote it?", {})).map(({ words }) => words), ["Who", "wrote", "it"]);
});

test("a word that was understood is not among those without a meaning, though it stands there twice", () => {
  const words = ["big", "Big", "lake"].map((text) => ({ text, used: false }));
  const because = [{ words: "Big lake", name: "Big Lake", part: "thing", right: "exact", text: "" }];
  const found = phrases(run("", { words, because, unused: ["big"] }));
  assert.deepEqual(found, [{ words: "Big lake", name: "Big Lake" }]);
});
