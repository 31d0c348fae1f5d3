//! `[agent] profile = "small"`: fewer tools with strict schemas, a short prompt, one open point at a time.

use eruca::llm::{ChatRequest, Message};
use eruca_testing::scripted::{Setup, answers, tries};

const QUERY: &str = "SELECT ?capital WHERE { demo:France geo:capital ?capital }";

async fn first_request(toml: &str) -> ChatRequest {
    let talk = Setup::new(toml).ask("What is the capital of France?", [tries(QUERY), answers(QUERY)]).await;
    assert_eq!(talk.rows(), ["Paris"]);
    talk.model.requests()[0].clone()
}

fn system(request: &ChatRequest) -> usize {
    match &request.messages[0] {
        Message::System(text) => text.len(),
        other => panic!("no system message but {other:?}"),
    }
}

#[tokio::test]
async fn a_small_model_gets_fewer_tools_strict_schemas_and_a_short_prompt() {
    let full = first_request("").await;
    let small = first_request("[agent]\nprofile = \"small\"\n").await;
    let names: Vec<&str> = small.tools.iter().map(|tool| tool.name).collect();
    assert_eq!(
        names,
        ["search_entity", "search_class", "search_property", "get_entry", "execute_sparql", "answer"]
    );
    assert!(system(&small) * 2 < system(&full), "{} {}", system(&small), system(&full));
    for tool in &small.tools {
        let keys: Vec<&String> = tool.parameters["properties"].as_object().unwrap().keys().collect();
        let required: Vec<&str> =
            tool.parameters["required"].as_array().unwrap().iter().filter_map(|key| key.as_str()).collect();
        assert!(tool.strict && keys == required, "{}", tool.name);
    }
    assert!(full.tools.iter().all(|tool| !tool.strict));
    let optional = &small.tools.iter().find(|tool| tool.name == "search_entity").unwrap().parameters;
    assert_eq!(optional["properties"]["class"]["type"], serde_json::json!(["string", "null"]));
    assert_eq!(optional["properties"]["query"]["type"], "string");
}
