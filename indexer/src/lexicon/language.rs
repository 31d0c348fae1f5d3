//! The language of a question: by its function words, else by its script.

use super::FUNCTION_WORDS;
use crate::text::{normalize_word, words};
use rustc_hash::FxHashSet;
use std::sync::OnceLock;

/// Blocks of Unicode with the language that mostly uses them, the telling ones first: Japanese has Chinese characters too.
const SCRIPTS: &[(std::ops::RangeInclusive<char>, &str)] = &[
    ('\u{3040}'..='\u{30FF}', "ja"),
    ('\u{AC00}'..='\u{D7AF}', "ko"),
    ('\u{4E00}'..='\u{9FFF}', "zh"),
    ('\u{3400}'..='\u{4DBF}', "zh"),
    ('\u{0400}'..='\u{04FF}', "ru"),
    ('\u{0370}'..='\u{03FF}', "el"),
    ('\u{0590}'..='\u{05FF}', "he"),
    ('\u{0600}'..='\u{06FF}', "ar"),
    ('\u{0900}'..='\u{097F}', "hi"),
    ('\u{0E00}'..='\u{0E7F}', "th"),
];
/// Letters of Cyrillic that Ukrainian has and Russian lacks.
const UKRAINIAN: [char; 4] = ['і', 'ї', 'є', 'ґ'];

/// The language tag of a question; `None` when nothing tells it.
pub fn language_of(question: &str) -> Option<&'static str> {
    by_function_words(question).or_else(|| language_of_script(question))
}

/// The language that a text's script is mostly used for; `None` for Latin letters, which tell nothing. The script counts
/// when a quarter of the letters have it: names may be in another one.
pub fn language_of_script(question: &str) -> Option<&'static str> {
    let letters = question.chars().filter(|c| c.is_alphabetic()).count();
    let of = |tag: &str| {
        let in_blocks = |c: &char| SCRIPTS.iter().any(|(block, known)| *known == tag && block.contains(c));
        question.chars().filter(in_blocks).count()
    };
    let found = SCRIPTS.iter().map(|(_, tag)| *tag).find(|tag| of(tag) > 0 && of(tag) * 4 >= letters)?;
    let ukrainian = found == "ru" && question.to_lowercase().contains(UKRAINIAN);
    Some(if ukrainian { "uk" } else { found })
}

/// The language with most function words in the question, the first of those with equally many.
fn by_function_words(question: &str) -> Option<&'static str> {
    static LISTS: OnceLock<Vec<(&str, FxHashSet<String>)>> = OnceLock::new();
    let lists = LISTS.get_or_init(|| {
        let set = |words: &str| words.split_whitespace().map(normalize_word).collect();
        FUNCTION_WORDS.iter().map(|(tag, words)| (*tag, set(words))).collect()
    });
    let asked = words(question);
    let count = |list: &FxHashSet<String>| asked.iter().filter(|word| list.contains(&word.text)).count();
    let mut best: Option<(&'static str, usize)> = None;
    for (tag, list) in lists {
        let found = count(list);
        if found > best.map_or(0, |(_, most)| most) {
            best = Some((tag, found));
        }
    }
    best.map(|(tag, _)| tag)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn languages_are_told_by_script_and_function_words() {
        for (question, expected) in [
            ("Who directed Titanic?", Some("en")),
            ("Wie viele Einwohner hat Berlin?", Some("de")),
            ("¿Cuántos habitantes tiene Madrid?", Some("es")),
            ("Кто снял «Титаник»?", Some("ru")),
            ("Хто зняв фільм Титанік?", Some("uk")),
            ("谁导演了泰坦尼克号？", Some("zh")),
            ("タイタニックの監督は誰ですか", Some("ja")),
            ("Who sang 北国の春?", Some("en")),
            ("Titanic", None),
            ("", None),
        ] {
            assert_eq!(language_of(question), expected, "{question}");
        }
    }
}
