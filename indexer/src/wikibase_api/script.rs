//! The language in which a text is looked for, as far as its script tells: a name in Cyrillic letters is not found among
//! English names. Uses nothing of this package.

/// The language that is most frequent among those of the text's script; `None` for Latin letters, which tell nothing.
pub(super) fn language_of_script(text: &str) -> Option<&'static str> {
    // Japanese mixes its own letters with Chinese ones, so that one of its own decides.
    let kana = text.chars().any(|c| matches!(c, '\u{3040}'..='\u{30FF}'));
    // So does Ukrainian with those that it has in common with Russian.
    let ukrainian = text.chars().any(|c| "іїєґІЇЄҐ".contains(c));
    match (kana, ukrainian) {
        (true, _) => Some("ja"),
        (false, true) => Some("uk"),
        (false, false) => text.chars().find_map(language_of_letter),
    }
}

fn language_of_letter(letter: char) -> Option<&'static str> {
    Some(match letter {
        '\u{0370}'..='\u{03FF}' | '\u{1F00}'..='\u{1FFF}' => "el",
        '\u{0400}'..='\u{052F}' => "ru",
        '\u{0530}'..='\u{058F}' => "hy",
        '\u{0590}'..='\u{05FF}' => "he",
        '\u{0600}'..='\u{06FF}' | '\u{0750}'..='\u{077F}' => "ar",
        '\u{0900}'..='\u{097F}' => "hi",
        '\u{0980}'..='\u{09FF}' => "bn",
        '\u{0B80}'..='\u{0BFF}' => "ta",
        '\u{0E00}'..='\u{0E7F}' => "th",
        '\u{10A0}'..='\u{10FF}' => "ka",
        '\u{AC00}'..='\u{D7AF}' | '\u{1100}'..='\u{11FF}' => "ko",
        '\u{3400}'..='\u{4DBF}' | '\u{4E00}'..='\u{9FFF}' => "zh",
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::language_of_script;

    #[test]
    fn letters_tell_the_language_where_they_can() {
        for (text, language) in [
            ("Лев Толстой", Some("ru")),
            ("Київ", Some("uk")),
            ("列夫·托尔斯泰", Some("zh")),
            ("東京タワー", Some("ja")),
            ("서울", Some("ko")),
            ("the film Αθήνα", Some("el")),
            ("Łódź 2010", None),
            ("", None),
        ] {
            assert_eq!(language_of_script(text), language, "{text}");
        }
    }
}
