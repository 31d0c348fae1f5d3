//! The most common language of a script, for languages without a pack.

/// Unicode blocks and the language that mostly uses them, the most specific first: Japanese uses Chinese characters too.
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
/// Cyrillic letters that Ukrainian has and Russian lacks.
const UKRAINIAN: [char; 4] = ['і', 'ї', 'є', 'ґ'];
/// Two languages that share a script; one of them also has letters of its own.
const JAPANESE: &str = "ja";
const CHINESE: &str = "zh";
/// Detected by its letters, not by its block.
const UKRAINIAN_TAG: &str = "uk";

/// Whether a character is kana, which Japanese has and Chinese lacks.
pub fn is_kana(c: char) -> bool {
    matches!(c, '\u{3040}'..='\u{30FF}')
}

/// All languages that can be detected by script.
pub(super) fn tags() -> impl Iterator<Item = &'static str> {
    SCRIPTS.iter().map(|(_, tag)| *tag).chain([UKRAINIAN_TAG])
}

/// The most common language of a text's script; `None` for Latin letters, which are ambiguous. A quarter of the letters must be
/// in the script, since names may be in another one.
pub fn language_of_script(text: &str) -> Option<&'static str> {
    let letters = text.chars().filter(|c| c.is_alphabetic()).count();
    let of = |tag: &str| {
        let in_blocks = |c: &char| SCRIPTS.iter().any(|(block, known)| *known == tag && block.contains(c));
        text.chars().filter(in_blocks).count()
    };
    // Even a little kana among Chinese characters means Japanese.
    let kana = of(JAPANESE);
    if kana > 0 && (kana + of(CHINESE)) * 4 >= letters {
        return Some(JAPANESE);
    }
    let found = SCRIPTS.iter().map(|(_, tag)| *tag).find(|tag| of(tag) > 0 && of(tag) * 4 >= letters)?;
    Some(if found == "ru" { language_of_letters(text).unwrap_or(found) } else { found })
}

/// The language identified by letters that other languages of the script lack.
pub(super) fn language_of_letters(text: &str) -> Option<&'static str> {
    text.to_lowercase().contains(UKRAINIAN).then_some(UKRAINIAN_TAG)
}
