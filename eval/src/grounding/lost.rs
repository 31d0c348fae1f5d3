//! Where a gold term was lost on its way from the graph into the first prompt: one reason for each term.

use super::{KnownTerm, Leg, Retrieved, Search};
use eruca_language::text::words;
use eruca_language::{detect, is_function_word};
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};

/// Why a term is not found or not told.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Reason {
    /// The graph does not have it.
    NotInGraph,
    /// The graph has it, and the index does not.
    NotIndexed,
    /// None of its names shares a word with the question.
    Implicit,
    /// A name shares a word with the question, and it is not among the first hits.
    RankedLow,
    /// It is among the first hits of a search, and the first prompt does not have it.
    NotTold,
}

impl Reason {
    /// All reasons in the order of tables.
    pub const ALL: [Self; 5] =
        [Self::NotInGraph, Self::NotIndexed, Self::Implicit, Self::RankedLow, Self::NotTold];

    /// The reason in words.
    pub fn told(self) -> &'static str {
        match self {
            Self::NotInGraph => "not in the graph",
            Self::NotIndexed => "in the graph, not in the index",
            Self::Implicit => "implicit: no name shares a word with the question",
            Self::RankedLow => "in the index, not among the first hits",
            Self::NotTold => "among the first hits, not in the first prompt",
        }
    }
}

/// Where a term was lost.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Lost {
    /// Why.
    pub reason: Reason,
    /// Its best rank behind the first hits, if it has one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rank: Option<usize>,
}

/// What is known when it is decided whether a term was lost.
pub(super) struct Trail<'a> {
    pub(super) question: &'a str,
    pub(super) known: &'a KnownTerm,
    pub(super) ranks: &'a BTreeMap<String, Option<usize>>,
    /// Number of first hits.
    pub(super) first: usize,
    /// Whether the first prompt has it.
    pub(super) told: bool,
}

/// Where a term was lost; `None` if it is among the first hits and in the first prompt.
pub(super) fn lost(trail: &Trail<'_>) -> Option<Reason> {
    let Trail { question, known, ranks, first, told } = trail;
    if ranks.values().flatten().any(|rank| rank <= first) {
        return (!told).then_some(Reason::NotTold);
    }
    Some(match () {
        () if !known.in_graph => Reason::NotInGraph,
        () if !known.indexed => Reason::NotIndexed,
        () if !shares_word(question, &known.names) => Reason::Implicit,
        () => Reason::RankedLow,
    })
}

/// Whether a name shares a word, or its stem, with a text; function words do not count.
pub fn shares_word(text: &str, names: &[String]) -> bool {
    let language = detect(text);
    let known = |text: &str| -> BTreeSet<String> {
        let norms = words(text).into_iter().map(|token| token.text).filter(|norm| !is_function_word(norm));
        let stemmed = |norm: String| language.map(|language| language.stem(&norm)).into_iter().chain([norm]);
        norms.flat_map(stemmed).collect()
    };
    let asked = known(text);
    names.iter().any(|name| !known(name).is_disjoint(&asked))
}

/// The searches whose hits exist in what was retrieved.
pub(super) fn searches(retrieved: &Retrieved) -> Vec<Search> {
    Search::of(retrieved.lists.iter().any(|list| list.search.leg == Leg::Vectors))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn known(names: &[&str]) -> KnownTerm {
        let names = names.iter().map(|name| (*name).to_owned()).collect();
        KnownTerm { in_graph: true, indexed: true, names, written: "e:x".to_owned() }
    }

    fn reason(known: &KnownTerm, rank: Option<usize>, told: bool) -> Option<Reason> {
        let ranks = BTreeMap::from([("spans, words".to_owned(), rank)]);
        let question = "Which rivers flow through Cologne?";
        lost(&Trail { question, known, ranks: &ranks, first: 10, told })
    }

    #[test]
    fn the_first_reason_on_the_way_counts() {
        let river = known(&["river"]);
        assert_eq!(reason(&river, Some(10), true), None);
        assert_eq!(reason(&river, Some(10), false), Some(Reason::NotTold));
        assert_eq!(reason(&river, Some(11), true), Some(Reason::RankedLow), "the plural is the same word");
        assert_eq!(reason(&known(&["stream", "in the"]), None, false), Some(Reason::Implicit));
        assert_eq!(
            reason(&KnownTerm { indexed: false, ..river.clone() }, None, false),
            Some(Reason::NotIndexed)
        );
        let missing = KnownTerm { in_graph: false, indexed: false, ..river };
        assert_eq!(reason(&missing, None, false), Some(Reason::NotInGraph));
    }
}
