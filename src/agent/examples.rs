//! Verified questions near to the one that is asked, as text for the first prompt: data in quotes, at most as many as the look-up
//! gives.

use eruca_dataset::Dataset;
use eruca_sparql::{one_line, quoted};

const EXAMPLES: &str = include_str!("prompts/examples.md");
/// Maximum number of characters of a question and of a query.
const MAX_QUESTION: usize = 500;
const MAX_QUERY: usize = 3_000;

/// A question that was checked, with its query.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Example {
    /// The question.
    pub question: String,
    /// Its query.
    pub query: String,
}

/// The examples for a model; empty if there are none. A query that would have to be cut is left out.
pub(super) fn text(dataset: &Dataset, examples: &[Example]) -> String {
    let told = examples.iter().filter_map(|Example { question, query }| {
        // Checked, it has no comments, which would be words in the middle of the prompt.
        let query = dataset.check(query).ok()?;
        let query = one_line(query.text(), usize::MAX);
        let fits = query.chars().count() <= MAX_QUERY;
        fits.then(|| format!("Checked question: {}\nIts query: {query}", quoted(question, MAX_QUESTION)))
    });
    let told: Vec<String> = told.collect();
    if told.is_empty() { String::new() } else { format!("\n\n{}\n{}", EXAMPLES.trim(), told.join("\n\n")) }
}
