//! `POST /gerbil` and `POST /gerbil/{dataset}`: a question as sent by GERBIL QA, answered in QALD-JSON.

use crate::http::App;
use crate::http::dto::{QaldDto, QaldQueryDto, QaldQuestionDto, QaldTextDto, SparqlJsonDto, ValidationError};
use crate::http::error::{ApiError, DatasetErrors, FormErrors, HostErrors};
use crate::http::form::PostedQuestion;
use crate::http::gate::Cost;
use crate::http::questions::Asker;
use crate::service::{Answered, Ask, Question, ServiceError};
use actix_web::HttpRequest;
use actix_web::web::{Data, Json, Path};
use std::sync::Arc;

/// The language of a question sent without one.
const UNSAID: &str = "und";
/// The error message before the ids if there are several datasets.
const SEVERAL: &str = "several datasets are served; name one: /gerbil/ID, with ID of:";

/// Answers a question about the only dataset, as the web-service adapter of GERBIL QA expects it: a form with `query` and `lang`
/// in, QALD-JSON out.
#[utoipa::path(
    post,
    path = "/gerbil",
    tag = "questions",
    request_body(
        content = String,
        content_type = "application/x-www-form-urlencoded",
        description = "`query` is the question, `lang` the tag of its language. Forms that are not encoded are read, too.",
        example = "query=What is the capital of France?&lang=en"
    ),
    responses((status = 200, description = "The question with its query and answers.", body = QaldDto), HostErrors, FormErrors)
)]
pub(in crate::http) async fn gerbil(
    request: HttpRequest,
    asked: PostedQuestion,
    app: Data<App>,
) -> Result<Json<QaldDto>, ApiError> {
    answer(&request, &app, None, asked).await
}

/// The same about the dataset of this name.
#[utoipa::path(
    post,
    path = "/gerbil/{dataset}",
    tag = "questions",
    params(("dataset" = String, Path, description = "The dataset's id or one of its aliases, percent-encoded.")),
    request_body(
        content = String,
        content_type = "application/x-www-form-urlencoded",
        description = "`query` is the question, `lang` the tag of its language. Forms that are not encoded are read, too.",
        example = "query=What is the capital of France?&lang=en"
    ),
    responses((status = 200, description = "The question with its query and answers.", body = QaldDto), HostErrors, FormErrors, DatasetErrors)
)]
pub(in crate::http) async fn gerbil_about(
    request: HttpRequest,
    asked: PostedQuestion,
    app: Data<App>,
    dataset: Path<String>,
) -> Result<Json<QaldDto>, ApiError> {
    answer(&request, &app, Some(dataset.into_inner()), asked).await
}

async fn answer(
    request: &HttpRequest,
    app: &Arc<App>,
    dataset: Option<String>,
    asked: PostedQuestion,
) -> Result<Json<QaldDto>, ApiError> {
    let key = app.gate.admit(request, Cost::Question)?;
    let PostedQuestion { query, lang } = asked;
    let dataset = dataset.map_or_else(|| app.only_dataset(SEVERAL), Ok)?;
    let (question, asker) = (Question { dataset, text: query }, Asker::of(request, key));
    let id = asker.id.clone();
    let begun = app.begin(Ask::query(question.clone()), asker).map_err(in_the_form)?;
    let answered = begun.finished().await.map_err(in_the_form)?;
    let answers = answers(app, &answered).await?;
    let text = QaldTextDto { language: lang.unwrap_or_else(|| UNSAID.to_owned()), string: question.text };
    let query = QaldQueryDto { sparql: Some(answered.query.clone()) };
    Ok(Json(QaldDto { questions: vec![QaldQuestionDto { id, question: vec![text], query, answers }] }))
}

/// The results of the query, which is run now if it was not run while answering.
async fn answers(app: &App, answered: &Answered) -> Result<Vec<SparqlJsonDto>, ApiError> {
    if let Some(results) = &answered.results {
        return Ok(vec![(&**results).into()]);
    }
    match app.service.run_again(&answered.dataset_id, &answered.query).await {
        Ok(results) => Ok(vec![(&*results).into()]),
        // The query counts as an answer even without results.
        Err(ServiceError::QueryFailed { reason }) => {
            tracing::debug!(reason, "a query without results is sent");
            Ok(Vec::new())
        }
        Err(error) => Err(error.into()),
    }
}

/// Reports an invalid question as an error in the form.
fn in_the_form(error: ServiceError) -> ApiError {
    match error {
        ServiceError::Invalid { field, message } => {
            let field = if field == "question" { "query" } else { field };
            ApiError::Parameters(vec![ValidationError::of_body(&[field], &message, "value_error")])
        }
        other => other.into(),
    }
}
