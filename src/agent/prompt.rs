//! The first messages of a run. The system message is the same for every question to a dataset whose card
//! fits, so that servers can cache it.

use super::card_text::{focused, summary, whole};
use crate::dataset::Dataset;
use crate::grounding::Grounding;
use crate::llm::Message;

const SYSTEM: &str = include_str!("prompts/system.md");
const NOT_A_CALL: &str = include_str!("prompts/not_a_call.md");
const LAST_CALL: &str = include_str!("prompts/last_call.md");
const EMPTY_ANSWER: &str = include_str!("prompts/empty_answer.md");
const FAILED_ANSWER: &str = include_str!("prompts/failed_answer.md");

/// The system and the first user message.
pub(super) fn opening(
    dataset: &Dataset,
    question: &str,
    grounding: &Grounding,
    card_tokens: usize,
) -> Vec<Message> {
    let card = whole(dataset, card_tokens);
    let details = card.is_none();
    let graph = card.unwrap_or_else(|| summary(dataset));
    let mut user = format!(
        "Question: {question}\n\nWhat its words may mean in the graph:\n{}",
        grounding.text(dataset, details)
    );
    if details {
        user.push_str(&format!(
            "\n\nThe part of the graph that fits:\n{}",
            focused(dataset, grounding, card_tokens)
        ));
    }
    vec![Message::System(format!("{SYSTEM}\nThe graph: {graph}")), Message::User(user)]
}

/// Said when the model wrote text instead of calling a tool.
pub(super) fn not_a_call(tools: &str) -> String {
    NOT_A_CALL.trim().replace("{tools}", tools)
}

/// Added before the last allowed call.
pub(super) fn last_call() -> &'static str {
    LAST_CALL.trim()
}

/// Said when the final query gives nothing.
pub(super) fn empty_answer(observation: &str) -> String {
    EMPTY_ANSWER.trim().replace("{observation}", observation)
}

/// Said when the final query cannot be run.
pub(super) fn failed_answer(observation: &str) -> String {
    FAILED_ANSWER.trim().replace("{observation}", observation)
}
