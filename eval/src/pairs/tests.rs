//! Random pairs of results with what published scorers print for them, and files that are none.

use super::*;
use eruca_language::fallback;

/// Pairs of our own, made with a fixed seed, and the scores of text2sparql-client 2.1.0 (pytrec_eval-terrier 0.5.11; empty gold sets as in
/// the evaluations of 2025), SPINACH's `eval.py`, grasp-rdf 0.6.2, and GERBIL's `FMeasureCalculator` (branch `QuestionAnswering`). Hits@1 and
/// the match of texts are from a few lines of Python, with SQuAD's `normalize_answer`. Numbers are texts there, since the JSON parser may be
/// off by the last bit.
const SCORED: &str = include_str!("scored.json");

fn written(folder: &Path, name: &str, value: &Value) -> PathBuf {
    let path = folder.join(name);
    std::fs::write(&path, value.to_string()).unwrap();
    path
}

fn number(value: &Value) -> Value {
    value.as_str().map_or_else(|| value.clone(), |text| json!(text.parse::<f64>().unwrap()))
}

#[test]
fn scores_are_those_of_the_published_scorers() {
    let scored: Value = serde_json::from_str(SCORED).unwrap();
    let folder = tempfile::tempdir().unwrap();
    let file = |name: &str| SparqlResults::read(&written(folder.path(), name, &scored[name])).unwrap();
    let ordered = serde_json::from_value(scored["ordered"].clone()).unwrap();
    let found = score_pairs(&file("gold"), &file("predicted"), &ordered, fallback()).unwrap();
    let expected = scored["scores"].as_object().unwrap();
    assert_eq!(expected.len(), 30);
    for (id, scores) in expected {
        for (name, value) in scores.as_object().unwrap() {
            let ours = found[id].get(name).unwrap_or(&Value::Null);
            assert_eq!(*ours, number(value), "{name} of pair {id}");
        }
    }
    let qald = &found["average"]["qald"];
    for (name, ours) in [
        ("Macro Precision", &qald["macro"]["precision"]),
        ("Macro Recall", &qald["macro"]["recall"]),
        ("Macro F1 score", &qald["macro"]["f1"]),
        ("Macro F1 QALD", &qald["macro_f1_qald"]),
        ("Micro Precision", &qald["micro"]["precision"]),
        ("Micro Recall", &qald["micro"]["recall"]),
        ("Micro F1 score", &qald["micro"]["f1"]),
    ] {
        assert_eq!(*ours, number(&scored["gerbil"][name]), "{name}");
    }
}

#[test]
fn what_is_no_sparql_result_is_told() {
    let folder = tempfile::tempdir().unwrap();
    for (entry, said) in [
        (json!({"head": {"vars": []}}), "'1': either 'results' or 'boolean' is needed"),
        (json!({"results": {"bindings": 3}}), "'1': invalid type"),
        (
            json!({"head": {"vars": ["x"]}, "results": {"bindings": [{"x": {"type": "triple", "value": ""}}]}}),
            "'triple' is no type of a term",
        ),
    ] {
        let path = written(folder.path(), "results.json", &json!({"1": entry}));
        assert!(has_sparql_results(&path));
        let error = SparqlResults::read(&path).unwrap_err().to_string();
        assert!(error.contains(said) && error.contains("results.json'"), "{error}");
    }
    for other in [json!({"1": {"head": 1, "boolean": 1}}), json!({}), json!([])] {
        assert!(!has_sparql_results(&written(folder.path(), "sets.json", &other)), "{other}");
    }
    assert!(!has_sparql_results(&folder.path().join("nothing")));
}
