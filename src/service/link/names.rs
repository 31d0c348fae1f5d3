//! Similarity between a text and the names of an entity.
//!
//! Names with the same words are equal, regardless of case, accents and punctuation. Beyond that, a text may be
//! slightly misspelled: one edit per five letters, but never in a word with digits, because "Gate 11" is not "Gate
//! 12".

use eruca_api::NameMatch;
use eruca_indexer::{Entity, edit_distance};
use eruca_language::is_function_word;
use eruca_language::text::name_key;
use std::collections::HashSet;

/// Upper bound on the score of a misspelled name.
const FUZZY: f64 = 0.9;
/// Score factor for a name other than the first one in its language.
const ALIAS: f64 = 0.95;
/// Number of letters per allowed edit.
const LETTERS_AN_EDIT: usize = 5;
/// Maximum number of edits in any text.
const MAX_EDITS: usize = 3;
/// Score factor for the same words in another order, or without function words.
const OTHER_ORDER: f64 = 0.98;
/// Score factor if the text has a remark that the graph does not: "Paris, France".
pub(super) const REMARK_WEIGHT: f64 = 0.9;
/// What remarks start with.
const REMARKS: [&str; 3] = [" (", ", ", "; "];

/// The similarity between a text and the closest name of an entity.
#[derive(Debug, Clone, PartialEq)]
pub(in crate::service) struct TextFit {
    pub(in crate::service) score: f64,
    pub(in crate::service) by: NameMatch,
    pub(in crate::service) name: String,
}

impl TextFit {
    /// The match of a text that is the IRI of the entity.
    pub(super) fn of_iri(entity: &Entity) -> Self {
        Self { score: 1.0, by: NameMatch::Exact, name: entity.iri.clone() }
    }

    pub(super) fn weighted(self, weight: f64) -> Self {
        let by = if weight < 1.0 { NameMatch::Fuzzy } else { self.by };
        Self { score: self.score * weight, by, ..self }
    }
}

/// A text prepared for comparison with many names.
pub(in crate::service) struct AskedText {
    key: String,
    bare: String,
    digits: Vec<String>,
    edits: usize,
}

impl AskedText {
    pub(in crate::service) fn new(text: &str) -> Self {
        let key = name_key(text);
        let edits = (key.chars().count() / LETTERS_AN_EDIT).min(MAX_EDITS);
        Self { bare: bare(&key), digits: digits(&key), edits, key }
    }

    /// The match with the closest name, if it is close enough.
    pub(in crate::service) fn fit(&self, entity: &Entity) -> Option<TextFit> {
        let mut languages = HashSet::new();
        // Labels are sorted best first, so the first one in a language is the preferred label.
        let labels =
            entity.labels.iter().map(|label| (label.text.as_str(), languages.insert(&label.language)));
        let labels: Vec<(&str, bool)> = labels.collect();
        let local = (entity.local_name.as_str(), labels.is_empty());
        let fits = labels.into_iter().chain([local]).filter_map(|(name, first)| self.fit_of(name, first));
        fits.max_by(|one, other| one.score.total_cmp(&other.score))
    }

    fn fit_of(&self, name: &str, first: bool) -> Option<TextFit> {
        let key = name_key(name);
        let (score, by) = match (self.key == key, first) {
            (true, true) => (1.0, NameMatch::Exact),
            (true, false) => (ALIAS, NameMatch::Alias),
            (false, _) => (FUZZY * self.likeness(&key)?, NameMatch::Fuzzy),
        };
        Some(TextFit { score, by, name: name.to_owned() })
    }

    fn likeness(&self, key: &str) -> Option<f64> {
        if digits(key) != self.digits {
            return None;
        }
        let other = bare(key);
        if !other.is_empty() && other == self.bare {
            return Some(OTHER_ORDER);
        }
        let apart = edit_distance(&self.key, key);
        let letters = self.key.chars().count().max(key.chars().count());
        (apart <= self.edits && letters > 0).then(|| 1.0 - apart as f64 / letters as f64)
    }
}

/// The content words, sorted alphabetically; all words if there are none.
fn bare(key: &str) -> String {
    let mut words: Vec<&str> = key.split(' ').filter(|word| !is_function_word(word)).collect();
    words.sort_unstable();
    words.join(" ")
}

/// The words with digits, sorted alphabetically.
fn digits(key: &str) -> Vec<String> {
    let mut words: Vec<String> =
        key.split(' ').filter(|word| word.contains(|c: char| c.is_numeric())).map(str::to_owned).collect();
    words.sort_unstable();
    words
}

/// The part before a remark: "Paris" of "Paris (France)".
pub(super) fn without_remark(text: &str) -> Option<&str> {
    let at = REMARKS.iter().filter_map(|mark| text.find(mark)).min()?;
    text.get(..at).map(str::trim).filter(|name| !name.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;
    use eruca_api::NameMatch;
    use eruca_indexer::Label;

    fn thing(names: &[(&str, &str)]) -> Entity {
        let label = |(text, language): &(&str, &str)| Label {
            text: (*text).to_owned(),
            language: (*language).to_owned(),
        };
        Entity {
            iri: "https://e.x/thing".to_owned(),
            labels: names.iter().map(label).collect(),
            local_name: "thing".to_owned(),
            description: None,
            types: Vec::new(),
            out_degree: 0,
            in_degree: 0,
            pages: 0,
        }
    }

    fn met(text: &str, names: &[(&str, &str)]) -> Option<NameMatch> {
        AskedText::new(text).fit(&thing(names)).map(|fit| fit.by)
    }

    #[test]
    fn the_first_name_of_each_language_is_its_name_there() {
        let names = [("Cologne", "en"), ("Köln", "de"), ("Colonia", "de")];
        assert_eq!(met("COLOGNE", &names), Some(NameMatch::Exact));
        assert_eq!(met("koln", &names), Some(NameMatch::Exact));
        assert_eq!(met("Colonia", &names), Some(NameMatch::Alias));
        assert_eq!(met("thing", &names), Some(NameMatch::Alias));
        assert_eq!(met("thing", &[]), Some(NameMatch::Exact), "all that it is called");
    }

    #[test]
    fn misspelt_names_are_near_and_other_names_are_not() {
        assert_eq!(met("Leening Towr", &[("Leaning Tower", "en")]), Some(NameMatch::Fuzzy));
        assert_eq!(met("Tower, leaning", &[("Leaning Tower", "en")]), Some(NameMatch::Fuzzy));
        assert_eq!(met("The Leaning Tower", &[("Leaning Tower", "en")]), Some(NameMatch::Fuzzy));
        for (text, name) in
            [("Iran", "Iraq"), ("Austria", "Australia"), ("Gate 11", "Gate 12"), ("Paris", "Paris Hilton")]
        {
            assert_eq!(met(text, &[(name, "en")]), None, "{text}: {name}");
        }
    }

    #[test]
    fn nearer_names_score_higher() {
        let score = |text: &str| {
            AskedText::new(text).fit(&thing(&[("Leaning Tower", "en"), ("Pisa Tower", "en")])).unwrap().score
        };
        let scores =
            ["leaning tower", "Pisa tower", "tower leaning", "leaning towr", "leening towr"].map(score);
        assert!(scores.windows(2).all(|pair| pair[0] > pair[1]), "{scores:?}");
    }

    #[test]
    fn remarks_are_what_follows_a_name() {
        assert_eq!(without_remark("Paris (France)"), Some("Paris"));
        assert_eq!(without_remark("Springfield, Ohio (US)"), Some("Springfield"));
        assert_eq!(without_remark("Paris"), None);
        assert_eq!(without_remark(" (x)"), None);
    }
}
