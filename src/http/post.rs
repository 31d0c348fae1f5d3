//! Requests with a body: JSON alone, of a bounded size, and not sent by the page of another site.
//!
//! A page can make its reader's browser send requests to any address, also to one that only the reader can reach. It can do
//! so unasked only in the few forms that HTML has always had, to which `application/json` does not belong; and browsers
//! say in `Origin` and `Sec-Fetch-Site` whose page it is.

use super::App;
use super::body;
use super::dto::ValidationError;
use super::error::ApiError;
use super::host;
use crate::config::{Authority, KeyScope};
use actix_web::dev::Payload;
use actix_web::http::header::{self, HeaderMap, HeaderValue};
use actix_web::web::Data;
use actix_web::{FromRequest, HttpMessage, HttpRequest};
use futures_util::future::LocalBoxFuture;
use serde::de::DeserializeOwned;

/// Longest body read: a question with its history, a query with a comment.
pub(super) const MAX_BYTES: usize = 256 << 10;

/// The body of a request, read as JSON.
pub(super) struct Posted<T>(pub(super) T);

impl<T: DeserializeOwned + 'static> FromRequest for Posted<T> {
    type Error = ApiError;
    type Future = LocalBoxFuture<'static, Result<Self, ApiError>>;

    fn from_request(request: &HttpRequest, payload: &mut Payload) -> Self::Future {
        let (request, payload) = (request.clone(), payload.take());
        Box::pin(async move { posted(&request, payload, MAX_BYTES).await.map(Self) })
    }
}

/// The body of a request, read as JSON, if it may be sent at all and is not longer than `most` bytes.
pub(super) async fn posted<T: DeserializeOwned>(
    request: &HttpRequest,
    mut payload: Payload,
    most: usize,
) -> Result<T, ApiError> {
    may_ask(request)?;
    // Without its parameters, of which JSON has none that matter.
    if request.content_type() != "application/json" {
        return Err(ApiError::NotJson);
    }
    read(&body::whole(request, &mut payload, most).await?)
}

/// Looks at who sends a question, before anything is read from who may not ask.
///
/// # Errors
/// When the page of another site sends it, or the key is missing or wrong.
pub(super) fn may_ask(request: &HttpRequest) -> Result<(), ApiError> {
    let app = request.app_data::<Data<App>>().ok_or(ApiError::NoRoute)?;
    own_page(app, request)?;
    app.gate.check_key(request, KeyScope::Questions).map(|_key| ())
}

fn read<T: DeserializeOwned>(body: &[u8]) -> Result<T, ApiError> {
    serde_json::from_slice(body).map_err(|error| wrong_body(&error.to_string()))
}

/// A body that cannot be read.
pub(super) fn wrong_body(message: &str) -> ApiError {
    ApiError::Parameters(vec![ValidationError::of_body(&[], message, "json_invalid")])
}

/// Lets a request pass that no page has made a browser send, or a page of this service or of a configured origin.
///
/// # Errors
/// `OtherOrigin` when another page has.
pub(super) fn own_page(app: &App, request: &HttpRequest) -> Result<(), ApiError> {
    let headers = request.headers();
    let mut origins = headers.get_all(header::ORIGIN);
    let origin = origins.next();
    let known = match (origin.map(|origin| origin.to_str()), origins.next()) {
        (None, _) => return cross_site(headers),
        (Some(Ok(origin)), None) => origin,
        (Some(_), _) => return Err(ApiError::OtherOrigin),
    };
    let configured = app.origins.iter().any(|origin| origin == "*" || origin == known);
    if configured {
        return Ok(());
    }
    cross_site(headers)?;
    if is_own(app, request, known) { Ok(()) } else { Err(ApiError::OtherOrigin) }
}

fn cross_site(headers: &HeaderMap) -> Result<(), ApiError> {
    match headers.get("sec-fetch-site").map(HeaderValue::as_bytes) {
        Some(b"cross-site") => Err(ApiError::OtherOrigin),
        Some(_) | None => Ok(()),
    }
}

/// Whether an origin is a page of this service: by the name that the request is for, or one that is configured, as a proxy
/// may ask by another name than the page has.
fn is_own(app: &App, request: &HttpRequest, origin: &str) -> bool {
    let usual = match origin.split_once("://") {
        Some(("http", _)) => 80,
        Some(("https", _)) => 443,
        Some(_) | None => return false,
    };
    let Some(page) = origin.split_once("://").and_then(|(_, page)| Authority::parse(page)) else {
        return false;
    };
    let asked = host::named(request).ok().flatten();
    let same = asked.is_some_and(|asked| {
        asked.host == page.host && asked.port.unwrap_or(usual) == page.port.unwrap_or(usual)
    });
    same || app.names.is_configured(&page)
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
