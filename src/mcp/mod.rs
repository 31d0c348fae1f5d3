//! The [Model Context Protocol](https://modelcontextprotocol.io): chat programs and editors ask questions and explore
//! graphs with tools. An interface to the service like HTTP, over standard input and output or on top of HTTP.
//!
//! ```text
//! client ──► server ──► tools · text2sparql · calls ──► service
//!               ├─► resources, prompts                   host ◄── transport: keys, limits, runs
//!               └─► catalog (what there is)
//! ```
//! `text2sparql` asks the person at the client by `elicit`. Uses the service and its traces; independent of HTTP routes and the command line.
//!
//! Host names, origins and keys are checked before a request arrives here. Questions and queries are rate-limited,
//! queued and checked, and runs are kept and recorded, all as for `/ask`. The structured content and the text of a
//! result contain the same facts. Tests: `tests/mcp.rs`, `text`. How to add a tool: docs/extending.md.

mod arguments;
mod calls;
mod catalog;
mod elicit;
mod host;
mod output;
mod progress;
mod prompts;
mod resources;
mod server;
mod tables;
mod text;
mod text2sparql;

pub use elicit::{Person, PersonAtClient, can_ask_person};
pub use host::{Caller, Host};
pub use server::Server;

use rmcp::ServiceExt;
use rmcp::transport::StreamableHttpServerConfig;
use rmcp::transport::streamable_http_server::StreamableHttpService;
use rmcp::transport::streamable_http_server::session::never::NeverSessionManager;
use std::sync::Arc;

/// The protocol over HTTP, using the request and response types of the crate `http`.
pub type McpHttp = StreamableHttpService<Server, NeverSessionManager>;

/// The client on standard input and output failed to speak the protocol.
#[derive(Debug, thiserror::Error)]
#[error("the client on standard input and output does not speak MCP: {0}")]
pub struct StdioError(String);

/// The protocol over HTTP, with requests of at most `max_bytes`. Requests are stateless, because sessions would have
/// to be stored and bounded without any benefit. Host names, origins and keys must have been checked before.
pub fn over_http(host: Arc<dyn Host>, max_bytes: usize) -> McpHttp {
    let config = StreamableHttpServerConfig::default()
        .with_legacy_session_mode(false)
        .with_json_response(true)
        .with_max_request_body_bytes(max_bytes)
        // Streams cannot be resumed, so clients are not told when to reconnect.
        .with_sse_retry(None)
        // The HTTP layer checks them for all routes by the same rules.
        .disable_allowed_hosts()
        .disable_allowed_origins();
    StreamableHttpService::new(move || Ok(Server::for_callers(host.clone())), Arc::default(), config)
}

/// Serves the protocol over standard input and output until the client disconnects.
///
/// # Errors
/// If the client does not speak the protocol.
pub async fn over_stdio(host: Arc<dyn Host>) -> Result<(), StdioError> {
    let failed = |error: &dyn std::fmt::Display| StdioError(error.to_string());
    let running = Server::at_home(host).serve(rmcp::transport::stdio_pipes()).await;
    let ended = running.map_err(|error| failed(&error))?.waiting().await;
    ended.map(|_reason| ()).map_err(|error| failed(&error))
}
