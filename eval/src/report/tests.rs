//! The report as a whole: self-contained, complete, and safe against text from graphs and models.

use super::super::journal::Journal;
use super::super::overlap::{Agreement, Overlap};
use super::super::record::Side;
use super::super::record::tests::record;
use super::super::summary::summarize;
use super::*;
use serde_json::json;

fn rendered() -> String {
    let mut lost = record("a", 0.5);
    lost.question = "Who is <script>alert(1)</script> & co?".to_owned();
    let cell = |value: &str| json!([{"type": "uri", "value": value}]);
    let table =
        |rows: Vec<serde_json::Value>| json!({"variables": ["x"], "row_count": rows.len(), "rows": rows});
    lost.gold = Side {
        sparql: Some("SELECT ?x { <http://e.x/s> ?p ?x }".to_owned()),
        results: Some(table(vec![cell("http://e.x/both"), cell("http://e.x/gold")])),
        error: None,
    };
    lost.predicted.results = Some(table(vec![cell("http://e.x/both"), cell("</td><img src=x>")]));
    lost.trace = Some(json!({
        "degraded": ["no chat model"],
        "steps": [
            {"at_ms": 0.0, "elapsed_ms": 1500.0, "kind": "model", "thought": null,
             "calls": [{"name": "search_entity", "arguments": "{\"text\":\"x\"}"}], "tokens": {"prompt": 3}},
            {"at_ms": 2000.0, "elapsed_ms": 0.0, "kind": "controller", "note": "label column dropped"}
        ]
    }));
    let mut failed = record("b", 0.0);
    (failed.run, failed.error) = (None, Some("endpoint down".to_owned()));
    let records = [lost, failed, record("c", 1.0)];
    written(&records)
}

/// The report of these records, written into a folder with them.
fn written(records: &[Record]) -> String {
    let folder = tempfile::tempdir().unwrap();
    let (journal, _) = Journal::open(folder.path()).unwrap();
    records.iter().for_each(|record| journal.append(record).unwrap());
    let slim: Vec<Record> = records.iter().cloned().map(Record::slim).collect();
    write_report("questions.jsonl", &summarize(&slim), &slim, folder.path()).unwrap();
    std::fs::read_to_string(folder.path().join(REPORT_FILE)).unwrap()
}

#[test]
fn of_many_questions_the_wrong_ones_are_shown_as_a_whole() {
    let score = |number: usize| if number.is_multiple_of(10) { 0.5 } else { 1.0 };
    let records: Vec<Record> = (0..1_500).map(|number| record(&number.to_string(), score(number))).collect();
    let html = written(&records);
    assert_eq!(html.matches("<details").count(), 1_500);
    assert_eq!(html.matches("<p class=\"scores\">").count(), MAX_SHOWN);
    let wrong = html.split("<details").filter(|part| part.contains("data-score=\"0.5\""));
    assert!(wrong.clone().count() == 150 && wrong.into_iter().all(|part| part.contains("class=\"scores\"")));
    assert!(html.contains("1000 of 1500 questions are shown"), "the reader is told");
}

#[test]
fn nothing_is_loaded_from_elsewhere() {
    let html = rendered();
    for outside in ["src=\"", "href=", "url(", "@import", "<link", "<iframe", "fetch(", "import("] {
        assert!(!html.contains(outside), "{outside}");
    }
    assert!(html.starts_with("<!doctype html>") && html.trim_end().ends_with("</html>"));
}

#[test]
fn what_comes_from_outside_stays_text() {
    let html = rendered();
    assert_eq!(html.matches("<script>").count(), 1, "our own");
    assert!(!html.contains("<img"));
    assert!(html.contains("Who is &lt;script&gt;alert(1)&lt;/script&gt; &amp; co?"));
}

#[test]
fn questions_that_do_not_count_stand_in_a_table() {
    let mut unknown = record("<b>u", 0.0);
    unknown.gold.error = Some("no <i>function".to_owned());
    let mut published = record("p", 1.0);
    published.provenance.overlap = Some(Overlap { agreement: Agreement::Some, share: 0.25 });
    let records = [unknown, published];
    let html = written(&records);
    for part in [
        "<td><code>&lt;b&gt;u</code></td><td>no &lt;i&gt;function</td>",
        "set F is 0.500, set P 0.500",
        "<b>1.000</b><span>set F</span>",
        "0 equal, 1 in part, 0 with nothing in common, of 1; mean share 0.250",
        "share 0.250",
        "does not count: the gold answer is not known",
    ] {
        assert!(html.contains(part), "{part}");
    }
}

#[test]
fn scores_results_and_trace_are_there() {
    let html = rendered();
    for part in [
        "<b>0.500</b><span>set F</span>",
        "<td class=\"hit\">http://e.x/both</td>",
        "<td>http://e.x/gold</td>",
        "search_entity {&quot;text&quot;:&quot;x&quot;}",
        "label column dropped",
        "at 0.00 s, took 1.50 s",
        "No answer: endpoint down",
        "data-kind=\"perfect\"",
        "aria-label=\"Seconds per question\"",
    ] {
        assert!(html.contains(part), "{part}");
    }
    assert_eq!(html.matches("<details").count(), 3);
    assert_eq!(html.matches("<svg").count(), 4);
}
