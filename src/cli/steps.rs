//! Steps of a run, shown on stderr as they happen.

use super::insight::doubts;
use super::text::one_line;
use crate::trace::{AnsweredBy, Observer, Step, StepKind, StopReason, Trace};
use eruca_sparql::thousands;
use std::fmt::Write as _;
use std::io::{IsTerminal, Write};
use std::sync::Mutex;

/// Maximum length of a step's line in characters.
const LINE_CHARS: usize = 150;
/// Maximum number of lines per step in a conversation.
const BRIEF_LINES: usize = 2;
/// Indentation below the time and kind of a step.
const INDENT: &str = "                      ";

/// Prints steps to a stream.
pub(super) struct StepPrinter {
    out: Mutex<Box<dyn Write + Send>>,
    coloured: bool,
    /// Maximum number of lines shown per step.
    most_lines: usize,
}

impl StepPrinter {
    /// Steps on stderr; coloured on a terminal unless [NO_COLOR](https://no-color.org) is set.
    pub(super) fn to_stderr() -> Self {
        let stderr = std::io::stderr();
        let refused = std::env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty());
        let coloured = stderr.is_terminal() && !refused;
        Self { out: Mutex::new(Box::new(stderr)), coloured, most_lines: usize::MAX }
    }

    /// The same with only the first lines of each step, since in a conversation the answers matter.
    pub(super) fn brief(self) -> Self {
        Self { most_lines: BRIEF_LINES, ..self }
    }

    /// Prints how the run ended and, with `with_doubts`, how reliable its answer is.
    pub(super) fn finish(&self, trace: &Trace, with_doubts: bool) {
        self.print(&ending(trace, with_doubts));
    }

    fn print(&self, text: &str) {
        if let Ok(mut out) = self.out.lock() {
            // Steps are optional: a closed stderr must not end the run.
            let _written = out.write_all(text.as_bytes());
        }
    }

    /// Colours text with an SGR code of [ECMA-48](https://ecma-international.org/publications-and-standards/standards/ecma-48/).
    fn paint(&self, code: &str, text: &str) -> String {
        if self.coloured { format!("\u{1b}[{code}m{text}\u{1b}[0m") } else { text.to_owned() }
    }
}

impl Observer for StepPrinter {
    fn step(&self, step: &Step) {
        let (name, code, lines) = described(&step.kind);
        let at = format!("{:>6.2} s", (step.at + step.elapsed).as_secs_f64());
        let mut text = format!("{}  {} ", self.paint("2", &at), self.paint(code, &format!("{name:<10}")));
        for (number, line) in lines.iter().take(self.most_lines).enumerate() {
            let indent = if number == 0 { "" } else { INDENT };
            // Writing to a String cannot fail.
            let _written = writeln!(text, "{indent}{line}");
        }
        if lines.is_empty() {
            text.push('\n');
        }
        if let Some(more) = lines.len().checked_sub(self.most_lines).filter(|more| *more > 0) {
            let _written = writeln!(text, "{INDENT}(+{more} lines)");
        }
        self.print(&text);
    }
}

/// The name of a step, its colour and its lines.
fn described(kind: &StepKind) -> (&'static str, &'static str, Vec<String>) {
    let line = |text: &str| one_line(text, LINE_CHARS);
    match kind {
        StepKind::Grounding { observation } => ("look-up", "36", vec![shortened(observation)]),
        StepKind::Model { thought, calls, usage } => {
            let mut lines: Vec<String> = thought.iter().map(|thought| line(thought)).collect();
            lines.extend(calls.iter().map(|call| line(&format!("→ {} {}", call.name, call.arguments))));
            lines.push(format!("({} tokens)", thousands(usage.total())));
            ("model", "35", lines)
        }
        StepKind::Tool { name, arguments: _, outcome, observation } => {
            ("tool", "34", vec![line(&format!("{name}: {outcome}")), shortened(observation)])
        }
        StepKind::Planner { readings } => {
            ("planner", "32", readings.iter().map(|reading| line(reading)).collect())
        }
        StepKind::Rewrite { change } => ("rewrite", "33", vec![line(change)]),
        StepKind::Controller { note } => ("control", "33", vec![line(note)]),
    }
}

/// The first line of an observation and how many more there are.
fn shortened(observation: &str) -> String {
    let mut lines = observation.lines().filter(|line| !line.trim().is_empty());
    let first = one_line(lines.next().unwrap_or_default(), LINE_CHARS);
    match lines.count() {
        0 => first,
        more => format!("{first} (+{more} lines)"),
    }
}

fn ending(trace: &Trace, with_doubts: bool) -> String {
    let by = match trace.answered_by {
        AnsweredBy::Agent => "the agent",
        AnsweredBy::Planner => "the planner",
        AnsweredBy::Verified => "a verified question",
    };
    let why = match trace.stop {
        StopReason::Answered => "",
        StopReason::AnsweredAsText => "; the model wrote its query as text",
        StopReason::Deadline => "; the deadline came first",
        StopReason::Budget => "; the allowed calls or tokens were used up",
        StopReason::ModelFailed => "; the chat model failed",
        StopReason::NotInGraph => "; it found no answer in the graph",
        StopReason::NoModel => "; no chat model is configured",
        StopReason::AskedAgain => "; the last answer was asked for again",
        StopReason::AskedForHelp => "; the question only asks what can be asked",
        StopReason::OnlyNamed => "; the question only names something",
        StopReason::Verified => "; a person has checked its query",
    };
    let mut text = format!("answered by {by} in {:.2} s{why}\n", trace.elapsed.as_secs_f64());
    for doubt in doubts(trace).iter().filter(|_| with_doubts) {
        // Writing to a String cannot fail.
        let _written = writeln!(text, "{doubt}");
    }
    for note in &trace.degraded {
        // Writing to a String cannot fail.
        let _written = writeln!(text, "note: {}", one_line(note, LINE_CHARS));
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::llm::Usage;
    use crate::trace::ToolCall;
    use std::sync::Arc;
    use std::time::Duration;

    #[derive(Clone, Default)]
    struct KeptOutput(Arc<Mutex<Vec<u8>>>);

    impl Write for KeptOutput {
        fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
            self.0.lock().unwrap().extend_from_slice(bytes);
            Ok(bytes.len())
        }

        fn flush(&mut self) -> std::io::Result<()> {
            Ok(())
        }
    }

    fn shown(kinds: Vec<StepKind>) -> String {
        let kept = KeptOutput::default();
        let printer =
            StepPrinter { out: Mutex::new(Box::new(kept.clone())), coloured: false, most_lines: usize::MAX };
        for kind in kinds {
            printer.step(&Step { at: Duration::from_secs(1), elapsed: Duration::from_millis(500), kind });
        }
        String::from_utf8(kept.0.lock().unwrap().clone()).unwrap()
    }

    #[test]
    fn steps_are_compact_and_cannot_steer_the_terminal() {
        let usage = Usage { prompt_tokens: 1200, completion_tokens: 34, ..Usage::default() };
        let (name, arguments) = ("search_entity".to_owned(), "{\"text\":\"France\"}".to_owned());
        let calls = vec![ToolCall { name, arguments }];
        let text = shown(vec![
            StepKind::Model { thought: Some("I look for\nFrance\u{1b}[2J".to_owned()), calls, usage },
            StepKind::Tool {
                name: "search_entity".to_owned(),
                arguments: String::new(),
                outcome: "ok".into(),
                observation: "1. demo:France\n2. demo:Paris\n".to_owned(),
            },
            StepKind::Planner {
                readings: vec!["France: an entity".to_owned(), "capital: a property".to_owned()],
            },
        ]);
        insta::assert_snapshot!(text, @r#"
          1.50 s  model      I look for France [2J
                              → search_entity {"text":"France"}
                              (1,234 tokens)
          1.50 s  tool       search_entity: ok
                              1. demo:France (+1 lines)
          1.50 s  planner    France: an entity
                              capital: a property
        "#);
    }
}
