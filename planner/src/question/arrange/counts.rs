//! Counts and amounts: moves the question words before what is counted.

use super::clauses::{is_verb, start};
use super::units::{Unit, begin_with};
use eruca_language::{Cue, Language};

/// Moves question words for numbers to where the grammar expects them.
pub(super) fn ask_first(clause: &mut Vec<Unit>, language: &Language) {
    number(clause, language);
    asked_last(clause, language);
    asked_of_what_was_done(clause, language);
    measured(clause, language);
}

/// Moves the counted noun behind the word for its number: "X's films' number" becomes "number of X's films".
fn number(clause: &mut Vec<Unit>, language: &Language) {
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
    let count = clause.remove(at - usize::from(joined));
    let mut counted = clause.split_off(start.min(clause.len()));
    begin_with(&mut counted, count);
    clause.append(&mut counted);
}

/// Moves the counted noun behind "how many", which ends the clause with a verb: "X's films there are [how many]".
fn asked_last(clause: &mut Vec<Unit>, language: &Language) {
    let joined = clause.iter().any(|unit| unit.joins(language));
    let ends = match clause.as_slice() {
        [_, .., verb, asks] => asks.says(language, &[Cue::HowMany]) && verb.says(language, &[Cue::Have]),
        _ => false,
    };
    let asks = clause.pop_if(|_| joined && ends);
    if let Some(asks) = asks {
        clause.pop();
        begin_with(clause, asks);
    }
}

/// "X directed how many films" becomes "how many films X directed".
fn asked_of_what_was_done(clause: &mut [Unit], language: &Language) {
    let asks = clause.iter().position(|unit| unit.says(language, &[Cue::HowMany]));
    let done = |at: &usize| {
        let before = at.checked_sub(1).and_then(|verb| clause.get(verb));
        before.is_some_and(|verb| is_verb(verb, language) || language.stands_behind_verbs(&verb.folded))
    };
    let Some(at) = asks.filter(|at| at + 1 < clause.len()).filter(done) else { return };
    let before = clause.first_mut().map(|unit| std::mem::take(&mut unit.before)).unwrap_or_default();
    clause.rotate_left(at);
    clause.first_mut().into_iter().for_each(|unit| unit.before.clone_from(&before));
}

/// "X has how high" becomes "X how high".
fn measured(clause: &mut Vec<Unit>, language: &Language) {
    let how = clause.windows(3).position(|three| match three {
        [has, how, adjective] => {
            has.says(language, &[Cue::Have])
                && how.says(language, &[Cue::How])
                && language.grade(&adjective.folded).is_some()
        }
        _ => false,
    });
    if let Some(has) = how.filter(|has| *has > 0) {
        clause.remove(has);
    }
}
