//! A question asked to see what would be answered: by tests and by trials of what somebody proposes.

use super::{Ask, Service};
use eruca_api::TrialAnswer;
use eruca_sparql::{Answer, one_line};
use std::fmt::Display;
use std::sync::Arc;

/// Longest answer in words, in characters.
const MAX_TEXT_CHARS: usize = 300;

impl Service {
    /// The answer as it is told, with the result of its query; the reason in the place of its words if there is none.
    pub(in crate::service) async fn tried(self: &Arc<Self>, ask: Ask) -> (TrialAnswer, Option<Arc<Answer>>) {
        let none = |reason: &dyn Display| {
            let text = one_line(&reason.to_string(), MAX_TEXT_CHARS);
            (TrialAnswer { text, ..TrialAnswer::default() }, None)
        };
        let handle = match self.ask(ask) {
            Ok(handle) => handle,
            Err(error) => return none(&error),
        };
        let _reader = handle.read(0);
        let answered = match handle.finished().await {
            Ok(answered) => answered,
            Err(error) => return none(&error),
        };
        let words = handle.run().answer.map(|words| one_line(&words.text, MAX_TEXT_CHARS));
        let told = TrialAnswer {
            text: words.unwrap_or_default(),
            rows: answered.results.as_ref().map(|answer| answer.row_count()),
            confidence: answered.trace.insight.as_ref().map(|insight| insight.confidence),
            query: Some(answered.query.clone()),
        };
        (told, answered.results.clone())
    }
}
