//! The programs of others with the real one: official clients that call it, and a small chat model and embedding models that
//! it calls. `.ci/clients` and `.ci/embeddings` install them, outside of the clone. Where they are missing, the tests say so
//! and pass.
#![cfg(test)]

mod embeddings;
mod mcp;
mod model;
mod openai;
#[cfg(unix)]
mod sparql_tests;

use eruca_testing::helpers::repository;
use eruca_testing::programs::{output, skipped};
use std::path::PathBuf;
use std::process::Command;

/// The folder that `.ci/clients` fills.
fn clients() -> PathBuf {
    let given = std::env::var_os("ERUCA_CLIENTS").filter(|folder| !folder.is_empty());
    let home = || PathBuf::from(std::env::var_os("HOME").unwrap_or_default()).join(".cache/eruca-clients");
    given.map_or_else(home, PathBuf::from)
}

/// The Python that has the official packages; `None`, loudly, where it is not installed.
fn python() -> Option<PathBuf> {
    installed(clients().join("venv/bin/python"), ".ci/clients")
}

/// A program of an npm package; `None`, loudly, where it is not installed.
fn node_bin(name: &str) -> Option<PathBuf> {
    installed(clients().join("node_modules/.bin").join(name), ".ci/clients")
}

/// A file that this script makes; `None`, loudly, where it is missing.
fn installed(program: PathBuf, script: &str) -> Option<PathBuf> {
    if program.exists() {
        return Some(program);
    }
    skipped(&format!("{} is not there; bash {script} installs it", program.display()));
    None
}

/// Runs `testing/tests/outside/SCRIPT` with these arguments and shows what it says when it fails.
fn run_script(python: &PathBuf, script: &str, arguments: &[&str]) {
    let script = repository().join("testing/tests/outside").join(script);
    let output = output(Command::new(python).arg(&script).args(arguments));
    let said = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    assert!(
        output.status.success(),
        "{} failed:\n{}\n{}",
        script.display(),
        said(&output.stdout),
        said(&output.stderr)
    );
}

#[test]
fn the_python_clients_are_whole() {
    let Some(python) = python() else { return };
    let imported = output(Command::new(python).args(["-c", "import mcp, openai"]));
    assert!(imported.status.success(), "{}", String::from_utf8_lossy(&imported.stderr));
}
