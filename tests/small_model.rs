//! `[agent] profile = "small"`: fewer tools with strict schemas, a short prompt, one open point at a time.

use eruca::llm::{ChatRequest, Message, ModelError, ScriptedTurn};
use eruca::trace::{AnsweredBy, StopReason};
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

/// The server says that the conversation does not fit into the context of its model.
fn too_long() -> ScriptedTurn {
    let reason = "request (4031 tokens) exceeds the available context size (2048 tokens)".to_owned();
    ScriptedTurn::fail(ModelError::TooLong { url: "http://model".to_owned(), status: 400, reason })
}

#[tokio::test]
async fn a_prompt_that_is_too_long_for_the_model_is_shortened_once() {
    let talk = Setup::new("").ask("What is the capital of France?", [too_long(), answers(QUERY)]).await;
    assert_eq!(talk.rows(), ["Paris"]);
    assert_eq!(talk.answered.trace.answered_by, AnsweredBy::Agent);
    let requests = talk.model.requests();
    assert_eq!(requests.len(), 2);
    assert!(system(&requests[1]) * 2 < system(&requests[0]));
    assert_eq!(requests[1].tools.len(), 6);
}

#[tokio::test]
async fn turns_that_no_longer_fit_are_left_out_and_what_they_found_is_told() {
    let turns = [tries(QUERY), too_long(), answers(QUERY)];
    let talk = Setup::new("[helps]\ndrafts = false\n").ask("What is the capital of France?", turns).await;
    assert_eq!((talk.answered.trace.answered_by, talk.rows()), (AnsweredBy::Agent, vec!["Paris".to_owned()]));
    let requests = talk.model.requests();
    let Message::User(text) = &requests[2].messages[1] else { panic!("{requests:?}") };
    assert!(requests[2].messages.len() == 2 && text.contains("The best query so far: "), "{text}");
}

#[tokio::test]
async fn of_a_model_that_can_read_nothing_the_planner_takes_over_and_it_is_said() {
    for toml in ["", "[agent]\nprofile = \"small\"\n"] {
        let turns = [too_long(), too_long(), too_long()];
        let talk = Setup::new(toml).ask("What is the capital of France?", turns).await;
        let trace = &talk.answered.trace;
        assert_eq!((trace.answered_by, trace.stop), (AnsweredBy::Planner, StopReason::ModelFailed));
        assert_eq!(talk.rows(), ["Paris"]);
        assert!(trace.degraded.iter().any(|note| note.contains("larger context")), "{:?}", trace.degraded);
        assert!(talk.model.requests().len() <= 2);
    }
}
