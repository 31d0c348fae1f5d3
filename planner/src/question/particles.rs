//! Separable verbs: "kennt sich mit Wein aus" contains "auskennen". Knows languages alone.

use super::Word;
use eruca_language::Language;
use eruca_language::text::normalize_word;

/// Joins particles at the ends of clauses with the verbs before them, if the language knows the whole verb; the particle is
/// removed as a word.
pub(super) fn join(words: &mut Vec<Word>, language: &Language) {
    for at in (1..words.len()).rev() {
        if let Some((verb, whole)) = parted(words, at, language) {
            if let Some(word) = words.get_mut(verb) {
                word.norm = normalize_word(&whole);
                word.stem = language.stem(&whole);
                word.folded = whole;
            }
            // Punctuation before the particle moves to the next word.
            let broken = words.remove(at).broken;
            if let Some(next) = words.get_mut(at) {
                next.broken = next.broken.or(broken);
            }
        }
    }
}

/// The verb that a particle belongs to, and both as one word.
fn parted(words: &[Word], at: usize, language: &Language) -> Option<(usize, String)> {
    let particle = words.get(at).filter(|word| language.is_separable(&word.folded))?;
    let ends = particle.broken.is_none() && words.get(at + 1).is_none_or(|next| next.broken.is_some());
    let first = words.get(..at)?.iter().rposition(|word| word.broken.is_some()).unwrap_or(0);
    let verbs =
        words.get(first..at)?.iter().enumerate().filter(|(_, word)| !language.is_function_word(&word.folded));
    let mut joined = verbs
        .filter(|(place, word)| *place == 0 || word.raw.starts_with(char::is_lowercase))
        .map(|(place, word)| (first + place, format!("{}{}", particle.folded, word.folded)));
    joined.find(|(_, whole)| ends && !language.related(&normalize_word(whole)).is_empty())
}

#[cfg(test)]
mod tests {
    use crate::question::ParsedQuestion;

    fn words(text: &str, language: &str) -> Vec<String> {
        ParsedQuestion::read(text, &[language.to_owned()]).words.into_iter().map(|word| word.folded).collect()
    }

    #[test]
    fn a_verb_is_joined_with_its_particle() {
        assert_eq!(words("Wer kennt sich mit Wein aus?", "de"), ["wer", "auskennt", "sich", "mit", "wein"]);
        assert_eq!(
            words("Welche Firma bietet Strom an, die in Kiel sitzt?", "de").get(2).unwrap(),
            "anbietet"
        );
    }

    #[test]
    fn particles_that_are_prepositions_stay() {
        for text in ["Wer kommt aus Kiel?", "Welche Orte liegen an der Elbe?", "Wer steht auf der Liste?"] {
            assert_eq!(words(text, "de").len(), text.split(' ').count(), "{text}");
        }
        assert_eq!(words("Which games did they play in?", "en").len(), 6);
    }
}
