//! Errors on the wire: one table from the service's errors to codes and statuses, and the bodies they are sent in.

use super::dto::{ErrorBody, HttpValidationError, ValidationError};
use crate::service::ServiceError;
use crate::service::browse::BrowseError;
use actix_web::http::{StatusCode, header};
use actix_web::{HttpResponse, ResponseError};
use eruca_sparql::QueryError;
use std::time::Duration;
use utoipa::IntoResponses;
use utoipa::openapi::{ContentBuilder, Ref, RefOr, Response, ResponseBuilder};

/// How one kind of error looks on the wire.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Row {
    code: &'static str,
    status: StatusCode,
}

/// The table of errors: every error of the service, its code and its status.
fn row(error: &ServiceError) -> Row {
    let (code, status) = match error {
        ServiceError::Invalid { .. } => ("invalid_parameter", StatusCode::UNPROCESSABLE_ENTITY),
        ServiceError::UnknownDataset { .. } => ("unknown_dataset", StatusCode::NOT_FOUND),
        ServiceError::Overloaded { .. } => ("overloaded", StatusCode::SERVICE_UNAVAILABLE),
        ServiceError::EndpointDown { .. } => ("endpoint_down", StatusCode::BAD_GATEWAY),
        ServiceError::IndexDamaged { .. } => ("index_damaged", StatusCode::INTERNAL_SERVER_ERROR),
        ServiceError::QueryFailed { .. } => ("query_failed", StatusCode::BAD_GATEWAY),
        ServiceError::NoSuchRow { .. } => ("no_such_row", StatusCode::NOT_FOUND),
        ServiceError::Cancelled => ("cancelled", StatusCode::SERVICE_UNAVAILABLE),
        ServiceError::Panicked { .. } | ServiceError::Internal(_) => {
            ("internal", StatusCode::INTERNAL_SERVER_ERROR)
        }
    };
    Row { code, status }
}

/// Why a request is refused.
#[derive(Debug, thiserror::Error)]
pub(super) enum ApiError {
    /// Query parameters that are missing or wrong, all of them at once.
    #[error("{} parameters are missing or wrong", .0.len())]
    Parameters(Vec<ValidationError>),
    /// The service could not answer.
    #[error(transparent)]
    Service(#[from] ServiceError),
    /// The key is missing or wrong.
    #[error("a key is needed here: send the header 'Authorization: Bearer KEY'")]
    Unauthorized,
    /// It is not clear which host the request is for.
    #[error("the request {0}; it must name one host")]
    BadHost(&'static str),
    /// The request is for another host.
    #[error(
        "this service does not answer to the name '{0}'; if it should, add the name to [server] allowed_hosts \
         (the variable ERUCA__SERVER__ALLOWED_HOSTS)"
    )]
    UnknownHost(String),
    /// The key does not open this.
    #[error("this key is for questions; the metrics need api_key or one of [server] operators")]
    Forbidden,
    /// The client has sent too many wrong keys lately.
    #[error("too many wrong keys; try again in {} s", whole_seconds(*retry_after))]
    WrongKeys {
        /// When the next key is looked at.
        retry_after: Duration,
    },
    /// The client has asked too many questions lately.
    #[error("too many questions in a minute; try again in {} s", whole_seconds(*retry_after))]
    RateLimited {
        /// When the next question is welcome.
        retry_after: Duration,
    },
    /// No such route.
    #[error("there is nothing at this path; /docs lists what there is")]
    NoRoute,
    /// The route exists, for other methods.
    #[error("only {} allowed here", if .0.contains(',') { format!("{} are", .0.replace(", ", " and ")) } else { format!("{} is", .0) })]
    WrongMethod(&'static str),
    /// The page of another site has made a browser send this.
    #[error(
        "this was sent by the page of another site; if it may, add its origin to [server] cors_origins \
         (the variable ERUCA__SERVER__CORS_ORIGINS)"
    )]
    OtherOrigin,
    /// The body is something else than JSON.
    #[error("the body must be JSON: send the header 'Content-Type: application/json'")]
    NotJson,
    /// The body is too long.
    #[error("the body is longer than {} bytes", super::post::MAX_BYTES)]
    BodyTooLarge,
    /// The run has no query, or not yet.
    #[error("this run has no query whose rows could be shown")]
    NoRows,
    /// There is no such run, or it is kept no longer.
    #[error("there is no run of this name; it may have been forgotten: ask the question again")]
    UnknownRun,
    /// A query is refused, or the endpoint does not answer it.
    #[error(transparent)]
    Query(#[from] QueryError),
    /// Queries that a person wrote are not run here.
    #[error("queries are not taken here: [server] queries is false")]
    QueriesOff,
    /// No reports are taken here.
    #[error("reports on answers are not taken here: [feedback] file names none")]
    FeedbackOff,
    /// There is no room for another report.
    #[error("no further reports on answers can be taken now")]
    FeedbackFull,
}

impl From<BrowseError> for ApiError {
    fn from(error: BrowseError) -> Self {
        match error {
            BrowseError::Service(error) => error.into(),
            BrowseError::Query(error) => error.into(),
        }
    }
}

/// How a query that gave no answer looks on the wire.
fn query_row(error: &QueryError) -> Row {
    let (code, status) = match error {
        QueryError::Timeout { .. } => ("query_timeout", StatusCode::GATEWAY_TIMEOUT),
        QueryError::RateLimited { .. } => ("endpoint_busy", StatusCode::SERVICE_UNAVAILABLE),
        QueryError::Unavailable { .. } => ("endpoint_down", StatusCode::BAD_GATEWAY),
        QueryError::TooLarge { .. } => ("query_too_large", StatusCode::BAD_REQUEST),
        // Also what a later version may add: the query is at fault.
        _ => ("bad_query", StatusCode::BAD_REQUEST),
    };
    Row { code, status }
}

impl ApiError {
    /// A query parameter that is not what it should be.
    pub(super) fn wrong_parameter(name: &str, message: &str) -> Self {
        Self::Parameters(vec![ValidationError::of_query(name, message, "value_error")])
    }

    /// What happened, for programs.
    fn code(&self) -> &'static str {
        match self {
            Self::Parameters(_) => "invalid_parameter",
            Self::Service(error) => code(error),
            Self::BadHost(_) => "bad_host",
            Self::UnknownHost(_) => "unknown_host",
            Self::Unauthorized => "unauthorized",
            Self::Forbidden => "forbidden",
            Self::WrongKeys { .. } => "wrong_keys",
            Self::RateLimited { .. } => "rate_limited",
            Self::NoRoute => "not_found",
            Self::WrongMethod(_) => "method_not_allowed",
            Self::OtherOrigin => "other_origin",
            Self::NotJson => "not_json",
            Self::BodyTooLarge => "body_too_large",
            Self::UnknownRun => "unknown_run",
            Self::NoRows => "no_rows",
            Self::Query(error) => query_row(error).code,
            Self::QueriesOff => "queries_off",
            Self::FeedbackOff => "feedback_off",
            Self::FeedbackFull => "feedback_full",
        }
    }

    /// The body that tells of it.
    pub(super) fn body(&self) -> ErrorBody {
        match self {
            Self::Service(error) => service_body(error),
            Self::Query(QueryError::Syntax { line, column, .. }) => {
                ErrorBody { line: *line, column: *column, ..ErrorBody::new(self.to_string(), self.code()) }
            }
            _ => ErrorBody::new(self.to_string(), self.code()),
        }
    }
}

impl ResponseError for ApiError {
    fn status_code(&self) -> StatusCode {
        match self {
            Self::Parameters(_) => StatusCode::UNPROCESSABLE_ENTITY,
            Self::Service(error) => row(error).status,
            Self::BadHost(_) => StatusCode::BAD_REQUEST,
            Self::UnknownHost(_) => StatusCode::MISDIRECTED_REQUEST,
            Self::Unauthorized => StatusCode::UNAUTHORIZED,
            Self::Forbidden => StatusCode::FORBIDDEN,
            Self::WrongKeys { .. } | Self::RateLimited { .. } => StatusCode::TOO_MANY_REQUESTS,
            Self::NoRoute | Self::UnknownRun | Self::NoRows | Self::FeedbackOff => StatusCode::NOT_FOUND,
            Self::OtherOrigin | Self::QueriesOff => StatusCode::FORBIDDEN,
            Self::Query(error) => query_row(error).status,
            Self::FeedbackFull => StatusCode::SERVICE_UNAVAILABLE,
            Self::NotJson => StatusCode::UNSUPPORTED_MEDIA_TYPE,
            Self::BodyTooLarge => StatusCode::PAYLOAD_TOO_LARGE,
            Self::WrongMethod(_) => StatusCode::METHOD_NOT_ALLOWED,
        }
    }

    fn error_response(&self) -> HttpResponse {
        let mut response = HttpResponse::build(self.status_code());
        match self {
            Self::Parameters(detail) => response.json(HttpValidationError { detail: detail.clone() }),
            Self::Service(ServiceError::Invalid { field, message }) => {
                let detail = vec![ValidationError::of_query(field, message, "value_error")];
                response.json(HttpValidationError { detail })
            }
            Self::Service(error) => {
                if let Some(after) = retry_after(error) {
                    response.insert_header((header::RETRY_AFTER, whole_seconds(after)));
                }
                response.json(self.body())
            }
            Self::Unauthorized => {
                response.insert_header((header::WWW_AUTHENTICATE, "Bearer"));
                response.json(self.body())
            }
            Self::WrongKeys { retry_after } | Self::RateLimited { retry_after } => {
                response.insert_header((header::RETRY_AFTER, whole_seconds(*retry_after)));
                response.json(self.body())
            }
            Self::WrongMethod(allowed) => {
                response.insert_header((header::ALLOW, *allowed));
                response.json(self.body())
            }
            Self::BadHost(_)
            | Self::UnknownHost(_)
            | Self::Forbidden
            | Self::NoRoute
            | Self::OtherOrigin
            | Self::NotJson
            | Self::BodyTooLarge
            | Self::UnknownRun
            | Self::NoRows
            | Self::Query(_)
            | Self::QueriesOff
            | Self::FeedbackOff
            | Self::FeedbackFull => response.json(self.body()),
        }
    }
}

/// What `Retry-After` takes: seconds, at least one, rounded up.
fn whole_seconds(duration: Duration) -> u64 {
    duration.as_millis().div_ceil(1000).max(1).try_into().unwrap_or(u64::MAX)
}

/// The code of an error of the service.
pub(super) fn code(error: &ServiceError) -> &'static str {
    row(error).code
}

fn retry_after(error: &ServiceError) -> Option<Duration> {
    match error {
        ServiceError::Overloaded { limit: _, waiting: _, retry_after } => Some(*retry_after),
        ServiceError::Invalid { .. }
        | ServiceError::UnknownDataset { .. }
        | ServiceError::EndpointDown { .. }
        | ServiceError::IndexDamaged { .. }
        | ServiceError::QueryFailed { .. }
        | ServiceError::NoSuchRow { .. }
        | ServiceError::Cancelled
        | ServiceError::Panicked { .. }
        | ServiceError::Internal(_) => None,
    }
}

pub(super) fn service_body(error: &ServiceError) -> ErrorBody {
    let detail = match error {
        // What failed inside is for the log; clients could neither use it nor should they see it.
        ServiceError::Panicked { .. } | ServiceError::Internal(_) => {
            "internal error; the service's log has the cause".to_owned()
        }
        ServiceError::Invalid { .. }
        | ServiceError::UnknownDataset { .. }
        | ServiceError::Overloaded { .. }
        | ServiceError::EndpointDown { .. }
        | ServiceError::IndexDamaged { .. }
        | ServiceError::QueryFailed { .. }
        | ServiceError::NoSuchRow { .. }
        | ServiceError::Cancelled => error.to_string(),
    };
    let datasets = match error {
        ServiceError::UnknownDataset { asked: _, known } => Some(known.clone()),
        ServiceError::Invalid { .. }
        | ServiceError::Overloaded { .. }
        | ServiceError::EndpointDown { .. }
        | ServiceError::IndexDamaged { .. }
        | ServiceError::QueryFailed { .. }
        | ServiceError::NoSuchRow { .. }
        | ServiceError::Cancelled
        | ServiceError::Panicked { .. }
        | ServiceError::Internal(_) => None,
    };
    ErrorBody { datasets, ..ErrorBody::new(detail, row(error).code) }
}

/// The documented errors of a question, made from the same table and bodies as the real ones.
pub(super) struct QuestionErrors;

impl IntoResponses for QuestionErrors {
    fn responses() -> std::collections::BTreeMap<String, RefOr<Response>> {
        let mut responses = std::collections::BTreeMap::new();
        for (error, description) in samples() {
            let status = row(&error).status.as_str().to_owned();
            let response = match &error {
                ServiceError::Invalid { field, .. } => {
                    let detail = vec![ValidationError::missing(field)];
                    documented("HTTPValidationError", &HttpValidationError { detail }, description)
                }
                _ => documented("ErrorBody", &service_body(&error), description),
            };
            responses.entry(status).or_insert_with(|| RefOr::T(response));
        }
        responses.extend(KeyErrors::responses());
        let text = "The client has asked too often, where that is limited, or sent too many wrong keys (with Retry-After).";
        responses.extend([example(&ApiError::RateLimited { retry_after: Duration::from_secs(3) }, text)]);
        responses
    }
}

/// The documented errors of a question that is sent in a body.
pub(super) struct AskErrors;

impl IntoResponses for AskErrors {
    fn responses() -> std::collections::BTreeMap<String, RefOr<Response>> {
        let mut responses = QuestionErrors::responses();
        responses.extend(BodyErrors::responses());
        responses
    }
}

/// The documented errors of every route that takes a body.
pub(super) struct BodyErrors;

impl IntoResponses for BodyErrors {
    fn responses() -> std::collections::BTreeMap<String, RefOr<Response>> {
        [
            example(&ApiError::OtherOrigin, "The page of another site has sent this."),
            example(&ApiError::BodyTooLarge, "The body is too long."),
            example(&ApiError::NotJson, "The body is something else than JSON."),
        ]
        .into()
    }
}

/// The documented errors of routes about a run.
pub(super) struct RunErrors;

impl IntoResponses for RunErrors {
    fn responses() -> std::collections::BTreeMap<String, RefOr<Response>> {
        [example(&ApiError::UnknownRun, "There is no such run, or it is kept no longer.")].into()
    }
}

/// The documented errors of the rows of a run.
pub(super) struct RowsErrors;

impl IntoResponses for RowsErrors {
    fn responses() -> std::collections::BTreeMap<String, RefOr<Response>> {
        let mut responses = QuestionErrors::responses();
        responses.extend(RunErrors::responses());
        let failed = ServiceError::QueryFailed { reason: "connection refused".to_owned() };
        responses.extend([example(&failed.into(), "The endpoint does not answer the query any more.")]);
        responses.remove(StatusCode::INTERNAL_SERVER_ERROR.as_str());
        responses
    }
}

/// The documented errors of every route: requests that do not name this service.
pub(super) struct HostErrors;

impl IntoResponses for HostErrors {
    fn responses() -> std::collections::BTreeMap<String, RefOr<Response>> {
        let unknown = ApiError::UnknownHost("eruca.example.org".to_owned());
        [
            example(
                &ApiError::BadHost("has no Host header"),
                "It is not clear which host the request is for.",
            ),
            example(&unknown, "The service does not answer to the name in the request's Host header."),
        ]
        .into()
    }
}

/// The documented errors of routes that ask for a key.
pub(super) struct KeyErrors;

impl IntoResponses for KeyErrors {
    fn responses() -> std::collections::BTreeMap<String, RefOr<Response>> {
        let slowed = ApiError::WrongKeys { retry_after: Duration::from_secs(6) };
        [
            example(&ApiError::Unauthorized, "The key is missing or wrong, where one is asked for."),
            example(&slowed, "The client has sent too many wrong keys (with Retry-After)."),
        ]
        .into()
    }
}

/// The documented errors of routes that ask for a key for more than questions.
pub(super) struct OperationKeyErrors;

impl IntoResponses for OperationKeyErrors {
    fn responses() -> std::collections::BTreeMap<String, RefOr<Response>> {
        let mut responses = KeyErrors::responses();
        responses.extend([example(&ApiError::Forbidden, "The key is for questions only.")]);
        responses
    }
}

/// The documented errors of routes about a dataset.
pub(super) struct DatasetErrors;

impl IntoResponses for DatasetErrors {
    fn responses() -> std::collections::BTreeMap<String, RefOr<Response>> {
        of_questions(&["404", "500"])
    }
}

/// The documented errors of routes whose parameters may be wrong.
pub(super) struct ParameterErrors;

impl IntoResponses for ParameterErrors {
    fn responses() -> std::collections::BTreeMap<String, RefOr<Response>> {
        of_questions(&["422"])
    }
}

/// The documented errors of routes that ask an endpoint.
pub(super) struct EndpointErrors;

impl IntoResponses for EndpointErrors {
    fn responses() -> std::collections::BTreeMap<String, RefOr<Response>> {
        endpoint_errors().into()
    }
}

/// Some of the documented errors of questions.
fn of_questions(statuses: &[&str]) -> std::collections::BTreeMap<String, RefOr<Response>> {
    let mut responses = QuestionErrors::responses();
    responses.retain(|status, _| statuses.contains(&status.as_str()));
    responses
}

/// The documented errors of queries that a person wrote.
pub(super) struct QueryErrors;

impl IntoResponses for QueryErrors {
    fn responses() -> std::collections::BTreeMap<String, RefOr<Response>> {
        let syntax = QueryError::Syntax {
            line: Some(1),
            column: Some(8),
            near: None,
            message: "expected a variable".to_owned(),
        };
        let mut responses = of_questions(&["404", "422", "500"]);
        responses.extend(endpoint_errors());
        responses.extend(body_errors());
        responses.extend([
            example(&ApiError::Query(syntax), "The query is refused, with its place where that is known; or it is not clear which host the request is for."),
            example(&ApiError::QueriesOff, "Queries are not taken here, or the page of another site has sent this one."),
            example(&ApiError::RateLimited { retry_after: Duration::from_secs(6) }, "The client has asked too much, or sent too many wrong keys (with Retry-After)."),
        ]);
        responses
    }
}

/// The documented errors of reports.
pub(super) struct FeedbackErrors;

impl IntoResponses for FeedbackErrors {
    fn responses() -> std::collections::BTreeMap<String, RefOr<Response>> {
        let mut responses: std::collections::BTreeMap<_, _> = body_errors().into();
        responses.extend(of_questions(&["422"]));
        responses.extend([
            example(&ApiError::OtherOrigin, "The page of another site has sent this."),
            example(&ApiError::FeedbackOff, "No reports are taken here."),
            example(
                &ApiError::RateLimited { retry_after: Duration::from_secs(6) },
                "The client has sent too much, or too many wrong keys (with Retry-After).",
            ),
            example(&ApiError::FeedbackFull, "There is no room for further reports."),
        ]);
        responses
    }
}

fn body_errors() -> [(String, RefOr<Response>); 2] {
    [
        example(&ApiError::BodyTooLarge, "The body is too long."),
        example(&ApiError::NotJson, "The body is not said to be JSON."),
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

/// A status with the body that is sent with it.
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

/// What status 500 means. The first of its errors is the one that is shown.
const FAULT: &str =
    "A fault of Eruca itself, whose log has the cause; or, with the code `index_damaged`, a damaged index.";

/// One error of each kind, with the words that document it.
fn samples() -> [(ServiceError, &'static str); 6] {
    [
        (
            ServiceError::Invalid { field: "question", message: "Field required".to_owned() },
            "A parameter is missing, empty, over-long or malformed.",
        ),
        (
            ServiceError::UnknownDataset { asked: "wiki".to_owned(), known: vec!["demo".to_owned()] },
            "No dataset has this id or alias.",
        ),
        (
            ServiceError::Overloaded { limit: 8, waiting: 16, retry_after: Duration::from_secs(5) },
            "As many questions as configured are being answered, and as many wait (with Retry-After).",
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
    ]
}

#[cfg(test)]
mod tests {
    use super::*;
    use actix_web::body::to_bytes;
    use serde_json::{Value, json};

    async fn sent(error: ApiError) -> (u16, Option<String>, Value) {
        let response = error.error_response();
        let status = response.status().as_u16();
        let retry = response.headers().get("retry-after").map(|value| value.to_str().unwrap().to_owned());
        let bytes = to_bytes(response.into_body()).await.ok().unwrap();
        (status, retry, serde_json::from_slice(&bytes).unwrap())
    }

    #[tokio::test]
    async fn an_internal_error_hides_its_cause() {
        let (status, _, body) = sent(ServiceError::Internal("password is hunter2".to_owned()).into()).await;
        assert_eq!(status, 500);
        assert_eq!(body["code"], "internal");
        assert!(!body.to_string().contains("hunter2"));
    }

    #[tokio::test]
    async fn overload_says_when_to_try_again_in_whole_seconds_from_one() {
        for (millis, expected) in [(5000, "5"), (10, "1")] {
            let retry_after = Duration::from_millis(millis);
            let (status, retry, body) =
                sent(ServiceError::Overloaded { limit: 1, waiting: 0, retry_after }.into()).await;
            assert_eq!((status, retry.as_deref()), (503, Some(expected)));
            assert_eq!(body["code"], "overloaded");
        }
    }

    #[tokio::test]
    async fn what_the_service_finds_invalid_is_shaped_like_other_wrong_parameters() {
        let error = ServiceError::Invalid { field: "dataset", message: "is odd".to_owned() };
        let (status, _, body) = sent(error.into()).await;
        assert_eq!(status, 422);
        assert_eq!(
            body,
            json!({"detail": [{"loc": ["query", "dataset"], "msg": "is odd", "type": "value_error"}]})
        );
    }

    #[test]
    fn every_error_is_documented_with_the_status_it_is_sent_with() {
        let documented = <QuestionErrors as IntoResponses>::responses();
        for (error, _) in samples() {
            assert!(documented.contains_key(ApiError::from(error).status_code().as_str()));
        }
    }
}
