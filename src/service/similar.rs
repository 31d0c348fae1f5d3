//! Names of a question that the graph does not have exactly, each with a similarly spelled name of the graph ("did
//! you mean"). Only the index is searched.

use super::link::AskedText;
use crate::cpu_pool::CpuPool;
use crate::trace::Insight;
use eruca_api::{Confidence, NameMatch, Similar};
use eruca_dataset::{Dataset, MAX_NAME_CHARS};
use eruca_planner::Grounds;
use eruca_planner::question::{ParsedQuestion, Span, Word, WordKind};
use eruca_sparql::one_line;
use std::sync::Arc;
use std::time::Duration;

/// Maximum number of names looked up.
const MAX_NAMES: usize = 3;
/// Number of entities compared with a name.
const POOL: usize = 20;
/// Time limit for the look-up.
const TIME: Duration = Duration::from_secs(2);

/// Suggestions for names that the graph does not have exactly; empty if the answer is sure or the look-up times out.
pub(super) async fn similar(
    cpu_pool: &CpuPool,
    dataset: &Arc<Dataset>,
    question: &ParsedQuestion,
    insight: &Insight,
    left: Duration,
) -> Vec<Similar> {
    let sure = insight.confidence == Confidence::Sure;
    let texts = if sure { Vec::new() } else { texts(question, insight) };
    if texts.is_empty() {
        return Vec::new();
    }
    let dataset = dataset.clone();
    let look = cpu_pool.at_length(move |_| found(&dataset, &texts));
    tokio::time::timeout(left.min(TIME), look).await.unwrap_or_default()
}

fn found(dataset: &Dataset, texts: &[Vec<String>]) -> Vec<Similar> {
    let first = |lengths: &Vec<String>| lengths.iter().find_map(|text| alike(dataset, text));
    let all: Vec<Similar> = texts.iter().filter_map(first).collect();
    let mut kept: Vec<Similar> = Vec::new();
    for similar in &all {
        // Part of a longer name that was found is not reported by itself.
        let is_part =
            |other: &Similar| other.words.len() > similar.words.len() && other.words.contains(&similar.words);
        if !all.iter().any(is_part) && !kept.contains(similar) {
            kept.push(similar.clone());
        }
    }
    kept
}

/// The name most similar to a text; `None` if an entity has exactly this name.
fn alike(dataset: &Dataset, text: &str) -> Option<Similar> {
    let asked = AskedText::new(text);
    let hits = dataset.index.entities.search(text, None, POOL).ok()?;
    let mut best = None;
    for fit in hits.iter().filter_map(|hit| asked.fit(&hit.record)) {
        if fit.by != NameMatch::Fuzzy {
            return None;
        }
        // On a tie, the best-known entity comes first.
        if best.as_ref().is_none_or(|(score, _)| fit.score > *score) {
            best = Some((fit.score, fit.name));
        }
    }
    best.map(|(_, name)| Similar { words: text.to_owned(), name: one_line(&name, MAX_NAME_CHARS) })
}

/// Names that match only approximately, and unknown ones; each in the spans that may be meant.
fn texts(question: &ParsedQuestion, insight: &Insight) -> Vec<Vec<String>> {
    let weak = [Grounds::Typo, Grounds::Outdone].map(Grounds::key);
    let because = insight.because.iter();
    let near = because.filter(|because| because.part == "thing" && weak.contains(&&*because.right));
    let words = near.map(|because| &because.words).chain(&insight.not_found);
    let mut all: Vec<Vec<String>> = Vec::new();
    for lengths in words.map(|words| lengths(question, words)) {
        if !all.contains(&lengths) {
            all.push(lengths);
        }
    }
    all.truncate(MAX_NAMES);
    all
}

/// The words together with the capitalized words around them, with the preceding word, and on their own; longest
/// first.
fn lengths(question: &ParsedQuestion, words: &str) -> Vec<String> {
    let Some(span) = span_of(question, words) else { return vec![words.to_owned()] };
    let (wide, whole) = (name_around(question, span, 1), name_around(question, span, 0));
    let before = span.from.checked_sub(1).filter(|at| wide == span && !question.is_function_word(*at));
    let longer = before.map_or(whole, |from| Span { from, ..span });
    let mut all: Vec<String> = [wide, longer, span].map(|span| question.text_of(span).to_owned()).into();
    all.sort_by_key(|text| std::cmp::Reverse(text.len()));
    all.dedup();
    all
}

/// The position of words in a question.
fn span_of(question: &ParsedQuestion, words: &str) -> Option<Span> {
    let parts: Vec<&str> = words.split_whitespace().collect();
    if parts.is_empty() {
        return None;
    }
    let same = |words: &[Word]| words.iter().zip(&parts).all(|(word, part)| word.raw == **part);
    let from = question.words.windows(parts.len()).position(same)?;
    Some(Span::new(from, from + parts.len()))
}

/// Extends a span by surrounding capitalized words, skipping at most `others` words at a time: "Rio de Janeiro" skips
/// one.
fn name_around(question: &ParsedQuestion, span: Span, others: u16) -> Span {
    let named = |at: &u16| question.word(*at).is_some_and(|word| word.capital && word.kind == WordKind::Name);
    let Span { mut from, mut to } = span;
    let left = |from: u16| (1..=others + 1).filter_map(|by| from.checked_sub(by)).find(named);
    while let Some(at) = left(from) {
        from = at;
    }
    let right = |to: u16| (0..=others).filter_map(|by| to.checked_add(by)).find(named);
    while let Some(at) = right(to) {
        to = at + 1;
    }
    Span { from, to }
}

#[cfg(test)]
mod tests {
    use super::*;
    use eruca_dataset::testing::graph_of;

    const NAMES: &str = r#"
        @prefix : <http://e.x/> . @prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
        :a a :Hill ; rdfs:label "Upper Birch Hill" . :b a :Hill ; rdfs:label "Birch" . :c a :Hill ; rdfs:label "Hollow of Ash" ."#;

    #[tokio::test]
    async fn a_name_is_looked_up_with_the_words_around_it_that_are_written_as_names() {
        let graph = graph_of("hills", NAMES).await;
        let read = |text: &str| graph.dataset.read(text);
        let of = |text: &str, words: &str| lengths(&read(text), words);
        assert_eq!(of("How high is Uper Birch Hill?", "Uper"), ["Uper Birch Hill", "Uper"]);
        assert_eq!(of("How high is the Hollow of Ahs?", "Ahs"), ["Hollow of Ahs", "Ahs"]);
        assert_eq!(of("how high is uper birch", "birch"), ["uper birch", "birch"]);
        let several = of("Is the Hollow near Uper Birch?", "Uper");
        assert_eq!(several, ["Hollow near Uper Birch", "Uper Birch", "Uper"]);
        assert_eq!(of("How high is Ahs?", "other words"), ["other words"]);
    }

    #[tokio::test]
    async fn names_that_are_written_alike_are_found_and_none_for_the_very_name() {
        let graph = graph_of("hills", NAMES).await;
        let name = |text: &str| alike(&graph.dataset, text).map(|similar| similar.name);
        assert_eq!(name("Uper Birch Hill").as_deref(), Some("Upper Birch Hill"));
        assert_eq!(name("Hollow of Ahs").as_deref(), Some("Hollow of Ash"));
        assert_eq!(name("Brich").as_deref(), Some("Birch"));
        assert_eq!(name("birch"), None);
        assert_eq!(name("Oak"), None);
        let texts =
            [["Uper Birch Hill"], ["Brich"], ["Birch Hil"]].map(|texts| texts.map(str::to_owned).into());
        let found = found(&graph.dataset, &texts);
        let names: Vec<&str> = found.iter().map(|similar| similar.name.as_str()).collect();
        assert_eq!(names, ["Upper Birch Hill", "Birch"]);
    }
}
