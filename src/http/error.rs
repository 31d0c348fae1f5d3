//! Errors in HTTP: one table of codes and statuses, and the response bodies.
//!
//! Errors of the service are matched without `_`, so that a new one fails to compile until it has a code.

mod documented;

pub(super) use documented::{
    AskErrors, BoardErrors, BoardResultErrors, BodyErrors, CompletionErrors, DatasetErrors, EndpointErrors,
    FeedbackErrors, FormErrors, GraphErrors, HostErrors, KeyErrors, OperationKeyErrors, ParameterErrors,
    ProposalErrors, QueryErrors, QuestionErrors, RoomErrors, RowsErrors, RunErrors,
};

use super::dto::{HttpValidationError, ValidationError};
use crate::service::ServiceError;
use crate::service::boards::BoardError;
use crate::service::browse::BrowseError;
use actix_web::http::{StatusCode, header};
use actix_web::{HttpResponse, ResponseError};
use eruca_api::ErrorBody;
use eruca_sparql::QueryError;
use std::time::Duration;

/// After this time, some responses have been read, or their slow readers disconnected.
const RESPONSES_WAIT: Duration = Duration::from_secs(10);
/// After this time, some of the bodies being received are complete.
const BODIES_WAIT: Duration = Duration::from_secs(1);

/// How one kind of error is sent.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct ErrorRow {
    code: &'static str,
    status: StatusCode,
    /// When to try again.
    retry_after: Option<Duration>,
}

impl ErrorRow {
    fn new(code: &'static str, status: StatusCode) -> Self {
        Self { code, status, retry_after: None }
    }

    fn again_in(self, retry_after: Duration) -> Self {
        Self { retry_after: Some(retry_after), ..self }
    }
}

/// The statuses of the service's errors, which have codes of their own.
fn service_row(error: &ServiceError) -> ErrorRow {
    use StatusCode as Status;
    let row = |status| ErrorRow::new(error.code(), status);
    match error {
        ServiceError::Invalid { .. } => row(Status::UNPROCESSABLE_ENTITY),
        ServiceError::UnknownDataset { .. } | ServiceError::NoSuchRow { .. } => row(Status::NOT_FOUND),
        ServiceError::Overloaded { retry_after, .. } => {
            row(Status::SERVICE_UNAVAILABLE).again_in(*retry_after)
        }
        ServiceError::NamesDown { retry_after, .. } => {
            row(Status::SERVICE_UNAVAILABLE).again_in(*retry_after)
        }
        ServiceError::Cancelled => row(Status::SERVICE_UNAVAILABLE),
        ServiceError::EndpointDown { .. } | ServiceError::QueryFailed { .. } => row(Status::BAD_GATEWAY),
        // Another replica may have it open.
        ServiceError::NotOpened { retry_after, .. } => {
            ErrorRow { retry_after: *retry_after, ..row(Status::SERVICE_UNAVAILABLE) }
        }
        ServiceError::NotReloaded { .. }
        | ServiceError::IndexDamaged { .. }
        | ServiceError::Panicked { .. }
        | ServiceError::Internal(_) => row(Status::INTERNAL_SERVER_ERROR),
    }
}

/// The table of failed queries.
fn query_row(error: &QueryError) -> ErrorRow {
    use StatusCode as Status;
    let row = ErrorRow::new;
    match error {
        QueryError::Timeout { .. } => row("query_timeout", Status::GATEWAY_TIMEOUT),
        QueryError::RateLimited { .. } => row("endpoint_busy", Status::SERVICE_UNAVAILABLE),
        QueryError::Unavailable { .. } => row("endpoint_down", Status::BAD_GATEWAY),
        QueryError::TooLarge { .. } => row("query_too_large", Status::BAD_REQUEST),
        // Also for errors added in later versions: the query is at fault.
        _ => row("bad_query", Status::BAD_REQUEST),
    }
}

/// The table of pages of verified questions.
fn board_row(error: &BoardError) -> ErrorRow {
    use StatusCode as Status;
    let row = ErrorRow::new;
    match error {
        BoardError::Unknown { .. } => row("unknown_board", Status::NOT_FOUND),
        BoardError::Several { .. } => row("several_datasets", Status::UNPROCESSABLE_ENTITY),
        BoardError::TooMany { .. } => row("too_many_questions", Status::UNPROCESSABLE_ENTITY),
        BoardError::NoParameter { .. } => row("unknown_parameter", Status::UNPROCESSABLE_ENTITY),
        BoardError::UnknownValue { .. } => row("unknown_value", Status::UNPROCESSABLE_ENTITY),
        BoardError::AmbiguousValue { .. } => row("ambiguous_value", Status::UNPROCESSABLE_ENTITY),
        BoardError::Service(error) => service_row(error),
        BoardError::Query(error) => query_row(error),
    }
}

/// The code of a page that cannot be shown.
pub(super) fn code_of_board(error: &BoardError) -> &'static str {
    board_row(error).code
}

/// The table of other refusals.
fn api_row(error: &ApiError) -> ErrorRow {
    use ApiError as E;
    use StatusCode as Status;
    let row = ErrorRow::new;
    match error {
        E::Service(error) => service_row(error),
        E::Query(error) => query_row(error),
        E::Parameters(_) => row("invalid_parameter", Status::UNPROCESSABLE_ENTITY),
        E::BadHost(_) => row("bad_host", Status::BAD_REQUEST),
        E::UnknownHost(_) => row("unknown_host", Status::MISDIRECTED_REQUEST),
        E::Unauthorized => row("unauthorized", Status::UNAUTHORIZED),
        E::Forbidden | E::BoardsOnly | E::OtherBoard => row("forbidden", Status::FORBIDDEN),
        E::KeyInAddress => row("key_in_address", Status::FORBIDDEN),
        E::Board(error) => board_row(error),
        E::WrongKeys { retry_after } => row("wrong_keys", Status::TOO_MANY_REQUESTS).again_in(*retry_after),
        E::RateLimited { retry_after } | E::TooManyReports { retry_after } => {
            row("rate_limited", Status::TOO_MANY_REQUESTS).again_in(*retry_after)
        }
        E::NoRoute => row("not_found", Status::NOT_FOUND),
        E::WrongMethod(_) => row("method_not_allowed", Status::METHOD_NOT_ALLOWED),
        E::NoRole => row("no_role", Status::FORBIDDEN),
        E::OtherOrigin => row("other_origin", Status::FORBIDDEN),
        E::NotJson => row("not_json", Status::UNSUPPORTED_MEDIA_TYPE),
        E::NotForm => row("not_form", Status::UNSUPPORTED_MEDIA_TYPE),
        E::BodyTooLarge => row("body_too_large", Status::PAYLOAD_TOO_LARGE),
        E::BodyTooSlow => row("body_too_slow", Status::REQUEST_TIMEOUT),
        E::BodiesFull => row("bodies_full", Status::SERVICE_UNAVAILABLE).again_in(BODIES_WAIT),
        E::UnknownRun => row("unknown_run", Status::NOT_FOUND),
        E::NoRows => row("no_rows", Status::NOT_FOUND),
        E::QueriesOff => row("queries_off", Status::FORBIDDEN),
        E::FeedbackOff => row("feedback_off", Status::NOT_FOUND),
        E::ResponsesFull => row("responses_full", Status::SERVICE_UNAVAILABLE).again_in(RESPONSES_WAIT),
        E::ReportedOften => row("reported_often", Status::CONFLICT),
        E::FeedbackFull => row("feedback_full", Status::SERVICE_UNAVAILABLE),
        E::ProposalsOff => row("proposals_off", Status::NOT_FOUND),
        E::UnknownProposal => row("unknown_proposal", Status::NOT_FOUND),
        E::UnknownTest => row("unknown_test", Status::NOT_FOUND),
        E::NotFromHere => row("not_from_here", Status::FORBIDDEN),
        E::Undecidable(_) => row("undecidable", Status::CONFLICT),
        E::Unwritable(_) => row("unwritable", Status::INTERNAL_SERVER_ERROR),
    }
}

/// Why a request is refused.
#[derive(Debug, thiserror::Error)]
pub(super) enum ApiError {
    /// All query parameters that are missing or invalid.
    #[error("{} parameters are missing or wrong", .0.len())]
    Parameters(Vec<ValidationError>),
    /// The service could not answer.
    #[error(transparent)]
    Service(#[from] ServiceError),
    /// The key is missing or wrong.
    #[error("a key is needed here: send the header 'Authorization: Bearer KEY'")]
    Unauthorized,
    /// The host of the request is missing or ambiguous.
    #[error("the request {0}; it must name one host")]
    BadHost(&'static str),
    /// The request is for another host.
    #[error(
        "this service does not answer to the name '{0}'; if it should, add the name to [server] allowed_hosts \
         (the variable ERUCA__SERVER__ALLOWED_HOSTS)"
    )]
    UnknownHost(String),
    /// The key does not give access to this.
    #[error("this key is for questions; this needs api_key or one of [server] operators")]
    Forbidden,
    /// The key is for pages of verified questions alone.
    #[error("this key is for pages of verified questions (/q/...) alone; this needs another key")]
    BoardsOnly,
    /// The key is for other pages.
    #[error("this key is not for this page; use the key that belongs to it")]
    OtherBoard,
    /// A key that opens more than pages stands in an address.
    #[error(
        "a key with more rights than for pages must not stand in an address; send it as a header 'Authorization: Bearer KEY', and \
         give a key of [server] board_keys away instead"
    )]
    KeyInAddress,
    /// A page of verified questions cannot be shown.
    #[error(transparent)]
    Board(BoardError),
    /// The proxy that sent the request names no role that is known.
    #[error(
        "the proxy names no role that is known here; its header is [server] role_header, and roles are [[roles]]"
    )]
    NoRole,
    /// The client has recently sent too many wrong keys.
    #[error("too many wrong keys; try again in {} s", whole_seconds(*retry_after))]
    WrongKeys {
        /// When the next key will be checked.
        retry_after: Duration,
    },
    /// The client has recently sent too many requests.
    #[error("too many requests in a minute; try again in {} s", whole_seconds(*retry_after))]
    RateLimited {
        /// When the next question will be accepted.
        retry_after: Duration,
    },
    /// There is no such route.
    #[error("there is nothing at this path; /docs lists what there is")]
    NoRoute,
    /// The route exists, for other methods.
    #[error("only {} allowed here", if .0.contains(',') { format!("{} are", .0.replace(", ", " and ")) } else { format!("{} is", .0) })]
    WrongMethod(&'static str),
    /// A page of another site made a browser send this.
    #[error(
        "this was sent by the page of another site; if it may, add its origin to [server] cors_origins \
         (the variable ERUCA__SERVER__CORS_ORIGINS)"
    )]
    OtherOrigin,
    /// The body is not JSON.
    #[error("the body must be JSON: send the header 'Content-Type: application/json'")]
    NotJson,
    /// The body is not a form.
    #[error("the body must be a form: send the header 'Content-Type: application/x-www-form-urlencoded'")]
    NotForm,
    /// The body is too long.
    #[error("the body is longer than {} bytes", super::post::MAX_BYTES)]
    BodyTooLarge,
    /// The body did not arrive, or too slowly.
    #[error("the body did not come in time; send it at once, with at least 8 KiB a second")]
    BodyTooSlow,
    /// The bodies being received use too much memory, this one the most.
    #[error("too many long requests are coming in at once; send this one again later")]
    BodiesFull,
    /// The run has no query, or not yet.
    #[error("this run has no query whose rows could be shown")]
    NoRows,
    /// There is no such run, or it is no longer kept.
    #[error("there is no run with this id; runs are kept for some time only: ask the question again")]
    UnknownRun,
    /// A query is refused, or the endpoint does not answer it.
    #[error(transparent)]
    Query(#[from] QueryError),
    /// Queries written by clients are switched off.
    #[error("queries that clients write are switched off: [server] queries is false")]
    QueriesOff,
    /// Reports are switched off.
    #[error("reports on answers are switched off: [feedback] file is empty")]
    FeedbackOff,
    /// The responses being sent have reached the memory limit.
    #[error(
        "too much is being sent already, and not read: read the other responses first, or try again in some seconds"
    )]
    ResponsesFull,
    /// There are several reports on the run already.
    #[error("this answer has been reported on three times; the last report counts")]
    ReportedOften,
    /// The client has used up its share of the report file.
    #[error("so many reports are not taken from one client in a day; try again in {} s", whole_seconds(*retry_after))]
    TooManyReports {
        /// When the next report will be accepted.
        retry_after: Duration,
    },
    /// The report file is full.
    #[error("reports on answers cannot be stored now: their file is full or cannot be written")]
    FeedbackFull,
    /// No proposals are taken.
    #[error("corrections are switched off: [feedback] proposals is false")]
    ProposalsOff,
    /// There is no such proposal.
    #[error("there is no proposal with this id about this dataset")]
    UnknownProposal,
    /// The test set has no such question.
    #[error("the test set of this dataset has no question with this id")]
    UnknownTest,
    /// No keys are asked for, and the client is on another machine.
    #[error(
        "without keys, proposals are decided on the machine of the service alone; set [server] api_key for others"
    )]
    NotFromHere,
    /// The proposal was decided already, or breaks verified questions.
    #[error("{0}")]
    Undecidable(String),
    /// What is accepted cannot be written.
    #[error("{0}")]
    Unwritable(String),
}

impl From<BoardError> for ApiError {
    fn from(error: BoardError) -> Self {
        match error {
            BoardError::Service(error) => error.into(),
            BoardError::Query(error) => error.into(),
            error => Self::Board(error),
        }
    }
}

impl From<BrowseError> for ApiError {
    fn from(error: BrowseError) -> Self {
        match error {
            BrowseError::Service(error) => error.into(),
            BrowseError::Query(error) => error.into(),
        }
    }
}

impl ApiError {
    /// An invalid query parameter.
    pub(super) fn wrong_parameter(name: &str, message: &str) -> Self {
        Self::Parameters(vec![ValidationError::of_query(name, message, "value_error")])
    }

    /// The body of the response.
    pub(super) fn body(&self) -> ErrorBody {
        match self {
            Self::Service(error) => error.body(),
            Self::Board(error) => board_body(error),
            Self::Query(QueryError::Syntax { line, column, .. }) => ErrorBody {
                line: *line,
                column: *column,
                ..ErrorBody::new(self.to_string(), api_row(self).code)
            },
            _ => ErrorBody::new(self.to_string(), api_row(self).code),
        }
    }
}

impl ResponseError for ApiError {
    fn status_code(&self) -> StatusCode {
        api_row(self).status
    }

    fn error_response(&self) -> HttpResponse {
        let ErrorRow { code: _, status, retry_after } = api_row(self);
        let mut response = HttpResponse::build(status);
        if let Some(after) = retry_after {
            response.insert_header((header::RETRY_AFTER, whole_seconds(after)));
        }
        match self {
            Self::Parameters(detail) => {
                return response.json(HttpValidationError { detail: detail.clone() });
            }
            Self::Service(ServiceError::Invalid { field, message }) => {
                let detail = vec![ValidationError::of_query(field, message, "value_error")];
                return response.json(HttpValidationError { detail });
            }
            Self::Unauthorized => response.insert_header((header::WWW_AUTHENTICATE, "Bearer")),
            Self::WrongMethod(allowed) => response.insert_header((header::ALLOW, *allowed)),
            // Any further bytes would belong to the body that was refused.
            Self::BodiesFull | Self::BodyTooSlow => response.force_close(),
            _ => &mut response,
        };
        response.json(self.body())
    }
}

/// The body with what can be chosen instead.
fn board_body(error: &BoardError) -> ErrorBody {
    let body = ErrorBody::new(error.to_string(), board_row(error).code);
    match error {
        BoardError::Several { datasets, .. } => ErrorBody { datasets: Some(datasets.clone()), ..body },
        BoardError::UnknownValue { parameter, candidates, .. }
        | BoardError::AmbiguousValue { parameter, candidates, .. } => {
            ErrorBody { parameter: Some(parameter.clone()), candidates: candidates.clone(), ..body }
        }
        BoardError::NoParameter { parameter, .. } => ErrorBody { parameter: Some(parameter.clone()), ..body },
        _ => body,
    }
}

/// A value for `Retry-After`: seconds, rounded up, at least one.
fn whole_seconds(duration: Duration) -> u64 {
    duration.as_millis().div_ceil(1000).max(1).try_into().unwrap_or(u64::MAX)
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
}
