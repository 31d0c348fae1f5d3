//! The planner's drafts in front of a model: shown, taken without a new run, and no answer by themselves.

use eruca::llm::{Message, ModelError, ScriptedTurn};
use eruca::trace::{AnsweredBy, StopReason};
use eruca_testing::scripted::{Setup, answers, tries};

const QUESTION: &str = "What is the capital of Japan?";

/// The first user message and the query of the first draft in it.
fn shown(messages: &[Message]) -> (String, Option<String>) {
    let Some(Message::User(text)) = messages.get(1) else { panic!("no user message") };
    let draft = text.lines().find(|line| line.starts_with("SELECT"));
    (text.clone(), draft.map(str::to_owned))
}

#[tokio::test]
async fn a_draft_is_shown_with_its_reading_and_its_rows() {
    let setup = Setup::demo();
    let talk = setup.ask(QUESTION, [answers("SELECT ?c WHERE { demo:Japan geo:capital ?c }")]).await;
    let (text, draft) = shown(&talk.model.requests()[0].messages);
    assert!(draft.is_some_and(|query| query.contains("geo:capital")), "{text}");
    assert!(text.contains("This draft returns 1 row") && text.contains("Tokyo"), "{text}");
    for told in ["Reading (sure): \"", "Returns: \"one row per capital", "Not used: none; every word is used"]
    {
        assert!(text.contains(told), "{told}: {text}");
    }
}

#[tokio::test]
async fn a_draft_is_answered_at_once_and_running_it_again_is_a_repetition() {
    let setup = Setup::demo();
    let silent = setup.ask(QUESTION, [answers("SELECT ?c WHERE { demo:Japan geo:capital ?c }")]).await;
    let (_, draft) = shown(&silent.model.requests()[0].messages);
    let draft = draft.unwrap();
    let talk = setup.ask(QUESTION, [tries(&draft), answers(&draft)]).await;
    assert_eq!(talk.outcomes(), ["repeated", "ok"]);
    assert!(
        talk.observation(1).starts_with("This is the answer.\nReading: \"Japan: capital"),
        "{}",
        talk.observation(1)
    );
    assert_eq!(talk.answered.trace.stop, StopReason::Answered);
    assert_eq!(talk.rows(), ["Tokyo"]);
}

#[tokio::test]
async fn without_the_help_no_draft_is_shown() {
    let setup = Setup::new("[helps]\ndrafts = false");
    let talk = setup.ask(QUESTION, [answers("SELECT ?c WHERE { demo:Japan geo:capital ?c }")]).await;
    let (text, draft) = shown(&talk.model.requests()[0].messages);
    assert!(draft.is_none() && !text.contains("This draft"), "{text}");
}

#[tokio::test]
async fn a_draft_that_the_model_never_took_is_not_its_answer() {
    let talk = Setup::demo()
        .ask(QUESTION, [ScriptedTurn::fail(ModelError::Timeout(std::time::Duration::from_secs(1)))])
        .await;
    assert_eq!(talk.answered.trace.answered_by, AnsweredBy::Planner);
    assert_eq!(talk.rows(), ["Tokyo"]);
}
