//! `GET /ready`: whether questions can be answered now.

use crate::http::App;
use crate::http::dto::ReadinessDto;
use actix_web::HttpResponse;
use actix_web::web::Data;

/// Whether questions can be answered: asks every endpoint once; the chat model is not asked.
#[utoipa::path(
    get,
    path = "/ready",
    tag = "operation",
    responses(
        (status = 200, description = "Every part works or has a stand-in.", body = ReadinessDto),
        (status = 503, description = "At least one part is down.", body = ReadinessDto),
    )
)]
pub(in crate::http) async fn ready(app: Data<App>) -> HttpResponse {
    let readiness = ReadinessDto::from(app.service.readiness().await);
    match readiness.ready {
        true => HttpResponse::Ok().json(readiness),
        false => HttpResponse::ServiceUnavailable().json(readiness),
    }
}
