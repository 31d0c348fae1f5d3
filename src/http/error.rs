//! Errors on the wire: one table from the service's errors to codes and statuses, and the bodies they are sent in.
//!
//! The errors of the service are matched without `_`, so that a new one breaks the build until it has a code.

mod documented;

pub(super) use documented::{
    AskErrors, BodyErrors, DatasetErrors, EndpointErrors, FeedbackErrors, FormErrors, HostErrors, KeyErrors,
    OperationKeyErrors, ParameterErrors, QueryErrors, QuestionErrors, RoomErrors, RowsErrors, RunErrors,
};

use super::dto::{ErrorBody, HttpValidationError, ValidationError};
use crate::service::ServiceError;
use crate::service::browse::BrowseError;
use actix_web::http::{StatusCode, header};
use actix_web::{HttpResponse, ResponseError};
use eruca_sparql::QueryError;
use std::time::Duration;

/// Seconds after which some of what is being sent has been read, or its readers are let go.
const SOON_S: u64 = 10;

/// How one kind of error looks on the wire.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct ErrorRow {
    code: &'static str,
    status: StatusCode,
}

/// The table of errors: every error of the service, its code and its status.
fn row(error: &ServiceError) -> ErrorRow {
    let (code, status) = match error {
        ServiceError::Invalid { .. } => ("invalid_parameter", StatusCode::UNPROCESSABLE_ENTITY),
        ServiceError::UnknownDataset { .. } => ("unknown_dataset", StatusCode::NOT_FOUND),
        ServiceError::NotOpened { .. } => ("dataset_not_opened", StatusCode::INTERNAL_SERVER_ERROR),
        ServiceError::NotReloaded { .. } => ("dataset_not_reloaded", StatusCode::INTERNAL_SERVER_ERROR),
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
    ErrorRow { code, status }
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
    #[error("this key is for questions; this needs api_key or one of [server] operators")]
    Forbidden,
    /// The client has sent too many wrong keys lately.
    #[error("too many wrong keys; try again in {} s", whole_seconds(*retry_after))]
    WrongKeys {
        /// When the next key is checked.
        retry_after: Duration,
    },
    /// The client has asked for too much lately.
    #[error("too many requests in a minute; try again in {} s", whole_seconds(*retry_after))]
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
    /// The body is not JSON.
    #[error("the body must be JSON: send the header 'Content-Type: application/json'")]
    NotJson,
    /// The body is not a form.
    #[error("the body must be a form: send the header 'Content-Type: application/x-www-form-urlencoded'")]
    NotForm,
    /// The body is too long.
    #[error("the body is longer than {} bytes", super::post::MAX_BYTES)]
    BodyTooLarge,
    /// The body does not come, or too slowly.
    #[error("the body did not come in time; send it at once, with at least 8 KiB a second")]
    BodyTooSlow,
    /// The bodies that are coming take too much memory, this one the most.
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
    /// Queries that a person wrote are not run here.
    #[error("queries that clients write are switched off: [server] queries is false")]
    QueriesOff,
    /// Reports are switched off here.
    #[error("reports on answers are switched off: [feedback] file is empty")]
    FeedbackOff,
    /// The responses that are being sent hold as much as they may.
    #[error(
        "too much is being sent already, and not read: read the other responses first, or try again in some seconds"
    )]
    ResponsesFull,
    /// The run has been reported on several times.
    #[error("this answer has been reported on three times; the last report counts")]
    ReportedOften,
    /// The client has filled its share of the file of reports.
    #[error("so many reports are not taken from one client in a day; try again in {} s", whole_seconds(*retry_after))]
    TooManyReports {
        /// When the next report is welcome.
        retry_after: Duration,
    },
    /// The file of reports is full.
    #[error("reports on answers cannot be stored now: their file is full or cannot be written")]
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
fn query_row(error: &QueryError) -> ErrorRow {
    let (code, status) = match error {
        QueryError::Timeout { .. } => ("query_timeout", StatusCode::GATEWAY_TIMEOUT),
        QueryError::RateLimited { .. } => ("endpoint_busy", StatusCode::SERVICE_UNAVAILABLE),
        QueryError::Unavailable { .. } => ("endpoint_down", StatusCode::BAD_GATEWAY),
        QueryError::TooLarge { .. } => ("query_too_large", StatusCode::BAD_REQUEST),
        // Also what a later version may add: the query is at fault.
        _ => ("bad_query", StatusCode::BAD_REQUEST),
    };
    ErrorRow { code, status }
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
            Self::NotForm => "not_form",
            Self::BodyTooLarge => "body_too_large",
            Self::BodyTooSlow => "body_too_slow",
            Self::BodiesFull => "bodies_full",
            Self::UnknownRun => "unknown_run",
            Self::NoRows => "no_rows",
            Self::Query(error) => query_row(error).code,
            Self::QueriesOff => "queries_off",
            Self::FeedbackOff => "feedback_off",
            Self::ResponsesFull => "responses_full",
            Self::ReportedOften => "reported_often",
            Self::TooManyReports { .. } => "rate_limited",
            Self::FeedbackFull => "feedback_full",
        }
    }

    /// The body of the response.
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
            Self::WrongKeys { .. } | Self::RateLimited { .. } | Self::TooManyReports { .. } => {
                StatusCode::TOO_MANY_REQUESTS
            }
            Self::NoRoute | Self::UnknownRun | Self::NoRows | Self::FeedbackOff => StatusCode::NOT_FOUND,
            Self::OtherOrigin | Self::QueriesOff => StatusCode::FORBIDDEN,
            Self::ReportedOften => StatusCode::CONFLICT,
            Self::Query(error) => query_row(error).status,
            Self::FeedbackFull | Self::BodiesFull | Self::ResponsesFull => StatusCode::SERVICE_UNAVAILABLE,
            Self::BodyTooSlow => StatusCode::REQUEST_TIMEOUT,
            Self::NotJson | Self::NotForm => StatusCode::UNSUPPORTED_MEDIA_TYPE,
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
            Self::WrongKeys { retry_after }
            | Self::RateLimited { retry_after }
            | Self::TooManyReports { retry_after } => {
                response.insert_header((header::RETRY_AFTER, whole_seconds(*retry_after)));
                response.json(self.body())
            }
            Self::ResponsesFull => {
                response.insert_header((header::RETRY_AFTER, SOON_S));
                response.json(self.body())
            }
            Self::BodiesFull => {
                response.insert_header((header::RETRY_AFTER, 1u64));
                response.force_close().json(self.body())
            }
            // What else would come belongs to a request that is over.
            Self::BodyTooSlow => response.force_close().json(self.body()),
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
            | Self::NotForm
            | Self::BodyTooLarge
            | Self::UnknownRun
            | Self::NoRows
            | Self::Query(_)
            | Self::QueriesOff
            | Self::FeedbackOff
            | Self::ReportedOften
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
        | ServiceError::NotOpened { .. }
        | ServiceError::NotReloaded { .. }
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
        | ServiceError::NotOpened { .. }
        | ServiceError::NotReloaded { .. }
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
        | ServiceError::NotOpened { .. }
        | ServiceError::NotReloaded { .. }
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
