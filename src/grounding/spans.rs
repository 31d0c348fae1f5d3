//! Which spans of a question are worth a look-up at a server, the most telling ones first: names by their capitals and
//! quotation marks, then what is said of them. Knows the words of the question alone.

use super::links::Asked;
use eruca_indexer::text::fold;

/// Words of the longest name.
const MAX_NAME_WORDS: usize = 8;
/// Words of the longest phrase that may be a property or class.
const MAX_PHRASE_WORDS: usize = 3;
/// Names looked up, so that something is left for what is said of them.
const MAX_NAMES: usize = 4;
/// Classes looked up.
const MAX_KINDS: usize = 2;
/// Small words between the capitals of one name: "Lord of the Rings".
const MAX_JOINING: usize = 2;

/// Small words in names of people and places that are no function words of the languages that are known.
const PARTICLES: [&str; 18] = [
    "al", "ben", "bin", "da", "de", "del", "della", "di", "dos", "du", "el", "ibn", "la", "le", "ten", "ter",
    "van", "y",
];

/// What a span may be.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Role {
    Name,
    Property,
    Class,
}

/// A span that is worth a look-up.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Span {
    pub(super) role: Role,
    /// Numbers of the first word and of the one behind the last.
    pub(super) words: (usize, usize),
    /// What is looked for; of a class in the singular.
    pub(super) text: String,
}

type Words = (usize, usize);

/// All spans, the most telling ones first.
pub(super) fn spans(question: &Asked<'_>) -> Vec<Span> {
    let mut names = quoted(question);
    for run in runs(question) {
        names.push(run);
        names.extend(pieces(question, run));
    }
    let phrases = phrases(question, &names);
    if names.is_empty() {
        // Nothing is written in capitals, or the script has none.
        names.extend(phrases.iter().copied());
    }
    names.sort_by_key(|(start, end)| std::cmp::Reverse(end - start));
    let kinds = kinds(question, &phrases).into_iter();
    let kinds = kinds.map(|words| Span { role: Role::Class, words, text: singular(question, words) });
    let span = |role: Role| {
        move |words: Words| Span { role, words, text: question.span(words.0, words.1).to_owned() }
    };
    // Where all nouns have capitals, what is said of a name has one too.
    let nouns = names.iter().filter(|words| phrases.is_empty() && words.1 - words.0 == 1).copied();
    let mut said = phrases.iter().copied().chain(nouns).map(span(Role::Property));
    let mut found: Vec<Span> = names.iter().copied().take(MAX_NAMES).map(span(Role::Name)).collect();
    found.extend(said.next());
    found.extend(kinds.take(MAX_KINDS));
    found.extend(said);
    let mut unique: Vec<Span> = Vec::with_capacity(found.len());
    for span in found {
        if !unique.contains(&span) {
            unique.push(span);
        }
    }
    unique
}

/// Spans between quotation marks.
fn quoted(question: &Asked<'_>) -> Vec<Words> {
    let mut found = Vec::new();
    let mut open: Option<usize> = None;
    for (at, c) in question.text.char_indices() {
        if !matches!(c, '"' | '“' | '”' | '„' | '«' | '»') {
            continue;
        }
        match open.take() {
            None => open = Some(at),
            Some(start) => {
                let inside = |token: &&eruca_indexer::text::Token| token.span.0 > start && token.span.1 <= at;
                let count = question.words.iter().filter(inside).count();
                let first = question.words.iter().position(|token| inside(&token));
                found.extend(first.filter(|_| count <= MAX_NAME_WORDS).map(|first| (first, first + count)));
            }
        }
    }
    found
}

/// The longest runs of words with capitals, with the small words inside.
fn runs(question: &Asked<'_>) -> Vec<Words> {
    let mut found = Vec::new();
    let mut at = 0;
    while at < question.words.len() {
        if !begins_name(question, at) {
            at += 1;
            continue;
        }
        let mut end = at + 1;
        while let Some(next) = next_of_name(question, end).filter(|next| next - at <= MAX_NAME_WORDS) {
            end = next;
        }
        found.push((at, end));
        at = end;
    }
    found
}

/// The parts of a run between its small words, and the run without its first word if that begins the question.
fn pieces(question: &Asked<'_>, (start, end): Words) -> Vec<Words> {
    let mut found = Vec::new();
    let mut begin = start;
    for at in start..=end {
        if at == end || is_joining(question, at) {
            if begin < at && at - begin < end - start {
                found.push((begin, at));
            }
            begin = at + 1;
        }
    }
    if start == 0 && end > 1 {
        found.push((1, end));
    }
    found
}

fn begins_name(question: &Asked<'_>, at: usize) -> bool {
    let next = || has_capital(question, at + 1) && is_near(question, at + 1);
    match (has_capital(question, at), question.is_function_word(at)) {
        (false, _) => false,
        // "The Matrix", but not "Who Framed" and "The capital".
        (true, true) => at > 0 && next() && !question.is_function_word(at + 1),
        // The first word has a capital in any case.
        (true, false) => at > 0 || next(),
    }
}

/// The end of a name that goes on at `at`.
fn next_of_name(question: &Asked<'_>, at: usize) -> Option<usize> {
    let goes_on = |at: usize| (has_capital(question, at) || is_number(question, at)) && is_near(question, at);
    if goes_on(at) {
        return Some(at + 1);
    }
    let small = (at..).take(MAX_JOINING).take_while(|at| is_joining(question, *at) && is_near(question, *at));
    small
        .map(|at| at + 1)
        .find(|next| has_capital(question, *next) && is_near(question, *next))
        .map(|next| next + 1)
}

fn has_capital(question: &Asked<'_>, at: usize) -> bool {
    at < question.words.len() && question.span(at, at + 1).starts_with(char::is_uppercase)
}

fn is_number(question: &Asked<'_>, at: usize) -> bool {
    let written = if at < question.words.len() { question.span(at, at + 1) } else { "" };
    !written.is_empty() && written.chars().all(char::is_numeric)
}

fn is_joining(question: &Asked<'_>, at: usize) -> bool {
    let is_small = || question.is_function_word(at) || PARTICLES.contains(&question.span(at, at + 1));
    at < question.words.len() && !has_capital(question, at) && is_small()
}

/// Whether nothing but a space, a hyphen or the dot of an initial stands before a word.
fn is_near(question: &Asked<'_>, at: usize) -> bool {
    let (Some(before), Some(word)) =
        (at.checked_sub(1).and_then(|before| question.words.get(before)), question.words.get(at))
    else {
        return false;
    };
    let gap = question.text.get(before.span.1..word.span.0).unwrap_or(",");
    gap.chars().all(|c| c.is_whitespace() || matches!(c, '-' | '.' | '\'' | '’' | '&'))
}

/// What is said beside the names: runs of words that say something, joined ones first, then their words.
fn phrases(question: &Asked<'_>, names: &[Words]) -> Vec<Words> {
    let is_named = |at: usize| names.iter().any(|(start, end)| (*start..*end).contains(&at));
    let says = |at: usize| {
        let small = at == 0 || !has_capital(question, at);
        at < question.words.len()
            && !is_named(at)
            && small
            && !is_number(question, at)
            && !question.is_function_word(at)
            && question.span(at, at + 1).chars().count() > 1
    };
    let (mut long, mut single) = (Vec::new(), Vec::new());
    let mut at = 0;
    while at < question.words.len() {
        if !says(at) {
            at += 1;
            continue;
        }
        let mut end = at + 1;
        while end - at < MAX_PHRASE_WORDS && says(end) && is_near(question, end) {
            end += 1;
        }
        // "date of birth".
        if end - at == 1
            && is_joining(question, end)
            && is_near(question, end)
            && says(end + 1)
            && is_near(question, end + 1)
        {
            long.push((at, end + 2));
        }
        if end - at > 1 {
            long.push((at, end));
        }
        single.extend((at..end).map(|at| (at, at + 1)));
        at = end;
    }
    long.extend(single);
    long
}

/// "Which rivers", "all nuclear power plants": what ends with a plural, and what comes right after the words that ask.
fn kinds(question: &Asked<'_>, phrases: &[Words]) -> Vec<Words> {
    let is_plural =
        |at: usize| question.words.get(at).is_some_and(|token| token.text != fold(question.span(at, at + 1)));
    let asked = |start: usize| (1..=2).contains(&start) && (0..start).all(|at| question.is_function_word(at));
    let mut found: Vec<Words> = Vec::new();
    for (start, end) in phrases {
        let plural = (*start..*end).find(|at| is_plural(*at)).map(|at| (*start, at + 1));
        let first = asked(*start).then_some((*start, *start + 1));
        for words in plural.into_iter().chain(first) {
            if !found.contains(&words) {
                found.push(words);
            }
        }
    }
    found
}

/// The words with the last one in the singular.
fn singular(question: &Asked<'_>, (start, end): Words) -> String {
    let last = question.words.get(end - 1).map_or("", |token| token.text.as_str());
    match end - start {
        1 => last.to_owned(),
        _ => format!("{} {last}", question.span(start, end - 1)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn texts(question: &str, role: Role) -> Vec<String> {
        let spans = spans(&Asked::read(question));
        spans.into_iter().filter(|span| span.role == role).map(|span| span.text).collect()
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
            assert_eq!(texts(question, Role::Name), names, "{question}");
        }
    }

    #[test]
    fn what_is_said_of_names_may_be_a_property_or_a_class() {
        assert_eq!(texts("Who directed The Matrix?", Role::Property), ["directed"]);
        assert_eq!(texts("What is the date of birth of Ada Lovelace?", Role::Property)[0], "date of birth");
        assert_eq!(texts("Which rivers flow through Germany?", Role::Class), ["river"]);
        assert_eq!(texts("Name all nuclear power plants in Japan", Role::Class)[0], "nuclear power plant");
        assert_eq!(texts("Which river flows through Bonn?", Role::Class), ["river flow", "river"]);
        assert_eq!(texts("Wer war der Regisseur von Matrix?", Role::Property), ["Regisseur", "Matrix"]);
    }

    proptest! {
        #[test]
        fn any_question_has_spans_within_it(question in "(\\PC|[A-Z][a-z]{1,5} |of |the |[\"“.,]){0,40}") {
            let asked = Asked::read(&question);
            for span in spans(&asked) {
                prop_assert!(span.words.0 < span.words.1 && span.words.1 <= asked.words.len(), "{span:?}");
            }
        }
    }
}
