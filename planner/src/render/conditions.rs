//! Conditions as triples and filters.

use super::pattern::Pattern;
use super::{constant, quoted};
use crate::meaning::{Condition, Like, Measure, Op, Operand, Path, Set};
use eruca_indexer::Collection;
use eruca_indexer::vocabulary::{RDF, RDF_FIRST, RDF_REST};
use std::rc::Rc;

impl Op {
    pub fn sign(self) -> &'static str {
        match self {
            Self::Equal => "=",
            Self::Less => "<",
            Self::AtMost => "<=",
            Self::Greater => ">",
            Self::AtLeast => ">=",
        }
    }
}

impl<'k> Pattern<'_, 'k> {
    /// Writes the patterns and filters of a condition on a term.
    pub fn condition(&mut self, term: &str, condition: &Condition<'k>) {
        match condition {
            Condition::Joined(path, set) => self.joined(term, path, set),
            Condition::Not(inner) => {
                let ((), text) = self.inside(|pattern| pattern.condition(term, inner));
                self.push(format!("FILTER NOT EXISTS {{ {text} }}"));
            }
            Condition::Either(all) => {
                let parts: Vec<String> = all
                    .iter()
                    .map(|one| format!("{{ {} }}", self.inside(|pattern| pattern.condition(term, one)).1))
                    .collect();
                self.push(parts.join(" UNION "));
            }
            Condition::Compare(Measure::Count(path, set), op, Operand::Number(number)) => {
                self.count(term, path, set, (*op, number));
            }
            Condition::Compare(measure, op, against) => self.compare(term, measure, *op, against),
            Condition::Like(path, like, text) => self.like(term, path, *like, text),
            Condition::Other(things) => {
                let all: Vec<String> = things.iter().map(|thing| format!("<{thing}>")).collect();
                self.push(format!("FILTER({term} NOT IN ({}))", all.join(", ")));
            }
            Condition::Meets(pattern) => self.fragment(pattern, term, None),
            Condition::Placed(property, place, set) => self.placed(term, property, *place, set),
            Condition::Only(path, set) => self.only(term, path, set),
            Condition::Every(path, set) => self.every(term, path, set),
            Condition::Same(path, set) => {
                let other = self.members(set);
                let shared = self.walk(&other, path, None, false);
                self.walk(term, path, Some(shared), false);
                self.push(format!("FILTER({term} != {other})"));
            }
        }
    }

    pub(super) fn joined(&mut self, term: &str, path: &Path<'k>, set: &Rc<Set<'k>>) {
        if let (true, Some(rank)) = (path.is_empty(), &set.rank) {
            self.ranked(term, set, rank);
        } else if path.is_empty() {
            self.meets(term, set);
        } else if let Some(constant) = constant(set) {
            self.walk(term, path, Some(constant), false);
        } else if set.rank.is_some() {
            let end = self.members(set);
            self.walk(term, path, Some(end), false);
        } else {
            let end = self.walk(term, path, None, false);
            self.meets(&end, set);
        }
    }

    /// Writes that a term has a position in a list or container.
    fn placed(&mut self, term: &str, property: &str, place: u32, set: &Rc<Set<'k>>) {
        let owner = self.members(set);
        let path = match self.schema.collects(property) {
            Some(Collection::Container) => format!("/<{RDF}_{place}>"),
            _ => {
                format!("{}/<{RDF_FIRST}>", format!("/<{RDF_REST}>").repeat(place.saturating_sub(1) as usize))
            }
        };
        self.push(format!("{owner} <{property}>{path} {term} ."));
    }

    /// Writes that the number of members reached compares as stated.
    fn count(&mut self, term: &str, path: &Path<'k>, set: &Rc<Set<'k>>, (op, number): (Op, &str)) {
        let (end, text) = self.inside(|pattern| {
            let end = pattern.walk(term, path, None, false);
            pattern.meets(&end, set);
            end
        });
        let sign = op.sign();
        match term.starts_with('?') {
            true => self.push(format!(
                "{{ SELECT {term} WHERE {{ {text} }} GROUP BY {term} HAVING (COUNT(DISTINCT {end}) {sign} {number}) }}"
            )),
            false => {
                let count = self.fresh("count");
                self.push(format!(
                    "{{ SELECT (COUNT(DISTINCT {end}) AS {count}) WHERE {{ {text} }} }} FILTER({count} {sign} {number})"
                ));
            }
        }
    }

    fn compare(&mut self, term: &str, measure: &Measure<'k>, op: Op, against: &Operand<'k>) {
        let value = match (measure, against) {
            // Whether a time is in a period is decided on its lexical form.
            (Measure::Value(path), Operand::Period { .. } | Operand::Month(_)) => {
                let value = self.walk(term, path, None, true);
                self.number(&value, path.last())
            }
            _ => self.single(term, measure),
        };
        let sign = op.sign();
        let test = match against {
            Operand::Number(number) => format!("{value} {sign} {number}"),
            Operand::Range(from, to) => format!("{value} >= {from} && {value} <= {to}"),
            Operand::Period { from, to } => self.within(&value, measure, op, (from, to)),
            Operand::Month(month) => {
                format!(
                    "<http://www.w3.org/2001/XMLSchema#integer>(SUBSTR(STR({value}), 6, 2)) {sign} {month}"
                )
            }
            Operand::Thing(set, other) => {
                let thing = self.members(set);
                let known = self.single(&thing, other);
                format!("{value} {sign} {known}")
            }
            Operand::Overall(func, set) => {
                let overall = self.overall(*func, set, measure);
                format!("{value} {sign} {overall}")
            }
            Operand::Own(other) => {
                let known = self.measure(term, other);
                format!("{value} {sign} {known}")
            }
        };
        self.push(format!("FILTER({test})"));
    }

    /// A time before, in or after a period: whole years are compared as numbers, which works for dates, years and texts.
    fn within(&self, value: &str, measure: &Measure<'k>, op: Op, (from, to): (&str, &str)) -> String {
        let whole_years = from.ends_with("-01-01") && to.ends_with("-12-31");
        if !whole_years {
            let day = format!("SUBSTR(STR({value}), 1, 10)");
            return spanned(&day, op, (&quoted(from), &quoted(to)));
        }
        let year = |day: &str| {
            let year = day.rsplitn(3, '-').nth(2).unwrap_or(day);
            year.parse::<i32>().map_or_else(|_| year.to_owned(), |year| year.to_string())
        };
        let step = match measure {
            Measure::Value(path) => path.last(),
            _ => None,
        };
        let value = match self.is_number(measure) {
            true => value.to_owned(),
            false => self.time(value.to_owned(), step).year(),
        };
        spanned(&value, op, (&year(from), &year(to)))
    }

    fn like(&mut self, term: &str, path: &Path<'k>, like: Like, text: &str) {
        let value = self.walk(term, path, None, false);
        let function = match like {
            Like::Is => {
                return self.push(format!("FILTER(LCASE(STR({value})) = {})", quoted(&text.to_lowercase())));
            }
            Like::Contains => "CONTAINS",
            Like::Begins => "STRSTARTS",
            Like::Ends => "STRENDS",
        };
        self.push(format!("FILTER({function}(LCASE(STR({value})), {}))", quoted(&text.to_lowercase())));
    }
}

fn spanned(value: &str, op: Op, (from, to): (&str, &str)) -> String {
    match op {
        Op::Less => format!("{value} < {from}"),
        Op::AtMost => format!("{value} <= {to}"),
        Op::Greater => format!("{value} > {to}"),
        Op::AtLeast => format!("{value} >= {from}"),
        Op::Equal if from == to => format!("{value} = {from}"),
        Op::Equal => format!("{value} >= {from} && {value} <= {to}"),
    }
}
