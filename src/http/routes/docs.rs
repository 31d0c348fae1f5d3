//! `GET /docs`: Swagger UI, with which the interface can be tried in a browser.

use crate::http::error::ApiError;
use actix_web::HttpResponse;
use actix_web::http::header;
use actix_web::web::Path;
use std::sync::Arc;
use utoipa_swagger_ui::{Config, serve};

/// The page is at /docs/, with the slash, so that it finds its files.
pub(in crate::http) async fn to_docs() -> HttpResponse {
    HttpResponse::Found().insert_header((header::LOCATION, "/docs/")).finish()
}

/// The page and its files. Swagger's own handler has no HEAD, which others here have.
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
