//! Graph patterns: the triples and filters for the members of a set.

use super::times::Time;
use super::{Ties, alias, constant};
use crate::meaning::{Base, Column, ColumnFunction, Condition, Func, Operand, Set, Step};
use crate::schema::Schema;
use eruca_indexer::Collection;
use eruca_indexer::vocabulary::{RDF_FIRST, RDF_REST, RDF_TYPE};
use eruca_knowledge::{THIS, VALUE};
use eruca_language::text::{fold, humanize};
use eruca_sparql::local_name;
use std::rc::Rc;

/// Maximum length of a variable name.
const MAX_NAME: usize = 24;

/// A pattern under construction.
pub(super) struct Pattern<'s, 'k> {
    pub schema: &'s Schema<'k>,
    ties: Ties,
    lines: Vec<String>,
    taken: Vec<String>,
    /// End terms of steps, which columns may reuse.
    shared: Vec<(String, Step<'k>, String)>,
    columns: usize,
}

impl<'s, 'k> Pattern<'s, 'k> {
    pub fn new(schema: &'s Schema<'k>, ties: Ties) -> Self {
        Self { schema, ties, lines: Vec::new(), taken: Vec::new(), shared: Vec::new(), columns: 0 }
    }

    pub fn keeps_ties(&self) -> bool {
        self.ties == Ties::Kept
    }

    /// The pattern so far.
    pub fn text(&self) -> String {
        self.lines.join(" ")
    }

    pub fn push(&mut self, line: String) {
        if !self.lines.contains(&line) {
            self.lines.push(line);
        }
    }

    /// A nested pattern: returns what it writes; its variables do not clash with those outside.
    pub fn inside<R>(&mut self, write: impl FnOnce(&mut Self) -> R) -> (R, String) {
        let outer = std::mem::take(&mut self.lines);
        let shared = std::mem::take(&mut self.shared);
        let result = write(self);
        let text = std::mem::replace(&mut self.lines, outer).join(" ");
        self.shared = shared;
        (result, text)
    }

    /// An unused variable.
    pub fn fresh(&mut self, wanted: &str) -> String {
        let plain: String = fold(wanted)
            .chars()
            .map(|c| if c.is_ascii_alphanumeric() { c } else { '_' })
            .take(MAX_NAME)
            .collect();
        let plain = plain.trim_matches('_');
        let plain = if plain.starts_with(|c: char| c.is_ascii_alphabetic()) {
            plain.to_owned()
        } else {
            format!("x{plain}")
        };
        let name = (1..)
            .map(|number| if number == 1 { plain.clone() } else { format!("{plain}{number}") })
            .find(|name| !self.taken.contains(name))
            .unwrap_or_default();
        self.taken.push(name.clone());
        format!("?{name}")
    }

    fn variable(&mut self, set: &Set<'k>) -> String {
        let class = set.kind.classes().first().map_or("x", |class| local_name(class.trim_end_matches('/')));
        self.fresh(if set.kind.is_values() { "value" } else { class })
    }

    /// Writes the pattern for the members of a set; returns their term.
    pub fn members(&mut self, set: &Set<'k>) -> String {
        if let Some(constant) = constant(set) {
            return constant;
        }
        let term = match &set.base {
            Base::Things(things) if things.len() == 1 && set.rank.is_none() => {
                things.first().map_or_else(String::new, |one| format!("<{one}>"))
            }
            _ => self.variable(set),
        };
        match &set.rank {
            Some(rank) => self.ranked(&term, set, rank),
            None => self.meets(&term, set),
        }
        term
    }

    /// Writes that a term is a member of a set, ignoring its rank.
    pub fn meets(&mut self, term: &str, set: &Set<'k>) {
        match &set.base {
            Base::Any => self.of_pattern(term, set),
            Base::Class(class) => self.is_a(term, class),
            Base::Things(things) if term.starts_with('?') => {
                let all: Vec<String> = things.iter().map(|thing| format!("<{thing}>")).collect();
                self.push(format!("VALUES {term} {{ {} }}", all.join(" ")));
            }
            Base::Things(_) => {}
            Base::Values(values) => {
                let all: Vec<&str> = values.iter().map(Rc::as_ref).collect();
                self.push(format!("VALUES {term} {{ {} }}", all.join(" ")));
            }
        }
        for condition in &set.conditions {
            match all_of_its_kind(set, condition) {
                Some(settled) => self.condition(term, &settled),
                None => self.condition(term, condition),
            }
        }
    }

    fn is_a(&mut self, term: &str, class: &str) {
        let path = self.type_path(class);
        self.push(format!("{term} {path} <{class}> ."));
    }

    /// Writes the class that a pattern of the glossary is for, where no noun names one.
    fn of_pattern(&mut self, term: &str, set: &Set<'k>) {
        let named = set.conditions.iter().filter_map(|condition| match condition {
            Condition::Meets(pattern) => self.schema.pattern(pattern)?.of(),
            _ => None,
        });
        let classes: Vec<&str> = named.collect();
        classes.into_iter().for_each(|class| self.is_a(term, class));
    }

    /// Includes instances of subclasses, if there are any.
    fn type_path(&self, class: &str) -> String {
        let card = self.schema.index.card.class(class);
        // Without counts there may be subclasses.
        let below = card.is_none_or(|card| card.instances_with_subclasses > card.instances);
        self.schema.index.manifest.vocabulary.type_path(below)
    }

    /// Writes one step; returns its end term.
    pub fn step(&mut self, from: &str, step: Step<'k>, to: Option<String>, share: bool) -> String {
        let known = self
            .shared
            .iter()
            .find(|(start, known, _)| share && to.is_none() && start == from && *known == step);
        if let Some((_, _, end)) = known {
            return end.clone();
        }
        let to = to.unwrap_or_else(|| self.fresh(&humanize(local_name(step.property))));
        let (subject, object) = if step.forward { (from, to.as_str()) } else { (to.as_str(), from) };
        match self.schema.pattern(step.property) {
            Some(_) => self.fragment(step.property, subject, Some(object)),
            None => self.push(format!("{subject} {} {object} .", self.property(step.property))),
        }
        if !self.shared.iter().any(|(start, known, _)| start == from && *known == step) {
            self.shared.push((from.to_owned(), step, to.clone()));
        }
        to
    }

    /// Writes a pattern of the glossary; its other variables get names of their own.
    pub fn fragment(&mut self, name: &str, this: &str, value: Option<&str>) {
        let Some(known) = self.schema.pattern(name) else { return };
        let mut terms = vec![(THIS.to_owned(), this.to_owned())];
        terms.extend(value.map(|value| (VALUE.to_owned(), value.to_owned())));
        let text = known.pattern.fragment().written(|variable| {
            if let Some((_, term)) = terms.iter().find(|(own, _)| own == variable) {
                return term.clone();
            }
            let term = self.fresh(variable);
            terms.push((variable.to_owned(), term.clone()));
            term
        });
        self.push(text);
    }

    /// A property path to the members of the lists or containers that a property leads to.
    fn property(&self, property: &str) -> String {
        match self.schema.collects(property) {
            None => format!("<{property}>"),
            Some(Collection::List) => format!("<{property}>/<{RDF_REST}>*/<{RDF_FIRST}>"),
            Some(Collection::Container) => format!("<{property}>/!<{RDF_TYPE}>"),
        }
    }

    /// Writes a path; its end may be given.
    pub fn walk(&mut self, from: &str, path: &[Step<'k>], to: Option<String>, share: bool) -> String {
        let Some((last, before)) = path.split_last() else { return from.to_owned() };
        let mut at = from.to_owned();
        for step in before {
            at = self.step(&at, *step, None, share);
        }
        self.step(&at, *last, to, share)
    }

    /// Writes a column; returns its select expression, and whether it is an aggregate.
    pub fn column(&mut self, member: &str, column: &Column<'k>) -> (String, bool) {
        self.columns += 1;
        let number = self.columns;
        let write = |pattern: &mut Self| {
            let at = pattern.walk(member, &column.path, None, true);
            if let Some(of) = &column.of {
                pattern.meets(&at, of);
            }
            match column.what {
                ColumnFunction::Aggregate(_) if !column.then.is_empty() => {
                    pattern.reckoned(&at, &column.then)
                }
                ColumnFunction::Aggregate(_) => pattern.number(&at, column.path.last()),
                _ => pattern.walk(&at, &column.then, None, true),
            }
        };
        let end = match column.optional {
            true => {
                let (end, text) = self.inside(write);
                self.push(format!("OPTIONAL {{ {text} }}"));
                end
            }
            false => write(self),
        };
        self.selected(&end, column, number)
    }

    fn selected(&mut self, end: &str, column: &Column<'k>, number: usize) -> (String, bool) {
        let name = alias(column.what, number);
        match column.what {
            ColumnFunction::Value if end.starts_with('?') => (end.to_owned(), false),
            ColumnFunction::Value => {
                let name = self.fresh("thing");
                (format!("({end} AS {name})"), false)
            }
            ColumnFunction::Count => (format!("(COUNT(DISTINCT {end}) AS {name})"), true),
            ColumnFunction::Age => {
                let time = self.time(end.to_owned(), column.then.last().or(column.path.last()));
                (format!("({} AS {name})", time.years_until(&Time::now())), false)
            }
            ColumnFunction::Year => {
                let time = self.time(end.to_owned(), column.then.last().or(column.path.last()));
                self.push(format!("BIND({} AS {name})", time.year()));
                (name, false)
            }
            ColumnFunction::Era(years) => {
                let time = self.time(end.to_owned(), column.then.last().or(column.path.last()));
                self.push(format!("BIND({} AS {name})", time.era(years)));
                (name, false)
            }
            ColumnFunction::Month => {
                let time = self.time(end.to_owned(), column.then.last().or(column.path.last()));
                self.push(format!("BIND({} AS {name})", time.month()));
                (name, false)
            }
            ColumnFunction::Aggregate(func) => (format!("({}({end}) AS {name})", func.name()), true),
        }
    }
}

/// An average without a scope is over the class of the compared members.
fn all_of_its_kind<'k>(set: &Set<'k>, condition: &Condition<'k>) -> Option<Condition<'k>> {
    let Condition::Compare(measure, op, Operand::Overall(func, over)) = condition else { return None };
    let class = matches!(set.base, Base::Class(_)) && over.is_open() && over.conditions.is_empty();
    let all = Set { conditions: Vec::new(), rank: None, ..set.clone() };
    class.then(|| Condition::Compare(measure.clone(), *op, Operand::Overall(*func, Rc::new(all))))
}

impl Func {
    pub fn name(self) -> &'static str {
        match self {
            Self::Average => "AVG",
            Self::Sum => "SUM",
            Self::Maximum => "MAX",
            Self::Minimum => "MIN",
        }
    }
}
