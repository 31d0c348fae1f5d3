//! Questions from standard input, and what exit codes say to scripts.

use crate::cli::run;
use crate::talk::piped;
use eruca_testing::helpers::{CITIES, QUESTION, cities, folder};
use eruca_testing::programs::{stderr, stdout};
use serde_json::Value;

/// Two questions with an empty line between.
const TWO: &str = "What is the capital of France?\n\nWhat is the capital of Germany?";
/// A question that the graph knows nothing of.
const UNKNOWN: &str = "What is the capital of Atlantis?";

#[test]
fn every_line_is_a_question_and_every_answer_a_line() {
    let folder = folder();
    for arguments in [["ask", "-"], ["ask", "--stdin"]] {
        let output = piped(folder.path(), &arguments, TWO);
        assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
        let told = stdout(&output);
        let lines: Vec<&str> = told.lines().collect();
        assert_eq!(lines.len(), 2, "{told}");
        assert!(lines[0].contains("Paris") && lines[1].contains("Berlin"), "{told}");
    }
    let output = piped(folder.path(), &["ask", "--show-results", "-"], TWO);
    assert!(stdout(&output).contains("https://example.org/cities/Paris"), "{}", stdout(&output));
}

#[test]
fn as_json_every_line_is_an_object() {
    let output = piped(folder().path(), &["ask", "--json", "--dataset", "cities", "-"], TWO);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    let told = stdout(&output);
    let lines: Vec<Value> = told.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(lines.len(), 2, "{told}");
    for (line, place) in lines.iter().zip(["Paris", "Berlin"]) {
        assert_eq!((&line["dataset"], &line["state"]), (&CITIES.into(), &"done".into()));
        assert_eq!(line["trusted"], true);
        assert!(line["query"].as_str().unwrap().contains("capital"), "{line}");
        assert!(line["answer"]["text"].as_str().unwrap().contains(place), "{line}");
        assert_eq!(line["rows"]["rows"][0][0]["label"], place);
    }
}

#[test]
fn a_question_without_an_answer_is_told_in_its_place_and_by_the_exit_code() {
    let folder = folder();
    let short = format!("{}\n[server]\nmax_question_chars = 40\n", cities());
    std::fs::write(folder.path().join("eruca.toml"), short).unwrap();
    let said = format!("{}\n{QUESTION}\n", "Why? ".repeat(20));
    let output = piped(folder.path(), &["ask", "-"], &said);
    assert_eq!(output.status.code(), Some(1));
    assert!(stderr(&output).contains("1 of 2 questions"), "{}", stderr(&output));
    let told = stdout(&output);
    let lines: Vec<&str> = told.lines().collect();
    assert!(lines[0].starts_with("(no answer: ") && lines[1].contains("Paris"), "{told}");
    let output = piped(folder.path(), &["ask", "--json", "-"], &said);
    let first: Value = serde_json::from_str(stdout(&output).lines().next().unwrap()).unwrap();
    assert_eq!((&first["state"], &first["trusted"]), (&"failed".into(), &false.into()));
    assert!(first["error"]["detail"].as_str().unwrap().contains("40 characters"), "{first}");
}

#[test]
fn exit_code_3_says_that_nothing_deserves_trust() {
    let folder = folder();
    for arguments in [&["ask", UNKNOWN][..], &["ask", "--json", UNKNOWN]] {
        let output = run(folder.path(), arguments);
        assert_eq!(output.status.code(), Some(3), "{}\n{}", stdout(&output), stderr(&output));
        assert!(!stdout(&output).is_empty(), "the query is there all the same");
    }
    assert_eq!(piped(folder.path(), &["ask", "-"], UNKNOWN).status.code(), Some(3));
    let one_of_two = piped(folder.path(), &["ask", "-"], &format!("{UNKNOWN}\n{QUESTION}\n"));
    assert_eq!(one_of_two.status.code(), Some(0), "{}", stdout(&one_of_two));
    assert_eq!(piped(folder.path(), &["ask", "-"], "").status.code(), Some(0), "no question, no doubt");
}
