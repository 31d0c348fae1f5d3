//! Codepoint escapes, `\u00E9` and `\U0001F600`. [SPARQL](https://www.w3.org/TR/sparql11-query/#codepointEscape) resolves them
//! before parsing, so an escape can end a comment or a string. Some engines do this, with or without regard to a preceding
//! backslash; others, like the parser used here, accept them only in strings and IRIs. A text without escapes means the same to
//! all of them.
//!
//! So the text of a checked query contains no comment and nothing that could be read as such an escape, whenever and
//! however an engine resolves them. A query that cannot be written without them is refused, and the algebra is parsed from
//! exactly this text. Uses the tokenizer. Tests: `tests`, `fuzzing/readings.rs`, `tests/escapes.rs`.

use super::refuse;
use super::tokens::{SparqlTokenKind, tokenize};
use crate::error::QueryError;
use std::borrow::Cow;

/// Replaces codepoint escapes with their characters. The result never ends a token: a string uses escapes like `\n` where needed,
/// which all engines resolve only inside strings, and in a comment the escape is dropped. An escape not allowed in an IRI stays.
pub(super) fn resolve(text: &str) -> Cow<'_, str> {
    if first(text).is_none() {
        return Cow::Borrowed(text);
    }
    let mut resolved = String::with_capacity(text.len());
    // Outside strings and IRIs, an escape does not belong to the surrounding token.
    let mut outside = String::new();
    for token in tokenize(text) {
        let put = match token.kind {
            SparqlTokenKind::String => put_in_string,
            SparqlTokenKind::Iri => put_in_iri,
            SparqlTokenKind::Comment => put_in_comment,
            _ => {
                outside.push_str(token.text);
                continue;
            }
        };
        resolve_into(&mut resolved, &std::mem::take(&mut outside), put_outside);
        resolve_into(&mut resolved, token.text, put);
    }
    resolve_into(&mut resolved, &outside, put_outside);
    Cow::Owned(resolved)
}

/// Refuses anything that an engine might read as an escape.
pub(super) fn refuse_left(text: &str) -> Result<(), QueryError> {
    let Some(escape) = matches(text).find(|escape| !is_word(escape)) else { return Ok(()) };
    let shown: String = escape.chars().take_while(|c| !c.is_control()).take(6).collect();
    refuse(format!(
        "`{shown}` in it is one character to some endpoints, and a backslash and what follows to others; write the character \
         itself, or leave out the backslash"
    ))
}

/// The text from the first possible escape on.
fn first(text: &str) -> Option<&str> {
    matches(text).next()
}

/// The rest of the text from each `\u` or `\U` on.
fn matches(text: &str) -> impl Iterator<Item = &str> {
    let places = text.match_indices('\\').filter_map(|(at, _)| text.get(at..));
    places.filter(|rest| rest.starts_with("\\u") || rest.starts_with("\\U"))
}

/// Whether the letters after a backslash form a word like `Users`: the one after the `u` cannot start a number, however
/// leniently numbers are parsed.
fn is_word(escape: &str) -> bool {
    escape.chars().nth(2).is_some_and(|c| matches!(c.to_ascii_lowercase(), 'g'..='w' | 'y' | 'z'))
}

type Put = fn(&mut String, char, &str);

fn put_outside(out: &mut String, c: char, _escape: &str) {
    out.push(c);
}

/// Comments are removed later.
fn put_in_comment(_out: &mut String, _c: char, _escape: &str) {}

fn put_in_string(out: &mut String, c: char, _escape: &str) {
    match c {
        '\n' => out.push_str("\\n"),
        '\r' => out.push_str("\\r"),
        '"' | '\'' | '\\' => out.extend(['\\', c]),
        other => out.push(other),
    }
}

fn put_in_iri(out: &mut String, c: char, escape: &str) {
    if c <= ' ' || "<>\"{}|^`\\".contains(c) {
        out.push_str(escape);
    } else {
        out.push(c);
    }
}

fn resolve_into(out: &mut String, mut text: &str, put: Put) {
    while let Some((before, at)) = text.find('\\').and_then(|at| text.split_at_checked(at)) {
        out.push_str(before);
        // A backslash before another backslash does not start an escape.
        let len = match escaped(at) {
            Some((c, escape)) => {
                put(out, c, escape);
                escape.len()
            }
            None => {
                let pair = at.chars().take(2);
                let len = pair.clone().map(char::len_utf8).sum();
                out.extend(pair);
                len
            }
        };
        text = at.get(len..).unwrap_or_default();
    }
    out.push_str(text);
}

/// The character and the text of the escape at the start of `text`.
fn escaped(text: &str) -> Option<(char, &str)> {
    let digits = match text.as_bytes().get(1)? {
        b'u' => 4,
        b'U' => 8,
        _ => return None,
    };
    let escape = text.get(..2 + digits)?;
    let hex = escape.get(2..).filter(|hex| hex.bytes().all(|digit| digit.is_ascii_hexdigit()))?;
    Some((char::from_u32(u32::from_str_radix(hex, 16).ok()?)?, escape))
}

#[cfg(test)]
mod tests;
