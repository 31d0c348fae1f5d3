//! `GET /runs/{id}`: runs, with their events and rows.

use crate::http::App;
use crate::http::error::{ApiError, HostErrors, KeyErrors, RowsErrors, RunErrors};
use crate::http::events;
use crate::http::export::{FileWish, counted, exported, format_of_media};
use crate::http::gate::Cost;
use crate::http::params::Window;
use crate::http::responses::{RowsKey, SharedRows};
use crate::http::runs::FoundRun;
use crate::service::{PAGE_ROWS, RunId};
use actix_web::http::header;
use actix_web::web::{Data, Path};
use actix_web::{HttpRequest, HttpResponse};
use eruca_api::{Rows, Run};
use eruca_sparql::ExportFormat;
use std::sync::Arc;

/// A run as it is now: a question with its outcome, or a query with its rows.
#[utoipa::path(
    get,
    path = "/runs/{id}",
    tag = "questions",
    params(("id" = String, Path, description = "The name of the run.")),
    responses((status = 200, description = "The run.", body = Run), HostErrors, KeyErrors, RunErrors)
)]
pub(in crate::http) async fn run(
    request: HttpRequest,
    id: Path<String>,
    app: Data<App>,
) -> Result<HttpResponse, ApiError> {
    app.gate.admit(&request, Cost::Lookup)?;
    let (_, found) = find(&app, &id).await?;
    Ok(HttpResponse::Ok().json(found.run()))
}

/// The events of a run, from the first or after one that was seen already; goes on live while the run does.
#[utoipa::path(
    get,
    path = "/runs/{id}/events",
    tag = "questions",
    params(
        ("id" = String, Path, description = "The name of the run."),
        ("after" = Option<u64>, Query, description = "The number of the last event that was seen."),
        ("Last-Event-ID" = Option<u64>, Header, description = "The same, as browsers send it when they reconnect.")
    ),
    responses(
        (status = 200, description = "The events.", body = String, content_type = "text/event-stream"),
        (status = 204, description = "All events were seen already; nothing will come."),
        (status = 422, description = "This is not a number.", body = crate::http::dto::HttpValidationError),
        HostErrors,
        KeyErrors,
        RunErrors,
    )
)]
pub(in crate::http) async fn events(
    request: HttpRequest,
    id: Path<String>,
    app: Data<App>,
) -> Result<HttpResponse, ApiError> {
    app.gate.admit(&request, Cost::Lookup)?;
    let seen = events::last_seen(&request)?;
    let (id, found) = find(&app, &id).await?;
    Ok(match found {
        FoundRun::Live(handle, _) => events::response(id, handle.read(seen)),
        FoundRun::Over(kept) if kept.events > 0 && seen >= kept.events => HttpResponse::NoContent().finish(),
        FoundRun::Over(kept) => match kept.log {
            Some(handle) => events::response(id, handle.read(seen)),
            None => events::only_the_end(id, kept.events.max(1), &kept.run),
        },
    })
}

/// The rows of a run's query: some as JSON, all as CSV, TSV or SPARQL results in JSON, by `Accept`. The query is run again
/// for those that are not kept, so they may be other ones than at first; who reads all rows while another one does gets the same.
#[utoipa::path(
    get,
    path = "/runs/{id}/rows",
    tag = "questions",
    params(
        ("id" = String, Path, description = "The name of the run."),
        ("offset" = Option<usize>, Query, description = "Rows left out at the beginning, of JSON; 0 without it."),
        ("limit" = Option<usize>, Query, description = "Rows sent at most, of JSON; 100 without it, 1000 at most."),
        (
            "labels" = Option<bool>,
            Query,
            description = "Of CSV, TSV and SPARQL results: whether a column of names follows each column of IRIs, `cityLabel` beside `city`."
        ),
        (
            "spreadsheet" = Option<bool>,
            Query,
            description = "Of CSV and TSV: whether texts that a spreadsheet would take for formulas, as they begin with `=`, `+`, `-` or `@`, get an apostrophe before them. Numbers stay as they are."
        )
    ),
    responses(
        (
            status = 200,
            description = "The rows.",
            content(
                (Rows = "application/json"),
                (String = "text/csv"),
                (String = "text/tab-separated-values"),
                (String = "application/sparql-results+json")
            )
        ),
        HostErrors,
        RowsErrors,
    )
)]
pub(in crate::http) async fn rows(
    request: HttpRequest,
    id: Path<String>,
    app: Data<App>,
) -> Result<HttpResponse, ApiError> {
    app.gate.admit(&request, Cost::Lookup)?;
    let window = Window::parse(request.query_string())?;
    let wish = FileWish::parse(request.query_string())?;
    let (_, found) = find(&app, &id).await?;
    let run = found.run();
    let format = format(&request);
    match (&run.rows, format) {
        (Some(rows), None) if is_first_page(window, rows) => return Ok(HttpResponse::Ok().json(rows)),
        _ => {}
    }
    let query = run.query_of_rows().ok_or(ApiError::NoRows)?;
    // This costs as much as a question.
    app.gate.admit(&request, Cost::Question)?;
    let Some(format) = format else {
        let answer = app.service.run_again(&run.dataset, query).await?;
        let part = (window.offset, window.limit);
        let rows = app.service.shown((&run.dataset, query), &run.lang, answer, part).await?;
        return Ok(HttpResponse::Ok().json(rows.rows()));
    };
    let names_in = wish.labels.then(|| run.lang.clone());
    let seal = app.seals().of(&run.dataset);
    let key = RowsKey { dataset: run.dataset.clone(), query: query.to_owned(), names_in, seal };
    exported(all_rows(&app, &request, key).await?, format, wish)
}

/// All rows, kept in memory once for all clients reading them.
async fn all_rows(app: &App, request: &HttpRequest, key: RowsKey) -> Result<Arc<SharedRows>, ApiError> {
    if let Some(rows) = app.responses.shared(&key) {
        return Ok(rows);
    }
    let answer = app.service.run_again(&key.dataset, &key.query).await?;
    let names = key.names_in.clone().map(|lang| {
        let (dataset, answer) = (key.dataset.clone(), answer.clone());
        async move { app.service.names_in(&dataset, &lang, answer).await }
    });
    counted((app, request), key, answer, names).await
}

/// Whether the rows stored with the run are sufficient.
fn is_first_page(window: Window, rows: &Rows) -> bool {
    let all_kept = match rows {
        Rows::Boolean { .. } => true,
        Rows::Table(table) => {
            window.limit == PAGE_ROWS || table.row_count <= window.limit.min(table.rows.len())
        }
    };
    window.offset == 0 && all_kept
}

/// The requested format; `None` for JSON, the default.
fn format(request: &HttpRequest) -> Option<ExportFormat> {
    let accept = request.headers().get(header::ACCEPT).and_then(|value| value.to_str().ok())?;
    accept.split(',').find_map(|range| match range.split(';').next().unwrap_or_default().trim() {
        "application/json" => Some(None),
        media => format_of_media(media).map(Some),
    })?
}

pub(super) async fn find(app: &App, id: &str) -> Result<(RunId, FoundRun), ApiError> {
    let id = RunId::parse(id).ok_or(ApiError::UnknownRun)?;
    app.kept_run(id).await.map(|found| (id, found)).ok_or(ApiError::UnknownRun)
}
