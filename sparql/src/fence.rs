//! Embeds external text safely: for models in quotes, as a SPARQL string; for people on a single line.
//!
//! Such text comes from graphs, endpoints and users. In prompts it appears as [`quoted`]: one line, truncated, between double
//! quotes that it cannot close, so that a model can tell data from instructions. Invisible characters (`hidden`) and strings
//! that chat models may read as message boundaries (`markers`) are written as `\uXXXX`, so that a query that repeats the
//! quoted text means exactly the same string. [`disarmed`] does the same to a whole message whose parts are already quoted.
//! Depends on nothing else in this package.
//!
//! In every message to a model, text from a graph, an endpoint or a title is quoted this way or is inside an IRI; the
//! system message contains only our own words. `ChatRequest::new` disarms the rest. Test: `tests/prompts.rs`, which
//! runs all tools and prompts over hostile graphs.

mod hidden;
mod markers;

use hidden::{flag, is_hidden, is_unassigned};
use std::borrow::Cow;

/// The text between double quotes as in SPARQL: on one line, with quotes, backslashes, line breaks, hidden characters and
/// model markers escaped. At most `max_chars` characters are kept; a longer text ends with `…`.
#[must_use]
pub fn quoted(text: &str, max_chars: usize) -> String {
    let mut out = String::with_capacity(text.len().min(max_chars.saturating_mul(4)) + 2);
    out.push('"');
    let mut left = max_chars;
    let mut behind_backslash = false;
    for piece in Pieces::of(text) {
        let written = match piece {
            // Engines that resolve codepoint escapes first would read the two as an escape.
            Piece::Shown(shown @ ("u" | "U")) if behind_backslash => {
                Cow::Owned(shown.chars().map(escape).collect())
            }
            Piece::Shown("\"") => Cow::Borrowed("\\\""),
            Piece::Shown("\\") => Cow::Borrowed("\\\\"),
            Piece::Shown(shown) => Cow::Borrowed(shown),
            Piece::Hidden('\n') => Cow::Borrowed("\\n"),
            Piece::Hidden('\r') => Cow::Borrowed("\\r"),
            Piece::Hidden('\t') => Cow::Borrowed("\\t"),
            Piece::Hidden(c) | Piece::Unassigned(c) | Piece::Marker(c) => Cow::Owned(escape(c)),
        };
        let Some(rest) = left.checked_sub(written.chars().count()) else {
            out.push('…');
            break;
        };
        left = rest;
        behind_backslash = piece == Piece::Shown("\\");
        out.push_str(&written);
    }
    out.push('"');
    out
}

/// A message to a model whose external parts are already [`quoted`]: escapes all hidden characters and model markers. Line
/// breaks are kept, and SPARQL in it keeps its meaning.
#[must_use]
pub fn disarmed(text: &str) -> Cow<'_, str> {
    let stays = |piece: &Piece<'_>| matches!(piece, Piece::Shown(_) | Piece::Hidden('\n' | '\t'));
    if Pieces::of(text).all(|piece| stays(&piece)) {
        return Cow::Borrowed(text);
    }
    let written = Pieces::of(text).map(|piece| match piece {
        Piece::Shown(shown) => Cow::Borrowed(shown),
        Piece::Hidden(c @ ('\n' | '\t')) => Cow::Owned(c.to_string()),
        Piece::Hidden(c) | Piece::Unassigned(c) | Piece::Marker(c) => Cow::Owned(escape(c)),
    });
    Cow::Owned(written.collect())
}

/// The content of an IRI in angle brackets: unchanged except for characters not allowed in IRIs and those that [`quoted`]
/// escapes. If it is not an IRI and could be read as a marker, its first character is escaped. SPARQL reads the same IRI.
pub(crate) fn bracketed(iri: &str) -> Cow<'_, str> {
    let is_iri = markers::names_iri(iri);
    let stays = |piece: &Piece<'_>| matches!(piece, Piece::Shown(shown) if !shown.contains(is_illegal));
    if is_iri && Pieces::of(iri).all(|piece| stays(&piece)) {
        return Cow::Borrowed(iri);
    }
    let written = Pieces::of(iri).enumerate().map(|(at, piece)| match piece {
        Piece::Shown(shown) if stays(&piece) && (at > 0 || is_iri) => Cow::Borrowed(shown),
        Piece::Shown(shown) => Cow::Owned(shown.chars().map(escape).collect()),
        Piece::Hidden(c) | Piece::Unassigned(c) | Piece::Marker(c) => Cow::Owned(escape(c)),
    });
    Cow::Owned(written.collect())
}

/// Whether the character is excluded by [`IRIREF`](https://www.w3.org/TR/sparql11-query/#rIRIREF).
fn is_illegal(c: char) -> bool {
    c <= ' ' || matches!(c, '<' | '>' | '"' | '{' | '}' | '|' | '^' | '`' | '\\')
}

/// Whether a name has no hidden characters or markers, so that it can be shown without quotes.
pub(crate) fn is_plain(name: &str) -> bool {
    Pieces::of(name).all(|piece| matches!(piece, Piece::Shown(_)))
}

/// Resolves `\uXXXX` and `\UXXXXXXXX` as SPARQL does; other backslashes are kept.
#[must_use]
pub fn unescaped(text: &str) -> Cow<'_, str> {
    if !text.contains("\\u") && !text.contains("\\U") {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((before, after)) = rest.split_once('\\') {
        out.push_str(before);
        let length = match after.chars().next() {
            Some('u') => 5,
            Some('U') => 9,
            _ => 0,
        };
        let code = after.get(1..length).and_then(|digits| u32::from_str_radix(digits, 16).ok());
        match code.and_then(char::from_u32) {
            Some(c) => out.push(c),
            None => out.push('\\'),
        }
        rest =
            after.get(if code.and_then(char::from_u32).is_some() { length } else { 0 }..).unwrap_or_default();
    }
    out.push_str(rest);
    Cow::Owned(out)
}

/// One line of at most `max_chars` characters, without control and hidden characters: for people, and for names that are
/// [`quoted`] later.
#[must_use]
pub fn one_line(text: &str, max_chars: usize) -> String {
    let mut out = String::new();
    let mut count = 0;
    for piece in Pieces::of(text) {
        let mut buffer = [0; 4];
        let shown = match piece {
            Piece::Hidden('\n' | '\r' | '\t' | '\u{2028}' | '\u{2029}') => " ",
            Piece::Hidden(_) => continue,
            Piece::Unassigned(c) | Piece::Marker(c) => c.encode_utf8(&mut buffer),
            Piece::Shown(shown) => shown,
        };
        if shown == " " && out.ends_with(' ') {
            continue;
        }
        if count == max_chars {
            out.push('…');
            break;
        }
        out.push_str(shown);
        count += 1;
    }
    out
}

/// A character as a SPARQL codepoint escape.
fn escape(c: char) -> String {
    let code = u32::from(c);
    if code > 0xFFFF { format!("\\U{code:08X}") } else { format!("\\u{code:04X}") }
}

/// A piece of text, usually one character.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Piece<'t> {
    /// Visible text.
    Shown(&'t str),
    /// A control or invisible character.
    Hidden(char),
    /// A private-use character or noncharacter.
    Unassigned(char),
    /// The first character of a possible model marker.
    Marker(char),
}

/// Iterator over the pieces of a text.
struct Pieces<'t> {
    rest: &'t str,
    before: Option<char>,
}

impl<'t> Pieces<'t> {
    fn of(text: &'t str) -> Self {
        Self { rest: text, before: None }
    }
}

impl<'t> Iterator for Pieces<'t> {
    type Item = Piece<'t>;

    fn next(&mut self) -> Option<Piece<'t>> {
        let mut chars = self.rest.chars();
        let (c, after) = (chars.next()?, chars.next());
        let length = flag(self.rest).unwrap_or(c.len_utf8());
        let (shown, rest) = self.rest.split_at_checked(length)?;
        let piece = match c {
            _ if c.is_control() || is_hidden(self.before, c, after) => Piece::Hidden(c),
            _ if is_unassigned(c) => Piece::Unassigned(c),
            _ if markers::begin(self.rest) => Piece::Marker(c),
            _ => Piece::Shown(shown),
        };
        (self.rest, self.before) = (rest, Some(c));
        Some(piece)
    }
}

#[cfg(test)]
mod tests;
