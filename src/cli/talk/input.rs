//! Sources of input: a line editor with a history on a terminal, otherwise the lines of standard input.

use super::entry::{completions, is_unfinished};
use super::interrupts::Interrupts;
use crate::cli::folders;
use crate::cli::stdin::next_line;
use rustyline::completion::Completer;
use rustyline::error::ReadlineError;
use rustyline::highlight::Highlighter;
use rustyline::hint::Hinter;
use rustyline::history::DefaultHistory;
use rustyline::validate::{ValidationContext, ValidationResult, Validator};
use rustyline::{Config, Context, Editor, Helper};
use std::io::{self, IsTerminal};
use std::path::PathBuf;

/// The prompt on a terminal.
const PROMPT: &str = "eruca> ";
/// Maximum number of entries in the history.
const MAX_HISTORY: usize = 1_000;

/// A source of input.
pub(super) enum Input {
    /// A terminal, with the path of its history file.
    Terminal(Box<Editor<Typing, DefaultHistory>>, Option<PathBuf>),
    /// Lines from anything else.
    Lines,
}

/// The result of reading an entry.
pub(super) enum InputRead {
    /// An entry, which may have several lines.
    Text(String),
    /// Ctrl-C.
    Interrupted,
    /// End of input.
    End,
}

impl Input {
    /// A line editor if both stdin and stdout are terminals.
    pub(super) fn open(datasets: Vec<String>) -> io::Result<Self> {
        if !(io::stdin().is_terminal() && io::stdout().is_terminal()) {
            return Ok(Self::Lines);
        }
        let config = Config::builder().max_history_size(MAX_HISTORY).map_err(failed)?.build();
        let mut editor = Editor::with_config(config).map_err(failed)?;
        editor.set_helper(Some(Typing { datasets }));
        let file = folders::state().map(|folder| folder.join("history"));
        if let Some(file) = &file {
            // There is no history before the first conversation, and an unreadable one is no reason to fail.
            let _loaded = editor.load_history(file);
        }
        Ok(Self::Terminal(Box::new(editor), file))
    }

    /// The next entry.
    pub(super) async fn next(&mut self, interrupts: &mut Interrupts) -> io::Result<InputRead> {
        match self {
            Self::Terminal(editor, file) => tokio::task::block_in_place(|| edited(editor, file.as_deref())),
            Self::Lines => tokio::select! {
                read = lines() => Ok(read?.map_or(InputRead::End, InputRead::Text)),
                // Without a terminal, nothing else can be typed, so Ctrl-C means the end.
                () = interrupts.next() => Ok(InputRead::End),
            },
        }
    }

    /// Number of lines of the terminal; `None` without one.
    pub(super) fn height(&mut self) -> Option<usize> {
        match self {
            Self::Terminal(editor, _) => editor.dimensions().map(|(_, rows)| usize::from(rows)),
            Self::Lines => None,
        }
    }
}

fn edited(
    editor: &mut Editor<Typing, DefaultHistory>,
    file: Option<&std::path::Path>,
) -> io::Result<InputRead> {
    match editor.readline(PROMPT) {
        Ok(text) => {
            if !text.trim().is_empty() {
                keep(editor, &text, file);
            }
            Ok(InputRead::Text(text))
        }
        Err(ReadlineError::Interrupted) => Ok(InputRead::Interrupted),
        Err(ReadlineError::Eof) => Ok(InputRead::End),
        Err(error) => Err(failed(error)),
    }
}

/// Saves an entry at once, since a conversation may end in any way. Failing to save the history does not end it.
fn keep(editor: &mut Editor<Typing, DefaultHistory>, text: &str, file: Option<&std::path::Path>) {
    let Ok(true) = editor.add_history_entry(text) else { return };
    if let Some(file) = file {
        let _made = file.parent().map(std::fs::create_dir_all);
        let _kept = editor.append_history(file);
    }
}

fn failed(error: ReadlineError) -> io::Error {
    match error {
        ReadlineError::Io(error) => error,
        other => io::Error::other(other.to_string()),
    }
}

/// A line with its continuation lines.
async fn lines() -> io::Result<Option<String>> {
    let Some(mut text) = next_line().await? else { return Ok(None) };
    while is_unfinished(&text) {
        let Some(more) = next_line().await? else { break };
        text.push('\n');
        text.push_str(&more);
    }
    Ok(Some(text))
}

/// What the editor needs to know: when an entry is complete, and how it may be completed.
pub(super) struct Typing {
    datasets: Vec<String>,
}

impl Validator for Typing {
    fn validate(&self, context: &mut ValidationContext<'_>) -> rustyline::Result<ValidationResult> {
        let unfinished = is_unfinished(context.input());
        Ok(if unfinished { ValidationResult::Incomplete } else { ValidationResult::Valid(None) })
    }
}

impl Completer for Typing {
    type Candidate = String;

    fn complete(
        &self,
        line: &str,
        at: usize,
        _: &Context<'_>,
    ) -> rustyline::Result<(usize, Vec<Self::Candidate>)> {
        let typed = line.get(..at).unwrap_or_default();
        Ok(match typed.strip_prefix(":dataset ") {
            Some(begun) => {
                let ids = self.datasets.iter().filter(|id| id.starts_with(begun)).cloned();
                (at.saturating_sub(begun.len()), ids.collect())
            }
            None if typed.starts_with(':') => (0, completions(typed)),
            None => (at, Vec::new()),
        })
    }
}

impl Hinter for Typing {
    type Hint = String;
}

impl Highlighter for Typing {}

impl Helper for Typing {}
