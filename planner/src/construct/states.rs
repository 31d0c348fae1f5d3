//! States expressed by a number: "out of stock" means a stock of zero, "in stock" means more.

use crate::chart::Construct;
use crate::compose::measures;
use crate::context::Context;
use crate::meaning::{Condition, Measure, Op, Operand, Set, Step};
use crate::phrase::Derived;
use crate::question::Span;
use crate::score::Feature;
use eruca_indexer::{Edge, PropertyCard, Target, ValueKind};
use eruca_language::{MAX_STATE_WORDS, State};
use std::rc::Rc;

pub(super) struct States;

/// Properties tried for one state.
const MAX_PROPERTIES: usize = 2;

impl Construct for States {
    fn leaves<'k>(&self, context: &Context<'k>, derived: &mut Vec<(Span, Derived<'k>)>) {
        let question = &context.question;
        for from in 0..question.len() {
            for span in (1..=MAX_STATE_WORDS).map(|length| Span::new(from, from + length)) {
                let words = question.words_of(span);
                if words.len() < span.len() || question.is_broken(span) {
                    break;
                }
                let folded: Vec<&str> = words.iter().map(|word| word.folded.as_str()).collect();
                if let Some(state) = question.language.state(&folded.join(" ")) {
                    derived.extend(meant(context, state).into_iter().map(|derived| (span, derived)));
                }
            }
        }
    }
}

/// The things whose number is zero, or more, by the properties whose names best match the nouns.
fn meant<'k>(context: &Context<'k>, state: &State) -> Vec<Derived<'k>> {
    let number = |card: &&PropertyCard| {
        let literal = |edge: &Edge| match &edge.target {
            Target::Literal(datatype) => ValueKind::of(datatype, &edge.samples).is_number(),
            Target::Class(_) | Target::Resource => false,
        };
        card.edges.iter().any(literal)
    };
    let cards = context.schema.index.card.properties.iter().filter(number);
    let steps = cards.map(|card| Step { property: card.iri.as_str(), forward: true });
    let mut found: Vec<(Step<'k>, f32)> = steps
        .map(|step| (step, measures::noun_fit(context, step.property, &state.nouns)))
        .filter(|(step, fit)| *fit > 0.0 && context.schema.end(*step).is_number())
        .collect();
    found.sort_by(|a, b| b.1.total_cmp(&a.1));
    let op = if state.some { Op::Greater } else { Op::Equal };
    let derived = found.into_iter().take(MAX_PROPERTIES).map(|(step, fit)| {
        let condition = Condition::Compare(Measure::Value(vec![step]), op, Operand::Number(Rc::from("0")));
        Derived::set(Set::any(context.schema.start(step), condition))
            .with(Feature::Cued, 1.0)
            .with(Feature::Misfit, 1.0 - fit)
    });
    derived.collect()
}

#[cfg(test)]
mod tests {
    use crate::tests::graph::Graph;

    const SHOP: &str = r#"
:Lamp rdfs:label "lamp"@en, "Lampe"@de, "lámpara"@es, "lampe"@fr . :stock rdfs:label "units in stock"@en . :price rdfs:label "price"@en .
:arc a :Lamp ; rdfs:label "Arc" ; :stock 0 ; :price 0 . :bulb a :Lamp ; rdfs:label "Bulb" ; :stock 4 ; :price 9 . :coil a :Lamp ; rdfs:label "Coil" ; :stock 2 ; :price 12 .
"#;

    #[test]
    fn what_is_out_of_stock_has_a_stock_of_nothing() {
        let graph = Graph::of(SHOP);
        assert_eq!(graph.ask("Which lamps are out of stock?", "en"), ["arc"]);
        assert_eq!(graph.ask("Which lamps are in stock?", "en"), ["bulb", "coil"]);
        assert_eq!(graph.ask("How many lamps are sold out?", "en"), ["1"]);
        assert_eq!(graph.ask("Welche Lampen sind ausverkauft?", "de"), ["arc"]);
        assert_eq!(graph.ask("¿Qué lámparas están agotadas?", "es"), ["arc"]);
        assert_eq!(graph.ask("Quelles lampes sont en rupture de stock ?", "fr"), ["arc"]);
    }

    #[test]
    fn the_number_itself_is_asked_for_by_its_name() {
        let graph = Graph::of(SHOP);
        assert_eq!(graph.ask("How many units of the Bulb are in stock?", "en"), ["4"]);
        assert_eq!(graph.ask("What is the price of the Coil?", "en"), ["12"]);
    }
}
