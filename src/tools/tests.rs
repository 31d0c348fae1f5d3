//! The list of tools, and their output for a small graph of mills.

use super::*;
use eruca_dataset::testing::{TestGraph, graph_of};
use serde_json::json;

mod entries;
mod hints;
mod search_in;

/// Mills: an unused class and unused properties, resources without a type, values that are never subjects, an ontology
/// with a name of its own, properties that only some mills have.
const MILLS: &str = r#"
@prefix mills: <http://mills.example/> .
@prefix owl: <http://www.w3.org/2002/07/owl#> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
@prefix skos: <http://www.w3.org/2004/02/skos/core#> .
<http://mills.example/> a owl:Ontology ; rdfs:label "Mills of the valley" .
mills:Mill a owl:Class ; rdfs:label "mill"@en , "Mühle"@de ; skos:altLabel "grinding house"@en , "Mahlwerk"@de .
mills:Keeper a owl:Class ; rdfs:label "keeper"@en .
mills:Landing a owl:Class ; rdfs:label "landing"@en .
mills:Ruin a owl:Class ; rdfs:label "ruin"@en .
mills:keptBy a owl:ObjectProperty ; rdfs:label "kept by keeper"@en ; skos:altLabel "run by"@en , "betreut von"@de .
mills:hasKeeper a owl:ObjectProperty ; rdfs:label "has keeper"@en .
mills:height a owl:DatatypeProperty ; rdfs:label "height"@en .
mills:phone a owl:DatatypeProperty ; rdfs:label "phone"@en .
mills:weight a owl:DatatypeProperty ; rdfs:label "weight of the stone"@en .
mills:near a owl:ObjectProperty ; rdfs:label "near"@en .
mills:m1 a mills:Mill ; rdfs:label "Upper Mill" ; mills:keptBy mills:k1 ; mills:height 12 ; mills:weight "900" ; mills:stone mills:granite ; mills:near mills:m2 , mills:m3 .
mills:m2 a mills:Mill ; rdfs:label "Lower Mill" ; mills:keptBy mills:k1 ; mills:height 12 ; mills:weight "1200" ; mills:stone mills:granite ; mills:near mills:m1 , mills:m3 .
mills:m3 a mills:Mill ; rdfs:label "Mill of Brook" ; mills:keptBy mills:k2 ; mills:height 12 ; mills:near mills:m1 , mills:m2 .
mills:m4 a mills:Mill ; rdfs:label "Old Mill" ; mills:keptBy mills:k3 ; mills:height 9 ; mills:near mills:m1 .
mills:k1 a mills:Keeper ; rdfs:label "Ann Reed" ; mills:phone "555-1" .
mills:k2 a mills:Keeper ; rdfs:label "Bo Marsh" ; mills:phone "555-2" ; mills:near mills:l1 .
mills:k3 a mills:Keeper ; rdfs:label "Cy Holm" .
mills:l1 a mills:Landing ; rdfs:label "Stone Quay" .
mills:lane rdfs:label "Mill Lane" ; mills:near mills:l1 .
"#;

async fn mills() -> TestGraph {
    graph_of("mills", MILLS).await
}

/// A tool's output for the graph.
async fn says(graph: &TestGraph, tool: &str, arguments: serde_json::Value) -> String {
    seen(&graph.dataset.for_language("en"), tool, arguments).await.text
}

async fn seen(dataset: &Dataset, tool: &str, arguments: serde_json::Value) -> Observation {
    let (timeout, features) = (Duration::from_secs(20), AgentFeatures::default());
    let context = ToolContext { dataset, timeout, features, max_chars: 4_000, workspace: Workspace::EMPTY };
    let arguments = Arguments::parse(&arguments.to_string()).unwrap();
    find(tool).unwrap().call(&arguments, &context).await
}

async fn queried(graph: &TestGraph, query: &str) -> String {
    says(graph, "execute_sparql", json!({ "query": query })).await
}

/// The text after a table, whose row order depends on the engine.
fn last_line(text: &str) -> &str {
    text.lines().last().unwrap_or_default()
}

#[test]
fn a_tool_that_is_left_out_is_neither_told_nor_found() {
    let all = AgentFeatures::default();
    let without = without(all, "search_entity").unwrap();
    let names = |features| specs(features, &[]).iter().map(|spec| spec.name).collect::<Vec<_>>();
    let others: Vec<&str> = names(all).into_iter().filter(|name| *name != "search_entity").collect();
    assert_eq!(names(without), others);
    assert!(find_kept("search_entity", without).is_none() && find_kept("search_entity", all).is_some());
    assert!(find_kept("search_class", without).is_some());
    let optional: Vec<&str> = optional_names().collect();
    assert_eq!(optional.len(), TOOLS.len() - 1, "a run can only end by its answer: {optional:?}");
    assert_eq!((super::without(all, "answer"), super::without(all, "no such tool")), (None, None));
}

#[test]
fn names_are_unique_and_legal() {
    for (index, tool) in TOOLS.iter().enumerate() {
        let name = tool.name();
        assert!(!name.is_empty() && name.chars().all(|c| c.is_ascii_lowercase() || c == '_'), "{name}");
        assert!(TOOLS.iter().skip(index + 1).all(|other| other.name() != name), "{name} stands twice");
    }
}

#[test]
fn every_schema_is_a_closed_object_whose_required_keys_exist() {
    for tool in TOOLS {
        let schema = tool.parameters();
        assert_eq!(schema["type"], "object", "{}", tool.name());
        assert_eq!(schema["additionalProperties"], false, "{}", tool.name());
        for key in schema["required"].as_array().unwrap() {
            assert!(schema["properties"].get(key.as_str().unwrap()).is_some(), "{}: {key}", tool.name());
        }
        assert!(tool.description().len() > 40, "{} needs a description", tool.name());
    }
}

#[tokio::test]
async fn what_is_never_used_is_said_and_what_is_used_comes_first() {
    let graph = mills().await;
    let found = says(&graph, "search_property", json!({"query": "has keeper"})).await;
    let (used, unused) = (found.find("mills:keptBy").unwrap(), found.find("mills:hasKeeper").unwrap());
    assert!(used < unused, "{found}");
    assert!(found.contains("\"has keeper\" (declared, never used)"), "{found}");
    let found = says(&graph, "search_class", json!({"query": "ruin"})).await;
    assert!(found.contains("\"ruin\", no instances"), "{found}");
}

#[tokio::test]
async fn a_property_without_a_triple_is_never_its_own_nearest() {
    let graph = mills().await;
    let examples = says(&graph, "get_property_examples", json!({"property": "mills:hasKeeper"})).await;
    insta::assert_snapshot!(examples, @"No triple has the property mills:hasKeeper, though it is declared; used instead: mills:keptBy.");
    let empty = queried(&graph, "SELECT ?k { ?m mills:hasKeeper ?k }").await;
    insta::assert_snapshot!(empty, @r"
    0 rows.
    mills:hasKeeper is declared and never used; used instead: mills:keptBy.
    No triple matches `?m mills:hasKeeper ?k`.
    ");
}

#[tokio::test]
async fn a_limit_that_cuts_between_equals_is_told() {
    let graph = mills().await;
    let first = "SELECT ?m { ?m a mills:Mill ; mills:height ?h } ORDER BY DESC(?h) LIMIT 1";
    insta::assert_snapshot!(last_line(&queried(&graph, first).await), @r"
    Tie: 3 rows share the last place (12), and LIMIT 1 keeps 1 of them. To return all of them, compare with that value, found by a subquery, instead of LIMIT.
    ");
    let third = "SELECT ?m ?h { ?m a mills:Mill ; mills:height ?h } ORDER BY ?h LIMIT 2";
    insta::assert_snapshot!(last_line(&queried(&graph, third).await), @r"
    Tie: 3 rows share the last place (12), and LIMIT 2 keeps 1 of them. To return all of them, compare with that value, found by a subquery, instead of LIMIT.
    ");
    for untied in [
        "SELECT ?m { ?m a mills:Mill ; mills:height ?h } ORDER BY DESC(?h) LIMIT 3",
        "SELECT ?m { ?m a mills:Mill ; mills:height ?h } ORDER BY ?h LIMIT 1",
        "SELECT ?m { ?m a mills:Mill } LIMIT 1",
    ] {
        let text = queried(&graph, untied).await;
        assert!(!text.contains("Tie"), "{text}");
    }
}

#[tokio::test]
async fn a_property_that_only_some_have_brings_a_hint_at_optional() {
    let graph = mills().await;
    let some = queried(&graph, "SELECT ?k ?p { ?k a mills:Keeper ; mills:phone ?p }").await;
    insta::assert_snapshot!(last_line(&some), @r#"
    Only 2 of 3 mills:Keeper have mills:phone: if the question wants all of them, write OPTIONAL { ?k mills:phone ?p }.
    "#);
    for other in [
        "SELECT ?k ?p { ?k a mills:Keeper OPTIONAL { ?k mills:phone ?p } }",
        "SELECT ?k ?p { ?k a mills:Keeper ; mills:phone ?p FILTER(STRENDS(?p, \"1\")) }",
        "SELECT ?k { ?k a mills:Keeper ; mills:phone ?p }",
        "SELECT ?m ?h { ?m a mills:Mill ; mills:height ?h }",
    ] {
        let text = queried(&graph, other).await;
        assert!(!text.contains("OPTIONAL"), "{text}");
    }
}

#[tokio::test]
async fn what_is_open_in_a_query_is_told_apart_from_other_notes() {
    let graph = mills().await;
    let open = async |query: &str| -> Vec<&'static str> {
        let seen = seen(&graph.dataset, ANSWER, json!({ "query": query })).await;
        seen.open.iter().map(|point| point.kind).collect()
    };
    assert_eq!(
        open("SELECT ?m { ?m a mills:Mill ; mills:height ?h } ORDER BY DESC(?h) LIMIT 1").await,
        ["tie"]
    );
    assert_eq!(open("SELECT ?k ?p { ?k a mills:Keeper ; mills:phone ?p }").await, ["partial"]);
    assert!(open("SELECT ?m { ?m a mills:Mill ; mills:height ?h } ORDER BY ?h LIMIT 1").await.is_empty());
    assert!(open("SELECT ?k { ?k a mills:Keeper ; mills:phone ?p }").await.is_empty());
}

#[tokio::test]
async fn an_answer_is_read_back_with_all_its_conditions() {
    let graph = mills().await;
    let query = "SELECT ?m { ?m a mills:Mill ; mills:height ?h FILTER(?h > 11) }";
    let text = says(&graph, ANSWER, json!({ "query": query })).await;
    let reading = last_line(&text);
    assert!(reading.starts_with("Reading: \""), "{text}");
    for said in ["mill", "height", "11"] {
        assert!(reading.contains(said), "{said}: {reading}");
    }
    assert!(!queried(&graph, query).await.contains("Reading:"), "a query that is tried is not read back");
}

#[test]
fn what_is_not_certain_is_an_argument_of_the_answer() {
    let arguments = |unsure: &str| Arguments::parse(&json!({ "unsure": unsure }).to_string()).unwrap();
    let unsure = |text: &str| AnswerRemarks::of(&arguments(text)).unsure;
    assert_eq!(unsure("which\nof both").as_deref(), Some("which of both"));
    for nothing in ["none", " No ", ""] {
        assert_eq!(unsure(nothing), None, "{nothing}");
    }
}

#[tokio::test]
async fn things_in_several_columns_are_told_to_be_a_table() {
    let graph = mills().await;
    let two = json!({"form": "things", "columns": ["mill", "height"]});
    assert!(says(&graph, "state_form", two).await.contains("taken as a table"));
    for plain in [
        json!({"form": "things", "columns": ["mill"]}),
        json!({"form": "table", "columns": ["mill", "height"]}),
    ] {
        assert_eq!(says(&graph, "state_form", plain).await, "Noted.");
    }
}

#[tokio::test]
async fn an_entry_says_what_it_lacks_and_what_it_is_seen_as() {
    let graph = mills().await;
    insta::assert_snapshot!(says(&graph, "get_entry", json!({"iri": "mills:granite"})).await, @r#"
    mills:granite
      is mills:stone of 2, e.g. mills:m2 ("Lower Mill")
    It has no triple of its own, no type and no name: it is only a value of mills:stone.
    "#);
    insta::assert_snapshot!(says(&graph, "get_entry", json!({"iri": "mills:lane"})).await, @r#"
    mills:lane "Mill Lane"
      rdfs:label "Mill Lane"
      mills:near mills:l1 ("Stone Quay")
    It has no type: no class finds it.
    "#);
    insta::assert_snapshot!(says(&graph, "get_entry", json!({"iri": "mills:keptBy"})).await, @r#"
    mills:keptBy "kept by keeper"
      rdf:type owl:ObjectProperty
      rdfs:label "kept by keeper"@en
      skos:altLabel "betreut von"@de, "run by"@en
    mills:keptBy is a property of 4 triples: get_property_examples shows some.
    "#);
    let typed = says(&graph, "get_entry", json!({"iri": "mills:k2"})).await;
    assert!(!typed.contains("no type") && !typed.contains("only"), "{typed}");
}

#[tokio::test]
async fn examples_of_a_property_are_of_different_subjects_objects_and_classes() {
    let graph = mills().await;
    insta::assert_snapshot!(says(&graph, "get_property_examples", json!({"property": "mills:near"})).await, @r#"
    - mills:near "near": mills:Mill -> mills:Mill (7); (untyped) -> mills:Landing (1); mills:Keeper -> mills:Landing (1)
    ?subject | ?object
    mills:k2 ("Bo Marsh") | mills:l1 ("Stone Quay")
    mills:m1 ("Upper Mill") | mills:m2 ("Lower Mill")
    mills:lane ("Mill Lane") | mills:l1 ("Stone Quay")
    mills:m2 ("Lower Mill") | mills:m1 ("Upper Mill")
    mills:m1 ("Upper Mill") | mills:m3 ("Mill of Brook")
    5 rows
    "#);
}

#[tokio::test]
async fn hits_name_their_synonyms_in_the_language_of_the_question() {
    let graph = mills().await;
    let class = says(&graph, "search_class", json!({"query": "mill"})).await;
    assert!(class.contains("mills:Mill \"mill\", also \"grinding house\""), "{class}");
    let property = says(&graph, "search_property", json!({"query": "keeper"})).await;
    assert!(property.contains("mills:keptBy \"kept by keeper\", also \"run by\""), "{property}");
    assert!(!property.contains("betreut"), "{property}");
    let german = graph.dataset.for_language("de");
    let class = seen(&german, "search_class", json!({"query": "Mühle"})).await.text;
    assert!(class.contains("mills:Mill \"Mühle\", also \"Mahlwerk\""), "{class}");
}

#[tokio::test]
async fn a_cast_is_advised_only_where_texts_are_compared_as_numbers() {
    let graph = mills().await;
    let heavy = queried(&graph, "SELECT ?m { ?m mills:weight ?w FILTER(?w > 1000) }").await;
    assert!(heavy.contains("xsd:decimal(?w)"), "{heavy}");
    let like = queried(&graph, "SELECT ?m { ?m mills:phone ?w FILTER(REGEX(?w, \"^777\")) }").await;
    assert!(!like.contains("cast"), "{like}");
    let weights = queried(&graph, "SELECT ?m { ?m mills:weight ?w FILTER(REGEX(?w, \"^777\")) }").await;
    assert!(!weights.contains("cast"), "{weights}");
    let quoted = queried(&graph, "SELECT ?m { ?m mills:height ?h FILTER(?h = \"12\") }").await;
    assert!(quoted.contains("\"12\" is a string"), "{quoted}");
}

#[tokio::test]
async fn an_ontology_is_no_thing_of_its_graph() {
    let graph = mills().await;
    let found = says(&graph, "search_entity", json!({"query": "Mills of the valley"})).await;
    assert!(!found.contains("Mills of the valley\""), "{found}");
}

#[tokio::test]
async fn what_gave_rows_is_not_called_unknown() {
    let graph = mills().await;
    // The ontology is in the graph, but not in the index, as it is not an entity.
    let known = queried(&graph, "SELECT ?p { <http://mills.example/> ?p ?o }").await;
    assert!(!known.contains("does not know"), "{known}");
    for (rows, query) in [
        (false, "SELECT ?m { ?m mills:keepers ?k }"),
        (true, "SELECT ?m ?k { ?m a mills:Mill OPTIONAL { ?m mills:keepers ?k } }"),
    ] {
        let seen = queried(&graph, query).await;
        assert!(seen.contains("The graph does not know mills:keepers"), "{seen}");
        assert_eq!(seen.contains("mills:m1"), rows, "{seen}");
    }
}

#[tokio::test]
async fn a_name_of_two_words_is_no_misspelling_of_one() {
    let graph = graph_of(
        "books",
        r#"
        @prefix b: <http://books.example/> .
        @prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
        b:de a b:Language ; rdfs:label "German" . b:b1 a b:Book ; rdfs:label "The Tide" ; b:language b:de .
        b:p1 a b:Writer ; rdfs:label "Hermann Tiler" .
        "#,
    )
    .await;
    let found = says(&graph, "search_entity", json!({"query": "Herman Tiller"})).await;
    assert!(found.contains("Hermann Tiler") && !found.contains("German"), "{found}");
    let found = says(&graph, "search_entity", json!({"query": "Germen"})).await;
    assert!(found.contains("\"German\""), "{found}");
}

#[tokio::test]
async fn a_country_is_listed_once_in_whichever_languages_its_name_is_known() {
    let graph = graph_of(
        "countries",
        "@prefix c: <http://countries.example/> . @prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> . \
         c:et a c:Country ; rdfs:label 'Ethiopia' .",
    )
    .await;
    for name in ["Ethiopia", "Ethiopian"] {
        let found = says(&graph, "search_entity", json!({ "query": name })).await;
        assert_eq!(found.matches("c:et").count(), 1, "{found}");
    }
}
