//! A last-resort query for questions that could not be understood: entities with a word of the question in their
//! name.

use eruca_dataset::Dataset;
use eruca_indexer::vocabulary::RDFS_LABEL;
use eruca_planner::question::ParsedQuestion;
use eruca_sparql::Literal;

/// The query and the reading it is based on.
pub(super) fn fallback(dataset: &Dataset, question: &ParsedQuestion) -> (String, String) {
    let longest = question.words.iter().map(|word| &word.norm).max_by_key(|word| word.chars().count());
    // Without any words, search for the whole text: an empty string would match every label.
    let word = longest.cloned().unwrap_or_else(|| question.text.trim().to_lowercase());
    let quoted = Literal::new_simple_literal(&word).to_string();
    let name = dataset.index.card.naming_properties.first().map_or(RDFS_LABEL, String::as_str);
    let (condition, how) = match dataset.is_indexed() {
        true => (format!("?name FILTER(CONTAINS(LCASE(STR(?name)), {quoted}))"), "name contains"),
        // Scanning all labels of a public endpoint would overload its server.
        false => {
            let language = dataset.languages.first().map_or("en", String::as_str);
            (format!("{quoted}@{language}"), "name is")
        }
    };
    let query = format!("SELECT DISTINCT ?x WHERE {{ ?x <{name}> {condition} }}");
    (query, format!("nothing else fits: resources whose {how} '{word}'"))
}
