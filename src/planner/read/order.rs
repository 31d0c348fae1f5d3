//! Superlatives and orders.

use super::compare::attr_of;
use super::{Mode, NEAR, Pending, Reader};
use crate::planner::intent::{Attr, Bound, Column, Func, Key, Op, Order, Test};
use crate::planner::units::Kind;
use eruca_indexer::lexicon::{Cue, Degree, Gradable};

impl Reader<'_> {
    /// An adjective: a comparison, a superlative, or nothing yet.
    pub(super) fn grade(&mut self, grade: &'static Gradable) {
        match grade.degree {
            Degree::Comparative => {
                if !self.compare_grades(grade) && grade.nouns.is_empty() && self.is_article_before() {
                    // Spanish: "el más caro".
                    self.superlative_ahead(grade);
                }
            }
            Degree::Superlative => self.superlative_ahead(grade),
            Degree::Positive => self.weighed(grade),
        }
    }

    fn is_article_before(&self) -> bool {
        let articles = ["el", "la", "los", "las"];
        (1..=3).any(|back| self.at.checked_sub(back).is_some_and(|at| articles.contains(&self.folded(at))))
            && matches!(self.kind(self.at + 1), Some(Kind::Grade(grade)) if grade.degree == Degree::Positive)
    }

    /// "How heavy is", "how much does it weigh": the measure is asked for.
    fn weighed(&mut self, grade: &'static Gradable) {
        let how = ["how", "wie", "cuanto", "much", "viel"];
        let before = self.at.checked_sub(1).map_or("", |at| self.folded(at));
        let first = self.question.words.first().is_some_and(|word| how.contains(&word.folded.as_str()));
        let asked = !grade.nouns.is_empty() && (how.contains(&before) || (first && self.mode == Mode::Head));
        if asked {
            self.intent.columns.push(Column::Parts(vec![grade.nouns.clone()]));
        }
    }

    fn superlative_ahead(&mut self, grade: &'static Gradable) {
        let in_tail = self.mode == Mode::Tail;
        // "most expensive" is the superlative of "expensive".
        if let Some(Kind::Grade(next)) = self.kind(self.at + 1)
            && grade.nouns.is_empty()
            && next.degree == Degree::Positive
        {
            let found = if grade.up { next } else { opposite(next) };
            self.grade = Some(Pending { grade: found, at: self.at, in_tail });
            self.at += 2;
            return self.graded_class();
        }
        if self.mode == Mode::Order {
            return self.direction(grade.up);
        }
        self.flush_superlative();
        self.grade = Some(Pending { grade, at: self.at, in_tail });
        self.at += 1;
        self.graded_class();
    }

    /// An adjective with a measure of its own before a class, or at the end, needs nothing more: "the youngest pet".
    fn graded_class(&mut self) {
        let Some(pending) = self.grade.clone() else { return };
        let next = self.next_item(self.at, 2).or_else(|| {
            let amount = ["amount", "value", "level", "number", "anzahl", "menge", "cantidad"];
            amount.contains(&self.folded(self.at)).then(|| self.next_item(self.at, 4)).flatten()
        });
        let measures_next = next.is_some_and(|(item, _)| self.can_be_property(item) && !self.is_class(item));
        let counts = matches!(self.cue_at(self.at), Some(Cue::Count));
        let reckoned =
            self.next_word(self.at).is_some_and(|word| eruca_indexer::lexicon::measure(&word).is_some());
        if next.is_none() && !counts && !reckoned && self.largest_before(&pending) {
            return;
        }
        if pending.grade.nouns.is_empty() || counts || measures_next || reckoned {
            return;
        }
        self.grade = None;
        let of = next.map(|(item, _)| item);
        self.superlative(Pending { at: pending.at, ..pending.clone() });
        if let (Some(of), Some(order)) = (of, self.intent.orders.last_mut())
            && let Key::Attr(Attr::Grade { of: described, .. }) = &mut order.key
        {
            *described = Some(of);
        }
    }

    /// "whose number of products is the largest": what is measured stands before.
    fn largest_before(&mut self, pending: &Pending) -> bool {
        let said = ["is", "are", "was", "were", "ist", "sind", "es", "son"];
        let is = (1..=2)
            .any(|back| pending.at.checked_sub(back).is_some_and(|at| said.contains(&self.folded(at))));
        let Some((item, _)) = self.property.filter(|(_, at)| is && self.whose && pending.at - at <= 3) else {
            return false;
        };
        self.grade = None;
        self.property = None;
        self.unask(item);
        self.intent.conditions.retain(|condition| condition.test != Test::Exists(item));
        self.extreme(Key::Attr(Attr::Item(item)), pending.grade.up);
        true
    }

    fn next_word(&self, at: usize) -> Option<String> {
        matches!(self.kind(at), Some(Kind::Word)).then(|| self.folded(at).to_owned())
    }

    fn flush_superlative(&mut self) {
        if let Some(pending) = self.grade.take() {
            self.superlative(pending);
        }
    }

    /// A superlative whose measure follows from its adjective.
    pub(super) fn superlative(&mut self, pending: Pending) {
        if pending.grade.nouns.is_empty() {
            return;
        }
        let attr = attr_of(pending.grade, None);
        if !self.intent.groups.is_empty() {
            let func = if pending.grade.up { Func::Maximum } else { Func::Minimum };
            let column = Column::Aggregate { func, of: Some(attr), distinct: false };
            return self.intent.columns.push(column);
        }
        self.extreme(Key::Attr(attr), pending.grade.up);
    }

    pub(super) fn extreme(&mut self, key: Key, down: bool) {
        self.intent.orders.push(Order { key, down });
        let limit = self.limit.take().unwrap_or(1);
        self.intent.limit.get_or_insert(limit);
        self.intent.offset = self.offset;
    }

    /// The item behind a superlative; says whether it was what the superlative measures.
    pub(super) fn superlative_on(&mut self, item: usize) -> bool {
        let Some(pending) = self.grade.take() else { return false };
        let distance = self.at - pending.at;
        if distance > NEAR {
            self.superlative(pending);
            return false;
        }
        let generic = pending.grade.nouns.is_empty();
        let countable = self.can_be_class(item) && (self.is_class(item) || !self.can_be_property(item));
        if self.can_be_property(item) && !(generic && countable) {
            self.extreme_of(item, &pending);
            return true;
        }
        if generic && (countable || self.can_be_property(item)) {
            self.order_by_count(item, pending.grade.up);
            return true;
        }
        self.superlative(pending);
        false
    }

    /// "The highest score": asked for when it stands first, else what the thing is chosen by.
    fn extreme_of(&mut self, item: usize, pending: &Pending) {
        let func = if pending.grade.up { Func::Maximum } else { Func::Minimum };
        let attr = Attr::Item(item);
        let grouped = !self.intent.groups.is_empty();
        let inside = pending.at.checked_sub(2).map_or("", |at| self.folded(at));
        if pending.in_tail && ["in", "im", "en"].contains(&inside) && self.limit.is_none() {
            // "made in the earliest year": all of that year.
            let bound = Bound::Overall(func);
            return self.condition(Test::Compare { attr, op: Op::Equal, bound });
        }
        let first =
            self.mode == Mode::Head && !pending.in_tail && !self.asks_for_things() && self.limit.is_none();
        if first || (grouped && !pending.in_tail) {
            let column = Column::Aggregate { func, of: Some(attr), distinct: false };
            self.intent.columns.push(column);
        } else {
            self.extreme(Key::Attr(attr), pending.grade.up);
        }
    }

    /// Whether things were asked for before: "which saw has the highest …", "the names of …".
    fn asks_for_things(&self) -> bool {
        !self.intent.columns.is_empty() || self.intent.seen.len() > 1
    }

    pub(super) fn order_by_count(&mut self, item: usize, down: bool) {
        self.extreme(Key::CountOf(Some(item)), down);
    }

    pub(super) fn by_frequency(&mut self, down: bool) {
        self.extreme(Key::CountOf(None), down);
    }

    pub(super) fn ordinal(&mut self, place: u32) {
        // "6th to 10th" is a range; "the second highest" skips one.
        let to = (self.at + 1..self.at + 4).find_map(|at| match self.kind(at) {
            Some(Kind::Ordinal(last)) => Some((*last, at)),
            _ => None,
        });
        match to {
            Some((last, at)) if last > place => {
                self.offset = place - 1;
                self.limit = Some(last - place + 1);
                self.at = at + 1;
            }
            _ => self.offset = place.saturating_sub(1),
        }
    }

    pub(super) fn direction(&mut self, down: bool) {
        match self.intent.orders.last_mut() {
            Some(order) if self.intent.limit.is_none() => order.down = down,
            _ => {
                self.order_down = Some(down);
                self.mode = Mode::Order;
            }
        }
    }

    pub(super) fn order_by(&mut self, key: Key) {
        let down = self.order_down.take().unwrap_or(false);
        self.intent.orders.push(Order { key, down });
    }

    pub(super) fn order_item(&mut self, item: usize) {
        if std::mem::take(&mut self.counting) {
            return self.order_by(Key::CountOf(Some(item)));
        }
        if let Some(pending) = self.grade.take() {
            self.order_down = Some(pending.grade.up);
        }
        if self.can_be_property(item) {
            self.order_by(Key::Attr(Attr::Item(item)));
        }
        if self.broken(self.at + 1).is_some() {
            self.mode = Mode::Tail;
        }
    }
}

/// "Least expensive" measures the same in the other direction.
fn opposite(grade: &'static Gradable) -> &'static Gradable {
    let other = |word: &str| eruca_indexer::lexicon::gradable(word);
    let pairs = [
        ("expensive", "cheap"),
        ("heavy", "light"),
        ("old", "young"),
        ("tall", "short"),
        ("long", "short"),
        ("big", "small"),
        ("wide", "narrow"),
        ("deep", "shallow"),
        ("high", "low"),
        ("fast", "slow"),
        ("hot", "cold"),
        ("good", "bad"),
        ("new", "early"),
    ];
    let same =
        |word: &str| other(word).is_some_and(|found| found.nouns == grade.nouns && found.up == grade.up);
    pairs
        .iter()
        .find_map(|(a, b)| {
            if same(a) {
                other(b)
            } else if same(b) {
                other(a)
            } else {
                None
            }
        })
        .unwrap_or(grade)
}
