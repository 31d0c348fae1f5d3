//! Queries over several endpoints ([SPARQL 1.1 Federated Query](https://www.w3.org/TR/sparql11-federated-query/)): what stands
//! in `SERVICE` goes to the member that it names, other triple patterns go to the home, and the rest is evaluated here.
//!
//! ```text
//! query ──► all of it asks one member ──► sent there as it is
//!       └─► parts (`gather`) ──► members, with the values that are known already (`known`) ──► VALUES ──► evaluated in memory
//! ```
//! Blank nodes of two parts are never the same. What a member cuts makes the answer incomplete. Uses the embedded engine for
//! the evaluation.

mod gather;
mod known;
#[cfg(test)]
mod tests;

use crate::embedded::EmbeddedStore;
use crate::query::algebra::{
    Node, pattern_of, pattern_of_mut, patterns_mut, patterns_within, walk, walk_from,
};
use crate::query::write::SparqlWriter;
use crate::{Answer, CheckedQuery, Incomplete, Limits, QueryError, SparqlEndpoint};
use async_trait::async_trait;
use gather::Gathering;
use spargebra::Query;
use spargebra::algebra::GraphPattern;
use spargebra::term::NamedNodePattern;
use std::sync::Arc;
use std::time::Instant;

/// Bytes by which the process may grow while the parts are joined.
const MAX_MEMORY: u64 = 1 << 30;

/// An endpoint that answers parts of queries.
#[async_trait]
pub trait FederationMember: Send + Sync {
    /// Runs a query within `limits`, after checking it by the member's own rules.
    ///
    /// # Errors
    /// Those of [`SparqlEndpoint::query`], and those of the check.
    async fn part(&self, query: &str, limits: Limits) -> Result<Arc<Answer>, QueryError>;
}

/// A part of a query that a member was asked for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FederationPart {
    /// The IRI of the member.
    pub service: String,
    /// The rows that it returned.
    pub rows: usize,
    /// The solutions of other parts that it was restricted to.
    pub restricted_to: Option<usize>,
}

/// Several endpoints as one.
pub struct FederatedEndpoint {
    name: String,
    /// By the IRI that names them in `SERVICE`, the home first.
    members: Vec<(String, Arc<dyn FederationMember>)>,
    is_own: bool,
}

impl FederatedEndpoint {
    /// An endpoint over members, each with the IRI that names it in `SERVICE`; the first one is the home. `is_own` tells
    /// whether all of them belong to this program.
    #[must_use]
    pub fn new(name: String, members: Vec<(String, Arc<dyn FederationMember>)>, is_own: bool) -> Self {
        Self { name, members, is_own }
    }

    /// The parts into which a query is split, in the order in which members are asked, with what each returned: they show why
    /// a query returns nothing.
    ///
    /// # Errors
    /// The errors of [`SparqlEndpoint::query`].
    pub async fn parts(
        &self,
        query: &CheckedQuery,
        limits: Limits,
    ) -> Result<Vec<FederationPart>, QueryError> {
        let mut gathering = Gathering::new(&self.members, limits);
        gathering.gather(pattern_of_mut(&mut query.algebra().clone())).await?;
        Ok(gathering.parts)
    }

    async fn joined(&self, query: &CheckedQuery, limits: Limits) -> Result<Answer, QueryError> {
        let until = Instant::now() + limits.timeout;
        let mut algebra = query.algebra().clone();
        if matches!(algebra, Query::Describe { .. }) {
            return refuse("DESCRIBE asks one dataset alone; use SELECT or CONSTRUCT".to_owned());
        }
        if algebra.dataset().is_some() {
            return refuse("FROM cannot stand beside SERVICE; put GRAPH into the SERVICE".to_owned());
        }
        let mut gathering = Gathering::new(&self.members, limits);
        gathering.gather(pattern_of_mut(&mut algebra)).await?;
        let left = Limits { timeout: until.saturating_duration_since(Instant::now()), ..limits };
        let mut answer = memory().evaluate(algebra, left).await?;
        known::restore_blank_nodes(&mut answer.results);
        answer.incomplete = gathering.cut.take().map(Incomplete::Endpoint).or(answer.incomplete);
        Ok(answer)
    }
}

#[async_trait]
impl SparqlEndpoint for FederatedEndpoint {
    async fn query(&self, query: &CheckedQuery, limits: Limits) -> Result<Answer, QueryError> {
        let start = Instant::now();
        let answer = match asked_alone(query.algebra()) {
            Some(Alone { service, text }) => {
                let (_, member) = member(&self.members, service.as_deref())?;
                let text = text.as_deref().unwrap_or(query.text());
                Arc::unwrap_or_clone(member.part(text, limits).await?)
            }
            None => self.joined(query, limits).await?,
        };
        Ok(Answer { elapsed: start.elapsed(), ..answer })
    }

    fn name(&self) -> &str {
        &self.name
    }

    fn is_own(&self) -> bool {
        self.is_own
    }
}

impl CheckedQuery {
    /// Whether the query has a SERVICE clause.
    #[must_use]
    pub fn calls_services(&self) -> bool {
        calls_service(pattern_of(self.algebra()))
    }
}

/// A store without triples, in which parts are joined.
fn memory() -> EmbeddedStore {
    EmbeddedStore::of_triples(Arc::default()).with_max_memory(Some(MAX_MEMORY))
}

fn refuse<T>(reason: String) -> Result<T, QueryError> {
    Err(QueryError::Refused { reason })
}

/// The members, each with the IRI that names it in SERVICE, the home first.
type Members = [(String, Arc<dyn FederationMember>)];

/// The member that SERVICE names, or the home.
fn member<'m>(
    members: &'m Members,
    service: Option<&str>,
) -> Result<&'m (String, Arc<dyn FederationMember>), QueryError> {
    let found = members.iter().find(|(iri, _)| service.is_none_or(|service| service == iri));
    found.map_or_else(
        || {
            let known: Vec<String> = members.iter().map(|(iri, _)| format!("<{iri}>")).collect();
            let asked = service.unwrap_or_default();
            refuse(format!("SERVICE <{asked}> is none of these datasets: {}", known.join(", ")))
        },
        Ok,
    )
}

/// A query that one member can answer alone.
struct Alone {
    /// Its IRI; `None` for the home.
    service: Option<String>,
    /// The text to send, if it is not that of the query.
    text: Option<String>,
}

/// Whether a query asks one member alone: it has no SERVICE, or everything that it asks stands in a single one.
fn asked_alone(query: &Query) -> Option<Alone> {
    let mut services = walk(query).filter(|(node, _)| matches!(node, Node::Service(_)));
    if services.next().is_none() {
        return Some(Alone { service: None, text: None });
    }
    if services.next().is_some() {
        return None;
    }
    let mut alone = query.clone();
    let service = without_service(pattern_of_mut(&mut alone))?;
    let asked_inside = patterns_within(&service.1).filter(|pattern| asks(pattern)).count();
    let asked = patterns_within(pattern_of(query)).filter(|pattern| asks(pattern)).count();
    (asked == asked_inside).then(|| Alone { text: Some(text_of(&alone)), service: Some(service.0) })
}

/// Puts what a SERVICE clause contains in its place; returns its IRI and content.
fn without_service(pattern: &mut GraphPattern) -> Option<(String, GraphPattern)> {
    if let GraphPattern::Service { name: NamedNodePattern::NamedNode(name), inner, silent: false } = pattern {
        let (name, inner) = (name.as_str().to_owned(), inner.as_ref().clone());
        *pattern = inner.clone();
        return Some((name, inner));
    }
    patterns_mut(pattern).into_iter().find_map(without_service)
}

/// Whether a pattern itself, without what is nested in it, asks a graph.
fn asks(pattern: &GraphPattern) -> bool {
    match pattern {
        GraphPattern::Bgp { patterns } => !patterns.is_empty(),
        GraphPattern::Path { .. } | GraphPattern::Graph { .. } => true,
        _ => false,
    }
}

/// Whether a pattern has a SERVICE clause at any depth.
fn calls_service(pattern: &GraphPattern) -> bool {
    walk_from(Node::Pattern(pattern)).any(|(node, _)| matches!(node, Node::Service(_)))
}

/// Whether a pattern or an expression asks a graph at any depth.
fn asks_graph(part: Node<'_>) -> bool {
    walk_from(part).any(|(node, _)| matches!(node, Node::Pattern(pattern) if asks(pattern)))
}

fn text_of(query: &Query) -> String {
    let writer = SparqlWriter::default();
    match query {
        Query::Select { dataset: None, pattern, .. } => writer.select(pattern),
        Query::Ask { dataset: None, pattern, .. } => format!("ASK WHERE {{ {} }}", writer.pattern(pattern)),
        other => other.to_string(),
    }
}
