//! The ranks of gold terms in what was retrieved, and whether a prompt has them.

use super::record::Hits;
use super::{FoundList, GoldTerm, Retrieved, Search, TermKind};
use eruca_language::text::fold;
use std::collections::{BTreeMap, BTreeSet};

/// The best rank of a term by the name of each search that can find its kind, from 1; `None` if the search does not find it.
pub(super) fn ranks(
    term: &GoldTerm,
    retrieved: &Retrieved,
    searches: &[Search],
) -> BTreeMap<String, Option<usize>> {
    let searches = searches.iter().filter(|search| search.finds(term.kind));
    searches.map(|search| (search.name(), best_rank(term, &retrieved.lists, *search))).collect()
}

fn best_rank(term: &GoldTerm, lists: &[FoundList], search: Search) -> Option<usize> {
    lists.iter().filter(|list| list.search == search).filter_map(|list| list.rank_of(term)).min()
}

impl FoundList {
    /// The rank of a term, from 1.
    pub fn rank_of(&self, term: &GoldTerm) -> Option<usize> {
        let at = self.hits.iter().position(|keys| is_hit(term, keys)).map(|at| at + 1);
        at.filter(|_| may_hold(self.kind, term.kind))
    }
}

/// Whether a list of a kind may hold terms of another one: in some graphs a class is a thing among others.
fn may_hold(list: TermKind, term: TermKind) -> bool {
    use TermKind::{Class, Entity};
    list == term || matches!((list, term), (Class, Entity) | (Entity, Class))
}

fn is_hit(term: &GoldTerm, keys: &[String]) -> bool {
    if term.kind != TermKind::Value {
        return keys.contains(&term.key);
    }
    let wanted = fold(&term.key);
    keys.iter().map(|key| fold(key)).any(|key| key == wanted || (term.part && key.contains(&wanted)))
}

/// The number of different hits of each kind among the first k of all lists of a search, by k: with many texts to search for, a small
/// graph is found as a whole.
pub(super) fn hits(retrieved: &Retrieved, searches: &[Search], cuts: &[usize]) -> Hits {
    let count = |search: Search, kind: TermKind, cut: usize| {
        let own = retrieved.lists.iter().filter(|list| list.search == search && list.kind == kind);
        own.flat_map(|list| list.hits.iter().take(cut)).collect::<BTreeSet<_>>().len()
    };
    let by_cut =
        |search: Search, kind: TermKind| cuts.iter().map(|cut| (*cut, count(search, kind, *cut))).collect();
    let by_kind = |search: Search| {
        let kinds = TermKind::ALL.into_iter().filter(|kind| search.finds(*kind));
        kinds.map(|kind| (kind, by_cut(search, kind))).collect()
    };
    searches.iter().map(|search| (search.name(), by_kind(*search))).collect()
}

/// Whether a text of a prompt has a term as it is written there.
pub(super) fn is_told(text: &str, written: &str) -> bool {
    if written.is_empty() {
        return false;
    }
    let is_apart = |at: usize| {
        let before = text.get(..at).and_then(|before| before.chars().next_back());
        let after = text.get(at + written.len()..).and_then(|after| after.chars().next());
        let joins = |c: char| c.is_alphanumeric() || matches!(c, '_' | '-');
        !(before.is_some_and(joins) || after.is_some_and(joins))
    };
    text.match_indices(written).any(|(at, _)| is_apart(at))
}

#[cfg(test)]
mod tests {
    use super::super::{Leg, Way};
    use super::*;

    const WORDS: Search = Search { way: Way::Spans, leg: Leg::Words };

    fn list(search: Search, kind: TermKind, keys: &[&str]) -> FoundList {
        FoundList { search, kind, hits: keys.iter().map(|key| vec![(*key).to_owned()]).collect() }
    }

    fn term(kind: TermKind, key: &str) -> GoldTerm {
        GoldTerm { kind, key: key.to_owned(), part: false }
    }

    #[test]
    fn the_best_rank_over_all_texts_counts_for_each_search() {
        let vectors = Search { leg: Leg::Vectors, ..WORDS };
        let lists = vec![
            list(WORDS, TermKind::Entity, &["a", "b", "c"]),
            list(WORDS, TermKind::Entity, &["c", "b"]),
            list(vectors, TermKind::Property, &["p"]),
        ];
        let retrieved = Retrieved { lists, ..Retrieved::default() };
        let found = |term: &GoldTerm| ranks(term, &retrieved, &[WORDS, vectors]);
        assert_eq!(
            found(&term(TermKind::Entity, "c")),
            BTreeMap::from([("spans, words".to_owned(), Some(1))])
        );
        assert_eq!(
            found(&term(TermKind::Class, "b"))["spans, words"],
            Some(2),
            "a class may be a thing as well"
        );
        let property = found(&term(TermKind::Property, "p"));
        assert_eq!((property["spans, words"], property["spans, vectors"]), (None, Some(1)));
        let hits = hits(&retrieved, &[WORDS, vectors], &[1, 5]);
        assert_eq!(
            hits["spans, words"][&TermKind::Entity],
            BTreeMap::from([(1, 2), (5, 3)]),
            "a hit counts once"
        );
        assert_eq!(
            hits["spans, vectors"].keys().collect::<Vec<_>>(),
            [&TermKind::Class, &TermKind::Property]
        );
    }

    #[test]
    fn values_are_compared_without_case_and_as_parts_where_a_filter_has_them() {
        let lists = vec![list(WORDS, TermKind::Value, &["Rhine Falls", "rhine"])];
        let retrieved = Retrieved { lists, ..Retrieved::default() };
        let rank = |part: bool| {
            ranks(&GoldTerm { part, ..term(TermKind::Value, "Rhine") }, &retrieved, &[WORDS])["spans, words"]
        };
        assert_eq!((rank(false), rank(true)), (Some(2), Some(1)));
    }

    #[test]
    fn a_name_is_told_where_it_stands_alone() {
        let told = |text: &str| is_told(text, ":City");
        assert!(told("Classes: :City (4)") && told(":City"));
        assert!(!told(":CityHall, geo:City") && !told(""));
        assert!(!is_told("anything", "") && is_told("Köln am Rhein", "Köln"));
    }
}
