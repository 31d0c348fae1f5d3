//! Conversations that do not fit into the model's context.

use super::*;

/// As llama.cpp says it.
const TOO_LONG: &str = "request (4031 tokens) exceeds the available context size (2048 tokens)";

fn with_limit(server: &MockServer, limit: u32) -> OpenAiModel {
    model(OpenAiOptions { max_completion_tokens: Some(limit), ..options(&server.uri()) })
}

#[tokio::test]
async fn a_conversation_that_is_too_long_is_not_sent_again() {
    for status in [400, 413, 422, 500] {
        let server = server([complaint(status, TOO_LONG), yes()]).await;
        let error = at(&server).complete(&request()).await.unwrap_err();
        let expected = ModelError::TooLong { url: server.uri(), status, reason: TOO_LONG.to_owned() };
        assert_eq!((error, attempts(&server).await), (expected, 1));
    }
}

#[tokio::test]
async fn a_limit_of_tokens_a_minute_is_no_matter_of_length() {
    let words = "tokens per minute: please reduce the length of the messages or wait";
    let server = server([complaint(429, words), yes()]).await;
    assert_eq!(at(&server).complete(&request()).await.unwrap().attempts, 2);
}

#[tokio::test]
async fn a_completion_for_which_there_is_no_room_is_limited_once() {
    let words = "maximum context length is 8192 tokens; you requested 9000 (4904 in the messages, 4096 in the completion)";
    let fits = server([complaint(400, words), yes()]).await;
    assert_eq!(with_limit(&fits, 4096).complete(&request()).await.unwrap().attempts, 2);
    let limits: Vec<_> =
        bodies(&fits).await.iter().map(|body| body["max_completion_tokens"].clone()).collect();
    assert_eq!(limits, [json!(4096), json!(SHORT_COMPLETION)]);

    let never = server([complaint(400, words)]).await;
    let error = with_limit(&never, 4096).complete(&request()).await.unwrap_err();
    assert!(matches!(error, ModelError::TooLong { .. }), "{error}");
    assert_eq!(attempts(&never).await, 2);

    let short = server([complaint(400, words)]).await;
    with_limit(&short, SHORT_COMPLETION).complete(&request()).await.unwrap_err();
    assert_eq!(attempts(&short).await, 1);
}

#[tokio::test]
async fn a_stream_that_is_refused_for_its_length_says_so_too() {
    let server = server([complaint(400, TOO_LONG)]).await;
    let error = at(&server).stream(&request(), &mut |_| {}).await.unwrap_err();
    assert!(matches!(error, ModelError::TooLong { status: 400, .. }), "{error}");
}
