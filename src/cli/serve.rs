//! `eruca serve`: the HTTP service.

use super::files::FormatArgs;
use super::{CliError, ConfigArgs, folders, graph, progress, text};
use crate::config::{DEMO_ID, Settings};
use crate::lines::escaped;
use crate::service::Service;
use crate::{http, startup};
use clap::Args;
use clap::builder::NonEmptyStringValueParser;
use eruca_api::DatasetSummary;
use eruca_sparql::Dialect;
use std::io::Write;
use std::net::{SocketAddr, TcpListener};
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;
use url::form_urlencoded;

/// Arguments of `eruca serve`.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  eruca serve                                        the demo graph, or what eruca.toml says
  eruca serve graph.ttl more.nt.gz                   files of your own as one graph
  eruca serve folder/                                the RDF files in a folder
  curl -s https://example.org/graph | eruca serve --format turtle -
  eruca serve --index data/graph                     the graph of an index
  eruca serve --config config/own-endpoint.toml
  eruca serve --host 0.0.0.0 --port 80               for other machines
  ERUCA__LLM__BASE_URL=http://127.0.0.1:11434/v1 ERUCA__LLM__MODEL=qwen3 eruca serve

Missing indexes are built first; those of files that are not configured are kept in the user's cache
folder, and so is what comes from standard input. Questions and answers of a graph that is named here
are kept in the user's state folder, unless [runs] says otherwise: links to them survive a restart.
An index that is built anew while it runs is used within seconds, without a restart.
Ctrl-C, SIGTERM or closing the terminal stops it: running questions get [server] stop_seconds to
finish, Ctrl-C again ends them. Under nohup it outlives the terminal.")]
pub struct ServeArgs {
    /// Where settings come from.
    #[command(flatten)]
    pub config: ConfigArgs,
    /// Address to listen on, instead of [server] host
    #[arg(long)]
    pub host: Option<String>,
    /// Port to listen on, instead of [server] port; 0 for any free one
    #[arg(long)]
    pub port: Option<u16>,
    /// Serve the graph of the index in this folder, whether it is configured or not
    #[arg(long, value_name = "DIR", conflicts_with = "graphs")]
    pub index: Option<PathBuf>,
    /// How RDF files are read.
    #[command(flatten)]
    pub format: FormatArgs,
    /// Leave broken statements of RDF files out; what is missing is told with each answer
    #[arg(long)]
    pub skip_errors: bool,
    /// RDF files to serve as one graph (paths, patterns, folders, `-` for standard input), or one configured dataset
    /// [default: what is configured]
    #[arg(value_name = "GRAPH", value_parser = NonEmptyStringValueParser::new())]
    pub graphs: Vec<String>,
}

/// Serves until the process is asked to stop.
///
/// # Errors
/// When the address is taken, a dataset cannot be opened, or the server fails.
pub async fn run(args: ServeArgs, mut settings: Settings, out: &mut dyn Write) -> Result<(), CliError> {
    let ServeArgs { config: _, host, port, index, format, skip_errors, graphs } = args;
    settings.index.skip_errors |= skip_errors;
    settings.server.host = host.unwrap_or(settings.server.host);
    settings.server.port = port.unwrap_or(settings.server.port);
    // Building an index may take hours, so obstacles to serving should show before that.
    http::enough_open_files()?;
    let listener = listen(&settings)?;
    let address = listener.local_addr()?;
    let tls = http::Tls::open(&settings.server)?;
    let query_log = http::QueryLog::open(&settings.log)?;
    if !graphs.is_empty() || index.is_some() {
        keep_runs(&mut settings);
    }
    graph::serve_only(graphs, index, format.format, &mut settings).await?;
    let service = startup::open_service(&settings, progress::to_stderr().as_ref()).await?;
    let page = settings.server.page;
    write!(out, "{}", greeting(&service, &base_url(address, tls.is_some()), page))?;
    out.flush()?;
    watch(&service, settings.server.reload_interval);
    let server = http::server(listener, service, &settings, query_log, tls)?;
    tokio::select! {
        stopped = server => Ok(stopped?),
        () = interrupted_twice() => Ok(()),
        () = http::overdue(&settings.server) => Ok(()),
    }
}

/// Switches to new indexes: checks for them regularly, if configured, and when a signal asks for it.
fn watch(service: &Arc<Service>, every: Option<Duration>) {
    if let Some(every) = every {
        tokio::spawn(Service::watch(Arc::downgrade(service), every));
    }
    let (service, mut signal) = (Arc::downgrade(service), http::ReloadSignal::listen());
    tokio::spawn(async move {
        loop {
            signal.next().await;
            let Some(service) = service.upgrade() else { return };
            service.reload_all().await;
        }
    });
}

/// Keeps the runs about a graph named on the command line in the user's state folder, unless the settings name a folder, so that
/// links to them survive a restart. Without a writable home folder, they are kept only in memory.
fn keep_runs(settings: &mut Settings) {
    if settings.runs.folder.is_some() {
        return;
    }
    let folder = folders::state().map(|state| state.join("runs"));
    settings.runs.folder = folder.filter(|folder| std::fs::create_dir_all(folder).is_ok());
}

fn listen(settings: &Settings) -> Result<TcpListener, CliError> {
    let (host, port) = (settings.server.host.as_str(), settings.server.port);
    TcpListener::bind((host, port))
        .map_err(|reason| CliError::Listen { address: format!("{host}:{port}"), reason })
}

/// Pressing Ctrl-C twice means not waiting for running questions.
async fn interrupted_twice() {
    for _ in 0..2 {
        if tokio::signal::ctrl_c().await.is_err() {
            std::future::pending::<()>().await;
        }
    }
}

fn greeting(service: &Service, url: &str, page: bool) -> String {
    let datasets = service.datasets();
    let mut lines = vec![format!("Eruca {} listens on {url}", env!("CARGO_PKG_VERSION"))];
    lines.extend(datasets.iter().map(dataset_line));
    let unopened = service.unopened();
    lines.extend(
        unopened.iter().map(|it| format!("  not served: {}: {}", escaped(&it.id), escaped(&it.reason))),
    );
    lines.extend(service.degraded().iter().map(|note| format!("  degraded: {}", escaped(note))));
    lines.extend(page.then(|| format!("  page: {url}/")));
    lines.push(format!("  docs: {url}/docs"));
    lines.extend(datasets.first().map(|dataset| format!("  try: {}", curl(url, &dataset.id))));
    lines.push(String::new());
    lines.join("\n")
}

fn dataset_line(dataset: &DatasetSummary) -> String {
    let triples = text::counted(dataset.triples, "triple", "triples");
    let name = if dataset.name == dataset.id { String::new() } else { format!(" ({})", dataset.name) };
    let known = Dialect::named(&dataset.dialect).filter(|dialect| *dialect != Dialect::plain());
    let engine = known.map_or_else(String::new, |dialect| format!(" ({})", dialect.title()));
    let line = format!("dataset: {}{name}, {triples}, {}{engine}", dataset.id, dataset.endpoint);
    format!("  {}", text::one_line(&line, 300))
}

/// A URL that works on this machine: browsers cannot open the "all interfaces" address.
fn base_url(address: SocketAddr, with_tls: bool) -> String {
    let scheme = if with_tls { "https" } else { "http" };
    match address.ip().is_unspecified() {
        true => format!("{scheme}://localhost:{}", address.port()),
        false => format!("{scheme}://{address}"),
    }
}

fn curl(url: &str, dataset: &str) -> String {
    let question =
        if dataset == DEMO_ID { "What is the capital of France?" } else { "Which classes are there?" };
    let query = form_urlencoded::Serializer::new(String::new())
        .append_pair("dataset", dataset)
        .append_pair("question", question)
        .finish();
    format!("curl '{url}/text2sparql?{query}'")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_curl_line_survives_any_dataset_id() {
        assert_eq!(
            curl("http://127.0.0.1:1", "a'b &c"),
            "curl 'http://127.0.0.1:1/text2sparql?dataset=a%27b+%26c&question=Which+classes+are+there%3F'"
        );
    }

    #[test]
    fn all_interfaces_are_shown_as_localhost() {
        assert_eq!(base_url("0.0.0.0:80".parse().unwrap(), false), "http://localhost:80");
        assert_eq!(base_url("[::1]:80".parse().unwrap(), true), "https://[::1]:80");
    }
}
