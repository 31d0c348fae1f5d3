//! Faults of the machine under a build, and of the schema index under a question; docs/evidence/reliability.md lists them with
//! those that are tested elsewhere.

use crate::cli::{eruca, run};
use async_trait::async_trait;
use eruca::llm::{ChatModel, ScriptedModel, ScriptedTurn};
use eruca::service::Caches;
use eruca::service::{Answered, Question, Service};
use eruca::trace::{AnsweredBy, Silent, StepKind};
use eruca_api::PartHealth;
use eruca_dataset::{Dataset, DatasetNames, QueryRules};
use eruca_indexer::{
    DatasetIndex, LegHit, NoProgress, OpenOptions, QdrantFailure, SchemaIndex, SchemaIndexError, SchemaKind,
    SchemaSearch, read_quads,
};
use eruca_sparql::{EmbeddedStore, Limits, QueryPolicy};
use eruca_testing::helpers::repository;
use eruca_testing::programs::{Watch, output, stderr};
use eruca_testing::scripted::{Setup, answers, rows};
use serde_json::json;
use std::fs;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::time::Duration;
use tempfile::TempDir;

/// A folder with a configured dataset `it`, whose file is the demo graph.
fn workshop() -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    let toml = "[[datasets]]\nid = \"it\"\nfiles = [\"graph.ttl\"]\nindex = \"it\"\n";
    fs::write(folder.path().join("eruca.toml"), toml).unwrap();
    fs::copy(repository().join("examples/world.ttl"), folder.path().join("graph.ttl")).unwrap();
    folder
}

const BUILD: [&str; 3] = ["index", "--dataset", "it"];

async fn open(folder: &Path) -> DatasetIndex {
    let index = folder.join("it");
    let options = OpenOptions {
        folder: &index,
        embedder: None,
        schema_in: None,
        names_in: None,
        build_command: "eruca index",
    };
    DatasetIndex::open(options).await.unwrap()
}

/// Version folders, finished or not.
fn versions(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder.join("it")).unwrap().map(|entry| entry.unwrap().path());
    entries.filter(|path| path.file_name().unwrap().to_string_lossy().starts_with("v-")).collect()
}

/// Starts a build and kills it when it has said its n-th line; whether it came so far.
fn killed_at(folder: &Path, line: usize) -> bool {
    let mut command = eruca(folder);
    let mut child = command.args(BUILD).stdout(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap();
    let mut said = BufReader::new(child.stderr.take().unwrap()).lines();
    let watch = Watch::over(&child);
    let reached = said.nth(line).is_some();
    // SIGKILL; it fails when the program has ended by itself.
    let _killed = child.kill();
    child.wait().unwrap();
    watch.ends("a build");
    reached
}

#[tokio::test]
async fn a_build_killed_at_any_moment_leaves_the_old_index_and_is_cleaned_up() {
    let folder = workshop();
    assert!(run(folder.path(), &BUILD).status.success());
    let before = open(folder.path()).await.manifest.clone();
    let graph = folder.path().join("graph.ttl");
    let more = "\n<http://e.x/new> <http://www.w3.org/2000/01/rdf-schema#label> \"new\" .\n";
    fs::write(&graph, fs::read_to_string(&graph).unwrap() + more).unwrap();
    let mut moments = 0;
    while killed_at(folder.path(), moments) {
        let now = open(folder.path()).await.manifest;
        // The last line is told when all but the publishing is done, which may win the race.
        assert!(now.entities == before.entities || now.entities == before.entities + 1, "line {moments}");
        assert!(versions(folder.path()).len() <= 2, "what was left is removed by the next build");
        moments += 1;
    }
    assert!(moments >= 8, "every stage tells its beginning and end: {moments}");
    assert!(run(folder.path(), &BUILD).status.success());
    assert_eq!(versions(folder.path()).len(), 1);
    assert_eq!(open(folder.path()).await.manifest.entities, before.entities + 1);
}

#[tokio::test]
async fn a_full_disk_ends_a_build_with_its_place_and_leaves_the_old_index() {
    let folder = workshop();
    assert!(run(folder.path(), &BUILD).status.success());
    let before = versions(folder.path());
    // Files cannot grow beyond some blocks, as on a disk that is full; without the trap the system would kill.
    for blocks in [0, 2, 16, 64] {
        let limited = format!("trap '' XFSZ; ulimit -f {blocks}; exec \"$@\"");
        let mut command = Command::new("sh");
        command.current_dir(folder.path()).env_clear();
        let program = [env!("CARGO_BIN_EXE_eruca")];
        let output = output(command.args(["-c", &limited, "sh"]).args(program).args(BUILD));
        let said = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(1), "{blocks}: {said}");
        assert!(said.contains("'it'") && said.contains("cannot be written"), "{blocks}: {said}");
        assert_eq!(versions(folder.path()), before, "{blocks}");
        open(folder.path()).await;
    }
}

#[tokio::test]
async fn a_corrupt_file_of_an_index_names_the_command() {
    let folder = workshop();
    assert!(run(folder.path(), &BUILD).status.success());
    let version = versions(folder.path()).remove(0);
    for part in
        ["entities/meta.json", "values/meta.json", "schema/terms/meta.json", "card.json", "manifest.json"]
    {
        let file = version.join(part);
        let good = fs::read(&file).unwrap();
        for bad in [&good[..good.len() / 2], b"", b"\xff\xfe\x00garbage"] {
            fs::write(&file, bad).unwrap();
            let output = run(folder.path(), &["ask", "What is the capital of Japan?"]);
            let said = stderr(&output);
            assert_eq!(output.status.code(), Some(1), "{part}: {said}");
            assert!(said.contains("eruca index --dataset 'it'"), "{part}: {said}");
        }
        fs::write(&file, good).unwrap();
    }
    // 3: an answer that deserves no trust, as the graph knows no Japan; an error would be 1.
    let answered = run(folder.path(), &["ask", "What is the capital of Japan?"]);
    assert!(matches!(answered.status.code(), Some(0 | 3)), "{}", stderr(&answered));
}

/// Files below a folder, but for hidden ones.
fn files(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let seen = entries.filter(|path| !path.file_name().unwrap().to_string_lossy().starts_with('.'));
    seen.flat_map(|path| if path.is_dir() { files(&path) } else { vec![path] }).collect()
}

#[tokio::test]
async fn any_file_of_an_index_that_is_cut_or_gone_is_found_when_it_is_opened() {
    let folder = workshop();
    assert!(run(folder.path(), &BUILD).status.success());
    let parts = files(&versions(folder.path()).remove(0));
    assert!(parts.len() > 20, "{parts:?}");
    let index = folder.path().join("it");
    for part in parts {
        let good = fs::read(&part).unwrap();
        for bytes in [Some(good.len() / 2), Some(good.len() - 1), None] {
            match bytes {
                Some(bytes) => fs::write(&part, &good[..bytes]).unwrap(),
                None => fs::remove_file(&part).unwrap(),
            }
            let options = OpenOptions {
                folder: &index,
                embedder: None,
                schema_in: None,
                names_in: None,
                build_command: "eruca index",
            };
            let said = DatasetIndex::open(options).await.err().unwrap().to_string();
            let name = part.file_name().unwrap().to_string_lossy();
            let manifest = name == "manifest.json";
            assert!(said.contains(&*name) || manifest, "{name} {bytes:?}: {said}");
            assert!(said.contains("eruca index"), "{name} {bytes:?}: {said}");
        }
        fs::write(&part, good).unwrap();
    }
    open(folder.path()).await;
}

/// A schema index on a server that has gone down.
struct Gone;

#[async_trait]
impl SchemaIndex for Gone {
    async fn lexical(&self, _: SchemaKind, _: &str, _: usize) -> Result<Vec<LegHit>, SchemaIndexError> {
        let reason = "it cannot be reached: Connection refused".to_owned();
        Err(QdrantFailure { url: "http://qdrant:6334".to_owned(), reason }.into())
    }

    async fn dense(
        &self,
        kind: SchemaKind,
        _: &[f32],
        limit: usize,
    ) -> Result<Vec<LegHit>, SchemaIndexError> {
        self.lexical(kind, "", limit).await
    }

    fn has_vectors(&self) -> bool {
        false
    }

    async fn check(&self) -> Result<(), SchemaIndexError> {
        self.lexical(SchemaKind::Class, "", 1).await.map(|_| ())
    }
}

/// Asks the demo graph, whose schema index is gone, with a model that says these turns.
async fn ask_without_schema(question: &str, turns: Vec<ScriptedTurn>) -> Answered {
    let question = Question { dataset: "demo".to_owned(), text: question.to_owned() };
    let service = service_without_schema(turns).await;
    Arc::unwrap_or_clone(service.answer(&question, &Silent).await.unwrap())
}

async fn service_without_schema(turns: Vec<ScriptedTurn>) -> Arc<Service> {
    let setup = Setup::demo();
    let mut index = setup.index().await;
    index.schema = SchemaSearch::new(Box::new(Gone), None, &index.card);
    let store = EmbeddedStore::in_memory().unwrap();
    let mut quads = Vec::new();
    let file = repository().join("examples/world.ttl");
    read_quads(&file, false, &NoProgress, &mut |quad| quads.push(quad)).unwrap();
    store.load_quads(quads.into_iter()).unwrap();
    let limits = Limits { timeout: Duration::from_secs(30), max_rows: 1_000, max_bytes: 1_000_000 };
    let rules = QueryRules { limits, policy: QueryPolicy::default() };
    let dataset = Dataset::new(DatasetNames::of("demo"), index, Arc::new(store), rules);
    let model: Arc<dyn ChatModel> = Arc::new(ScriptedModel::new(turns));
    let limits = eruca::startup::service_limits(&setup.settings);
    Arc::new(Service::new(vec![Arc::new(dataset)], Some(model), limits, Vec::new(), Caches::default()))
}

#[tokio::test]
async fn a_schema_index_that_fails_is_told_by_ready() {
    let readiness = service_without_schema(Vec::new()).await.readiness().await;
    assert!(readiness.ready, "questions are answered without it");
    let index = readiness.parts.iter().flatten().find(|part| part.part == "dataset demo: index").unwrap();
    assert_eq!(index.state, PartHealth::Degraded);
    assert!(index.detail.contains("found by their names alone"), "{}", index.detail);
}

#[tokio::test]
async fn a_schema_index_that_fails_costs_no_answer() {
    let capital = "SELECT ?c WHERE { demo:Japan geo:capital ?c }";
    let search = ScriptedTurn::call("search_property", json!({"query": "capital"}));
    let answered = ask_without_schema("What is the capital of Japan?", vec![search, answers(capital)]).await;
    assert_eq!((answered.trace.answered_by, rows(&answered)), (AnsweredBy::Agent, vec!["Tokyo".to_owned()]));
    let told = answered.trace.steps.iter().any(|step| {
        matches!(&step.kind, StepKind::Tool { observation, .. } if observation.contains("not available now"))
    });
    assert!(told, "the model hears that the search failed");
    let planned = ask_without_schema("What is the capital of Japan?", Vec::new()).await;
    assert_eq!(planned.trace.answered_by, AnsweredBy::Planner);
    assert!(!planned.query.is_empty());
}
