//! Earlier questions, from the messages that a front end sends along. If Eruca's answer named its run, and the run is
//! still kept, its rows are used for the follow-up; otherwise, its text and the query contained in the answer.

use super::request::ChatMessage;
use crate::http::App;
use crate::http::routes::ask::{MAX_HISTORY, past_run};
use crate::service::{AUTO, PastQuestion, RunId};
use eruca_api::Run;
use eruca_verbalize::markdown::fenced;
use std::sync::Arc;

/// The part of a URL before the id of a run.
const RUNS: &str = "/runs/";
/// Number of digits of an id.
const NAME_DIGITS: usize = 32;

/// A question with its answer.
#[derive(Debug, Default, PartialEq, Eq)]
struct Turn {
    question: String,
    answer: String,
}

/// The earlier questions, newest last.
pub(super) async fn past(app: &App, dataset: &str, messages: &[ChatMessage]) -> Vec<PastQuestion> {
    let turns = turns(messages, app.max_question_chars);
    let mut known = Vec::with_capacity(turns.len());
    for turn in turns {
        known.push(match kept(app, dataset, &turn.answer).await {
            Some(past) => past,
            None => told(turn),
        });
    }
    known
}

/// The last [`MAX_HISTORY`] questions, without texts of more than `most` characters, which cannot be questions.
fn turns(messages: &[ChatMessage], most: usize) -> Vec<Turn> {
    let mut turns: Vec<Turn> = Vec::new();
    for message in messages {
        match (message.role.as_str(), turns.last_mut()) {
            ("user", _) => {
                turns.push(Turn { question: message.text().trim().to_owned(), answer: String::new() });
            }
            ("assistant", Some(turn)) => turn.answer.push_str(&message.text()),
            _ => {}
        }
    }
    turns.retain(|turn| !turn.question.is_empty() && turn.question.chars().count() <= most);
    let early = turns.len().saturating_sub(MAX_HISTORY);
    turns.split_off(early)
}

async fn kept(app: &App, dataset: &str, answer: &str) -> Option<PastQuestion> {
    Some(past_run(&*kept_run(app, dataset, answer).await?))
}

/// The run named by an answer, if it was about the same graph.
pub(super) async fn kept_run(app: &App, dataset: &str, answer: &str) -> Option<Arc<Run>> {
    let run = app.kept_run(named(answer)?).await?.run();
    (run.dataset == dataset || dataset == AUTO).then_some(run)
}

/// The last run named in an answer: the link to it is near the end.
fn named(answer: &str) -> Option<RunId> {
    let after = |(at, found): (usize, &str)| answer.get(at + found.len()..)?.get(..NAME_DIGITS);
    answer.rmatch_indices(RUNS).find_map(|found| RunId::parse(after(found)?))
}

fn told(turn: Turn) -> PastQuestion {
    let query = fenced("sparql", &turn.answer).map(str::to_owned);
    let (question, follows) = (turn.question, Vec::new());
    PastQuestion { question, follows, query, answer: None, whole: false, probability: None }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::http::openai::request::Content;

    fn message(role: &str, text: &str) -> ChatMessage {
        ChatMessage { role: role.to_owned(), content: Some(Content::Text(text.to_owned())) }
    }

    #[test]
    fn questions_keep_their_answers_and_the_newest_are_kept() {
        let messages = [
            message("system", "x"),
            message("assistant", "Hello!"),
            message("user", " A? "),
            message("assistant", "a"),
            message("user", &"x".repeat(11)),
            message("user", "B?"),
        ];
        let found = turns(&messages, 10);
        let shown: Vec<(&str, &str)> =
            found.iter().map(|turn| (turn.question.as_str(), turn.answer.as_str())).collect();
        assert_eq!(shown, [("A?", "a"), ("B?", "")]);
        let many: Vec<_> = (0..MAX_HISTORY + 5).map(|number| message("user", &number.to_string())).collect();
        let found = turns(&many, 10);
        assert_eq!((found.len(), found[0].question.as_str()), (MAX_HISTORY, "5"));
    }

    #[test]
    fn an_answer_names_its_run_and_shows_its_query() {
        let id = "0123456789abcdef".repeat(2);
        let answer = format!("Paris.\n\n```sparql\nASK {{}}\n```\n\n[x](http://e.x/runs/{id})");
        assert_eq!(named(&answer).map(|id| id.to_string()), Some(id.clone()));
        let asking = format!("{answer}\n\nWhich?\n\n1. the way /runs/ on\n2. y");
        assert_eq!(named(&asking).map(|id| id.to_string()), Some(id));
        for other in [
            "",
            "/runs/",
            "/runs/12",
            "/runs/ääääääääääääääääääää",
            "see /runs/../../etc/passwd/and/so/on/and/on",
        ] {
            assert_eq!(named(other), None, "{other}");
        }
        let past = told(Turn { question: "Who?".to_owned(), answer });
        assert_eq!((past.question.as_str(), past.query.as_deref()), ("Who?", Some("ASK {}")));
    }
}
