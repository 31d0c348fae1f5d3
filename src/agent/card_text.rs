//! The dataset card as text for prompts: all of it if it fits the token budget, otherwise the part relevant to the
//! question. Uses the dataset and the grounding.

use crate::grounding::{GroundedTerm, Grounding};
use crate::rendering::{notes_about_graph, owner_notes, samples, target_text};
use eruca_dataset::{Dataset, quoted_name, shown_tag};
use eruca_indexer::vocabulary::{DESCRIBING_PROPERTIES, PropertyFacts, RDFS_LABEL};
use eruca_indexer::{ClassCard, Edge, PropertyCard};
use eruca_language::text::{fold, humanize};
use eruca_sparql::local_name;
use std::collections::HashSet;
use std::fmt::Write;

/// Average number of characters per token, for budgets.
pub(super) const CHARS_PER_TOKEN: usize = 4;
/// Length of the shortest possible line: `a:b (0)`.
const MIN_LINE_CHARS: usize = 7;
/// Maximum number of prefixes listed.
const MAX_PREFIXES: usize = 60;
/// Maximum number of superclasses listed per class.
const MAX_SUPERCLASSES: usize = 8;
/// Maximum number of properties described per class, most used first.
const MAX_PROPERTIES: usize = 1_000;
/// Classes listed by name when the card does not fit.
const LARGEST_CLASSES: usize = 30;
/// Classes described per property that the question names, because their instances have it.
const MAX_CLASSES_WITH: usize = 1;
/// Properties shown of a class in the part of the card that fits a question; the latter where classes are ordinary entities.
const MAX_OF_CLASS: usize = 40;
const MAX_OF_THINGS: usize = 12;
/// Classes described there; of ordinary entities as classes, most are of no use to a question.
const MAX_DESCRIBED: usize = 24;
const MAX_THINGS_DESCRIBED: usize = 3;
/// Maximum number of classes without instances that are listed.
const MAX_UNUSED: usize = 20;

/// The whole card if it fits into `budget_tokens`.
pub(super) fn whole(dataset: &Dataset, budget_tokens: usize) -> Option<String> {
    if !dataset.is_indexed() {
        return Some(format!("{}{}", head(dataset), card_without_index()));
    }
    let max_chars = budget_tokens * CHARS_PER_TOKEN;
    if least_length(dataset) > max_chars {
        return None;
    }
    let classes: Vec<&ClassCard> = dataset.index.card.classes.iter().collect();
    let (unused, used): (Vec<&ClassCard>, Vec<&ClassCard>) =
        classes.into_iter().partition(|class| class.is_unused());
    let untyped =
        dataset.index.card.properties_of_untyped().filter(|property| !is_common(dataset, &property.iri));
    let untyped = without_class(dataset, &untyped.take(MAX_PROPERTIES).collect::<Vec<_>>());
    // A graph that contains only an ontology is asked about its classes.
    let text = match used.is_empty() {
        true => format!("{}{}{untyped}", head(dataset), schema(dataset, &unused, &Chosen::all())),
        false => {
            let unused = unused_text(dataset, &unused);
            format!("{}{}{untyped}{unused}", head(dataset), schema(dataset, &used, &Chosen::all()))
        }
    };
    (text.len() <= max_chars).then_some(text)
}

/// The names of classes without instances.
fn unused_text(dataset: &Dataset, classes: &[&ClassCard]) -> String {
    if classes.is_empty() {
        return String::new();
    }
    let names: Vec<String> = classes.iter().take(MAX_UNUSED).map(|class| dataset.named(&class.iri)).collect();
    let more = if classes.len() > MAX_UNUSED {
        format!(" and {} more", classes.len() - MAX_UNUSED)
    } else {
        String::new()
    };
    format!("Declared, without instances: {}{more}\n", names.join(", "))
}

/// Replaces the card where there is no index.
fn card_without_index() -> String {
    let text = "Its classes and properties are not listed here: there is no index of it. search_entity, search_property and \
         search_class look names up while you ask; they find what begins with your words, so give them short names. \
         search_property gives the predicate for direct values.\n";
    text.to_owned()
}

/// Lower bound for the length of the whole card: a line for each class and each property in use. It saves writing a
/// card of thousands of them for every question only to find that it does not fit.
fn least_length(dataset: &Dataset) -> usize {
    let card = &dataset.index.card;
    let used = card
        .properties
        .iter()
        .filter(|property| !property.edges.is_empty() && !is_common(dataset, &property.iri));
    (card.classes.len() + used.count()) * MIN_LINE_CHARS
}

/// The part of the card that does not depend on the question: prefixes, names, largest classes.
pub(super) fn summary(dataset: &Dataset) -> String {
    let card = &dataset.index.card;
    let largest: Vec<String> = card
        .classes
        .iter()
        .filter(|class| class.instances_with_subclasses > 0)
        .take(LARGEST_CLASSES)
        .map(|class| format!("{} ({})", dataset.named(&class.iri), class.instances_with_subclasses))
        .collect();
    let (classes, properties) = (card.classes.len(), card.properties.len());
    format!(
        "{}{classes} classes, {properties} properties. Largest classes: {}\n",
        head(dataset),
        largest.join(", ")
    )
}

/// The classes and properties relevant to the question, as far as they fit into `budget_tokens`.
pub(super) fn focused(dataset: &Dataset, grounding: &Grounding, budget_tokens: usize) -> String {
    let card = &dataset.index.card;
    // Terms that words of the question name come first, then those that only the question as a whole matches.
    let named = |link: &&GroundedTerm| !link.text.is_empty();
    let mut wanted: Vec<&str> =
        grounding.classes.iter().filter(named).map(|link| link.iri.as_str()).collect();
    // The classes that have the named properties show how these are reached, and which other properties occur with them.
    let properties = || grounding.properties.iter().filter(named).filter_map(|link| card.property(&link.iri));
    // Where classes are ordinary entities, each property occurs with hundreds of classes.
    if !dataset.vocabulary().classes_are_things {
        wanted.extend(properties().flat_map(classes_with));
    }
    for mention in grounding.names() {
        wanted.extend(mention.entities.iter().flat_map(|hit| hit.record.types.iter().map(String::as_str)));
        wanted.extend(mention.values.iter().filter_map(|hit| hit.record.class.as_deref()));
    }
    wanted.extend(grounding.classes.iter().map(|link| link.iri.as_str()));
    let mut classes: Vec<&ClassCard> = Vec::new();
    for class in wanted.into_iter().filter_map(|iri| card.class(iri)) {
        if !classes.iter().any(|known| known.iri == class.iri) {
            classes.push(class);
        }
    }
    if classes.iter().any(|class| !class.is_unused()) {
        classes.retain(|class| !class.is_unused());
    }
    let linked: HashSet<&str> = grounding.properties.iter().map(|link| link.iri.as_str()).collect();
    // Where classes are ordinary entities, most of what their instances have is noise to a question.
    let (most, described) = match dataset.vocabulary().classes_are_things {
        true => (MAX_OF_THINGS, MAX_THINGS_DESCRIBED),
        false => (MAX_OF_CLASS, MAX_DESCRIBED),
    };
    classes.truncate(described);
    let mut text = schema(dataset, &classes, &Chosen { most, linked });
    let untyped: Vec<&PropertyCard> = properties().filter(|property| is_untyped(property)).collect();
    text.push_str(&without_class(dataset, &untyped));
    cut_lines(&text, budget_tokens * CHARS_PER_TOKEN)
}

/// The classes whose instances have a property most often.
fn classes_with(property: &PropertyCard) -> impl Iterator<Item = &str> {
    property.edges.iter().filter_map(|edge| edge.class.as_deref()).take(MAX_CLASSES_WITH)
}

/// Whether resources without a class have a property.
fn is_untyped(property: &PropertyCard) -> bool {
    property.edges.iter().any(|edge| edge.class.is_none())
}

fn cut_lines(text: &str, max_chars: usize) -> String {
    let mut kept = String::new();
    for line in text.lines() {
        if kept.len() + line.len() > max_chars {
            kept.push_str("…\n");
            break;
        }
        kept.push_str(line);
        kept.push('\n');
    }
    kept
}

/// Prefixes, query conventions of the vocabulary, naming properties and languages.
pub(super) fn head(dataset: &Dataset) -> String {
    let card = &dataset.index.card;
    let size = if dataset.is_indexed() { format!(" ({} triples)", card.triples) } else { String::new() };
    let mut text = format!("{}{size}\n", quoted_name(&dataset.name));
    // Prefixes need not be declared, so a prefix is useful even if its IRI cannot be shown.
    for (name, iri) in card.prefixes.shown_pairs().take(MAX_PREFIXES) {
        let _ = writeln!(text, "PREFIX {name}: <{iri}>");
    }
    let facts: Vec<&PropertyFacts> =
        card.properties.iter().filter_map(|card| card.statements.as_ref()).collect();
    for note in dataset.vocabulary().notes(&facts, &|iri| quoted_name(&dataset.schema_name(iri))) {
        let _ = writeln!(text, "{note}");
    }
    let naming: Vec<String> = card.naming_properties.iter().take(4).map(|iri| dataset.compact(iri)).collect();
    let languages: Vec<String> = card
        .languages
        .iter()
        .take(8)
        .map(|(tag, _)| if tag.is_empty() { "no tag".to_owned() } else { shown_tag(tag) })
        .collect();
    let languages = match languages.is_empty() && !dataset.is_indexed() {
        true => String::new(),
        false => format!(" Languages of strings: {}.", languages.join(", ")),
    };
    let _ = writeln!(text, "Names: {}.{languages}", naming.join(", "));
    if !card.named_graphs.is_empty() {
        let _ = writeln!(
            text,
            "Named graphs: {} (queries without GRAPH see all of them).",
            card.named_graphs.len()
        );
    }
    text.push_str(&notes_about_graph(dataset));
    text
}

fn schema(dataset: &Dataset, classes: &[&ClassCard], chosen: &Chosen<'_>) -> String {
    let mut text =
        String::from("Classes (instances) and what their instances have -> what it leads to (triples):\n");
    for class in classes {
        text.push_str(&class_head(dataset, class));
        let own = dataset.index.card.properties_from(&class.iri).take(MAX_PROPERTIES);
        let own = own.filter(|property| !is_common(dataset, &property.iri));
        let own =
            own.map(|property| (property, edges_of(property, class))).filter(|(_, edges)| !edges.is_empty());
        let is_identifier =
            |property: &PropertyCard| property.statements.as_ref().is_some_and(PropertyFacts::is_external_id);
        let (identifiers, mut own): (Vec<_>, Vec<_>) = own.partition(|(property, _)| is_identifier(property));
        let all = own.len();
        chosen.retain(&mut own);
        for (property, edges) in &own {
            text.push_str(&property_text(dataset, property, edges));
        }
        let others = all - own.len();
        let mut rest = Vec::new();
        rest.extend((others > 0).then(|| format!("{others} other properties")));
        let count = identifiers.len();
        rest.extend((count > 0).then(|| format!("{count} identifiers of other databases")));
        if !rest.is_empty() {
            let _ = writeln!(text, "  and {} (search_property finds them)", rest.join(" and "));
        }
    }
    text
}

/// What a property leads to from instances of a class.
fn edges_of<'c>(property: &'c PropertyCard, class: &ClassCard) -> Vec<&'c Edge> {
    property.edges.iter().filter(|edge| edge.class.as_deref() == Some(&class.iri)).collect()
}

/// Which properties of a class are shown: those that words of the question are linked with, and the most frequent.
struct Chosen<'a> {
    most: usize,
    linked: HashSet<&'a str>,
}

impl Chosen<'_> {
    fn all() -> Self {
        Self { most: usize::MAX, linked: HashSet::new() }
    }

    /// Leaves out the others; `own` are in the order of their use.
    fn retain<T>(&self, own: &mut Vec<(&PropertyCard, T)>) {
        let is_linked = |property: &PropertyCard| self.linked.contains(property.iri.as_str());
        let linked = own.iter().filter(|(property, _)| is_linked(property)).count();
        let mut room = self.most.saturating_sub(linked);
        own.retain(|(property, _)| {
            let is_kept = room > 0 || is_linked(property);
            room = if is_linked(property) { room } else { room.saturating_sub(1) };
            is_kept
        });
    }
}

/// Properties of resources without a class.
fn without_class(dataset: &Dataset, properties: &[&PropertyCard]) -> String {
    let mut text = String::new();
    for property in properties {
        let edges: Vec<&Edge> = property.edges.iter().filter(|edge| edge.class.is_none()).collect();
        text.push_str(&property_text(dataset, property, &edges));
    }
    if text.is_empty() { text } else { format!("(resources without a class)\n{text}") }
}

/// Whether every resource has the property, so that listing it each time would be noise.
fn is_common(dataset: &Dataset, property: &str) -> bool {
    let vocabulary = dataset.vocabulary();
    // With such a vocabulary, all entities have the same properties for names and descriptions, which the head already lists.
    let naming = || {
        let names = dataset.index.card.naming_properties.iter().any(|naming| naming == property);
        vocabulary.classes_are_things && (names || DESCRIBING_PROPERTIES.contains(&property))
    };
    property == RDFS_LABEL || vocabulary.is_type(property) || naming()
}

fn class_head(dataset: &Dataset, class: &ClassCard) -> String {
    let mut line = format!("{}{}", dataset.compact(&class.iri), label_note(dataset, &class.iri));
    let _ = match (class.instances, class.instances_with_subclasses) {
        (0, all) if all > 0 => write!(line, " (0 direct, {all} in subclasses)"),
        (direct, all) if all > direct => write!(line, " ({direct} direct, {all} with subclasses)"),
        (direct, _) => write!(line, " ({direct})"),
    };
    if !class.superclasses.is_empty() {
        let names: Vec<String> =
            class.superclasses.iter().take(MAX_SUPERCLASSES).map(|iri| dataset.named(iri)).collect();
        let _ = write!(line, " subclass of {}", names.join(", "));
    }
    line.push_str(&owner_notes(dataset, &class.iri));
    line.push('\n');
    line
}

fn property_text(dataset: &Dataset, property: &PropertyCard, edges: &[&Edge]) -> String {
    let targets: Vec<String> = edges
        .iter()
        .take(3)
        .map(|edge| format!("{} ({})", target_text(dataset, &edge.target), edge.count))
        .collect();
    let sample = samples(dataset, property, edges);
    let sample = if sample.is_empty() { sample } else { format!(" e.g. {sample}") };
    let symmetric = if property.symmetric { ", symmetric" } else { "" };
    let name = dataset.compact(&property.iri);
    let (label, notes) = (label_note(dataset, &property.iri), owner_notes(dataset, &property.iri));
    format!("  {name}{label} -> {}{symmetric}{sample}{notes}\n", targets.join(", "))
}

/// The label, where it adds to the IRI.
fn label_note(dataset: &Dataset, iri: &str) -> String {
    let name = dataset.schema_name(iri);
    let same = fold(&name) == fold(&humanize(local_name(iri)));
    if same { String::new() } else { format!(" {}", quoted_name(&name)) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use eruca_dataset::testing::graph_of;

    const HILLS: &str = r#"
        @prefix h: <http://hills.example/> .
        @prefix owl: <http://www.w3.org/2002/07/owl#> .
        h:Hill a owl:Class . h:Moor a owl:Class . h:above a owl:ObjectProperty .
    "#;

    #[tokio::test]
    async fn the_part_that_fits_shows_what_has_the_properties_that_are_asked_for() {
        let lab = r#"
            @prefix l: <http://lab.example/> . @prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
            l:r1 a l:Run ; l:catalyzedReaction l:x1 ; l:enzymeCode "3.2.1" . l:r2 a l:Run ; l:catalyzedReaction l:x2 .
            l:p1 a l:Paper ; rdfs:label "A reaction that is catalyzed twice" ; l:volume 3 . l:note1 l:checked true .
        "#;
        let graph = graph_of("lab", lab).await;
        let read = graph.dataset.read("Which catalyzed reactions are there for each code?");
        let named = eruca_planner::link(&graph.dataset.index, &read, None).unwrap();
        let grounding = crate::grounding::ground(&graph.dataset, &read, named).await;
        let card = focused(&graph.dataset, &grounding, 2_000);
        assert!(card.contains("l:Run (2)\n") && card.contains("l:enzymeCode -> string"), "{card}");
        assert!(!card.contains("l:checked"), "nobody asks for what is checked: {card}");
        assert!(whole(&graph.dataset, 2_000).unwrap().contains("(resources without a class)\n  l:checked"));
    }

    #[tokio::test]
    async fn the_part_that_fits_keeps_what_is_asked_for_of_a_class_with_many_properties() {
        let properties: Vec<String> = (0..60).map(|number| format!("h:code{number} {number}")).collect();
        let things = format!(
            "{HILLS} h:a a h:Hill ; {} ; h:zenith 300 . h:b a h:Hill ; {} .",
            properties.join(" ; "),
            properties.join(" ; ")
        );
        let graph = graph_of("hills", &things).await;
        let read = graph.dataset.read("Which hill has the highest zenith?");
        let named = eruca_planner::link(&graph.dataset.index, &read, None).unwrap();
        let grounding = crate::grounding::ground(&graph.dataset, &read, named).await;
        let card = focused(&graph.dataset, &grounding, 4_000);
        assert!(
            card.contains("h:zenith")
                && card.contains("and 21 other properties (search_property finds them)"),
            "{card}"
        );
        assert_eq!(card.matches("h:code").count(), 39, "{card}");
    }

    #[tokio::test]
    async fn symmetric_properties_are_told() {
        let paths = "h:a h:path h:b . h:b h:path h:a . h:b h:path h:c . h:c h:path h:b . h:a h:feeds h:b . h:b h:feeds h:c .";
        let things = format!("{HILLS} h:a a h:Hill . h:b a h:Hill . h:c a h:Hill . {paths}");
        let card = whole(&graph_of("hills", &things).await.dataset, 2_000).unwrap();
        assert!(card.contains("h:path -> h:Hill (4), symmetric"), "{card}");
        assert!(card.contains("h:feeds -> h:Hill (2)\n"), "{card}");
    }

    #[tokio::test]
    async fn what_nothing_is_of_stands_in_one_line_unless_there_is_nothing_else() {
        let used = graph_of("hills", &format!("{HILLS} h:a a h:Hill ; h:height 300 .")).await;
        let card = whole(&used.dataset, 2_000).unwrap();
        assert!(
            card.contains("h:Hill (1)\n") && card.ends_with("Declared, without instances: h:Moor\n"),
            "{card}"
        );
        assert!(!card.contains("h:above"), "{card}");
        let unused = graph_of("hills", HILLS).await;
        let card = whole(&unused.dataset, 2_000).unwrap();
        assert!(card.contains("h:Hill (0)\n") && card.contains("h:Moor (0)\n"), "{card}");
    }
}
