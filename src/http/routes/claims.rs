//! `GET /runs/{id}/claims`: what supports each sentence of an answer.

use super::runs::find;
use crate::http::App;
use crate::http::error::{ApiError, GraphErrors, HostErrors};
use crate::http::gate::Cost;
use actix_web::HttpRequest;
use actix_web::web::{Data, Json, Path};
use eruca_api::Claims;

/// The sentences of an answer in words, each with the triples of the graph that support it.
#[utoipa::path(
    get,
    path = "/runs/{id}/claims",
    tag = "questions",
    params(("id" = String, Path, description = "The name of the run.")),
    responses((status = 200, description = "The sentences.", body = Claims), HostErrors, GraphErrors)
)]
pub(in crate::http) async fn claims(
    request: HttpRequest,
    id: Path<String>,
    app: Data<App>,
) -> Result<Json<Claims>, ApiError> {
    app.gate.admit(&request, Cost::Lookup)?;
    let (_, found) = find(&app, &id).await?;
    // It asks the endpoint, like a question.
    app.gate.admit(&request, Cost::Question)?;
    let claims = app.service.claims_of(found.run()).await?;
    Ok(Json(Claims { claims }))
}
