//! `eruca index` of files that nobody has configured: whose index it is, how it is served, and where it may lie.

use eruca::config::Settings;
use eruca_testing::programs::{Running, is_installed, lines_until, output, skipped};
use std::fs;
use std::path::Path;
use std::process::{Command, Output, Stdio};
use tempfile::TempDir;

/// Two folders with a graph of the same name, of which one has a broken statement.
fn graphs() -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    for (name, rest) in [("a", "<http://e.x/a> broken .\n"), ("b", "")] {
        let label = "<http://www.w3.org/2000/01/rdf-schema#label>";
        fs::create_dir(folder.path().join(name)).unwrap();
        let text = format!("<http://e.x/{name}> {label} \"Name of {name}\" .\n{rest}");
        fs::write(folder.path().join(name).join("graph.ttl"), text).unwrap();
    }
    folder
}

fn eruca(folder: &Path, arguments: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_eruca"));
    output(command.current_dir(folder).env_clear().args(arguments))
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

#[test]
fn an_update_builds_only_what_has_changed() {
    let folder = graphs();
    let files = ["b/graph.ttl", "b/more.nt"];
    fs::write(folder.path().join(files[1]), "<http://e.x/c> <http://e.x/p> \"c\" .\n").unwrap();
    let update = || {
        let done = eruca(folder.path(), &[&["index", "--update", "--dataset", "graph"], &files[..]].concat());
        assert!(done.status.success(), "{}", text(&done.stderr));
        (text(&done.stdout), fs::read_to_string(folder.path().join("data/graph/current")).unwrap())
    };
    let (_, first) = update();
    let (said, second) = update();
    assert!(second == first && said.contains("unchanged   data/graph"), "{said}");
    fs::write(folder.path().join(files[1]), "<http://e.x/c> <http://e.x/p> \"other\" .\n").unwrap();
    let (said, third) = update();
    assert!(third != first && !said.contains("unchanged"), "{said}");
    fs::remove_file(folder.path().join(files[1])).unwrap();
    let gone = eruca(folder.path(), &["index", "--update", "--dataset", "graph", files[0], files[1]]);
    assert_eq!(gone.status.code(), Some(1), "a file that is not there is an error");
    assert!(eruca(folder.path(), &["index", "--update", "--dataset", "graph", files[0]]).status.success());
    assert_ne!(fs::read_to_string(folder.path().join("data/graph/current")).unwrap(), third);
}

#[test]
fn parts_are_refused_where_one_job_must_write_all() {
    let folder = graphs();
    let said = |settings: &str, arguments: &[&str]| {
        fs::write(folder.path().join("eruca.toml"), settings).unwrap();
        let done = eruca(folder.path(), &[&["index"], arguments].concat());
        assert!(!done.status.success(), "{}", text(&done.stdout));
        text(&done.stderr)
    };
    let own = "[[datasets]]\nid = \"own\"\nfiles = [\"b/graph.ttl\"]\n";
    let server = "[schema_index]\nbackend = \"qdrant\"\n[entity_index]\nbackend = \"qdrant\"\n";
    let beside = format!("{own}endpoint = \"http://127.0.0.1:9/sparql\"\n");
    for arguments in [&["--part", "1/2"][..], &["--merge"]] {
        let error = said(&beside, arguments);
        assert!(error.contains("[entity_index] backend = \"qdrant\""), "{error}");
        let error = said(&format!("{server}{own}"), arguments);
        assert!(error.contains("configure the endpoint"), "{error}");
    }
    let error = said(&format!("{server}{beside}"), &["--merge"]);
    assert!(error.contains("there are no parts in"), "{error}");
    let error = said(&format!("{server}{beside}"), &["--part", "3/2"]);
    assert!(error.contains("I/N, such as 2/4"), "{error}");
    let error = said(&format!("{server}{beside}"), &["--part", "1/2", "--update"]);
    assert!(error.contains("cannot be used with"), "{error}");
}

#[test]
fn an_index_is_not_replaced_by_that_of_another_graph_of_its_name() {
    let folder = graphs();
    let index = |arguments: &[&str]| eruca(folder.path(), &[&["index"], arguments].concat());
    assert!(index(&["b/graph.ttl"]).status.success());
    let refused = index(&["--skip-errors", "a/graph.ttl"]);
    assert_eq!(refused.status.code(), Some(1));
    let said = text(&refused.stderr);
    assert!(said.contains("b/graph.ttl") && said.contains("--dataset") && said.contains("--out"), "{said}");
    let current = || fs::read_to_string(folder.path().join("data/graph/current")).unwrap();
    let first = current();
    // The same file when it has changed, or with one more beside it, is the same graph.
    fs::write(folder.path().join("b/more.nt"), "<http://e.x/c> <http://e.x/p> \"c\" .\n").unwrap();
    assert!(index(&["b/graph.ttl", "b/more.nt"]).status.success());
    assert_ne!(current(), first);
    // A build that fails replaces nothing, and does not say so.
    let kept = current();
    let failed = index(&["--dataset", "graph", "a/graph.ttl"]);
    assert_eq!(failed.status.code(), Some(1), "{}", text(&failed.stderr));
    assert!(!text(&failed.stdout).contains("replaces"), "{}", text(&failed.stdout));
    assert_eq!(current(), kept);
    // Who names it means it, and is told.
    let named = index(&["--skip-errors", "--dataset", "graph", "a/graph.ttl"]);
    assert!(named.status.success(), "{}", text(&named.stderr));
    let told = text(&named.stdout);
    assert!(told.lines().any(|line| line.starts_with("replaces") && line.contains("b/graph.ttl")), "{told}");
    assert!(index(&["--out", "data/other", "b/graph.ttl"]).status.success());
}

#[test]
fn the_lines_that_serve_an_index_skip_what_was_skipped() {
    let folder = graphs();
    let indexed = eruca(folder.path(), &["index", "--skip-errors", "a/graph.ttl"]);
    let told = text(&indexed.stdout);
    let (_, lines) = told.split_once("[[datasets]]").unwrap();
    let file = folder.path().join("eruca.toml");
    fs::write(&file, format!("[[datasets]]{lines}")).unwrap();
    let settings = Settings::load_from(Some(&file), folder.path(), &[]).unwrap();
    assert!(settings.index.skip_errors, "{told}");
    let asked = eruca(folder.path(), &["ask", "graph", "Name of a"]);
    assert!(!text(&asked.stderr).contains("broken is not"), "{}", text(&asked.stderr));
    // What stands in the configuration already must not stand there twice.
    let again = eruca(folder.path(), &["index", "--skip-errors", "--dataset", "other", "a/graph.ttl"]);
    assert!(!text(&again.stdout).contains("skip_errors"), "{}", text(&again.stdout));
}

#[test]
fn an_index_that_left_errors_out_is_opened_by_its_folder() {
    let folder = graphs();
    assert!(eruca(folder.path(), &["index", "--skip-errors", "a/graph.ttl"]).status.success());
    let found = eruca(folder.path(), &["search", "--index", "data/graph", "Name"]);
    assert!(text(&found.stdout).contains("Name of a"), "{}", text(&found.stderr));
}

/// Where the system lets this process mount nothing, the unit test of the index alone tells of it.
#[test]
#[cfg(target_os = "linux")]
fn an_index_on_a_file_system_for_reading_alone_is_used() {
    let folder = graphs();
    assert!(eruca(folder.path(), &["index", "b/graph.ttl"]).status.success());
    let script = "mount --bind data data && mount -o remount,bind,ro data || exit 99; cd . ; cd \"$1\"; \
        touch data/x 2>/dev/null && exit 99; exec \"$0\" search --index data/graph Name";
    let mut mounted = Command::new("unshare");
    mounted.args(["--mount", "sh", "-c", script, env!("CARGO_BIN_EXE_eruca")]).arg(folder.path());
    let why = "nothing can be mounted here";
    if !is_installed("unshare", "--version") {
        return skipped(why);
    }
    let found = output(mounted.current_dir(folder.path()));
    if found.status.code() == Some(99) || text(&found.stderr).starts_with("unshare:") {
        return skipped(why);
    }
    assert!(found.status.success(), "{}", text(&found.stderr));
    assert!(text(&found.stdout).contains("Name of b"), "{}", text(&found.stdout));
}

#[test]
fn ask_and_serve_leave_broken_statements_out_and_tell_it_with_each_answer() {
    let folder = graphs();
    let question = "What is the label of Name of a?";
    let missing = "1 statement of a/graph.ttl could not be read and is missing";
    let in_home = |arguments: &[&str]| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_eruca"));
        output(command.current_dir(folder.path()).env_clear().env("HOME", folder.path()).args(arguments))
    };
    let strict = in_home(&["ask", "a/graph.ttl", question]);
    assert_eq!(strict.status.code(), Some(1));
    assert!(text(&strict.stderr).contains("--skip-errors"), "{}", text(&strict.stderr));
    let told = in_home(&["ask", "--skip-errors", "--answer", "a/graph.ttl", question]);
    assert!(text(&told.stdout).contains(&format!("note: {missing}")), "{}", text(&told.stdout));
    let json = in_home(&["ask", "--skip-errors", "--json", "a/graph.ttl", question]);
    let run: serde_json::Value = serde_json::from_slice(&json.stdout).unwrap();
    assert_eq!(run["missing"], serde_json::json!([missing]), "{run}");
    let query = in_home(&["ask", "--skip-errors", "a/graph.ttl", question]);
    assert!(text(&query.stderr).contains(missing), "beside the query: {}", text(&query.stderr));
    // Files without faults say nothing of the kind.
    let whole = in_home(&["ask", "--skip-errors", "--answer", "b/graph.ttl", "What is Name of b?"]);
    assert!(!text(&whole.stdout).contains("note:"), "{}", text(&whole.stdout));
    let mut serve = Command::new(env!("CARGO_BIN_EXE_eruca"));
    serve.args(["serve", "--port", "0", "--skip-errors", "a/graph.ttl"]).stdout(Stdio::piped());
    serve.current_dir(folder.path()).env_clear().env("HOME", folder.path()).stderr(Stdio::null());
    let mut running = Running(serve.spawn().unwrap());
    let greeting = lines_until(&mut running.0, |line| line.trim_start().starts_with("try:"));
    assert!(greeting.contains(missing), "{greeting}");
}

#[test]
fn what_is_all_broken_is_not_only_called_empty() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("graph.nt"), "<http://e.x/a> broken .\n").unwrap();
    let refused = eruca(folder.path(), &["index", "--skip-errors", "graph.nt"]);
    assert_eq!(refused.status.code(), Some(1));
    let said = text(&refused.stderr);
    assert!(said.contains("the files hold no triple") && said.contains("graph.nt:1:"), "{said}");
}
