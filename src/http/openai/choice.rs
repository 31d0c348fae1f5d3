//! Answers to what the reader was asked back: a message that names one of the options of the last answer asks the question before it
//! again. The options are those of the run that the answer names, and not of its text; without it, a message is a question.

use super::history::kept_run;
use super::request::ChatMessage;
use crate::http::App;

/// A question that is asked again.
pub(super) struct AskedAgain<'m> {
    /// The question, as it was asked.
    pub(super) question: String,
    /// The messages before it.
    pub(super) before: &'m [ChatMessage],
    /// The IRI of the property that is meant.
    pub(super) property: String,
}

/// The question that a message asks again; `None` if it is a question itself.
pub(super) async fn chosen<'m>(
    app: &App,
    dataset: &str,
    said: &str,
    messages: &'m [ChatMessage],
) -> Option<AskedAgain<'m>> {
    let last = messages.iter().rposition(ChatMessage::is_of_user)?;
    let (before, since) = messages.split_at_checked(last)?;
    let answers = since.iter().filter(|message| message.role == "assistant");
    let answer: String = answers.map(ChatMessage::text).collect();
    let run = kept_run(app, dataset, &answer).await?;
    let asked = run.clarify.as_ref().filter(|asked| asked.is_open())?;
    let property = asked.named(said)?.iri.clone();
    Some(AskedAgain { question: run.question.clone(), before, property })
}
