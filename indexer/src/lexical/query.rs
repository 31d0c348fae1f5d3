//! Turns a planned search into queries of Tantivy, one for each stage of the search.

use super::FIELDS;
use super::forms::AnyForm;
use super::plan::{AskedTerm, SearchPlan};
use super::reader::DocumentReader;
use super::words::Words;
use tantivy::Term;
use tantivy::query::{Bm25Weight, BooleanQuery, BoostQuery, ConstScoreQuery, Occur, Query, TermQuery};
use tantivy::schema::{Field, IndexRecordOption};

/// Maximum number of documents found by the leading words together; beyond that, the most frequent words only affect the order.
const MAX_LEADING_DOCUMENTS: u64 = 10_000;

/// Tantivy's length code for every name, since lengths are not stored.
const NO_LENGTH: u8 = 1;

/// Whether descriptions are searched.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Prose {
    Too,
    No,
    Only,
}

impl SearchPlan<'_> {
    /// Documents with a name of the same words, in any order.
    pub(super) fn same_words(&self) -> Box<dyn Query> {
        let query =
            TermQuery::new(Term::from_field_text(FIELDS.words, &self.word_set()), IndexRecordOption::Basic);
        self.filtered(Box::new(ConstScoreQuery::new(Box::new(query), 1.0)))
    }

    /// Documents with all words and others.
    pub(super) fn all_words_and_more(&self) -> Box<dyn Query> {
        let clauses = vec![(Occur::Must, self.all_words()), (Occur::MustNot, self.same_words())];
        Box::new(BooleanQuery::new(clauses))
    }

    /// Documents with all words.
    pub(super) fn all_words(&self) -> Box<dyn Query> {
        self.all(AskedTerm::query)
    }

    /// Documents with all words, including function words.
    pub(super) fn all_words_and_small_words(&self) -> Box<dyn Query> {
        let small = self.small_words.iter().map(|word| (Occur::Must, term_query(FIELDS.name, word, 0.0)));
        Box::new(BooleanQuery::new(small.chain([(Occur::Must, self.all_words())]).collect()))
    }

    /// Documents with all words or similar forms of them.
    pub(super) fn all_words_alike(&self) -> Box<dyn Query> {
        self.all(AskedTerm::alike_query)
    }

    fn all(&self, query: fn(&AskedTerm) -> Box<dyn Query>) -> Box<dyn Query> {
        let mut clauses: Vec<_> = self.terms.iter().map(|term| (Occur::Must, query(term))).collect();
        match clauses.len() {
            1 => self.filtered(clauses.remove(0).1),
            _ => self.filtered(Box::new(BooleanQuery::new(clauses))),
        }
    }

    /// Documents with any word, its misspelt forms or completions.
    pub(super) fn any_word(&self, prose: Prose) -> Box<dyn Query> {
        let mut terms: Vec<&AskedTerm> = self.terms.iter().collect();
        terms.sort_by_key(|term| term.reach());
        let mut documents = 0;
        let leading = terms.iter().take_while(|term| {
            let fits = documents == 0 || documents + term.reach() <= MAX_LEADING_DOCUMENTS;
            documents += term.reach();
            fits
        });
        let leading = leading.count();
        let (leading, helping) = terms.split_at(leading);
        let clause = |term: &&AskedTerm| (Occur::Should, term.loose_query(prose));
        let query: Box<dyn Query> = match leading {
            [only] => only.loose_query(prose),
            _ => Box::new(BooleanQuery::new(leading.iter().map(clause).collect())),
        };
        // Nested instead of a flat union, in which Tantivy would read ahead for the terms that only affect the order.
        let helped = helping
            .iter()
            .fold(query, |query, term| Box::new(BooleanQuery::new(vec![(Occur::Must, query), clause(term)])));
        self.filtered(helped)
    }

    /// Upper bound of a document's word score for any of these queries, without prose: the sum of the best forms.
    pub(super) fn most(&self, reader: &DocumentReader) -> f32 {
        let (documents, length) = (reader.documents(), reader.words_per_document());
        let score = |text: &str, weight: f32| {
            let with_it = reader.terms.documents(text);
            let bm25 = || Bm25Weight::for_one_term_without_explain(with_it, documents, length);
            if with_it == 0 { 0.0 } else { weight * bm25().score(NO_LENGTH, 1) }
        };
        self.terms.iter().map(|term| term.most(&score)).sum()
    }

    fn filtered(&self, query: Box<dyn Query>) -> Box<dyn Query> {
        let mut clauses = vec![(Occur::Must, query)];
        for filter in &self.query.filters {
            let term = TermQuery::new(Term::from_field_text(FIELDS.filter, filter), IndexRecordOption::Basic);
            clauses
                .push((Occur::Must, Box::new(ConstScoreQuery::new(Box::new(term), 0.0)) as Box<dyn Query>));
        }
        match clauses.len() {
            1 => clauses.remove(0).1,
            _ => Box::new(BooleanQuery::new(clauses)),
        }
    }
}

impl AskedTerm {
    /// The word, its alternatives, or all of its parts.
    fn query(&self) -> Box<dyn Query> {
        let mut choices = vec![term_query(FIELDS.name, &self.token.text, 1.0)];
        choices.extend(
            self.token.alternatives.iter().map(|(text, weight)| term_query(FIELDS.name, text, *weight)),
        );
        if !self.parts.is_empty() {
            let parts = self.parts.iter().map(|part| term_query(FIELDS.name, part, 0.9)).collect();
            choices.push(Box::new(BooleanQuery::intersection(parts)));
        }
        any_of(choices)
    }

    /// The same with misspelt forms and completions.
    fn alike_query(&self) -> Box<dyn Query> {
        let mut choices = vec![self.query()];
        choices.extend(self.similar.iter().map(|e| term_query(FIELDS.name, &e.term, e.weight)));
        any_of(choices)
    }

    /// The same with prose, or prose alone.
    fn loose_query(&self, prose: Prose) -> Box<dyn Query> {
        let mut choices = if prose == Prose::Only { Vec::new() } else { vec![self.alike_query()] };
        if prose != Prose::No {
            choices.push(term_query(FIELDS.text, &self.token.text, 0.2));
            choices.extend(
                self.token
                    .alternatives
                    .iter()
                    .map(|(text, weight)| term_query(FIELDS.text, text, 0.2 * weight)),
            );
        }
        any_of(choices)
    }

    /// The score of its best form.
    fn most(&self, score: &impl Fn(&str, f32) -> f32) -> f32 {
        let itself = score(&self.token.text, 1.0);
        let related = self.token.alternatives.iter().map(|(text, weight)| score(text, *weight));
        let similar = self.similar.iter().map(|form| score(&form.term, form.weight));
        let parts = self.parts.iter().map(|part| score(part, 0.9)).sum();
        related.chain(similar).chain([parts]).fold(itself, f32::max)
    }
}

pub(super) fn any_of(mut choices: Vec<Box<dyn Query>>) -> Box<dyn Query> {
    match choices.len() {
        1 => choices.remove(0),
        _ => Box::new(AnyForm::of(choices)),
    }
}

pub(super) fn term_query(field: Field, text: &str, weight: f32) -> Box<dyn Query> {
    let query = TermQuery::new(Term::from_field_text(field, text), IndexRecordOption::Basic);
    Box::new(BoostQuery::new(Box::new(query), weight))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lexical::expand::Reach;
    use crate::lexical::plan::NameQuery;
    use crate::lexical::sample::write;
    use proptest::prelude::*;
    use tantivy::query::EnableScoring;
    use tantivy::{DocSet, TERMINATED};

    fn highest_score(reader: &DocumentReader, query: &dyn Query) -> f32 {
        let weight = query.weight(EnableScoring::enabled_from_searcher(&reader.searcher)).unwrap();
        let mut highest = 0.0_f32;
        for segment in reader.searcher.segment_readers() {
            let mut scorer = weight.scorer(segment, 1.0).unwrap();
            while scorer.doc() != TERMINATED {
                highest = highest.max(scorer.score());
                scorer.advance();
            }
        }
        highest
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(24))]
        #[test]
        fn nothing_scores_more_than_the_most(
            names in proptest::collection::vec("(alpha|alphas|beta|betaGamma|gam-ma)( [abg][a-z]{0,5}){0,3}", 1..40),
            text in "(alpha|alpah|beta|BetaGamma|gam|delta)( (alphas|betta|gam-ma|zeta)){0,2}",
        ) {
            let folder = tempfile::tempdir().unwrap();
            let things: Vec<(String, u64)> = names.into_iter().map(|name| (name, 0)).collect();
            write(folder.path(), &things, None);
            let reader = DocumentReader::open(folder.path()).unwrap();
            let related = |word: &str| vec![(format!("{word}s"), 0.8)];
            let query = NameQuery { alternatives: &related, ..NameQuery::new(&text, 10) };
            let mut plan = SearchPlan::new(&reader.terms, reader.documents(), &query).unwrap();
            plan.expand(&reader.terms, Reach::Far);
            let most = plan.most(&reader) * 1.000_001;
            for query in [plan.all_words(), plan.all_words_alike(), plan.any_word(Prose::No)] {
                let highest = highest_score(&reader, query.as_ref());
                prop_assert!(highest <= most, "{highest} of {most}");
            }
        }
    }
}
