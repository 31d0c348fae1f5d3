//! The question as words: normalized, with what was written, numbers, and texts in quotation marks.

use eruca_indexer::lexicon::asks_for_year;
use eruca_indexer::text::{fold, normalize_word, words};

/// Words of a question that are read; what is behind them is left out.
const MAX_WORDS: usize = 80;
/// Characters of a question that are read.
const MAX_CHARS: usize = 1_200;
/// Pairs of quotation marks.
const QUOTES: &[(char, char)] =
    &[('"', '"'), ('\'', '\''), ('“', '”'), ('„', '“'), ('‘', '’'), ('«', '»'), ('`', '`'), ('‚', '‘')];

/// A word of the question.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Word {
    /// As written.
    pub raw: String,
    /// Folded: no case, no diacritics.
    pub folded: String,
    /// Folded and singular, as in the indexes.
    pub norm: String,
    /// The number it stands for.
    pub number: Option<String>,
    /// Its place among several: "6th" is 6.
    pub ordinal: Option<u32>,
    /// Bytes in the question.
    pub span: (usize, usize),
}

/// A text in quotation marks: its words, and the text itself.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Quote {
    pub words: (usize, usize),
    pub text: String,
}

/// The question, read word by word.
#[derive(Debug, Clone, Default)]
pub(super) struct Asked {
    pub words: Vec<Word>,
    pub quotes: Vec<Quote>,
    /// For each word, whether a sentence or clause ends before it.
    pub breaks: Vec<Option<char>>,
    /// Of a date only the year is asked for.
    pub wants_year: bool,
    text: String,
}

impl Asked {
    pub(super) fn read(question: &str) -> Self {
        let text: String = question.chars().take(MAX_CHARS).collect();
        let mut found: Vec<Word> = Vec::new();
        let mut breaks = Vec::new();
        let mut last_end = 0;
        for token in words(&text).into_iter().take(MAX_WORDS) {
            let raw = text.get(token.span.0..token.span.1).unwrap_or_default();
            let between = text.get(last_end..token.span.0).unwrap_or_default();
            last_end = token.span.1;
            // "1.5" and "15,000" are written as two words and are one number.
            if let Some(last) = found.last_mut()
                && joins(last, between, raw)
            {
                let dot = if between == "." { "." } else { "" };
                last.raw = format!("{}{between}{raw}", last.raw);
                last.number = last.number.take().map(|number| format!("{number}{dot}{raw}"));
                last.span.1 = token.span.1;
                continue;
            }
            breaks.push(between.chars().find(|c| ".?!;:,—–()".contains(*c)));
            found.extend(split(raw, token.span));
            breaks.resize(found.len(), None);
        }
        let wants_year = asks_for_year(&text);
        let mut asked = Self { words: found, quotes: Vec::new(), breaks, wants_year, text };
        asked.quotes = asked.find_quotes();
        asked
    }

    pub(super) fn len(&self) -> usize {
        self.words.len()
    }

    /// The text from one word to the one before another.
    pub(super) fn text(&self, from: usize, to: usize) -> &str {
        match (self.words.get(from), to.checked_sub(1).and_then(|last| self.words.get(last))) {
            (Some(first), Some(last)) => self.text.get(first.span.0..last.span.1).unwrap_or_default(),
            _ => "",
        }
    }

    fn find_quotes(&self) -> Vec<Quote> {
        let mut quotes = Vec::new();
        let mut from = 0;
        while let Some((start, close)) = self.opening(from) {
            let inside = start + self.text[start..].chars().next().map_or(1, char::len_utf8);
            let Some(end) = self.closing(inside, close) else {
                from = inside;
                continue;
            };
            let text = self.text[inside..end].trim().to_owned();
            let first = self.words.iter().position(|word| word.span.0 >= inside);
            let behind = self.words.iter().position(|word| word.span.0 >= end).unwrap_or(self.len());
            if let Some(first) = first.filter(|first| *first < behind) {
                quotes.push(Quote { words: (first, behind), text });
            }
            from = end + close.len_utf8();
        }
        quotes
    }

    /// The next opening mark; an apostrophe inside a word opens nothing.
    fn opening(&self, from: usize) -> Option<(usize, char)> {
        let rest = self.text.get(from..)?;
        let mut before = self.text[..from].chars().next_back();
        for (at, c) in rest.char_indices() {
            let fresh = before.is_none_or(|b| !b.is_alphanumeric());
            let pair = QUOTES.iter().find(|(open, _)| *open == c);
            if let Some((_, close)) = pair.filter(|_| fresh) {
                return Some((from + at, *close));
            }
            before = Some(c);
        }
        None
    }

    fn closing(&self, from: usize, close: char) -> Option<usize> {
        let rest = self.text.get(from..)?;
        rest.char_indices().filter(|(_, c)| *c == close || (close == '\'' && *c == '’')).find_map(
            |(at, c)| {
                let next = rest[at + c.len_utf8()..].chars().next();
                next.is_none_or(|n| !n.is_alphanumeric()).then_some(from + at)
            },
        )
    }
}

/// "15x15" is two numbers, "15mm" a number and a unit.
fn split(raw: &str, span: (usize, usize)) -> Vec<Word> {
    let digits = raw.chars().take_while(char::is_ascii_digit).count();
    let rest = &raw[digits..];
    let is_ordinal = ["th", "st", "nd", "rd"].contains(&rest.to_lowercase().as_str());
    if digits == 0 || rest.is_empty() || is_ordinal {
        return vec![word(raw, span)];
    }
    let first = word(&raw[..digits], (span.0, span.0 + digits));
    if let Some(second) = rest.strip_prefix(['x', 'X']).filter(|r| r.chars().all(|c| c.is_ascii_digit()))
        && !second.is_empty()
    {
        let start = span.1 - second.len();
        return vec![first, word(second, (start, span.1))];
    }
    if rest.chars().count() <= 3 && rest.chars().all(char::is_alphabetic) && digits <= 6 {
        return vec![first, word(rest, (span.0 + digits, span.1))];
    }
    vec![word(raw, span)]
}

fn word(raw: &str, span: (usize, usize)) -> Word {
    let folded = fold(raw);
    Word {
        norm: normalize_word(raw),
        number: number(&folded),
        ordinal: ordinal(&folded),
        folded,
        raw: raw.to_owned(),
        span,
    }
}

fn joins(last: &Word, between: &str, raw: &str) -> bool {
    let digits = |text: &str| !text.is_empty() && text.chars().all(|c| c.is_ascii_digit());
    match between {
        "." => digits(&last.raw) && digits(raw),
        "," => {
            last.number.is_some()
                && last.raw.chars().all(|c| c.is_ascii_digit() || c == ',')
                && raw.len() == 3
                && digits(raw)
        }
        _ => false,
    }
}

/// The number a word stands for.
fn number(folded: &str) -> Option<String> {
    let value = match folded {
        "two" | "zwei" | "dos" | "twice" => "2",
        "three" | "drei" | "tres" => "3",
        "four" | "vier" | "cuatro" => "4",
        "five" | "funf" | "cinco" => "5",
        "six" | "sechs" | "seis" => "6",
        "seven" | "sieben" | "siete" => "7",
        "eight" | "acht" | "ocho" => "8",
        "nine" | "neun" | "nueve" => "9",
        "ten" | "zehn" | "diez" => "10",
        "twenty" | "zwanzig" | "veinte" => "20",
        "hundred" | "hundert" | "cien" => "100",
        "one" | "eins" => "1",
        digits if digits.len() <= 15 && digits.chars().all(|c| c.is_ascii_digit()) && !digits.is_empty() => {
            digits
        }
        _ => return None,
    };
    Some(value.to_owned())
}

fn ordinal(folded: &str) -> Option<u32> {
    let words = [("second", 2), ("third", 3), ("zweit", 2), ("dritt", 3), ("segund", 2), ("tercer", 3)];
    if let Some((_, value)) = words.iter().find(|(stem, _)| {
        folded.strip_prefix(stem).is_some_and(|rest| ["", "e", "er", "es", "en", "o", "a"].contains(&rest))
    }) {
        return Some(*value);
    }
    let digits = folded.trim_end_matches(|c: char| c.is_ascii_alphabetic());
    let ending = &folded[digits.len()..];
    ["th", "st", "nd", "rd"].contains(&ending).then(|| digits.parse().ok()).flatten()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn numbers(question: &str) -> Vec<String> {
        Asked::read(question).words.into_iter().filter_map(|word| word.number).collect()
    }

    #[test]
    fn numbers_are_read_in_their_spellings() {
        assert_eq!(numbers("over 15,000 and 1.5 in 2014"), ["15000", "1.5", "2014"]);
        assert_eq!(numbers("a base of 15x15 or 20mm, three boxes"), ["15", "15", "20", "3"]);
        assert_eq!(Asked::read("the 6th one").words[1].ordinal, Some(6));
    }

    #[test]
    fn quotes_are_found_and_apostrophes_are_not() {
        let asked = Asked::read("The dog's owner of 'Old Blue' isn't \"here now\"");
        let texts: Vec<&str> = asked.quotes.iter().map(|quote| quote.text.as_str()).collect();
        assert_eq!(texts, ["Old Blue", "here now"]);
    }

    #[test]
    fn clauses_end_at_punctuation() {
        let asked = Asked::read("How many? List them.");
        assert_eq!(asked.breaks[2], Some('?'));
        assert_eq!(asked.breaks[1], None);
    }
}
