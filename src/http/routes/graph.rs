//! `GET /runs/{id}/graph`: the triples behind an answer.

use super::runs::find;
use crate::http::App;
use crate::http::error::{ApiError, GraphErrors, HostErrors};
use crate::http::gate::Cost;
use actix_web::http::header;
use actix_web::web::{Data, Path};
use actix_web::{HttpRequest, HttpResponse};

/// What is sent for a run that has neither remembered triples nor rows.
const EMPTY: &str = "# There are no triples: the run has no rows.\n";

/// The triples behind an answer, as Turtle: the working graph, where a model kept one while it answered, else the triples that
/// make the rows results of the query, of the first hundred rows.
#[utoipa::path(
    get,
    path = "/runs/{id}/graph",
    tag = "questions",
    params(("id" = String, Path, description = "The name of the run.")),
    responses(
        (status = 200, description = "The triples.", body = String, content_type = "text/turtle"),
        HostErrors,
        GraphErrors,
    )
)]
pub(in crate::http) async fn graph(
    request: HttpRequest,
    id: Path<String>,
    app: Data<App>,
) -> Result<HttpResponse, ApiError> {
    app.gate.admit(&request, Cost::Lookup)?;
    let (_, found) = find(&app, &id).await?;
    if let Some(graph) = found.graph() {
        return Ok(turtle(graph.to_string()));
    }
    let run = found.run();
    let (Some(query), Some(rows)) = (run.query_of_rows(), &run.rows) else {
        return Ok(turtle(EMPTY.to_owned()));
    };
    // It asks the endpoint, like a question.
    app.gate.admit(&request, Cost::Question)?;
    let answer = rows.to_answer().into();
    Ok(turtle(app.service.support_graph((&run.dataset, query), answer).await?))
}

fn turtle(text: String) -> HttpResponse {
    HttpResponse::Ok()
        .content_type("text/turtle; charset=utf-8")
        .insert_header((header::CONTENT_DISPOSITION, "attachment; filename=\"graph.ttl\""))
        .body(text)
}
