//! Checks roles: what each sees, whether anybody can have it, and whether the graphs have what it does not see.

use super::{degraded, down, ok};
use crate::config::{DatasetSettings, RoleSettings, Settings};
use crate::startup::knowledge::hide_from;
use eruca_api::PartState;
use eruca_dataset::prefixes_of;
use eruca_indexer::DatasetIndex;
use eruca_knowledge::Knowledge;
use std::collections::BTreeSet;

/// Terms of one role that are told.
const MAX_TOLD: usize = 20;

/// A dataset with its index.
pub(super) type Indexed<'a> = (&'a DatasetSettings, &'a DatasetIndex);

/// The states of all roles.
pub(super) fn states(settings: &Settings, indexed: &[Indexed<'_>]) -> Vec<PartState> {
    settings.roles.iter().flat_map(|role| of_role(settings, role, indexed)).collect()
}

fn of_role(settings: &Settings, role: &RoleSettings, indexed: &[Indexed<'_>]) -> Vec<PartState> {
    let part = format!("role {}", role.id);
    let mut parts = vec![ok(&*part, summary(settings, role))];
    if !can_be_had(settings, role) {
        let how = "give it to a key in server.key_roles, or let a proxy name it (server.proxies)";
        parts.push(degraded(&*part, format!("nobody has it; {how}")));
    }
    let mut lacking: Option<BTreeSet<String>> = None;
    for (dataset, index) in indexed.iter().filter(|(dataset, _)| role.sees(dataset)) {
        let mut knowledge = Knowledge::default();
        match hide_from(role, dataset, &prefixes_of(index), &mut knowledge) {
            Ok(()) => {
                let missing = knowledge.hidden.terms().filter(|iri| !has(index, iri));
                let here: BTreeSet<String> = missing.map(str::to_owned).collect();
                lacking = Some(lacking.map_or_else(|| here.clone(), |lacking| &lacking & &here));
            }
            Err(error) => parts.push(down(&*part, error)),
        }
    }
    let told = lacking.into_iter().flatten().take(MAX_TOLD);
    parts.extend(
        told.map(|iri| {
            degraded(&*part, format!("<{iri}> is hidden from it, and no graph that it sees has it"))
        }),
    );
    parts
}

fn summary(settings: &Settings, role: &RoleSettings) -> String {
    let seen = settings.datasets.iter().filter(|dataset| role.sees(dataset)).map(|dataset| &*dataset.id);
    let keys = settings.server.key_roles.iter().filter(|(_, of)| **of == role.id).map(|(key, _)| &**key);
    let (terms, namespaces) = (role.hidden.terms.len(), role.hidden.namespaces.len());
    let (seen, keys): (Vec<_>, Vec<_>) = (seen.collect(), keys.collect());
    let keys = if keys.is_empty() { String::new() } else { format!(", keys: {}", keys.join(", ")) };
    format!("sees {}; hidden from it: {terms} terms, {namespaces} namespaces{keys}", seen.join(", "))
}

fn can_be_had(settings: &Settings, role: &RoleSettings) -> bool {
    settings.server.role_header.is_some() || settings.server.key_roles.values().any(|of| *of == role.id)
}

fn has(index: &DatasetIndex, iri: &str) -> bool {
    index.card.class(iri).is_some()
        || index.card.property(iri).is_some()
        // What cannot be looked up now may be there.
        || index.entities.get(iri).map_or(true, |found| found.is_some())
}
