//! Steps of a run as lines of reasoning, in Markdown.

use crate::trace::{Step, StepKind};
use eruca_verbalize::markdown::text;

/// One or more lines for a step, each with a line break.
pub(super) fn reasoning(step: &Step) -> String {
    let lines = lines(&step.kind);
    lines.into_iter().map(|line| format!("- {line}\n")).collect()
}

fn lines(kind: &StepKind) -> Vec<String> {
    match kind {
        StepKind::Grounding { observation } => vec![format!("look-up: {}", shortened(observation))],
        StepKind::Model { thought, calls, usage: _ } => {
            let thought = thought.iter().map(|thought| text(thought));
            let calls = calls.iter().map(|call| format!("→ {} {}", text(&call.name), text(&call.arguments)));
            thought.chain(calls).filter(|line| !line.is_empty()).collect()
        }
        StepKind::Tool { name, arguments: _, outcome, observation } => {
            vec![format!("{}: {}: {}", text(name), text(outcome), shortened(observation))]
        }
        StepKind::Planner { readings } => {
            readings.iter().map(|reading| format!("planner: {}", text(reading))).collect()
        }
        StepKind::Rewrite { change } => vec![format!("rewrite: {}", text(change))],
        StepKind::Controller { note } => vec![text(note)],
    }
}

/// The first line of an observation, and how many more there are.
fn shortened(observation: &str) -> String {
    let mut lines = observation.lines().filter(|line| !line.trim().is_empty());
    let first = text(lines.next().unwrap_or_default());
    match lines.count() {
        0 => first,
        more => format!("{first} (+{more})"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::llm::Usage;
    use crate::trace::ToolCall;
    use std::time::Duration;

    #[test]
    fn a_step_is_a_list_and_what_it_tells_is_no_markup() {
        let shown = |kind| reasoning(&Step { at: Duration::ZERO, elapsed: Duration::ZERO, kind });
        let (name, arguments) = ("search_entity".to_owned(), "{\"query\":\"France\"}".to_owned());
        let calls = vec![ToolCall { name, arguments }];
        let thought = Some("I look for\n# France".to_owned());
        let model = shown(StepKind::Model { thought, calls, usage: Usage::default() });
        assert_eq!(model, "- I look for \\# France\n- → search\\_entity {\"query\":\"France\"}\n");
        let observation = "1. <b>x</b>\n\n2. y\n".to_owned();
        let tool = StepKind::Tool {
            name: "t".to_owned(),
            arguments: String::new(),
            outcome: "ok".into(),
            observation,
        };
        assert_eq!(shown(tool), "- t: ok: 1. \\<b\\>x\\</b\\> (+1)\n");
        assert_eq!(
            shown(StepKind::Planner { readings: vec!["a".to_owned(), "b".to_owned()] }),
            "- planner: a\n- planner: b\n"
        );
    }
}
