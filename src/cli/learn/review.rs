//! One proposal after the other: what it would change, and a question with a letter as its answer.

use super::{LearnCommandError, Learning, from, tell, title};
use crate::cli::CliError;
use crate::cli::stdin::next_line;
use crate::service::DecideError;
use eruca_knowledge::proposals::Proposal;
use std::io::Write;
use std::process::Command;

/// Variables with the name of an editor.
const EDITORS: [&str; 2] = ["VISUAL", "EDITOR"];

/// What is decided about a proposal.
enum Said {
    Yes,
    No,
    Edit,
    Later,
    Quit,
}

impl Learning {
    /// Asks about each open proposal. Without an answer, as at the end of the input, nothing more is decided.
    pub(super) async fn review(&self, force: bool, out: &mut dyn Write) -> Result<(), CliError> {
        let open = self.open_proposals()?;
        if open.is_empty() {
            return self.list(out);
        }
        let all = open.len();
        for (number, proposal) in open.into_iter().enumerate() {
            writeln!(out, "\n[{} of {all}]", number + 1)?;
            if !self.decide(proposal, force, out).await? {
                break;
            }
        }
        Ok(())
    }

    /// Asks about one; whether to go on.
    async fn decide(&self, proposal: Proposal, force: bool, out: &mut dyn Write) -> Result<bool, CliError> {
        let shown = self.shown(proposal.clone());
        writeln!(out, "{}\n  {}", title(&shown), from(&shown))?;
        let mut edited: Option<String> = None;
        loop {
            self.show_changes(&proposal, edited.as_deref(), out).await?;
            match ask(out).await? {
                Said::Quit => return Ok(false),
                Said::Later => return Ok(true),
                Said::No => {
                    let done = self.service.reject(&self.decider, &self.dataset.id, &proposal.id);
                    done.map_err(LearnCommandError::from)?;
                    writeln!(out, "rejected")?;
                    return Ok(true);
                }
                Said::Yes => match self.accept(&proposal.id, edited.as_deref(), force, out).await {
                    Ok(()) => return Ok(true),
                    // What is wrong with one is no reason not to decide the others.
                    Err(error) => writeln!(out, "not accepted: {error}")?,
                },
                Said::Edit => edited = Some(edit(edited.as_deref().unwrap_or(&shown.entry))?),
            }
        }
    }

    async fn show_changes(
        &self,
        proposal: &Proposal,
        edited: Option<&str>,
        out: &mut dyn Write,
    ) -> Result<(), CliError> {
        match self.decider.entry(&self.dataset, proposal, edited) {
            Ok((learned, text)) => {
                writeln!(out, "{}", indented(&text))?;
                let trial = self.service.trial(&self.dataset, &learned, self.recent.clone()).await;
                tell(&trial, out)
            }
            Err(error @ DecideError::Wrong { .. }) => Ok(writeln!(out, "{error}")?),
            Err(error) => Err(LearnCommandError::from(error).into()),
        }
    }
}

async fn ask(out: &mut dyn Write) -> Result<Said, CliError> {
    loop {
        write!(out, "accept? y(es) n(o) e(dit) l(ater) q(uit): ")?;
        out.flush()?;
        let Some(line) = next_line().await? else { return Ok(Said::Quit) };
        match line.trim().to_ascii_lowercase().as_str() {
            "y" | "yes" => return Ok(Said::Yes),
            "n" | "no" => return Ok(Said::No),
            "e" | "edit" => return Ok(Said::Edit),
            "l" | "later" | "" => return Ok(Said::Later),
            "q" | "quit" => return Ok(Said::Quit),
            _ => {}
        }
    }
}

/// The entry as somebody has changed it in their editor.
fn edit(entry: &str) -> Result<String, CliError> {
    let editor =
        EDITORS.iter().find_map(|name| std::env::var(name).ok()).filter(|name| !name.trim().is_empty());
    let editor =
        editor.ok_or(CliError::Arguments("name an editor with the variable EDITOR to edit an entry"))?;
    let folder = tempfile_folder()?;
    let file = folder.join("entry.toml");
    std::fs::write(&file, entry)?;
    let mut words = editor.split_whitespace();
    let mut command = Command::new(words.next().unwrap_or_default());
    command.args(words).arg(&file);
    let ended = command.status();
    let text = std::fs::read_to_string(&file);
    // What was edited is of no use any more.
    let _gone = std::fs::remove_dir_all(&folder);
    ended?;
    Ok(text?)
}

/// A new folder that nobody else can write into.
fn tempfile_folder() -> std::io::Result<std::path::PathBuf> {
    let folder = std::env::temp_dir().join(format!("eruca-{}", uuid::Uuid::new_v4().simple()));
    let mut builder = std::fs::DirBuilder::new();
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.create(&folder)?;
    Ok(folder)
}

fn indented(text: &str) -> String {
    text.trim_end().lines().map(|line| format!("  | {line}")).collect::<Vec<_>>().join("\n")
}
