//! Completions and manual pages, as shells and `man` get them from the program.

use crate::cli::{eruca, run};
use eruca_testing::programs::{is_installed, output, skipped, stderr, stdout};
use std::path::Path;
use std::process::Command;

/// Commands that people use.
const COMMANDS: [&str; 15] = [
    "serve",
    "ask",
    "mcp",
    "search",
    "init",
    "check",
    "health",
    "index",
    "models",
    "examples",
    "learn",
    "eval",
    "openapi",
    "completions",
    "man",
];

#[test]
fn every_shell_gets_a_script_that_knows_commands_and_options() {
    let folder = tempfile::tempdir().unwrap();
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        let output = run(folder.path(), &["completions", shell]);
        assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
        let script = stdout(&output);
        assert!(COMMANDS.iter().all(|command| script.contains(command)), "{shell}: {script}");
        assert!(script.contains("show-results"), "{shell} knows no options of ask");
    }
}

/// Bash itself is asked what it would offer.
#[test]
fn bash_completes_commands_and_options() {
    if !is_installed("bash", "--version") {
        skipped("bash is not installed");
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let script = folder.path().join("eruca.bash");
    std::fs::write(&script, stdout(&run(folder.path(), &["completions", "bash"]))).unwrap();
    assert_eq!(offered(&script, "eruca", "comp", 1), ["completions"]);
    assert_eq!(offered(&script, "eruca ask", "--show", 2), ["--show-results"]);
    assert_eq!(offered(&script, "eruca search --kind", "p", 3), ["property"]);
    assert!(!offered(&script, "eruca", "w", 1).contains(&"worker".to_owned()), "a hidden command");
}

/// What bash offers for the last word after these words.
fn offered(script: &Path, words: &str, last: &str, place: usize) -> Vec<String> {
    let ask = "source \"$1\"; COMP_WORDS=($2 \"$3\"); COMP_CWORD=$4; COMP_LINE=\"$2 $3\"; COMP_POINT=${#COMP_LINE}; \
               _eruca eruca \"$3\" \"${COMP_WORDS[COMP_CWORD-1]}\"; printf '%s\\n' \"${COMPREPLY[@]}\"";
    let mut bash = Command::new("bash");
    bash.args(["--norc", "--noprofile", "-c", ask, "bash"]).arg(script).args([words, last]);
    let output = output(bash.arg(place.to_string()));
    assert!(output.status.success(), "{}", stderr(&output));
    stdout(&output).lines().map(str::to_owned).collect()
}

#[test]
fn a_manual_page_is_printed_for_the_program_and_for_a_command() {
    let folder = tempfile::tempdir().unwrap();
    let whole = stdout(&run(folder.path(), &["man"]));
    assert!(whole.contains(".TH eruca 1"), "{whole}");
    assert!(COMMANDS.iter().all(|command| whole.contains(&format!("eruca\\-{command}"))), "{whole}");
    let ask = stdout(&run(folder.path(), &["man", "ask"]));
    assert!(ask.contains(".TH eruca-ask 1") && ask.contains("show\\-results"), "{ask}");
    assert!(ask.contains("Examples:"), "{ask}");
}

#[test]
fn all_manual_pages_are_written_into_a_folder() {
    let folder = tempfile::tempdir().unwrap();
    let output = run(folder.path(), &["man", "--out", "share/man1"]);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    let entries = std::fs::read_dir(folder.path().join("share/man1")).unwrap();
    let mut written: Vec<String> =
        entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    written.sort();
    let mut wanted: Vec<String> = COMMANDS.iter().map(|command| format!("eruca-{command}.1")).collect();
    let of_examples = ["add", "import", "list", "remove", "test"];
    wanted.extend(of_examples.iter().map(|command| format!("eruca-examples-{command}.1")));
    wanted.extend(["fetch", "list"].map(|command| format!("eruca-models-{command}.1")));
    wanted.push("eruca.1".to_owned());
    wanted.sort();
    assert_eq!(written, wanted, "a page for each command, and none for hidden ones");
    std::fs::write(folder.path().join("file"), "").unwrap();
    let refused = run(folder.path(), &["man", "--out", "file/man1"]);
    assert_eq!(refused.status.code(), Some(1));
    assert!(stderr(&refused).contains("file/man1"), "{}", stderr(&refused));
}

#[test]
fn neither_reads_the_configuration() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("eruca.toml"), "not a configuration").unwrap();
    for arguments in [&["completions", "bash"][..], &["man"]] {
        let output = output(eruca(folder.path()).args(arguments));
        assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    }
}
