//! Turns error messages of engines into [`QueryError`]s: shared messages, and the engine-specific ones from each [`Dialect`].
//!
//! The messages of the endpoint's own dialect are tried first, then those of all others, because a proxy may hide an engine
//! that has not been identified yet. Uses `error`, the [`Dialect`]s, and what `outgoing` knows of web pages and refusals.

use super::{Dialect, Wordings};
use crate::QueryError;
use crate::outgoing::{between, how_to_say_who, is_page, page_words};
use serde_json::Value;
use std::time::Duration;

/// Maximum length of a message, in characters.
pub(super) const MAX_MESSAGE: usize = 300;

/// Maximum length of a syntax error message, in characters.
const MAX_SYNTAX_MESSAGE: usize = 200;

/// Maximum length of a quoted token, in characters.
const MAX_TOKEN: usize = 60;

/// Bytes at the end of a result that are searched for an error message.
const TAIL_BYTES: usize = 16_384;

const TIMEOUT: &[&str] = &["timed out", "timeout", "time limit exceeded", "deadline exceeded"];

const TOO_LARGE: &[&str] = &[
    "out of memory",
    "outofmemory",
    "memory limit",
    "result is too large",
    "too large result",
    "query is too large",
    "exceeds the limit",
];

/// The last three are from JavaCC parsers: Jena, RDF4J and engines based on them.
const SYNTAX: &[&str] = &["syntax error", "parse error", "lexical error", "encountered \"", "encountered:"];

/// Parts of the query that engines repeat in error messages.
const PARTS_OF_QUERIES: &[&str] = &["function", "variable", "datatype"];

/// An HTTP error response.
pub(crate) struct FailedResponse<'a> {
    pub(crate) status: u16,
    pub(crate) body: &'a str,
    pub(crate) retry_after: Option<Duration>,
    /// Time since the start of the call; reported with timeouts.
    pub(crate) elapsed: Duration,
    /// The endpoint's dialect as far as it is known.
    pub(crate) dialect: &'static Dialect,
}

impl FailedResponse<'_> {
    /// The messages of this dialect, then those of all others.
    fn wordings(&self) -> impl Iterator<Item = &'static Wordings> {
        wordings(self.dialect)
    }

    fn says(&self, lower: &str, shared: &[&str], own: fn(&Wordings) -> &'static [&'static str]) -> bool {
        let any = |words: &[&str]| words.iter().any(|words| lower.contains(words));
        any(shared) || self.wordings().any(|wordings| any(own(wordings)))
    }
}

fn wordings(known: &'static Dialect) -> impl Iterator<Item = &'static Wordings> {
    let others = Dialect::all().filter(move |dialect| *dialect != known);
    std::iter::once(known).chain(others).map(|dialect| &dialect.wordings)
}

/// Classifies a failure by its status and message.
pub(crate) fn classify(failure: &FailedResponse<'_>) -> QueryError {
    let html = is_page(failure.body);
    let words = own_words(failure, html);
    let message = shorten(&words, MAX_MESSAGE);
    let lower = words.to_lowercase();
    // A timeout on a gateway's error page is the gateway's own; the engine may still be working.
    let gateway = html && matches!(failure.status, 502..=504);
    if !gateway && (failure.status == 408 || failure.says(&lower, TIMEOUT, |own| own.timeout)) {
        return QueryError::Timeout { after: failure.elapsed };
    }
    if failure.status == 429 {
        let message = match message.as_str() {
            "" => "HTTP 429".to_owned(),
            _ => message + how_to_say_who(&words),
        };
        return QueryError::RateLimited { retry_after: failure.retry_after, message };
    }
    if gateway {
        return unavailable(failure.status, &message);
    }
    if let Some(error) = failure.wordings().find_map(|own| (own.verdict)(failure, &words)) {
        return error;
    }
    if let Some(prefix) = failure.wordings().find_map(|own| unknown_prefix(own, &words)) {
        return QueryError::UnknownPrefix { prefix };
    }
    if failure.says(&lower, SYNTAX, |own| own.syntax) {
        return syntax(&words, failure);
    }
    if failure.status == 413 || failure.says(&lower, TOO_LARGE, |own| own.too_large) {
        return QueryError::TooLarge { message };
    }
    by_status(failure, &words, &lower, message)
}

fn by_status(failure: &FailedResponse<'_>, words: &str, lower: &str, message: String) -> QueryError {
    let names_the_query = || {
        PARTS_OF_QUERIES.iter().any(|part| lower.contains(part))
            || failure.wordings().any(|own| (own.blames_query)(words))
    };
    match failure.status {
        403 if !how_to_say_who(words).is_empty() => unavailable(403, &(message + how_to_say_who(words))),
        401 | 403 => unavailable(failure.status, &format!("access denied, check the credentials: {message}")),
        404 => unavailable(404, "there is no SPARQL endpoint at this URL"),
        500.. if !names_the_query() => unavailable(failure.status, &message),
        _ if message.is_empty() => QueryError::Rejected { message: format!("HTTP {}", failure.status) },
        _ => QueryError::Rejected { message },
    }
}

/// Finds an error that an engine appended to a partial result, in a response with a success status.
pub(crate) fn error_after_output(
    body: &[u8],
    elapsed: Duration,
    dialect: &'static Dialect,
) -> Option<QueryError> {
    let tail = body.get(body.len().saturating_sub(TAIL_BYTES)..)?;
    let tail = String::from_utf8_lossy(tail);
    let start = wordings(dialect).filter_map(|own| (own.after_output)(&tail)).min()?;
    let body = tail.get(start..)?;
    Some(classify(&FailedResponse { status: 500, body, retry_after: None, elapsed, dialect }))
}

fn unavailable(status: u16, message: &str) -> QueryError {
    QueryError::Unavailable { message: format!("HTTP {status}: {message}") }
}

/// The bare message, without surrounding JSON, tags, repeated query or stack trace.
fn own_words(failure: &FailedResponse<'_>, html: bool) -> String {
    let body = failure.body;
    let text = match serde_json::from_str::<Value>(body) {
        Ok(json) => json_message(&json, failure).unwrap_or_else(|| body.to_owned()),
        Err(_) if html => page_words(body),
        Err(_) => body.to_owned(),
    };
    let text = failure.wordings().fold(text.as_str(), |text, own| (own.own)(text));
    root_cause(text).trim().to_owned()
}

fn json_message(json: &Value, failure: &FailedResponse<'_>) -> Option<String> {
    let mut keys = failure.wordings().filter_map(|own| own.json_key).chain(["message", "error", "detail"]);
    keys.find_map(|key| match json.get(key)? {
        Value::String(text) => Some(text.clone()),
        Value::Object(inner) => inner.get("message")?.as_str().map(str::to_owned),
        _ => None,
    })
}

/// The innermost of the nested Java exceptions on the first line, without stack frames.
fn root_cause(text: &str) -> &str {
    let text = text.split("\n\tat ").next().unwrap_or(text);
    let first = text.lines().next().unwrap_or_default();
    if !["java.", "org.", "com."].iter().any(|package| first.starts_with(package)) {
        return text;
    }
    let innermost = first.rmatch_indices("Exception: ").next();
    innermost.and_then(|(at, name)| text.get(at + name.len()..)).unwrap_or(text)
}

/// The unknown prefix named in the message.
fn unknown_prefix(own: &Wordings, words: &str) -> Option<String> {
    let wordings = own.prefix.iter().filter(|(_, also)| words.contains(also));
    let (_, rest) = wordings.filter_map(|(before, _)| words.split_once(before)).next()?;
    let name = rest.split(|c: char| c.is_whitespace() || c == '\'').next()?;
    Some(name.split(':').next().unwrap_or_default().to_owned())
}

pub(super) fn syntax(words: &str, failure: &FailedResponse<'_>) -> QueryError {
    let json = serde_json::from_str::<Value>(failure.body).unwrap_or_default();
    let place = failure.wordings().find_map(|own| (own.place)(words, &json));
    QueryError::Syntax {
        line: place.map(|(line, _)| line).or_else(|| number_after(words, "line ")),
        column: place.map(|(_, column)| column).or_else(|| number_after(words, "column ")),
        near: near(failure, words),
        message: shorten(words, MAX_SYNTAX_MESSAGE),
    }
}

/// The number after the first `mark`.
fn number_after(words: &str, mark: &str) -> Option<usize> {
    let (_, rest) = words.split_once(mark)?;
    rest.split(|c: char| !c.is_ascii_digit()).next()?.parse().ok()
}

/// The token at which parsing failed. JavaCC parsers write `Encountered " <CLASS> "x "" at line`.
fn near(failure: &FailedResponse<'_>, words: &str) -> Option<String> {
    let found = |start, end| words.get(between(words, start, end)?);
    let mut tokens = failure.wordings().flat_map(|own| own.tokens);
    let java = || found("ncountered \"", "\" at line")?.trim_end_matches('"').rsplit('"').next();
    let token = tokens.find_map(|(start, end)| found(start, end)).or_else(java)?.trim();
    (!token.is_empty()).then(|| token.chars().take(MAX_TOKEN).collect())
}

/// The text on one line of at most `most` characters.
pub(super) fn shorten(words: &str, most: usize) -> String {
    let line = words.split_whitespace().collect::<Vec<_>>().join(" ");
    if line.chars().count() <= most {
        return line;
    }
    let cut: String = line.chars().take(most.saturating_sub(1)).collect();
    format!("{cut}…")
}
