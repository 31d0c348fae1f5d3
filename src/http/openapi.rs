//! The OpenAPI description, generated from the handlers and the DTOs.

use super::dto;
use super::openai;
use super::routes::{
    ask, boards, browse, claims, complete, datasets, feedback, gerbil, graph, health, learn, link, mcp,
    metrics, page, query, ready, reload, runs, test_set, text2sparql, why,
};
use utoipa::OpenApi;

/// The description of the whole HTTP interface.
#[derive(OpenApi)]
#[openapi(
    info(
        title = "Eruca",
        description = "Questions in plain language over RDF graphs, answered with SPARQL that has been run. \
                       `/text2sparql` is the interface of the TEXT2SPARQL challenge."
    ),
    paths(
        text2sparql::text2sparql,
        text2sparql::root,
        ask::ask,
        openai::models::models,
        openai::models::model,
        openai::chat::chat,
        runs::run,
        runs::events,
        runs::rows,
        claims::claims,
        graph::graph,
        query::query,
        complete::complete,
        gerbil::gerbil,
        gerbil::gerbil_about,
        mcp::mcp,
        feedback::feedback,
        why::why,
        datasets::datasets,
        browse::card,
        browse::search,
        browse::entry,
        browse::places,
        link::link,
        boards::list,
        boards::page,
        boards::json,
        boards::file,
        boards::candidates,
        page::config,
        health::health,
        ready::ready,
        reload::reload,
        learn::proposals,
        learn::trial,
        learn::decide,
        test_set::tests,
        test_set::judge,
        test_set::compare,
        test_set::again,
        metrics::metrics,
    ),
    components(schemas(dto::HttpValidationError, eruca_api::ErrorBody, openai::OpenAiErrorBody)),
    tags(
        (name = "questions", description = "From questions to SPARQL."),
        (name = "graphs", description = "Exploring a graph."),
        (name = "boards", description = "Pages of verified questions."),
        (name = "operation", description = "What is served and how it is doing."),
    ),
)]
pub struct ApiDoc;

/// The description as YAML, as stored in `openapi.yaml`.
///
/// # Errors
/// When it cannot be serialized as YAML.
pub fn yaml() -> Result<String, std::io::Error> {
    ApiDoc::openapi().to_yaml().map_err(std::io::Error::other)
}
