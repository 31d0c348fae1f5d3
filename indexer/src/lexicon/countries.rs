//! Country adjectives and abbreviations of three languages: "French supplier" means a supplier in France.

use crate::text::fold;
use std::sync::OnceLock;

/// Lines of `names, English first, separated by | : adjectives and ABBREVIATIONS`.
const TABLE: &str = include_str!("countries.txt");
/// Endings that German and Spanish adjectives take, and plurals.
const ENDINGS: &[&str] = &["", "e", "er", "en", "es", "em", "a", "as", "o", "os", "s", "n"];

struct Country {
    /// Names, then abbreviations.
    names: Vec<&'static str>,
    folded: Vec<String>,
    adjectives: Vec<String>,
    abbreviations: Vec<&'static str>,
}

/// The names of the country that an adjective, abbreviation or name in another language stands for, abbreviations
/// last; empty for any other word.
/// Abbreviations count in capitals only ("US", not "us").
pub fn country_names(word: &str) -> &'static [&'static str] {
    let folded = fold(word);
    let stands_for = |country: &&Country| {
        country.abbreviations.contains(&word)
            || country.folded.contains(&folded)
            || country.adjectives.iter().any(|adjective| is_form(&folded, adjective))
    };
    countries().iter().find(stands_for).map_or(&[], |country| country.names.as_slice())
}

fn is_form(word: &str, adjective: &str) -> bool {
    let stem = adjective.strip_suffix('o').unwrap_or(adjective);
    word == adjective || word.strip_prefix(stem).is_some_and(|rest| ENDINGS.contains(&rest))
}

fn countries() -> &'static [Country] {
    static COUNTRIES: OnceLock<Vec<Country>> = OnceLock::new();
    COUNTRIES.get_or_init(|| TABLE.lines().filter_map(parse).collect())
}

fn parse(line: &'static str) -> Option<Country> {
    let (names, words) = line.split_once(" : ")?;
    let is_abbreviation = |word: &&str| word.chars().all(char::is_uppercase);
    let (abbreviations, adjectives): (Vec<_>, Vec<_>) = words.split(' ').partition(is_abbreviation);
    Some(Country {
        folded: names.split('|').map(fold).collect(),
        names: names.split('|').chain(abbreviations.iter().copied()).collect(),
        adjectives: adjectives.into_iter().map(fold).collect(),
        abbreviations,
    })
}

#[cfg(test)]
mod tests {
    use super::country_names;

    #[test]
    fn adjectives_in_their_forms_lead_to_the_country() {
        for word in ["French", "französischen", "francesa", "Franceses"] {
            assert_eq!(country_names(word).first(), Some(&"France"), "{word}");
        }
        assert_eq!(country_names("American").first(), Some(&"United States"));
        assert_eq!(country_names("chinos").first(), Some(&"China"));
    }

    #[test]
    fn abbreviations_need_capitals() {
        assert_eq!(country_names("US").first(), Some(&"United States"));
        assert!(country_names("us").is_empty());
        assert!(country_names("department").is_empty());
    }
}
