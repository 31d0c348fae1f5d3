//! Errors as expected by OpenAI's clients: `{"error": {message, type, param, code}}`, with statuses that tell them whether to
//! try again.

use crate::http::dto::ValidationError;
use crate::http::error::ApiError;
use crate::service::ServiceError;
use actix_web::body::BoxBody;
use actix_web::http::{StatusCode, header};
use actix_web::{HttpResponse, ResponseError};
use eruca_api::ErrorBody;
use serde::Serialize;
use std::time::Duration;
use utoipa::openapi::{ContentBuilder, Ref, RefOr, Response, ResponseBuilder};
use utoipa::{IntoResponses, ToSchema};

/// Why a request was refused or failed.
#[derive(Debug, thiserror::Error)]
pub(in crate::http) enum OpenAiError {
    /// Errors of any route.
    #[error(transparent)]
    Api(#[from] ApiError),
    /// A field of the body is invalid.
    #[error("{message}")]
    Invalid {
        /// The field.
        param: &'static str,
        /// What is wrong, and what is allowed.
        message: String,
    },
}

/// An error on the wire.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
#[schema(as = OpenAiErrorResponse)]
pub struct OpenAiErrorBody {
    /// What happened.
    pub error: OpenAiErrorDetail,
}

/// What happened.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
#[schema(as = OpenAiError)]
pub struct OpenAiErrorDetail {
    /// In words for people.
    pub message: String,
    /// The side of the error: `invalid_request_error`, `rate_limit_error` or `server_error`.
    #[serde(rename = "type")]
    pub kind: &'static str,
    /// The field of the request that is wrong.
    pub param: Option<String>,
    /// For programs: `invalid_api_key`, `model_not_found`, `rate_limit_exceeded`, `overloaded`, ...
    pub code: Option<String>,
}

impl From<ServiceError> for OpenAiError {
    fn from(error: ServiceError) -> Self {
        Self::Api(error.into())
    }
}

impl OpenAiError {
    /// The error for an invalid field of the body.
    pub(super) fn invalid(param: &'static str, message: &str) -> Self {
        Self::Invalid { param, message: message.to_owned() }
    }

    /// The body of the response.
    pub(super) fn body(&self) -> OpenAiErrorBody {
        OpenAiErrorBody { error: self.detail() }
    }

    fn detail(&self) -> OpenAiErrorDetail {
        let kind = kind(self.status_code());
        let (message, param, code) = match self {
            Self::Invalid { param, message } => {
                (message.clone(), Some((*param).to_owned()), Some("invalid_value".to_owned()))
            }
            Self::Api(ApiError::Parameters(errors)) => of_parameters(errors),
            Self::Api(ApiError::Service(ServiceError::Invalid { field, message })) => {
                (message.clone(), Some(named(field).to_owned()), Some("invalid_value".to_owned()))
            }
            Self::Api(ApiError::BodyTooLarge) => {
                let message = format!("the body is longer than {} bytes", super::body::MAX_BYTES);
                (message, None, Some("body_too_large".to_owned()))
            }
            Self::Api(error) => {
                let ErrorBody { detail, code, .. } = error.body();
                let param = is_of_model(error).then(|| "model".to_owned());
                (detail, param, Some(well_known(error).map_or(code.into_owned(), str::to_owned)))
            }
        };
        OpenAiErrorDetail { message, kind, param, code }
    }
}

/// The names in OpenAI's API for fields of the service's own bodies.
fn named(field: &str) -> &str {
    match field {
        "dataset" => "model",
        _ => "messages",
    }
}

fn of_parameters(errors: &[ValidationError]) -> (String, Option<String>, Option<String>) {
    let messages: Vec<&str> = errors.iter().map(|error| error.msg.as_str()).collect();
    let first = errors.first();
    let param = first.and_then(|error| error.loc.get(1)).cloned();
    (messages.join("; "), param, first.map(|error| error.kind.to_owned()))
}

fn is_of_model(error: &ApiError) -> bool {
    matches!(error, ApiError::Service(ServiceError::UnknownDataset { .. }))
}

/// OpenAI's code for an error, which programs may check for.
fn well_known(error: &ApiError) -> Option<&'static str> {
    match error {
        ApiError::Unauthorized => Some("invalid_api_key"),
        ApiError::RateLimited { .. } => Some("rate_limit_exceeded"),
        ApiError::Service(ServiceError::UnknownDataset { .. }) => Some("model_not_found"),
        _ => None,
    }
}

fn kind(status: StatusCode) -> &'static str {
    match status {
        StatusCode::TOO_MANY_REQUESTS => "rate_limit_error",
        status if status.is_server_error() => "server_error",
        _ => "invalid_request_error",
    }
}

impl ResponseError for OpenAiError {
    fn status_code(&self) -> StatusCode {
        match self {
            Self::Invalid { .. } => StatusCode::BAD_REQUEST,
            // FastAPI's status 422 is 400 here.
            Self::Api(error) => match error.status_code() {
                StatusCode::UNPROCESSABLE_ENTITY => StatusCode::BAD_REQUEST,
                status => status,
            },
        }
    }

    fn error_response(&self) -> HttpResponse<BoxBody> {
        let mut response = HttpResponse::build(self.status_code());
        if let Self::Api(error) = self {
            // When to try again, and how to send a key, is reported as on all other routes.
            let told = error.error_response();
            for name in [header::RETRY_AFTER, header::WWW_AUTHENTICATE, header::ALLOW] {
                if let Some(value) = told.headers().get(&name) {
                    response.insert_header((name, value.clone()));
                }
            }
        }
        response.json(self.body())
    }
}

/// The documented errors of routes that ask for a key alone.
pub(super) struct ModelErrors;

impl IntoResponses for ModelErrors {
    fn responses() -> std::collections::BTreeMap<String, RefOr<Response>> {
        let slowed = ApiError::WrongKeys { retry_after: Duration::from_secs(6) };
        [
            documented(ApiError::Unauthorized, "The key is missing or wrong, where one is required."),
            documented(ApiError::OtherOrigin, "The page of another site has sent this request."),
            documented(slowed, "The client has sent too many requests, where that is limited, or too many wrong keys (with Retry-After)."),
        ]
        .into()
    }
}

/// The documented errors of routes that name a model.
pub(super) struct UnknownModel;

impl IntoResponses for UnknownModel {
    fn responses() -> std::collections::BTreeMap<String, RefOr<Response>> {
        let unknown =
            ServiceError::UnknownDataset { asked: "wiki".to_owned(), known: vec!["demo".to_owned()] };
        [documented(unknown, "No dataset has this id or alias.")].into()
    }
}

/// The documented errors of a question.
pub(super) struct ChatErrors;

impl IntoResponses for ChatErrors {
    fn responses() -> std::collections::BTreeMap<String, RefOr<Response>> {
        let mut responses = ModelErrors::responses();
        responses.extend(UnknownModel::responses());
        let limited = ApiError::RateLimited { retry_after: Duration::from_secs(3) };
        let full = ServiceError::Overloaded { limit: 8, waiting: 16, retry_after: Duration::from_secs(5) };
        let down = ServiceError::EndpointDown {
            dataset: "demo".to_owned(),
            endpoint: "https://example.org/sparql".to_owned(),
            reason: "connection refused".to_owned(),
        };
        responses.extend([
            documented(OpenAiError::invalid("n", "'n' must be 1: a question has one answer"), "The body is invalid, or it is not clear which host the request is for."),
            documented(ApiError::BodyTooLarge, "The body is too long."),
            documented(ApiError::BodyTooSlow, "The body does not come, or too slowly."),
            documented(ApiError::NotJson, "The Content-Type is not JSON."),
            documented(limited, "The client has asked too many questions, where that is limited, or sent too many wrong keys (with Retry-After)."),
            documented(ServiceError::Internal(String::new()), "An error inside Eruca, or a damaged index."),
            documented(down, "The dataset's SPARQL endpoint does not answer."),
            documented(full, "The configured numbers of questions are being answered and waiting (with Retry-After)."),
        ]);
        responses
    }
}

/// A status with an example of its body.
fn documented(error: impl Into<OpenAiError>, description: &str) -> (String, RefOr<Response>) {
    let error = error.into();
    let schema = Ref::from_schema_name("OpenAiErrorResponse");
    let example = serde_json::to_value(error.body()).ok();
    let content = ContentBuilder::new().schema(Some(schema)).example(example).build();
    let response = ResponseBuilder::new().description(description).content("application/json", content);
    (error.status_code().as_str().to_owned(), RefOr::T(response.build()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn told(error: impl Into<OpenAiError>) -> (u16, OpenAiErrorDetail) {
        let error = error.into();
        (error.status_code().as_u16(), error.detail())
    }

    #[test]
    fn programs_know_errors_by_status_and_code() {
        let (status, key) = told(ApiError::Unauthorized);
        assert_eq!(
            (status, key.kind, key.code.as_deref()),
            (401, "invalid_request_error", Some("invalid_api_key"))
        );
        let unknown = ServiceError::UnknownDataset { asked: "x".to_owned(), known: vec!["demo".to_owned()] };
        let (status, model) = told(unknown);
        assert_eq!(
            (status, model.param.as_deref(), model.code.as_deref()),
            (404, Some("model"), Some("model_not_found"))
        );
        assert!(model.message.contains("demo"));
        let (status, limited) = told(ApiError::RateLimited { retry_after: Duration::from_secs(3) });
        assert_eq!((status, limited.kind), (429, "rate_limit_error"));
        let (status, long) =
            told(ServiceError::Invalid { field: "question", message: "too long".to_owned() });
        assert_eq!(
            (status, long.param.as_deref(), long.message.as_str()),
            (400, Some("messages"), "too long")
        );
        let (status, fault) = told(ServiceError::Internal("password is hunter2".to_owned()));
        assert_eq!((status, fault.kind), (500, "server_error"));
        assert!(!fault.message.contains("hunter2"));
    }

    #[test]
    fn when_to_try_again_is_told_as_everywhere() {
        let header = |error: OpenAiError, name: &str| {
            let response = error.error_response();
            response.headers().get(name).map(|value| value.to_str().unwrap().to_owned())
        };
        let full = ServiceError::Overloaded { limit: 1, waiting: 0, retry_after: Duration::from_secs(5) };
        assert_eq!(header(full.into(), "retry-after").as_deref(), Some("5"));
        assert_eq!(header(ApiError::Unauthorized.into(), "www-authenticate").as_deref(), Some("Bearer"));
        assert_eq!(header(ApiError::WrongMethod("POST").into(), "allow").as_deref(), Some("POST"));
    }
}
