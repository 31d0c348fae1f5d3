//! The corporate graph of the challenge: look-ups, and conversations judged by what the final query gives.

use eruca::llm::ScriptedTurn;
use eruca::trace::{AnsweredBy, StopReason};
use eruca_indexer::{DatasetIndex, SchemaKind};
use eruca_testing::scripted::{Conversation, Setup, answers, looks_up, tries};
use eruca_testing::shared::shared;
use serde_json::{Value, json};
use std::sync::{Arc, Weak};
use tokio::sync::Mutex;

const PV: &str = "http://ld.company.org/prod-vocab/";
const PRODI: &str = "http://ld.company.org/prod-instances/";
const DBPEDIA: &str = "http://dbpedia.org/resource/";

/// The index, which tests of one process share and the last one removes.
async fn ck25() -> Option<Arc<Setup>> {
    static SHARED: Mutex<Weak<Setup>> = Mutex::const_new(Weak::new());
    let folder = shared("ck25")?;
    let mut known = SHARED.lock().await;
    if let Some(setup) = known.upgrade() {
        return Some(setup);
    }
    let file = |name: &str| Value::from(folder.join(name).to_str().unwrap()).to_string();
    let setup = Arc::new(Setup::new(&format!(
        "[[datasets]]\nid = \"https://text2sparql.aksw.org/2025/corporate/\"\nfiles = [{}, {}]",
        file("prod-vocab.ttl"),
        file("prod-inst.ttl")
    )));
    setup.index().await;
    *known = Arc::downgrade(&setup);
    Some(setup)
}

/// What is looked up.
enum Wanted {
    /// An entity with one of these IRIs.
    Entity(&'static [&'static str]),
    /// A value: the end of its property, its text.
    Value(&'static str, &'static str),
    /// A class by its local name.
    Class(&'static str),
    /// A property by one of these local names.
    Property(&'static [&'static str]),
}

/// What is found, best first, in the words of [`Wanted`].
async fn found(index: &DatasetIndex, text: &str, wanted: &Wanted) -> Vec<String> {
    match wanted {
        Wanted::Entity(_) => {
            let hits = index.entities.search(text, None, 3).unwrap();
            hits.into_iter().map(|hit| hit.record.iri).collect()
        }
        Wanted::Value(..) => {
            let hits = index.values.search(text, None, 3).unwrap();
            hits.into_iter().map(|hit| format!("{} {}", hit.record.property, hit.record.text)).collect()
        }
        Wanted::Class(_) => schema(index, SchemaKind::Class, text).await,
        Wanted::Property(_) => schema(index, SchemaKind::Property, text).await,
    }
}

async fn schema(index: &DatasetIndex, kind: SchemaKind, text: &str) -> Vec<String> {
    let hits = index.schema.search(kind, text, 3).await.unwrap();
    hits.into_iter().map(|hit| hit.iri).collect()
}

fn fits(wanted: &Wanted, hit: &str) -> bool {
    let instance = |name: &&str| hit == format!("{PRODI}{name}") || hit == format!("{DBPEDIA}{name}");
    match wanted {
        Wanted::Entity(names) => names.iter().any(instance),
        Wanted::Value(property, text) => hit == format!("{PV}{property} {text}"),
        Wanted::Class(name) => hit == format!("{PV}{name}"),
        Wanted::Property(names) => names.iter().any(|name| hit == format!("{PV}{name}")),
    }
}

const LOOK_UPS: [(&str, Wanted); 22] = [
    ("Karen Brant", Wanted::Entity(&["empl-Karen.Brant%40company.org"])),
    ("Ms. Brant", Wanted::Entity(&["empl-Karen.Brant%40company.org"])),
    ("Heinrich Hoch", Wanted::Entity(&["empl-Heinrich.Hoch%40company.org"])),
    ("U990", Wanted::Entity(&["hw-U990-5234138"])),
    ("U990-5234138", Wanted::Entity(&["hw-U990-5234138"])),
    ("LCD Inductor U990", Wanted::Entity(&["hw-U990-5234138"])),
    ("SkySync MechWave", Wanted::Entity(&["bom-17"])),
    ("Strain Encoder K367", Wanted::Entity(&["hw-K367-1320550"])),
    ("transducr", Wanted::Entity(&["prod-cat-Transducer"])), // typos: ignore
    ("Data Services", Wanted::Entity(&["dept-41622"])),
    ("Data Services department", Wanted::Entity(&["dept-41622"])),
    ("Toulouse", Wanted::Value("addressLocality", "Toulouse")),
    ("France", Wanted::Value("addressCountry", "France")),
    ("France", Wanted::Entity(&["France"])),
    ("expertise", Wanted::Property(&["areaOfExpertise"])),
    ("manager", Wanted::Property(&["hasManager"])),
    ("manager", Wanted::Class("Manager")),
    ("e-mail", Wanted::Property(&["email"])),
    ("phone number", Wanted::Property(&["phone"])),
    ("price", Wanted::Property(&["price", "amount"])),
    ("how heavy", Wanted::Property(&["weight_g"])),
    ("Bill of Materials", Wanted::Class("BillOfMaterial")),
];

#[tokio::test]
async fn everything_is_found_among_the_first_three() {
    let Some(setup) = ck25().await else { return };
    let index = setup.index().await;
    let mut missing = Vec::new();
    for (text, wanted) in &LOOK_UPS {
        let found = found(&index, text, wanted).await;
        if !found.iter().any(|hit| fits(wanted, hit)) {
            missing.push(format!("{text}: {found:?}"));
        }
    }
    assert!(missing.is_empty(), "{missing:#?}");
}

/// The agent has answered, as it should, and nothing of the script is left.
fn assert_answered(talk: &Conversation) {
    let trace = &talk.answered.trace;
    assert_eq!((trace.answered_by, trace.stop), (AnsweredBy::Agent, StopReason::Answered));
    assert!(talk.is_over(), "{} turns are left", talk.model.remaining());
    assert!(talk.answered.query.contains("PREFIX") || !talk.answered.query.contains("pv:"), "self-contained");
}

#[tokio::test]
async fn one_hop() {
    let Some(setup) = ck25().await else { return };
    let turns = [
        looks_up("Ms. Brant").saying("Form: things."),
        answers(
            "SELECT DISTINCT ?department WHERE { <http://ld.company.org/prod-instances/empl-Karen.Brant%40company.org> pv:memberOf ?department }",
        ),
    ];
    let talk = setup.ask("In which department is Ms. Brant?", turns).await;
    assert_answered(&talk);
    assert_eq!(talk.rows(), ["dept-73191"]);
    assert!(talk.observation(0).contains("empl-Karen.Brant%40company.org"), "{}", talk.observation(0));
}

#[tokio::test]
async fn yes_or_no() {
    let Some(setup) = ck25().await else { return };
    let ask =
        |locality: &str| format!("ASK {{ ?supplier a pv:Supplier ; pv:addressLocality \"{locality}\" }}");
    let yes = setup.ask("Is there a supplier in Toulouse?", [answers(&ask("Toulouse"))]).await;
    assert_answered(&yes);
    assert_eq!(yes.rows(), ["true"]);
    let no = setup.ask("Is there a supplier in Atlantis?", [answers(&ask("Atlantis"))]).await;
    assert_answered(&no);
    assert_eq!(no.rows(), ["false"], "a no is an answer, not an empty result");
}

#[tokio::test]
async fn an_aggregate_over_numbers_that_are_strings() {
    let Some(setup) = ck25().await else { return };
    let query = |value: &str| {
        format!(
            "PREFIX geo: <http://www.w3.org/2003/01/geo/wgs84_pos#>\nSELECT (MAX({value}) AS ?north) WHERE {{ ?s a pv:Supplier ; geo:lat ?lat }}"
        )
    };
    let turns = [
        ScriptedTurn::call("get_property_examples", json!({"property": "wgs84:lat"})),
        tries(&query("?lat")),
        answers(&query("xsd:decimal(?lat)")),
    ];
    let talk = setup.ask("How far north is our northernmost supplier?", turns).await;
    assert_answered(&talk);
    assert_eq!(talk.rows(), ["64.6863136"]);
    assert!(
        talk.observation(1).contains("9.5914759"),
        "as strings, 9 comes after 64: {}",
        talk.observation(1)
    );
}

#[tokio::test]
async fn spellings_of_casts_that_some_engines_refuse_are_made_portable() {
    let Some(setup) = ck25().await else { return };
    let query = "SELECT (COUNT (DISTINCT ?s) AS ?n) WHERE { ?s a pv:Supplier ; wgs84:lat ?lat FILTER(xsd:int(xsd:decimal(?lat)) > 60) }";
    let talk = setup.ask("How many suppliers are north of 61 degrees?", [answers(query)]).await;
    assert_answered(&talk);
    let count: u32 = talk.rows()[0].parse().unwrap();
    assert!(count >= 1);
}

#[tokio::test]
async fn a_value_in_the_wrong_case_is_named_and_fixed() {
    let Some(setup) = ck25().await else { return };
    let query = |place: &str| {
        format!("SELECT DISTINCT ?s WHERE {{ ?s a pv:Supplier ; pv:addressCountry \"{place}\" }}")
    };
    let turns = [tries(&query("france")), answers(&query("France"))];
    let talk = setup.ask("Which suppliers do we have in France?", turns).await;
    assert_answered(&talk);
    assert_eq!(talk.outcomes(), ["empty", "ok"]);
    let reason = talk.observation(0);
    assert!(reason.contains("pv:addressCountry \"france\""), "the culprit is named: {reason}");
    assert!(reason.contains("Objects of pv:addressCountry are like"), "what is there is shown: {reason}");
    assert_eq!(talk.rows().len(), 9);
}

#[tokio::test]
async fn a_wrong_direction_is_named_and_fixed() {
    let Some(setup) = ck25().await else { return };
    let turns = [
        tries(
            "SELECT ?m WHERE { ?m pv:hasManager <http://ld.company.org/prod-instances/empl-Heinrich.Hoch%40company.org> }",
        ),
        answers(
            "SELECT ?m WHERE { <http://ld.company.org/prod-instances/empl-Heinrich.Hoch%40company.org> pv:hasManager ?m }",
        ),
    ];
    let talk = setup.ask("Who is the manager of Heinrich Hoch?", turns).await;
    assert_answered(&talk);
    assert_eq!(talk.outcomes(), ["empty", "ok"]);
    assert!(talk.observation(0).contains("No triple matches"), "{}", talk.observation(0));
    assert_eq!(talk.rows(), ["empl-Waldtraud.Kuttner%40company.org"]);
}

#[tokio::test]
async fn parts_that_do_not_meet_are_named() {
    let Some(setup) = ck25().await else { return };
    let query = |category: &str| {
        format!(
            "SELECT DISTINCT ?d WHERE {{ ?p a {category} ; pv:areaOfExpertise <{PRODI}prod-cat-Transducer> ; pv:memberOf ?d }}"
        )
    };
    let turns = [tries(&query("pv:Hardware")), answers(&query("pv:Employee"))];
    let talk = setup.ask("Which departments have Transducer experts?", turns).await;
    assert_answered(&talk);
    let reason = talk.observation(0);
    assert!(reason.contains("leaves none") && reason.contains("pv:Hardware"), "{reason}");
    assert!(!talk.rows().is_empty());
}

#[tokio::test]
async fn several_calls_in_one_turn_are_all_answered() {
    let Some(setup) = ck25().await else { return };
    let turns = [
        ScriptedTurn::calls([
            ("search_entity", json!({"query": "Sensor", "class": "pv:ProductCategory"})),
            ("search_property", json!({"query": "category"})),
            ("get_entry", json!({"iri": "http://ld.company.org/prod-instances/prod-cat-Switch"})),
            ("search_class", json!({"query": "products"})),
        ]),
        answers(
            "SELECT (COUNT(DISTINCT ?p) AS ?n) WHERE { ?p pv:hasCategory <http://ld.company.org/prod-instances/prod-cat-Sensor>, <http://ld.company.org/prod-instances/prod-cat-Switch> }",
        ),
    ];
    let talk = setup.ask("How many Sensor Switches do we offer?", turns).await;
    assert_answered(&talk);
    assert_eq!(talk.outcomes(), ["ok"; 5]);
    assert_eq!(talk.rows(), ["3"]);
    let wanted = ["prod-cat-Sensor", "pv:hasCategory", "prod-cat-Switch", "pv:Product"];
    for (number, words) in wanted.into_iter().enumerate() {
        assert!(talk.observation(number).contains(words), "{words}: {}", talk.observation(number));
    }
    assert_eq!(talk.answered.trace.model_calls, 2);
}

#[tokio::test]
async fn a_superclass_without_direct_instances_is_told() {
    let Some(setup) = ck25().await else { return };
    let query = |path: &str| format!("SELECT (COUNT(DISTINCT ?p) AS ?n) WHERE {{ ?p {path} pv:Product }}");
    let turns = [
        ScriptedTurn::call("search_class", json!({"query": "product"})),
        tries(&query("a")),
        answers(&query("a/rdfs:subClassOf*")),
    ];
    let talk = setup.ask("How many products do we have?", turns).await;
    assert_answered(&talk);
    assert!(
        talk.observation(0).contains("no direct instances, 1009 in subclasses"),
        "{}",
        talk.observation(0)
    );
    assert_eq!(talk.outcomes(), ["ok", "empty", "ok"], "a single zero is empty too");
    assert_eq!(talk.rows(), ["1009"]);
}

#[tokio::test]
async fn an_escape_that_got_lost_is_fixed_with_the_right_iri() {
    let Some(setup) = ck25().await else { return };
    let query = |person: &str| format!("SELECT ?d WHERE {{ <{PRODI}{person}> pv:memberOf ?d }}");
    let turns =
        [answers(&query("empl-Karen.Brant@company.org")), answers(&query("empl-Karen.Brant%40company.org"))];
    let talk = setup.ask("In which department is Ms. Brant?", turns).await;
    assert_answered(&talk);
    assert!(talk.observation(0).contains("empl-Karen.Brant%40company.org"), "{}", talk.observation(0));
    assert_eq!(talk.rows(), ["dept-73191"]);
}

#[tokio::test]
async fn without_a_model_simple_questions_are_answered_all_the_same() {
    let Some(setup) = ck25().await else { return };
    let questions: [(&str, &[&str]); 3] = [
        ("What is the e-mail of Karen Brant?", &["Karen.Brant@company.org"]),
        ("Who is the manager of Heinrich Hoch?", &["empl-Waldtraud.Kuttner%40company.org"]),
        ("Which suppliers are in Toulouse?", &["suppl-1ee8f22a-1460-4875-b1a8-89d7cb2607d6"]),
    ];
    for (question, wanted) in questions {
        // A script without turns is a model that fails.
        let talk = setup.ask(question, []).await;
        assert_eq!(talk.answered.trace.answered_by, AnsweredBy::Planner);
        assert_eq!(talk.rows(), wanted, "{question}");
    }
}
