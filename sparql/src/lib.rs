//! Access to SPARQL endpoints: checked queries in, typed outcomes out.
//!
//! ```text
//! text ──► check (spargebra) ──► CheckedQuery ──► SparqlEndpoint ──► Answer | QueryError
//!                                                  ├─ embedded (Oxigraph), in this process or in workers
//!                                                  ├─ remote   (SPARQL 1.1 Protocol, dialects)
//!                                                  └─ federation (several of these, joined by SERVICE)
//! Triple ──► WorkingGraph (in memory, bounded) ──► Answer | Turtle
//! ```
//! This package does not depend on indexes, models or HTTP serving.
//!
//! Data from a graph or an endpoint must never cause a panic: unchecked indexing and slicing are denied here.
#![cfg_attr(not(any(test, fuzzing)), deny(clippy::indexing_slicing, clippy::string_slice))]

mod check;
mod datatypes;
mod dialect;
mod embedded;
mod error;
mod excess;
mod federation;
mod fence;
#[cfg(any(test, fuzzing))]
pub mod fuzzing;
mod offload;
pub mod outgoing;
mod proc_status;
pub mod proof;
mod query;
mod remote;
mod results;
#[cfg(unix)]
mod store_process;
mod terms;
mod turtle;
mod view;
mod working_graph;
mod xml;

pub use check::{CheckedQuery, QueryForm, QueryPolicy, UnfinishedTerm, check, unfinished_term};
pub use datatypes::{XSD, is_numeric_type};
pub use dialect::Dialect;
pub use embedded::{EmbeddedStore, StoreLoad};
pub use error::{QueryError, StoreError};
pub use excess::Excess;
pub use federation::{FederatedEndpoint, FederationMember, FederationPart};
pub use fence::{disarmed, one_line, quoted, unescaped};
pub use offload::offload;
pub use oxrdf::{BlankNode, Literal, NamedNode, Term, Triple};
pub use query::{
    Aggregate, Atom, AtomKind, BeyondLimit, Clause, Column, ColumnSource, Conjunction, Filter, Formula,
    Fragment, FragmentEdge, FragmentError, FragmentTerm, Group, GroupScope, Known, Place, QueryModel,
    Relaxed, Rewrite, Says, SortKey, VariableUse,
};
pub use remote::{Credentials, Method, RemoteEndpoint, RemoteOptions};
pub use results::{
    Answer, Export, ExportFormat, ExportOptions, Incomplete, Results, Solutions, TRIPLE, TableStyle,
    is_language_tag, literal_text, number_of, render_table, thousands, triple_terms,
};
pub use spargebra::term::TermPattern;
#[cfg(unix)]
pub use store_process::{WorkerOptions, WorkerStore, worker_process};
pub use terms::{ALL_BUT_UNRESERVED, CUT_MARK, Prefixes, RDF_TYPE, is_shown_whole, local_name, shown_iri};
pub use turtle::{Turtle, turtle};
pub use view::{HiddenTerms, View, ViewEndpoint};
pub use working_graph::{AddedTriples, WorkingGraph};
pub use xml::BoundedTags;

use async_trait::async_trait;
use std::time::Duration;

/// Limits of one query run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// Wall-clock time after which the query is cancelled.
    pub timeout: Duration,
    /// Maximum number of rows (or triples) kept; the rest is dropped and the answer is marked incomplete.
    pub max_rows: usize,
    /// Maximum bytes of result kept (approximate serialized size plus 16 per cell); the rest is dropped and the answer is
    /// marked incomplete.
    pub max_bytes: usize,
}

/// Something that answers SPARQL queries: the interface between Eruca and any triple store.
#[async_trait]
pub trait SparqlEndpoint: Send + Sync {
    /// Runs a checked query within `limits`.
    ///
    /// # Errors
    /// Every endpoint failure is a variant of [`QueryError`]; an empty result is not an error.
    async fn query(&self, query: &CheckedQuery, limits: Limits) -> Result<Answer, QueryError>;

    /// Display name: the endpoint's URL, or "embedded store".
    fn name(&self) -> &str;

    /// The engine's deviations from the SPARQL standard, as far as they are known so far.
    fn dialect(&self) -> &'static Dialect {
        Dialect::plain()
    }

    /// Whether the endpoint belongs to this program, so that queries put no load on other servers.
    fn is_own(&self) -> bool {
        false
    }

    /// How long a query has been running past its deadline, if it cannot be stopped and the overrun is significant.
    /// Overruns of a few milliseconds are not reported.
    fn overrun(&self) -> Option<Duration> {
        None
    }
}
