//! Intermediate nodes: they join named things and have no names themselves.

use super::Context;
use crate::schema::Kind;

/// Instances of a class examined for names.
const MAX_SAMPLES: usize = 5;

impl<'k> Context<'k> {
    /// Whether things of a kind have no names and join others that do.
    pub(crate) fn is_between(&self, kind: &Kind<'k>) -> bool {
        let Some(class) = kind.classes().first() else { return false };
        if self.is_tabular() || self.schema.index.manifest.vocabulary.classes_are_things {
            return false;
        }
        if let Some(known) = self.between.borrow().get(class) {
            return *known;
        }
        let hops = self.schema.index.graph.hops(class);
        let joins = hops.iter().any(|hop| self.has_names(&hop.class));
        let more = hops.len() + self.schema.index.graph.attributes(class).len() > 1;
        let found = joins && more && !self.has_names(class);
        self.between.borrow_mut().insert(class, found);
        found
    }

    /// Whether any of the most prominent things of a class have names.
    fn has_names(&self, class: &str) -> bool {
        let some = self.schema.index.entities.best_of_class(class, MAX_SAMPLES).unwrap_or_default();
        some.iter().any(|thing| !thing.labels.is_empty())
    }
}
