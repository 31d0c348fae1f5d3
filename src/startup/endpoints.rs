//! Remote endpoints from settings.

use super::StartupError;
use crate::config::{Credentials, DatasetSettings, EndpointSettings};
use eruca_sparql::{RemoteEndpoint, RemoteOptions, SparqlEndpoint};
use std::sync::Arc;

/// Prepares a remote endpoint; nothing is sent yet.
pub(super) fn remote(
    client: &reqwest::Client,
    dataset: &DatasetSettings,
    settings: &EndpointSettings,
) -> Result<Arc<dyn SparqlEndpoint>, StartupError> {
    let EndpointSettings { url, credentials, headers, default_graphs } = settings.clone();
    let credentials = match credentials {
        Credentials::None => eruca_sparql::Credentials::None,
        Credentials::Basic { user, password } => eruca_sparql::Credentials::Basic { user, password },
        Credentials::Bearer(token) => eruca_sparql::Credentials::Bearer(token),
    };
    let options = RemoteOptions { credentials, headers, default_graphs, ..RemoteOptions::new(url) };
    let failed = |source| StartupError::Endpoint { dataset: dataset.id.clone(), source };
    Ok(Arc::new(RemoteEndpoint::new(client.clone(), options).map_err(failed)?))
}
