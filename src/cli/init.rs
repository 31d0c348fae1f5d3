//! `eruca init`: writes a first configuration.

use super::files::{FormatArgs, has_stdin, name_of};
use super::graph::unconfigured;
use super::index::{entry, host};
use super::{CliError, Ending};
use crate::config::{DEFAULT_FILE, EndpointSettings, Source};
use crate::startup::StartupError;
use clap::Args;
use eruca_indexer::expand_patterns;
use std::fs::File;
use std::io::{ErrorKind, Write};
use std::path::PathBuf;

/// Arguments of `eruca init`.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  eruca init graph.ttl 'more/*.nt.gz'                a configuration of your own files
  eruca init --dataset mine folder/
  eruca init --endpoint https://example.org/sparql   of an endpoint
  eruca init --stdout graph.ttl                      print it instead

It is written into eruca.toml in this folder; a file that is there already stays as it is. Paths in it are
relative to this folder. Next: `eruca check`, then `eruca serve` (for an endpoint `eruca index` first).")]
pub struct InitArgs {
    /// Name by which questions address the dataset [default: the first file's name, or the endpoint's host]
    #[arg(long, value_name = "ID", requires = "source")]
    pub dataset: Option<String>,
    /// SPARQL endpoint of the graph
    #[arg(long, value_name = "URL", group = "source")]
    pub endpoint: Option<String>,
    /// Graph that the endpoint takes as its default graph; several are merged
    #[arg(long, value_name = "IRI", requires = "endpoint")]
    pub default_graph: Vec<String>,
    /// How RDF files are read.
    #[command(flatten)]
    pub format: FormatArgs,
    /// Print the configuration instead of writing it
    #[arg(long)]
    pub stdout: bool,
    /// RDF files of the graph: paths, patterns and folders [default: none; the demo graph is served]
    #[arg(group = "source")]
    pub files: Vec<PathBuf>,
}

const HEAD: &str =
    "# Configuration of Eruca. `eruca check` tells whether it works, `eruca serve` starts the service.
# Every setting with its default: config/default.toml in the repository.
";
const NO_DATASET: &str = "# [[datasets]]
# id = \"mine\"
# files = [\"graph.ttl\"]
";
const MODEL: &str = "
# The chat model: any server with OpenAI's /chat/completions and tool calling. Without one the planner answers.
# [llm]
# base_url = \"http://127.0.0.1:11434/v1\"
# model = \"qwen3\"
";

/// Writes the configuration.
///
/// # Errors
/// When one already exists, the files do not exist, or it cannot be written.
pub fn run(args: InitArgs, out: &mut dyn Write) -> Result<Ending, CliError> {
    let (stdout, needs_index) = (args.stdout, args.endpoint.is_some());
    let text = configuration(args)?;
    if stdout {
        out.write_all(text.as_bytes())?;
        return Ok(Ending::Done);
    }
    let file = PathBuf::from(DEFAULT_FILE);
    let failed = |reason: std::io::Error| match reason.kind() {
        ErrorKind::AlreadyExists => CliError::Configured { file: file.clone() },
        _ => CliError::Init { file: file.clone(), reason },
    };
    File::create_new(&file).and_then(|mut file| file.write_all(text.as_bytes())).map_err(failed)?;
    let next = if needs_index { "eruca check, eruca index, eruca serve" } else { "eruca check, eruca serve" };
    writeln!(out, "wrote {DEFAULT_FILE}; next: {next}")?;
    Ok(Ending::Done)
}

fn configuration(args: InitArgs) -> Result<String, CliError> {
    let InitArgs { dataset, endpoint, default_graph, format: FormatArgs { format }, stdout: _, files } = args;
    if has_stdin(&files)? {
        return Err(CliError::Arguments("a configuration names files; standard input has no name"));
    }
    if format.is_some() && files.is_empty() {
        return Err(CliError::Arguments("--format is for FILES"));
    }
    let (name, source) = match (files.is_empty(), endpoint) {
        (false, _) => {
            expand_patterns(&files).map_err(StartupError::from)?;
            (name_of(&files), Source::Files(files))
        }
        (true, Some(url)) => {
            (host(&url), Source::Endpoint(EndpointSettings::from_arguments(&url, default_graph)?))
        }
        (true, None) => return Ok(format!("{HEAD}\n{NO_DATASET}{MODEL}")),
    };
    let mut described = unconfigured(dataset.unwrap_or(name), source, None);
    described.format = format;
    let entry = entry(&described).unwrap_or_default();
    Ok(format!("{HEAD}\n{entry}{MODEL}"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::Settings;
    use std::path::Path;

    fn args() -> InitArgs {
        InitArgs {
            dataset: None,
            endpoint: None,
            default_graph: Vec::new(),
            format: FormatArgs { format: None },
            stdout: true,
            files: Vec::new(),
        }
    }

    /// The configuration can be loaded, also with its commented-out settings enabled.
    #[test]
    fn every_form_is_a_configuration() {
        let folder = tempfile::tempdir().unwrap();
        let graph = folder.path().join("a \"b\".txt");
        std::fs::write(&graph, "").unwrap();
        let format = FormatArgs { format: eruca_indexer::GivenFormat::named("turtle") };
        let forms = [
            (args(), "mine"),
            (InitArgs { files: vec![graph], format, ..args() }, "a \"b\""),
            (InitArgs { endpoint: Some("https://example.org/sparql".into()), ..args() }, "example.org"),
        ];
        for (form, id) in forms {
            let text = configuration(form).unwrap();
            let (head, rest) = text.split_once("\n\n").unwrap();
            let uncommented: String = rest
                .lines()
                .filter(|line| !line.contains("The chat model"))
                .map(|line| format!("{}\n", line.trim_start_matches("# ")))
                .collect();
            let file = folder.path().join("eruca.toml");
            for text in [text.clone(), format!("{head}\n{uncommented}")] {
                std::fs::write(&file, &text).unwrap();
                Settings::load_from(Some(&file), Path::new(""), &[]).unwrap();
            }
            let settings = Settings::load_from(Some(&file), Path::new(""), &[]).unwrap();
            assert_eq!(settings.datasets[0].id, id, "{text}");
            assert!(settings.llm.is_some());
        }
    }
}
