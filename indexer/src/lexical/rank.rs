//! Ranks the candidates of a search: by fit, then spelling, then variety, then popularity. Uses `similarity` and `text`.

use super::LexicalError;
use super::similarity::{NameFit, SearchedText, fit};
use eruca_language::text::{word_spans, words};
use rustc_hash::FxHashMap;
use std::cmp::Reverse;

/// A document found, with its fit.
#[derive(Debug, Clone, Copy)]
pub(super) struct FoundDocument<'a> {
    pub(super) row: u64,
    pub(super) score: f32,
    /// Whether its best name contains every content word as it was written.
    pub(super) whole: bool,
    pub(super) uses: u64,
    /// Its best name, encoded.
    pub(super) name: &'a str,
}

/// The score of documents found only by their description: below all those found by name.
pub(super) const PROSE_SCORE: f32 = 0.05;

impl<'a> FoundDocument<'a> {
    /// A document with its fit: that of its best name.
    pub(super) fn new(
        row: u64,
        uses: u64,
        names: impl Iterator<Item = &'a str>,
        asked: &SearchedText,
    ) -> Self {
        let mut best = Self { row, score: 0.0, whole: false, uses, name: "" };
        for name in names {
            let NameFit { score, whole } = fit(asked, name);
            if score > best.score {
                best = Self { score, whole, name, ..best };
            }
        }
        if best.score == 0.0 {
            best.score = PROSE_SCORE;
        }
        best
    }

    /// The score to two decimals, so that near ties count as ties.
    fn rounded(&self) -> i64 {
        (self.score * 100.0).round() as i64
    }

    fn name(&self) -> (&'a str, i64) {
        (self.name, self.rounded())
    }
}

/// Further data about candidates from the index; looked up only to break ties.
pub(super) trait RankEvidence {
    /// Whether a name of the document is spelt exactly as in the question.
    fn is_as_written(&self, row: u64) -> Result<bool, LexicalError>;

    /// How many documents have this name.
    fn documents(&self, name: &str) -> Result<u64, LexicalError>;
}

/// The first `limit` candidates: best fit first; among ties, those spelt as in the question; then
/// one document for every name before a second with the same name, most used names first. As a list of a
/// single name would not be informative, most of its places go to other names with all the words.
pub(super) fn best<'a>(
    found: &[FoundDocument<'a>],
    limit: usize,
    evidence: &dyn RankEvidence,
) -> Result<Vec<FoundDocument<'a>>, LexicalError> {
    let list = ordered(found.to_vec(), limit, evidence)?;
    match crowd(&list, limit) {
        Some(name) => thinned(found, name, limit, evidence),
        None => Ok(list),
    }
}

/// The name with all the words that more than half of the list has.
fn crowd<'a>(list: &[FoundDocument<'a>], limit: usize) -> Option<&'a str> {
    let mut documents: FxHashMap<&str, usize> = FxHashMap::default();
    list.iter().filter(|hit| hit.whole).find_map(|hit| {
        let count = documents.entry(hit.name).or_default();
        *count += 1;
        (*count > limit / 2).then_some(hit.name)
    })
}

/// The candidates with only a quarter of the places for one name, as long as other names have all the words.
fn thinned<'a>(
    found: &[FoundDocument<'a>],
    name: &str,
    limit: usize,
    evidence: &dyn RankEvidence,
) -> Result<Vec<FoundDocument<'a>>, LexicalError> {
    let (same, others): (Vec<_>, Vec<_>) = found.iter().copied().partition(|hit| hit.name == name);
    let (mut whole, rest): (Vec<_>, Vec<_>) = others.into_iter().partition(|hit| hit.whole);
    let same = ordered(same, limit, evidence)?;
    let (kept, surplus) = same.split_at(limit.div_ceil(4).min(same.len()));
    whole.extend(kept);
    let mut list = ordered(whole, limit, evidence)?;
    list.extend(surplus);
    list.extend(ordered(rest, limit, evidence)?);
    list.truncate(limit);
    Ok(list)
}

fn ordered<'a>(
    mut found: Vec<FoundDocument<'a>>,
    limit: usize,
    evidence: &dyn RankEvidence,
) -> Result<Vec<FoundDocument<'a>>, LexicalError> {
    found.sort_unstable_by_key(|hit| (Reverse(hit.rounded()), Reverse(hit.uses), hit.row));
    let Some(last) = found.get(limit.min(found.len()).wrapping_sub(1)).map(FoundDocument::rounded) else {
        return Ok(Vec::new());
    };
    found.truncate(found.partition_point(|hit| hit.rounded() >= last));
    let names = popularity(&found, limit, evidence)?;
    let mut spelt = Vec::with_capacity(found.len());
    for hit in found {
        spelt.push((!evidence.is_as_written(hit.row)?, hit));
    }
    spelt.sort_by_key(|(differs, hit)| (Reverse(hit.rounded()), *differs));
    let mut turns: FxHashMap<(&str, i64), usize> = FxHashMap::default();
    let mut keyed: Vec<_> = spelt
        .into_iter()
        .map(|(differs, hit)| {
            let turn = turns.entry(hit.name()).or_default();
            *turn += 1;
            let uses_of_name = names.get(&hit.name()).copied().unwrap_or_default();
            let popularity = (Reverse(uses_of_name), Reverse(hit.uses), hit.row);
            ((Reverse(hit.rounded()), differs, *turn, popularity), hit)
        })
        .collect();
    keyed.sort_unstable_by_key(|(key, _)| *key);
    Ok(keyed.into_iter().map(|(_, hit)| hit).take(limit).collect())
}

/// Total uses of the documents with each name. If there are more candidates than places, they may be
/// a sample, and their mean is used for all documents with the name.
fn popularity<'a>(
    found: &[FoundDocument<'a>],
    limit: usize,
    evidence: &dyn RankEvidence,
) -> Result<FxHashMap<(&'a str, i64), u64>, LexicalError> {
    let mut names: FxHashMap<(&str, i64), (u64, u64)> = FxHashMap::default();
    for hit in found {
        let (uses, documents) = names.entry(hit.name()).or_default();
        (*uses, *documents) = (uses.saturating_add(hit.uses), *documents + 1);
    }
    let estimate = |(name, (uses, seen)): ((&'a str, i64), (u64, u64))| {
        let documents = if found.len() > limit { evidence.documents(name.0)?.max(seen) } else { seen };
        Ok((name, (uses / seen).saturating_mul(documents)))
    };
    names.into_iter().map(estimate).collect()
}

/// The words of a text that folding changes, by case, accents or a plural: they distinguish names that are
/// otherwise equal.
pub(super) fn told_by_spelling(text: &str) -> Vec<&str> {
    let written = words(text).into_iter().filter_map(|token| {
        let word = text.get(token.span.0..token.span.1)?;
        (word != token.text).then_some(word)
    });
    written.collect()
}

/// Whether a name contains all of these words, letter by letter.
pub(super) fn has_words(name: &str, words: &[&str]) -> bool {
    let spans = word_spans(name);
    words.iter().all(|word| spans.iter().any(|(start, end)| name.get(*start..*end) == Some(*word)))
}
