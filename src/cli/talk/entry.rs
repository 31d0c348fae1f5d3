//! User input: a question, or a command, which begins with a colon.

use crate::cli::meaning::parts;
use std::path::PathBuf;

/// Every command with its syntax and description.
const COMMANDS: [(&str, &str); 10] = [
    (":query", "show the query of the last answer and what its parts say"),
    (":why [N]", "say why row N of the last answer is one; row 1 without N"),
    (":rows", "show all rows of the last answer, with the IRIs of things"),
    (":csv FILE", "write all rows of the last answer into a new file"),
    (":mean [WORDS=TERM]", "let words mean a term of the graph in this conversation; without: list them"),
    (
        ":propose [WORDS]",
        "propose what words mean here to the owner of the graph; without: what you chose by its number",
    ),
    (":dataset [ID]", "ask another dataset; without ID: list them"),
    (":new", "forget the questions before, so that the next one stands alone"),
    (":help", "show this"),
    (":quit", "end; so does Ctrl-D"),
];

/// A parsed input.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Entry {
    /// Nothing.
    Nothing,
    /// A question.
    Question(String),
    /// A command.
    Command(TalkCommand),
    /// Neither, with the error message.
    Wrong(String),
}

/// A command.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum TalkCommand {
    Query,
    /// The row, from 1.
    Why(usize),
    Rows,
    Csv(PathBuf),
    /// Words with a term.
    Mean(Option<(String, String)>),
    /// What words mean; without words, the choice of the last answer.
    Propose(Option<String>),
    Dataset(Option<String>),
    New,
    Help,
    Quit,
}

impl Entry {
    /// Parses the input; a question may span several lines.
    pub(super) fn read(text: &str) -> Self {
        let text = text.trim();
        if text.is_empty() {
            return Self::Nothing;
        }
        let Some(rest) = text.strip_prefix(':') else {
            return Self::Question(text.replace("\\\n", "\n").lines().collect::<Vec<_>>().join(" "));
        };
        let (name, argument) = rest.split_once(char::is_whitespace).unwrap_or((rest, ""));
        command(name, argument.trim()).map_or_else(Self::Wrong, Self::Command)
    }
}

fn command(name: &str, argument: &str) -> Result<TalkCommand, String> {
    let given = (!argument.is_empty()).then_some(argument);
    match (name, given) {
        ("query", None) => Ok(TalkCommand::Query),
        ("why", given) => row(given).map(TalkCommand::Why),
        ("rows", None) => Ok(TalkCommand::Rows),
        ("csv", Some(file)) => Ok(TalkCommand::Csv(at_home(file))),
        ("csv", None) => Err("name a file: :csv FILE".to_owned()),
        ("mean", None) => Ok(TalkCommand::Mean(None)),
        ("mean", Some(said)) => Ok(TalkCommand::Mean(Some(parts(said)?))),
        ("propose", given) => Ok(TalkCommand::Propose(given.map(str::to_owned))),
        ("dataset", given) => Ok(TalkCommand::Dataset(given.map(str::to_owned))),
        ("new", None) => Ok(TalkCommand::New),
        ("help", _) => Ok(TalkCommand::Help),
        ("quit", None) => Ok(TalkCommand::Quit),
        ("query" | "rows" | "new" | "quit", Some(_)) => Err(format!(":{name} takes nothing after it")),
        _ => Err(format!("there is no command ':{name}'; :help lists them")),
    }
}

fn row(given: Option<&str>) -> Result<usize, String> {
    let number = given.map_or(Ok(1), str::parse);
    number.ok().filter(|row| *row > 0).ok_or_else(|| "name a row by its number: :why 2".to_owned())
}

/// A path with `~/` expanded to the home folder, as shells do.
fn at_home(path: &str) -> PathBuf {
    match (path.strip_prefix("~/"), std::env::home_dir()) {
        (Some(rest), Some(home)) => home.join(rest),
        _ => PathBuf::from(path),
    }
}

/// Whether a text continues on the next line.
pub(super) fn is_unfinished(text: &str) -> bool {
    text.ends_with('\\')
}

/// The commands that start with a text.
pub(super) fn completions(text: &str) -> Vec<String> {
    let names = COMMANDS.iter().filter_map(|(form, _)| form.split(' ').next());
    names.filter(|name| name.starts_with(text)).map(str::to_owned).collect()
}

/// The list of commands.
pub(super) fn help() -> String {
    let commands: String = COMMANDS.iter().map(|(form, does)| format!("  {form:<20}{does}\n")).collect();
    format!(
        "Type a question in plain language. A question may follow from the ones before; a line that ends\n\
         with \\ goes on with the next one. Ctrl-C ends a question, Ctrl-D the conversation.\n{commands}"
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_of_a_question_become_one() {
        let one = Entry::Question("Which cities are in France?".to_owned());
        assert_eq!(Entry::read("Which cities\\\nare in France? "), one);
        assert_eq!(Entry::read("Which cities\nare in France?"), one);
        assert_eq!(Entry::read(" \n "), Entry::Nothing);
    }

    #[test]
    fn commands_are_read_with_what_stands_after_them() {
        let read = |text: &str| match Entry::read(text) {
            Entry::Command(command) => command,
            other => panic!("{text}: {other:?}"),
        };
        assert_eq!(read(":why"), TalkCommand::Why(1));
        assert_eq!(read(":why 12"), TalkCommand::Why(12));
        assert_eq!(read(":csv my rows.csv"), TalkCommand::Csv("my rows.csv".into()));
        assert_eq!(read(":dataset"), TalkCommand::Dataset(None));
        for wrong in [":why 0", ":why many", ":csv", ":rows 3", ":nonsense", ":"] {
            assert!(matches!(Entry::read(wrong), Entry::Wrong(_)), "{wrong}");
        }
    }

    #[test]
    fn every_command_of_the_help_is_one() {
        for (form, _) in COMMANDS {
            let text = form
                .replace("[N]", "2")
                .replace("FILE", "x.csv")
                .replace("[ID]", "x")
                .replace("[WORDS=TERM]", "a=b")
                .replace("[WORDS]", "a");
            assert!(matches!(Entry::read(&text), Entry::Command(_)), "{text}");
            assert!(help().contains(form));
        }
        assert_eq!(completions(":q"), [":query", ":quit"]);
    }
}
