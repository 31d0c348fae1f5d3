//! Statements of a Wikibase in what tools show and in notes on queries; plain graphs are told nothing of them.

use eruca::llm::Message;
use eruca_testing::helpers::data;
use eruca_testing::scripted::{Setup, answers};
use eruca_testing::tools::Graph;
use serde_json::{Value, json};

#[tokio::test]
async fn a_thing_is_shown_with_qualifiers_ranks_and_references() {
    let wiki = Graph::wiki().await;
    insta::assert_snapshot!(wiki.entry("wd:Q1").await, @r#"
    wd:Q1 "Grete Muster": "mayor of a town"
      rdfs:label "Grete Muster"@en (3 languages in all); also "Mayor Grete"
      wdt:P1 "instance of" wd:Q3 ("human")
      wdt:P3 "position held" wd:Q4 ("mayor") ["start time" 1990-01-01; "end time" 1994 (year); "replaces" "Hans Beispiel"; preferred; 2 references], wd:Q11 ("treasurer") ["start time" 1985-05-01; "end time" unknown value; not in wdt:], wd:Q12 ("king") [deprecated; not in wdt:]
      wdt:P7 "height" 180 wd:Q8 ("centimetre")
      wdt:P8 "child" unknown value
      wdt:P13 "residence" wd:Q5 ("Musterstadt")
      Qualifiers: pq:P4 "start time", pq:P5 "end time", pq:P6 "replaces"; as in wd:Q1 p:P3 ?st . ?st ps:P3 ?value ; pq:P4 ?start_time
      1 external identifier: wdt:P9 "height archive ID"
    "#);
    insta::assert_snapshot!(wiki.entry("wd:Q2").await, @r#"
    wd:Q2 "Hans Beispiel": "mayor of a town"
      rdfs:label "Hans Beispiel"@en (2 languages in all)
      wdt:P1 "instance of" wd:Q3 ("human")
      wdt:P3 "position held" wd:Q4 ("mayor") ["start time" 1980-01-01; "end time" 1990-01-01; "replaces" no value]
      wdt:P7 "height" 70 wd:Q9 ("inch")
      wdt:P8 "child" no value
      Qualifiers: pq:P4 "start time", pq:P5 "end time", pq:P6 "replaces"; as in wd:Q2 p:P3 ?st . ?st ps:P3 ?value ; pq:P4 ?start_time
      is a qualifier's value: pq:P6 "replaces" (1)
    "#);
    insta::assert_snapshot!(wiki.entry("wd:Q5").await, @r#"
    wd:Q5 "Musterstadt"
      rdfs:label "Musterstadt"@en (2 languages in all)
      wdt:P1 "instance of" wd:Q6 ("town")
      wdt:P10 "population" 1200 ["point in time" 2020-01-01; preferred], 1000 ["point in time" 2010-01-01; not in wdt:], 9 [deprecated; not in wdt:]
      Qualifiers: pq:P11 "point in time"; as in wd:Q5 p:P10 ?st . ?st ps:P10 ?value ; pq:P11 ?point_in_time
      is wdt:P13 "residence" of 1, e.g. wd:Q1 ("Grete Muster")
    "#);
    insta::assert_snapshot!(wiki.entry("wd:Q4").await, @r#"
    wd:Q4 "mayor"
      rdfs:label "mayor"@en (2 languages in all)
      is wdt:P3 "position held" of 2, e.g. wd:Q1 ("Grete Muster")
    "#);
    insta::assert_snapshot!(wiki.entry("wd:P3").await, @r#"- wdt:P3 "position held": wd:Q3 "human" -> resource (2), e.g. wd:Q4 "mayor"; values are items; 4 statements, 1 of them preferred, 1 of them deprecated: wdt: has not all; qualified by pq:P4 "start time" (3), pq:P5 "end time" (3), pq:P6 "replaces" (1)"#);
    insta::assert_snapshot!(wiki.entry("wd:Q99").await, @"The graph has no triple about wd:Q99; find the right one with search_entity. IRIs must be copied exactly.");
}

#[tokio::test]
async fn what_a_topic_speaks_of_goes_first_after_the_types() {
    let wiki = Graph::wiki().await;
    let properties = async |topic: &str| {
        let entry = wiki.see("get_entry", json!({"iri": "wd:Q1", "topic": topic})).await;
        let lines = entry.lines().filter_map(|line| line.trim_start().split(' ').next());
        lines.filter(|name| name.starts_with("wdt:")).map(str::to_owned).collect::<Vec<_>>()
    };
    assert_eq!(
        properties("where is her residence").await,
        ["wdt:P1", "wdt:P13", "wdt:P3", "wdt:P7", "wdt:P8"]
    );
    assert_eq!(properties("submarine").await, ["wdt:P1", "wdt:P3", "wdt:P7", "wdt:P8", "wdt:P13"]);
}

#[tokio::test]
async fn names_are_shown_in_the_languages_of_the_dataset() {
    let wiki = Graph::with("wiki.ttl", "languages = [\"de\"]").await;
    insta::assert_snapshot!(wiki.entry("wd:Q1").await, @r#"
    wd:Q1 "Grete Muster": "Bürgermeisterin"
      rdfs:label "Grete Muster"@de, "Grete Muster"@en (3 languages in all); also "Die Gretel", "Mayor Grete"
      wdt:P1 "ist ein(e)" wd:Q3 ("Mensch")
      wdt:P3 "Amt" wd:Q4 ("Bürgermeister") ["Beginn" 1990-01-01; "Ende" 1994 (year); "ersetzt" "Hans Beispiel"; preferred; 2 references], wd:Q11 ("Kämmerer") ["Beginn" 1985-05-01; "Ende" unknown value; not in wdt:], wd:Q12 ("König") [deprecated; not in wdt:]
      wdt:P7 "Höhe" 180 wd:Q8 ("Zentimeter")
      wdt:P8 "Kind" unknown value
      wdt:P13 "Wohnort" wd:Q5 ("Musterstadt")
      Qualifiers: pq:P4 "Beginn", pq:P5 "Ende", pq:P6 "ersetzt"; as in wd:Q1 p:P3 ?st . ?st ps:P3 ?value ; pq:P4 ?beginn
      1 external identifier: wdt:P9 "height archive ID"
    "#);
}

#[tokio::test]
async fn all_statements_of_one_property_are_shown_with_their_pattern() {
    let wiki = Graph::wiki().await;
    insta::assert_snapshot!(wiki.values("wd:Q1", "wdt:P3").await, @r#"
    wd:Q1 "Grete Muster", wdt:P3 "position held": 3 statements (1 preferred, 1 deprecated, 2 not in wdt:)
    - wd:Q4 ("mayor"); preferred; pq:P4 "start time" 1990-01-01; pq:P5 "end time" 1994 (year); pq:P6 "replaces" wd:Q2 ("Hans Beispiel"); 2 references (pr:P11 "point in time" 2001-02-03; pr:P12 wd:Q10 ("town archive")) (pr:P12 wd:Q13 ("town chronicle"))
    - wd:Q11 ("treasurer"); not in wdt:; pq:P4 "start time" 1985-05-01; pq:P5 "end time" unknown value
    - wd:Q12 ("king"); deprecated; not in wdt:
    Pattern: wd:Q1 p:P3 ?st . ?st ps:P3 ?value OPTIONAL { ?st pq:P4 ?start_time } OPTIONAL { ?st pq:P5 ?end_time } OPTIONAL { ?st pq:P6 ?replaces }
    Only what wdt: has: add ?st a wikibase:BestRank.
    Dates are xsd:dateTime: compare with "2000-01-01T00:00:00Z"^^xsd:dateTime or use YEAR(?v).
    An unknown value is a blank node: FILTER(!isBlank(?v)) leaves it out.
    "#);
    for spelling in ["P3", "wd:P3", "p:P3", "ps:P3", "pq:P3", "<https://wiki.example/prop/direct/P3>"] {
        assert_eq!(wiki.values("wd:Q1", spelling).await, wiki.values("wd:Q1", "wdt:P3").await, "{spelling}");
    }
    insta::assert_snapshot!(wiki.values("wd:Q2", "wdt:P3").await, @r#"
    wd:Q2 "Hans Beispiel", wdt:P3 "position held": 1 statement
    - wd:Q4 ("mayor"); pq:P4 "start time" 1980-01-01; pq:P5 "end time" 1990-01-01; pq:P6 "replaces" no value
    Pattern: wd:Q2 p:P3 ?st . ?st ps:P3 ?value ; pq:P4 ?start_time ; pq:P5 ?end_time ; pq:P6 ?replaces
    Dates are xsd:dateTime: compare with "2000-01-01T00:00:00Z"^^xsd:dateTime or use YEAR(?v).
    "#);
    insta::assert_snapshot!(wiki.values("wd:Q2", "wdt:P8").await, @r#"
    wd:Q2 "Hans Beispiel", wdt:P8 "child": 1 statement
    - no value
    Pattern: wd:Q2 p:P8 ?st . ?st ps:P8 ?value
    That it has no value: ?x a wdno:P8.
    "#);
    insta::assert_snapshot!(wiki.values("wd:Q2", "wdt:P7").await, @r#"
    wd:Q2 "Hans Beispiel", wdt:P7 "height": 1 statement
    - 70 wd:Q9 ("inch")
    Pattern: wd:Q2 p:P7 ?st . ?st ps:P7 ?value
    Unit: ?st psv:P7 ?node . ?node wikibase:quantityAmount ?amount ; wikibase:quantityUnit ?unit. In the base unit: psn:P7 instead of psv:P7.
    "#);
    insta::assert_snapshot!(wiki.values("wd:Q5", "wdt:P10").await, @r#"
    wd:Q5 "Musterstadt", wdt:P10 "population": 3 statements (1 preferred, 1 deprecated, 2 not in wdt:)
    - 1200; preferred; pq:P11 "point in time" 2020-01-01
    - 1000; not in wdt:; pq:P11 "point in time" 2010-01-01
    - 9; deprecated; not in wdt:
    Pattern: wd:Q5 p:P10 ?st . ?st ps:P10 ?value OPTIONAL { ?st pq:P11 ?point_in_time }
    Only what wdt: has: add ?st a wikibase:BestRank.
    Dates are xsd:dateTime: compare with "2000-01-01T00:00:00Z"^^xsd:dateTime or use YEAR(?v).
    "#);
    insta::assert_snapshot!(wiki.values("wd:Q5", "wdt:P3").await, @r#"wd:Q5 "Musterstadt" has no wdt:P3 "position held"; get_entry without `property` shows what it has."#);
    insta::assert_snapshot!(wiki.values("wd:Q1", "rdfs:label").await, @r#"
    wd:Q1 "Grete Muster", rdfs:label: 3 in all
    - "Grete Muster"@de
    - "Grete Muster"@en
    - "Грета Мустер"@ru
    "#);
}

#[tokio::test]
async fn the_pattern_that_is_shown_gives_the_statements() {
    let wiki = Graph::wiki().await;
    let shown = wiki.values("wd:Q1", "wdt:P3").await;
    let pattern = shown.lines().find_map(|line| line.strip_prefix("Pattern: ")).unwrap();
    let answer = wiki.run(&format!("SELECT ?value ?start_time {{ {pattern} }} ORDER BY ?start_time")).await;
    insta::assert_snapshot!(answer, @r#"
    ?value | ?start_time
    wd:Q12 ("king") | -
    wd:Q11 ("treasurer") | "1985-05-01T00:00:00Z"^^xsd:dateTime
    wd:Q4 ("mayor") | "1990-01-01T00:00:00Z"^^xsd:dateTime
    3 rows
    "#);
}

#[tokio::test]
async fn what_does_not_fit_is_left_out_whole() {
    let wiki = Graph::wiki().await;
    let entry = json!({"iri": "wd:Q1"});
    let values = json!({"iri": "wd:Q1", "property": "wdt:P3"});
    for max_chars in [500, 800, 1_200] {
        for arguments in [&entry, &values] {
            let seen = wiki.see_within(max_chars, "get_entry", arguments.clone()).await;
            assert!(seen.chars().count() <= max_chars, "{max_chars}: {seen}");
        }
    }
    insta::assert_snapshot!(wiki.see_within(500, "get_entry", entry).await, @r#"
    wd:Q1 "Grete Muster": "mayor of a town"
      rdfs:label "Grete Muster"@en (3 languages in all); also "Mayor Grete"
      wdt:P1 "instance of" wd:Q3 ("human")
      wdt:P3 "position held" wd:Q4 ("mayor") (3 statements of all ranks)
      wdt:P7 "height" 180 wd:Q8 ("centimetre")
      wdt:P8 "child" unknown value
      Also (get_entry with `property` shows each): wdt:P13 "residence" (1)
      1 external identifier: wdt:P9 "height archive ID"
    "#);
    insta::assert_snapshot!(wiki.see_within(500, "get_entry", values).await, @r#"
    wd:Q1 "Grete Muster", wdt:P3 "position held": 3 statements (1 preferred, 1 deprecated, 2 not in wdt:)
    - wd:Q4 ("mayor"); preferred; pq:P4 "start time" 1990-01-01; pq:P5 "end time" 1994 (year); pq:P6 "replaces" wd:Q2 ("Hans Beispiel"); 2 references
    … 2 more statements; ask for them with the pattern
    Pattern: wd:Q1 p:P3 ?st . ?st ps:P3 ?value OPTIONAL { ?st pq:P4 ?start_time } OPTIONAL { ?st pq:P5 ?end_time } OPTIONAL { ?st pq:P6 ?replaces }
    "#);
}

#[tokio::test]
async fn properties_tell_what_their_statements_are_like() {
    let wiki = Graph::wiki().await;
    insta::assert_snapshot!(wiki.properties("position held").await, @r#"- wdt:P3 "position held": wd:Q3 "human" -> resource (2), e.g. wd:Q4 "mayor"; values are items; 4 statements, 1 of them preferred, 1 of them deprecated: wdt: has not all; qualified by pq:P4 "start time" (3), pq:P5 "end time" (3), pq:P6 "replaces" (1)"#);
    insta::assert_snapshot!(wiki.properties("replaces").await, @r#"- wdt:P6 "replaces"; values are items; only a qualifier (once) of wdt:P3 "position held" (1)"#);
    // The identifier's name fits as well, and stands last all the same.
    insta::assert_snapshot!(wiki.properties("height").await, @r#"
    - wdt:P7 "height": wd:Q3 "human" -> decimal (2), e.g. +180, +70; quantity; in wd:Q8 "centimetre" (1), wd:Q9 "inch" (1)
    - wdt:P9 "height archive ID": wd:Q3 "human" -> string (1), e.g. "X-1"; external identifier (a string)
    "#);
}

#[tokio::test]
async fn examples_of_a_property_have_a_statement_with_qualifiers() {
    let wiki = Graph::wiki().await;
    let of = async |property: &str| wiki.see("get_property_examples", json!({ "property": property })).await;
    insta::assert_snapshot!(of("wdt:P10").await, @r#"
    - wdt:P10 "population": wd:Q6 "town" -> decimal (1), e.g. +1200; quantity; 3 statements, 1 of them preferred, 1 of them deprecated: wdt: has not all; qualified by pq:P11 "point in time" (2)
    ?subject | ?object
    wd:Q5 ("Musterstadt") | +1200
    1 row
    A statement of wd:Q5 ("Musterstadt"):
    - 1200; preferred; pq:P11 "point in time" 2020-01-01
    Pattern: ?x p:P10 ?st . ?st ps:P10 ?value ; pq:P11 ?point_in_time
    "#);
    insta::assert_snapshot!(of("wd:P6").await, @r#"
    - wdt:P6 "replaces"; values are items; only a qualifier (once) of wdt:P3 "position held" (1)
    A statement of wd:Q1 ("Grete Muster"):
    - wd:Q4 ("mayor"); preferred; pq:P4 "start time" 1990-01-01; pq:P5 "end time" 1994 (year); pq:P6 "replaces" wd:Q2 ("Hans Beispiel"); 2 references
    Pattern: ?x p:P3 ?st . ?st ps:P3 ?value ; pq:P4 ?start_time ; pq:P5 ?end_time ; pq:P6 ?replaces
    "#);
    assert_eq!(of("wd:P6").await, of("pq:P6").await);
}

/// Queries with what is noted before they run; each shape beside a right one of which nothing is noted.
#[tokio::test]
async fn patterns_that_cannot_match_are_noted() {
    let wiki = Graph::wiki().await;
    // A qualifier that the statements of a property never have.
    insta::assert_snapshot!(wiki.note("SELECT ?x { ?x p:P3 ?st . ?st ps:P3 wd:Q4 ; pq:P11 ?t }").await, @r#"No statement of p:P3 "position held" has pq:P11 "point in time"; they have pq:P4 "start time" (3), pq:P5 "end time" (3), pq:P6 "replaces" (1)."#);
    insta::assert_snapshot!(wiki.note("SELECT ?x { ?x p:P7/pq:P4 ?t }").await, @r#"No statement of p:P7 "height" has pq:P4 "start time"; they have no qualifiers."#);
    wiki.is_fine("SELECT ?x { ?x p:P3 ?st . ?st ps:P3 wd:Q4 ; pq:P4 ?t }").await;
    // A part of a statement on a thing.
    insta::assert_snapshot!(wiki.note("SELECT ?t { wd:Q1 pq:P4 ?t }").await, @r#"pq:P4 "start time" belongs to a statement, and wd:Q1 is a thing; go through its statement: wd:Q1 p:P ?st . ?st ps:P ?value ; pq:P4 ?q, where P is one of wdt:P3 "position held" (3)."#);
    insta::assert_snapshot!(wiki.why("SELECT ?t { wd:Q1 pq:P4 ?t }").await, @r#"No triple matches `wd:Q1 pq:P4 ?t`. wd:Q1 has wdt:P1 "instance of", wdt:P3 "position held", wdt:P7 "height", wdt:P13 "residence", wdt:P8 "child"."#);
    insta::assert_snapshot!(wiki.note("SELECT ?t { ?x wdt:P10 ?n ; pq:P11 ?t }").await, @r#"pq:P11 "point in time" belongs to a statement, and ?x is a thing; go through its statement: ?x p:P10 ?st . ?st ps:P10 ?value ; pq:P11 ?point_in_time."#);
    insta::assert_snapshot!(wiki.note("SELECT ?t { ?x wdt:P1 wd:Q3 ; ps:P3 ?t }").await, @r#"ps:P3 "position held" belongs to a statement, and ?x is a thing; go through its statement: ?x p:P3 ?st . ?st ps:P3 ?value."#);
    wiki.is_fine("SELECT ?t { ?x wdt:P1 wd:Q3 ; p:P3 ?st . ?st ps:P3 ?t }").await;
    // A direct claim on a statement, and the value of another property.
    insta::assert_snapshot!(wiki.note("SELECT ?t { ?x p:P3 ?st . ?st wdt:P3 ?t }").await, @r#"?st is a statement of p:P3 "position held", and wdt:P3 begins at things: its value is behind ps:P3."#);
    insta::assert_snapshot!(wiki.note("SELECT ?t { ?x p:P3/ps:P7 ?t }").await, @r#"What a path leads to here is a statement of p:P3 "position held", so that ps:P7 "height" never matches: its value is behind ps:P3."#);
    insta::assert_snapshot!(wiki.note("SELECT ?t { ?x p:P3 ?st . ?st ps:P7 ?t }").await, @r#"?st is a statement of p:P3 "position held", so that ps:P7 "height" never matches: its value is behind ps:P3."#);
    wiki.is_fine("SELECT ?t { ?x p:P3/ps:P3 ?t . ?t rdfs:label ?label }").await;
    // RDF's words for classes.
    insta::assert_snapshot!(wiki.note("SELECT ?x { ?x a wd:Q3 }").await, @r#"Things have no rdf:type or rdfs:subClassOf here: write ?x wdt:P1/wdt:P2* wd:Q3 "human"."#);
    insta::assert_snapshot!(wiki.note("SELECT ?x { ?x a/rdfs:subClassOf* wd:Q7 }").await, @r#"Things have no rdf:type or rdfs:subClassOf here: write ?x wdt:P1/wdt:P2* wd:Q7 "settlement"."#);
    wiki.is_fine("SELECT ?x { ?x wdt:P1/wdt:P2* wd:Q7 }").await;
    wiki.is_fine("SELECT ?x { ?x p:P3 ?st . ?st a wikibase:BestRank }").await;
    // What is only a qualifier, and what never is one.
    insta::assert_snapshot!(wiki.note("SELECT ?x { ?x wdt:P6 ?y }").await, @r#"wdt:P6 "replaces" is only a qualifier here: use pq:P6 on a statement."#);
    insta::assert_snapshot!(wiki.note("SELECT ?x { ?st pq:P7 ?y }").await, @r#"pq:P7 "height" is never a qualifier; things have it directly, wdt:P7."#);
    wiki.is_fine("SELECT ?x { ?st pq:P6 ?y }").await;
}

#[tokio::test]
async fn quantities_in_several_units_are_noted_where_they_are_compared() {
    let wiki = Graph::wiki().await;
    insta::assert_snapshot!(wiki.note("SELECT ?x { ?x wdt:P7 ?h FILTER(?h > 100) }").await, @r#"wdt:P7 "height" is measured in wd:Q8 "centimetre" (1), wd:Q9 "inch" (1): compare only one unit (?st psv:P7/wikibase:quantityUnit ?unit) or the base unit (?st psn:P7/wikibase:quantityAmount ?number)."#);
    for query in
        ["SELECT ?x { ?x wdt:P7 ?h } ORDER BY DESC(?h) LIMIT 1", "SELECT (SUM(?h) AS ?n) { ?x wdt:P7 ?h }"]
    {
        assert!(wiki.run(query).await.contains("is measured in"), "{query}");
    }
    let with_unit = "?n wikibase:quantityUnit wd:Q8 ; wikibase:quantityAmount ?h";
    wiki.is_fine("SELECT ?x ?h { ?x wdt:P7 ?h }").await;
    wiki.is_fine(&format!("SELECT ?x {{ ?x p:P7/psv:P7 ?n . {with_unit} FILTER(?h > 100) }}")).await;
    // One unit only, and none.
    wiki.is_fine("SELECT ?x { ?x wdt:P10 ?n FILTER(?n > 100) }").await;
}

#[tokio::test]
async fn parts_of_statements_are_known_terms() {
    let wiki = Graph::wiki().await;
    wiki.is_fine(
        "SELECT ?x { ?x p:P3 ?st . ?st ps:P3 wd:Q4 ; wikibase:rank wikibase:PreferredRank ; pqv:P4/wikibase:timePrecision 11 ; \
         prov:wasDerivedFrom/pr:P12 wd:Q10 . OPTIONAL { ?x a wdno:P8 } OPTIONAL { ?st psv:P3 ?a ; psn:P3 ?b ; pqn:P4 ?c } \
         OPTIONAL { ?page schema:about ?x } }",
    )
    .await;
    insta::assert_snapshot!(wiki.note("SELECT ?x { ?x p:P99/ps:P99 wd:Q4 }").await, @"The graph does not know p:P99 (no such property: find it with search_property); ps:P99 (no such property: find it with search_property). IRIs must be copied exactly.");
}

/// Queries with the last line of what is seen: why nothing was found.
#[tokio::test]
async fn emptiness_is_explained_by_statements() {
    let wiki = Graph::wiki().await;
    // A value of another rank.
    insta::assert_snapshot!(wiki.why("SELECT ?x { ?x wdt:P3 wd:Q12 }").await, @r#"No triple matches `?x wdt:P3 wd:Q12`. A rank hides it: wdt:P3 has only values of best rank. With p:P3/ps:P3 there is wd:Q1 "Grete Muster" (wikibase:DeprecatedRank)."#);
    insta::assert_snapshot!(wiki.why("SELECT ?x { ?x wdt:P13 wd:Q5 ; wdt:P3 wd:Q11 }").await, @r#"No triple matches `?x wdt:P3 wd:Q11`. A rank hides it: wdt:P3 has only values of best rank. With p:P3/ps:P3 there is wd:Q1 "Grete Muster" (wikibase:NormalRank)."#);
    insta::assert_snapshot!(wiki.why("SELECT ?x { ?x p:P3 ?st . ?st ps:P3 wd:Q11 ; a wikibase:BestRank }").await, @"`?x p:P3 ?st . ?st ps:P3 wd:Q11` has matches, but adding `?st rdf:type wikibase:BestRank` leaves none. A rank hides it: without `?st a wikibase:BestRank` there is one (wikibase:NormalRank).");
    // Nobody has it at any rank.
    insta::assert_snapshot!(wiki.why("SELECT ?x { ?x wdt:P3 wd:Q13 }").await, @r#"No triple matches `?x wdt:P3 wd:Q13`. Objects of wdt:P3 are like wd:Q4 "mayor"."#);
    // A qualifier that others have, and one with another value.
    insta::assert_snapshot!(wiki.why("SELECT ?x { wd:Q2 p:P3 ?st . ?st ps:P3 ?v ; pq:P6 ?x }").await, @r#"`wd:Q2 p:P3 ?st . ?st ps:P3 ?v` has matches, but adding `?st pq:P6 ?x` leaves none. The statements that are left do not have pq:P6 "replaces"; they have pq:P4 "start time", pq:P5 "end time"."#);
    insta::assert_snapshot!(wiki.why("SELECT ?x { wd:Q1 p:P7 ?st . ?st pq:P4 ?x }").await, @r#"`wd:Q1 p:P7 ?st` has matches, but adding `?st pq:P4 ?x` leaves none. The statements that are left have no qualifiers, so no pq:P4 "start time"."#);
    let at = "\"1999-01-01T00:00:00Z\"^^xsd:dateTime";
    insta::assert_snapshot!(wiki.why(&format!("SELECT ?v {{ wd:Q1 p:P3 ?st . ?st ps:P3 ?v ; pq:P4 {at} }}")).await, @r#"No triple matches `?st pq:P4 "1999-01-01T00:00:00Z"^^xsd:dateTime`. The statements that are left have pq:P4 "start time" 1985-05-01, 1990-01-01."#);
    // Everything has ended.
    insta::assert_snapshot!(wiki.why("SELECT ?v { wd:Q2 p:P3 ?st . ?st ps:P3 ?v FILTER NOT EXISTS { ?st pq:P5 ?end } }").await, @r#"The patterns match, but `FILTER(NOT EXISTS { ?st pq:P5 ?end . })` removes every solution. Every statement that is left has pq:P5 "end time", so that none is without it; take the latest one instead (ORDER BY DESC on a date, LIMIT 1), or the value of best rank (wdt:)."#);
    insta::assert_snapshot!(wiki.why("SELECT ?v { wd:Q2 p:P3 ?st . ?st ps:P3 ?v FILTER NOT EXISTS { ?v rdfs:label ?l } }").await, @r#"The patterns match, but `FILTER(NOT EXISTS { ?v rdfs:label ?l . })` removes every solution. Values of ?v are like wd:Q4 "mayor". Each has what must not be there: that may be the answer."#);
    // A class of classes below it, and one of nothing.
    insta::assert_snapshot!(wiki.why("SELECT ?x { ?x wdt:P10 ?n ; wdt:P1 wd:Q7 }").await, @r#"No triple matches `?x wdt:P1 wd:Q7`. The class is reached only through classes below it, such as wd:Q6 "town": write `?x wdt:P1/wdt:P2* wd:Q7 "settlement"`."#);
    insta::assert_snapshot!(wiki.why("SELECT ?x { ?x wdt:P1 wd:Q13 }").await, @"No triple matches `?x wdt:P1 wd:Q13`. wd:Q13 is not a class of this graph; find the right one with search_class.");
    // A unit that nothing is measured in.
    insta::assert_snapshot!(wiki.why("SELECT ?x { wd:Q1 p:P7 ?st . ?st psv:P7 ?n . ?n wikibase:quantityUnit wd:Q9 }").await, @r#"`wd:Q1 p:P7 ?st . ?st psv:P7 ?n` has matches, but adding `?n wikibase:quantityUnit wd:Q9` leaves none. The values that are left are in wd:Q8 "centimetre"."#);
    insta::assert_snapshot!(wiki.why("SELECT ?x { ?x p:P7/psv:P7 ?n . ?n wikibase:quantityUnit ?u FILTER(?u = wd:Q7) }").await, @r#"The patterns match, but `FILTER((?u = wd:Q7))` removes every solution. Values of ?u are like wd:Q8 "centimetre", wd:Q9 "inch"."#);
    // No node of a statement is shown.
    insta::assert_snapshot!(wiki.why("SELECT ?t { ?x p:P3 ?st . ?st ps:P7 ?t }").await, @"`?x p:P3 ?st` has matches, but adding `?st ps:P7 ?t` leaves none.");
}

#[tokio::test]
async fn direct_claims_alone_are_shown_as_they_are() {
    let claims = Graph::of("claims.ttl").await;
    insta::assert_snapshot!(claims.entry("wd:Q2").await, @r#"
    wd:Q2 "Hans Beispiel"
      rdfs:label "Hans Beispiel"@en
      wdt:P1 "instance of" wd:Q3 ("human")
      wdt:P7 "height" 170, 171
    "#);
    insta::assert_snapshot!(claims.values("wd:Q2", "wd:P7").await, @r#"
    wd:Q2 "Hans Beispiel", wdt:P7 "height": 2 in all
    - 170
    - 171
    "#);
    insta::assert_snapshot!(claims.properties("height").await, @r#"- wdt:P7 "height": wd:Q3 "human" -> integer (3), e.g. 180, 170; quantity"#);
    insta::assert_snapshot!(claims.note("SELECT ?h { wd:Q2 p:P7/ps:P7 ?h }").await, @r#"
    p:P7 "height" leads nowhere: the graph has direct values only, wdt:P7.
    "#);
    claims.is_fine("SELECT ?h { wd:Q2 wdt:P7 ?h FILTER(?h > 1) }").await;
}

#[tokio::test]
async fn plain_graphs_are_told_nothing_of_statements() {
    let cities = Graph::of("cities.ttl").await;
    insta::assert_snapshot!(cities.entry(":France").await, @r#"
    :France "France"
      rdf:type :Country ("country")
      rdfs:label "France"@en, "Frankreich"@de
      :capital :Paris ("Paris")
      is :locatedIn of 2, e.g. :Paris ("Paris")
    "#);
    insta::assert_snapshot!(cities.values(":Berlin", ":population").await, @r#"
    :Berlin "Berlin", :population: 1 in all
    - 3700000
    "#);
    insta::assert_snapshot!(cities.values(":Berlin", ":capital").await, @":Berlin has no :capital; get_entry without `property` shows what it has.");
    insta::assert_snapshot!(cities.properties("population").await, @r#"- :population "population": :City -> integer (4), e.g. 2100000, 3700000"#);
    let examples = cities.see("get_property_examples", json!({"property": ":capital"})).await;
    insta::assert_snapshot!(examples, @r#"
    - :capital "capital": :Country -> :City (2)
    ?subject | ?object
    :France ("France") | :Paris ("Paris")
    :Germany ("Germany") | :Berlin ("Berlin")
    2 rows
    "#);
    cities.is_fine("SELECT ?x { ?x a :City ; :population ?n FILTER(?n > 1000) } ORDER BY ?n").await;
    insta::assert_snapshot!(cities.why("SELECT ?x { ?x :capital ?y FILTER NOT EXISTS { ?y :population ?n } }").await, @"The patterns match, but `FILTER(NOT EXISTS { ?y :population ?n . })` removes every solution. Values of ?y are like :Paris, :Berlin. Each has what must not be there: that may be the answer.");
}

#[tokio::test]
async fn the_first_prompt_says_how_statements_are_queried() {
    let prompt = async |file: &str| {
        let setup =
            Setup::new(&format!("[[datasets]]\nid = \"graph\"\nfiles = [{}]", Value::from(data(file))));
        let talk = setup.ask("Who was mayor?", [answers("SELECT ?x { ?x ?p ?o } LIMIT 1")]).await;
        match &talk.model.requests()[0].messages[1] {
            Message::User(text) => text.clone(),
            other => panic!("{other:?}"),
        }
    };
    let notes = |prompt: &str| {
        let lines = prompt.lines().skip_while(|line| !line.starts_with("Class of a thing"));
        lines.take_while(|line| !line.starts_with("Names:")).collect::<Vec<_>>().join("\n")
    };
    let cities = prompt("cities.ttl").await;
    insta::assert_snapshot!(notes(&prompt("claims.ttl").await), @r#"
    Class of a thing: ?x wdt:P1 CLASS; not rdf:type.
    Values are direct, wdt:; there are no statements (p:, ps:, pq:), so no qualifiers, ranks or units.
    Return things, not their labels, unless names are asked for; labels: ?x rdfs:label ?l FILTER(LANG(?l) = "en").
    "#);
    insta::assert_snapshot!(notes(&prompt("wiki.ttl").await), @r#"
    Class of a thing: ?x wdt:P1/wdt:P2* CLASS (direct: ?x wdt:P1 CLASS); not rdf:type.
    wdt: gives the values of best rank (preferred, else normal); it is enough unless the question is about time, order, units, sources or former values. These are on the statement: ?x p:P3 ?st . ?st ps:P3 ?value ; pq:P4 ?q ("position held" with its "start time"). Add ?st a wikibase:BestRank to have only what wdt: has; else leave out wrong ones: FILTER NOT EXISTS { ?st wikibase:rank wikibase:DeprecatedRank }.
    Usual qualifiers: pq:P4 "start time", pq:P5 "end time", pq:P11 "point in time", pq:P6 "replaces". What holds now has no end: FILTER NOT EXISTS { ?st pq:END ?end }; what held on a day D: ?st pq:START ?s OPTIONAL { ?st pq:END ?end } FILTER(?s <= D && (!BOUND(?end) || ?end >= D)). get_entry with `property` shows the qualifiers of a thing's statements.
    A quantity in wdt: is a number without its unit (wdt:P7 "height"): ?st psv:P7 ?n . ?n wikibase:quantityAmount ?a ; wikibase:quantityUnit ?u; with psn: for psv: the amount is in the base unit. Likewise ?n wikibase:timePrecision of a date: 9 is a year, 11 a day.
    An unknown value is a blank node: FILTER(!isBlank(?v)) leaves it out. Things without a value: ?x a wdno:P.
    Return things, not their labels, unless names are asked for; labels: ?x rdfs:label ?l FILTER(LANG(?l) = "en").
    "#);
    assert!(!cities.contains("wdt:") && !cities.contains("rank"), "{cities}");
}
