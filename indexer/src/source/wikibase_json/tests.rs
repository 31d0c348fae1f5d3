//! Invented entities, compared with the RDF that they stand for.

use crate::progress::NoProgress;
use crate::source::{ReadOptions, ReadSummary, SourceError};
use oxrdf::graph::CanonicalizationAlgorithm;
use oxrdf::{BlankNode, Graph, NamedNode, NamedOrBlankNode, Quad, Term, Triple};
use oxrdfio::{RdfFormat, RdfParser};

mod layouts;

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
    let reading = ReadOptions { skip_errors, wikibase_base: Some(BASE), format: None };
    let summary = reading.quads(&path, &NoProgress, &mut |quad| quads.push(quad))?;
    Ok((quads, summary))
}

/// Quads in a comparable form: value nodes are blank, as their names are hashes.
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

/// What [`item`] contains besides its claims.
fn header(statements: usize, identifiers: usize) -> String {
    format!(
        "wd:Q1 a wikibase:Item ; rdfs:label \"Harbour\"@en ; wikibase:statements {statements} ;
         wikibase:identifiers {identifiers} ; wikibase:sitelinks 0 .\n"
    )
}

/// What a best-rank statement contains besides its values.
fn best(property: &str, guid: &str) -> String {
    format!(
        "wd:Q1 p:{property} wds:{guid} .
         wds:{guid} a wikibase:Statement , wikibase:BestRank ; wikibase:rank wikibase:NormalRank .\n"
    )
}

/// Checks an item that has one statement with one value.
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
