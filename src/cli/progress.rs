//! Progress of long work on stderr: bars on a terminal, plain lines elsewhere.

use eruca_indexer::Progress;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use std::io::{IsTerminal, Write};
use std::sync::Mutex;
use std::time::Duration;

/// How often a bar moves while nothing advances, to show that the work goes on.
const TICK: Duration = Duration::from_millis(200);

/// Progress in the form that suits stderr.
pub(super) fn to_stderr() -> Box<dyn Progress> {
    if std::io::stderr().is_terminal() { Box::new(Bars::default()) } else { Box::new(Lines::default()) }
}

/// A bar for each stage; finished stages stay as lines.
#[derive(Default)]
struct Bars {
    current: Mutex<Option<ProgressBar>>,
}

impl Progress for Bars {
    fn begin(&self, stage: &str, total: Option<u64>) {
        let bar = ProgressBar::with_draw_target(total, ProgressDrawTarget::stderr());
        bar.set_style(style(total.is_some()));
        bar.set_message(stage.to_owned());
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
            bar.println(format!("{}: {note}", bar.message()));
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

/// A line when a stage starts and one when it ends.
#[derive(Default)]
struct Lines {
    stage: Mutex<String>,
}

impl Progress for Lines {
    fn begin(&self, stage: &str, _total: Option<u64>) {
        if let Ok(mut current) = self.stage.lock() {
            stage.clone_into(&mut current);
        }
        write_line(&format!("{stage} ..."));
    }

    fn advance(&self, _amount: u64) {}

    fn end(&self, note: &str) {
        let stage = self.stage.lock().map(|stage| stage.clone()).unwrap_or_default();
        write_line(&format!("{stage}: {note}"));
    }
}

fn write_line(line: &str) {
    // Progress is a courtesy: a closed stderr must not end the work.
    let _written = writeln!(std::io::stderr(), "{line}");
}
