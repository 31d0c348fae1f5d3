//! What the chart holds: phrases with their meaning, the words that they used, and what speaks for and against them.

use crate::meaning::{Against, Answer, Func, Like, Op, Path, Rank, Set};
use crate::question::{Numeral, Period, Span};
use crate::score::Features;
use eruca_language::{Cue, Grade, Measure};
use std::hash::{Hash, Hasher};
use std::rc::Rc;

/// Words of the question, one bit each.
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

/// The meaning of a phrase: complete sets and answers, and functions that wait for one.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(crate) enum Phrase<'k> {
    /// A set of things or values, also of whatever meets a condition.
    Set(Rc<Set<'k>>),
    /// A relation without its ends.
    Relation(Relation<'k>),
    /// What a measure still to come is compared with.
    Bound(Rc<Bound<'k>>),
    /// A text that another still to come is like.
    Text(Like, Rc<str>),
    /// Columns of a set still to come.
    Columns(Rc<[Wanted<'k>]>),
    /// One row for each of these.
    Key(Rc<Wanted<'k>>),
    /// What the rows are ordered by.
    Order(Rc<Order<'k>>),
    /// The first or last ones of a set still to come.
    Top(Rc<Top<'k>>),
    /// More or fewer members of a set than so many.
    Counted(Rc<Set<'k>>, Op, Rc<str>),
    /// A bound of a measure, before what has it is known: "an average price above 20".
    Bounded(Rc<By<'k>>, Rc<Bound<'k>>),
    /// A comparison without what it is with: "older", "more visitors".
    Comparative(Rc<Comparative<'k>>),
    /// A comparison with a thing, before what is compared is known: "more than Anna", "before the war".
    Than(Rc<Than<'k>>),
    /// A measure that is asked for: "how long".
    Asked(Rc<By<'k>>),
    /// What lies between two things by a measure, with the first of them once it is known: "how much older".
    Apart(Rc<By<'k>>, Option<Rc<Set<'k>>>),
    /// What is the same, and as what: "the same city as Anna".
    Alike(Rc<Alike<'k>>, Option<Rc<Set<'k>>>),
    /// Places in a row, both included.
    Places(u32, u32),
    /// A whole answer.
    Answer(Rc<Answer<'k>>),
    /// A phrase of the question's form.
    Cue(Cue),
    /// An adjective that measures.
    Grade(Rc<Graded>),
    /// A number.
    Number(Rc<Number>),
    /// A place in a row.
    Ordinal(u32),
    /// A span of time.
    Period(Rc<Time>),
    /// What a construct of its own passes on to itself: its name, sets, and columns.
    Own(&'static str, Rc<[Rc<Set<'k>>]>),
}

/// The name of a phrase that is a class without instances.
pub(crate) const EMPTY_CLASS: &str = "class without instances";

/// What a phrase is, without its meaning: cells keep some of each sort.
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
    /// From what has it to what it is.
    pub path: Path<'k>,
    /// The word is written as what somebody does rather than as a noun.
    pub verb: bool,
}

/// What a measure is compared with, and how.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(crate) struct Bound<'k> {
    pub op: Op,
    pub against: Against<'k>,
    /// The adjective that says what is measured, if one does.
    pub grade: Option<Rc<Graded>>,
    /// The symbol of the number's unit.
    pub unit: Option<&'static str>,
}

/// A column that waits for the set whose members it is of.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(crate) struct Wanted<'k> {
    /// What has it; `None` when the relation alone tells.
    pub of: Option<Rc<Set<'k>>>,
    pub then: Path<'k>,
    pub what: crate::meaning::What,
    pub optional: bool,
}

/// What rows are ordered by.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(crate) struct Order<'k> {
    pub by: By<'k>,
    pub down: bool,
}

/// What members are ranked by, before the set is known.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(crate) enum By<'k> {
    /// A relation that the question names.
    Relation(Path<'k>),
    /// What an adjective measures.
    Grade(Rc<Graded>),
    /// What is made of all values that a relation leads to.
    Aggregate(Func, Path<'k>),
    /// The sum of what a relation leads to, where it leads to several from each: "the most".
    Total(Path<'k>),
    /// How many of a set they are joined to.
    CountOf(Rc<Set<'k>>),
    /// How many of a set a way leads to.
    CountVia(Path<'k>, Rc<Set<'k>>),
    /// Their time, which no word names.
    Time,
    /// Their names.
    Name,
    /// How often they occur.
    Uses,
    /// What follows from others.
    Quantity(Rc<Quantity>),
}

/// More or less of something.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(crate) struct Comparative<'k> {
    pub by: By<'k>,
    pub up: bool,
}

/// More or less than a thing has.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(crate) struct Than<'k> {
    /// What is compared; a time or a relation still to come where nothing is said.
    pub by: Option<By<'k>>,
    /// Greater, or later.
    pub up: bool,
    /// In time.
    pub time: bool,
    /// Another measure of the same thing, rather than one of another.
    pub own: Option<By<'k>>,
    /// The thing.
    pub with: Rc<Set<'k>>,
}

/// What two things have in common.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(crate) enum Alike<'k> {
    /// What a relation leads to.
    Relation(Path<'k>),
    /// A member of a class, whatever leads there.
    Class(Rc<Set<'k>>),
    /// The year of a time.
    Year,
}

/// The first or last ones by a measure.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(crate) struct Top<'k> {
    pub by: By<'k>,
    pub down: bool,
    pub skip: u32,
    pub take: u32,
}

impl<'k> Top<'k> {
    /// The first or last ones by what it comes to for some things; `turned` is whether the greatest is the other way round.
    pub fn rank(&self, by: crate::meaning::Measure<'k>, turned: bool) -> Rank<'k> {
        Rank { by, down: self.down != turned, skip: self.skip, take: self.take, per: Vec::new() }
    }
}

/// An adjective that measures, told apart from others by what it measures.
#[derive(Debug, Clone)]
pub(crate) struct Graded(pub Grade);

/// A quantity that follows from others.
#[derive(Debug, Clone)]
pub(crate) struct Quantity(pub Measure);

/// A number; equal when it is written equally.
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
    /// Words with a part in it; others were skipped.
    pub words: Words,
    pub derivation: Rc<Derivation>,
    pub score: f32,
}

/// What was done for a phrase, and for the phrases that it is made of: their features are added up only where they are read.
#[derive(Debug, Default)]
pub(crate) struct Derivation {
    pub own: Features,
    pub of: [Option<Rc<Self>>; 2],
}

impl Derivation {
    /// All features.
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

/// What a construct makes of phrases.
#[derive(Debug, Clone)]
pub(crate) struct Derived<'k> {
    pub phrase: Phrase<'k>,
    pub features: Features,
    /// Cues between the phrases that have a part in it.
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

    /// The same, with a cue between the phrases that has a part in it.
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

/// Aggregates that a cue names.
pub(crate) fn func_of(cue: Cue) -> Option<Func> {
    match cue {
        Cue::Average => Some(Func::Average),
        Cue::Sum => Some(Func::Sum),
        Cue::Maximum => Some(Func::Maximum),
        Cue::Minimum => Some(Func::Minimum),
        _ => None,
    }
}
