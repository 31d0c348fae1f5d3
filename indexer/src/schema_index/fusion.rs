//! Reciprocal rank fusion (Cormack, Clarke, Büttcher, SIGIR 2009), with deterministic tie-breaking.

use rustc_hash::FxHashMap;
use std::hash::Hash;

/// IRIs ranked by one retriever, best first.
pub type RankedList = Vec<String>;

/// The constant from the paper.
const K: f32 = 60.0;

/// Fuses ranked lists: each adds 1/(60 + rank). Ties are broken by the hits themselves (IRIs, or numbers of passages), so that
/// the same question always returns the same list.
pub fn fuse<T: Ord + Hash + Clone>(lists: &[Vec<T>]) -> Vec<(T, f32)> {
    let mut scores: FxHashMap<&T, f32> = FxHashMap::default();
    for list in lists {
        for (rank, hit) in list.iter().enumerate() {
            *scores.entry(hit).or_default() += 1.0 / (K + rank as f32 + 1.0);
        }
    }
    let mut fused: Vec<(T, f32)> = scores.into_iter().map(|(hit, score)| (hit.clone(), score)).collect();
    fused.sort_by(|a, b| b.1.total_cmp(&a.1).then_with(|| a.0.cmp(&b.0)));
    fused
}

#[cfg(test)]
mod tests {
    use super::fuse;

    #[test]
    fn what_both_legs_find_comes_first_and_ties_go_by_iri() {
        let lists = [vec!["c".to_owned(), "a".to_owned()], vec!["b".to_owned(), "a".to_owned()]];
        let order: Vec<String> = fuse(&lists).into_iter().map(|(iri, _)| iri).collect();
        assert_eq!(order, ["a", "b", "c"]);
    }
}
