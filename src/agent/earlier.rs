//! Earlier questions of a conversation as text for the prompt. They come after the parts that depend on the dataset alone,
//! so that servers can cache those.

use eruca_dataset::Dataset;
use eruca_sparql::{Answer, one_line, quoted};
use std::sync::Arc;

const EARLIER: &str = include_str!("prompts/earlier.md");
/// Earlier questions in the prompt; older ones say little about the current question.
const MAX_EARLIER: usize = 3;
/// Rows shown per question.
const ROWS: usize = 5;
/// Maximum number of characters of a question and of a query.
const MAX_QUESTION: usize = 500;
const MAX_QUERY: usize = 3_000;

/// An earlier question with its outcome.
#[derive(Debug, Clone)]
pub struct Earlier {
    /// The question.
    pub question: String,
    /// The query that answered it.
    pub query: Option<String>,
    /// The result of the query.
    pub answer: Option<Arc<Answer>>,
}

/// The most recent earlier questions, oldest first; empty if there are none.
pub(super) fn text(dataset: &Dataset, earlier: &[Earlier]) -> String {
    if earlier.is_empty() {
        return String::new();
    }
    let last = earlier.get(earlier.len().saturating_sub(MAX_EARLIER)..).unwrap_or(earlier);
    let told: Vec<String> = last.iter().map(|one| told(dataset, one)).collect();
    format!("{}\n\n{}\n\n", EARLIER.trim(), told.join("\n\n"))
}

fn told(dataset: &Dataset, earlier: &Earlier) -> String {
    let mut lines = vec![format!("Earlier question: {}", quoted(&earlier.question, MAX_QUESTION))];
    lines.extend(
        earlier
            .query
            .as_ref()
            .map(|query| format!("Its query: {}", one_line(&dataset.compact_text(query), MAX_QUERY))),
    );
    lines.extend(earlier.answer.as_ref().map(|answer| {
        let count = answer.row_count();
        let rows = if count == 1 { "1 row".to_owned() } else { format!("{count} rows") };
        format!("It gave {rows}:\n{}", dataset.table(answer, ROWS, 0))
    }));
    lines.join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;
    use eruca_dataset::testing::graph_of;
    use std::time::Duration;

    const ORCHARDS: &str = r#"
@prefix : <http://orchard.example/> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
:dale a :Orchard ; rdfs:label "Dale Orchard"@en .
:hill a :Orchard ; rdfs:label "Hill Orchard"@en .
:moor a :Orchard ; rdfs:label "Moor Orchard"@en .
"#;

    #[tokio::test]
    async fn the_last_questions_are_told_with_their_queries_and_first_rows() {
        let graph = graph_of("orchards", ORCHARDS).await;
        assert_eq!(text(&graph.dataset, &[]), "");
        let query = "SELECT ?o { ?o a <http://orchard.example/Orchard> } ORDER BY ?o LIMIT 2";
        let checked = graph.dataset.check(query).unwrap();
        let answer = graph.dataset.run(&checked, Duration::from_secs(20)).await.unwrap();
        let one = |question: &str| Earlier {
            question: question.to_owned(),
            query: Some(query.to_owned()),
            answer: Some(answer.clone()),
        };
        let told = text(&graph.dataset, &["first", "second", "third", "fourth"].map(one));
        assert!(
            !told.contains("question: \"first") && told.contains("Earlier question: \"second\""),
            "{told}"
        );
        assert!(
            told.contains("It gave 2 rows:") && told.contains("LIMIT 2") && told.contains("Dale Orchard"),
            "{told}"
        );
        assert!(told.find("third") < told.find("fourth") && told.ends_with("\n\n"), "{told}");
    }
}
