//! Why a row is an answer, on the wire.

use super::ShownTermDto;
use crate::why::{ReasonPart, Why};
use eruca_sparql::Term;
use serde::Serialize;
use std::collections::BTreeMap;
use utoipa::ToSchema;

/// Why a row is an answer.
#[derive(Debug, Clone, PartialEq, Serialize, ToSchema)]
#[schema(as = Why)]
pub struct WhyDto {
    /// The row, from 0.
    pub row: usize,
    /// One sentence.
    pub text: String,
    /// What makes it an answer, in the order of the query.
    pub parts: Vec<ReasonDto>,
    /// What could not be shown, and why.
    pub notes: Vec<String>,
}

/// One thing that makes a row an answer.
#[derive(Debug, Clone, PartialEq, Serialize, ToSchema)]
#[serde(tag = "kind", rename_all = "snake_case")]
#[schema(as = Reason)]
pub enum ReasonDto {
    /// A statement of the graph.
    Triple {
        /// What it is about.
        subject: ShownTermDto,
        /// The property.
        predicate: ShownTermDto,
        /// The value.
        object: ShownTermDto,
        /// Whether it is from an optional part of the query.
        optional: bool,
    },
    /// A path through the graph.
    Path {
        /// Where it begins.
        subject: ShownTermDto,
        /// What it may be made of, in words.
        path: String,
        /// Where it ends.
        object: ShownTermDto,
        /// One shortest way.
        triples: Vec<Vec<ShownTermDto>>,
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
        members: Vec<Vec<ShownTermDto>>,
        /// The statements that make each of them a member.
        triples: Vec<Vec<Vec<ShownTermDto>>>,
        /// How many of them are shown.
        shown: usize,
        /// How many there are; absent when that could not be found out.
        #[serde(skip_serializing_if = "Option::is_none")]
        total: Option<usize>,
        /// The value over all members.
        #[serde(skip_serializing_if = "Option::is_none")]
        value: Option<ShownTermDto>,
        /// Why the first member is one.
        #[schema(no_recursion)]
        example: Vec<ReasonDto>,
    },
    /// The place of the row in an order.
    Rank {
        /// In words.
        words: String,
        /// From 1; absent when it could not be found out.
        #[serde(skip_serializing_if = "Option::is_none")]
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

impl WhyDto {
    /// The reasons with the names of what stands in them.
    pub fn new(why: Why, labels: &BTreeMap<String, String>) -> Self {
        let Why { row, text, parts, notes } = why;
        Self { row, text, parts: reasons(parts, labels), notes }
    }
}

fn reasons(parts: Vec<ReasonPart>, labels: &BTreeMap<String, String>) -> Vec<ReasonDto> {
    parts.into_iter().map(|part| reason(part, labels)).collect()
}

fn reason(part: ReasonPart, labels: &BTreeMap<String, String>) -> ReasonDto {
    let term = |term: &Term| ShownTermDto::new(term, labels);
    let row = |row: &[Term]| row.iter().map(term).collect::<Vec<_>>();
    match part {
        ReasonPart::Triple { triple: [subject, predicate, object], optional } => ReasonDto::Triple {
            subject: term(&subject),
            predicate: term(&predicate),
            object: term(&object),
            optional,
        },
        ReasonPart::Path { subject, path, object, triples } => ReasonDto::Path {
            subject: term(&subject),
            path,
            object: term(&object),
            triples: triples.iter().map(|triple| row(triple)).collect(),
        },
        ReasonPart::Condition { words, holds } => ReasonDto::Condition { words, holds },
        ReasonPart::Absent { words, pattern } => ReasonDto::Absent { words, pattern },
        ReasonPart::Members { of, function, members, triples, total, value, example } => ReasonDto::Members {
            of,
            function,
            shown: members.len(),
            members: members.iter().map(|member| row(member)).collect(),
            triples: triples.iter().map(|one| one.iter().map(|triple| row(triple)).collect()).collect(),
            total,
            value: value.as_ref().map(term),
            example: reasons(example, labels),
        },
        ReasonPart::Rank { words, place } => ReasonDto::Rank { words, place },
        ReasonPart::Either { words } => ReasonDto::Either { words },
        ReasonPart::Named { words } => ReasonDto::Named { words },
        ReasonPart::OptionalMissing { words } => ReasonDto::OptionalMissing { words },
    }
}
