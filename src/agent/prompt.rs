//! The first messages of a run. The system message is the same for every question to a dataset whose card
//! fits, so that servers can cache it.

use super::card_text::{focused, head, summary, whole};
use crate::dataset::Dataset;
use crate::grounding::Grounding;
use crate::llm::Message;
use crate::tools::Helps;

const SYSTEM: &str = include_str!("prompts/system.md");
const NOT_A_CALL: &str = include_str!("prompts/not_a_call.md");
const REVIEW: &str = include_str!("prompts/review.md");
const FAKED_ANSWER: &str = include_str!("prompts/faked_answer.md");
const LAST_CALL: &str = include_str!("prompts/last_call.md");
const EMPTY_ANSWER: &str = include_str!("prompts/empty_answer.md");
const OTHER_FORM: &str = include_str!("prompts/other_form.md");
const FAILED_ANSWER: &str = include_str!("prompts/failed_answer.md");

/// The system and the first user message.
pub(super) fn opening(
    dataset: &Dataset,
    question: &str,
    grounding: &Grounding,
    card_tokens: usize,
    helps: Helps,
) -> Vec<Message> {
    let card = whole(dataset, card_tokens).filter(|_| helps.dataset_card);
    let details = card.is_none();
    let graph = match card {
        Some(card) => card,
        None if helps.dataset_card => summary(dataset),
        None => head(dataset),
    };
    let mut user = format!("Question: {question}");
    if helps.grounding {
        let found = grounding.text(dataset, details);
        user.push_str(&format!("\n\nWhat its words may mean in the graph:\n{found}"));
    }
    if details && helps.dataset_card {
        let part = focused(dataset, grounding, card_tokens);
        user.push_str(&format!("\n\nThe part of the graph that fits:\n{part}"));
    }
    vec![Message::System(format!("{SYSTEM}\nThe graph: {graph}")), Message::User(user)]
}

/// Asks for a review of what was assumed.
pub(super) fn review() -> &'static str {
    REVIEW.trim()
}

/// Said when the final query holds its answer instead of finding it.
pub(super) fn faked_answer() -> &'static str {
    FAKED_ANSWER.trim()
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

/// Said when the final query is not of the form that the model stated.
pub(super) fn other_form(differences: &[String]) -> String {
    OTHER_FORM.trim().replace("{differences}", &differences.join("\n"))
}

/// Said when the final query cannot be run.
pub(super) fn failed_answer(observation: &str) -> String {
    FAILED_ANSWER.trim().replace("{observation}", observation)
}
