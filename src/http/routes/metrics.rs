//! `GET /metrics`: metrics of the running service.

use crate::config::KeyScope;
use crate::http::App;
use crate::http::error::{ApiError, HostErrors, OperationKeyErrors};
use crate::http::metrics::CONTENT_TYPE;
use crate::service::ServiceError;
use actix_web::web::Data;
use actix_web::{HttpRequest, HttpResponse};

/// Figures in the OpenMetrics text format, for Prometheus.
#[utoipa::path(
    get,
    path = "/metrics",
    tag = "operation",
    responses(
        (status = 200, description = "All metrics.", body = String, content_type = "application/openmetrics-text"),
        HostErrors,
        OperationKeyErrors,
    )
)]
pub(in crate::http) async fn metrics(request: HttpRequest, app: Data<App>) -> Result<HttpResponse, ApiError> {
    app.gate.check_key(&request, KeyScope::Operation)?;
    let text = app.metrics.text(app.service.load(), &app.service.caches());
    let text = text.map_err(|error| ServiceError::Internal(error.to_string()))?;
    Ok(HttpResponse::Ok().content_type(CONTENT_TYPE).body(text))
}
