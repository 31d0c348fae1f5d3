//! `eruca ask`: answers questions in this process: a single one, a conversation, or those on standard input.

use super::each_line::{self, LineFormat};
use super::files::STANDARD_INPUT;
use super::graph::GraphArgs;
use super::insight::{alternatives, doubts};
use super::rows::{self, RowFormat, RowsArgs};
use super::steps::StepPrinter;
use super::text::safe_lines;
use super::trust::is_trusted;
use super::{CliError, ConfigArgs, Ending, meaning, progress, run_output, table, talk};
use crate::config::Settings;
use crate::service::{Answered, Ask, Question, Service};
use crate::startup;
use clap::Args;
use clap::builder::NonEmptyStringValueParser;
use eruca_api::{AnswerStyle, Correction, Results, incomplete};
use std::collections::BTreeMap;
use std::io::{IsTerminal, Write};
use std::sync::Arc;

/// Arguments of `eruca ask`.
#[derive(Debug, Args)]
#[command(override_usage = "eruca ask [OPTIONS] [GRAPH] <QUESTION>
       eruca ask [OPTIONS] [GRAPH] -
       eruca ask [OPTIONS] --interactive [GRAPH]")]
#[command(after_help = "Examples:
  eruca ask \"What is the capital of France?\"
  eruca ask --show-results \"Which rivers flow through Germany?\"
  eruca ask --results csv --labels \"Which rivers flow through Germany?\" > rivers.csv
  eruca ask --json --dataset demo \"How many countries are there?\" | jq .query
  eruca ask graph.ttl \"Who wrote Emma?\"              a file of your own, without configuration
  eruca ask folder/ \"Who wrote Emma?\"                the RDF files in a folder
  curl -s https://example.org/graph | eruca ask --format turtle - \"Who wrote Emma?\"
  eruca ask -i                                       a conversation; :help lists its commands
  eruca ask --json - < questions.txt                 a question per line, an object per line

On a terminal the answer comes in words with its rows, and how far to believe it; --query adds the query,
-v the steps. Elsewhere the query alone goes to stdout, and the steps go to stderr; --answer and --query
choose. For questions from standard input the answer comes in words. GRAPH is a configured dataset, an RDF file, a pattern, a folder with RDF
files, or, before a question, `-` for standard input; the index of what is not configured is kept in the
user's cache folder. Only warnings are logged, unless RUST_LOG is set.

Exit codes: 0 answered, 1 an error, or a question without an answer, 2 wrong arguments, 3 answered,
but the answer should not be trusted: a guess, a name that the graph does not know, or a query that did not run.")]
pub struct AskArgs {
    /// Where settings come from.
    #[command(flatten)]
    pub config: ConfigArgs,
    /// What is asked.
    #[command(flatten)]
    pub graph: GraphArgs,
    /// Print one JSON object for each question: the run, as /ask sends it, whether it should be trusted, and the
    /// trace, as /text2sparql?trace=true sends it
    #[arg(long, conflicts_with_all = ["show_results", "interactive", "answer", "query"])]
    pub json: bool,
    /// Print the query's results after the query, with names beside IRIs
    #[arg(long, conflicts_with_all = ["interactive", "answer", "query"])]
    pub show_results: bool,
    /// Print the answer in words and its rows, as on a terminal
    #[arg(long, conflicts_with_all = ["interactive", "stdin", "results"])]
    pub answer: bool,
    /// Print the query, after the answer where that is printed
    #[arg(long, conflicts_with_all = ["interactive", "stdin", "results"])]
    pub query: bool,
    /// Print an answer with sections and sources: short or article
    #[arg(long, value_name = "STYLE", default_value = "short", value_parser = style)]
    #[arg(conflicts_with_all = ["interactive", "stdin", "results", "show_results"])]
    pub style: AnswerStyle,
    /// What words of the question mean: a term by its IRI, a prefixed name, or a name of the graph; may be given several times
    #[arg(long, value_name = "WORDS=TERM", value_parser = meaning::parts, conflicts_with_all = ["interactive", "stdin"])]
    pub meaning: Vec<(String, String)>,
    /// Show the steps and notes beside an answer in words, too
    #[arg(short, long, conflicts_with = "interactive")]
    pub verbose: bool,
    /// The rows alone.
    #[command(flatten)]
    pub rows: RowsArgs,
    /// Hold a conversation: questions may refer to earlier ones
    #[arg(short, long, conflicts_with = "stdin")]
    pub interactive: bool,
    /// Answer each line of standard input, as `-` does
    #[arg(long)]
    pub stdin: bool,
    /// The question in plain language, `-` for those of standard input; before it, the graph, `-` for that of standard
    /// input
    #[arg(value_name = "QUESTION", num_args = 1..=2, value_parser = NonEmptyStringValueParser::new())]
    #[arg(required_unless_present_any = ["interactive", "stdin"])]
    pub words: Vec<String>,
}

/// What is to be answered.
enum AskInput {
    One(String),
    Lines,
    Conversation,
}

/// Answers one or several questions.
///
/// # Errors
/// When the graph is unknown or cannot be opened, or a question cannot be answered.
pub async fn run(args: AskArgs, mut settings: Settings, out: &mut dyn Write) -> Result<Ending, CliError> {
    let in_words = is_in_words(&args);
    let AskArgs {
        config: _,
        graph,
        json,
        show_results,
        answer: _,
        query,
        meaning,
        verbose,
        style,
        rows,
        interactive,
        stdin,
        words,
    } = args;
    let (word, asked) = meant(words, interactive, stdin)?;
    if !matches!(asked, AskInput::One(_)) {
        if !meaning.is_empty() {
            return Err(CliError::Arguments("--meaning is for one question; a conversation has :mean"));
        }
        fits_several(word.as_deref(), rows.results, style)?;
    }
    let named = graph.dataset.clone();
    let dataset = graph.find(word, &mut settings).await?;
    let form = match (json, show_results) {
        (true, _) => LineFormat::Json,
        (false, true) => LineFormat::Results,
        (false, false) => LineFormat::Text,
    };
    match asked {
        AskInput::Conversation if settings.dataset(&dataset).is_none() => {
            Err(CliError::Arguments("a conversation is about one graph; name it with --dataset"))
        }
        AskInput::Conversation => talk::run(&settings, &dataset, out).await.map(|()| Ending::Done),
        AskInput::Lines => {
            let progress = progress::to_stderr();
            let service = startup::open_dataset_service(&settings, &dataset, progress.as_ref()).await?;
            each_line::run(&service, &dataset, form, out).await
        }
        AskInput::One(text) => {
            // The question is echoed as it was written.
            let question = Question { dataset: named.unwrap_or_else(|| dataset.clone()), text };
            if in_words || json {
                let progress = progress::to_stderr_if(verbose || json);
                let service = startup::open_dataset_service(&settings, &dataset, progress.as_ref()).await?;
                let told = run_output::OutputForm { json, query, verbose, style };
                let meanings = meanings(&service, &dataset, meaning).await?;
                return run_output::run(&service, Ask { meanings, ..Ask::alone(question) }, told, out).await;
            }
            let (service, answered) = answered(&settings, &dataset, question, (form, meaning)).await?;
            let trusted = is_trusted(&answered.trace, answered.results.as_deref());
            match rows.results {
                Some(format) => write_rows(&service, answered, format, rows.labels, out).await?,
                None => write_answer(&service, answered, form, out).await?,
            }
            Ok(if trusted { Ending::Done } else { Ending::Nothing })
        }
    }
}

/// A style by its name.
fn style(name: &str) -> Result<AnswerStyle, String> {
    let known = AnswerStyle::ALL.map(AnswerStyle::name).join(" or ");
    AnswerStyle::parse(name).ok_or_else(|| format!("it must be {known}"))
}

/// Whether the answer is for people: stdout is a terminal, and no other form was requested.
fn is_in_words(args: &AskArgs) -> bool {
    let other = args.json || args.show_results || args.rows.results.is_some();
    args.answer || args.style == AnswerStyle::Article || (!other && std::io::stdout().is_terminal())
}

/// Whether a graph and a row format can be combined with several questions.
fn fits_several(graph: Option<&str>, rows: Option<RowFormat>, style: AnswerStyle) -> Result<(), CliError> {
    match (graph, rows) {
        _ if style == AnswerStyle::Article => Err(CliError::Arguments("--style article is for one question")),
        (Some(STANDARD_INPUT), _) => {
            Err(CliError::Arguments("standard input cannot hold the graph and the questions"))
        }
        (_, Some(_)) => Err(CliError::Arguments("--results is for one question; --json is for several")),
        (_, None) => Ok(()),
    }
}

/// The graph, if one is named, and the question or questions for it.
fn meant(words: Vec<String>, talk: bool, lines: bool) -> Result<(Option<String>, AskInput), CliError> {
    let mut words = words.into_iter();
    match (words.next(), words.next()) {
        (graph, None) if talk && graph.as_deref() != Some(STANDARD_INPUT) => {
            Ok((graph, AskInput::Conversation))
        }
        (graph, None) if lines => Ok((graph, AskInput::Lines)),
        (Some(_), _) if talk || lines => Err(CliError::Arguments(
            "a conversation and questions from standard input begin without a question",
        )),
        (Some(question), None) => Ok((None, asked(question))),
        (graph, Some(question)) => Ok((graph, asked(question))),
        (None, None) => Err(CliError::Arguments("there is no question")),
    }
}

fn asked(question: String) -> AskInput {
    if question == STANDARD_INPUT { AskInput::Lines } else { AskInput::One(question) }
}

/// The terms that words mean.
async fn meanings(
    service: &Arc<Service>,
    dataset: &str,
    said: Vec<(String, String)>,
) -> Result<Vec<Correction>, CliError> {
    let mut found = Vec::with_capacity(said.len());
    for one in said {
        let meant = meaning::resolved(service, dataset, one).await;
        found.push(meant.map_err(CliError::Meaning)?.correction);
    }
    Ok(found)
}

/// Answers a question, with its steps on stderr.
async fn answered(
    settings: &Settings,
    dataset: &str,
    question: Question,
    (form, meaning): (LineFormat, Vec<(String, String)>),
) -> Result<(Arc<Service>, Answered), CliError> {
    let progress = progress::to_stderr();
    let service = startup::open_dataset_service(settings, dataset, progress.as_ref()).await?;
    let steps = StepPrinter::to_stderr();
    let meanings = meanings(&service, dataset, meaning).await?;
    let ask = Ask { meanings, ..Ask::query(question) };
    let answered = Arc::unwrap_or_clone(service.answer_to(ask, &steps).await?);
    steps.finish(&answered.trace, form != LineFormat::Results);
    Ok((service, answered))
}

async fn write_answer(
    service: &Service,
    answered: Answered,
    form: LineFormat,
    out: &mut dyn Write,
) -> Result<(), CliError> {
    let show_results = form == LineFormat::Results;
    let names = if show_results { service.names(&answered).await } else { BTreeMap::new() };
    write_query(&answered, show_results, &names, out)
}

/// Writes all rows to `out`, and nothing else, since programs read them.
async fn write_rows(
    service: &Service,
    answered: Answered,
    format: RowFormat,
    labels: bool,
    out: &mut dyn Write,
) -> Result<(), CliError> {
    let names = if labels { Some(service.names(&answered).await) } else { None };
    let mut beside = format!("{}\n", safe_lines(answered.query.trim_end()));
    match answered.results.as_deref().map(incomplete) {
        None => beside.push_str("the query was not run while answering; there are no rows\n"),
        Some(Some(why)) => beside.push_str(&format!("note: rows are missing: {}\n", safe_lines(&why))),
        Some(None) => {}
    }
    // A closed stderr must not end the command.
    let _written = std::io::stderr().write_all(beside.as_bytes());
    let Some(answer) = answered.results else { return Ok(()) };
    Ok(rows::write(answer, format, names, out)?)
}

fn write_query(
    answered: &Answered,
    show_results: bool,
    names: &BTreeMap<String, String>,
    out: &mut dyn Write,
) -> Result<(), CliError> {
    // A query written by a model may contain anything; control characters for the terminal are removed.
    writeln!(out, "{}", safe_lines(answered.query.trim_end()))?;
    if show_results {
        let results = match &answered.results {
            Some(answer) => table::render(&Results::from(&**answer), names),
            None => "(the query was not run while answering)\n".to_owned(),
        };
        write!(out, "\n{results}")?;
        write_insight(answered, out)?;
    }
    Ok(())
}

/// How reliable the answer is, what was not understood, and what else the question may mean.
fn write_insight(answered: &Answered, out: &mut dyn Write) -> Result<(), CliError> {
    let doubts = doubts(&answered.trace);
    if !doubts.is_empty() {
        writeln!(out)?;
    }
    for line in doubts {
        writeln!(out, "{line}")?;
    }
    let others = answered.trace.insight.as_ref().map(alternatives).unwrap_or_default();
    if !others.is_empty() {
        writeln!(out, "other readings:")?;
    }
    for line in others {
        writeln!(out, "  {line}")?;
    }
    Ok(())
}
