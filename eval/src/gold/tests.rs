//! Gold queries with extensions of Wikidata's engine: what they become, and that this is SPARQL.

use super::*;
use eruca_sparql::{Prefixes, QueryPolicy, check};

/// The query as it runs, on one line, from its first word after prefixes; it must be SPARQL.
fn written(query: &str) -> String {
    let text = runnable(query).unwrap();
    check(&text, &Prefixes::well_known(), &QueryPolicy::default())
        .unwrap_or_else(|error| panic!("{error}: {text}"));
    let (_prefixes, query) = text.split_once("SELECT").unwrap();
    format!("SELECT{}", query.split_whitespace().map(|word| format!(" {word}")).collect::<String>())
}

#[test]
fn queries_without_extensions_stay_and_comments_are_none() {
    let query =
        "SELECT ?x # all of them, INCLUDE %none\nWHERE { ?x rdfs:label \"a # b SERVICE\"@en } # hint: end";
    assert_eq!(runnable(query).unwrap(), query);
    let hinted = "SELECT ?x # {\nWHERE { hint:Query hint:x 1 . ?x rdfs:label \"a # b\"@en } # end";
    assert_eq!(written(hinted), "SELECT ?x WHERE { ?x rdfs:label \"a # b\"@en }");
    let federated = "SELECT * { SERVICE <http://e.x/sparql> { ?s ?p ?o } }";
    assert_eq!(runnable(federated).unwrap(), federated, "whether it may be asked is decided elsewhere");
}

#[test]
fn the_label_service_becomes_optional_labels() {
    assert_eq!(
        written(
            "SELECT ?x ?xLabel { ?x wdt:P31 wd:Q5 . SERVICE wikibase:label { bd:serviceParam wikibase:language \"[AUTO_LANGUAGE],de,en\". } } ORDER BY ?xLabel"
        ),
        "SELECT ?x ?xLabel { ?x wdt:P31 wd:Q5 . OPTIONAL { ?x <http://www.w3.org/2000/01/rdf-schema#label> ?xLabel . FILTER(LANG(?xLabel) = \"de\") } } ORDER BY ?xLabel"
    );
    let named = "SELECT ?name ?xDescription { ?x wdt:P31 wd:Q5 SERVICE wikibase:label { bd:serviceParam wikibase:language 'en' . ?x rdfs:label ?name } }";
    let text = written(named);
    assert!(
        text.contains("rdf-schema#label> ?name .") && text.contains("description> ?xDescription ."),
        "{text}"
    );
    assert_eq!(
        written(
            "SELECT ?xLabel { SERVICE wikibase:label { } . ?x wdt:P31 wd:Q5 . { ?x wdt:P21 wd:Q6 } UNION { ?x wdt:P21 wd:Q7}}"
        ),
        "SELECT ?xLabel { { } . ?x wdt:P31 wd:Q5 . { ?x wdt:P21 wd:Q6 } UNION { ?x wdt:P21 wd:Q7} OPTIONAL { ?x <http://www.w3.org/2000/01/rdf-schema#label> ?xLabel . FILTER(LANG(?xLabel) = \"en\") } }",
        "labels are looked up last, as the engine does"
    );
    // A variable that only ends like a label gets none.
    let own = written("SELECT ?recordLabel { ?x wdt:P264 ?recordLabel SERVICE wikibase:label { } }");
    assert!(!own.contains("OPTIONAL"), "{own}");
}

#[test]
fn named_subqueries_stand_where_they_are_included() {
    let query = "SELECT ?x WITH { SELECT ?x { ?x wdt:P31 wd:Q5 } } AS %people WITH { SELECT ?x { INCLUDE %people . ?x wdt:P21 wd:Q6 } } AS %some \
        WHERE { INCLUDE %some }";
    assert_eq!(
        written(query),
        "SELECT ?x WHERE { { SELECT ?x { { SELECT ?x { ?x wdt:P31 wd:Q5 } } . ?x wdt:P21 wd:Q6 } } }"
    );
    let error = |query: &str| runnable(query).unwrap_err().to_string();
    assert!(error("SELECT ?x { INCLUDE %none }").contains("%none is missing"));
    let endless = "SELECT ?x WITH { SELECT ?x { INCLUDE %a INCLUDE %a } } AS %a WHERE { INCLUDE %a }";
    assert!(error(endless).contains("%a"));
}

#[test]
fn hints_are_dropped_and_services_of_the_engine_are_named() {
    assert_eq!(
        written(
            "SELECT ?x { hint:Query hint:optimizer \"None\" . ?x wdt:P31 wd:Q5 . hint:Prior hint:runFirst true }"
        ),
        "SELECT ?x { ?x wdt:P31 wd:Q5 . }"
    );
    let around = runnable("SELECT ?x { SERVICE wikibase:around { ?x wdt:P625 ?place } }").unwrap_err();
    assert_eq!(around, GoldError::Service("wikibase:around".to_owned()));
}

#[test]
fn whatever_is_written_ends() {
    for query in [
        "",
        "{",
        "}",
        "WITH {",
        "WITH { } AS",
        "INCLUDE",
        "SERVICE",
        "SERVICE wikibase:label",
        "SERVICE wikibase:label {",
        "hint:",
        "\"",
        "<",
        "%",
    ] {
        let _text = runnable(query);
    }
}

#[test]
fn prefixes_of_wikidata_are_declared_where_they_name_its_properties() {
    let declared = "PREFIX psn: <http://www.wikidata.org/prop/statement/value-normalized/>";
    let text = runnable("SELECT ?h { ?s psn:P2044/wikibase:quantityAmount ?h }").unwrap();
    assert!(text.starts_with(declared) && !text.contains("PREFIX p:"), "{text}");
    let own = "PREFIX pr: <http://own.example/> SELECT ?x { ?x pr:P1 ?y }";
    assert_eq!(runnable(own).unwrap(), own, "declared already");
    let other = "SELECT ?x { ?x pr:Product ?y }";
    assert_eq!(runnable(other).unwrap(), other, "a name of another graph");
}
