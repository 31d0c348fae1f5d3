import assert from "node:assert/strict";
import { test } from "node:test";
import { aRun } from "../fixtures";
import type { Because, Run } from "../types";
import { corrections } from "./meant";

const typo = (words: string, name: string): Because => ({ words, name, part: "thing", right: "typo", text: "" });

const run = (question: string, because: Because[], more: Partial<Run> = {}): Run =>
  aRun({ question, asked: question, confidence: { name: "likely", probability: 0.7 }, because, ...more });

test("a name that is only written alike gives way to that of the graph", () => {
  assert.deepEqual(corrections(run("Capital of Frnace?", [typo("Frnace", "France")])),
    [{ name: "France", question: "Capital of France?" }]);
  // Of a follow-up the name may stand in the question before it.
  assert.deepEqual(corrections(run("And its population?", [typo("Frnace", "France")], { asked: "Population of Frnace?" })),
    [{ name: "France", question: "Population of France?" }]);
});

test("a name that is not found may be one that is written alike", () => {
  const similar = [{ words: "Mount Everst", name: "Mount Everest" }];
  assert.deepEqual(corrections(run("How high is Mount Everst?", [typo("Everst", "George Everest")], { similar })),
    [{ name: "Mount Everest", question: "How high is Mount Everest?" }]);
});

test("what is written inside of another word stays, and so do signs", () => {
  assert.equal(corrections(run("Is Annabel an Ann?", [typo("Ann", "Anne")]))[0]?.question, "Is Annabel an Anne?");
  assert.equal(corrections(run("Who is A. (B-C)?", [typo("A. (B-C)", "A. $& C")]))[0]?.question, "Who is A. $& C?");
});

test("nothing is asked of a sure answer, of the very name, or of words that the question has not", () => {
  const sure = { confidence: { name: "sure", probability: 0.9 } } as const;
  assert.deepEqual(corrections(run("Capital of Frnace?", [typo("Frnace", "France")], sure)), []);
  assert.deepEqual(corrections(run("capital of peru?", [typo("peru", "Perú")])), []);
  assert.deepEqual(corrections(run("Capital of Peru?", [{ ...typo("Peru", "Lima"), right: "exact" }])), []);
  assert.deepEqual(corrections(run("Capital?", [typo("Frnace", "France")])), []);
});

test("several names are offered, each once and not too many", () => {
  const names = ["Ada", "Ada", "Adam", "Adel", "Adele"].map((name) => typo("Adq", name));
  assert.deepEqual(corrections(run("Adq?", names)).map(({ name }) => name), ["Ada", "Adam", "Adel"]);
});
