//! Tool calls that a model writes as text: servers should read them, and many do not know the template of their model.
//!
//! ```text
//! json    {"name": "answer", "arguments": {…}}, alone, in a fence or in tags; a tool's name before its arguments (harmony,
//!         DeepSeek, "Action: … Action Input: …")
//! tags    <function=answer><parameter=query>…, <invoke name="answer">…, <tool_call>answer <arg_key>query</arg_key>…
//! python  {'name': 'answer', 'arguments': {…}}, answer(query="…")
//! ```
//! The first of them that finds a call is believed. Each looks at a bounded number of bytes, whatever stands in the text. Knows
//! the names and parameters of tools.

mod json;
mod python;
mod tags;

use crate::llm::ToolCall;
use crate::tools::{Tool, find};
use serde_json::{Map, Value};

/// Calls done of one reply; models that mean well make a handful.
pub(super) const MAX_CALLS: usize = 16;
/// Bytes at the end of a text that are searched for calls and queries; models put them there.
pub(super) const MAX_TEXT: usize = 65_536;
/// Bytes that may be looked at while looking for calls in a text.
const MAX_WORK: usize = 4 * MAX_TEXT;
/// Names under which models write the arguments of a call.
const ARGUMENTS: [&str; 4] = ["arguments", "parameters", "args", "input"];

/// Calls in a text.
#[derive(Debug, Default)]
pub(super) struct TextCalls {
    pub(super) calls: Vec<ToolCall>,
    /// Bytes looked at, some of them several times.
    pub(super) work: usize,
}

impl TextCalls {
    fn is_full(&self) -> bool {
        self.calls.len() > MAX_CALLS || self.work > MAX_WORK
    }

    fn push(&mut self, tool: &dyn Tool, arguments: String) {
        let id = format!("text{}", self.calls.len());
        self.calls.push(ToolCall { id, name: tool.name().to_owned(), arguments });
    }

    fn push_object(&mut self, tool: &dyn Tool, arguments: Map<String, Value>) {
        self.push(tool, Value::Object(arguments).to_string());
    }

    /// Takes the calls in a value: itself, or those in it.
    fn collect(&mut self, value: &Value) {
        if let Some((tool, arguments)) = call(value) {
            self.push(tool, arguments);
            return;
        }
        match value {
            Value::Array(items) => items.iter().for_each(|item| self.collect(item)),
            Value::Object(entries) => entries.values().for_each(|item| self.collect(item)),
            _ => {}
        }
    }
}

/// The calls in a text.
pub(super) fn text_calls(text: &str) -> TextCalls {
    let mut found = TextCalls::default();
    for reader in [tags::read, json::read, python::read] {
        found = TextCalls::default();
        reader(text, &mut found);
        if !found.calls.is_empty() {
            break;
        }
    }
    found
}

/// A value that is a call: `{"name": …, "arguments": {…}}`, also within `function`.
fn call(value: &Value) -> Option<(&'static dyn Tool, String)> {
    let function = value.get("function").filter(|function| function.is_object()).unwrap_or(value);
    let name = ["name", "tool", "action"].iter().find_map(|key| function.get(key)?.as_str())?;
    let arguments = ARGUMENTS.iter().find_map(|key| function.get(key))?;
    let arguments = arguments.as_str().map_or_else(|| arguments.to_string(), str::to_owned);
    Some((find(name)?, arguments))
}

/// Whether a tool has a parameter of this name.
fn takes(tool: &dyn Tool, parameter: &str) -> bool {
    tool.parameters().pointer("/properties").and_then(|all| all.get(parameter)).is_some()
}

fn last_chars(text: &str, count: usize) -> &str {
    let from = text.char_indices().rev().nth(count.saturating_sub(1)).map_or(0, |(at, _)| at);
    text.get(from..).unwrap_or_default()
}

/// The last tool that is named in a text.
fn last_named(text: &str) -> Option<&'static dyn Tool> {
    let in_name = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | '.' | ':');
    text.rsplit(|c: char| !in_name(c)).find_map(|word| find(word.trim_matches(['.', ':', '-'])))
}

#[cfg(test)]
mod tests;
