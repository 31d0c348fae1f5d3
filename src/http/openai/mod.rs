//! OpenAI's chat API as another interface to `Service::ask`: `/v1/models`, `/v1/chat/completions`.
//!
//! ```text
//! body ─► request ─► client_tasks (titles, tags, …: answered at once)
//!                └─► history ─► Service::ask ─► steps · answer ─► Markdown ─► one body | stream of chunks
//! ```
//! Keys, limits, queue, deadline and rate limits are those of `/ask`; only the format differs. It may use the same modules as
//! `http`, and of `http` only what `/ask` uses.
//!
//! Questions start in the same function as those of `/ask` (`begin`), after the same checks; requests answered
//! without one take no place in the queue and do not count as questions. Text of graphs, models and endpoints goes through
//! `eruca_verbalize::markdown` before it becomes part of an answer. Tests: `tests/openai.rs`.

mod address;
mod answer;
mod body;
pub(super) mod chat;
mod choice;
mod client_tasks;
mod error;
mod history;
pub(super) mod models;
mod request;
mod response;
mod steps;
mod stream;
mod transcript;

pub(super) use error::{OpenAiError, OpenAiErrorBody};

use super::error::ApiError;
use actix_web::guard::{Any, Get, Head, Post};
use actix_web::web::{self, ServiceConfig};
use actix_web::{HttpResponse, Resource, Route};

/// Everything under `/v1`; its errors have OpenAI's format for any path.
pub(super) fn routes(config: &mut ServiceConfig) {
    config
        .service(read("/models", web::to(models::models)))
        .service(read("/models/{id:.+}", web::to(models::model)))
        .service(posted("/chat/completions", web::to(chat::chat)))
        .service(web::resource("/{rest:.*}").default_service(web::to(no_route)));
}

fn read(path: &str, route: Route) -> Resource {
    web::resource(path).route(route.guard(Any(Get()).or(Head()))).default_service(web::to(not_read))
}

fn posted(path: &str, route: Route) -> Resource {
    web::resource(path).route(route.guard(Post())).default_service(web::to(not_posted))
}

async fn no_route() -> Result<HttpResponse, OpenAiError> {
    Err(ApiError::NoRoute.into())
}

async fn not_posted() -> Result<HttpResponse, OpenAiError> {
    Err(ApiError::WrongMethod("POST").into())
}

async fn not_read() -> Result<HttpResponse, OpenAiError> {
    Err(ApiError::WrongMethod("GET, HEAD").into())
}
