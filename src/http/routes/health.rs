//! `GET /health`: that the service lives. Never asks an endpoint or a model, so it is cheap and cannot hang.

use crate::http::App;
use crate::http::dto::HealthDto;
use actix_web::web::{Data, Json};

/// Whether the service lives, and what is degraded.
#[utoipa::path(
    get,
    path = "/health",
    tag = "operation",
    responses((status = 200, description = "It lives.", body = HealthDto))
)]
pub(in crate::http) async fn health(app: Data<App>) -> Json<HealthDto> {
    let degraded = app.service.degraded();
    Json(HealthDto { status: "ok", version: env!("CARGO_PKG_VERSION"), degraded })
}
