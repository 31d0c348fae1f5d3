//! Caches of what has been computed about a question and its graph.

use crate::meaning::{Iri, Measure};
use crate::phrase;
use crate::schema::Kind;
use crate::score::Features;
use eruca_language::{AnswerKind, Grade};
use rustc_hash::FxHashMap;
use std::cell::RefCell;
use std::rc::Rc;

/// The words of each name of something.
pub(crate) type Names = Rc<[Vec<String>]>;

/// Names of properties and classes.
#[derive(Debug, Default)]
pub(crate) struct Called<'k> {
    pub properties: RefCell<FxHashMap<Iri<'k>, Names>>,
    pub kinds: RefCell<FxHashMap<Iri<'k>, Rc<[AnswerKind]>>>,
    pub naming: RefCell<FxHashMap<Iri<'k>, Option<Naming>>>,
}

/// How directly a column names its row.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Naming {
    /// "Name", "student name".
    Whole,
    /// "First name", "lname".
    Part,
    /// "Song name".
    Other,
}

/// A relation whose name is a comparative.
#[derive(Debug, Clone)]
pub(crate) struct Compared<'k> {
    pub property: Iri<'k>,
    pub grade: Grade,
    /// Whether the subject is the greater one ("older than"), or the object ("broader").
    pub subject: bool,
}

/// The measures of adjectives for things of a kind.
pub(crate) type Graded<'k> = FxHashMap<(Kind<'k>, Rc<phrase::Graded>), Vec<(Measure<'k>, bool, Features)>>;

/// Whether instances of a class are intermediate nodes.
pub(crate) type Between<'k> = RefCell<FxHashMap<Iri<'k>, bool>>;
