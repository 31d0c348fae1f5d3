//! `POST /ask`: answers a question, with everything known about it, as a whole or as a stream of events.

use crate::http::App;
use crate::http::dto::{AskDto, PastDto, ValidationError};
use crate::http::error::{ApiError, AskErrors, HostErrors};
use crate::http::gate::Cost;
use crate::http::post::Posted;
use crate::http::questions::Asker;
use crate::http::{events, runs};
use crate::service::{Ask, MAX_IRI, MAX_PREFERS, PastQuestion, Question, RunId, ServiceError, Wanted};
use actix_web::http::header::HeaderName;
use actix_web::web::Data;
use actix_web::{HttpRequest, HttpResponse, ResponseError};
use eruca_api::{Correction, Meant, Rows, Run};
use std::sync::Arc;
use std::time::Duration;

/// Maximum number of words whose meaning a reader chooses.
const MAX_MEANINGS: usize = 50;
/// Maximum number of earlier questions.
pub(in crate::http) const MAX_HISTORY: usize = 50;
/// Maximum length of a language tag.
const MAX_TAG: usize = 35;

/// Answers a question. With `Accept: text/event-stream` the answer comes event by event: `step`, `reading`, `clarify`, `query`,
/// `rows`, `token`, `answer`, `error` and at last `done`, which holds the whole run. Closing the connection ends the work.
#[utoipa::path(
    post,
    path = "/ask",
    tag = "questions",
    request_body = AskDto,
    responses(
        (
            status = 200,
            description = "The run: the question with its answer. As events where these are requested.",
            content((Run = "application/json"), (String = "text/event-stream")),
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
    let asker = Asker::of(&request, app.gate.admit(&request, Cost::Question)?);
    let ask = checked(&app, asked).await?;
    let begun = app.begin(ask, asker).map_err(of_body)?;
    let handle = begun.handle.clone();
    if events::wanted(&request) {
        return Ok(events::response(handle.id(), begun.reader));
    }
    let mut response = match begun.finished().await {
        Ok(_) => HttpResponse::Ok().json(Run::from(handle.run())),
        Err(error) => ApiError::from(error).error_response(),
    };
    // Failed questions are kept as runs, too.
    if let Ok(id) = handle.id().to_string().try_into() {
        response.headers_mut().insert(HeaderName::from_static(runs::HEADER), id);
    }
    Ok(response)
}

async fn checked(app: &App, asked: AskDto) -> Result<Ask, ApiError> {
    let errors = faults(&asked);
    if !errors.is_empty() {
        return Err(ApiError::Parameters(errors));
    }
    let AskDto {
        dataset,
        question,
        history,
        lang,
        reader,
        prefers,
        meanings,
        answer,
        claims,
        style,
        alternatives,
        deadline_seconds,
        test,
    } = asked;
    let dataset = dataset.map_or_else(|| app.only_dataset("must name one of"), Ok)?;
    let mut known = Vec::with_capacity(history.len());
    for past in history {
        known.push(past_question(app, past).await?);
    }
    let deadline = deadline_seconds.and_then(|seconds| Duration::try_from_secs_f64(seconds).ok());
    let question = Question { dataset, text: question };
    let wanted = match (answer, claims) {
        (false, _) => Wanted::Rows,
        (true, false) => Wanted::Words,
        (true, true) => Wanted::Claims,
    };
    let history = known;
    Ok(Ask {
        question,
        history,
        lang,
        reader,
        prefers,
        meanings,
        deadline,
        wanted,
        style,
        alternatives,
        test,
    })
}

/// An earlier question with what is kept of it.
async fn past_question(app: &App, past: PastDto) -> Result<PastQuestion, ApiError> {
    let PastDto { run, question, query } = past;
    let Some(id) = run else {
        return Ok(PastQuestion {
            question: question.unwrap_or_default(),
            follows: Vec::new(),
            query,
            answer: None,
            whole: false,
            probability: None,
        });
    };
    let id = RunId::parse(&id).ok_or(ApiError::UnknownRun)?;
    let run = app.kept_run(id).await.ok_or(ApiError::UnknownRun)?.run();
    Ok(past_run(&run))
}

/// A kept run as an earlier question.
pub(in crate::http) fn past_run(run: &Run) -> PastQuestion {
    let answer = run.rows.as_ref().map(|rows| Arc::new(rows.to_answer()));
    let whole = run.rows.as_ref().is_some_and(Rows::is_whole);
    #[expect(clippy::cast_possible_truncation, reason = "what is kept was of single precision")]
    let probability = run.confidence.as_ref().map(|belief| belief.probability as f32);
    let (question, follows, query) = (run.asked.clone(), run.follows.clone(), run.query.clone());
    PastQuestion { question, follows, query, answer, whole, probability }
}

/// All errors in a request, except those in the question itself.
fn faults(asked: &AskDto) -> Vec<ValidationError> {
    let mut errors = Vec::new();
    let mut wrong =
        |field, message: &str| errors.push(ValidationError::of_body(&[field], message, "value_error"));
    let seconds = asked.deadline_seconds.map(Duration::try_from_secs_f64);
    if seconds
        .is_some_and(|seconds| seconds.is_ok_and(|time| time.is_zero()) || asked.deadline_seconds < Some(0.0))
    {
        wrong("deadline_seconds", "must be a number above 0");
    }
    if !asked.reader.as_deref().is_none_or(is_tag) {
        wrong("reader", "must be a language tag, like 'de'");
    }
    if !asked.lang.as_deref().is_none_or(is_tag) {
        wrong("lang", "must be a language tag, like 'de'");
    }
    if asked.prefers.len() > MAX_PREFERS || asked.prefers.iter().any(|iri| iri.len() > MAX_IRI) {
        wrong("prefers", &format!("may hold at most {MAX_PREFERS} IRIs of at most {MAX_IRI} bytes"));
    }
    if asked.meanings.len() > MAX_MEANINGS || asked.meanings.iter().any(|one| !is_bounded(one)) {
        wrong("meanings", &format!("may hold at most {MAX_MEANINGS} words with short meanings"));
    }
    if asked.history.len() > MAX_HISTORY {
        wrong("history", &format!("may hold at most {MAX_HISTORY} questions"));
    }
    if asked.history.iter().any(|past| past.run.is_some() == past.question.is_some()) {
        wrong("history", "must hold runs, as {\"run\": id}, or questions, as {\"question\": text}");
    }
    errors
}

/// Whether a chosen meaning is of a size that is looked at; what it says is checked against the graph.
pub(in crate::http) fn is_bounded(one: &Correction) -> bool {
    let Correction { words, meaning: Meant { kind: _, iri, property, value, over } } = one;
    let mut texts = [iri, property, value].into_iter().flatten().chain(over).chain([words]);
    over.len() <= MAX_PREFERS && texts.all(|text| text.len() <= MAX_IRI)
}

/// Whether a text is shaped like a language tag ([RFC 5646](https://www.rfc-editor.org/rfc/rfc5646)).
pub(in crate::http) fn is_tag(text: &str) -> bool {
    let part = |part: &str| (1..=8).contains(&part.len()) && part.bytes().all(|b| b.is_ascii_alphanumeric());
    text.len() <= MAX_TAG && text.split('-').all(part)
}

/// Reports an invalid question as an error in the body instead of a URL parameter.
fn of_body(error: ServiceError) -> ApiError {
    match error {
        ServiceError::Invalid { field, message } => {
            ApiError::Parameters(vec![ValidationError::of_body(&[field], &message, "value_error")])
        }
        other => other.into(),
    }
}
