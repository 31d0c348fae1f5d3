//! Requests that front ends send in addition to people's questions: titles, tags, follow-up questions, searches, completions of
//! text being typed. They are not questions to a graph, and are answered at once from their own content.
//!
//! They are recognised by their form, not by their wording, which differs between versions, languages and settings:
//! - a single user message that contains a conversation (see `transcript`), mostly with an example of the JSON wanted, whose
//!   key says what is wanted (Open WebUI; LibreChat with `titleMethod: completion`);
//! - a schema for the answer, by `response_format` or by a function that must be called, with known properties
//!   only (LibreChat with `titleMethod: structured` and `functions`);
//! - a system message with an example that has the key `tool_calls` (Open WebUI's choice of tools).

use super::request::{ChatMessage, ChatRequestDto};
use super::transcript::Transcript;
use eruca_language::detect;
use eruca_sparql::one_line;
use serde_json::{Map, Value, json};

/// Maximum length of a title in characters.
const MAX_TITLE: usize = 60;

/// What may be wanted, by the key expected in the answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum WantedKey {
    Title,
    Language,
    Tags,
    FollowUps,
    Queries,
    Completion,
    Picture,
    ToolCalls,
}

const KEYS: [(&str, WantedKey); 8] = [
    ("title", WantedKey::Title),
    ("language", WantedKey::Language),
    ("tags", WantedKey::Tags),
    ("follow_ups", WantedKey::FollowUps),
    ("queries", WantedKey::Queries),
    ("text", WantedKey::Completion),
    ("prompt", WantedKey::Picture),
    ("tool_calls", WantedKey::ToolCalls),
];

fn key(name: &str) -> Option<WantedKey> {
    KEYS.iter().find(|(known, _)| *known == name).map(|(_, key)| *key)
}

/// The response.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Done {
    /// A text.
    Text(String),
    /// A call of a function that must be called.
    Call {
        /// The function.
        name: String,
        /// Its arguments, as JSON.
        arguments: String,
    },
}

/// The answer to a request that is not a question; `None` if it is one. `dataset` is the name of the graph.
pub(super) fn done(request: &ChatRequestDto, dataset: &str) -> Option<Done> {
    let text = lone(&request.messages)?.text();
    let transcript = Transcript::find(&text);
    let source = match &transcript {
        Some(transcript) => {
            ChoreSource { first: transcript.first_question(), last: transcript.last_question(), dataset }
        }
        None => ChoreSource { first: text.clone(), last: text.clone(), dataset },
    };
    if let Some(asked) = schema(request).filter(ReplySchema::is_client_task) {
        let object = source.object(&asked.names)?.to_string();
        return Some(match asked.function {
            Some(name) => Done::Call { name, arguments: object },
            None => Done::Text(object),
        });
    }
    if chooses_tools(&request.messages) {
        return source.object(&["tool_calls".to_owned()]).map(|object| Done::Text(object.to_string()));
    }
    let transcript = transcript?;
    let wanted = wanted(&transcript.around).and_then(|name| source.object(&[name]));
    Some(Done::Text(wanted.map_or_else(|| source.title(), |object| object.to_string())))
}

/// The only message, apart from system messages.
fn lone(messages: &[ChatMessage]) -> Option<&ChatMessage> {
    let mut said = messages.iter().filter(|message| !is_of_system(message));
    let first = said.next().filter(|message| message.is_of_user());
    first.filter(|_| said.next().is_none())
}

fn is_of_system(message: &ChatMessage) -> bool {
    matches!(message.role.as_str(), "system" | "developer")
}

/// Whether a system message asks which tools to call.
fn chooses_tools(messages: &[ChatMessage]) -> bool {
    let mut texts = messages.iter().filter(|message| is_of_system(message)).map(ChatMessage::text);
    texts.any(|text| keys(&text).any(|name| key(name) == Some(WantedKey::ToolCalls)))
}

/// The first known key in the JSON examples of a text.
fn wanted(text: &str) -> Option<String> {
    keys(text).find(|name| key(name).is_some()).map(str::to_owned)
}

/// The first key of every JSON object in a text.
fn keys(text: &str) -> impl Iterator<Item = &str> {
    text.split('{').skip(1).filter_map(|inside| {
        let (name, after) = inside.trim_start().strip_prefix('"')?.split_once('"')?;
        after.trim_start().starts_with(':').then_some(name)
    })
}

/// The schema that the answer must have.
struct ReplySchema {
    /// Its properties.
    names: Vec<String>,
    /// The function whose arguments it describes, if it is one.
    function: Option<String>,
}

impl ReplySchema {
    /// Whether it is for a task about a conversation: only known keys, and at least one that an answer to a question
    /// would not have.
    fn is_client_task(&self) -> bool {
        let keys: Option<Vec<WantedKey>> = self.names.iter().map(|name| key(name)).collect();
        let about = |key: &WantedKey| {
            matches!(key, WantedKey::Title | WantedKey::Tags | WantedKey::FollowUps | WantedKey::Queries)
        };
        keys.is_some_and(|keys| keys.iter().any(about))
    }
}

fn schema(request: &ChatRequestDto) -> Option<ReplySchema> {
    let format = request.response_format.as_ref().and_then(|format| format.pointer("/json_schema/schema"));
    if let Some(schema) = format {
        return Some(ReplySchema { names: properties(schema)?, function: None });
    }
    let name = request.tool_choice.as_ref()?.pointer("/function/name")?.as_str()?;
    let tools = request.tools.as_ref()?.as_array()?;
    let mut functions = tools.iter().filter_map(|tool| tool.get("function"));
    let function = functions.find(|function| function.get("name").and_then(Value::as_str) == Some(name))?;
    Some(ReplySchema { names: properties(function.get("parameters")?)?, function: Some(name.to_owned()) })
}

fn properties(schema: &Value) -> Option<Vec<String>> {
    Some(schema.get("properties")?.as_object()?.keys().cloned().collect())
}

/// What answers are built from.
struct ChoreSource<'a> {
    first: String,
    last: String,
    dataset: &'a str,
}

impl ChoreSource<'_> {
    /// An object with these keys; `None` if one of them is unknown.
    fn object(&self, names: &[String]) -> Option<Value> {
        let pairs = names.iter().map(|name| Some((name.clone(), self.value(key(name)?))));
        let object: Map<String, Value> = pairs.collect::<Option<_>>()?;
        (!object.is_empty()).then_some(Value::Object(object))
    }

    fn value(&self, key: WantedKey) -> Value {
        match key {
            WantedKey::Title => self.title().into(),
            WantedKey::Language => {
                detect(&self.first).map_or_else(String::new, |language| language.name().to_owned()).into()
            }
            WantedKey::Tags => json!([self.dataset]),
            WantedKey::FollowUps | WantedKey::Queries | WantedKey::ToolCalls => json!([]),
            WantedKey::Completion => json!(""),
            WantedKey::Picture => self.last.as_str().into(),
        }
    }

    /// The first question, shortened if necessary.
    fn title(&self) -> String {
        let line = one_line(self.first.trim(), usize::MAX);
        if line.is_empty() {
            return self.dataset.to_owned();
        }
        let Some((end, _)) = line.char_indices().nth(MAX_TITLE) else { return line };
        let head = line.get(..end).unwrap_or_default();
        // Cut between words, if there are several.
        let head = head.rsplit_once(' ').map_or(head, |(head, _)| head);
        format!("{}…", head.trim_end())
    }
}

#[cfg(test)]
mod tests;
