//! Adjectives: moves what they compare with behind them, and drops the joining word of superlatives.

use super::clauses::{Narrowed, put_behind};
use super::units::Unit;
use eruca_language::{AnswerKind, Cue, Degree, Language};

/// Makes a superlative of an adjective after an ordinal: "second high" becomes "second highest".
pub(super) fn rank(clause: &mut [Unit], language: &Language) {
    for at in 1..clause.len() {
        let placed = at.checked_sub(1).and_then(|before| clause.get(before));
        let placed = placed.is_some_and(|unit| !unit.quoted && language.ordinal(&unit.folded).is_some());
        let Some(unit) = clause.get_mut(at).filter(|_| placed) else { continue };
        let highest = format!("{}{}", language.topping_word(), unit.text);
        if is_plain(unit, language) && language.grade(&highest).is_some() {
            *unit = Unit { before: std::mem::take(&mut unit.before), ..Unit::word(&highest) };
        }
    }
}

/// Moves what is compared with behind the adjective: "than X high" becomes "higher than X".
pub(super) fn compare(clause: &mut Vec<Unit>, language: &Language) {
    let Some(than) = clause.iter().position(|unit| unit.says(language, &[Cue::Than])) else { return };
    let compares = |unit: &Unit| {
        let grade = language.grade(&unit.folded).is_some_and(|grade| grade.degree != Degree::Superlative);
        !unit.quoted && (grade || unit.says(language, &[Cue::More, Cue::Fewer]))
    };
    let behind = clause.iter().enumerate().skip(than + 2);
    let Some((first, _)) = behind.clone().find(|(_, unit)| compares(unit)) else { return };
    let raised = |unit: &Unit| unit.says(language, &[Cue::More, Cue::Fewer]);
    // The comparative word and the adjective after it.
    let two = clause.get(first).is_some_and(raised) && clause.get(first + 1).is_some_and(compares);
    let mut adjective: Vec<Unit> = clause.drain(first..=first + usize::from(two)).collect();
    if !two && adjective.iter().all(|unit| is_plain(unit, language)) && !language.raising_word().is_empty() {
        adjective.insert(0, Unit::word(language.raising_word()));
    }
    // "higher than X how much" asks for a difference.
    let amount = clause.get(first).is_some_and(|unit| unit.says(language, &[Cue::HowMuch]));
    let place = if amount { 0 } else { than };
    if amount {
        adjective.insert(0, clause.remove(first));
    }
    clause.splice(place..place, adjective);
}

fn is_plain(unit: &Unit, language: &Language) -> bool {
    language.grade(&unit.folded).is_some_and(|grade| grade.degree == Degree::Positive)
}

/// Handles an adjective before a joining word: "X [joins] highest mountain". What precedes the adjective owns the noun, or is
/// what it measures. Returns where to continue, if there was one.
pub(super) fn join(clause: &mut Vec<Unit>, narrowed: &Narrowed, language: &Language) -> Option<usize> {
    let Narrowed { start, at, end } = *narrowed;
    let last = at.checked_sub(1)?;
    let adjective = clause.get(last)?;
    if !is_superlative(adjective, language) {
        let alone = last == start && language.grade(&adjective.folded).is_some();
        return alone.then(|| leave_out(clause, at));
    }
    let before = last.checked_sub(1).filter(|before| *before >= start).and_then(|before| clause.get(before));
    let Some(noun) = before.filter(|unit| !is_silent(unit, language)) else {
        return Some(leave_out(clause, at));
    };
    if is_measured(noun, last == start + 1, language) {
        // "population largest [joins] city": the city with the largest population; "children most": the most children.
        if is_most(adjective, language) {
            clause.swap(last - 1, last);
        }
        put_behind(clause, narrowed);
        return Some(end);
    }
    let mut joiner = clause.remove(at);
    joiner.owns = true;
    clause.insert(last, joiner);
    Some(at)
}

fn leave_out(clause: &mut Vec<Unit>, at: usize) -> usize {
    clause.remove(at);
    at
}

fn is_superlative(unit: &Unit, language: &Language) -> bool {
    let grade = language.grade(&unit.folded);
    !unit.quoted
        && (grade.is_some_and(|grade| grade.degree == Degree::Superlative) || is_most(unit, language))
}

/// "First 3 highest", "second highest": numbers, ordinals and function words are not owners.
fn is_silent(unit: &Unit, language: &Language) -> bool {
    let word = unit.folded.as_str();
    let number = word.starts_with(|c: char| c.is_ascii_digit()) || language.ordinal(word).is_some();
    !unit.quoted && (number || language.is_function_word(word))
}

/// Whether the clause ends with things that somebody has most of, as opposed to a number.
pub(super) fn has_most(clause: &[Unit], narrowed: &Narrowed, language: &Language) -> bool {
    let Narrowed { at, end, .. } = *narrowed;
    let ends = end == at + 2
        && clause.len() == at + 3
        && clause.get(end).is_some_and(|unit| is_most(unit, language));
    let counted = clause
        .get(at + 1)
        .is_some_and(|unit| language.kind_of_noun(&unit.folded) != Some(AnswerKind::Number));
    let asks =
        clause.get(..at).unwrap_or_default().iter().any(|unit| unit.says(language, &[Cue::Which, Cue::Who]));
    ends && counted && asks
}

fn is_most(unit: &Unit, language: &Language) -> bool {
    unit.says(language, &[Cue::Most, Cue::Fewest])
}

/// Whether an adjective after a noun grades the noun itself, rather than choosing among an owner's things.
fn is_measured(noun: &Unit, first: bool, language: &Language) -> bool {
    let kind = language.kind_of_noun(&noun.folded);
    kind == Some(AnswerKind::Number)
        || (first && language.is_noun(&noun.folded) && kind != Some(AnswerKind::Place))
}
