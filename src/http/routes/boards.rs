//! `/q`: pages of verified questions, their results as JSON and as files, and the names that can be chosen.

use crate::config::ApiKey;
use crate::http::App;
use crate::http::error::{
    ApiError, BoardErrors, BoardResultErrors, DatasetErrors, HostErrors, KeyErrors, RoomErrors,
};
use crate::http::export::{FileWish, counted, exported, format_of_ending};
use crate::http::freshness::Freshness;
use crate::http::gate::Cost;
use crate::http::keys::IN_ADDRESS;
use crate::http::params::{Window, parameter};
use crate::http::questions::Asker;
use crate::http::responses::{RowsKey, SharedRows};
use crate::service::boards::{AskedPage, FilledPage, ServedResult};
use actix_web::http::header::{HeaderName, HeaderValue};
use actix_web::web::{Data, Json, Path};
use actix_web::{HttpRequest, HttpResponse};
use eruca_api::{BoardCandidates, BoardPage, BoardResult, Boards};
use std::sync::Arc;
use std::time::SystemTime;
use time::OffsetDateTime;
use time::format_description::well_known::Rfc3339;
use url::form_urlencoded;

/// The header with the reason why an older result is sent.
const STALE: &str = "eruca-stale";
/// Parameters that are not choices.
const OWN: [&str; 8] = ["dataset", "lang", IN_ADDRESS, "embed", "labels", "spreadsheet", "offset", "limit"];
/// Choices that are looked at; a question has fewer.
const MAX_CHOICES: usize = 20;
/// What separates several names in an address.
const SEPARATOR: char = ',';

/// The boards, and the verified questions with a name.
#[utoipa::path(
    get,
    path = "/q",
    tag = "boards",
    params(
        ("dataset" = Option<String>, Query, description = "The dataset's id or one of its aliases; all datasets without it."),
        ("key" = Option<String>, Query, description = "A key for pages, where the header cannot be sent.")
    ),
    responses((status = 200, description = "The pages.", body = Boards), HostErrors, KeyErrors, DatasetErrors)
)]
pub(in crate::http) async fn list(request: HttpRequest, app: Data<App>) -> Result<Json<Boards>, ApiError> {
    let key = app.gate.check_page(&request, |_| true)?;
    app.gate.admit_client(&app.gate.client(&request), Cost::Lookup)?;
    let mut all = app.service.boards(parameter(&request, "dataset").as_deref())?;
    all.boards.retain(|board| is_open(&app, key, &board.name));
    Ok(Json(all))
}

/// What is on a page: of a verified question, of a board, or of several questions separated by commas. Nothing is run.
#[utoipa::path(
    get,
    path = "/q/{names}",
    tag = "boards",
    params(
        ("names" = String, Path, description = "The name of a question or a board, or names of questions separated by commas, at most 12."),
        ("dataset" = Option<String>, Query, description = "The dataset, where several have such a name."),
        ("key" = Option<String>, Query, description = "A key for pages, where the header cannot be sent.")
    ),
    responses((status = 200, description = "What is on the page; browsers get the page itself.", body = BoardPage), HostErrors, KeyErrors, BoardErrors, RoomErrors)
)]
pub(in crate::http) async fn page(
    request: HttpRequest,
    names: Path<String>,
    app: Data<App>,
) -> Result<Json<BoardPage>, ApiError> {
    admitted(&app, &request, &names)?;
    let dataset = parameter(&request, "dataset");
    Ok(Json(app.service.board_page(names.into_inner(), dataset).await?))
}

/// The result of a verified question with the names that are chosen, each as a parameter of its own. It is kept in memory as long as
/// the question says; if its endpoint is down, the last one is sent, and `stale` says so.
#[utoipa::path(
    get,
    path = "/q/{name}.json",
    tag = "boards",
    params(
        ("name" = String, Path, description = "The name of the question."),
        ("dataset" = Option<String>, Query, description = "The dataset, where several have such a name."),
        ("lang" = Option<String>, Query, description = "The language of the reader."),
        ("offset" = Option<usize>, Query, description = "Rows left out at the beginning; 0 without it."),
        ("limit" = Option<usize>, Query, description = "Rows sent at most; 100 without it, 1000 at most."),
        ("key" = Option<String>, Query, description = "A key for pages, where the header cannot be sent.")
    ),
    responses(
        (status = 200, description = "The result, with ETag, Last-Modified and Cache-Control.", body = BoardResult),
        (status = 304, description = "The result that the client has."),
        HostErrors, KeyErrors, BoardResultErrors
    )
)]
pub(in crate::http) async fn json(
    request: HttpRequest,
    name: Path<String>,
    app: Data<App>,
) -> Result<HttpResponse, ApiError> {
    let Window { offset, limit } = Window::parse(request.query_string())?;
    let (page, served) = result(&app, &request, &name).await?;
    let ServedResult { kept, stale, .. } = &served;
    let code = stale.as_ref().map(|stale| stale.code.clone());
    let lang = parameter(&request, "lang");
    let freshness = freshness(&app, &page, &served, ("json", kept.made_at, code, lang, offset, limit));
    if let Some(known) = freshness.known(&request) {
        return Ok(known);
    }
    let rows = app.service.page_rows(&page, &kept.answer, (offset, limit)).await;
    let mut response = HttpResponse::Ok().json(BoardResult {
        name: name.into_inner(),
        dataset: page.dataset_id().to_owned(),
        question: page.text.clone(),
        parameters: page.choices.clone(),
        rows,
        made_at: rfc3339(kept.made_at),
        stale: stale.clone(),
        missing: page.missing(),
    });
    finish(&mut response, &freshness, &served);
    Ok(response)
}

/// All rows of a verified question as CSV, TSV or SPARQL results in JSON (`srj`).
#[utoipa::path(
    get,
    path = "/q/{name}.{format}",
    tag = "boards",
    params(
        ("name" = String, Path, description = "The name of the question."),
        ("format" = String, Path, description = "`csv`, `tsv` or `srj`."),
        ("dataset" = Option<String>, Query, description = "The dataset, where several have such a name."),
        ("lang" = Option<String>, Query, description = "The language of the reader."),
        ("labels" = Option<bool>, Query, description = "Whether a column of names follows each column of IRIs."),
        ("spreadsheet" = Option<bool>, Query, description = "Of CSV and TSV: whether texts that a spreadsheet would take for formulas get an apostrophe before them."),
        ("key" = Option<String>, Query, description = "A key for pages, where the header cannot be sent.")
    ),
    responses(
        (
            status = 200,
            description = "The rows, with ETag, Last-Modified and Cache-Control.",
            content((String = "text/csv"), (String = "text/tab-separated-values"), (String = "application/sparql-results+json"))
        ),
        (status = 304, description = "The rows that the client has."),
        HostErrors, KeyErrors, BoardResultErrors
    )
)]
pub(in crate::http) async fn file(
    request: HttpRequest,
    path: Path<(String, String)>,
    app: Data<App>,
) -> Result<HttpResponse, ApiError> {
    let (name, ending) = path.into_inner();
    let format = format_of_ending(&ending).ok_or(ApiError::NoRoute)?;
    let wish = FileWish::parse(request.query_string())?;
    let (page, served) = result(&app, &request, &name).await?;
    let lang = parameter(&request, "lang");
    let freshness = freshness(&app, &page, &served, (ending, wish, lang));
    if let Some(known) = freshness.known(&request) {
        return Ok(known);
    }
    let rows = shared(&app, &request, (&page, &served), wish).await?;
    let mut response = exported(rows, format, wish)?;
    finish(&mut response, &freshness, &served);
    Ok(response)
}

/// Names that can be chosen for a parameter of a verified question: of things of the same kind.
#[utoipa::path(
    get,
    path = "/q/{name}/candidates",
    tag = "boards",
    params(
        ("name" = String, Path, description = "The name of the question."),
        ("parameter" = String, Query, description = "The name of the parameter in the address."),
        ("q" = Option<String>, Query, description = "What was typed; the best known things without it."),
        ("dataset" = Option<String>, Query, description = "The dataset, where several have such a name."),
        ("lang" = Option<String>, Query, description = "The language of the reader."),
        ("key" = Option<String>, Query, description = "A key for pages, where the header cannot be sent.")
    ),
    responses((status = 200, description = "The names.", body = BoardCandidates), HostErrors, KeyErrors, BoardErrors, RoomErrors)
)]
pub(in crate::http) async fn candidates(
    request: HttpRequest,
    name: Path<String>,
    app: Data<App>,
) -> Result<Json<BoardCandidates>, ApiError> {
    admitted(&app, &request, &name)?;
    let given = |name: &str| parameter(&request, name).unwrap_or_default();
    let asked = AskedPage { choices: Vec::new(), ..asked(&request, &name) };
    let found = app.service.page_candidates(asked, &given("parameter"), &given("q")).await?;
    Ok(Json(found))
}

/// Accepts a request for pages if its key opens all of them, and its client is within the rate limit. Returns the name of the key.
fn admitted<'a>(app: &'a App, request: &HttpRequest, names: &str) -> Result<Option<&'a str>, ApiError> {
    let names: Vec<&str> = names.split(SEPARATOR).map(str::trim).filter(|name| !name.is_empty()).collect();
    let key = app.gate.check_page(request, |boards| names.iter().all(|name| opens(app, boards, name)))?;
    app.gate.admit_client(&app.gate.client(request), Cost::Lookup)?;
    Ok(key.map(|key| key.name.as_str()))
}

/// Whether a key opens a page.
fn is_open(app: &App, key: Option<&ApiKey>, name: &str) -> bool {
    key.and_then(|key| key.boards.as_deref()).is_none_or(|boards| opens(app, boards, name))
}

/// Whether a page is one of these, or on a board that is one of these.
fn opens(app: &App, boards: &[String], name: &str) -> bool {
    boards.iter().any(|board| board == name) || app.service.board_holds(boards, name)
}

fn asked(request: &HttpRequest, name: &str) -> AskedPage {
    let given = form_urlencoded::parse(request.query_string().as_bytes());
    let choices = given.filter(|(name, _)| !OWN.contains(&name.as_ref())).take(MAX_CHOICES);
    AskedPage {
        name: name.to_owned(),
        dataset: parameter(request, "dataset"),
        lang: parameter(request, "lang"),
        choices: choices.map(|(name, value)| (name.into_owned(), value.into_owned())).collect(),
    }
}

/// The result that is asked for; to run its query costs as much as a question.
async fn result(
    app: &Data<App>,
    request: &HttpRequest,
    name: &str,
) -> Result<(FilledPage, ServedResult), ApiError> {
    let key = admitted(app, request, name)?;
    let page = app.service.fill_page(asked(request, name)).await?;
    if !app.service.has_result(&page) {
        app.gate.admit_client(&app.gate.client(request), Cost::Question)?;
    }
    let served = app.service.page_result(&page, app.recording(Asker::of(request, key), &page)).await?;
    Ok((page, served))
}

/// The rows with their memory counted, and names if they are wanted.
async fn shared(
    app: &App,
    request: &HttpRequest,
    (page, served): (&FilledPage, &ServedResult),
    wish: FileWish,
) -> Result<Arc<SharedRows>, ApiError> {
    let answer = served.kept.answer.clone();
    let names = wish.labels.then_some(async { Ok(app.service.page_names(page, &served.kept.answer).await) });
    let (dataset, seal) = (page.dataset_id().to_owned(), app.seals().of(page.dataset_id()));
    let key = RowsKey { dataset, query: page.place(), names_in: None, seal };
    counted((app, request), key, answer, names).await
}

fn freshness(
    app: &App,
    page: &FilledPage,
    served: &ServedResult,
    variant: impl std::hash::Hash,
) -> Freshness {
    let ServedResult { kept, fresh, .. } = served;
    let is_private = app.gate.asks_for_keys();
    Freshness::new(kept.made_at, *fresh, is_private, (page.place(), kept.digest, variant))
}

fn finish(response: &mut HttpResponse, freshness: &Freshness, served: &ServedResult) {
    freshness.add(response.headers_mut());
    let stale = served.stale.as_ref().and_then(|stale| HeaderValue::from_str(&stale.code).ok());
    if let Some(code) = stale {
        response.headers_mut().insert(HeaderName::from_static(STALE), code);
    }
}

fn rfc3339(time: SystemTime) -> String {
    OffsetDateTime::from(time).format(&Rfc3339).unwrap_or_default()
}
