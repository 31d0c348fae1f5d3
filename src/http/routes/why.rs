//! `GET /runs/{id}/rows/{row}/why`: what makes a row an answer.

use super::ask::is_tag;
use super::runs::find;
use crate::http::App;
use crate::http::error::{ApiError, HostErrors, RowsErrors};
use crate::http::gate::Cost;
use crate::http::params::parameter;
use actix_web::web::{Data, Path};
use actix_web::{HttpRequest, HttpResponse};
use eruca_api::{Rows, Why};

/// Why a row of a run is an answer: the statements and conditions that make it one. It needs no model.
#[utoipa::path(
    get,
    path = "/runs/{id}/rows/{row}/why",
    tag = "questions",
    params(
        ("id" = String, Path, description = "The name of the run."),
        ("row" = usize, Path, description = "The row, from 0."),
        ("lang" = Option<String>, Query, description = "The language of the reader; that of the run without it.")
    ),
    responses((status = 200, description = "The reasons.", body = Why), HostErrors, RowsErrors)
)]
pub(in crate::http) async fn why(
    request: HttpRequest,
    path: Path<(String, String)>,
    app: Data<App>,
) -> Result<HttpResponse, ApiError> {
    // It asks the endpoint, like a question.
    app.gate.admit(&request, Cost::Question)?;
    let (id, row) = path.into_inner();
    let row: usize = row.parse().map_err(|_| ApiError::wrong_parameter("row", "must be a number from 0"))?;
    let lang = parameter(&request, "lang");
    if !lang.as_deref().is_none_or(is_tag) {
        return Err(ApiError::wrong_parameter("lang", "must be a language tag, like 'de'"));
    }
    let (_, found) = find(&app, &id).await?;
    let run = found.run();
    let (Some(query), Some(rows)) = (run.query_of_rows(), &run.rows) else { return Err(ApiError::NoRows) };
    let answer = match rows {
        Rows::Table(table) if row >= table.rows.len() && !rows.is_whole() => {
            app.service.run_again(&run.dataset, query).await?
        }
        _ => rows.to_answer().into(),
    };
    let lang = lang.as_ref().unwrap_or(&run.lang);
    Ok(HttpResponse::Ok().json(app.service.why((&run.dataset, query), lang, answer, row).await?))
}
