//! Numbers with units: the query may contain them converted to the unit of the graph's numbers.

use super::parts::{Node, Statement};
use super::{Audit, Doubt, Grounds, Part};
use crate::meaning::Step;
use crate::question::{Numeral, Span};
use crate::units::{Scale, Unit};

/// Maximum number of words in a unit.
const MAX_WORDS: u16 = 3;

impl<'k> Audit<'_, 'k> {
    /// Enters a number and its unit if the query compares with the converted number: 2 km as 2000 where the graph uses metres.
    pub(super) fn converted(&mut self, numeral: &Numeral) {
        let Some((span, unit)) = self.unit_behind(numeral.span.to) else { return };
        let constants = self.parts.constants();
        let held = |factor: f64| {
            let value = numeral.value * factor;
            let near = |text: &String| {
                text.parse::<f64>().is_ok_and(|own| (own - value).abs() <= 1e-9 * value.abs().max(1.0))
            };
            constants.iter().any(near)
        };
        if self.factors(unit).into_iter().any(held) {
            self.enter(numeral.span, Part::Comparison, Grounds::Exact);
            self.enter(span, Part::Comparison, Grounds::Dimension);
        }
    }

    fn unit_behind(&self, at: u16) -> Option<(Span, &'static Unit)> {
        let question = self.question();
        let words = (1..=MAX_WORDS).rev().filter(|words| usize::from(at + words) <= question.len());
        words.map(|words| Span { from: at, to: at + words }).find_map(|span| {
            let unit = Unit::find(question.text_of(span))?;
            Some((span, unit))
        })
    }

    /// The conversion factor for each of the numbers that the query compares.
    fn factors(&self, unit: &Unit) -> Vec<f64> {
        let compared =
            self.parts.conditions.iter().flat_map(|(formula, _)| self.parts.statements_in(formula));
        compared
            .filter_map(|statement| self.scale_of(statement))
            .filter(|scale| scale.dimension() == Some(unit.dimension))
            .filter_map(|scale| match scale {
                Scale::Unsaid => None,
                Scale::One(own) => Some(unit.factor / own.factor),
                _ => Some(unit.factor),
            })
            .collect()
    }

    /// The unit of the numbers that a statement leads to, through a quantity node if there is one.
    fn scale_of(&self, statement: &Statement) -> Option<Scale<'k>> {
        let schema = &self.context.schema;
        let last = schema.forward(&statement.property)?;
        let leads = |other: &&Statement| {
            other.object == statement.subject && matches!(other.object, Node::Variable(_))
        };
        let before =
            self.parts.statements.iter().find(leads).and_then(|other| schema.forward(&other.property));
        let path: Vec<Step<'k>> = before.into_iter().chain([last]).collect();
        Some(schema.scale(&path))
    }

    /// Doubts an order over numbers in units that cannot be converted, such as euros and francs, unless the query is limited to
    /// one unit.
    pub(super) fn amounts(&mut self) {
        let parts = self.parts;
        let orders = parts.orders.iter().map(|(formula, _)| formula);
        let conditions = parts.conditions.iter().map(|(formula, _)| formula);
        let held = orders.chain(&parts.aggregates).chain(conditions);
        let mixed = |statement: &&Statement| match self.scale_of(statement) {
            Some(Scale::Beside { units, dimension: None, money: true, .. }) => {
                !parts.statements.iter().any(|other| {
                    other.subject == statement.subject
                        && units.iter().any(|unit| *unit == other.property)
                        && !matches!(other.object, Node::Variable(_))
                })
            }
            Some(Scale::Written { dimension: None, .. }) => true,
            _ => false,
        };
        let statements: Vec<&Statement> =
            held.flat_map(|formula| parts.statements_in(formula)).filter(mixed).collect();
        for property in statements.into_iter().map(|statement| statement.property.clone()) {
            let names = self.entries.iter().find(|entry| entry.part == Part::Term(property.clone()));
            let span = names.map_or(self.question().all(), |entry| entry.span);
            self.doubt(Doubt::Dimension(span, self.said(span)));
        }
    }
}
