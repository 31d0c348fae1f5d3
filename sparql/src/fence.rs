//! Text from outside among our own words: for models in quotes, as SPARQL writes a string; for people on one line.
//!
//! Graphs, endpoints and people choose such text. [`quoted`] is how it stands in prompts: one line, cut, between double quotes
//! that it cannot end, so that a model can tell data from instructions. What a reader does not see (`hidden`) and what chat
//! models take for the border of a message (`markers`) is written as `\uXXXX`: a query that repeats the quoted text asks for
//! the very same string. [`disarmed`] does the same to a whole message whose parts are quoted already. Uses nothing of this
//! package.
//!
//! In every message to a model, whatever comes from a graph, an endpoint or a title stands so or inside an IRI; the
//! system message has our own words alone. `ChatRequest::new` disarms what is left. Test: `tests/prompts.rs`, which
//! walks all tools and prompts over hostile graphs.

mod hidden;
mod markers;

use hidden::{flag, is_hidden, is_unassigned};
use std::borrow::Cow;

/// Between double quotes, as it is written in SPARQL: on one line, with quotes, backslashes, line breaks, hidden characters and
/// models' markers escaped. At most `max_chars` stand between the quotes; a longer text ends with `…`.
#[must_use]
pub fn quoted(text: &str, max_chars: usize) -> String {
    let mut out = String::with_capacity(text.len().min(max_chars.saturating_mul(4)) + 2);
    out.push('"');
    let mut left = max_chars;
    let mut behind_backslash = false;
    for piece in Pieces::of(text) {
        let written = match piece {
            // Engines that resolve code points first would take the two for an escape.
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

/// A message to a model, whose parts from outside are [`quoted`]: without hidden characters and models' markers wherever they
/// come from. Lines stay lines, and SPARQL in it keeps its meaning.
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

/// The inside of an IRI in angle brackets: byte for byte, but for what no IRI may hold and what [`quoted`] escapes too. What
/// could be taken for a marker, as it has no form of an IRI, begins with an escape. SPARQL reads the same IRI from it.
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

/// What [`IRIREF`](https://www.w3.org/TR/sparql11-query/#rIRIREF) excludes.
fn is_illegal(c: char) -> bool {
    c <= ' ' || matches!(c, '<' | '>' | '"' | '{' | '}' | '|' | '^' | '`' | '\\')
}

/// Whether a name shows all of itself, so that it may stand without quotes.
pub(crate) fn is_plain(name: &str) -> bool {
    Pieces::of(name).all(|piece| matches!(piece, Piece::Shown(_)))
}

/// A text with its `\uXXXX` and `\UXXXXXXXX` read as SPARQL reads them; any other backslash stays.
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

/// One line without control characters and what hides, at most `max_chars` long: for people, and for names that are
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

/// As SPARQL escapes a code point.
fn escape(c: char) -> String {
    let code = u32::from(c);
    if code > 0xFFFF { format!("\\U{code:08X}") } else { format!("\\u{code:04X}") }
}

/// A piece of a text: a character in most cases.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Piece<'t> {
    /// What is seen.
    Shown(&'t str),
    /// A control character, or one that a reader does not see.
    Hidden(char),
    /// One without a meaning that is known to all.
    Unassigned(char),
    /// The beginning of what may be a model's marker.
    Marker(char),
}

/// The pieces of a text.
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
