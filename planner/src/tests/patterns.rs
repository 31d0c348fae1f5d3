//! Patterns of the house: conditions and ways to a value that the owner of a graph has a word for.

use super::graph::Graph;

/// A boatyard: clients, the jobs for them, and what these were done with.
const YARD: &str = r#"
:Client rdfs:label "client" . :Job rdfs:label "job" . :Tool rdfs:label "tool" . :Wood rdfs:label "wood" . :Slip rdfs:label "slip" .
:last rdfs:label "last order" . :by rdfs:label "for client" . :used rdfs:label "step of work" . :with rdfs:label "done by means of" .
:ofWood rdfs:label "piece" . :lent rdfs:label "lent to" . :hours rdfs:label "hours" . :port rdfs:label "port" . :weight rdfs:label "weight" . :fee rdfs:label "fee" .
:a a :Client ; rdfs:label "Alder" ; :last "2026-03-01"^^xsd:date ; :port "Wick" . :b a :Client ; rdfs:label "Birch" ; :last "2019-03-01"^^xsd:date ; :port "Wick" .
:c a :Client ; rdfs:label "Cedar" ; :last "2026-05-01"^^xsd:date ; :port "Oban" . :d a :Client ; rdfs:label "Damson" ; :port "Oban" .
:j1 a :Job ; rdfs:label "J-1" ; :by :a ; :hours 5 ; :fee 50 ; :used :s1 . :j2 a :Job ; rdfs:label "J-2" ; :by :a ; :hours 9 ; :fee 90 ; :used :s2 .
:j3 a :Job ; rdfs:label "J-3" ; :by :b ; :hours 7 ; :fee 70 ; :used :s3 . :j4 a :Job ; rdfs:label "J-4" ; :by :c ; :hours 2 ; :fee 20 ; :used :s4 .
:s1 a :Slip ; :with :t1 ; :ofWood :w1 . :s2 a :Slip ; :with :t2 ; :ofWood :w1 . :s3 a :Slip ; :with :t1 ; :ofWood :w2 . :s4 a :Slip ; :with :t1 ; :ofWood :w1 .
:t1 a :Tool ; rdfs:label "adze" ; :weight 3 . :t2 a :Tool ; rdfs:label "plane" ; :weight 2 . :t3 a :Tool ; rdfs:label "bradawl" ; :weight 1 .
:w1 a :Wood ; rdfs:label "oak" . :w2 a :Wood ; rdfs:label "larch" ."#;

const WORDS: &str = r#"
[[glossary]]
words = ["active"]
pattern = "?this :last ?day FILTER(?day > '2026-01-01'^^xsd:date)"
of = ":Client"
[[glossary]]
words = ["sleeper", "sleeping client"]
pattern = "?this a :Client OPTIONAL { ?this :last ?day } FILTER(!BOUND(?day) || ?day < '2020-01-01'^^xsd:date)"
[[glossary]]
words = ["quick job"]
pattern = "?this :hours ?h FILTER(?h < 6)"
of = ":Job"
[[glossary]]
words = ["made of"]
pattern = "?this :used/:ofWood ?value"
[[glossary]]
words = ["tooled with", "gear"]
pattern = "?this :used ?slip . ?slip :with ?value"
[[glossary]]
words = ["burden"]
pattern = "?this :used/:with ?t . ?t :weight ?value"
[[glossary]]
words = ["idle"]
pattern = "?this :port 'Nowhere'"
"#;

fn yard() -> Graph {
    Graph::of(YARD).knowing(WORDS)
}

/// Questions with their rows, which are sure.
fn sure(graph: &Graph, cases: &[(&str, &[&str])]) {
    let wrong = cases
        .iter()
        .filter(|(question, rows)| graph.ask(question, "en") != *rows || !graph.is_sure(question, "en"));
    let told: Vec<String> = wrong
        .map(|(question, rows)| {
            let (got, why) = (graph.ask(question, "en"), graph.evidence(question, "en"));
            format!("{question}\n  wanted {rows:?}\n  got    {got:?}\n  {why:?}")
        })
        .collect();
    assert!(told.is_empty(), "{}", told.join("\n"));
}

#[test]
fn a_condition_restricts_the_things_of_a_class() {
    let graph = yard();
    sure(
        &graph,
        &[
            ("How many active clients are there?", &["2"]),
            ("Which clients are active?", &["a", "c"]),
            ("Which sleeping clients are there?", &["b", "d"]),
            ("How many sleepers are there?", &["2"]),
            ("How many quick jobs are there?", &["2"]),
            ("Is Alder active?", &["true"]),
            ("Is Birch active?", &["false"]),
        ],
    );
    let without = Graph::of(YARD);
    assert!(!without.is_sure("How many active clients are there?", "en"));
}

#[test]
fn conditions_compose() {
    let graph = yard();
    sure(
        &graph,
        &[
            ("Which active clients have the port Wick?", &["a"]),
            ("Which clients are not active?", &["b", "d"]),
            ("Which clients are not sleepers?", &["a", "c"]),
            ("Which clients are active and have the port Oban?", &["c"]),
            ("Which quick job has the highest fee?", &["j1"]),
            ("What is the average fee of the quick jobs?", &["35"]),
            ("Which active client has the most jobs?", &["a"]),
        ],
    );
}

#[test]
fn where_another_reading_is_as_good_the_answer_is_not_sure() {
    let graph = yard();
    let question = "How many jobs for active clients are there?";
    assert_eq!(graph.ask(question, "en"), ["3"]);
    assert!(!graph.is_sure(question, "en"), "{:?}", graph.evidence(question, "en"));
}

#[test]
fn a_way_to_a_value_has_the_place_of_a_property() {
    let graph = yard();
    sure(
        &graph,
        &[
            ("What is the gear of J-2?", &["t2"]),
            ("Which jobs were tooled with the adze?", &["j1", "j3", "j4"]),
            ("How many jobs were tooled with the adze?", &["3"]),
            ("What is J-3 made of?", &["w2"]),
            ("Which job has the greatest burden?", &["j1", "j3", "j4"]),
            ("Which jobs have a burden below 3?", &["j2"]),
        ],
    );
}

#[test]
fn the_ledger_names_the_glossary_and_the_class_must_fit() {
    let graph = yard();
    let told = graph.evidence("How many active clients are there?", "en");
    assert!(told.iter().any(|line| line == "active: glossary"), "{told:?}");
    // An adjective for clients says nothing of tools.
    assert!(!graph.is_sure("How many active tools are there?", "en"));
    let told = graph.evidence("How many active tools are there?", "en");
    assert!(!told.iter().any(|line| line == "active: glossary"), "{told:?}");
}

#[test]
fn what_nothing_meets_is_nothing() {
    let graph = yard();
    assert_eq!(graph.ask("How many idle clients are there?", "en"), ["0"]);
    assert!(graph.ask("Which clients are idle?", "en").is_empty());
}

const LONGER: &str = "
[[glossary]]
words = ['short']
of = ':Job'
pattern = '?this :hours ?h FILTER(?h < 8)'
[[glossary]]
words = ['very short']
of = ':Job'
pattern = '?this :hours ?h FILTER(?h < 4)'
[[glossary]]
words = ['very short client']
of = ':Slip'
pattern = '?this :with :t2'
";

#[test]
fn the_words_of_a_longer_entry_are_not_read_as_those_of_a_shorter_one() {
    let yard = Graph::of(YARD).knowing(LONGER);
    sure(&yard, &[("Which jobs are short?", &["j1", "j3", "j4"]), ("Which jobs are very short?", &["j4"])]);
}
