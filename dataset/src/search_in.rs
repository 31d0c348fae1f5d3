//! Search inside a pattern: which terms can take the place of a variable of some triple patterns, by name and by the
//! number of solutions. Names are searched in the index first, and only what the pattern allows is kept; what the index
//! does not have, and names that too many things have, are searched by the endpoint. The text may be the beginning of a name that is being written.
//!
//! The constrained search of GRASP (Walter and Bast, 2025).

use super::lookup::literal;
use super::{Dataset, LookupError};
use eruca_indexer::vocabulary::RDF_TYPE;
use eruca_language::text::name_key;
use eruca_sparql::{Answer, Atom, AtomKind, Literal, NamedNode, QueryError, Results, Term, quoted};
use std::time::{Duration, Instant};

/// Maximum length of a variable in a message, in characters.
const MAX_VARIABLE: usize = 60;
/// Candidates looked up by name.
const CANDIDATES: usize = 40;
/// Solutions counted when counting all of them takes too long.
const SAMPLE: usize = 20_000;
/// Properties by which the endpoint finds names.
const NAMES: &str = "<http://www.w3.org/2000/01/rdf-schema#label>|<http://www.w3.org/2004/02/skos/core#prefLabel>|\
                     <http://schema.org/name>|<https://schema.org/name>|<http://xmlns.com/foaf/0.1/name>|\
                     <http://purl.org/dc/terms/title>";

/// What a variable stands for in a pattern.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PatternPlace {
    /// A predicate.
    Predicate,
    /// The class of something.
    Class,
    /// Any other subject or object.
    Node,
}

/// A term that a pattern allows.
#[derive(Debug, Clone, PartialEq)]
pub struct PatternHit {
    /// The term; never a blank node.
    pub term: Term,
    /// Solutions of the pattern with it, within [`PatternHits::sampled`].
    pub solutions: u64,
}

/// The terms that a pattern allows at a place.
#[derive(Debug, Clone, PartialEq)]
pub struct PatternHits {
    /// What the variable stands for.
    pub place: PatternPlace,
    /// Best first: by name where a text was given, otherwise by the number of solutions. Of an unfinished text, names that begin
    /// with it come first, and equally good ones are in the order of their solutions.
    pub hits: Vec<PatternHit>,
    /// Whether there are more.
    pub more: bool,
    /// Only so many solutions were looked at, as there are too many of them.
    pub sampled: Option<usize>,
}

/// Why there are no hits.
#[derive(Debug, thiserror::Error)]
pub enum PatternError {
    /// The pattern cannot be read, or does not have the variable.
    #[error("{0}")]
    Pattern(String),
    /// The endpoint failed.
    #[error(transparent)]
    Query(#[from] QueryError),
    /// Names could not be looked up.
    #[error(transparent)]
    Lookup(#[from] LookupError),
}

/// A search inside a pattern.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PatternSearch<'a> {
    /// Triple patterns as they stand in WHERE, without its braces.
    pub pattern: &'a str,
    /// The variable, with or without its question mark.
    pub variable: &'a str,
    /// Words of the name; all terms without it.
    pub text: Option<&'a str>,
    /// Whether the text is being written: its last word may be the beginning of one.
    pub unfinished: bool,
    /// What the IRIs begin with.
    pub namespace: Option<&'a str>,
    /// Maximum number of hits.
    pub limit: usize,
}

impl Dataset {
    /// The terms that can take the place of a variable in a pattern.
    ///
    /// # Errors
    /// If the pattern cannot be read or does not have the variable, or if nothing can be looked up in time.
    pub async fn search_in(
        &self,
        search: PatternSearch<'_>,
        time: Duration,
    ) -> Result<PatternHits, PatternError> {
        let until = Instant::now() + time;
        let variable = search.variable.trim().trim_start_matches(['?', '$']);
        let search = PatternSearch { variable, ..search };
        let (place, class) = self.place(&search)?;
        let within = search.namespace.map(|start| starts(variable, start)).unwrap_or_default();
        let pattern = format!("{{ {} }} {within}", search.pattern);
        let Some(text) = search.text else { return self.counted(&search, place, &pattern, until).await };
        let candidates = self.candidates(text, &search, (place, class.as_deref())).await?;
        let is_listed = place != PatternPlace::Node || !self.is_crowded(text, class.as_deref());
        if !candidates.is_empty() && is_listed {
            let terms: Vec<String> = candidates.iter().map(|(term, _)| term.to_string()).collect();
            // VALUES go first, as not all engines move them.
            let matched = format!("VALUES ?{variable} {{ {} }} {{ {} }}", terms.join(" "), search.pattern);
            let mut found =
                self.counted(&PatternSearch { limit: CANDIDATES, ..search }, place, &matched, until).await?;
            if !found.hits.is_empty() {
                let rank = |hit: &PatternHit| candidates.iter().find(|(term, _)| *term == hit.term);
                found.hits.sort_by_key(|hit| rank(hit).map_or(usize::MAX, |(_, rank)| *rank));
                found.more |= found.hits.len() > search.limit;
                found.hits.truncate(search.limit);
                return Ok(found);
            }
        }
        let matched = format!("{pattern} {}", filter(variable, text));
        let mut found = self.counted(&search, place, &matched, until).await?;
        let wanted = name_key(text);
        let is_called = |hit: &PatternHit| match &hit.term {
            Term::NamedNode(node) => self.label(node.as_str()).is_some_and(|name| name_key(&name) == wanted),
            Term::Literal(_) | Term::BlankNode(_) => false,
        };
        found.hits.sort_by_key(|hit| !is_called(hit));
        Ok(found)
    }

    /// Whether more things have exactly this name than are looked up.
    fn is_crowded(&self, text: &str, class: Option<&str>) -> bool {
        self.index.entities.namesakes(text, class).is_ok_and(|all| all > CANDIDATES)
    }

    /// What the variable of a pattern stands for, and the class that it is an instance of there.
    fn place(&self, search: &PatternSearch<'_>) -> Result<(PatternPlace, Option<String>), PatternError> {
        let PatternSearch { pattern, variable, .. } = *search;
        if variable.is_empty() || !variable.chars().all(|c| c.is_alphanumeric() || c == '_') {
            let shown = quoted(variable, MAX_VARIABLE);
            return Err(PatternError::Pattern(format!("{shown} is no name of a variable")));
        }
        let query = self
            .check(&format!("SELECT * WHERE {{ {pattern} }}"))
            .map_err(|error| PatternError::Pattern(error.to_string()))?;
        let types = [RDF_TYPE, &self.vocabulary().type_property];
        let atoms = query.model().atoms.iter();
        let with_it = atoms.filter(|atom| atom.variables.iter().any(|name| name == variable));
        let class = with_it.clone().find_map(|atom| class_in(atom, variable, &types));
        // One atom that wants a predicate or a class decides.
        let place = with_it
            .map(|atom| place_in(atom, variable, &types))
            .min_by_key(|place| *place == PatternPlace::Node)
            .ok_or_else(|| {
                PatternError::Pattern(format!("the pattern does not have the variable ?{variable}"))
            })?;
        Ok((place, class))
    }

    /// Terms with a name like the text, each with its rank by name.
    async fn candidates(
        &self,
        text: &str,
        search: &PatternSearch<'_>,
        (place, class): (PatternPlace, Option<&str>),
    ) -> Result<Vec<(Term, usize)>, LookupError> {
        let completed = if search.unfinished { self.completed_terms(text, place).await? } else { Vec::new() };
        let mut found: Vec<(Term, usize)> = if completed.is_empty() {
            self.named_terms(text, place, class)
                .await?
                .into_iter()
                .enumerate()
                .map(|(rank, term)| (term, rank))
                .collect()
        } else {
            completed
        };
        if let Some(namespace) = search.namespace {
            found.retain(
                |(term, _)| matches!(term, Term::NamedNode(node) if node.as_str().starts_with(namespace)),
            );
        }
        Ok(found)
    }

    /// Terms with a name like a text, best first. Of a node with a class, its direct instances, if any has such a name.
    async fn named_terms(
        &self,
        text: &str,
        place: PatternPlace,
        class: Option<&str>,
    ) -> Result<Vec<Term>, LookupError> {
        Ok(match place {
            PatternPlace::Predicate => {
                let found = self.find_properties(text, CANDIDATES).await?;
                found.hits.iter().filter_map(|hit| node(&hit.iri)).collect()
            }
            PatternPlace::Class => {
                let found = self.find_classes(text, CANDIDATES).await?;
                found.hits.iter().filter_map(|hit| node(&hit.iri)).collect()
            }
            PatternPlace::Node => {
                let mut found = self.find_entities(text, class, CANDIDATES).await?;
                if found.hits.is_empty() && class.is_some() {
                    found = self.find_entities(text, None, CANDIDATES).await?;
                }
                let nodes = found.hits.iter().filter_map(|hit| node(&hit.record.iri));
                nodes.chain(self.values_like(text)?).collect()
            }
        })
    }

    /// Literals like a text, best first.
    pub(super) fn values_like(&self, text: &str) -> Result<Vec<Term>, LookupError> {
        let mut terms: Vec<Term> = Vec::new();
        for hit in self.index.values.search(text, None, CANDIDATES)? {
            let term = literal(&hit.record).map(Term::from).filter(|term| !terms.contains(term));
            terms.extend(term);
        }
        Ok(terms)
    }

    /// The terms of a variable in what is matched, by the number of solutions.
    async fn counted(
        &self,
        search: &PatternSearch<'_>,
        place: PatternPlace,
        matched: &str,
        until: Instant,
    ) -> Result<PatternHits, PatternError> {
        let PatternSearch { variable, limit, .. } = *search;
        let count = |matched: &str| {
            let fetched = limit + 1;
            self.check(&format!(
                "SELECT ?{variable} (COUNT(*) AS ?search_solutions) WHERE {{ {matched} FILTER(!isBlank(?{variable})) }} \
                 GROUP BY ?{variable} ORDER BY DESC(?search_solutions) ?{variable} LIMIT {fetched}"
            ))
        };
        let left = || until.saturating_duration_since(Instant::now());
        let (answer, sampled) = match self.run(&count(matched)?, left() / 2).await {
            Ok(answer) => (answer, None),
            Err(QueryError::Timeout { .. } | QueryError::TooLarge { .. }) => {
                let sample = format!("{{ SELECT ?{variable} WHERE {{ {matched} }} LIMIT {SAMPLE} }}");
                (self.run(&count(&sample)?, left()).await?, Some(SAMPLE))
            }
            Err(error) => return Err(error.into()),
        };
        self.fetch_names_of(&answer).await;
        let mut hits = hits(&answer);
        let more = hits.len() > limit;
        hits.truncate(limit);
        Ok(PatternHits { place, hits, more, sampled })
    }
}

/// What a variable stands for in an atom that has it.
fn place_in(atom: &Atom, variable: &str, types: &[&str]) -> PatternPlace {
    let is_object = atom.object_variable() == Some(variable);
    let is_end = is_object || atom.subject_variable() == Some(variable);
    match atom.predicates.last() {
        Some(predicate) if is_object && types.contains(&predicate.as_str()) => PatternPlace::Class,
        _ if !is_end && atom.kind == AtomKind::Triple => PatternPlace::Predicate,
        _ => PatternPlace::Node,
    }
}

/// The class of a variable by an atom that gives its type.
fn class_in(atom: &Atom, variable: &str, types: &[&str]) -> Option<String> {
    let gives_type = atom.predicates.first().is_some_and(|predicate| types.contains(&predicate.as_str()));
    let class = atom.object_iri().filter(|_| gives_type && atom.subject_variable() == Some(variable));
    class.map(str::to_owned)
}

pub(super) fn node(iri: &str) -> Option<Term> {
    NamedNode::new(iri).ok().map(Term::from)
}

/// The condition that an IRI begins like this.
fn starts(variable: &str, namespace: &str) -> String {
    format!("FILTER(STRSTARTS(STR(?{variable}), {}))", Literal::new_simple_literal(namespace))
}

/// The condition that a term or its name has a text.
fn filter(variable: &str, text: &str) -> String {
    let text = Literal::new_simple_literal(text.to_lowercase());
    format!(
        "FILTER(CONTAINS(LCASE(STR(?{variable})), {text}) || EXISTS {{ ?{variable} {NAMES} ?search_name \
         FILTER(CONTAINS(LCASE(STR(?search_name)), {text})) }})"
    )
}

fn hits(answer: &Answer) -> Vec<PatternHit> {
    let Results::Solutions(found) = &answer.results else { return Vec::new() };
    let hit = |row: &Vec<Option<Term>>| match row.as_slice() {
        [Some(term), Some(Term::Literal(count))] => {
            Some(PatternHit { term: term.clone(), solutions: count.value().parse().ok()? })
        }
        _ => None,
    };
    found.rows.iter().filter_map(hit).collect()
}
