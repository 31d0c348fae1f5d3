//! A graph, and what has to be found and answered in it, whether it is indexed from its files or from an endpoint.

use eruca::llm::{ChatModel, ScriptedModel, ScriptedTurn};
use eruca::service::{Answered, Question};
use eruca::trace::{AnsweredBy, Silent};
use eruca_indexer::{DatasetIndex, NoProgress, PropertyValue, SchemaKind, read_quads};
use eruca_testing::helpers::repository;
use eruca_testing::scripted::{Setup, answers, rows, tries};
use eruca_testing::shared::shared;
use serde_json::Value;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// A graph with things to look for in it.
pub(crate) struct Case {
    pub(crate) files: Vec<PathBuf>,
    pub(crate) words: &'static [&'static str],
    /// A question for the planner, one for a model with its query, and the rows of both.
    pub(crate) planned: (&'static str, &'static [&'static str]),
    pub(crate) asked: (&'static str, &'static str, &'static [&'static str]),
}

/// The corporate graph, or the demo graph where the former is not there.
pub(crate) fn case() -> Case {
    let Some(folder) = shared("ck25") else { return demo() };
    Case {
        files: ["prod-vocab.ttl", "prod-inst.ttl"].map(|name| folder.join(name)).to_vec(),
        words: &[
            "Karen Brant",
            "Ms. Brant",
            "U990-5234138",
            "SkySync MechWave",
            "transducr",
            "Data Services",
            "Toulouse",
            "France",
            "manager",
            "e-mail",
            "phone number",
            "price",
            "Bill of Materials",
            "name",
        ],
        planned: ("In which department is Karen Brant?", &["dept-73191"]),
        asked: (
            "How many departments are there?",
            "SELECT (COUNT(DISTINCT ?x) AS ?n) WHERE { ?x a <http://ld.company.org/prod-vocab/Department> }",
            &["6"],
        ),
    }
}

/// The demo graph.
pub(crate) fn demo() -> Case {
    Case {
        files: vec![repository().join("examples/world.ttl")],
        words: &["Germany", "Deutschland", "Pairs", "Rhine", "capital", "river", "flows through", "EUR"],
        planned: ("What is the capital of Japan?", &["Tokyo"]),
        asked: (
            "Which rivers flow through Germany?",
            "SELECT DISTINCT ?x WHERE { ?x <https://eruca.dev/demo/ontology#flowsThrough> <https://eruca.dev/demo/resource/Germany> } ORDER BY ?x",
            &["Danube", "Elbe", "Moselle", "Rhine"],
        ),
    }
}

impl Case {
    /// As TOML, the prefixes that the files declare and an endpoint does not.
    fn prefixes(&self) -> String {
        let read = |file: &PathBuf| read_quads(file, false, &NoProgress, &mut |_| {}).unwrap().prefixes;
        let prefixes: BTreeMap<String, String> = self.files.iter().flat_map(read).collect();
        let pairs: Vec<String> = prefixes.iter().map(|(name, iri)| format!("{name} = \"{iri}\"")).collect();
        format!("{{ {} }}", pairs.join(", "))
    }

    /// The configuration of its endpoint; `more` are further keys.
    pub(crate) fn endpoint(&self, url: &str, more: &str) -> String {
        format!("[[datasets]]\nid = \"it\"\nendpoint = \"{url}\"\nprefixes = {}\n{more}", self.prefixes())
    }

    /// Indexed from its files.
    pub(crate) fn of_files(&self) -> Setup {
        let files: Vec<String> = self.files.iter().map(|file| quoted(file)).collect();
        Setup::new(&format!("[[datasets]]\nid = \"it\"\nfiles = [{}]", files.join(", ")))
    }

    /// Indexed from an endpoint; `more` are further keys.
    pub(crate) fn of_endpoint(&self, url: &str, more: &str) -> Setup {
        Setup::new(&self.endpoint(url, more))
    }
}

fn quoted(path: &Path) -> String {
    Value::from(path.to_str().unwrap()).to_string()
}

/// Hits asked for; of those that score as the last one, any may come.
const HITS: usize = 20;

/// The card without what depends on the order of statements: samples, of which any three will do, and names of equal
/// rank.
fn card(index: &DatasetIndex) -> Value {
    let mut card = serde_json::to_value(&index.card).unwrap();
    for kind in ["classes", "properties"] {
        for entry in card[kind].as_array_mut().unwrap() {
            if let Some(labels) = entry.get_mut("labels").and_then(Value::as_array_mut) {
                labels.sort_by_key(Value::to_string);
            }
            for edge in entry.get_mut("edges").and_then(Value::as_array_mut).into_iter().flatten() {
                edge["samples"] = Value::Null;
            }
        }
    }
    card
}

/// What is found for some words, with all that is known of it but the order of equals.
async fn found(index: &DatasetIndex, words: &str) -> Vec<String> {
    let mut entities = Vec::new();
    for hit in index.entities.search(words, None, HITS).unwrap() {
        let mut entity = hit.record;
        entity.types.sort();
        entity.labels.sort_by(|a, b| (&a.text, &a.language).cmp(&(&b.text, &b.language)));
        entities.push((hit.score, format!("{entity:?}")));
    }
    let values = index.values.search(words, None, HITS).unwrap();
    // Of classes that are equally frequent, any is named.
    let value = |value: PropertyValue| format!("{:?}", PropertyValue { class: None, ..value });
    let values = values.into_iter().map(|hit| (hit.score, value(hit.record))).collect();
    let mut found: Vec<String> = [entities, values].into_iter().flat_map(by_score).collect();
    for kind in [SchemaKind::Class, SchemaKind::Property] {
        let hits = index.schema.search(kind, words, HITS).await.unwrap();
        found.extend(hits.into_iter().map(|hit| format!("{hit:?}")));
    }
    found
}

fn by_score(hits: Vec<(f32, String)>) -> Vec<String> {
    let last = if hits.len() == HITS { hits.last().map(|(score, _)| *score) } else { None };
    let certain = hits.into_iter().filter(|(score, _)| Some(*score) != last);
    let mut lines: Vec<_> = certain.map(|(score, text)| (-score, format!("{score:.4} {text}"))).collect();
    lines.sort_by(|a, b| a.0.total_cmp(&b.0).then_with(|| a.1.cmp(&b.1)));
    lines.into_iter().map(|(_, line)| line).collect()
}

/// Both have the same card, the same counts, and the same results for all words.
pub(crate) async fn assert_same(case: &Case, ours: &DatasetIndex, expected: &DatasetIndex) {
    let counts = |index: &DatasetIndex| {
        let manifest = &index.manifest;
        [manifest.entities, manifest.values, manifest.classes, manifest.properties]
    };
    assert_eq!(counts(ours), counts(expected));
    let (ours_card, expected_card) = (card(ours), card(expected));
    for (key, value) in expected_card.as_object().unwrap() {
        assert_eq!(&ours_card[key], value, "{key}");
    }
    for words in case.words {
        assert_eq!(found(ours, words).await, found(expected, words).await, "{words}");
    }
}

/// Asks the service with this model.
pub(crate) async fn ask(setup: &Setup, question: &str, model: Arc<dyn ChatModel>) -> Answered {
    let question = Question { dataset: "it".to_owned(), text: question.to_owned() };
    Arc::unwrap_or_clone(setup.open(model).await.answer(&question, &Silent).await.unwrap())
}

/// A question for the planner, whose model has nothing to say, and one for a model are answered through the endpoint.
pub(crate) async fn assert_answers(case: &Case, setup: &Setup) {
    let (question, expected) = case.planned;
    let planned = ask(setup, question, Arc::new(ScriptedModel::new(Vec::<ScriptedTurn>::new()))).await;
    assert_eq!(planned.trace.answered_by, AnsweredBy::Planner, "{}", planned.query);
    assert_eq!(rows(&planned), expected, "{}", planned.query);
    let (question, query, expected) = case.asked;
    let model = Arc::new(ScriptedModel::new([tries(query), answers(query)]));
    let answered = ask(setup, question, model).await;
    assert_eq!(answered.trace.answered_by, AnsweredBy::Agent);
    assert_eq!(rows(&answered), expected);
    let model = Arc::new(ScriptedModel::new([answers("ASK { ?s ?p ?o }")]));
    assert_eq!(rows(&ask(setup, "Is there anything?", model).await), ["true"]);
}
