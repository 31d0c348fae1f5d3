//! What a run may spend.

use crate::llm::Usage;

/// Limits of one run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Budget {
    /// Completions requested from the model at most.
    pub max_model_calls: u32,
    /// Tokens, prompt and completion, at most.
    pub max_tokens: u64,
    /// Tokens of the dataset card in the prompt.
    pub card_tokens: usize,
    /// Characters of one observation.
    pub observation_chars: usize,
}

impl Budget {
    /// Whether nothing may be asked any more.
    pub(super) fn is_spent(&self, calls: u32, usage: &Usage) -> bool {
        calls >= self.max_model_calls || usage.total() >= self.max_tokens
    }

    /// Whether the next completion is the last one: the calls run out, or another prompt of the present size
    /// would exceed the tokens.
    pub(super) fn is_last(&self, calls: u32, usage: &Usage) -> bool {
        let mean = usage.total() / u64::from(calls.max(1));
        calls + 1 >= self.max_model_calls
            || usage.total().saturating_add(mean.saturating_mul(2)) >= self.max_tokens
    }
}
