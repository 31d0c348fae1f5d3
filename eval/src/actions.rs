//! What a model did to answer: the share of each tool, when it was called, what followed what, and what came of it. The tables of
//! SPINACH (Liu et al. 2024) and ARUQULA have these figures.

use super::excluded::is_known;
use super::record::Record;
use serde::Serialize;
use serde_json::Value;
use std::collections::BTreeMap;

/// What stands before the first call of a question, and behind the last one.
pub const START: &str = "start";
/// See [`START`].
pub const END: &str = "end";
/// Turns that are counted one by one; what comes later is counted with the last.
const MAX_TURNS: usize = 30;
/// Maximum length of the name of a tool or of an outcome, in characters.
const MAX_NAME: usize = 60;

/// The tool calls of a run.
#[derive(Debug, Clone, PartialEq, Default, Serialize)]
pub struct Actions {
    /// Questions with a call.
    pub questions: usize,
    /// Calls in all.
    pub calls: usize,
    /// By tool.
    pub tools: BTreeMap<String, ToolFigures>,
    /// By turn, the first one first.
    pub turns: Vec<Turn>,
    /// How often a tool followed another one; also behind [`START`] and before [`END`].
    pub follows: BTreeMap<String, BTreeMap<String, usize>>,
}

/// The calls of a tool.
#[derive(Debug, Clone, PartialEq, Default, Serialize)]
pub struct ToolFigures {
    /// Number of calls.
    pub calls: usize,
    /// Their share of all calls.
    pub share: f64,
    /// Questions in which it was called.
    pub questions: usize,
    /// The mean of set_F over these, if their gold answer is known.
    #[serde(rename = "set_F")]
    pub set_f: f64,
    /// Number of questions in that mean.
    #[serde(skip)]
    scored: usize,
    /// Calls by what came of them: `ok`, `empty`, `syntax_error`, ...
    pub outcomes: BTreeMap<String, usize>,
}

/// One turn: a reply of the model.
#[derive(Debug, Clone, PartialEq, Default, Serialize)]
pub struct Turn {
    /// Its number, from 1; the last one stands for all that follow.
    pub number: usize,
    /// Questions that took it.
    pub questions: usize,
    /// Share of the questions with a call whose last turn was this or an earlier one.
    pub ended: f64,
    /// Calls by tool.
    pub tools: BTreeMap<String, usize>,
}

/// A call within a question.
struct Call {
    turn: usize,
    tool: String,
    outcome: String,
}

/// Counts the calls in the traces of records.
pub fn actions(records: &[Record]) -> Actions {
    let mut found = Actions::default();
    let mut last_turns: Vec<usize> = Vec::new();
    for record in records {
        let calls = calls(record);
        let Some(last) = calls.last() else { continue };
        last_turns.push(last.turn);
        found.add(&calls, is_known(record).then_some(record.scores.official.set_f));
    }
    found.questions = last_turns.len();
    for figures in found.tools.values_mut() {
        figures.share = figures.calls as f64 / found.calls.max(1) as f64;
        figures.set_f /= figures.scored.max(1) as f64;
    }
    for turn in &mut found.turns {
        turn.questions = last_turns.iter().filter(|last| **last >= turn.number).count();
        let ended = last_turns.iter().filter(|last| **last <= turn.number).count();
        turn.ended = ended as f64 / last_turns.len().max(1) as f64;
    }
    found
}

impl Actions {
    fn add(&mut self, calls: &[Call], set_f: Option<f64>) {
        self.calls += calls.len();
        let mut before = START;
        let mut used: Vec<&str> = Vec::new();
        for Call { turn, tool, outcome } in calls {
            let figures = self.tools.entry(tool.clone()).or_default();
            figures.calls += 1;
            *figures.outcomes.entry(outcome.clone()).or_default() += 1;
            if !used.contains(&tool.as_str()) {
                used.push(tool);
                figures.questions += 1;
                figures.set_f += set_f.unwrap_or_default();
                figures.scored += usize::from(set_f.is_some());
            }
            *self.follows.entry(before.to_owned()).or_default().entry(tool.clone()).or_default() += 1;
            before = tool;
            while self.turns.len() < *turn {
                self.turns.push(Turn { number: self.turns.len() + 1, ..Turn::default() });
            }
            if let Some(turn) = self.turns.get_mut(turn - 1) {
                *turn.tools.entry(tool.clone()).or_default() += 1;
            }
        }
        *self.follows.entry(before.to_owned()).or_default().entry(END.to_owned()).or_default() += 1;
    }
}

/// The calls of a question, in order.
fn calls(record: &Record) -> Vec<Call> {
    let steps = record.trace.as_ref().and_then(|trace| trace.get("steps")).and_then(Value::as_array);
    let (mut turn, mut calls) = (0, Vec::new());
    for step in steps.into_iter().flatten() {
        let text = |key: &str| -> String {
            step.get(key).and_then(Value::as_str).unwrap_or_default().chars().take(MAX_NAME).collect()
        };
        match step.get("kind").and_then(Value::as_str) {
            Some("model") => turn = (turn + 1).min(MAX_TURNS),
            Some("tool") => {
                calls.push(Call { turn: turn.max(1), tool: text("name"), outcome: text("outcome") });
            }
            _ => {}
        }
    }
    calls
}

#[cfg(test)]
mod tests {
    use super::super::record::tests::record;
    use super::*;
    use serde_json::json;

    fn asked(id: &str, set_f: f64, turns: &[&[(&str, &str)]]) -> Record {
        let tool = |(name, outcome): &(&str, &str)| json!({"kind": "tool", "name": name, "outcome": outcome});
        let turn = |calls: &&[(&str, &str)]| -> Vec<Value> {
            std::iter::once(json!({"kind": "model"})).chain(calls.iter().map(tool)).collect()
        };
        let steps: Vec<Value> = turns.iter().flat_map(turn).collect();
        Record { trace: Some(json!({"steps": steps})), ..record(id, set_f) }
    }

    #[test]
    fn calls_are_counted_by_tool_turn_and_what_followed() {
        let found = actions(&[
            asked(
                "a",
                1.0,
                &[&[("search", "ok"), ("search", "empty")], &[("query", "ok")], &[("answer", "ok")]],
            ),
            asked("b", 0.0, &[&[("query", "syntax_error")], &[("answer", "ok")]]),
            asked("c", 1.0, &[]),
            record("without a trace", 1.0),
        ]);
        assert_eq!((found.questions, found.calls), (2, 6));
        let search = &found.tools["search"];
        assert_eq!((search.calls, search.questions, search.set_f), (2, 1, 1.0));
        assert_eq!(search.outcomes, BTreeMap::from([("ok".to_owned(), 1), ("empty".to_owned(), 1)]));
        assert_eq!((found.tools["query"].set_f, found.tools["query"].share), (0.5, 2.0 / 6.0));
        let turns: Vec<(usize, f64)> = found.turns.iter().map(|turn| (turn.questions, turn.ended)).collect();
        assert_eq!(turns, [(2, 0.0), (2, 0.5), (1, 1.0)]);
        assert_eq!(found.turns[0].tools, BTreeMap::from([("query".to_owned(), 1), ("search".to_owned(), 2)]));
        let follows = |from: &str, to: &str| found.follows[from].get(to).copied().unwrap_or_default();
        assert_eq!(
            (follows(START, "search"), follows("search", "search"), follows("search", "query")),
            (1, 1, 1)
        );
        assert_eq!((follows("query", "answer"), follows("answer", END), follows("query", END)), (2, 2, 0));
    }

    #[test]
    fn long_runs_end_with_one_turn_for_the_rest() {
        let many: Vec<&[(&str, &str)]> = vec![&[("search", "ok")]; MAX_TURNS + 5];
        let found = actions(&[asked("a", 1.0, &many)]);
        assert_eq!((found.turns.len(), found.turns[MAX_TURNS - 1].tools["search"]), (MAX_TURNS, 6));
        assert_eq!(actions(&[]), Actions::default());
    }
}
