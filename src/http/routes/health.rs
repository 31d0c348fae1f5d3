//! `GET /health`: whether the service is alive. Contacts no endpoint and no model, so it is cheap and cannot hang.

use crate::http::App;
use crate::http::dto::HealthDto;
use crate::http::error::HostErrors;
use actix_web::HttpRequest;
use actix_web::web::{Data, Json};

/// Whether the service lives, and what is degraded; the latter only for those who have a key for it, where keys are asked
/// for.
#[utoipa::path(
    get,
    path = "/health",
    tag = "operation",
    responses((status = 200, description = "The service is alive.", body = HealthDto), HostErrors)
)]
pub(in crate::http) async fn health(request: HttpRequest, app: Data<App>) -> Json<HealthDto> {
    let degraded = app.gate.shows_details(&request).then(|| app.service.degraded());
    Json(HealthDto { status: "ok", version: env!("CARGO_PKG_VERSION"), degraded })
}
