//! Shows texts longer than the terminal in the program named by `$PAGER`, as other programs do.

use std::io::{self, Write};
use std::process::{Command, Stdio};

/// The default pager.
const USUAL: &str = if cfg!(windows) { "more" } else { "less" };
/// Options of less unless `$LESS` is set: keep colours, just print a text that fits, do not clear the screen.
const LESS: &str = "FRX";

/// Writes a text, through the pager if it is longer than the given number of lines.
pub(super) fn show(text: &str, height: Option<usize>, out: &mut dyn Write) -> io::Result<()> {
    let long = height.is_some_and(|height| text.lines().count() >= height);
    out.flush()?;
    if long && tokio::task::block_in_place(|| is_paged(text)) {
        return Ok(());
    }
    out.write_all(text.as_bytes())
}

/// Shows the text in a pager; returns whether that worked.
fn is_paged(text: &str) -> bool {
    let pager = std::env::var("PAGER").unwrap_or_else(|_| USUAL.to_owned());
    if pager.trim().is_empty() {
        return false;
    }
    let mut command = shell(&pager);
    if std::env::var_os("LESS").is_none() {
        command.env("LESS", LESS);
    }
    let Ok(mut child) = command.stdin(Stdio::piped()).spawn() else { return false };
    if let Some(mut stdin) = child.stdin.take() {
        // If the user quits the pager early, the rest is not needed.
        let _written = stdin.write_all(text.as_bytes());
    }
    // Exit codes of shells for programs that are missing or cannot be run.
    child.wait().is_ok_and(|status| !matches!(status.code(), Some(126 | 127)))
}

/// `$PAGER` may contain arguments, so a shell interprets it.
fn shell(line: &str) -> Command {
    let (program, flag) = if cfg!(windows) { ("cmd", "/C") } else { ("sh", "-c") };
    let mut command = Command::new(program);
    command.arg(flag).arg(line);
    command
}
