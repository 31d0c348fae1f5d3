//! The chat model interface: what the agent sends to a language model and gets back.
//!
//! `openai` talks to any OpenAI-compatible server; `scripted` returns prepared turns in tests.
//! Wire types stay private to the implementations. This module knows nothing about queries, tools or datasets.

mod openai;
mod scripted;
mod streaming;
mod wire;

pub use eruca_api::Usage;
pub use openai::{OpenAiModel, OpenAiOptions};
pub use scripted::{ScriptedModel, ScriptedTurn};
pub use wire::conversation;

use async_trait::async_trait;
use eruca_sparql::disarmed;
use std::borrow::Cow;
use std::time::Duration;

/// Parses a text as a reply and as an error message of a server, for fuzzers.
#[cfg(any(test, fuzzing))]
pub(crate) fn fuzz_reply(text: &str) {
    let request = ChatRequest {
        messages: Vec::new(),
        tools: Vec::new(),
        timeout: Duration::from_secs(1),
        sampled_anew: false,
    };
    let context = wire::ReplyContext::of(&request);
    let _read = (wire::read(text, context).is_ok(), wire::complaint(text));
}

/// One entry of a conversation.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Message {
    /// Instructions; stable over a run so that servers can cache the prompt.
    System(String),
    /// What the user (or the controller on its behalf) says.
    User(String),
    /// What the model said: free text, tool calls, or both.
    Assistant {
        /// Free text, often the model's reasoning.
        text: Option<String>,
        /// Tool calls in the order in which the model made them.
        calls: Vec<ToolCall>,
    },
    /// The observation that answers one tool call.
    Tool {
        /// The id of the call that is answered.
        call_id: String,
        /// The observation's text.
        content: String,
    },
}

/// A tool call as the model wrote it; the arguments may not be valid JSON.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ToolCall {
    /// The id that the observation must refer to; generated when the server sends none.
    pub id: String,
    /// The tool's name, possibly unknown.
    pub name: String,
    /// The arguments, byte for byte as received.
    pub arguments: String,
}

/// The description of a tool that is sent to a model.
#[derive(Debug, Clone, PartialEq)]
pub struct ToolSpec {
    /// The name by which the model calls it.
    pub name: &'static str,
    /// When and how to use it.
    pub description: &'static str,
    /// JSON Schema of the arguments object.
    pub parameters: serde_json::Value,
    /// Whether the server shall keep the model to the schema.
    pub strict: bool,
}

/// One request for a completion.
#[derive(Debug, Clone, PartialEq)]
pub struct ChatRequest {
    /// The conversation so far.
    pub messages: Vec<Message>,
    /// The tools that the model may call.
    pub tools: Vec<ToolSpec>,
    /// Time for the whole request, retries included.
    pub timeout: Duration,
    /// Sample more freely than configured: the same again would lead to the same.
    pub sampled_anew: bool,
}

impl ChatRequest {
    /// A request. No text in its messages can be taken for the end of a message: special tokens of servers and models, and
    /// hidden characters, are escaped. What the model itself has said stays as it is.
    pub fn new(messages: Vec<Message>, tools: Vec<ToolSpec>, timeout: Duration) -> Self {
        let disarmed = |text: String| match disarmed(&text) {
            Cow::Borrowed(_) => text,
            Cow::Owned(disarmed) => disarmed,
        };
        let messages = messages.into_iter().map(|message| match message {
            Message::System(text) => Message::System(disarmed(text)),
            Message::User(text) => Message::User(disarmed(text)),
            Message::Tool { call_id, content } => Message::Tool { call_id, content: disarmed(content) },
            said @ Message::Assistant { .. } => said,
        });
        Self { messages: messages.collect(), tools, timeout, sampled_anew: false }
    }
}

/// The price of a million tokens, in any currency.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Prices {
    /// Per million prompt tokens.
    pub prompt: f64,
    /// Per million prompt tokens that the server had in its cache.
    pub cached: f64,
    /// Per million completion tokens.
    pub completion: f64,
}

impl Prices {
    /// The cost of these tokens.
    pub fn cost(&self, usage: &Usage) -> f64 {
        let fresh = usage.prompt_tokens.saturating_sub(usage.cached_tokens);
        let parts = [
            (fresh, self.prompt),
            (usage.cached_tokens, self.cached),
            (usage.completion_tokens, self.completion),
        ];
        parts.iter().map(|(tokens, price)| *tokens as f64 * price).sum::<f64>() / 1e6
    }
}

/// What the model answered. Text and calls may both be empty; the controller decides what to do then.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Completion {
    /// Free text; `None` when empty.
    pub text: Option<String>,
    /// Tool calls in order.
    pub calls: Vec<ToolCall>,
    /// Tokens spent on this completion.
    pub usage: Usage,
    /// True when the server cut the completion at its length limit.
    pub cut: bool,
    /// Attempts needed, 1 without retries.
    pub attempts: u32,
}

/// Why there is no completion.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ModelError {
    /// The server cannot be reached or keeps failing.
    #[error(
        "the chat model at {url} cannot be reached after {attempts} attempts: {reason}; check [llm] base_url"
    )]
    Unreachable {
        /// The server's address, without credentials.
        url: String,
        /// Attempts made.
        attempts: u32,
        /// The last failure.
        reason: String,
    },
    /// The server keeps answering 429.
    #[error("the chat model at {url} is rate limited after {attempts} attempts: {reason}")]
    RateLimited {
        /// The server's address.
        url: String,
        /// Attempts made.
        attempts: u32,
        /// The server's words.
        reason: String,
    },
    /// The conversation does not fit into the model's context; a shorter one may.
    #[error(
        "the conversation is longer than the chat model at {url} can read (HTTP {status}: {reason}); give the server a \
         larger context, or set [agent] profile = \"small\""
    )]
    TooLong {
        /// The server's address.
        url: String,
        /// The HTTP status.
        status: u16,
        /// The server's words, shortened.
        reason: String,
    },
    /// The server understood and refused (bad key, unknown model).
    #[error("the chat model at {url} refused the request with HTTP {status}: {reason}")]
    Refused {
        /// The server's address.
        url: String,
        /// The HTTP status.
        status: u16,
        /// The server's words, shortened.
        reason: String,
    },
    /// No completion within the time allowed.
    #[error("the chat model gave no answer within {0:.1?}")]
    Timeout(Duration),
    /// The server answered with something that is not a chat completion.
    #[error("the chat model's reply is not a chat completion: {0}")]
    Malformed(String),
}

/// Receives a completion's text piece by piece as it arrives.
pub type Tokens<'a> = dyn FnMut(&str) + Send + 'a;

/// Something that completes conversations: the interface between the agent and any language model.
#[async_trait]
pub trait ChatModel: Send + Sync {
    /// Asks for the next completion.
    ///
    /// # Errors
    /// A [`ModelError`] once retries are used up or make no sense.
    async fn complete(&self, request: &ChatRequest) -> Result<Completion, ModelError>;

    /// The same, passing on the text piece by piece as it arrives; a model that cannot stream passes it on at once. The
    /// text of the completion is authoritative: a piece passed on before a failure may be missing from it.
    ///
    /// # Errors
    /// As [`complete`](Self::complete).
    async fn stream(&self, request: &ChatRequest, tokens: &mut Tokens<'_>) -> Result<Completion, ModelError> {
        let completion = self.complete(request).await?;
        if let Some(text) = &completion.text {
            tokens(text);
        }
        Ok(completion)
    }

    /// The model's name, for traces and logs.
    fn name(&self) -> &str;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tokens_in_the_cache_have_their_own_price() {
        let usage = Usage {
            prompt_tokens: 3_000_000,
            cached_tokens: 1_000_000,
            completion_tokens: 500_000,
            estimated: false,
        };
        assert_eq!(Prices { prompt: 2.0, cached: 0.5, completion: 8.0 }.cost(&usage), 4.0 + 0.5 + 4.0);
    }
}
