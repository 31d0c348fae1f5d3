//! An answer in the words of a chat model. The prompt, and how its reply is read and checked, are those of
//! `eruca_verbalize`; here it is sent.

use crate::llm::{ChatModel, ChatRequest, Message, ModelError, Tokens, Usage};
use eruca_api::Words;
use eruca_verbalize::words::{AnswerContext, model_prompt, read_model_text};
use std::time::Instant;

/// Why there are no words of a model. The sentence without one is good in all these cases.
#[derive(Debug, thiserror::Error)]
pub(super) enum NotTold {
    /// There are no rows, or the answer has low confidence.
    #[error("there are no rows that a model could put into words")]
    Nothing,
    /// The model failed.
    #[error(transparent)]
    Model(#[from] ModelError),
    /// The reply is empty, was cut off, or calls tools.
    #[error("the chat model returned no text")]
    NoText,
}

/// The answer in a model's words. Pieces of its text go to `tokens` as they arrive; the returned words are the answer.
///
/// # Errors
/// When there is nothing to tell, or the model gives no text by the deadline.
pub(super) async fn told_by_model(
    context: &AnswerContext<'_>,
    model: &dyn ChatModel,
    tokens: &mut Tokens<'_>,
    deadline: Instant,
) -> Result<(Words, Usage), NotTold> {
    let prompt = model_prompt(context).ok_or(NotTold::Nothing)?;
    let messages = vec![Message::System(prompt.system), Message::User(prompt.user)];
    let request = ChatRequest::new(messages, Vec::new(), deadline.saturating_duration_since(Instant::now()));
    let completion = model.stream(&request, tokens).await?;
    let whole = !completion.cut && completion.calls.is_empty();
    let text = completion.text.filter(|_| whole).ok_or(NotTold::NoText)?;
    let words = read_model_text(context, &text).ok_or(NotTold::NoText)?;
    Ok((words, completion.usage))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::llm::{ScriptedModel, ScriptedTurn};
    use eruca_dataset::testing::graph_of;
    use eruca_verbalize::words::columns;
    use std::collections::BTreeMap;
    use std::time::Duration;

    const ORCHARDS: &str = r#"
@prefix : <http://orchard.example/> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
:hill a :Orchard ; rdfs:label "Hill Orchard"@en .
:moor a :Orchard ; rdfs:label "Moor Orchard"@en .
"#;

    /// What comes of a model's turn: the words, the pieces that arrived, and the number of requests.
    async fn told(class: &str, turn: ScriptedTurn) -> (Result<Words, NotTold>, Vec<String>, usize) {
        let graph = graph_of("orchards", ORCHARDS).await;
        let dataset = &graph.dataset;
        let question = dataset.read("Which orchards are there?");
        let query = format!("SELECT ?orchard {{ ?orchard a <http://orchard.example/{class}> }}");
        let query = dataset.check(&query).unwrap();
        let answer = dataset.run(&query, Duration::from_secs(20)).await.unwrap();
        let context = AnswerContext {
            dataset,
            question: &question,
            query: &query,
            answer: &answer,
            insight: None,
            absence: None,
            computed: None,
            labels: &BTreeMap::new(),
            empty: None,
            orientation: None,
            unit: None,
            added: 0,
            columns: &columns(dataset, &query, &answer),
        };
        let model = ScriptedModel::new([turn]);
        let mut pieces = Vec::new();
        let mut tokens = |text: &str| pieces.push(text.to_owned());
        let until = Instant::now() + Duration::from_secs(20);
        let told = told_by_model(&context, &model, &mut tokens, until).await;
        (told.map(|(words, _)| words), pieces, model.requests().len())
    }

    #[tokio::test]
    async fn the_text_of_a_model_arrives_in_pieces_and_is_the_answer() {
        let text = "There are two orchards: Hill Orchard and Moor Orchard.";
        let (words, pieces, requests) = told("Orchard", ScriptedTurn::text(text)).await;
        assert_eq!(words.unwrap().text, text);
        assert!(pieces.len() > 3 && pieces.concat() == text && requests == 1, "{pieces:?}");
    }

    #[tokio::test]
    async fn a_model_that_fails_or_has_nothing_to_tell_gives_no_text() {
        let failure = ScriptedTurn::fail(ModelError::Timeout(Duration::from_secs(1)));
        assert!(matches!(told("Orchard", failure).await.0, Err(NotTold::Model(_))));
        let cut = ScriptedTurn::text("Half of").cut_short();
        assert!(matches!(told("Orchard", cut).await.0, Err(NotTold::NoText)));
        let (words, pieces, requests) = told("Nothing", ScriptedTurn::text("There is one.")).await;
        assert!(matches!(words, Err(NotTold::Nothing)) && pieces.is_empty() && requests == 0);
    }
}
