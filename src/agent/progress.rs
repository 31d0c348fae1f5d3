//! Whether a run gets on, and what is done if it does not: first the model is asked to assess what it knows, then the turns
//! that brought nothing are cut from the conversation and the model is asked again, sampled more freely.
//!
//! As SPINACH (Liu et al., EMNLP 2024) does with a rollback, and RoboData with reviews of its strategy. The trace keeps
//! what is cut.

use super::prompt;
use crate::llm::{Message, ToolCall};
use crate::tools::ObservationKind;
use eruca_sparql::one_line;

/// Calls without results in a row after which the model is asked to assess its strategy, and further ones after which the
/// turns that brought nothing are cut.
const FRUITLESS_CALLS: u32 = 4;
const FURTHER_CALLS: u32 = 3;
/// Maximum number of times that turns are cut in a run.
const MAX_CUTS: u32 = 2;
/// Maximum number of cut calls that are listed, and maximum length of each in characters.
const MAX_LISTED: usize = 8;
const MAX_CALL_CHARS: usize = 160;

/// How far a run has got.
#[derive(Debug)]
pub(super) struct Progress {
    /// Calls without results in a row.
    fruitless: u32,
    /// Messages of the conversation when something was found last.
    branch: usize,
    /// Calls since then, in short.
    tried: Vec<String>,
    reviewed: bool,
    cuts: u32,
    /// The next completion is to be sampled more freely.
    sampled_anew: bool,
}

impl Progress {
    /// A run whose opening has so many messages.
    pub(super) fn new(opening: usize) -> Self {
        Self {
            fruitless: 0,
            branch: opening,
            tried: Vec::new(),
            reviewed: false,
            cuts: 0,
            sampled_anew: false,
        }
    }

    /// Whether the next completion is to be sampled more freely.
    pub(super) fn is_sampled_anew(&self) -> bool {
        self.sampled_anew
    }

    /// Notes that the model has replied.
    pub(super) fn replied(&mut self) {
        self.sampled_anew = false;
    }

    /// Notes the outcome of a call.
    pub(super) fn observed(&mut self, call: &ToolCall, kind: ObservationKind) {
        if matches!(kind, ObservationKind::Ok | ObservationKind::Truncated) {
            self.fruitless = 0;
            self.tried.clear();
            return;
        }
        self.fruitless += 1;
        let arguments = one_line(&call.arguments, MAX_CALL_CHARS);
        self.tried.push(format!("{} {arguments}: {}", one_line(&call.name, MAX_CALL_CHARS), kind.as_str()));
    }

    /// At the end of a turn: asks for an assessment, or cuts the turns that brought nothing. Returns what was cut, in
    /// words for the trace.
    pub(super) fn end_turn(&mut self, messages: &mut Vec<Message>) -> Option<String> {
        if self.fruitless == 0 {
            self.branch = messages.len();
            return None;
        }
        if !self.reviewed && self.fruitless >= FRUITLESS_CALLS {
            self.reviewed = true;
            messages.push(Message::User(prompt::review().to_owned()));
            return None;
        }
        let is_stuck = self.reviewed && self.fruitless >= FRUITLESS_CALLS + FURTHER_CALLS;
        (is_stuck && self.cuts < MAX_CUTS).then(|| self.cut(messages))
    }

    fn cut(&mut self, messages: &mut Vec<Message>) -> String {
        let calls = std::mem::take(&mut self.tried);
        let skipped = calls.len().saturating_sub(MAX_LISTED);
        let listed: Vec<String> = calls.iter().skip(skipped).map(|call| format!("- {call}")).collect();
        messages.truncate(self.branch);
        messages.push(Message::User(prompt::cut_branch(&listed)));
        self.branch = messages.len();
        (self.fruitless, self.sampled_anew) = (FRUITLESS_CALLS, true);
        self.cuts += 1;
        format!("{} calls that brought nothing were cut from the conversation", calls.len())
    }
}

/// Whether the same call may have another outcome next time.
pub(super) fn may_pass(kind: ObservationKind) -> bool {
    matches!(kind, ObservationKind::Failed | ObservationKind::QueryFailed("endpoint_down" | "rate_limited"))
}
