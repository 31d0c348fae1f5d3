//! The phrases of example questions from the language packs (`examples`). Depends on languages only.

use eruca_language::Language;

/// The language-pack table.
const TABLE: &str = "examples";
/// Suffixes of the keys of alternative phrases, in the order in which they are tried.
const ENDINGS: [&str; 3] = ["_top", "", "_other"];

/// The questions of a key with these names filled in, best phrase first.
pub(super) fn questions(language: &Language, key: &str, values: &[(&str, &str)]) -> Vec<String> {
    let phrases = ENDINGS.iter().filter_map(|ending| language.phrase(TABLE, &format!("{key}{ending}")));
    phrases.map(|phrase| capitalized(&phrase.fill(values))).collect()
}

/// One wording of a question: that of a key, or else of its other phrase if there is one.
pub(in crate::service) fn wording(
    language: &Language,
    key: &str,
    values: &[(&str, &str)],
    other: bool,
) -> Option<String> {
    let phrase = |key: &str| language.phrase(TABLE, key);
    let second = other.then(|| phrase(&format!("{key}_other"))).flatten();
    second.or_else(|| phrase(key)).map(|phrase| capitalized(&phrase.fill(values)))
}

/// Capitalizes the first letter.
fn capitalized(text: &str) -> String {
    let mut chars = text.chars();
    chars.next().map_or_else(String::new, |first| first.to_uppercase().chain(chars).collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use eruca_language::languages;

    #[test]
    fn every_language_has_two_phrases_for_each_kind_of_question() {
        let values = [("class", "c"), ("classes", "cs"), ("property", "p"), ("thing", "t"), ("value", "5")];
        let keys = [
            "least", "truth", "steps", "average", "total", "without", "since", "compare", "counted", "group",
        ];
        for (language, key) in languages().flat_map(|language| keys.map(|key| (language, key))) {
            let own = language.phrase_keys(TABLE).any(|known| known == key);
            assert!(own && wording(language, key, &values, false).is_some(), "{} {key}", language.tag());
        }
        for language in languages() {
            for key in ["list", "property", "relation", "bound", "count", "most"] {
                let questions = questions(language, key, &values);
                assert!(questions.len() >= 2, "{} {key}", language.tag());
                assert!(questions.iter().all(|text| !text.starts_with(char::is_lowercase)), "{questions:?}");
            }
        }
    }
}
