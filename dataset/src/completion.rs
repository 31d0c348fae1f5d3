//! Completion: names of which a beginning is known, and the term at the cursor of a query that is being written.
//!
//! What can stand at the cursor follows from the triple patterns around it: `eruca-sparql` reads them, [`Dataset::search_in`]
//! searches inside of them.

use super::lookup::LookupError;
use super::search_in::node;
use super::{Dataset, PatternError, PatternHits, PatternPlace, PatternSearch};
use eruca_indexer::{Entity, SchemaKind, SchemaTerm};
use eruca_language::text::{fold, humanize, words};
use eruca_sparql::{Prefixes, Term, UnfinishedTerm, local_name, unfinished_term};
use std::time::Duration;

/// Terms of a name that are looked for in a pattern.
const CANDIDATES: usize = 40;

/// The terms that can stand at the cursor of a query.
#[derive(Debug, Clone, PartialEq)]
pub struct TermCompletions {
    /// Names that begin with what was written first, then by the number of solutions.
    pub found: PatternHits,
    declared: Prefixes,
    prefixes: Prefixes,
}

impl TermCompletions {
    /// An IRI as the query can have it: with a prefix that it declares, else with one that needs no declaration, else in full.
    pub fn written(&self, iri: &str) -> String {
        self.declared.shorten(iri).unwrap_or_else(|| self.prefixes.compact(iri))
    }
}

impl Dataset {
    /// The terms that can stand at the cursor of an unfinished query, given the triple patterns around it; `at` is the number of
    /// characters before the cursor. `None` where no term of a triple pattern is being written, or the text around cannot be read.
    ///
    /// # Errors
    /// If the endpoint does not answer in `time`, or names cannot be looked up.
    pub async fn complete_term(
        &self,
        query: &str,
        at: usize,
        limit: usize,
        time: Duration,
    ) -> Result<Option<TermCompletions>, PatternError> {
        if query.len() > self.rules.policy.max_length {
            return Ok(None);
        }
        let Some(term) = unfinished_term(query, at, self.prefixes()) else { return Ok(None) };
        let UnfinishedTerm { name, namespace, pattern, variable, declared, prefixes } = term;
        let text = humanize(&name);
        let search = PatternSearch {
            pattern: &pattern,
            variable: &variable,
            text: Some(text.as_str()).filter(|text| !text.is_empty()),
            unfinished: true,
            namespace: namespace.as_deref(),
            limit,
        };
        let found = self.search_in(search, time).await?;
        Ok(Some(TermCompletions { found, declared, prefixes }))
    }

    /// Terms whose name completes the text, each with 0 where the whole name begins with it, and 1 where a word does.
    pub(super) async fn completed_terms(
        &self,
        text: &str,
        place: PatternPlace,
    ) -> Result<Vec<(Term, usize)>, LookupError> {
        let start = fold(text);
        let schema = |kind| {
            let terms = self.complete_schema(kind, text, CANDIDATES).into_iter();
            terms.filter_map(|term| Some((node(&term.iri)?, rank(names(self, term), &start)))).collect()
        };
        Ok(match place {
            PatternPlace::Predicate => schema(SchemaKind::Property),
            PatternPlace::Class => schema(SchemaKind::Class),
            PatternPlace::Node => {
                let entities = self.complete_entities(text, CANDIDATES).await?.into_iter();
                let entities = entities.filter_map(|entity| {
                    let labels = entity.labels.iter().map(|label| label.text.clone());
                    let names = labels.chain([entity.local_name.clone()]);
                    Some((node(&entity.iri)?, rank(names, &start)))
                });
                let values = self.values_like(text)?.into_iter();
                let values = values.map(|value| {
                    let name =
                        if let Term::Literal(literal) = &value { literal.value() } else { "" }.to_owned();
                    let rank = rank([name], &start);
                    (value, rank)
                });
                entities.chain(values).collect()
            }
        })
    }

    /// Classes or properties with a name that completes the text: names starting with it first, then the most used.
    pub fn complete_schema(&self, kind: SchemaKind, text: &str, limit: usize) -> Vec<&SchemaTerm> {
        let start = fold(text.trim());
        let mut found: Vec<(bool, u64, &SchemaTerm)> = Vec::new();
        for term in going_on(self, text).into_iter().filter(|term| term.kind == kind) {
            let begins = names(self, term).any(|name| fold(&name).starts_with(&start));
            found.push((begins, uses(self, term), term));
        }
        found.sort_by(|a, b| (b.0, b.1).cmp(&(a.0, a.1)).then_with(|| a.2.iri.cmp(&b.2.iri)));
        let of_owner = self.called_by_owner(kind, text, true);
        let terms = || self.index.names.terms.iter().filter(|term| term.kind == kind);
        let called = of_owner.iter().filter_map(|iri| terms().find(|term| term.iri == *iri));
        let mut all: Vec<&SchemaTerm> = called.collect();
        all.extend(
            found.into_iter().map(|(_, _, term)| term).filter(|term| !of_owner.contains(&term.iri.as_str())),
        );
        all.truncate(limit);
        all
    }

    /// Entities with a name that completes the text, then those with a name like it.
    ///
    /// # Errors
    /// When nothing can be looked up.
    pub async fn complete_entities(&self, text: &str, limit: usize) -> Result<Vec<Entity>, LookupError> {
        let mut found = self.things_of_owner(text, true)?;
        let named = self.index.entities.complete(text, limit)?.into_iter();
        let named: Vec<Entity> = named.filter(|new| found.iter().all(|known| known.iri != new.iri)).collect();
        found.extend(named);
        found.truncate(limit);
        if found.len() < limit {
            // For misspelled names, and those that only the Wikibase search knows.
            let alike = self.find_entities(text, None, limit).await?;
            let alike = alike.hits.into_iter().map(|hit| hit.record);
            let new: Vec<Entity> =
                alike.filter(|new| !found.iter().any(|known| known.iri == new.iri)).collect();
            found.extend(new);
            found.truncate(limit);
        }
        Ok(found)
    }
}

/// 0 if one of the names begins like this, otherwise 1.
fn rank(names: impl IntoIterator<Item = String>, start: &str) -> usize {
    usize::from(!names.into_iter().any(|name| fold(&name).starts_with(start)))
}

/// Terms whose names contain all words of the text, the last one as a prefix.
fn going_on<'a>(dataset: &'a Dataset, text: &str) -> Vec<&'a SchemaTerm> {
    let known = &dataset.index.names;
    let asked = words(text);
    let Some((last, before)) = asked.split_last() else { return Vec::new() };
    let typed = fold(text.get(last.span.0..last.span.1).unwrap_or_default());
    let holders = |fits: &dyn Fn(&str) -> bool| -> Vec<usize> {
        let fitting = known.words.iter().zip(&known.holders).filter(|(word, _)| fits(word));
        let mut terms: Vec<usize> = fitting.flat_map(|(_, terms)| terms.iter().copied()).collect();
        terms.sort_unstable();
        terms.dedup();
        terms
    };
    let mut terms = holders(&|word| word.starts_with(&typed) || word == last.text);
    for word in before {
        let with = holders(&|known| known == word.text);
        terms.retain(|term| with.binary_search(term).is_ok());
    }
    terms.into_iter().filter_map(|term| known.terms.get(term)).filter(|term| term.used).collect()
}

/// The labels of a class or property in all languages, and its local name.
fn names(dataset: &Dataset, term: &SchemaTerm) -> impl Iterator<Item = String> {
    let card = &dataset.index.card;
    let labels = match term.kind {
        SchemaKind::Class => card.class(&term.iri).map(|class| &class.labels),
        SchemaKind::Property => card.property(&term.iri).map(|property| &property.labels),
    };
    let local = humanize(local_name(&term.iri));
    labels.into_iter().flatten().map(|label| label.text.clone()).chain([local])
}

fn uses(dataset: &Dataset, term: &SchemaTerm) -> u64 {
    let card = &dataset.index.card;
    match term.kind {
        SchemaKind::Class => card.class(&term.iri).map_or(0, |class| class.instances_with_subclasses),
        SchemaKind::Property => card.property(&term.iri).map_or(0, |property| property.usage),
    }
}

#[cfg(test)]
mod tests;
