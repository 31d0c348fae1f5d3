//! `eruca learn`: what readers and models propose for a graph, each with what it would change, accepted or rejected by its owner.
//!
//! Uses start-up for the dataset, the service for trials and decisions, and the HTTP layer for the questions that were asked last.

mod review;

use super::graph::configured_or_only;
use super::text::{counted, one_line};
use super::{CliError, ConfigArgs, progress};
use crate::config::Settings;
use crate::service::{DecideError, Decider, RECENT_QUESTIONS, Service, proposal_shown};
use crate::{http, startup};
use clap::Args;
use eruca_api::{Change, Proposal as Shown, ProposalKind, Trial, TrialAnswer, VerifiedChange};
use eruca_dataset::Dataset;
use eruca_knowledge::proposals::{Proposal, ProposalState, ProposalStore};
use std::io::Write;
use std::sync::Arc;
use time::OffsetDateTime;

/// Longest text of a proposal in a line, in characters.
const LINE_CHARS: usize = 200;
/// Longest answer beside another, in characters.
const ANSWER_CHARS: usize = 120;
/// Variables with the name of the account.
const ACCOUNT: [&str; 3] = ["USER", "LOGNAME", "USERNAME"];

/// Arguments of `eruca learn`.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  eruca learn                                        one proposal after the other: y/n/e/q
  eruca learn --list                                 all that are open, with their ids
  eruca learn --accept 3f2a9c0d11b7e645 --by Ada
  eruca learn --reject 3f2a9c0d11b7e645
  eruca learn --propose                              let the chat model propose entries and notes

Proposals come from readers who corrected an answer, and from --propose. What is accepted is written into
knowledge/DATASET/learned.toml, or knowledge/DATASET/questions/learned.toml, beside the configuration; a
service that runs uses it within seconds. Before that, the last 200 questions and the verified ones are asked
again without a model, and every answer that changes is shown.")]
pub struct LearnArgs {
    /// Where settings come from.
    #[command(flatten)]
    pub config: ConfigArgs,
    /// Dataset, by id or alias [default: the only one]
    #[arg(long, value_name = "ID")]
    pub dataset: Option<String>,
    /// List the open proposals
    #[arg(long, conflicts_with_all = ["accept", "reject", "propose"])]
    pub list: bool,
    /// Accept a proposal
    #[arg(long, value_name = "PROPOSAL", conflicts_with_all = ["reject", "propose"])]
    pub accept: Option<String>,
    /// Reject a proposal; the same is not proposed again
    #[arg(long, value_name = "PROPOSAL", conflicts_with = "propose")]
    pub reject: Option<String>,
    /// Accept although verified questions would no longer be answered as they were verified
    #[arg(long)]
    pub force: bool,
    /// Let the chat model propose entries of the glossary and notes
    #[arg(long)]
    pub propose: bool,
    /// Who decides [default: the name of the account]
    #[arg(long, value_name = "NAME")]
    pub by: Option<String>,
}

/// Why a command on proposals failed.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum LearnCommandError {
    /// No proposals are taken.
    #[error("no proposals are taken: [feedback] proposals is false")]
    Off,
    /// Nobody is named.
    #[error("nobody is named who decides; --by NAME does")]
    NoName,
    /// A proposal cannot be decided.
    #[error(transparent)]
    Decide(#[from] DecideError),
    /// The chat model proposes nothing.
    #[error("the chat model proposes nothing: {0}")]
    Model(String),
}

/// A dataset whose proposals are decided.
struct Learning {
    service: Arc<Service>,
    dataset: Arc<Dataset>,
    decider: Decider,
    recent: Vec<String>,
}

/// Lists, decides or makes proposals.
///
/// # Errors
/// When the dataset or a file cannot be used, or a proposal cannot be decided.
pub async fn run(args: LearnArgs, settings: Settings, out: &mut dyn Write) -> Result<(), CliError> {
    let learning = Learning::open(&args, &settings).await?;
    if args.list {
        return learning.list(out);
    }
    if let Some(id) = &args.reject {
        let decided = learning.service.reject(&learning.decider, &learning.dataset.id, id);
        decided.map_err(LearnCommandError::from)?;
        writeln!(out, "rejected; it will not be proposed again")?;
        return Ok(());
    }
    if let Some(id) = &args.accept {
        return learning.accept(id, None, args.force, out).await;
    }
    if args.propose {
        return learning.propose(out).await;
    }
    learning.review(args.force, out).await
}

impl Learning {
    async fn open(args: &LearnArgs, settings: &Settings) -> Result<Self, CliError> {
        let id = configured_or_only(settings, args.dataset.as_deref())?;
        let store = ProposalStore::new(settings.proposals_folder().ok_or(LearnCommandError::Off)?);
        let account = || ACCOUNT.iter().find_map(|name| std::env::var(name).ok());
        let by = args.by.clone().or_else(account).filter(|name| !name.trim().is_empty());
        let by = one_line(&by.ok_or(LearnCommandError::NoName)?, LINE_CHARS);
        let date = OffsetDateTime::now_utc().date();
        let today = format!("{:04}-{:02}-{:02}", date.year(), u8::from(date.month()), date.day());
        let service = startup::open_dataset_service(settings, &id, progress::to_stderr().as_ref()).await?;
        let dataset = service.dataset(&id).ok_or_else(|| super::unknown_dataset(settings, &id))?;
        let recent = http::recent_questions(settings, &dataset.id, RECENT_QUESTIONS);
        Ok(Self { service, dataset, decider: Decider { store, by, today }, recent })
    }

    fn open_proposals(&self) -> Result<Vec<Proposal>, CliError> {
        let all = self.decider.store.all(&self.dataset.id).map_err(DecideError::from);
        let all = all.map_err(LearnCommandError::from)?;
        Ok(all.into_iter().filter(|one| one.state == ProposalState::Open).collect())
    }

    fn shown(&self, proposal: Proposal) -> Shown {
        proposal_shown(&self.dataset, proposal, &self.decider)
    }

    fn list(&self, out: &mut dyn Write) -> Result<(), CliError> {
        let open = self.open_proposals()?;
        if open.is_empty() {
            writeln!(out, "there is nothing to decide about dataset '{}'", self.dataset.id)?;
        }
        for proposal in open {
            let shown = self.shown(proposal);
            let from = from(&shown);
            writeln!(out, "{}\t{}\t{from}", shown.id, title(&shown))?;
        }
        Ok(())
    }

    async fn accept(
        &self,
        id: &str,
        edited: Option<&str>,
        force: bool,
        out: &mut dyn Write,
    ) -> Result<(), CliError> {
        let wish = (id, edited, force);
        let decided = self.service.accept(&self.decider, &self.dataset, wish, self.recent.clone()).await;
        let decided = decided.map_err(LearnCommandError::from)?;
        writeln!(out, "accepted, and written into {}", decided.file.unwrap_or_default())?;
        Ok(())
    }

    async fn propose(&self, out: &mut dyn Write) -> Result<(), CliError> {
        let made = self.service.propose(&self.dataset, &self.decider.store).await;
        let made = made.map_err(LearnCommandError::Model)?;
        let count = counted(made as u64, "new proposal", "new proposals");
        writeln!(out, "{count}; `eruca learn` shows them one after the other")?;
        Ok(())
    }
}

/// What is proposed, in a line.
fn title(shown: &Shown) -> String {
    let of = |text: &Option<String>| text.clone().unwrap_or_default();
    let text = match shown.kind {
        ProposalKind::Glossary if shown.words.as_deref().is_none_or(str::is_empty) => {
            format!("of competing properties, {} is meant", of(&shown.name))
        }
        ProposalKind::Glossary => format!("\"{}\" means {}", of(&shown.words), of(&shown.name)),
        ProposalKind::Question => format!("verified question: {}", shown.question),
        ProposalKind::Note => format!("note on {}: {}", of(&shown.name), of(&shown.text)),
    };
    one_line(&text, LINE_CHARS)
}

/// Where it comes from, in a line.
fn from(shown: &Shown) -> String {
    let question = (shown.kind == ProposalKind::Glossary && !shown.question.is_empty())
        .then(|| format!("for \"{}\"", shown.question));
    let parts = [question, shown.by.clone(), shown.at.get(..10).map(str::to_owned)];
    one_line(&parts.into_iter().flatten().collect::<Vec<_>>().join(", "), LINE_CHARS)
}

/// What would change, for people.
fn tell(trial: &Trial, out: &mut dyn Write) -> Result<(), CliError> {
    let Trial { questions, changes, broken: _, left } = trial;
    let all = counted(*questions as u64, "answer changes", "answers change");
    writeln!(out, "{} of {all}", changes.len())?;
    for Change { question, verified, before, after } in changes {
        let mark = match verified {
            Some(VerifiedChange::Broken) => " [breaks a verified question]",
            Some(VerifiedChange::Mended) => " [mends a verified question]",
            Some(VerifiedChange::Other) => " [a verified question]",
            None => "",
        };
        writeln!(out, "  {}{mark}", one_line(question, LINE_CHARS))?;
        writeln!(out, "    before: {}", answer(before))?;
        writeln!(out, "    after:  {}", answer(after))?;
    }
    if *left > 0 {
        writeln!(out, "there was no time for {}", counted(*left as u64, "question", "questions"))?;
    }
    Ok(())
}

fn answer(of: &TrialAnswer) -> String {
    let sure = of.confidence.map(|known| known.name().to_owned());
    let rows = of.rows.map(|rows| counted(rows as u64, "row", "rows"));
    let about: Vec<String> = [sure, rows].into_iter().flatten().collect();
    format!("{} ({})", one_line(&of.text, ANSWER_CHARS), about.join(", "))
}
