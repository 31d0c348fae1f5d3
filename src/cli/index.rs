//! `eruca index`: builds the indexes of configured datasets, or one of RDF files.

use super::files::{FormatArgs, Replaced, has_stdin, name_of, with_copy};
use super::graph::unconfigured;
use super::text::{counted, one_line};
use super::{CliError, ConfigArgs, other_index, progress, unknown_dataset};
use crate::config::{ConfigError, DatasetSettings, EndpointSettings, SearchSettings, Settings, Source};
use crate::startup;
use clap::Args;
use eruca_indexer::{BuildSummary, Share, ShareSummary};
use eruca_knowledge::questions::read_questions;
use eruca_sparql::thousands;
use std::io::Write;
use std::path::{Path, PathBuf};

/// Maximum number of files with misleading names that are listed.
const MAX_FILE_NOTES: usize = 5;

/// Arguments of `eruca index`.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  eruca index                                        every configured dataset
  eruca index --config config/own-endpoint.toml --dataset mine
  eruca index graph.ttl                              an index in data/graph
  eruca index --dataset mine --out data/mine --skip-errors graph.ttl 'more/*.nt.gz'
  eruca index --endpoint https://example.org/sparql  the whole graph of an endpoint
  eruca index folder/                                the RDF files in a folder
  eruca index --update                               what has changed since it was indexed
  zcat dump.gz | eruca index --format ntriples --dataset mine -
  eruca index --dataset mine --part 1/4              a part, on each of four machines (docs/scale.md)
  eruca index --dataset mine --merge                 all parts together

An endpoint is read page by page, one request at a time; when interrupted, the same command continues
from there. What comes from standard input is kept in the folder of the index. Write credentials and headers for an endpoint into the configuration.
An index is built beside the one in use and swapped in at the end. Only warnings are logged,
unless RUST_LOG is set.")]
pub struct IndexArgs {
    /// Where settings come from.
    #[command(flatten)]
    pub config: ConfigArgs,
    /// Dataset to index, by id or alias [default: all; with FILES: the first file's name]
    #[arg(long, value_name = "ID")]
    pub dataset: Option<String>,
    /// Folder of the index [default: the dataset's own, see [index] folder]
    #[arg(long, value_name = "DIR", requires = "source")]
    pub out: Option<PathBuf>,
    /// Leave broken statements out, and count them, instead of ending at the first one
    #[arg(long)]
    pub skip_errors: bool,
    /// SPARQL endpoint to index instead of what the dataset is configured with
    #[arg(long, value_name = "URL", group = "source")]
    pub endpoint: Option<String>,
    /// Graph that the endpoint takes as its default graph; several are merged
    #[arg(long, value_name = "IRI", requires = "endpoint")]
    pub default_graph: Vec<String>,
    /// Leave an index whose files are as they were when it was built; settings are not compared, and endpoints are read anew
    #[arg(long)]
    pub update: bool,
    /// Start again instead of resuming an interrupted download
    #[arg(long)]
    pub restart: bool,
    /// Index one of N parts of a dataset whose names are on a Qdrant server: each job reads all files and keeps its part
    #[arg(long, value_name = "I/N", conflicts_with_all = ["update", "restart", "endpoint", "files", "merge"])]
    pub part: Option<Share>,
    /// Put the parts together, once all are built
    #[arg(long, conflicts_with_all = ["update", "restart", "endpoint", "files"])]
    pub merge: bool,
    /// How RDF files are read.
    #[command(flatten)]
    pub format: FormatArgs,
    /// RDF files to index instead of what the dataset is configured with: paths, patterns, folders, `-` for standard input
    #[arg(group = "source")]
    pub files: Vec<PathBuf>,
}

/// Builds the indexes.
///
/// # Errors
/// When the dataset is unknown, or its files or endpoint cannot be read.
pub async fn run(args: IndexArgs, mut settings: Settings, out: &mut dyn Write) -> Result<(), CliError> {
    let adds_skipping = args.skip_errors && !settings.index.skip_errors;
    settings.index.skip_errors |= args.skip_errors;
    let nobody_named_it = args.dataset.is_none() && args.out.is_none();
    let progress = progress::to_stderr();
    let (restart, update) = (args.restart, args.update);
    let (part, merge) = (args.part, args.merge);
    for dataset in wanted(args, &settings)? {
        if let SearchSettings::Wikibase(search) = &dataset.search {
            write!(out, "dataset     {}\nsearch      {}; nothing is indexed\n", dataset.id, search.api)?;
            continue;
        }
        if update && is_unchanged(&settings, &dataset) {
            let folder = settings.index_folder(&dataset);
            write!(out, "dataset     {}\nunchanged   {}\n", dataset.id, folder.display())?;
            continue;
        }
        if let Some(part) = part {
            let built = startup::build_share(&settings, &dataset, part, progress.as_ref()).await?;
            write!(out, "{}", report_of_part(&dataset, &built))?;
            continue;
        }
        let is_configured = settings.dataset(&dataset.id).is_some();
        if !is_configured && nobody_named_it {
            other_index::refuse_to_replace(&settings, &dataset)?;
        }
        let other = other_index::other_graph(&settings.index_folder(&dataset), &dataset);
        if restart {
            startup::forget_download(&settings, &dataset)?;
        }
        let (dataset, piped) = with_stdin(&settings, dataset)?;
        let summary = match merge {
            true => startup::merge_shares(&settings, &dataset, progress.as_ref()).await,
            false => startup::build_index(&settings, &dataset, progress.as_ref()).await,
        };
        if let Some(piped) = piped {
            piped.settle(summary.is_ok());
        }
        let summary = summary?;
        // Printed only now, as a failed build leaves the old index in use.
        if let Some(other) = other {
            writeln!(out, "replaces    the index of {}", one_line(&other, 300))?;
        }
        write!(out, "{}{}", report(&dataset, &summary), questions_to_test(&dataset))?;
        if !is_configured {
            write!(out, "{}", how_to_serve(&dataset, &summary.index, adds_skipping))?;
        }
    }
    Ok(())
}

/// Whether there is an index of exactly these files that this version can read.
fn is_unchanged(settings: &Settings, dataset: &DatasetSettings) -> bool {
    let files = match &dataset.source {
        Source::Files(files) | Source::FilesAndEndpoint { files, .. } => files,
        Source::Endpoint(_) | Source::Demo => return false,
    };
    startup::is_current(settings, dataset, files)
}

/// The dataset with a copy of standard input in its place among the files.
fn with_stdin(
    settings: &Settings,
    dataset: DatasetSettings,
) -> Result<(DatasetSettings, Option<Replaced>), CliError> {
    match &dataset.source {
        Source::Files(files) if has_stdin(files)? => {
            let piped = Replaced::read(&settings.index_folder(&dataset))?;
            let source = Source::Files(with_copy(files.clone(), &piped.file));
            Ok((DatasetSettings { source, ..dataset }, Some(piped)))
        }
        _ => Ok((dataset, None)),
    }
}

fn wanted(args: IndexArgs, settings: &Settings) -> Result<Vec<DatasetSettings>, CliError> {
    let IndexArgs {
        config: _,
        dataset: asked,
        out,
        skip_errors: _,
        endpoint,
        default_graph,
        restart: _,
        update: _,
        part: _,
        merge: _,
        format: FormatArgs { format },
        files,
    } = args;
    let configured = asked.as_deref().and_then(|asked| settings.dataset(asked));
    let own = configured.and_then(|dataset| dataset.source.endpoint());
    let given = match (files.is_empty(), endpoint) {
        (false, _) => Some((name_of(&files), Source::Files(files))),
        (true, _) if format.is_some() => return Err(CliError::Arguments("--format is for FILES")),
        (true, Some(url)) => {
            Some((host(&url), Source::Endpoint(endpoint_settings(own, &url, default_graph)?)))
        }
        (true, None) => None,
    };
    match (asked, configured, given) {
        (None, _, None) => Ok(settings.datasets.clone()),
        (Some(asked), None, None) => Err(unknown_dataset(settings, &asked)),
        (Some(_), Some(dataset), None) => Ok(vec![dataset.clone()]),
        // For example, a dump of an endpoint's graph.
        (_, Some(dataset), Some((_, source))) => {
            let index = out.or_else(|| dataset.index.clone());
            let search = SearchSettings::Index;
            let format = format.or(dataset.format);
            Ok(vec![DatasetSettings { source, format, index, search, ..dataset.clone() }])
        }
        (asked, None, Some((name, source))) => {
            let id = asked.unwrap_or(name);
            Ok(vec![DatasetSettings { format, ..unconfigured(id, source, out) }])
        }
    }
}

/// The endpoint as configured if the URL is the same, since credentials must not go to another endpoint.
fn endpoint_settings(
    own: Option<&EndpointSettings>,
    url: &str,
    graphs: Vec<String>,
) -> Result<EndpointSettings, ConfigError> {
    let given = EndpointSettings::from_arguments(url, graphs)?;
    let EndpointSettings { url, default_graphs, .. } = given.clone();
    Ok(match own.filter(|own| own.url == url) {
        Some(own) if default_graphs.is_empty() => own.clone(),
        Some(own) => EndpointSettings { default_graphs, ..own.clone() },
        None => given,
    })
}

/// The host of a URL: `example.org` for `https://example.org/sparql`.
pub(super) fn host(url: &str) -> String {
    let rest = url.split_once("://").map_or(url, |(_, rest)| rest);
    let host = rest.split(['/', ':', '?', '#']).next().unwrap_or_default();
    if host.is_empty() { "endpoint".to_owned() } else { host.to_owned() }
}

fn report(dataset: &DatasetSettings, summary: &BuildSummary) -> String {
    let BuildSummary {
        index,
        triples,
        skipped,
        skipped_reasons,
        file_notes,
        entities,
        values,
        passages,
        text_search,
        classes,
        properties,
        languages,
        schema_search,
        notes,
        unread,
        seen,
        elapsed,
    } = summary;
    let left_out = left_out(*skipped, skipped_reasons);
    let files = notes_on_files(file_notes);
    let notes = notes.iter().chain(unread);
    let notes: String = notes.map(|note| format!("not whole   {}\n", one_line(note, 300))).collect();
    let texts = match passages {
        0 => String::new(),
        passages => format!("texts       {} passages, search {text_search}\n", thousands(*passages)),
    };
    let seen = seen.iter().map(|(from, triples)| {
        format!("without     what is hidden from {from}: {} triples\n", thousands(*triples))
    });
    let seen: String = seen.collect();
    format!(
        "dataset     {}\ntriples     {}{left_out}\n{seen}{files}{notes}entities    {}\nvalues      {}\n{texts}classes     {}\nproperties  {}\n\
         languages   {}\nsearch      {schema_search}\nindex       {}\nseconds     {:.1}\n",
        dataset.id,
        thousands(*triples),
        thousands(*entities),
        thousands(*values),
        thousands(*classes),
        thousands(*properties),
        language_list(languages),
        index.display(),
        elapsed.as_secs_f64(),
    )
}

fn report_of_part(dataset: &DatasetSettings, built: &ShareSummary) -> String {
    let ShareSummary { share, folder, triples, entities, values, there, elapsed } = built;
    let next = match there.len() == share.of() as usize {
        true => format!("all are there; put them together: eruca index --dataset '{}' --merge", dataset.id),
        false => format!("here: {}", there.iter().map(u32::to_string).collect::<Vec<_>>().join(", ")),
    };
    format!(
        "dataset     {}\npart        {share}\ntriples     {} read\nentities    {}\nvalues      {}\nfolder      {}\nparts       {next}\n\
         seconds     {:.1}\n",
        dataset.id,
        thousands(*triples),
        thousands(*entities),
        thousands(*values),
        folder.display(),
        elapsed.as_secs_f64(),
    )
}

/// Says that verified questions should be run on the new index, if there are any.
fn questions_to_test(dataset: &DatasetSettings) -> String {
    let questions = startup::questions_folder(dataset).map(|folder| read_questions(&folder).0);
    match questions.map_or(0, |questions| questions.entries().len()) {
        0 => String::new(),
        count => format!(
            "questions   {} verified; eruca examples test --dataset '{}' runs them on this index\n",
            thousands(count as u64),
            dataset.id
        ),
    }
}

/// A line for each of the first files whose format is not what their names suggest.
fn notes_on_files(notes: &[String]) -> String {
    let mut lines: String = notes
        .iter()
        .take(MAX_FILE_NOTES)
        .map(|note| format!("note        {}\n", one_line(note, 300)))
        .collect();
    if notes.len() > MAX_FILE_NOTES {
        lines.push_str(&format!("note        and {} more of this kind\n", notes.len() - MAX_FILE_NOTES));
    }
    lines
}

/// The number of statements left out and the first reasons, one per line.
fn left_out(skipped: u64, reasons: &[String]) -> String {
    if skipped == 0 {
        return String::new();
    }
    let reasons: String =
        reasons.iter().map(|reason| format!("\n            - {}", one_line(reason, 300))).collect();
    format!(" ({} left out){reasons}", counted(skipped, "broken statement", "broken statements"))
}

/// Maximum number of languages listed, most frequent first.
const MAX_LANGUAGES: usize = 12;

fn language_list(languages: &[(String, u64)]) -> String {
    let named = |tag: &str| if tag.is_empty() { "no tag".to_owned() } else { tag.to_owned() };
    let list: Vec<String> = languages
        .iter()
        .take(MAX_LANGUAGES)
        .map(|(tag, labels)| format!("{} ({})", named(tag), thousands(*labels)))
        .collect();
    match languages.len().saturating_sub(MAX_LANGUAGES) {
        0 if list.is_empty() => "none".to_owned(),
        0 => list.join(", "),
        more => format!("{}, {more} more", list.join(", ")),
    }
}

/// The configuration lines for serving the index just built. With `adds_skipping`, statements were left out by an option
/// that is not in the configuration yet, but is needed to load the same files.
fn how_to_serve(dataset: &DatasetSettings, index: &Path, adds_skipping: bool) -> String {
    let skipping = if adds_skipping { "\n[index]\nskip_errors = true\n" } else { "" };
    match entry(dataset) {
        None => String::new(),
        Some(entry) => format!(
            "\nTo serve it, write this into eruca.toml and start `eruca serve`:\n\n{entry}index = {}\n{skipping}",
            quoted(&index.to_string_lossy()),
        ),
    }
}

/// The entry of a dataset in a configuration, without its index.
pub(super) fn entry(dataset: &DatasetSettings) -> Option<String> {
    let list = |items: Vec<String>| items.iter().map(|item| quoted(item)).collect::<Vec<_>>().join(", ");
    let source = match &dataset.source {
        Source::Files(files) => {
            let names = files.iter().map(|file| file.to_string_lossy().into_owned()).collect();
            format!("files = [{}]", list(names))
        }
        Source::Endpoint(endpoint) if endpoint.default_graphs.is_empty() => {
            format!("endpoint = {}", quoted(&endpoint.url))
        }
        Source::Endpoint(endpoint) => {
            let graphs = list(endpoint.default_graphs.clone());
            format!("endpoint = {}\ndefault_graphs = [{graphs}]", quoted(&endpoint.url))
        }
        Source::Demo | Source::FilesAndEndpoint { .. } => return None,
    };
    let format = dataset.format.map(|format| format!("format = {}\n", quoted(format.name())));
    let id = quoted(&dataset.id);
    Some(format!("[[datasets]]\nid = {id}\n{source}\n{}", format.unwrap_or_default()))
}

/// A TOML basic string, whose escapes include those of JSON.
pub(super) fn quoted(text: &str) -> String {
    serde_json::Value::from(text).to_string()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    #[test]
    fn the_id_of_an_endpoint_is_its_host() {
        assert_eq!(host("https://example.org:8890/sparql"), "example.org");
        assert_eq!(host("nonsense"), "nonsense");
        assert_eq!(host("http:///sparql"), "endpoint");
    }

    #[test]
    fn credentials_go_to_the_endpoint_they_are_for_alone() {
        let own = EndpointSettings {
            credentials: crate::config::CredentialSettings::Bearer("token".into()),
            ..EndpointSettings::from_arguments("https://example.org/sparql", Vec::new()).unwrap()
        };
        let keeps = |url: &str| {
            let settings = endpoint_settings(Some(&own), url, Vec::new()).unwrap();
            matches!(settings.credentials, crate::config::CredentialSettings::Bearer(_))
        };
        assert!(keeps("https://example.org/sparql"));
        assert!(!keeps("https://example.com/sparql"));
        assert!(endpoint_settings(None, "https://user:secret@example.org/", Vec::new()).is_err());
    }

    #[test]
    fn the_report_has_every_number() {
        let dataset = DatasetSettings {
            id: "mine".to_owned(),
            aliases: Vec::new(),
            name: "mine".to_owned(),
            source: Source::Files(vec!["a \"b\".ttl".into()]),
            graphs: Vec::new(),
            format: None,
            prefixes: Vec::new(),
            index: None,
            knowledge: None,
            texts: crate::config::TextSettings::default(),
            languages: Vec::new(),
            vocabulary: eruca_indexer::vocabulary::GivenVocabulary::default(),
            search: SearchSettings::Index,
            editor: None,
            improve: None,
        };
        let summary = BuildSummary {
            index: "data/mine".into(),
            triples: 12_345,
            skipped: 1,
            skipped_reasons: vec!["a.nt line 2: no object".to_owned()],
            file_notes: vec!["b.owl is read as Turtle, not RDF/XML as its name says".to_owned()],
            entities: 900,
            values: 1_000,
            passages: 42,
            text_search: "bm25".to_owned(),
            classes: 7,
            properties: 31,
            languages: vec![("de".to_owned(), 500), (String::new(), 3)],
            schema_search: "bm25".to_owned(),
            notes: vec!["http://e.x/p: a sample".to_owned()],
            unread: vec!["1 statement of a.nt could not be read and is missing".to_owned()],
            seen: vec![("the role 'partner'".to_owned(), 12_001)],
            elapsed: Duration::from_millis(1_260),
        };
        insta::assert_snapshot!(report(&dataset, &summary) + &how_to_serve(&dataset, &summary.index, true), @r#"
        dataset     mine
        triples     12,345 (1 broken statement left out)
                    - a.nt line 2: no object
        without     what is hidden from the role 'partner': 12,001 triples
        note        b.owl is read as Turtle, not RDF/XML as its name says
        not whole   http://e.x/p: a sample
        not whole   1 statement of a.nt could not be read and is missing
        entities    900
        values      1,000
        texts       42 passages, search bm25
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

        [index]
        skip_errors = true
        "#);
    }
}
