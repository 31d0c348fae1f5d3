//! Requests to `/v1/chat/completions`. Fields without a meaning here are ignored: clients send many of them by
//! default.

use super::error::OpenAiError;
use eruca_api::AnswerStyle;
use serde::Deserialize;
use serde_json::Value;
use utoipa::ToSchema;

/// A conversation whose last question is to be answered.
#[derive(Debug, Clone, Default, PartialEq, Deserialize, ToSchema)]
#[schema(
    as = ChatCompletionRequest,
    example = json!({"model": "demo", "messages": [{"role": "user", "content": "What is the capital of France?"}]})
)]
pub struct ChatRequestDto {
    /// The id of a model: a dataset's id or one of its aliases.
    #[serde(default)]
    #[schema(required)]
    pub model: Option<String>,
    /// The conversation. The last message of the user is the question; those before it are what was asked before.
    #[serde(default)]
    #[schema(required)]
    pub messages: Vec<ChatMessage>,
    /// Whether the answer comes piece by piece, as server-sent events.
    #[serde(default)]
    pub stream: Option<bool>,
    /// Whether each sentence of the answer comes with the triples that support it, beyond OpenAI's API: as `claims` beside
    /// `choices`, of a stream in the run alone (`/runs/{id}`).
    #[serde(default)]
    pub claims: Option<bool>,
    /// `article` for an answer with sections and sources, beyond OpenAI's API: in the place of the sentence, and as `article` of the
    /// run (`/runs/{id}`). A stream sends it as a whole.
    #[serde(default)]
    pub style: Option<AnswerStyle>,
    /// What else a stream contains.
    #[serde(default)]
    pub stream_options: Option<StreamOptions>,
    /// Answers wanted; there is never more than one.
    #[serde(default)]
    pub n: Option<u64>,
    /// The form of the answer, by which requests for titles are known.
    #[serde(default)]
    #[schema(value_type = Option<Object>)]
    pub response_format: Option<Value>,
    /// Functions of the client: they are never called, except those that front ends use to request titles.
    #[serde(default)]
    #[schema(value_type = Option<Vec<Object>>)]
    pub tools: Option<Value>,
    /// The function that must be called.
    #[serde(default)]
    #[schema(value_type = Option<Object>)]
    pub tool_choice: Option<Value>,
}

/// What else a stream contains.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize, ToSchema)]
#[schema(as = ChatStreamOptions)]
pub struct StreamOptions {
    /// Whether the last chunk has the numbers of tokens.
    #[serde(default)]
    pub include_usage: Option<bool>,
}

/// A message of a conversation.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize, ToSchema)]
#[schema(as = ChatMessage)]
pub struct ChatMessage {
    /// Who says it: `user`, `assistant`, `system`, ...
    pub role: String,
    /// The message.
    #[serde(default)]
    pub content: Option<Content>,
}

/// The message.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, ToSchema)]
#[serde(untagged)]
#[schema(as = ChatContent)]
pub enum Content {
    /// As one text.
    Text(String),
    /// In parts.
    Parts(Vec<ContentPart>),
}

/// A part of a message.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, ToSchema)]
#[schema(as = ChatContentPart)]
pub struct ContentPart {
    /// What it is; questions are of `text` alone.
    #[serde(rename = "type")]
    pub kind: String,
    /// The text.
    #[serde(default)]
    pub text: Option<String>,
}

impl ContentPart {
    fn is_text(&self) -> bool {
        matches!(self.kind.as_str(), "text" | "input_text" | "output_text")
    }
}

impl ChatMessage {
    /// Whether it is a message of the user.
    pub(super) fn is_of_user(&self) -> bool {
        self.role == "user"
    }

    /// All its text.
    pub(super) fn text(&self) -> String {
        match &self.content {
            None => String::new(),
            Some(Content::Text(text)) => text.clone(),
            Some(Content::Parts(parts)) => {
                let texts =
                    parts.iter().filter(|part| part.is_text()).filter_map(|part| part.text.as_deref());
                texts.collect::<Vec<_>>().join("\n")
            }
        }
    }

    /// The kind of its first part that is not text.
    fn other(&self) -> Option<&str> {
        let Some(Content::Parts(parts)) = &self.content else { return None };
        parts.iter().find(|part| !part.is_text()).map(|part| part.kind.as_str())
    }
}

impl ChatRequestDto {
    /// The name of the model in the request.
    ///
    /// # Errors
    /// When there is none.
    pub(super) fn model(&self) -> Result<&str, OpenAiError> {
        let named = self.model.as_deref().map(str::trim).filter(|model| !model.is_empty());
        named.ok_or_else(|| {
            OpenAiError::invalid("model", "'model' is missing: the id of a dataset; /v1/models lists them")
        })
    }

    /// Whether the answer is to be streamed.
    pub(super) fn is_streamed(&self) -> bool {
        self.stream == Some(true)
    }

    /// Whether a stream ends with token counts.
    pub(super) fn includes_usage(&self) -> bool {
        self.stream_options.and_then(|options| options.include_usage) == Some(true)
    }

    /// The question and the messages before it.
    ///
    /// # Errors
    /// When there is none, it is not only text, or several answers are requested.
    pub(super) fn question(&self) -> Result<(String, &[ChatMessage]), OpenAiError> {
        if self.n.is_some_and(|n| n != 1) {
            return Err(OpenAiError::invalid("n", "'n' must be 1: a question has one answer"));
        }
        let last = self.messages.iter().rposition(ChatMessage::is_of_user);
        let parts = last.and_then(|last| Some((self.messages.get(last)?, self.messages.get(..last)?)));
        let Some((asked, before)) = parts else {
            let problem = "'messages' contains no message with the role 'user'; the last one is the question";
            return Err(OpenAiError::invalid("messages", problem));
        };
        if let Some(kind) = asked.other() {
            let problem =
                format!("a question must be plain text; this one contains a part of the type '{kind}'");
            return Err(OpenAiError::invalid("messages", &problem));
        }
        let question = asked.text().trim().to_owned();
        if question.is_empty() {
            return Err(OpenAiError::invalid("messages", "the last message of the user is empty"));
        }
        Ok((question, before))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn read(body: Value) -> ChatRequestDto {
        serde_json::from_value(body).unwrap()
    }

    fn refused(body: Value) -> String {
        let error = read(body).question().unwrap_err();
        error.to_string()
    }

    #[test]
    fn the_last_message_of_the_user_is_the_question_in_either_form() {
        let parts = json!([{"type": "text", "text": " Who"}, {"type": "text", "text": "is it? "}]);
        let request = read(json!({"messages": [
            {"role": "system", "content": "Be kind."},
            {"role": "user", "content": "Before?"},
            {"role": "assistant", "content": null, "tool_calls": []},
            {"role": "user", "content": parts},
            {"role": "assistant", "content": "It"},
        ], "temperature": 2, "tools": [], "seed": "x", "stream": null, "n": 1}));
        let (question, before) = request.question().unwrap();
        assert_eq!((question.as_str(), before.len()), ("Who\nis it?", 3));
        assert!(!request.is_streamed() && request.model().is_err());
    }

    #[test]
    fn what_is_no_question_is_refused_in_words() {
        assert!(refused(json!({})).contains("no message"));
        assert!(refused(json!({"messages": [{"role": "system", "content": "x"}]})).contains("no message"));
        assert!(refused(json!({"messages": [{"role": "user", "content": "\n "}]})).contains("empty"));
        assert!(refused(json!({"messages": [{"role": "user", "content": "x"}], "n": 2})).contains("'n'"));
        let image =
            json!([{"type": "text", "text": "x"}, {"type": "image_url", "image_url": {"url": "data:"}}]);
        assert!(refused(json!({"messages": [{"role": "user", "content": image}]})).contains("'image_url'"));
    }
}
