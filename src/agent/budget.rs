//! The budget of a run.

use crate::llm::Usage;

/// Completions of a budget whose half is announced.
const SMALL_BUDGET: u32 = 8;

/// Limits for a model that has said that it cannot read what it was sent: tokens of the card, characters of an observation.
const SHORT_CARD_TOKENS: usize = 600;
const SHORT_OBSERVATION_CHARS: usize = 1_500;

/// Limits of one run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Budget {
    /// Maximum number of completions requested from the model.
    pub max_model_calls: u32,
    /// Maximum number of tokens, prompts and completions together.
    pub max_tokens: u64,
    /// Maximum number of tokens for the dataset card in the prompt.
    pub card_tokens: usize,
    /// Maximum number of characters of one observation.
    pub observation_chars: usize,
}

impl Budget {
    /// The same for a model that cannot read as much.
    pub(super) fn shortened(self) -> Self {
        Self {
            card_tokens: self.card_tokens.min(SHORT_CARD_TOKENS),
            observation_chars: self.observation_chars.min(SHORT_OBSERVATION_CHARS),
            ..self
        }
    }

    /// Whether the budget allows no further model call.
    pub(super) fn is_spent(&self, calls: u32, usage: &Usage) -> bool {
        calls >= self.max_model_calls || usage.total() >= self.max_tokens
    }

    /// Whether half of the completions are used. Of a small budget the last one is announced, which is soon enough.
    pub(super) fn is_half_spent(&self, calls: u32) -> bool {
        self.max_model_calls >= SMALL_BUDGET && calls * 2 >= self.max_model_calls
    }

    /// Whether the next completion is the last one: no calls are left after it, or one more prompt of the present size would
    /// exceed the token budget.
    pub(super) fn is_last(&self, calls: u32, usage: &Usage) -> bool {
        let mean = usage.total() / u64::from(calls.max(1));
        calls + 1 >= self.max_model_calls
            || usage.total().saturating_add(mean.saturating_mul(2)) >= self.max_tokens
    }
}
