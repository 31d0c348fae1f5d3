//! Lists in words, cut where they are long, with the number of those left out.

use super::Verbalizer;
use super::phrase::Phrase;

/// Names shown of a list, and rows of a table, unless only one more is left.
const MAX_NAMES: usize = 8;
const MAX_ROWS: usize = 5;

/// How many of so many are shown: a single one is never left out.
fn shown(count: usize, most: usize) -> usize {
    if count <= most + 1 { count } else { most }
}

impl Verbalizer<'_> {
    /// "A, B and C", "A, B and 12 others".
    pub(super) fn list(&self, items: &mut dyn ExactSizeIterator<Item = Phrase>) -> Phrase {
        let count = items.len();
        let shown = shown(count, MAX_NAMES);
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

    /// Rows of a table behind each other.
    pub(super) fn rows(&self, rows: &mut dyn ExactSizeIterator<Item = Phrase>) -> Phrase {
        let count = rows.len();
        let shown = shown(count, MAX_ROWS);
        let all = self.joined(rows.take(shown).collect(), "next_row");
        match count - shown {
            0 => all,
            more => self.phrase("more_rows", &[("a", all), ("n", self.count(more).into())]),
        }
    }

    /// Several with what stands between two of them.
    pub(super) fn joined(&self, items: Vec<Phrase>, key: &str) -> Phrase {
        let mut items = items.into_iter();
        let first = items.next().unwrap_or_default();
        items.fold(first, |all, next| self.phrase(key, &[("a", all), ("b", next)]))
    }
}
