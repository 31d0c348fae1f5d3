import assert from "node:assert/strict";
import { test } from "node:test";
import { wanted } from "./wanted";

test("a word is wanted, and of a prefixed name what follows the colon", () => {
  assert.deepEqual(wanted("  ?film dbo:dir", false), { word: "dir", length: 7, names: true });
  assert.deepEqual(wanted("  ?film d", false), { word: "d", length: 1, names: false });
  assert.deepEqual(wanted("?x a dbo:", false), { word: "", length: 4, names: false });
  assert.deepEqual(wanted("?x a Käse", false), { word: "Käse", length: 4, names: true });
});

test("after a term and a space the next one is wanted, elsewhere only when somebody asks", () => {
  const nothing = { word: "", length: 0, names: false };
  assert.deepEqual(wanted("  ?film ", false), nothing);
  assert.deepEqual(wanted("?x a ", false), nothing);
  for (const before of ["", "  ", "?x a dbo:Film . ", "?x a dbo:Film ; ", "WHERE { "]) {
    assert.equal(wanted(before, false), undefined, before);
    assert.deepEqual(wanted(before, true), nothing, before);
  }
});

test("variables, strings, languages and IRIs are not completed", () => {
  for (const before of ["?fi", "$fi", "?x rdfs:label \"Fi", "\"a\"@d", "<htt", "?"]) {
    assert.equal(wanted(before, true), undefined, before);
  }
});
