//! Documents with any form of a word, scored by their best form.
//!
//! Tantivy's own union reads ahead 4,096 documents on each move, which is too many for a search that jumps from
//! block to block; this one moves each form individually.

use tantivy::query::{EmptyScorer, EnableScoring, Explanation, Query, Scorer, Weight};
use tantivy::{DocId, DocSet, Score, SegmentReader, TERMINATED, TantivyError, Term};

/// Any of several queries, with the best of their scores.
#[derive(Debug)]
pub(super) struct AnyForm(Vec<Box<dyn Query>>);

impl AnyForm {
    pub(super) fn of(forms: Vec<Box<dyn Query>>) -> Self {
        Self(forms)
    }
}

impl Clone for AnyForm {
    fn clone(&self) -> Self {
        Self(self.0.iter().map(|form| form.box_clone()).collect())
    }
}

impl Query for AnyForm {
    fn weight(&self, enabled: EnableScoring<'_>) -> tantivy::Result<Box<dyn Weight>> {
        let forms = self.0.iter().map(|form| form.weight(enabled)).collect::<tantivy::Result<_>>()?;
        Ok(Box::new(AnyFormWeight(forms)))
    }

    fn query_terms<'a>(&'a self, visitor: &mut dyn FnMut(&'a Term, bool)) {
        self.0.iter().for_each(|form| form.query_terms(visitor));
    }
}

struct AnyFormWeight(Vec<Box<dyn Weight>>);

impl Weight for AnyFormWeight {
    fn scorer(&self, segment: &SegmentReader, boost: Score) -> tantivy::Result<Box<dyn Scorer>> {
        let mut forms = Vec::with_capacity(self.0.len());
        for weight in &self.0 {
            let scorer = weight.scorer(segment, boost)?;
            if scorer.doc() != TERMINATED {
                forms.push(scorer);
            }
        }
        Ok(match forms.len() {
            0 => Box::new(EmptyScorer),
            1 => forms.remove(0),
            _ => Box::new(AnyFormScorer::of(forms)),
        })
    }

    fn explain(&self, segment: &SegmentReader, document: DocId) -> tantivy::Result<Explanation> {
        let mut scorer = self.scorer(segment, 1.0)?;
        if scorer.doc() <= document && scorer.seek(document) == document {
            return Ok(Explanation::new("best form", scorer.score()));
        }
        Err(TantivyError::InvalidArgument(format!("document {document} has none of the forms")))
    }
}

struct AnyFormScorer {
    forms: Vec<Box<dyn Scorer>>,
    /// The current document of each form.
    at: Vec<DocId>,
    document: DocId,
}

impl AnyFormScorer {
    fn of(forms: Vec<Box<dyn Scorer>>) -> Self {
        let at: Vec<DocId> = forms.iter().map(DocSet::doc).collect();
        let document = at.iter().copied().min().unwrap_or(TERMINATED);
        Self { forms, at, document }
    }
}

impl DocSet for AnyFormScorer {
    fn advance(&mut self) -> DocId {
        if self.document == TERMINATED { TERMINATED } else { self.seek(self.document + 1) }
    }

    fn seek(&mut self, target: DocId) -> DocId {
        let mut first = TERMINATED;
        for (at, form) in self.at.iter_mut().zip(&mut self.forms) {
            if *at < target {
                *at = form.seek(target);
            }
            first = first.min(*at);
        }
        self.document = first;
        first
    }

    fn doc(&self) -> DocId {
        self.document
    }

    fn size_hint(&self) -> u32 {
        self.forms.iter().map(DocSet::size_hint).fold(0, u32::saturating_add)
    }

    fn cost(&self) -> u64 {
        self.forms.iter().map(DocSet::cost).sum()
    }
}

impl Scorer for AnyFormScorer {
    fn score(&mut self) -> Score {
        let here = self.at.iter().zip(&mut self.forms).filter(|(at, _)| **at == self.document);
        here.map(|(_, form)| form.score()).fold(0.0, Score::max)
    }
}
