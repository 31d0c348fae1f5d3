//! The [Model Context Protocol](https://modelcontextprotocol.io): chat programs and editors ask questions and explore graphs
//! by tools. A face of the service as HTTP is one; over standard input and output, or carried by HTTP.
//!
//! ```text
//! client ──► server ──► tools · text2sparql · calls ──► service
//!               ├─► resources, prompts                   host ◄── whoever carries the protocol: keys, limits, runs
//!               └─► catalog (what there is)
//! ```
//! Uses the service and its traces; knows nothing of HTTP routes or of the command line.
//!
//! Host names, origins and keys are checked before a request gets here; questions and queries count for the limits,
//! take places in the queue and go through the check, and runs are kept and accounted for as those of `/ask`.
//! Structured content and text of a result have the same facts. Tests: `tests/mcp.rs`, `text`. How another tool is
//! added: docs/extending.md.

mod arguments;
mod calls;
mod catalog;
mod host;
mod output;
mod progress;
mod prompts;
mod resources;
mod server;
mod tables;
mod text;
mod text2sparql;

pub use host::{Caller, Host};
pub use server::Server;

use rmcp::ServiceExt;
use rmcp::transport::StreamableHttpServerConfig;
use rmcp::transport::streamable_http_server::StreamableHttpService;
use rmcp::transport::streamable_http_server::session::never::NeverSessionManager;
use std::sync::Arc;

/// The protocol over HTTP: takes requests and gives responses of the crate `http`.
pub type HttpFace = StreamableHttpService<Server, NeverSessionManager>;

/// The protocol could not be spoken over standard input and output.
#[derive(Debug, thiserror::Error)]
#[error("the client on standard input and output does not speak MCP: {0}")]
pub struct StdioError(String);

/// The protocol over HTTP, with requests of at most this many bytes. Every request stands for itself: sessions would have to
/// be kept and bounded, and tell nothing that is needed. `host` must have looked at names, origins and keys before.
pub fn over_http(host: Arc<dyn Host>, max_bytes: usize) -> HttpFace {
    let config = StreamableHttpServerConfig::default()
        .with_legacy_session_mode(false)
        .with_json_response(true)
        .with_max_request_body_bytes(max_bytes)
        // Streams cannot be resumed, so that nobody is told when to come back for the rest.
        .with_sse_retry(None)
        // Whoever carries the protocol looks at them for all routes, by one rule.
        .disable_allowed_hosts()
        .disable_allowed_origins();
    StreamableHttpService::new(move || Ok(Server::for_callers(host.clone())), Arc::default(), config)
}

/// Speaks the protocol over standard input and output until the client ends.
///
/// # Errors
/// When the other side does not speak it.
pub async fn over_stdio(host: Arc<dyn Host>) -> Result<(), StdioError> {
    let failed = |error: &dyn std::fmt::Display| StdioError(error.to_string());
    let running = Server::at_home(host).serve(rmcp::transport::stdio_pipes()).await;
    let ended = running.map_err(|error| failed(&error))?.waiting().await;
    ended.map(|_reason| ()).map_err(|error| failed(&error))
}
