//! Leak control of benchmarks: an example that is a question of the benchmark would give its answer away.
//!
//! Left out is an example with the id of a question, with its query, or with nearly its words: the share of content words that both
//! have among those that either has (Jaccard) is at least [`LEAK_SHARE`].

use super::near::content_words;
use super::{Questions, VerifiedQuestion, question_key};
use rustc_hash::{FxHashMap, FxHashSet};

/// From this share of common content words on, two questions are nearly the same.
pub const LEAK_SHARE: f32 = 0.8;

/// A question of a benchmark.
#[derive(Debug, Clone, Copy)]
pub struct BenchmarkQuestion<'a> {
    /// Its id.
    pub id: &'a str,
    /// The question.
    pub text: &'a str,
    /// The tag of its language, if it is told.
    pub lang: Option<&'a str>,
    /// Its query, if it is known.
    pub query: Option<&'a str>,
}

/// What is known of the questions of a benchmark.
struct Benchmark<'a> {
    ids: FxHashSet<&'a str>,
    keys: FxHashSet<String>,
    queries: FxHashSet<String>,
    words: Vec<FxHashSet<String>>,
    having: FxHashMap<String, Vec<usize>>,
}

impl Questions {
    /// The questions without those that a benchmark asks, and how many these are.
    #[must_use]
    pub fn without_leaks(&self, asked: &[BenchmarkQuestion<'_>]) -> (Self, usize) {
        let benchmark = Benchmark::of(asked);
        let (kept, all) =
            (self.entries.iter().filter(|entry| !benchmark.has(&entry.question)), self.entries.len());
        let kept: Vec<_> = kept.cloned().collect();
        let left_out = all - kept.len();
        (Self::new(kept), left_out)
    }
}

impl<'a> Benchmark<'a> {
    fn of(asked: &[BenchmarkQuestion<'a>]) -> Self {
        let words: Vec<_> = asked.iter().map(|one| content_words(one.text, one.lang)).collect();
        let mut having: FxHashMap<String, Vec<usize>> = FxHashMap::default();
        for (at, words) in words.iter().enumerate() {
            for word in words {
                having.entry(word.clone()).or_default().push(at);
            }
        }
        Self {
            ids: asked.iter().map(|one| one.id).collect(),
            keys: asked.iter().map(|one| question_key(one.text)).collect(),
            queries: asked.iter().filter_map(|one| one.query).map(query_key).collect(),
            words,
            having,
        }
    }

    fn has(&self, example: &VerifiedQuestion) -> bool {
        example.id.as_deref().is_some_and(|id| self.ids.contains(id))
            || self.keys.contains(&question_key(&example.question))
            || self.queries.contains(&query_key(&example.query))
            || self.has_nearly(&content_words(&example.question, example.lang.as_deref()))
    }

    fn has_nearly(&self, words: &FxHashSet<String>) -> bool {
        let mut common: FxHashMap<usize, usize> = FxHashMap::default();
        for at in words.iter().filter_map(|word| self.having.get(word)).flatten() {
            *common.entry(*at).or_default() += 1;
        }
        common.into_iter().any(|(at, count)| {
            let other = self.words.get(at).map_or(0, FxHashSet::len);
            count as f32 / (words.len() + other - count).max(1) as f32 >= LEAK_SHARE
        })
    }
}

/// A query without differences of layout, and of prefixes that it declares.
fn query_key(query: &str) -> String {
    query.split_whitespace().collect::<String>()
}
