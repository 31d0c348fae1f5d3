//! `eruca index`: builds the indexes of configured datasets, or one of RDF files.

use super::text::{counted, grouped, one_line};
use super::{CliError, ConfigArgs, progress, unknown_dataset};
use crate::config::{DatasetSettings, Settings, Source};
use crate::startup;
use clap::Args;
use eruca_indexer::BuildSummary;
use std::io::Write;
use std::path::{Path, PathBuf};

/// Arguments of `eruca index`.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  eruca index                                        every configured dataset
  eruca index --config config/own-endpoint.toml --dataset mine
  eruca index graph.ttl                              an index in data/graph
  eruca index --dataset mine --out data/mine --skip-errors graph.ttl 'more/*.nt.gz'

An index is built beside the one in use and swapped in at the end. Warnings alone are logged,
unless RUST_LOG is set.")]
pub struct IndexArgs {
    /// Where settings come from.
    #[command(flatten)]
    pub config: ConfigArgs,
    /// Dataset to index, by id or alias [default: all; with FILES: the first file's name]
    #[arg(long, value_name = "ID")]
    pub dataset: Option<String>,
    /// Folder of the index [default: the dataset's own, see [index] folder]
    #[arg(long, value_name = "DIR", requires = "files")]
    pub out: Option<PathBuf>,
    /// Leave broken statements out, and count them, instead of ending at the first one
    #[arg(long)]
    pub skip_errors: bool,
    /// RDF files to index instead of what the dataset is configured with: paths and patterns
    pub files: Vec<PathBuf>,
}

/// Builds the indexes.
///
/// # Errors
/// When the dataset is unknown, or its files or endpoint cannot be read.
pub async fn run(args: IndexArgs, mut settings: Settings, out: &mut dyn Write) -> Result<(), CliError> {
    settings.index.skip_errors |= args.skip_errors;
    let progress = progress::to_stderr();
    for dataset in wanted(args, &settings)? {
        let summary = startup::build_index(&settings, &dataset, progress.as_ref()).await?;
        write!(out, "{}", report(&dataset, &summary))?;
        if settings.dataset(&dataset.id).is_none() {
            write!(out, "{}", how_to_serve(&dataset, &summary.index))?;
        }
    }
    Ok(())
}

fn wanted(args: IndexArgs, settings: &Settings) -> Result<Vec<DatasetSettings>, CliError> {
    let IndexArgs { config: _, dataset: asked, out, skip_errors: _, files } = args;
    let configured = asked.as_deref().and_then(|asked| settings.dataset(asked));
    match (asked, configured, files.first()) {
        (None, _, None) => Ok(settings.datasets.clone()),
        (Some(asked), None, None) => Err(unknown_dataset(settings, &asked)),
        (Some(_), Some(dataset), None) => Ok(vec![dataset.clone()]),
        // A dump of an endpoint's graph, for example.
        (_, Some(dataset), Some(_)) => {
            let index = out.or_else(|| dataset.index.clone());
            Ok(vec![DatasetSettings { source: Source::Files(files), index, ..dataset.clone() }])
        }
        (asked, None, Some(first)) => {
            let id = asked.unwrap_or_else(|| stem(first));
            let source = Source::Files(files);
            let (aliases, languages) = (Vec::new(), Vec::new());
            Ok(vec![DatasetSettings { name: id.clone(), id, aliases, source, index: out, languages }])
        }
    }
}

/// A file's name up to its first dot: `graph` for `more/graph.nt.gz`.
fn stem(path: &Path) -> String {
    let name = path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    match name.split('.').next() {
        Some(stem) if !stem.is_empty() => stem.to_owned(),
        _ => "graph".to_owned(),
    }
}

fn report(dataset: &DatasetSettings, summary: &BuildSummary) -> String {
    let BuildSummary {
        index,
        triples,
        skipped,
        skipped_reasons,
        entities,
        values,
        classes,
        properties,
        languages,
        schema_search,
        elapsed,
    } = summary;
    let left_out = left_out(*skipped, skipped_reasons);
    format!(
        "dataset     {}\ntriples     {}{left_out}\nentities    {}\nvalues      {}\nclasses     {}\nproperties  {}\n\
         languages   {}\nsearch      {schema_search}\nindex       {}\nseconds     {:.1}\n",
        dataset.id,
        grouped(*triples),
        grouped(*entities),
        grouped(*values),
        grouped(*classes),
        grouped(*properties),
        language_list(languages),
        index.display(),
        elapsed.as_secs_f64(),
    )
}

/// How many statements were left out and the first reasons, each on a line.
fn left_out(skipped: u64, reasons: &[String]) -> String {
    if skipped == 0 {
        return String::new();
    }
    let reasons: String =
        reasons.iter().map(|reason| format!("\n            - {}", one_line(reason, 300))).collect();
    format!(" ({} left out){reasons}", counted(skipped, "broken statement", "broken statements"))
}

fn language_list(languages: &[(String, u64)]) -> String {
    let named = |tag: &str| if tag.is_empty() { "no tag".to_owned() } else { tag.to_owned() };
    let list: Vec<String> =
        languages.iter().map(|(tag, labels)| format!("{} ({})", named(tag), grouped(*labels))).collect();
    if list.is_empty() { "none".to_owned() } else { list.join(", ") }
}

/// The lines of a configuration with which the index just built is served.
fn how_to_serve(dataset: &DatasetSettings, index: &Path) -> String {
    let Source::Files(files) = &dataset.source else { return String::new() };
    let files: Vec<String> = files.iter().map(|file| quoted(&file.to_string_lossy())).collect();
    format!(
        "\nTo serve it, write this into eruca.toml and start `eruca serve`:\n\n\
         [[datasets]]\nid = {}\nfiles = [{}]\nindex = {}\n",
        quoted(&dataset.id),
        files.join(", "),
        quoted(&index.to_string_lossy()),
    )
}

/// As a TOML basic string, which has the escapes that JSON writes.
fn quoted(text: &str) -> String {
    serde_json::Value::from(text).to_string()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    #[test]
    fn the_id_of_files_is_the_first_ones_name() {
        assert_eq!(stem(Path::new("more/graph.nt.gz")), "graph");
        assert_eq!(stem(Path::new(".ttl")), "graph");
    }

    #[test]
    fn the_report_has_every_number() {
        let dataset = DatasetSettings {
            id: "mine".to_owned(),
            aliases: Vec::new(),
            name: "mine".to_owned(),
            source: Source::Files(vec!["a \"b\".ttl".into()]),
            index: None,
            languages: Vec::new(),
        };
        let summary = BuildSummary {
            index: "data/mine".into(),
            triples: 12_345,
            skipped: 1,
            skipped_reasons: vec!["a.nt line 2: no object".to_owned()],
            entities: 900,
            values: 1_000,
            classes: 7,
            properties: 31,
            languages: vec![("de".to_owned(), 500), (String::new(), 3)],
            schema_search: "bm25".to_owned(),
            elapsed: Duration::from_millis(1_260),
        };
        insta::assert_snapshot!(report(&dataset, &summary) + &how_to_serve(&dataset, &summary.index), @r#"
        dataset     mine
        triples     12,345 (1 broken statement left out)
                    - a.nt line 2: no object
        entities    900
        values      1,000
        classes     7
        properties  31
        languages   de (500), no tag (3)
        search      bm25
        index       data/mine
        seconds     1.3

        To serve it, write this into eruca.toml and start `eruca serve`:

        [[datasets]]
        id = "mine"
        files = ["a \"b\".ttl"]
        index = "data/mine"
        "#);
    }
}
