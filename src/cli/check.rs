//! `eruca check`: whether the configuration would work, before anything is started.
//!
//! Uses start-up for models, files, endpoints and indexes, and the HTTP layer for its certificate.

use super::{CliError, ConfigArgs, Ending, text};
use crate::config::{ConfigError, DEFAULT_FILE, Settings, Source};
use crate::{http, startup};
use clap::Args;
use eruca_api::{PartHealth, PartState};
use eruca_indexer::DatasetIndex;
use std::fs::OpenOptions;
use std::io::{self, ErrorKind, Write};
use std::net::TcpListener;
use std::path::{Path, PathBuf};
use uuid::Uuid;

/// Longest line, in characters.
const LINE_CHARS: usize = 600;

/// Arguments of `eruca check`.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  eruca check                                        what eruca.toml and the environment say
  eruca check --config config/own-endpoint.toml
  eruca check && eruca serve
  eruca check --questions --at-least 0.8             ask the questions of eruca eval --new again

A line for each part: ok, note (it works, but something is weaker than it could be), or fails, with what to
do. The chat model is asked for one word, each endpoint whether it contains any triple; nothing is built or kept.
Exit codes: 0 everything would work, 1 something would not, 2 wrong arguments.")]
pub struct CheckArgs {
    /// Where settings come from.
    #[command(flatten)]
    pub config: ConfigArgs,
    /// Ask the questions of the dataset's test set again instead, and compare the results with those that were judged right
    #[arg(long)]
    pub questions: bool,
    /// With --questions: whose, by id or alias [default: the only one]
    #[arg(long, value_name = "ID", requires = "questions")]
    pub dataset: Option<String>,
    /// With --questions: fail if fewer than this share of the answers are right, like 0.8
    #[arg(long, value_name = "SHARE", requires = "questions", value_parser = super::eval::share)]
    pub at_least: Option<f64>,
}

/// Checks every part and prints its state.
///
/// # Errors
/// When a part would not work, once all have been printed.
pub async fn run(
    args: &CheckArgs,
    settings: Result<Settings, ConfigError>,
    out: &mut dyn Write,
) -> Result<Ending, CliError> {
    if args.questions {
        super::test_set::check(args.dataset.as_deref(), args.at_least, settings?, out).await?;
        return Ok(Ending::Done);
    }
    let (parts, settings) = match settings {
        Ok(settings) => {
            (vec![state("configuration", PartHealth::Ok, source(args, &settings))], Some(settings))
        }
        Err(error) => (vec![state("configuration", PartHealth::Down, error.to_string())], None),
    };
    let mut checked = 0;
    let mut failed = tell(&parts, &mut checked, out)?;
    if let Some(settings) = settings {
        failed += tell(&[listening(&settings)], &mut checked, out)?;
        failed += tell(&tls(&settings), &mut checked, out)?;
        failed += tell(&folders(&settings), &mut checked, out)?;
        failed += tell(&startup::check_parts(&settings).await, &mut checked, out)?;
    }
    if failed > 0 { Err(CliError::Unfit { failed, checked }) } else { Ok(Ending::Done) }
}

/// Prints a line for each part; returns how many would not work.
fn tell(parts: &[PartState], checked: &mut usize, out: &mut dyn Write) -> io::Result<usize> {
    for PartState { part, state, detail } in parts {
        let word = match state {
            PartHealth::Ok => "ok",
            PartHealth::Degraded => "note",
            PartHealth::Down => "fails",
        };
        writeln!(out, "{word:<6} {}", text::one_line(&format!("{part}: {detail}"), LINE_CHARS))?;
    }
    out.flush()?;
    *checked += parts.len();
    Ok(parts.iter().filter(|part| part.state == PartHealth::Down).count())
}

fn state(part: &str, state: PartHealth, detail: impl Into<String>) -> PartState {
    PartState { part: part.to_owned(), state, detail: detail.into() }
}

fn source(args: &CheckArgs, settings: &Settings) -> String {
    let is_demo = settings.datasets.iter().all(|dataset| matches!(dataset.source, Source::Demo));
    match &args.config.file {
        Some(file) => format!("{} is valid", file.display()),
        None if Path::new(DEFAULT_FILE).exists() => format!("{DEFAULT_FILE} is valid"),
        None if is_demo => {
            format!("there is no {DEFAULT_FILE} here; the demo graph is served. eruca init writes one")
        }
        None => format!("there is no {DEFAULT_FILE} here; the datasets are those of the environment"),
    }
}

fn listening(settings: &Settings) -> PartState {
    let (host, port) = (settings.server.host.as_str(), settings.server.port);
    let address = format!("{host}:{port}");
    let detail = match TcpListener::bind((host, port)) {
        Ok(_) => return state("address", PartHealth::Ok, format!("{address} is free")),
        Err(error) if error.kind() == ErrorKind::AddrInUse => format!(
            "{address} is taken, by another program or by Eruca itself; stop what listens there, or choose another one with \
             [server] host and port"
        ),
        Err(error) => {
            format!("cannot listen on {address}: {error}; choose another one with [server] host and port")
        }
    };
    state("address", PartHealth::Down, detail)
}

fn tls(settings: &Settings) -> Vec<PartState> {
    match http::Tls::open(&settings.server) {
        Ok(None) => Vec::new(),
        Ok(Some(_)) => vec![state("certificate", PartHealth::Ok, "certificate and key fit")],
        Err(error) => vec![state("certificate", PartHealth::Down, error.to_string())],
    }
}

/// Every folder that the running service writes to.
fn folders(settings: &Settings) -> Vec<PartState> {
    let mut parts = Vec::new();
    for dataset in &settings.datasets {
        let folder = settings.index_folder(dataset);
        // An existing index is only read; that of an endpoint is not built at start.
        if !DatasetIndex::exists(&folder) && !matches!(dataset.source, Source::Endpoint(_)) {
            parts.push(written(&format!("dataset {}: index folder", dataset.id), &folder));
        }
    }
    let parent = |file: &PathBuf| file.parent().map(Path::to_owned).unwrap_or_default();
    let others = [
        ("[log] questions_folder", settings.log.questions_folder.clone()),
        ("[runs] folder", settings.runs.folder.clone()),
        ("[feedback] file", settings.feedback.file.as_ref().map(parent)),
    ];
    let others = others.into_iter().filter_map(|(name, folder)| Some((name, folder?)));
    parts.extend(others.map(|(name, folder)| written(name, &folder)));
    parts
}

fn written(part: &str, folder: &Path) -> PartState {
    match try_write(folder) {
        Ok(()) => state(part, PartHealth::Ok, format!("'{}' can be written", folder.display())),
        Err((place, error)) => {
            let (folder, place) = (folder.display(), place.display());
            let detail = format!(
                "'{folder}' cannot be written: {place}: {error}; name another folder, or let this account write there"
            );
            state(part, PartHealth::Down, detail)
        }
    }
}

/// Whether the folder, or its nearest existing ancestor, is writable. Only trying can tell: permissions do not reveal
/// read-only disks. The test file is removed at once.
fn try_write(folder: &Path) -> Result<(), (PathBuf, io::Error)> {
    let whole = std::path::absolute(folder).map_err(|error| (folder.to_owned(), error))?;
    let there = whole.ancestors().find(|above| above.exists()).unwrap_or(&whole);
    let file = there.join(format!(".eruca-check-{}", Uuid::new_v4().simple()));
    let tried = OpenOptions::new().write(true).create_new(true).open(&file);
    tried.and_then(|_| std::fs::remove_file(&file)).map_err(|error| (there.to_owned(), error))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_folder_is_tried_and_left_as_it_was() {
        let folder = tempfile::tempdir().unwrap();
        try_write(&folder.path().join("not/yet")).unwrap();
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0);
        std::fs::write(folder.path().join("file"), "").unwrap();
        let (place, _) = try_write(&folder.path().join("file/below")).unwrap_err();
        assert_eq!(place, folder.path().join("file"));
    }

    #[test]
    fn failures_are_counted_and_lines_cannot_steer_the_terminal() {
        let parts = [
            state("a", PartHealth::Ok, "b\u{1b}[2J"),
            state("c", PartHealth::Down, "d"),
            state("e", PartHealth::Degraded, "f"),
        ];
        let (mut out, mut checked) = (Vec::new(), 1);
        assert_eq!(tell(&parts, &mut checked, &mut out).unwrap(), 1);
        assert_eq!(checked, 4);
        assert_eq!(String::from_utf8(out).unwrap(), "ok     a: b [2J\nfails  c: d\nnote   e: f\n");
    }
}
