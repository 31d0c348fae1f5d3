//! Which pages of other sites may show pages of verified questions in a frame: those that are configured; all else cannot be framed.

use actix_web::body::MessageBody;
use actix_web::dev::{ServiceRequest, ServiceResponse};
use actix_web::http::header;
use actix_web::middleware::Next;
use actix_web::{Error, HttpResponse};

/// The mark of a response whose policy says who may frame it.
struct Framed;

/// Marks a response: its own policy counts, and not the header for older browsers, which knows no list of origins.
pub(super) fn mark(response: &mut HttpResponse) {
    response.extensions_mut().insert(Framed);
}

/// Leaves the header for older browsers out of marked responses.
pub(super) async fn by_policy<B: MessageBody>(
    request: ServiceRequest,
    next: Next<B>,
) -> Result<ServiceResponse<B>, Error> {
    let mut response = next.call(request).await?;
    if response.response().extensions().contains::<Framed>() {
        response.headers_mut().remove(header::X_FRAME_OPTIONS);
    }
    Ok(response)
}
