import assert from "node:assert/strict";
import { test } from "node:test";
import { pretty } from "./pretty";

test("a query of one line is laid out, and nothing of it is lost", () => {
  const query = "SELECT DISTINCT ?r WHERE { ?r a <https://e.x/ontology#River> . ?r <https://e.x/ontology#km> ?k . " +
    "<https://e.x/resource/Elbe> <https://e.x/ontology#km> ?e . FILTER(<http://www.w3.org/2001/XMLSchema#decimal>(?k) > 1.5) " +
    "OPTIONAL { ?r <https://e.x/a%20b> \"a . } b\" } } ORDER BY DESC(?k) LIMIT 3";
  assert.equal(pretty(query), [
    "PREFIX ontology: <https://e.x/ontology#>", "PREFIX resource: <https://e.x/resource/>",
    "PREFIX xsd: <http://www.w3.org/2001/XMLSchema#>",
    "SELECT DISTINCT ?r WHERE {",
    "  ?r a ontology:River .",
    "  ?r ontology:km ?k .",
    "  resource:Elbe ontology:km ?e .",
    "  FILTER(xsd:decimal(?k) > 1.5)",
    "  OPTIONAL {",
    "    ?r <https://e.x/a%20b> \"a . } b\"",
    "  }",
    "}", "ORDER BY DESC(?k)", "LIMIT 3",
  ].join("\n"));
});

test("a condition ends its line", () => {
  assert.equal(pretty("ASK { ?a ?b ?c . FILTER(?c > (1)) ?a ?d ?e . FILTER NOT EXISTS { ?e ?f ?g } }"),
    "ASK {\n  ?a ?b ?c .\n  FILTER(?c > (1))\n  ?a ?d ?e .\n  FILTER NOT EXISTS {\n    ?e ?f ?g\n  }\n}");
});

test("two spaces with one name keep apart, and what is laid out stays", () => {
  assert.equal(pretty("ASK { <http://a/x/A> <http://b/x/B> 1 }"),
    "PREFIX x: <http://a/x/>\nPREFIX x2: <http://b/x/>\nASK {\n  x:A x2:B 1\n}");
  assert.equal(pretty("PREFIX x: <http://b/>\nPREFIX a: <http://a/>\nASK { a:b.c <http://a/x/A> a:c . a:d x:e 1.5 }"),
    "PREFIX x: <http://b/>\nPREFIX a: <http://a/>\nPREFIX x2: <http://a/x/>\nASK {\n  a:b.c x2:A a:c .\n  a:d x:e 1.5\n}");
  for (const same of ["PREFIX a: <http://a/>\nASK {\n  a:b a:c 1 }", "ASK {\n<http://a/x/A> ?b 1 }"]) assert.equal(pretty(same), same);
});
