//! The score of a test set: the share of right answers in all, by how questions are built, and by how sure the answers were said to be.

use eruca_api::{Confidence, TestScore, TestShare};
use eruca_eval::share::Share;
use eruca_knowledge::test_set::{Judged, TestQuestion};
use std::collections::BTreeMap;

/// Words for the confidence, the surest first.
const SUREST: [Confidence; 3] = [Confidence::Sure, Confidence::Likely, Confidence::Guess];

/// The score of what has been judged; `None` of nothing.
pub fn score(tests: &[TestQuestion]) -> Option<TestScore> {
    let all = share("", tests.iter())?;
    let mut constructs: BTreeMap<&str, Vec<&TestQuestion>> = BTreeMap::new();
    tests.iter().for_each(|one| constructs.entry(one.construct()).or_default().push(one));
    let mut constructs: Vec<TestShare> =
        constructs.into_iter().filter_map(|(name, some)| share(name, some.into_iter())).collect();
    // The weakest first: that is where something can be done.
    constructs.sort_by(|a, b| a.share.total_cmp(&b.share).then_with(|| b.of.cmp(&a.of)));
    let of = |word: &str| share(word, tests.iter().filter(|one| one.confidence.as_deref() == Some(word)));
    let confidences = SUREST.iter().filter_map(|level| of(level.name())).collect();
    let open = tests.iter().filter(|one| one.judged == Judged::Wrong && one.sparql.is_none()).count();
    Some(TestScore { all, constructs, confidences, open })
}

fn share<'a>(name: &str, tests: impl Iterator<Item = &'a TestQuestion>) -> Option<TestShare> {
    let judged: Vec<bool> = tests.map(|one| one.judged == Judged::Right).collect();
    shared(name, judged.iter().filter(|right| **right).count(), judged.len())
}

/// A share under a name.
pub(super) fn shared(name: &str, right: usize, of: usize) -> Option<TestShare> {
    let Share { right, of, share, interval: [low, high] } = Share::of(right, of)?;
    Some(TestShare { name: name.to_owned(), right, of, share, low, high })
}
