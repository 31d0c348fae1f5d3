//! `GET /ready`: whether questions can be answered now.

use crate::http::App;
use crate::http::dto::ReadinessDto;
use crate::http::error::HostErrors;
use actix_web::web::Data;
use actix_web::{HttpRequest, HttpResponse};

/// Whether questions can be answered: asks every endpoint, at most once in some seconds; the chat model is not asked.
/// Where keys are asked for, the parts are only for those who have a key for them.
#[utoipa::path(
    get,
    path = "/ready",
    tag = "operation",
    responses(
        (status = 200, description = "Every part works or has a stand-in.", body = ReadinessDto),
        (status = 503, description = "At least one part is down.", body = ReadinessDto),
        HostErrors,
    )
)]
pub(in crate::http) async fn ready(request: HttpRequest, app: Data<App>) -> HttpResponse {
    let details = app.gate.shows_details(&request);
    let readiness = ReadinessDto::new(app.service.readiness().await, details);
    match readiness.ready {
        true => HttpResponse::Ok().json(readiness),
        false => HttpResponse::ServiceUnavailable().json(readiness),
    }
}
