//! Which spans of a question are worth a look-up at a server, most specific first: names, recognised by capitals and
//! quotation marks, then the phrases about them. Uses the words of the question alone.

use eruca_language::{Cue, languages};
use eruca_planner::may_be_name;
use eruca_planner::question::{ParsedQuestion, Span};

/// Maximum number of words of a name.
const MAX_NAME_WORDS: usize = 8;
/// Maximum number of words of a phrase that may be a property or class.
const MAX_PHRASE_WORDS: usize = 3;
/// Maximum number of names looked up, so that some look-ups remain for the other phrases.
const MAX_NAMES: usize = 4;
/// Maximum number of classes looked up.
const MAX_KINDS: usize = 2;
/// Maximum number of function words within one name: "Lord of the Rings".
const MAX_JOINING: usize = 2;

/// What a span may stand for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum SpanRole {
    Name,
    Property,
    Class,
}

/// A span that is worth a look-up.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct SpanLookup {
    pub(super) role: SpanRole,
    /// Its position in the question.
    pub(super) words: Span,
    /// The text to look up; for a class, in the singular.
    pub(super) text: String,
}

/// All spans, most specific first.
pub(super) fn lookups(question: &ParsedQuestion) -> Vec<SpanLookup> {
    let mut names: Vec<Span> = question.quotes.iter().map(|quote| quote.span).collect();
    let is_quoted = |span: Span| question.quotes.iter().any(|quote| quote.span == span);
    names.retain(|span| (1..=MAX_NAME_WORDS).contains(&span.len()));
    for run in runs(question) {
        names.push(run);
        names.extend(pieces(question, run));
    }
    let phrases = phrases(question, &names);
    if names.is_empty() {
        // Nothing is capitalised, or the script has no capitals.
        names.extend(phrases.iter().copied());
    }
    // If "Matrix" may be a name, "The Matrix" may be one too.
    let telling = |span: Span| (span.from..span.to).find(|at| !is_function_word(question, *at));
    names.retain(|span| {
        let may_be = |from: u16| may_be_name(question, Span { from, ..*span });
        is_quoted(*span) || telling(*span).is_some_and(may_be)
    });
    names.sort_by_key(|span| std::cmp::Reverse(span.len()));
    let kinds = kinds(question, &phrases).into_iter();
    let kinds =
        kinds.map(|words| SpanLookup { role: SpanRole::Class, words, text: singular(question, words) });
    let lookup = |role: SpanRole| {
        move |words: Span| SpanLookup { role, words, text: question.text_of(words).to_owned() }
    };
    // Where all nouns are capitalised, a single word may be a property rather than a name.
    let nouns = names.iter().filter(|words| phrases.is_empty() && words.len() == 1).copied();
    let mut said = phrases.iter().copied().chain(nouns).map(lookup(SpanRole::Property));
    let mut found: Vec<SpanLookup> =
        names.iter().copied().take(MAX_NAMES).map(lookup(SpanRole::Name)).collect();
    found.extend(said.next());
    found.extend(kinds.take(MAX_KINDS));
    found.extend(said);
    let mut unique: Vec<SpanLookup> = Vec::with_capacity(found.len());
    for lookup in found {
        if !unique.contains(&lookup) {
            unique.push(lookup);
        }
    }
    unique
}

/// The longest runs of capitalised words, including the function words within.
fn runs(question: &ParsedQuestion) -> Vec<Span> {
    let (mut found, mut at) = (Vec::new(), 0);
    while at < question.all().to {
        if !begins_name(question, at) {
            at += 1;
            continue;
        }
        let mut run = Span { from: at, to: at + 1 };
        while let Some(to) =
            next_of_name(question, run.to).filter(|to| usize::from(to - at) <= MAX_NAME_WORDS)
        {
            run.to = to;
        }
        found.push(run);
        at = run.to;
    }
    found
}

/// The parts of a run between its function words, and the run without its first word if that begins the question.
fn pieces(question: &ParsedQuestion, run: Span) -> Vec<Span> {
    let mut found = Vec::new();
    let mut begin = run.from;
    for at in run.from..=run.to {
        if at == run.to || is_joining(question, at) {
            let piece = Span { from: begin, to: at };
            if !piece.is_empty() && piece.len() < run.len() {
                found.push(piece);
            }
            begin = at + 1;
        }
    }
    if run.from == 0 && run.to > 1 {
        found.push(Span { from: 1, to: run.to });
    }
    found
}

fn begins_name(question: &ParsedQuestion, at: u16) -> bool {
    let next = || has_capital(question, at + 1) && is_near(question, at + 1);
    match (has_capital(question, at), is_function_word(question, at)) {
        (false, _) => false,
        // "The Matrix", but not "Who Framed" and "The capital".
        (true, true) => at > 0 && next() && !is_function_word(question, at + 1),
        // The first word of a question is always capitalised.
        (true, false) => at > 0 || next(),
    }
}

/// The end of a name that continues at a word.
fn next_of_name(question: &ParsedQuestion, at: u16) -> Option<u16> {
    let goes_on = |at: u16| (has_capital(question, at) || is_number(question, at)) && is_near(question, at);
    if goes_on(at) {
        return Some(at + 1);
    }
    let small = (at..).take(MAX_JOINING).take_while(|at| is_joining(question, *at) && is_near(question, *at));
    small
        .map(|at| at + 1)
        .find(|next| has_capital(question, *next) && is_near(question, *next))
        .map(|next| next + 1)
}

fn has_capital(question: &ParsedQuestion, at: u16) -> bool {
    question.word(at).is_some_and(|word| word.raw.starts_with(char::is_uppercase))
}

fn is_number(question: &ParsedQuestion, at: u16) -> bool {
    question.word(at).is_some_and(|word| word.raw.chars().all(char::is_numeric))
}

/// Words without a meaning of their own: function words, and commands like "name all".
fn is_function_word(question: &ParsedQuestion, at: u16) -> bool {
    let commands = question.cues.iter().any(|found| found.cue == Cue::Command && found.span.has(at));
    question.is_function_word(at) || commands
}

/// Function words in names: those of the language, and name particles of any language.
fn is_joining(question: &ParsedQuestion, at: u16) -> bool {
    let is_particle = |folded: &str| languages().any(|language| language.is_particle(folded));
    let is_small = |folded: &str| is_function_word(question, at) || is_particle(folded);
    !question.is_possessive(at)
        && !has_capital(question, at)
        && question.word(at).is_some_and(|word| is_small(&word.folded))
}

/// Whether only a space, a hyphen or the dot of an initial precedes a word.
fn is_near(question: &ParsedQuestion, at: u16) -> bool {
    let before = at.checked_sub(1).and_then(|before| question.word(before));
    let Some((before, word)) = before.zip(question.word(at)) else { return false };
    let gap = question.text.get(before.bytes.1..word.bytes.0).unwrap_or(",");
    gap.chars().all(|c| c.is_whitespace() || matches!(c, '-' | '.' | '\'' | '’' | '&'))
}

/// The phrases beside the names: runs of content words, joined ones first, then their single words.
fn phrases(question: &ParsedQuestion, names: &[Span]) -> Vec<Span> {
    let says = |at: u16| {
        let small = at == 0 || !has_capital(question, at);
        !names.iter().any(|name| name.has(at))
            && small
            && !is_number(question, at)
            && !is_function_word(question, at)
            && question.word(at).is_some_and(|word| word.raw.chars().count() > 1)
    };
    let near = |at: u16| is_near(question, at);
    let (mut long, mut single) = (Vec::new(), Vec::new());
    let mut at = 0;
    while at < question.all().to {
        if !says(at) {
            at += 1;
            continue;
        }
        let mut run = Span { from: at, to: at + 1 };
        while run.len() < MAX_PHRASE_WORDS && says(run.to) && near(run.to) {
            run.to += 1;
        }
        // "date of birth".
        let joined = is_joining(question, run.to) && near(run.to) && says(run.to + 1) && near(run.to + 1);
        if run.len() == 1 && joined {
            long.push(Span { from: at, to: run.to + 2 });
        }
        if run.len() > 1 {
            long.push(run);
        }
        single.extend((at..run.to).map(|at| Span { from: at, to: at + 1 }));
        at = run.to;
    }
    long.extend(single);
    long
}

/// Phrases for classes, as in "Which rivers", "all nuclear power plants": those that end in a plural or follow a question word.
fn kinds(question: &ParsedQuestion, phrases: &[Span]) -> Vec<Span> {
    let is_plural = |at: &u16| question.word(*at).is_some_and(|word| word.norm != word.folded);
    let asked = |from: u16| (1..=2).contains(&from) && (0..from).all(|at| is_function_word(question, at));
    let mut found: Vec<Span> = Vec::new();
    for Span { from, to } in phrases.iter().copied() {
        let plural = (from..to).find(is_plural).map(|at| Span { from, to: at + 1 });
        let first = asked(from).then_some(Span { from, to: from + 1 });
        for words in plural.into_iter().chain(first) {
            if !found.contains(&words) {
                found.push(words);
            }
        }
    }
    found
}

/// The words with the last one in the singular.
fn singular(question: &ParsedQuestion, span: Span) -> String {
    let last = span.to.saturating_sub(1);
    let norm = question.word(last).map_or("", |word| word.norm.as_str());
    match span.len() {
        1 => norm.to_owned(),
        _ => format!("{} {norm}", question.text_of(Span { to: last, ..span })),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn texts(question: &str, role: SpanRole) -> Vec<String> {
        let found = lookups(&ParsedQuestion::read(question, &[])).into_iter();
        found.filter(|lookup| lookup.role == role).map(|lookup| lookup.text).collect()
    }

    #[test]
    fn names_are_told_by_their_capitals_the_longest_first() {
        for (question, names) in [
            ("Who directed The Matrix?", vec!["The Matrix"]),
            ("When was Albert Einstein born?", vec!["Albert Einstein"]),
            ("Who wrote The Lord of the Rings?", vec!["The Lord of the Rings", "The Lord", "Rings"]),
            (
                "Did Tom Hanks and Meg Ryan play in Sleepless in Seattle?",
                vec!["Tom Hanks and Meg Ryan", "Sleepless in Seattle", "Tom Hanks", "Meg Ryan"],
            ),
            ("Was Apollo 11 launched before 1970?", vec!["Apollo 11"]),
            (
                "What city was Ludwig van Beethoven born in?",
                vec!["Ludwig van Beethoven", "Ludwig", "Beethoven"],
            ),
            ("Where was J. R. R. Tolkien born?", vec!["J. R. R. Tolkien"]),
            ("Paris, Texas or Rome?", vec!["Texas or Rome", "Texas", "Rome"]),
            ("Is US bigger than the EU?", vec!["US", "EU"]),
            ("who is the author of \"war and peace\"?", vec!["war and peace"]),
            ("население Москвы", vec!["Москвы"]),
            ("capital of france", vec!["capital of france", "capital", "france"]),
        ] {
            assert_eq!(texts(question, SpanRole::Name), names, "{question}");
        }
    }

    #[test]
    fn what_is_said_of_names_may_be_a_property_or_a_class() {
        assert_eq!(texts("Who directed The Matrix?", SpanRole::Property), ["directed"]);
        assert_eq!(
            texts("What is the date of birth of Ada Lovelace?", SpanRole::Property)[0],
            "date of birth"
        );
        assert_eq!(texts("Which rivers flow through Germany?", SpanRole::Class), ["river"]);
        assert_eq!(
            texts("Name all nuclear power plants in Japan", SpanRole::Class)[0],
            "nuclear power plant"
        );
        assert_eq!(texts("Which river flows through Bonn?", SpanRole::Class), ["river flow", "river"]);
        assert_eq!(texts("Wer war der Regisseur von Matrix?", SpanRole::Property), ["Regisseur", "Matrix"]);
    }

    proptest! {
        #[test]
        fn any_question_has_spans_within_it(question in "(\\PC|[A-Z][a-z]{1,5} |of |the |[\"“.,]){0,40}") {
            let asked = ParsedQuestion::read(&question, &[]);
            for found in lookups(&asked) {
                prop_assert!(!found.words.is_empty() && asked.all().contains(found.words), "{found:?}");
            }
        }
    }
}
