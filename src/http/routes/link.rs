//! `POST /link`: finds the entities of a graph that answer texts name.

use crate::http::App;
use crate::http::dto::{LinkingDto, ValidationError};
use crate::http::error::{ApiError, AskErrors, HostErrors};
use crate::http::gate::Cost;
use crate::http::post::Posted;
use crate::service::ServiceError;
use crate::service::browse::BrowseError;
use crate::service::link::Linking;
use actix_web::HttpRequest;
use actix_web::web::{Data, Json};
use eruca_api::LinkedTexts;

/// Finds the things of a graph that texts name, many texts at once: by name, by other names, misspelt, and of a class. Numbers,
/// times and truth values are returned as such. Where nothing has such a name, nothing is guessed.
#[utoipa::path(
    post,
    path = "/link",
    tag = "graphs",
    request_body = LinkingDto,
    responses((status = 200, description = "What the texts name.", body = LinkedTexts), HostErrors, AskErrors)
)]
pub(in crate::http) async fn link(
    request: HttpRequest,
    app: Data<App>,
    Posted(asked): Posted<LinkingDto>,
) -> Result<Json<LinkedTexts>, ApiError> {
    app.gate.admit(&request, Cost::Question)?;
    let linking = Linking::from(asked);
    let (dataset, texts) = (linking.dataset.clone(), linking.texts.len());
    let linked = app.service.link(linking).await.map_err(of_body)?;
    let found = linked.iter().filter(|linked| !linked.links.is_empty()).count();
    tracing::info!(dataset, texts, found, "texts were linked");
    Ok(Json(LinkedTexts { texts: linked }))
}

fn of_body(error: BrowseError) -> ApiError {
    match error {
        BrowseError::Service(ServiceError::Invalid { field, message }) => {
            ApiError::Parameters(vec![ValidationError::of_body(&[field], &message, "value_error")])
        }
        other => other.into(),
    }
}
