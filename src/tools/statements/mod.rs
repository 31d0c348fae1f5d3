//! Statements as nodes with ranks, qualifiers and references, for the tools: read from the endpoint, put into words, and
//! checks of queries about them. Knows the dataset; used only for graphs whose vocabulary has statements.

mod empty;
mod entry;
mod facts;
mod lines;
mod notes;
mod outline;
mod property;
mod read;
mod text;

pub(super) use empty::{StatementProbe, ended, rank_or_class};
pub(super) use entry::entry;
pub(super) use facts::{facts_of, owner_of, property_of, resolve_property};
pub(super) use notes::notes;
pub(super) use property::{example, of_property};

use eruca_indexer::vocabulary::{DERIVED_FROM, Namespaces, XSD};
use eruca_sparql::Term;

/// A statement about an entity.
#[derive(Debug, Clone)]
struct QualifiedStatement {
    /// Its node, which is never shown.
    node: String,
    /// The number of its property.
    property: u32,
    value: StatementValue,
    rank: ShownRank,
    qualifiers: Vec<(u32, StatementValue)>,
    /// Nodes of its references.
    references: Vec<String>,
    /// Whether it has the best rank among the entity's statements with this property.
    is_best: bool,
}

/// Ranks in the order in which statements are shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum ShownRank {
    Preferred,
    Normal,
    Deprecated,
}

/// A value of a statement or qualifier.
#[derive(Debug, Clone, PartialEq)]
enum StatementValue {
    Known {
        term: Term,
        /// The unit of a quantity.
        unit: Option<String>,
        /// The precision of a time, unless it is a day.
        precision: Option<u32>,
    },
    /// There is a value, but it is unknown.
    Unknown,
    /// There is no value.
    None,
}

impl StatementValue {
    fn of(term: &Term) -> Self {
        match term {
            Term::BlankNode(_) => Self::Unknown,
            Term::NamedNode(node) if Namespaces::is_unknown_value(node.as_str()) => Self::Unknown,
            term => Self::Known { term: term.clone(), unit: None, precision: None },
        }
    }

    fn time(&self) -> Option<&str> {
        match self {
            Self::Known { term: Term::Literal(literal), .. }
                if literal.datatype().as_str().strip_prefix(XSD) == Some("dateTime") =>
            {
                Some(literal.value())
            }
            _ => None,
        }
    }
}

impl QualifiedStatement {
    /// The latest time in its qualifiers, as a sortable key.
    fn latest(&self) -> Option<(bool, &str)> {
        let times = self.qualifiers.iter().filter_map(|(_, value)| value.time());
        times.map(|time| (!time.starts_with('-'), time)).max()
    }
}

/// Preferred ones first, deprecated ones last; within a rank, the latest first. Among qualifiers, times come first. Needed
/// because engines return rows in any order.
fn sort(statements: &mut [QualifiedStatement]) {
    for statement in statements.iter_mut() {
        statement
            .qualifiers
            .sort_by_cached_key(|(number, value)| (value.time().is_none(), *number, text::sort_key(value)));
        statement.references.sort();
    }
    statements.sort_by(|a, b| {
        let order = a.rank.cmp(&b.rank).then_with(|| b.latest().cmp(&a.latest()));
        order.then_with(|| text::sort_key(&a.value).cmp(&text::sort_key(&b.value)))
    });
}
