//! Calls as Python writes them: dicts with single quotes, and calls with keyword arguments.
//!
//! Literals are those of the Python reference, 2.4 to 2.6 and 6.2: texts (also in three quotes), numbers, `True`, `False`, `None`,
//! lists, tuples and dicts; nothing is computed.

use super::{TextCalls, last_chars, last_named, takes};
use crate::tools::Tool;
use serde_json::{Map, Number, Value};

/// Lists and dicts within each other.
const MAX_DEPTH: usize = 16;
/// Characters of the longest name before a bracket.
const MAX_NAME: usize = 60;

pub(super) fn read(text: &str, found: &mut TextCalls) {
    let mut from = 0;
    while let Some(at) = text.get(from..).and_then(|rest| rest.find(['{', '('])) {
        let start = from + at;
        let (before, rest) = text.split_at(start);
        let mut literals = Literals { rest };
        let known = found.calls.len();
        if rest.starts_with('{') {
            if let Some(value) = literals.value(0) {
                found.collect(&value);
            }
        } else if let Some(tool) = called(before)
            && let Some(arguments) = literals.arguments(tool)
        {
            found.push_object(tool, arguments);
        }
        let read = rest.len() - literals.rest.len();
        found.work += read.max(1);
        from = start + if found.calls.len() > known { read } else { 1 };
        if found.is_full() {
            return;
        }
    }
}

/// The tool whose name stands right before a bracket.
fn called(before: &str) -> Option<&'static dyn Tool> {
    let name = last_chars(before, MAX_NAME)
        .rsplit(|c: char| !(c.is_ascii_alphanumeric() || matches!(c, '_' | '.')))
        .next()?;
    last_named(name)
}

/// Reads literals from the beginning of what is left.
struct Literals<'t> {
    rest: &'t str,
}

impl Literals<'_> {
    fn takes(&mut self, token: &str) -> bool {
        let rest = self.rest.trim_start().strip_prefix(token);
        self.rest = rest.unwrap_or(self.rest);
        rest.is_some()
    }

    /// The arguments in brackets; one without a name is the tool's first parameter.
    fn arguments(&mut self, tool: &dyn Tool) -> Option<Map<String, Value>> {
        let mut arguments = Map::new();
        self.takes("(").then_some(())?;
        while !self.takes(")") {
            let name = match self.keyword() {
                Some(name) => name,
                None if arguments.is_empty() => first_parameter(tool)?,
                None => return None,
            };
            let value = self.value(0)?;
            takes(tool, &name).then(|| arguments.insert(name, value))?;
            if !self.takes(",") && !self.rest.trim_start().starts_with(')') {
                return None;
            }
        }
        Some(arguments)
    }

    /// A name with a sign of equality behind it.
    fn keyword(&mut self) -> Option<String> {
        let rest = self.rest.trim_start();
        let end = rest.find(|c: char| !(c.is_ascii_alphanumeric() || c == '_'))?;
        let (name, behind) = rest.split_at(end);
        let behind = behind.trim_start().strip_prefix('=')?;
        (!name.is_empty()).then(|| {
            self.rest = behind;
            name.to_owned()
        })
    }

    fn value(&mut self, depth: usize) -> Option<Value> {
        if depth > MAX_DEPTH {
            return None;
        }
        self.rest = self.rest.trim_start();
        match self.rest.chars().next()? {
            '{' => self.dict(depth).map(Value::Object),
            '[' => self.list("[", "]", depth),
            '(' => self.list("(", ")", depth),
            '"' | '\'' => self.text().map(Value::String),
            _ => self.word(),
        }
    }

    fn list(&mut self, open: &str, close: &str, depth: usize) -> Option<Value> {
        let mut items = Vec::new();
        self.takes(open).then_some(())?;
        while !self.takes(close) {
            items.push(self.value(depth + 1)?);
            if !self.takes(",") && !self.rest.trim_start().starts_with(close) {
                return None;
            }
        }
        Some(Value::Array(items))
    }

    fn dict(&mut self, depth: usize) -> Option<Map<String, Value>> {
        let mut entries = Map::new();
        self.takes("{").then_some(())?;
        while !self.takes("}") {
            let Value::String(key) = self.value(depth + 1)? else { return None };
            self.takes(":").then_some(())?;
            entries.insert(key, self.value(depth + 1)?);
            if !self.takes(",") && !self.rest.trim_start().starts_with('}') {
                return None;
            }
        }
        Some(entries)
    }

    fn text(&mut self) -> Option<String> {
        let quote = ["\"\"\"", "'''", "\"", "'"].into_iter().find(|quote| self.rest.starts_with(quote))?;
        self.rest = self.rest.get(quote.len()..)?;
        let mut text = String::new();
        // What is passed over counts as looked at, also where the text has no end.
        while !self.rest.starts_with(quote) {
            match self.next()? {
                '\\' => text.push_str(&unescaped(self.next()?)),
                '\n' if quote.len() == 1 => return None,
                other => text.push(other),
            }
        }
        self.takes(quote).then_some(text)
    }

    fn next(&mut self) -> Option<char> {
        let mut chars = self.rest.chars();
        let next = chars.next();
        self.rest = chars.as_str();
        next
    }

    /// A number or a word that stands for a value.
    fn word(&mut self) -> Option<Value> {
        let end =
            self.rest.find(|c: char| !(c.is_ascii_alphanumeric() || matches!(c, '.' | '-' | '+' | '_')));
        let (word, behind) = self.rest.split_at(end.unwrap_or(self.rest.len()));
        let value = match word {
            "True" | "true" => Value::Bool(true),
            "False" | "false" => Value::Bool(false),
            "None" | "null" => Value::Null,
            number => Value::Number(number.parse::<Number>().ok()?),
        };
        self.rest = behind;
        Some(value)
    }
}

/// What stands for a character behind a backslash; one without a meaning stays as it is.
fn unescaped(c: char) -> String {
    match c {
        'n' => "\n".to_owned(),
        't' => "\t".to_owned(),
        'r' => "\r".to_owned(),
        '\\' | '\'' | '"' => c.to_string(),
        '\n' => String::new(),
        other => format!("\\{other}"),
    }
}

fn first_parameter(tool: &dyn Tool) -> Option<String> {
    let parameters = tool.parameters();
    parameters.pointer("/properties")?.as_object()?.keys().next().cloned()
}
