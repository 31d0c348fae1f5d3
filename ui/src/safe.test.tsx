import assert from "node:assert/strict";
import { test } from "node:test";
import { h } from "preact";
import { safeAddress } from "./safe";

test("only pages of the web are addresses", () => {
  for (const bad of ["javascript:alert(1)", " javascript:alert(1)", "JAVASCRIPT:x", "data:text/html,x", "//evil.example/x", "file:///etc/passwd", "vbscript:x", ""]) {
    assert.equal(safeAddress(bad), undefined, bad);
  }
  assert.equal(safeAddress("https://example.org/a"), "https://example.org/a");
  assert.equal(safeAddress("/runs/1"), "/runs/1");
  assert.equal(safeAddress("#q=x"), "#q=x");
});

test("no element leads elsewhere or is read as HTML, whoever made it", () => {
  const hostile = "javascript:alert(1)";
  assert.equal((<a href={hostile}>x</a>).props.href, undefined);
  assert.equal((<img src="data:text/html,x" alt="" />).props.src, undefined);
  assert.equal((<a href="https://example.org/a">x</a>).props.href, "https://example.org/a");
  const made = h("div", { dangerouslySetInnerHTML: { __html: "<b>x</b>" } }).props as object;
  assert.ok(!("dangerouslySetInnerHTML" in made));
});
