//! What the engines say when they fail, turned into [`QueryError`]s.
//!
//! One place knows the wordings of Virtuoso, QLever, Blazegraph, Fuseki (Jena), GraphDB and RDF4J, Oxigraph,
//! and of the proxies in front of them. Uses `error` only; `remote` calls it.

use crate::QueryError;
use serde_json::Value;
use std::time::Duration;

/// Longest message handed on, in characters.
const MAX_MESSAGE: usize = 300;

/// An HTTP response that is not an answer.
pub(crate) struct Failure<'a> {
    pub(crate) status: u16,
    pub(crate) body: &'a str,
    pub(crate) retry_after: Option<Duration>,
    /// Since the start of the call; reported with timeouts.
    pub(crate) elapsed: Duration,
}

/// Classifies a failure by its status and the engine's words.
pub(crate) fn classify(failure: &Failure<'_>) -> QueryError {
    let html = is_html(failure.body);
    let words = own_words(failure.body, html);
    let message = shorten(&words);
    let lower = words.to_lowercase();
    // A gateway's page speaks of its own timeout; what the engine does meanwhile is not known.
    let gateway = html && matches!(failure.status, 502..=504);
    if !gateway && (failure.status == 408 || is_timeout(&lower)) {
        return QueryError::Timeout { after: failure.elapsed };
    }
    if failure.status == 429 {
        return QueryError::RateLimited { retry_after: failure.retry_after, message };
    }
    if gateway {
        return unavailable(failure.status, &message);
    }
    if let Some(prefix) = unknown_prefix(&words) {
        return QueryError::UnknownPrefix { prefix };
    }
    if is_syntax(&lower) {
        return syntax(&words, failure.body);
    }
    if failure.status == 413 || is_too_large(&lower) {
        return QueryError::TooLarge { message };
    }
    match failure.status {
        401 | 403 => unavailable(failure.status, &format!("access denied, check the credentials: {message}")),
        404 => unavailable(404, "there is no SPARQL endpoint at this URL"),
        500.. if !names_the_query(&words) => unavailable(failure.status, &message),
        _ if message.is_empty() => QueryError::Rejected { message: format!("HTTP {}", failure.status) },
        _ => QueryError::Rejected { message },
    }
}

/// Finds the error that an engine wrote after a part of the result, in a response that began well.
pub(crate) fn error_after_output(body: &[u8], elapsed: Duration) -> Option<QueryError> {
    const MARKS: &[&str] = &[
        "An error has occurred while exporting",
        "SPARQL-QUERY: ",
        "java.util.",
        "java.lang.",
        "com.bigdata.",
    ];
    let tail = String::from_utf8_lossy(&body[body.len().saturating_sub(16_384)..]);
    let virtuoso = tail.find("Virtuoso ").filter(|&at| tail[at..].lines().next().is_some_and(is_virtuoso));
    let start = MARKS.iter().filter_map(|mark| tail.find(mark)).chain(virtuoso).min()?;
    Some(classify(&Failure { status: 500, body: &tail[start..], retry_after: None, elapsed }))
}

fn unavailable(status: u16, message: &str) -> QueryError {
    QueryError::Unavailable { message: format!("HTTP {status}: {message}") }
}

/// Whether a body is a web page rather than words for a client.
pub(crate) fn is_html(body: &str) -> bool {
    let start: String = body.trim_start().chars().take(200).collect::<String>().to_lowercase();
    start.starts_with('<') && (start.starts_with("<!doctype html") || start.contains("<html"))
}

/// The message alone: no JSON around it, no tags, no echo of the query, no stack trace.
fn own_words(body: &str, html: bool) -> String {
    let text = match serde_json::from_str::<Value>(body) {
        Ok(json) => json_message(&json).unwrap_or_else(|| body.to_owned()),
        Err(_) if html => without_tags(body),
        Err(_) => body.to_owned(),
    };
    let text = without_echo(&text);
    root_cause(text).trim().to_owned()
}

/// QLever has `exception`, Stardog and GraphDB `message`, others `error` or `detail`.
fn json_message(json: &Value) -> Option<String> {
    ["exception", "message", "error", "detail"].iter().find_map(|key| match json.get(key)? {
        Value::String(text) => Some(text.clone()),
        Value::Object(inner) => inner.get("message")?.as_str().map(str::to_owned),
        _ => None,
    })
}

/// Virtuoso and Blazegraph repeat the query, whose words must not be taken for theirs.
fn without_echo(text: &str) -> &str {
    let text = text.split("\nSPARQL query:").next().unwrap_or(text);
    match text.strip_prefix("SPARQL-QUERY: ") {
        // The trace starts on the first line that begins with a Java exception.
        Some(echo) => ["\njava.", "\norg.", "\ncom."]
            .iter()
            .filter_map(|mark| echo.find(mark))
            .min()
            .map_or("", |at| &echo[at + 1..]),
        None => text,
    }
}

/// Of nested Java exceptions the innermost of the first line, without its frames.
fn root_cause(text: &str) -> &str {
    let text = text.split("\n\tat ").next().unwrap_or(text);
    let first = text.lines().next().unwrap_or_default();
    if !(first.starts_with("java.") || first.starts_with("org.") || first.starts_with("com.")) {
        return text;
    }
    match first.rfind("Exception: ") {
        Some(at) => &text[at + "Exception: ".len()..],
        None => text,
    }
}

fn without_tags(html: &str) -> String {
    let lower = html.to_ascii_lowercase();
    let title = lower.find("<title>").and_then(|at| {
        let end = lower[at..].find("</title>")?;
        Some(html[at + 7..at + end].to_owned())
    });
    let body = lower.find("<body").map_or(html, |at| &html[at..]);
    let mut text = title.map(|title| format!("{title}. ")).unwrap_or_default();
    let mut inside = false;
    for c in body.chars() {
        match c {
            '<' => inside = true,
            '>' => {
                inside = false;
                text.push(' ');
            }
            c if !inside => text.push(c),
            _ => {}
        }
    }
    text
}

fn is_timeout(lower: &str) -> bool {
    ["timed out", "timeout", "s1tat", "s1t00", "time limit exceeded", "deadline exceeded"]
        .iter()
        .any(|words| lower.contains(words))
}

fn is_too_large(lower: &str) -> bool {
    [
        "estimated execution time",
        "tried to allocate",
        "out of memory",
        "outofmemory",
        "memory limit",
        "result is too large",
        "too large result",
        "query is too large",
        "exceeds the limit",
    ]
    .iter()
    .any(|words| lower.contains(words))
}

fn is_syntax(lower: &str) -> bool {
    [
        "sp030",
        "syntax error",
        "parse error",
        "malformed query",
        "malformedquery",
        "lexical error",
        "invalid sparql query",
        "encountered \"",
        "encountered:",
    ]
    .iter()
    .any(|words| lower.contains(words))
        || lower.starts_with("error at ")
}

fn is_virtuoso(line: &str) -> bool {
    line.starts_with("Virtuoso ") && line.contains(" Error ")
}

/// Whether a 5xx is about the query: Virtuoso answers 500 to what others call 400.
fn names_the_query(words: &str) -> bool {
    is_virtuoso(words)
        || ["function", "variable", "datatype"].iter().any(|w| words.to_lowercase().contains(w))
}

/// The prefix that an engine does not know, in its five wordings.
fn unknown_prefix(words: &str) -> Option<String> {
    const WORDINGS: &[&str] = &[
        "Undefined namespace prefix in prefix '",
        "Undefined namespace prefix at '",
        "Undefined namespace prefix '",
        "Unresolved prefixed name: ",
        "QName '",
        "Prefix ",
    ];
    let rest = WORDINGS.iter().find_map(|wording| Some(&words[words.find(wording)? + wording.len()..]))?;
    let name: String = rest.chars().take_while(|c| !c.is_whitespace() && *c != '\'').collect();
    let known_wording = words.contains("Undefined namespace prefix")
        || words.contains("Unresolved prefixed name")
        || words.contains("undefined prefix")
        || words.contains("was not registered");
    known_wording.then(|| name.split(':').next().unwrap_or_default().to_owned())
}

fn syntax(words: &str, body: &str) -> QueryError {
    let json = serde_json::from_str::<Value>(body).unwrap_or_default();
    let metadata = |key: &str| json.get("metadata").and_then(|m| m.get(key)).and_then(Value::as_u64);
    let from_json = metadata("line").map(to_usize);
    let (line, column) = match words.strip_prefix("error at ") {
        Some(place) => (number_at(place), place.split_once(':').and_then(|(_, rest)| number_at(rest))),
        None => (after(words, "line "), after(words, "column ")),
    };
    QueryError::Syntax {
        line: from_json.or(line),
        column: metadata("positionInLine").map(|c| to_usize(c) + 1).or(column),
        near: near(words),
        message: shorten(words).chars().take(200).collect(),
    }
}

fn to_usize(number: u64) -> usize {
    usize::try_from(number).unwrap_or(usize::MAX)
}

/// The number behind the first `mark`.
fn after(words: &str, mark: &str) -> Option<usize> {
    number_at(&words[words.find(mark)? + mark.len()..])
}

fn number_at(text: &str) -> Option<usize> {
    let end = text.find(|c: char| !c.is_ascii_digit()).unwrap_or(text.len());
    text[..end].parse().ok()
}

/// The token an engine stumbled over: Virtuoso `at 'x'`, QLever `Token "x"`, RDF4J's lexer `Encountered: "x"`,
/// and the parsers of Jena and RDF4J `Encountered " <CLASS> "x "" at line`.
fn near(words: &str) -> Option<String> {
    let between = |start: &str, end: &str| {
        let rest = &words[words.find(start)? + start.len()..];
        Some(&rest[..rest.find(end)?])
    };
    let java = || between("ncountered \"", "\" at line")?.trim_end_matches('"').rsplit('"').next();
    let token = between(" at '", "'")
        .or_else(|| between("Token \"", "\""))
        .or_else(|| between("ncountered: \"", "\""))
        .or_else(java)?;
    let token = token.trim();
    (!token.is_empty()).then(|| token.chars().take(60).collect())
}

/// One line of at most [`MAX_MESSAGE`] characters.
fn shorten(words: &str) -> String {
    let line = words.split_whitespace().collect::<Vec<_>>().join(" ");
    if line.chars().count() <= MAX_MESSAGE {
        return line;
    }
    let cut: String = line.chars().take(MAX_MESSAGE - 1).collect();
    format!("{cut}…")
}

#[cfg(test)]
mod tests;
