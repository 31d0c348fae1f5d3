import assert from "node:assert/strict";
import { readdirSync } from "node:fs";
import { test } from "node:test";
import { LANGUAGES } from ".";
import { all as boards } from "./boards";
import { words as de } from "./de";
import { en } from "./en";
import { words as es } from "./es";
import { words as fr } from "./fr";
import { words as it } from "./it";
import "./later";
import { words as nl } from "./nl";
import { words as pt } from "./pt";
import { all as tests } from "./tests";

const all: Record<string, unknown> = { de, en, es, fr, it, nl, pt };

/** Every key, also those inside, with what it says of two, three and a name. */
function said(words: unknown, path = ""): Map<string, string> {
  if (typeof words === "string") return new Map([[path, words]]);
  if (typeof words === "function") return new Map([[path, String(words(2, 3, "Ada"))]]);
  return new Map(Object.entries(words as object).flatMap(([key, inside]) => [...said(inside, `${path}.${key}`)]));
}

test("every language of the list has its file, and every file is in the list", () => {
  const files = readdirSync("src/i18n").flatMap((name) => /^([a-z]{2})\.ts$/.exec(name)?.[1] ?? []);
  assert.deepEqual(files.sort(), Object.keys(LANGUAGES).sort());
  assert.deepEqual(Object.keys(all).sort(), files);
});

test("every language has a word for everything that English has one for", () => {
  const keys = [...said(en).keys()].sort();
  for (const [tag, words] of Object.entries(all)) {
    const own = said(words);
    assert.deepEqual([...own.keys()].sort(), keys, tag);
    for (const [key, text] of own) assert.ok(text.trim() && !/\b(undefined|null|NaN)\b/.test(text), `${tag}${key}: ${text}`);
  }
});

test("every language has the words of pages of verified questions", () => {
  assert.deepEqual(Object.keys(boards), Object.keys(all).sort());
  const keys = [...said(boards["en"]).keys()].sort();
  for (const [tag, words] of Object.entries(boards)) assert.deepEqual([...said(words).keys()].sort(), keys, tag);
});

test("every language has the words of the page on which answers are judged", () => {
  assert.deepEqual(Object.keys(tests), Object.keys(all).sort());
  const keys = [...said(tests["en"]).keys()].sort();
  for (const [tag, words] of Object.entries(tests)) assert.deepEqual([...said(words).keys()].sort(), keys, tag);
});

test("a number is written and agrees with its noun as in its language", () => {
  assert.deepEqual([0, 1, 2, 12345].map(en.rows), ["0 rows", "1 row", "2 rows", "12,345 rows"]);
  assert.deepEqual([0, 1, 2, 12345].map(fr.rows), ["0 ligne", "1 ligne", "2 lignes", `${(12345).toLocaleString("fr")} lignes`]);
  assert.deepEqual([0, 1, 12345].map(es.rows), ["0 filas", "1 fila", "12.345 filas"]);
});
