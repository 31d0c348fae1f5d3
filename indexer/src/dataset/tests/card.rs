//! The card of a graph: graphs, classes, connections, languages, prefixes.

use super::{PREFIXES, Workshop, entities, index_of};
use crate::card::{DatasetCard, PropertyCard, Target};

fn property<'a>(card: &'a DatasetCard, name: &str) -> &'a PropertyCard {
    card.property(&format!("http://e.x/{name}")).unwrap()
}

/// Connections as `class -> target (count)`.
fn edges(property: &PropertyCard) -> Vec<String> {
    let short = |iri: &str| iri.rsplit(['/', '#']).next().unwrap().to_owned();
    let edge = |edge: &crate::card::Edge| {
        let class = edge.class.as_deref().map_or("-".to_owned(), short);
        let target = match &edge.target {
            Target::Class(class) => short(class),
            Target::Literal(datatype) => format!("\"{}\"", short(datatype)),
            Target::Resource => "?".to_owned(),
        };
        format!("{class} -> {target} ({})", edge.count)
    };
    property.edges.iter().map(edge).collect()
}

#[tokio::test]
async fn named_graphs_are_counted_and_searched() {
    let workshop = Workshop::new();
    let trig = format!(
        "{PREFIXES}:a rdfs:label \"Alpha\" .
         :g1 {{ :b a :Thing ; rdfs:label \"Beta\" . }}
         :g2 {{ :c rdfs:label \"Gamma\" . :b a :Thing . }}"
    );
    let summary = workshop.build("graph.trig", &trig).await.unwrap();
    let index = workshop.open().await.unwrap();
    let mut graphs = index.card.named_graphs.clone();
    graphs.sort();
    assert_eq!(graphs, [("http://e.x/g1".to_owned(), 2), ("http://e.x/g2".to_owned(), 2)]);
    for name in ["Alpha", "Beta", "Gamma"] {
        assert_eq!(entities(&index, name, None).len(), 1, "{name}");
    }
    assert_eq!((summary.triples, index.card.triples), (5, 4), "read, and distinct");
    assert_eq!(index.card.class("http://e.x/Thing").unwrap().instances, 1);
}

#[tokio::test]
async fn properties_of_which_each_link_has_its_reverse_are_symmetric() {
    let (index, _workshop) = index_of(
        ":a :near :b, :c, :a . :b :near :a . :c :near :a . :a :above :b . :b :above :c . :c :above :a .
         :a :knows :b . :b :knows :a . :a :code 1 . :b :code 1 . :c :twin :d, \"d\" . :d :twin :c .
         :e :twin :f . :f :twin :e .",
    )
    .await;
    let symmetric: Vec<&str> = ["near", "above", "knows", "code", "twin"]
        .into_iter()
        .filter(|name| property(&index.card, name).symmetric)
        .collect();
    // One pair may be chance, and a value has no reverse.
    assert_eq!(symmetric, ["near"]);
}

#[tokio::test]
async fn instances_are_counted_through_the_hierarchy_once() {
    let (index, _workshop) = index_of(
        ":Agent a owl:Class . :Person rdfs:subClassOf :Agent . :Boss rdfs:subClassOf :Person, :Agent .
         :a a :Person . :b a :Boss . :c a :Boss, :Person . :Lonely a owl:Class ; rdfs:label \"Lonely\" .",
    )
    .await;
    let counts = |name: &str| {
        let class = index.card.class(&format!("http://e.x/{name}")).unwrap();
        (class.instances, class.instances_with_subclasses)
    };
    assert_eq!(counts("Agent"), (0, 3));
    assert_eq!(counts("Person"), (2, 3));
    assert_eq!(counts("Boss"), (2, 2));
    assert_eq!(counts("Lonely"), (0, 0), "declared, never used");
    let subclasses: Vec<&str> = index.card.subclasses("http://e.x/Agent").map(|c| c.iri.as_str()).collect();
    assert_eq!(subclasses, ["http://e.x/Person", "http://e.x/Boss"]);
    assert!(index.card.class("http://www.w3.org/2002/07/owl#Class").is_none());
}

#[tokio::test]
async fn a_hierarchy_that_bites_its_tail_ends() {
    let (index, _workshop) =
        index_of(":A rdfs:subClassOf :B . :B rdfs:subClassOf :C . :C rdfs:subClassOf :A, :C . :x a :B .")
            .await;
    for name in ["A", "B", "C"] {
        let class = index.card.class(&format!("http://e.x/{name}")).unwrap();
        assert_eq!(class.instances_with_subclasses, 1, "{name}");
    }
}

#[tokio::test]
async fn connections_are_told_as_declared_and_as_seen() {
    let (index, _workshop) = index_of(
        ":worksFor a owl:ObjectProperty ; rdfs:domain :Person ; rdfs:range :Company ; rdfs:label \"works for\"@en .
         :never a owl:DatatypeProperty ; rdfs:label \"never\" .
         :a a :Person ; :worksFor :f , :g ; :age 44 ; :nick \"Al\"@en , \"Alto\"@de .
         :b a :Person, :Robot ; :worksFor :h ; :age \"unknown\" .
         :f a :Company . :g a :Company . :u :worksFor :f .",
    )
    .await;
    let works = property(&index.card, "worksFor");
    assert_eq!(works.declared_domain, ["http://e.x/Person"]);
    assert_eq!(works.declared_range, ["http://e.x/Company"]);
    assert_eq!((works.usage, works.subjects), (4, 3));
    assert_eq!(
        edges(works),
        ["Person -> Company (2)", "- -> Company (1)", "Person -> ? (1)", "Robot -> ? (1)"]
    );
    assert_eq!(works.domains(), [("http://e.x/Person", 3), ("http://e.x/Robot", 1)]);
    assert_eq!(works.ranges(), [("http://e.x/Company", 3)]);
    assert!(works.has_resources() && !works.has_literals());

    let age = property(&index.card, "age");
    let datatypes: Vec<&str> =
        age.datatypes().iter().map(|(iri, _)| iri.rsplit('#').next().unwrap()).collect();
    assert_eq!(datatypes, ["string", "integer"], "counted per class of the subject");
    let nick = property(&index.card, "nick");
    assert_eq!(nick.languages, [("de".to_owned(), 1), ("en".to_owned(), 1)]);
    assert_eq!(property(&index.card, "never").usage, 0);
    assert!(index.card.property("http://www.w3.org/2000/01/rdf-schema#domain").is_none());
}

#[tokio::test]
async fn what_leads_to_lists_and_containers_is_connected_with_their_members() {
    let (index, _workshop) = index_of(
        "@prefix rdf: <http://www.w3.org/1999/02/22-rdf-syntax-ns#> .
         :a a :Work ; :by ( :p :q ) ; :notes [ a rdf:Seq ; rdf:_1 \"one\" ; rdf:_2 \"two\" ] ; :in :t .
         :b a :Work ; :by ( :q ) ; :in [ :name \"no list\" ] .
         :p a :Person . :q a :Person . :t a :Town .",
    )
    .await;
    let reached = |name: &str| {
        edges(&PropertyCard {
            edges: property(&index.card, name).reached().to_vec(),
            ..PropertyCard::default()
        })
    };
    assert_eq!(reached("by"), ["Work -> Person (3)"]);
    assert_eq!(edges(property(&index.card, "by")), ["Work -> ? (2)"], "what is there in fact");
    assert_eq!(reached("notes"), ["Work -> \"string\" (2)"]);
    assert!(property(&index.card, "in").collected.is_none());
}

#[tokio::test]
async fn samples_are_few_and_short() {
    let prose = "word ".repeat(40);
    let (index, _workshop) = index_of(&format!(
        ":a a :T ; :code \"A1\" , \"A2\" , \"A3\" , \"A4\" ; :about \"{prose}\" ; :link <http://far.example/x> .
         :b a :T ; :code \"A1\" .",
    ))
    .await;
    let samples = |name: &str| property(&index.card, name).edges[0].samples.clone();
    assert_eq!(samples("code"), ["A1", "A2", "A3"]);
    assert!(samples("about").is_empty());
    assert_eq!(samples("link"), ["http://far.example/x"]);
}

#[tokio::test]
async fn languages_of_texts_are_counted() {
    let (index, _workshop) =
        index_of(":a rdfs:label \"one\"@en , \"eins\"@de , \"uno\" ; :n 1 . :b rdfs:label \"two\"@EN .")
            .await;
    let languages: Vec<(&str, u64)> =
        index.card.languages.iter().map(|(tag, n)| (tag.as_str(), *n)).collect();
    assert_eq!(languages, [("en", 2), ("", 1), ("de", 1)]);
}

#[tokio::test]
async fn prefixes_are_those_of_the_files_and_made_up_for_the_rest() {
    let workshop = Workshop::new();
    let turtle = "@prefix shop: <http://shop.example/vocab#> .\n@prefix label: <http://www.w3.org/2000/01/rdf-schema#> .
        shop:a a <http://cars.example/types/Car> ; label:label \"a\" ; <http://xmlns.com/foaf/0.1/name> \"A\" ;
        <http://cars.example/terms/wheels> 4 .";
    workshop.build("graph.ttl", turtle).await.unwrap();
    let prefixes = workshop.open().await.unwrap().card.prefixes;
    assert_eq!(prefixes.get("shop"), Some("http://shop.example/vocab#"));
    assert_eq!(prefixes.get("label"), Some("http://www.w3.org/2000/01/rdf-schema#"));
    assert_eq!(prefixes.get("rdfs"), None, "one prefix a namespace");
    assert_eq!(prefixes.get("foaf"), Some("http://xmlns.com/foaf/0.1/"), "well known and used");
    assert_eq!(prefixes.get("skos"), None, "well known but not used");
    assert_eq!(prefixes.get("types"), Some("http://cars.example/types/"));
    assert_eq!(prefixes.get("terms"), Some("http://cars.example/terms/"));
}

#[tokio::test]
async fn deep_wide_and_cyclic_hierarchies_are_counted_as_far_as_it_is_worth() {
    let chain = |last: &str| {
        let below = |number: usize| {
            format!(":K{number} rdfs:subClassOf :K{} . :i{number} a :K{number} .\n", number + 1)
        };
        format!("{}{last}", (0..3_000).map(below).collect::<String>())
    };
    let wide: String = (0..3_000).map(|number| format!(":K0 rdfs:subClassOf :S{number} .\n")).collect();
    for graph in [chain(""), chain(":K3000 rdfs:subClassOf :K0 .\n"), format!("{wide}:i a :K0 .\n")] {
        let workshop = Workshop::new();
        let summary = workshop.build("graph.ttl", &format!("{PREFIXES}{graph}")).await.unwrap();
        assert!(summary.notes.iter().any(|note| note.contains("1000 classes above")), "{:?}", summary.notes);
        let index = workshop.open().await.unwrap();
        assert_eq!(index.manifest.notes, summary.notes, "it is told at each start");
        assert!(index.graph.note().is_some());
        let counted = index.card.classes.iter().map(|class| class.instances_with_subclasses).max();
        assert!(counted <= Some(1_001) && index.card.class("http://e.x/K0").unwrap().instances > 0);
    }
}

#[tokio::test]
async fn endless_labels_and_names_are_kept_in_part() {
    let long = "word ".repeat(20_000);
    let name = "x".repeat(100_000);
    let (index, _workshop) =
        index_of(&format!(":a a :Thing ; rdfs:label \"Alpha {long}\" . <http://e.x/{name}> a :Thing ."))
            .await;
    let found = index.entities.search("Alpha", None, 3).unwrap();
    assert!(found[0].record.labels[0].text.chars().count() <= 1_000);
    let named = index.entities.search(&"x".repeat(1_000), None, 3).unwrap();
    assert_eq!(named[0].record.iri.len(), "http://e.x/".len() + name.len(), "the IRI itself is whole");
    assert!(named[0].record.local_name.len() <= 1_000);
}
