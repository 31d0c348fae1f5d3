//! Removes the text around a query copied from a chat or a web page.

use super::tokens::{SparqlTokenKind, tokenize};

/// The query without its markdown fence and a trailing `;`, with Unicode spaces replaced by plain ones.
pub(super) fn clean(text: &str) -> String {
    let text = unfence(text.trim_start_matches('\u{FEFF}'));
    let mut tokens = tokenize(text);
    let is_end = |token: &super::tokens::SparqlToken<'_>| !token.is_significant() || token.is(";");
    let significant_end = tokens.iter().rposition(|t| !is_end(t)).map_or(0, |at| at + 1);
    let mut behind = tokens.iter().enumerate().skip(significant_end);
    if let Some((semicolon, _)) = behind.find(|(_, token)| token.is(";")) {
        tokens.truncate(semicolon);
    }
    let pieces = tokens.iter().map(|token| match token.kind {
        SparqlTokenKind::Stray => visible(token.text),
        _ => token.text,
    });
    pieces.collect()
}

/// Unicode spaces become plain spaces, zero-width characters are removed, anything else is left for the parser to report.
fn visible(stray: &str) -> &str {
    match stray.chars().next() {
        Some('\u{200B}'..='\u{200F}' | '\u{2060}' | '\u{FEFF}' | '\u{AD}' | '\u{202A}'..='\u{202E}') => "",
        Some(c) if c.is_whitespace() => " ",
        _ => stray,
    }
}

/// The content of the first markdown fence, or the whole text if there is none.
fn unfence(text: &str) -> &str {
    let Some(after) = fenced(text) else { return text };
    // The rest of the opening line is the language tag, unless the query is on that line.
    let info = after.find(['\n', '\r']).unwrap_or(0);
    let (language, below) = after.split_at_checked(info).unwrap_or(("", after));
    let is_language = language.trim().chars().all(|c| c.is_ascii_alphanumeric() || c == '-');
    let body = if is_language { below } else { after };
    let body = body.strip_prefix("\r\n").or_else(|| body.strip_prefix('\n')).unwrap_or(body);
    let body = if info == 0 { strip_language(body) } else { body };
    body.split_once(FENCE).map_or(body, |(body, _)| body)
}

/// The markdown code fence.
const FENCE: &str = "```";

/// The text after the first fence at the start of a line.
fn fenced(text: &str) -> Option<&str> {
    text.match_indices(FENCE).find_map(|(at, fence)| {
        let (before, rest) = text.split_at_checked(at)?;
        let line = before.rsplit('\n').next().unwrap_or(before);
        rest.strip_prefix(fence).filter(|_| line.trim().is_empty())
    })
}

/// For a fence on a single line: removes the language `sparql` directly before the query.
fn strip_language(body: &str) -> &str {
    const LANGUAGE: &str = "sparql";
    match body.split_at_checked(LANGUAGE.len()) {
        Some((word, query)) if word.eq_ignore_ascii_case(LANGUAGE) => query,
        _ => body,
    }
}
