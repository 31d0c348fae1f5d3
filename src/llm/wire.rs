//! The chat completions format: requests, and lenient parsing of responses.
//!
//! Requests are typed, so that the same conversation always gives the same bytes and prompt caches hit.
//! Replies are parsed as untyped JSON instead, because servers differ in nearly every field.
//!
//! Nothing outside of `llm` knows these types.

use super::{ChatRequest, Completion, Message, ToolCall, ToolSpec, Usage};
use serde::Serialize;
use serde_json::Value;
use std::borrow::Cow;
use std::collections::HashSet;

mod bounded;
mod stream;
mod too_long;

pub(super) use stream::{Broken, StreamReader};

/// Maximum length of a server's call id that is kept.
const MAX_ID_BYTES: usize = 128;
/// More tokens than any completion has; larger counts are ignored.
const MAX_TOKENS: u64 = 100_000_000;

/// The body of a request to `/chat/completions`.
#[derive(Serialize)]
pub(super) struct ChatBody<'a> {
    model: &'a str,
    messages: Vec<WireMessage<'a>>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    tools: Vec<WireTool<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    tool_choice: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    temperature: Option<f32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    max_completion_tokens: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    max_tokens: Option<u32>,
    stream: bool,
}

/// The parameters whose support differs between servers.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Sampling {
    /// Sent if set.
    pub(super) temperature: Option<f32>,
    /// The most tokens a completion may have.
    pub(super) limit: Option<u32>,
    /// Call the limit `max_tokens`, the older name of `max_completion_tokens`.
    pub(super) old_limit_name: bool,
}

#[derive(Serialize)]
#[serde(tag = "role", rename_all = "lowercase")]
enum WireMessage<'a> {
    System {
        content: &'a str,
    },
    User {
        content: &'a str,
    },
    Assistant {
        content: Option<&'a str>,
        #[serde(skip_serializing_if = "Vec::is_empty")]
        tool_calls: Vec<WireCall<'a>>,
    },
    Tool {
        tool_call_id: &'a str,
        content: &'a str,
    },
}

#[derive(Serialize)]
struct WireCall<'a> {
    id: &'a str,
    r#type: &'static str,
    function: WireCallee<'a>,
}

#[derive(Serialize)]
struct WireCallee<'a> {
    name: Cow<'a, str>,
    arguments: Cow<'a, str>,
}

#[derive(Serialize)]
struct WireTool<'a> {
    r#type: &'static str,
    function: WireFunction<'a>,
}

#[derive(Serialize)]
struct WireFunction<'a> {
    name: &'static str,
    description: &'static str,
    parameters: &'a Value,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    strict: bool,
}

/// The temperature, at least, of a completion that is sampled more freely than configured.
const FREE: f32 = 0.8;

impl<'a> ChatBody<'a> {
    /// The body of `request` to `model`.
    pub(super) fn new(model: &'a str, request: &'a ChatRequest, sampling: Sampling) -> Self {
        let limit = |old_name| sampling.limit.filter(|_| sampling.old_limit_name == old_name);
        Self {
            model,
            messages: request.messages.iter().map(WireMessage::new).collect(),
            tools: request.tools.iter().map(WireTool::new).collect(),
            // Without tools, servers refuse both a tool choice and an empty list.
            tool_choice: (!request.tools.is_empty()).then_some("auto"),
            temperature: sampling
                .temperature
                .map(|own| if request.sampled_anew { own.max(FREE) } else { own }),
            max_completion_tokens: limit(false),
            max_tokens: limit(true),
            stream: false,
        }
    }

    /// The same for a streamed reply.
    pub(super) fn streamed(self) -> Self {
        Self { stream: true, ..self }
    }
}

/// A conversation and its tools in the format of OpenAI's API, as fine-tuning tools read it: `messages` and `tools`.
pub fn conversation(messages: &[Message], tools: &[ToolSpec]) -> Value {
    let messages: Vec<WireMessage<'_>> = messages.iter().map(WireMessage::new).collect();
    let tools: Vec<WireTool<'_>> = tools.iter().map(WireTool::new).collect();
    serde_json::json!({"messages": messages, "tools": tools})
}

impl<'a> WireMessage<'a> {
    fn new(message: &'a Message) -> Self {
        match message {
            Message::System(content) => Self::System { content },
            Message::User(content) => Self::User { content },
            Message::Assistant { text, calls } => Self::Assistant {
                // Null content is allowed only beside tool calls.
                content: text.as_deref().or(calls.is_empty().then_some("")),
                tool_calls: calls.iter().map(WireCall::new).collect(),
            },
            Message::Tool { call_id, content } => Self::Tool { tool_call_id: call_id, content },
        }
    }
}

impl<'a> WireCall<'a> {
    fn new(call: &'a ToolCall) -> Self {
        Self {
            id: &call.id,
            r#type: "function",
            function: WireCallee {
                name: legal_name(&call.name),
                arguments: legal_arguments(&call.arguments),
            },
        }
    }
}

impl<'a> WireTool<'a> {
    fn new(tool: &'a ToolSpec) -> Self {
        let ToolSpec { name, description, parameters, strict } = tool;
        let function = WireFunction { name, description, parameters, strict: *strict };
        Self { r#type: "function", function }
    }
}

/// Servers check names in the history too: a single invented name would make the rest of the run fail.
fn legal_name(name: &str) -> Cow<'_, str> {
    let legal = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '-';
    if name.is_empty() {
        Cow::Borrowed("unnamed")
    } else if name.chars().all(legal) {
        Cow::Borrowed(name)
    } else {
        Cow::Owned(name.chars().map(|c| if legal(c) { c } else { '_' }).collect())
    }
}

/// Chat templates parse the arguments in the history: a malformed object would make the rest of the run fail.
fn legal_arguments(arguments: &str) -> Cow<'_, str> {
    match serde_json::from_str(arguments) {
        Ok(Value::Object(_)) => Cow::Borrowed(arguments),
        _ if arguments.trim().is_empty() => Cow::Borrowed("{}"),
        _ => Cow::Owned(serde_json::json!({ "unparsed": arguments }).to_string()),
    }
}

/// Estimated number of tokens for a number of bytes.
pub(super) fn estimated_tokens(bytes: usize) -> u64 {
    u64::try_from(bytes.div_ceil(4)).unwrap_or(u64::MAX)
}

/// Number of bytes in `request` that a model reads.
pub(super) fn prompt_bytes(request: &ChatRequest) -> usize {
    let messages = request.messages.iter().map(|message| match message {
        Message::System(text) | Message::User(text) => text.len(),
        Message::Assistant { text, calls } => text.as_ref().map_or(0, String::len) + call_bytes(calls),
        Message::Tool { content, .. } => content.len(),
    });
    let tools = request.tools.iter().map(|tool| {
        let ToolSpec { name, description, parameters, .. } = tool;
        name.len() + description.len() + parameters.to_string().len()
    });
    messages.chain(tools).sum()
}

/// Number of bytes in `calls` that a model writes.
pub(super) fn call_bytes(calls: &[ToolCall]) -> usize {
    calls.iter().map(|call| call.name.len() + call.arguments.len()).sum()
}

/// An error message of a server.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Complaint {
    /// The HTTP status stated in the body, for servers that send every error as 200.
    pub(super) status: Option<u16>,
    /// The server's message, in full.
    pub(super) words: String,
    /// The parameter that it mentions, if any.
    pub(super) about: Option<Parameter>,
    /// It says that the conversation does not fit into the model's context.
    pub(super) too_long: bool,
}

/// A request parameter that can be left out or renamed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Parameter {
    Temperature,
    Limit,
}

/// A parsed response with a success status.
pub(super) enum ParsedReply {
    /// A completion; its `attempts` is 1.
    Completion(Completion),
    /// An error sent with a success status.
    Complaint(Complaint),
}

/// The parts of a request that are needed to parse its reply.
pub(super) struct ReplyContext {
    /// Ids of earlier calls.
    ids: HashSet<String>,
    prompt_bytes: usize,
}

impl ReplyContext {
    /// The context of `request`.
    pub(super) fn of(request: &ChatRequest) -> Self {
        Self { ids: earlier_ids(request).map(str::to_owned).collect(), prompt_bytes: prompt_bytes(request) }
    }
}

/// Parses the body of a successful response.
///
/// # Errors
/// Why the body is not a completion.
pub(super) fn read(body: &str, context: ReplyContext) -> Result<ParsedReply, String> {
    let body = bare(body);
    let reply = bounded::value(body).map_err(|error| format!("{error} in: {body}"))?;
    let choice = reply.pointer("/choices/0");
    if choice.is_none() && reply.get("error").is_some_and(|error| !error.is_null()) {
        return Ok(ParsedReply::Complaint(complaint(body)));
    }
    let choice = choice.ok_or_else(|| format!("no choices in: {body}"))?;
    let message = choice.get("message").filter(|message| message.is_object());
    let message = message.ok_or_else(|| format!("no message in: {body}"))?;
    let text = content(message);
    let calls = calls(message, context.ids);
    let reasoning = message.get("reasoning_content").and_then(Value::as_str).map_or(0, str::len);
    let usage = usage(&reply, context.prompt_bytes, text.len() + call_bytes(&calls) + reasoning);
    let text = Some(without_thoughts(&text)).filter(|text| !text.is_empty());
    let reason = choice.get("finish_reason").and_then(Value::as_str);
    let cut = matches!(reason, Some("length" | "max_tokens"));
    Ok(ParsedReply::Completion(Completion { text, calls, usage, cut, attempts: 1 }))
}

/// Parses the body of an error response.
pub(super) fn complaint(body: &str) -> Complaint {
    let body = bare(body);
    let reply = bounded::value(body).unwrap_or(Value::Null);
    let error = reply.get("error").unwrap_or(&reply);
    let words = ["/error/message", "/error", "/message", "/detail"]
        .iter()
        .find_map(|path| reply.pointer(path).and_then(Value::as_str))
        .unwrap_or(body);
    let names = |parameter: &str| {
        error.get("param").and_then(Value::as_str) == Some(parameter) || words.contains(parameter)
    };
    let code = ["code", "type"].iter().filter_map(|name| error.get(*name)?.as_str());
    let too_long = code.map(Some).chain([None]).any(|code| too_long::is_too_long(code, words));
    let about = if names("max_tokens")
        || names("max_completion_tokens")
        || (too_long && too_long::counts_completion(words))
    {
        Some(Parameter::Limit)
    } else {
        names("temperature").then_some(Parameter::Temperature)
    };
    Complaint { status: status(error), words: words.trim().to_owned(), about, too_long }
}

/// The body without a byte order mark and surrounding white space, which some servers send.
fn bare(body: &str) -> &str {
    body.trim_start_matches('\u{feff}').trim()
}

fn status(error: &Value) -> Option<u16> {
    let code = error.get("code").or_else(|| error.get("status"))?;
    let code = code.as_u64().or_else(|| code.as_str()?.parse().ok())?;
    u16::try_from(code).ok().filter(|code| (400..600).contains(code))
}

/// The text of a message, whether it is a string or parts; a refusal counts as text.
fn content(message: &Value) -> String {
    let text = match message.get("content") {
        Some(Value::String(text)) => text.clone(),
        Some(Value::Array(parts)) => parts.iter().filter_map(part).collect(),
        _ => String::new(),
    };
    match message.get("refusal").and_then(Value::as_str) {
        Some(refusal) if text.is_empty() => refusal.to_owned(),
        _ => text,
    }
}

/// The text of one part; parts of other types (reasoning, images) have none.
fn part(part: &Value) -> Option<&str> {
    let kind = part.get("type").and_then(Value::as_str).unwrap_or("text");
    if kind.ends_with("text") { part.as_str().or_else(|| part.get("text")?.as_str()) } else { None }
}

/// The calls in a message, with ids that are unique within the conversation.
fn calls(message: &Value, mut taken: HashSet<String>) -> Vec<ToolCall> {
    let native = message.get("tool_calls").and_then(Value::as_array);
    let native = native.into_iter().flatten().map(|call| (call, call.get("function").unwrap_or(call)));
    let mut found: Vec<(&Value, &Value)> = native.collect();
    if found.is_empty() {
        found.extend(message.get("function_call").filter(|call| call.is_object()).map(|call| (call, call)));
    }
    let read = |(call, function)| ToolCall {
        id: unique_id(call, &mut taken),
        name: Value::get(function, "name").and_then(Value::as_str).unwrap_or_default().to_owned(),
        arguments: arguments(function),
    };
    found.into_iter().map(read).collect()
}

fn earlier_ids(request: &ChatRequest) -> impl Iterator<Item = &str> {
    request
        .messages
        .iter()
        .flat_map(|message| match message {
            Message::Assistant { calls, .. } => calls.as_slice(),
            _ => &[],
        })
        .map(|call| call.id.as_str())
}

/// The call's own id, or a new one if it has none or repeats an earlier one.
fn unique_id(call: &Value, taken: &mut HashSet<String>) -> String {
    let usable = |id: &&str| !id.is_empty() && id.len() <= MAX_ID_BYTES;
    let own = call.get("id").and_then(Value::as_str).filter(usable).map(str::to_owned);
    // Nine letters and digits: the strictest servers accept only such ids.
    let made_up = (taken.len()..).map(|number| format!("call{number:05}"));
    let id = own.into_iter().chain(made_up).find(|id| !taken.contains(id)).unwrap_or_default();
    taken.insert(id.clone());
    id
}

fn arguments(function: &Value) -> String {
    match function.get("arguments") {
        Some(Value::String(arguments)) => arguments.clone(),
        None | Some(Value::Null) => "{}".to_owned(),
        Some(other) => other.to_string(),
    }
}

/// Token counts as reported by the server; missing ones are estimated.
fn usage(reply: &Value, prompt_bytes: usize, completion_bytes: usize) -> Usage {
    let count =
        |path: &str| reply.pointer(path).and_then(Value::as_u64).filter(|&tokens| tokens <= MAX_TOKENS);
    // No prompt is empty: a zero comes from servers that do not count.
    let prompt = count("/usage/prompt_tokens").filter(|&tokens| tokens > 0);
    let completion = count("/usage/completion_tokens").filter(|_| prompt.is_some());
    let prompt_tokens = prompt.unwrap_or_else(|| estimated_tokens(prompt_bytes));
    let cached = count("/usage/prompt_tokens_details/cached_tokens");
    let cached = cached.or_else(|| count("/usage/prompt_cache_hit_tokens")).unwrap_or(0);
    Usage {
        prompt_tokens,
        cached_tokens: cached.min(prompt_tokens),
        completion_tokens: completion.unwrap_or_else(|| estimated_tokens(completion_bytes)),
        estimated: prompt.is_none() || completion.is_none(),
    }
}

/// `text` without `<think>` blocks.
///
/// A block that was cut off extends to the end; a lone closing tag ends a block that began in the prompt.
fn without_thoughts(text: &str) -> String {
    const OPEN: &str = "<think>";
    const CLOSE: &str = "</think>";
    let mut kept = String::new();
    let (mut from, mut inside) = (0, false);
    for (at, _) in text.match_indices('<') {
        let rest = text.get(at..).unwrap_or_default();
        if rest.starts_with(CLOSE) {
            if !inside {
                kept.clear();
            }
            (from, inside) = (at + CLOSE.len(), false);
        } else if !inside && rest.starts_with(OPEN) {
            kept.push_str(text.get(from..at).unwrap_or_default());
            inside = true;
        }
    }
    if !inside {
        kept.push_str(text.get(from..).unwrap_or_default());
    }
    kept.trim().to_owned()
}

#[cfg(test)]
mod tests;
