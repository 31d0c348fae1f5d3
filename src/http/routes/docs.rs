//! `GET /docs`: Swagger UI, for trying the interface in a browser.

use crate::http::error::ApiError;
use actix_web::HttpResponse;
use actix_web::http::header;
use actix_web::web::Path;
use std::sync::Arc;
use utoipa_swagger_ui::{Config, serve};

/// Redirects to /docs/: with the slash, relative links of the page work.
pub(in crate::http) async fn to_docs() -> HttpResponse {
    HttpResponse::Found().insert_header((header::LOCATION, "/docs/")).finish()
}

/// Swagger UI and its files. Unlike the other routes, the handler of the crate does not support HEAD.
pub(in crate::http) async fn docs(path: Path<String>) -> Result<HttpResponse, ApiError> {
    let file = serve(&path, Arc::new(Config::from("/openapi.json")));
    let file = file.map_err(|error| {
        tracing::error!(%error, "Swagger UI cannot be shown");
        ApiError::NoRoute
    })?;
    let Some(file) = file else { return Err(ApiError::NoRoute) };
    let mut response = HttpResponse::Ok();
    if file.gzpipped {
        response.insert_header((header::CONTENT_ENCODING, header::ContentEncoding::Gzip));
    }
    Ok(response.content_type(file.content_type).body(file.bytes.into_owned()))
}
