//! `eruca completions` and `eruca man`: shell completions and manual pages, generated from the description of the command line.
//!
//! Uses only the arguments of the other commands.

use super::{Cli, CliError};
use clap::{Args, Command, CommandFactory, ValueEnum};
use clap_complete::Shell;
use clap_mangen::Man;
use std::io::Write;
use std::path::{Path, PathBuf};

/// Arguments of `eruca completions`.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  eruca completions bash > ~/.local/share/bash-completion/completions/eruca
  eruca completions zsh > ~/.zfunc/_eruca            with ~/.zfunc in fpath, before compinit
  eruca completions fish > ~/.config/fish/completions/eruca.fish
  eruca completions powershell >> $PROFILE")]
pub struct CompletionsArgs {
    /// Shell that is to complete commands and options
    pub shell: Shell,
}

/// Arguments of `eruca man`.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  eruca man | man -l -                               read the page of eruca
  eruca man ask | man -l -                           read the page of one command
  eruca man --out ~/.local/share/man/man1            write all pages")]
pub struct ManArgs {
    /// Folder in which to write the pages of eruca and all its commands; made if it is missing
    #[arg(long, value_name = "DIR")]
    pub out: Option<PathBuf>,
    /// Command whose page is printed [default: that of eruca]
    #[arg(value_enum, conflicts_with = "out")]
    pub command: Option<ManualPage>,
}

/// A command with a manual page.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
#[expect(missing_docs, reason = "the names of the commands")]
pub enum ManualPage {
    Serve,
    Ask,
    Mcp,
    Search,
    Init,
    Check,
    Health,
    Index,
    Models,
    Examples,
    Learn,
    Eval,
    Openapi,
    Completions,
    Man,
}

/// Prints the script for shell completion of commands and options.
///
/// # Errors
/// When `out` cannot be written.
pub fn completions(args: &CompletionsArgs, out: &mut dyn Write) -> Result<(), CliError> {
    // The generator panics if it cannot write, so it writes to memory.
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut without_hidden(), "eruca", &mut script);
    out.write_all(&script)?;
    Ok(())
}

/// The command without its hidden subcommands, which the generator would offer.
fn without_hidden() -> Command {
    let whole = Cli::command();
    let shown: Vec<Command> =
        whole.get_subcommands().filter(|command| !command.is_hide_set()).cloned().collect();
    let program = Command::new("eruca").version(env!("CARGO_PKG_VERSION")).propagate_version(true);
    program.args(whole.get_arguments().cloned().collect::<Vec<_>>()).subcommands(shown)
}

/// Prints a manual page, or writes all of them into a folder.
///
/// # Errors
/// When the folder or `out` cannot be written.
pub fn man(args: &ManArgs, out: &mut dyn Write) -> Result<(), CliError> {
    match &args.out {
        Some(folder) => write_pages(folder, out),
        None => Ok(Man::new(described(args.command)).render(out)?),
    }
}

fn write_pages(folder: &Path, out: &mut dyn Write) -> Result<(), CliError> {
    let failed = |reason| CliError::Folder { folder: folder.to_owned(), reason };
    std::fs::create_dir_all(folder).map_err(failed)?;
    clap_mangen::generate_to(Cli::command(), folder).map_err(failed)?;
    writeln!(out, "the manual pages are in {}", folder.display())?;
    Ok(())
}

/// The description of one command, or of the whole program.
fn described(page: Option<ManualPage>) -> Command {
    let mut whole = Cli::command().disable_help_subcommand(true);
    whole.build();
    let name = page.and_then(|page| page.to_possible_value());
    let one = name.and_then(|name| whole.find_subcommand(name.get_name()).cloned());
    one.unwrap_or(whole)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_command_has_a_page_and_every_page_a_command() {
        let mut whole = Cli::command().disable_help_subcommand(true);
        whole.build();
        let shown = whole.get_subcommands().filter(|command| !command.is_hide_set());
        let commands: Vec<String> = shown.map(|command| command.get_name().to_owned()).collect();
        let pages = ManualPage::value_variants().iter().filter_map(ValueEnum::to_possible_value);
        assert_eq!(commands, pages.map(|page| page.get_name().to_owned()).collect::<Vec<_>>());
    }
}
