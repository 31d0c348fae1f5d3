//! Made-up entities against the RDF that they mean.

use super::frames::{FrameError, Frames};
use super::recognise::{Layout, recognise};
use crate::progress::NoProgress;
use crate::source::{ReadSummary, Reading, SourceError};
use oxrdf::graph::CanonicalizationAlgorithm;
use oxrdf::{BlankNode, Graph, NamedNode, NamedOrBlankNode, Quad, Term, Triple};
use oxrdfio::{RdfFormat, RdfParser};
use proptest::prelude::*;

const BASE: &str = "http://wb.example/";

/// Prefixes of the expected Turtle.
const PREFIXES: &str = "
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
@prefix xsd: <http://www.w3.org/2001/XMLSchema#> .
@prefix wikibase: <http://wikiba.se/ontology#> .
@prefix schema: <http://schema.org/> .
@prefix skos: <http://www.w3.org/2004/02/skos/core#> .
@prefix prov: <http://www.w3.org/ns/prov#> .
@prefix geo: <http://www.opengis.net/ont/geosparql#> .
@prefix ontolex: <http://www.w3.org/ns/lemon/ontolex#> .
@prefix dct: <http://purl.org/dc/terms/> .
@prefix wd: <http://wb.example/entity/> .
@prefix wds: <http://wb.example/entity/statement/> .
@prefix wdv: <http://wb.example/value/> .
@prefix wdref: <http://wb.example/reference/> .
@prefix wdt: <http://wb.example/prop/direct/> .
@prefix p: <http://wb.example/prop/> .
@prefix ps: <http://wb.example/prop/statement/> .
@prefix psv: <http://wb.example/prop/statement/value/> .
@prefix pq: <http://wb.example/prop/qualifier/> .
@prefix pqv: <http://wb.example/prop/qualifier/value/> .
@prefix pr: <http://wb.example/prop/reference/> .
@prefix prv: <http://wb.example/prop/reference/value/> .
@prefix wdno: <http://wb.example/prop/novalue/> .
";

fn read(name: &str, text: &str, skip_errors: bool) -> Result<(Vec<Quad>, ReadSummary), SourceError> {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join(name);
    std::fs::write(&path, text).unwrap();
    let mut quads = Vec::new();
    let reading = Reading { skip_errors, wikibase_base: Some(BASE), format: None };
    let summary = reading.quads(&path, &NoProgress, &mut |quad| quads.push(quad))?;
    Ok((quads, summary))
}

/// Quads as a graph that can be compared: value nodes are blank there, as their names are hashes.
fn graph(quads: impl IntoIterator<Item = Quad>) -> Vec<String> {
    let blank = |node: &NamedNode| {
        let hash = node.as_str().strip_prefix("http://wb.example/value/")?;
        Some(BlankNode::new_unchecked(format!("v{hash}")))
    };
    let mut graph = Graph::new();
    for quad in quads {
        let subject = match quad.subject {
            NamedOrBlankNode::NamedNode(node) => blank(&node).map_or(node.into(), Into::into),
            other => other,
        };
        let object = match quad.object {
            Term::NamedNode(node) => blank(&node).map_or(node.into(), Into::into),
            other => other,
        };
        graph.insert(&Triple { subject, predicate: quad.predicate, object });
    }
    graph.canonicalize(CanonicalizationAlgorithm::Unstable);
    let mut lines: Vec<String> = graph.iter().map(|triple| triple.to_string()).collect();
    lines.sort_unstable();
    lines
}

fn turtle(text: &str) -> Vec<Quad> {
    let text = format!("{PREFIXES}{text}");
    RdfParser::from_format(RdfFormat::Turtle).for_slice(text.as_bytes()).collect::<Result<_, _>>().unwrap()
}

fn assert_means(json: &str, expected: &str) {
    let (quads, _) = read("a.json", json, false).unwrap();
    pretty_assert(&graph(quads), &graph(turtle(expected)));
}

fn pretty_assert(found: &[String], expected: &[String]) {
    let missing: Vec<_> = expected.iter().filter(|line| !found.contains(line)).collect();
    let surplus: Vec<_> = found.iter().filter(|line| !expected.contains(line)).collect();
    assert!(missing.is_empty() && surplus.is_empty(), "missing {missing:#?}\nsurplus {surplus:#?}");
}

fn value_snak(property: &str, datatype: &str, kind: &str, value: &str) -> String {
    format!(
        r#"{{"snaktype":"value","property":"{property}","datatype":"{datatype}","datavalue":{{"value":{value},"type":"{kind}"}}}}"#
    )
}

fn statement(guid: &str, rank: &str, snak: &str, more: &str) -> String {
    format!(r#"{{"mainsnak":{snak},"type":"statement","id":"{guid}","rank":"{rank}"{more}}}"#)
}

/// An item with these claims: property and statements.
fn item(claims: &[(&str, &[String])]) -> String {
    let claims: Vec<String> =
        claims.iter().map(|(property, list)| format!(r#""{property}":[{}]"#, list.join(","))).collect();
    format!(
        r#"{{"type":"item","id":"Q1","labels":{{"en":{{"language":"en","value":"Harbour"}}}},"descriptions":[],"aliases":{{}},"claims":{{{}}},"sitelinks":[]}}"#,
        claims.join(",")
    )
}

/// What [`item`] says beside its claims.
fn header(statements: usize, identifiers: usize) -> String {
    format!(
        "wd:Q1 a wikibase:Item ; rdfs:label \"Harbour\"@en ; wikibase:statements {statements} ;
         wikibase:identifiers {identifiers} ; wikibase:sitelinks 0 .\n"
    )
}

/// What a best statement says beside its values.
fn best(property: &str, guid: &str) -> String {
    format!(
        "wd:Q1 p:{property} wds:{guid} .
         wds:{guid} a wikibase:Statement , wikibase:BestRank ; wikibase:rank wikibase:NormalRank .\n"
    )
}

/// An item with one statement of one value.
fn assert_value(datatype: &str, kind: &str, value: &str, simple: &str, details: &str) {
    let json = item(&[("P1", &[statement("Q1$A", "normal", &value_snak("P1", datatype, kind, value), "")])]);
    let identifiers = usize::from(datatype == "external-id");
    let mut expected = header(1, identifiers) + &best("P1", "Q1-A");
    expected.push_str(&format!("wd:Q1 wdt:P1 {simple} . wds:Q1-A ps:P1 {simple} .\n"));
    if !details.is_empty() {
        expected.push_str(&format!("wds:Q1-A psv:P1 wdv:x . wdv:x {details} .\n"));
    }
    assert_means(&json, &expected);
}

#[test]
fn every_datatype_becomes_what_the_export_has() {
    let string = |datatype: &str, simple: &str| assert_value(datatype, "string", r#""A b.svg""#, simple, "");
    string("string", "\"A b.svg\"");
    string("external-id", "\"A b.svg\"");
    string("math", "\"A b.svg\"");
    string("of-tomorrow", "\"A b.svg\"");
    string("commonsMedia", "<http://commons.wikimedia.org/wiki/Special:FilePath/A%20b.svg>");
    string("geo-shape", "<http://commons.wikimedia.org/data/main/A+b.svg>");
    string("tabular-data", "<http://commons.wikimedia.org/data/main/A+b.svg>");
    assert_value("url", "string", r#""https://e.x/a b""#, "<https://e.x/a%20b>", "");
    assert_value("url", "string", r#""no address""#, "\"no address\"", "");
    let id =
        |value: &str, simple: &str| assert_value("wikibase-item", "wikibase-entityid", value, simple, "");
    id(r#"{"entity-type":"item","numeric-id":5,"id":"Q5"}"#, "wd:Q5");
    id(r#"{"entity-type":"item","numeric-id":5}"#, "wd:Q5");
    id(r#"{"entity-type":"property","numeric-id":5}"#, "wd:P5");
    id(r#"{"entity-type":"lexeme","id":"L5"}"#, "wd:L5");
    id(r#"{"entity-type":"form","id":"L5-F1"}"#, "wd:L5-F1");
    let text = r#"{"text":"Hafen","language":"de"}"#;
    assert_value("monolingualtext", "monolingualtext", text, "\"Hafen\"@de", "");
}

#[test]
fn times_quantities_and_coordinates_have_nodes_with_all_details() {
    assert_value(
        "time",
        "time",
        r#"{"time":"+1616-04-23T00:00:00Z","timezone":0,"before":0,"after":0,"precision":11,"calendarmodel":"http://www.wikidata.org/entity/Q1985786"}"#,
        "\"1616-05-03T00:00:00Z\"^^xsd:dateTime",
        "a wikibase:TimeValue ; wikibase:timeValue \"1616-05-03T00:00:00Z\"^^xsd:dateTime ; wikibase:timePrecision 11 ;
         wikibase:timeTimezone 0 ; wikibase:timeCalendarModel <http://www.wikidata.org/entity/Q1985786>",
    );
    assert_value(
        "quantity",
        "quantity",
        r#"{"amount":"+12.50","unit":"http://wb.example/entity/Q7","upperBound":"+13","lowerBound":"+12"}"#,
        "\"+12.50\"^^xsd:decimal",
        "a wikibase:QuantityValue ; wikibase:quantityAmount \"+12.50\"^^xsd:decimal ; wikibase:quantityUnit wd:Q7 ;
         wikibase:quantityUpperBound \"+13\"^^xsd:decimal ; wikibase:quantityLowerBound \"+12\"^^xsd:decimal",
    );
    assert_value(
        "quantity",
        "quantity",
        r#"{"amount":"-3","unit":"1"}"#,
        "\"-3\"^^xsd:decimal",
        "a wikibase:QuantityValue ; wikibase:quantityAmount \"-3\"^^xsd:decimal ;
         wikibase:quantityUnit <http://www.wikidata.org/entity/Q199>",
    );
    assert_value(
        "globe-coordinate",
        "globecoordinate",
        r#"{"latitude":53.5,"longitude":-9.98,"altitude":null,"precision":0.01,"globe":"http://www.wikidata.org/entity/Q2"}"#,
        "\"Point(-9.98 53.5)\"^^geo:wktLiteral",
        "a wikibase:GlobecoordinateValue ; wikibase:geoLatitude \"53.5\"^^xsd:double ;
         wikibase:geoLongitude \"-9.98\"^^xsd:double ; wikibase:geoPrecision \"0.01\"^^xsd:double ;
         wikibase:geoGlobe <http://www.wikidata.org/entity/Q2>",
    );
    assert_value(
        "globe-coordinate",
        "globecoordinate",
        r#"{"latitude":1,"longitude":2,"precision":null,"globe":"http://www.wikidata.org/entity/Q405"}"#,
        "\"<http://www.wikidata.org/entity/Q405> Point(2 1)\"^^geo:wktLiteral",
        "a wikibase:GlobecoordinateValue ; wikibase:geoLatitude \"1\"^^xsd:double ;
         wikibase:geoLongitude \"2\"^^xsd:double ; wikibase:geoGlobe <http://www.wikidata.org/entity/Q405>",
    );
}

#[test]
fn only_the_best_statements_are_direct() {
    let of = |guid: &str, rank: &str, text: &str| {
        statement(
            &format!("Q1${guid}"),
            rank,
            &value_snak("P1", "string", "string", &format!("\"{text}\"")),
            "",
        )
    };
    let two = |first: &str, second: &str| {
        let (quads, _) =
            read("a.json", &item(&[("P1", &[of("A", first, "a"), of("B", second, "b")])]), false).unwrap();
        let direct =
            quads.iter().filter(|quad| quad.predicate.as_str() == "http://wb.example/prop/direct/P1");
        direct.map(|quad| quad.object.to_string()).collect::<Vec<_>>()
    };
    assert_eq!(two("normal", "normal"), ["\"a\"", "\"b\""]);
    assert_eq!(two("normal", "preferred"), ["\"b\""]);
    assert_eq!(two("deprecated", "normal"), ["\"b\""]);
    assert!(two("deprecated", "deprecated").is_empty());
}

#[test]
fn unknown_and_missing_values_qualifiers_and_references_are_kept() {
    let snak = |kind: &str, property: &str| {
        format!(r#"{{"snaktype":"{kind}","property":"{property}","datatype":"string"}}"#)
    };
    let time = r#"{"time":"+2001-00-00T00:00:00Z","timezone":0,"precision":9,"calendarmodel":"http://www.wikidata.org/entity/Q1985727"}"#;
    let time = value_snak("P9", "time", "time", time);
    let more = format!(
        r#","qualifiers":{{"P9":[{time}],"P8":[{}]}},"qualifiers-order":["P9","P8"],"references":[{{"hash":"abc1","snaks":{{"P9":[{time}]}},"snaks-order":["P9"]}}]"#,
        snak("novalue", "P8")
    );
    let json = item(&[
        ("P1", &[statement("Q1$A", "normal", &snak("somevalue", "P1"), &more)]),
        ("P2", &[statement("Q1$B", "normal", &snak("novalue", "P2"), r#","qualifiers":[],"references":[]"#)]),
        ("P3", &[statement("Q1$C", "normal", &value_snak("P3", "string", "string", "\"c\""), &more)]),
    ]);
    let details = "a wikibase:TimeValue ; wikibase:timeValue \"2001-01-01T00:00:00Z\"^^xsd:dateTime ;
        wikibase:timePrecision 9 ; wikibase:timeTimezone 0 ;
        wikibase:timeCalendarModel <http://www.wikidata.org/entity/Q1985727>";
    let qualified = "pq:P9 \"2001-01-01T00:00:00Z\"^^xsd:dateTime ; pqv:P9 wdv:t ; a wdno:P8 ;
        prov:wasDerivedFrom wdref:abc1";
    let expected = format!(
        "{}{}{}{}
         wd:Q1 wdt:P1 _:some . wds:Q1-A ps:P1 _:some ; {qualified} .
         wd:Q1 a wdno:P2 . wds:Q1-B a wdno:P2 .
         wd:Q1 wdt:P3 \"c\" . wds:Q1-C ps:P3 \"c\" ; {qualified} .
         wdref:abc1 a wikibase:Reference ; pr:P9 \"2001-01-01T00:00:00Z\"^^xsd:dateTime ; prv:P9 wdv:t .
         wdv:t {details} .",
        header(3, 0),
        best("P1", "Q1-A"),
        best("P2", "Q1-B"),
        best("P3", "Q1-C"),
    );
    assert_means(&json, &expected);
}

#[test]
fn names_and_sitelinks_are_kept() {
    let json = r#"{"entities":{"Q1":{"pageid":1,"type":"item","id":"Q1",
        "labels":{"en":{"language":"en","value":"Harbour"},"simple":{"language":"simple","value":"Port"}},
        "descriptions":{"de":{"language":"de","value":"Ort"}},
        "aliases":{"en":[{"language":"en","value":"haven"},{"language":"en","value":"port"}]},
        "claims":[],
        "sitelinks":{"enwiki":{"site":"enwiki","title":"A Harbour","badges":["Q3"],"url":"https://en.wikipedia.org/wiki/A_Harbour"},
                     "commonswiki":{"site":"commonswiki","title":"H","badges":[],"url":"https://commons.wikimedia.org/wiki/H"},
                     "dewiki":{"site":"dewiki","title":"Hafen","badges":[]}}}}}"#;
    assert_means(
        json,
        "wd:Q1 a wikibase:Item ; rdfs:label \"Harbour\"@en , \"Port\"@en-simple ; schema:description \"Ort\"@de ;
             skos:altLabel \"haven\"@en , \"port\"@en ; wikibase:statements 0 ; wikibase:identifiers 0 ; wikibase:sitelinks 3 .
         <https://en.wikipedia.org/wiki/A_Harbour> a schema:Article ; schema:about wd:Q1 ; schema:inLanguage \"en\" ;
             schema:name \"A Harbour\"@en ; schema:isPartOf <https://en.wikipedia.org/> ; wikibase:badge wd:Q3 .
         <https://commons.wikimedia.org/wiki/H> a schema:Article ; schema:about wd:Q1 ; schema:name \"H\" ; schema:isPartOf <https://commons.wikimedia.org/> .",
    );
}

#[test]
fn a_property_leads_to_its_predicates() {
    let json = r#"[{"type":"property","datatype":"wikibase-item","id":"P5","labels":{"en":{"language":"en","value":"part of"}},"descriptions":{},"aliases":{},"claims":{}}]"#;
    assert_means(
        json,
        "wd:P5 a wikibase:Property ; rdfs:label \"part of\"@en ; wikibase:propertyType wikibase:WikibaseItem ;
             wikibase:directClaim wdt:P5 ; wikibase:claim p:P5 ; wikibase:statementProperty ps:P5 ;
             wikibase:statementValue psv:P5 ; wikibase:qualifier pq:P5 ; wikibase:qualifierValue pqv:P5 ;
             wikibase:reference pr:P5 ; wikibase:referenceValue prv:P5 ; wikibase:novalue wdno:P5 ; wikibase:statements 0 .",
    );
}

#[test]
fn a_lexeme_has_forms_and_senses() {
    let json = r#"{"type":"lexeme","id":"L5","lemmas":{"en":{"language":"en","value":"go"}},"lexicalCategory":"Q2","language":"Q3",
        "claims":{},"forms":[{"id":"L5-F1","representations":{"en":{"language":"en","value":"went"}},"grammaticalFeatures":["Q4"],"claims":[]}],
        "senses":[{"id":"L5-S1","glosses":{"en":{"language":"en","value":"to move"}},"claims":{}}]}"#;
    assert_means(
        json,
        "wd:L5 a wikibase:Lexeme , ontolex:LexicalEntry ; wikibase:lemma \"go\"@en ; rdfs:label \"go\"@en ;
             wikibase:lexicalCategory wd:Q2 ; dct:language wd:Q3 ; ontolex:lexicalForm wd:L5-F1 ; ontolex:sense wd:L5-S1 ;
             wikibase:statements 0 .
         wd:L5-F1 a wikibase:Form , ontolex:Form ; ontolex:representation \"went\"@en ; rdfs:label \"went\"@en ;
             wikibase:grammaticalFeature wd:Q4 .
         wd:L5-S1 a wikibase:Sense , ontolex:LexicalSense ; skos:definition \"to move\"@en ; rdfs:label \"to move\"@en .",
    );
}

fn small(id: &str) -> String {
    format!(r#"{{"type":"item","id":"{id}","labels":{{"en":{{"language":"en","value":"[{{\"{id}\\"}}}}}}"#)
}

#[test]
fn every_layout_gives_the_same_entities() {
    let entities: Vec<String> = ["Q1", "Q2", "Q3"].map(small).to_vec();
    let spread: Vec<String> = entities.iter().map(|entity| entity.replace(',', ",\n  ")).collect();
    let keyed = |list: &[String]| {
        let pairs: Vec<String> =
            list.iter().enumerate().map(|(at, entity)| format!("\"Q{}\": {entity}", at + 1)).collect();
        format!(
            "{{\"entities\": {{{}}}, \"success\": 1, \"other\": {{\"x\": {{\"y\": {{}}}}}}}}",
            pairs.join(", ")
        )
    };
    let layouts = [
        ("dump", format!("[\n{}\n]\n", entities.join(",\n")), Layout::Lines),
        ("commas before", format!("[\n{}\n]", entities.join("\n,")), Layout::Lines),
        ("lines", entities.join("\n"), Layout::Lines),
        ("brackets on lines", format!("[{}]", entities.join(",\n")), Layout::Lines),
        ("one line", format!("[{}]", entities.join(",")), Layout::Objects { within: 1 }),
        ("spread", format!("[\n{}\n]", spread.join(",\n")), Layout::Objects { within: 1 }),
        ("spread lines", spread.join("\n\n"), Layout::Objects { within: 0 }),
        ("keyed", keyed(&entities), Layout::Keyed),
        ("keyed spread", keyed(&spread), Layout::Keyed),
    ];
    let expected = read("a.json", &entities.join("\n"), false).unwrap().0;
    assert_eq!(expected.len(), 15);
    for (name, text, layout) in layouts {
        assert_eq!(recognise(text.as_bytes()), Some(layout), "{name}");
        let (quads, summary) = read("a.json", &text, false).unwrap_or_else(|error| panic!("{name}: {error}"));
        assert_eq!(quads, expected, "{name}");
        assert!(summary.notes.is_empty() && summary.prefixes.iter().any(|(prefix, _)| prefix == "wdt"));
    }
    let (quads, summary) = read("a.ttl", &entities.join("\n"), false).unwrap();
    assert_eq!(quads, expected);
    assert!(summary.notes[0].contains("is read as Wikibase entity JSON, not Turtle"), "{:?}", summary.notes);
}

#[test]
fn other_json_is_no_wikibase() {
    for text in [
        "",
        "{",
        "[",
        "{}",
        "[{}]",
        r#"{"type":"item"}"#,
        r#"{"type":"Feature","id":"Q1"}"#,
        r#"{"@context":{"type":"@type","id":"@id"},"type":"item","id":"Q1"}"#,
        r#"{"id":"Q1","type":"item","@graph":[]}"#,
        r#"{"entities":"many"}"#,
        r#"{"entities":{"person":{}}}"#,
        r#"{"x":{"type":"item","id":"Q1"}}"#,
        r#"["type","item","id"]"#,
    ] {
        assert_eq!(recognise(text.as_bytes()), None, "{text}");
    }
    for text in [r#"{"entities":{"Q1":{"#, r#"{"entities":[]}"#, r#"{ "entities" : { "Q1" : "#] {
        assert_eq!(recognise(text.as_bytes()), Some(Layout::Keyed), "{text}");
    }
}

#[test]
fn a_broken_entity_is_named_with_its_line_or_skipped() {
    let cases = [
        (r#"{"type":"item","id":"Q2","labels":"#, "a.json:3:"),
        (r#"{"type":"item","id":"Q2","labels":5}"#, "a.json:3:"),
        (r#"{"type":"item","id":"../Q2"}"#, "'../Q2' is not the id of an entity"),
        (r#"{"id":"Q2"}"#, "Q2 has no type"),
        (
            r#"{"type":"item","id":"Q2","claims":{"P1":[{"mainsnak":{"snaktype":"value","property":"P1"}}]}}"#,
            "P1",
        ),
    ];
    for (broken, words) in cases {
        let text = format!("[\n{},\n{broken},\n{}\n]", small("Q1"), small("Q3"));
        let said = read("a.json", &text, false).unwrap_err().to_string();
        assert!(said.contains("a.json:3") && said.contains(words), "{said}");
        let (quads, summary) = read("a.json", &text, true).unwrap();
        assert_eq!((quads.len(), summary.skipped), (10, 1), "{broken}");
        assert!(summary.reasons[0].contains("a.json:3"), "{:?}", summary.reasons);
    }
    let cut = format!("[\n{},\n", small("Q1"));
    let said = read("a.json", &cut, false).unwrap_err().to_string();
    assert!(said.contains("is it whole?"), "{said}");
}

#[test]
fn values_of_unknown_kinds_are_told() {
    let snak = value_snak("P1", "string", "bad", "{}");
    let (quads, summary) =
        read("a.json", &item(&[("P1", &[statement("Q1$A", "normal", &snak, "")])]), false).unwrap();
    assert!(!quads.is_empty());
    assert!(
        summary.left_out[0].ends_with("values of the kind 'bad' are not read (1)"),
        "{:?}",
        summary.left_out
    );
    let (_, summary) =
        read("a.json", &format!("{}\n{}", small("Q1"), r#"{"type":"mediainfo","id":"M1"}"#), false).unwrap();
    assert!(summary.left_out[0].ends_with("entities of the type 'mediainfo' are not read (1)"));
}

#[test]
fn an_endless_entity_is_refused_and_the_next_one_read() {
    let long = format!(r#"{{"type":"item","id":"Q2","x":"{}"}}"#, "x".repeat(2_000));
    let entities = [small("Q1"), long, small("Q3")];
    for (text, layout) in [
        (format!("[\n{}\n]", entities.join(",\n")), Layout::Lines),
        (format!("[{}]", entities.join(",")), Layout::Objects { within: 1 }),
    ] {
        let mut frames = Frames::new(text.as_bytes(), layout).with_max_bytes(1_000);
        assert!(frames.next().unwrap().is_ok());
        let Some(Err(FrameError::Broken { reason, .. })) = frames.next() else { panic!("too long") };
        assert!(reason.contains("more than 1000 bytes"), "{reason}");
        assert!(frames.next().unwrap().unwrap().text.ends_with(b"}"));
        assert!(frames.next().is_none());
    }
}

#[test]
fn a_place_that_is_none_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.json");
    std::fs::write(&path, small("Q1")).unwrap();
    let reading = Reading { skip_errors: false, wikibase_base: Some("my wiki"), format: None };
    let said = reading.quads(&path, &NoProgress, &mut |_| {}).unwrap_err().to_string();
    assert!(said.contains("'my wiki' is not the address of a Wikibase"), "{said}");
    let mut quads = Vec::new();
    Reading::default().quads(&path, &NoProgress, &mut |quad| quads.push(quad)).unwrap();
    assert!(quads[0].subject.to_string().starts_with("<http://www.wikidata.org/entity/"));
}

/// Any JSON, with keys and texts of entities among it.
fn any_json() -> impl Strategy<Value = serde_json::Value> {
    let words = prop::sample::select(vec![
        "type",
        "item",
        "property",
        "lexeme",
        "id",
        "Q1",
        "P1",
        "claims",
        "mainsnak",
        "snaktype",
        "value",
        "somevalue",
        "datavalue",
        "time",
        "quantity",
        "amount",
        "+5",
        "unit",
        "1",
        "labels",
        "language",
        "en",
        "property",
        "rank",
        "+99999999999999999999-99-99T00:00:00Z",
        "globecoordinate",
        "",
        "é\u{202e}",
        "forms",
        "entities",
        "missing",
    ]);
    let leaf = prop_oneof![
        Just(serde_json::Value::Null),
        any::<bool>().prop_map(Into::into),
        any::<i64>().prop_map(Into::into),
        any::<f64>().prop_map(Into::into),
        words.clone().prop_map(Into::into),
    ];
    leaf.prop_recursive(5, 60, 8, move |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..5).prop_map(Into::into),
            prop::collection::vec((words.clone(), inner), 0..8).prop_map(|pairs| {
                pairs
                    .into_iter()
                    .map(|(key, value)| (key.to_owned(), value))
                    .collect::<serde_json::Map<_, _>>()
                    .into()
            }),
        ]
    })
}

/// An item of a right shape but for one value.
fn odd_item() -> impl Strategy<Value = String> {
    let kinds =
        ["string", "time", "quantity", "globecoordinate", "monolingualtext", "wikibase-entityid", "x"];
    (prop::sample::select(kinds.to_vec()), any_json()).prop_map(|(kind, value)| {
        let snak = value_snak("P1", "url", kind, &value.to_string());
        item(&[("P1", &[statement("Q1$A", "normal", &snak, "")])])
    })
}

proptest! {
    #[test]
    fn no_json_panics(values in prop::collection::vec(any_json(), 1..4), odd in odd_item(), cut in 0_usize..3_000) {
        let mut text = format!("{}\n{odd}\n", small("Q1"));
        for value in values {
            text.push_str(&format!("{value}\n"));
        }
        let text: String = text.chars().take(cut.max(200)).collect();
        let (quads, summary) = read("a.json", &text, true).unwrap();
        prop_assert!(quads.len() >= 5 && summary.skipped <= 5);
        for quad in &quads {
            prop_assert!(NamedNode::new(quad.predicate.as_str()).is_ok());
        }
    }

    #[test]
    fn no_bytes_in_any_layout_panic(bytes in prop::collection::vec(prop::sample::select(b"{}[]\",:\\\n aQ1\xff".to_vec()), 0..200)) {
        let _layout = recognise(&bytes);
        for layout in [Layout::Lines, Layout::Objects { within: 0 }, Layout::Objects { within: 2 }, Layout::Keyed] {
            let mut frames = Frames::new(&bytes[..], layout);
            let mut count = 0;
            while frames.next().is_some() {
                count += 1;
                prop_assert!(count <= bytes.len() + 1);
            }
        }
    }
}
