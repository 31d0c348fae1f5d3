//! What was counted of classes and properties: of a whole graph, or of one of its shares. Those of all shares are put together,
//! and the dataset card is made from the result.

use super::connections::MAX_SAMPLES;
use super::entities::Label;
use super::prefixes::{NamespaceCounts, prefixes};
use super::symmetry::Symmetry;
use super::usage::by_count;
use crate::card::{ClassCard, Collected, Collection, DatasetCard, Edge, PropertyCard, Target};
use crate::vocabulary::Vocabulary;
use rustc_hash::FxHashMap;
use serde::{Deserialize, Serialize};
use std::cmp::Reverse;

/// Number of connections always kept per property, and maximum for all properties together.
const MAX_EDGES: usize = 40;
const MAX_ALL_EDGES: usize = 200_000;

/// Classes and properties with their counts.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub struct CountedSchema {
    /// Distinct triples.
    pub(super) triples: u64,
    pub(super) languages: Vec<(String, u64)>,
    pub(super) naming_properties: Vec<String>,
    pub(super) named_graphs: Vec<(String, u64)>,
    pub(super) classes: Vec<ClassCard>,
    pub(super) properties: Vec<CountedProperty>,
    pub(super) namespaces: NamespaceCounts,
    /// What could not be counted, for people.
    pub(super) uncounted: Vec<String>,
}

/// A property with what is needed to put several counts of it together.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(super) struct CountedProperty {
    pub(super) card: PropertyCard,
    /// Whether it is about data rather than about the schema alone.
    pub(super) is_of_data: bool,
    pub(super) symmetry: Symmetry,
    pub(super) collections: CountedCollections,
}

/// The lists and containers among the objects of a property.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub(super) struct CountedCollections {
    /// Number of nodes checked, and of those that are a list or container.
    pub(super) looked_at: u64,
    pub(super) found: u64,
    pub(super) as_a: Option<Collection>,
    /// Connections between subjects and members.
    pub(super) edges: Vec<Edge>,
}

/// How many connections a card keeps of each property, if so many are used.
pub(super) fn most_edges(used: usize) -> usize {
    MAX_EDGES.max(MAX_ALL_EDGES / used.max(1))
}

impl CountedSchema {
    /// Adds the counts of another share of the same graph.
    pub fn merge(&mut self, other: Self) {
        self.triples += other.triples;
        self.languages = summed(&self.languages, &other.languages);
        merge_by(&mut self.classes, other.classes, |class| class.iri.clone(), merge_class);
        merge_by(&mut self.properties, other.properties, |one| one.card.iri.clone(), CountedProperty::merge);
        self.namespaces.merge(other.namespaces);
        for note in other.uncounted {
            if !self.uncounted.contains(&note) {
                self.uncounted.push(note);
            }
        }
    }

    /// The dataset card, and what could not be counted. `read` is the number of quads read.
    #[must_use]
    pub fn card(
        self,
        vocabulary: &Vocabulary,
        declared_prefixes: &[(String, String)],
        read: u64,
    ) -> (DatasetCard, Vec<String>) {
        let most = most_edges(self.properties.iter().filter(|property| property.card.usage > 0).count());
        let known = self.properties.into_iter().filter(|property| property.is_of_data);
        let mut card = DatasetCard {
            // Triples of reified nodes were counted during reading; they are not in the graph.
            triples: if vocabulary.statements.is_some() { read } else { self.triples },
            languages: self.languages,
            naming_properties: self.naming_properties,
            named_graphs: self.named_graphs,
            classes: self.classes,
            properties: known.map(|property| property.card(most)).collect(),
            ..DatasetCard::default()
        };
        card.classes.sort_by(|a, b| {
            b.instances_with_subclasses.cmp(&a.instances_with_subclasses).then_with(|| a.iri.cmp(&b.iri))
        });
        card.properties.sort_by(|a, b| b.usage.cmp(&a.usage).then_with(|| a.iri.cmp(&b.iri)));
        card.prefixes = prefixes(&self.namespaces, &card, vocabulary, declared_prefixes);
        (card, self.uncounted)
    }
}

impl CountedProperty {
    /// A property of the data that no triple uses.
    pub(super) fn unused(card: PropertyCard) -> Self {
        let (symmetry, collections) = Default::default();
        Self { card, is_of_data: true, symmetry, collections }
    }

    fn merge(&mut self, other: Self) {
        let (own, from) = (&mut self.card, other.card);
        take_labels(&mut own.labels, from.labels);
        own.comment = own.comment.take().or(from.comment);
        for (declared, more) in
            [(&mut own.declared_domain, from.declared_domain), (&mut own.declared_range, from.declared_range)]
        {
            if declared.is_empty() {
                *declared = more;
            }
        }
        own.usage += from.usage;
        own.subjects += from.subjects;
        own.more_edges |= from.more_edges;
        own.edges = merged_edges(std::mem::take(&mut own.edges), from.edges);
        own.languages = summed(&own.languages, &from.languages);
        own.statements = own.statements.take().or(from.statements);
        self.is_of_data |= other.is_of_data;
        self.symmetry.merge(other.symmetry);
        let (own, from) = (&mut self.collections, other.collections);
        own.looked_at += from.looked_at;
        own.found += from.found;
        own.as_a = own.as_a.or(from.as_a);
        own.edges = merged_edges(std::mem::take(&mut own.edges), from.edges);
    }

    fn card(self, most_edges: usize) -> PropertyCard {
        let mut card = self.card;
        card.symmetric = self.symmetry.is_shown();
        card.more_edges |= card.edges.len() > most_edges;
        card.edges.truncate(most_edges);
        card.collected = self.collections.most(most_edges);
        card
    }
}

impl CountedCollections {
    /// The members, if most of the objects are lists or containers.
    fn most(mut self, most_edges: usize) -> Option<Collected> {
        let as_a = self.as_a.filter(|_| 2 * self.found > self.looked_at && !self.edges.is_empty())?;
        self.edges.truncate(most_edges);
        Some(Collected { as_a, edges: self.edges })
    }
}

fn merge_class(own: &mut ClassCard, from: ClassCard) {
    take_labels(&mut own.labels, from.labels);
    own.comment = own.comment.take().or(from.comment);
    own.instances += from.instances;
    own.instances_with_subclasses += from.instances_with_subclasses;
    if own.superclasses.is_empty() {
        own.superclasses = from.superclasses;
    }
}

/// Only one share has the names of a class or property.
fn take_labels(own: &mut Vec<Label>, from: Vec<Label>) {
    if own.is_empty() {
        *own = from;
    }
}

/// Merges items of the same IRI, and adds the others.
fn merge_by<T>(own: &mut Vec<T>, other: Vec<T>, iri: impl Fn(&T) -> String, merge: impl Fn(&mut T, T)) {
    let at: FxHashMap<String, usize> = own.iter().map(&iri).zip(0..).collect();
    for item in other {
        match at.get(&iri(&item)).and_then(|at| own.get_mut(*at)) {
            Some(known) => merge(known, item),
            None => own.push(item),
        }
    }
}

fn summed(one: &[(String, u64)], other: &[(String, u64)]) -> Vec<(String, u64)> {
    let mut counts: FxHashMap<&str, u64> = FxHashMap::default();
    for (name, count) in one.iter().chain(other) {
        *counts.entry(name.as_str()).or_default() += count;
    }
    by_count(counts)
}

/// The connections of both, most frequent first, in the order of `connections`.
fn merged_edges(one: Vec<Edge>, other: Vec<Edge>) -> Vec<Edge> {
    let mut edges: FxHashMap<(Option<String>, Target), Edge> = FxHashMap::default();
    for edge in one.into_iter().chain(other) {
        match edges.get_mut(&(edge.class.clone(), edge.target.clone())) {
            Some(known) => {
                known.count += edge.count;
                for sample in edge.samples {
                    if known.samples.len() < MAX_SAMPLES && !known.samples.contains(&sample) {
                        known.samples.push(sample);
                    }
                }
            }
            None => drop(edges.insert((edge.class.clone(), edge.target.clone()), edge)),
        }
    }
    let mut edges: Vec<Edge> = edges.into_values().collect();
    edges.sort_by(|a, b| {
        (Reverse(a.count), &a.class, &a.target).cmp(&(Reverse(b.count), &b.class, &b.target))
    });
    edges
}
