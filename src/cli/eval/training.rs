//! `--export-training`: good runs as training data.

use super::EvalArgs;
use crate::cli::CliError;
use crate::cli::text::counted;
use eruca_eval::questions::{EvalQuestion, read_questions};
use eruca_eval::record::Record;
use eruca_eval::training::{Choice, Written, write_training};
use std::io::Write;
use std::path::Path;

/// Where training data go, and what must not be in it.
pub(super) struct Training<'a> {
    path: &'a Path,
    least: f64,
    held_out: Vec<EvalQuestion>,
}

impl<'a> Training<'a> {
    /// What the arguments ask for, if they do.
    pub(super) fn of(args: &'a EvalArgs) -> Result<Option<Self>, CliError> {
        let Some(path) = &args.export_training else { return Ok(None) };
        let mut held_out = Vec::new();
        for file in &args.held_out {
            held_out.extend(read_questions(file)?.questions);
        }
        Ok(Some(Self { path, least: args.training_score, held_out }))
    }

    /// Writes the conversations of good runs.
    pub(super) fn write(
        &self,
        records: &[Record],
        (folder, source): (&Path, &str),
        out: &mut dyn Write,
    ) -> Result<(), CliError> {
        let choice = Choice { least: self.least, held_out: &self.held_out, source };
        let Written { conversations, below, unknown, held_out, without, note } =
            write_training(self.path, records, folder, &choice)?;
        writeln!(
            out,
            "training     {}; left out: {below} below the score, {unknown} without a known answer, {held_out} held out, \
             {without} without a conversation",
            counted(conversations as u64, "conversation", "conversations")
        )?;
        writeln!(out, "wrote        {}\nwrote        {}", self.path.display(), note.display())?;
        Ok(())
    }
}
