//! The program as its users start it.

use eruca_testing::helpers::{CITIES, QUESTION, cities, data, folder, install_tls};
use eruca_testing::programs::{Running, lines_until, output, program_in, stderr, stdout, wait};
use serde_json::Value;
use std::path::Path;
use std::process::{Command, Output, Stdio};

/// The program in `folder`, with nothing in its environment.
pub(crate) fn eruca(folder: &Path) -> Command {
    program_in(env!("CARGO_BIN_EXE_eruca"), folder)
}

/// What comes of it with these arguments.
pub(crate) fn run(folder: &Path, arguments: &[&str]) -> Output {
    output(eruca(folder).args(arguments))
}

/// The program serving on a free port, and what it said by the time it listened.
pub(crate) fn serve(folder: &Path) -> (Running, String) {
    serve_with(folder, &[])
}

/// The same with further arguments, and with caches in the folder.
pub(crate) fn serve_with(folder: &Path, arguments: &[&str]) -> (Running, String) {
    let mut command = eruca(folder);
    command.args(["serve", "--port", "0"]).args(arguments).env("XDG_CACHE_HOME", folder.join("cache"));
    command.stdout(Stdio::piped()).stderr(Stdio::null());
    let mut child = Running(command.spawn().unwrap());
    let said = lines_until(&mut child.0, |line| line.trim_start().starts_with("try:"));
    (child, said)
}

#[tokio::test]
async fn serve_says_where_and_what_and_stops_when_asked() {
    install_tls();
    for signal in ["-TERM", "-INT"] {
        let folder = folder();
        let (mut child, said) = serve(folder.path());
        assert!(said.contains(CITIES) && said.contains("degraded: "), "{said}");
        let (_, url) = said.lines().find_map(|line| line.split_once("curl '")).unwrap();
        let response = reqwest::get(url.trim_end_matches('\'')).await.unwrap();
        assert_eq!(response.status(), 200, "{said}");
        let stopped = Command::new("kill").args([signal, &child.0.id().to_string()]).status().unwrap();
        assert!(stopped.success());
        assert!(wait(&mut child.0).success(), "{signal}");
    }
}

/// What `eruca health` exits with and says of the service at this port.
fn health(folder: &Path, port: &str, more: &[&str]) -> (Option<i32>, String) {
    let output = run(folder, &[&["health", "--port", port], more].concat());
    (output.status.code(), format!("{}{}", stdout(&output), stderr(&output)))
}

#[test]
fn health_tells_whether_the_service_lives_and_is_ready() {
    let folder = folder();
    let (child, said) = serve(folder.path());
    let (_, after) = said.split_once("listens on http://127.0.0.1:").unwrap();
    let port = after.lines().next().unwrap();
    let (code, said) = health(folder.path(), port, &[]);
    assert!(code == Some(0) && said.contains("\"status\":\"ok\""), "{said}");
    let (code, said) = health(folder.path(), port, &["--ready"]);
    assert!(code == Some(0) && said.contains("\"ready\":true"), "{said}");
    drop(child);
    let (code, said) = health(folder.path(), port, &[]);
    assert!(
        code == Some(1) && said.contains(&format!("no service answers at http://127.0.0.1:{port}/health")),
        "{said}"
    );
}

#[test]
fn serve_tells_a_taken_port_at_once() {
    let taken = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let port = taken.local_addr().unwrap().port().to_string();
    let output = run(folder().path(), &["serve", "--port", &port]);
    assert_eq!(output.status.code(), Some(1));
    let said = stderr(&output);
    assert!(
        said.contains(&format!("cannot listen on 127.0.0.1:{port}")) && said.contains("--port"),
        "{said}"
    );
}

#[test]
fn ask_prints_the_query_on_stdout_and_the_steps_on_stderr() {
    let output = run(folder().path(), &["ask", QUESTION]);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    let query = stdout(&output);
    assert!(query.contains('{') && !query.contains("answered by"), "{query}");
    assert!(stderr(&output).contains("answered by the planner"), "{}", stderr(&output));
    assert!(!stderr(&output).contains('\u{1b}'), "no colours where there is no terminal");
}

#[test]
fn ask_shows_results_as_a_table_or_everything_as_json() {
    let folder = folder();
    let table = run(folder.path(), &["ask", "--show-results", QUESTION]);
    assert!(stdout(&table).contains("cities/Paris (Paris)"), "the name beside the IRI: {}", stdout(&table));
    assert!(stderr(&table).contains("cities/France (France)"), "in the steps, too: {}", stderr(&table));
    let output = run(folder.path(), &["ask", "--json", "--dataset", "cities", QUESTION]);
    let answer: Value = serde_json::from_str(&stdout(&output)).unwrap();
    assert_eq!(answer["dataset"], CITIES);
    assert_eq!(answer["question"], QUESTION);
    assert!(
        stdout(&table).contains(answer["query"].as_str().unwrap().trim_end()),
        "the same query both times"
    );
    assert_eq!(answer["trace"]["dataset_id"], CITIES);
    assert_eq!((&answer["rows"]["rows"][0][0]["label"], &answer["trusted"]), (&"Paris".into(), &true.into()));
}

#[test]
fn all_rows_come_alone_in_the_formats_of_programs() {
    let folder = tempfile::tempdir().unwrap();
    let cities = "Which cities are there?";
    let csv = run(folder.path(), &["ask", "--results", "csv", "--labels", cities]);
    assert_eq!(csv.status.code(), Some(0), "{}", stderr(&csv));
    let (csv, said) = (stdout(&csv), stderr(&csv));
    let header = csv.lines().next().unwrap();
    let (column, label) = header.split_once(',').unwrap();
    assert_eq!(label, format!("{column}Label"));
    assert!(csv.contains("resource/Paris,Paris\r\n"), "{csv}");
    assert!(csv.lines().count() > 101, "all rows, not the first: {}", csv.lines().count());
    assert!(said.contains("SELECT"), "the query is told beside: {said}");

    let plain = stdout(&run(folder.path(), &["ask", "--results", "csv", cities]));
    let alone: String = csv.lines().map(|line| format!("{}\r\n", line.split(',').next().unwrap())).collect();
    assert_eq!(plain, alone, "names change nothing else");
    let tsv = stdout(&run(folder.path(), &["ask", "--results", "tsv", cities]));
    assert_eq!(tsv.lines().count(), plain.lines().count());
    let json = stdout(&run(folder.path(), &["ask", "--results", "json", cities]));
    let json: Value = serde_json::from_str(&json).unwrap();
    assert_eq!(json["results"]["bindings"].as_array().unwrap().len() + 1, plain.lines().count());
}

#[test]
fn ask_wants_to_know_which_dataset() {
    let folder = folder();
    let unknown = run(folder.path(), &["ask", "--dataset", "nowhere", QUESTION]);
    assert_eq!(unknown.status.code(), Some(1));
    assert!(stderr(&unknown).contains(CITIES), "{}", stderr(&unknown));

    let file = Value::from(data("cities.ttl")).to_string();
    let two = format!("{}\n[[datasets]]\nid = \"other\"\nfiles = [{file}]\n", cities());
    std::fs::write(folder.path().join("eruca.toml"), two).unwrap();
    let unnamed = run(folder.path(), &["ask", QUESTION]);
    assert_eq!(unnamed.status.code(), Some(1));
    let said = stderr(&unnamed);
    assert!(said.contains("--dataset") && said.contains(CITIES) && said.contains("other"), "{said}");
}

#[test]
fn index_builds_configured_datasets_and_sums_up() {
    let folder = folder();
    let output = run(folder.path(), &["index", "--dataset", "cities"]);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    for line in ["dataset", "triples", "entities", "values", "classes", "properties", "languages", "seconds"]
    {
        assert!(stdout(&output).lines().any(|found| found.starts_with(line)), "{line}: {}", stdout(&output));
    }
    assert!(std::fs::read_dir(folder.path().join("index")).unwrap().count() > 0);
}

#[test]
fn index_takes_files_and_says_how_to_serve_them() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::copy(data("cities.ttl"), folder.path().join("my.ttl")).unwrap();
    let built = run(folder.path(), &["index", "--dataset", "mine", "--out", "here/mine", "my.ttl"]);
    assert_eq!(built.status.code(), Some(0), "{}", stderr(&built));
    assert!(folder.path().join("here/mine").is_dir());
    let (_, configuration) =
        stdout(&built).split_once("[[datasets]]").map(|(a, b)| (a.to_owned(), b.to_owned())).unwrap();
    std::fs::write(folder.path().join("eruca.toml"), format!("[[datasets]]{configuration}")).unwrap();
    let asked = run(folder.path(), &["ask", "--dataset", "mine", QUESTION]);
    assert_eq!(asked.status.code(), Some(0), "{}", stderr(&asked));
}

#[test]
fn index_ends_at_a_broken_statement_unless_told_to_skip_it() {
    let folder = tempfile::tempdir().unwrap();
    let good = "<http://e.x/a> <http://www.w3.org/2000/01/rdf-schema#label> \"a\" .\n";
    std::fs::write(folder.path().join("my.nt"), format!("{good}<http://e.x/a> broken .\n{good}")).unwrap();
    let strict = run(folder.path(), &["index", "my.nt"]);
    assert_eq!(strict.status.code(), Some(1));
    let said = stderr(&strict);
    assert!(said.contains("my.nt") && said.contains('2'), "file and line: {said}");
    let lenient = run(folder.path(), &["index", "--skip-errors", "my.nt"]);
    assert_eq!(lenient.status.code(), Some(0), "{}", stderr(&lenient));
    assert!(stdout(&lenient).contains("1 broken statement left out"), "{}", stdout(&lenient));
}

#[test]
fn wrong_arguments_are_exit_code_2() {
    let folder = folder();
    let wrong: [&[&str]; 18] = [
        &[],
        &["nonsense"],
        &["ask"],
        &["ask", ""],
        &["index", "--out", "x"],
        &["ask", "--json", "--show-results", "q"],
        &["ask", "-i", "--json"],
        &["ask", "-i", "-"],
        &["ask", "--stdin", "cities", "q"],
        &["ask", "-i", "cities", "q"],
        &["search"],
        &["ask", "-i", "--dataset", "cities", "cities"],
        &["completions", "nonsense"],
        &["man", "--out", "x", "ask"],
        &["ask", "--results", "csv", "-"],
        &["ask", "--results", "csv", "--json", "q"],
        &["ask", "--labels", "q"],
        &["search", "--kind", "nonsense", "q"],
    ];
    for arguments in wrong {
        let output = run(folder.path(), arguments);
        assert_eq!(output.status.code(), Some(2), "{arguments:?}: {}", stderr(&output));
    }
}

#[test]
fn a_wrong_configuration_is_told_with_file_line_and_remedy() {
    let folder = folder();
    std::fs::write(folder.path().join("eruca.toml"), "[server]\nprot = 1\n").unwrap();
    let output = run(folder.path(), &["serve"]);
    assert_eq!(output.status.code(), Some(1));
    let said = stderr(&output);
    assert!(said.contains("eruca.toml line 2") && said.contains("did you mean 'port'"), "{said}");
    let missing = run(folder.path(), &["serve", "--config", "nowhere.toml"]);
    assert!(stderr(&missing).contains("nowhere.toml"), "{}", stderr(&missing));
}

#[test]
fn every_command_has_examples_in_its_help() {
    let folder = folder();
    for command in [
        "serve",
        "ask",
        "search",
        "init",
        "check",
        "index",
        "examples",
        "learn",
        "eval",
        "openapi",
        "completions",
        "man",
    ] {
        let output = run(folder.path(), &[command, "--help"]);
        assert_eq!(output.status.code(), Some(0));
        assert!(stdout(&output).contains(&format!("Examples:\n  eruca {command}")), "{}", stdout(&output));
    }
}

#[test]
fn openapi_prints_the_description_without_any_configuration() {
    let folder = folder();
    std::fs::write(folder.path().join("eruca.toml"), "not a configuration").unwrap();
    let output = run(folder.path(), &["openapi"]);
    assert_eq!(output.status.code(), Some(0));
    assert_eq!(stdout(&output), eruca::http::yaml().unwrap());
}

#[tokio::test]
async fn links_to_runs_of_a_named_file_survive_a_restart() {
    install_tls();
    let folder = folder();
    let url = |said: &str| {
        let line = said.lines().find_map(|line| line.trim().strip_prefix("page: ")).unwrap().to_owned();
        line.trim_end_matches('/').to_owned()
    };
    let graph = data("cities.ttl");
    let (mut first, said) = serve_with(folder.path(), &[&graph]);
    let asked = reqwest::Client::new()
        .post(format!("{}/ask", url(&said)))
        .json(&serde_json::json!({ "question": "What is the capital of France?" }));
    let run: Value = asked.send().await.unwrap().json().await.unwrap();
    let id = run["id"].as_str().unwrap().to_owned();
    let stopped = Command::new("kill").args(["-TERM", &first.0.id().to_string()]).status().unwrap();
    assert!(stopped.success() && wait(&mut first.0).success());
    let (_again, said) = serve_with(folder.path(), &[&graph]);
    let kept = reqwest::get(format!("{}/runs/{id}", url(&said))).await.unwrap();
    assert_eq!(kept.status(), 200);
    assert_eq!(kept.json::<Value>().await.unwrap()["question"], run["question"]);
}
