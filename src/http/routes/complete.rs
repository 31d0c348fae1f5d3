//! `POST /complete`: what can stand at the cursor of a query that a person is writing.

use crate::http::App;
use crate::http::error::{ApiError, CompletionErrors, HostErrors, KeyErrors};
use crate::http::gate::Cost;
use crate::http::post::Posted;
use crate::service::browse::UnfinishedQuery;
use actix_web::HttpRequest;
use actix_web::web::{Data, Json};
use eruca_api::Completions;
use serde::Deserialize;
use utoipa::ToSchema;

/// Default number of completions.
const DEFAULT_LIMIT: usize = 10;

/// A query that is being written.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = UnfinishedQuery)]
pub(in crate::http) struct CompletionBody {
    /// The dataset's id or one of its aliases.
    dataset: String,
    /// The query, as far as it is written.
    query: String,
    /// The number of characters (Unicode code points) before the cursor.
    at: usize,
    /// Completions wanted, at most 50; 10 without.
    #[serde(default)]
    limit: Option<usize>,
    /// The language of the reader.
    #[serde(default)]
    lang: Option<String>,
}

/// Finds the terms that can stand at the cursor of an unfinished query: those with which the triple patterns around it have
/// solutions, by name and by their number. It takes at most a second and a half; where the text around cannot be read, nothing fits,
/// or the endpoint is slower or fails, there are none.
#[utoipa::path(
    post,
    path = "/complete",
    tag = "graphs",
    request_body = CompletionBody,
    responses(
        (status = 200, description = "What can stand there, best first.", body = Completions),
        HostErrors,
        KeyErrors,
        CompletionErrors,
    )
)]
pub(in crate::http) async fn complete(
    request: HttpRequest,
    app: Data<App>,
    Posted(body): Posted<CompletionBody>,
) -> Result<Json<Completions>, ApiError> {
    app.gate.admit(&request, Cost::Lookup)?;
    // The triple patterns are run.
    if !app.queries {
        return Err(ApiError::QueriesOff);
    }
    let CompletionBody { dataset, query, at, limit, lang } = body;
    let limit = limit.unwrap_or(DEFAULT_LIMIT);
    Ok(Json(app.service.complete(UnfinishedQuery { dataset, query, at, limit, lang }).await?))
}
