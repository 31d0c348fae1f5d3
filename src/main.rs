//! The program `eruca`: reads arguments and settings, starts logging, runs a command, picks the exit code.

use anyhow::Context;
use clap::Parser;
use eruca::cli::{self, Cli, CliError, Command, ConfigArgs, Ending};
use eruca::config::{LogSettings, Settings};
use eruca::{lines, telemetry};
use std::io::{ErrorKind, IsTerminal, Write};
use std::path::PathBuf;
use std::process::ExitCode;
use tokio::runtime::Runtime;

/// What clap ends with, too.
const WRONG_ARGUMENTS: u8 = 2;

fn main() -> ExitCode {
    match run(Cli::parse().command) {
        Ok(ending) => ending.code().into(),
        // Whoever read our output has seen enough.
        Err(error) if is_broken_pipe(&error) => ExitCode::SUCCESS,
        Err(error) => {
            // Nothing is left to tell when stderr is closed.
            let _written = writeln!(std::io::stderr(), "eruca: {}", lines::escaped(&said(&error)));
            if is_about_arguments(&error) { WRONG_ARGUMENTS.into() } else { ExitCode::FAILURE }
        }
    }
}

/// The error and its causes; a cause whose words the error above it has told already is not said again.
fn said(error: &anyhow::Error) -> String {
    let mut text = error.to_string();
    for cause in error.chain().skip(1).map(ToString::to_string) {
        if !text.contains(&cause) {
            text.push_str(": ");
            text.push_str(&cause);
        }
    }
    text
}

fn run(command: Command) -> anyhow::Result<Ending> {
    let stdout = std::io::stdout();
    // Messages of the protocol are written by other threads, which the lock would hold up.
    if let Command::Mcp(args) = command {
        return mcp(args).map(|()| Ending::Done);
    }
    let is_terminal = stdout.is_terminal();
    let out = &mut lines::Screen::new(stdout.lock(), is_terminal);
    match command {
        Command::Mcp(_) => {}
        Command::Openapi => cli::openapi(out)?,
        Command::Completions(args) => cli::shell::completions(&args, out)?,
        Command::Man(args) => cli::shell::man(&args, out)?,
        #[cfg(unix)]
        Command::Worker => {
            eruca_sparql::worker_process().context("this command is for eruca itself; use eruca serve")?;
        }
        Command::ReadPdf => eruca_indexer::pdf_process().context("the PDF file cannot be read")?,
        Command::Serve(args) => {
            let settings = load(&args.config)?;
            let log = settings.log.clone();
            serve(&log, cli::serve::run(args, settings, out))??;
        }
        Command::Ask(args) => {
            let settings = load(&args.config)?;
            let _telemetry = telemetry::start(&warnings_alone(&settings))?;
            let runtime = runtime()?;
            let ending = runtime.block_on(cli::ask::run(args, settings, out));
            // A thread that waits for standard input cannot be told to stop.
            runtime.shutdown_background();
            return Ok(ending?);
        }
        Command::Search(args) => {
            let settings = load(&args.config)?;
            let _telemetry = telemetry::start(&warnings_alone(&settings))?;
            return Ok(runtime()?.block_on(cli::search::run(args, settings, out))?);
        }
        Command::Init(args) => return Ok(cli::init::run(args, out)?),
        Command::Models(args) => return Ok(runtime()?.block_on(cli::models::run(args, out))?),
        Command::Check(args) => {
            let settings = Settings::load(args.config.file.as_deref());
            let _telemetry = settings.as_ref().ok().map(warnings_alone).map(|log| telemetry::start(&log));
            return Ok(runtime()?.block_on(cli::check::run(&args, settings, out))?);
        }
        Command::Health(args) => {
            let settings = load(&args.config)?;
            runtime()?.block_on(cli::health::run(&args, settings, out))?;
        }
        Command::Eval(args) => {
            let settings = load(&args.config)?;
            let _telemetry = telemetry::start(&warnings_alone(&settings))?;
            runtime()?.block_on(cli::eval::run(*args, settings, out))?;
        }
        Command::Examples(args) => {
            let settings = load(args.config())?;
            let _telemetry = telemetry::start(&warnings_alone(&settings))?;
            runtime()?.block_on(cli::examples::run(args, settings, out))?;
        }
        Command::Learn(args) => {
            let settings = load(&args.config)?;
            let _telemetry = telemetry::start(&warnings_alone(&settings))?;
            let runtime = runtime()?;
            let decided = runtime.block_on(cli::learn::run(args, settings, out));
            // A thread that waits for standard input cannot be told to stop.
            runtime.shutdown_background();
            decided?;
        }
        Command::Index(args) => {
            let settings = load(&args.config)?;
            let _telemetry = telemetry::start(&warnings_alone(&settings))?;
            runtime()?.block_on(cli::index::run(args, settings, out))?;
        }
    }
    Ok(Ending::Done)
}

/// Serves until the client ends. A read from standard input cannot be cancelled, so it is not waited for.
fn mcp(args: cli::mcp::McpArgs) -> anyhow::Result<()> {
    let settings = load(&args.config)?;
    Ok(serve(&settings.log, cli::mcp::run(&settings))??)
}

/// Runs what serves until it ends. Work that is still running then does not delay the end of the program.
fn serve<T>(log: &LogSettings, work: impl Future<Output = T>) -> anyhow::Result<T> {
    let runtime = runtime()?;
    let served = {
        let _telemetry = {
            let _entered = runtime.enter();
            telemetry::start(log)?
        };
        runtime.block_on(work)
    };
    runtime.shutdown_background();
    Ok(served)
}

fn load(config: &ConfigArgs) -> anyhow::Result<Settings> {
    let settings = Settings::load(config.file.as_deref()).context("the configuration cannot be used")?;
    Ok(Settings { store_program: this_program(), ..settings })
}

/// The file of this very program; on Linux also when it has been replaced meanwhile by another version.
fn this_program() -> Option<PathBuf> {
    let running = PathBuf::from("/proc/self/exe");
    if running.exists() { Some(running) } else { std::env::current_exe().ok() }
}

/// Commands that show their own progress would be hard to read between log lines.
fn warnings_alone(settings: &Settings) -> LogSettings {
    LogSettings { level: "warn".to_owned(), otlp_endpoint: None, ..settings.log.clone() }
}

fn runtime() -> anyhow::Result<Runtime> {
    Runtime::new().context("the system gives no threads")
}

fn is_about_arguments(error: &anyhow::Error) -> bool {
    matches!(error.downcast_ref(), Some(CliError::Arguments(_)))
}

fn is_broken_pipe(error: &anyhow::Error) -> bool {
    // Transparent errors are not among their own causes.
    let within = |cause: &(dyn std::error::Error + 'static)| match cause.downcast_ref() {
        Some(CliError::Output(error)) => Some(error.kind()),
        _ => cause.downcast_ref::<std::io::Error>().map(std::io::Error::kind),
    };
    let io = error.chain().find_map(within);
    io == Some(ErrorKind::BrokenPipe)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_reader_that_has_gone_is_no_error_of_any_command() {
        let gone = || std::io::Error::from(ErrorKind::BrokenPipe);
        assert!(is_broken_pipe(&gone().into()));
        assert!(is_broken_pipe(&CliError::from(gone()).into()));
        assert!(!is_broken_pipe(&CliError::from(std::io::Error::from(ErrorKind::NotFound)).into()));
    }
}
