//! What constructs look things up in: the question, its links and the schema, with what was worked out before.

use crate::chart::Gap;
use crate::link::Links;
use crate::meaning::{Base, Set, Step};
use crate::question::{Question, Span};
use crate::schema::{Kind, Schema, Way};
use eruca_indexer::SchemaKind;
use eruca_indexer::language::{AnswerKind, Cue, fallback};
use eruca_indexer::text::{humanize, words};
use eruca_sparql::local_name;
use rustc_hash::{FxHashMap, FxHashSet};
use std::cell::{OnceCell, RefCell};
use std::rc::Rc;

/// Steps of a thing that are tried where the schema tells no way, and what they cost.
const MAX_OWN_WAYS: usize = 3;
const OWN_WAY_COST: f32 = 1.5;
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
        Self {
            schema,
            question,
            links,
            gaps: RefCell::default(),
            tabular: OnceCell::new(),
            keys: OnceCell::new(),
        }
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

    /// What a way leads to from the members of a set; nothing when it starts at none of them.
    pub fn leads(&self, path: &[Step<'k>], from: &Set<'k>) -> Option<Kind<'k>> {
        let (first, rest) = path.split_first()?;
        match self.has(from, *first) {
            Some(false) => None,
            Some(true) => {
                let next = self.schema.follow(*first, &from.kind).unwrap_or_else(|| self.schema.end(*first));
                self.schema.follow_path(rest, &next)
            }
            None => self.schema.follow_path(path, &from.kind),
        }
    }

    /// Whether a step starts at one of the things that a set is, as far as that was asked.
    pub fn has(&self, set: &Set<'k>, step: Step<'k>) -> Option<bool> {
        let Base::Things(things) = &set.base else { return None };
        let mut any = false;
        for thing in things {
            any |= self.links.has(thing, step)?;
        }
        Some(any)
    }

    /// Steps that are known to start at a thing.
    pub fn steps_of(&self, set: &Set<'k>) -> Vec<Step<'k>> {
        let Base::Things(things) = &set.base else { return Vec::new() };
        let facts = things.iter().filter_map(|thing| self.links.facts.get(&**thing));
        let all = facts.flat_map(|facts| {
            let out = facts.out.iter().map(|property| (property, true));
            out.chain(facts.into.iter().flatten().map(|property| (property, false)))
        });
        let manifest = &self.schema.index.manifest.vocabulary;
        let data = all.filter(|(property, _)| !manifest.is_schema(property));
        data.filter_map(|(property, forward)| {
            Some(Step { property: self.schema.property(property)?.iri.as_str(), forward })
        })
        .collect()
    }

    /// The ways from things of a kind to the members of a set, the best first: those that the schema tells, of the steps that
    /// the very members have; in the place of none, steps that they have.
    pub fn ways(&self, from: &Kind<'k>, to: &Set<'k>) -> Vec<Way<'k>> {
        let arrives =
            |way: &&Way<'k>| way.path.last().is_none_or(|last| self.has(to, last.turned()) != Some(false));
        let found: Vec<Way<'k>> = self.schema.ways(from, &to.kind).iter().filter(arrives).cloned().collect();
        if !found.is_empty() || from.classes().is_empty() {
            return found;
        }
        let steps = self.steps_of(to).into_iter();
        let fitting = steps.filter(|step| {
            self.schema.compatible(&self.schema.end(*step), from) && self.schema.end(*step) != Kind::Unknown
        });
        fitting.take(MAX_OWN_WAYS).map(|step| Way { path: vec![step.turned()], cost: OWN_WAY_COST }).collect()
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
        let heads = names.filter_map(|name| words(&name).pop());
        // Classes are mostly named in another language than the question.
        let known =
            |head: &str| self.question.language.kind_of_noun(head).or_else(|| fallback().kind_of_noun(head));
        heads.filter_map(|word| known(&word.text)).collect()
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
        let names = std::iter::once(humanize(local_name(property)))
            .chain(labels.take(6).map(|label| label.text.clone()));
        let languages = [self.question.language, fallback()];
        names
            .flat_map(|name| words(&name))
            .any(|word| languages.iter().any(|language| language.kind_of_noun(&word.text) == Some(wanted)))
    }

    /// Whether a span is a part of a longer name of a property: "first" in "first name" is no place in a row.
    pub fn is_in_name(&self, span: Span) -> bool {
        let names = || {
            self.links.schema.iter().filter(|link| link.kind == SchemaKind::Property && link.fit >= NAME_FIT)
        };
        let shares_end = |other: Span| {
            let listed = |at: u16| self.question.says_nothing(at) || names().any(|name| name.span.has(at));
            other.from > span.to && other.len() > 1 && (span.to..other.from).all(listed)
        };
        names().any(|name| name.span.len() > span.len() && name.span.contains(span))
            || (names().any(|name| name.span == span) && names().any(|name| shares_end(name.span)))
    }
}
