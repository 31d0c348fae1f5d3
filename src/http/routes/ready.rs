//! `GET /ready`: whether questions can be answered now.

use crate::http::error::HostErrors;
use crate::http::{App, QueryLog};
use actix_web::web::Data;
use actix_web::{HttpRequest, HttpResponse};
use eruca_api::{PartHealth, PartState, Readiness};

/// Whether questions can be answered: asks every endpoint, at most once in some seconds; the chat model is not asked.
/// Where keys are asked for, the parts are only for those who have a key for them.
#[utoipa::path(
    get,
    path = "/ready",
    tag = "operation",
    responses(
        (status = 200, description = "Every part works or has a stand-in.", body = Readiness),
        (status = 503, description = "At least one part is down.", body = Readiness),
        HostErrors,
    )
)]
pub(in crate::http) async fn ready(request: HttpRequest, app: Data<App>) -> HttpResponse {
    let details = app.gate.shows_details(&request);
    let mut readiness = app.service.readiness().await;
    readiness.parts = readiness.parts.filter(|_| details);
    readiness.parts.iter_mut().for_each(|parts| parts.extend(unwritten(&app)));
    match readiness.ready {
        true => HttpResponse::Ok().json(readiness),
        false => HttpResponse::ServiceUnavailable().json(readiness),
    }
}

/// Logs and files that cannot be written now; questions are answered anyway.
fn unwritten(app: &App) -> Vec<PartState> {
    let parts = [
        ("stored runs", "[runs] folder", app.runs.failing()),
        ("query log", "[log] questions_folder", app.query_log.as_deref().and_then(QueryLog::failing)),
        ("reports", "[feedback] file", app.feedback.as_ref().and_then(|feedback| feedback.failing())),
    ];
    let failing = parts.into_iter().filter_map(|(part, setting, why)| Some((part, setting, why?)));
    let degraded = failing.map(|(part, setting, why)| PartState {
        part: part.to_owned(),
        state: PartHealth::Degraded,
        detail: format!("the last one could not be written: {why}; check {setting}"),
    });
    degraded.collect()
}
