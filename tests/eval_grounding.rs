//! `eruca eval --grounding` as its users start it: which terms of gold queries are found for the words of a question, by words and by
//! the vectors of a stand-in for an embedding model.

use crate::cli::run;
use crate::startup::with_embedding;
use eruca_testing::helpers::folder;
use eruca_testing::programs::{stderr, stdout};
use serde_json::{Value, json};
use std::path::Path;
use tokio::task::block_in_place;
use wiremock::matchers::method;
use wiremock::{Mock, MockServer, Request, ResponseTemplate};

fn write_questions(folder: &Path) {
    let question = |id: &str, lang: &str, text: &str, sparql: &str| {
        let sparql = format!("PREFIX : <https://example.org/cities/> {sparql}");
        json!({"id": id, "question": text, "lang": lang, "sparql": sparql})
    };
    let lines = [
        question("capital", "en", "What is the capital of France?", "SELECT ?c { :France :capital ?c }"),
        question(
            "folks",
            "en",
            "How many folks call Toulouse home?",
            "SELECT ?n { :Toulouse :population ?n }",
        ),
        question("village", "en", "Which villages are there?", "SELECT ?x { ?x a :Village }"),
        question(
            "land",
            "de",
            "Welche Hauptstadt hat das Land Frankreich?",
            "SELECT ?c { ?l a :Country ; rdfs:label \"Frankreich\"@de ; :capital ?c }",
        ),
        question("broken", "de", "Was?", "SELECT ?x { ?x "),
    ];
    std::fs::write(folder.join("q.jsonl"), lines.map(|line| format!("{line}\n")).concat()).unwrap();
}

fn grounding(folder: &Path, out: &str, more: &[&str]) -> String {
    let arguments = ["eval", "--grounding", "--questions", "q.jsonl", "--k", "1,3", "--out", out];
    let output = run(folder, &[&arguments[..], more].concat());
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    stdout(&output)
}

fn records(folder: &Path, out: &str) -> Vec<Value> {
    let text = std::fs::read_to_string(folder.join(out).join("grounding.jsonl")).unwrap();
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

/// The record of a term by the end of its IRI.
fn term(records: &[Value], id: &str, end: &str) -> Value {
    let record = records.iter().find(|record| record["id"] == id).unwrap();
    let terms = record["terms"].as_array().unwrap();
    terms.iter().find(|term| term["term"].as_str().unwrap().ends_with(end)).unwrap().clone()
}

#[test]
fn terms_are_looked_for_by_words_and_it_is_told_where_they_are_lost() {
    let folder = folder();
    write_questions(folder.path());
    let said = grounding(folder.path(), "words", &["--jobs", "2"]);
    assert!(said.contains("5 questions: 1 not measured") && said.contains("words only"), "{said}");
    assert!(said.contains("not measured broken: the gold query cannot be read"), "{said}");
    let records = records(folder.path(), "words");
    let france = term(&records, "capital", "/France");
    assert_eq!((&france["kind"], &france["told"]), (&json!("entity"), &json!(true)));
    assert_eq!((&france["ranks"]["spans, words"], &france["lost"]), (&json!(1), &Value::Null));
    assert_eq!(term(&records, "capital", "/capital")["ranks"]["grounding, words"], 1);
    let population = term(&records, "folks", "/population");
    assert_eq!(population["lost"]["reason"], "implicit", "{population}");
    assert_eq!(
        (&population["told"], &population["shown"]),
        (&json!(false), &json!(true)),
        "the card of a small graph shows all"
    );
    let village = term(&records, "village", "/Village");
    assert_eq!((&village["kind"], &village["lost"]["reason"]), (&json!("class"), &json!("not_in_graph")));
    let name = term(&records, "land", "Frankreich");
    assert_eq!((&name["kind"], &name["ranks"]["spans, words"]), (&json!("value"), &json!(1)), "{name}");
    let summary = std::fs::read_to_string(folder.path().join("words/grounding.json")).unwrap();
    let summary: Value = serde_json::from_str(&summary).unwrap();
    assert_eq!((&summary["failed"], &summary["models"]), (&json!(1), &json!([])));
    let report = std::fs::read_to_string(folder.path().join("words/grounding.html")).unwrap();
    assert!(report.contains("How many folks call Toulouse home?") && !report.contains("src="));
}

#[test]
fn the_tables_are_those_of_papers() {
    let folder = folder();
    write_questions(folder.path());
    let said = grounding(folder.path(), "out", &["--ids", "capital,folks", "--table", "markdown"]);
    insta::assert_snapshot!(said, @r"
    | search | language | kind | questions | terms | @1 | @3 | 95 % @3 | MRR | hits @3 |
    |---|---|---|---|---|---|---|---|---|---|
    | grounding, words | en | entity | 2 | 2 | 1.000 | 1.000 | 1.00 to 1.00 | 1.000 | 1.0 |
    | grounding, words | en | property | 2 | 2 | 0.500 | 0.500 | 0.00 to 1.00 | 0.500 | 0.5 |
    | grounding, words | en | all | 2 | 4 | 0.750 | 0.750 | 0.50 to 1.00 | 0.750 | 3.0 |
    | question, words | en | entity | 2 | 2 | 1.000 | 1.000 | 1.00 to 1.00 | 1.000 | 1.0 |
    | question, words | en | property | 2 | 2 | 0.500 | 0.500 | 0.00 to 1.00 | 0.500 | 1.0 |
    | question, words | en | all | 2 | 4 | 0.750 | 0.750 | 0.50 to 1.00 | 0.750 | 3.0 |
    | spans, words | en | entity | 2 | 2 | 1.000 | 1.000 | 1.00 to 1.00 | 1.000 | 1.0 |
    | spans, words | en | property | 2 | 2 | 0.500 | 0.500 | 0.00 to 1.00 | 0.500 | 1.0 |
    | spans, words | en | all | 2 | 4 | 0.750 | 0.750 | 0.50 to 1.00 | 0.750 | 3.0 |

    | language | kind | questions | terms | told | 95 % | with the graph | 95 % |
    |---|---|---|---|---|---|---|---|
    | en | entity | 2 | 2 | 1.000 | 1.00 to 1.00 | 1.000 | 1.00 to 1.00 |
    | en | property | 2 | 2 | 0.500 | 0.00 to 1.00 | 1.000 | 1.00 to 1.00 |
    | en | all | 2 | 4 | 0.750 | 0.50 to 1.00 | 1.000 | 1.00 to 1.00 |

    | lost | kind | terms | in the prompt all the same | with a rank up to 1,000 |
    |---|---|---|---|---|
    | implicit: no name shares a word with the question | property | 1 | 1 | 0 |
    ");
}

/// A server with OpenAI's `/embeddings` for which how many live somewhere is the same in any words.
async fn meanings() -> MockServer {
    let server = MockServer::builder().start().await;
    let vector = |text: &str| match () {
        () if ["folks", "population"].iter().any(|word| text.contains(word)) => [1.0, 0.1, 0.0],
        () if text.contains("capital") => [0.0, 1.0, 0.1],
        () => [0.1, 0.0, 1.0],
    };
    let reply = move |request: &Request| {
        let body: Value = request.body_json().unwrap();
        let texts = body["input"].as_array().cloned().unwrap_or_else(|| vec![body["input"].clone()]);
        let texts = texts.iter().enumerate();
        let data: Vec<Value> = texts
            .map(|(index, text)| json!({"index": index, "embedding": vector(text.as_str().unwrap())}))
            .collect();
        ResponseTemplate::new(200).set_body_json(json!({ "data": data }))
    };
    Mock::given(method("POST")).respond_with(reply).mount(&server).await;
    server
}

#[tokio::test(flavor = "multi_thread")]
async fn vectors_find_what_words_cannot_and_both_runs_are_compared() {
    let folder = folder();
    write_questions(folder.path());
    block_in_place(|| grounding(folder.path(), "words", &[]));
    let server = meanings().await;
    let toml = with_embedding(&server.uri(), "small").replace("\"index\"", "\"index-with-vectors\"");
    std::fs::write(folder.path().join("eruca.toml"), toml).unwrap();
    let said = block_in_place(|| grounding(folder.path(), "vectors", &[]));
    assert!(said.contains("vectors      small"), "{said}");
    let records = records(folder.path(), "vectors");
    let population = term(&records, "folks", "/population");
    let ranks = &population["ranks"];
    assert_eq!(
        (&ranks["question, words"], &ranks["question, vectors"]),
        (&Value::Null, &json!(1)),
        "{ranks}"
    );
    assert_eq!((&ranks["spans, both"], &population["lost"]), (&json!(1), &Value::Null), "{population}");
    let toulouse = term(&records, "folks", "/Toulouse");
    assert!(toulouse["ranks"].get("spans, vectors").is_none(), "things have no vectors: {toulouse}");
    let compared =
        block_in_place(|| run(folder.path(), &["eval", "--grounding", "--compare", "words", "vectors"]));
    assert_eq!(compared.status.code(), Some(0), "{}", stderr(&compared));
    let said = stdout(&compared);
    let line = said.lines().find(|line| {
        line.starts_with("question, words : question, both")
            && line.contains("property")
            && line.contains("@1 ")
    });
    assert!(line.is_some_and(|line| line.contains("+0.")), "{said}");
}

#[test]
fn wrong_choices_are_told() {
    let folder = folder();
    write_questions(folder.path());
    let all = ["eval", "--grounding", "--questions", "q.jsonl", "--out", "o"];
    let cases: [(&[&str], i32, &str); 4] = [
        (&["--k", "0"], 2, "'0' is no number of first hits"),
        (&["--threshold", "0.9"], 2, "--threshold"),
        (&["--gold", "g.json"], 2, "--gold"),
        (&["--lang", "fr"], 1, "language 'fr'"),
    ];
    for (more, code, expected) in cases {
        let output = run(folder.path(), &[&all[..], more].concat());
        assert_eq!(output.status.code(), Some(code), "{more:?}: {}", stderr(&output));
        assert!(stderr(&output).contains(expected), "{more:?}: {}", stderr(&output));
    }
    let without = run(folder.path(), &["eval", "--questions", "q.jsonl", "--out", "o", "--k", "1"]);
    assert!(without.status.code() == Some(2) && stderr(&without).contains("--grounding"));
    let three = run(folder.path(), &["eval", "--grounding", "--compare", "a", "b", "c"]);
    assert!(stderr(&three).contains("takes two folders"), "{}", stderr(&three));
    assert!(!folder.path().join("o").exists(), "nothing is written");
}
