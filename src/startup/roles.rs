//! The services of roles: each has its own datasets, opened without what the role does not see, and its own caches. What bounds the work
//! is shared with the service of everybody.

use super::caches;
use super::opener::DatasetOpener;
use crate::config::{DatasetSettings, RoleSettings, Settings};
use crate::service::{Caches, Service, Unopened};
use std::sync::Arc;

/// A service with those of its roles.
pub(super) async fn with_roles(
    service: Service,
    settings: &Settings,
    opener: &DatasetOpener,
) -> Arc<Service> {
    let mut roles = Vec::with_capacity(settings.roles.len());
    for role in &settings.roles {
        roles.push((role.id.clone(), Arc::new(of_role(&service, settings, opener, role).await)));
    }
    Arc::new(service.with_roles(roles))
}

async fn of_role(
    service: &Service,
    settings: &Settings,
    opener: &DatasetOpener,
    role: &RoleSettings,
) -> Service {
    // Names of a Wikibase and vectors of words say nothing of a graph; answers and results do.
    let Caches { embeddings, live, .. } = opener.caches.clone();
    let own = Caches { embeddings, live, ..caches(&settings.cache) };
    let opener = DatasetOpener { role: Some(role.clone()), caches: own.clone(), ..opener.clone() };
    let (mut opened, mut failed) = (Vec::new(), Vec::new());
    for dataset in settings.datasets.iter().filter(|dataset| role.sees(dataset)) {
        match opener.open_built(dataset).await {
            Ok(open) => opened.push(Arc::new(open)),
            Err(error) => {
                tracing::error!(role = role.id, dataset = dataset.id, %error, "the dataset is not served");
                failed.push(unopened(dataset));
            }
        }
    }
    service.beside(opened, own).without(failed).reloading(Arc::new(opener))
}

/// What a role learns in place of why a dataset is not served, which may name what is hidden.
pub(super) const UNTOLD: &str = "the log of the service says why";

fn unopened(DatasetSettings { id, aliases, .. }: &DatasetSettings) -> Unopened {
    Unopened { id: id.clone(), aliases: aliases.clone(), reason: UNTOLD.to_owned() }
}
