//! Items of the chart: phrases with their meaning, the words that they used, and their features.

use crate::meaning::{Answer, Func, Like, Op, Operand, Path, Rank, Set};
use crate::question::{Numeral, Period, Span};
use crate::score::Features;
use eruca_language::{Cue, Grade, Measure};
use std::hash::{Hash, Hasher};
use std::rc::Rc;

/// Words of the question as a bit set.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct Words(u128);

impl Words {
    pub fn of(span: Span) -> Self {
        Self((span.from..span.to.min(128)).fold(0, |bits, at| bits | (1 << at)))
    }

    pub fn with(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    pub fn contains(self, at: u16) -> bool {
        at < 128 && self.0 & (1 << at) != 0
    }
}

/// The meaning of a phrase: complete sets and answers, and functions that still need one.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(crate) enum Phrase<'k> {
    /// A set of things or values, including one defined only by conditions.
    Set(Rc<Set<'k>>),
    /// A relation without its ends.
    Relation(Relation<'k>),
    /// The operand of a comparison whose measure is still missing.
    Bound(Rc<Bound<'k>>),
    /// A text that a value, still missing, is matched against.
    Text(Like, Rc<str>),
    /// Columns whose set is still missing.
    Columns(Rc<[Wanted<'k>]>),
    /// A grouping key: one row for each of these.
    Key(Rc<Wanted<'k>>),
    /// What to order the rows by.
    Order(Rc<Order<'k>>),
    /// The top of a set that is still missing.
    Rank(Rc<PendingRank<'k>>),
    /// More or fewer members of a set than a number.
    Counted(Rc<Set<'k>>, Op, Rc<str>),
    /// A bounded measure whose owner is still missing: "an average price above 20".
    Bounded(Rc<By<'k>>, Rc<Bound<'k>>),
    /// A comparison without its operand: "older", "more visitors".
    Comparative(Rc<Comparative<'k>>),
    /// A comparison with a thing whose subject is still missing: "more than Anna", "before the war".
    Than(Rc<Than<'k>>),
    /// A requested measure: "how long".
    Asked(Rc<By<'k>>),
    /// A difference by a measure, with the first of the two things once known: "how much older".
    Apart(Rc<By<'k>>, Option<Rc<Set<'k>>>),
    /// A shared value and the thing it is shared with: "the same city as Anna".
    Alike(Rc<Alike<'k>>, Option<Rc<Set<'k>>>),
    /// Positions in an order, both inclusive.
    Places(u32, u32),
    /// A complete answer.
    Answer(Rc<Answer<'k>>),
    /// A cue.
    Cue(Cue),
    /// A gradable adjective.
    Grade(Rc<Graded>),
    /// A number.
    Number(Rc<Number>),
    /// An ordinal.
    Ordinal(u32),
    /// A span of time.
    Period(Rc<Time>),
    /// Private to one construct, to pass on its name and sets.
    Own(&'static str, Rc<[Rc<Set<'k>>]>),
}

/// The name of a phrase that is a class without instances.
pub(crate) const EMPTY_CLASS: &str = "class without instances";

/// The type of a phrase: each cell keeps some phrases of each sort.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum Sort {
    Set,
    Relation,
    Columns,
    Answer,
    Other,
}

impl Phrase<'_> {
    pub fn sort(&self) -> Sort {
        match self {
            Self::Set(_) => Sort::Set,
            Self::Relation(_) => Sort::Relation,
            Self::Columns(_) => Sort::Columns,
            Self::Answer(_) => Sort::Answer,
            _ => Sort::Other,
        }
    }
}

/// A relation that the question names.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(crate) struct Relation<'k> {
    /// From the owner to the value.
    pub path: Path<'k>,
    /// Whether the word is a verb rather than a noun.
    pub verb: bool,
}

/// The operator and operand of a comparison.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(crate) struct Bound<'k> {
    pub op: Op,
    pub against: Operand<'k>,
    /// The adjective that says what is measured, if one does.
    pub grade: Option<Rc<Graded>>,
    /// The symbol of the number's unit.
    pub unit: Option<&'static str>,
}

/// A column whose set is still missing.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(crate) struct Wanted<'k> {
    /// Its owner; `None` when only the relation tells.
    pub of: Option<Rc<Set<'k>>>,
    pub then: Path<'k>,
    pub what: crate::meaning::ColumnFunction,
    pub optional: bool,
}

/// A sort key.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(crate) struct Order<'k> {
    pub by: By<'k>,
    pub down: bool,
}

/// What to rank members by, before their set is known.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(crate) enum By<'k> {
    /// A relation that the question names.
    Relation(Path<'k>),
    /// What an adjective measures.
    Grade(Rc<Graded>),
    /// An aggregate over all values that a relation leads to.
    Aggregate(Func, Path<'k>),
    /// The sum over a relation that leads to several values each: "the most".
    Total(Path<'k>),
    /// The number of members of a set that they are joined to.
    CountOf(Rc<Set<'k>>),
    /// The number of members of a set that a path leads to.
    CountVia(Path<'k>, Rc<Set<'k>>),
    /// A time that the question does not name.
    Time,
    /// Their names.
    Name,
    /// How often they occur.
    Uses,
    /// A quantity computed from others.
    Quantity(Rc<Quantity>),
}

/// A comparative: more or less of something.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(crate) struct Comparative<'k> {
    pub by: By<'k>,
    pub up: bool,
}

/// More or less than another thing.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(crate) struct Than<'k> {
    /// The measure; if absent, a time or a relation that is still missing.
    pub by: Option<By<'k>>,
    /// Greater, or later.
    pub up: bool,
    /// Whether times are compared.
    pub time: bool,
    /// Another measure of the same thing, instead of the same measure of another thing.
    pub own: Option<By<'k>>,
    /// The thing compared with.
    pub with: Rc<Set<'k>>,
}

/// What two things have in common.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(crate) enum Alike<'k> {
    /// The object of a relation.
    Relation(Path<'k>),
    /// A member of a class, by any path.
    Class(Rc<Set<'k>>),
    /// The year of a time.
    Year,
}

/// The top or bottom by a measure.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(crate) struct PendingRank<'k> {
    pub by: By<'k>,
    pub down: bool,
    pub skip: u32,
    pub take: u32,
}

impl<'k> PendingRank<'k> {
    /// The rank for a concrete measure; `turned` means that the measure's direction is reversed.
    pub fn rank(&self, by: crate::meaning::Measure<'k>, turned: bool) -> Rank<'k> {
        Rank { by, down: self.down != turned, skip: self.skip, take: self.take, per: Vec::new() }
    }
}

/// A gradable adjective, compared by what it measures.
#[derive(Debug, Clone)]
pub(crate) struct Graded(pub Grade);

/// A quantity computed from others.
#[derive(Debug, Clone)]
pub(crate) struct Quantity(pub Measure);

/// A number, compared by its text.
#[derive(Debug, Clone)]
pub(crate) struct Number(pub Numeral);

/// A span of time.
#[derive(Debug, Clone)]
pub(crate) struct Time(pub Period);

macro_rules! by_text {
    ($type:ident, $key:expr) => {
        impl PartialEq for $type {
            fn eq(&self, other: &Self) -> bool {
                $key(&self.0) == $key(&other.0)
            }
        }
        impl Eq for $type {}
        impl Hash for $type {
            fn hash<H: Hasher>(&self, state: &mut H) {
                $key(&self.0).hash(state);
            }
        }
    };
}

by_text!(Number, |number: &Numeral| number.text.clone());
by_text!(Time, |time: &Period| format!("{}{}", time.from, time.to));
by_text!(Quantity, |measure: &Measure| format!("{measure:?}"));

impl PartialEq for Graded {
    fn eq(&self, other: &Self) -> bool {
        self.0 == other.0
    }
}

impl Eq for Graded {}

impl Hash for Graded {
    fn hash<H: Hasher>(&self, state: &mut H) {
        (self.0.up, &self.0.nouns, &self.0.reversed).hash(state);
    }
}

/// A phrase over a span.
#[derive(Debug, Clone)]
pub(crate) struct Item<'k> {
    pub phrase: Phrase<'k>,
    pub span: Span,
    /// The words that it used; others were skipped.
    pub words: Words,
    pub derivation: Rc<Derivation>,
    pub score: f32,
}

/// The derivation of a phrase and of its parts; features are summed only when they are read.
#[derive(Debug, Default)]
pub(crate) struct Derivation {
    pub own: Features,
    pub of: [Option<Rc<Self>>; 2],
}

impl Derivation {
    /// The features of the whole derivation.
    pub fn features(&self) -> Features {
        let mut features = Features::default();
        self.add_to(&mut features);
        features
    }

    fn add_to(&self, features: &mut Features) {
        features.add_all(&self.own);
        for part in self.of.iter().flatten() {
            part.add_to(features);
        }
    }
}

/// A set of cues.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Cues(u128);

impl Cues {
    const fn bit(cue: Cue) -> u128 {
        1 << cue as u32
    }

    pub fn insert(&mut self, cue: Cue) {
        self.0 |= Self::bit(cue);
    }

    pub fn contains(self, cue: Cue) -> bool {
        self.0 & Self::bit(cue) != 0
    }
}

/// The result of a construct.
#[derive(Debug, Clone)]
pub(crate) struct Derived<'k> {
    pub phrase: Phrase<'k>,
    pub features: Features,
    /// Cues of the connective that it uses.
    pub cues: Cues,
}

impl<'k> Derived<'k> {
    pub fn new(phrase: Phrase<'k>) -> Self {
        Self { phrase, features: Features::default(), cues: Cues::default() }
    }

    pub fn set(set: Set<'k>) -> Self {
        Self::new(Phrase::Set(Rc::new(set)))
    }

    pub fn answer(answer: Answer<'k>) -> Self {
        Self::new(Phrase::Answer(Rc::new(answer)))
    }

    /// The same with a feature.
    #[must_use]
    pub fn with(mut self, feature: crate::score::Feature, value: f32) -> Self {
        self.features.add(feature, value);
        self
    }

    /// The same, using a cue of the connective.
    #[must_use]
    pub fn by(mut self, cue: Cue) -> Self {
        self.cues.insert(cue);
        self
    }

    /// The same for several cues.
    #[must_use]
    pub fn by_all(self, cues: impl IntoIterator<Item = Cue>) -> Self {
        cues.into_iter().fold(self, Self::by)
    }
}

/// The aggregate that a cue names.
pub(crate) fn func_of(cue: Cue) -> Option<Func> {
    match cue {
        Cue::Average => Some(Func::Average),
        Cue::Sum => Some(Func::Sum),
        Cue::Maximum => Some(Func::Maximum),
        Cue::Minimum => Some(Func::Minimum),
        _ => None,
    }
}
