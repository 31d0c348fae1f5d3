//! Indexes built from an endpoint alone: the same as from its files, in spite of caps, limits, failures and kills.

use super::case::{assert_answers, assert_same, case, demo};
use eruca::llm::{ScriptedModel, ScriptedTurn};
use eruca::startup;
use eruca_indexer::{BuiltFrom, DatasetIndex, NoProgress, OpenOptions};
use eruca_testing::programs::{Running, output, program_in, stderr, stdout, wait, within};
use eruca_testing::sparql_server::{Manners, SparqlServer};
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::time::Duration;

fn eruca(folder: &Path) -> Command {
    program_in(env!("CARGO_BIN_EXE_eruca-tested"), folder)
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
    let built = output(eruca(folder.path()).args(arguments));
    assert_eq!(built.status.code(), Some(0), "{}", stderr(&built));
    assert!(stderr(&built).contains("in an earlier run"), "{}", stderr(&built));
    let again: Vec<String> = server.asked().into_iter().filter(|query| before.contains(query)).collect();
    assert!(again.is_empty(), "asked twice: {again:?}");
    assert!(!folder.path().join("it/download").exists(), "what is built is no longer kept");
    let index = folder.path().join("it");
    let options = OpenOptions {
        folder: &index,
        embedder: None,
        schema_in: None,
        names_in: None,
        build_command: "eruca",
    };
    let index = DatasetIndex::open(options).await.unwrap();
    assert_same(&case, &index, &case.of_files().index().await).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn an_endpoint_named_on_the_command_line_is_indexed_and_can_be_served() {
    let case = demo();
    let server = SparqlServer::start(&case.files, Manners::default()).await;
    let folder = tempfile::tempdir().unwrap();
    let built = output(eruca(folder.path()).args(["index", "--endpoint", &server.url()]));
    assert_eq!(built.status.code(), Some(0), "{}", stderr(&built));
    let said = stdout(&built);
    assert!(said.contains("dataset     127.0.0.1\n") && said.contains("eruca serve"), "{said}");
    let toml = &said[said.find("[[datasets]]").unwrap()..];
    std::fs::write(folder.path().join("eruca.toml"), toml).unwrap();
    let (question, expected) = case.planned;
    let answered = output(eruca(folder.path()).args(["ask", "--show-results", question]));
    assert!(stdout(&answered).contains(expected[0]), "{} {}", stdout(&answered), stderr(&answered));

    let mistyped = output(eruca(folder.path()).args(["index", "--endpoint", "example.org/sparql"]));
    assert!(
        stderr(&mistyped).contains("--endpoint") && stderr(&mistyped).contains("http"),
        "{}",
        stderr(&mistyped)
    );
    let both = output(eruca(folder.path()).args(["index", "--endpoint", &server.url(), "graph.ttl"]));
    assert_eq!(both.status.code(), Some(2), "{}", stderr(&both));
}
