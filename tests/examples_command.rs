//! `eruca examples` as its users start it, and the leak control of `eruca eval`.

use crate::cli::run;
use eruca_testing::helpers::{QUESTION, folder};
use eruca_testing::programs::{stderr, stdout};
use serde_json::Value;
use std::path::Path;

const CITY: &str = "PREFIX : <https://example.org/cities/>";

/// What a command says on success, with the folder left out of paths.
fn said(folder: &Path, arguments: &[&str]) -> String {
    let output = run(folder, arguments);
    assert_eq!(output.status.code(), Some(0), "{arguments:?}: {}", stderr(&output));
    stdout(&output).replace(&format!("{}/", folder.display()), "")
}

/// What a command says that fails: on stdout, then on stderr.
fn failed(folder: &Path, arguments: &[&str]) -> String {
    let output = run(folder, arguments);
    assert_eq!(output.status.code(), Some(1), "{arguments:?}: {}", stdout(&output));
    format!("{}{}", stdout(&output), stderr(&output)).replace(&format!("{}/", folder.display()), "")
}

/// The only file of verified questions.
fn file(folder: &Path, name: &str) -> std::path::PathBuf {
    let mut datasets = std::fs::read_dir(folder.join("knowledge")).unwrap();
    datasets.next().unwrap().unwrap().path().join("questions").join(name)
}

fn add(folder: &Path, question: &str, query: &str, more: &[&str]) -> Vec<String> {
    let query = format!("{CITY} {query}");
    let arguments = ["examples", "add", question, "--sparql", &query, "--by", "Ada"];
    let all: Vec<&str> = arguments.into_iter().chain(more.iter().copied()).collect();
    let output = run(folder, &all);
    vec![stdout(&output), stderr(&output)]
}

#[test]
fn questions_are_added_listed_used_and_removed() {
    let folder = folder();
    let folder = folder.path();
    assert!(said(folder, &["examples", "list"]).contains("no question is verified yet"));
    let question = "Which place is the seat of France?";
    let query = "SELECT ?c { :France :capital ?c }";
    let parameter = ["--parameter", "France=<https://example.org/cities/France>", "--lang", "en"];
    let [out, errors] = add(folder, question, query, &parameter).try_into().unwrap();
    assert!(out.contains("questions.toml: 1 row"), "{out}{errors}");
    assert!(said(folder, &["examples", "list"]).starts_with(&format!("{question}\tAda, 2")));
    let answer = said(folder, &["ask", "--answer", "which place is the seat of france"]);
    assert!(answer.contains("Paris") && answer.contains("Verified by Ada on 2"), "{answer}");
    let again = add(folder, question, query, &[]).concat();
    assert!(again.contains("is not added: it is in "), "{again}");
    let check = stdout(&run(folder, &["check"]));
    assert!(
        check.contains("verified questions") && check.contains("eruca examples test runs them"),
        "{check}"
    );
    let gone = failed(folder, &["examples", "remove", "Which place?"]);
    assert!(gone.contains("there is no verified question 'Which place?'"), "{gone}");
    assert!(
        said(folder, &["examples", "remove", "which place is the SEAT of France"]).starts_with("removed")
    );
    assert!(said(folder, &["examples", "list"]).contains("no question is verified yet"));
}

#[test]
fn a_question_with_a_name_is_a_page() {
    let folder = folder();
    let folder = folder.path();
    let query = "SELECT ?c { :France :capital ?c }";
    let name = ["--name", "seat", "--view", "list", "--refresh", "10m"];
    let parameter = ["--parameter", "France=<https://example.org/cities/France> as country"];
    let more = [name.as_slice(), parameter.as_slice()].concat();
    let [out, errors] = add(folder, "Which place is the seat of France?", query, &more).try_into().unwrap();
    assert!(out.contains("questions.toml: 1 row"), "{out}{errors}");
    assert!(said(folder, &["examples", "list"]).contains("\t1 row\t/q/seat\tquestions.toml"));
    let text = std::fs::read_to_string(file(folder, "questions.toml")).unwrap();
    for line in ["name = \"seat\"", "view = \"list\"", "refresh = \"10m\"", "as = \"country\" }"] {
        assert!(text.contains(line), "{text}");
    }
    let other = add(folder, "What is the seat?", query, &["--name", "seat"]).concat();
    assert!(other.contains("'Which place is the seat of France?' has the same name"), "{other}");
    let wrong = add(folder, "What is the seat?", query, &["--name", "The Seat"]).concat();
    assert!(wrong.contains("'name' is 'The Seat'; it must have at most 64 small letters"), "{wrong}");
    let twice = text.replace("Which place", "What").replacen("[[questions]]", "\n[[questions]]", 1);
    std::fs::write(file(folder, "more.toml"), twice).unwrap();
    let check = stdout(&run(folder, &["check"]));
    assert!(check.contains("two questions have the name 'seat'"), "{check}");
    let changed = text.replace("rows = 1", "rows = 7");
    std::fs::remove_file(file(folder, "more.toml")).unwrap();
    std::fs::write(file(folder, "questions.toml"), changed).unwrap();
    let tested = said(folder, &["examples", "test"]);
    assert!(tested.contains("1 give what was verified"), "its result may change: {tested}");
}

#[test]
fn a_wrong_question_is_not_added() {
    let folder = folder();
    let wrong = |query: &str, more: &[&str]| {
        let said = add(folder.path(), "Who?", query, more).concat();
        said.split_once("is not added: ").map(|(_, reason)| reason.to_owned()).unwrap_or(said)
    };
    assert!(wrong("SELECT ?c {", &[]).contains("syntax"), "{}", wrong("SELECT ?c {", &[]));
    assert!(wrong("DELETE WHERE { ?s ?p ?o }", &[]).contains("DELETE is an update"));
    let parameter = ["--parameter", "Rome=<https://example.org/cities/France>"];
    assert!(wrong("ASK { :France ?p ?o }", &parameter).contains("must stand in the question once"));
    let parameter = ["--parameter", "Who=<https://example.org/cities/Oslo>"];
    assert!(wrong("ASK { :France ?p ?o }", &parameter).contains("is not in the query"));
    assert!(!folder.path().join("knowledge").exists());
}

#[test]
fn what_no_longer_gives_what_it_gave_is_set_aside_until_it_is_accepted() {
    let folder = folder();
    let folder = folder.path();
    add(folder, "How many seats are there?", "SELECT (COUNT(?c) AS ?n) { ?s :capital ?c }", &[]);
    add(folder, "Which place is the seat of France?", "SELECT ?c { :France :capital ?c }", &[]);
    let test = ["examples", "test"];
    assert!(said(folder, &test).contains("2 verified questions: 2 give what was verified"));
    let file = file(folder, "questions.toml");
    let text = std::fs::read_to_string(&file).unwrap();
    let changed =
        text.replace(":France :capital ?c", ":Germany :capital ?c").replace("COUNT(?c)", "COUNT(?c");
    std::fs::write(&file, changed).unwrap();
    let told = failed(folder, &test);
    assert!(told.contains("set aside: How many seats are there?: the query does not run: "), "{told}");
    assert!(told.contains("the result has changed from 1 row to other rows"), "{told}");
    assert!(told.contains("2 of 2 verified questions are set aside"), "{told}");
    assert!(said(folder, &["examples", "list"]).contains("set aside: the result has changed"));
    let check = stdout(&run(folder, &["check"]));
    assert!(check.contains("2, of which 2 are set aside"), "{check}");
    let told = failed(folder, &["examples", "test", "--accept"]);
    assert!(told.contains("counts again: Which place is the seat of France?"), "{told}");
    std::fs::write(&file, text).unwrap();
    assert!(said(folder, &test).contains("2 give what was verified"));
}

#[test]
fn files_of_other_programs_are_imported_and_those_that_fail_are_told() {
    let folder = folder();
    let folder = folder.path();
    std::fs::create_dir(folder.join("queries")).unwrap();
    let write = |name: &str, text: &str| std::fs::write(folder.join(name), text).unwrap();
    write(
        "queries/a.rq",
        "# Which places are seats?\nPREFIX : <https://example.org/cities/>\nSELECT ?c { ?s :capital ?c }",
    );
    write("queries/b.sparql", "#title: Broken\nSELECT ?c {");
    write(
        "Bench 1.yml",
        "dataset: {id: x, prefix: ck}\nquestions:\n- id: 7\n  question: {en: Is there a seat?, de: Gibt es einen Sitz?}\n  query: {sparql: 'ASK { ?s ?p ?o }'}\n- id: 8\n  question: {en: Unknown?}\n",
    );
    let told = failed(folder, &["examples", "import", "queries", "Bench 1.yml", "--by", "Bo"]);
    assert!(told.contains("not imported: Broken: "), "{told}");
    assert!(told.contains("3 of 4 questions were added; 0 were there already"), "{told}");
    let list = said(folder, &["examples", "list"]);
    assert_eq!(list.matches("\tBo, 2").count(), 3, "{list}");
    assert!(list.contains("bench-1.toml") && list.contains("queries.toml"), "{list}");
    let told = said(folder, &["examples", "import", "Bench 1.yml", "--lang", "de", "--by", "Bo"]);
    assert!(told.contains("0 of 1 questions were added; 1 were there already"), "{told}");
}

#[test]
fn a_benchmark_does_not_see_its_own_questions_unless_that_is_wanted() {
    let folder = folder();
    let folder = folder.path();
    let line = serde_json::json!({"id": "seat", "question": "Which place is the seat of France?", "lang": "en",
        "sparql": format!("{CITY} SELECT ?c {{ :France :capital ?c }}")});
    std::fs::write(folder.join("q.jsonl"), format!("{line}\n")).unwrap();
    add(folder, "Which is the seat, the place of France?", "SELECT ?c { :France :capital ?c }", &[]);
    add(folder, "Which place is the seat of France?", "SELECT ?c { :France  :capital  ?c . }", &[]);
    add(folder, QUESTION, "ASK { ?s ?p ?o }", &[]);
    let summary = |out: &str| -> Value {
        serde_json::from_str(&std::fs::read_to_string(folder.join(out).join("summary.json")).unwrap())
            .unwrap()
    };
    let told = said(folder, &["eval", "--questions", "q.jsonl", "--out", "a"]);
    assert!(told.contains("examples     1 used, 2 left out because the benchmark asks them"), "{told}");
    let examples = &summary("a")["examples"];
    assert_eq!((&examples["used"], &examples["left_out"]), (&1.into(), &2.into()));
    assert_eq!(summary("a")["by_answered_by"].get("verified"), None);
    let told = said(folder, &["eval", "--questions", "q.jsonl", "--out", "b", "--leak"]);
    assert!(told.contains("3 used, also those that the benchmark asks (--leak)"), "{told}");
    assert_eq!(summary("b")["by_answered_by"]["verified"]["questions"], 1);
    let report = std::fs::read_to_string(folder.join("b/report.html")).unwrap();
    assert!(report.contains("Leak: 3 verified questions"), "the report says so");
}
