//! `POST /feedback`: a reader's rating of an answer.

use crate::http::App;
use crate::http::error::{ApiError, FeedbackErrors, HostErrors, KeyErrors};
use crate::http::feedback::{Proposing, ReportDto};
use crate::http::gate::Cost;
use crate::http::post::Posted;
use crate::http::proposals::{source, wrong};
use crate::http::routes::runs::find;
use actix_web::web::Data;
use actix_web::{HttpRequest, HttpResponse};
use eruca_api::Run;
use eruca_knowledge::proposals::Proposal;

/// Takes a report on an answer that is still kept. Reports are written where a file for them is configured; of several on one run
/// the last counts, and there are three at most. A correction of words, and the right query for a wrong answer, become proposals,
/// which change nothing until the owner of the graph accepts them. A query that cannot be run is refused.
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
    let key = app.gate.admit(&request, Cost::Question)?;
    let proposes = app.proposals.is_some() && report.proposes().is_some();
    if app.feedback.is_none() && !proposes {
        return Err(ApiError::FeedbackOff);
    }
    report.check()?;
    let (_, found) = find(&app, report.run()).await?;
    let run = found.run();
    readable(&app, &report, &run)?;
    let client = app.gate.client(&request);
    if let Some(proposal) = proposal(&app, &report, &run, key)? {
        app.proposals()?.add(proposal, client.clone()).await?;
    }
    if let Some(feedback) = &app.feedback {
        feedback.write(&report, client).await?;
    }
    Ok(HttpResponse::NoContent().finish())
}

/// Refuses a report whose query cannot be run: nobody could use it, and whoever wrote it would not hear of it.
fn readable(app: &App, report: &ReportDto, run: &Run) -> Result<(), ApiError> {
    let Some(query) = report.query() else { return Ok(()) };
    // A run of several datasets, or of one that is gone, has none that could read it.
    let Ok(dataset) = app.learning(&run.dataset) else { return Ok(()) };
    dataset.check(query)?;
    Ok(())
}

/// The proposal that a report makes, where proposals are taken.
fn proposal(
    app: &App,
    report: &ReportDto,
    run: &Run,
    key: Option<&str>,
) -> Result<Option<Proposal>, ApiError> {
    if app.proposals.is_none() {
        return Ok(None);
    }
    let source = source(run, key);
    match report.proposes() {
        None => Ok(None),
        Some(Proposing::Words(correction)) => {
            let dataset = app.learning(&run.dataset)?;
            let made = app.service.proposed_word(&dataset, source, correction);
            made.map(Some).map_err(|reason| wrong("correction", &reason))
        }
        Some(Proposing::Query(query)) => {
            let made = app.learning(&run.dataset).and_then(|dataset| {
                let made = app.service.proposed_question(&dataset, source, query);
                made.map_err(|reason| wrong("query", &reason))
            });
            match made {
                // What is no question of one dataset cannot be verified, and is a report all the same where these are kept.
                Err(_) if app.feedback.is_some() => Ok(None),
                made => made.map(Some),
            }
        }
    }
}
