//! Adjectives that are all that a question says: "tallest", "anything old?", "what's expensive here?". The things are those of the
//! largest class that has what the adjective measures; several of them, unless a superlative asks for one.

use crate::chart::Construct;
use crate::compose::bounds;
use crate::compose::measures::measures;
use crate::context::Context;
use crate::meaning::{Rank, Set};
use crate::phrase::{By, Made};
use crate::question::{GradeAt, Question, Span};
use crate::score::Feature;
use eruca_indexer::ClassCard;
use eruca_indexer::language::Degree;
use eruca_indexer::vocabulary::is_meta;

pub(super) struct Lone;

/// Things that are shown where no number is said.
const SEVERAL: u32 = 5;
/// Classes that are looked at.
const MAX_CLASSES: usize = 20;

impl Construct for Lone {
    fn leaves<'k>(&self, context: &Context<'k>, made: &mut Vec<(Span, Made<'k>)>) {
        let Some(grade) = lone(&context.question) else { return };
        let found = classes(context).into_iter().find_map(|class| ranked(context, class, grade));
        made.extend(found.map(|set| (grade.span, Made::set(set).with(Feature::Unsaid, 1.0))));
    }
}

/// The only word that says something, if it is an adjective that measures.
fn lone(question: &Question) -> Option<&GradeAt> {
    let [grade] = question.grades.as_slice() else { return None };
    let silent = |at: u16| grade.span.has(at) || question.says_nothing(at);
    let others = question.numerals.is_empty() && question.periods.is_empty();
    let measures = grade.grade.degree != Degree::Comparative;
    (others && measures && (0..question.len() as u16).all(silent)).then_some(grade)
}

/// The largest classes of things first.
fn classes<'k>(context: &Context<'k>) -> Vec<&'k ClassCard> {
    let all = context.schema.index.card.classes.iter();
    let mut found: Vec<&ClassCard> = all.filter(|class| !is_meta(&class.iri)).collect();
    found.sort_by_key(|class| std::cmp::Reverse(class.instances_with_subclasses));
    found.truncate(MAX_CLASSES);
    found
}

/// The first things of a class by what an adjective measures by name.
fn ranked<'k>(context: &Context<'k>, class: &'k ClassCard, grade: &GradeAt) -> Option<Set<'k>> {
    let set = Set::of_class(&class.iri);
    let by = By::Grade(bounds::graded(grade));
    let named = |(_, _, features): &&(_, bool, crate::score::Features)| features.of(Feature::Unnamed) == 0.0;
    let found = measures(context, &set, &by);
    let (by, turned, _) = found.iter().find(named)?.clone();
    let take = if grade.grade.degree == Degree::Superlative { 1 } else { SEVERAL };
    let rank = Rank { by, down: grade.grade.up != turned, skip: 0, take, per: Vec::new() };
    Some(Set { rank: Some(rank), ..set })
}

#[cfg(test)]
mod tests {
    use crate::tests::graph::Graph;

    const STALL: &str = r#"
        :Lamp rdfs:label "lamp"@en . :Shelf rdfs:label "shelf"@en . :height rdfs:label "height"@en . :price rdfs:label "price"@en .
        :on rdfs:label "stands on"@en .
        :a a :Lamp ; rdfs:label "Arc" ; :height 30 ; :price 90 ; :on :s . :b a :Lamp ; rdfs:label "Bow" ; :height 50 ; :price 10 .
        :c a :Lamp ; rdfs:label "Cob" ; :height 40 ; :price 50 . :s a :Shelf ; rdfs:label "Top" ; :height 200 .
    "#;

    #[test]
    fn an_adjective_alone_asks_for_the_things_that_have_it() {
        let graph = Graph::of(STALL);
        assert_eq!(graph.rows("tallest", "en"), ["b"]);
        assert_eq!(graph.rows("What's expensive here?", "en"), ["a", "c", "b"]);
        assert_eq!(graph.rows("anything cheap?", "en"), ["b", "c", "a"]);
    }

    #[test]
    fn what_nothing_measures_or_a_name_stands_beside_is_left_alone() {
        let graph = Graph::of(STALL);
        assert_eq!(graph.rows("fastest", "en"), [""; 0]);
        assert_ne!(graph.rows("tallest shelf", "en"), ["b"]);
    }
}
