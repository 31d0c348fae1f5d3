//! Phrases of users who do not know what to ask: "hello", "help", "what can I ask?".

use super::Language;
use super::phrases::{begins, folded_words, phrases};

/// Folded phrases, longest first.
pub(super) type HelpPhrases = Vec<Vec<String>>;

pub(super) fn phrases_of(lists: &[String]) -> HelpPhrases {
    let mut found: HelpPhrases = lists.iter().flat_map(|list| phrases(list).map(folded_words)).collect();
    found.sort_by_key(|words| std::cmp::Reverse(words.len()));
    found
}

impl Language {
    /// Whether folded words consist only of such phrases.
    pub fn asks_for_help(&self, words: &[&str]) -> bool {
        let mut rest = words;
        while !rest.is_empty() {
            let fits = |phrase: &&Vec<String>| !phrase.is_empty() && begins(rest, phrase);
            let Some(length) = self.help.iter().find(fits).map(Vec::len) else { return false };
            rest = rest.get(length..).unwrap_or_default();
        }
        !words.is_empty()
    }
}

#[cfg(test)]
mod tests {
    use crate::language;

    #[test]
    fn only_whole_phrases_ask_for_help() {
        let asks = |tag: &str, text: &str| {
            language(tag).unwrap().asks_for_help(&text.split(' ').collect::<Vec<_>>())
        };
        assert!(asks("en", "hello") && asks("en", "what can i ask") && asks("en", "hi what can i ask"));
        assert!(asks("de", "hallo was kann ich fragen") && asks("fr", "bonjour") && asks("es", "hola"));
        for other in ["hello kitty", "what can i ask the president", "help desk", "who helps", ""] {
            assert!(!asks("en", other), "{other}");
        }
    }
}
