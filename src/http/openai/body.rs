//! The body of a chat request: with the same checks as every body, but a higher size limit, as front ends send the whole
//! conversation with every question.

use super::error::OpenAiError;
use super::request::ChatRequestDto;
use crate::http::post;
use actix_web::dev::Payload;
use actix_web::{FromRequest, HttpRequest};
use futures_util::future::LocalBoxFuture;

/// Maximum size of a body.
pub(super) const MAX_BYTES: usize = 4 << 20;

/// A chat request.
pub(in crate::http) struct Sent(pub(super) ChatRequestDto);

impl FromRequest for Sent {
    type Error = OpenAiError;
    type Future = LocalBoxFuture<'static, Result<Self, OpenAiError>>;

    fn from_request(request: &HttpRequest, payload: &mut Payload) -> Self::Future {
        let (request, payload) = (request.clone(), payload.take());
        Box::pin(async move { Ok(Self(post::posted(&request, payload, MAX_BYTES).await?)) })
    }
}
