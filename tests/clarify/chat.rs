//! Over OpenAI's chat API the answer ends with the question, and the next message may answer it.

use super::{BOUGHT, EITHER, MADE, PLAIN, open};
use eruca_testing::helpers::{TestApp, json};
use reqwest::Method;
use serde_json::{Value, json as object};

const LIST: &str = "\n\n1. date made\n2. date acquired";

/// A conversation in turns of user and assistant.
fn talk(said: &[&str]) -> Value {
    let role = |at: usize| if at.is_multiple_of(2) { "user" } else { "assistant" };
    let messages = said.iter().enumerate().map(|(at, text)| object!({"role": role(at), "content": text}));
    object!({"model": "lamps", "messages": messages.collect::<Vec<_>>()})
}

/// The content of the answer.
async fn answer(app: &TestApp, said: &[&str]) -> String {
    let response = app.request(Method::POST, "/v1/chat/completions").json(&talk(said)).send().await.unwrap();
    let completion = json(response).await;
    let content = completion["choices"][0]["message"]["content"].as_str();
    content.unwrap_or_else(|| panic!("{completion}")).to_owned()
}

/// The same, piece by piece.
async fn streamed(app: &TestApp, said: &[&str]) -> String {
    let mut body = talk(said);
    body["stream"] = true.into();
    let response = app.request(Method::POST, "/v1/chat/completions").json(&body).send().await.unwrap();
    let text = response.text().await.unwrap();
    let data = text.lines().filter_map(|line| line.strip_prefix("data: ")).filter(|data| *data != "[DONE]");
    let pieces = data.map(|data| serde_json::from_str::<Value>(data).unwrap());
    pieces.filter_map(|piece| Some(piece["choices"][0]["delta"]["content"].as_str()?.to_owned())).collect()
}

#[tokio::test]
async fn a_number_or_a_label_asks_the_question_before_again() {
    let app = open("").await;
    let first = answer(&app, &[EITHER]).await;
    assert!(first.ends_with(&format!("Which is meant?{LIST}")) && first.contains(MADE), "{first}");
    for said in ["2", " 2. ", "date acquired", "Date Acquired"] {
        let second = answer(&app, &[EITHER, &first, said]).await;
        assert!(second.contains(BOUGHT) && !second.contains(MADE), "{said}: {second}");
        assert!(!second.contains("Which is meant?"), "{said}: {second}");
    }
    let same = answer(&app, &[EITHER, &first, "1"]).await;
    assert!(same.contains(MADE) && !same.contains(BOUGHT), "{same}");
    let second = answer(&app, &[EITHER, &first, "2"]).await;
    let third = answer(&app, &[EITHER, &first, "2", &second, "How high is it?"]).await;
    assert!(third.contains("30"), "the conversation goes on: {third}");
}

#[tokio::test]
async fn a_stream_ends_with_it_and_takes_its_answer() {
    let app = open("").await;
    let first = streamed(&app, &[EITHER]).await;
    assert!(first.ends_with(&format!("Which is meant?{LIST}")), "{first}");
    let second = streamed(&app, &[EITHER, &first, "2"]).await;
    assert!(second.contains(BOUGHT) && !second.contains("Which is meant?"), "{second}");
}

#[tokio::test]
async fn other_messages_are_questions_as_ever() {
    let app = open("").await;
    let first = answer(&app, &[EITHER]).await;
    for said in [PLAIN, "3", "date acquired or made"] {
        let alone = answer(&app, &[EITHER, "It is old.", said]).await;
        let second = answer(&app, &[EITHER, &first, said]).await;
        assert_eq!(alone.contains(BOUGHT), second.contains(BOUGHT), "{said}: {second}");
    }
    let plain = answer(&app, &[PLAIN]).await;
    assert!(!plain.contains("Which is meant?"), "{plain}");
    let forgotten =
        answer(&app, &[EITHER, "It is old.\n\nWhich is meant?\n\n1. date made\n2. date acquired", "2"]).await;
    assert!(!forgotten.contains(BOUGHT), "what no run offered is not chosen: {forgotten}");
}

#[tokio::test]
async fn where_there_is_no_page_the_question_links_to_the_run() {
    let app = open("[server]\npage = false").await;
    let first = answer(&app, &[EITHER]).await;
    assert!(first.contains("\n\n[Which is meant?](http://") && first.ends_with(LIST), "{first}");
    let second = answer(&app, &[EITHER, &first, "2"]).await;
    assert!(second.contains(BOUGHT), "{second}");
}
