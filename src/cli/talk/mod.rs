//! `eruca ask --interactive`: a conversation in the terminal, in which questions may refer to earlier ones.
//!
//! ```text
//! input (line editor | lines) ─► entry (question | command) ─► Service::ask, why, run_again ─► shown ─► standard output | pager
//! ```
//! Uses the service and, for showing rows, the DTOs of the HTTP layer. Answers go to stdout; steps and messages to stderr.
//!
//! Ctrl-C ends a question and never the program; entries are saved in the user's own state folder, which other users
//! cannot read. Test: `tests/talk.rs`.

mod again;
mod entry;
mod input;
mod interrupts;
mod mean;
mod pager;
pub(super) mod shown;

use super::meaning::NamedMeaning;
use super::steps::StepPrinter;
use super::text::{counted, one_line};
use super::{CliError, ids, progress};
use crate::config::Settings;
use crate::service::{
    AnswerPage, Ask, Event, PastQuestion, Question, Run, RunHandle, RunState, Service, ServiceError,
};
use crate::startup;
use crate::trace::Observer;
use again::NotDone;
use entry::{Entry, TalkCommand};
use eruca_api::{Correction, Rows};
use input::{Input, InputRead};
use interrupts::Interrupts;
use std::collections::BTreeMap;
use std::fmt::Display;
use std::io::Write;
use std::sync::Arc;

/// Number of earlier questions that a question may refer to.
const MAX_PAST: usize = 20;
/// Longest message, in characters.
const MESSAGE_CHARS: usize = 1_000;

/// Holds a conversation until the end of the input.
///
/// # Errors
/// When the dataset cannot be opened, or the terminal cannot be read or written.
pub(super) async fn run(settings: &Settings, dataset: &str, out: &mut dyn Write) -> Result<(), CliError> {
    let service = startup::open_dataset_service(settings, dataset, progress::to_stderr().as_ref()).await?;
    let mut input = Input::open(ids(settings))?;
    let opened = BTreeMap::from([(dataset.to_owned(), service.clone())]);
    let interrupts = Interrupts::listen()?;
    let steps = StepPrinter::to_stderr().brief();
    let mut talk = Talk {
        settings,
        opened,
        dataset: dataset.to_owned(),
        service,
        past: Vec::new(),
        last: None,
        prefers: Vec::new(),
        choice: None,
        meanings: Vec::new(),
        steps,
        interrupts,
        out,
    };
    talk.greet();
    loop {
        talk.out.flush()?;
        match input.next(&mut talk.interrupts).await? {
            InputRead::End => return Ok(()),
            InputRead::Interrupted => tell("Ctrl-D or :quit ends the conversation"),
            InputRead::Text(text) => match Entry::read(&text) {
                Entry::Nothing => {}
                Entry::Question(text) => talk.ask(text).await?,
                Entry::Command(TalkCommand::Quit) => return Ok(()),
                Entry::Command(command) => talk.obey(command, input.height()).await?,
                Entry::Wrong(message) => tell(message),
            },
        }
    }
}

/// A conversation.
struct Talk<'a> {
    settings: &'a Settings,
    /// The services of the datasets used so far, by id.
    opened: BTreeMap<String, Arc<Service>>,
    dataset: String,
    service: Arc<Service>,
    past: Vec<PastQuestion>,
    last: Option<Run>,
    /// IRIs of properties that the user chose where others would fit as well.
    prefers: Vec<String>,
    /// The last such choice as a proposal, with its question.
    choice: Option<(String, Correction)>,
    /// What words mean here.
    meanings: Vec<NamedMeaning>,
    steps: StepPrinter,
    interrupts: Interrupts,
    out: &'a mut dyn Write,
}

impl Talk<'_> {
    /// Prints the dataset and its restrictions once, instead of with every answer.
    fn greet(&self) {
        for dataset in self.service.datasets() {
            let name =
                if dataset.name == dataset.id { String::new() } else { format!(" ({})", dataset.name) };
            let triples = counted(dataset.triples, "triple", "triples");
            tell(format!("dataset {}{name}, {triples}; ask in plain language, or type :help", dataset.id));
        }
        for note in self.service.degraded() {
            tell(format!("note: {note}"));
        }
    }

    async fn ask(&mut self, text: String) -> Result<(), CliError> {
        let text = self.chosen(&text).unwrap_or(text);
        let question = Question { dataset: self.dataset.clone(), text };
        let (history, prefers) = (self.past.clone(), self.prefers.clone());
        let meanings = self.meanings.iter().map(|known| known.correction.clone()).collect();
        let ask = Ask { history, prefers, meanings, ..Ask::alone(question) };
        let handle = match self.service.ask(ask) {
            Ok(handle) => handle,
            Err(error) => {
                complain(&error);
                return Ok(());
            }
        };
        match self.watch(&handle).await {
            Some(run) if run.state == RunState::Done => return self.answered(run),
            Some(Run { state: RunState::Failed(error), .. }) => complain(&error),
            Some(_) => complain(&ServiceError::Cancelled),
            None => tell("the question was ended"),
        }
        Ok(())
    }

    /// The last question again, if the input is a number that chooses another property for it.
    fn chosen(&mut self, text: &str) -> Option<String> {
        let number: usize = text.trim().parse().ok()?;
        let last = self.last.as_ref()?;
        let (question, clarify) = (last.asked.clone(), last.clarify.clone()?);
        let chosen = clarify.numbered(number)?;
        self.prefers.retain(|known| clarify.options.iter().all(|other| other.iri != *known));
        self.prefers.push(chosen.iri.clone());
        self.past.pop();
        self.remember_choice(question.clone(), &clarify, chosen);
        Some(question)
    }

    /// Prints the steps of a question and returns its run; `None` if Ctrl-C ended it.
    async fn watch(&mut self, handle: &Arc<RunHandle>) -> Option<Run> {
        self.interrupts.forget();
        let mut reader = handle.read(0);
        loop {
            let (_, event) = tokio::select! {
                event = reader.next() => event?,
                () = self.interrupts.next() => return None,
            };
            match &*event {
                Event::Step(step) => self.steps.step(step),
                Event::Done(run) => return Some(run.as_ref().clone()),
                Event::Reading(_)
                | Event::Clarify(_)
                | Event::Query(_)
                | Event::Rows(_)
                | Event::Token(_)
                | Event::Answer(_)
                | Event::Failed(_) => {}
            }
        }
    }

    fn answered(&mut self, run: Run) -> Result<(), CliError> {
        write!(self.out, "{}", shown::answer(&run, ":query shows it", ":rows shows all"))?;
        write!(self.out, "{}", shown::choice(&run))?;
        let rows = run.rows.as_ref().map(AnswerPage::rows);
        self.past.push(PastQuestion {
            question: run.asked.clone(),
            follows: run.follows.clone(),
            query: run.query.clone(),
            answer: rows.as_ref().map(|rows| Arc::new(rows.to_answer())),
            whole: rows.as_ref().is_some_and(Rows::is_whole),
            probability: run.trace.as_ref().and_then(|trace| Some(trace.insight.as_ref()?.probability)),
        });
        let forgotten = self.past.len().saturating_sub(MAX_PAST);
        self.past.drain(..forgotten);
        self.last = Some(run);
        Ok(())
    }

    async fn obey(&mut self, command: TalkCommand, height: Option<usize>) -> Result<(), CliError> {
        match self.done(command).await {
            Ok(text) => Ok(pager::show(&text, height, self.out)?),
            Err(reason) => {
                tell(reason);
                Ok(())
            }
        }
    }

    /// Carries out a command and returns the text to show.
    async fn done(&mut self, command: TalkCommand) -> Result<String, NotDone> {
        self.interrupts.forget();
        let (service, interrupts) = (&self.service, &mut self.interrupts);
        let last = self.last.as_ref().ok_or(NotDone::NoAnswer);
        match command {
            TalkCommand::Query => last.map(shown::query),
            TalkCommand::Why(row) => interrupts.or(again::why(service, last?, row)).await,
            TalkCommand::Rows => interrupts.or(again::rows(service, last?)).await,
            TalkCommand::Csv(file) => interrupts.or(again::csv(service, last?, &file)).await,
            TalkCommand::Mean(said) => self.mean(said).await,
            TalkCommand::Propose(words) => self.propose(words.as_deref()),
            TalkCommand::Dataset(None) => Ok(self.datasets()),
            TalkCommand::Dataset(Some(asked)) => self.change(&asked).await.map(|()| String::new()),
            TalkCommand::New => {
                (self.past, self.last) = (Vec::new(), None);
                Ok(String::new())
            }
            TalkCommand::Help => Ok(entry::help()),
            TalkCommand::Quit => Ok(String::new()),
        }
    }

    fn datasets(&self) -> String {
        let line = |id: &String| {
            let mark = if *id == self.dataset { "*" } else { " " };
            format!("{mark} {}\n", one_line(id, MESSAGE_CHARS))
        };
        ids(self.settings).iter().map(line).collect()
    }

    /// Switches to another dataset; earlier questions do not apply there.
    async fn change(&mut self, asked: &str) -> Result<(), NotDone> {
        let Some(found) = self.settings.dataset(asked) else {
            return Err(NotDone::UnknownDataset { asked: asked.to_owned(), known: ids(self.settings) });
        };
        let service = match self.opened.get(&found.id) {
            Some(opened) => opened.clone(),
            None => {
                let progress = progress::to_stderr();
                let opening = startup::open_dataset_service(self.settings, &found.id, progress.as_ref());
                self.interrupts.or(async { Ok(opening.await?) }).await?
            }
        };
        self.opened.insert(found.id.clone(), service.clone());
        (self.service, self.dataset) = (service, found.id.clone());
        (self.past, self.last, self.choice, self.meanings) = (Vec::new(), None, None, Vec::new());
        self.greet();
        Ok(())
    }
}

/// Prints a message on one line.
fn tell(message: impl Display) {
    // Messages are optional: a closed stderr must not end the conversation.
    let _written = writeln!(std::io::stderr(), "{}", one_line(&message.to_string(), MESSAGE_CHARS));
}

fn complain(error: &ServiceError) {
    tell(format!("eruca: {error}"));
}
