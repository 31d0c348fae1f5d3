//! Small files in every format, and error messages for broken ones.

use super::*;
use crate::metrics::result_set;

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

/// `id: values` of the stored answers; `-` is none.
fn stored(text: &str) -> Vec<String> {
    let of = |question: EvalQuestion| {
        let values = question.stored.map(|stored| result_set(&stored.answer()));
        let shown = values.map(|set| {
            let members =
                set.into_iter().map(|(value, found)| if found > 0 { value } else { format!("not {value}") });
            members.collect::<Vec<_>>().join(", ")
        });
        format!("{}: {}", question.id, shown.unwrap_or_else(|| "-".to_owned()))
    };
    read_text(text).unwrap().questions.into_iter().map(of).collect()
}

#[test]
fn answers_of_qald_are_results_of_sparql() {
    let text = r#"{"questions": [
        {"id": 1, "question": [{"language": "en", "string": "Which moons?"}, {"language": "de", "string": "Welche Monde?"}],
         "query": {"sparql": "SELECT ?m {}"}, "answers": [{"head": {"vars": ["m"]}, "results": {"bindings": [
            {"m": {"type": "uri", "value": "http://e.x/Io"}}, {"m": {"type": "uri", "value": "http://e.x/Ganymed"}}]}}]},
        {"id": 2, "question": [{"language": "en", "string": "Is it?"}], "answers": [{"head": {}, "boolean": false}]},
        {"id": 3, "question": [{"language": "en", "string": "Who?"}], "answers": []}]}"#;
    let moons = "http://e.x/Ganymed, http://e.x/Io";
    assert_eq!(
        stored(text),
        [&format!("1-en: {moons}"), &format!("1-de: {moons}"), "2-en: not true", "3-en: -"]
    );
}

#[test]
fn wiki_web_questions() {
    let text = r#"[{"id": "W-1", "utterance": "which moons does it have?", "sparql": "SELECT ?x {}",
        "results": [{"x": {"type": "uri", "value": "http://e.x/Io"}}]},
        {"id": "W-2", "utterance": "which rings?", "sparql": "SELECT ?x {}", "results": []}]"#;
    let (format, _, questions) = shown(text);
    assert_eq!(
        (format, &*questions[0]),
        ("WikiWebQuestions JSON", "W-1|which moons does it have?|-|SELECT ?x {}|-")
    );
    assert_eq!(stored(text), ["W-1: http://e.x/Io", "W-2: "], "no row is an answer as well");
}

#[test]
fn spinach_with_its_published_output() {
    let text = r#"[{"question": "Which moons?", "predicted_sparql": "SELECT ?y {}", "gold_sparql": "SELECT ?m {}", "f1": 0.5,
        "predicted_answer_tuple": [{"y": {"type": "uri", "value": "http://e.x/Ceres"}}],
        "gold_answer_tuple": [{"m": {"type": "uri", "value": "http://e.x/Io"}, "mLabel": {"type": "literal", "value": "Io"}}]},
        {"question": "Is it?", "gold_sparql": "ASK {}", "gold_answer_tuple": true},
        {"question": "Which?", "gold_sparql": "SELECT ?m {}", "gold_answer_tuple": null, "answers": ["Io"]}]"#;
    let (format, _, questions) = shown(text);
    assert_eq!((format, &*questions[0]), ("SPINACH JSON", "1|Which moons?|-|SELECT ?m {}|-"));
    assert_eq!(stored(text), ["1: Io, http://e.x/Io", "2: true", "3: Io"]);
}

#[test]
fn answers_of_lc_quad() {
    let two = r#"[{"uid": 7, "question": "Which moon?", "sparql_wikidata": "SELECT ?a {}", "answer": []},
        {"uid": 8, "question": "How many?", "sparql_wikidata": "SELECT ?a {}", "answer": [4]}]"#;
    assert_eq!(stored(two), ["7: -", "8: 4"]);
    let one = r#"[{"_id": "9", "corrected_question": "Which?", "sparql_query": "SELECT ?a {}", "answers": ["http://e.x/Io"]}]"#;
    assert_eq!(stored(one), ["9: http://e.x/Io"]);
}

#[test]
fn rubq() {
    let text = r#"[{"uid": 5, "question_text": "Какой спутник?", "question_eng": "Which moon?", "query": "SELECT ?answer \nWHERE {}",
        "answer_text": "Ио", "answers": [{"type": "uri", "label": "Ио", "value": "http://e.x/Io", "wd_names": {"en": ["Io"]}, "wp_names": []}],
        "tags": ["1-hop"]},
        {"uid": 6, "question_text": "Когда?", "question_eng": "When?", "query": "", "answer_text": "1610",
        "answers": [{"type": "literal", "value": "1610-01-08T00:00:00Z", "datatype": "http://www.w3.org/2001/XMLSchema#dateTime"}]},
        {"uid": 8, "question_text": "Кто?", "question_eng": null, "query": null, "answers": []}]"#;
    let (format, _, questions) = shown(text);
    assert_eq!(format, "RuBQ JSON");
    assert_eq!(
        questions[..2],
        [
            "5-ru|Какой спутник?|ru|SELECT ?answer \nWHERE {}|-",
            "5-en|Which moon?|en|SELECT ?answer \nWHERE {}|-"
        ]
    );
    assert_eq!(questions[2..], ["6-ru|Когда?|ru|-|-", "6-en|When?|en|-|-", "8-ru|Кто?|ru|-|-"]);
    let when = "1610-01-08T00:00:00Z";
    let expected = [
        "5-ru: http://e.x/Io",
        "5-en: http://e.x/Io",
        &format!("6-ru: {when}"),
        &format!("6-en: {when}"),
        "8-ru: -",
    ];
    assert_eq!(stored(text), expected);
}

#[test]
fn simple_questions_become_queries() {
    let text = "Q17\tP5\tQ29\twhich moon does it have\n\nQ29\tR5\tQ17\twhich planet has it\n";
    let (format, _, questions) = shown(text);
    assert_eq!(format, "SimpleQuestions-Wikidata TSV");
    assert_eq!(
        questions,
        [
            "1|which moon does it have|-|SELECT DISTINCT ?answer WHERE { wd:Q17 wdt:P5 ?answer }|-",
            "3|which planet has it|-|SELECT DISTINCT ?answer WHERE { ?answer wdt:P5 wd:Q29 }|-"
        ]
    );
    assert_eq!(
        stored(text),
        ["1: http://www.wikidata.org/entity/Q29", "3: http://www.wikidata.org/entity/Q17"]
    );
    let error = read_text("Q17\tP5\tQ29\twhich moon\nQ17\tP5\tQ29\n").unwrap_err().to_string();
    assert!(error.contains("line 2: expected a subject, a property"), "{error}");
}

#[test]
fn mcwq() {
    let text = r#"[{"questionIdx": 4, "questionPatternModEntities": "Did M0 's moon orbit M1", "sparql": "ASK { }",
        "questionWithBrackets": "Did [Jupiter] 's moon orbit [Io (moon)] , and [Ceres]", "questionWithBrackets_zh": "[木星] 的卫星",
        "expectedResponse": false, "recursionDepth": 20},
        {"questionWithBrackets": "What orbits [Jupiter]", "sparql_query": "SELECT ?x0 {}", "expectedResponse": ["Q1"]}]"#;
    let (format, _, questions) = shown(text);
    assert_eq!(format, "MCWQ JSON");
    assert_eq!(
        questions,
        [
            "1-en|Did Jupiter's moon orbit Io (moon), and Ceres|en|ASK { }|-",
            "1-zh|木星 的卫星|zh|ASK { }|-",
            "2-en|What orbits Jupiter|en|SELECT ?x0 {}|-"
        ]
    );
    assert_eq!(stored(text), ["1-en: not true", "1-zh: not true", "2-en: Q1"]);
}

#[test]
fn kqa_pro() {
    let text = r#"[{"question": "Which moon is larger?", "choices": ["Io", "Europa"], "program": [],
        "sparql": "SELECT ?e WHERE { ?e <pred:name> \"Io\" }", "answer": "Io"},
        {"question": "Is it a moon?", "choices": ["yes", "no"], "sparql": "ASK { ?e <pred:name> \"Io\" }", "answer": "no"},
        {"question": "Which word?", "choices": ["yes", "maybe"], "sparql": "SELECT ?w {}", "answer": "yes"},
        {"question": "Of the test part?", "choices": ["a"]}]"#;
    let (format, _, questions) = shown(text);
    assert_eq!(
        (format, &*questions[1]),
        ("KQA Pro JSON", "2|Is it a moon?|-|ASK { ?e <pred:name> \"Io\" }|-")
    );
    assert_eq!(stored(text), ["1: Io", "2: not true", "3: yes", "4: -"]);
}

#[test]
fn mintaka() {
    let text = r#"[{"id": "a1", "question": "Which moons?", "translations": {"de": "Welche Monde?", "fr": null},
        "questionEntity": [{"name": "Q319", "entityType": "entity"}],
        "answer": {"answerType": "entity", "answer": [{"name": "Q3123", "label": "Io"}, {"name": null, "label": {"de": "Thebe"}}], "mention": "Io"}},
        {"id": "a2", "question": "Is it?", "translations": {}, "answer": {"answerType": "boolean", "answer": [true], "mention": "Yes"}},
        {"id": "a3", "question": "How many?", "translations": {}, "answer": {"answerType": "numerical", "answer": [95]}},
        {"id": "a4", "question": "Since when?", "translations": {}, "answer": {"answerType": "date", "answer": ["1610"]}},
        {"id": "a5", "question": "Who?", "translations": {}, "answer": {"answerType": "entity", "answer": null}}]"#;
    let (format, _, questions) = shown(text);
    assert_eq!(
        (format, &questions[..2]),
        (
            "Mintaka JSON",
            &["a1-en|Which moons?|en|-|-".to_owned(), "a1-de|Welche Monde?|de|-|-".to_owned()][..]
        )
    );
    let moons = "Thebe, http://www.wikidata.org/entity/Q3123";
    let expected = [
        &format!("a1-en: {moons}"),
        &format!("a1-de: {moons}"),
        "a2-en: true",
        "a3-en: 95",
        "a4-en: 1610",
        "a5-en: -",
    ];
    assert_eq!(stored(text), expected);
}

#[test]
fn lines_of_grasp_and_of_spider() {
    let term = r#"{"x": {"type": "uri", "value": "http://e.x/Io"}}"#;
    let table = format!(r#"[{{"head": {{"vars": ["x"]}}, "results": {{"bindings": [{term}]}}}}]"#);
    let lines = [
        format!(r#"{{"id": "test_0", "question": "Which?", "sparql": "SELECT ?x {{}}", "paraphrases": ["And which?"], "info": {{"answers": {table}}}}}"#),
        format!(r#"{{"id": "test_1", "question": "Which?", "sparql": "SELECT ?x {{}}", "paraphrases": [], "info": {{"answers": {}}}}}"#, serde_json::json!(table)),
        format!(r#"{{"id": "test_2", "question": "Which?", "sparql": "SELECT ?x {{}}", "paraphrases": [], "info": {{"results": [{term}]}}}}"#),
        r#"{"id": "bird_3", "question": "How many races?", "sparql": "SELECT (COUNT(?r) AS ?n) {}", "paraphrases": [], "info": {"db_id": "formula", "evidence": "race = entry"}}"#.to_owned(),
        r#"{"id": "s4s-1", "question": "How many?", "sparql": "SELECT ?n {}", "data": "concerts.ttl", "results": [{"n": {"type": "literal", "value": "3"}}]}"#.to_owned(),
    ];
    let text = lines.join("\n");
    let (format, _, questions) = shown(&text);
    assert_eq!((format, &*questions[4]), ("JSONL", "s4s-1|How many?|-|SELECT ?n {}|concerts.ttl"));
    let io = "http://e.x/Io";
    let expected = [
        &format!("test_0: {io}"),
        &format!("test_1: {io}"),
        &format!("test_2: {io}"),
        "bird_3: -",
        "s4s-1: 3",
    ];
    assert_eq!(stored(&text), expected);
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
