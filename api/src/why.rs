//! Why a row is an answer.

use crate::ShownTerm;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// Why a row is an answer.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct Why {
    /// The row, from 0.
    pub row: usize,
    /// One sentence.
    pub text: String,
    /// What makes it an answer, in the order of the query.
    pub parts: Vec<Reason>,
    /// What could not be shown, and why.
    pub notes: Vec<String>,
}

/// One thing that makes a row an answer.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Reason {
    /// A statement of the graph.
    Triple {
        /// What it is about.
        subject: ShownTerm,
        /// The property.
        predicate: ShownTerm,
        /// The value.
        object: ShownTerm,
        /// Whether it is from an optional part of the query.
        optional: bool,
    },
    /// A path through the graph.
    Path {
        /// Where it begins.
        subject: ShownTerm,
        /// What it may be made of, in words.
        path: String,
        /// Where it ends.
        object: ShownTerm,
        /// One shortest way.
        triples: Vec<Vec<ShownTerm>>,
    },
    /// A condition.
    Condition {
        /// With the values put in.
        words: String,
        /// Whether it is met.
        holds: bool,
    },
    /// What was searched and not found.
    Absent {
        /// In words.
        words: String,
        /// In SPARQL with prefixed names.
        pattern: String,
    },
    /// What a number is made of.
    Members {
        /// The aggregate in words.
        of: String,
        /// `count`, `sum`, `avg`, `min`, `max`, `sample`, `group_concat`.
        function: String,
        /// The first members.
        members: Vec<Vec<ShownTerm>>,
        /// The statements that make each of them a member.
        triples: Vec<Vec<Vec<ShownTerm>>>,
        /// How many of them are shown.
        shown: usize,
        /// How many there are; absent when that could not be found out.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        total: Option<usize>,
        /// The value over all members.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        value: Option<ShownTerm>,
        /// Why the first member is one.
        #[schema(no_recursion)]
        example: Vec<Reason>,
    },
    /// The place of the row in an order.
    Rank {
        /// In words.
        words: String,
        /// From 1; absent when it could not be found out.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        place: Option<usize>,
    },
    /// Which one of several alternatives is true.
    Either {
        /// In words.
        words: String,
    },
    /// A value that the query contains or computes.
    Named {
        /// In words.
        words: String,
    },
    /// An optional part of the query that has no match.
    OptionalMissing {
        /// In words.
        words: String,
    },
}

impl Why {
    /// All terms in it, to be given their names.
    pub fn terms_mut(&mut self) -> Vec<&mut ShownTerm> {
        terms(&mut self.parts)
    }
}

fn terms(parts: &mut [Reason]) -> Vec<&mut ShownTerm> {
    let mut found = Vec::new();
    for part in parts {
        match part {
            Reason::Triple { subject, predicate, object, .. } => found.extend([subject, predicate, object]),
            Reason::Path { subject, object, triples, .. } => {
                found.extend([subject, object]);
                found.extend(triples.iter_mut().flatten());
            }
            Reason::Members { members, triples, value, example, .. } => {
                found.extend(members.iter_mut().flatten());
                found.extend(triples.iter_mut().flatten().flatten());
                found.extend(value);
                found.extend(terms(example));
            }
            _ => {}
        }
    }
    found
}
