//! `state_form`: states the form of the answer before searching for it.

use super::{Arguments, Observation, ObservationKind, Tool, ToolContext};
use crate::agent_features::AgentFeatures;
use async_trait::async_trait;
use eruca_dataset::quoted_name;
use serde_json::{Value, json};

/// The kinds of results, by the names that models use.
const KINDS: &[&str] = &["ask", "count", "things", "values", "table"];

pub(super) struct StateForm;

#[async_trait]
impl Tool for StateForm {
    fn name(&self) -> &'static str {
        "state_form"
    }

    fn description(&self) -> &'static str {
        "States what the answer will look like, before the search. Call it once, in the same turn as your first searches \
         or your first query. The final query is checked against it."
    }

    fn parameters(&self) -> Value {
        json!({
            "type": "object",
            "properties": {
                "form": form(),
                "columns": columns(),
                "order": {"type": "string", "description": "by what the question wants the rows ordered; leave it out if it names no order"},
                "limit": {"type": "integer", "description": "how many results the question asks for (1 for a superlative); leave it out if it names no number"},
            },
            "required": ["form"],
            "additionalProperties": false,
        })
    }

    fn is_shown(&self, features: AgentFeatures) -> bool {
        features.answer_form
    }

    fn states_form(&self) -> bool {
        true
    }

    fn is_basic(&self) -> bool {
        false
    }

    fn asks_dataset(&self) -> bool {
        false
    }

    async fn call(&self, arguments: &Arguments, _context: &ToolContext<'_>) -> Observation {
        match arguments.text("form") {
            Ok(form) if KINDS.contains(&form.to_lowercase().as_str()) => {
                let several = arguments.list("columns").len() > 1 && is_of_one_column(form);
                let told = several.then(|| {
                    format!(
                        "You stated {form}, which are one column, with several columns: it is taken as a table. If one column \
                         is what was asked for, state that one alone."
                    )
                });
                Observation::new(ObservationKind::Ok, "Noted.").noting(told)
            }
            Ok(form) => {
                let form = quoted_name(form);
                Observation::bad_call(format!("{form} is not a form; use one of {}", KINDS.join(", ")))
            }
            Err(reason) => Observation::bad_call(reason),
        }
    }
}

/// Whether answers of a kind have one column, by the description given to models.
fn is_of_one_column(form: &str) -> bool {
    ["things", "values"].iter().any(|kind| form.eq_ignore_ascii_case(kind))
}

/// The JSON Schema of a kind of result.
pub(super) fn form() -> Value {
    json!({
        "type": "string",
        "enum": KINDS,
        "description": "ask (yes/no), count (one number), things (IRIs, one column), values (literals, one column), \
                        table (several columns)",
    })
}

/// The JSON Schema of the columns.
pub(super) fn columns() -> Value {
    json!({
        "type": "array",
        "items": {"type": "string"},
        "description": "for a table: what each column contains, in the order of the question; only what the question asks for",
    })
}
