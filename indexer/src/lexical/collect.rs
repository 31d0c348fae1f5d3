//! The best documents of a Tantivy query by word score times prior, without visiting every document if there
//! are many.
//!
//! If there are few documents, all are scored. Otherwise, they are searched in passes, from the blocks with the highest priors
//! down (see `priors`); a block is skipped when no document in it can be among the best. If there are enough hits after
//! [`ENOUGH_EFFORT`], no further pass starts: documents left out then have low priors, whatever their words. How
//! many levels a pass descends depends on the effort of the previous ones.
//!
//! That exception is for words that are frequent on their own and rare together: the effort is that of scoring
//! 10,000 documents. Test: `tests`.

use super::LexicalError;
use super::priors::{LEVELS, SegmentPriors};
use super::reader::DocumentReader;
use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::ops::Range;
use tantivy::query::{EnableScoring, Query, Scorer, Weight};
use tantivy::{DocAddress, DocId, DocSet, SeekDangerResult, TERMINATED};

/// Up to this number of documents, all are scored.
const FEW_DOCUMENTS: u64 = 10_000;
/// Effort after which a search among more documents may end, unless it is certain earlier that the best are found. Scoring
/// a document counts as [`SCORING_EFFORT`], since it takes that much longer than finding that one lacks a word.
const ENOUGH_EFFORT: u64 = 80_000;
const SCORING_EFFORT: u64 = 8;
/// Maximum number of levels per pass: eight times as many documents as in the previous passes.
const MOST_STEPS: u32 = 3;
/// Tolerance for rounding: the same scores summed in another order may differ slightly.
const ROUNDING: f32 = 1.000_001;

/// A query about to be run.
pub(super) struct Search<'a> {
    reader: &'a DocumentReader,
    weight: Box<dyn Weight>,
    scorers: Vec<Box<dyn Scorer>>,
    few: u64,
    enough: u64,
}

impl<'a> Search<'a> {
    pub(super) fn new(reader: &'a DocumentReader, query: &dyn Query) -> Result<Self, LexicalError> {
        let scoring = EnableScoring::enabled_from_statistics_provider(reader, &reader.searcher);
        let mut search = Self {
            reader,
            weight: query.weight(scoring)?,
            scorers: Vec::new(),
            few: FEW_DOCUMENTS,
            enough: ENOUGH_EFFORT,
        };
        search.scorers = search.fresh_scorers()?;
        Ok(search)
    }

    /// One scorer per segment, at its first document.
    fn fresh_scorers(&self) -> Result<Vec<Box<dyn Scorer>>, LexicalError> {
        let segments = self.reader.searcher.segment_readers().iter();
        Ok(segments.map(|segment| self.weight.scorer(segment, 1.0)).collect::<Result<_, _>>()?)
    }

    /// Whether there are too many documents to visit each of them.
    pub(super) fn has_many(&self) -> bool {
        self.cost() > self.few
    }

    /// Estimated number of documents, possibly too high.
    fn cost(&self) -> u64 {
        self.scorers.iter().map(DocSet::cost).sum()
    }

    /// The best documents, best first. `most` is an upper bound of a document's word score.
    pub(super) fn best(
        self,
        size: usize,
        most: impl FnOnce() -> f32,
    ) -> Result<Vec<DocAddress>, LexicalError> {
        let mut top = BestDocuments::new(size);
        self.look(&mut top, most)?;
        Ok(top.sorted())
    }

    fn look(mut self, top: &mut BestDocuments, most: impl FnOnce() -> f32) -> Result<(), LexicalError> {
        let (many, first) = (self.has_many(), self.first_levels(top.size));
        let mut scorers = std::mem::take(&mut self.scorers);
        if !many {
            for (number, (priors, scorer)) in self.segments().zip(&mut scorers).enumerate() {
                look_at_all(Segment { number, priors, scorer: scorer.as_mut() }, top);
            }
            return Ok(());
        }
        let most = most() * ROUNDING;
        let mut levels = first;
        while !levels.is_empty() {
            if scorers.is_empty() {
                scorers = self.fresh_scorers()?;
            }
            for (number, (priors, mut scorer)) in self.segments().zip(scorers.drain(..)).enumerate() {
                self.pass(Segment { number, priors, scorer: scorer.as_mut() }, &levels, most, top);
            }
            levels = self.next_levels(&levels, most, top);
        }
        Ok(())
    }

    /// The levels expected to contain twice as many documents as wanted.
    fn first_levels(&self, wanted: usize) -> Range<u8> {
        let expected = |end: &u8| self.cost() >> (LEVELS - end);
        0..(1..LEVELS).find(|end| expected(end) >= 2 * wanted as u64).unwrap_or(LEVELS)
    }

    /// The following levels, down to where enough documents can be expected; empty when the search is over.
    fn next_levels(&self, levels: &Range<u8>, most: f32, top: &BestDocuments) -> Range<u8> {
        let missing = self.enough / top.effort.max(1);
        let steps = missing.checked_ilog2().map_or(1, |steps| steps.clamp(1, MOST_STEPS));
        let next = levels.end..LEVELS.min(levels.end + steps as u8);
        let over = top.is_full() && (top.effort >= self.enough || self.end(&next, most, top) == next.start);
        if over { 0..0 } else { next }
    }

    fn segments(&self) -> impl Iterator<Item = &'a SegmentPriors> {
        let priors = &self.reader.priors;
        (0..).map_while(move |number| priors.segment(number))
    }

    /// The end of the levels that can contain one of the best documents.
    fn end(&self, levels: &Range<u8>, most: f32, top: &BestDocuments) -> u8 {
        top.least().map_or(levels.end, |least| self.reader.priors.reaching(levels, most, least))
    }

    /// Searches the documents in these levels. Only `seek_danger` keeps an intersection from searching all levels for its
    /// next document.
    fn pass(&self, segment: Segment<'_>, levels: &Range<u8>, most: f32, top: &mut BestDocuments) {
        let Segment { number, priors, scorer } = segment;
        let mut levels = levels.start..self.end(levels, most, top);
        let highest = self.reader.priors.highest(levels.start);
        let (mut at, mut found) = (scorer.doc(), true);
        while at < TERMINATED {
            let Some(wanted) = priors.next_within(&levels, at) else { return };
            top.effort += 1;
            if wanted != at || !found {
                found = false;
                at = wanted;
                if let SeekDangerResult::SeekLowerBound(next) = scorer.seek_danger(wanted) {
                    at = next;
                    continue;
                }
            }
            let score = scorer.score();
            top.effort += SCORING_EFFORT - 1;
            let hopeless = top.least().is_some_and(|least| score * highest < least);
            if !hopeless && top.add(priors, number, at, score) {
                levels.end = self.end(&levels, most, top);
            }
            (at, found) = (at + 1, false);
        }
    }
}

/// A segment of the index with the scorer of its documents.
struct Segment<'a> {
    number: usize,
    priors: &'a SegmentPriors,
    scorer: &'a mut dyn Scorer,
}

fn look_at_all(segment: Segment<'_>, top: &mut BestDocuments) {
    let Segment { number, priors, scorer } = segment;
    let mut document = scorer.doc();
    while document != TERMINATED {
        top.add(priors, number, document, scorer.score());
        document = scorer.advance();
    }
}

/// Score as bits (scores are not negative, so the bits have the same order), then position in the index.
type Ranked = (u32, Reverse<(u32, DocId)>);

/// The best documents so far.
struct BestDocuments {
    size: usize,
    best: BinaryHeap<Reverse<Ranked>>,
    effort: u64,
}

impl BestDocuments {
    fn new(size: usize) -> Self {
        Self { size, best: BinaryHeap::with_capacity(size), effort: 0 }
    }

    fn is_full(&self) -> bool {
        self.best.len() >= self.size
    }

    /// The lowest score among the best, once there are enough.
    fn least(&self) -> Option<f32> {
        self.best.peek().filter(|_| self.is_full()).map(|Reverse((score, _))| f32::from_bits(*score))
    }

    /// Adds a document if it is one of the best; returns whether it was added.
    fn add(&mut self, segment: &SegmentPriors, number: usize, document: DocId, score: f32) -> bool {
        let score = (score * segment.of(document)).max(0.0);
        let ranked = (score.to_bits(), Reverse((number as u32, document)));
        if !self.is_full() {
            self.best.push(Reverse(ranked));
            return true;
        }
        let mut least = self.best.peek_mut();
        match &mut least {
            Some(least) if least.0 < ranked => **least = Reverse(ranked),
            _ => return false,
        }
        true
    }

    fn sorted(self) -> Vec<DocAddress> {
        // The heap is reversed, so its sorted vector starts with the best.
        let address = |Reverse((_, Reverse((segment, document))))| DocAddress::new(segment, document);
        self.best.into_sorted_vec().into_iter().map(address).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lexical::FIELDS;
    use crate::lexical::sample::write;
    use proptest::prelude::*;
    use tantivy::Term;
    use tantivy::query::{BooleanQuery, ConstScoreQuery, TermQuery};
    use tantivy::schema::IndexRecordOption;

    fn term(field: tantivy::schema::Field, text: &str) -> Box<dyn Query> {
        Box::new(TermQuery::new(Term::from_field_text(field, text), IndexRecordOption::Basic))
    }

    /// The scores of the best documents, and the effort.
    fn scores(search: Search<'_>, size: usize, most: f32) -> (Vec<f32>, u64) {
        let priors = &search.reader.priors;
        let mut scorers = search.fresh_scorers().unwrap();
        let mut top = BestDocuments::new(size);
        search.look(&mut top, || most).unwrap();
        let effort = top.effort;
        let best = top.sorted();
        let mut in_order = best.clone();
        in_order.sort();
        let mut scored: Vec<(DocAddress, f32)> = Vec::new();
        for address in in_order {
            let number = address.segment_ord as usize;
            let scorer = &mut scorers[number];
            assert_eq!(scorer.seek(address.doc_id), address.doc_id, "a document of the query");
            let prior = priors.segment(number).unwrap().of(address.doc_id);
            scored.push((address, scorer.score() * prior));
        }
        let score = |address| scored.iter().find(|(a, _)| *a == address).unwrap().1;
        (best.into_iter().map(score).collect(), effort)
    }

    /// The kinds of queries run through this module: a word, all of two words, any of two, a word with a filter.
    fn queries() -> Vec<Box<dyn Query>> {
        let word = |text| term(FIELDS.name, text);
        let filter = Box::new(ConstScoreQuery::new(term(FIELDS.filter, "f1"), 0.0)) as Box<dyn Query>;
        vec![
            word("a"),
            Box::new(BooleanQuery::intersection(vec![word("a"), word("b")])),
            Box::new(BooleanQuery::union(vec![word("a"), word("c")])),
            Box::new(BooleanQuery::intersection(vec![word("b"), filter])),
        ]
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(12))]
        #[test]
        fn passes_find_what_a_look_at_all_finds(
            things in proptest::collection::vec(("[abc]( [abcd]){0,2}", 0_u64..3_000), 1..3_000),
            size in 1_usize..40,
        ) {
            let folder = tempfile::tempdir().unwrap();
            write(folder.path(), &things, None);
            let reader = DocumentReader::open(folder.path()).unwrap();
            for query in queries() {
                let search = |few| Search { few, enough: u64::MAX, ..Search::new(&reader, query.as_ref()).unwrap() };
                let (all, _) = scores(search(u64::MAX), size, f32::INFINITY);
                // Upper bound of scores without the prior: a document has at most one score per word.
                let most = all_scores(&search(0)).into_iter().fold(0.0, f32::max);
                let (passes, _) = scores(search(0), size, most);
                prop_assert_eq!(passes, all);
            }
        }
    }

    fn all_scores(search: &Search<'_>) -> Vec<f32> {
        let mut found = Vec::new();
        for mut scorer in search.fresh_scorers().unwrap() {
            while scorer.doc() != TERMINATED {
                found.push(scorer.score());
                scorer.advance();
            }
        }
        found
    }

    #[test]
    fn of_a_word_that_all_hold_few_are_looked_at() {
        let folder = tempfile::tempdir().unwrap();
        let things: Vec<_> = (0..20_000).map(|number| ("a".to_owned(), number * 7_919 % 20_011)).collect();
        write(folder.path(), &things, None);
        let reader = DocumentReader::open(folder.path()).unwrap();
        let query = term(FIELDS.name, "a");
        let search = || Search::new(&reader, query.as_ref()).unwrap();
        assert!(search().has_many());
        let most = all_scores(&search())[0];
        let (found, effort) = scores(search(), 20, most);
        assert_eq!(found, scores(Search { few: u64::MAX, ..search() }, 20, most).0);
        assert!(effort < 6_000 * SCORING_EFFORT, "{effort}");
        // With an infinite upper bound, only the effort can end the search.
        let (bounded, effort) = scores(Search { enough: 100, ..search() }, 20, f32::INFINITY);
        assert!(effort < 1_000 * SCORING_EFFORT, "{effort}");
        assert!(bounded.last() > Some(&(most * 1.2)));
    }
}
