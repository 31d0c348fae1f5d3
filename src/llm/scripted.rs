//! A chat model that returns prepared turns: for tests, and for trying Eruca without a server.

use super::{ChatModel, ChatRequest, Completion, ModelError, Tokens, ToolCall, Usage, wire};
use async_trait::async_trait;
use serde_json::Value;
use std::collections::VecDeque;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// One prepared turn of a [`ScriptedModel`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ScriptedTurn {
    /// A completion.
    Reply {
        /// Free text.
        text: Option<String>,
        /// The name and the arguments of each call; the arguments need not be valid JSON.
        calls: Vec<(String, String)>,
        /// Whether the completion counts as cut at the length limit.
        cut: bool,
    },
    /// A failure.
    Fail(ModelError),
}

impl ScriptedTurn {
    /// A turn with text alone.
    pub fn text(text: impl Into<String>) -> Self {
        Self::Reply { text: Some(text.into()), calls: Vec::new(), cut: false }
    }

    /// A turn that calls one tool; [`and_call`](Self::and_call) adds more.
    pub fn call(name: impl Into<String>, arguments: Value) -> Self {
        Self::raw_call(name, arguments.to_string())
    }

    /// A turn that calls one tool with arguments as a model might garble them.
    pub fn raw_call(name: impl Into<String>, arguments: impl Into<String>) -> Self {
        Self::Reply { text: None, calls: vec![(name.into(), arguments.into())], cut: false }
    }

    /// A turn that calls several tools at once.
    pub fn calls<N: Into<String>>(calls: impl IntoIterator<Item = (N, Value)>) -> Self {
        let calls = calls.into_iter().map(|(name, arguments)| (name.into(), arguments.to_string()));
        Self::Reply { text: None, calls: calls.collect(), cut: false }
    }

    /// A turn that fails.
    pub fn fail(error: ModelError) -> Self {
        Self::Fail(error)
    }

    /// The same turn with one more call; a failure stays as it is.
    pub fn and_call(mut self, name: impl Into<String>, arguments: Value) -> Self {
        if let Self::Reply { calls, .. } = &mut self {
            calls.push((name.into(), arguments.to_string()));
        }
        self
    }

    /// The same turn with this text before the calls; a failure stays as it is.
    pub fn saying(mut self, said: impl Into<String>) -> Self {
        if let Self::Reply { text, .. } = &mut self {
            *text = Some(said.into());
        }
        self
    }

    /// The same turn, cut at the length limit; a failure stays as it is.
    pub fn cut_short(mut self) -> Self {
        if let Self::Reply { cut, .. } = &mut self {
            *cut = true;
        }
        self
    }
}

/// A [`ChatModel`] that returns each prepared turn once, in order, and then an error.
///
/// ```
/// use eruca::llm::{ScriptedModel, ScriptedTurn};
/// use serde_json::json;
///
/// let model = ScriptedModel::new([
///     ScriptedTurn::call("search_entity", json!({"text": "Toulouse"})).saying("Let me look."),
///     ScriptedTurn::text("There is none."),
/// ]);
/// assert_eq!(model.remaining(), 2);
/// ```
#[derive(Debug)]
pub struct ScriptedModel {
    script: Mutex<Script>,
}

#[derive(Debug)]
struct Script {
    turns: VecDeque<ScriptedTurn>,
    requests: Vec<ChatRequest>,
    calls: usize,
}

impl ScriptedModel {
    /// A model that will return `turns`.
    pub fn new(turns: impl IntoIterator<Item = ScriptedTurn>) -> Self {
        let turns = turns.into_iter().collect();
        Self { script: Mutex::new(Script { turns, requests: Vec::new(), calls: 0 }) }
    }

    /// All requests so far, in order, including failed ones.
    pub fn requests(&self) -> Vec<ChatRequest> {
        self.script().requests.clone()
    }

    /// Number of turns that have not been returned yet.
    pub fn remaining(&self) -> usize {
        self.script().turns.len()
    }

    fn script(&self) -> MutexGuard<'_, Script> {
        // A panic in a test cannot leave the script half-changed: every change is a single push or pop.
        self.script.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[async_trait]
impl ChatModel for ScriptedModel {
    async fn complete(&self, request: &ChatRequest) -> Result<Completion, ModelError> {
        let mut script = self.script();
        script.requests.push(request.clone());
        match script.turns.pop_front() {
            Some(ScriptedTurn::Reply { text, calls, cut }) => {
                let calls = script.numbered(calls);
                let usage = usage(request, text.as_deref(), &calls);
                Ok(Completion { text, calls, usage, cut, attempts: 1 })
            }
            Some(ScriptedTurn::Fail(error)) => Err(error),
            None => Err(ModelError::Malformed(format!(
                "the script has no turn for request {}",
                script.requests.len()
            ))),
        }
    }

    /// Streams word by word.
    async fn stream(&self, request: &ChatRequest, tokens: &mut Tokens<'_>) -> Result<Completion, ModelError> {
        let completion = self.complete(request).await?;
        for piece in completion.text.iter().flat_map(|text| text.split_inclusive(' ')) {
            tokens(piece);
        }
        Ok(completion)
    }

    fn name(&self) -> &str {
        "scripted"
    }
}

impl Script {
    /// Gives each call an id that is unique within the script.
    fn numbered(&mut self, calls: Vec<(String, String)>) -> Vec<ToolCall> {
        let number = |(name, arguments)| {
            self.calls += 1;
            ToolCall { id: format!("scripted_{}", self.calls), name, arguments }
        };
        calls.into_iter().map(number).collect()
    }
}

fn usage(request: &ChatRequest, text: Option<&str>, calls: &[ToolCall]) -> Usage {
    Usage {
        prompt_tokens: wire::estimated_tokens(wire::prompt_bytes(request)),
        cached_tokens: 0,
        completion_tokens: wire::estimated_tokens(text.map_or(0, str::len) + wire::call_bytes(calls)),
        estimated: true,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::llm::Message;
    use serde_json::json;
    use std::time::Duration;

    fn request(question: &str) -> ChatRequest {
        ChatRequest {
            messages: vec![Message::User(question.to_owned())],
            tools: Vec::new(),
            timeout: Duration::from_secs(1),
            sampled_anew: false,
        }
    }

    #[tokio::test]
    async fn gives_each_turn_once_and_then_an_error() {
        let failure = ModelError::Timeout(Duration::from_secs(1));
        let model = ScriptedModel::new([
            ScriptedTurn::calls([("a", json!({"x": 1})), ("b", json!({}))]).saying("Two things."),
            ScriptedTurn::raw_call("c", "{broken").and_call("d", json!({})).cut_short(),
            ScriptedTurn::fail(failure.clone()),
            ScriptedTurn::text("Done."),
        ]);

        let first = model.complete(&request("one")).await.unwrap();
        assert_eq!(first.text.as_deref(), Some("Two things."));
        let call = |n: u32, name: &str, arguments: &str| ToolCall {
            id: format!("scripted_{n}"),
            name: name.to_owned(),
            arguments: arguments.to_owned(),
        };
        assert_eq!(first.calls, [call(1, "a", r#"{"x":1}"#), call(2, "b", "{}")]);

        let second = model.complete(&request("two")).await.unwrap();
        assert_eq!(second.calls, [call(3, "c", "{broken"), call(4, "d", "{}")]);
        assert!(second.cut && second.text.is_none());

        assert_eq!(model.complete(&request("three")).await, Err(failure));
        assert_eq!(model.complete(&request("four")).await.unwrap().text.as_deref(), Some("Done."));
        let over = model.complete(&request("five")).await.unwrap_err();
        assert!(over.to_string().contains("no turn for request 5"), "{over}");
    }

    #[tokio::test]
    async fn records_requests_and_counts_the_same_tokens_each_time() {
        let model = ScriptedModel::new([ScriptedTurn::text("12345678"), ScriptedTurn::text("12345678")]);
        let usage = Usage { prompt_tokens: 2, cached_tokens: 0, completion_tokens: 2, estimated: true };
        for _ in 0..2 {
            assert_eq!(model.complete(&request("12345")).await.unwrap().usage, usage);
        }
        assert_eq!(model.requests(), [request("12345"), request("12345")]);
        assert_eq!(model.remaining(), 0);
    }
}
