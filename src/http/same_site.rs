//! Which site's page a request comes from. A page can make its reader's browser send requests to any URL, even one that only
//! the reader can reach: as the URL of a picture, it could ask questions at the reader's expense, though it never sees the
//! answer. Browsers send the page's site in `Origin` and `Sec-Fetch-Site`; programs send neither.
//!
//! All routes except free ones are behind [`only_own_pages`], new routes by default.
//!
//! Test: `tests/same_site.rs`, which walks the OpenAPI description.

use super::App;
use super::error::ApiError;
use super::host;
use crate::config::Authority;
use actix_web::body::{BoxBody, MessageBody};
use actix_web::dev::{ServiceRequest, ServiceResponse};
use actix_web::http::header::{self, HeaderMap, HeaderValue};
use actix_web::middleware::Next;
use actix_web::web::Data;
use actix_web::{Error, HttpRequest, ResponseError};

/// Refuses requests that a page of another site made a browser send, with an error of type `E`.
pub(super) async fn only_own_pages<E, B>(
    app: Data<App>,
    request: ServiceRequest,
    next: Next<B>,
) -> Result<ServiceResponse<BoxBody>, Error>
where
    E: From<ApiError> + ResponseError,
    B: MessageBody + 'static,
{
    match own_page(&app, request.request()) {
        Ok(()) => next.call(request).await.map(ServiceResponse::map_into_boxed_body),
        Err(error) => {
            tracing::debug!(%error, "refused");
            Ok(request.into_response(E::from(error).error_response()))
        }
    }
}

/// Accepts a request unless a page made a browser send it that is neither of this service nor of a configured origin.
///
/// # Errors
/// `OtherOrigin` if there is such a page.
pub(super) fn own_page(app: &App, request: &HttpRequest) -> Result<(), ApiError> {
    if app.origins.iter().any(|origin| origin == "*") {
        return Ok(());
    }
    let headers = request.headers();
    let mut origins = headers.get_all(header::ORIGIN);
    let origin = origins.next();
    let known = match (origin.map(|origin| origin.to_str()), origins.next()) {
        // Without an origin, even another page of the same site is foreign: the reader's other services have
        // the same address at other ports.
        (None, _) => return sent_by(headers, &["cross-site", "same-site"]),
        (Some(Ok(origin)), None) => origin,
        (Some(_), _) => return Err(ApiError::OtherOrigin),
    };
    if app.origins.iter().any(|origin| origin == known) {
        return Ok(());
    }
    sent_by(headers, &["cross-site"])?;
    if is_own(app, request, known) { Ok(()) } else { Err(ApiError::OtherOrigin) }
}

/// Refuses a request whose `Sec-Fetch-Site` has one of these values.
fn sent_by(headers: &HeaderMap, others: &[&str]) -> Result<(), ApiError> {
    let sent = headers.get("sec-fetch-site").map(HeaderValue::as_bytes);
    let by_another = sent.is_some_and(|sent| others.iter().any(|other| other.as_bytes() == sent));
    if by_another { Err(ApiError::OtherOrigin) } else { Ok(()) }
}

/// Whether an origin is a page of this service: it matches the host that the request is for, or a configured name, as a proxy
/// may use a different name from that of the page.
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
