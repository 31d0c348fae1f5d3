//! Finds entities without a label in a graph whose IRIs are numbers, before the triples are sorted.

use super::graph::NodeId;
use crate::vocabulary::Namespaces;

/// Maximum number of unlabelled entities whose IRIs are kept.
const MAX_KEPT: usize = 100_000;

/// Entities without a label.
#[derive(Debug, Default, Clone, PartialEq, Eq)]
pub struct Unnamed {
    /// The entities of properties that are used.
    pub properties: Vec<String>,
    /// Other entities, up to the maximum.
    pub items: Vec<String>,
    /// Total number of other entities.
    pub item_count: usize,
}

impl Unnamed {
    /// Total number.
    pub fn count(&self) -> usize {
        self.properties.len() + self.item_count
    }

    /// Checks every node; `is_named` tells whether it has a label.
    pub(super) fn among<'a>(
        names: &Namespaces,
        nodes: impl Iterator<Item = (NodeId, &'a str)>,
        is_named: impl Fn(NodeId) -> bool,
        is_named_property: impl Fn(&str) -> bool,
    ) -> Self {
        let mut found = Self::default();
        for (id, iri) in nodes {
            if let Some((_, number)) = names.part(iri) {
                let entity = names.property_entity(number);
                if !is_named_property(&entity) && !found.properties.contains(&entity) {
                    found.properties.push(entity);
                }
            } else if names.is_entity(iri) && names.property_number(iri).is_none() && !is_named(id) {
                found.item_count += 1;
                if found.items.len() < MAX_KEPT {
                    found.items.push(iri.to_owned());
                }
            }
        }
        found
    }
}
