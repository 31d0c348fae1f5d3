//! The question back to the reader, where several properties may be meant alike.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// Which of several properties is meant that may be meant alike.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Clarify {
    /// The question, in the language of the answer.
    pub text: String,
    /// The properties, that of the answer first; two or more, no two with the same label.
    pub options: Vec<ClarifyOption>,
    /// Whether the reader has chosen that of the answer (`prefers` of /ask): then nothing needs to be asked.
    pub chosen: bool,
}

/// A property that may be meant, with what the run is with it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct ClarifyOption {
    /// The IRI; sent as `prefers` of /ask, this property goes before the others.
    pub iri: String,
    /// The name for the reader.
    pub label: String,
    /// How the question is read with it, in words.
    pub reading: String,
    /// The query with it.
    pub query: String,
    /// Rows that it returned.
    pub rows: usize,
}

impl Clarify {
    /// Whether the reader is to be asked.
    pub fn is_open(&self) -> bool {
        !self.chosen
    }

    /// The option with this number, counted from 1.
    pub fn numbered(&self, number: usize) -> Option<&ClarifyOption> {
        self.options.get(number.checked_sub(1)?)
    }

    /// The option that an answer names by its number or its label, in any case.
    pub fn named(&self, said: &str) -> Option<&ClarifyOption> {
        let said = said.trim();
        let number = said.strip_suffix(['.', ')']).unwrap_or(said).parse().ok();
        let label = said.to_lowercase();
        let mut labelled = self.options.iter().filter(|option| option.label.to_lowercase() == label);
        // A label may be a number, and then it is what stands there.
        labelled.next().or_else(|| self.numbered(number?))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn asked(labels: &[&str]) -> Clarify {
        let option = |label: &&str| ClarifyOption {
            iri: format!("urn:{label}"),
            label: (*label).to_owned(),
            reading: String::new(),
            query: String::new(),
            rows: 1,
        };
        Clarify { text: "?".to_owned(), options: labels.iter().map(option).collect(), chosen: false }
    }

    #[test]
    fn an_answer_is_a_number_or_a_label_and_nothing_else() {
        let clarify = asked(&["date made", "ÄRA"]);
        let named = |said: &str| clarify.named(said).map(|option| option.label.as_str());
        for said in ["1", " 1. ", "1)", "Date Made", " date made\n"] {
            assert_eq!(named(said), Some("date made"), "{said}");
        }
        assert_eq!((named("2"), named("ära")), (Some("ÄRA"), Some("ÄRA")));
        for said in ["", "0", "3", "-1", "1.5", "99999999999999999999", "date", "When was it made?", "1 2"] {
            assert_eq!(named(said), None, "{said}");
        }
        assert_eq!(asked(&["x", "1"]).named("1").map(|option| option.label.as_str()), Some("1"));
    }
}
