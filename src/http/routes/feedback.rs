//! `POST /feedback`: what a reader thinks of an answer.

use crate::http::App;
use crate::http::error::{ApiError, FeedbackErrors, HostErrors, KeyErrors};
use crate::http::feedback::ReportDto;
use crate::http::gate::Cost;
use crate::http::post::Posted;
use actix_web::web::Data;
use actix_web::{HttpRequest, HttpResponse};

/// Takes a report on an answer, where a file for them is configured.
#[utoipa::path(
    post,
    path = "/feedback",
    tag = "questions",
    request_body = ReportDto,
    responses((status = 204, description = "The report was saved."), HostErrors, KeyErrors, FeedbackErrors)
)]
pub(in crate::http) async fn feedback(
    request: HttpRequest,
    app: Data<App>,
    Posted(report): Posted<ReportDto>,
) -> Result<HttpResponse, ApiError> {
    app.gate.admit(&request, Cost::Question)?;
    let feedback = app.feedback.as_ref().ok_or(ApiError::FeedbackOff)?;
    feedback.write(&report).await?;
    Ok(HttpResponse::NoContent().finish())
}
