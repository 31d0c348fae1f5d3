//! Leak control of benchmarks: an example that is a question of the benchmark would give its answer away.
//!
//! Left out is an example with the id of a question, with nearly its words, or with nearly its query. Nearly: the share of content
//! words that both have among those that either has (Jaccard) is at least [`LEAK_SHARE`]; that of the words of two queries, whatever
//! their variables are called, at least [`LEAK_QUERY_SHARE`].

use super::near::content_words;
use super::{Questions, VerifiedQuestion, question_key};
use rustc_hash::{FxHashMap, FxHashSet};

/// From this share of common content words on, two questions are nearly the same.
pub const LEAK_SHARE: f32 = 0.8;
/// From this share of common words on, two queries are nearly the same.
pub const LEAK_QUERY_SHARE: f32 = 0.9;

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
    questions: Sets,
    queries: Sets,
}

/// Sets of words, with those that have a word.
#[derive(Default)]
struct Sets {
    sizes: Vec<usize>,
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
        Self {
            ids: asked.iter().map(|one| one.id).collect(),
            keys: asked.iter().map(|one| question_key(one.text)).collect(),
            questions: asked.iter().map(|one| content_words(one.text, one.lang)).collect(),
            queries: asked.iter().filter_map(|one| one.query).map(query_words).collect(),
        }
    }

    fn has(&self, example: &VerifiedQuestion) -> bool {
        let words = || content_words(&example.question, example.lang.as_deref());
        example.id.as_deref().is_some_and(|id| self.ids.contains(id))
            || self.keys.contains(&question_key(&example.question))
            || self.queries.has_nearly(&query_words(&example.query), LEAK_QUERY_SHARE)
            || self.questions.has_nearly(&words(), LEAK_SHARE)
    }
}

impl FromIterator<FxHashSet<String>> for Sets {
    fn from_iter<I: IntoIterator<Item = FxHashSet<String>>>(sets: I) -> Self {
        let mut all = Self::default();
        for (at, set) in sets.into_iter().enumerate() {
            all.sizes.push(set.len());
            for word in set {
                all.having.entry(word).or_default().push(at);
            }
        }
        all
    }
}

impl Sets {
    /// Whether one of them shares at least this part of all words with another set.
    fn has_nearly(&self, words: &FxHashSet<String>, share: f32) -> bool {
        let mut common: FxHashMap<usize, usize> = FxHashMap::default();
        for at in words.iter().filter_map(|word| self.having.get(word)).flatten() {
            *common.entry(*at).or_default() += 1;
        }
        common.into_iter().any(|(at, count)| {
            let other = self.sizes.get(at).copied().unwrap_or_default();
            count as f32 / (words.len() + other - count).max(1) as f32 >= share
        })
    }
}

/// The different words of a query: names, texts and keywords, without the prefixes that it declares. All variables are one.
fn query_words(query: &str) -> FxHashSet<String> {
    let mut words = FxHashSet::default();
    let mut declared = 0;
    for word in
        query.split(|c: char| c.is_whitespace() || "{}();,".contains(c)).filter(|word| !word.is_empty())
    {
        let word = word.to_lowercase();
        if word == "prefix" {
            declared = 2;
        } else if declared > 0 {
            declared -= 1;
        } else if word != "." {
            words.insert(if word.starts_with(['?', '$']) { "?".to_owned() } else { word });
        }
    }
    words
}
