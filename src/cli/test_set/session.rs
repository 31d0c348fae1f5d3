//! `eruca eval --new`: one question after the other, each with its answer, and a letter for what the owner thinks of it.

use super::correct::Corrected;
use super::{LINE_CHARS, TestSetCommandError, opened, told};
use crate::cli::CliError;
use crate::cli::eval::EvalArgs;
use crate::cli::examples::{account, today};
use crate::cli::stdin::next_line;
use crate::cli::talk::shown;
use crate::cli::text::one_line;
use crate::config::Settings;
use crate::service::test_set::{Said, USUAL_COUNT, Wish};
use crate::service::{Ask, Question, Run, Service};
use eruca_api::{TestProposal, TestSet};
use eruca_dataset::Dataset;
use eruca_knowledge::test_set::OWN;
use std::io::Write;
use std::sync::Arc;

/// The name of who judges, where no account has one.
const NOBODY: &str = "owner";
const HELP: &str = "y  the answer is right
n  it is wrong
e  ask the question in other words
c  it is wrong, and this is right: one of the other readings, or a query
s  say nothing now; the question comes again next time
q  stop; the next time goes on from here
+  ask a question of your own";

/// What is said of an answer.
enum Verdict {
    Right,
    Wrong,
    Edit,
    Correct,
    Skip,
    Quit,
    Own,
}

/// What becomes of a question.
enum Done {
    Next,
    Quit,
}

/// The owner before a graph.
pub(super) struct Session<'a> {
    pub service: Arc<Service>,
    pub dataset: Arc<Dataset>,
    pub out: &'a mut dyn Write,
    by: String,
    verbose: bool,
}

/// Lets the owner of a graph judge answers to questions made from it.
///
/// # Errors
/// When the dataset cannot be opened, or the test set not be read or written.
pub async fn judge(args: EvalArgs, settings: Settings, out: &mut dyn Write) -> Result<(), CliError> {
    let EvalArgs { dataset, lang, count, seed, by, verbose, .. } = args;
    let (service, dataset) = opened(dataset.as_deref(), settings).await?;
    let count = count.map_or(USUAL_COUNT, std::num::NonZeroUsize::get);
    let wish = Wish { count, lang, seed: seed.unwrap_or_default() };
    writeln!(out, "making questions from the graph …")?;
    let set = service.test_set(&dataset, &wish).await.map_err(TestSetCommandError::from)?;
    told::problems(&set.problems, out)?;
    let by = by.or_else(account).filter(|name| !name.trim().is_empty()).unwrap_or_else(|| NOBODY.to_owned());
    let mut session = Session { service, dataset, out, by: one_line(&by, LINE_CHARS), verbose };
    session.begin(&set, wish.lang.is_some())?;
    for (proposal, number) in set.proposals.iter().zip(set.judged + 1..) {
        writeln!(session.out, "\n[{number} of {}] {}", set.of, told::construct(&proposal.construct))?;
        if matches!(session.one(proposal).await?, Done::Quit) {
            return session.end();
        }
    }
    session.own().await?;
    session.end()
}

impl Session<'_> {
    fn begin(&mut self, set: &TestSet, is_one: bool) -> Result<(), CliError> {
        let TestSet { of, judged, languages, .. } = set;
        if *of == 0 {
            let why = "no questions can be made from this graph: it needs classes with names and at least three things each; ask your own";
            return Ok(writeln!(self.out, "{why}")?);
        }
        if judged == of {
            return Ok(writeln!(
                self.out,
                "all {of} questions are judged; --count makes more, `eruca check --questions` asks them again"
            )?);
        }
        let known = if *judged > 0 { format!(", {judged} of them judged before") } else { String::new() };
        if languages.len() > 1 && !is_one {
            let (all, first) = (languages.join(", "), languages.first().map_or("", String::as_str));
            writeln!(self.out, "in {all}; --lang {first} for one language")?;
        }
        Ok(writeln!(self.out, "{of} questions{known}. For each answer: is it right?\n{HELP}")?)
    }

    /// Asks a question until something is said of its answer.
    async fn one(&mut self, proposal: &TestProposal) -> Result<Done, CliError> {
        let mut text = proposal.question.clone();
        loop {
            let run = self.ask(&text).await?;
            let is_made = text == proposal.question && !proposal.query.is_empty();
            if let Some(run) = run.as_ref().filter(|_| is_made) {
                self.other_result(run, &proposal.query).await?;
            }
            match self.verdict().await? {
                Verdict::Quit => return Ok(Done::Quit),
                Verdict::Skip => return Ok(Done::Next),
                Verdict::Edit => text = self.line("in other words: ").await?.unwrap_or(text),
                Verdict::Own => _ = self.own().await?,
                Verdict::Right => {
                    if self.keep(proposal, &text, run.as_ref(), true, None).await? {
                        return Ok(Done::Next);
                    }
                }
                Verdict::Wrong => {
                    if self.keep(proposal, &text, run.as_ref(), false, None).await? {
                        return Ok(Done::Next);
                    }
                }
                Verdict::Correct => match self.correct(run.as_ref(), &proposal.query).await? {
                    Corrected::Query(query) => {
                        if self.keep(proposal, &text, run.as_ref(), false, Some(query)).await? {
                            return Ok(Done::Next);
                        }
                    }
                    Corrected::Nothing => {}
                },
            }
        }
    }

    /// Asks the owner's own questions until there is none; whether there was one.
    async fn own(&mut self) -> Result<bool, CliError> {
        let mut any = false;
        while let Some(question) = self.line("\na question of your own (Enter for none): ").await? {
            any = true;
            let own = TestProposal {
                id: eruca_knowledge::test_set::TestQuestion::own_id(&question),
                question,
                lang: String::new(),
                construct: OWN.to_owned(),
                query: String::new(),
            };
            // Boxed, since a question of one's own may be asked while another one is judged.
            if matches!(Box::pin(self.one(&own)).await?, Done::Quit) {
                break;
            }
        }
        Ok(any)
    }

    /// Asks, and shows the answer.
    async fn ask(&mut self, text: &str) -> Result<Option<Run>, CliError> {
        writeln!(self.out, "{}\n", one_line(text, LINE_CHARS * 5))?;
        let question = Question { dataset: self.dataset.id.clone(), text: text.to_owned() };
        let handle = match self.service.ask(Ask { test: true, ..Ask::alone(question) }) {
            Ok(handle) => handle,
            Err(error) => {
                writeln!(self.out, "no answer: {error}")?;
                return Ok(None);
            }
        };
        let _reader = handle.read(0);
        if let Err(error) = handle.finished().await {
            writeln!(self.out, "no answer: {}", one_line(&error.to_string(), LINE_CHARS * 2))?;
            return Ok(None);
        }
        let run = handle.run();
        write!(self.out, "{}", shown::answer(&run, "-v shows it", "c shows other readings"))?;
        if self.verbose {
            write!(self.out, "\n{}", shown::query(&run))?;
        }
        Ok(Some(run))
    }

    /// Says so where the query that the question was made from gives something else.
    async fn other_result(&mut self, run: &Run, made: &str) -> Result<(), CliError> {
        let Some(query) = &run.query else { return Ok(()) };
        let Ok(compared) = self.service.compare(&self.dataset, query, made).await else { return Ok(()) };
        if !compared.same {
            writeln!(
                self.out,
                "note: the question was made from another query, whose result is {}; you decide which is right",
                told::result(&compared)
            )?;
        }
        Ok(())
    }

    async fn verdict(&mut self) -> Result<Verdict, CliError> {
        loop {
            write!(self.out, "right? y n e(dit) c(orrect) s(kip) q(uit) +(own) ?(help): ")?;
            self.out.flush()?;
            let Some(line) = next_line().await? else { return Ok(Verdict::Quit) };
            match line.trim().to_ascii_lowercase().as_str() {
                "y" | "yes" => return Ok(Verdict::Right),
                "n" | "no" => return Ok(Verdict::Wrong),
                "e" | "edit" => return Ok(Verdict::Edit),
                "c" | "correct" => return Ok(Verdict::Correct),
                "s" | "skip" => return Ok(Verdict::Skip),
                "q" | "quit" => return Ok(Verdict::Quit),
                "+" => return Ok(Verdict::Own),
                _ => writeln!(self.out, "{HELP}")?,
            }
        }
    }

    /// Keeps what was said; tells why where that is not possible.
    async fn keep(
        &mut self,
        proposal: &TestProposal,
        text: &str,
        run: Option<&Run>,
        right: bool,
        corrected: Option<String>,
    ) -> Result<bool, CliError> {
        let insight = run.and_then(|run| run.trace.as_ref()?.insight.as_ref());
        let lang = run.map(|run| run.lang.clone()).or_else(|| Some(proposal.lang.clone()));
        let said = Said {
            id: Some(proposal.id.clone()),
            question: text.to_owned(),
            lang: lang.filter(|tag| !tag.is_empty()),
            construct: Some(proposal.construct.clone()),
            right,
            query: run.and_then(|run| run.query.clone()),
            corrected,
            confidence: insight.map(|known| known.confidence.name().to_owned()),
            by: self.by.clone(),
            date: today(),
        };
        match self.service.judge(&self.dataset, said).await {
            Ok(_) => Ok(true),
            Err(error) => {
                writeln!(self.out, "not kept: {}", one_line(&error.to_string(), LINE_CHARS * 2))?;
                Ok(false)
            }
        }
    }

    /// A line that the owner writes; none if it is empty.
    pub(super) async fn line(&mut self, prompt: &str) -> Result<Option<String>, CliError> {
        write!(self.out, "{prompt}")?;
        self.out.flush()?;
        let line = next_line().await?;
        Ok(line.map(|line| line.trim().to_owned()).filter(|line| !line.is_empty()))
    }

    fn end(self) -> Result<(), CliError> {
        let (tests, _) = self.service.tests(&self.dataset).map_err(TestSetCommandError::from)?;
        let file = self
            .dataset
            .knowledge()
            .folder()
            .map(|folder| folder.join(eruca_knowledge::test_set::TESTS_FILE));
        writeln!(self.out)?;
        told::judged(&tests, self.out)?;
        told::next(&tests, &self.dataset.id, self.out)?;
        if let Some(file) = file.filter(|file| file.exists()) {
            writeln!(self.out, "kept in      {}", file.display())?;
        }
        Ok(())
    }
}
