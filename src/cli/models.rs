//! `eruca models`: small embedding models for `[embedding] provider = "onnx"`, fetched into a folder.
//!
//! Uses the hub of `eruca-indexer`; needs no configuration, and prints what a configuration needs.

use super::index::quoted;
use super::text::one_line;
use super::{CliError, Ending, progress};
use clap::builder::NonEmptyStringValueParser;
use clap::{Args, Subcommand};
use eruca_indexer::embedding::hub::{self, HUGGING_FACE, Hub, KNOWN, ModelLock, Offer, Wanted};
use std::io::Write;
use std::path::{Path, PathBuf};

/// The name under which people look for the library.
const LIBRARY: &str = "onnxruntime";
/// How to get it. Its owner does not tell checksums where this program could ask for them; `pip` checks them.
const LIBRARY_WORDS: &str = "\
ONNX Runtime (MIT), version 1.24 or newer, is not fetched by Eruca: `pip` is, with checksums, from its own index:

  pip install --no-deps --target onnxruntime onnxruntime
  find \"$PWD/onnxruntime\" -name 'libonnxruntime.so*'

Then put the path that is found into [embedding] onnxruntime, or into the variable ORT_DYLIB_PATH. The image that is built with
`docker build --build-arg ONNXRUNTIME=yes .` has it. A server needs none: docs/models.md, \"Embeddings\".
";
/// Longest text of a hub that is shown, in characters.
const SHOWN_CHARS: usize = 200;
const MEGABYTE: f64 = 1e6;

/// Arguments of `eruca models`.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  eruca models list
  eruca models fetch multilingual-e5-small           into models/multilingual-e5-small
  eruca models fetch all-MiniLM-L6-v2 --folder /srv/models
  eruca models fetch OWNER/NAME --weights onnx/model_quantized.onnx
  eruca models fetch onnxruntime                     how to get the library that runs them

The licence and the source are shown before a model is fetched; each file is compared with the checksum that the hub
tells. Where there is no network, copy the folder from a machine that has it: the same command then checks it.
Exit codes: 0 done, 1 failed, 2 wrong arguments.")]
pub struct ModelsArgs {
    /// What to do.
    #[command(subcommand)]
    pub command: ModelsCommand,
}

/// What to do with models.
#[derive(Debug, Subcommand)]
pub enum ModelsCommand {
    /// Show the models that have short names
    List,
    /// Fetch a model into a folder, or check one that is there
    Fetch(FetchArgs),
}

/// Arguments of `eruca models fetch`.
#[derive(Debug, Args)]
pub struct FetchArgs {
    /// A name that `eruca models list` shows, OWNER/NAME of a model on the hub, or onnxruntime
    #[arg(value_name = "NAME", value_parser = NonEmptyStringValueParser::new())]
    pub name: String,
    /// Folder in which the model gets a folder of its own; made if it is missing
    #[arg(long, value_name = "FOLDER", default_value = "models")]
    pub folder: PathBuf,
    /// Commit, branch or tag [default: main, or that of the folder that is there]
    #[arg(long, value_name = "REVISION", value_parser = NonEmptyStringValueParser::new())]
    pub revision: Option<String>,
    /// File with the weights [default: onnx/model.onnx, else model.onnx]
    #[arg(long, value_name = "FILE", value_parser = NonEmptyStringValueParser::new())]
    pub weights: Option<String>,
    /// Address of Hugging Face, or of a mirror of it
    #[arg(long, value_name = "URL", env = "HF_ENDPOINT", default_value = HUGGING_FACE)]
    pub hub: String,
}

/// Lists or fetches models.
///
/// # Errors
/// When the model cannot be fetched, or what is there is not as it was fetched.
pub async fn run(args: ModelsArgs, out: &mut dyn Write) -> Result<Ending, CliError> {
    match args.command {
        ModelsCommand::List => list(out)?,
        ModelsCommand::Fetch(args) if args.name == LIBRARY => out.write_all(LIBRARY_WORDS.as_bytes())?,
        ModelsCommand::Fetch(args) => fetch(args, out).await?,
    }
    Ok(Ending::Done)
}

fn list(out: &mut dyn Write) -> Result<(), CliError> {
    for model in KNOWN {
        writeln!(
            out,
            "{}\tabout {} MB\t{} numbers a text\tlicence {}\t{}",
            model.name, model.megabytes, model.dimension, model.licence, model.good_for
        )?;
    }
    Ok(())
}

async fn fetch(args: FetchArgs, out: &mut dyn Write) -> Result<(), CliError> {
    let FetchArgs { name, folder, revision, weights, hub } = args;
    let wanted = Wanted { name, revision, weights };
    let target = folder.join(wanted.folder_name()?);
    if let Some(lock) = hub::fetched(&wanted, &target)? {
        let (there, megabytes) = (target.display(), megabytes(lock.bytes()));
        eprintln(&format!("{there} is there, {megabytes} MB, and all its files are as they were fetched"))?;
        return configuration(&lock, &target, out);
    }
    let _installed = rustls::crypto::ring::default_provider().install_default();
    let hub = Hub::new(&hub)?;
    let offer = hub.look(&wanted).await?;
    eprintln(&announcement(&offer, &target))?;
    let lock = hub.fetch(&offer, &target, progress::to_stderr().as_ref()).await?;
    configuration(&lock, &target, out)
}

/// Shown before anything is fetched.
fn announcement(offer: &Offer, target: &Path) -> String {
    let ModelLock { repository, hub, revision, licence, .. } = &offer.lock;
    let licence = one_line(licence, SHOWN_CHARS);
    format!(
        "{repository}: licence {licence}; {} files, {} MB, from {hub} at {revision}, into {}",
        offer.files.len(),
        megabytes(offer.bytes()),
        target.display()
    )
}

fn megabytes(bytes: u64) -> String {
    format!("{:.1}", bytes as f64 / MEGABYTE)
}

fn eprintln(text: &str) -> Result<(), CliError> {
    Ok(writeln!(std::io::stderr(), "{}", crate::lines::escaped(text))?)
}

/// The lines for the configuration, which can be put there as they are.
fn configuration(lock: &ModelLock, target: &Path, out: &mut dyn Write) -> Result<(), CliError> {
    let path = std::path::absolute(target)?;
    writeln!(out, "[embedding]\nprovider = \"onnx\"\npath = {}", quoted(&path.to_string_lossy()))?;
    writeln!(out, "pooling = {}", quoted(&lock.pooling))?;
    writeln!(out, "query_prefix = {}", quoted(&lock.query_prefix))?;
    writeln!(out, "document_prefix = {}", quoted(&lock.document_prefix))?;
    writeln!(
        out,
        "# onnxruntime = \"/path/to/libonnxruntime.so\"    # eruca models fetch onnxruntime tells how"
    )?;
    Ok(())
}
