//! Maps traditional Chinese characters to simplified ones.

use rustc_hash::FxHashMap;
use std::sync::OnceLock;

/// Pairs of a traditional and a simplified character, separated by spaces.
const PAIRS: &str = include_str!("simplified.txt");
/// The Unicode block of these characters.
const HAN: std::ops::RangeInclusive<char> = '\u{4E00}'..='\u{9FFF}';

/// The simplified form of a character, or the character itself.
pub(super) fn simplified(c: char) -> char {
    if !HAN.contains(&c) {
        return c;
    }
    static FORMS: OnceLock<FxHashMap<char, char>> = OnceLock::new();
    *FORMS.get_or_init(read).get(&c).unwrap_or(&c)
}

fn read() -> FxHashMap<char, char> {
    let lines = PAIRS.lines().filter(|line| !line.starts_with('#'));
    let pair = |pair: &str| {
        let mut chars = pair.chars();
        Some((chars.next()?, chars.next()?))
    };
    lines.flat_map(str::split_whitespace).filter_map(pair).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_simplified_form_has_no_other() {
        assert_eq!(simplified('東'), '东');
        assert_eq!((simplified('东'), simplified('a'), simplified('の')), ('东', 'a', 'の'));
        let forms = read();
        assert!(forms.len() > 1_000);
        assert!(forms.values().all(|form| !forms.contains_key(form)));
    }
}
