//! The errors of the routes for the OpenAPI description, generated from the same table and bodies as the real
//! ones.

use super::{ApiError, service_row};
use crate::http::dto::{HttpValidationError, ValidationError};
use crate::service::ServiceError;
use crate::service::boards::BoardError;
use actix_web::ResponseError;
use actix_web::http::StatusCode;
use eruca_api::BoardCandidate;
use eruca_sparql::QueryError;
use std::collections::BTreeMap;
use std::time::Duration;
use utoipa::IntoResponses;
use utoipa::openapi::{ContentBuilder, Ref, RefOr, Response, ResponseBuilder};

/// The documented errors of a question, generated from the same table and bodies as the real ones.
pub(in crate::http) struct QuestionErrors;

impl IntoResponses for QuestionErrors {
    fn responses() -> BTreeMap<String, RefOr<Response>> {
        let mut responses = BTreeMap::new();
        for (error, description) in samples() {
            let status = service_row(&error).status.as_str().to_owned();
            let response = match &error {
                ServiceError::Invalid { field, .. } => {
                    let detail = vec![ValidationError::missing(field)];
                    documented("HTTPValidationError", &HttpValidationError { detail }, description)
                }
                _ => documented("ErrorBody", &error.body(), description),
            };
            responses.entry(status).or_insert_with(|| RefOr::T(response));
        }
        responses.extend(KeyErrors::responses());
        let text = "The client has asked too many questions, where that is limited, or sent too many wrong keys (with Retry-After).";
        responses.extend([example(&ApiError::RateLimited { retry_after: Duration::from_secs(3) }, text)]);
        responses
    }
}

/// The documented errors of a question sent in a body.
pub(in crate::http) struct AskErrors;

impl IntoResponses for AskErrors {
    fn responses() -> BTreeMap<String, RefOr<Response>> {
        let mut responses = QuestionErrors::responses();
        responses.extend(BodyErrors::responses());
        responses
    }
}

/// The documented errors of questions in a form.
pub(in crate::http) struct FormErrors;

impl IntoResponses for FormErrors {
    fn responses() -> BTreeMap<String, RefOr<Response>> {
        let mut responses = AskErrors::responses();
        // Without a dataset's name, there is no unknown dataset.
        responses.remove(StatusCode::NOT_FOUND.as_str());
        responses.extend([example(&ApiError::NotForm, "The body is not a form.")]);
        responses
    }
}

/// The documented errors of every route that takes a body.
pub(in crate::http) struct BodyErrors;

impl IntoResponses for BodyErrors {
    fn responses() -> BTreeMap<String, RefOr<Response>> {
        [
            example(&ApiError::OtherOrigin, "The page of another site has sent this request."),
            example(&ApiError::BodyTooLarge, "The body is too long."),
            example(&ApiError::BodyTooSlow, "The body does not come, or too slowly."),
            example(&ApiError::NotJson, "The body is not JSON."),
        ]
        .into()
    }
}

/// The documented errors of routes about a run.
pub(in crate::http) struct RunErrors;

impl IntoResponses for RunErrors {
    fn responses() -> BTreeMap<String, RefOr<Response>> {
        [example(&ApiError::UnknownRun, "There is no such run, or it is no longer kept.")].into()
    }
}

/// The documented errors of the rows of a run.
pub(in crate::http) struct RowsErrors;

impl IntoResponses for RowsErrors {
    fn responses() -> BTreeMap<String, RefOr<Response>> {
        let mut responses = QuestionErrors::responses();
        responses.extend(RunErrors::responses());
        let failed = ServiceError::QueryFailed { reason: "connection refused".to_owned() };
        responses.extend([example(&failed.into(), "The endpoint does not answer the query any more.")]);
        responses.remove(StatusCode::INTERNAL_SERVER_ERROR.as_str());
        responses
    }
}

/// The documented errors of the graph of a run, which takes no parameters.
pub(in crate::http) struct GraphErrors;

impl IntoResponses for GraphErrors {
    fn responses() -> BTreeMap<String, RefOr<Response>> {
        let mut responses = RowsErrors::responses();
        responses.remove(StatusCode::UNPROCESSABLE_ENTITY.as_str());
        responses
    }
}

/// The documented errors of every route: requests that do not name this service.
pub(in crate::http) struct HostErrors;

impl IntoResponses for HostErrors {
    fn responses() -> BTreeMap<String, RefOr<Response>> {
        let unknown = ApiError::UnknownHost("eruca.example.org".to_owned());
        [
            example(
                &ApiError::BadHost("has no Host header"),
                "It is not clear which host the request is for.",
            ),
            example(&unknown, "The name in the request's Host header is not allowed."),
        ]
        .into()
    }
}

/// The documented errors of routes that require a key and refuse pages of other sites.
pub(in crate::http) struct KeyErrors;

impl IntoResponses for KeyErrors {
    fn responses() -> BTreeMap<String, RefOr<Response>> {
        let slowed = ApiError::WrongKeys { retry_after: Duration::from_secs(6) };
        [
            example(&ApiError::Unauthorized, "The key is missing or wrong, where one is required."),
            example(&ApiError::OtherOrigin, "The page of another site has sent this request."),
            example(&slowed, "The client has sent too many requests, where that is limited, or too many wrong keys (with Retry-After)."),
        ]
        .into()
    }
}

/// The documented errors of pages of verified questions.
pub(in crate::http) struct BoardErrors;

impl IntoResponses for BoardErrors {
    fn responses() -> BTreeMap<String, RefOr<Response>> {
        let unknown = BoardError::Unknown { name: "leaders".to_owned() };
        let candidate =
            |label: &str| BoardCandidate { label: label.to_owned(), value: label.to_owned(), about: None };
        let wrong = BoardError::UnknownValue {
            parameter: "department".to_owned(),
            value: "Sails".to_owned(),
            candidates: vec![candidate("Sales")],
        };
        [
            example(&unknown.into(), "There is no verified question or board of this name, or no such dataset."),
            example(&wrong.into(), "A choice is wrong or ambiguous; `candidates` has what may be meant."),
            example(
                &ApiError::OtherBoard,
                "The key is not for this page, or must not stand in an address; or the page of another site has sent this.",
            ),
        ]
        .into()
    }
}

/// The documented errors of results of verified questions.
pub(in crate::http) struct BoardResultErrors;

impl IntoResponses for BoardResultErrors {
    fn responses() -> BTreeMap<String, RefOr<Response>> {
        let down = QueryError::Unavailable { message: "connection refused".to_owned() };
        let text = "The endpoint does not answer, and there is no earlier result.";
        let mut responses = BoardErrors::responses();
        responses.extend(RoomErrors::responses());
        responses.extend([example(&down.into(), text)]);
        responses
    }
}

/// The documented errors of routes with limited capacity.
pub(in crate::http) struct RoomErrors;

impl IntoResponses for RoomErrors {
    fn responses() -> BTreeMap<String, RefOr<Response>> {
        let full = ServiceError::Overloaded { limit: 8, waiting: 16, retry_after: Duration::from_secs(1) };
        [example(
            &full.into(),
            "The configured numbers of requests are being answered and waiting (with Retry-After).",
        )]
        .into()
    }
}

/// The documented errors of routes that require a key for more than questions.
pub(in crate::http) struct OperationKeyErrors;

impl IntoResponses for OperationKeyErrors {
    fn responses() -> BTreeMap<String, RefOr<Response>> {
        let mut responses = KeyErrors::responses();
        responses.extend([example(&ApiError::Forbidden, "The key is for questions only.")]);
        responses
    }
}

/// The documented errors of routes about a dataset.
pub(in crate::http) struct DatasetErrors;

impl IntoResponses for DatasetErrors {
    fn responses() -> BTreeMap<String, RefOr<Response>> {
        of_questions(&["404", "500"])
    }
}

/// The documented errors of routes with parameters that may be invalid.
pub(in crate::http) struct ParameterErrors;

impl IntoResponses for ParameterErrors {
    fn responses() -> BTreeMap<String, RefOr<Response>> {
        of_questions(&["422"])
    }
}

/// The documented errors of routes that query an endpoint.
pub(in crate::http) struct EndpointErrors;

impl IntoResponses for EndpointErrors {
    fn responses() -> BTreeMap<String, RefOr<Response>> {
        endpoint_errors().into()
    }
}

/// Some of the documented errors of questions.
fn of_questions(statuses: &[&str]) -> BTreeMap<String, RefOr<Response>> {
    let mut responses = QuestionErrors::responses();
    responses.retain(|status, _| statuses.contains(&status.as_str()));
    responses
}

/// The documented errors of queries written by clients.
pub(in crate::http) struct QueryErrors;

/// A query that cannot be read.
fn unreadable() -> ApiError {
    let message = "expected a variable".to_owned();
    QueryError::Syntax { line: Some(1), column: Some(8), near: None, message }.into()
}

impl IntoResponses for QueryErrors {
    fn responses() -> BTreeMap<String, RefOr<Response>> {
        let mut responses = of_questions(&["404", "422", "500"]);
        responses.extend(endpoint_errors());
        responses.extend(body_errors());
        responses.extend([
            example(&unreadable(), "The query is refused, with its place where that is known; or it is not clear which host the request is for."),
            example(&ApiError::QueriesOff, "Written queries are switched off, or the page of another site has sent this one."),
            example(&ApiError::RateLimited { retry_after: Duration::from_secs(6) }, "The client has sent too many queries, or too many wrong keys (with Retry-After)."),
        ]);
        responses
    }
}

/// The documented errors of completions within queries, which need no answer of an endpoint.
pub(in crate::http) struct CompletionErrors;

impl IntoResponses for CompletionErrors {
    fn responses() -> BTreeMap<String, RefOr<Response>> {
        let mut responses = of_questions(&["404", "422", "500"]);
        responses.extend(body_errors());
        responses.extend(RoomErrors::responses());
        responses.extend([
            example(
                &ApiError::QueriesOff,
                "Written queries are switched off, or the page of another site has sent this one.",
            ),
            example(
                &ApiError::RateLimited { retry_after: Duration::from_secs(6) },
                "The client has looked up too much, or sent too many wrong keys (with Retry-After).",
            ),
        ]);
        responses
    }
}

/// The documented errors of reports.
pub(in crate::http) struct FeedbackErrors;

impl IntoResponses for FeedbackErrors {
    fn responses() -> BTreeMap<String, RefOr<Response>> {
        let mut responses: BTreeMap<_, _> = body_errors().into();
        responses.extend(of_questions(&["422"]));
        responses.extend([
            example(
                &unreadable(),
                "The query of the report cannot be read, or is not allowed, or the request names no single host.",
            ),
            example(&ApiError::OtherOrigin, "The page of another site has sent this request."),
            example(
                &ApiError::UnknownRun,
                "There is no such run, or it is no longer kept; or reports are switched off here.",
            ),
            example(&ApiError::ReportedOften, "The answer has been reported on several times."),
            example(
                &ApiError::RateLimited { retry_after: Duration::from_secs(6) },
                "The client has sent too many reports, or too many wrong keys (with Retry-After).",
            ),
            example(&ApiError::FeedbackFull, "The file of reports is full."),
        ]);
        responses
    }
}

/// The documented errors of routes about a proposal.
pub(in crate::http) struct ProposalErrors;

impl IntoResponses for ProposalErrors {
    fn responses() -> BTreeMap<String, RefOr<Response>> {
        let mut responses: BTreeMap<_, _> = body_errors().into();
        responses.extend([
            example(
                &ApiError::NotFromHere,
                "The key is for questions only; without keys, the client is on another machine.",
            ),
            example(&ApiError::UnknownProposal, "There is no such dataset or proposal."),
        ]);
        responses
    }
}

fn body_errors() -> [(String, RefOr<Response>); 3] {
    [
        example(&ApiError::BodyTooLarge, "The body is too long."),
        example(&ApiError::BodyTooSlow, "The body does not come, or too slowly."),
        example(&ApiError::NotJson, "The Content-Type is not JSON."),
    ]
}

fn endpoint_errors() -> [(String, RefOr<Response>); 3] {
    let down = QueryError::Unavailable { message: "connection refused".to_owned() };
    let busy = QueryError::RateLimited { retry_after: None, message: "too many requests".to_owned() };
    let late = QueryError::Timeout { after: Duration::from_secs(10) };
    [
        example(&ApiError::Query(down), "The dataset's SPARQL endpoint does not answer."),
        example(&ApiError::Query(busy), "The endpoint, or this service, has too much to do."),
        example(&ApiError::Query(late), "The endpoint did not answer in time."),
    ]
}

/// A status with an example of its body.
fn example(error: &ApiError, description: &str) -> (String, RefOr<Response>) {
    let response = documented("ErrorBody", &error.body(), description);
    (error.status_code().as_str().to_owned(), RefOr::T(response))
}

fn documented(schema: &str, example: &impl serde::Serialize, description: &str) -> Response {
    let example = serde_json::to_value(example);
    let content =
        ContentBuilder::new().schema(Some(Ref::from_schema_name(schema))).example(example.ok()).build();
    ResponseBuilder::new().description(description).content("application/json", content).build()
}

/// Description of status 500. The first of its errors is shown as the example.
const FAULT: &str = "An error inside Eruca, whose log has the cause; or a damaged index (`index_damaged`).";

/// Description of status 503.
const BUSY: &str = "The configured numbers of questions are being answered and waiting; names are on a server that fails (`names_down`); or the dataset could not be opened (`dataset_not_opened`), which is tried again. With Retry-After.";

/// One error of each kind, with its description.
fn samples() -> [(ServiceError, &'static str); 9] {
    [
        (
            ServiceError::Invalid { field: "question", message: "Field required".to_owned() },
            "A parameter is missing, empty, over-long or malformed.",
        ),
        (
            ServiceError::UnknownDataset { asked: "wiki".to_owned(), known: vec!["demo".to_owned()] },
            "No dataset has this id or alias.",
        ),
        (ServiceError::Overloaded { limit: 8, waiting: 16, retry_after: Duration::from_secs(5) }, BUSY),
        (
            ServiceError::NamesDown {
                reason: "the Qdrant server at http://qdrant:6334 failed: no answer within 2 s".to_owned(),
                retry_after: Duration::from_secs(1),
            },
            BUSY,
        ),
        (
            ServiceError::EndpointDown {
                dataset: "demo".to_owned(),
                endpoint: "https://example.org/sparql".to_owned(),
                reason: "connection refused".to_owned(),
            },
            "The dataset's SPARQL endpoint does not answer.",
        ),
        (ServiceError::Internal(String::new()), FAULT),
        (
            ServiceError::IndexDamaged {
                dataset: "demo".to_owned(),
                reason: "card.json has 0 bytes instead of 9000".to_owned(),
                command: "eruca index --dataset 'demo'".to_owned(),
            },
            FAULT,
        ),
        (
            ServiceError::NotOpened {
                dataset: "demo".to_owned(),
                reason: "the Qdrant server at http://qdrant:6334 failed: no answer within 10 s".to_owned(),
                retry_after: Some(Duration::from_secs(5)),
            },
            BUSY,
        ),
        (
            ServiceError::NotReloaded {
                dataset: "demo".to_owned(),
                reason: "the index in 'data/index/demo' is damaged".to_owned(),
            },
            FAULT,
        ),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_error_is_documented_with_the_status_it_is_sent_with() {
        let documented = <QuestionErrors as IntoResponses>::responses();
        for (error, _) in samples() {
            assert!(documented.contains_key(ApiError::from(error).status_code().as_str()));
        }
    }
}
