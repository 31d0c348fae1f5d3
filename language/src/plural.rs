//! The plural of a name, by the rules in its language's pack.

use super::{Language, fallback};

/// The plural rules of a language.
#[derive(Debug, Default)]
pub(super) struct Plurals {
    /// `ending>plural ending`.
    pub(super) rules: Vec<String>,
    /// Whether only the last word of a name changes; otherwise names of several words are left unchanged.
    pub(super) of_last: bool,
}

impl Language {
    /// The plural of a name, if the language's rules give one: "capital cities", "bodies of water".
    pub fn plural(&self, name: &str) -> Option<String> {
        let rules = if self.plurals.rules.is_empty() { &fallback().plurals } else { &self.plurals };
        let words: Vec<&str> = name.split(' ').collect();
        if words.len() > 1 && !rules.of_last {
            return None;
        }
        let joins = words.iter().skip(1).position(|word| self.is_function_word(&word.to_lowercase()));
        let at = joins.unwrap_or(words.len() - 1);
        let plural = plural_word(&rules.rules, words.get(at)?)?;
        let changed =
            words.iter().enumerate().map(|(here, word)| if here == at { plural.as_str() } else { word });
        Some(changed.collect::<Vec<_>>().join(" "))
    }
}

/// The word with its longest matching ending replaced; capitals are kept.
fn plural_word(rules: &[String], word: &str) -> Option<String> {
    let lower = word.to_lowercase();
    let rules = rules.iter().filter_map(|rule| rule.split_once('>'));
    let (ending, plural) =
        rules.filter(|(ending, _)| lower.ends_with(ending)).max_by_key(|(ending, _)| ending.len())?;
    let kept = lower.len().checked_sub(ending.len()).and_then(|kept| word.get(..kept))?;
    let whole_is_capital = kept.is_empty() && word.starts_with(char::is_uppercase);
    let plural = if whole_is_capital { capitalized(plural) } else { plural.to_owned() };
    (!plural.is_empty()).then(|| format!("{kept}{plural}"))
}

/// A text with its first letter capitalized.
fn capitalized(text: &str) -> String {
    let mut chars = text.chars();
    chars.next().map_or_else(String::new, |first| first.to_uppercase().chain(chars).collect())
}

#[cfg(test)]
mod tests {
    use crate::language;

    fn plurals(tag: &str, names: &[&str]) -> Vec<String> {
        let language = language(tag).unwrap();
        names.iter().map(|name| language.plural(name).unwrap_or_default()).collect()
    }

    #[test]
    fn the_longest_ending_counts_and_what_is_not_known_stays_unsaid() {
        assert_eq!(
            plurals("en", &["country", "capital city", "person", "Class", "body of water", "day"]),
            ["countries", "capital cities", "people", "Classes", "bodies of water", "days"]
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
}
