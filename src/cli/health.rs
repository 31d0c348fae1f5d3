//! `eruca health`: whether the service started on this machine with the same settings is alive. For health checks of
//! containers, which have no shell and no other client.
//!
//! Uses the settings alone; sends HTTP requests like any other client.

use super::{CliError, ConfigArgs, text};
use crate::config::{ServerSettings, Settings};
use clap::Args;
use eruca_sparql::outgoing;
use std::io::Write;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};
use std::time::Duration;

/// Longer than `/health` ever takes, shorter than the timeouts of container engines.
const PATIENCE: Duration = Duration::from_secs(4);
/// Maximum number of bytes read of a response, and of characters shown.
const MAX_BYTES: usize = 64 << 10;
const MAX_CHARS: usize = 600;

/// Arguments of `eruca health`.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  eruca health                                       whether the process is alive
  eruca health --ready                               whether questions can be answered

Asks the service at [server] host and port, with TLS where it is configured, for at most 4 s. No key is needed.
Exit codes: 0 it is well, 1 it is not or does not answer, 2 wrong arguments.")]
pub struct HealthArgs {
    /// Where settings come from.
    #[command(flatten)]
    pub config: ConfigArgs,
    /// Port to ask, instead of [server] port
    #[arg(long)]
    pub port: Option<u16>,
    /// Ask whether questions can be answered: index, endpoints and all other parts
    #[arg(long)]
    pub ready: bool,
}

/// Sends one request and prints the response.
///
/// # Errors
/// When there is no response in time, or its status is not 200.
pub async fn run(args: &HealthArgs, mut settings: Settings, out: &mut dyn Write) -> Result<(), CliError> {
    settings.server.port = args.port.unwrap_or(settings.server.port);
    let url = url(&settings.server, if args.ready { "ready" } else { "health" });
    let response = ask(&url).await.map_err(|reason| CliError::NoService { url: url.clone(), reason })?;
    let status = response.status();
    let (body, _cut) = outgoing::read(response, MAX_BYTES)
        .await
        .map_err(|error| CliError::NoService { url: url.clone(), reason: causes(&error) })?;
    let body = text::one_line(&String::from_utf8_lossy(&body), MAX_CHARS);
    if status != 200 {
        return Err(CliError::Unwell { url, reason: format!("status {status}: {body}") });
    }
    writeln!(out, "{body}")?;
    Ok(())
}

/// The URL of the service on this machine.
fn url(server: &ServerSettings, route: &str) -> String {
    let host = match server.host.parse::<IpAddr>() {
        Ok(IpAddr::V4(all)) if all.is_unspecified() => Ipv4Addr::LOCALHOST.to_string(),
        Ok(IpAddr::V6(all)) if all.is_unspecified() => format!("[{}]", Ipv6Addr::LOCALHOST),
        Ok(IpAddr::V6(one)) => format!("[{one}]"),
        _ => server.host.clone(),
    };
    let scheme = if server.tls().is_some() { "https" } else { "http" };
    format!("{scheme}://{host}:{}/{route}", server.port)
}

/// The response, or why there is none.
async fn ask(url: &str) -> Result<reqwest::Response, String> {
    let _installed = rustls::crypto::ring::default_provider().install_default();
    // The certificate is for the public name, not for this machine; no secret is sent, and the response is not relied on.
    let client = outgoing::client_builder().no_proxy().tls_danger_accept_invalid_certs(true);
    let client = client.timeout(PATIENCE).build().map_err(|error| causes(&error))?;
    client.get(url).send().await.map_err(|error| causes(&error))
}

/// The last cause explains the failure; the address is printed elsewhere.
fn causes(error: &reqwest::Error) -> String {
    if error.is_timeout() {
        return format!("no answer within {} s", PATIENCE.as_secs());
    }
    let mut cause: &dyn std::error::Error = error;
    while let Some(deeper) = cause.source() {
        cause = deeper;
    }
    cause.to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_interfaces_are_asked_at_the_loopback() {
        let at = |host: &str| {
            let mut settings = Settings::load(None).unwrap();
            settings.server.host = host.to_owned();
            settings.server.port = 80;
            url(&settings.server, "health")
        };
        assert_eq!(at("0.0.0.0"), "http://127.0.0.1:80/health");
        assert_eq!(at("::"), "http://[::1]:80/health");
        assert_eq!(at("fd00::1"), "http://[fd00::1]:80/health");
        assert_eq!(at("localhost"), "http://localhost:80/health");
    }
}
