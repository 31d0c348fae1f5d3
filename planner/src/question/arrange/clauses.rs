//! The order of words within a clause, and what asks for yes or no.

use super::units::Unit;
use eruca_indexer::language::{AnswerKind, Cue, Degree, Language};

/// What asks for things or begins a command: nothing before it narrows a noun behind it.
const ASKS: [Cue; 9] = [
    Cue::Which, Cue::Who, Cue::When, Cue::Where, Cue::HowMany, Cue::HowMuch, Cue::Why, Cue::Command, Cue::Each,
];
/// What says that there is one for each.
const EVERY: [Cue; 2] = [Cue::Each, Cue::All];
/// What only a condition has.
const CONDITIONS: [Cue; 14] = [
    Cue::Greater, Cue::Less, Cue::AtLeast, Cue::AtMost, Cue::After, Cue::Before, Cue::Since, Cue::Until, Cue::Between,
    Cue::Than, Cue::Not, Cue::Without, Cue::Have, Cue::Be,
];

/// Takes away what asks for yes or no at the end or in the middle, and puts what the sentence says it with at the beginning.
pub(super) fn ask(clauses: &mut [Vec<Unit>], language: &Language) {
    let words = clauses.iter_mut().rfind(|clause| clause.iter().any(|unit| !unit.text.is_empty()));
    let Some(clause) = words else { return };
    let last = clause.len().saturating_sub(1);
    let at_end = clause.pop_if(|unit| !unit.quoted && language.asks_at_end(&unit.folded)).filter(|_| last > 0);
    let whether = clause.iter().position(|unit| !unit.quoted && language.asks_whether(&unit.folded));
    let says = |cue: Cue| clause.iter().position(|unit| unit.says(language, &[cue]));
    let verb = whether.or_else(|| says(Cue::Be).or_else(|| says(Cue::Have)).filter(|_| at_end.is_some()));
    let first = match (verb, at_end) {
        (Some(verb), _) => clause.remove(verb),
        (None, Some(end)) => end,
        (None, None) => return,
    };
    // The marks before the first word stay where they are.
    let before = clause.first_mut().map(|unit| std::mem::take(&mut unit.before)).unwrap_or_default();
    clause.insert(0, Unit { before, ..first });
}

/// Makes a superlative of an adjective behind a place in a row: "second high" as "second highest".
pub(super) fn rank(clause: &mut [Unit], language: &Language) {
    for at in 1..clause.len() {
        let placed = at.checked_sub(1).and_then(|before| clause.get(before));
        let placed = placed.is_some_and(|unit| !unit.quoted && language.ordinal(&unit.folded).is_some());
        let Some(unit) = clause.get_mut(at).filter(|_| placed) else { continue };
        let highest = format!("{}{}", language.topping_word(), unit.text);
        let plain = language.grade(&unit.folded).is_some_and(|grade| grade.degree == Degree::Positive);
        if plain && language.grade(&highest).is_some() {
            *unit = Unit { before: std::mem::take(&mut unit.before), ..Unit::word(&highest) };
        }
    }
}

/// Puts what is compared with behind the adjective: "than X high" as "higher than X".
pub(super) fn compare(clause: &mut Vec<Unit>, language: &Language) {
    let Some(than) = clause.iter().position(|unit| unit.says(language, &[Cue::Than])) else { return };
    let compares = |unit: &Unit| {
        let grade = language.grade(&unit.folded).is_some_and(|grade| grade.degree != Degree::Superlative);
        !unit.quoted && (grade || unit.says(language, &[Cue::More, Cue::Fewer]))
    };
    let behind = clause.iter().enumerate().skip(than + 2);
    let Some((first, _)) = behind.clone().find(|(_, unit)| compares(unit)) else { return };
    let raised = |unit: &Unit| unit.says(language, &[Cue::More, Cue::Fewer]);
    // The raising word and the adjective behind it.
    let last = first + usize::from(clause.get(first).is_some_and(raised) && clause.get(first + 1).is_some_and(compares));
    let mut adjective: Vec<Unit> = clause.drain(first..=last).collect();
    let plain = |unit: &Unit| {
        language.grade(&unit.folded).is_some_and(|grade| grade.degree == Degree::Positive)
    };
    if adjective.len() == 1 && adjective.iter().all(plain) && !language.raising_word().is_empty() {
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

/// Puts what narrows a noun behind it, and makes possessive endings of the words that join owners.
pub(super) fn narrow(clause: &mut Vec<Unit>, language: &Language) {
    let mut from = 0;
    while let Some(at) = (from..clause.len()).find(|at| clause.get(*at).is_some_and(|unit| unit.joins(language))) {
        let start = start(clause, at, language);
        let end = head_end(clause, at, language);
        from = at + 1;
        let whose = start == at && at.checked_sub(1).and_then(|asks| clause.get(asks)).is_some_and(|asks| {
            asks.says(language, &[Cue::Which, Cue::Who])
        });
        if has_most(clause, at, end, language) {
            // "Which person's children most" is "which person most children".
            clause.swap(at + 1, at + 2);
            clause.remove(at);
        } else if whose && let Some(unit) = clause.get_mut(at) {
            unit.owns = true;
        } else if start == at || end == at + 1 {
            clause.remove(at);
            from = at;
        } else if graded(clause, start, at, end, language) {
            from = at;
        } else if let Some(start) = every(clause, start, at, language) {
            // "All countries' capital" is "capital of all countries".
            put_behind(clause, start, at, end);
            from = end.max(at + 1);
        } else if is_condition(clause, start, at, end, language) {
            put_behind(clause, start, at, end);
            from = end.max(at + 1);
        } else if let Some(unit) = clause.get_mut(at) {
            unit.owns = true;
        }
    }
}

/// Puts what is counted behind the word for its number: "X's films' number" as "number of X's films".
pub(super) fn number(clause: &mut Vec<Unit>, language: &Language) {
    let counts = |unit: &Unit| unit.says(language, &[Cue::Count]);
    let Some(at) = clause.iter().position(counts).filter(|at| *at > 0) else { return };
    let joined = clause.get(at - 1).is_some_and(|unit| unit.joins(language));
    let start = start(clause, at, language);
    let owned = clause.iter().any(|unit| unit.joins(language));
    if start == at || (!joined && owned) {
        return;
    }
    if joined {
        clause.remove(at - 1);
    }
    let mut count = clause.remove(at - usize::from(joined));
    if let Some(first) = clause.get_mut(start) {
        count.before = std::mem::take(&mut first.before);
    }
    clause.insert(start, count);
}

/// Puts what is counted behind "how many", which stands at the end with a verb: "X's films there are [how many]".
pub(super) fn count(clause: &mut Vec<Unit>, language: &Language) {
    let says = |at: Option<usize>, cues: &[Cue]| {
        at.and_then(|at| clause.get(at)).is_some_and(|unit| unit.says(language, cues))
    };
    let last = clause.len().checked_sub(1);
    let verb = last.and_then(|last| last.checked_sub(1)).filter(|verb| *verb > 0);
    let joined = clause.iter().any(|unit| unit.joins(language));
    if joined && says(last, &[Cue::HowMany]) && says(verb, &[Cue::Have]) {
        clause.truncate(verb.unwrap_or_default() + 2);
        let asked = clause.pop();
        clause.pop();
        let before = clause.first_mut().map(|unit| std::mem::take(&mut unit.before)).unwrap_or_default();
        clause.splice(0..0, asked.map(|asked| Unit { before, ..asked }));
    }
    // "X directed how many films" is "how many films X directed".
    let counted = clause.iter().position(|unit| unit.says(language, &[Cue::HowMany]));
    let done = |at: &usize| {
        let before = at.checked_sub(1).and_then(|verb| clause.get(verb));
        before.is_some_and(|verb| is_verb(verb, language) || language.stands_behind_verbs(&verb.folded))
    };
    if let Some(at) = counted.filter(|at| at + 1 < clause.len()).filter(done) {
        let before = clause.first_mut().map(|unit| std::mem::take(&mut unit.before)).unwrap_or_default();
        clause.rotate_left(at);
        clause.first_mut().into_iter().for_each(|unit| unit.before = before.clone());
    }
    // "X has how high" is "X how high".
    let how = (1..clause.len()).find(|at| {
        let is = |at: usize, cues: &[Cue]| clause.get(at).is_some_and(|unit| unit.says(language, cues));
        let graded = clause.get(at + 1).is_some_and(|unit| language.grade(&unit.folded).is_some());
        is(*at, &[Cue::How]) && is(at - 1, &[Cue::Have]) && graded
    });
    if let Some(how) = how {
        clause.remove(how - 1);
    }
}

/// Moves what stands before a joining word behind the noun that follows it, with the joining word between them.
fn put_behind(clause: &mut [Unit], start: usize, at: usize, end: usize) {
    let Some(part) = clause.get_mut(start..end) else { return };
    // The marks before the first word stay where they are.
    let before = part.first_mut().map(|unit| std::mem::take(&mut unit.before)).unwrap_or_default();
    part.rotate_left(at - start);
    // Joining word and noun are in front now: the noun goes first.
    if let Some(front) = part.get_mut(..end - at) {
        front.rotate_left(1);
    }
    part.first_mut().into_iter().for_each(|unit| unit.before = before.clone());
}

/// Where what narrows a noun begins: behind what asks, behind the verb of the whole clause.
fn start(clause: &[Unit], at: usize, language: &Language) -> usize {
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

/// Whether a verb is one of the condition: what it says is said of a noun of the language, and another verb or nothing follows
/// behind the noun that is narrowed.
fn is_inner(clause: &[Unit], first: usize, verb: usize, at: usize, language: &Language) -> bool {
    let noun = verb.checked_sub(1).filter(|noun| *noun >= first).and_then(|noun| clause.get(noun));
    let of_noun = noun.is_some_and(|noun| language.is_noun(&noun.folded));
    let behind = clause.get(at..).unwrap_or_default();
    let said = behind.iter().any(|unit| unit.says(language, &[Cue::Be, Cue::Have]) || unit.says(language, &ASKS));
    of_noun && said
}

/// Where the noun ends that stands behind a joining word.
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

fn is_verb(unit: &Unit, language: &Language) -> bool {
    !unit.quoted && language.leads_to_nouns(&unit.folded) && !language.is_listed_noun(&unit.folded)
}

/// "X [joins] highest mountain": an adjective before the joining word; what stands before it owns the noun, or is what it measures.
/// Returns whether it was one, and leaves the joining word where it is needed.
fn graded(clause: &mut Vec<Unit>, start: usize, at: usize, end: usize, language: &Language) -> bool {
    let superlative = |unit: &Unit| {
        language.grade(&unit.folded).is_some_and(|grade| grade.degree == Degree::Superlative)
            || unit.says(language, &[Cue::Most, Cue::Fewest])
    };
    let Some(last) = at.checked_sub(1).filter(|last| clause.get(*last).is_some_and(superlative)) else {
        let alone = at == start + 1 && clause.get(start).is_some_and(|unit| language.grade(&unit.folded).is_some());
        if alone {
            clause.remove(at);
        }
        return alone;
    };
    let before = last.checked_sub(1).filter(|before| *before >= start).and_then(|before| clause.get(before));
    // "First 3 highest": numbers and measure words own nothing.
    let silent = |unit: &Unit| {
        language.is_function_word(&unit.folded) || unit.folded.starts_with(|c: char| c.is_ascii_digit())
    };
    let before = before.filter(|unit| unit.quoted || !silent(unit));
    match before {
        None => {
            clause.remove(at);
        }
        // "population largest [joins] city": the city that has the largest population; "children most": the most children.
        Some(noun) if is_measured(noun, last == start + 1, language) => {
            if clause.get(last).is_some_and(|unit| is_most(unit, language)) {
                clause.swap(last - 1, last);
            }
            put_behind(clause, start, at, end);
        }
        Some(_) => {
            let mut joiner = clause.remove(at);
            joiner.owns = true;
            clause.insert(last, joiner);
        }
    }
    true
}

/// Where an owner begins that is every one of its kind.
fn every(clause: &[Unit], start: usize, at: usize, language: &Language) -> Option<usize> {
    let says = |place: usize| clause.get(place).is_some_and(|unit| unit.says(language, &EVERY));
    let from = if says(start) { Some(start) } else { start.checked_sub(1).filter(|before| says(*before)) }?;
    (at == from + 2).then_some(from)
}

/// Whether the clause ends with the things that somebody has most of, which are no number.
fn has_most(clause: &[Unit], at: usize, end: usize, language: &Language) -> bool {
    let ends = end == at + 2 && clause.len() == at + 3 && clause.get(end).is_some_and(|unit| is_most(unit, language));
    let counted = clause.get(at + 1).is_some_and(|unit| language.kind_of_noun(&unit.folded) != Some(AnswerKind::Number));
    let asks = clause.get(..at).unwrap_or_default().iter().any(|unit| unit.says(language, &[Cue::Which, Cue::Who]));
    ends && counted && asks
}

fn is_most(unit: &Unit, language: &Language) -> bool {
    unit.says(language, &[Cue::Most, Cue::Fewest])
}

/// Whether an adjective behind a noun says how much of it there is, rather than which thing of an owner is meant.
fn is_measured(noun: &Unit, first: bool, language: &Language) -> bool {
    let kind = language.kind_of_noun(&noun.folded);
    kind == Some(AnswerKind::Number)
        || (first && language.is_noun(&noun.folded) && kind != Some(AnswerKind::Place))
}

/// Whether what stands before a joining word is a condition rather than an owner.
fn is_condition(clause: &[Unit], start: usize, at: usize, end: usize, language: &Language) -> bool {
    let Some(units) = clause.get(start..at) else { return false };
    let says = |unit: &Unit| {
        let placed = !unit.quoted && !unit.joins(language) && !language.roles(&unit.folded).is_empty();
        placed || is_verb(unit, language) || unit.says(language, &CONDITIONS)
    };
    // "X director [joins] film": the noun is what X did to a thing, and an owner of anything else.
    let did = || {
        let last = units.last().filter(|_| units.len() > 1);
        let head = end.checked_sub(1).and_then(|head| clause.get(head));
        let thing = head.is_some_and(|head| language.kind_of_noun(&head.folded) == Some(AnswerKind::Thing));
        thing && last.is_some_and(|last| !last.quoted && language.leads_to_nouns(&last.folded))
    };
    units.iter().any(says) || did()
}
