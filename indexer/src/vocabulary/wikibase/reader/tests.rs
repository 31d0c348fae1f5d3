//! A small invented Wikibase: what is data, what is a reified node, and what is counted.

use super::*;
use oxrdfio::{RdfFormat, RdfParser};

const WIKI: &str = r#"
@prefix wd: <https://wiki.example/entity/> .
@prefix wds: <https://wiki.example/entity/statement/> .
@prefix wdv: <https://wiki.example/value/> .
@prefix wdt: <https://wiki.example/prop/direct/> .
@prefix p: <https://wiki.example/prop/> .
@prefix ps: <https://wiki.example/prop/statement/> .
@prefix psv: <https://wiki.example/prop/statement/value/> .
@prefix pq: <https://wiki.example/prop/qualifier/> .
@prefix wikibase: <http://wikiba.se/ontology#> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
@prefix schema: <http://schema.org/> .
@prefix skos: <http://www.w3.org/2004/02/skos/core#> .

<https://wiki.example/wiki/Special:EntityData/Q1> a schema:Dataset ; schema:about wd:Q1 ; schema:version 7 .
wd:Q1 a wikibase:Item ; rdfs:label "Grete Muster"@de ; skos:prefLabel "Grete Muster"@de ; schema:name "Grete Muster"@de ;
    schema:description "mayor"@en ; wikibase:sitelinks 3 ; wdt:P1 wd:Q2 ; wdt:P3 180 ; p:P1 wds:Q1-a ; p:P3 wds:Q1-b .
wds:Q1-a a wikibase:Statement , wikibase:BestRank ; wikibase:rank wikibase:PreferredRank ; ps:P1 wd:Q2 ; pq:P4 "1990" ; pq:P4 "1991" .
wds:Q1-b a wikibase:Statement ; wikibase:rank wikibase:NormalRank ; ps:P3 180 ; psv:P3 wdv:x .
wdv:x a wikibase:QuantityValue ; wikibase:quantityAmount 180 ; wikibase:quantityUnit wd:Q9 .
<https://pages.example/Grete> a schema:Article ; schema:about wd:Q1 ; schema:name "Grete"@de .
wd:P1 a wikibase:Property ; rdfs:label "instance of"@en ; wikibase:propertyType wikibase:WikibaseItem ;
    wikibase:directClaim wdt:P1 ; wdt:P1 wd:Q8 .
<http://wikiba.se/ontology#Dump> a schema:Dataset ; schema:version 1 .
<https://wiki.example/prop/novalue/P1> a <http://www.w3.org/2002/07/owl#Class> ; <http://www.w3.org/2002/07/owl#complementOf> _:r .
_:r a <http://www.w3.org/2002/07/owl#Restriction> ; <http://www.w3.org/2002/07/owl#onProperty> wdt:P1 .
wd:P3 a wikibase:Property ; rdfs:label "height"@en ; wikibase:propertyType wikibase:Quantity .
"#;

fn quads(turtle: &str) -> Vec<Quad> {
    RdfParser::from_format(RdfFormat::Turtle).for_slice(turtle.as_bytes()).map(Result::unwrap).collect()
}

fn read(turtle: &str) -> (Vec<String>, Option<Recognised>) {
    let mut reader = Box::new(WikibaseReader::new(&GivenVocabulary::default()));
    let mut data = Vec::new();
    for quad in quads(turtle) {
        if reader.classify(&quad) == QuadRole::Data {
            data.push(format!("{} {} {}", quad.subject, quad.predicate, quad.object));
        }
    }
    (data, reader.finish())
}

#[test]
fn carriers_are_kept_apart_from_data() {
    let (data, _) = read(WIKI);
    insta::assert_snapshot!(data.join("\n"), @r#"
    <https://wiki.example/entity/Q1> <http://www.w3.org/2000/01/rdf-schema#label> "Grete Muster"@de
    <https://wiki.example/entity/Q1> <http://schema.org/description> "mayor"@en
    <https://wiki.example/entity/Q1> <https://wiki.example/prop/direct/P1> <https://wiki.example/entity/Q2>
    <https://wiki.example/entity/Q1> <https://wiki.example/prop/direct/P3> "180"^^<http://www.w3.org/2001/XMLSchema#integer>
    <https://wiki.example/entity/P1> <http://www.w3.org/2000/01/rdf-schema#label> "instance of"@en
    <https://wiki.example/entity/P3> <http://www.w3.org/2000/01/rdf-schema#label> "height"@en
    "#);
}

#[test]
fn every_page_about_a_thing_counts_whether_its_kind_comes_before_or_after() {
    let turtle = r#"
        @prefix schema: <http://schema.org/> . @prefix wd: <https://wiki.example/entity/> .
        wd:Q1 a <http://wikiba.se/ontology#Item> .
        <https://pages.example/record> a schema:Dataset ; schema:about wd:Q1 .
        <https://en.example/Grete> a schema:Article ; schema:about wd:Q1 ; schema:name "Grete"@en .
        <https://de.example/Grete> a schema:Article ; schema:about wd:Q1 ; schema:name "Grete"@de .
        <https://fr.example/Grete> schema:about wd:Q1 ; a schema:Article ; schema:name "Grete"@fr .
    "#;
    let mut reader = Box::new(WikibaseReader::new(&GivenVocabulary::default()));
    let sifted: Vec<QuadRole> = quads(turtle).iter().map(|quad| reader.classify(quad)).collect();
    let pages = sifted.iter().filter(|sifted| **sifted == QuadRole::Known(WellKnown::Object)).count();
    assert_eq!((pages, sifted.contains(&QuadRole::Data)), (3, false));
}

#[test]
fn properties_are_known_by_their_statements() {
    let Recognised { vocabulary, properties } = read(WIKI).1.unwrap();
    assert_eq!(vocabulary.type_property, "https://wiki.example/prop/direct/P1", "found by its name");
    assert_eq!(vocabulary.type_path(false), "<https://wiki.example/prop/direct/P1>");
    let of =
        |number: u32| properties.iter().find(|facts| facts.direct.ends_with(&format!("/P{number}"))).unwrap();
    assert_eq!((of(1).statements, of(1).preferred, of(4).qualifies), (1, 1, 2));
    assert_eq!(of(1).qualifiers, [("https://wiki.example/prop/direct/P4".to_owned(), 2)]);
    assert_eq!(of(3).units, [("https://wiki.example/entity/Q9".to_owned(), 1)]);
    assert_eq!(of(3).datatype.as_deref(), Some("Quantity"));
}

#[test]
fn a_graph_that_only_borrows_a_claim_is_plain() {
    let turtle = r#"
        @prefix schema: <http://schema.org/> . @prefix ex: <http://ex.org/> .
        ex:a schema:name "A" ; ex:p ex:b ; ex:prop ex:c ; <http://www.wikidata.org/prop/direct/P31> ex:d .
        ex:b <http://ex.org/prop/P7> ex:c ."#;
    let (data, recognised) = read(turtle);
    assert_eq!(data.len(), 5);
    assert!(recognised.is_none());
}

#[test]
fn direct_claims_alone_are_enough() {
    let turtle = r#"
        <http://www.wikidata.org/entity/Q5> <http://www.w3.org/2000/01/rdf-schema#label> "human"@en .
        <http://www.wikidata.org/entity/Q7> <http://www.wikidata.org/prop/direct/P31> <http://www.wikidata.org/entity/Q5> ."#;
    let Recognised { vocabulary, .. } = read(turtle).1.unwrap();
    assert_eq!(vocabulary.profile, "wikibase");
    assert_eq!(
        vocabulary.type_path(true),
        "<http://www.wikidata.org/prop/direct/P31>/<http://www.wikidata.org/prop/direct/P279>*"
    );
}
