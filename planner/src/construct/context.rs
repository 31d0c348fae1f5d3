//! What constructs look things up in: the question, its links and the schema, with what was worked out before.

use crate::chart::Gap;
use crate::link::Links;
use crate::question::{Question, Span};
use crate::schema::{Kind, Schema};
use eruca_indexer::SchemaKind;
use eruca_indexer::language::{AnswerKind, Cue, Language, language, neutral};
use eruca_indexer::text::{humanize, words};
use eruca_sparql::local_name;
use rustc_hash::{FxHashMap, FxHashSet};
use std::cell::{OnceCell, RefCell};
use std::rc::Rc;

/// A span that fits this well is the name of a property as a whole.
const NAME_FIT: f32 = 0.6;

/// One question to one graph.
pub(crate) struct Context<'k> {
    pub schema: Schema<'k>,
    pub question: Question,
    pub links: Links<'k>,
    gaps: RefCell<FxHashMap<Span, Option<Rc<Gap>>>>,
    pub(super) tabular: OnceCell<bool>,
    pub(super) keys: OnceCell<FxHashSet<String>>,
}

impl<'k> Context<'k> {
    pub fn new(schema: Schema<'k>, question: Question, links: Links<'k>) -> Self {
        Self { schema, question, links, gaps: RefCell::default(), tabular: OnceCell::new(), keys: OnceCell::new() }
    }

    /// What stands in a span; nothing when it is too much.
    pub fn gap(&self, span: Span) -> Option<Rc<Gap>> {
        if let Some(known) = self.gaps.borrow().get(&span) {
            return known.clone();
        }
        let gap = Gap::read(&self.question, span).map(Rc::new);
        self.gaps.borrow_mut().insert(span, gap.clone());
        gap
    }

    /// Spans of a cue.
    pub fn cues(&self, wanted: Cue) -> impl Iterator<Item = Span> + '_ {
        self.question.cues.iter().filter(move |cue| cue.cue == wanted).map(|cue| cue.span)
    }

    pub fn has_cue(&self, wanted: Cue) -> bool {
        self.cues(wanted).next().is_some()
    }

    /// Whether things of a kind are persons, places and so on, by what their classes are called.
    pub fn is_kind(&self, kind: &Kind<'k>, wanted: AnswerKind) -> Option<bool> {
        let known: Vec<AnswerKind> =
            kind.classes().iter().take(6).flat_map(|class| self.answer_kinds(class)).collect();
        (!known.is_empty()).then(|| known.contains(&wanted))
    }

    fn answer_kinds(&self, class: &str) -> Vec<AnswerKind> {
        let card = self.schema.index.card.class(class);
        let labels = card.into_iter().flat_map(|card| card.labels.iter().map(|label| label.text.clone()));
        let names = std::iter::once(humanize(local_name(class))).chain(labels.take(4));
        let language = self.question.language;
        let heads = names.filter_map(|name| words(&name).pop());
        heads.filter_map(|word| language.kind_of_noun(&word.text)).collect()
    }
}

/// What a property is called, in words.
impl<'k> Context<'k> {
    /// Whether a property is called a year, a date or a time.
    pub fn names_time(&self, property: &str) -> bool {
        self.is_called(property, AnswerKind::Time)
    }

    fn is_called(&self, property: &str, wanted: AnswerKind) -> bool {
        let labels = self.schema.property(property).into_iter().flat_map(|card| &card.labels);
        let names = std::iter::once(humanize(local_name(property))).chain(labels.take(6).map(|label| label.text.clone()));
        let languages = [self.question.language, english()];
        names.flat_map(|name| words(&name)).any(|word| {
            languages.iter().any(|language| language.kind_of_noun(&word.text) == Some(wanted))
        })
    }

    /// Whether a span is a part of a longer name of a property: "first" in "first name" is no place in a row.
    pub fn is_in_name(&self, span: Span) -> bool {
        let names = || self.links.schema.iter().filter(|link| link.kind == SchemaKind::Property && link.fit >= NAME_FIT);
        let shares_end = |other: Span| {
            let listed = |at: u16| self.question.says_nothing(at) || names().any(|name| name.span.has(at));
            other.from > span.to && other.len() > 1 && (span.to..other.from).all(listed)
        };
        names().any(|name| name.span.len() > span.len() && name.span.contains(span))
            || (names().any(|name| name.span == span) && names().any(|name| shares_end(name.span)))
    }
}

/// Schemas are mostly English.
pub(super) fn english() -> &'static Language {
    language("en").unwrap_or_else(|| neutral("en"))
}
