//! Expands unnamed nodes into their parts: wraps the query of an answer, whatever it contains.

use eruca_indexer::vocabulary::{RDF, RDF_FIRST, RDF_REST, RDF_TYPE};
use eruca_sparql::local_name;
use std::fmt::Write;

/// A query with its columns, and the column whose nodes are expanded.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Opaque<'a> {
    pub query: &'a str,
    pub columns: &'a [String],
    pub node: &'a str,
    /// Whether the column has other values as well, which are kept.
    pub mixed: bool,
}

/// A property of the nodes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Part {
    pub property: String,
    /// Whether every node has it.
    pub always: bool,
}

/// How nodes are expanded.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Opened {
    /// The members of a list, in order.
    Members,
    /// The members of a container, in order.
    Contained,
    /// A column for each of these.
    Parts(Vec<Part>),
}

impl Opaque<'_> {
    /// A query for the nodes' properties, the sort of their values (1: literals, 2: IRIs, 3: blank nodes), and their number.
    pub fn properties(self) -> String {
        let [part, of, sort, holders] = ["part", "of", "sort", "holders"].map(|name| self.free(name, &[]));
        let node = self.node;
        format!(
            "SELECT ?{part} ?{sort} (COUNT(DISTINCT ?{node}) AS ?{holders}) WHERE {{ {{ {} }} ?{node} ?{part} ?{of} . \
             FILTER(?{part} != <{RDF_TYPE}>) BIND(IF(ISLITERAL(?{of}), 1, IF(ISIRI(?{of}), 2, 3)) AS ?{sort}) }} \
             GROUP BY ?{part} ?{sort}",
            self.query
        )
    }

    /// The query with the nodes replaced by their parts.
    pub fn opened(self, opened: &Opened) -> String {
        match opened {
            Opened::Members => self.members(),
            Opened::Contained => self.contained(),
            Opened::Parts(parts) => self.parts(parts),
        }
    }

    fn parts(self, parts: &[Part]) -> String {
        let mut pattern = String::new();
        let mut shown: Vec<String> = Vec::new();
        for Part { property, always } in parts {
            let name = self.free(local_name(property.trim_end_matches('/')), &shown);
            let line = format!("?{} <{property}> ?{name} .", self.node);
            let _ =
                if *always { write!(pattern, " {line}") } else { write!(pattern, " OPTIONAL {{ {line} }}") };
            shown.push(name);
        }
        format!("SELECT DISTINCT {} WHERE {{ {{ {} }}{pattern} }}", self.head(&shown), self.query)
    }

    fn members(self) -> String {
        let [cell, tail] = ["cell", "tail"].map(|name| self.free(name, &[]));
        let member = self.free("member", &[]);
        let head = self.head(std::slice::from_ref(&member));
        let node = self.node;
        format!(
            "SELECT {head} WHERE {{ {{ {} }} ?{node} <{RDF_REST}>* ?{cell} . ?{cell} <{RDF_FIRST}> ?{member} . \
             ?{cell} <{RDF_REST}>* ?{tail} . }} GROUP BY {head} ?{node} ?{cell} ORDER BY ?{node} DESC(COUNT(?{tail}))",
            self.query
        )
    }

    fn contained(self) -> String {
        let [place, member] = ["place", "member"].map(|name| self.free(name, &[]));
        let head = self.head(std::slice::from_ref(&member));
        let node = self.node;
        format!(
            "SELECT {head} WHERE {{ {{ {} }} ?{node} ?{place} ?{member} . FILTER(STRSTARTS(STR(?{place}), \"{RDF}_\")) }} \
             ORDER BY ?{node} STRLEN(STR(?{place})) STR(?{place})",
            self.query
        )
    }

    /// The columns, with the nodes' column replaced.
    fn head(self, shown: &[String]) -> String {
        let names = self.columns.iter().flat_map(|column| {
            let (own, others) = match column == self.node {
                true => (self.mixed, shown),
                false => (true, &[][..]),
            };
            own.then_some(column).into_iter().chain(others)
        });
        names.map(|name| format!("?{name}")).collect::<Vec<_>>().join(" ")
    }

    /// A variable name not used by any column.
    fn free(self, wanted: &str, others: &[String]) -> String {
        let plain: String = wanted.chars().filter(char::is_ascii_alphanumeric).collect();
        let plain =
            if plain.starts_with(|c: char| c.is_ascii_alphabetic()) { plain } else { format!("x{plain}") };
        let is_free = |name: &String| !self.columns.contains(name) && !others.contains(name);
        let names = (1..).map(|number| if number == 1 { plain.clone() } else { format!("{plain}{number}") });
        names.into_iter().find(is_free).unwrap_or_default()
    }
}
