//! Calls in JSON, alone, in a fence, in tags or within other JSON; and objects of arguments behind the name of their tool, as
//! OpenAI's harmony, DeepSeek's templates and the ReAct paper write them.

use super::{TextCalls, last_chars, last_named, takes};
use serde_json::Value;

/// Characters before an object in which its tool is named.
const NAMED_WITHIN: usize = 200;

pub(super) fn read(text: &str, found: &mut TextCalls) {
    let (mut from, mut behind) = (0, 0);
    while let Some((before, _)) = text.get(from..).and_then(|rest| rest.split_once('{')) {
        let start = from + before.len();
        let Some(rest) = text.get(start..) else { return };
        let mut values = serde_json::Deserializer::from_str(rest).into_iter::<Value>();
        match values.next() {
            Some(Ok(value)) => {
                let known = found.calls.len();
                found.collect(&value);
                if found.calls.len() == known {
                    collect_named(text.get(behind..start).unwrap_or_default(), &value, found);
                }
                from = start + values.byte_offset().max(1);
                behind = from;
                found.work += from - start;
            }
            Some(Err(error)) => {
                from = start + 1;
                found.work += offset(rest, &error);
            }
            None => return,
        }
        if found.is_full() {
            return;
        }
    }
}

/// The arguments of a tool that is named before them.
fn collect_named(before: &str, value: &Value, found: &mut TextCalls) {
    let Some(object) = value.as_object() else { return };
    let Some(tool) = last_named(last_chars(before, NAMED_WITHIN)) else { return };
    if object.keys().any(|key| takes(tool, key)) {
        found.push(tool, value.to_string());
    }
}

/// How far a reader came before an error.
fn offset(text: &str, error: &serde_json::Error) -> usize {
    let before = text.split_inclusive('\n').take(error.line().saturating_sub(1)).map(str::len).sum::<usize>();
    (before + error.column()).clamp(1, text.len().max(1))
}
