//! Items: classes, properties and things, by where they stand.

use super::{Mode, NEAR, Pending, Reader};
use crate::planner::intent::{Attr, Column, Condition, Func, Key, Order, Test};
use crate::planner::units::Kind;
use eruca_indexer::lexicon::{Cue, Degree};

impl Reader<'_> {
    /// In "car models" the first noun only describes the second: a class right before another one.
    pub(super) fn is_modifier(&self, item: usize) -> bool {
        let Some(next) = self.item_at(self.at + 1).filter(|_| self.broken(self.at + 1).is_none()) else {
            return false;
        };
        let found = &self.cut.items[item];
        let after = &self.cut.items[next];
        let last = self.cut.units[self.at].words.1 - 1;
        let singular = self.question.words.get(last).is_some_and(|word| word.norm == word.folded);
        singular
            && !found.is_thing()
            && !after.is_thing()
            && !after.verb
            && self.can_be_class(item)
            && (self.can_be_class(next)
                && after.class_fit().max(after.property_fit()) >= found.class_fit() - 0.05)
    }

    /// "students live": a loose synonym right behind a noun is what the noun does.
    pub(super) fn is_plain_verb(&self, item: usize) -> bool {
        let before = self.at.checked_sub(1);
        let adverb = before.is_some_and(|at| self.folded(at).ends_with("ly"));
        let noun = before.map(|at| if adverb { at.saturating_sub(1) } else { at });
        let behind = noun
            .and_then(|at| self.item_at(at))
            .is_some_and(|noun| self.is_class(noun) || self.can_be_class(noun));
        let found = &self.cut.items[item];
        behind && self.broken(self.at).is_none() && found.property_fit() < 0.8 && self.has_column()
    }

    /// In "maker full name" the first noun says whose name it is.
    pub(super) fn describes_next(&self) -> bool {
        let Some(next) = self.item_at(self.at + 1).filter(|_| self.broken(self.at + 1).is_none()) else {
            return false;
        };
        !self.cut.items[next].verb
            && !self.cut.items[next].is_thing()
            && self.is_property(next)
            && self.mode == Mode::Head
    }

    pub(super) fn item(&mut self, item: usize) {
        if self.is_modifier(item) {
            return;
        }
        self.intent.seen.push((item, self.at, self.scope));
        let found = &self.cut.items[item];
        if let Some(like) = self.like.take() {
            if found.quoted || !found.is_schema() {
                let text = found.text.clone();
                return self.matches(like, text);
            }
            self.like = Some(like);
        }
        if found.is_thing() {
            return self.thing(item);
        }
        if self.grouping {
            return self.group(item);
        }
        if self.mode == Mode::Order {
            return self.order_item(item);
        }
        if self.counting {
            return self.counted(item);
        }
        if self.is_superlative_form(item) {
            let grade = eruca_indexer::lexicon::gradable("most");
            self.grade = grade.map(|grade| Pending {
                grade,
                at: self.at,
                in_tail: self.mode == Mode::Tail || !self.intent.seen.is_empty(),
            });
        }
        if self.grade.is_some() && self.superlative_on(item) {
            return;
        }
        if found.verb {
            self.property = Some((item, self.at));
            if self.mode == Mode::Head && self.has_column() {
                self.mode = Mode::Tail;
            }
            return self.condition(Test::Exists(item));
        }
        if self.is_property(item)
            || (!self.funcs.is_empty() && self.can_be_property(item))
            || !self.can_be_class(item)
        {
            self.property_item(item);
        } else {
            self.class_item(item);
        }
    }

    /// "zuverlässigsten" asks for the largest of what it names.
    pub(super) fn is_superlative_form(&self, item: usize) -> bool {
        let item = &self.cut.items[item];
        let word =
            item.words.1 - item.words.0 == 1 && item.property_fit() < 0.97 && item.property_fit() >= 0.45;
        let folded = self.folded(self.at);
        word && folded.len() > 6
            && ["iest", "ste", "sten", "ster", "stes"].iter().any(|ending| folded.ends_with(ending))
    }

    pub(super) fn thing(&mut self, item: usize) {
        let hint = self.property.take().filter(|(_, at)| self.at - at <= NEAR).map(|(item, _)| item);
        if let Some(hint) = hint.filter(|_| !self.is_of()) {
            self.unask(hint);
        }
        let hint = hint.or_else(|| {
            let (next, at) = self.next_item(self.at + 1, 1)?;
            let named = self.cut.items[item]
                .values
                .iter()
                .any(|hit| self.cut.items[next].properties.iter().any(|name| name.iri == hit.value.property));
            (named && at == self.at + 1 && self.is_property(next)).then_some(next)
        });
        // In an alternative the hint of the first holds for the second: "named A or B".
        let hint = hint.or_else(|| match self.intent.conditions.last() {
            Some(Condition { test: Test::Is { hint, .. }, at, .. }) if self.at - at <= 3 => *hint,
            _ => None,
        });
        if let Some(next) = hint.filter(|hint| self.item_at(self.at + 1) == Some(*hint)) {
            self.intent.seen.push((next, self.at + 1, self.scope));
            self.at += 2;
        }
        // "Which saw …": one of the kind is asked for.
        if self.asked_for && self.at > 0 && self.cue_at(self.at - 1) == Some(Cue::Which) {
            self.intent.columns.push(Column::Item(item));
        }
        self.condition(Test::Is { item, hint });
        self.asked_for = false;
    }

    /// "the author of X", "compatible with X", "X's author".
    pub(super) fn is_of(&self) -> bool {
        let links = [
            "of", "for", "von", "vom", "des", "der", "fur", "de", "del", "with", "about", "in", "mit", "zu",
            "by",
        ];
        let back_to =
            (1..=3).find(|back| self.at.checked_sub(*back).is_none_or(|at| self.item_at(at).is_some()));
        (1..back_to.unwrap_or(4)).any(|back| {
            self.at.checked_sub(back).is_some_and(|at| {
                links.contains(&self.folded(at)) && !matches!(self.kind(at), Some(Kind::Item(_)))
            })
        })
    }

    /// A property that says where a value stands is not asked for: "the series name is Sky".
    pub(super) fn unask(&mut self, hint: usize) {
        let beside = self.at > 0 && self.item_at(self.at - 1) == Some(hint);
        let tail = self.whose || self.mode == Mode::Tail || beside;
        if let Some(at) = self.intent.columns.iter().rposition(|column| *column == Column::Item(hint))
            && (tail || self.intent.columns.len() > 1)
        {
            self.intent.columns.remove(at);
        }
    }

    pub(super) fn group(&mut self, item: usize) {
        self.grouping = false;
        // "for different number of cylinders"
        self.counting = false;
        self.intent.groups.push(item);
        if self.intent.columns.is_empty() {
            self.mode = Mode::Head;
        }
    }

    /// The item behind "how many".
    pub(super) fn counted(&mut self, item: usize) {
        // "different store locations": the locations are counted.
        if self.can_be_class(item) && self.next_is_attribute() {
            return;
        }
        self.counting = false;
        if self.grade.is_some() {
            let pending = self.grade.take();
            return self.order_by_count(item, pending.is_none_or(|p| p.grade.up));
        }
        let attr = Attr::Item(item);
        let distinct = std::mem::take(&mut self.distinct_next);
        let column = Column::Aggregate { func: Func::Count, of: Some(attr), distinct };
        let again = self.intent.columns.iter().position(|known| {
            matches!(known, Column::Aggregate { func: Func::Count, of: Some(Attr::Item(other)), .. } if self.same_name(*other, item))
        });
        match again {
            Some(_) => {}
            None => self.intent.columns.push(column),
        }
        self.asked_for = false;
    }

    pub(super) fn next_is_attribute(&self) -> bool {
        let next = self.item_at(self.at + 1).filter(|_| self.broken(self.at + 1).is_none());
        next.is_some_and(|next| {
            let found = &self.cut.items[next];
            found.property_fit() >= 0.85 && !self.can_be_class(next) && !found.is_thing() && !found.verb
        })
    }

    pub(super) fn same_name(&self, a: usize, b: usize) -> bool {
        let iri = |item: usize| {
            let item = &self.cut.items[item];
            item.classes.first().or(item.properties.first()).map(|hit| hit.iri.clone())
        };
        iri(a).is_some() && iri(a) == iri(b)
    }

    pub(super) fn property_item(&mut self, item: usize) {
        self.property = Some((item, self.at));
        if !self.funcs.is_empty() && self.can_be_property(item) {
            return self.aggregate(item);
        }
        if self.describes_next() {
            return;
        }
        if self.is_plain_verb(item) {
            return self.condition(Test::Exists(item));
        }
        let restricts = self.restricts(self.at + 1);
        let first = !restricts || self.intent.columns.is_empty();
        if self.mode == Mode::Head && first && !self.whose {
            if !self.intent.columns.contains(&Column::Item(item)) {
                self.intent.columns.push(Column::Item(item));
            }
            self.asked_for = false;
        } else if self.mode == Mode::Tail && !restricts {
            self.condition(Test::Exists(item));
        }
    }

    pub(super) fn has_column(&self) -> bool {
        self.intent
            .columns
            .iter()
            .any(|column| !matches!(column, Column::Time | Column::Place | Column::Person))
    }

    pub(super) fn aggregate(&mut self, item: usize) {
        let funcs = std::mem::take(&mut self.funcs);
        let many = !self.intent.groups.is_empty() || self.mode == Mode::Head;
        let extreme = funcs.iter().all(|func| matches!(func, Func::Minimum | Func::Maximum));
        if extreme && (self.mode == Mode::Tail || !many) {
            // "with the minimum horsepower"
            for func in funcs {
                let order = Order { key: Key::Attr(Attr::Item(item)), down: func == Func::Maximum };
                self.intent.orders.push(order);
                self.intent.limit.get_or_insert(1);
            }
            return;
        }
        for func in funcs {
            let of = Some(Attr::Item(item));
            self.intent.columns.push(Column::Aggregate { func, of, distinct: false });
        }
        self.asked_for = false;
    }

    pub(super) fn class_item(&mut self, item: usize) {
        // "total material quantity": the function waits for what can be added.
        if !self.next_item(self.at + 1, 1).is_some_and(|(next, _)| self.can_be_property(next)) {
            self.funcs.retain(|func| *func != Func::Sum);
        }
        if self.mode == Mode::Tail || self.scope > 0 {
            self.condition(Test::Exists(item));
        } else if self.asked_for {
            self.asked_for = false;
            self.intent.columns.push(Column::Item(item));
        }
    }

    /// Whether a comparison, a value or a number follows.
    pub(super) fn restricts(&self, from: usize) -> bool {
        for at in from..(from + 3).min(self.cut.units.len()) {
            if self.broken(at).is_some() {
                return false;
            }
            match self.kind(at) {
                Some(Kind::Cue(
                    Cue::Greater
                    | Cue::Less
                    | Cue::AtLeast
                    | Cue::AtMost
                    | Cue::Equal
                    | Cue::Between
                    | Cue::Contains
                    | Cue::Begins
                    | Cue::Ends
                    | Cue::After
                    | Cue::Before,
                )) => return true,
                Some(Kind::Cue(Cue::Not)) | Some(Kind::Word) => {}
                Some(Kind::Grade(grade)) if grade.degree == Degree::Comparative => return true,
                Some(Kind::Number(_)) => return at == from || self.folded(at - 1) != "in",
                Some(Kind::Item(item)) => {
                    let is = ["is", "are", "was", "were", "named", "called", "of", "as", "ist", "es"];
                    let said = at == from || is.contains(&self.folded(at - 1));
                    return self.cut.items[*item].is_thing() && said;
                }
                _ => return false,
            }
        }
        false
    }
}
