//! Response bodies: a completion, its chunks, models.

use super::client_tasks::Done;
use crate::llm::Usage;
use eruca_api::Claim;
use serde::Serialize;
use std::time::{SystemTime, UNIX_EPOCH};
use utoipa::ToSchema;

/// A whole answer.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
#[schema(as = ChatCompletion)]
pub struct ChatCompletionDto {
    /// Its name; for the answer to a question it contains the name of the run.
    pub id: String,
    /// Always `chat.completion`.
    pub object: &'static str,
    /// When it was made, in seconds since 1970.
    pub created: u64,
    /// The model as the request named it.
    pub model: String,
    /// The one answer.
    pub choices: Vec<ChatChoiceDto>,
    /// Tokens of the chat model that answered; zeros without one.
    pub usage: UsageDto,
    /// The sentences of the answer with what supports them, where the request asked for `claims`.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub claims: Vec<Claim>,
}

/// An answer.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
#[schema(as = ChatChoice)]
pub struct ChatChoiceDto {
    /// Always 0.
    pub index: u32,
    /// The message.
    pub message: ChatSaidDto,
    /// Always absent: there are no probabilities of tokens.
    pub logprobs: Option<()>,
    /// `stop`.
    pub finish_reason: Option<&'static str>,
}

/// What is said, or a piece of it.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, ToSchema)]
#[schema(as = ChatSaid)]
pub struct ChatSaidDto {
    /// Always `assistant`; of a stream in the first piece.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub role: Option<&'static str>,
    /// The answer in Markdown.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub content: Option<String>,
    /// The steps to it, in Markdown.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reasoning_content: Option<String>,
    /// The call of a function that had to be called.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tool_calls: Option<Vec<ChatToolCallDto>>,
}

/// The call of a function.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
#[schema(as = ChatToolCall)]
pub struct ChatToolCallDto {
    /// Its place.
    pub index: u32,
    /// Its name.
    pub id: String,
    /// Always `function`.
    #[serde(rename = "type")]
    pub kind: &'static str,
    /// The function.
    pub function: Function,
}

/// A function with its arguments.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
#[schema(as = ChatFunction)]
pub struct Function {
    /// Its name.
    pub name: String,
    /// Its arguments, as JSON.
    pub arguments: String,
}

/// Tokens.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, ToSchema)]
#[schema(as = ChatUsage)]
pub struct UsageDto {
    /// Of the prompts.
    pub prompt_tokens: u64,
    /// Of the completions.
    pub completion_tokens: u64,
    /// Of both.
    pub total_tokens: u64,
    /// More of the prompts.
    pub prompt_tokens_details: PromptTokens,
}

/// More of the tokens of prompts.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, ToSchema)]
#[schema(as = ChatPromptTokens)]
pub struct PromptTokens {
    /// Those that the model's server had in its cache.
    pub cached_tokens: u64,
}

impl From<Usage> for UsageDto {
    fn from(usage: Usage) -> Self {
        let Usage {
            prompt_tokens: prompt,
            cached_tokens: cached,
            completion_tokens: completion,
            estimated: _,
        } = usage;
        Self {
            prompt_tokens: prompt,
            completion_tokens: completion,
            total_tokens: prompt.saturating_add(completion),
            prompt_tokens_details: PromptTokens { cached_tokens: cached },
        }
    }
}

/// A piece of an answer.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
#[schema(as = ChatCompletionChunk)]
pub struct Chunk {
    /// The name of the answer.
    pub id: String,
    /// Always `chat.completion.chunk`.
    pub object: &'static str,
    /// When the answer was begun, in seconds since 1970.
    pub created: u64,
    /// The model as the request named it.
    pub model: String,
    /// The piece; none in the chunk that tells the tokens.
    pub choices: Vec<ChunkChoice>,
    /// Where it was asked for: `null`, and the tokens in the last chunk.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<UsageDto>)]
    pub usage: Option<Option<UsageDto>>,
}

/// A piece.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
#[schema(as = ChatChunkChoice)]
pub struct ChunkChoice {
    /// Always 0.
    pub index: u32,
    /// The message.
    pub delta: ChatSaidDto,
    /// Always absent.
    pub logprobs: Option<()>,
    /// `stop` in the last piece.
    pub finish_reason: Option<&'static str>,
}

/// The models.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
#[schema(as = ModelList)]
pub struct ModelsDto {
    /// Always `list`.
    pub object: &'static str,
    /// A model for each dataset.
    pub data: Vec<ModelDto>,
}

/// A dataset as a model.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
#[schema(as = Model)]
pub struct ModelDto {
    /// The dataset's id.
    pub id: String,
    /// Always `model`.
    pub object: &'static str,
    /// Always 0: when a graph was made is not known.
    pub created: u64,
    /// Always `eruca`.
    pub owned_by: &'static str,
    /// The dataset's name for people.
    pub name: String,
}

/// Fields shared by all parts of one answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Stamp {
    id: String,
    created: u64,
    model: String,
}

impl Stamp {
    pub(super) fn new(id: &str, model: &str) -> Self {
        let created = SystemTime::now().duration_since(UNIX_EPOCH).map(|time| time.as_secs());
        Self { id: format!("chatcmpl-{id}"), created: created.unwrap_or_default(), model: model.to_owned() }
    }

    /// A complete answer.
    pub(super) fn completion(self, said: ChatSaidDto, usage: UsageDto) -> ChatCompletionDto {
        let Self { id, created, model } = self;
        let (message, finish_reason) = (ChatSaidDto { role: Some("assistant"), ..said }, Some("stop"));
        let choices = vec![ChatChoiceDto { index: 0, message, logprobs: None, finish_reason }];
        ChatCompletionDto {
            id,
            object: "chat.completion",
            created,
            model,
            choices,
            usage,
            claims: Vec::new(),
        }
    }

    /// A piece of an answer; `usage` as in [`Chunk`].
    pub(super) fn chunk(&self, piece: Option<ChatPiece>, usage: Option<Option<UsageDto>>) -> Chunk {
        let Self { id, created, model } = self.clone();
        let choice = |ChatPiece { delta, finish_reason }| ChunkChoice {
            index: 0,
            delta,
            logprobs: None,
            finish_reason,
        };
        let choices = piece.into_iter().map(choice).collect();
        Chunk { id, object: "chat.completion.chunk", created, model, choices, usage }
    }
}

/// The content of a chunk.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct ChatPiece {
    delta: ChatSaidDto,
    finish_reason: Option<&'static str>,
}

impl ChatPiece {
    /// The first piece: without a role at the start, some front ends do not treat the rest as an answer.
    pub(super) fn begin() -> Self {
        Self::of(ChatSaidDto {
            role: Some("assistant"),
            content: Some(String::new()),
            ..ChatSaidDto::default()
        })
    }

    pub(super) fn end() -> Self {
        Self { delta: ChatSaidDto::default(), finish_reason: Some("stop") }
    }

    pub(super) fn content(text: String) -> Self {
        Self::of(ChatSaidDto::content(text))
    }

    pub(super) fn reasoning(text: String) -> Self {
        Self::of(ChatSaidDto { reasoning_content: Some(text), ..ChatSaidDto::default() })
    }

    pub(super) fn of(delta: ChatSaidDto) -> Self {
        Self { delta, finish_reason: None }
    }
}

impl ChatSaidDto {
    pub(super) fn content(text: String) -> Self {
        Self { content: Some(text), ..Self::default() }
    }
}

impl From<Done> for ChatSaidDto {
    fn from(done: Done) -> Self {
        match done {
            Done::Text(text) => Self::content(text),
            Done::Call { name, arguments } => {
                let function = Function { name, arguments };
                let call = ChatToolCallDto { index: 0, id: "call_0".to_owned(), kind: "function", function };
                Self { tool_calls: Some(vec![call]), ..Self::default() }
            }
        }
    }
}
