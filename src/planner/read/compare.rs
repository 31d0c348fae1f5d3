//! Comparisons and numbers.

use super::{NEAR, Reader};
use crate::planner::intent::{Attr, Bound, Column, Func, Op, Test};
use crate::planner::units::Kind;
use eruca_indexer::lexicon::{Cue, Degree, Gradable, measure};

/// Years that numbers of four digits may be.
const YEARS: std::ops::RangeInclusive<u32> = 1000..=2100;

impl Reader<'_> {
    /// A comparison phrase; what it compares stands before it, behind its number, or follows from an adjective.
    pub(super) fn comparison(&mut self, cue: Cue) {
        let at = self.at + 1;
        if let Some(func) = self.overall(at) {
            return self.compare_overall(op_of(cue), func);
        }
        // "above age 20": the attribute stands before its number.
        if let (Some(item), Some(_)) = (self.item_at(at), self.number_at(at + 1))
            && self.can_be_property(item)
        {
            self.property = Some((item, at));
            self.intent.seen.push((item, at, self.scope));
        }
        let from = if self.property.is_some_and(|(_, place)| place == at) { at + 1 } else { at };
        let ahead = (from..from + 3).find(|at| self.number_at(*at).is_some() || self.item_at(*at).is_some());
        let Some((number, place)) = ahead.and_then(|at| Some((self.number_at(at)?, at))) else {
            return;
        };
        let mut op = op_of(cue);
        if let Some(parts) = self.base_measure(place) {
            self.at = place + 1;
            return self.within_base(parts, &number);
        }
        if self.is_or_more(place + 1) {
            op = op.or_equal();
        }
        self.compare_number(op, number, place, matches!(cue, Cue::After | Cue::Before));
    }

    /// "above the average", "than the average age": the function, if one follows.
    fn overall(&self, from: usize) -> Option<Func> {
        for at in from..from + 3 {
            match self.kind(at)? {
                Kind::Cue(Cue::Average) => return Some(Func::Average),
                Kind::Cue(Cue::Maximum) => return Some(Func::Maximum),
                Kind::Cue(Cue::Minimum) => return Some(Func::Minimum),
                Kind::Grade(grade) if grade.degree == Degree::Superlative => {
                    return Some(if grade.up { Func::Maximum } else { Func::Minimum });
                }
                Kind::Word | Kind::Cue(_) => {}
                _ => return None,
            }
        }
        None
    }

    fn compare_overall(&mut self, op: Op, func: Func) {
        let before = self.property.take();
        let ahead = self.next_item(self.at + 1, NEAR).filter(|(item, _)| self.can_be_property(*item));
        let attr = match (before, ahead) {
            (_, Some((item, at))) => {
                self.at = at + 1;
                Attr::Item(item)
            }
            (Some((item, _)), None) => {
                self.at += 3;
                Attr::Item(item)
            }
            (None, None) => {
                self.at += 3;
                self.graded_before().unwrap_or(Attr::Unknown { near: self.at })
            }
        };
        self.condition(Test::Compare { attr, op, bound: Bound::Overall(func) });
    }

    /// A comparative just before: "older than".
    fn graded_before(&self) -> Option<Attr> {
        (1..=2).find_map(|back| match self.kind(self.at.checked_sub(back)?)? {
            Kind::Grade(grade) if !grade.nouns.is_empty() => Some(attr_of(grade, None)),
            _ => None,
        })
    }

    /// "2014 or after", "5 or more": the bound itself counts.
    fn is_or_more(&self, from: usize) -> bool {
        let or = self.cue_at(from) == Some(Cue::Or);
        let more = matches!(self.cue_at(from + 1), Some(Cue::After | Cue::Before | Cue::Greater | Cue::Less))
            || matches!(self.kind(from + 1), Some(Kind::Grade(grade)) if grade.degree == Degree::Comparative);
        self.cue_at(from) == Some(Cue::AtLeast) || self.cue_at(from) == Some(Cue::AtMost) || (or && more)
    }

    pub(super) fn compare_number(&mut self, op: Op, number: String, place: usize, in_time: bool) {
        let in_time = in_time || (is_year(&number) && self.property.is_none() && !self.counts_behind(place));
        self.at = place + 1;
        let before = self.property.take().filter(|(item, at)| {
            let apart = (at + 1..place).any(|at| self.item_at(at).is_some());
            let timely = !in_time || self.is_timely(*item);
            let ahead = self.item_at(place + 1).is_some_and(|next| {
                self.broken(place + 1).is_none()
                    && !self.cut.items[next].is_thing()
                    && !self.cut.items[next].verb
            });
            place - at <= NEAR + 2 && !apart && timely && !(ahead && place - at > 2)
        });
        if let Some((item, _)) = before {
            self.unasked(item);
            return self.condition(Test::Compare {
                attr: Attr::Item(item),
                op,
                bound: Bound::Number(number),
            });
        }
        if let Some(test) = self.pending_function(op, &number, place) {
            return self.condition(test);
        }
        if let Some(test) = self.summed(op, &number, place) {
            return self.condition(test);
        }
        if let Some((item, at)) = self.next_item(place + 1, 3).filter(|_| !in_time) {
            self.at = at + 1;
            self.intent.seen.push((item, at, self.scope));
            let test = self.about(item, op, number);
            return self.condition(test);
        }
        let attr = self.graded_near(place).unwrap_or(match in_time {
            true => Attr::Time { near: place },
            false => Attr::Unknown { near: place },
        });
        self.condition(Test::Compare { attr, op, bound: Bound::Number(number) });
    }

    /// Whether a property is a point in time, or what someone does at one.
    fn is_timely(&self, item: usize) -> bool {
        let found = &self.cut.items[item];
        let text = eruca_indexer::text::fold(&found.text);
        let stems =
            ["year", "date", "time", "day", "month", "jahr", "datum", "tag", "fecha", "ano", "born", "birth"];
        found.verb || stems.iter().any(|stem| text.contains(stem))
    }

    fn counts_behind(&self, place: usize) -> bool {
        self.next_item(place + 1, 2).is_some()
    }

    /// A number of things, or a value of a property.
    fn about(&self, item: usize, op: Op, number: String) -> Test {
        if self.is_property(item) || !self.can_be_class(item) {
            return Test::Compare { attr: Attr::Item(item), op, bound: Bound::Number(number) };
        }
        Test::Counted { of: item, op, number }
    }

    /// "exceeding 600 total items", where a total is asked for.
    fn summed(&mut self, op: Op, number: &str, place: usize) -> Option<Test> {
        let summed = self.intent.columns.iter().find_map(|column| match column {
            Column::Aggregate { func: Func::Sum, of: Some(attr), .. } => Some(attr.clone()),
            _ => None,
        })?;
        let total = self.cue_at(place + 1) == Some(Cue::Sum);
        let loose = self
            .next_item(place + 1, 2)
            .is_some_and(|(item, _)| self.cut.items[item].class_fit() < 0.8 && !self.is_property(item));
        if !(total || loose) {
            return None;
        }
        self.at = place + 3;
        Some(Test::Grouped { func: Func::Sum, attr: summed, op, number: number.to_owned() })
    }

    /// "with an average age above 20": the function was said before.
    fn pending_function(&mut self, op: Op, number: &str, place: usize) -> Option<Test> {
        let func = self.funcs.pop()?;
        let (item, at) = self.next_item(place + 1, 2)?;
        self.at = at + 1;
        Some(Test::Grouped { func, attr: Attr::Item(item), op, number: number.to_owned() })
    }

    /// The property that restricts is not asked for, unless it is the only thing that could be.
    fn unasked(&mut self, item: usize) {
        if let Some(at) = self.intent.columns.iter().rposition(|column| *column == Column::Item(item))
            && (self.intent.columns.len() > 1 || self.whose)
        {
            self.intent.columns.remove(at);
        }
    }

    /// The adjective that says what is compared: "older than 20", "50 mm deep".
    fn graded_near(&self, place: usize) -> Option<Attr> {
        let before = (place.saturating_sub(4)..place).rev().find_map(|at| self.measured(at));
        before.or_else(|| (place + 1..place + 4).find_map(|at| self.measured(at)))
    }

    fn measured(&self, at: usize) -> Option<Attr> {
        match self.kind(at)? {
            Kind::Grade(grade) if grade.degree != Degree::Superlative && !grade.nouns.is_empty() => {
                Some(attr_of(grade, None))
            }
            _ => None,
        }
    }

    pub(super) fn between(&mut self) {
        let low = (self.at + 1..self.at + 4).find(|at| self.number_at(*at).is_some());
        let Some((low, low_at)) = low.and_then(|at| Some((self.number_at(at)?, at))) else { return };
        let high = (low_at + 1..low_at + 4).find(|at| self.number_at(*at).is_some());
        let Some((high, high_at)) = high.and_then(|at| Some((self.number_at(at)?, at))) else { return };
        let before = self.property.take();
        let attr = match before {
            Some((item, _)) => {
                self.unasked(item);
                Attr::Item(item)
            }
            None => match self.next_item(high_at + 1, 2).filter(|(item, _)| self.can_be_property(*item)) {
                Some((item, _)) if !is_year(&low) => Attr::Item(item),
                _ if is_year(&low) => Attr::Time { near: self.at },
                _ => self.graded_near(self.at).unwrap_or(Attr::Unknown { near: self.at }),
            },
        };
        self.at = high_at + 1;
        for (op, number) in [(Op::AtLeast, low), (Op::AtMost, high)] {
            self.condition(Test::Compare { attr: attr.clone(), op, bound: Bound::Number(number) });
        }
    }

    /// A number without a comparison.
    pub(super) fn number(&mut self, number: &str) {
        let place = self.at;
        if self.is_rank(place) {
            self.limit = number.parse().ok();
            return;
        }
        let op = match self.cue_at(place + 1) {
            Some(Cue::AtLeast) => Op::AtLeast,
            Some(Cue::AtMost) => Op::AtMost,
            _ if self.is_or_more(place + 1) => match self.cue_at(place + 2) {
                Some(Cue::Before | Cue::Less) => Op::AtMost,
                _ => Op::AtLeast,
            },
            _ => Op::Equal,
        };
        if let Some(parts) = self.base_measure(place) {
            return self.within_base(parts, number);
        }
        if self.repeats_alternative(op, number) {
            return;
        }
        if self.folded(place) == "one"
            || self
                .question
                .words
                .get(self.cut.units[place].words.0)
                .is_some_and(|w| !w.raw.contains(|c: char| c.is_ascii_digit()))
                && op == Op::Equal
                && self.next_item(place + 1, 2).is_none()
        {
            return;
        }
        let said = ["is", "of", "=", "as", "ist", "es", "equals", "was"];
        let ahead = self.item_at(place + 1).is_some_and(|item| self.can_be_property(item));
        let near = self.property.filter(|(_, at)| {
            let beside = place - at == 1 || (place - at == 2 && said.contains(&self.folded(place - 1)));
            place - at <= 3 && (beside || !ahead)
        });
        if near.is_none() && op == Op::Equal && self.next_item(place + 1, 2).is_none() && !is_year(number) {
            return;
        }
        if near.is_none() {
            self.property = None;
        }
        self.compare_number(op, number.to_owned(), place, false);
    }

    /// "in 2014 or 2015": the second number is compared as the first.
    fn repeats_alternative(&mut self, op: Op, number: &str) -> bool {
        let joined =
            matches!(self.at.checked_sub(1).and_then(|at| self.cue_at(at)), Some(Cue::Or | Cue::And));
        let Some(last) = self.intent.conditions.last().filter(|last| joined && self.at - last.at <= 3) else {
            return false;
        };
        let Test::Compare { attr, op: Op::Equal, bound: Bound::Number(_) } = &last.test else { return false };
        let attr = attr.clone();
        let bound = Bound::Number(number.to_owned());
        self.condition(Test::Compare { attr, op, bound });
        true
    }

    /// "top 3", "the 5 oldest", "first 10".
    fn is_rank(&self, place: usize) -> bool {
        let grades = |at: usize| matches!(self.kind(at), Some(Kind::Grade(grade)) if grade.degree == Degree::Superlative);
        let first = ["first", "last", "ersten", "letzten", "primeros", "ultimos"];
        grades(place + 1)
            || place.checked_sub(1).is_some_and(|at| grades(at) || first.contains(&self.folded(at)))
            || (self.cue_at(place + 1) == Some(Cue::Commonest))
    }

    /// "a base area of 15x15": the bounds of two attributes at once.
    fn base_measure(&self, place: usize) -> Option<Vec<Vec<&'static str>>> {
        let from = place.saturating_sub(6);
        let behind = place + 8;
        (from..behind.min(self.cut.units.len())).find_map(|at| {
            let words = self.cut.units[at].words;
            (words.0..words.1).find_map(|word| {
                let found = measure(&self.question.words.get(word)?.folded)?;
                (found.factors.len() == 2 && found.joiner == [',']).then_some(found.factors)
            })
        })
    }

    fn within_base(&mut self, parts: Vec<Vec<&'static str>>, number: &str) {
        let done = self
            .intent
            .conditions
            .iter()
            .filter(|c| matches!(&c.test, Test::Compare { attr: Attr::Grade { nouns, .. }, .. } if parts.contains(nouns)))
            .count();
        if self.scope > 0 {
            // "does not exceed" is an upper bound, not a negation.
            self.scope = 0;
        }
        if let Some(nouns) = parts.get(done) {
            let attr = Attr::Grade { nouns: nouns.clone(), reversed: Vec::new(), of: None };
            let bound = Bound::Number(number.to_owned());
            self.condition(Test::Compare { attr, op: Op::AtMost, bound });
        }
    }

    /// "wider than they are tall": two attributes of the same thing.
    pub(super) fn compare_grades(&mut self, grade: &'static Gradable) -> bool {
        let than = (self.at + 1..self.at + 4).find(|at| self.cue_at(*at) == Some(Cue::Than));
        let Some(than) = than else { return false };
        if let Some((item, at)) = self.next_item(self.at + 1, than - self.at - 1)
            && self.can_be_property(item)
        {
            self.property = Some((item, at));
            self.intent.seen.push((item, at, self.scope));
        }
        let op = if grade.up { Op::Greater } else { Op::Less };
        for at in than + 1..than + 5 {
            match self.kind(at) {
                Some(Kind::Grade(other)) if other.degree == Degree::Positive && !other.nouns.is_empty() => {
                    let bound = Bound::Attr(attr_of(other, None));
                    self.at = at + 1;
                    self.condition(Test::Compare { attr: attr_of(grade, None), op, bound });
                    return true;
                }
                Some(Kind::Grade(_) | Kind::Cue(Cue::Average | Cue::Maximum | Cue::Minimum)) => {
                    let Some(func) = self.overall(at) else { return false };
                    self.at = at + 1;
                    // "older than the average age" names it again.
                    if let Some((item, place)) =
                        self.next_item(at + 1, 3).filter(|(item, _)| self.can_be_property(*item))
                    {
                        self.property = Some((item, place));
                        self.intent.seen.push((item, place, self.scope));
                        self.at = place + 1;
                    }
                    let named = self.property.take().filter(|(_, p)| at.abs_diff(*p) <= NEAR);
                    let attr = named.map_or_else(|| attr_of(grade, None), |(item, _)| Attr::Item(item));
                    self.condition(Test::Compare { attr, op, bound: Bound::Overall(func) });
                    return true;
                }
                Some(Kind::Number(_)) => {
                    let Some(number) = self.number_at(at) else { return false };
                    self.at = at + 1;
                    // "a larger weight than 10" names what it compares; "older than 20" says it itself.
                    let named = self.property.take().filter(|(_, p)| at - p <= NEAR + 2);
                    let attr = named.map_or_else(|| attr_of(grade, None), |(item, _)| Attr::Item(item));
                    self.condition(Test::Compare { attr, op, bound: Bound::Number(number) });
                    return true;
                }
                Some(Kind::Word | Kind::Cue(_)) => {}
                _ => return false,
            }
        }
        false
    }
}

/// What an adjective measures.
pub(super) fn attr_of(grade: &Gradable, of: Option<usize>) -> Attr {
    Attr::Grade { nouns: grade.nouns.clone(), reversed: grade.reversed.clone(), of }
}

fn op_of(cue: Cue) -> Op {
    match cue {
        Cue::Greater | Cue::After => Op::Greater,
        Cue::AtLeast => Op::AtLeast,
        Cue::Less | Cue::Before => Op::Less,
        Cue::AtMost => Op::AtMost,
        _ => Op::Equal,
    }
}

pub(in crate::planner) fn is_year(number: &str) -> bool {
    number.len() == 4 && number.parse().is_ok_and(|year: u32| YEARS.contains(&year))
}
