//! `GET /datasets/{id}/…`: the overview of a graph, autocompletion, entity pages, and coordinates.

use crate::http::App;
use crate::http::dto::ValidationError;
use crate::http::error::{
    ApiError, DatasetErrors, EndpointErrors, HostErrors, KeyErrors, ParameterErrors, RoomErrors,
};
use crate::http::gate::Cost;
use crate::http::params::parameter;
use crate::service::browse::Lookup;
use actix_web::HttpRequest;
use actix_web::web::{Data, Json, Path};
use eruca_api::{Card, Entry, HitKind, Hits, Places};
use url::form_urlencoded;

/// Default number of hits.
const DEFAULT_LIMIT: usize = 10;

/// What a graph is made of, with names in a language, and example questions that it answers.
#[utoipa::path(
    get,
    path = "/datasets/{id}/card",
    tag = "graphs",
    params(
        ("id" = String, Path, description = "The dataset's id or one of its aliases, percent-encoded."),
        ("lang" = Option<String>, Query, description = "The language of the reader.")
    ),
    responses((status = 200, description = "The card.", body = Card), HostErrors, KeyErrors, DatasetErrors, RoomErrors)
)]
pub(in crate::http) async fn card(
    request: HttpRequest,
    app: Data<App>,
    id: Path<String>,
) -> Result<Json<Card>, ApiError> {
    app.gate.admit(&request, Cost::Lookup)?;
    let lang = parameter(&request, "lang");
    Ok(Json(app.service.card(&id, lang.as_deref()).await?))
}

/// What a text that is being typed may name: things, classes and properties, or texts that properties have for values.
#[utoipa::path(
    get,
    path = "/datasets/{id}/search",
    tag = "graphs",
    params(
        ("id" = String, Path, description = "The dataset's id or one of its aliases, percent-encoded."),
        ("q" = String, Query, description = "What was typed; the last word may be unfinished."),
        ("kind" = Option<String>, Query, description = "`entity`, `class`, `property`, `value`, or `any` of the first three."),
        ("limit" = Option<usize>, Query, description = "Hits wanted, at most 50; 10 without."),
        ("lang" = Option<String>, Query, description = "The language of the reader.")
    ),
    responses((status = 200, description = "What it may name, best first.", body = Hits), HostErrors, KeyErrors, DatasetErrors, ParameterErrors, RoomErrors)
)]
pub(in crate::http) async fn search(
    request: HttpRequest,
    app: Data<App>,
    id: Path<String>,
) -> Result<Json<Hits>, ApiError> {
    app.gate.admit(&request, Cost::Lookup)?;
    let lookup = Lookup {
        dataset: id.into_inner(),
        text: parameter(&request, "q").ok_or_else(|| wrong(ValidationError::missing("q")))?,
        kind: kind(&request)?,
        limit: limit(&request)?,
        lang: parameter(&request, "lang"),
    };
    Ok(Json(app.service.search(lookup).await?))
}

/// What a graph says about a thing.
#[utoipa::path(
    get,
    path = "/datasets/{id}/entry",
    tag = "graphs",
    params(
        ("id" = String, Path, description = "The dataset's id or one of its aliases, percent-encoded."),
        ("iri" = String, Query, description = "The thing."),
        ("lang" = Option<String>, Query, description = "The language of the reader.")
    ),
    responses((status = 200, description = "What it says.", body = Entry), HostErrors, KeyErrors, DatasetErrors, ParameterErrors, EndpointErrors)
)]
pub(in crate::http) async fn entry(
    request: HttpRequest,
    app: Data<App>,
    id: Path<String>,
) -> Result<Json<Entry>, ApiError> {
    app.gate.admit(&request, Cost::Lookup)?;
    let iri = parameter(&request, "iri").ok_or_else(|| wrong(ValidationError::missing("iri")))?;
    let lang = parameter(&request, "lang");
    Ok(Json(app.service.entry(&id, &iri, lang.as_deref()).await?))
}

/// Where things are on the map.
#[utoipa::path(
    get,
    path = "/datasets/{id}/places",
    tag = "graphs",
    params(
        ("id" = String, Path, description = "The dataset's id or one of its aliases, percent-encoded."),
        ("iri" = Vec<String>, Query, description = "A thing; may be given up to 100 times.")
    ),
    responses((status = 200, description = "Where they are.", body = Places), HostErrors, KeyErrors, DatasetErrors, ParameterErrors, EndpointErrors)
)]
pub(in crate::http) async fn places(
    request: HttpRequest,
    app: Data<App>,
    id: Path<String>,
) -> Result<Json<Places>, ApiError> {
    app.gate.admit(&request, Cost::Lookup)?;
    let given = form_urlencoded::parse(request.query_string().as_bytes()).filter(|(name, _)| name == "iri");
    let things = given.map(|(_, iri)| iri.into_owned()).collect();
    Ok(Json(app.service.places(&id, things).await?))
}

fn kind(request: &HttpRequest) -> Result<Option<HitKind>, ApiError> {
    match parameter(request, "kind").as_deref() {
        None | Some("any") => Ok(None),
        Some("entity") => Ok(Some(HitKind::Entity)),
        Some("class") => Ok(Some(HitKind::Class)),
        Some("property") => Ok(Some(HitKind::Property)),
        Some("value") => Ok(Some(HitKind::Value)),
        Some(_) => {
            let message = "Input should be 'entity', 'class', 'property', 'value' or 'any'";
            Err(wrong(ValidationError::of_query("kind", message, "enum")))
        }
    }
}

fn limit(request: &HttpRequest) -> Result<usize, ApiError> {
    let Some(limit) = parameter(request, "limit") else { return Ok(DEFAULT_LIMIT) };
    limit.parse().map_err(|_| {
        let message = "Input should be a valid integer, unable to parse string as an integer";
        wrong(ValidationError::of_query("limit", message, "int_parsing"))
    })
}

fn wrong(error: ValidationError) -> ApiError {
    ApiError::Parameters(vec![error])
}
