//! `POST /feedback`: a reader's rating of an answer.

use crate::http::App;
use crate::http::error::{ApiError, FeedbackErrors, HostErrors, KeyErrors};
use crate::http::feedback::ReportDto;
use crate::http::gate::Cost;
use crate::http::post::Posted;
use crate::http::routes::runs::find;
use actix_web::web::Data;
use actix_web::{HttpRequest, HttpResponse};

/// Takes a report on an answer that is still kept, where a file for them is configured.
///
/// Of several reports on one run the last counts; there are three at most.
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
    report.check()?;
    find(&app, report.run()).await?;
    feedback.write(&report, app.gate.client(&request)).await?;
    Ok(HttpResponse::NoContent().finish())
}
