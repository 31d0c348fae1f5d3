//! Finds the position of a syntax error, and a short reason.
//!
//! The parser reports the furthest position it looked at, which is up to one keyword's length past the offending
//! token, and lists hundreds of expected tokens. So the text is parsed again with wide gaps between the tokens: the
//! reported position is then within the gap after the offending token.

use super::portable::is_function;
use super::tokens::{SparqlToken, SparqlTokenKind};
use crate::error::QueryError;
use spargebra::SparqlParser;

/// Longer than any keyword (`ENCODE_FOR_URI`).
const GAP: &str = "                        ";

/// Maximum length of a message, in characters.
const MAX_MESSAGE: usize = 200;

/// Maximum length of a quoted token, in characters.
const MAX_NEAR: usize = 60;

/// The syntax error of `tokens` preceded by `declarations`; line numbers do not count the declarations.
pub(super) fn error(tokens: &[SparqlToken<'_>], declarations: &str) -> QueryError {
    let spread = TokenSpread::of(tokens);
    let message = match SparqlParser::new().parse_query(&format!("{declarations}{}", spread.text)) {
        Ok(_) => "two words or signs stand too close or too far apart".to_owned(),
        Err(error) => error.to_string(),
    };
    let Some((line, column, expected)) = split(&message) else {
        return QueryError::Syntax { line: None, column: None, near: None, message: shorten(&message) };
    };
    let place = spread.place(line.saturating_sub(declarations.lines().count()), column);
    // After an unclosed quote, the parser looks at what follows it.
    let stray = first_stray(tokens).filter(|(at, _)| place.is_none_or(|(offset, _)| *at <= offset));
    let (offset, near) = stray.or(place).map_or((None, None), |(offset, text)| (Some(offset), Some(text)));
    let text: String = tokens.iter().map(|t| t.text).collect();
    let before = offset.and_then(|offset| text.get(..offset)).unwrap_or(&text);
    QueryError::Syntax {
        line: Some(before.matches('\n').count() + 1),
        column: Some(before.rsplit('\n').next().map_or(0, |line| line.chars().count()) + 1),
        near: near.map(|text| text.chars().take(MAX_NEAR).collect()),
        message: shorten(&explain(expected, near, tokens)),
    }
}

/// The significant tokens, spread far apart.
struct TokenSpread<'a> {
    text: String,
    /// Start in `text`, start in the original, and the token.
    tokens: Vec<(usize, usize, &'a str)>,
}

impl<'a> TokenSpread<'a> {
    fn of(tokens: &[SparqlToken<'a>]) -> Self {
        let mut spread = Self { text: String::new(), tokens: Vec::new() };
        let mut offset = 0;
        let mut after_function = false;
        for token in tokens {
            if after_function && token.is("(") {
                // Some functions must be directly followed by their parenthesis; both count as one token.
                spread.text.push_str(token.text);
            } else if token.is_significant() {
                spread.text.push_str(GAP);
                spread.tokens.push((spread.text.len(), offset, token.text));
                spread.text.push_str(token.text);
            } else if token.text.contains('\n') {
                // A line break inside quotes may be why they are not a string.
                spread.text.push('\n');
            }
            after_function = is_function(token);
            offset += token.text.len();
        }
        spread.text.push_str(GAP);
        spread
    }

    /// The token at a position of the spread text; `None` after the last.
    fn place(&self, line: usize, column: usize) -> Option<(usize, &'a str)> {
        let lines: usize = self.text.split('\n').take(line.saturating_sub(1)).map(|l| l.len() + 1).sum();
        let rest = self.text.get(lines..)?;
        let at = lines + rest.char_indices().nth(column.saturating_sub(1)).map_or(rest.len(), |(at, _)| at);
        let next = self.tokens.partition_point(|(start, _, _)| *start <= at);
        let (start, offset, text) = *self.tokens.get(next.saturating_sub(1))?;
        let at_the_end = next == self.tokens.len() && at >= start + text.len() + GAP.len();
        (!at_the_end).then_some((offset, text))
    }
}

/// The first token that is not SPARQL, with its offset.
fn first_stray<'a>(tokens: &[SparqlToken<'a>]) -> Option<(usize, &'a str)> {
    let mut offset = 0;
    for token in tokens {
        if token.kind == SparqlTokenKind::Stray {
            return Some((offset, token.text));
        }
        offset += token.text.len();
    }
    None
}

/// Parses `error at LINE:COLUMN: expected ...`.
fn split(message: &str) -> Option<(usize, usize, &str)> {
    let (line, rest) = message.strip_prefix("error at ")?.split_once(':')?;
    let (column, expected) = rest.split_once(": expected ")?;
    Some((line.parse().ok()?, column.parse().ok()?, expected))
}

/// The parser's own error sentences, if any; otherwise a reason without its list of expected tokens.
fn explain(expected: &str, near: Option<&str>, tokens: &[SparqlToken<'_>]) -> String {
    let expected = expected.strip_prefix("one of ").unwrap_or(expected);
    let is_sentence = |a: &&str| a.contains(' ') && a.starts_with(char::is_alphabetic);
    let sentences: Vec<&str> = expected.split(", ").filter(is_sentence).collect();
    if !sentences.is_empty() {
        return sentences.join("; ");
    }
    match near {
        Some(text) => format!("`{}` cannot stand here", text.chars().take(MAX_NEAR).collect::<String>()),
        None => match unclosed(tokens) {
            Some(bracket) => format!("the query ends while a `{bracket}` is open"),
            None => "the query ends too early".to_owned(),
        },
    }
}

/// The innermost unclosed bracket.
fn unclosed<'a>(tokens: &[SparqlToken<'a>]) -> Option<&'a str> {
    let mut open = Vec::new();
    for token in tokens.iter().filter(|t| t.kind == SparqlTokenKind::Punctuation) {
        match token.text {
            "(" | "{" | "[" => open.push(token.text),
            ")" | "}" | "]" => {
                open.pop();
            }
            _ => {}
        }
    }
    open.pop()
}

fn shorten(message: &str) -> String {
    if message.chars().count() <= MAX_MESSAGE {
        return message.to_owned();
    }
    let cut: String = message.chars().take(MAX_MESSAGE - 1).collect();
    format!("{cut}…")
}
