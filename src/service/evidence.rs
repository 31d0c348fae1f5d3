//! The ledger of evidence as people and models read it: IRIs with their names. Uses the dataset's names.

use crate::dataset::Dataset;
use crate::trace::{Because, Doubtful, Evidence};
use eruca_planner::{Doubt, Entry, Ledger, Part};
use eruca_sparql::one_line;

/// Characters of words and names.
const MAX_CHARS: usize = 80;

impl Evidence {
    /// What a ledger says.
    pub(super) fn of(dataset: &Dataset, ledger: &Ledger) -> Self {
        Self {
            because: ledger.entries.iter().map(|entry| because(dataset, entry)).collect(),
            doubts: ledger.doubts.iter().map(|doubt| doubtful(dataset, doubt)).collect(),
        }
    }
}

fn because(dataset: &Dataset, entry: &Entry) -> Because {
    let name = match &entry.part {
        Part::Term(iri) | Part::Thing(iri) => Some(dataset.schema_name(iri)),
        Part::Value(text) => Some(text.clone()),
        _ => None,
    };
    Because {
        words: one_line(&entry.words, MAX_CHARS),
        name: name.map(|name| one_line(&name, MAX_CHARS)),
        part: entry.part.key(),
        right: entry.right.key(),
        weak: entry.right.is_weak(),
    }
}

fn doubtful(dataset: &Dataset, doubt: &Doubt) -> Doubtful {
    let about = match doubt.is_about_iri() {
        true => dataset.schema_name(doubt.about()),
        false => doubt.about().to_owned(),
    };
    Doubtful { kind: doubt.key(), about: one_line(&about, MAX_CHARS) }
}
