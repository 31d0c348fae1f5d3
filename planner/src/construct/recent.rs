//! What happened last: "recently acquired lamps", "what was opened recently?", "which lamp was acquired last?".

use crate::chart::Construct;
use crate::compose::SEVERAL;
use crate::compose::measures::measures;
use crate::context::Context;
use crate::meaning::Set;
use crate::phrase::{By, Derived, Item, Pair, PendingRank, Phrase};
use crate::question::{Span, WordKind};
use crate::score::Feature;
use eruca_language::Cue;
use std::rc::Rc;

pub(super) struct Recent;

impl Construct for Recent {
    fn leaves<'k>(&self, context: &Context<'k>, derived: &mut Vec<(Span, Derived<'k>)>) {
        derived.extend(context.cues(Cue::Recent).map(|span| (span, Derived::new(Phrase::Cue(Cue::Recent)))));
    }

    fn combine<'k>(&self, context: &Context<'k>, pair: Pair<'_, 'k>, derived: &mut Vec<Derived<'k>>) {
        let Pair { left, connective, right } = pair;
        match (&left.phrase, &right.phrase) {
            (Phrase::Cue(Cue::Recent), Phrase::Relation(relation))
            | (Phrase::Relation(relation), Phrase::Cue(Cue::Recent))
                if connective.is_empty() && context.tells_time(&relation.path) =>
            {
                let by = By::Relation(relation.path.clone());
                let last = PendingRank { by, down: true, skip: 0, take: SEVERAL };
                derived.push(Derived::new(Phrase::Rank(Rc::new(last))).with(Feature::GradeOfRelation, 1.0));
            }
            _ => {}
        }
    }

    /// "What was opened last?": asks for the thing, not the date.
    fn raise<'k>(&self, context: &Context<'k>, item: &Item<'k>, derived: &mut Vec<Derived<'k>>) {
        let Phrase::Rank(top) = &item.phrase else { return };
        let By::Relation(path) = &top.by else { return };
        let Some(set) = path.first().map(|first| Set::of_kind(context.schema.start(*first))) else { return };
        if !context.tells_time(path) || !asks_what_was_done(context, item.span) {
            return;
        }
        for (by, turned, features) in measures(context, &set, &top.by) {
            let ranked = Set { rank: Some(top.rank(by, turned)), ..set.clone() };
            let mut found = Derived::set(ranked).with(Feature::Cued, 1.0);
            found.features.add_all(&features);
            derived.push(found);
        }
    }
}

/// Whether the question starts with "what" and a verb says what was done.
fn asks_what_was_done(context: &Context<'_>, span: Span) -> bool {
    let what = context.cues(Cue::Which).chain(context.cues(Cue::WhatIs));
    let asks = { what }.any(|what| what.from == 0 && what.to <= span.from);
    let verb = context.question.word(span.from).is_some_and(|word| word.kind == WordKind::Verb);
    asks && verb && (0..span.from).all(|at| context.question.is_function_word(at))
}

#[cfg(test)]
mod tests {
    use crate::tests::graph::Graph;

    const HALL: &str = r#"
        :Lamp rdfs:label "lamp"@en . :bought rdfs:label "date acquired"@en . :made rdfs:label "date made"@en .
        :a a :Lamp ; rdfs:label "Arc" ; :bought "2001-03-01"^^xsd:date ; :made "1951-01-01"^^xsd:date .
        :b a :Lamp ; rdfs:label "Bow" ; :bought "2011-03-01"^^xsd:date ; :made "1901-01-01"^^xsd:date .
        :c a :Lamp ; rdfs:label "Cob" ; :bought "1991-04-01"^^xsd:date ; :made "1961-01-01"^^xsd:date .
    "#;

    #[test]
    fn what_was_done_last() {
        let graph = Graph::of(HALL);
        assert_eq!(graph.rows("What was acquired last?", "en"), ["b"]);
        assert_eq!(graph.rows("recently acquired lamps", "en"), ["b", "a", "c"]);
        assert_eq!(graph.rows("2 recently acquired lamps", "en"), ["b", "a"]);
        assert_eq!(graph.rows("which lamp was acquired last?", "en"), ["b"]);
    }

    #[test]
    fn days_that_are_asked_for_are_days() {
        let graph = Graph::of(HALL);
        assert_eq!(graph.rows("What is the latest date acquired?", "en"), ["2011-03-01"]);
        assert_eq!(graph.rows("How many lamps were acquired per month?", "en"), ["3 2", "4 1"]);
    }
}
