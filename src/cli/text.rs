//! Text for terminals: safe characters, single lines, readable numbers.

use crate::lines::steers;
use eruca_sparql::thousands;

/// The text without control characters for terminals: graphs and models must not be able to control one.
fn printable(text: &str) -> String {
    text.chars().map(|c| if steers(c) { ' ' } else { c }).collect()
}

/// The text with its line breaks, without other control characters.
pub(super) fn safe_lines(text: &str) -> String {
    text.chars().filter(|c| !steers(*c) || matches!(c, '\n' | '\t')).collect()
}

/// The text on one line of at most `max` characters.
pub(super) fn one_line(text: &str, max: usize) -> String {
    let line = printable(text).split_whitespace().collect::<Vec<_>>().join(" ");
    match line.char_indices().nth(max) {
        Some((end, _)) => format!("{}…", line.get(..end).unwrap_or_default().trim_end()),
        None => line,
    }
}

/// `1 row`, `2 rows`.
pub(super) fn counted(number: u64, one: &str, many: &str) -> String {
    format!("{} {}", thousands(number), if number == 1 { one } else { many })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn control_characters_never_reach_the_terminal() {
        assert_eq!(one_line("a\u{1b}[31mred\n\n b\u{7}\u{202e}c", 20), "a [31mred b c");
    }

    #[test]
    fn lines_stay_where_they_are_wanted() {
        assert_eq!(safe_lines("a\u{1b}[31m\n\tb\r"), "a[31m\n\tb");
    }

    #[test]
    fn long_lines_are_cut_between_characters() {
        assert_eq!(one_line("äöüß", 3), "äöü…");
        assert_eq!(one_line("äöü", 3), "äöü");
    }

    #[test]
    fn numbers_are_grouped_by_thousands() {
        assert_eq!([0, 999, 1000, 1_234_567].map(thousands), ["0", "999", "1,000", "1,234,567"]);
        assert_eq!(counted(1, "row", "rows"), "1 row");
    }
}
