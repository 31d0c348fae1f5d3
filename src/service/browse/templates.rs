//! The phrases of example questions and the plurals that they need, as the language's pack has them (`examples.txt`). Knows
//! languages alone.

use eruca_indexer::language::Language;

/// The file of the packs.
const FILE: &str = "examples";
/// What stands at the end of the keys of phrases that say the same, in the order in which they are tried.
const ENDINGS: [&str; 3] = ["_top", "", "_other"];
/// The key of the rules for plurals, of where they apply, and its value for the last word of a name.
const PLURAL: &str = "plural";
const PLURAL_OF: &str = "plural_of";
const LAST: &str = "last";

/// The questions of a key with these names in them, the best phrase first.
pub(super) fn questions(language: &Language, key: &str, values: &[(&str, &str)]) -> Vec<String> {
    let phrases = ENDINGS.iter().filter_map(|ending| language.phrase(FILE, &format!("{key}{ending}")));
    phrases.map(|phrase| capitalized(&phrase.fill(values))).collect()
}

/// A text that begins with a capital.
fn capitalized(text: &str) -> String {
    let mut chars = text.chars();
    chars.next().map_or_else(String::new, |first| first.to_uppercase().chain(chars).collect())
}

/// The plural of a name, where the rules of the language tell it.
pub(super) fn plural(language: &Language, name: &str) -> Option<String> {
    let rule = |key: &str| language.phrase(FILE, key).map(|rules| rules.fill(&[]));
    let (before, word) = match name.rsplit_once(' ') {
        Some((before, word)) => (Some(before), word),
        None => (None, name),
    };
    if let Some(before) = before {
        let only_last = rule(PLURAL_OF).as_deref() == Some(LAST);
        let joined = before.split(' ').any(|word| language.is_function_word(&word.to_lowercase()));
        if !only_last || joined {
            return None;
        }
    }
    let word = plural_word(&rule(PLURAL)?, word)?;
    Some(before.map_or_else(|| word.clone(), |before| format!("{before} {word}")))
}

/// The word with the longest ending of the rules changed; a capital stays one.
fn plural_word(rules: &str, word: &str) -> Option<String> {
    let lower = word.to_lowercase();
    let rules = rules.split(',').filter_map(|rule| rule.trim().split_once('>'));
    let (ending, plural) =
        rules.filter(|(ending, _)| lower.ends_with(ending)).max_by_key(|(ending, _)| ending.len())?;
    let kept = lower.len().checked_sub(ending.len()).and_then(|kept| word.get(..kept))?;
    let whole_is_capital = kept.is_empty() && word.starts_with(char::is_uppercase);
    let plural = if whole_is_capital { capitalized(plural) } else { plural.to_owned() };
    (!plural.is_empty()).then(|| format!("{kept}{plural}"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use eruca_indexer::language::{language, languages};

    fn plurals(tag: &str, names: &[&str]) -> Vec<String> {
        let language = language(tag).unwrap();
        names.iter().map(|name| plural(language, name).unwrap_or_default()).collect()
    }

    #[test]
    fn the_longest_ending_counts_and_what_is_not_known_stays_unsaid() {
        assert_eq!(
            plurals("en", &["country", "capital city", "person", "Class", "body of water", "day"]),
            ["countries", "capital cities", "people", "Classes", "", "days"]
        );
        assert_eq!(
            plurals("de", &["Land", "Hauptstadt", "Sprache", "bewohnter Ort", "Gebirge", "Währung"]),
            ["Länder", "Hauptstädte", "Sprachen", "", "Gebirge", "Währungen"]
        );
        assert_eq!(
            plurals("es", &["país", "ciudad", "río", "lugar habitado"]),
            ["países", "ciudades", "ríos", ""]
        );
        assert_eq!(plurals("fr", &["pays", "ville", "animal"]), ["pays", "villes", "animaux"]);
    }

    #[test]
    fn every_language_has_two_phrases_for_each_kind_of_question() {
        let values = [("class", "c"), ("classes", "cs"), ("property", "p"), ("thing", "t"), ("value", "5")];
        for language in languages() {
            for key in ["list", "property", "relation", "bound", "count", "most"] {
                let questions = questions(language, key, &values);
                assert!(questions.len() >= 2, "{} {key}", language.tag());
                assert!(questions.iter().all(|text| !text.starts_with(char::is_lowercase)), "{questions:?}");
            }
        }
    }
}
