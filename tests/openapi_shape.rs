//! What the description of the HTTP interface says, and how.

use eruca_testing::helpers::TestApp;
use serde_json::Value;

#[tokio::test]
async fn the_description_has_the_shape_of_the_challenges_own() {
    let description = TestApp::start().await.openapi().await;
    let operation = &description["paths"]["/text2sparql"]["get"];
    let required: Vec<&str> = operation["parameters"]
        .as_array()
        .unwrap()
        .iter()
        .filter(|parameter| parameter["required"] == true)
        .map(|parameter| parameter["name"].as_str().unwrap())
        .collect();
    assert_eq!(required, ["question", "dataset"]);
    let schema =
        |status: &str| &operation["responses"][status]["content"]["application/json"]["schema"]["$ref"];
    assert_eq!(schema("422"), "#/components/schemas/HTTPValidationError");
    let answer = &description["components"]["schemas"]["Text2SparqlAnswer"];
    assert_eq!(answer["required"], serde_json::json!(["dataset", "question", "query"]));
    let wrong = &description["components"]["schemas"]["ValidationError"];
    assert_eq!(wrong["required"], serde_json::json!(["loc", "msg", "type"]));
}

#[tokio::test]
async fn everything_is_described_and_every_reference_leads_somewhere() {
    let description = TestApp::start().await.openapi().await;
    let paths = description["paths"].as_object().unwrap().iter();
    for (path, operation) in
        paths.flat_map(|(path, item)| item.as_object().unwrap().values().map(move |one| (path, one)))
    {
        assert!(operation["summary"].is_string(), "{path}");
        for parameter in operation["parameters"].as_array().into_iter().flatten() {
            assert!(parameter["description"].is_string(), "{path}: {parameter}");
        }
    }
    for (name, schema) in description["components"]["schemas"].as_object().unwrap() {
        assert!(schema["description"].is_string(), "{name}");
    }
    let mut references = Vec::new();
    collect_references(&description, &mut references);
    assert!(!references.is_empty());
    for reference in references {
        let pointer = reference.trim_start_matches('#');
        assert!(description.pointer(pointer).is_some(), "{reference} leads nowhere");
    }
}

fn collect_references(value: &Value, references: &mut Vec<String>) {
    match value {
        Value::Object(map) => {
            references.extend(map.get("$ref").and_then(Value::as_str).map(str::to_owned));
            map.values().for_each(|value| collect_references(value, references));
        }
        Value::Array(items) => items.iter().for_each(|value| collect_references(value, references)),
        _ => {}
    }
}
