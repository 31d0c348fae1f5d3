//! Reading the intent off the units, from left to right.

use super::intent::{Attr, Column, Condition, Func, Intent, Key, Like, Order, Test};
use super::units::{Cut, Kind};
use eruca_indexer::lexicon::{Cue, Gradable, Measure, measure};

mod compare;
mod items;
pub(super) use compare::is_year;
mod order;

/// Units between an attribute and what it is compared with.
const NEAR: usize = 4;

/// Where the reader is in the question.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Mode {
    /// What is named is asked for.
    Head,
    /// What is named restricts.
    Tail,
    /// What is named orders.
    Order,
}

/// Reads a question.
pub(super) struct Reader<'a> {
    cut: &'a Cut,
    question: &'a super::question::Asked,
    at: usize,
    mode: Mode,
    scope: usize,
    scopes: usize,
    choice: usize,
    choices: usize,
    intent: Intent,
    /// Functions that wait for their attribute.
    funcs: Vec<Func>,
    /// A number of things was asked for and its class is to come.
    counting: bool,
    distinct_next: bool,
    /// A superlative that waits for what it measures.
    grade: Option<Pending>,
    /// The property named last, if no condition has taken it, with the number of its unit.
    property: Option<(usize, usize)>,
    /// Each: the next item makes groups.
    grouping: bool,
    /// The next word belongs to what is asked for: "which".
    asked_for: bool,
    like: Option<Like>,
    whose: bool,
    negated_next: bool,
    order_down: Option<bool>,
    /// The question began with "sort".
    sorting: bool,
    limit: Option<u32>,
    offset: u32,
}

/// A superlative that waits.
#[derive(Debug, Clone)]
struct Pending {
    grade: &'static Gradable,
    at: usize,
    /// It follows words like "with" and describes what stands before.
    in_tail: bool,
}

/// Reads the intent of a question.
pub(super) fn read(cut: &Cut, question: &super::question::Asked, ask: bool) -> Intent {
    let mut reader = Reader {
        cut,
        question,
        at: 0,
        mode: Mode::Head,
        scope: 0,
        scopes: 0,
        choice: 0,
        choices: 0,
        intent: Intent { ask, ..Intent::default() },
        funcs: Vec::new(),
        counting: false,
        distinct_next: false,
        grade: None,
        property: None,
        grouping: false,
        asked_for: false,
        like: None,
        whose: false,
        negated_next: false,
        order_down: None,
        sorting: false,
        limit: None,
        offset: 0,
    };
    while reader.at < cut.units.len() {
        let before = reader.at;
        reader.step();
        reader.at = reader.at.max(before + 1);
    }
    reader.finish()
}

impl Reader<'_> {
    fn kind(&self, at: usize) -> Option<&Kind> {
        self.cut.units.get(at).map(|unit| &unit.kind)
    }

    fn cue_at(&self, at: usize) -> Option<Cue> {
        match self.kind(at) {
            Some(Kind::Cue(cue)) => Some(*cue),
            _ => None,
        }
    }

    fn item_at(&self, at: usize) -> Option<usize> {
        match self.kind(at) {
            Some(Kind::Item(item)) => Some(*item),
            _ => None,
        }
    }

    fn number_at(&self, at: usize) -> Option<String> {
        match self.kind(at) {
            Some(Kind::Number(number)) => Some(number.clone()),
            Some(Kind::Item(item)) => {
                let text = &self.cut.items[*item].text;
                (text.parse::<f64>().is_ok_and(f64::is_finite)).then(|| text.clone())
            }
            _ => None,
        }
    }

    fn broken(&self, at: usize) -> Option<char> {
        self.cut.units.get(at).and_then(|unit| unit.broken)
    }

    fn folded(&self, at: usize) -> &str {
        self.cut
            .units
            .get(at)
            .and_then(|unit| self.question.words.get(unit.words.0))
            .map_or("", |word| word.folded.as_str())
    }

    /// Whether an item is rather a property than a class.
    fn is_property(&self, item: usize) -> bool {
        let item = &self.cut.items[item];
        !item.is_thing() && item.property_fit() > item.class_fit() + 0.02
    }

    fn can_be_property(&self, item: usize) -> bool {
        self.cut.items[item].property_fit() >= 0.45
    }

    fn is_class(&self, item: usize) -> bool {
        let item = &self.cut.items[item];
        !item.is_thing() && !item.classes.is_empty() && item.class_fit() + 0.02 >= item.property_fit()
    }

    fn can_be_class(&self, item: usize) -> bool {
        self.cut.items[item].class_fit() >= 0.6
    }

    /// The next item within some units, no clause ending before it.
    fn next_item(&self, from: usize, within: usize) -> Option<(usize, usize)> {
        for at in from..(from + within).min(self.cut.units.len()) {
            if at > from && self.broken(at).is_some_and(|c| c != '(') {
                return None;
            }
            if let Some(item) = self.item_at(at) {
                return Some((item, at));
            }
        }
        None
    }

    fn step(&mut self) {
        self.clause_end();
        match self.cut.units[self.at].kind.clone() {
            Kind::Cue(cue) => self.cue(cue),
            Kind::Grade(grade) => self.grade(grade),
            Kind::Number(number) => self.number(&number),
            Kind::Ordinal(place) => self.ordinal(place),
            Kind::Item(item) => self.item(item),
            Kind::Word => self.word(),
        }
    }

    /// Punctuation ends negations and orders; a new sentence asks anew.
    fn clause_end(&mut self) {
        let Some(mark) = self.broken(self.at) else { return };
        if self.scope > 0 && self.scope_used() {
            self.scope = 0;
        }
        if ".?!;".contains(mark) && self.at > 0 {
            (self.scope, self.whose, self.grouping) = (0, false, false);
            self.property = None;
            if self.mode != Mode::Head {
                self.mode = Mode::Tail;
            }
        }
        if mark == ','
            && self.intent.columns.is_empty()
            && self.mode == Mode::Tail
            && !self.intent.groups.is_empty()
        {
            self.mode = Mode::Head;
        }
    }

    fn scope_used(&self) -> bool {
        self.intent.conditions.iter().any(|condition| condition.scope == self.scope)
    }

    fn word(&mut self) {
        // A text after "contains" need not be in quotation marks.
        if let Some(like) = self.like.take() {
            let word = self.cut.units[self.at].words;
            // "that includes the name and the phone": what is wanted.
            if self.question.words.get(word.0).is_some_and(|w| super::names::says_nothing(&w.norm)) {
                if like == Like::Contains {
                    self.mode = Mode::Head;
                }
                return;
            }
            self.matches(like, self.question.text(word.0, word.1).to_owned());
        }
        if self.sorting && ["by", "nach", "por"].contains(&self.folded(self.at)) {
            self.mode = Mode::Order;
            return;
        }
        if let Some(found) = measure(self.folded(self.at)) {
            self.measured_word(found);
        }
        let preposition = [
            "in", "from", "by", "at", "on", "during", "under", "aus", "von", "bei", "im", "en", "del",
            "durch", "through",
        ];
        if preposition.contains(&self.folded(self.at)) && self.has_asked() && self.mode == Mode::Head {
            self.mode = Mode::Tail;
        }
    }

    /// "dimensions" are asked for one by one; "the highest density" is reckoned.
    fn measured_word(&mut self, found: Measure) {
        let listed = found.joiner.iter().all(|joiner| *joiner == ',');
        if listed && found.factors.len() > 2 {
            self.intent.columns.push(Column::Parts(found.factors));
        } else if let Some(pending) = self.grade.take().filter(|_| !listed) {
            self.extreme(Key::Formula(found.factors, found.joiner), pending.grade.up);
        } else if let Some(order) = self.intent.orders.last_mut().filter(|_| !listed)
            && matches!(order.key, Key::Attr(Attr::Grade { .. }))
        {
            order.key = Key::Formula(found.factors, found.joiner);
        }
    }

    /// Whether something to be answered was named.
    fn has_asked(&self) -> bool {
        !self.intent.seen.is_empty() && !self.asked_for
    }

    fn cue(&mut self, cue: Cue) {
        match cue {
            Cue::Count => self.count_cue(),
            Cue::Average => self.func(Func::Average),
            Cue::Maximum => self.func(Func::Maximum),
            Cue::Minimum => self.func(Func::Minimum),
            Cue::Sum => self.func(Func::Sum),
            Cue::Each => {
                self.grouping = true;
                if self.mode == Mode::Order {
                    self.mode = Mode::Tail;
                }
            }
            Cue::Distinct => {
                self.intent.distinct = true;
                self.distinct_next = true;
            }
            // "Sort the names by age": what stands behind "by" orders.
            Cue::Ordering if self.intent.seen.is_empty() => self.sorting = true,
            Cue::Order | Cue::Ordering => self.mode = Mode::Order,
            Cue::Alphabetical => self.order_by(Key::Name),
            Cue::Ascending => self.direction(false),
            Cue::Descending => self.direction(true),
            Cue::Commonest => self.by_frequency(true),
            Cue::Rarest => self.by_frequency(false),
            Cue::Greater | Cue::AtLeast | Cue::Less | Cue::AtMost | Cue::After | Cue::Before | Cue::Equal => {
                self.comparison(cue);
            }
            Cue::Between => self.between(),
            Cue::Than => {}
            Cue::Not => self.negate(),
            Cue::Or => self.alternative(),
            Cue::And => self.conjunction(),
            Cue::Both => self.intent.both = true,
            Cue::Relative | Cue::Whose => self.relative(cue),
            Cue::Contains => self.like = Some(Like::Contains),
            Cue::Begins => self.like = Some(Like::Begins),
            Cue::Ends => self.like = Some(Like::Ends),
            Cue::Asking => self.ask_again(),
            Cue::Which | Cue::Who | Cue::When | Cue::Where => self.question_word(cue),
            Cue::Difference => self.difference(),
            Cue::Mutual => self.intent.mutual = true,
            Cue::Percentage | Cue::Same | Cue::Other => {}
        }
    }

    /// "the price difference", "the difference in price".
    fn difference(&mut self) {
        let before = self.property.take().filter(|(_, at)| self.at - at <= 1).map(|(item, _)| item);
        let of = before.or_else(|| {
            let (item, at) = self.next_item(self.at + 1, NEAR)?;
            self.at = at;
            self.can_be_property(item).then_some(item)
        });
        let Some(item) = of else { return };
        self.intent.columns.retain(|column| *column != Column::Item(item));
        self.intent.seen.push((item, self.at, 0));
        self.intent.columns.push(Column::Difference(item));
    }

    fn func(&mut self, func: Func) {
        // "with the maximum weight" describes; "the maximum weight" is asked for.
        if self.mode == Mode::Order || self.is_bound_ahead() {
            return;
        }
        self.funcs.push(func);
    }

    /// "above the average": a function that the comparison before it takes.
    fn is_bound_ahead(&self) -> bool {
        (1..=2).any(|back| {
            self.at.checked_sub(back).and_then(|at| self.cue_at(at)).is_some_and(|cue| {
                matches!(cue, Cue::Greater | Cue::Less | Cue::AtLeast | Cue::AtMost | Cue::Than | Cue::Equal)
            })
        })
    }

    fn count_cue(&mut self) {
        if self.grade.is_some() || self.mode == Mode::Order {
            self.counting = true;
            return;
        }
        // "how much does it weigh" counts nothing.
        if self.is_how_much() {
            return;
        }
        let said =
            self.intent.columns.iter().any(|c| matches!(c, Column::Aggregate { func: Func::Count, .. }));
        let alone = self.cue_at(self.at + 1) == Some(Cue::And) || self.broken(self.at + 1).is_some();
        if said && alone {
            return;
        }
        self.counting = true;
        if self.next_item(self.at + 1, NEAR).is_none() && self.mode == Mode::Head {
            self.intent.columns.push(Column::Aggregate { func: Func::Count, of: None, distinct: false });
            self.counting = false;
        }
    }

    fn is_how_much(&self) -> bool {
        let last = self.cut.units[self.at].words.1 - 1;
        let much = ["much", "viel", "wieviel", "cuanto", "cuanta"];
        self.question.words.get(last).is_some_and(|word| much.contains(&word.folded.as_str()))
    }

    fn negate(&mut self) {
        self.scopes += 1;
        self.scope = self.scopes;
        if self.mode == Mode::Head && self.has_asked() {
            self.mode = Mode::Tail;
        }
        self.negated_next = true;
    }

    fn alternative(&mut self) {
        if self.choice == 0 {
            self.choices += 1;
            self.choice = self.choices;
            // What was read last is the first alternative.
            if let Some(last) = self.intent.conditions.last_mut() {
                last.choice = self.choice;
            } else {
                self.choice = 0;
            }
        }
    }

    fn conjunction(&mut self) {
        self.choice = 0;
        if self.scope > 0 && self.scope_used() {
            self.scope = 0;
        }
    }

    fn relative(&mut self, cue: Cue) {
        if cue == Cue::Whose {
            self.whose = true;
        }
        self.funcs.clear();
        if self.has_asked() || cue == Cue::Whose {
            if self.mode != Mode::Order || cue == Cue::Whose {
                self.mode = Mode::Tail;
            }
            self.asked_for = false;
        }
    }

    fn ask_again(&mut self) {
        if self.broken(self.at).is_some()
            || self.at == 0
            || self.mode == Mode::Head
            || self.cue_at(self.at - 1) == Some(Cue::And)
            || self.cut.units[self.at].words.1 - self.cut.units[self.at].words.0 > 1
        {
            self.mode = Mode::Head;
            self.scope = 0;
            self.whose = false;
        }
    }

    fn question_word(&mut self, cue: Cue) {
        let first = self.at == 0
            || self.broken(self.at).is_some_and(|mark| ".?!;,".contains(mark))
            || !self.has_asked()
            || matches!(self.cue_at(self.at - 1), Some(Cue::And | Cue::Asking));
        if !first {
            return self.relative(Cue::Relative);
        }
        if self.at > 0
            && self.broken(self.at) == Some(',')
            && cue != Cue::Which
            && self.intent.groups.is_empty()
        {
            return self.relative(Cue::Relative);
        }
        self.mode = Mode::Head;
        match cue {
            Cue::When => self.intent.columns.push(Column::Time),
            Cue::Where => self.intent.columns.push(Column::Place),
            Cue::Who => self.intent.columns.push(Column::Person),
            _ => self.asked_for = true,
        }
    }

    fn condition(&mut self, test: Test) {
        let condition = Condition { test, scope: self.scope, choice: self.choice, at: self.at };
        self.intent.conditions.push(condition);
    }

    fn matches(&mut self, like: Like, text: String) {
        let attr = self.property.take().map(|(item, _)| item).or_else(|| {
            let (item, at) = self.next_item(self.at + 1, NEAR)?;
            let free = self.can_be_property(item) && !matches!(self.kind(at + 1), Some(Kind::Number(_)));
            free.then_some(item)
        });
        self.condition(Test::Matches { attr, like, text });
    }

    fn finish(mut self) -> Intent {
        if let Some(pending) = self.grade.take() {
            self.superlative(pending);
        }
        if self.counting && self.intent.columns.is_empty() {
            self.intent.columns.push(Column::Aggregate { func: Func::Count, of: None, distinct: false });
        }
        if let (Some(down), true) = (self.order_down, self.intent.orders.is_empty()) {
            let last = self.intent.columns.iter().rev().find_map(|column| match column {
                Column::Aggregate { func, of: Some(attr), .. } if *func != Func::Count => {
                    Some(Key::Aggregate(*func, attr.clone()))
                }
                Column::Aggregate { func: Func::Count, of: Some(Attr::Item(item)), .. } => {
                    Some(Key::CountOf(Some(*item)))
                }
                _ => None,
            });
            self.intent.orders.push(Order { key: last.unwrap_or(Key::Name), down });
        }
        if self.limit.is_some() && self.intent.limit.is_none() && !self.intent.orders.is_empty() {
            self.intent.limit = self.limit;
        }
        self.intent
    }
}
