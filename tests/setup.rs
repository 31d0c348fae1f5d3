//! What comes before the first question: a configuration is written, and it is told whether it would work.

use crate::cli::{eruca, run};
use eruca_testing::helpers::{ClosedPort, QUESTION, data, folder};
use eruca_testing::programs::{stderr, stdout};
use std::path::Path;
use std::process::Output;

/// The configuration of two datasets, with these lines before them.
fn configured(folder: &Path, lines: &str, dataset: &str) {
    std::fs::copy(data("cities.ttl"), folder.join("my.ttl")).unwrap();
    let text = format!("{lines}\n[[datasets]]\nid = \"my\"\nfiles = [\"my.ttl\"]\n{dataset}");
    std::fs::write(folder.join("eruca.toml"), text).unwrap();
}

/// What is told of the parts whose names hold this text.
fn told(output: &Output, part: &str) -> Vec<String> {
    stdout(output).lines().filter(|line| line.contains(part)).map(str::to_owned).collect()
}

#[test]
fn init_writes_a_configuration_once_that_works() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::copy(data("cities.ttl"), folder.path().join("my.ttl")).unwrap();
    let shown = run(folder.path(), &["init", "--stdout", "my.ttl"]);
    assert_eq!(shown.status.code(), Some(0), "{}", stderr(&shown));
    assert!(!folder.path().join("eruca.toml").exists());
    let written = run(folder.path(), &["init", "my.ttl"]);
    assert_eq!(written.status.code(), Some(0), "{}", stderr(&written));
    assert!(stdout(&written).contains("eruca check"), "{}", stdout(&written));
    let text = || std::fs::read_to_string(folder.path().join("eruca.toml")).unwrap();
    assert_eq!(text(), stdout(&shown));
    let again = run(folder.path(), &["init", "--endpoint", "https://example.org/sparql"]);
    assert_eq!(again.status.code(), Some(1));
    assert!(stderr(&again).contains("'eruca.toml' is there already"), "{}", stderr(&again));
    assert_eq!(text(), stdout(&shown), "what was there stays");
    let asked = run(folder.path(), &["ask", "--dataset", "my", QUESTION]);
    assert_eq!(asked.status.code(), Some(0), "{}", stderr(&asked));
}

#[test]
fn init_names_no_files_that_are_not_there() {
    let folder = tempfile::tempdir().unwrap();
    for (arguments, code) in
        [(&["init", "nowhere.ttl"][..], 1), (&["init", "-"], 2), (&["init", "--dataset", "x"], 2)]
    {
        let output = run(folder.path(), arguments);
        assert_eq!(output.status.code(), Some(code), "{arguments:?}: {}", stderr(&output));
    }
    assert!(!folder.path().join("eruca.toml").exists());
}

#[test]
fn check_finds_nothing_wrong_and_leaves_nothing() {
    let folder = tempfile::tempdir().unwrap();
    configured(folder.path(), "[server]\nport = 0", "");
    let before = std::fs::read_dir(folder.path()).unwrap().count();
    let output = run(folder.path(), &["check"]);
    assert_eq!(output.status.code(), Some(0), "{}{}", stdout(&output), stderr(&output));
    for part in ["configuration", "address", "chat model", "embedding model", "dataset my: files"] {
        let lines = told(&output, part);
        assert!(lines.iter().any(|line| line.starts_with("ok ")), "{part}: {}", stdout(&output));
    }
    assert!(told(&output, "dataset my: index:")[0].starts_with("note "), "{}", stdout(&output));
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), before);
}

#[test]
fn check_tells_everything_that_would_not_work_at_once() {
    let folder = tempfile::tempdir().unwrap();
    let port = ClosedPort::take();
    let closed = format!("http://127.0.0.1:{}", port.number());
    let lines = format!(
        "[server]\nport = 0\n[llm]\nbase_url = \"{closed}/v1\"\nmodel = \"m\"\nretries = 0\n[embedding]\nprovider = \"openai\"\nbase_url = \"{closed}/v1\"\nmodel = \"m\"\n[runs]\nfolder = \"my.ttl/runs\""
    );
    let more = format!(
        "[[datasets]]\nid = \"gone\"\nfiles = [\"gone.ttl\"]\n[[datasets]]\nid = \"far\"\nendpoint = \"{closed}/sparql\"\n"
    );
    configured(folder.path(), &lines, &more);
    let output = run(folder.path(), &["check"]);
    assert_eq!(output.status.code(), Some(1));
    let failing =
        ["chat model", "embedding model", "[runs] folder", "gone: files", "far: endpoint", "far: index"];
    for part in failing {
        assert!(told(&output, part)[0].starts_with("fails "), "{part}: {}", stdout(&output));
    }
    assert!(told(&output, "my: files")[0].starts_with("ok "), "{}", stdout(&output));
    assert!(stderr(&output).contains(&format!("{} of ", failing.len())), "{}", stderr(&output));
}

#[test]
fn check_calls_a_port_that_is_taken_a_failure() {
    let folder = tempfile::tempdir().unwrap();
    let taken = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let port = taken.local_addr().unwrap().port();
    configured(folder.path(), &format!("[server]\nhost = \"127.0.0.1\"\nport = {port}"), "");
    let output = run(folder.path(), &["check"]);
    assert_eq!(output.status.code(), Some(1), "{}", stdout(&output));
    let line = told(&output, "address").concat();
    assert!(line.starts_with("fails ") && line.contains(&format!("127.0.0.1:{port} is taken")), "{line}");
    assert!(line.contains("stop what listens there") && line.contains("[server] host and port"), "{line}");
}

#[test]
fn check_tells_what_the_graph_does_not_know() {
    let folder = tempfile::tempdir().unwrap();
    let lines = "[server]\nport = 0\n[index]\nnaming_properties = [\"https://example.org/cities/capitol\"]";
    configured(folder.path(), lines, "languages = [\"en\", \"xx\"]\n");
    let early = run(folder.path(), &["check"]);
    assert!(told(&early, "naming_properties")[0].contains("before there is an index"), "{}", stdout(&early));
    let built = run(folder.path(), &["index"]);
    assert_eq!(built.status.code(), Some(0), "{}", stderr(&built));
    let output = run(folder.path(), &["check"]);
    assert_eq!(output.status.code(), Some(0), "it would work: {}", stdout(&output));
    let languages = told(&output, "dataset my: languages");
    assert_eq!(languages.len(), 1, "{languages:?}");
    assert!(languages[0].starts_with("note ") && languages[0].contains("'xx'"), "{languages:?}");
    let naming = told(&output, "naming_properties");
    assert!(naming[0].contains("did you mean 'https://example.org/cities/capital'?"), "{naming:?}");
}

#[test]
fn check_tells_where_the_datasets_are_from() {
    let folder = tempfile::tempdir().unwrap();
    let demo = eruca(folder.path()).arg("check").output().unwrap();
    assert!(told(&demo, "configuration")[0].contains("the demo graph is served"), "{}", stdout(&demo));
    let mut command = eruca(folder.path());
    command.env("ERUCA__DATASETS__0__ID", "far").env("ERUCA__DATASETS__0__FILES", "[\"gone.ttl\"]");
    let named = command.arg("check").output().unwrap();
    assert!(told(&named, "configuration")[0].contains("those of the environment"), "{}", stdout(&named));
}

#[test]
fn check_tells_a_wrong_configuration_as_a_line() {
    let folder = folder();
    std::fs::write(folder.path().join("eruca.toml"), "[server]\nprot = 1\n").unwrap();
    let output = eruca(folder.path()).arg("check").output().unwrap();
    assert_eq!(output.status.code(), Some(1));
    let line = told(&output, "configuration");
    assert!(line[0].starts_with("fails ") && line[0].contains("did you mean 'port'?"), "{line:?}");
}
