//! Texts in quotation marks.

use super::{ParsedQuestion, Quote, Span, Word};
use eruca_language::text::is_unspaced;

/// Pairs of quotation marks.
const MARKS: &[(char, char)] = &[
    ('"', '"'),
    ('\'', '\''),
    ('“', '”'),
    ('„', '“'),
    ('‘', '’'),
    ('«', '»'),
    ('»', '«'),
    ('`', '`'),
    ('‚', '‘'),
    ('「', '」'),
    ('『', '』'),
    ('《', '》'),
    ('〈', '〉'),
];

/// The text between two quotation marks, by its byte range.
#[derive(Debug, Clone, Copy)]
pub(super) struct Quoted {
    pub from: usize,
    pub to: usize,
}

/// The quotations of a text, in order. Apostrophes inside words are not quotation marks.
pub(super) fn find(text: &str) -> Vec<Quoted> {
    let mut found = Vec::new();
    let mut from = 0;
    while let Some((start, close)) = opening(text, from) {
        match closing(text, start, close) {
            Some(end) => {
                found.push(Quoted { from: start, to: end });
                from = end + close.len_utf8();
            }
            None => from = start,
        }
    }
    found
}

/// The quotations as spans of words.
pub(super) fn of_words(text: &str, quoted: &[Quoted], words: &[Word]) -> Vec<Quote> {
    quoted.iter().filter_map(|quoted| of(text, *quoted, words)).collect()
}

fn of(text: &str, quoted: Quoted, words: &[Word]) -> Option<Quote> {
    let inside = |word: &Word| word.bytes.0 >= quoted.from && word.bytes.1 <= quoted.to;
    let first = words.iter().position(inside)?;
    let last = words.iter().rposition(inside)?;
    let text = text.get(quoted.from..quoted.to)?.trim().to_owned();
    Some(Quote { span: Span::new(first, last + 1), text })
}

/// Whether a word is inside a quotation.
pub(super) fn holds(question: &ParsedQuestion, at: usize) -> bool {
    question.quotes.iter().any(|quote| quote.span.contains(Span::new(at, at + 1)))
}

/// The start of the text after the next opening mark, and the mark that closes it.
fn opening(text: &str, from: usize) -> Option<(usize, char)> {
    let mut before = text.get(..from)?.chars().next_back();
    for (at, c) in text.get(from..)?.char_indices() {
        let fresh = |open: char, close: char| {
            before.is_none_or(|before| !before.is_alphanumeric() || (open != close && is_unspaced(before)))
        };
        if let Some((_, close)) = MARKS.iter().find(|(open, close)| *open == c && fresh(*open, *close)) {
            return Some((from + at + c.len_utf8(), *close));
        }
        before = Some(c);
    }
    None
}

fn closing(text: &str, from: usize, close: char) -> Option<usize> {
    let rest = text.get(from..)?;
    let mut chars = rest.char_indices().peekable();
    while let Some((at, c)) = chars.next() {
        let closes = c == close || (close == '\'' && c == '’') || (close == '”' && c == '“');
        if closes && chars.peek().is_none_or(|(_, next)| !next.is_alphanumeric() || is_unspaced(*next)) {
            return Some(from + at);
        }
    }
    None
}
