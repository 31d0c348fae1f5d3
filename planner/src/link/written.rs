//! Names by exact spelling: it distinguishes things whose names differ only in punctuation or case ("C", "C#", "c++"), and titles
//! made of ordinary words ("Never Let Me Go", "It", "The Top 10").

use super::LinkError;
use super::things::{Candidates, Mention, Names, SAME_NAME_FIT};
use crate::pace::AllowedTime;
use crate::question::{ParsedQuestion, Span, WordKind};
use eruca_indexer::{EntityHit, ValueHit};
use eruca_language::text::fold;
use eruca_language::{Cue, Role};

/// Maximum number of words in a title.
const MAX_TITLE_WORDS: usize = 10;
/// Maximum number of punctuation characters at one end of a name.
const MAX_SIGNS: usize = 4;
/// Number of candidates searched for the exact spelling.
pub(super) const MAX_NAMESAKES: usize = 32;

/// Spellings of a span: with the punctuation touching its words, then with less of it, finally with none.
pub(super) fn spellings(question: &ParsedQuestion, span: Span) -> Vec<&str> {
    let (Some(first), Some(last)) =
        (question.word(span.from), span.to.checked_sub(1).and_then(|last| question.word(last)))
    else {
        return Vec::new();
    };
    let (from, to) = (first.bytes.0, last.bytes.1);
    let is_sign = |c: &char| !c.is_alphanumeric() && !c.is_whitespace();
    let before = question.text.get(..from).unwrap_or_default().chars().rev();
    let behind = question.text.get(to..).unwrap_or_default().chars();
    let ends = |signs: &mut dyn Iterator<Item = char>| {
        let mut ends = vec![0];
        for c in signs {
            ends.push(ends.last().copied().unwrap_or_default() + c.len_utf8());
        }
        ends
    };
    let starts = ends(&mut before.take_while(is_sign).take(MAX_SIGNS));
    let stops = ends(&mut behind.take_while(is_sign).take(MAX_SIGNS));
    let mut found: Vec<&str> = starts
        .iter()
        .flat_map(|start| stops.iter().map(move |stop| (from - start, to + stop)))
        .filter_map(|(from, to)| question.text.get(from..to))
        .collect();
    found.sort_by_key(|text| std::cmp::Reverse(text.len()));
    found
}

/// Normalizes apostrophes and hyphens, which can be typed in several ways.
fn plain(text: &str) -> String {
    let plain = |c: char| match c {
        '’' | '‘' | '`' | '´' => '\'',
        '‐' | '‑' | '‒' | '–' | '−' => '-',
        other => other,
    };
    text.chars().map(plain).collect()
}

/// The first spelling that one of the candidates has; preferably with the same case.
fn met<'t>(spellings: &[&'t str], (entities, values): &Candidates) -> Option<(&'t str, bool)> {
    let same = |text: &str, cased: bool| {
        let is = |name: &str| is_spelt(name, text, cased);
        entities.iter().any(|hit| has_name(hit, &is)) || values.iter().any(|hit| is(&hit.record.text))
    };
    let of = |cased: bool| spellings.iter().find(|text| same(text, cased)).map(|text| (*text, cased));
    match (of(true), of(false)) {
        // "c++" means "C++" rather than "c", but at the end of a question "Horn?" means "Horn".
        (Some(exact), Some(longer)) if has_own_signs(longer.0, exact.0) => Some(longer),
        (exact, any) => exact.or(any),
    }
}

/// Whether a spelling has punctuation beyond another one's that does not end a sentence.
fn has_own_signs(longer: &str, shorter: &str) -> bool {
    longer.strip_prefix(shorter).unwrap_or_default().chars().any(is_own_sign)
}

/// Whether a character is punctuation of a name rather than of a sentence.
fn is_own_sign(c: char) -> bool {
    !c.is_alphanumeric()
        && !c.is_whitespace()
        && !".,;:?!'()[]\"”“’»«《》〈〉「」『』，。？！；：、（）".contains(c)
}

/// Whether a name begins or ends with punctuation other than the span's: "O+" is not "O-", and "C" not "C++".
pub(crate) fn is_signed_otherwise(question: &ParsedQuestion, span: Span, name: &str) -> bool {
    let signs = |text: &str| {
        let own = |chars: &mut dyn Iterator<Item = char>| {
            let outer = chars.take_while(|c| !c.is_alphanumeric());
            outer.filter(|c| is_own_sign(*c)).collect::<String>()
        };
        let text = plain(text);
        (own(&mut text.chars()), own(&mut text.chars().rev()))
    };
    spellings(question, span).first().is_some_and(|written| signs(written) != signs(name))
}

fn is_spelt(name: &str, text: &str, cased: bool) -> bool {
    if cased { plain(name) == plain(text) } else { fold(&plain(name)) == fold(&plain(text)) }
}

/// A text without punctuation.
fn unsigned(text: &str) -> String {
    let words = text.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
    words.collect::<Vec<_>>().join(" ")
}

fn has_name(hit: &EntityHit, is: &dyn Fn(&str) -> bool) -> bool {
    hit.record.labels.iter().any(|label| is(&label.text))
        || hit.record.iri.rsplit(['/', '#']).next().is_some_and(is)
}

/// Among candidates with the same words, keeps those with the exact spelling, if any; returns the spelling.
pub(super) fn keep_written<'q>(
    question: &'q ParsedQuestion,
    span: Span,
    candidates: &mut Candidates,
) -> Option<&'q str> {
    let (text, cased) = met(&spellings(question, span), candidates)?;
    let (entities, values) = candidates;
    let is = |name: &str| is_spelt(name, text, cased);
    entities.retain(|hit: &EntityHit| hit.score < SAME_NAME_FIT || has_name(hit, &is));
    values.retain(|hit: &ValueHit| hit.score < SAME_NAME_FIT || is(&hit.record.text));
    Some(text)
}

/// Spans that are the whole name of something with exact spelling and case, even if their words mean something else.
pub(super) fn titles(
    index: &Names<'_>,
    question: &ParsedQuestion,
    time: Option<AllowedTime<'_>>,
) -> Result<Vec<Mention>, LinkError> {
    let mut found: Vec<Mention> = Vec::new();
    for length in (1..=MAX_TITLE_WORDS.min(question.len())).rev() {
        for from in 0..=question.len() - length {
            let span = Span::new(from, from + length);
            if !may_be_title(question, span) || found.iter().any(|title| title.span.overlaps(span)) {
                continue;
            }
            if time.is_some_and(|time| !time.goes_on()) {
                return Ok(found);
            }
            found.extend(title(index, question, span)?);
        }
    }
    Ok(found)
}

fn title(index: &Names<'_>, question: &ParsedQuestion, span: Span) -> Result<Option<Mention>, LinkError> {
    let candidates = index.namesakes(question.text_of(span))?;
    let (text, signed) = match met(&spellings(question, span), &candidates) {
        Some((text, true)) => (text, true),
        _ => (question.text_of(span), false),
    };
    let (mut entities, mut values) = candidates;
    // "Either Or" may be written "Either/Or".
    let is = |name: &str| if signed { is_spelt(name, text, true) } else { unsigned(name) == unsigned(text) };
    entities.retain(|hit| has_name(hit, &is));
    values.retain(|hit| is(&hit.record.text));
    Ok(super::things::mention(text, span, (entities, values)))
}

/// Whether a span is written as a name although its words have other meanings.
fn may_be_title(question: &ParsedQuestion, span: Span) -> bool {
    let words = question.words_of(span);
    let (Some(first), Some(last)) = (words.first(), words.last()) else { return false };
    let capital = |raw: &str| raw.starts_with(|c: char| c.is_uppercase());
    let begins = |raw: &str| capital(raw) || raw.starts_with(|c: char| c.is_ascii_digit());
    if !question.means_more(span) || !begins(&first.raw) || question.is_shouted(span) {
        return false;
    }
    let apart = |at: Option<u16>| {
        at.and_then(|at| question.word(at)).is_none_or(|word| !word.capital || word.kind != WordKind::Name)
    };
    match words {
        // A number is a name after "of"; an initial capital proves nothing.
        [only] if !only.raw.contains(char::is_alphabetic) => {
            let of = span.from.checked_sub(1).is_some_and(|at| question.role_at(at) == Some(Role::Of));
            of && question.word(span.to).is_none_or(|next| next.kind < WordKind::Noun)
        }
        [_] => {
            (!question.begins_sentence(span.from) || begins_clause(question, span))
                && apart(span.from.checked_sub(1))
                && apart(Some(span.to))
        }
        // In many languages only the first word of a title is capitalized; at the start of a sentence that proves nothing.
        _ if question.begins_sentence(span.from) => {
            begins(&last.raw) && words.iter().skip(1).any(|word| capital(&word.raw))
        }
        _ => true,
    }
}

/// "Them has which members?": the word is no cue, an auxiliary verb follows, and then what is asked for.
fn begins_clause(question: &ParsedQuestion, span: Span) -> bool {
    let cued = |at: u16, cues: &[Cue]| cues.iter().any(|cue| question.has_cue(at, *cue));
    let form = question.cues.iter().any(|cue| cue.span.overlaps(span));
    let asks = [Cue::Which, Cue::Who, Cue::When, Cue::Where, Cue::HowMany, Cue::HowMuch];
    !form
        && cued(span.to, &[Cue::Have, Cue::Be, Cue::Do])
        && (span.to..question.len() as u16).any(|at| cued(at, &asks))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tests::graph::Graph;

    const NAMES: &str = r#"
:Song rdfs:label "song" . :Group rdfs:label "group" . :year rdfs:label "year" . :by rdfs:label "group" . :founded rdfs:label "founded" .
:s1 a :Song ; rdfs:label "Stay" ; :year 1991 . :s2 a :Song ; rdfs:label "Stay!" ; :year 1992 . :s3 a :Song ; rdfs:label "Stay+" ; :year 1993 .
:s4 a :Song ; rdfs:label "Never Less Than 3" ; :year 1994 ; :by :g1 . :s5 a :Song ; rdfs:label "You" ; :year 1995 ; :by :g2 .
:s6 a :Song ; rdfs:label "Who Has the Most" ; :year 1996 ; :by :g2 . :s7 a :Song ; rdfs:label ".Org" ; :year 1997 ; :by :g2 .
:s8 a :Song ; rdfs:label "Org" ; :year 1998 ; :by :g2 . :s9 a :Song ; rdfs:label "and/or" ; :year 1999 .
:g1 a :Group ; rdfs:label "The Which" ; :founded 1970 . :g2 a :Group ; rdfs:label "us" ; :founded 1980 ."#;

    #[test]
    fn spellings_have_the_signs_that_touch_the_words() {
        let question = ParsedQuestion::read("What is AB-?", &["en".to_owned()]);
        assert_eq!(spellings(&question, Span::new(2, 3)), ["AB-?", "AB-", "AB"]);
    }

    #[test]
    fn of_names_that_differ_in_signs_the_one_that_is_written_is_meant() {
        let graph = Graph::of(NAMES);
        let year = |name: &str| graph.ask(&format!("What is the year of {name}?"), "en");
        assert_eq!(year("Stay"), ["1991"]);
        assert_eq!(year("Stay!"), ["1992"]);
        assert_eq!(year("Stay+"), ["1993"]);
        assert_eq!(year(".Org"), ["1997"]);
        assert_eq!(year("Org"), ["1998"]);
    }

    #[test]
    fn titles_cover_the_words_inside() {
        let graph = Graph::of(NAMES);
        assert_eq!(graph.ask("What is the year of Never Less Than 3?", "en"), ["1994"]);
        assert_eq!(graph.ask("Which group is Who Has the Most by?", "en"), ["g2"]);
        assert_eq!(graph.ask("When was The Which founded?", "en"), ["1970"]);
        assert_eq!(graph.ask("What is the year of You?", "en"), ["1995"]);
    }

    #[test]
    fn everyday_words_are_no_titles() {
        let graph = Graph::of(NAMES);
        assert_eq!(graph.ask("Tell us the year of Stay", "en"), ["1991"]);
        assert_eq!(graph.ask("Can you tell which song is of the year 1994?", "en"), ["s4"]);
    }
}
