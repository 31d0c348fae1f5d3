//! The chart: phrases over spans of the question, shortest spans first. The constructs of a given grammar combine two neighbours
//! into one phrase. Each cell keeps the best few of each sort (beam search; Pasupat & Liang 2015 for skipped words).

use crate::context::Context;
use crate::pace::AllowedTime;
use crate::phrase::{Connective, Cues, Derivation, Derived, Item, Pair, Phrase, Sort, Words};
use crate::question::Span;
use crate::score::{Features, Weights};
use rustc_hash::FxHashMap;
use std::rc::Rc;

/// One part of the grammar.
pub(crate) trait Construct: Sync {
    /// Adds phrases built from words alone (leaves).
    fn leaves<'k>(&self, _context: &Context<'k>, _derived: &mut Vec<(Span, Derived<'k>)>) {}

    /// Adds other phrases that an item can also stand for (unary rules).
    fn raise<'k>(&self, _context: &Context<'k>, _item: &Item<'k>, _derived: &mut Vec<Derived<'k>>) {}

    /// Adds phrases built from two neighbours (binary rules).
    fn combine<'k>(&self, _context: &Context<'k>, _pair: Pair<'_, 'k>, _derived: &mut Vec<Derived<'k>>) {}
}

/// Beam width: the number of phrases that a cell keeps of each sort.
const fn beam(sort: Sort) -> usize {
    match sort {
        Sort::Set => 10,
        Sort::Relation => 6,
        Sort::Columns => 5,
        Sort::Answer => 8,
        Sort::Other => 8,
    }
}

/// Cap on the items per cell before unary rules apply.
const MANY: usize = 40;

/// Maximum number of unary rules applied in a row: a relation to a column, a column to an answer.
const MAX_RAISED: usize = 3;

/// All phrases found over one question.
pub(crate) struct Chart<'c, 'k> {
    context: &'c Context<'k>,
    grammar: &'c [&'c dyn Construct],
    weights: &'c Weights,
    cells: FxHashMap<Span, Vec<Item<'k>>>,
    time: AllowedTime<'c>,
}

impl<'c, 'k> Chart<'c, 'k> {
    /// Parses the question as far as the time limit allows.
    pub fn parse(
        context: &'c Context<'k>,
        grammar: &'c [&'c dyn Construct],
        weights: &'c Weights,
        time: AllowedTime<'c>,
    ) -> Self {
        let mut chart = Self { context, grammar, weights, cells: FxHashMap::default(), time };
        chart.leaves();
        let words = context.question.len() as u16;
        for length in 2..=words {
            for from in 0..=words - length {
                if !time.goes_on() {
                    return chart;
                }
                chart.fill(Span { from, to: from + length });
            }
        }
        chart
    }

    /// Every phrase found.
    pub fn items(&self) -> impl Iterator<Item = &Item<'k>> {
        self.cells.values().flatten()
    }

    fn leaves(&mut self) {
        let mut found: FxHashMap<Span, Vec<Item<'k>>> = FxHashMap::default();
        for construct in self.grammar {
            let mut derived = Vec::new();
            construct.leaves(self.context, &mut derived);
            for (span, derived) in derived {
                found.entry(span).or_default().push(self.leaf(span, derived));
            }
        }
        for (span, items) in found {
            self.keep(span, items);
        }
    }

    fn leaf(&self, span: Span, derived: Derived<'k>) -> Item<'k> {
        let score = self.weights.score(&derived.features);
        let derivation = Rc::new(Derivation { own: derived.features, of: [None, None] });
        Item { phrase: derived.phrase, span, words: Words::of(span), derivation, score }
    }

    /// Fills the cell of a span, only partly if time runs out.
    fn fill(&mut self, span: Span) {
        let mut found = Vec::new();
        for middle in span.from + 1..span.to {
            let Some(left) = self.cells.get(&Span { from: span.from, to: middle }) else { continue };
            if !self.time.goes_on() {
                break;
            }
            for next in middle..span.to {
                let Some(right) = self.cells.get(&Span { from: next, to: span.to }) else { continue };
                let Some(connective) = self.context.connective(Span { from: middle, to: next }) else {
                    break;
                };
                self.join_all(left, &connective, right, &mut found);
            }
        }
        if !found.is_empty() {
            let known = self.cells.remove(&span).unwrap_or_default();
            found.extend(known);
            self.keep(span, found);
        }
    }

    fn join_all(
        &self,
        left: &[Item<'k>],
        connective: &Connective,
        right: &[Item<'k>],
        found: &mut Vec<Item<'k>>,
    ) {
        let mut derived = Vec::new();
        let pairs =
            left.iter().flat_map(|left| right.iter().map(move |right| Pair { left, connective, right }));
        for pair in pairs {
            for construct in self.grammar {
                construct.combine(self.context, pair, &mut derived);
            }
            let says = |derived: &Derived<'k>| match &derived.phrase {
                Phrase::Set(set) => !self.context.bounds_one(set),
                _ => true,
            };
            found.extend(derived.drain(..).filter(says).map(|derived| self.joined(pair, derived)));
        }
    }

    fn joined(&self, Pair { left, connective, right }: Pair<'_, 'k>, derived: Derived<'k>) -> Item<'k> {
        let (price, cued) = connective.price(&self.context.skips, derived.cues);
        let mut own = derived.features;
        own.add_all(&price);
        let score = left.score + right.score + self.weights.score(&own);
        let of = [Some(left.derivation.clone()), Some(right.derivation.clone())];
        let words = left.words.with(right.words).with(cued);
        let derivation = Rc::new(Derivation { own, of });
        Item { phrase: derived.phrase, span: left.span.join(right.span), words, derivation, score }
    }

    /// Stores phrases in a cell together with what unary rules make of them, deduplicated and pruned to the best.
    fn keep(&mut self, span: Span, mut items: Vec<Item<'k>>) {
        if items.len() > MANY {
            items = pruned(items);
        }
        let mut fresh = items.clone();
        for _ in 0..MAX_RAISED {
            fresh = fresh.iter().flat_map(|item| self.raised(item)).collect();
            items.extend(fresh.iter().cloned());
        }
        self.cells.insert(span, pruned(items));
    }

    fn raised(&self, item: &Item<'k>) -> Vec<Item<'k>> {
        let mut derived = Vec::new();
        for construct in self.grammar {
            construct.raise(self.context, item, &mut derived);
        }
        derived.into_iter().map(|derived| self.changed(item, derived)).collect()
    }

    fn changed(&self, item: &Item<'k>, derived: Derived<'k>) -> Item<'k> {
        let score = item.score + self.weights.score(&derived.features);
        let derivation =
            Rc::new(Derivation { own: derived.features, of: [Some(item.derivation.clone()), None] });
        Item { phrase: derived.phrase, derivation, score, ..*item }
    }

    /// An item with the features that only apply at the root of the question.
    pub fn at_root(&self, item: &Item<'k>, own: Features) -> Item<'k> {
        self.changed(item, Derived { phrase: item.phrase.clone(), features: own, cues: Cues::default() })
    }
}

fn pruned(items: Vec<Item<'_>>) -> Vec<Item<'_>> {
    // Phrases are large, so their indices are sorted instead.
    let mut items: Vec<Option<Item<'_>>> = items.into_iter().map(Some).collect();
    let mut places: Vec<(f32, usize)> =
        (0..).zip(&items).filter_map(|(at, item)| Some((item.as_ref()?.score, at))).collect();
    places.sort_by(|a, b| b.0.total_cmp(&a.0));
    let mut kept: Vec<Item<'_>> = Vec::new();
    let mut counts: FxHashMap<Sort, usize> = FxHashMap::default();
    for item in places.into_iter().filter_map(|(_, at)| items.get_mut(at)?.take()) {
        let sort = item.phrase.sort();
        let count = counts.entry(sort).or_default();
        if *count < beam(sort) && !kept.iter().any(|known| known.phrase == item.phrase) {
            *count += 1;
            kept.push(item);
        }
    }
    kept
}
