//! `eruca eval` by the metrics of other papers: in records, summaries and tables, and over files of SPARQL results.

use crate::cli::run;
use eruca_testing::helpers::{QUESTION, folder};
use eruca_testing::programs::{stderr, stdout};
use serde_json::{Value, json};
use std::path::Path;

const LABELS: &str = "PREFIX : <https://example.org/cities/> SELECT ?cLabel { :France :capital ?c . ?c <http://www.w3.org/2000/01/rdf-schema#label> ?cLabel }";

/// A question whose gold query gives the label of what is asked for.
fn write_question(folder: &Path) {
    let line = json!({"id": "capital", "question": QUESTION, "lang": "en", "sparql": LABELS});
    std::fs::write(folder.join("q.jsonl"), format!("{line}\n")).unwrap();
}

fn json_of(folder: &Path, file: &str) -> Value {
    serde_json::from_str(&std::fs::read_to_string(folder.join(file)).unwrap()).unwrap()
}

fn eval(folder: &Path, more: &[&str]) -> String {
    let output = run(folder, &[&["eval"], more].concat());
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    stdout(&output)
}

#[test]
fn labels_count_for_things_beside_the_strict_scores() {
    let folder = folder();
    write_question(folder.path());
    let strict = eval(folder.path(), &["--questions", "q.jsonl", "--out", "strict"]);
    assert!(strict.contains("\nGRASP F1     0.0000 over 1 question"), "{strict}");
    assert!(!strict.contains("set F names"), "{strict}");
    let said = eval(folder.path(), &["--questions", "q.jsonl", "--out", "names", "--names"]);
    assert!(said.contains("\nset F names  1.0000 over 1 question"), "{said}");
    assert!(said.contains("\nQALD macro   P "), "{said}");
    let scores = &json_of(folder.path(), "names/results.jsonl")["scores"];
    assert_eq!((&scores["set_F"], &scores["set_F_names"]), (&json!(0.0), &json!(1.0)), "{scores}");
    assert_eq!((&scores["row_f1"], &scores["row_f1_names"]), (&json!(0.0), &json!(1.0)), "{scores}");
    assert_eq!(scores["assignment_f1_names"], 1.0, "{scores}");
    let summary = json_of(folder.path(), "names/summary.json");
    assert_eq!(summary["metrics"]["set_F_names"], json!({"mean": 1.0, "questions": 1}), "{summary}");
    assert_eq!(summary["by_form"]["SELECT"]["metrics"]["hits_at_1"]["mean"], 0.0, "{summary}");
    assert_eq!(summary["qald"]["questions"], 1);
    let report = std::fs::read_to_string(folder.path().join("names/report.html")).unwrap();
    assert!(
        report.contains("<span>GRASP F1</span>") && report.contains("<th class=\"number\">set F names</th>")
    );
    let both = eval(folder.path(), &["--compare", "strict", "names"]);
    assert!(both.contains("\nGRASP F1 A 0.0000, B 0.0000") && !both.contains("set F names"), "{both}");
    let table = eval(folder.path(), &["--compare", "strict", "names", "--table", "csv"]);
    let lines: Vec<&str> = table.lines().collect();
    assert!(lines[0].contains("row F1,GRASP F1,") && lines[0].contains(",set F names,"), "{table}");
}

#[test]
fn records_of_earlier_versions_have_no_such_scores() {
    let folder = folder();
    write_question(folder.path());
    eval(folder.path(), &["--questions", "q.jsonl", "--out", "old"]);
    let mut record = json_of(folder.path(), "old/results.jsonl");
    let scores = record["scores"].as_object_mut().unwrap();
    scores
        .retain(|name, _| ["set_P", "set_recall", "set_F", "unwinnable", "row_f1"].contains(&name.as_str()));
    std::fs::write(folder.path().join("old/results.jsonl"), format!("{record}\n")).unwrap();
    let said = eval(folder.path(), &["--questions", "q.jsonl", "--out", "old"]);
    assert!(said.contains("questions    1 (0") && !said.contains("GRASP"), "{said}");
}

#[test]
fn answers_in_words_are_compared_with_labels() {
    let folder = folder();
    write_question(folder.path());
    let answer = |text: &str| {
        let line = json!({"id": "capital", "answers": [text]});
        std::fs::write(folder.path().join("texts.jsonl"), format!("{line}\n")).unwrap();
        let arguments = ["--questions", "q.jsonl", "--answers", "texts.jsonl", "--out", "texts"];
        eval(folder.path(), &arguments)
    };
    assert!(answer("the PARIS.").contains("\ntext EM      1.0000 over 1 question"));
    assert!(answer("It is Paris").contains("\ntext EM      0.0000 over 1 question"));
}

#[test]
fn files_of_sparql_results_are_scored_by_all_metrics() {
    let folder = folder();
    let results = |values: &[&str]| {
        let rows: Vec<Value> =
            values.iter().map(|value| json!({"x": {"type": "uri", "value": value}})).collect();
        json!({"head": {"vars": ["x"]}, "results": {"bindings": rows}})
    };
    let gold = json!({"1": results(&["http://e.x/a", "http://e.x/b"]), "2": {"head": {}, "boolean": true}});
    let given = json!({"1": results(&["http://e.x/b"]), "2": {"head": {}, "boolean": false}});
    std::fs::write(folder.path().join("gold.json"), gold.to_string()).unwrap();
    std::fs::write(folder.path().join("given.json"), given.to_string()).unwrap();
    let said = eval(folder.path(), &["--score", "given.json", "--gold", "gold.json"]);
    let scores: Value = serde_json::from_str(&said).unwrap();
    assert_eq!((&scores["1"]["set_recall"], &scores["1"]["row_f1"]), (&json!(0.5), &json!(2.0 / 3.0)));
    assert_eq!((&scores["1"]["qald_P"], &scores["2"]["set_F"]), (&json!(1.0), &json!(1.0)));
    assert_eq!((&scores["2"]["exact_f1"], &scores["2"]["hits_at_1"]), (&json!(0.0), &json!(0.0)));
    assert_eq!(scores["average"]["qald"]["micro"]["recall"], 1.0 / 3.0, "{scores}");
    std::fs::write(folder.path().join("sets.json"), r#"{"1": {"http://e.x/b": 1}}"#).unwrap();
    let mixed = run(folder.path(), &["eval", "--score", "given.json", "--gold", "sets.json"]);
    assert_eq!(mixed.status.code(), Some(1));
    assert!(stderr(&mixed).contains("expected results in SPARQL's JSON format"), "{}", stderr(&mixed));
}
