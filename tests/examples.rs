//! Verified questions: answered by their query at once, lent to a model, and kept in files by the command line.

use eruca::llm::{ChatModel, Message, ScriptedModel};
use eruca::service::{Ask, Question, Run, Service};
use eruca::startup;
use eruca::trace::{AnsweredBy, StopReason};
use eruca_api::{Confidence, Insight};
use eruca_indexer::NoProgress;
use eruca_knowledge::questions::{Parameter, VerifiedQuestion, add};
use eruca_testing::helpers::data;
use eruca_testing::scripted::{Setup, answers};
use serde_json::Value;
use std::path::PathBuf;
use std::sync::Arc;

const V: &str = "PREFIX v: <http://lamps.example/v/>";

fn lamps() -> Setup {
    let file = Value::from(data("lamps.ttl"));
    Setup::new(&format!("[[datasets]]\nid = \"graph\"\nfiles = [{file}]"))
}

fn questions_of(setup: &Setup) -> PathBuf {
    setup.settings.datasets[0].knowledge.clone().unwrap().folder.join("questions")
}

/// A question verified with a query that no planner would make of it.
fn verified(question: &str, query: &str) -> VerifiedQuestion {
    VerifiedQuestion {
        question: question.to_owned(),
        lang: Some("en".to_owned()),
        query: format!("{V} {query}"),
        by: "Ada <b>".to_owned(),
        at: "2026-01-31".to_owned(),
        ..VerifiedQuestion::default()
    }
}

fn tall() -> VerifiedQuestion {
    verified("Which pieces need the ladder?", "SELECT ?x { ?x v:height ?h FILTER(?h > 45) }")
}

async fn asked(service: &Arc<Service>, text: &str) -> Run {
    let question = Question { dataset: "graph".to_owned(), text: text.to_owned() };
    let ask = Ask { reader: Some("en".to_owned()), ..Ask::alone(question) };
    let handle = service.ask(ask).unwrap();
    let _reader = handle.read(0);
    let _outcome = handle.finished().await;
    handle.run()
}

async fn open(setup: &Setup) -> Arc<Service> {
    startup::open_service(&setup.settings, &NoProgress).await.unwrap()
}

fn names(run: &Run) -> Vec<String> {
    let mut names: Vec<String> = run.rows.iter().flat_map(|rows| rows.labels.values().cloned()).collect();
    names.sort();
    names
}

fn insight(run: &Run) -> &Insight {
    run.trace.as_ref().unwrap().insight.as_ref().unwrap()
}

#[tokio::test]
async fn a_verified_question_is_answered_by_its_query_and_says_so() {
    let setup = lamps();
    add(&questions_of(&setup), "a.toml", &[tall()]).unwrap();
    let service = open(&setup).await;
    let run = asked(&service, "which PIECES need the ladder").await;
    assert_eq!(names(&run), ["Bow", "Elm", "Fir"]);
    let trace = run.trace.as_ref().unwrap();
    assert_eq!((trace.answered_by, trace.stop), (AnsweredBy::Verified, StopReason::Verified));
    assert_eq!(insight(&run).confidence, Confidence::Sure);
    let verified = trace.verified.as_ref().unwrap();
    assert_eq!((verified.text.as_str(), verified.changed), ("Verified by Ada <b> on 2026-01-31.", false));
    assert!(run.answer.is_some_and(|words| words.text.contains("Bow")));
    let other = asked(&service, "Which pieces need no ladder?").await;
    assert!(other.trace.unwrap().verified.is_none());
}

#[tokio::test]
async fn no_model_is_asked_for_a_verified_question() {
    let setup = lamps();
    add(&questions_of(&setup), "a.toml", &[tall()]).unwrap();
    let model = Arc::new(ScriptedModel::new([]));
    let answered =
        setup.ask_model("Which pieces need the ladder?", model.clone() as Arc<dyn ChatModel>).await;
    assert_eq!((answered.trace.model_calls, model.requests().len()), (0, 0));
    assert_eq!(answered.results.unwrap().row_count(), 3);
}

#[tokio::test]
async fn a_query_that_does_not_run_or_is_set_aside_answers_nothing() {
    let setup = lamps();
    let question = "How tall is the Arc?";
    let broken = VerifiedQuestion { query: "SELECT ?x {".to_owned(), ..verified(question, "") };
    let aside = VerifiedQuestion { aside: Some("wrong".to_owned()), ..tall() };
    add(&questions_of(&setup), "a.toml", &[broken, aside]).unwrap();
    let service = open(&setup).await;
    let run = asked(&service, question).await;
    assert_eq!(run.trace.as_ref().unwrap().answered_by, AnsweredBy::Planner);
    assert!(run.answer.as_ref().is_some_and(|words| words.text.contains("30")), "{:?}", run.answer);
    assert!(asked(&service, "Which pieces need the ladder?").await.trace.unwrap().verified.is_none());
}

#[tokio::test]
async fn a_result_that_has_changed_is_told_and_one_that_is_gone_not_sure() {
    let setup = lamps();
    let known = |rows| Some(eruca_knowledge::questions::Outcome { rows, digest: None });
    let gone = verified("Which pieces touch the roof?", "SELECT ?x { ?x v:height ?h FILTER(?h > 900) }");
    let questions =
        [VerifiedQuestion { outcome: known(2), ..tall() }, VerifiedQuestion { outcome: known(2), ..gone }];
    add(&questions_of(&setup), "a.toml", &questions).unwrap();
    let service = open(&setup).await;
    let run = asked(&service, "Which pieces need the ladder?").await;
    let told = run.trace.as_ref().unwrap().verified.as_ref().unwrap();
    let expected = "Verified by Ada <b> on 2026-01-31; the result has changed since then.";
    assert_eq!((told.changed, told.text.as_str()), (true, expected));
    assert_eq!(insight(&run).confidence, Confidence::Sure);
    let run = asked(&service, "Which pieces touch the roof?").await;
    assert_eq!((names(&run).len(), insight(&run).confidence), (0, Confidence::Likely));
}

#[tokio::test]
async fn a_file_that_changes_is_used_without_a_restart_and_a_wrong_one_is_told() {
    let setup = lamps();
    let service = open(&setup).await;
    let is_verified =
        async || asked(&service, "Which pieces need the ladder?").await.trace.unwrap().verified.is_some();
    assert!(!is_verified().await);
    let file = add(&questions_of(&setup), "a.toml", &[tall()]).unwrap();
    service.reload_changed().await;
    assert!(is_verified().await, "a cached answer does not hide it");
    let wrong = file.with_file_name("b.toml");
    std::fs::write(&wrong, "[[questions]]\nquestion = 'a?'\n").unwrap();
    service.reload_changed().await;
    assert!(is_verified().await);
    let told = service.degraded().into_iter().filter(|line| line.contains("b.toml line 1")).count();
    assert_eq!(told, 1, "{:?}", service.degraded());
    std::fs::remove_file(wrong).unwrap();
    std::fs::remove_file(file).unwrap();
    service.reload_changed().await;
    assert!(!is_verified().await);
}

fn made_by() -> VerifiedQuestion {
    let value = "<http://lamps.example/arc>".to_owned();
    let parameter = Parameter { name: "Arc".to_owned(), value, alias: None };
    let query = "SELECT ?x { <http://lamps.example/arc> v:maker/v:town ?x }";
    VerifiedQuestion {
        parameters: vec![parameter],
        ..verified("From which place does the hand behind Arc come?", query)
    }
}

#[tokio::test]
async fn another_name_is_put_into_the_query_if_it_is_that_of_one_thing_of_the_class() {
    let setup = lamps();
    let query = "SELECT ?m { <http://lamps.example/arc> v:maker ?m }";
    let maker =
        VerifiedQuestion { parameters: made_by().parameters, ..verified("Whose hands shaped Arc?", query) };
    add(&questions_of(&setup), "a.toml", &[made_by(), maker]).unwrap();
    let service = open(&setup).await;
    let run = asked(&service, "Whose hands shaped COB?").await;
    assert_eq!(names(&run), ["Bo Reed"]);
    assert_eq!(insight(&run).confidence, Confidence::Likely);
    let told = run.trace.as_ref().unwrap().verified.as_ref().unwrap();
    assert!(told.text.starts_with("Answered by a verified question with another name"), "{}", told.text);
    let replaced = &told.replaced[0];
    assert_eq!(
        (&*replaced.verified, &*replaced.name, &*replaced.value),
        ("Arc", "COB", "http://lamps.example/cob")
    );
    let run = asked(&service, "Whose hands shaped Arc?").await;
    assert_eq!((names(&run), insight(&run).confidence), (vec!["Ada Moss".to_owned()], Confidence::Sure));
    for other in ["Red Room", "Zed", "Ada Moss"] {
        let run = asked(&service, &format!("Whose hands shaped {other}?")).await;
        assert!(run.trace.unwrap().verified.is_none(), "{other}");
    }
}

/// The first message to the model.
fn prompt(model: &ScriptedModel) -> String {
    let requests = model.requests();
    let Some(Message::User(text)) = requests[0].messages.get(1) else { panic!("no user message") };
    text.clone()
}

#[tokio::test]
async fn near_verified_questions_are_shown_to_the_model_as_data() {
    let setup = lamps();
    let query = "SELECT ?x { ?x v:height ?h FILTER(?h > 45) } # a comment";
    let near = verified("Which \"heavy\"\npieces need the ladder?", query);
    let german = VerifiedQuestion {
        lang: Some("de".to_owned()),
        ..verified("Which heavy pieces?", "ASK { ?s ?p 1 }")
    };
    let far = verified("Who was born in Arlen?", "ASK { ?s ?p 2 }");
    add(&questions_of(&setup), "a.toml", &[near, german, far]).unwrap();
    let answer = format!("{V} SELECT ?x {{ ?x v:height ?h FILTER(?h > 100) }}");
    let talk = setup.ask("Which pieces need the long ladder?", [answers(&answer)]).await;
    let text = prompt(&talk.model);
    assert!(text.contains("Checked question: \"Which \\\"heavy\\\"\\npieces need the ladder?\""), "{text}");
    assert!(text.contains("FILTER(?h > 45)") && !text.contains("a comment"), "{text}");
    assert_eq!(text.matches("Checked question: ").count(), 1, "{text}");
    assert_eq!(talk.rows(), ["elm"]);
    let far = setup.ask("How tall is the Arc?", [answers(&answer)]).await;
    assert!(!prompt(&far.model).contains("Checked question"), "{}", prompt(&far.model));
}

#[tokio::test]
async fn a_near_question_is_shown_to_the_model_with_the_name_that_is_asked_about() {
    let setup = lamps();
    add(&questions_of(&setup), "a.toml", &[made_by()]).unwrap();
    let answer = format!("{V} SELECT ?x {{ <http://lamps.example/cob> v:maker/v:town ?x }}");
    let talk = setup.ask("From where does the hand behind Cob come?", [answers(&answer)]).await;
    let text = prompt(&talk.model);
    assert!(text.contains("Checked question: \"From which place does the hand behind Cob come?\""), "{text}");
    assert!(text.contains("<http://lamps.example/cob> <http://lamps.example/v/maker>"), "{text}");
    let other = setup.ask("From where does the hand behind Bo Reed come?", [answers(&answer)]).await;
    let text = prompt(&other.model);
    assert!(text.contains("hand behind Arc come?"), "a maker is no lamp: {text}");
}

#[tokio::test]
async fn without_a_model_a_near_question_lends_its_query_and_is_never_sure() {
    let setup = lamps();
    let cheap = verified(
        "Which objects suit a ladder of the workshop?",
        "SELECT ?x { ?x v:height ?h FILTER(?h > 45) }",
    );
    add(&questions_of(&setup), "a.toml", &[cheap, made_by()]).unwrap();
    let service = open(&setup).await;
    let run = asked(&service, "From where does the hand behind Cob come?").await;
    assert_eq!(names(&run), ["Arlen"], "{:?}", run.trace);
    let trace = run.trace.as_ref().unwrap();
    let verified = trace.verified.as_ref().unwrap();
    assert!(verified.near && verified.text.contains("the hand behind Arc come?"), "{}", verified.text);
    assert_ne!(insight(&run).confidence, Confidence::Sure);
    for other in
        ["How tall is the Arc?", "How many lamps are in the Red Room?", "Which objects suit no ladder?"]
    {
        let run = asked(&service, other).await;
        assert!(run.trace.as_ref().unwrap().verified.is_none(), "{other}: {:?}", run.trace);
    }
}
