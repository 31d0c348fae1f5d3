//! The HTTP service: the only place that knows status codes and the OpenAPI description.
//!
//! [`server`] is used by the command line and the tests. Uses the service, its traces and the configuration.
//!
//! No other module knows actix, utoipa, the DTOs and status codes, except the command line and benchmarks, which
//! use the DTOs (test: `tests/layering.rs`). Every route that costs something passes `Gate::admit`, as a question or
//! as a look-up; each kind has its own rate and capacity, so that neither blocks the other (test: `tests/fair.rs`).
//! How to add a route: docs/extending.md.

mod body;
mod connections;
pub mod dto;
mod error;
mod events;
mod export;
mod failing;
mod feedback;
mod form;
mod frames;
mod freshness;
mod gate;
mod host;
mod insight;
mod keys;
mod listen;
mod mcp;
mod metrics;
mod open_files;
mod openai;
mod openapi;
mod page;
mod params;
mod people;
mod post;
mod proposals;
mod query_log;
mod questions;
mod request_id;
mod responses;
mod roles;
mod routes;
mod runs;
mod same_site;
mod stop;
mod tls;

pub use mcp::host as mcp_host;
pub use open_files::{OpenFilesError, enough_open_files};
pub use openapi::{ApiDoc, yaml};
pub use query_log::{QueryLog, QueryLogError};
pub use stop::{ReloadSignal, overdue};
pub use tls::{Tls, TlsError};

use crate::config::{PageSettings, Settings};
use crate::service::{RunId, Service, ServiceError};
use actix_cors::Cors;
use actix_web::http::header;
use actix_web::middleware::{Condition, DefaultHeaders, from_fn};
use actix_web::web::{self, Bytes, Data, ServiceConfig};
use actix_web::{HttpResponse, Resource, Route, guard};
use body::Bodies;
use connections::Connections;
use error::ApiError;
use feedback::Feedback;
use gate::Gate;
use host::HostNames;
use listen::Listening;
use metrics::Metrics;
use openai::OpenAiError;
use page::Page;
use proposals::Proposals;
use responses::Responses;
use roles::RoleApps;
use routes::{
    ask, boards, browse, claims, complete, datasets, docs, gerbil, graph, health, link, query, ready,
    runs as run_routes, text2sparql, why,
};
use runs::{FoundRun, Runs, Seals};
use same_site::only_own_pages;
use std::net::TcpListener;
use std::path::PathBuf;
use std::sync::{Arc, OnceLock};
use utoipa::OpenApi;

/// How long browsers may cache CORS responses, in seconds.
const CORS_MAX_AGE: usize = 3600;

/// State shared by handlers: that of everybody, or of a role.
#[derive(Clone)]
struct App {
    service: Arc<Service>,
    /// The role that it is of.
    role: Option<String>,
    max_question_chars: usize,
    names: Arc<HostNames>,
    gate: Arc<Gate>,
    metrics: Arc<Metrics>,
    query_log: Option<Arc<QueryLog>>,
    bodies: Arc<Bodies>,
    responses: Arc<Responses>,
    /// Whether clients connect by TLS without a proxy.
    tls: bool,
    /// Origins of other sites whose pages may call the service.
    origins: Vec<String>,
    runs: Arc<Runs>,
    page: Option<Arc<Page>>,
    page_settings: Option<PageSettings>,
    queries: bool,
    /// The public URL of the service, for browsers.
    public_url: Option<String>,
    feedback: Option<Arc<Feedback>>,
    proposals: Option<Arc<Proposals>>,
    /// Where the query log is.
    questions_folder: Option<PathBuf>,
}

impl App {
    fn open(
        service: Arc<Service>,
        settings: &Settings,
        query_log: Option<QueryLog>,
    ) -> Result<Self, std::io::Error> {
        let Settings { server, page, runs, feedback, log, roles, .. } = settings;
        Ok(Self {
            service,
            role: None,
            max_question_chars: server.max_question_chars,
            names: Arc::new(HostNames::new(server)),
            gate: Arc::new(Gate::new(server, roles)),
            metrics: Arc::new(Metrics::new()),
            query_log: query_log.map(Arc::new),
            bodies: Arc::new(Bodies::new(server.client_timeout)),
            responses: Arc::default(),
            tls: server.tls().is_some(),
            origins: server.cors_origins.clone(),
            runs: Runs::open(runs)?,
            page: server.page.then(|| Page::new(page, &server.embed_origins).map(Arc::new)).transpose()?,
            page_settings: server.page.then(|| page.clone()),
            queries: server.queries,
            public_url: server.public_url.clone(),
            feedback: Feedback::open(feedback)?,
            proposals: settings.proposals_folder().map(|folder| Arc::new(Proposals::new(folder))),
            questions_folder: log.questions_folder.clone(),
        })
    }

    /// The same for a role, with its service. What bounds clients and what is written is shared.
    fn for_role(&self, role: &str, service: Arc<Service>) -> Self {
        Self { service, role: Some(role.to_owned()), ..self.clone() }
    }

    /// What is seen here now, for the seals of runs.
    fn seals(&self) -> Arc<Seals> {
        Arc::new(Seals { role: self.role.clone(), hidden: self.service.seals() })
    }

    /// A run, if the one who asked it saw the same as is seen here.
    async fn kept_run(&self, id: RunId) -> Option<FoundRun> {
        let found = self.runs.find(id).await?;
        let dataset = found.run().dataset.clone();
        (found.seal(&dataset) == self.seals().of(&dataset)).then_some(found)
    }
}

/// A server on `listener`, with TLS if there is a certificate; it runs while it is awaited. SIGTERM, SIGINT and the closing
/// of its terminal stop it: it accepts no further connections, and running questions get the configured time to finish.
///
/// # Errors
/// When the system rejects the listener.
pub fn server(
    listener: TcpListener,
    service: Arc<Service>,
    settings: &Settings,
    query_log: Option<QueryLog>,
    tls: Option<Tls>,
) -> Result<actix_web::dev::Server, std::io::Error> {
    let app = Data::new(App::open(service, settings, query_log)?);
    let settings = &settings.server;
    let mcp = settings.mcp.then(|| Data::new(mcp::McpEndpoint::new(app.clone().into_inner())));
    let roles = Data::new(RoleApps::of(&app, settings.mcp));
    let origins = settings.cors_origins.clone();
    let each = match settings.client_header {
        // All their connections have the address of the proxy.
        Some(_) => usize::MAX,
        None => settings.connections_per_client,
    };
    let most = open_files::connections(settings.max_connections);
    let listening = Listening {
        connections: Connections::new(most, each),
        most,
        client_timeout: settings.client_timeout,
        stop_timeout: settings.stop_timeout,
        tls: tls.map(|tls| tls.config().map(Arc::new)).transpose().map_err(std::io::Error::other)?,
    };
    let app = move || {
        actix_web::App::new()
            .app_data(app.clone())
            .app_data(roles.clone())
            .configure(|config| routes(config, mcp.as_ref()))
            .wrap(from_fn(roles::with_role))
            .wrap(from_fn(responses::bounded))
            .wrap(Condition::new(!origins.is_empty(), cors(&origins)))
            .wrap(from_fn(host::only_own_names))
            .wrap(security_headers())
            .wrap(from_fn(frames::by_policy))
            .wrap(from_fn(request_id::with_id))
            .wrap(from_fn(listen::with_place))
    };
    listen::server(listening, listener, app, stop::stop_signal())
}

/// The last questions about a dataset, the newest first, for programs without a service: of the folder of kept runs or, if there is
/// none, of the query log.
pub fn recent_questions(settings: &Settings, dataset: &str, most: usize) -> Vec<String> {
    let of_runs = |folder: &PathBuf| runs::recent_in(folder, dataset, most);
    let kept = settings.runs.folder.as_ref().map(of_runs).unwrap_or_default();
    let logged = |folder: &PathBuf| query_log::recent(folder, dataset, most);
    match kept.is_empty() {
        true => settings.log.questions_folder.as_ref().map(logged).unwrap_or_default(),
        false => kept,
    }
}

/// Free routes come first; all others refuse pages of other sites.
fn routes(config: &mut ServiceConfig, mcp: Option<&Data<mcp::McpEndpoint>>) {
    if let Some(face) = mcp {
        // Beside the state of everybody, so that a role can have its own.
        config.app_data(face.clone());
    }
    config
        .service(resource("/", web::to(text2sparql::root)))
        .service(resource("/runs/{id}", web::to(routes::page::index)).guard(guard::fn_guard(for_browsers)))
        .service(
            resource("/q/{names:[^/.]+}", web::to(routes::page::framed)).guard(guard::fn_guard(for_browsers)),
        )
        .service(resource("/learn", web::to(routes::page::index)))
        .service(resource("/test", web::to(routes::page::index)))
        .service(resource("/config.json", web::to(routes::page::config)))
        .service(resource("/ui/{file}", web::to(routes::page::file)))
        .service(resource("/health", web::to(health::health)))
        .service(resource("/ready", web::to(ready::ready)))
        .service(resource("/metrics", web::to(routes::metrics::metrics)))
        .service(resource("/openapi.json", web::to(description)))
        .service(resource("/docs", web::to(docs::to_docs)))
        .service(resource("/docs/{file:.*}", web::to(docs::docs)))
        .service(web::scope("/v1").wrap(from_fn(only_own_pages::<OpenAiError, _>)).configure(openai::routes))
        .service(
            web::scope("")
                .wrap(from_fn(only_own_pages::<ApiError, _>))
                .configure(|config| mcp_route(config, mcp.is_some()))
                .configure(guarded)
                .default_service(web::to(no_route)),
        );
}

fn mcp_route(config: &mut ServiceConfig, is_served: bool) {
    if is_served {
        config.service(posted("/mcp", web::to(routes::mcp::mcp)));
    }
}

fn guarded(config: &mut ServiceConfig) {
    config
        .service(resource("/text2sparql", web::to(text2sparql::text2sparql)))
        .service(resource("/text2sparql/", web::to(text2sparql::text2sparql)))
        .service(posted("/ask", web::to(ask::ask)))
        .service(resource("/runs/{id}", web::to(run_routes::run)))
        .service(resource("/runs/{id}/events", web::to(run_routes::events)))
        .service(resource("/runs/{id}/rows", web::to(run_routes::rows)))
        .service(resource("/runs/{id}/graph", web::to(graph::graph)))
        .service(resource("/runs/{id}/claims", web::to(claims::claims)))
        .service(resource("/runs/{id}/rows/{row}/why", web::to(why::why)))
        .service(resource("/datasets", web::to(datasets::datasets)))
        .service(resource("/datasets/{id}/card", web::to(browse::card)))
        .service(resource("/datasets/{id}/search", web::to(browse::search)))
        .service(resource("/datasets/{id}/entry", web::to(browse::entry)))
        .service(resource("/datasets/{id}/places", web::to(browse::places)))
        .service(resource("/q", web::to(boards::list)))
        .service(resource("/q/{name:[^/.]+}.json", web::to(boards::json)))
        .service(resource("/q/{name:[^/.]+}.{format:[a-z]+}", web::to(boards::file)))
        .service(resource("/q/{name:[^/.]+}/candidates", web::to(boards::candidates)))
        .service(resource("/q/{names:[^/.]+}", web::to(boards::page)))
        .service(resource("/datasets/{id}/proposals", web::to(routes::learn::proposals)))
        .service(posted("/datasets/{id}/proposals/{proposal}", web::to(routes::learn::decide)))
        .service(posted("/datasets/{id}/proposals/{proposal}/trial", web::to(routes::learn::trial)))
        .service(
            web::resource("/datasets/{id}/tests")
                .route(web::get().to(routes::test_set::tests))
                .route(web::head().to(routes::test_set::tests))
                .route(web::post().to(routes::test_set::judge))
                .default_service(web::to(wrong_method_of_tests)),
        )
        .service(posted("/datasets/{id}/tests/compare", web::to(routes::test_set::compare)))
        .service(posted("/datasets/{id}/tests/{test}/again", web::to(routes::test_set::again)))
        .service(posted("/datasets/{id}/reload", web::to(routes::reload::reload)))
        .service(posted("/query", web::to(query::query)))
        .service(posted("/complete", web::to(complete::complete)))
        .service(posted("/link", web::to(link::link)))
        .service(posted("/gerbil", web::to(gerbil::gerbil)))
        .service(posted("/gerbil/{dataset}", web::to(gerbil::gerbil_about)))
        .service(posted("/feedback", web::to(routes::feedback::feedback)));
}

fn resource(path: &str, route: Route) -> Resource {
    web::resource(path)
        .route(route.guard(guard::Any(guard::Get()).or(guard::Head())))
        .default_service(web::to(wrong_method))
}

/// Whether a request is for the page rather than for the data that it shows.
fn for_browsers(context: &guard::GuardContext<'_>) -> bool {
    let accept = context.head().headers().get(header::ACCEPT).and_then(|value| value.to_str().ok());
    accept.is_some_and(|accept| accept.contains("text/html"))
}

/// Serialized only once, because it is long.
async fn description() -> Result<HttpResponse, ApiError> {
    static DESCRIPTION: OnceLock<Bytes> = OnceLock::new();
    let description = match DESCRIPTION.get() {
        Some(made) => made.clone(),
        None => {
            let made =
                ApiDoc::openapi().to_json().map_err(|error| ServiceError::Internal(error.to_string()))?;
            DESCRIPTION.get_or_init(|| made.into()).clone()
        }
    };
    Ok(HttpResponse::Ok().content_type("application/json").body(description))
}

async fn no_route() -> Result<HttpResponse, ApiError> {
    Err(ApiError::NoRoute)
}

/// A resource that accepts a body.
fn posted(path: &str, route: Route) -> Resource {
    web::resource(path).route(route.guard(guard::Post())).default_service(web::to(not_posted))
}

async fn not_posted() -> Result<HttpResponse, ApiError> {
    Err(ApiError::WrongMethod("POST"))
}

async fn wrong_method() -> Result<HttpResponse, ApiError> {
    Err(ApiError::WrongMethod("GET, HEAD"))
}

async fn wrong_method_of_tests() -> Result<HttpResponse, ApiError> {
    Err(ApiError::WrongMethod("GET, HEAD, POST"))
}

/// Responses are read by programs and shown as text; the only HTML is that of /docs, which has its own scripts.
fn security_headers() -> DefaultHeaders {
    DefaultHeaders::new()
        .add((header::X_CONTENT_TYPE_OPTIONS, "nosniff"))
        .add((header::X_FRAME_OPTIONS, "DENY"))
        .add((header::REFERRER_POLICY, "no-referrer"))
        .add((
            header::CONTENT_SECURITY_POLICY,
            "default-src 'self'; img-src 'self' data:; style-src 'self' 'unsafe-inline'; frame-ancestors 'none'",
        ))
}

fn cors(origins: &[String]) -> Cors {
    let cors = Cors::default()
        .allowed_methods(["GET", "HEAD", "POST"])
        .allow_any_header()
        .expose_headers([
            header::RETRY_AFTER,
            header::HeaderName::from_static("x-request-id"),
            header::HeaderName::from_static(insight::CONFIDENCE),
            header::HeaderName::from_static(insight::UNUSED),
            header::HeaderName::from_static(runs::HEADER),
            header::HeaderName::from_static(mcp::SESSION),
        ])
        .max_age(CORS_MAX_AGE);
    if origins.iter().any(|origin| origin == "*") {
        return cors.allow_any_origin().send_wildcard();
    }
    origins.iter().fold(cors, |cors, origin| cors.allowed_origin(origin))
}
