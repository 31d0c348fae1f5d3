//! `eruca mcp`: the Model Context Protocol on standard input and output, for chat programs and editors that start it.

use super::{CliError, ConfigArgs, progress};
use crate::config::Settings;
use crate::{http, mcp, startup};
use clap::Args;

/// Arguments of `eruca mcp`.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  claude mcp add eruca -- eruca mcp                              the demo graph, for Claude Code
  claude mcp add eruca -- eruca mcp --config /path/eruca.toml    your own datasets
  npx @modelcontextprotocol/inspector --cli eruca mcp --method tools/list

A running service speaks the same protocol at /mcp. The log goes to stderr.")]
pub struct McpArgs {
    /// Where settings come from.
    #[command(flatten)]
    pub config: ConfigArgs,
}

/// Serves the client on standard input and output until it ends.
///
/// # Errors
/// When a dataset cannot be opened, or the client does not speak the protocol.
pub async fn run(settings: &Settings) -> Result<(), CliError> {
    let query_log = http::QueryLog::open(&settings.log)?;
    let service = startup::open_service(settings, progress::to_stderr().as_ref()).await?;
    let host = http::mcp_host(service, settings, query_log)?;
    mcp::over_stdio(host).await?;
    Ok(())
}
