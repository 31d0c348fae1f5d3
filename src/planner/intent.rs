//! What a question asks for, before it is known where in the graph it is found.
//!
//! Items are numbers of [`Cut::items`](super::units::Cut).

/// Functions over groups.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Func {
    Count,
    Sum,
    Average,
    Minimum,
    Maximum,
}

impl Func {
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Count => "COUNT",
            Self::Sum => "SUM",
            Self::Average => "AVG",
            Self::Minimum => "MIN",
            Self::Maximum => "MAX",
        }
    }
}

/// An attribute, as far as the question tells.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Attr {
    /// Named by an item.
    Item(usize),
    /// What an adjective measures; with the item that it describes, if one stands near.
    Grade { nouns: Vec<&'static str>, reversed: Vec<&'static str>, of: Option<usize> },
    /// A point in time of whatever is near this unit.
    Time { near: usize },
    /// A number of whatever is near this unit.
    Unknown { near: usize },
}

/// A column.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Column {
    /// A class (its instances), a property (its values), a thing.
    Item(usize),
    /// A function of an attribute, or the number of instances of a class; without anything, of all rows.
    Aggregate { func: Func, of: Option<Attr>, distinct: bool },
    /// When it was, of whatever is near this unit.
    Time,
    /// Where it is.
    Place,
    /// Who it is.
    Person,
    /// Values of adjectives or measures: "dimensions".
    Parts(Vec<Vec<&'static str>>),
    /// The difference of an attribute of two things.
    Difference(usize),
}

/// How values compare.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Op {
    Equal,
    Greater,
    AtLeast,
    Less,
    AtMost,
}

impl Op {
    pub(super) fn sign(self) -> &'static str {
        match self {
            Self::Equal => "=",
            Self::Greater => ">",
            Self::AtLeast => ">=",
            Self::Less => "<",
            Self::AtMost => "<=",
        }
    }

    /// The same with equality.
    pub(super) fn or_equal(self) -> Self {
        match self {
            Self::Greater => Self::AtLeast,
            Self::Less => Self::AtMost,
            other => other,
        }
    }
}

/// What a value is compared with.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Bound {
    Number(String),
    /// A function of the same attribute over all.
    Overall(Func),
    /// Another attribute of the same thing.
    Attr(Attr),
}

/// How a text is found in a value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Like {
    Contains,
    Begins,
    Ends,
}

/// What must hold.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Test {
    /// An attribute compares with a bound.
    Compare { attr: Attr, op: Op, bound: Bound },
    /// A thing or value is met; `hint` names the property that was said beside it.
    Is { item: usize, hint: Option<usize> },
    /// There is an instance of a class, or a value of a property.
    Exists(usize),
    /// There are so many of something.
    Counted { of: usize, op: Op, number: String },
    /// A function of an attribute over a group compares with a number.
    Grouped { func: Func, attr: Attr, op: Op, number: String },
    /// A text is part of a value.
    Matches { attr: Option<usize>, like: Like, text: String },
}

/// A condition. Conditions of the same `scope` above 0 are negated together; those of the same `choice` above 0
/// are alternatives.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Condition {
    pub test: Test,
    pub scope: usize,
    pub choice: usize,
    /// The unit it was read from.
    pub at: usize,
}

/// What rows are ordered by.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Key {
    Attr(Attr),
    /// The number of instances of a class, or of rows with a value of a property.
    CountOf(Option<usize>),
    Aggregate(Func, Attr),
    /// A quantity that follows from others: groups of nouns with what joins them.
    Formula(Vec<Vec<&'static str>>, Vec<char>),
    /// The names of what is asked for.
    Name,
}

/// An order.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Order {
    pub key: Key,
    pub down: bool,
}

/// What a question asks for.
#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct Intent {
    /// Yes or no.
    pub ask: bool,
    /// Columns in the order of the question; empty when it names none.
    pub columns: Vec<Column>,
    /// One row for each of these items.
    pub groups: Vec<usize>,
    /// What must hold.
    pub conditions: Vec<Condition>,
    /// What rows are ordered by.
    pub orders: Vec<Order>,
    /// Rows wanted.
    pub limit: Option<u32>,
    /// Rows left out before them.
    pub offset: u32,
    /// Two different things may meet the conditions on the same property.
    pub both: bool,
    /// Each answer once, as the question says.
    pub distinct: bool,
    /// Only pairs that hold in both directions.
    pub mutual: bool,
    /// Items in the order of the question, with the number of their unit and the negated scope they stand in.
    pub seen: Vec<(usize, usize, usize)>,
}
