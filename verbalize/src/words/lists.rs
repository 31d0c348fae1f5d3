//! Verbalized lists; long ones are truncated and say how many items were left out.

use super::Verbalizer;
use super::phrase::Phrase;

/// Maximum number of names in a list and of rows in a table; one more is shown if it would be the only one left out.
const MAX_NAMES: usize = 8;
const MAX_ROWS: usize = 5;

/// How many of `count` items are shown: a single item is never left out.
pub(super) fn shown(count: usize, most: usize) -> usize {
    if count <= most + 1 { count } else { most }
}

impl Verbalizer<'_> {
    /// "A, B and C", "A, B and 12 others".
    pub(super) fn list(&self, items: &mut dyn ExactSizeIterator<Item = Phrase>) -> Phrase {
        self.list_of(items, MAX_NAMES)
    }

    /// The same with at most one more than `most` names.
    pub(super) fn list_of(&self, items: &mut dyn ExactSizeIterator<Item = Phrase>, most: usize) -> Phrase {
        let count = items.len();
        let shown = shown(count, most);
        let names: Vec<Phrase> = items.take(shown).collect();
        if shown < count {
            let all = self.joined(names, "next");
            return self.phrase("others", &[("a", all), ("n", self.count(count - shown).into())]);
        }
        let mut names = names;
        match names.pop() {
            Some(last) if !names.is_empty() => {
                self.phrase("last", &[("a", self.joined(names, "next")), ("b", last)])
            }
            last => last.unwrap_or_default(),
        }
    }

    /// Rows of a table in sequence.
    pub(super) fn rows(&self, rows: &mut dyn ExactSizeIterator<Item = Phrase>) -> Phrase {
        let count = rows.len();
        let shown = shown(count, MAX_ROWS);
        let all = self.joined(rows.take(shown).collect(), "next_row");
        match count - shown {
            0 => all,
            more => self.phrase("more_rows", &[("a", all), ("n", self.count(more).into())]),
        }
    }

    /// Items joined by the phrase `key`.
    pub(super) fn joined(&self, items: Vec<Phrase>, key: &str) -> Phrase {
        let mut items = items.into_iter();
        let first = items.next().unwrap_or_default();
        items.fold(first, |all, next| self.phrase(key, &[("a", all), ("b", next)]))
    }
}
