//! Logical forms: what a phrase of a question means. Sets of things or values, described from one member (as in λ-DCS, Liang
//! 2013), and answers made of them. Knows the schema's names alone; rendering is in `render`.

use crate::schema::Kind;
use std::rc::Rc;

/// An IRI of the schema, borrowed from the index.
pub(crate) type Iri<'k> = &'k str;

/// A single triple, followed forward or backward.
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

/// A sequence of steps, starting at the member of the set.
pub(crate) type Path<'k> = Vec<Step<'k>>;

/// The same path in reverse.
pub(crate) fn turned<'k>(path: &[Step<'k>]) -> Path<'k> {
    path.iter().rev().map(|step| step.turned()).collect()
}

/// Whether a path takes a step and the same step back: to siblings, which were not asked for.
pub(crate) fn returns(path: &[Step<'_>], on: &[Step<'_>]) -> bool {
    path.last().zip(on.first()).is_some_and(|(last, first)| last.turned() == *first)
}

/// The members of a set before any condition applies.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(crate) enum Base<'k> {
    /// Anything that meets the conditions.
    Any,
    /// Instances of a class.
    Class(Iri<'k>),
    /// These specific things, by IRI.
    Things(Vec<Rc<str>>),
    /// These specific literals, in SPARQL syntax.
    Values(Vec<Rc<str>>),
}

/// A set of things or values.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(crate) struct Set<'k> {
    pub base: Base<'k>,
    /// The kind of the members.
    pub kind: Kind<'k>,
    /// Conditions that every member meets.
    pub conditions: Vec<Condition<'k>>,
    /// Keeps only the top members by a measure.
    pub rank: Option<Rank<'k>>,
}

/// A condition on a member.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(crate) enum Condition<'k> {
    /// A path leads to a member of another set.
    Joined(Path<'k>, Rc<Set<'k>>),
    /// The condition does not hold.
    Not(Box<Condition<'k>>),
    /// At least one of them holds.
    Either(Vec<Condition<'k>>),
    /// A measure compares with an operand.
    Compare(Measure<'k>, Op, Operand<'k>),
    /// A text at the end of a path matches another.
    Like(Path<'k>, Like, Rc<str>),
    /// It is none of these things.
    Other(Vec<Rc<str>>),
    /// It meets the pattern of the glossary with this name.
    Meets(Iri<'k>),
    /// Two paths lead to the same node.
    Same(Path<'k>, Rc<Set<'k>>),
    /// It has this position, from 1, in a list or container that a property leads to from a member of another set.
    Placed(Iri<'k>, u32, Rc<Set<'k>>),
    /// A path leads to members of another set, and to nothing else.
    Only(Path<'k>, Rc<Set<'k>>),
    /// A path leads to every member of another set.
    Every(Path<'k>, Rc<Set<'k>>),
}

/// Something to compare and order by.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(crate) enum Measure<'k> {
    /// The literal at the end of a path.
    Value(Path<'k>),
    /// The number of members of a set that a path leads to.
    Count(Path<'k>, Rc<Set<'k>>),
    /// An aggregate over everything that a path leads to from one member.
    Aggregate(Func, Path<'k>),
    /// Full years from a date until today.
    Age(Path<'k>),
    /// Full years from one date to another of the same thing.
    Years(Path<'k>, Path<'k>),
    /// Full years from a date until a day, `YYYY-MM-DD`.
    YearsUntil(Path<'k>, Rc<str>),
    /// The calendar year of a time.
    Year(Path<'k>),
    /// Computed from several literals: a density from weight and volume.
    Formula(Vec<(Joint, Path<'k>)>),
}

/// The operator between a term of a formula and those before it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum Joint {
    Times,
    /// All terms that follow are in the denominator as well.
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
    /// The complement of the operator, if it is a single operator.
    pub fn negated(self) -> Option<Self> {
        match self {
            Self::Less => Some(Self::AtLeast),
            Self::AtMost => Some(Self::Greater),
            Self::Greater => Some(Self::AtMost),
            Self::AtLeast => Some(Self::Less),
            Self::Equal => None,
        }
    }

    /// The same comparison with its sides swapped.
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

/// The operand that a measure is compared with.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(crate) enum Operand<'k> {
    /// A number in SPARQL syntax.
    Number(Rc<str>),
    /// A range with inclusive bounds.
    Range(Rc<str>, Rc<str>),
    /// A period by its first and last day, `YYYY-MM-DD`.
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

/// How a text matches another.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum Like {
    /// Equal, ignoring case.
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
    /// Ranked within each group that shares the end of a path; among all members if empty.
    pub per: Path<'k>,
}

/// A column's content for a member of the answer's set.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(crate) struct Column<'k> {
    /// The path to the set that the column belongs to; empty for the member itself.
    pub path: Path<'k>,
    /// The set at the end of the path.
    pub of: Option<Rc<Set<'k>>>,
    /// The path from there to the value.
    pub then: Path<'k>,
    pub what: ColumnFunction,
    /// Members without it are kept.
    pub optional: bool,
}

impl Column<'_> {
    /// The member itself.
    pub fn this() -> Self {
        Self { path: Vec::new(), of: None, then: Vec::new(), what: ColumnFunction::Value, optional: false }
    }

    pub fn is_this(&self) -> bool {
        self.path.is_empty() && self.then.is_empty() && self.what == ColumnFunction::Value
    }

    pub fn is_aggregate(&self) -> bool {
        self.what != ColumnFunction::Value && !self.what.is_calendar()
    }
}

/// How the ends of a column's path are turned into a value.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum ColumnFunction {
    Value,
    Count,
    Aggregate(Func),
    Age,
    /// The year of a time: a row per year, where things have dates.
    Year,
    /// The decade or century of a time, by its years: a row per decade or century.
    Era(u16),
    /// The month of a time, of any year: a row per month.
    Month,
}

impl ColumnFunction {
    /// Whether it is a calendar unit, used for grouping.
    pub fn is_calendar(self) -> bool {
        matches!(self, Self::Year | Self::Era(_) | Self::Month)
    }
}

/// The share of a set's members that a statement holds for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum Quantifier {
    /// All of them, and there is at least one.
    All,
    /// Not all: at least one exception.
    NotAll,
    /// More than half.
    Most,
    /// None.
    None,
}

/// A complete answer.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(crate) enum Answer<'k> {
    /// Rows of columns, one per member of a set; without columns, the members themselves.
    List { of: Rc<Set<'k>>, columns: Vec<Column<'k>>, order: Vec<(Measure<'k>, bool)>, limit: Option<u32> },
    /// The number of members.
    Count(Rc<Set<'k>>),
    /// One row of aggregates over all members.
    Overall { of: Rc<Set<'k>>, columns: Vec<Column<'k>> },
    /// Whether there is a member.
    Exists(Rc<Set<'k>>),
    /// The percentage of the second set's members that are in the first.
    Share(Rc<Set<'k>>, Rc<Set<'k>>),
    /// Whether the number of members compares as stated.
    Numbered(Rc<Set<'k>>, Op, Rc<str>),
    /// A measure of each member.
    Measured(Rc<Set<'k>>, Measure<'k>),
    /// The difference between a measure of the first and of the second: a number, or years between times.
    Difference { from: (Rc<Set<'k>>, Measure<'k>), to: (Rc<Set<'k>>, Measure<'k>), years: bool },
    /// Whether the quantified share of the first set is in the second.
    Quantified(Quantifier, Rc<Set<'k>>, Rc<Set<'k>>),
    /// The sum of a measure over several sets.
    Sum(Vec<Rc<Set<'k>>>, Measure<'k>),
    /// An aggregate of a measure computed per member: the average of their counts of something.
    OfEach(Func, Rc<Set<'k>>, Measure<'k>),
}

impl<'k> Answer<'k> {
    /// The members themselves.
    pub fn list(of: Rc<Set<'k>>) -> Self {
        Self::List { of, columns: Vec::new(), order: Vec::new(), limit: None }
    }

    /// The top-level sets that it is made of.
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

    /// Everything of a kind: the instances of its class, if it is a single class.
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

    /// Whether it is a class without conditions.
    pub fn is_bare_class(&self) -> bool {
        matches!(self.base, Base::Class(_)) && self.conditions.is_empty() && self.rank.is_none()
    }

    pub fn is_open(&self) -> bool {
        self.base == Base::Any
    }

    /// Whether it consists of anything that meets a comparison, without a noun for it: "founded after 1950".
    pub fn is_unsaid(&self) -> bool {
        self.is_open()
            && self.rank.is_none()
            && self.conditions.iter().all(|condition| matches!(condition, Condition::Compare(..)))
    }

    /// Whether it consists only of things or values named in the question.
    pub fn is_named(&self) -> bool {
        matches!(self.base, Base::Things(_) | Base::Values(_)) && self.conditions.is_empty()
    }

    /// Whether its only possible member is one thing named in the question.
    pub fn is_one_thing(&self) -> bool {
        matches!(&self.base, Base::Things(things) if things.len() == 1)
    }

    /// Whether a thing, a value or a comparison restricts it.
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
            | Self::Meets(_)
            | Self::Same(..)
            | Self::Only(..)
            | Self::Every(..) => true,
            Self::Either(all) => all.iter().any(Condition::is_anchored),
        }
    }
}
