//! Languages with modifiers before the noun and question words at the end: their words are rearranged into the order that the
//! grammar expects, before anything else is read. Knows languages, and nothing of graphs.
//!
//! ```text
//! modifiers after their noun              born in X [joins] singers   → singers [that] born in X
//! operands after the adjective            than X high                 → higher than X
//! bounds before their number              1990 [after]                → [after] 1990
//! yes/no particles at the beginning       X is a singer [?]           → is X a singer
//! ```
//! Owners stay before what they own; the joining word becomes a possessive ending.

mod bounds;
mod clauses;
mod counts;
mod grades;
#[cfg(test)]
mod tests;
mod units;

use super::quotes::Quoted;
use eruca_language::Language;
use units::Unit;

/// A word by its byte range, and whether it becomes a possessive ending.
pub(super) type Place = (usize, usize, bool);

/// A text with its words in the grammar's order.
pub(super) struct Arranged {
    pub text: String,
    pub words: Vec<Place>,
}

/// The text with its words rearranged; none for a language with spaces, whose words stay as they are.
pub(super) fn arrange(text: &str, language: &Language, quoted: &[Quoted]) -> Option<Arranged> {
    if !language.is_unspaced() {
        return None;
    }
    let mut clauses = units::read(text, language, quoted);
    clauses::ask(&mut clauses, language);
    for clause in &mut clauses {
        bounds::leave_out_measures(clause, language);
        bounds::move_before(clause, language);
        grades::rank(clause, language);
        grades::compare(clause, language);
        counts::ask_first(clause, language);
        clauses::narrow(clause, language);
    }
    Some(written(&clauses))
}

fn written(clauses: &[Vec<Unit>]) -> Arranged {
    let mut found = Arranged { text: String::new(), words: Vec::new() };
    for unit in clauses.iter().flatten() {
        let ends = |text: &str| text.ends_with(|c: char| c.is_ascii_alphanumeric());
        let begins = unit.text.starts_with(|c: char| c.is_ascii_alphanumeric());
        if unit.before.is_empty() && ends(&found.text) && begins {
            found.text.push(' ');
        }
        found.text.push_str(&unit.before);
        let start = found.text.len();
        found.text.push_str(&unit.text);
        found.words.extend(unit.words.iter().map(|(from, to)| (start + from, start + to, unit.owns)));
    }
    found
}
