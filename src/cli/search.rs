//! `eruca search`: what a name may mean in a graph.

use super::graph::GraphArgs;
use super::text::one_line;
use super::{CliError, ConfigArgs, Ending, progress};
use crate::config::Settings;
use crate::service::browse::Lookup;
use crate::startup;
use clap::builder::NonEmptyStringValueParser;
use clap::{Args, ValueEnum};
use eruca_api::{Hit, HitKind, Hits};
use std::io::Write;

/// Maximum lengths in characters of a hit's name and of the line with its details.
const NAME_CHARS: usize = 80;
const LINE_CHARS: usize = 300;

/// Arguments of `eruca search`.
#[derive(Debug, Args)]
#[command(override_usage = "eruca search [OPTIONS] [GRAPH] <NAME>")]
#[command(after_help = "Examples:
  eruca search Amazon                                things, classes and properties with that name
  eruca search --kind property capital
  eruca search graph.ttl \"Ada Lovelace\"              in a file of your own, or a folder with files

A line for each hit, best first: kind, name and IRI, with tabs between. Misspelt names are found, too.
Exit codes: 0 found, 1 an error, 2 wrong arguments, 3 nothing found.")]
pub struct SearchArgs {
    /// Where settings come from.
    #[command(flatten)]
    pub config: ConfigArgs,
    /// Where to look.
    #[command(flatten)]
    pub graph: GraphArgs,
    /// Only hits of this kind
    #[arg(long)]
    pub kind: Option<SearchedKind>,
    /// Hits shown at most
    #[arg(long, value_name = "N", default_value_t = 20, value_parser = clap::value_parser!(u8).range(1..=50))]
    pub limit: u8,
    /// The name, or what it begins with; before it, a dataset or RDF files
    #[arg(value_name = "NAME", required = true, num_args = 1..=2)]
    #[arg(value_parser = NonEmptyStringValueParser::new())]
    pub words: Vec<String>,
}

/// What a hit may be.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum SearchedKind {
    /// A thing
    Entity,
    /// A class of things
    Class,
    /// A property of things
    Property,
    /// A text that a property has for a value
    Value,
}

impl SearchedKind {
    fn of(kind: HitKind) -> Self {
        match kind {
            HitKind::Entity => Self::Entity,
            HitKind::Class => Self::Class,
            HitKind::Property => Self::Property,
            HitKind::Value => Self::Value,
        }
    }

    fn as_hit(self) -> HitKind {
        match self {
            Self::Entity => HitKind::Entity,
            Self::Class => HitKind::Class,
            Self::Property => HitKind::Property,
            Self::Value => HitKind::Value,
        }
    }

    fn name(self) -> String {
        self.to_possible_value().map(|value| value.get_name().to_owned()).unwrap_or_default()
    }
}

/// Looks up a name.
///
/// # Errors
/// When the dataset cannot be opened, or nothing can be looked up in it.
pub async fn run(args: SearchArgs, mut settings: Settings, out: &mut dyn Write) -> Result<Ending, CliError> {
    let SearchArgs { config: _, graph, kind, limit, mut words } = args;
    let text = words.pop().unwrap_or_default();
    let dataset = graph.find(words.pop(), &mut settings).await?;
    let progress = progress::to_stderr();
    let service = startup::open_dataset_service(&settings, &dataset, progress.as_ref()).await?;
    let kind = kind.map(SearchedKind::as_hit);
    let Hits { hits } =
        service.search(Lookup { dataset, text, kind, limit: limit.into(), lang: None }).await?;
    for hit in &hits {
        writeln!(out, "{}", line(hit))?;
    }
    Ok(if hits.is_empty() { Ending::Nothing } else { Ending::Done })
}

/// Kind, name and IRI separated by tabs, then other details.
fn line(hit: &Hit) -> String {
    let Hit { iri, label, kind, description, matched, classes, property } = hit;
    let mut line = format!(
        "{}\t{}\t{}",
        SearchedKind::of(*kind).name(),
        one_line(label, NAME_CHARS),
        one_line(iri, 2_000)
    );
    let matched = matched.as_ref().map(|name| format!("called {name}"));
    let classes = (!classes.is_empty()).then(|| classes.join(", "));
    let notes: Vec<String> =
        [matched, classes, property.clone(), description.clone()].into_iter().flatten().collect();
    if !notes.is_empty() {
        line.push_str(&format!("\t{}", one_line(&notes.join("; "), LINE_CHARS)));
    }
    line
}
