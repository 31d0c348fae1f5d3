//! Removing what surrounds a query when it was copied from a chat or a web page.

use super::tokens::{TokenKind, tokenize};

/// The query inside a markdown fence, without a trailing `;` and without stray spaces that only look
/// like spaces.
pub(super) fn clean(text: &str) -> String {
    let text = unfence(text.trim_start_matches('\u{FEFF}'));
    let mut tokens = tokenize(text);
    let is_end = |token: &super::Token<'_>| !token.is_significant() || token.is(";");
    let significant_end = tokens.iter().rposition(|t| !is_end(t)).map_or(0, |at| at + 1);
    if let Some(semicolon) = tokens[significant_end..].iter().position(|t| t.is(";")) {
        tokens.truncate(significant_end + semicolon);
    }
    let pieces = tokens.iter().map(|token| match token.kind {
        TokenKind::Stray => visible(token.text),
        _ => token.text,
    });
    pieces.collect()
}

/// Unicode spaces become blanks, zero-width characters vanish, anything else stays an error to report.
fn visible(stray: &str) -> &str {
    match stray.chars().next() {
        Some('\u{200B}'..='\u{200F}' | '\u{2060}' | '\u{FEFF}' | '\u{AD}' | '\u{202A}'..='\u{202E}') => "",
        Some(c) if c.is_whitespace() => " ",
        _ => stray,
    }
}

/// The content of the first markdown fence, or the whole text when there is none.
fn unfence(text: &str) -> &str {
    let Some(open) = fence(text) else { return text };
    let after = &text[open + 3..];
    // The rest of the opening line is the language, unless the query is on that line.
    let info = after.find(['\n', '\r']).unwrap_or(0);
    let is_language = after[..info].trim().chars().all(|c| c.is_ascii_alphanumeric() || c == '-');
    let body = if is_language { &after[info..] } else { after };
    let body = body.strip_prefix("\r\n").or_else(|| body.strip_prefix('\n')).unwrap_or(body);
    let body = if info == 0 { strip_language(body) } else { body };
    match body.find("```") {
        Some(end) => &body[..end],
        None => body,
    }
}

/// Where three backticks start a line.
fn fence(text: &str) -> Option<usize> {
    text.match_indices("```").map(|(at, _)| at).find(|&at| {
        let line = text[..at].rfind('\n').map_or(0, |end| end + 1);
        text[line..at].trim().is_empty()
    })
}

/// A fence on one line: the language `sparql` stands directly before the query.
fn strip_language(body: &str) -> &str {
    match body.get(..6) {
        Some(word) if word.eq_ignore_ascii_case("sparql") => &body[6..],
        _ => body,
    }
}
