//! `POST /query`: runs a query written or edited by a person.

use crate::http::App;
use crate::http::dto::ValidationError;
use crate::http::error::{ApiError, HostErrors, KeyErrors, QueryErrors};
use crate::http::gate::Cost;
use crate::http::post::Posted;
use crate::http::runs::{HEADER, KeptRun};
use crate::service::{RunId, WrittenQuery};
use actix_web::web::Data;
use actix_web::{HttpRequest, HttpResponse};
use eruca_api::Run;
use serde::Deserialize;
use utoipa::ToSchema;

/// A query that a person wrote or edited.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = WrittenQuery)]
pub(in crate::http) struct QueryBody {
    /// The dataset's id or one of its aliases.
    dataset: String,
    /// The query: SPARQL 1.1, read-only; known prefixes need not be declared.
    query: String,
    /// The language of the reader.
    #[serde(default)]
    lang: Option<String>,
    /// The run that it was edited from.
    #[serde(default)]
    run: Option<String>,
}

/// Runs a query that a person wrote or edited, through the same checks and within the same limits as all others. What it gave
/// is kept as a run.
#[utoipa::path(
    post,
    path = "/query",
    tag = "questions",
    request_body = QueryBody,
    responses(
        (
            status = 200,
            description = "Its results.",
            body = Run,
            headers(("Eruca-Run" = String, description = "The name of the run."))
        ),
        HostErrors,
        KeyErrors,
        QueryErrors,
    )
)]
pub(in crate::http) async fn query(
    request: HttpRequest,
    app: Data<App>,
    Posted(body): Posted<QueryBody>,
) -> Result<HttpResponse, ApiError> {
    app.gate.admit(&request, Cost::Question)?;
    if !app.queries {
        return Err(ApiError::QueriesOff);
    }
    let QueryBody { dataset, query, lang, run } = body;
    if run.is_some_and(|run| RunId::parse(&run).is_none()) {
        let error = ValidationError::of_body(&["run"], "is not the name of a run", "value_error");
        return Err(ApiError::Parameters(vec![error]));
    }
    let seals = app.seals();
    let run = app.service.query(WrittenQuery { dataset, query, lang }).await?;
    let (id, rows) = (run.id, run.rows.as_ref().map_or(0, |rows| rows.row_count));
    tracing::info!(dataset = run.dataset, rows, millis = run.elapsed.as_millis() as u64, "a query was run");
    let kept = KeptRun::silent(Run::from(run), &seals);
    app.runs.keep(id, kept.clone()).await;
    Ok(HttpResponse::Ok().insert_header((HEADER, id.to_string())).json(&*kept.run))
}
