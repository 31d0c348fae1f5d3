//! What the model did: tools, turns, and what followed what.

use super::{Summed, TitledTable, head, share, titled};
use crate::actions::END;
use std::collections::BTreeSet;

/// The share of each tool: a row for each run in which a model called one.
pub(super) fn shares(runs: &[Summed<'_>]) -> TitledTable {
    let tools: BTreeSet<&String> = runs.iter().flat_map(|run| run.summary.actions.tools.keys()).collect();
    let columns =
        head(&["run", "calls"]).into_iter().chain(tools.iter().map(|tool| (*tool).clone())).collect();
    let row = |Summed { name, summary }: &Summed<'_>| {
        let calls = |tool: &String| summary.actions.tools.get(tool).map_or(0, |figures| figures.calls);
        let cells = tools.iter().map(|tool| share(calls(tool), summary.actions.calls));
        [(*name).to_owned(), summary.actions.calls.to_string()].into_iter().chain(cells).collect()
    };
    titled("Share of each tool", columns, acting(runs).map(row).collect())
}

/// The cumulative share of questions that end, by turn.
pub(super) fn turns(runs: &[Summed<'_>]) -> TitledTable {
    let longest = runs.iter().map(|run| run.summary.actions.turns.len()).max().unwrap_or_default();
    let columns = head(&["run"]).into_iter().chain((1..=longest).map(|turn| turn.to_string())).collect();
    let row = |Summed { name, summary }: &Summed<'_>| {
        let ended = |turn: usize| summary.actions.turns.get(turn).map_or(1.0, |turn| turn.ended);
        let cells = (0..longest).map(|turn| format!("{:.3}", ended(turn)));
        std::iter::once((*name).to_owned()).chain(cells).collect()
    };
    titled("Share of questions that are ended by each turn", columns, acting(runs).map(row).collect())
}

/// What came of the calls of each tool.
pub(super) fn outcomes(run: &Summed<'_>) -> TitledTable {
    let tools = &run.summary.actions.tools;
    let outcomes: BTreeSet<&String> = tools.values().flat_map(|figures| figures.outcomes.keys()).collect();
    let named = outcomes.iter().map(|outcome| (*outcome).clone());
    let columns = head(&["tool", "calls", "questions", "set_F"]).into_iter().chain(named).collect();
    let rows = tools.iter().map(|(tool, figures)| {
        let cells = outcomes.iter().map(|outcome| {
            let count = figures.outcomes.get(*outcome);
            count.map_or_else(String::new, |count| share(*count, figures.calls))
        });
        let first = [
            tool.clone(),
            figures.calls.to_string(),
            figures.questions.to_string(),
            format!("{:.4}", figures.set_f),
        ];
        first.into_iter().chain(cells).collect()
    });
    titled(format!("What came of the calls: {}", run.name), columns, rows.collect())
}

/// The share of each tool, or of the end, among what followed a tool.
pub(super) fn follows(run: &Summed<'_>) -> TitledTable {
    let actions = &run.summary.actions;
    let to: Vec<String> = actions.tools.keys().cloned().chain([END.to_owned()]).collect();
    let rows = actions.follows.iter().map(|(from, found)| {
        let all = found.values().sum();
        let cells = to.iter().map(|to| found.get(to).map_or_else(String::new, |count| share(*count, all)));
        std::iter::once(from.clone()).chain(cells).collect()
    });
    let rows = rows.collect();
    let columns = head(&["call"]).into_iter().chain(to).collect();
    titled(format!("What followed what: {}", run.name), columns, rows)
}

/// The runs in which a model called a tool.
fn acting<'r, 'a>(runs: &'r [Summed<'a>]) -> impl Iterator<Item = &'r Summed<'a>> {
    runs.iter().filter(|run| run.summary.actions.calls > 0)
}
