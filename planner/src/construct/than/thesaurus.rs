//! Relations named by a comparative: a thesaurus has a relation "broader", which also tells what is narrower.

use crate::context::Compared;
use crate::context::Context;
use crate::meaning::{Condition, Set, Step};
use crate::phrase::{By, Derived, Than};
use eruca_indexer::{PropertyCard, Target};
use eruca_language::text::{fold, humanize};
use eruca_language::{Cue, Degree, Grade, Language, fallback};
use eruca_sparql::local_name;
use std::rc::Rc;

/// Maximum number of labels examined per property.
const MAX_LABELS: usize = 12;

/// Everything that is, for instance, narrower than a thing by such a relation.
pub(super) fn compared_relations<'k>(
    context: &Context<'k>,
    by: &By<'k>,
    than: &Than<'k>,
) -> Vec<Derived<'k>> {
    let By::Grade(grade) = by else { return Vec::new() };
    let relations = context.compared.get_or_init(|| all(context));
    let fitting = relations.iter().filter(|relation| same(&relation.grade, &grade.0));
    fitting
        .filter_map(|relation| {
            let step = Step { property: relation.property, forward: true };
            let things = context.schema.follow(step, &than.with.kind).is_some_and(|kind| !kind.is_values());
            // The subject of a "broader" relation is narrower than its object.
            let step = if (relation.grade.up == than.up) == relation.subject { step } else { step.turned() };
            let condition = Condition::Joined(vec![step], than.with.clone());
            let set = Set::any(context.schema.start(step), condition);
            things.then(|| Derived::set(set))
        })
        .collect()
}

/// Whether two adjectives measure the same, in either direction.
fn same(one: &Grade, other: &Grade) -> bool {
    one.nouns.iter().any(|noun| other.nouns.contains(noun))
}

fn all<'k>(context: &Context<'k>) -> Rc<[Compared<'k>]> {
    let cards = context.schema.index.card.properties.iter();
    let related =
        |card: &&PropertyCard| card.edges.iter().any(|edge| !matches!(edge.target, Target::Literal(_)));
    cards.filter(related).filter_map(|card| compared(context, card)).collect()
}

fn compared<'k>(context: &Context<'k>, card: &'k PropertyCard) -> Option<Compared<'k>> {
    let languages = [context.question.language, fallback()];
    let labels = card.labels.iter().take(MAX_LABELS).map(|label| label.text.clone());
    let mut names = std::iter::once(humanize(local_name(&card.iri))).chain(labels);
    names.find_map(|name| {
        let name = fold(&name);
        languages.iter().find_map(|language| {
            let (grade, subject) = read(language, &name)?;
            Some(Compared { property: card.iri.as_str(), grade, subject })
        })
    })
}

/// The comparative in a name, apart from function words, and whether the subject is the greater one.
fn read(language: &Language, name: &str) -> Option<(Grade, bool)> {
    let than = |word: &str| language.cues_at(&[word]).iter().any(|(cue, _)| *cue == Cue::Than);
    let (mut found, mut subject) = (None, false);
    for word in name.split_whitespace() {
        if than(word) {
            subject = true;
        } else if let Some(grade) = language.grade(word).filter(|grade| grade.degree == Degree::Comparative) {
            found = found.xor(Some(grade));
        } else if !(language.is_function_word(word) || language.is_filler(word)) {
            return None;
        }
    }
    found.map(|grade| (grade.clone(), subject))
}

#[cfg(test)]
mod tests {
    use crate::tests::graph::Graph;

    const TERMS: &str = r#"
:Term rdfs:label "term"@en, "Begriff"@de . :broader rdfs:label "broader"@en . :Tower rdfs:label "tower"@en . :higherThan rdfs:label "higher than"@en .
:animal a :Term ; rdfs:label "animal" . :cow a :Term ; rdfs:label "cow" ; :broader :animal ; :year 1900 . :calf a :Term ; rdfs:label "calf" ; :broader :cow ; :year 1910 .
:north a :Tower ; rdfs:label "North Tower" ; :higherThan :south . :south a :Tower ; rdfs:label "South Tower" .
"#;

    #[test]
    fn what_has_something_broader_is_narrower() {
        let graph = Graph::of(TERMS);
        assert_eq!(graph.ask("Which terms are narrower than animal?", "en"), ["cow"]);
        assert_eq!(graph.ask("Which term is broader than calf?", "en"), ["cow"]);
    }

    #[test]
    fn a_name_with_than_compares_its_subject() {
        let graph = Graph::of(TERMS);
        assert_eq!(graph.ask("Which tower is higher than the South Tower?", "en"), ["north"]);
    }
}
