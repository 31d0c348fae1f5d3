//! Adds what texts beside the graph say to an answer in words, apart from what the graph says.

use super::tongue;
use eruca_api::{Citation, PartOfText, Words};
use eruca_language::Language;
use eruca_planner::question::ParsedQuestion;

/// Maximum number of citations in words.
const MAX_TOLD: usize = 2;

/// The answer with its citations: a sentence each, which says where it is from.
#[must_use]
pub fn with_citations(mut words: Words, citations: &[Citation], question: &ParsedQuestion) -> Words {
    let language = tongue(question);
    for citation in citations.iter().take(MAX_TOLD) {
        let told = format!(" {}", told(citation, language));
        words.text.push_str(&told);
        let cites = Some(citation.name.clone());
        words.parts.push(PartOfText { text: told, cites, ..PartOfText::default() });
    }
    words
}

fn told(citation: &Citation, language: &Language) -> String {
    let say = |key: &str, values: &[(&str, &str)]| language.say("say", key, values).into_owned();
    say("cited", &[("quote", &citation.quote), ("source", &citation.place())])
}
