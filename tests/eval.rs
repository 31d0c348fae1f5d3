//! `eruca eval` as its users start it, and the official numbers where the shared data are at hand.

use crate::cli::run;
use eruca_eval::official::{ResultSets, evaluate};
use eruca_eval::questions::{EvalQuestion, read_questions};
use eruca_testing::helpers::{QUESTION, folder};
use eruca_testing::programs::{stderr, stdout};
use eruca_testing::shared::shared;
use serde_json::{Value, json};
use std::path::Path;

const CAPITAL: &str = "PREFIX : <https://example.org/cities/> SELECT ?c ?cLabel { :France :capital ?c . ?c <http://www.w3.org/2000/01/rdf-schema#label> ?cLabel }";
const BORDER: &str = "ASK { <https://example.org/cities/Paris> a <https://example.org/cities/Country> }";

/// Three questions: one that can be answered, one that nobody can win, one with a broken gold query.
fn write_questions(folder: &Path) {
    let question = |id: &str, text: &str, sparql: &str| json!({"id": id, "question": text, "lang": "en", "sparql": sparql, "features": ["F"]});
    let lines = [
        question("capital", QUESTION, CAPITAL),
        question("ask", "Is Paris a country?", BORDER),
        question("broken", "What is the capital of Germany?", "SELECT ?x { ?x "),
    ];
    let text = lines.map(|line| format!("{line}\n")).concat();
    std::fs::write(folder.join("q.jsonl"), text).unwrap();
}

fn records(folder: &Path, out: &str) -> Vec<Value> {
    let text = std::fs::read_to_string(folder.join(out).join("results.jsonl")).unwrap();
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

#[test]
fn a_run_records_scores_and_reports() {
    let folder = folder();
    write_questions(folder.path());
    let output = run(folder.path(), &["eval", "--questions", "q.jsonl", "--jobs", "2", "--out", "runs/a"]);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    assert!(stdout(&output).contains("gold failed  1 (left out;") && stdout(&output).contains("report.html"));
    let failed = stdout(&output);
    let (_, failed) = failed.split_once("gold query of question broken failed: ").unwrap();
    assert!(failed.lines().next().unwrap().contains("syntax error"), "{failed}");
    assert_eq!(failed.lines().nth(1).unwrap(), "  SELECT ?x { ?x", "the query itself: {failed}");
    assert!(stderr(&output).contains("[3/3] "), "a line for each question: {}", stderr(&output));
    let records = records(folder.path(), "runs/a");
    let of = |id: &str| records.iter().find(|record| record["id"] == id).unwrap();
    let capital = of("capital");
    assert!(capital["predicted"]["sparql"].is_string() && capital["trace"]["steps"].is_array());
    assert_eq!(capital["gold"]["results"]["row_count"], 1);
    assert_eq!(capital["scores"]["set_P"], 1.0, "Paris alone is asked for: {capital}");
    assert_eq!(capital["scores"]["row_f1"], 1.0, "the label is no part of the gold rows");
    assert_eq!((&capital["form"], &capital["run"]["stop_reason"]), (&json!("SELECT"), &json!("no_model")));
    assert_eq!(
        (&of("ask")["scores"]["set_F"], &of("ask")["scores"]["unwinnable"]),
        (&json!(0.0), &json!(true))
    );
    assert!(of("broken")["gold"]["error"].as_str().unwrap().contains("syntax error"));
    let summary = std::fs::read_to_string(folder.path().join("runs/a/summary.json")).unwrap();
    let summary: Value = serde_json::from_str(&summary).unwrap();
    assert_eq!((&summary["questions"], &summary["gold_failed"]), (&json!(3), &json!(1)));
    assert_eq!(summary["by_form"]["ASK"]["questions"], 1);
    assert_eq!(summary["by_feature"]["F"]["questions"], 2);
    // Of the broken gold query nobody knows what is right.
    assert_eq!(summary["reliability"]["planner"]["answers"], 2);
    assert!(summary["reliability"]["all"]["ece"].is_number(), "{}", summary["reliability"]);
    assert!(
        stdout(&output).contains("confidence   planner: 2 answers, expected calibration error"),
        "{}",
        stdout(&output)
    );
    assert!(capital["run"]["signs"]["confidence-base"].is_number(), "{}", capital["run"]);
    let report = std::fs::read_to_string(folder.path().join("runs/a/report.html")).unwrap();
    assert!(report.contains("What is the capital of Germany?"));
}

#[test]
fn finished_questions_are_not_asked_again() {
    let folder = folder();
    write_questions(folder.path());
    let eval = |more: &[&str]| {
        let arguments = [&["eval", "--questions", "q.jsonl", "--out", "out"], more].concat();
        let output = run(folder.path(), &arguments);
        assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
        output
    };
    eval(&["--limit", "1"]);
    assert_eq!(records(folder.path(), "out").len(), 1);
    let second = eval(&[]);
    assert!(stderr(&second).contains("1 of 3 questions were asked in an earlier run"), "{}", stderr(&second));
    let lines = records(folder.path(), "out");
    assert_eq!(lines.len(), 3);
    let third = eval(&["--ids", "ask,capital"]);
    assert_eq!(records(folder.path(), "out"), lines, "nothing was added");
    assert!(stdout(&third).contains("questions    2 (0"), "{}", stdout(&third));
    let all = eval(&["--threshold", "0"]);
    let threshold =
        stdout(&all).lines().any(|line| line.starts_with("threshold    ") && line.contains("(100 %)"));
    assert!(threshold && stdout(&all).contains("95 % interval "), "{}", stdout(&all));
}

#[test]
fn a_stored_gold_set_replaces_the_gold_queries() {
    let folder = folder();
    write_questions(folder.path());
    let gold = json!({"broken": {"https://example.org/cities/Berlin": 1}, "order_required": ["broken"]});
    std::fs::write(folder.path().join("gold.json"), gold.to_string()).unwrap();
    let arguments = ["eval", "--questions", "q.jsonl", "--gold", "gold.json", "--out", "out"];
    let missing = run(folder.path(), &arguments);
    assert_eq!(missing.status.code(), Some(1));
    assert!(stderr(&missing).contains("no result set for question 'capital'"), "{}", stderr(&missing));
    let output = run(folder.path(), &[&arguments[..], &["--ids", "broken"]].concat());
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    let records = records(folder.path(), "out");
    assert_eq!(records[0]["scores"]["set_F"], 1.0, "{}", records[0]);
    assert_eq!((&records[0]["scores"]["ndcg"], &records[0]["scores"]["row_f1"]), (&json!(1.0), &Value::Null));
}

#[test]
fn a_run_is_written_for_gerbil_and_for_trec_eval() {
    let folder = folder();
    write_questions(folder.path());
    let eval = |more: &[&str]| {
        let arguments = ["eval", "--questions", "q.jsonl", "--ids", "capital,ask", "--out", "out"];
        let output = run(folder.path(), &[&arguments[..], more].concat());
        assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
        stdout(&output)
    };
    eval(&[]);
    // Questions that were asked before are written as well.
    let said = eval(&["--qald", "qald.json", "--trec", "answers.run", "--jobs", "2"]);
    assert!(said.contains("qald.json") && said.contains("answers.run"), "{said}");
    let text = |name: &str| std::fs::read_to_string(folder.path().join(name)).unwrap();
    let qald: Value = serde_json::from_str(&text("qald.json")).unwrap();
    let capital = &qald["questions"][0];
    assert_eq!(capital["question"], json!([{"language": "en", "string": QUESTION}]));
    assert_eq!(capital["answers"][0]["results"]["bindings"].as_array().unwrap().len(), 1);
    let records_of_run = records(folder.path(), "out");
    let ask = records_of_run.iter().find(|record| record["id"] == "ask").unwrap();
    let truth = &ask["predicted"]["results"]["boolean"];
    assert_eq!(qald["questions"][1]["answers"], json!([{"head": {}, "boolean": truth}]));
    assert_eq!(
        text("answers.run"),
        format!("capital Q0 https://example.org/cities/Paris 1 1 eruca\nask Q0 {truth} 1 1 eruca\n")
    );
    // What is written is a file of questions again.
    let again = run(folder.path(), &["eval", "--questions", "qald.json", "--limit", "1", "--out", "again"]);
    assert_eq!(again.status.code(), Some(0), "{}", stderr(&again));
    assert_eq!(records(folder.path(), "again")[0]["scores"]["set_F"], 1.0);
}

#[test]
fn answers_in_words_are_linked_and_scored() {
    let folder = folder();
    let question = |id: &str, sparql: &str| json!({"id": id, "question": "?", "sparql": format!("PREFIX : <https://example.org/cities/> {sparql}")});
    let questions = [
        question("cities", "SELECT ?c { ?c :locatedIn :Germany }"),
        question("people", "SELECT ?n { :Paris :population ?n }"),
        question("ask", "ASK { :Paris a :City }"),
        question("names", "SELECT ?l { :Cologne <http://www.w3.org/2000/01/rdf-schema#label> ?l }"),
        question("none", "SELECT ?c { :France :capital ?c }"),
        question("missing", "SELECT ?c { :Germany :capital ?c }"),
    ];
    std::fs::write(folder.path().join("q.jsonl"), questions.map(|line| format!("{line}\n")).concat())
        .unwrap();
    let answers = |cities: &[&str]| {
        let lines = [
            json!({"id": "cities", "answers": cities}),
            json!({"id": "people", "answers": ["2,100,000"]}),
            json!({"id": "ask", "answers": ["Yes"]}),
            json!({"id": "names", "answers": ["Köln", "Cologne"]}),
            json!({"id": "none", "answers": []}),
        ];
        std::fs::write(folder.path().join("texts.jsonl"), lines.map(|line| format!("{line}\n")).concat())
            .unwrap();
    };
    let scores = || {
        let arguments = [
            "eval",
            "--questions",
            "q.jsonl",
            "--answers",
            "texts.jsonl",
            "--out",
            "out",
            "--trec",
            "out.run",
        ];
        let output = run(folder.path(), &arguments);
        assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
        assert!(stdout(&output).contains("questions    6 (1 without an answer)"), "{}", stdout(&output));
        let mut latest = std::collections::BTreeMap::new();
        for record in records(folder.path(), "out") {
            latest.insert(
                record["id"].as_str().unwrap().to_owned(),
                record["scores"]["set_F"].as_f64().unwrap(),
            );
        }
        latest.into_iter().map(|(id, score)| format!("{id} {score:.2}")).collect::<Vec<_>>().join(", ")
    };
    answers(&["Berlin", "Koeln am Rhein", "Paris"]);
    assert_eq!(scores(), "ask 1.00, cities 0.40, missing 0.00, names 1.00, none 0.00, people 1.00");
    let written = std::fs::read_to_string(folder.path().join("out.run")).unwrap();
    assert!(written.contains("cities Q0 https://example.org/cities/Berlin 1 3 eruca\n"), "{written}");
    assert!(written.contains("cities Q0 Koeln%20am%20Rhein 2 2 eruca\n"), "{written}");
    // Answers that have changed are scored anew.
    answers(&["Berlin", "cologne"]);
    assert_eq!(scores(), "ask 1.00, cities 1.00, missing 0.00, names 1.00, none 0.00, people 1.00");
}

#[test]
fn runs_are_compared_question_by_question() {
    let folder = folder();
    write_questions(folder.path());
    for out in ["a", "b"] {
        let output = run(folder.path(), &["eval", "--questions", "q.jsonl", "--out", out]);
        assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    }
    let file = folder.path().join("b/results.jsonl");
    let worse = std::fs::read_to_string(&file).unwrap().replace("\"set_F\":0.", "\"set_F\":0.0");
    std::fs::write(&file, worse).unwrap();
    let output = run(folder.path(), &["eval", "--compare", "a", "b"]);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    let said = stdout(&output);
    assert!(said.contains("A wins 1, loses 0, ties 1; sign test p = 1.0000"), "{said}");
    assert!(said.contains(&format!("capital  {QUESTION}")), "{said}");
    assert!(said.contains("paired bootstrap p = ") && said.contains(", t test p = "), "{said}");
    let output = run(folder.path(), &["eval", "--compare", "b", "a", "a", "--table", "markdown"]);
    let said = stdout(&output);
    let lines: Vec<&str> = said.lines().collect();
    assert!(lines[0].starts_with("| run | set_F | 95 % | deviation | row F1 |"), "{said}");
    assert!(lines[2].starts_with("| a | ") && lines[4].starts_with("| b | "), "the best first: {said}");
    assert!(
        said.contains("\n| a | b | ") && said.contains("\n| a | a | 0.0000 | 0 | 0 | 2 | 1.0000 |"),
        "{said}"
    );
    std::fs::create_dir(folder.path().join("none")).unwrap();
    std::fs::write(folder.path().join("none/results.jsonl"), "").unwrap();
    let apart = run(folder.path(), &["eval", "--compare", "a", "b", "none"]);
    assert!(
        !apart.status.success() && stderr(&apart).contains("no question was asked in all"),
        "{}",
        stderr(&apart)
    );
    let nothing = run(folder.path(), &["eval", "--compare", "a", "nowhere"]);
    assert_eq!(nothing.status.code(), Some(1));
    assert!(stderr(&nothing).contains("cannot read 'nowhere/results.jsonl'"), "{}", stderr(&nothing));
}

#[test]
fn wrong_choices_are_told() {
    let folder = folder();
    write_questions(folder.path());
    let cases: [(&[&str], i32, &str); 8] = [
        (&["eval"], 2, "--questions"),
        (&["eval", "--questions", "q.jsonl"], 2, "--out"),
        (&["eval", "--score", "p.json"], 2, "--gold"),
        (&["eval", "--compare", "a", "b", "--jobs", "2"], 2, "--jobs"),
        (&["eval", "--questions", "q.jsonl", "--out", "o", "--table", "csv"], 2, "--table"),
        (&["eval", "--questions", "q.jsonl", "--out", "o", "--threshold", "95"], 2, "'95' is no share"),
        (&["eval", "--questions", "q.jsonl", "--out", "o", "--ids", "x"], 1, "no question has the id 'x'"),
        (&["eval", "--questions", "eruca.toml", "--out", "o"], 1, "eruca.toml'"),
    ];
    for (arguments, code, expected) in cases {
        let output = run(folder.path(), arguments);
        assert_eq!(output.status.code(), Some(code), "{arguments:?}: {}", stderr(&output));
        assert!(stderr(&output).contains(expected), "{arguments:?}: {}", stderr(&output));
    }
    assert!(!folder.path().join("o").exists(), "nothing is written before all is known");
}

/// The published evaluations of the TEXT2SPARQL challenge, to the last digit.
#[test]
fn published_evaluations_are_reached_exactly() {
    let Some(data) = shared("ck25") else { return };
    let peers = data.join("peers");
    let gold_text = std::fs::read_to_string(peers.join("true_result_set.json")).unwrap();
    let mut gold = ResultSets::read(&peers.join("true_result_set.json")).unwrap();
    let questions = read_questions(&data.join("questions-dev.yml")).unwrap().questions;
    gold.require_order(questions.into_iter().filter(EvalQuestion::order_matters).map(|q| q.id));
    let mut checked = 0;
    for peer in ["IIS-L", "IIS-Q", "INFAI", "MIPT", "WSE"] {
        let predicted = peers.join(format!("{peer}.result_set.json"));
        if same_json(&std::fs::read_to_string(&predicted).unwrap(), &gold_text) {
            eprintln!("left out: what was published as {peer}'s result set is the gold result set");
            continue;
        }
        let evaluation = evaluate(&gold, &ResultSets::read(&predicted).unwrap(), false).unwrap();
        let published = std::fs::read_to_string(peers.join(format!("{peer}.evaluation.json"))).unwrap();
        let ours = evaluation.to_json().to_string();
        assert_eq!(evaluation.questions.len(), 25, "{peer}");
        assert_eq!(scores(&ours).split_last().unwrap().1, scores(&published), "{peer}");
        checked += 1;
    }
    assert_eq!(checked, 2, "peers with a result set of their own");
}

fn same_json(a: &str, b: &str) -> bool {
    let value = |text: &str| serde_json::from_str::<Value>(text).unwrap();
    value(a) == value(b)
}

/// Every question with its scores. The texts of the numbers are parsed by the standard library, as the JSON
/// parser may be off by the last bit.
fn scores(json: &str) -> Vec<(String, Vec<(String, f64)>)> {
    let text = json.split_whitespace().collect::<String>();
    let entries = text.trim_start_matches('{').trim_end_matches('}').split("},");
    let entry = |entry: &str| {
        let (id, scores) = entry.split_once(":{").unwrap();
        let score = |score: &str| {
            let (name, number) = score.rsplit_once(':').unwrap();
            (name.to_owned(), number.parse().unwrap())
        };
        (id.to_owned(), scores.split(',').map(score).collect())
    };
    entries.map(entry).collect()
}
