//! The context that constructs read: the question, its links and the schema, with caches.

mod between;
mod called;
mod known;
pub(crate) mod tables;

pub(crate) use known::{Compared, Naming};

use crate::link::Links;
use crate::meaning::{Base, Condition, Operand, Path, Set, Step, returns};
use crate::phrase::{Connective, skips};
use crate::question::{ParsedQuestion, Span, WordKind};
use crate::schema::{CostedPath, Kind, Schema};
use crate::score::Features;
use eruca_indexer::SchemaKind;
use eruca_language::Cue;
use known::{Between, Called, Graded};
use rustc_hash::{FxHashMap, FxHashSet};
use std::cell::{OnceCell, RefCell};
use std::rc::Rc;

/// Steps of a thing tried where the schema has no path, and their cost.
const MAX_OWN_WAYS: usize = 3;
const OWN_WAY_COST: f32 = 1.5;
/// The cost of the last step of a longer path if the thing is known to have it.
const LAST_STEP_COST: f32 = 0.5;
/// Maximum number of steps in a path.
const MAX_STEPS: usize = 3;
/// Minimum fit for a span to be the whole name of a property.
const NAME_FIT: f32 = 0.6;
/// Minimum fit for words to be the whole name of a class, in any language; and the tolerance between equal fits.
const WHOLE_FIT: f32 = 0.85;
const EVEN: f32 = 1e-3;

/// One question about one graph.
pub(crate) struct Context<'k> {
    pub schema: Schema<'k>,
    pub question: ParsedQuestion,
    pub links: Links<'k>,
    /// Features of skipping each word.
    pub skips: Vec<Features>,
    gaps: RefCell<FxHashMap<Span, Option<Rc<Connective>>>>,
    called: Called<'k>,
    pub graded: RefCell<Graded<'k>>,
    between: Between<'k>,
    tabular: OnceCell<bool>,
    pub compared: OnceCell<Rc<[Compared<'k>]>>,
    keys: OnceCell<FxHashSet<String>>,
    /// Whether columns are the keys of their own tables, where already looked up.
    own_keys: RefCell<FxHashMap<String, bool>>,
}

impl<'k> Context<'k> {
    pub fn new(schema: Schema<'k>, question: ParsedQuestion, links: Links<'k>) -> Self {
        Self {
            schema,
            skips: skips(&question),
            question,
            links,
            gaps: RefCell::default(),
            called: Called::default(),
            graded: RefCell::default(),
            between: Between::default(),
            tabular: OnceCell::new(),
            compared: OnceCell::new(),
            keys: OnceCell::new(),
            own_keys: RefCell::default(),
        }
    }

    /// The connective in a span; none if it contains too much.
    pub fn connective(&self, span: Span) -> Option<Rc<Connective>> {
        if let Some(known) = self.gaps.borrow().get(&span) {
            return known.clone();
        }
        let connective = Connective::read(&self.question, span).map(Rc::new);
        self.gaps.borrow_mut().insert(span, connective.clone());
        connective
    }

    /// The kind that a path leads to from the members of a set; none if it starts at none of them.
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

    /// Whether numbers bound a single named thing. That would keep or remove it, so they bound something else, except in a yes/no
    /// question.
    pub fn bounds_one(&self, set: &Set<'k>) -> bool {
        let bounds = |condition: &Condition<'k>| {
            matches!(condition, Condition::Compare(_, _, Operand::Number(_) | Operand::Range(..)))
        };
        let one = matches!(&set.base, Base::Things(things) if things.len() == 1);
        one && !self.question.asks_yes_or_no() && set.conditions.iter().any(bounds)
    }

    /// Whether the step exists for one of the things in a set, where that was looked up.
    pub fn has(&self, set: &Set<'k>, step: Step<'k>) -> Option<bool> {
        let Base::Things(things) = &set.base else { return None };
        let mut any = false;
        for thing in things {
            any |= self.links.has(thing, step)?;
        }
        Some(any)
    }

    /// Steps known to exist for a thing.
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

    /// Paths from things of a kind to the members of a set, best first: those of the schema that end in steps the members have;
    /// otherwise the members' own steps, or paths that end in one of them.
    pub fn ways(&self, from: &Kind<'k>, to: &Set<'k>) -> Vec<CostedPath<'k>> {
        if self.is_unclassed(to) {
            return self.ways_to_unclassed(from);
        }
        let known = |way: &CostedPath<'k>| way.path.last().and_then(|last| self.has(to, last.turned()));
        let ways = self.schema.ways(from, &to.kind);
        let arriving = ways.iter().filter(|way| known(way) != Some(false));
        // A last step that the members are known to have is certain.
        let cost = |way: &CostedPath<'k>| match known(way) {
            Some(true) if way.path.len() > 1 => way.cost - (1.0 - LAST_STEP_COST),
            _ => way.cost,
        };
        let found: Vec<CostedPath<'k>> =
            arriving.map(|way| CostedPath { path: way.path.clone(), cost: cost(way) }).collect();
        if found.iter().any(|way| way.path.len() == 1) || from.classes().is_empty() {
            return found;
        }
        let steps = self.steps_of(to);
        let fitting = steps.iter().filter(|step| {
            self.schema.compatible(&self.schema.end(**step), from) && self.schema.end(**step) != Kind::Unknown
        });
        let own: Vec<CostedPath<'k>> = fitting
            .take(MAX_OWN_WAYS)
            .map(|step| CostedPath { path: vec![step.turned()], cost: OWN_WAY_COST })
            .collect();
        if own.is_empty() { self.ways_by(from, &steps, found) } else { own }
    }

    /// Whether a set consists of unclassed nodes, known by their properties: "in Bonn", where addresses have towns and no class.
    pub fn is_unclassed(&self, set: &Set<'k>) -> bool {
        let had = |condition: &Condition<'k>| match condition {
            Condition::Joined(path, _) => {
                path.first().is_some_and(|step| step.forward && self.schema.starts_unclassed(step.property))
            }
            _ => false,
        };
        set.kind == Kind::Unknown && set.is_open() && set.conditions.iter().any(had)
    }

    pub fn ways_to_unclassed(&self, from: &Kind<'k>) -> Vec<CostedPath<'k>> {
        let steps = self.schema.to_unclassed(from).into_iter();
        steps.map(|step| CostedPath { path: vec![step], cost: 1.0 }).collect()
    }

    /// Paths to something that has one of these steps, extended by it: rivers are in Europe through countries with that
    /// continent. Merged with the known paths.
    fn ways_by(
        &self,
        from: &Kind<'k>,
        steps: &[Step<'k>],
        known: Vec<CostedPath<'k>>,
    ) -> Vec<CostedPath<'k>> {
        let on = |step: &Step<'k>| {
            let before = self.schema.ways(from, &self.schema.end(*step));
            let last = step.turned();
            let way = |way: &CostedPath<'k>| {
                let path: Path<'k> = way.path.iter().copied().chain([last]).collect();
                CostedPath { path, cost: way.cost + LAST_STEP_COST }
            };
            before.iter().filter(|way| !returns(&way.path, &[last])).map(way).collect::<Vec<_>>()
        };
        let mut found = known;
        for way in steps.iter().flat_map(on).filter(|way| way.path.len() <= MAX_STEPS) {
            if !found.iter().any(|known| known.path == way.path) {
                found.push(way);
            }
        }
        found.sort_by(|a, b| a.cost.total_cmp(&b.cost));
        found.truncate(MAX_OWN_WAYS);
        found
    }

    /// Whether a path may lead from one thing to several.
    pub fn may_lead_to_many(&self, path: &[Step<'k>]) -> bool {
        let many = |step: &Step<'k>| {
            let card = self.schema.property(step.property);
            !step.forward || card.is_none_or(|card| card.subjects == 0 || card.usage > card.subjects)
        };
        path.iter().any(many)
    }

    /// The spans of a cue.
    pub fn cues(&self, wanted: Cue) -> impl Iterator<Item = Span> + '_ {
        self.question.cues.iter().filter(move |cue| cue.cue == wanted).map(|cue| cue.span)
    }

    /// Whether a span contains a verb.
    pub fn has_verb(&self, span: Span) -> bool {
        self.question.words_of(span).iter().any(|word| word.kind == WordKind::Verb)
    }

    pub fn has_cue(&self, wanted: Cue) -> bool {
        self.cues(wanted).next().is_some()
    }
}

/// Names of properties.
impl Context<'_> {
    /// Whether a span is the exact name of a class but matches a property only in part or with function words: "the largest
    /// country in …" is a country, not what most things are located in.
    pub fn is_rather_class(&self, span: Span, property: &str) -> bool {
        let links = || self.links.schema.iter();
        let own = links().find(|link| link.span == span && link.iri == property);
        let fit = own.map_or(0.0, |link| link.fit);
        let whole =
            |inner: Span| (span.from..span.to).all(|at| inner.has(at) || self.question.is_function_word(at));
        let rival = |inner: Span, other: f32| {
            (inner == span && other >= fit + EVEN) || (inner.len() < span.len() && span.contains(inner))
        };
        links().any(|link| {
            link.kind == SchemaKind::Class
                && link.fit >= WHOLE_FIT
                && whole(link.span)
                && rival(link.span, link.fit)
        })
    }

    /// Whether a span is part of a longer property name: "first" in "first name" is not an ordinal.
    pub fn is_in_name(&self, span: Span) -> bool {
        let names = || {
            self.links.schema.iter().filter(|link| link.kind == SchemaKind::Property && link.fit >= NAME_FIT)
        };
        let shares_end = |other: Span| {
            let listed =
                |at: u16| self.question.is_function_word(at) || names().any(|name| name.span.has(at));
            other.from > span.to && other.len() > 1 && (span.to..other.from).all(listed)
        };
        names().any(|name| name.span.len() > span.len() && name.span.contains(span))
            || (names().any(|name| name.span == span) && names().any(|name| shares_end(name.span)))
    }
}
