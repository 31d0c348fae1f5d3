//! `compute`: runs a small program over the rows of earlier queries.

use super::arguments::schema;
use super::remember::results;
use super::workspace::{Brought, sent};
use super::{Arguments, Observation, ObservationKind, Tool, ToolContext};
use crate::agent_features::AgentFeatures;
use async_trait::async_trait;
use eruca_api::{Computed, ComputedValue};
use eruca_compute::{Bounds, ComputeError, run};
use eruca_dataset::Dataset;
use eruca_sparql::{NamedNode, quoted};
use std::collections::BTreeMap;
use std::sync::Arc;

/// Rows shown of a result.
const SHOWN_ROWS: usize = 10;
/// Printed lines shown.
const SHOWN_LINES: usize = 10;
/// Maximum length of a shown text in characters.
const MAX_TEXT: usize = 200;

pub(super) struct Compute;

#[async_trait]
impl Tool for Compute {
    fn name(&self) -> &'static str {
        "compute"
    }

    fn description(&self) -> &'static str {
        "Runs a small Lua program over the rows of your queries, for what SPARQL cannot do or does badly: shares across \
         queries, spans of dates, medians, correlations, joins of two results. Most questions need none. r1, r2, … are \
         results: lists of rows, by column: r1[1].population. Also there: sum(r1, 'population'), mean, median, quantile, \
         stddev, correlation, count, round, percent, group, join, sort_by, values, days_between, years_between, add_days, \
         year, month, day. End with return: a value, a list, or a list of rows like {name = 'a', share = 0.5}. It is kept \
         as c1, c2, …; if it is the answer, name it in `answer`."
    }

    fn parameters(&self) -> serde_json::Value {
        schema(&[(
            "program",
            "the program, in Lua 5.4, without files, network, clock or random numbers",
            true,
        )])
    }

    fn is_shown(&self, features: AgentFeatures) -> bool {
        features.compute
    }

    fn needs_workspace(&self) -> bool {
        true
    }

    fn is_basic(&self) -> bool {
        false
    }

    fn asks_dataset(&self) -> bool {
        false
    }

    async fn call(&self, arguments: &Arguments, context: &ToolContext<'_>) -> Observation {
        let program = match arguments.text("program") {
            Ok(program) => program.to_owned(),
            Err(reason) => return Observation::bad_call(reason),
        };
        let (tables, inputs) = context.workspace.inputs(&program);
        let bounds = Bounds { time: Bounds::default().time.min(context.timeout), ..Bounds::default() };
        let worked = tokio::task::spawn_blocking(move || (run(&program, &tables, &bounds), program)).await;
        let (result, program) = match worked {
            Ok(worked) => worked,
            Err(error) => return Observation::failed("the computation", &error),
        };
        match result {
            Ok(eruca_compute::Computed { columns, rows, cut, printed }) => {
                let rows = rows.into_iter().map(|row| row.into_iter().map(sent).collect()).collect();
                let names = BTreeMap::new();
                let computed = Computed { program, inputs, columns, rows, names, cut, printed };
                let kind = if cut { ObservationKind::Truncated } else { ObservationKind::Ok };
                let text = shown(&computed, context.dataset);
                Observation::new(kind, text).bringing(Brought::Computation(Arc::new(computed)))
            }
            Err(error) => Observation::bad_call(told(&error, context)),
        }
    }
}

/// The error with what the program could have used.
fn told(error: &ComputeError, context: &ToolContext<'_>) -> String {
    let results = results(context);
    let told = quoted(&error.to_string(), MAX_TEXT * 2);
    match error {
        ComputeError::Failed(_) => format!("{told}; {results}"),
        _ => told,
    }
}

/// The result as a small table.
fn shown(computed: &Computed, dataset: &Dataset) -> String {
    let printed =
        computed.printed.iter().take(SHOWN_LINES).map(|line| format!("printed: {}", quoted(line, MAX_TEXT)));
    let mut lines: Vec<String> = printed.collect();
    let cut = computed.inputs.iter().filter(|input| input.incomplete);
    lines.extend(cut.map(|input| format!("{} is not the whole result: rows are missing in it", input.name)));
    match computed.value() {
        Some(value) => lines.push(cell(value, dataset)),
        None => {
            lines.push(computed.columns.iter().map(|name| heading(name)).collect::<Vec<_>>().join(" | "));
            let rows = computed.rows.iter().take(SHOWN_ROWS);
            lines.extend(
                rows.map(|row| row.iter().map(|value| cell(value, dataset)).collect::<Vec<_>>().join(" | ")),
            );
            let count = computed.rows.len();
            let least = if computed.cut { "at least " } else { "" };
            lines.push(format!("{least}{count} rows, {} shown", count.min(SHOWN_ROWS)));
        }
    }
    lines.join("\n")
}

/// The name of a column, quoted unless it is a plain word: programs may use texts of the graph as keys.
fn heading(name: &str) -> String {
    let plain = name.len() <= 40 && name.chars().all(|c| c.is_alphanumeric() || c == '_');
    if plain { name.to_owned() } else { quoted(name, MAX_TEXT) }
}

fn cell(value: &ComputedValue, dataset: &Dataset) -> String {
    match value {
        ComputedValue::Nothing(()) => "-".to_owned(),
        ComputedValue::Boolean(value) => value.to_string(),
        ComputedValue::Integer(value) => value.to_string(),
        ComputedValue::Number(value) => value.to_string(),
        ComputedValue::Text(text) if text.contains("://") && NamedNode::new(text).is_ok() => {
            dataset.compact(text)
        }
        ComputedValue::Text(text) => quoted(text, MAX_TEXT),
    }
}
