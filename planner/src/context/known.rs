//! What was worked out before of one question and its graph, so that it is worked out once however often it is asked for.

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

/// What properties and classes are called.
#[derive(Debug, Default)]
pub(crate) struct Called<'k> {
    pub properties: RefCell<FxHashMap<Iri<'k>, Names>>,
    pub kinds: RefCell<FxHashMap<Iri<'k>, Rc<[AnswerKind]>>>,
    pub naming: RefCell<FxHashMap<Iri<'k>, Option<Naming>>>,
}

/// How directly a column names what has it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Naming {
    /// "Name", "student name".
    Whole,
    /// "First name", "lname".
    Part,
    /// "Song name".
    Other,
}

/// A relation that is called by a comparative.
#[derive(Debug, Clone)]
pub(crate) struct Compared<'k> {
    pub property: Iri<'k>,
    pub grade: Grade,
    /// Whether the subject is more so ("older than"), or what it leads to ("broader").
    pub subject: bool,
}

/// What adjectives measure of things of a kind.
pub(crate) type Graded<'k> = FxHashMap<(Kind<'k>, Rc<phrase::Graded>), Vec<(Measure<'k>, bool, Features)>>;

/// Whether things of a class only stand between others.
pub(crate) type Between<'k> = RefCell<FxHashMap<Iri<'k>, bool>>;
