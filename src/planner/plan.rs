//! A query before it is text: typed nodes, links between them, attributes, filters, columns.

use super::intent::{Func, Like, Op};
use eruca_indexer::ValueKind;

/// A resource in the pattern.
#[derive(Debug, Clone, PartialEq, Default)]
pub(super) struct Node {
    /// Its class, if known.
    pub class: Option<String>,
    /// Whether the class is stated in the query.
    pub typed: bool,
    /// The entities it may be; empty for any.
    pub fixed: Vec<String>,
    /// The negated part it stands in; 0 for none.
    pub scope: usize,
}

/// A triple between two nodes.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Link {
    pub from: usize,
    pub property: String,
    pub to: usize,
    pub scope: usize,
}

/// A literal of a node.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct AttrVar {
    pub node: usize,
    pub property: String,
    pub kind: ValueKind,
    pub scope: usize,
    /// Rows without it are kept.
    pub optional: bool,
}

/// What an attribute is compared with.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Rhs {
    Number(String),
    /// A year, compared with the year of a date.
    Year(String),
    /// Literals in SPARQL's spelling; any of them.
    Literals(Vec<String>),
    /// A function of the property over all instances of a class.
    Overall(Func, Option<String>, String),
    Attr(usize),
    Text(Like, String),
}

#[derive(Debug, Clone, PartialEq)]
pub(super) struct Filter {
    pub attr: usize,
    pub op: Op,
    pub rhs: Rhs,
    pub scope: usize,
    /// Filters of the same choice above 0 are alternatives.
    pub choice: usize,
}

/// What stands in a column, an order, or a condition on groups.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Expr {
    Node(usize),
    Attr(usize),
    CountNode(usize),
    CountAttr {
        attr: usize,
        distinct: bool,
    },
    CountRows,
    Function(Func, usize),
    Minus(usize, usize),
    /// Attributes joined by operators: one fewer operators than attributes.
    Formula(Vec<usize>, Vec<char>),
}

impl Expr {
    pub(super) fn is_aggregate(&self) -> bool {
        matches!(self, Self::CountNode(_) | Self::CountAttr { .. } | Self::CountRows | Self::Function(..))
    }
}

#[derive(Debug, Clone, PartialEq)]
pub(super) struct Having {
    pub expr: Expr,
    pub op: Op,
    pub number: String,
}

/// A query.
#[derive(Debug, Clone, PartialEq, Default)]
pub(super) struct Plan {
    pub nodes: Vec<Node>,
    pub links: Vec<Link>,
    pub attrs: Vec<AttrVar>,
    pub filters: Vec<Filter>,
    pub ask: bool,
    pub columns: Vec<Expr>,
    /// Further keys of groups that are no columns.
    pub keys: Vec<Expr>,
    pub having: Vec<Having>,
    /// Keys with their direction: true for the largest first.
    pub orders: Vec<(Expr, bool)>,
    pub limit: Option<u32>,
    pub offset: u32,
    /// Nodes of which each pair is wanted once.
    pub different: Vec<(usize, usize)>,
    /// Of dates in the columns the years are wanted.
    pub years: bool,
    /// Count the groups that are left instead of showing them.
    pub count_groups: bool,
}

impl Plan {
    pub(super) fn node(&mut self, node: Node) -> usize {
        self.nodes.push(node);
        self.nodes.len() - 1
    }

    /// The attribute of a node; the same one for the same property, unless `fresh`.
    pub(super) fn attr(&mut self, node: usize, property: &str, kind: ValueKind, scope: usize) -> usize {
        let same = |attr: &AttrVar| attr.node == node && attr.property == property && attr.scope == scope;
        self.attrs.iter().position(same).unwrap_or_else(|| {
            let property = property.to_owned();
            self.attrs.push(AttrVar { node, property, kind, scope, optional: false });
            self.attrs.len() - 1
        })
    }

    /// Whether nothing of the graph is in the pattern.
    pub(super) fn is_empty(&self) -> bool {
        self.links.is_empty()
            && self.attrs.is_empty()
            && !self.nodes.iter().any(|node| node.typed || !node.fixed.is_empty())
    }

    pub(super) fn is_grouped(&self) -> bool {
        self.columns.iter().any(Expr::is_aggregate)
            || self.orders.iter().any(|(key, _)| key.is_aggregate())
            || !self.having.is_empty()
    }
}
