//! Hints of the tools for a graph of clubs: what a query leaves out, mixes or searches for in vain.

use super::{graph_of, queried, says};
use eruca_dataset::testing::TestGraph;
use serde_json::json;

/// Jobs without end dates, members of two kinds of groups, labels in two languages, a number with many parts.
const CLUBS: &str = r#"
@prefix c: <http://clubs.example/> .
@prefix owl: <http://www.w3.org/2002/07/owl#> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
c:Job a owl:Class ; rdfs:label "job"@en , "Stelle"@de .
c:Board a owl:Class ; rdfs:label "board"@en . c:Team a owl:Class ; rdfs:label "team"@en .
c:HomeTeam a owl:Class ; rdfs:subClassOf c:Team ; rdfs:label "home team"@en .
c:since a owl:DatatypeProperty ; rdfs:label "start date"@en .
c:until a owl:DatatypeProperty ; rdfs:label "end date"@en .
c:begun a owl:DatatypeProperty ; rdfs:label "date"@en .
c:hasECNumber a owl:DatatypeProperty . c:ecClass a owl:DatatypeProperty .
c:j1 a c:Job ; rdfs:label "coach"@en , "Trainer"@de ; c:since 2001 ; c:begun 2001 ; c:heldBy c:p1 ; c:hasECNumber "1.1" .
c:j2 a c:Job ; rdfs:label "clerk"@en , "Schreiber"@de ; c:since 2002 ; c:begun 2002 ; c:ecClass "2" .
c:p1 a c:Person ; rdfs:label "Ann"@en ; c:memberOf c:b1 , c:t1 ; c:plays c:t1 .
c:p2 a c:Person ; rdfs:label "Bo"@en ; c:memberOf c:b1 , c:t2 ; c:plays c:t2 .
c:p3 a c:Person ; rdfs:label "Cy"@en ; c:memberOf c:t1 ; c:scored c:g1 , c:g2 ; c:motto "Go"@en , "Los"@de .
c:g1 a c:Goal . c:g2 a c:Goal .
c:b1 a c:Board ; rdfs:label "Main board"@en .
c:t1 a c:HomeTeam ; rdfs:label "Reds"@en . c:t2 a c:Team ; rdfs:label "Blues"@en .
"#;

async fn clubs() -> TestGraph {
    graph_of("clubs", CLUBS).await
}

#[tokio::test]
async fn a_property_that_is_never_used_is_found_where_no_used_one_is_called_so() {
    let graph = clubs().await;
    for arguments in [json!({"query": "end date"}), json!({"query": "end date", "class": "c:Job"})] {
        let found = says(&graph, "search_property", arguments).await;
        assert!(found.contains("c:until \"end date\" (declared, never used)"), "{found}");
    }
    let found = says(&graph, "search_property", json!({"query": "start date", "class": "c:Job"})).await;
    assert!(found.starts_with("- c:since") && !found.contains("c:until"), "{found}");
}

#[tokio::test]
async fn what_is_never_used_leaves_nothing_out() {
    let graph = clubs().await;
    for without in [
        "SELECT ?j { ?j a c:Job FILTER NOT EXISTS { ?j c:until ?u } }",
        "SELECT ?j { ?j a c:Job MINUS { ?j c:until ?u } }",
        "SELECT ?j { ?j a c:Job FILTER(!EXISTS { ?j c:until ?u }) }",
    ] {
        let text = queried(&graph, without).await;
        let said = "c:until is declared and never used, so that its NOT EXISTS or MINUS leaves nothing out.";
        assert!(text.contains(said) && !text.contains("instead"), "{text}");
    }
    let both = "SELECT ?j { ?j a c:Job ; c:until ?u FILTER NOT EXISTS { ?j c:until 1 } }";
    let text = queried(&graph, both).await;
    assert!(text.contains("never used.") && !text.contains("leaves nothing out"), "{text}");
}

#[tokio::test]
async fn values_of_several_classes_are_told_unless_the_query_says_which() {
    let graph = clubs().await;
    let text = queried(&graph, "SELECT ?g { c:p1 c:memberOf ?g }").await;
    let said = "c:memberOf leads to instances of several classes: c:Board (2), c:Team (1). If the question means one of them, \
                add ?g a ….";
    assert!(text.contains(said), "{text}");
    for clear in [
        "SELECT ?g { c:p1 c:memberOf ?g . ?g a c:Team }",
        "SELECT ?g { c:p1 c:memberOf ?g ; c:plays ?g }",
        "SELECT ?g { c:p1 c:plays ?g }",
        "SELECT ?p { ?p c:memberOf c:b1 }",
        "SELECT ?p { ?p c:memberOf ?g . ?g rdfs:label \"Reds\"@en }",
        "SELECT ?t { c:p1 c:memberOf ?g . ?g a ?t }",
    ] {
        let text = queried(&graph, clear).await;
        assert!(!text.contains("several classes"), "{clear}: {text}");
    }
}

#[tokio::test]
async fn instances_that_a_count_leaves_out_are_told() {
    let graph = clubs().await;
    let counted = "SELECT ?p (COUNT(?g) AS ?n) { ?p a c:Person ; c:scored ?g } GROUP BY ?p";
    let text = queried(&graph, counted).await;
    let said = "Only 1 of 3 c:Person have c:scored, and the others are not counted as 0: if the question wants all of them, \
                write OPTIONAL { ?p c:scored ?g }.";
    assert!(text.contains(said), "{text}");
    for other in [
        "SELECT ?p (COUNT(?g) AS ?n) { ?p a c:Person OPTIONAL { ?p c:scored ?g } } GROUP BY ?p",
        "SELECT (COUNT(?g) AS ?n) { ?p a c:Person ; c:scored ?g }",
        "SELECT ?p (COUNT(?g) AS ?n) { ?p a c:Person ; c:scored ?g } GROUP BY ?p ORDER BY DESC(?n) LIMIT 1",
        "SELECT ?p (COUNT(?g) AS ?n) { ?p a c:Person ; c:memberOf ?g } GROUP BY ?p",
        "SELECT ?p (COUNT(?g) AS ?n) { ?p a c:Person ; c:scored ?g } GROUP BY ?p HAVING (COUNT(?g) > 1)",
    ] {
        let text = queried(&graph, other).await;
        assert!(!text.contains("OPTIONAL"), "{other}: {text}");
    }
    let least = "SELECT ?p (COUNT(?g) AS ?n) { ?p a c:Person ; c:scored ?g } GROUP BY ?p ORDER BY ?n LIMIT 1";
    let text = queried(&graph, least).await;
    assert!(text.contains("not counted as 0"), "{text}");
    let nobody =
        "SELECT ?p (COUNT(?g) AS ?n) { ?p a c:Person ; c:scored ?g } GROUP BY ?p HAVING (COUNT(?g) > 9)";
    let text = queried(&graph, nobody).await;
    assert!(text.contains("check OPTIONAL, MINUS, HAVING") && !text.contains("FILTER"), "{text}");
}

#[tokio::test]
async fn abbreviations_in_local_names_are_found_as_words() {
    let graph = clubs().await;
    for query in ["EC number", "ec number", "EC Number of a job"] {
        let found = says(&graph, "search_property", json!({"query": query})).await;
        assert!(found.starts_with("- c:hasECNumber"), "{query}: {found}");
    }
    let found = says(&graph, "search_property", json!({"query": "EC class"})).await;
    assert!(found.starts_with("- c:ecClass"), "{found}");
}

#[tokio::test]
async fn a_class_is_told_with_what_leads_to_it_and_the_languages_of_its_names() {
    let graph = clubs().await;
    let found = says(&graph, "search_class", json!({"query": "board"})).await;
    assert!(found.contains("\n  is the object of c:memberOf of c:Person"), "{found}");
    let found = says(&graph, "search_class", json!({"query": "job"})).await;
    assert!(!found.contains("is the object of"), "{found}");
    let found = says(&graph, "search_property", json!({"query": "motto"})).await;
    assert!(found.contains(", in de (1), en (1)"), "{found}");
}

#[tokio::test]
async fn a_property_of_another_class_is_told_with_the_way_to_it_and_what_there_is_instead() {
    let lab = r#"
        @prefix l: <http://lab.example/> .
        l:r1 a l:Run ; l:result l:x1 ; l:enzyme l:e1 . l:r2 a l:Run ; l:result l:x2 . l:n1 a l:Note ; l:about l:r1 .
        l:m1 a l:Name ; l:code "3.2.1" . l:e1 a l:Enzyme ; l:name l:m1 .
    "#;
    let graph = graph_of("lab", lab).await;
    let text = queried(&graph, "SELECT * { ?r l:result ?x ; l:code ?code }").await;
    assert!(text.contains("?r is a l:Run, whose instances have l:result, l:enzyme."), "{text}");
    assert!(text.ends_with("l:code is a property of l:Name, to which l:name leads."), "{text}");
    // The class is right here; only the values do not match.
    let text = queried(&graph, "SELECT * { ?r l:result l:x2 ; l:enzyme ?e }").await;
    assert!(!text.contains("is a property of"), "{text}");
}

#[tokio::test]
async fn where_no_property_of_a_class_is_called_so_those_that_it_has_are_named() {
    let lab = r#"
        @prefix l: <http://lab.example/> .
        l:r1 a l:Run ; l:result l:x1 ; l:enzyme l:e1 . l:r2 a l:Run ; l:result l:x2 .
    "#;
    let graph = graph_of("lab", lab).await;
    let arguments = serde_json::json!({ "query": "EC number", "class": "l:Run" });
    let text = says(&graph, "search_property", arguments).await;
    assert_eq!(text, "No property is like \"EC number\"; instances of l:Run have l:result, l:enzyme.");
    let text = says(&graph, "search_property", serde_json::json!({ "query": "EC number" })).await;
    assert!(text.contains("try other words"), "{text}");
}
