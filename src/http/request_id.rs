//! An id for every request, used in the log, the response, and the query log.

use actix_web::body::MessageBody;
use actix_web::dev::{ServiceRequest, ServiceResponse};
use actix_web::http::header::{HeaderName, HeaderValue};
use actix_web::middleware::Next;
use actix_web::{Error, HttpMessage, HttpRequest};
use tracing::Instrument;
use uuid::Uuid;

/// The header with the id, in responses and optionally in requests.
const HEADER: HeaderName = HeaderName::from_static("x-request-id");
/// Maximum length of an id sent by a client.
const MAX_CHARS: usize = 64;

#[derive(Clone)]
struct RequestId(String);

/// Gives the request an id, which is added to all log messages about it.
pub(super) async fn with_id(
    request: ServiceRequest,
    next: Next<impl MessageBody>,
) -> Result<ServiceResponse<impl MessageBody>, Error> {
    let id = brought(request.request()).unwrap_or_else(|| Uuid::new_v4().simple().to_string());
    request.extensions_mut().insert(RequestId(id.clone()));
    let empty = tracing::field::Empty;
    let span = tracing::info_span!("request", id, key = empty, role = empty, user = empty);
    let mut response = next.call(request).instrument(span).await?;
    if let Ok(value) = HeaderValue::try_from(id) {
        response.headers_mut().insert(HEADER, value);
    }
    Ok(response)
}

/// The id of a request.
pub(super) fn id_of(request: &HttpRequest) -> String {
    request.extensions().get::<RequestId>().map(|id| id.0.clone()).unwrap_or_default()
}

/// The client's own id, if it is safe to log.
fn brought(request: &HttpRequest) -> Option<String> {
    let id = request.headers().get(HEADER)?.to_str().ok()?;
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "-_.:".contains(c);
    ((1..=MAX_CHARS).contains(&id.len()) && id.chars().all(is_plain)).then(|| id.to_owned())
}
