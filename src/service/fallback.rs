//! Something to look at when nothing could be read: whatever carries one of the question's words in a name.

use eruca_dataset::Dataset;
use eruca_indexer::vocabulary::RDFS_LABEL;
use eruca_planner::question::ParsedQuestion;
use eruca_sparql::Literal;

/// A query and what it was read from.
pub(super) fn fallback(dataset: &Dataset, question: &ParsedQuestion) -> (String, String) {
    let longest = question.words.iter().map(|word| &word.norm).max_by_key(|word| word.chars().count());
    // A question without a word is looked for as it stands: the empty text would be in every name.
    let word = longest.cloned().unwrap_or_else(|| question.text.trim().to_lowercase());
    let quoted = Literal::new_simple_literal(&word).to_string();
    let name = dataset.index.card.naming_properties.first().map_or(RDFS_LABEL, String::as_str);
    let (condition, how) = match dataset.is_indexed() {
        true => (format!("?name FILTER(CONTAINS(LCASE(STR(?name)), {quoted}))"), "name contains"),
        // A look at all names of a public graph would only cost its server.
        false => {
            let language = dataset.languages.first().map_or("en", String::as_str);
            (format!("{quoted}@{language}"), "name is")
        }
    };
    let query = format!("SELECT DISTINCT ?x WHERE {{ ?x <{name}> {condition} }}");
    (query, format!("nothing else fits: resources whose {how} '{word}'"))
}
