import assert from "node:assert/strict";
import { test } from "node:test";
import { localName, numberOf, placeOf, showDate, showLiteral, showNumber, showYear, yearsOf } from "./format";
import { completed, fragment } from "./parts/completion";
import { written } from "./parts/editor";
import { asText } from "./parts/results";

test("numbers are written as people write them, and never changed", () => {
  assert.equal(showNumber("2850"), "2,850");
  assert.equal(showNumber("1.50"), "1.5");
  assert.equal(showNumber("12345678901234567890"), "12345678901234567890");
  assert.equal(showNumber("1,5"), "1,5");
  assert.equal(numberOf("12 apples"), undefined);
});

test("years and dates", () => {
  assert.equal(showYear("1999"), "1999");
  assert.equal(showYear("-0044"), "44 BC");
  assert.equal(showDate("1953-05-29"), "May 29, 1953");
  assert.equal(showDate("2001-02-03T00:00:00Z"), "February 3, 2001");
  assert.equal(showDate("soon"), "soon");
  assert.equal(yearsOf("1900-01-01"), 1900);
  assert.equal(yearsOf("long ago"), undefined);
  assert.equal(showLiteral({ type: "literal", value: "true", datatype: "http://www.w3.org/2001/XMLSchema#boolean" }), "yes");
});

test("places are read from points and pairs, and must be on Earth", () => {
  assert.deepEqual(placeOf("POINT(13.4 52.5)"), [52.5, 13.4]);
  assert.deepEqual(placeOf("<http://x> Point(-77 -12)"), [-12, -77]);
  assert.equal(placeOf("91 0"), undefined);
});

test("a thing without a name is called by the end of its address", () => {
  assert.equal(localName("http://x/y#Some_Thing"), "Some Thing");
  assert.equal(localName("http://x/%zz"), "%zz");
  assert.equal(localName("urn:isbn:123"), "123");
});

test("what is being written is completed in its place", () => {
  assert.equal(fragment("Which rivers flow through Ge"), "Ge");
  assert.equal(fragment("people in New Yo"), "New Yo");
  assert.equal(fragment("rivers "), "");
  assert.equal(fragment("a"), "");
  assert.equal(completed("people in New Yo", "New York"), "people in New York ");
  assert.equal(completed("Is Ge", "Germany"), "Is Germany ");
});

test("a term is written with a prefix of the query where it can be", () => {
  const query = "PREFIX geo: <http://x/geo#>\nprefix : <http://x/>\nSELECT * {}";
  assert.equal(written("http://x/geo#length", query), "geo:length");
  assert.equal(written("http://x/Ge(1)", query), "<http://x/Ge(1)>");
  assert.equal(written("http://y/a", query), "<http://y/a>");
});

test("copied rows keep one line for each row", () => {
  const rows = { columns: [{ name: "a", title: "a\tb", kind: "text" }], rows: [[{ type: "literal", value: "x\ny" }], [null]], row_count: 2 };
  assert.equal(asText(rows), "a b\nx y\n");
});
