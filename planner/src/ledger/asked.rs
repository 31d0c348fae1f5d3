//! The query must return what the question asks for: the noun after "which", "how many" or a command.

use super::parts::{Node, Statement};
use super::{Audit, Doubt, Entry, Grounds, Part};
use crate::link::{Evidence, SchemaLink};
use crate::question::{CueAt, Span, WordKind};
use crate::schema::Kind;
use eruca_indexer::SchemaKind;
use eruca_language::Cue;

/// Minimum fit for a word to be the whole name of a class.
const WHOLE_FIT: f32 = 0.85;

impl<'k> Audit<'_, 'k> {
    /// Doubts queries that do not return what is asked for: the first noun after "which", "how many" or a command.
    pub(super) fn asked(&mut self, cues: &[CueAt]) {
        if self.parts.asks || self.context.question.asks_yes_or_no() {
            return;
        }
        let Some(at) = self.asked_noun(cues) else { return };
        let span = Span { from: at, to: at + 1 };
        if self.is_of_other_class(span) || self.is_part_of_other_name(at) {
            self.doubt(Doubt::NotReturned(span, self.said(span)));
            return;
        }
        let terms: Vec<String> = self
            .entries
            .iter()
            .filter(|entry| entry.span.has(at))
            .filter_map(|entry| match &entry.part {
                Part::Term(iri) => Some(iri.clone()),
                _ => None,
            })
            .collect();
        if !terms.is_empty() && !terms.iter().any(|iri| self.is_returned(iri)) {
            self.doubt(Doubt::NotReturned(span, self.said(span)));
        }
    }

    /// Whether the requested class occurs only as part of a name: a "shop manager" does not make shops an answer.
    fn is_part_of_other_name(&self, at: u16) -> bool {
        let written_as_name = self.question().word(at).is_some_and(|word| word.capital);
        let partly = |entry: &Entry| {
            matches!(entry.part, Part::Thing(_) | Part::Value(_)) && entry.right == Grounds::NamePart
        };
        let named = || self.entries.iter().filter(|entry| entry.span.has(at));
        !written_as_name && named().next().is_some() && named().all(partly)
    }

    /// Whether the word is the exact name of a class that no shown node can belong to.
    fn is_of_other_class(&self, span: Span) -> bool {
        let (context, parts) = (self.context, self.parts);
        // A question for names shows what has them.
        if context.cues(Cue::NameOf).any(|name| name.contains(span)) {
            return false;
        }
        let exact = |link: &&SchemaLink<'k>| {
            link.kind == SchemaKind::Class
                && link.span == span
                && link.evidence <= Evidence::Exact
                && link.fit >= WHOLE_FIT
        };
        let is_class = |link: &&SchemaLink<'k>| context.schema.pattern(link.iri).is_none();
        let named = context.links.schema.iter().filter(exact).filter(is_class);
        let classes: Vec<Kind<'k>> = named.map(|link| Kind::class(link.iri)).collect();
        let other = |column: &String| {
            let kind = self.kind_of(&Node::Variable(column.clone()));
            let apart = |class: &Kind<'k>| !context.schema.compatible(&kind, class);
            matches!(kind, Kind::Classes(_)) && classes.iter().all(apart)
        };
        !classes.is_empty() && !parts.columns.is_empty() && parts.columns.iter().all(other)
    }

    /// The first noun that says what is wanted; an owner before a possessive ending is skipped.
    fn asked_noun(&self, cues: &[CueAt]) -> Option<u16> {
        let question = &self.context.question;
        let asking = |cue: &&CueAt| {
            matches!(cue.cue, Cue::Which | Cue::HowMany | Cue::Count | Cue::WhatIs | Cue::Command)
        };
        let other = cues.iter().any(|cue| {
            matches!(cue.cue, Cue::When | Cue::Where | Cue::Who | Cue::How | Cue::HowMuch)
                && cue.span.from == 0
        });
        if other
            && !cues.iter().any(|cue| cue.span.from == 0 && matches!(cue.cue, Cue::WhatIs | Cue::HowMany))
        {
            return None;
        }
        let from = cues.iter().filter(asking).map(|cue| cue.span.to).min().unwrap_or(0);
        let graded = |at: u16| question.grades.iter().any(|grade| grade.span.has(at));
        let noun = |at: &u16| {
            question.word(*at).is_some_and(|word| word.kind == WordKind::Noun)
                && !graded(*at)
                && !question.is_possessive(at + 1)
                && self.right_at(*at).is_some()
        };
        // A class name directly after "which" is what is asked for, whatever else the word may mean: "which ride".
        let class = |part: &Part| matches!(part, Part::Term(iri) if self.context.schema.class(iri).is_some());
        let named = |at: u16| self.entries.iter().any(|entry| entry.span.has(at) && class(&entry.part));
        let asks = cues.iter().any(|cue| cue.cue == Cue::Which && cue.span.to == from);
        match asks && named(from) {
            true => Some(from),
            false => (from..question.len() as u16).find(noun),
        }
    }

    /// Whether a column shows, counts or aggregates a class or property.
    fn is_returned(&self, iri: &str) -> bool {
        let parts = self.parts;
        let shown = parts.shown();
        let is_shown = |node: &Node| matches!(node, Node::Variable(name) if shown.contains(name));
        let typed = parts
            .classes
            .iter()
            .any(|(node, class, _)| class == iri && (is_shown(node) || self.is_named_by(node, &shown)));
        let valued = |statement: &Statement| {
            // The commanders of vessels are not vessels.
            let of_value = is_shown(&statement.subject)
                && (!matches!(self.kind_of(&statement.object), Kind::Classes(_))
                    || !matches!(statement.object, Node::Variable(_))
                    || self.context.names_owner_behind(iri));
            statement.property == iri
                && (is_shown(&statement.object) || of_value || self.goes_on(&statement.object, &shown))
        };
        let is_one = |name: &String| self.is_of(&Node::Variable(name.clone()), iri);
        typed
            || shown.iter().any(is_one)
            || parts.statements.iter().any(valued)
            || shown.iter().any(|name| parts.values_of(name).any(|term| term.to_string().contains(iri)))
            || parts.columns.is_empty()
    }

    /// Whether the name of a node is shown in its place.
    fn is_named_by(&self, node: &Node, shown: &[String]) -> bool {
        self.parts.statements.iter().any(|statement| {
            statement.subject == *node
                && matches!(&statement.object, Node::Variable(name) if shown.contains(name))
                && self.is_naming(&statement.property)
        })
    }

    /// Whether a value of an unnamed node is shown in its place.
    fn goes_on(&self, node: &Node, shown: &[String]) -> bool {
        let attributes = self.context.schema.attributes(&self.kind_of(node));
        let named = attributes.iter().any(|(property, _)| self.is_naming(property));
        self.parts.statements.iter().any(|statement| {
            statement.subject == *node
                && (!named || self.is_naming(&statement.property))
                && matches!(&statement.object, Node::Variable(name) if shown.contains(name))
        })
    }
}
