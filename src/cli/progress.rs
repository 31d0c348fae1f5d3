//! Progress of long operations on stderr: bars on a terminal, plain lines elsewhere.

use crate::lines::escaped;
use eruca_indexer::Progress;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use std::io::{IsTerminal, Write};
use std::sync::Mutex;
use std::time::{Duration, Instant};

/// Interval at which a bar moves even without progress, to show that work continues.
const TICK: Duration = Duration::from_millis(200);

/// Interval between lines where there are no bars.
const BETWEEN_LINES: Duration = Duration::from_secs(10);

/// Progress in the form suitable for stderr.
pub(super) fn to_stderr() -> Box<dyn Progress> {
    if std::io::stderr().is_terminal() { Box::new(Bars::default()) } else { Box::new(StageLines::default()) }
}

/// The same, except that on a terminal, unless `told`, bars disappear when finished and leave only the answer.
pub(super) fn to_stderr_if(told: bool) -> Box<dyn Progress> {
    let passing = !told && std::io::stderr().is_terminal();
    if passing { Box::new(Bars { passing, ..Bars::default() }) } else { to_stderr() }
}

/// A bar for each stage; finished stages remain as lines.
#[derive(Default)]
struct Bars {
    current: Mutex<Option<ProgressBar>>,
    /// Whether finished stages leave no line.
    passing: bool,
}

impl Progress for Bars {
    fn begin(&self, stage: &str, total: Option<u64>) {
        let bar = ProgressBar::with_draw_target(total, ProgressDrawTarget::stderr());
        bar.set_style(style(total.is_some()));
        bar.set_message(escaped(stage).into_owned());
        bar.enable_steady_tick(TICK);
        self.replace(Some(bar));
    }

    fn advance(&self, amount: u64) {
        if let Ok(current) = self.current.lock()
            && let Some(bar) = current.as_ref()
        {
            bar.inc(amount);
        }
    }

    fn end(&self, note: &str) {
        if let Some(bar) = self.replace(None) {
            if !self.passing {
                bar.println(format!("{}: {}", bar.message(), escaped(note)));
            }
            bar.finish_and_clear();
        }
    }
}

impl Bars {
    fn replace(&self, bar: Option<ProgressBar>) -> Option<ProgressBar> {
        self.current.lock().ok().and_then(|mut current| std::mem::replace(&mut *current, bar))
    }
}

fn style(bounded: bool) -> ProgressStyle {
    let template = match bounded {
        true => "{msg} [{bar:30}] {percent}% {elapsed}, {eta} left",
        false => "{spinner} {msg} {human_pos} {elapsed}",
    };
    ProgressStyle::with_template(template).unwrap_or_else(|_| ProgressStyle::default_bar())
}

/// A line when a stage starts and when it ends, and some in between if it takes long.
#[derive(Default)]
struct StageLines {
    stage: Mutex<Option<Stage>>,
}

struct Stage {
    name: String,
    total: Option<u64>,
    done: u64,
    told: Instant,
}

impl Progress for StageLines {
    fn begin(&self, stage: &str, total: Option<u64>) {
        if let Ok(mut current) = self.stage.lock() {
            *current = Some(Stage { name: stage.to_owned(), total, done: 0, told: Instant::now() });
        }
        write_line(&format!("{stage} ..."));
    }

    fn advance(&self, amount: u64) {
        let Ok(mut current) = self.stage.lock() else { return };
        let Some(stage) = current.as_mut() else { return };
        stage.done += amount;
        if stage.told.elapsed() >= BETWEEN_LINES {
            stage.told = Instant::now();
            let of = stage.total.map(|total| format!(" of {total}")).unwrap_or_default();
            write_line(&format!("{}: {}{of}", stage.name, stage.done));
        }
    }

    fn end(&self, note: &str) {
        let stage = self.stage.lock().ok().and_then(|mut stage| stage.take());
        write_line(&format!("{}: {note}", stage.map(|stage| stage.name).unwrap_or_default()));
    }
}

fn write_line(line: &str) {
    // Progress is optional: a closed stderr must not end the command.
    let _written = writeln!(std::io::stderr(), "{}", escaped(line));
}
