//! Computed numbers: "the highest and the average price" asks for two numbers; "how many episodes" may be one stored number.

use super::parts::{Node, Statement, holds_call};
use super::{Audit, Doubt};
use crate::question::{CueAt, Span};
use eruca_language::text::normalize_word;
use eruca_language::{AnswerKind, Cue};

impl Audit<'_, '_> {
    /// Doubts queries that compute something other than the words ask for, or something that the graph states directly.
    pub(super) fn computed(&mut self) {
        self.several_numbers();
        self.stated_numbers();
    }

    /// Doubts queries with fewer numbers than the words join by "and".
    fn several_numbers(&mut self) {
        let all = &self.context.question.cues;
        let computing = all.iter().filter(|cue| computes(cue.cue));
        let asked: Vec<&CueAt> = computing.filter(|cue| !self.is_named(cue.span)).collect();
        let joined = |first: &CueAt, second: &CueAt| {
            self.context.cues(Cue::And).any(|and| first.span.to <= and.from && and.to <= second.span.from)
                && first.cue != second.cue
        };
        let Some(last) = asked
            .windows(2)
            .filter_map(|pair| joined(pair.first()?, pair.last()?).then_some(pair.last()?))
            .next_back()
        else {
            return;
        };
        if self.parts.columns.len() < 2 {
            self.doubt(Doubt::Form(last.span, self.said(last.span)));
        }
    }

    /// A count may also be stated as a number: of the seventy episodes of a series, the graph may contain two.
    fn stated_numbers(&mut self) {
        let counts = self.parts.aggregates.iter().filter(|formula| holds_call(formula, &["count"]));
        let counted: Vec<&Statement> = counts
            .flat_map(|formula| self.parts.statements_in(formula))
            .filter(|one| self.names_owner(one))
            .collect();
        let asked = self.context.cues(Cue::HowMany).map(|cue| Span { from: cue.to, to: cue.to + 1 });
        let stated: Vec<Span> = asked
            .filter(|noun| counted.iter().any(|statement| self.states_number(statement, *noun)))
            .collect();
        for noun in stated {
            self.doubt(Doubt::Weak(noun, self.said(noun)));
        }
    }

    fn names_owner(&self, statement: &Statement) -> bool {
        match &statement.subject {
            Node::Iri(_) => true,
            Node::Variable(name) => self.parts.values_of(name).next().is_some(),
            Node::Literal(_) => false,
        }
    }

    /// Whether an attribute of the same thing is named as the number of what a noun names.
    fn states_number(&self, statement: &Statement, noun: Span) -> bool {
        let context = self.context;
        let noun = normalize_word(&self.said(noun));
        let called = |property: &str| {
            context.names_of(property).iter().flatten().any(|word| normalize_word(word) == noun)
        };
        let is_number = |property: &str| {
            context.schema.forward(property).is_some_and(|step| context.schema.end(step).is_number())
        };
        let attributes = context.schema.attributes(&self.kind_of(&statement.subject));
        attributes.iter().any(|(property, _)| {
            is_number(property)
                && context.names_kind(property, AnswerKind::Number)
                && called(property)
                && !self.lacks(&statement.subject, property)
        })
    }
}

fn computes(cue: Cue) -> bool {
    matches!(cue, Cue::Average | Cue::Sum | Cue::Maximum | Cue::Minimum)
}
