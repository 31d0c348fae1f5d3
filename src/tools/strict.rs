//! Schemas of tools in the form that servers can enforce while a model writes its arguments.

use crate::llm::ToolSpec;
use serde_json::{Value, json};

/// The same in the form that servers can enforce: every argument is required, and an optional one may be null.
/// <https://platform.openai.com/docs/guides/function-calling#strict-mode>
pub(super) fn strict(spec: ToolSpec) -> ToolSpec {
    let mut parameters = spec.parameters;
    let required = parameters.get("required").cloned().unwrap_or_default();
    let is_required = |name: &str| required.as_array().is_some_and(|all| all.iter().any(|one| one == name));
    if let Some(properties) = parameters.get_mut("properties").and_then(Value::as_object_mut) {
        for (_, schema) in properties.iter_mut().filter(|(name, _)| !is_required(name)) {
            let Some(kind) = schema.get("type").cloned() else { continue };
            schema["type"] = json!([kind, "null"]);
            if let Some(values) = schema.get_mut("enum").and_then(Value::as_array_mut) {
                values.push(Value::Null);
            }
        }
        let names: Vec<Value> = properties.keys().cloned().map(Value::from).collect();
        parameters["required"] = names.into();
    }
    ToolSpec { parameters, strict: true, ..spec }
}
