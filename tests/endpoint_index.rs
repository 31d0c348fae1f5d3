//! Indexes built from an endpoint alone: the same as from its files, in spite of caps, limits, failures and kills.

use crate::cli::{eruca, run, stderr, stdout};
use crate::helpers::repository;
use crate::programs::{wait, within};
use crate::scripted::{Setup, answers, rows, shared, tries};
use crate::sparql_server::{Manners, SparqlServer};
use eruca::llm::{ChatModel, ScriptedModel, ScriptedTurn};
use eruca::service::{Answered, Question};
use eruca::startup;
use eruca::trace::{AnsweredBy, Silent};
use eruca_indexer::{
    BuiltFrom, DatasetIndex, NoProgress, OpenOptions, PropertyValue, SchemaKind, read_quads,
};
use serde_json::Value;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::{Child, Stdio};
use std::sync::Arc;
use std::time::Duration;

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
    fn endpoint(&self, url: &str, more: &str) -> String {
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

#[tokio::test]
async fn an_index_of_an_endpoint_is_that_of_its_files() {
    for case in [case(), demo()] {
        let files = case.of_files();
        let server = SparqlServer::start(&case.files, Manners::default()).await;
        let setup = case.of_endpoint(&server.url(), "");
        let index = setup.index().await;
        assert_same(&case, &index, &files.index().await).await;
        let source = BuiltFrom::Endpoint { name: server.url(), graphs: Vec::new() };
        assert_eq!(index.manifest.source, source);
        assert!(index.manifest.notes.is_empty(), "{:?}", index.manifest.notes);
        assert_eq!(index.manifest.triples, index.card.triples, "nothing came twice");
        assert!(server.asked().len() < 30, "small properties share responses");
        assert_answers(&case, &setup).await;
    }
}

#[tokio::test]
async fn an_endpoint_with_the_manners_of_virtuoso_gives_the_same_index_and_answers() {
    let manners = Manners { max_rows: Some(1_000), ask_as_select: true, ..Manners::default() };
    let silent = Manners { silent: true, ..manners.clone() };
    let partial = Manners { partial: Some("LIMIT 10000"), busy_every: Some(3), ..manners.clone() };
    for (case, manners) in [(case(), manners), (demo(), silent), (demo(), partial)] {
        let files = case.of_files();
        let server = SparqlServer::start(&case.files, manners).await;
        let setup = case.of_endpoint(&server.url(), "");
        let index = setup.index().await;
        assert_same(&case, &index, &files.index().await).await;
        assert!(index.manifest.notes.is_empty(), "{:?}", index.manifest.notes);
        assert_answers(&case, &setup).await;
    }
}

#[tokio::test]
async fn what_an_endpoint_refuses_is_sampled_and_the_service_says_so() {
    let case = demo();
    let words = "Virtuoso S1T00 Error SR171: Transaction timed out\n\nSPARQL query:\nSELECT";
    let label = "<http://www.w3.org/2000/01/rdf-schema#label>";
    let server =
        SparqlServer::start(&case.files, Manners { refused: Some((label, words)), ..Manners::default() });
    let server = server.await;
    let setup = case.of_endpoint(&server.url(), "");
    let summary =
        startup::build_index(&setup.settings, &setup.settings.datasets[0], &NoProgress).await.unwrap();
    assert!(
        summary.notes.iter().any(|note| note.contains("rdf-schema#label: a sample of 0")),
        "{:?}",
        summary.notes
    );
    let service = setup.open(Arc::new(ScriptedModel::new(Vec::<ScriptedTurn>::new()))).await;
    let degraded = service.degraded();
    assert!(
        degraded.iter().any(|note| note.contains("is incomplete") && note.contains("rdf-schema#label")),
        "{degraded:?}"
    );
}

#[tokio::test]
async fn credentials_and_headers_are_sent_when_indexing_and_asking() {
    let case = demo();
    let basic = ("authorization", "Basic dXNlcjpwYXNz");
    let bearer = ("authorization", "Bearer token");
    for (wants, keys) in [
        (basic, "user = \"user\"\npassword = \"pass\""),
        (bearer, "bearer_token = \"token\""),
        (("x-key", "secret"), "headers = { \"X-Key\" = \"secret\" }"),
    ] {
        let server =
            SparqlServer::start(&case.files, Manners { wants: Some(wants), ..Manners::default() }).await;
        let setup = case.of_endpoint(&server.url(), keys);
        setup.index().await;
        assert_answers(&case, &setup).await;
        let stranger = case.of_endpoint(&server.url(), "");
        let error =
            startup::build_index(&stranger.settings, &stranger.settings.datasets[0], &NoProgress).await;
        let said = error.unwrap_err().to_string();
        assert!(said.contains("access denied, check the credentials"), "{said}");
    }
}

/// The program, killed at the latest when a test ends.
struct Running(Child);

impl Drop for Running {
    fn drop(&mut self) {
        let _ended = self.0.kill();
        let _waited = self.0.wait();
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_killed_download_goes_on_where_it_was() {
    let case = demo();
    let server =
        SparqlServer::start(&case.files, Manners { max_rows: Some(200), ..Manners::default() }).await;
    let folder = tempfile::tempdir().unwrap();
    let toml = case.endpoint(&server.url(), "index = \"it\"");
    std::fs::write(folder.path().join("eruca.toml"), toml).unwrap();
    let arguments = ["index", "--dataset", "it"];
    let mut before = Vec::new();
    for requests in [5, 4, 6] {
        server.hang_after(Some(requests));
        let mut command = eruca(folder.path());
        let child = command.args(arguments).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
        let mut child = Running(child);
        within("the endpoint hangs", async {
            while !server.hangs() {
                assert!(child.0.try_wait().unwrap().is_none(), "it ended before it was killed");
                tokio::time::sleep(Duration::from_millis(5)).await;
            }
        })
        .await;
        child.0.kill().unwrap();
        wait(&mut child.0);
        let mut asked = server.asked();
        // The last one was never answered.
        asked.pop();
        before.extend(asked);
    }
    assert!(!folder.path().join("it/current").exists());
    server.hang_after(None);
    let output = run(folder.path(), &arguments);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    assert!(stderr(&output).contains("in an earlier run"), "{}", stderr(&output));
    let again: Vec<String> = server.asked().into_iter().filter(|query| before.contains(query)).collect();
    assert!(again.is_empty(), "asked twice: {again:?}");
    assert!(!folder.path().join("it/download").exists(), "what is built is no longer kept");
    let index = folder.path().join("it");
    let options = OpenOptions { folder: &index, embedder: None, qdrant: None, build_command: "eruca" };
    let index = DatasetIndex::open(options).await.unwrap();
    assert_same(&case, &index, &case.of_files().index().await).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn an_endpoint_named_on_the_command_line_is_indexed_and_can_be_served() {
    let case = demo();
    let server = SparqlServer::start(&case.files, Manners::default()).await;
    let folder = tempfile::tempdir().unwrap();
    let output = run(folder.path(), &["index", "--endpoint", &server.url()]);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    let said = stdout(&output);
    assert!(said.contains("dataset     127.0.0.1\n") && said.contains("eruca serve"), "{said}");
    let toml = &said[said.find("[[datasets]]").unwrap()..];
    std::fs::write(folder.path().join("eruca.toml"), toml).unwrap();
    let (question, expected) = case.planned;
    let answered = run(folder.path(), &["ask", "--show-results", question]);
    assert!(stdout(&answered).contains(expected[0]), "{} {}", stdout(&answered), stderr(&answered));

    let mistyped = run(folder.path(), &["index", "--endpoint", "example.org/sparql"]);
    assert!(
        stderr(&mistyped).contains("--endpoint") && stderr(&mistyped).contains("http"),
        "{}",
        stderr(&mistyped)
    );
    let both = run(folder.path(), &["index", "--endpoint", &server.url(), "graph.ttl"]);
    assert_eq!(both.status.code(), Some(2), "{}", stderr(&both));
}
