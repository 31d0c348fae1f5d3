import assert from "node:assert/strict";
import { test } from "node:test";
import { forgetMeaning, keepMeaning, meanings, sent } from "./meanings";

const store = new Map<string, string>();
Object.defineProperty(globalThis, "localStorage", {
  value: { getItem: (name: string) => store.get(name) ?? null, setItem: (name: string, value: string) => store.set(name, value) },
});
const one = (words: string, iri: string) => ({ words, kind: "class", iri, name: "Name" });

test("a meaning is kept for its words, whatever their case, until it is forgotten", () => {
  keepMeaning("zoo", one("inmates", "a"));
  keepMeaning("zoo", one("Inmates", "b"));
  keepMeaning("other", one("inmates", "c"));
  assert.deepEqual(meanings("zoo").map(({ iri }) => iri), ["b"]);
  forgetMeaning("zoo", "INMATES");
  assert.deepEqual(meanings("zoo"), []);
  assert.equal(meanings("other").length, 1);
});

test("what is not a meaning is left out, and the number is bounded", () => {
  store.set("eruca.meanings.zoo", "[{\"words\":1},null]");
  assert.deepEqual(meanings("zoo"), []);
  store.set("eruca.meanings.zoo", "{");
  assert.deepEqual(meanings("zoo"), []);
  for (let n = 0; n < 30; n++) keepMeaning("zoo", one(`word ${n}`, "a"));
  assert.equal(meanings("zoo").length, 20);
  assert.equal(meanings("zoo")[0]?.words, "word 29");
});

test("a value is sent with its property", () => {
  assert.deepEqual(sent({ ...one("hasty", "rank"), kind: "value", value: "R9" }), { words: "hasty", meaning: { kind: "value", iri: "rank", value: "R9" } });
  assert.deepEqual(sent(one("inmates", "a")), { words: "inmates", meaning: { kind: "class", iri: "a" } });
});
