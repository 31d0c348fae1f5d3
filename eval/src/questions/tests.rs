//! Small files in every format, and error messages for broken ones.

use super::*;

fn read_text(text: &str) -> Result<QuestionFile, EvalError> {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("questions");
    std::fs::write(&path, text).unwrap();
    read_questions(&path)
}

/// Format, dataset, and `id|text|lang|sparql|graph` of each question.
fn shown(text: &str) -> (&'static str, Option<String>, Vec<String>) {
    let file = read_text(text).unwrap();
    let or = |text: Option<String>| text.unwrap_or_else(|| "-".to_owned());
    let questions = file
        .questions
        .into_iter()
        .map(|q| format!("{}|{}|{}|{}|{}", q.id, q.text, or(q.lang), or(q.sparql), or(q.graph)));
    (file.format, file.dataset, questions.collect())
}

#[test]
fn the_challenge_s_yaml() {
    let text = "---\ndataset:\n  id: https://e.x/\n  prefix: e\nquestions:\n  - id: 7\n    question:\n      en: Who?\n      de: Wer?\n    features:\n      - SELECT\n      - RESULT_ORDER_MATTERS\n    query:\n      sparql: |\n        SELECT ?x\n        { ?x ?y ?z }\n  - id: 8\n    question:\n      en: \"Is it?\"\n";
    let (format, dataset, questions) = shown(text);
    assert_eq!((format, dataset.as_deref()), ("TEXT2SPARQL YAML", Some("https://e.x/")));
    assert_eq!(
        questions,
        [
            "e:7-de|Wer?|de|SELECT ?x\n{ ?x ?y ?z }\n|-",
            "e:7-en|Who?|en|SELECT ?x\n{ ?x ?y ?z }\n|-",
            "e:8-en|Is it?|en|-|-"
        ]
    );
    let file = read_text(text).unwrap();
    assert_eq!(
        file.questions.iter().map(EvalQuestion::order_matters).collect::<Vec<_>>(),
        [true, true, false]
    );
}

#[test]
fn qald() {
    let (format, _, questions) = shown(
        r#"{"dataset": {"id": "qald-9"}, "questions": [{"id": "99", "answertype": "resource",
        "question": [{"language": "en", "string": "Where?", "keywords": "x"}, {"language": "de", "string": null}],
        "query": {"sparql": "ASK {}"}, "answers": []}]}"#,
    );
    assert_eq!((format, questions), ("QALD JSON", vec!["99-en|Where?|en|ASK {}|-".to_owned()]));
}

#[test]
fn both_lc_quads() {
    let (format, _, questions) = shown(
        r#"[{"_id": "1501", "corrected_question": "How many?", "intermediary_question": "How <many>",
        "sparql_query": "SELECT DISTINCT COUNT(?uri) WHERE {}", "sparql_template_id": 101}]"#,
    );
    assert_eq!(format, "LC-QuAD 1.0 JSON");
    assert_eq!(questions, ["1501|How many?|-|SELECT DISTINCT COUNT(?uri) WHERE {}|-"]);
    let (format, _, questions) = shown(
        r#"[{"uid": 19719, "question": null, "paraphrased_question": "What is it?", "NNQT_question": "{x}",
        "sparql_wikidata": "SELECT ?a {}", "sparql_dbpedia18": "SELECT ?b {}"}]"#,
    );
    assert_eq!(
        (format, questions),
        ("LC-QuAD 2.0 JSON", vec!["19719|What is it?|-|SELECT ?a {}|-".to_owned()])
    );
}

#[test]
fn spinach_and_lines() {
    let (format, _, questions) = shown(
        r#"[{"id": "dev_3", "title": "t", "url": "u", "question": "Which?", "sparql": "SELECT * {}"}]"#,
    );
    assert_eq!((format, questions), ("SPINACH JSON", vec!["dev_3|Which?|-|SELECT * {}|-".to_owned()]));
    let (format, _, questions) = shown(
        "{\"id\": \"a\", \"question\": \"A?\", \"lang\": \"en\", \"sparql\": \"ASK {}\", \"kg\": \"k\", \"data\": \"k.ttl\"}\n\n{\"question\": \"B?\", \"data\": \"d.ttl\"}\n",
    );
    assert_eq!(
        (format, questions),
        ("JSONL", vec!["a|A?|en|ASK {}|k".to_owned(), "3|B?|-|-|d.ttl".to_owned()])
    );
}

#[test]
fn keys_that_are_not_known_change_nothing() {
    let yaml = "dataset:\n  id: d\n  license: CC0\nauthors: [a, b]\nquestions:\n  - id: 1\n    difficulty: {level: 3}\n    question:\n      en: Who?\n    answers:\n      - x\n    query:\n      sparql: ASK {}\n      timeout: 3\n";
    assert_eq!(shown(yaml).2, ["1-en|Who?|en|ASK {}|-"]);
    let qald = r#"{"version": 2, "questions": [{"id": 1, "hints": [1], "aggregation": true,
        "question": [{"language": "en", "string": "Who?", "keywords": ["who"]}],
        "query": {"sparql": "ASK {}", "pseudo": null}}]}"#;
    assert_eq!(shown(qald).2, ["1-en|Who?|en|ASK {}|-"]);
    let unknown = r#""answers": [{"x": 1}], "notes": null, "difficulty": 0.5, "meta": {"question": "No?", "sparql": 3}"#;
    for file in [
        format!("[{{\"id\": 1, \"question\": \"Who?\", {unknown}}}]"),
        format!("{{\"id\": 1, {unknown}, \"question\": \"Who?\"}}\n"),
    ] {
        assert_eq!(shown(&file).2, ["1|Who?|-|-|-"], "{file}");
    }
}

#[test]
fn keys_of_several_benchmarks_may_stand_together_and_hold_what_they_hold_elsewhere() {
    let line = r#"{"_id": "a7", "id": 1, "uid": 3, "question": "Who?", "lang": ["en"], "kg": {"name": "k"}, "data": [1, 2], "features": "easy"}"#;
    assert_eq!(shown(line).2, ["1|Who?|-|-|-"]);
    assert_eq!(shown(r#"{"_id": "a7", "question": "Who?", "features": null}"#).2, ["a7|Who?|-|-|-"]);
}

#[test]
fn forms_are_those_of_the_outer_query() {
    let forms = [
        ("PREFIX ask: <http://e.x/select> SELECT ?x { ?x ask:count 1 }", "SELECT"),
        ("# ask\nselect (count( *) as ?n) where { }", "COUNT"),
        ("SELECT DISTINCT COUNT(?uri) WHERE {}", "COUNT"),
        ("SELECT ?x { { SELECT (COUNT(?y) AS ?n) {} } }", "SELECT"),
        ("ASK WHERE { { SELECT ?x {} } }", "ASK"),
        ("CONSTRUCT { } WHERE {}", "CONSTRUCT"),
        ("nonsense", "none"),
    ];
    for (query, expected) in forms {
        assert_eq!(form(query), expected, "{query}");
    }
}

#[test]
fn what_is_wrong_is_told_with_file_and_line() {
    let cases = [
        ("", "is empty; expected"),
        ("{\"id\": 1, \"question\": \"A?\"}\n{\"id\": 2,\n", "questions', line 2"),
        ("{\"id\": 1, \"sparql\": \"A?\"}\n", "line 1: no question; expected \"question\""),
        ("[{\"id\": 1}, 3]", "question 1 of this SPINACH JSON file: no question"),
        ("[{\"id\": 1,\n\n]", "line 3"),
        ("[]", "no questions"),
        ("dataset:\n  id: x\nquestions:\n  - question: 3\n", "line 4"),
        ("{\"id\": 1, \"question\": \"A?\"}\n{\"id\": 1, \"question\": \"B?\"}", "the id '1' occurs twice"),
    ];
    for (text, expected) in cases {
        let error = read_text(text).unwrap_err().to_string();
        assert!(error.contains(expected), "{text:?}: {error}");
    }
    assert!(read_questions(Path::new("/nowhere")).unwrap_err().to_string().contains("'/nowhere'"));
}
