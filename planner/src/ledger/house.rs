//! What the owner of a graph says of the words: it is a proof.

use super::names::WHOLE_FIT;
use super::parts::Statement;
use super::{Audit, Auditor};
use crate::link::SchemaLink;
use crate::question::Span;
use eruca_knowledge::Meaning;
use eruca_language::Grade;

impl Auditor<'_> {
    /// Of competing properties, those that the owner of the graph means and those that they do not.
    pub(crate) fn preferences(&self) -> impl Iterator<Item = (&str, &[String])> {
        self.0.links.glossary.iter().filter_map(|hit| match &hit.entry.meaning {
            Meaning::Prefer { property, over } => Some((property.as_str(), over.as_slice())),
            _ => None,
        })
    }
}

impl<'k> Audit<'_, 'k> {
    /// Whether words name several properties in part, and the owner of the graph says which one is meant.
    pub(super) fn is_preferred(&self, link: &SchemaLink<'k>) -> bool {
        let links = || self.context.links.schema.iter();
        let others: Vec<&str> =
            links().filter(|other| other.span == link.span).map(|other| other.iri).collect();
        // "Date made" names the one that is not meant otherwise.
        let whole = |over: &[String]| {
            links().any(|other| {
                other.span != link.span
                    && other.span.contains(link.span)
                    && other.fit >= WHOLE_FIT
                    && over.iter().any(|known| known == other.iri)
            })
        };
        self.context.links.glossary.iter().any(|hit| match &hit.entry.meaning {
            Meaning::Prefer { property, over } => {
                property == link.iri
                    && !whole(over)
                    && over.iter().any(|known| others.contains(&known.as_str()))
            }
            _ => false,
        })
    }

    /// Whether the glossary has these words for a thing or a value.
    pub(super) fn is_of_glossary(&self, span: Span, meant: &str) -> bool {
        let mut hits = self.context.links.glossary.iter().filter(|hit| hit.span == Some(span));
        hits.any(|hit| match &hit.entry.meaning {
            Meaning::Thing(iri) => iri == meant,
            Meaning::Value { text, .. } => text == meant,
            _ => false,
        })
    }

    /// The properties by which the owner of the graph says that an adjective is measured for what a statement is about.
    pub(super) fn house_measures(&self, statement: &Statement, grade: &Grade) -> Vec<(String, bool)> {
        let kind = self.kind_of(&statement.subject);
        let found = self.context.house_measures(&kind, grade).into_iter();
        found.map(|(step, turned)| (step.property.to_owned(), turned)).collect()
    }
}
