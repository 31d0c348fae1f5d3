//! The rule for which spans may be names, independent of the graph: used for look-ups in an index and on servers. Uses the
//! question alone.

use crate::question::{ParsedQuestion, Span, Word, WordKind};
use eruca_language::text::is_unspaced;
use eruca_language::{Degree, is_function_word};

/// Prefixes of IRIs.
const SCHEMES: &[&str] = &["http://", "https://", "urn:"];
/// Punctuation that may follow an IRI.
const BEHIND: &[char] = &['.', ',', ';', ':', '?', '!', ')', '>', '"', '\''];
/// Minimum number of digits for a number to be a name.
const MIN_DIGITS: usize = 4;
/// Names with more words count as descriptions.
const MAX_NAME_WORDS: usize = 6;

/// An IRI in a question.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Address {
    /// Its words.
    pub span: Span,
    /// The IRI.
    pub iri: String,
}

/// Whether a span may be a name: it neither begins nor ends with a function word, except a title or an article written as part of
/// the name; it contains a word that may be a name, and is not a small number.
pub fn may_be_name(question: &ParsedQuestion, span: Span) -> bool {
    let last = span.to.saturating_sub(1);
    let whole = |at: u16, next: u16| span.len() > 1 && is_character_of_name(question, at, next);
    let begins = question.is_function_word(span.from)
        && !(span.len() > 1 && is_title(question, span.from))
        && !whole(span.from, span.from + 1);
    let ends = begins || (question.is_function_word(last) && !whole(last, last.saturating_sub(1)));
    // "50" in "under 50 mm" is not a name; "1984" may be one.
    let text = question.text_of(span);
    let small = text.len() < MIN_DIGITS && text.chars().all(|c| c.is_ascii_digit());
    !ends && !small && (span.from..span.to).any(|at| may_be_in_name(question, at))
}

/// Whether a word may be a name or its only distinctive part: a content word, not a comparison, and not part of an IRI. Quoted or
/// capitalized words qualify anyway.
fn may_be_in_name(question: &ParsedQuestion, at: u16) -> bool {
    let Some(word) = question.word(at) else { return false };
    let compares =
        || question.grades.iter().any(|found| found.span.has(at) && found.grade.degree != Degree::Positive);
    let in_address = || addresses(question).iter().any(|address| address.span.has(at));
    !in_address() && (is_marked(word) || !(is_small(question, word) || compares()))
}

/// Whether a span has a quoted or capitalized word.
pub(crate) fn is_written_as_name(question: &ParsedQuestion, span: Span) -> bool {
    question.words_of(span).iter().any(is_marked)
}

/// Whether a span is a single word of the language, without special spelling.
pub(super) fn is_everyday_word(question: &ParsedQuestion, span: Span) -> bool {
    match question.words_of(span) {
        [word] => !is_marked(word) && question.language.knows(&word.norm),
        _ => false,
    }
}

fn is_marked(word: &Word) -> bool {
    word.capital || word.kind == WordKind::Quoted
}

/// Whether a function word is capitalized and precedes a name: "Dr. Lind", "The Old Mole".
fn is_title(question: &ParsedQuestion, at: u16) -> bool {
    let capital = question.word(at).is_some_and(|word| word.raw.starts_with(char::is_uppercase));
    let named = question.word(at + 1).is_some_and(|word| word.capital);
    capital && named && !question.begins_sentence(at)
}

/// Whether a one-character function word is next to a word that the language does not know: names are written with such
/// characters in scripts without spaces.
fn is_character_of_name(question: &ParsedQuestion, at: u16, next: u16) -> bool {
    let character = |word: &Word| word.raw.chars().count() == 1 && word.raw.contains(is_unspaced);
    let beside = |word: &Word| {
        character(word)
            && (question.language.is_unlisted(&word.folded) || question.language.is_noun(&word.norm))
    };
    question.language.is_unspaced()
        && question.word(at).is_some_and(character)
        && question.word(next).is_some_and(beside)
}

/// A function word of the question's language; or of another language, unless it is a noun in the question's, since the language
/// of a short question may be misdetected.
fn is_small(question: &ParsedQuestion, word: &Word) -> bool {
    word.kind == WordKind::Function
        || (is_function_word(&word.norm) && !question.language.is_noun(&word.norm))
}

/// Whether this number of words is the smaller part of a text too long for a name.
pub(super) fn is_in_a_text(words: usize, text: &str) -> bool {
    let all = text.split_whitespace().count();
    all > MAX_NAME_WORDS && all > 2 * words
}

/// The IRIs in a question; those of one word may be names, too.
pub(super) fn addresses(question: &ParsedQuestion) -> Vec<Address> {
    let starts = SCHEMES.iter().flat_map(|scheme| question.text.match_indices(scheme));
    let mut found: Vec<Address> = starts.filter_map(|(at, _)| address(question, at)).collect();
    found.sort_by_key(|address| address.span.from);
    found
}

fn address(question: &ParsedQuestion, at: usize) -> Option<Address> {
    let rest = question.text.get(at..)?;
    let whole = rest.split(|c: char| c.is_whitespace() || matches!(c, '<' | '>')).next()?;
    let iri = whole.trim_end_matches(BEHIND).to_owned();
    let inside = |word: &Word| word.bytes.0 >= at && word.bytes.1 <= at + iri.len();
    let from = question.words.iter().position(inside)?;
    let to = question.words.iter().rposition(inside)? + 1;
    Some(Address { span: Span::new(from, to), iri })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn no_names_in(text: &str) -> Vec<String> {
        let question = ParsedQuestion::read(text, &[]);
        let words = (0..question.all().to).filter(|at| !may_be_in_name(&question, *at));
        words.filter_map(|at| Some(question.word(at)?.raw.clone())).collect()
    }

    #[test]
    fn small_words_and_superlatives_are_no_names_unless_they_are_written_as_such() {
        assert_eq!(no_names_in("the longest song"), ["the", "longest"]);
        assert_eq!(no_names_in("Who sings \"the longest\"?"), ["Who"]);
        assert!(!no_names_in("Which band plays the song Longest?").contains(&"Longest".to_owned()));
        // "high" may be a value.
        assert!(!no_names_in("Which jobs have high priority?").contains(&"high".to_owned()));
    }

    #[test]
    fn an_address_is_one_name_and_its_parts_are_none() {
        let question =
            ParsedQuestion::read("What is linked to http://db.example/org/13269, and since when?", &[]);
        let found = addresses(&question);
        assert_eq!(found.len(), 1);
        assert_eq!(found[0].iri, "http://db.example/org/13269");
        let parts = no_names_in("What is linked to http://db.example/org/13269?");
        for part in ["http", "db", "org", "13269"] {
            assert!(parts.iter().any(|word| word == part), "{part}: {parts:?}");
        }
    }
}
