//! Progress of a benchmark on stderr: a bar on a terminal, a line for each question elsewhere.

use crate::cli::text::one_line;
use eruca_eval::excluded::is_known;
use eruca_eval::record::Record;
use eruca_eval::run::Watcher;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use std::io::{IsTerminal, Write};
use std::sync::atomic::{AtomicUsize, Ordering};

/// Maximum length in characters of a part of a line that comes from a file or a service.
const PART_CHARS: usize = 100;

/// Progress in the form suitable for stderr.
pub(super) fn to_stderr() -> Box<dyn Watcher> {
    match std::io::stderr().is_terminal() {
        true => Box::new(Bar::new()),
        false => Box::new(QuestionLines::default()),
    }
}

/// A bar with the mean score so far.
struct Bar {
    bar: ProgressBar,
    /// Sum of the scores in thousandths, as there is no atomic float.
    sum: AtomicUsize,
    done: AtomicUsize,
}

impl Bar {
    fn new() -> Self {
        let bar = ProgressBar::with_draw_target(None, ProgressDrawTarget::stderr());
        let template = "questions [{bar:30}] {pos}/{len} {elapsed}, {eta} left  {msg}";
        bar.set_style(
            ProgressStyle::with_template(template).unwrap_or_else(|_| ProgressStyle::default_bar()),
        );
        Self { bar, sum: AtomicUsize::new(0), done: AtomicUsize::new(0) }
    }
}

impl Watcher for Bar {
    fn begin(&self, asked: usize, total: usize) {
        self.bar.set_length(total as u64);
        self.bar.set_position(asked as u64);
        self.bar.reset_eta();
    }

    fn finished(&self, record: &Record) {
        // Without a known gold answer a question does not count.
        if is_known(record) {
            let thousandths = (record.scores.official.set_f * 1000.0).round() as usize;
            let sum = self.sum.fetch_add(thousandths, Ordering::Relaxed) + thousandths;
            let done = self.done.fetch_add(1, Ordering::Relaxed) + 1;
            self.bar.set_message(format!("set_F {:.3}", sum as f64 / 1000.0 / done as f64));
        }
        if let Some(error) = &record.error {
            let (id, error) = (one_line(&record.id, PART_CHARS), one_line(error, PART_CHARS));
            self.bar.println(format!("{id}: no answer: {error}"));
        }
        if let Some(error) = &record.gold.error {
            let (id, error) = (one_line(&record.id, PART_CHARS), one_line(error, PART_CHARS));
            self.bar.println(format!("{id}: the gold answer is not known: {error}"));
        }
        self.bar.inc(1);
    }
}

impl Drop for Bar {
    fn drop(&mut self) {
        self.bar.finish_and_clear();
    }
}

/// A line for each question.
#[derive(Default)]
struct QuestionLines {
    done: AtomicUsize,
    total: AtomicUsize,
}

impl Watcher for QuestionLines {
    fn begin(&self, asked: usize, total: usize) {
        self.done.store(asked, Ordering::Relaxed);
        self.total.store(total, Ordering::Relaxed);
        if asked > 0 {
            write_line(&format!("{asked} of {total} questions were asked in an earlier run"));
        }
    }

    fn finished(&self, record: &Record) {
        let done = self.done.fetch_add(1, Ordering::Relaxed) + 1;
        let total = self.total.load(Ordering::Relaxed);
        let gold = record.gold.error.as_ref().map(|_| "  the gold answer is not known");
        write_line(&format!("[{done}/{total}] {}{}", line(record), gold.unwrap_or_default()));
    }
}

fn line(record: &Record) -> String {
    let id = one_line(&record.id, PART_CHARS);
    match (&record.error, &record.run) {
        (None, Some(run)) => format!(
            "{id}  set_F {:.3}  {} model calls  {:.1} s  {}",
            record.scores.official.set_f, run.model_calls, run.seconds, run.stop_reason
        ),
        (None, None) => format!("{id}  set_F {:.3}", record.scores.official.set_f),
        (error, _) => {
            format!("{id}  no answer: {}", one_line(error.as_deref().unwrap_or_default(), PART_CHARS))
        }
    }
}

fn write_line(line: &str) {
    // Progress is optional: a closed stderr must not end the command.
    let _written = writeln!(std::io::stderr(), "{line}");
}
