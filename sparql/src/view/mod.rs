//! A view of a graph: what a query sees of it. Every query is rewritten before it runs, so that it behaves as if each triple with
//! a hidden IRI as subject, predicate or object were not there.
//!
//! ```text
//! CheckedQuery ─► rewrite (patterns: `guards` for variables, `paths`) ─► form (text) ─► parsed again ─► the endpoint
//!                                └─► closures: asked first whether something hidden stands in the middle of a path
//! ```
//! [`ViewEndpoint`] does this in front of any endpoint, so no way to the endpoint goes around it. The rewritten query is shown to
//! nobody, and error messages that name something hidden lose their words. Uses `query` for the algebra and its text.

mod endpoint;
mod form;
mod graphs;
mod guards;
mod hidden;
mod paths;
mod rewrite;
#[cfg(test)]
mod tests;

pub use endpoint::ViewEndpoint;
pub use hidden::HiddenTerms;

use crate::query::algebra::pattern_of;
use crate::{CheckedQuery, QueryError};
use oxrdf::NamedNode;
use rewrite::Rewriting;
use spargebra::Query;

/// What a query sees of a graph.
#[derive(Debug, Clone, Default)]
pub struct View {
    hidden: HiddenTerms,
    /// The only graphs; all, if there are none.
    graphs: Vec<NamedNode>,
}

/// A query as it runs.
#[derive(Debug)]
struct Restricted {
    query: CheckedQuery,
    /// Questions that must be answered with no before the query may run.
    checks: Vec<CheckedQuery>,
}

impl View {
    /// A view without what is hidden.
    #[must_use]
    pub fn without(hidden: HiddenTerms) -> Self {
        Self { hidden, graphs: Vec::new() }
    }

    /// A view of these named graphs alone: without FROM, their union is what is asked, and GRAPH ranges over them.
    #[must_use]
    pub fn of_graphs(graphs: &[String]) -> Self {
        let graphs = graphs.iter().map(|graph| NamedNode::new_unchecked(graph.as_str())).collect();
        Self { hidden: HiddenTerms::default(), graphs }
    }

    /// Whether everything is seen.
    #[must_use]
    pub fn is_whole(&self) -> bool {
        self.hidden.is_empty() && self.graphs.is_empty()
    }

    fn restricted(&self, query: &CheckedQuery) -> Result<Restricted, QueryError> {
        let limited = graphs::limited(query, &self.graphs)?;
        let query = limited.as_ref().unwrap_or(query);
        let mut rewriting = Rewriting::new(&self.hidden, query);
        let text = match query.algebra() {
            Query::Construct { template, .. } => {
                rewriting.refuse_template(template)?;
                let pattern = rewriting.whole(pattern_of(query.algebra()))?;
                form::construct(query.algebra(), template, &pattern)
            }
            Query::Describe { .. } => {
                let (template, pattern) = rewriting.described(pattern_of(query.algebra()))?;
                form::construct(query.algebra(), &template, &pattern)
            }
            other => form::text(other, &rewriting.whole(pattern_of(other))?),
        };
        let checks = rewriting.closures.iter().map(|closure| closure.check(query.algebra(), &self.hidden));
        Ok(Restricted {
            checks: checks.map(|text| CheckedQuery::written(&text)).collect::<Result<_, _>>()?,
            query: CheckedQuery::written(&text)?,
        })
    }
}

fn refuse<T>(reason: &str) -> Result<T, QueryError> {
    Err(QueryError::Refused { reason: reason.to_owned() })
}
