//! Requests with a body: only JSON, of bounded size. A page can make its reader's browser send cross-site requests without
//! permission only with the content types of HTML forms, which do not include `application/json`.
//!
//! [`Posted`] is the only way to read a JSON body. Test: `tests/ask.rs`.

use super::App;
use super::body;
use super::dto::ValidationError;
use super::error::ApiError;
use crate::config::KeyScope;
use actix_web::dev::Payload;
use actix_web::web::Data;
use actix_web::{FromRequest, HttpMessage, HttpRequest};
use futures_util::future::LocalBoxFuture;
use serde::de::DeserializeOwned;

/// Maximum size of a body: a question with its history, a query with a comment.
pub(super) const MAX_BYTES: usize = 256 << 10;

/// The body of a request, parsed as JSON.
pub(super) struct Posted<T>(pub(super) T);

impl<T: DeserializeOwned + 'static> FromRequest for Posted<T> {
    type Error = ApiError;
    type Future = LocalBoxFuture<'static, Result<Self, ApiError>>;

    fn from_request(request: &HttpRequest, payload: &mut Payload) -> Self::Future {
        let (request, payload) = (request.clone(), payload.take());
        Box::pin(async move { posted(&request, payload, MAX_BYTES).await.map(Self) })
    }
}

/// The body of a request, parsed as JSON, if the client may send it and it is not longer than `most` bytes.
pub(super) async fn posted<T: DeserializeOwned>(
    request: &HttpRequest,
    mut payload: Payload,
    most: usize,
) -> Result<T, ApiError> {
    may_ask(request)?;
    // Media type parameters are ignored; for JSON, none matters.
    if request.content_type() != "application/json" {
        return Err(ApiError::NotJson);
    }
    read(&body::whole(request, &mut payload, most).await?)
}

/// Checks the client's key before anything of the body is read.
///
/// # Errors
/// When the key is missing or wrong.
pub(super) fn may_ask(request: &HttpRequest) -> Result<(), ApiError> {
    let app = request.app_data::<Data<App>>().ok_or(ApiError::NoRoute)?;
    app.gate.check_key(request, KeyScope::Questions).map(|_key| ())
}

fn read<T: DeserializeOwned>(body: &[u8]) -> Result<T, ApiError> {
    serde_json::from_slice(body).map_err(|error| wrong_body(&error.to_string()))
}

/// The error for a body that cannot be read.
pub(super) fn wrong_body(message: &str) -> ApiError {
    ApiError::Parameters(vec![ValidationError::of_body(&[], message, "json_invalid")])
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde::Deserialize;

    #[derive(Debug, Deserialize)]
    #[serde(deny_unknown_fields)]
    struct Body {
        #[serde(rename = "a")]
        _a: u8,
    }

    #[test]
    fn what_is_wrong_with_a_body_is_told() {
        let said = |text: &str| match read::<Body>(text.as_bytes()) {
            Err(ApiError::Parameters(errors)) => errors[0].msg.clone(),
            other => panic!("{:?}", other.map(|_| ())),
        };
        assert!(said("{").contains("EOF"), "{}", said("{"));
        assert!(said("{}").contains("missing field `a`"));
        assert!(said(r#"{"a":1,"b":2}"#).contains("unknown field `b`"));
        assert!(read::<Body>(br#"{"a":1}"#).is_ok());
    }
}
