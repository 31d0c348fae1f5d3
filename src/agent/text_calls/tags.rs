//! Calls in tags: `<function=answer><parameter=query>…</parameter></function>` (Qwen3-Coder, Llama 3), `<invoke name="answer">`
//! with `<parameter name="query">` (Claude), `<tool_call>answer<arg_key>query</arg_key><arg_value>…</arg_value>` (GLM).
//!
//! Tags that were left open reach to the next one of their kind, or to the end.

use super::{TextCalls, takes};
use crate::tools::{Tool, find};
use serde_json::{Map, Value};

/// How calls begin and end.
const CALLS: [(&str, &str); 3] =
    [("<function=", "</function>"), ("<invoke name=", "</invoke>"), ("<tool_call>", "</tool_call>")];
/// How parameters begin and end; the name stands at the beginning of the tag, or in the first of two.
const PARAMETERS: [&str; 2] = ["<parameter=", "<parameter name="];
const PARAMETER_END: &str = "</parameter>";
const KEY: (&str, &str) = ("<arg_key>", "</arg_key>");
const VALUE: (&str, &str) = ("<arg_value>", "</arg_value>");

pub(super) fn read(text: &str, found: &mut TextCalls) {
    for (open, close) in CALLS {
        for body in bodies(text, open, close) {
            found.work += body.len();
            collect(body, found);
            if found.is_full() {
                return;
            }
        }
        if !found.calls.is_empty() {
            return;
        }
    }
}

/// What stands between the tags, one after the other.
fn bodies<'t>(text: &'t str, open: &'t str, close: &'t str) -> impl Iterator<Item = &'t str> {
    text.split(open).skip(1).map(move |rest| rest.split_once(close).map_or(rest, |(body, _)| body))
}

/// A call whose name stands at the beginning, before the tag's end or the first key.
fn collect(body: &str, found: &mut TextCalls) {
    let (name, rest) = match body.split_once(KEY.0) {
        Some((name, _)) if !name.contains('>') => (name, body),
        _ => match body.split_once('>') {
            Some(parts) => parts,
            None => return,
        },
    };
    let Some(tool) = find(unquoted(name)) else { return };
    let mut arguments = Map::new();
    for open in PARAMETERS {
        for parameter in bodies(rest, open, PARAMETER_END) {
            if let Some((name, value)) = parameter.split_once('>') {
                add(tool, unquoted(name), value, &mut arguments);
            }
        }
    }
    for pair in bodies(rest, KEY.0, VALUE.1) {
        if let Some((name, value)) = pair.split_once(KEY.1) {
            add(
                tool,
                name.trim(),
                value.split_once(VALUE.0).map_or(value, |(_, value)| value),
                &mut arguments,
            );
        }
    }
    match serde_json::from_str(rest.trim()) {
        // `<function=answer>{"query": "…"}</function>`
        Ok(Value::Object(object)) => found.push_object(tool, object),
        _ => found.push_object(tool, arguments),
    }
}

/// A name without quotes, and without further attributes of its tag.
fn unquoted(name: &str) -> &str {
    name.split_whitespace().next().unwrap_or_default().trim_matches(['"', '\''])
}

/// Adds an argument. What looks like JSON is JSON, unless the tool wants a text.
fn add(tool: &dyn Tool, name: &str, value: &str, arguments: &mut Map<String, Value>) {
    let value = value.trim();
    let parameters = tool.parameters();
    let is_text = parameters
        .pointer("/properties")
        .and_then(|all| all.get(name)?.get("type"))
        .is_some_and(|kind| kind == "string");
    let read = || serde_json::from_str(value).ok();
    let value =
        if is_text || !takes(tool, name) { None } else { read() }.unwrap_or_else(|| Value::from(value));
    arguments.insert(name.to_owned(), value);
}
