//! "And in Italy?": a part that replaces one of the same type in the last question: a name, a time, a number or a superlative. If
//! it replaces nothing, it is an additional condition.

use super::narrow::{best, composed, superlative};
use super::text::{Words, edited};
use super::{Followed, Pair, RestsOn, told};
use crate::link::Mention;
use crate::question::{ParsedQuestion, Span, Word, WordKind};
use eruca_indexer::DatasetIndex;
use eruca_language::text::{self, normalize_word};
use eruca_language::{Anaphor, Cue};

/// Maximum number of words in a replacement.
const MAX_WORDS: usize = 8;
/// Maximum number of words in a class name, and of classes examined.
const MAX_KIND_WORDS: u16 = 3;
const MAX_CLASSES: usize = 2_000;
/// Maximum number of superclasses examined.
const MAX_ABOVE: usize = 20;

/// The last question with a part replaced by this one; none if this one is more than a part.
pub(super) fn replaced(pair: Pair<'_>, words: &Words<'_>) -> Option<Followed> {
    let led = words.back(0, Anaphor::Lead);
    let from = led.unwrap_or(0);
    let to = words.end(from);
    if from >= to
        || to - from > MAX_WORDS
        || words.asks(from, to)
        || (from..to).any(|at| words.is_small_verb(at))
    {
        return None;
    }
    let part = Span::new(from, to);
    if let Some((new, old)) = names(pair, part, led.is_some()) {
        return Some(in_place(pair, new, old));
    }
    // Without a leading "and" or the like, only a name counts as a part.
    led?;
    if let Some((new, old)) = kinds(pair, part) {
        return Some(in_place(pair, new, old));
    }
    let same = times(pair, part).or_else(|| superlatives(pair, part)).or_else(|| numbers(pair, part));
    match same {
        Some((new, old)) => Some(in_place(pair, new, old)),
        None if superlative(pair.question, part).is_some() => best(pair, words.text(from, to)),
        None if is_condition(words, from) => composed(pair, "only", words.text(from, to)),
        None => None,
    }
}

fn in_place(pair: Pair<'_>, new: Span, old: Span) -> Followed {
    let past = pair.past.question;
    let values = [("new", pair.question.text_of(new)), ("old", past.text_of(old))];
    let taken_over = vec![told(pair, "taken_name", &values)];
    let (new, old) = with_articles((pair.question, new), (past, old));
    Followed {
        text: edited(past, &[(old, pair.question.text_of(new).to_owned())]),
        taken_over,
        within: None,
        rests_on: RestsOn::Part,
    }
}

/// Both spans, extended by the preceding article where both have one, since the articles may differ.
fn with_articles(
    (question, new): (&ParsedQuestion, Span),
    (past, old): (&ParsedQuestion, Span),
) -> (Span, Span) {
    let before = |question: &ParsedQuestion, span: Span| {
        let at = span.from.checked_sub(1)?;
        // "der" also means "of the", but not after "is".
        let behind_verb = at.checked_sub(1).is_some_and(|verb| question.has_cue(verb, Cue::Be));
        let article = question.word(at).is_some_and(|word| question.language.is_determiner(&word.folded))
            && (behind_verb || question.role_at(at).is_none());
        article.then_some(Span { from: at, to: span.to })
    };
    before(question, new).zip(before(past, old)).unwrap_or((new, old))
}

/// A part that is just a class name, and the class that the last question asks for: "and vases?".
fn kinds(pair: Pair<'_>, part: Span) -> Option<(Span, Span)> {
    let new = kind_in(pair.index, pair.question, part)?;
    let old = kind_in(pair.index, pair.past.question, pair.past.question.all())?;
    only_name(pair.question, part, new).then_some((new, old))
}

/// The longest run of words at the start of a part that names a class.
fn kind_in(index: &DatasetIndex, question: &ParsedQuestion, part: Span) -> Option<Span> {
    let named = |span: Span| {
        let norm = |word: &Word| word.norm.clone();
        let words: Vec<String> = question.words_of(span).iter().map(norm).collect();
        index.card.classes.iter().take(MAX_CLASSES).any(|class| {
            let own = class.labels.iter().map(|label| label.text.clone());
            let names = own.chain([index.card.schema_label(&class.iri)]);
            let plural =
                |name: String| question.language.plural(&name).into_iter().chain([name]).collect::<Vec<_>>();
            names.flat_map(plural).any(|name| {
                text::words(&name).iter().map(|word| normalize_word(&word.text)).eq(words.iter().cloned())
            })
        })
    };
    let spans = (part.from..part.to).flat_map(|from| {
        (from + 1..=part.to.min(from + MAX_KIND_WORDS)).rev().map(move |to| Span { from, to })
    });
    let mut spans = spans.filter(|span| !question.is_function_word(span.from));
    spans.find(|span| named(*span))
}

/// The name in a part and the name in the last question that it replaces. Without a leading "and" or the like, the part must be
/// only a name of the same kind.
fn names(pair: Pair<'_>, part: Span, led: bool) -> Option<(Span, Span)> {
    let new = name_in(pair.question, pair.mentions, part)?;
    let old = named(pair.past.question, pair.past.mentions);
    let known: Vec<&Mention> = pair.mentions.iter().filter(|mention| new.contains(mention.span)).collect();
    let same = |old: &&Mention| known.iter().any(|new| same_kind(pair.index, new, old));
    let alone = only_name(pair.question, part, new);
    match (old.iter().copied().find(same), old.as_slice()) {
        (Some(old), _) if led || alone => Some((new, old.span)),
        // A name not in the graph, or of a thing without a class, can only replace the single name in the question.
        (None, [old]) if led && alone => Some((new, old.span)),
        _ => None,
    }
}

/// The name in a part: from the first word of the first mention to the last word of the last.
fn name_in(question: &ParsedQuestion, mentions: &[Mention], part: Span) -> Option<Span> {
    let within = mentions.iter().filter(|mention| part.contains(mention.span) && is_name(question, mention));
    let written =
        (part.from..part.to).filter(|at| question.word(*at).is_some_and(|word| word.kind >= WordKind::Name));
    let written = written.map(|at| Span { from: at, to: at + 1 });
    let spans: Vec<Span> = within.map(|mention| mention.span).chain(written).collect();
    let from = spans.iter().map(|span| span.from).min()?;
    Some(Span { from, to: spans.iter().map(|span| span.to).max()? })
}

/// Whether a part is just a name, optionally after a preposition or an article.
fn only_name(question: &ParsedQuestion, part: Span, name: Span) -> bool {
    let silent = |at: u16| question.is_function_word(at) || question.role_at(at).is_some();
    (part.from..name.from).all(silent) && (name.to..part.to).all(silent)
}

/// Names of things in a question, in order; the longest of nested names.
pub(super) fn named<'m>(question: &ParsedQuestion, mentions: &'m [Mention]) -> Vec<&'m Mention> {
    let of_things = mentions.iter().filter(|one| !one.entities.is_empty() && is_name(question, one));
    let found: Vec<&Mention> = of_things.collect();
    let inner =
        |one: &Mention| found.iter().any(|other| other.span != one.span && other.span.contains(one.span));
    found.iter().copied().filter(|one| !inner(one)).collect()
}

/// Whether a span is written as a name. A common noun of the question's language is a class; where capitals mean nothing, a name
/// is a word in the graph that the language does not know.
fn is_name(question: &ParsedQuestion, mention: &Mention) -> bool {
    let language = question.language;
    let unknown = |norm: &str| !language.is_noun(norm) && !language.knows(norm);
    let silent = language.has_noun_capitals() || question.begins_sentence(mention.span.from);
    let called = silent && mention.is_same_name();
    if mention.span.len() > 1 && mention.is_same_name() {
        return true;
    }
    question.words_of(mention.span).iter().any(|word| {
        let written =
            word.kind >= WordKind::Name || word.capital || mention.is_same_name() && unknown(&word.norm);
        written || called && word.raw.starts_with(char::is_uppercase) && unknown(&word.norm)
    })
}

fn same_kind(index: &DatasetIndex, one: &Mention, other: &Mention) -> bool {
    let types = |mention: &Mention| {
        let best = mention.entities.iter().take(1);
        let direct: Vec<String> = best.flat_map(|hit| hit.record.types.clone()).collect();
        with_above(index, direct)
    };
    let other = types(other);
    types(one).iter().any(|class| other.contains(class))
}

/// Classes and their direct superclasses: cities and capitals are both populated places.
fn with_above(index: &DatasetIndex, direct: Vec<String>) -> Vec<String> {
    let mut found = direct;
    for at in 0..MAX_ABOVE {
        let Some(class) = found.get(at).cloned() else { break };
        let above = index.card.class(&class).into_iter().flat_map(|card| card.superclasses.iter());
        for class in above.cloned().collect::<Vec<_>>() {
            if !found.contains(&class) {
                found.push(class);
            }
        }
    }
    found
}

fn times(pair: Pair<'_>, part: Span) -> Option<(Span, Span)> {
    let new = pair.question.periods.iter().find(|period| part.contains(period.span))?;
    Some((new.span, pair.past.question.periods.first()?.span))
}

fn numbers(pair: Pair<'_>, part: Span) -> Option<(Span, Span)> {
    let new = pair.question.numerals.iter().find(|numeral| part.contains(numeral.span))?;
    match pair.past.question.numerals.as_slice() {
        [old] => Some((new.span, old.span)),
        _ => None,
    }
}

fn superlatives(pair: Pair<'_>, part: Span) -> Option<(Span, Span)> {
    let past = pair.past.question;
    Some((superlative(pair.question, part)?, superlative(past, past.all())?))
}

/// Whether a part starts like a condition: with a preposition.
fn is_condition(words: &Words<'_>, from: usize) -> bool {
    u16::try_from(from).is_ok_and(|at| words.question.role_at(at).is_some())
}
