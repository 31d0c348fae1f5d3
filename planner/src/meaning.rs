//! Logical forms: what a phrase of a question means. Sets of things or values, described from one member (as in λ-DCS, Liang
//! 2013), and answers made of them. Knows the schema's names alone; rendering is in `render`.

use crate::schema::Kind;
use std::rc::Rc;

/// An IRI of the schema, borrowed from the index.
pub(crate) type Iri<'k> = &'k str;

/// One triple away: along a property, or against it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct Step<'k> {
    pub property: Iri<'k>,
    /// From subject to object.
    pub forward: bool,
}

impl Step<'_> {
    pub fn turned(self) -> Self {
        Self { forward: !self.forward, ..self }
    }
}

/// Several steps, the first one from the member of the set.
pub(crate) type Path<'k> = Vec<Step<'k>>;

/// The same way from its end.
pub(crate) fn turned<'k>(path: &[Step<'k>]) -> Path<'k> {
    path.iter().rev().map(|step| step.turned()).collect()
}

/// Whether a way goes a step and the same step back: to other things that share one, which nobody asked for.
pub(crate) fn returns(path: &[Step<'_>], on: &[Step<'_>]) -> bool {
    path.last().zip(on.first()).is_some_and(|(last, first)| last.turned() == *first)
}

/// What the members of a set are before any condition.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(crate) enum Base<'k> {
    /// Anything that meets the conditions.
    Any,
    /// Instances of a class.
    Class(Iri<'k>),
    /// These very things, by IRI.
    Things(Vec<Rc<str>>),
    /// These very literals, in SPARQL's spelling.
    Values(Vec<Rc<str>>),
}

/// A set of things or values.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(crate) struct Set<'k> {
    pub base: Base<'k>,
    /// What is known of its members.
    pub kind: Kind<'k>,
    /// All hold of every member.
    pub conditions: Vec<Condition<'k>>,
    /// Only the first ones by a measure.
    pub rank: Option<Rank<'k>>,
}

/// What holds of a member.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(crate) enum Condition<'k> {
    /// A way leads to a member of another set.
    Joined(Path<'k>, Rc<Set<'k>>),
    /// None of what follows holds.
    Not(Box<Condition<'k>>),
    /// One of them holds.
    Either(Vec<Condition<'k>>),
    /// A measure compares with something.
    Compare(Measure<'k>, Op, Against<'k>),
    /// A text at the end of a way is like another.
    Like(Path<'k>, Like, Rc<str>),
    /// It is none of these things.
    Other(Vec<Rc<str>>),
    /// Two ways lead to the same.
    Same(Path<'k>, Rc<Set<'k>>),
    /// It has this place, from 1, in a list or container that a property leads to from a member of another set.
    Placed(Iri<'k>, u32, Rc<Set<'k>>),
    /// A way leads to members of another set, and to nothing else.
    Only(Path<'k>, Rc<Set<'k>>),
    /// A way leads to every member of another set.
    Every(Path<'k>, Rc<Set<'k>>),
}

/// Something that can be compared and ordered by.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(crate) enum Measure<'k> {
    /// The literal at the end of a way.
    Value(Path<'k>),
    /// How many members of a set a way leads to.
    Count(Path<'k>, Rc<Set<'k>>),
    /// What is made of all that a way leads to from one member.
    Aggregate(Func, Path<'k>),
    /// Full years from a date until today.
    Age(Path<'k>),
    /// Full years from one date to another of the same thing.
    Years(Path<'k>, Path<'k>),
    /// Full years from a date until a day, `YYYY-MM-DD`.
    YearsUntil(Path<'k>, Rc<str>),
    /// The calendar year of a time.
    Year(Path<'k>),
    /// What is worked out from several literals: a density from weight and volume.
    Formula(Vec<(Joint, Path<'k>)>),
}

/// How a term of a formula is joined to those before it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum Joint {
    Times,
    /// All that follow are below the line as well.
    Over,
    Minus,
}

/// Comparison operators of SPARQL.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum Op {
    Equal,
    Less,
    AtMost,
    Greater,
    AtLeast,
}

impl Op {
    /// What holds where this does not, if it is one comparison.
    pub fn negated(self) -> Option<Self> {
        match self {
            Self::Less => Some(Self::AtLeast),
            Self::AtMost => Some(Self::Greater),
            Self::Greater => Some(Self::AtMost),
            Self::AtLeast => Some(Self::Less),
            Self::Equal => None,
        }
    }

    /// The same comparison seen from the other side.
    pub fn mirrored(self) -> Self {
        match self {
            Self::Less => Self::Greater,
            Self::AtMost => Self::AtLeast,
            Self::Greater => Self::Less,
            Self::AtLeast => Self::AtMost,
            Self::Equal => Self::Equal,
        }
    }
}

/// What a measure is compared with.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(crate) enum Against<'k> {
    /// A number in SPARQL's spelling.
    Number(Rc<str>),
    /// Two of them, both included.
    Range(Rc<str>, Rc<str>),
    /// A span of time: first and last day, `YYYY-MM-DD`, and whether years are enough.
    Period { from: Rc<str>, to: Rc<str> },
    /// A month of any year.
    Month(u8),
    /// The same measure of another thing.
    Thing(Rc<Set<'k>>, Box<Measure<'k>>),
    /// An aggregate of the measure over a set.
    Overall(Func, Rc<Set<'k>>),
    /// Another measure of the same thing.
    Own(Box<Measure<'k>>),
}

/// Aggregates of SPARQL.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum Func {
    Average,
    Sum,
    Maximum,
    Minimum,
}

/// How a text is like another.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum Like {
    /// The same, whatever the case.
    Is,
    Contains,
    Begins,
    Ends,
}

/// The members with the greatest or smallest measure.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(crate) struct Rank<'k> {
    pub by: Measure<'k>,
    /// Greatest first.
    pub down: bool,
    pub skip: u32,
    pub take: u32,
    /// Among those who share what a way leads to; among all when there is none.
    pub per: Path<'k>,
}

/// What a column holds for a member of the answer's set.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(crate) struct Column<'k> {
    /// The way to the set that the column is of; empty for the member itself.
    pub path: Path<'k>,
    /// What the way leads to.
    pub of: Option<Rc<Set<'k>>>,
    /// On from there.
    pub then: Path<'k>,
    pub what: What,
    /// Members without it stay.
    pub optional: bool,
}

impl Column<'_> {
    /// The member itself.
    pub fn this() -> Self {
        Self { path: Vec::new(), of: None, then: Vec::new(), what: What::Value, optional: false }
    }

    pub fn is_this(&self) -> bool {
        self.path.is_empty() && self.then.is_empty() && self.what == What::Value
    }

    pub fn is_aggregate(&self) -> bool {
        self.what != What::Value && !self.what.is_calendar()
    }
}

/// What is made of what a column's way leads to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum What {
    Value,
    Count,
    Aggregate(Func),
    Age,
    /// The year of a time: a row for each year, where things have days.
    Year,
    /// The decade or century of a time, by its years: a row for each.
    Era(u16),
    /// The month of a time, of any year: a row for each.
    Month,
}

impl What {
    /// Whether it is a unit of the calendar, of which there is a row for each.
    pub fn is_calendar(self) -> bool {
        matches!(self, Self::Year | Self::Era(_) | Self::Month)
    }
}

/// Of how many members of a set something is said.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum Quantifier {
    /// Of each of them, and there is one.
    All,
    /// There is one of which it does not hold.
    NotAll,
    /// Of more than half.
    Most,
    /// Of none.
    None,
}

/// A whole answer.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(crate) enum Answer<'k> {
    /// Rows of columns, one for each member of a set; none for the members themselves.
    List { of: Rc<Set<'k>>, columns: Vec<Column<'k>>, order: Vec<(Measure<'k>, bool)>, limit: Option<u32> },
    /// The number of members.
    Count(Rc<Set<'k>>),
    /// One row of aggregates over all members.
    Overall { of: Rc<Set<'k>>, columns: Vec<Column<'k>> },
    /// Whether there is a member.
    Exists(Rc<Set<'k>>),
    /// How many of a hundred members of the second set are in the first.
    Share(Rc<Set<'k>>, Rc<Set<'k>>),
    /// Whether the number of members is so great.
    Numbered(Rc<Set<'k>>, Op, Rc<str>),
    /// A measure of each member.
    Measured(Rc<Set<'k>>, Measure<'k>),
    /// What lies between a measure of the first and one of the second: a number, or years between times.
    Difference { from: (Rc<Set<'k>>, Measure<'k>), to: (Rc<Set<'k>>, Measure<'k>), years: bool },
    /// Whether so many members of the first set are in the second.
    Quantified(Quantifier, Rc<Set<'k>>, Rc<Set<'k>>),
    /// The sum of a measure over several sets.
    Sum(Vec<Rc<Set<'k>>>, Measure<'k>),
    /// An aggregate of what is worked out for each member: the average of their numbers of something.
    OfEach(Func, Rc<Set<'k>>, Measure<'k>),
}

impl<'k> Answer<'k> {
    /// The members themselves.
    pub fn list(of: Rc<Set<'k>>) -> Self {
        Self::List { of, columns: Vec::new(), order: Vec::new(), limit: None }
    }

    /// The sets that it is made of, without those inside them.
    pub fn sets(&self) -> Vec<&Rc<Set<'k>>> {
        match self {
            Self::List { of, .. }
            | Self::Count(of)
            | Self::Overall { of, .. }
            | Self::Exists(of)
            | Self::Numbered(of, ..)
            | Self::OfEach(_, of, _)
            | Self::Measured(of, _) => vec![of],
            Self::Share(one, other)
            | Self::Quantified(_, one, other)
            | Self::Difference { from: (one, _), to: (other, _), .. } => {
                vec![one, other]
            }
            Self::Sum(all, _) => all.iter().collect(),
        }
    }
}

impl<'k> Set<'k> {
    pub fn any(kind: Kind<'k>, condition: Condition<'k>) -> Self {
        Self { base: Base::Any, kind, conditions: vec![condition], rank: None }
    }

    pub fn of_class(class: Iri<'k>) -> Self {
        Self { base: Base::Class(class), kind: Kind::class(class), conditions: Vec::new(), rank: None }
    }

    /// All of a kind: instances of its class, where it is one.
    pub fn of_kind(kind: Kind<'k>) -> Self {
        match kind.classes() {
            [class] => Self::of_class(class),
            _ => Self { base: Base::Any, kind, conditions: Vec::new(), rank: None },
        }
    }

    pub fn thing(iri: Rc<str>, kind: Kind<'k>) -> Self {
        Self { base: Base::Things(vec![iri]), kind, conditions: Vec::new(), rank: None }
    }

    /// The same with one more condition.
    #[must_use]
    pub fn and(&self, condition: Condition<'k>) -> Self {
        let mut conditions = self.conditions.clone();
        if !conditions.contains(&condition) {
            conditions.push(condition);
        }
        Self { conditions, ..self.clone() }
    }

    /// Whether it says nothing but a class.
    pub fn is_bare_class(&self) -> bool {
        matches!(self.base, Base::Class(_)) && self.conditions.is_empty() && self.rank.is_none()
    }

    pub fn is_open(&self) -> bool {
        self.base == Base::Any
    }

    /// Whether it is of whatever a comparison holds of, without a word for what that is: "founded after 1950".
    pub fn is_unsaid(&self) -> bool {
        self.is_open()
            && self.rank.is_none()
            && self.conditions.iter().all(|condition| matches!(condition, Condition::Compare(..)))
    }

    /// Whether it is nothing but things or values that the question names.
    pub fn is_named(&self) -> bool {
        matches!(self.base, Base::Things(_) | Base::Values(_)) && self.conditions.is_empty()
    }

    /// Whether nothing but one thing that the question names can be a member.
    pub fn is_one_thing(&self) -> bool {
        matches!(&self.base, Base::Things(things) if things.len() == 1)
    }

    /// Whether a thing, a value or a comparison narrows it.
    pub fn is_anchored(&self) -> bool {
        matches!(self.base, Base::Things(_) | Base::Values(_))
            || self.rank.is_some()
            || self.conditions.iter().any(Condition::is_anchored)
    }
}

impl Condition<'_> {
    pub fn is_anchored(&self) -> bool {
        match self {
            Self::Joined(_, set) | Self::Placed(.., set) => set.is_anchored(),
            Self::Not(_)
            | Self::Compare(..)
            | Self::Like(..)
            | Self::Other(_)
            | Self::Same(..)
            | Self::Only(..)
            | Self::Every(..) => true,
            Self::Either(all) => all.iter().any(Condition::is_anchored),
        }
    }
}
