//! Times without a number: months of any year, the year of a time, start dates, sums of years, and ages of the dead.

use super::parts::{Node, Statement, constants_in, holds_call};
use super::{Audit, Doubt, Grounds, Part};
use crate::compose::ages::{holds_years, life_of};
use crate::meaning::{Base, Set};
use crate::question::Span;
use eruca_language::{CalendarUnit, Cue};
use eruca_sparql::Formula;

/// Where the year stands in a written time: the first character, and how many.
const YEAR: [&str; 2] = ["1", "4"];

impl Audit<'_, '_> {
    /// Enters months, and doubts uses of times that the words do not ask for.
    pub(super) fn times(&mut self) {
        self.months();
        self.years_shown();
        self.since_when();
        self.added_years();
        self.ages_of_the_dead();
    }

    /// "In May", where the month of a time is compared with its number.
    fn months(&mut self) {
        let question = &self.context.question;
        let words = (0_u16..).zip(&question.words);
        let months = words.filter_map(|(at, word)| Some((at, question.language.month(&word.folded)?)));
        let compared = |month: u8| {
            let number = month.to_string();
            self.parts.conditions.iter().any(|(formula, _)| {
                holds_call(formula, &["substr", "month"]) && constants_in(formula).contains(&number)
            })
        };
        let found: Vec<u16> = months.filter(|(_, month)| compared(*month)).map(|(at, _)| at).collect();
        for at in found {
            self.enter(Span { from: at, to: at + 1 }, Part::Comparison, Grounds::Exact);
        }
    }

    /// "In which year", where a column is the year of a time.
    fn years_shown(&mut self) {
        let parts = self.parts;
        let cut = |formula: &Formula| {
            let constants = constants_in(formula);
            holds_call(formula, &["substr"])
                && YEAR.iter().all(|place| constants.iter().any(|own| own == place))
        };
        let is_year = |formula: &Formula| {
            (holds_call(formula, &["year"]) || cut(formula))
                && parts.statements_in(formula).iter().any(|one| self.kind_of(&one.object).is_time())
        };
        let mut columns = parts.named.iter().filter(|(name, _)| parts.columns.contains(name));
        if !columns.any(|(_, formula)| is_year(formula)) {
            return;
        }
        let question = &self.context.question;
        let words = (0_u16..).zip(&question.words);
        let asked = words.filter(|(_, word)| question.language.is_year(&word.folded));
        let asked: Vec<u16> = asked.map(|(at, _)| at).collect();
        for at in asked {
            self.enter(Span { from: at, to: at + 1 }, Part::Computed, Grounds::Form);
        }
    }

    /// "Per decade", "per month": the words for a calendar unit that the query groups by.
    pub(super) fn per_unit(&self, each: Span) -> Option<Span> {
        let word = self.question().word(each.to)?;
        let cuts = match self.question().language.calendar_unit(&word.folded)? {
            CalendarUnit::Years(1) => return None,
            CalendarUnit::Years(_) => "floor",
            CalendarUnit::Month => "month",
        };
        let rows = !self.parts.groups.is_empty() && self.parts.calls(&[cuts]);
        rows.then_some(Span { to: each.to + 1, ..each })
    }

    /// "Since when is she mayor?" asks for the start of that role, not for an unrelated date such as her birth.
    fn since_when(&mut self) {
        let edge = |span: Span| {
            self.context.cues(Cue::Since).chain(self.context.cues(Cue::Until)).any(|own| span.contains(own))
        };
        let Some(span) = self.context.cues(Cue::When).find(|span| edge(*span)) else { return };
        let shown = self.parts.shown();
        let time = |statement: &&Statement| {
            matches!(&statement.object, Node::Variable(name) if shown.contains(name))
                && self.kind_of(&statement.object).is_time()
        };
        if self.parts.statements.iter().filter(time).any(|statement| !self.is_said(&statement.property)) {
            self.doubt(Doubt::Weak(span, self.said(span)));
        }
    }

    /// Doubts sums of years, which are not quantities, also in orders and conditions.
    fn added_years(&mut self) {
        let ordered = self.parts.orders.iter().map(|(formula, _)| formula);
        let compared = self.parts.conditions.iter().map(|(formula, _)| formula);
        let all = self.parts.aggregates.iter().chain(ordered).chain(compared);
        let sums = all.filter(|formula| holds_call(formula, &["sum"]));
        let mut added = sums.flat_map(|formula| self.parts.statements_in(formula));
        let is_year = |statement: &Statement| {
            let property = statement.property.as_str();
            let year = self.context.names_time(property) && holds_years(self.context, property);
            year || self.kind_of(&statement.object).is_time()
        };
        if added.any(is_year) {
            let all = self.question().all();
            self.doubt(Doubt::Dimension(all, self.said(all)));
        }
    }

    /// The dead do not get older: where the graph knows deaths, an age today must check that the person is alive.
    fn ages_of_the_dead(&mut self) {
        if !self.parts.calls(&["now"]) || !self.parts.statements.iter().any(|birth| self.may_be_dead(birth)) {
            return;
        }
        let question = self.question();
        let span = question.grades.first().map_or_else(|| question.all(), |grade| grade.span);
        self.doubt(Doubt::Form(span, self.said(span)));
    }

    /// Whether a statement gives a birth although the graph may know a death, which the query does not check.
    fn may_be_dead(&self, birth: &Statement) -> bool {
        let kind = self.kind_of(&birth.subject);
        let of = Set { base: Base::Any, kind, conditions: Vec::new(), rank: None };
        let Some((born, died)) = life_of(self.context, &of) else { return false };
        let Some(death) =
            died.last().filter(|_| born.last().is_some_and(|last| last.property == birth.property))
        else {
            return false;
        };
        let lives =
            matches!(&birth.subject, Node::Iri(iri) if self.context.links.has(iri, *death) == Some(false));
        !lives && !self.parts.statements.iter().any(|statement| statement.property == death.property)
    }
}
