//! Doubts based on the answer: unnamed nodes, rows without a value, no rows.

use super::{Audit, Doubt};
use eruca_sparql::{Answer, Results, Term};

impl Audit<'_, '_> {
    /// Doubts about the rows found.
    pub(super) fn rows(&mut self, answer: &Answer) {
        let Results::Solutions(solutions) = &answer.results else { return };
        if answer.is_empty() {
            self.doubt(Doubt::Empty);
            return;
        }
        let bare = |cell: &Option<Term>| matches!(cell, Some(Term::BlankNode(_)));
        let nothing = |row: &Vec<Option<Term>>| row.iter().all(Option::is_none);
        let nameless = solutions.rows.iter().any(|row| row.iter().any(bare) || nothing(row));
        if nameless {
            self.doubt(Doubt::Nameless);
        }
    }
}
