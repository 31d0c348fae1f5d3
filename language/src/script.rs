//! The language that a script is mostly written in, for languages that have no pack.

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
/// Two languages of one script, of which one has letters of its own.
const JAPANESE: &str = "ja";
const CHINESE: &str = "zh";
/// Told by its letters, not by its block.
const UKRAINIAN_TAG: &str = "uk";

/// Whether a letter is one of those that Japanese has and Chinese lacks.
pub fn is_kana(c: char) -> bool {
    matches!(c, '\u{3040}'..='\u{30FF}')
}

/// All languages that a script tells.
pub(super) fn tags() -> impl Iterator<Item = &'static str> {
    SCRIPTS.iter().map(|(_, tag)| *tag).chain([UKRAINIAN_TAG])
}

/// The language that a text's script is mostly used for; `None` for Latin letters, which tell nothing. The script counts
/// when a quarter of the letters have it: names may be in another one.
pub fn language_of_script(text: &str) -> Option<&'static str> {
    let letters = text.chars().filter(|c| c.is_alphabetic()).count();
    let of = |tag: &str| {
        let in_blocks = |c: &char| SCRIPTS.iter().any(|(block, known)| *known == tag && block.contains(c));
        text.chars().filter(in_blocks).count()
    };
    // A little kana makes Japanese of Chinese characters.
    let kana = of(JAPANESE);
    if kana > 0 && (kana + of(CHINESE)) * 4 >= letters {
        return Some(JAPANESE);
    }
    let found = SCRIPTS.iter().map(|(_, tag)| *tag).find(|tag| of(tag) > 0 && of(tag) * 4 >= letters)?;
    Some(if found == "ru" { language_of_letters(text).unwrap_or(found) } else { found })
}

/// The language that letters tell which others of the same script lack.
pub(super) fn language_of_letters(text: &str) -> Option<&'static str> {
    text.to_lowercase().contains(UKRAINIAN).then_some(UKRAINIAN_TAG)
}
