//! Bounds that follow their number: "1990 [after]", "5 [or more]", "1990 [to] 1995 [between]".

use super::units::Unit;
use eruca_language::{Cue, Language};

/// Cues that bound the number before them.
const BOUNDS: [Cue; 8] =
    [Cue::After, Cue::Before, Cue::Since, Cue::AtLeast, Cue::AtMost, Cue::Greater, Cue::Less, Cue::InTime];

/// Moves bounds before their numbers.
pub(super) fn move_before(clause: &mut Vec<Unit>, language: &Language) {
    for at in 1..clause.len() {
        let Some(unit) = clause.get(at) else { continue };
        let until = number_before(clause, at, language);
        let joined = until.checked_sub(1).filter(|joiner| {
            let joins = clause.get(*joiner);
            joins.is_some_and(|unit| unit.says(language, &[Cue::And, Cue::Until]))
        });
        let from = match unit.says(language, &[Cue::Between]) {
            true => joined.map_or(at, |joiner| number_before(clause, joiner, language)),
            false if unit.says(language, &BOUNDS) => until,
            false => at,
        };
        if from < at {
            let bound = clause.remove(at);
            clause.insert(from, bound);
        }
    }
}

/// Removes the measure words between numbers and nouns: "3 [pieces of] mountains".
pub(super) fn leave_out_measures(clause: &mut Vec<Unit>, language: &Language) {
    let number = |unit: &Unit| {
        let word = unit.folded.as_str();
        word.starts_with(|c: char| c.is_ascii_digit())
            || is_spelled(unit, language)
            || language.scale(word).is_some()
    };
    let is_measure = |at: usize| {
        let behind = at.checked_sub(1).and_then(|before| clause.get(before)).is_some_and(number);
        let noun = clause.get(at + 1).is_some_and(|next| next.before.is_empty() && !next.joins(language));
        behind
            && noun
            && clause.get(at).is_some_and(|unit| !unit.quoted && language.measures_nouns(&unit.folded))
    };
    let keep: Vec<bool> = (0..clause.len()).map(|at| !is_measure(at)).collect();
    let mut keep = keep.into_iter();
    clause.retain(|_| keep.next().unwrap_or(true));
}

/// The start of the number that ends before a word; the word itself if there is none.
fn number_before(clause: &[Unit], at: usize, language: &Language) -> usize {
    let units = clause.get(..at).unwrap_or_default().iter().enumerate().rev();
    let run: Vec<(usize, &Unit)> = units.take_while(|(_, unit)| counts(unit, language)).collect();
    let is_number =
        |unit: &Unit| unit.folded.starts_with(|c: char| c.is_ascii_digit()) || is_spelled(unit, language);
    match run.iter().any(|(_, unit)| is_number(unit)) {
        true => run.last().map_or(at, |(from, _)| *from),
        false => at,
    }
}

fn is_spelled(unit: &Unit, language: &Language) -> bool {
    language.number(&unit.folded).is_some()
}

/// Whether a word is part of a number, a date or an amount.
fn counts(unit: &Unit, language: &Language) -> bool {
    let word = unit.folded.as_str();
    !unit.quoted
        && (word.starts_with(|c: char| c.is_ascii_digit())
            || is_spelled(unit, language)
            || language.scale(word).is_some()
            || language.calendar_unit(word).is_some()
            || language.month(word).is_some()
            || language.unit(word).is_some())
}
