//! The word order within a clause, and particles of yes/no questions.

use super::grades;
use super::units::{Unit, begin_with};
use eruca_language::{AnswerKind, Cue, Language};

/// Cues that ask for things or begin a command: words before them do not modify a noun after them.
const ASKS: [Cue; 9] = [
    Cue::Which,
    Cue::Who,
    Cue::When,
    Cue::Where,
    Cue::HowMany,
    Cue::HowMuch,
    Cue::Why,
    Cue::Command,
    Cue::Each,
];
/// Universal quantifiers.
const EVERY: [Cue; 2] = [Cue::Each, Cue::All];
/// Cues that only occur in conditions.
const CONDITIONS: [Cue; 14] = [
    Cue::Greater,
    Cue::Less,
    Cue::AtLeast,
    Cue::AtMost,
    Cue::After,
    Cue::Before,
    Cue::Since,
    Cue::Until,
    Cue::Between,
    Cue::Than,
    Cue::Not,
    Cue::Without,
    Cue::Have,
    Cue::Be,
];

/// Removes the particle of a yes/no question from the end or the middle, and moves the verb to the beginning.
pub(super) fn ask(clauses: &mut [Vec<Unit>], language: &Language) {
    let words = clauses.iter_mut().rfind(|clause| clause.iter().any(|unit| !unit.text.is_empty()));
    let Some(clause) = words else { return };
    let last = clause.len().saturating_sub(1);
    let at_end =
        clause.pop_if(|unit| !unit.quoted && language.asks_at_end(&unit.folded)).filter(|_| last > 0);
    let whether = clause.iter().position(|unit| !unit.quoted && language.asks_whether(&unit.folded));
    let says = |cue: Cue| clause.iter().position(|unit| unit.says(language, &[cue]));
    let verb = whether.or_else(|| says(Cue::Be).or_else(|| says(Cue::Have)).filter(|_| at_end.is_some()));
    let first = match (verb, at_end) {
        (Some(verb), _) => clause.remove(verb),
        (None, Some(end)) => end,
        (None, None) => return,
    };
    begin_with(clause, first);
}

/// A modifier that begins at `start`, the joining word `at` its position, and the `end` of the noun after it.
#[derive(Debug, Clone, Copy)]
pub(super) struct Narrowed {
    pub start: usize,
    pub at: usize,
    pub end: usize,
}

/// Moves modifiers behind their noun, and turns the joining words of owners into possessive endings.
pub(super) fn narrow(clause: &mut Vec<Unit>, language: &Language) {
    let mut from = 0;
    let next = |clause: &[Unit], from: usize| {
        (from..clause.len()).find(|at| clause.get(*at).is_some_and(|unit| unit.joins(language)))
    };
    while let Some(at) = next(clause, from) {
        let narrowed =
            Narrowed { start: start(clause, at, language), at, end: head_end(clause, at, language) };
        from = join(clause, narrowed, language);
    }
}

/// Handles one joining word. Returns where to look for the next.
fn join(clause: &mut Vec<Unit>, narrowed: Narrowed, language: &Language) -> usize {
    let Narrowed { start, at, end } = narrowed;
    if grades::has_most(clause, &narrowed, language) {
        // "Which person's children most" becomes "which person most children".
        clause.swap(at + 1, at + 2);
        clause.remove(at);
        return at;
    }
    if !asks_whose(clause, &narrowed, language) {
        if start == at || end == at + 1 {
            clause.remove(at);
            return at;
        }
        if let Some(next) = grades::join(clause, &narrowed, language) {
            return next;
        }
        // "All countries' capital" becomes "capital of all countries".
        let every = every(clause, &narrowed, language);
        if every.is_some() || is_condition(clause, &narrowed, language) {
            put_behind(clause, &Narrowed { start: every.unwrap_or(start), ..narrowed });
            return end;
        }
    }
    clause.get_mut(at).into_iter().for_each(|unit| unit.owns = true);
    at + 1
}

/// "Who [joins] …": only the question word owns the noun.
fn asks_whose(clause: &[Unit], narrowed: &Narrowed, language: &Language) -> bool {
    let before = narrowed.at.checked_sub(1).filter(|_| narrowed.start == narrowed.at);
    let asks = before.and_then(|before| clause.get(before));
    asks.is_some_and(|asks| asks.says(language, &[Cue::Which, Cue::Who]))
}

/// Moves the words before a joining word behind the noun that follows it, with the joining word between them.
pub(super) fn put_behind(clause: &mut [Unit], narrowed: &Narrowed) {
    let Narrowed { start, at, end } = *narrowed;
    let Some(part) = clause.get_mut(start..end) else { return };
    // Punctuation before the first word stays in place.
    let before = part.first_mut().map(|unit| std::mem::take(&mut unit.before)).unwrap_or_default();
    part.rotate_left(at - start);
    // Joining word and noun are in front now; move the noun first.
    if let Some(front) = part.get_mut(..end - at) {
        front.rotate_left(1);
    }
    part.first_mut().into_iter().for_each(|unit| unit.before.clone_from(&before));
}

/// The start of a modifier: after the question word and the verb of the main clause.
pub(super) fn start(clause: &[Unit], at: usize, language: &Language) -> usize {
    let units = clause.get(..at).unwrap_or_default();
    let asks = |unit: &Unit| {
        let joins = unit.says(language, &[Cue::And, Cue::Or]) && !unit.says(language, &[Cue::Have]);
        let whether = language.asks_whether(&unit.folded) || language.asks_at_end(&unit.folded);
        joins || (whether && !unit.quoted) || unit.says(language, &ASKS)
    };
    let first = units.iter().rposition(asks).map_or(0, |asks| asks + 1);
    let verb = (first..at).find(|place| {
        let is = |cues: &[Cue]| clause.get(*place).is_some_and(|unit| unit.says(language, cues));
        is(&[Cue::Be]) || (is(&[Cue::Have]) && *place > first)
    });
    match verb {
        Some(verb) if !is_inner(clause, first, verb, at, language) => verb + 1,
        _ => first,
    }
}

/// Whether a verb belongs to the condition: it follows a common noun, and a form of "be" or "have" or a question word follows
/// later.
fn is_inner(clause: &[Unit], first: usize, verb: usize, at: usize, language: &Language) -> bool {
    let noun = verb.checked_sub(1).filter(|noun| *noun >= first).and_then(|noun| clause.get(noun));
    let of_noun = noun.is_some_and(|noun| language.is_noun(&noun.folded));
    let behind = clause.get(at..).unwrap_or_default();
    let said =
        behind.iter().any(|unit| unit.says(language, &[Cue::Be, Cue::Have]) || unit.says(language, &ASKS));
    of_noun && said
}

/// The end of the noun after a joining word.
fn head_end(clause: &[Unit], at: usize, language: &Language) -> usize {
    let ends = |unit: &Unit| {
        unit.joins(language)
            || unit.says(language, &ASKS)
            || unit.says(language, &[Cue::Be, Cue::Have, Cue::And, Cue::Or, Cue::Not])
            || unit.says(language, &CONDITIONS)
            || !language.roles(&unit.folded).is_empty()
            || is_verb(unit, language)
    };
    let behind = clause.iter().enumerate().skip(at + 1);
    behind.clone().find(|(_, unit)| !unit.quoted && ends(unit)).map_or(clause.len(), |(end, _)| end)
}

pub(super) fn is_verb(unit: &Unit, language: &Language) -> bool {
    !unit.quoted && language.leads_to_nouns(&unit.folded) && !language.is_listed_noun(&unit.folded)
}

/// The start of an owner with a universal quantifier.
fn every(clause: &[Unit], narrowed: &Narrowed, language: &Language) -> Option<usize> {
    let Narrowed { start, at, .. } = *narrowed;
    let says = |place: usize| clause.get(place).is_some_and(|unit| unit.says(language, &EVERY));
    let from = if says(start) { Some(start) } else { start.checked_sub(1).filter(|before| says(*before)) }?;
    (at == from + 2).then_some(from)
}

/// Whether the words before a joining word are a condition rather than an owner.
fn is_condition(clause: &[Unit], narrowed: &Narrowed, language: &Language) -> bool {
    let Narrowed { start, at, end } = *narrowed;
    let Some(units) = clause.get(start..at) else { return false };
    let says = |unit: &Unit| {
        let placed = !unit.quoted && !unit.joins(language) && !language.roles(&unit.folded).is_empty();
        placed || is_verb(unit, language) || unit.says(language, &CONDITIONS)
    };
    // "X director [joins] film": for a thing, the noun is what X did to it; for anything else, its owner.
    let did = || {
        let last = units.last().filter(|_| units.len() > 1);
        let head = end.checked_sub(1).and_then(|head| clause.get(head));
        let thing = head.is_some_and(|head| language.kind_of_noun(&head.folded) == Some(AnswerKind::Thing));
        thing && last.is_some_and(|last| !last.quoted && language.leads_to_nouns(&last.folded))
    };
    units.iter().any(says) || did()
}
