//! Questions about the last answer itself: "why?", "in feet?", "show them on a map". Its query is rerun and shown differently.

use super::text::Words;
use crate::question::{ParsedQuestion, WordKind};
use crate::units::Unit;
use eruca_language::{Anaphor, Cue};

/// How the last answer is to be shown again.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Again {
    /// With an explanation.
    Why,
    /// In another view: on a map, as a table.
    View,
    /// With its numbers in this unit, by its symbol.
    Unit(&'static str),
}

/// How the question wants the last answer again, if it asks for nothing else.
pub fn again(question: &ParsedQuestion) -> Option<Again> {
    let words = Words::of(question);
    if question.is_empty() {
        return None;
    }
    why(&words).or_else(|| view(&words)).or_else(|| unit(&words))
}

/// "Why?", "and why is that?"
fn why(words: &Words<'_>) -> Option<Again> {
    let from = words.back(0, Anaphor::Lead).unwrap_or(0);
    let asks =
        words.question.cues.iter().find(|cue| cue.cue == Cue::Why && usize::from(cue.span.from) == from)?;
    let rest = usize::from(asks.span.to)..words.len();
    rest.into_iter().all(|at| silent(words, at)).then_some(Again::Why)
}

/// "Show them on a map"
fn view(words: &Words<'_>) -> Option<Again> {
    let (from, _) = super::view(words)?;
    let command = |at: usize| {
        let begins =
            |cue: Cue| words.question.cues.iter().any(|found| found.cue == cue && found.span.has(at as u16));
        begins(Cue::Command)
    };
    let pronoun = [Anaphor::Them, Anaphor::Thing, Anaphor::One];
    let points = (0..from).any(|at| pronoun.iter().any(|back| words.back(at, *back).is_some()));
    let plain = |at: usize| points && words.kind(at) <= Some(WordKind::Noun);
    (0..from).all(|at| silent(words, at) || command(at) || plain(at)).then_some(Again::View)
}

/// "In feet?", "and in miles?"
fn unit(words: &Words<'_>) -> Option<Again> {
    let last = words.len().checked_sub(1)?;
    let unit = Unit::find(&words.question.words.get(last)?.raw)?;
    let led = last > 0 && (0..last).all(|at| silent(words, at));
    (led && Unit::converts(unit.dimension)).then_some(Again::Unit(unit.symbol))
}

fn silent(words: &Words<'_>, at: usize) -> bool {
    u16::try_from(at).is_ok_and(|at| words.question.is_function_word(at))
}

/// A number converted to another unit of the same dimension.
pub fn converted(number: f64, from: &str, to: &str) -> Option<f64> {
    let (from, to) = (Unit::find(from)?, Unit::find(to)?);
    (from.dimension == to.dimension && from != to).then(|| number * from.factor / to.factor)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_asks_for_the_last_answer_again_is_told_from_questions_of_their_own() {
        let of = |text: &str| again(&ParsedQuestion::read(text, &["en".to_owned()]));
        assert_eq!(of("Why?"), Some(Again::Why));
        assert_eq!(of("and why is that?"), Some(Again::Why));
        assert_eq!(of("Show them on a map"), Some(Again::View));
        assert_eq!(of("Can I see them on a map?"), Some(Again::View));
        assert_eq!(of("in feet?"), Some(Again::Unit("ft")));
        for text in ["Why is the mill closed?", "Show all mills on a map", "feet", "mills in Arlen", "in", ""]
        {
            assert_eq!(of(text), None, "{text}");
        }
    }

    #[test]
    fn numbers_are_converted_within_a_dimension() {
        assert!((converted(118.0, "cm", "ft").unwrap() - 3.871).abs() < 0.001);
        assert_eq!(converted(1.0, "kg", "m"), None);
        assert_eq!(converted(1.0, "m", "m"), None);
    }
}
