//! Questions whose only content word is an adjective: "tallest", "anything old?", "what's expensive here?". The things are those
//! of the largest class with an attribute that the adjective measures; several of them, unless it is a superlative.

use crate::chart::Construct;
use crate::compose::measures::measures;
use crate::compose::{SEVERAL, bounds, times};
use crate::context::Context;
use crate::meaning::{Measure, Rank, Set, Step};
use crate::phrase::{By, Derived};
use crate::question::{GradeAt, ParsedQuestion, Span};
use crate::score::Feature;
use eruca_indexer::ClassCard;
use eruca_indexer::vocabulary::is_meta;
use eruca_language::Degree;

pub(super) struct Lone;

/// Maximum number of classes tried.
const MAX_CLASSES: usize = 20;

impl Construct for Lone {
    fn leaves<'k>(&self, context: &Context<'k>, derived: &mut Vec<(Span, Derived<'k>)>) {
        let Some(grade) = lone(&context.question) else { return };
        let found = classes(context).into_iter().find_map(|class| ranked(context, class, grade));
        derived.extend(found.map(|set| (grade.span, Derived::set(set).with(Feature::Unsaid, 1.0))));
    }
}

/// The only content word, if it is a gradable adjective.
fn lone(question: &ParsedQuestion) -> Option<&GradeAt> {
    let [grade] = question.grades.as_slice() else { return None };
    let silent = |at: u16| grade.span.has(at) || question.is_function_word(at);
    let others = question.numerals.is_empty() && question.periods.is_empty();
    let measures = grade.grade.degree != Degree::Comparative;
    (others && measures && (0..question.len() as u16).all(silent)).then_some(grade)
}

/// Classes of things, largest first.
fn classes<'k>(context: &Context<'k>) -> Vec<&'k ClassCard> {
    let all = context.schema.index.card.classes.iter();
    let mut found: Vec<&ClassCard> = all.filter(|class| !is_meta(&class.iri)).collect();
    found.sort_by_key(|class| std::cmp::Reverse(class.instances_with_subclasses));
    found.truncate(MAX_CLASSES);
    found
}

/// The top things of a class by an attribute whose name matches the adjective.
fn ranked<'k>(context: &Context<'k>, class: &'k ClassCard, grade: &GradeAt) -> Option<Set<'k>> {
    let set = Set::of_class(&class.iri);
    let by = By::Grade(bounds::graded(grade));
    let named = |(_, _, features): &&(_, bool, crate::score::Features)| features.of(Feature::Unnamed) == 0.0;
    let found = measures(context, &set, &by);
    let (by, turned, _) = found.iter().find(named)?.clone();
    let by = if turned { by } else { latest(context, &set, &by).unwrap_or(by) };
    let take = if grade.grade.degree == Degree::Superlative { 1 } else { SEVERAL };
    let rank = Rank { by, down: grade.grade.up != turned, skip: 0, take, per: Vec::new() };
    Some(Set { rank: Some(rank), ..set })
}

/// "What's new?" means what happened last, whatever it was: of all time properties, the one with the latest sample in the card.
fn latest<'k>(context: &Context<'k>, set: &Set<'k>, measure: &Measure<'k>) -> Option<Measure<'k>> {
    let Measure::Value(path) = measure else { return None };
    let mut times = times::time_properties(context, set);
    times.extend(times::year_properties(context, set));
    let timed = path.last().is_some_and(|last| times.contains(last));
    let last = times.into_iter().filter(|_| timed).max_by_key(|step| latest_year(context, *step))?;
    Some(Measure::Value(vec![last]))
}

/// The latest year among the samples of a property.
fn latest_year<'k>(context: &Context<'k>, step: Step<'k>) -> Option<i32> {
    let samples = context.schema.property(step.property)?.edges.iter().flat_map(|edge| &edge.samples);
    samples.filter_map(|text| text.get(..4)?.parse().ok()).max()
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

    #[test]
    fn what_is_new_came_last() {
        let graph = Graph::of(
            r#":Lamp rdfs:label "lamp"@en . :bought rdfs:label "date acquired"@en . :made rdfs:label "date made"@en .
            :a a :Lamp ; rdfs:label "Arc" ; :bought "2001-03-01"^^xsd:date ; :made "1951-01-01"^^xsd:date .
            :b a :Lamp ; rdfs:label "Bow" ; :bought "1999-03-01"^^xsd:date ; :made "1991-01-01"^^xsd:date ."#,
        );
        assert_eq!(graph.rows("What's new?", "en"), ["a", "b"]);
    }
}
