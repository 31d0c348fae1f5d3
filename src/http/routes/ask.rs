//! `POST /ask`: a question, answered with all that is known of it, or event by event.

use crate::http::App;
use crate::http::dto::{AskDto, RunDto, ValidationError};
use crate::http::error::{ApiError, AskErrors, HostErrors};
use crate::http::post::Posted;
use crate::http::query_log::Asked;
use crate::http::request_id::id_of;
use crate::http::{events, runs};
use crate::service::{Ask, Asking, Question, RunState, ServiceError};
use actix_web::web::Data;
use actix_web::{HttpRequest, HttpResponse, ResponseError};
use std::sync::Arc;
use std::time::{Duration, Instant};
use tracing::Instrument;

/// Earlier questions looked at.
const MAX_HISTORY: usize = 50;
/// Longest language tag.
const MAX_TAG: usize = 35;

/// Answers a question. With `Accept: text/event-stream` the answer comes event by event: `step`, `reading`, `query`, `rows`,
/// `token`, `answer`, `error` and at last `done`, which holds the whole run. Closing the connection ends the work.
#[utoipa::path(
    post,
    path = "/ask",
    tag = "questions",
    request_body = AskDto,
    responses(
        (
            status = 200,
            description = "The run: the question with its answer. As events where these are asked for.",
            content((RunDto = "application/json"), (String = "text/event-stream")),
            headers(("Eruca-Run" = String, description = "The name of the run, for /runs/{id}."))
        ),
        HostErrors,
        AskErrors,
    )
)]
pub(in crate::http) async fn ask(
    request: HttpRequest,
    Posted(asked): Posted<AskDto>,
    app: Data<App>,
) -> Result<HttpResponse, ApiError> {
    let key = app.gate.admit(&request)?.map(str::to_owned);
    let ask = checked(asked)?;
    let question = ask.question.clone();
    let asking = app.service.ask(ask).map_err(of_body)?;
    // From here on somebody waits for it.
    let reader = asking.read(0);
    app.runs.begin(&asking);
    let id = id_of(&request);
    tokio::spawn(finish(app.into_inner(), asking.clone(), question, id, key).in_current_span());
    if events::wanted(&request) {
        return Ok(events::response(asking.id(), reader));
    }
    asking.over().await;
    drop(reader);
    Ok(whole(&asking))
}

fn whole(asking: &Asking) -> HttpResponse {
    let run = asking.run();
    let id = run.id.to_string();
    let mut response = match &run.state {
        RunState::Failed(error) => ApiError::from(error.clone()).error_response(),
        RunState::Cancelled => ApiError::from(ServiceError::Cancelled).error_response(),
        RunState::Running | RunState::Done => HttpResponse::Ok().json(RunDto::from(run)),
    };
    if let Ok(id) = id.try_into() {
        response.headers_mut().insert(actix_web::http::header::HeaderName::from_static(runs::HEADER), id);
    }
    response
}

/// Notes what became of the question, and keeps it.
async fn finish(app: Arc<App>, asking: Arc<Asking>, question: Question, id: String, key: Option<String>) {
    let started = Instant::now();
    asking.over().await;
    if let Some(outcome) = asking.take_outcome() {
        app.account(Asked { id: &id, key: key.as_deref(), question: &question }, &outcome, started.elapsed());
    }
    app.runs.finish(&asking).await;
}

fn checked(asked: AskDto) -> Result<Ask, ApiError> {
    let AskDto { dataset, question, history, lang, answer: _, alternatives, deadline_seconds } = asked;
    let mut errors = Vec::new();
    let deadline = match deadline_seconds.map(Duration::try_from_secs_f64) {
        Some(Ok(deadline)) if !deadline.is_zero() => Some(deadline),
        None => None,
        Some(_) => {
            errors.push(ValidationError::of_body(
                &["deadline_seconds"],
                "must be a number above 0",
                "value_error",
            ));
            None
        }
    };
    if !lang.as_deref().is_none_or(is_tag) {
        errors.push(ValidationError::of_body(&["lang"], "must be a language tag, like 'de'", "value_error"));
    }
    if history.len() > MAX_HISTORY {
        let message = format!("may hold at most {MAX_HISTORY} questions");
        errors.push(ValidationError::of_body(&["history"], &message, "too_long"));
    }
    if history.iter().any(|past| past.run.is_some() == past.question.is_some()) {
        let message = "must hold runs, as {\"run\": id}, or questions, as {\"question\": text}";
        errors.push(ValidationError::of_body(&["history"], message, "value_error"));
    }
    let question = Question { dataset, text: question };
    match errors.is_empty() {
        true => Ok(Ask { question, lang, deadline, alternatives }),
        false => Err(ApiError::Parameters(errors)),
    }
}

/// Whether a text can be a language tag ([RFC 5646](https://www.rfc-editor.org/rfc/rfc5646)).
fn is_tag(text: &str) -> bool {
    let part = |part: &str| (1..=8).contains(&part.len()) && part.bytes().all(|b| b.is_ascii_alphanumeric());
    text.len() <= MAX_TAG && text.split('-').all(part)
}

/// What the service finds wrong with a question stands in the body, not among the parameters of the address.
fn of_body(error: ServiceError) -> ApiError {
    match error {
        ServiceError::Invalid { field, message } => {
            ApiError::Parameters(vec![ValidationError::of_body(&[field], &message, "value_error")])
        }
        other => other.into(),
    }
}
