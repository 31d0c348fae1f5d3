//! Names and nouns of the question that are not in the graph, and names that a reading does not use. A similar name is not a
//! substitute, so they are reported and lower the confidence of every answer.

use super::rule::is_written_as_name;
use super::{Links, Named};
use crate::question::{ParsedQuestion, Span, WordKind};
use crate::schema::Schema;
use eruca_indexer::DatasetIndex;

/// Names and nouns not in the graph, in order.
pub(crate) fn not_found(question: &ParsedQuestion, links: &Links<'_>) -> Vec<Span> {
    let names =
        runs_of_names(question, |_| true).into_iter().filter(|name| !is_found(question, links, *name));
    let nouns = (0..question.len()).map(|at| Span::new(at, at + 1));
    let mut found: Vec<Span> =
        names.chain(nouns.filter(|span| is_unknown_noun(question, links, *span))).collect();
    found.sort_unstable();
    found
}

/// Names and nouns not in the graph and the names that a reading leaves out, as written, in order. Exact names of things in the
/// graph are not reported.
pub(crate) fn missing(
    question: &ParsedQuestion,
    links: &Links<'_>,
    unknown: &[Span],
    used: impl Fn(u16) -> bool,
) -> Vec<String> {
    let is_known = |name: Span| {
        links.mentions.iter().any(|mention| mention.span.contains(name) && mention.is_same_name())
    };
    let left = runs_of_names(question, |at| !used(at));
    let others = left
        .into_iter()
        .filter(|name| !unknown.iter().any(|known| known.contains(*name)) && !is_known(*name));
    let mut all: Vec<Span> = unknown.iter().copied().chain(others).collect();
    all.sort_unstable();
    all.into_iter().map(|span| question.text_of(span).to_owned()).collect()
}

/// The names of the question that are not in the graph, in order: capitalized words, and quotations, which must match as a whole.
pub fn unknown_names(index: &DatasetIndex, question: &ParsedQuestion, named: &Named) -> Vec<Span> {
    let read = named.read(question);
    let links = Links::find(&Schema::new(index).knowing(&named.glossary), &read, named);
    let quotes = question.quotes.iter().map(|quote| quote.span);
    let mut found: Vec<Span> = quotes.filter(|quote| !is_whole(&links, *quote)).collect();
    let names = not_found(&read, &links).into_iter().filter(|name| is_written_as_name(question, *name));
    for name in names.map(|name| from_its_beginning(&read, &links, name)) {
        if !found.iter().any(|quote| quote.overlaps(name)) {
            found.push(name);
        }
    }
    found.sort_unstable();
    found
}

/// A name extended to a preceding first word of the sentence, which is capitalized anyway, if that word is unknown to the
/// language and names no class or property.
fn from_its_beginning(question: &ParsedQuestion, links: &Links<'_>, name: Span) -> Span {
    let together = question.word(name.from).is_some_and(|word| word.broken.is_none());
    let Some(first) = name.from.checked_sub(1).filter(|at| together && question.begins_sentence(*at)) else {
        return name;
    };
    let is_name = question.word(first).is_some_and(|word| {
        let capital = word.kind == WordKind::Noun && word.raw.starts_with(char::is_uppercase);
        capital && !question.language.knows(&word.norm)
    });
    if is_name && !says_something_else(question, links, first) { Span { from: first, ..name } } else { name }
}

/// Whether a name contains the whole quotation.
fn is_whole(links: &Links<'_>, quote: Span) -> bool {
    let named = links.mentions.iter().any(|mention| mention.span.contains(quote));
    named || links.schema.iter().any(|link| link.span.contains(quote))
}

/// Runs of words written as names, among the words that `counts` accepts.
fn runs_of_names(question: &ParsedQuestion, counts: impl Fn(u16) -> bool) -> Vec<Span> {
    let mut found: Vec<Span> = Vec::new();
    for (at, word) in question.words.iter().enumerate() {
        if !matches!(word.kind, WordKind::Name | WordKind::Quoted) || !counts(at as u16) {
            continue;
        }
        match found.last_mut() {
            Some(last) if usize::from(last.to) == at && word.broken.is_none() => last.to += 1,
            _ => found.push(Span::new(at, at + 1)),
        }
    }
    found
}

/// Whether every word of a name is part of a match: for longer names, matches of single words are not enough, unless they are
/// exact names.
fn is_found(question: &ParsedQuestion, links: &Links<'_>, name: Span) -> bool {
    let whole = |at: u16| {
        let mentioned = links.mentions.iter().any(|mention| {
            mention.span.has(at) && (name.len() == 1 || mention.span.len() > 1 || mention.is_same_name())
        });
        mentioned || says_something_else(question, links, at)
    };
    (name.from..name.to).all(whole)
}

fn is_unknown_noun(question: &ParsedQuestion, links: &Links<'_>, span: Span) -> bool {
    let Some(word) = question.word(span.from).filter(|word| word.kind == WordKind::Noun) else {
        return false;
    };
    let mentioned = links.mentions.iter().any(|mention| mention.span.contains(span));
    let unit = question.language.unit(&word.folded).is_some();
    !mentioned
        && !unit
        && !says_something_else(question, links, span.from)
        && !question.language.knows(&word.norm)
}

/// Whether a word names a class or property, or is a function word or cue.
fn says_something_else(question: &ParsedQuestion, links: &Links<'_>, at: u16) -> bool {
    links.schema.iter().any(|link| link.span.has(at))
        || question.is_function_word(at)
        || question.cues.iter().any(|cue| cue.span.has(at))
        || question.grades.iter().any(|grade| grade.span.has(at))
        || question.numerals.iter().any(|numeral| numeral.span.has(at))
        || question.ordinals.iter().any(|ordinal| ordinal.span.has(at))
        || question.periods.iter().any(|period| period.span.has(at))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn unknown(text: &str) -> Vec<String> {
        let question = ParsedQuestion::read(text, &["en".to_owned()]);
        missing(&question, &Links::default(), &not_found(&question, &Links::default()), |_| true)
    }

    #[test]
    fn names_are_told_whole() {
        assert_eq!(unknown("Where does Felix Aumann live?"), ["Felix Aumann"]);
    }

    #[test]
    fn names_that_were_left_out_are_missing_too() {
        let question = ParsedQuestion::read("Does Felix Aumann know Dora?", &["en".to_owned()]);
        let dora = question.words.iter().position(|word| word.raw == "Dora").unwrap_or_default() as u16;
        assert_eq!(missing(&question, &Links::default(), &[], |at| at == dora), ["Felix Aumann"]);
    }

    #[test]
    fn words_of_the_form_and_numbers_are_no_names() {
        assert!(unknown("How many are there in 1999?").is_empty());
    }
}
