//! Baselines: the same model without the agent, to see what the agent adds. One completion, no tools.
//!
//! The report of Montreal on answers over knowledge graphs compares its agent with the model alone; the other two are the usual
//! ways between: the description of the graph in the prompt, and passages that a search has found.

use super::action::{Action, read};
use super::prompt::graph_text;
use crate::llm::{Completion, Message};
use eruca_dataset::Dataset;
use serde_json::Value;

const MODEL: &str = include_str!("prompts/baseline_model.md");
const CARD: &str = include_str!("prompts/baseline_card.md");
const PASSAGES: &str = include_str!("prompts/baseline_passages.md");
/// Maximum number of answers read from a reply, and of bytes of each.
const MAX_ANSWERS: usize = 1_000;
const MAX_ANSWER_BYTES: usize = 1_000;

/// A way of asking a model without tools.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Baseline {
    /// The question alone; the answer is in words.
    Model,
    /// The description of the graph and the question; the answer is a query.
    Card,
    /// What a search finds for the question; the answer is in words.
    Passages,
}

/// What a model replied.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum BaselineReply {
    /// A query, not yet checked.
    Query(String),
    /// Answers in words; none if there is no answer in the reply.
    Texts(Vec<String>),
}

/// The messages that ask a model without tools. `passages` are what a search has found, for [`Baseline::Passages`].
pub fn prompt_without_tools(
    baseline: Baseline,
    question: &str,
    (dataset, card_tokens): (&Dataset, usize),
    passages: &[String],
) -> Vec<Message> {
    let (system, user) = match baseline {
        Baseline::Model => (MODEL, format!("Question: {question}")),
        Baseline::Card => {
            (CARD, format!("The graph: {}\n\nQuestion: {question}", graph_text(dataset, card_tokens)))
        }
        Baseline::Passages => {
            (PASSAGES, format!("Passages:\n\n{}\n\nQuestion: {question}", passages.join("\n\n")))
        }
    };
    vec![Message::System(system.trim_end().to_owned()), Message::User(user)]
}

/// The answer in a completion. What should be a query and is none is one that fails.
pub fn read_without_tools(baseline: Baseline, completion: &Completion) -> BaselineReply {
    let text = completion.text.as_deref().unwrap_or_default();
    match baseline {
        Baseline::Card => BaselineReply::Query(query(completion).unwrap_or_else(|| text.to_owned())),
        Baseline::Model | Baseline::Passages => BaselineReply::Texts(texts(text).unwrap_or_default()),
    }
}

fn query(completion: &Completion) -> Option<String> {
    match read(completion).action {
        Action::TextAnswer(query) => Some(query),
        Action::Calls(_) | Action::TextCalls(_) | Action::Nothing => None,
    }
}

/// The answers in the last JSON object of a reply that has some.
fn texts(reply: &str) -> Option<Vec<String>> {
    let starts = reply.match_indices('{').map(|(at, _)| at);
    let mut objects = starts.filter_map(|at| {
        let mut values = serde_json::Deserializer::from_str(reply.get(at..)?).into_iter::<Value>();
        values.next()?.ok()?.get("answers")?.as_array().cloned()
    });
    let answers = objects.next_back()?;
    let text = |answer: &Value| match answer {
        Value::String(text) => Some(text.clone()),
        Value::Number(_) | Value::Bool(_) => Some(answer.to_string()),
        Value::Null | Value::Array(_) | Value::Object(_) => None,
    };
    let texts = answers.iter().filter_map(text).filter(|text| text.len() <= MAX_ANSWER_BYTES);
    Some(texts.take(MAX_ANSWERS).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn answers_are_those_of_the_last_object() {
        let reply = "I think {of} it: {\"answers\": [\"x\"]}.\n```json\n{\"answers\": [\"Paris\", 2, true, null]}\n```";
        assert_eq!(texts(reply).unwrap(), ["Paris", "2", "true"]);
        assert_eq!(texts("{\"answers\": []}"), Some(Vec::new()));
        assert_eq!((texts("Paris"), texts("{\"answers\": ")), (None, None));
    }
}
