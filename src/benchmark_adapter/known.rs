//! What a dataset knows of the terms of gold queries.

use eruca_dataset::Dataset;
use eruca_eval::grounding::{GoldTerm, IriRole, KnownTerm, TermKind};
use eruca_indexer::Label;
use eruca_indexer::vocabulary::{Namespaces, StatementPart, is_record_property};
use eruca_language::text::{fold, humanize};
use eruca_sparql::{NamedNode, Results, local_name};
use std::time::Duration;

/// Time for the question whether a term occurs in the graph.
const LOOK_TIME: Duration = Duration::from_secs(20);
/// Values searched for a text, to see whether the index has it.
const MAX_VALUES: usize = 20;

/// What an IRI is in the dataset.
pub(super) fn role_of(dataset: &Dataset, iri: &str) -> IriRole {
    let (card, vocabulary) = (&dataset.index.card, dataset.vocabulary());
    let (key, is_record) = match &vocabulary.statements {
        Some(namespaces) => direct(namespaces, iri),
        None => (iri.to_owned(), false),
    };
    IriRole {
        is_class: card.class(iri).is_some(),
        is_property: card.property(&key).is_some(),
        is_structure: vocabulary.is_schema(&key) || is_record,
        gives_class: vocabulary.is_type(&key) || key == vocabulary.subclass_property,
        key,
    }
}

/// The predicate for direct values of the property that an IRI belongs to, if it does, and whether the IRI only belongs to the records
/// of statements.
fn direct(namespaces: &Namespaces, iri: &str) -> (String, bool) {
    match namespaces.part(iri) {
        Some((StatementPart::Reference, _)) => (iri.to_owned(), true),
        Some((_, number)) => (namespaces.direct(number), false),
        None => match namespaces.property_number(iri) {
            Some(number) => (namespaces.direct(number), false),
            None => (iri.to_owned(), Namespaces::is_term(iri) || is_record_property(iri)),
        },
    }
}

/// What is known of a gold term.
pub(super) async fn known_term(dataset: &Dataset, term: &GoldTerm) -> KnownTerm {
    if term.kind == TermKind::Value {
        return known_text(dataset, term);
    }
    let card = &dataset.index.card;
    let (class, property) = (card.class(&term.key), card.property(&term.key));
    let entity = dataset.index.entities.get(&term.key).ok().flatten();
    let indexed = class.is_some() || property.is_some() || entity.is_some();
    let labels = class.map(|class| &class.labels).or(property.map(|property| &property.labels));
    let labels: Vec<&Label> =
        labels.into_iter().flatten().chain(entity.iter().flat_map(|one| &one.labels)).collect();
    let mut names: Vec<String> = Vec::new();
    for name in labels.into_iter().map(|label| label.text.clone()).chain([humanize(local_name(&term.key))]) {
        if !names.contains(&name) {
            names.push(name);
        }
    }
    let in_graph = indexed || occurs(dataset, &term.key).await;
    KnownTerm { in_graph, indexed, names, written: dataset.compact(&term.key) }
}

/// A text of the graph is known if the index has it as a value or as a name of a thing.
fn known_text(dataset: &Dataset, term: &GoldTerm) -> KnownTerm {
    let wanted = fold(&term.key);
    let is_it = |text: &str| {
        let text = fold(text);
        text == wanted || (term.part && text.contains(&wanted))
    };
    let values = dataset.index.values.search(&term.key, None, MAX_VALUES).unwrap_or_default();
    let things = dataset.index.entities.search(&term.key, None, MAX_VALUES).unwrap_or_default();
    let mut labels = things.iter().flat_map(|hit| &hit.record.labels);
    let indexed = values.iter().any(|hit| is_it(&hit.record.text)) || labels.any(|label| is_it(&label.text));
    KnownTerm { in_graph: true, indexed, names: vec![term.key.clone()], written: term.key.clone() }
}

/// Whether an IRI occurs anywhere in the graph. What cannot be found out is taken for true: the index is not to blame for less.
async fn occurs(dataset: &Dataset, iri: &str) -> bool {
    let Ok(node) = NamedNode::new(iri) else { return false };
    let query = format!("ASK {{ {{ {node} ?p ?o }} UNION {{ ?s {node} ?o }} UNION {{ ?s ?p {node} }} }}");
    let Ok(query) = dataset.check(&query) else { return true };
    match dataset.run(&query, LOOK_TIME).await {
        Ok(answer) => !matches!(answer.results, Results::Boolean(false)),
        Err(_) => true,
    }
}
