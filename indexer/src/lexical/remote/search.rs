//! Searches names on a server by the rules of `lexical::search`: the server finds candidates by words, and what the names
//! have in common with the question decides here, as for an index in a folder.

use super::asked::WordQuery;
use super::keys;
use super::points::FoundRecord;
use super::pool::Pool;
use super::{RemoteNames, weights};
use crate::lexical::expand::Reach;
use crate::lexical::plan::{NameQuery, SearchPlan, asked_words};
use crate::lexical::rank::{self, RankEvidence, has_words, told_by_spelling};
use crate::lexical::respell::{respellings, respelt_words};
use crate::lexical::search::{GOOD_SCORE, MIN_POOL, RESPELT_WEIGHT, SAME_NAME_SCORE};
use crate::lexical::{LexicalError, NameHit, Named};
use serde::de::DeserializeOwned;
use std::marker::PhantomData;
use std::sync::Arc;

/// Documents with the same name that are counted; beyond that, their number makes no difference.
const MAX_NAMESAKES: usize = 1_000;

impl RemoteNames {
    /// The documents whose names fit best, best first.
    ///
    /// # Errors
    /// When the server fails or is late.
    pub(crate) fn search<P: DeserializeOwned + Named>(
        &self,
        query: &NameQuery<'_>,
    ) -> Result<Vec<NameHit<P>>, LexicalError> {
        let pool = self.candidates::<P>(query)?;
        let evidence: Spelling<'_, P> =
            Spelling { found: &pool.records, words: told_by_spelling(query.text), payload: PhantomData };
        let hits = rank::best(&pool.scored(), query.limit, &evidence)?.into_iter();
        hits.filter_map(|hit| Some((pool.records.get(hit.row as usize)?, hit.score)))
            .map(|(found, score)| Ok(NameHit { record: serde_json::from_str(&found.record)?, score }))
            .collect()
    }

    /// How many documents have a name with the same words as the query, up to a thousand.
    ///
    /// # Errors
    /// When the server fails or is late.
    pub(crate) fn namesakes(&self, query: &NameQuery<'_>) -> Result<usize, LexicalError> {
        match self.plan(query)? {
            Some(plan) => Ok(self.server.count(self.part, &same_words(&plan, MAX_NAMESAKES))?),
            None => Ok(0),
        }
    }

    /// The search with what the server knows of its words; `None` when the text has no word.
    fn plan<'q>(&self, query: &'q NameQuery<'q>) -> Result<Option<SearchPlan<'q>>, LexicalError> {
        let (asked, _) = asked_words(query);
        let forms: Vec<String> = asked.iter().flat_map(|word| word.forms(query.alternatives)).collect();
        let words = self.words.fetch(&self.server, forms.iter().map(String::as_str))?;
        Ok(SearchPlan::new(&words, self.documents, query))
    }

    fn candidates<P: DeserializeOwned + Named>(&self, query: &NameQuery<'_>) -> Result<Pool, LexicalError> {
        let Some(mut plan) = self.plan(query)? else { return Ok(Pool::default()) };
        let size = MIN_POOL.max(query.limit * 4);
        let mut pool = Pool::new(plan.asked());
        let small = query.lenient && plan.has_small_words();
        let mut queries = vec![same_words(&plan, size), all_words(&plan, size), any_word(&plan, size)];
        queries.extend(small.then(|| with_small_words(&plan, size)));
        let found = self.server.search::<P>(self.part, &queries)?;
        let mut found = found.iter();
        let mut next = || found.next().map_or(&[][..], |found| found.as_slice());
        let (same, all, any, with_small) = (next(), next(), next(), next());
        pool.add(same);
        let enough = pool.at_least(SAME_NAME_SCORE);
        if enough >= query.limit && !(query.lenient && enough > query.limit / 2) {
            return Ok(pool);
        }
        let strict = if plan.all_known() { pool.add_whole(&plan, all) } else { 0 };
        if enough >= query.limit {
            return Ok(pool);
        }
        if query.strict {
            return Ok(if strict > 0 { pool } else { Pool::default() });
        }
        pool.add_whole(&plan, with_small);
        if strict > 0 && pool.at_least(pool.asked.best_without_a_word()) >= query.limit {
            return Ok(pool);
        }
        pool.add(any);
        self.add_alike::<P>(&mut plan, strict, size, &mut pool)?;
        if strict == 0 && pool.at_least(GOOD_SCORE) == 0 {
            self.add_respelt::<P>(query, &plan, &mut pool)?;
        }
        Ok(pool)
    }

    /// Adds documents with misspelt forms of words and completions, when those as written lead to few or none.
    fn add_alike<P: DeserializeOwned + Named>(
        &self,
        plan: &mut SearchPlan<'_>,
        strict: usize,
        size: usize,
        pool: &mut Pool,
    ) -> Result<(), LexicalError> {
        let few = plan.query.lenient && (1..plan.query.limit).contains(&strict);
        if strict > 0 && !few {
            return Ok(());
        }
        let written: Vec<String> = plan.words().into_iter().map(str::to_owned).collect();
        let written: Vec<&str> = written.iter().map(String::as_str).collect();
        let mut words = self.words.fetch(&self.server, written.iter().copied())?;
        words.add_similar(&self.words, &self.server, &written)?;
        plan.expand(&words, if few { Reach::Near } else { Reach::Far });
        let queries = match few {
            true => vec![all_words(plan, size)],
            false => vec![all_words(plan, size), any_word(plan, size)],
        };
        let found = self.server.search::<P>(self.part, &queries)?;
        if few {
            for found in &found {
                pool.add_whole(plan, found);
            }
        } else {
            pool.asked = plan.asked();
            found.iter().for_each(|found| pool.add(found));
        }
        Ok(())
    }

    /// Adds documents found by splitting the words in another way.
    fn add_respelt<P: DeserializeOwned + Named>(
        &self,
        query: &NameQuery<'_>,
        plan: &SearchPlan<'_>,
        pool: &mut Pool,
    ) -> Result<(), LexicalError> {
        let written = plan.words();
        let parts = respelt_words(&written);
        let words = self.words.fetch(&self.server, parts.iter().map(String::as_str))?;
        for text in respellings(&words, &written) {
            let respelt = query.for_text(&text);
            let Some(plan) = self.plan(&respelt)? else { continue };
            let all = self.server.search::<P>(self.part, &[all_words(&plan, query.limit * 4)])?;
            for found in all.iter().flat_map(|found| found.iter()).filter(|found| found.has_all(&plan)) {
                pool.add_as(found, plan.asked(), RESPELT_WEIGHT);
            }
        }
        Ok(())
    }

    /// The most prominent documents with a filter term.
    ///
    /// # Errors
    /// When the server fails or is late.
    pub(crate) fn best_with<P: DeserializeOwned + Named>(
        &self,
        filter: &str,
        limit: usize,
    ) -> Result<Vec<P>, LexicalError> {
        let query = WordQuery::new(&weights::one(keys::all_of(filter)), vec![keys::filter(filter)], limit);
        let found = self.server.search::<P>(self.part, &[query])?;
        let records = found.iter().flat_map(|found| found.iter());
        records.map(|found| Ok(serde_json::from_str(&found.record)?)).collect()
    }
}

fn filters(plan: &SearchPlan<'_>) -> Vec<i64> {
    plan.query.filters.iter().map(|filter| keys::filter(filter)).collect()
}

/// Documents with a name of the same words, in any order.
fn same_words(plan: &SearchPlan<'_>, size: usize) -> WordQuery {
    let mut wanted = filters(plan);
    wanted.push(keys::name(&plan.word_set()));
    WordQuery::new(&weights::of_all(plan), wanted, size)
}

/// Documents with the most of the words, whatever their rarity: those with all of them come first.
fn all_words(plan: &SearchPlan<'_>, size: usize) -> WordQuery {
    WordQuery::new(&weights::alike(plan), filters(plan), size)
}

/// The same with the function words.
fn with_small_words(plan: &SearchPlan<'_>, size: usize) -> WordQuery {
    WordQuery::new(&weights::of_all(plan), filters(plan), size)
}

/// Documents with any of the words, rare words first.
fn any_word(plan: &SearchPlan<'_>, size: usize) -> WordQuery {
    WordQuery::new(&weights::by_rarity(plan), filters(plan), size)
}

/// How candidates are spelt.
struct Spelling<'a, P> {
    found: &'a [Arc<FoundRecord>],
    /// The words of the question whose spelling is significant.
    words: Vec<&'a str>,
    payload: PhantomData<P>,
}

impl<P: DeserializeOwned + Named> RankEvidence for Spelling<'_, P> {
    fn is_as_written(&self, row: u64) -> Result<bool, LexicalError> {
        let Some(found) = self.found.get(row as usize).filter(|_| !self.words.is_empty()) else {
            return Ok(true);
        };
        let payload: P = serde_json::from_str(&found.record)?;
        Ok(payload.names().iter().any(|name| has_words(name, &self.words)))
    }

    /// Unknown: only the candidates are counted.
    fn documents(&self, _: &str) -> Result<u64, LexicalError> {
        Ok(0)
    }
}
