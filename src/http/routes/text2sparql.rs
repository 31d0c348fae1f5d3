//! `GET /text2sparql` and `GET /`: translates a question to a query.

use crate::http::App;
use crate::http::dto::AnswerDto;
use crate::http::error::{ApiError, HostErrors, QuestionErrors};
use crate::http::gate::Cost;
use crate::http::insight;
use crate::http::page::wants_html;
use crate::http::params::QuestionParams;
use crate::http::questions::Asker;
use crate::http::same_site::own_page;
use crate::service::{Ask, Question};
use actix_web::http::header;
use actix_web::web::Data;
use actix_web::{HttpRequest, HttpResponse};
use std::sync::Arc;
use url::form_urlencoded;

/// Turns a question into a SPARQL query that has been run and answers it.
#[utoipa::path(
    get,
    path = "/text2sparql",
    tag = "questions",
    params(QuestionParams),
    responses((
        status = 200,
        description = "The query.",
        body = AnswerDto,
        headers(
            ("Eruca-Confidence" = String, description = "Of an answer without a model: `sure`, `likely` or `guess`, with the probability that it is exactly right: `likely;p=0.63` (RFC 8941). `guess;p=0.00` where a model found that the graph does not contain the answer."),
            ("Eruca-Unused" = String, description = "Of an answer without a model: the question's words that were not used in the query, as strings with percent-encoded UTF-8; absent when there is none (RFC 8941).")
        )
    ), HostErrors, QuestionErrors)
)]
pub(in crate::http) async fn text2sparql(
    request: HttpRequest,
    app: Data<App>,
) -> Result<HttpResponse, ApiError> {
    let key = app.gate.admit(&request, Cost::Question)?;
    let asker = Asker::of(&request, key);
    let QuestionParams { dataset, question, trace } =
        QuestionParams::parse(request.query_string(), app.max_question_chars)?;
    let question = Question { dataset, text: question };
    tracing::debug!(dataset = question.dataset, question = question.text, "asked");
    let begun = app.begin(Ask::query(question.clone()), asker)?;
    let answered = begun.finished().await?;
    let mut response = HttpResponse::Ok();
    insight::add(&mut response, &answered.trace);
    Ok(response.json(AnswerDto::new(question, Arc::unwrap_or_clone(answered), trace)))
}

/// The same as /text2sparql for clients that know only the base URL; browsers without a question get the page.
#[utoipa::path(
    get,
    path = "/",
    tag = "questions",
    params(QuestionParams),
    responses(
        (
            status = 200,
            description = "The query.",
            body = AnswerDto,
            headers(
                ("Eruca-Confidence" = String, description = "Of an answer without a model: `sure`, `likely` or `guess`, with the probability that it is exactly right: `likely;p=0.63` (RFC 8941). `guess;p=0.00` where a model found that the graph does not contain the answer."),
                ("Eruca-Unused" = String, description = "Of an answer without a model: the question's words that were not used in the query, as strings with percent-encoded UTF-8; absent when there is none (RFC 8941).")
            )
        ),
        (status = 302, description = "Browsers without any parameter are sent to /docs, where the page is switched off."),
        HostErrors,
        QuestionErrors,
    )
)]
pub(in crate::http) async fn root(request: HttpRequest, app: Data<App>) -> Result<HttpResponse, ApiError> {
    let page = app.page.as_ref().filter(|_| wants_html(&request) && is_for_the_page(&request));
    if let Some(page) = page {
        return Ok(page.index(&request));
    }
    if request.query_string().is_empty() && wants_html(&request) {
        return Ok(HttpResponse::Found().insert_header((header::LOCATION, "/docs")).finish());
    }
    // Links to the page may come from other sites, questions may not.
    own_page(&app, &request)?;
    text2sparql(request, app).await
}

/// Whether a browser requests the page: there is no question, or a `graph` as in the page's own URLs.
fn is_for_the_page(request: &HttpRequest) -> bool {
    let mut names = form_urlencoded::parse(request.query_string().as_bytes()).map(|(name, _)| name);
    let mut question = false;
    let graph = names.any(|name| {
        question |= name == "question";
        name == "graph"
    });
    graph || !question
}
