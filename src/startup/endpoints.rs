//! Remote endpoints from settings, and the clients for requests to other servers.

use super::StartupError;
use crate::config::{CredentialSettings, DatasetSettings, EndpointSettings, OutgoingSettings, Settings};
use eruca_sparql::outgoing::{Hosts, client_builder, is_public, user_agent};
use eruca_sparql::{RemoteEndpoint, RemoteOptions, SparqlEndpoint, View, ViewEndpoint};
use std::sync::Arc;
use url::Url;

/// What requests to other servers need; shared by everything that is opened together.
#[derive(Clone)]
pub(super) struct Outgoing {
    /// The client of all requests.
    pub(super) client: reqwest::Client,
    /// The limits of public hosts.
    pub(super) hosts: Hosts,
}

impl Outgoing {
    /// Created from settings. TLS is provided by ring, which is installed here so that programs that use the library need not
    /// know about it; if the process has a provider already, that one stays.
    pub(super) fn new(settings: &Settings) -> Result<Self, reqwest::Error> {
        let _installed = rustls::crypto::ring::default_provider().install_default();
        let contact = settings.outgoing.contact.as_deref().unwrap_or_default();
        let client = client_builder().user_agent(user_agent(contact)).build()?;
        let OutgoingSettings { requests_per_host, requests_per_minute, .. } = settings.outgoing;
        Ok(Self { client, hosts: Hosts::new(requests_per_host, requests_per_minute) })
    }
}

/// The warning at start if a public endpoint or search is used without contact details for its operators.
pub(super) fn missing_contact(settings: &Settings, dataset: &DatasetSettings) -> Option<String> {
    let endpoint = dataset.source.endpoint().map(|endpoint| &endpoint.url);
    let search = dataset.search.wikibase();
    let search = search.into_iter().flat_map(|search| [Some(&search.api), search.vectors.as_ref()]);
    let urls = endpoint.into_iter().chain(search.flatten()).filter_map(|url| Url::parse(url).ok());
    let url = urls.into_iter().find(is_public)?;
    settings.outgoing.contact.is_none().then(|| {
        format!(
            "dataset '{}' asks the public server {} without naming a contact, which it may refuse; set [outgoing] contact to \
             an e-mail address or web page of yours",
            dataset.id,
            url.host_str().unwrap_or_default()
        )
    })
}

/// Prepares a remote endpoint; nothing is sent yet.
pub(super) fn remote(
    outgoing: &Outgoing,
    dataset: &DatasetSettings,
    settings: &EndpointSettings,
) -> Result<Arc<dyn SparqlEndpoint>, StartupError> {
    let EndpointSettings { url, credentials, headers, default_graphs, dialect } = settings.clone();
    let credentials = match credentials {
        CredentialSettings::None => eruca_sparql::Credentials::None,
        CredentialSettings::Basic { user, password } => eruca_sparql::Credentials::Basic { user, password },
        CredentialSettings::Bearer(token) => eruca_sparql::Credentials::Bearer(token),
    };
    let Outgoing { client, hosts } = outgoing.clone();
    let named_graphs = dataset.graphs.clone();
    let options = RemoteOptions {
        credentials,
        headers,
        default_graphs,
        named_graphs,
        dialect,
        hosts,
        ..RemoteOptions::new(url)
    };
    let failed = |source| StartupError::Endpoint { dataset: dataset.id.clone(), source };
    let endpoint = Arc::new(RemoteEndpoint::new(client, options).map_err(failed)?);
    Ok(ViewEndpoint::over(endpoint, View::of_graphs(&dataset.graphs)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::path::Path;

    #[test]
    fn a_missing_contact_is_told_where_strangers_are_asked() {
        let told = |url: &str, contact: &str| {
            let id = ("ERUCA__DATASETS__0__ID".to_owned(), "d".to_owned());
            let url = ("ERUCA__DATASETS__0__ENDPOINT".to_owned(), url.to_owned());
            let contact = ("ERUCA__OUTGOING__CONTACT".to_owned(), contact.to_owned());
            let settings =
                Settings::load_from(None, Path::new("no-such-folder"), &[id, url, contact]).unwrap();
            missing_contact(&settings, &settings.datasets[0])
        };
        let said = told("https://query.wikidata.org/sparql", "").unwrap();
        assert!(said.contains("query.wikidata.org") && said.contains("[outgoing] contact"), "{said}");
        assert_eq!(told("https://query.wikidata.org/sparql", "me@example.org"), None);
        assert_eq!(told("http://virtuoso:8890/sparql", ""), None);
        let search = |contact: &str| {
            let dataset = [
                ("ID", "d"),
                ("PRESET", "wikidata"),
                ("ENDPOINT", "http://blazegraph:9999/sparql"),
                ("VECTOR_SEARCH", "http://vectors.local/"),
            ];
            let variable =
                |(key, value): (&str, &str)| (format!("ERUCA__DATASETS__0__{key}"), value.to_owned());
            let mut variables: Vec<_> = dataset.into_iter().map(variable).collect();
            variables.push(("ERUCA__OUTGOING__CONTACT".to_owned(), contact.to_owned()));
            let settings = Settings::load_from(None, Path::new("no-such-folder"), &variables).unwrap();
            missing_contact(&settings, &settings.datasets[0])
        };
        assert!(search("").unwrap().contains("www.wikidata.org"), "{:?}", search(""));
        assert_eq!(search("me@example.org"), None);
    }
}
