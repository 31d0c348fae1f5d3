//! Resources: dataset overviews and kept runs.

use super::host::Host;
use super::output::{disarmed_value, said};
use crate::service::{RunId, Service};
use eruca_api::DatasetSummary;
use eruca_sparql::disarmed;
use rmcp::ErrorData;
use rmcp::model::{ReadResourceResult, Resource, ResourceContents, ResourceTemplate};
use std::sync::Arc;
use url::form_urlencoded;

const DATASETS: &str = "eruca://datasets/";
const CARD: &str = "/card";
const RUNS: &str = "eruca://runs/";
const TEXT: &str = "text/plain";
const JSON: &str = "application/json";

/// The URI of a dataset's card.
pub(super) fn card_uri(dataset: &str) -> String {
    let encoded: String = form_urlencoded::byte_serialize(dataset.as_bytes()).collect();
    format!("{DATASETS}{}{CARD}", encoded.replace('+', "%20"))
}

/// The URI of a run.
pub(super) fn run_uri(run: RunId) -> String {
    format!("{RUNS}{run}")
}

/// The cards. Runs are not listed, because anyone who knows the id of a run may read it.
pub(super) fn list(service: &Service) -> Vec<Resource> {
    service.datasets().iter().map(card).collect()
}

fn card(dataset: &DatasetSummary) -> Resource {
    Resource::new(card_uri(&dataset.id), format!("card of {}", dataset.id))
        .with_title(format!("What {} is made of", dataset.name))
        .with_description(
            "Prefixes, classes and properties with how often they are used, and examples of values.",
        )
        .with_mime_type(TEXT)
}

/// The templates for both kinds of resources.
pub(super) fn templates() -> Vec<ResourceTemplate> {
    let card = ResourceTemplate::new(format!("{DATASETS}{{id}}{CARD}"), "card")
        .with_title("What a dataset is made of")
        .with_description("Prefixes, classes and properties of a dataset, by its id, percent-encoded.")
        .with_mime_type(TEXT);
    let run = ResourceTemplate::new(format!("{RUNS}{{id}}"), "run")
        .with_title("How an answer came about")
        .with_description("A question with its answer, its query part by part, its rows and every step.")
        .with_mime_type(JSON);
    vec![card, run]
}

/// Reads a resource.
///
/// # Errors
/// If there is no resource with this URI, or it cannot be read now.
pub(super) async fn read(host: &Arc<dyn Host>, uri: &str) -> Result<ReadResourceResult, ErrorData> {
    let unknown =
        |why: &str| ErrorData::resource_not_found(format!("{why}; resources/list names what there is"), None);
    let (text, kind) = match named(uri).ok_or_else(|| unknown("there is no resource of this form"))? {
        NamedResource::Card(id) => {
            let known = host.service().dataset(&id).ok_or_else(|| unknown("there is no such dataset"))?;
            let text = host.service().graph_text(&known.id).await;
            (text.map_err(|error| ErrorData::internal_error(said(&error), None))?, TEXT)
        }
        NamedResource::Run(id) => {
            let gone = || unknown("there is no run with this id, or it is no longer kept");
            (host.run(id).await.ok_or_else(gone)?, JSON)
        }
    };
    Ok(ReadResourceResult::new(vec![ResourceContents::text(safe(&text), uri).with_mime_type(kind)]))
}

/// Makes a text safe for a model: in JSON its strings, otherwise the whole text.
fn safe(text: &str) -> String {
    match serde_json::from_str(text) {
        Ok(value) => disarmed_value(value).to_string(),
        Err(_) => disarmed(text).into_owned(),
    }
}

/// The resource that a URI refers to.
#[derive(Debug, PartialEq, Eq)]
enum NamedResource {
    Card(String),
    Run(RunId),
}

fn named(uri: &str) -> Option<NamedResource> {
    if let Some(id) = uri.strip_prefix(DATASETS).and_then(|rest| rest.strip_suffix(CARD)) {
        return decoded(id).map(NamedResource::Card);
    }
    uri.strip_prefix(RUNS).and_then(RunId::parse).map(NamedResource::Run)
}

fn decoded(id: &str) -> Option<String> {
    let pair = format!("id={}", id.replace('+', "%2B").replace('&', "%26"));
    form_urlencoded::parse(pair.as_bytes()).next().map(|(_, id)| id.into_owned()).filter(|id| !id.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn any_id_comes_back_from_its_address() {
        for id in ["demo", "https://e.x/a b?c=d&e#f", "a+b", "100%", "Städte/cards"] {
            let uri = card_uri(id);
            assert!(!uri.contains([' ', '#', '+']), "{uri}");
            assert_eq!(named(&uri), Some(NamedResource::Card(id.to_owned())), "{uri}");
        }
        let plain = "eruca://datasets/https://e.x/a+b&c/card";
        assert_eq!(named(plain), Some(NamedResource::Card("https://e.x/a+b&c".to_owned())));
    }

    #[test]
    fn only_names_of_runs_are_runs() {
        let run = RunId::random();
        assert_eq!(named(&run_uri(run)), Some(NamedResource::Run(run)));
        for uri in ["", "eruca://runs/", "eruca://runs/../etc", "eruca://datasets//card", "https://e.x/"] {
            assert_eq!(named(uri), None, "{uri}");
        }
    }
}
