//! `/datasets/{id}/tests`: questions made from a graph, and what its owner says of the answers.

use crate::http::App;
use crate::http::error::{
    ApiError, DatasetErrors, HostErrors, OperationKeyErrors, ParameterErrors, ProposalErrors,
};
use crate::http::gate::Cost;
use crate::http::params::parameter;
use crate::http::post::Posted;
use crate::http::proposals::{operator, today, wrong};
use crate::http::routes::ask::is_tag;
use crate::http::routes::runs::find;
use crate::service::test_set::{MAX_PROPOSALS, Said, TestSetFailure, USUAL_COUNT, Wish};
use actix_web::HttpRequest;
use actix_web::web::{Data, Json, Path};
use eruca_api::{AskedAgain, Compared, Comparison, JudgedNow, Judgement, Run, TestSet};
use eruca_dataset::Dataset;
use std::sync::Arc;

/// Longest name of who judges, and longest id and construct, in bytes.
const MAX_NAME: usize = 200;

/// A dataset for somebody who may decide about it, with the name of the key.
fn desk<'a>(
    app: &'a App,
    request: &HttpRequest,
    id: &str,
) -> Result<(Arc<Dataset>, Option<&'a str>), ApiError> {
    let key = app.decides(request)?;
    app.gate.admit_client(&app.gate.client(request), Cost::Question)?;
    Ok((app.learning(id)?, key))
}

/// The test set of a dataset: questions made from the graph that nobody has judged, those that have been judged, and the score. The same
/// graph gives the same questions. They are asked with `test` at /ask. Needs a key for operation; without keys, only this machine is
/// answered.
#[utoipa::path(
    get,
    path = "/datasets/{id}/tests",
    tag = "operation",
    params(
        ("id" = String, Path, description = "The dataset's id or one of its aliases, percent-encoded."),
        ("count" = Option<usize>, Query, description = "How many questions there shall be, with those judged before; 30 without it, 300 at most."),
        ("lang" = Option<String>, Query, description = "Questions in this language alone; in those of the graph without it."),
        ("seed" = Option<u64>, Query, description = "Another number makes other questions.")
    ),
    responses(
        (status = 200, description = "The test set.", body = TestSet),
        HostErrors,
        OperationKeyErrors,
        DatasetErrors,
        ParameterErrors,
    )
)]
pub(in crate::http) async fn tests(
    request: HttpRequest,
    app: Data<App>,
    id: Path<String>,
) -> Result<Json<TestSet>, ApiError> {
    let (dataset, _) = desk(&app, &request, &id)?;
    let wish = wish(&request)?;
    Ok(Json(app.service.test_set(&dataset, &wish).await?))
}

fn wish(request: &HttpRequest) -> Result<Wish, ApiError> {
    let number = |name: &str, usual: u64| match parameter(request, name) {
        None => Ok(usual),
        Some(text) => text.parse().map_err(|_| wrong(name, "must be a whole number from 0 on")),
    };
    let count = usize::try_from(number("count", USUAL_COUNT as u64)?).unwrap_or(MAX_PROPOSALS);
    let lang = parameter(request, "lang").filter(|tag| !tag.is_empty());
    if !lang.as_deref().is_none_or(is_tag) {
        return Err(wrong("lang", "must be a language tag, like 'de'"));
    }
    Ok(Wish { count: count.min(MAX_PROPOSALS), lang, seed: number("seed", 0)? })
}

/// Keeps what is said of an answer: right, wrong, or wrong with the right query. The question, its query and its confidence are those of
/// the run. A question that was judged before is judged anew.
#[utoipa::path(
    post,
    path = "/datasets/{id}/tests",
    tag = "operation",
    params(("id" = String, Path, description = "The dataset's id or one of its aliases, percent-encoded.")),
    request_body = Judgement,
    responses(
        (status = 200, description = "It is kept.", body = JudgedNow),
        HostErrors,
        OperationKeyErrors,
        DatasetErrors,
        ParameterErrors,
        ProposalErrors,
    )
)]
pub(in crate::http) async fn judge(
    request: HttpRequest,
    app: Data<App>,
    id: Path<String>,
    Posted(judgement): Posted<Judgement>,
) -> Result<Json<JudgedNow>, ApiError> {
    let (dataset, key) = desk(&app, &request, &id)?;
    let run = run_about(&app, &dataset, &judgement.run).await?;
    let Judgement { run: _, right, id, construct, query, by } = judgement;
    let bounded = |text: &String| !text.trim().is_empty() && text.len() <= MAX_NAME;
    let said = Said {
        id: id.filter(bounded),
        question: run.asked.clone(),
        lang: Some(run.lang.clone()),
        construct: construct.filter(bounded),
        right,
        query: run.query.clone(),
        corrected: query,
        confidence: run.confidence.as_ref().map(|belief| belief.name.name().to_owned()),
        by: operator(key, by.as_ref().filter(|by| bounded(by))),
        date: today(),
    };
    Ok(Json(app.service.judge(&dataset, said).await?))
}

/// Compares the answer of a run with what another query gives, as with the query that a question was made from.
#[utoipa::path(
    post,
    path = "/datasets/{id}/tests/compare",
    tag = "operation",
    params(("id" = String, Path, description = "The dataset's id or one of its aliases, percent-encoded.")),
    request_body = Comparison,
    responses(
        (status = 200, description = "Whether they give the same.", body = Compared),
        HostErrors,
        OperationKeyErrors,
        DatasetErrors,
        ParameterErrors,
        ProposalErrors,
    )
)]
pub(in crate::http) async fn compare(
    request: HttpRequest,
    app: Data<App>,
    id: Path<String>,
    Posted(Comparison { run, query }): Posted<Comparison>,
) -> Result<Json<Compared>, ApiError> {
    let (dataset, _) = desk(&app, &request, &id)?;
    let run = run_about(&app, &dataset, &run).await?;
    let answered = run.query.as_ref().ok_or(ApiError::from(TestSetFailure::NoAnswer))?;
    Ok(Json(app.service.compare(&dataset, answered, &query).await?))
}

/// Asks a question of the test set again, and compares its result with that of the right query.
#[utoipa::path(
    post,
    path = "/datasets/{id}/tests/{test}/again",
    tag = "operation",
    params(
        ("id" = String, Path, description = "The dataset's id or one of its aliases, percent-encoded."),
        ("test" = String, Path, description = "The id of the question.")
    ),
    responses(
        (status = 200, description = "Whether it is right.", body = AskedAgain),
        HostErrors,
        OperationKeyErrors,
        DatasetErrors,
    )
)]
pub(in crate::http) async fn again(
    request: HttpRequest,
    app: Data<App>,
    path: Path<(String, String)>,
) -> Result<Json<AskedAgain>, ApiError> {
    let (id, test) = path.into_inner();
    let (dataset, _) = desk(&app, &request, &id)?;
    let test = app.service.test(&dataset, &test)?;
    Ok(Json(app.service.ask_again(&dataset, &test).await))
}

/// A kept run about this dataset.
async fn run_about(app: &App, dataset: &Dataset, id: &str) -> Result<Arc<Run>, ApiError> {
    let (_, found) = find(app, id).await?;
    let run = found.run();
    match run.dataset == dataset.id {
        true => Ok(run),
        false => Err(ApiError::UnknownRun),
    }
}

impl From<TestSetFailure> for ApiError {
    fn from(failure: TestSetFailure) -> Self {
        match &failure {
            TestSetFailure::Unknown => Self::UnknownTest,
            TestSetFailure::Query { reason } => wrong("query", reason),
            TestSetFailure::NoAnswer => wrong("right", &failure.to_string()),
            TestSetFailure::NoFolder { .. } | TestSetFailure::File(_) => {
                tracing::error!(error = %failure, "a test set cannot be used");
                Self::Unwritable(failure.to_string())
            }
        }
    }
}
