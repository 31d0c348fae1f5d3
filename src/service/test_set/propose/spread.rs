//! Whose turn it is: what has been asked about least comes first, and among equals a seed decides.

use super::options::{Choice, Construct, Named};
use eruca_knowledge::test_set::id_of;
use std::collections::{HashMap, HashSet};

/// What has been asked about.
pub(super) struct Spread {
    seed: String,
    classes: HashMap<String, usize>,
    properties: HashMap<String, usize>,
    tried: HashSet<(Construct, String, u8)>,
}

impl Spread {
    pub(super) fn new(seed: u64) -> Self {
        let (classes, properties, tried) = (HashMap::new(), HashMap::new(), HashSet::new());
        Self { seed: seed.to_string(), classes, properties, tried }
    }

    /// The choices that have not been tried, the best first.
    pub(super) fn next<'b, 'a>(&self, choices: &'b [Choice<'a>], variants: u8) -> Vec<(&'b Choice<'a>, u8)> {
        let all = choices.iter().flat_map(|choice| (0..variants).map(move |variant| (choice, variant)));
        let mut open: Vec<(&Choice<'_>, u8)> = all
            .filter(|(choice, variant)| !self.tried.contains(&(choice.construct, key(choice), *variant)))
            .collect();
        open.sort_by_cached_key(|(choice, variant)| {
            let uses =
                |counts: &HashMap<String, usize>, iri: &str| counts.get(iri).copied().unwrap_or_default();
            let property =
                choice.property.as_ref().map(|one| uses(&self.properties, &one.iri)).unwrap_or_default();
            let class = uses(&self.classes, &choice.subject.iri);
            (*variant, choice.is_doubtful, class + property, class, id_of(&[&self.seed, &key(choice)]))
        });
        open
    }

    pub(super) fn tried(&mut self, choice: &Choice<'_>, variant: u8) {
        self.tried.insert((choice.construct, key(choice), variant));
    }

    pub(super) fn used(&mut self, choice: &Choice<'_>) {
        *self.classes.entry(choice.subject.iri.clone()).or_default() += 1;
        for Named { iri, .. } in [&choice.property, &choice.link].into_iter().flatten() {
            *self.properties.entry(iri.clone()).or_default() += 1;
        }
    }
}

fn key(choice: &Choice<'_>) -> String {
    let iri = |named: &Option<Named>| named.as_ref().map(|one| one.iri.clone()).unwrap_or_default();
    [choice.subject.iri.clone(), iri(&choice.property), iri(&choice.link), iri(&choice.kind)].join(" ")
}
