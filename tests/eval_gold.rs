//! Gold answers of benchmarks as their users meet them: run, stored, checked by name, and left out where they are not known.

use crate::cli::run;
use eruca_testing::helpers::{QUESTION, folder};
use eruca_testing::programs::{stderr, stdout};
use serde_json::{Value, json};
use std::path::Path;
use tempfile::TempDir;

const CITIES: &str = "https://example.org/cities/";

fn uri(name: &str) -> Value {
    json!({"type": "uri", "value": format!("{CITIES}{name}")})
}

/// Six questions: with a query and an answer that agree, in part, and not at all; with an answer alone; with a broken query; with nothing.
fn with_questions() -> TempDir {
    let folder = folder();
    let query = |rest: &str| format!("PREFIX : <{CITIES}> {rest}");
    let lines = [
        json!({"id": "capital", "question": QUESTION, "sparql": query("SELECT ?c { :France :capital ?c }"), "results": [{"c": uri("Paris")}]}),
        json!({"id": "cities", "question": "Which cities are located in Germany?", "sparql": query("SELECT ?c { ?c :locatedIn :Germany }"),
            "results": [{"c": uri("Berlin")}, {"c": uri("Bonn")}]}),
        json!({"id": "country", "question": "Is Paris a country?", "sparql": query("ASK { :Paris a :Country }"), "answers": [{"head": {}, "boolean": true}]}),
        json!({"id": "people", "question": "What is the population of Paris?", "answers": [2_100_000]}),
        json!({"id": "broken", "question": "What is the capital of Germany?", "sparql": "SELECT ?x { ?x ", "results": [{"c": uri("Berlin")}]}),
        json!({"id": "nothing", "question": "What is the population of Berlin?"}),
    ];
    let text = lines.map(|line| format!("{line}\n")).concat();
    std::fs::write(folder.path().join("q.jsonl"), text).unwrap();
    folder
}

/// What a successful `eruca eval` of the questions prints.
fn eval(folder: &Path, more: &[&str]) -> String {
    let output = run(folder, &[&["eval", "--questions", "q.jsonl"], more].concat());
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    stdout(&output)
}

fn lines(folder: &Path, file: &str) -> Vec<Value> {
    let text = std::fs::read_to_string(folder.join(file)).unwrap();
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

fn record(folder: &Path, id: &str) -> Value {
    let records = lines(folder, "out/results.jsonl");
    records.into_iter().rfind(|record| record["id"] == id).unwrap()
}

fn summary(folder: &Path) -> Value {
    serde_json::from_str(&std::fs::read_to_string(folder.join("out/summary.json")).unwrap()).unwrap()
}

#[test]
fn questions_without_a_known_answer_are_left_out_by_name() {
    let folder = with_questions();
    let folder = folder.path();
    let said = eval(folder, &["--out", "out"]);
    assert!(
        said.contains("gold query of question broken failed: ") && said.contains("syntax error"),
        "{said}"
    );
    assert!(said.contains("gold of question nothing is not known: the file has no gold query"), "{said}");
    assert!(
        said.contains("gold failed  3 (left out; counted as empty, as the official client does, set_F is "),
        "{said}"
    );
    let summary = summary(folder);
    let left_out: Vec<&Value> =
        summary["gold_excluded"].as_array().unwrap().iter().map(|one| &one["id"]).collect();
    assert_eq!(left_out, ["people", "broken", "nothing"]);
    assert_eq!((&summary["questions"], &summary["by_form"]["none"]), (&json!(6), &Value::Null));
    let scores = |name: &str| summary[name]["set_F"].as_f64().unwrap();
    assert!(
        (scores("official_failed_as_empty") * 2.0 - scores("official")).abs() < 1e-9,
        "three of six: {summary}"
    );
    let report = std::fs::read_to_string(folder.join("out/report.html")).unwrap();
    assert!(report.contains("<h2>Left out</h2>") && report.contains("<td><code>broken</code></td>"));
}

#[test]
fn published_answers_are_compared_with_those_of_the_gold_queries() {
    let folder = with_questions();
    let folder = folder.path();
    let said = eval(folder, &["--out", "out"]);
    let told = "published    1 equal, 1 in part, 1 with nothing in common, of 3; mean share 0.444";
    assert!(said.contains(told), "{said}");
    let overlap = |id: &str| record(folder, id)["provenance"]["overlap"].clone();
    assert_eq!(overlap("capital"), json!({"agreement": "equal", "share": 1.0}));
    assert_eq!(
        overlap("cities"),
        json!({"agreement": "some", "share": 1.0 / 3.0}),
        "of Berlin, Bonn and Cologne one"
    );
    assert_eq!(overlap("country"), json!({"agreement": "none", "share": 0.0}));
    assert_eq!((overlap("people"), overlap("broken")), (Value::Null, Value::Null));
    assert_eq!(summary(folder)["gold_overlap"]["some"], 1);
}

#[test]
fn stored_answers_score_like_rows() {
    let folder = with_questions();
    let folder = folder.path();
    let said = eval(folder, &["--gold", "stored", "--out", "out"]);
    assert!(said.contains("gold of question nothing is not known: the file has no stored answer"), "{said}");
    assert!(said.contains("gold failed  1 ("), "{said}");
    let scores = |id: &str| {
        let record = record(folder, id);
        (record["scores"]["set_F"].as_f64().unwrap(), record["scores"]["row_f1"].as_f64().unwrap())
    };
    assert_eq!((scores("capital"), scores("broken")), ((1.0, 1.0), (1.0, 1.0)));
    assert_eq!(scores("people"), (1.0, 1.0), "a value without a type is the value of the graph");
    assert_eq!(scores("cities"), (0.5, 0.5));
    assert_eq!(record(folder, "cities")["gold"]["results"]["row_count"], 2);
    assert!(said.contains("published    1 equal, "), "the queries are run as well: {said}");
    // Another source is another gold answer.
    eval(folder, &["--ids", "cities", "--out", "out"]);
    assert_eq!(scores("cities"), (1.0, 1.0));
    let refused = run(folder, &["eval", "--score", "p.json", "--gold", "stored"]);
    assert!(stderr(&refused).contains("name a file of result sets"), "{}", stderr(&refused));
}

#[test]
fn gold_is_accounted_for_without_asking() {
    let folder = with_questions();
    let folder = folder.path();
    let mut text = std::fs::read_to_string(folder.join("q.jsonl")).unwrap();
    // The engine of Wikidata looks labels up when all else is done, wherever its service stands.
    let labels = format!(
        "PREFIX : <{CITIES}> SELECT ?c ?cLabel {{ SERVICE wikibase:label {{ }} ?c :locatedIn :Germany . }}"
    );
    let none = format!("PREFIX : <{CITIES}> SELECT ?c {{ ?c :locatedIn :Berlin }}");
    for (id, sparql) in [
        ("labels", &*labels),
        ("none", &*none),
        ("refused", "SELECT * { SERVICE <http://e.x/> { ?s ?p ?o } }"),
    ] {
        text += &format!("{}\n", json!({"id": id, "question": "?", "sparql": sparql}));
    }
    std::fs::write(folder.join("q.jsonl"), text).unwrap();
    let said = eval(folder, &["--check-gold", "--jobs", "3", "--out", "out"]);
    let accounts = lines(folder, "out/gold.jsonl");
    let told: Vec<String> = accounts
        .iter()
        .map(|one| {
            format!("{} {} {}", one["id"].as_str().unwrap(), one["outcome"].as_str().unwrap(), one["rows"])
        })
        .collect();
    let expected = [
        "capital rows 1",
        "cities rows 2",
        "country false null",
        "people stored_only null",
        "broken cannot_read null",
        "nothing nothing null",
        "labels rows 2",
        "none empty 0",
        "refused cannot_run null",
    ];
    assert_eq!(told, expected);
    assert!(accounts[4]["reason"].as_str().unwrap().contains("syntax error"), "{}", accounts[4]);
    for part in [
        "gold query of question broken failed: ",
        "gold query of question refused failed: ",
        "gold of question nothing is not known: ",
        "questions    9 (JSONL)\ngives rows   3 (33.3 %)\nfalse        1 (11.1 %)\nempty        1 (11.1 %)\nstored only  1 (11.1 %)\ncannot read  1 (11.1 %)\ncannot run   1 (11.1 %)\nno gold      1 (11.1 %)\nstored       5 answers\n",
        "published    1 equal, 1 in part, 1 with nothing in common, of 3",
    ] {
        assert!(said.contains(part), "{part}: {said}");
    }
    let some = eval(folder, &["--check-gold", "--ids", "capital,cities,none", "--limit", "2"]);
    assert!(some.starts_with("questions    2 (JSONL)\ngives rows   2 (100.0 %)\n"), "{some}");
}

#[test]
fn comparisons_leave_out_what_is_not_known_in_a_run() {
    let folder = with_questions();
    let folder = folder.path();
    eval(folder, &["--out", "a"]);
    eval(folder, &["--gold", "stored", "--out", "b"]);
    let said = |more: &[&str]| stdout(&run(folder, &[&["eval", "--compare"], more].concat()));
    let two = said(&["a", "b"]);
    assert!(
        two.contains("3 questions in both, 0 only in A, 0 only in B\n3 more are left out, since their gold"),
        "{two}"
    );
    let board = said(&["a", "b", "a"]);
    assert!(
        board.contains("3 questions in all runs, 0 not in all of them are left out\n3 more are left out, "),
        "{board}"
    );
}
