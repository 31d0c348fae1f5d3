//! Measures as expressions, and the members with the greatest measure.

use super::pattern::Pattern;
use super::times::Time;
use crate::meaning::{Func, Joint, Measure, Path, Rank, Set, Step};
use crate::schema::Kind;
use eruca_indexer::ValueKind;

const XSD: &str = "http://www.w3.org/2001/XMLSchema#";

impl<'k> Pattern<'_, 'k> {
    /// Writes the patterns for a measure; returns its expression. Counts and aggregates require grouping by the term.
    pub fn measure(&mut self, term: &str, measure: &Measure<'k>) -> String {
        match measure {
            Measure::Value(path) => {
                if let Some(number) = self.quantity(term, path) {
                    return number;
                }
                let value = self.walk(term, path, None, true);
                self.comparable(&value, path.last())
            }
            Measure::Count(path, set) => {
                let end = self.walk(term, path, None, true);
                self.meets(&end, set);
                format!("COUNT(DISTINCT {end})")
            }
            Measure::Age(path) => self.time_of(term, path).years_until(&Time::now()),
            Measure::Years(from, to) => {
                let (from, to) = (self.time_of(term, from), self.time_of(term, to));
                from.years_until(&to)
            }
            Measure::YearsUntil(from, day) => self.time_of(term, from).years_until(&Time::day(day)),
            Measure::Aggregate(func, path) => {
                let value = self.reckoned(term, path);
                format!("{}({value})", func.name())
            }
            Measure::Year(path) => self.year(term, path),
            Measure::Formula(terms) => self.formula(term, terms),
        }
    }

    /// The year of a time, whatever its datatype.
    fn year(&mut self, term: &str, path: &Path<'k>) -> String {
        let time = self.time_of(term, path);
        match path.last().is_some_and(|last| self.schema.end(*last).is_number()) {
            true => time.text,
            false => time.year(),
        }
    }

    fn time_of(&mut self, term: &str, path: &Path<'k>) -> Time {
        let text = self.walk(term, path, None, true);
        self.time(text, path.last())
    }

    /// The years between two times.
    pub fn years_apart(
        &mut self,
        (one, from): (&str, &Measure<'k>),
        (other, to): (&str, &Measure<'k>),
    ) -> String {
        let time = |pattern: &mut Self, term: &str, measure: &Measure<'k>| match measure {
            Measure::Value(path) => pattern.time_of(term, path),
            _ => Time { text: pattern.measure(term, measure), days: false },
        };
        let (from, to) = (time(self, one, from), time(self, other, to));
        from.years_apart(&to)
    }

    /// A value to compare and order by: times of several datatypes are compared by a number made of year, month and day, and
    /// values that are not times are filtered out.
    fn comparable(&mut self, value: &str, step: Option<&Step<'k>>) -> String {
        let time = step.is_some_and(|step| self.schema.end(*step).is_time());
        if !time || self.datatypes(step).len() < 2 {
            return self.number(value, step);
        }
        self.push(format!("FILTER(REGEX(STR({value}), \"^-?[0-9]{{4}}\"))"));
        Time { text: value.to_owned(), days: false }.number()
    }

    fn formula(&mut self, term: &str, terms: &[(Joint, Path<'k>)]) -> String {
        let mut text = String::new();
        let mut below = false;
        for (joint, path) in terms {
            let value = self.reckoned(term, path);
            let sign = match joint {
                _ if text.is_empty() => "",
                Joint::Over if below => " * ",
                Joint::Over => " / (",
                Joint::Times => " * ",
                Joint::Minus => " - ",
            };
            below |= sign == " / (";
            text += &format!("{sign}{value}");
        }
        if below { format!("({text}))") } else { format!("({text})") }
    }

    /// Writes a path to a number; returns an expression to compute with.
    pub fn reckoned(&mut self, term: &str, path: &[Step<'k>]) -> String {
        self.quantity(term, path).unwrap_or_else(|| {
            let value = self.walk(term, path, None, true);
            self.number(&value, path.last())
        })
    }

    /// A value to compute with: numbers written as text are cast.
    pub fn number(&self, value: &str, step: Option<&Step<'k>>) -> String {
        match step.map(|step| self.schema.end(*step)) {
            Some(Kind::Values(ValueKind::NumberText)) => format!("<{XSD}decimal>(STR({value}))"),
            _ => value.to_owned(),
        }
    }

    pub fn is_number(&self, measure: &Measure<'k>) -> bool {
        match measure {
            Measure::Value(path) => path.last().is_some_and(|last| self.schema.end(*last).is_number()),
            _ => false,
        }
    }

    /// Writes an aggregate of a measure over a set; returns its variable.
    pub fn overall(&mut self, func: Func, set: &Set<'k>, measure: &Measure<'k>) -> String {
        let (value, text) = self.inside(|pattern| {
            let member = pattern.members(set);
            pattern.measure(&member, measure)
        });
        let name = self.fresh("overall");
        self.push(format!("{{ SELECT ({}({value}) AS {name}) WHERE {{ {text} }} }}", func.name()));
        name
    }

    /// Restricts a term to the top members of a set.
    pub fn ranked(&mut self, term: &str, set: &Set<'k>, rank: &Rank<'k>) {
        let free = Set { rank: None, ..set.clone() };
        if !rank.per.is_empty() {
            self.meets(term, &free);
            return self.greatest(term, &free, rank);
        }
        let (key, text) = self.inside(|pattern| {
            pattern.meets(term, &free);
            pattern.measure(term, &rank.by)
        });
        let group = if is_grouped(&rank.by) { format!(" GROUP BY {term}") } else { String::new() };
        let direction = if rank.down { "DESC" } else { "ASC" };
        let offset = if rank.skip > 0 { format!(" OFFSET {}", rank.skip) } else { String::new() };
        self.push(format!(
            "{{ SELECT {term} WHERE {{ {text} }}{group} ORDER BY {direction}({key}) LIMIT {}{offset} }}",
            rank.take
        ));
    }

    /// Writes that no member of a set has a greater measure than the term, which is in the set already.
    pub fn greatest(&mut self, term: &str, set: &Set<'k>, rank: &Rank<'k>) {
        let func = if rank.down { Func::Maximum } else { Func::Minimum };
        if !rank.per.is_empty() {
            let first = rank.take == 1 && rank.skip == 0 && !is_grouped(&rank.by);
            return if first {
                self.greatest_of_group(term, set, rank, func);
            } else {
                self.first_of_group(term, set, rank);
            };
        }
        if !is_grouped(&rank.by) {
            let best = self.overall(func, set, &rank.by);
            let own = self.measure(term, &rank.by);
            self.push(format!("FILTER({own} = {best})"));
            return;
        }
        let (own, best) = (self.fresh("number"), self.fresh("most"));
        let each = self.per_member(term, set, rank, &own);
        let (other, number) = (self.fresh("other"), self.fresh("its_number"));
        let others = self.per_member(&other, set, rank, &number);
        self.push(format!("{{ {each} }}"));
        self.push(format!("{{ SELECT ({}({number}) AS {best}) WHERE {{ {{ {others} }} }} }}", func.name()));
        self.push(format!("FILTER({own} = {best})"));
    }

    /// The same within each group that shares the end of a path.
    fn greatest_of_group(&mut self, term: &str, set: &Set<'k>, rank: &Rank<'k>, func: Func) {
        let group = self.walk(term, &rank.per, None, true);
        let own = self.measure(term, &rank.by);
        let (value, text) = self.inside(|pattern| {
            let member = pattern.members(set);
            pattern.walk(&member, &rank.per, Some(group.clone()), false);
            pattern.measure(&member, &rank.by)
        });
        let best = self.fresh("best");
        let head = format!("{group} ({}({value}) AS {best})", func.name());
        self.push(format!("{{ SELECT {head} WHERE {{ {text} }} GROUP BY {group} }}"));
        self.push(format!("FILTER({own} = {best})"));
    }

    /// The top members within each group that shares the end of a path: fewer than the given number are greater.
    fn first_of_group(&mut self, term: &str, set: &Set<'k>, rank: &Rank<'k>) {
        let group = self.walk(term, &rank.per, None, true);
        let own = self.single(term, &rank.by);
        let (other, place) = (self.fresh("other"), self.fresh("place"));
        let ((), better) = self.inside(|pattern| {
            pattern.meets(&other, set);
            pattern.walk(&other, &rank.per, Some(group.clone()), false);
            let its = pattern.single(&other, &rank.by);
            pattern.push(format!("FILTER({its} {} {own})", if rank.down { ">" } else { "<" }));
        });
        let own_text = self.text();
        self.push(format!(
            "{{ SELECT {term} {group} (COUNT(DISTINCT {other}) AS {place}) WHERE {{ {own_text} OPTIONAL {{ {better} }} }} GROUP BY {term} {group} }}"
        ));
        let from = if rank.skip > 0 { format!("{place} >= {} && ", rank.skip) } else { String::new() };
        self.push(format!("FILTER({from}{place} < {})", rank.skip + rank.take));
    }

    /// A measure as a single value per member: grouped ones become subqueries.
    pub fn single(&mut self, term: &str, measure: &Measure<'k>) -> String {
        if !is_grouped(measure) {
            return self.measure(term, measure);
        }
        let (key, text) = self.inside(|pattern| pattern.measure(term, measure));
        let name = self.fresh("worked_out");
        self.push(match term.starts_with('?') {
            true => format!("{{ SELECT {term} ({key} AS {name}) WHERE {{ {text} }} GROUP BY {term} }}"),
            false => format!("{{ SELECT ({key} AS {name}) WHERE {{ {text} }} }}"),
        });
        name
    }

    fn per_member(&mut self, term: &str, set: &Set<'k>, rank: &Rank<'k>, name: &str) -> String {
        let (key, text) = self.inside(|pattern| {
            pattern.meets(term, set);
            pattern.measure(term, &rank.by)
        });
        format!("SELECT {term} ({key} AS {name}) WHERE {{ {text} }} GROUP BY {term}")
    }
}

/// Whether a measure needs grouping by member.
pub(super) fn is_grouped(measure: &Measure<'_>) -> bool {
    matches!(measure, Measure::Count(..) | Measure::Aggregate(..))
}
