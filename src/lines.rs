//! Text from outside in lines of a log or a terminal: nothing of it may begin a line of its own or steer the terminal.
//!
//! Questions, graphs, endpoints, models and clients choose such text. Knows no other module.

use std::borrow::Cow;
use std::fmt::{self, Write};
use std::io;

/// Whether a character breaks lines, steers terminals, or turns the direction of the text around it: control characters
/// (C0, DEL, C1), the separators of lines and paragraphs, and the controls of
/// [bidirectional text](https://www.unicode.org/reports/tr9/#Directional_Formatting_Characters).
pub fn steers(c: char) -> bool {
    c.is_control()
        || matches!(c,
            '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

/// The text with every character that [`steers`] written as `\u{…}`: one line that shows what was sent.
pub fn escaped(text: &str) -> Cow<'_, str> {
    if !text.contains(steers) {
        return Cow::Borrowed(text);
    }
    let mut line = String::with_capacity(text.len() + 16);
    // Writing to a String cannot fail.
    let _written = Escaping(&mut line).write_str(text);
    Cow::Owned(line)
}

/// Writes text on as [`escaped`] does.
pub struct Escaping<W>(pub W);

impl<W: Write> Write for Escaping<W> {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        write_pieces(text, |piece| self.0.write_str(piece), |c| c.escape_unicode().to_string())
    }
}

/// Writes lines of JSON on; what JSON allows to stand raw in a text and a terminal would obey becomes `\uXXXX`.
///
/// Each write must be whole lines: then such characters stand in texts only, and the JSON remains the same.
pub struct JsonLines<W>(pub W);

impl<W: io::Write> io::Write for JsonLines<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let text = String::from_utf8_lossy(bytes);
        let escape = |c| match c {
            // What ends a line of JSON; inside of one, JSON itself does not let it stand.
            '\n' => c.to_string(),
            c => format!("\\u{:04x}", u32::from(c)),
        };
        let mut line = String::with_capacity(text.len());
        // Writing to a String cannot fail.
        let _written = write_pieces(&text, |piece| line.write_str(piece), escape);
        self.0.write_all(line.as_bytes()).map(|()| bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.0.flush()
    }
}

fn write_pieces(
    text: &str,
    mut write: impl FnMut(&str) -> fmt::Result,
    escape: impl Fn(char) -> String,
) -> fmt::Result {
    for piece in text.split_inclusive(steers) {
        match piece.char_indices().next_back() {
            Some((end, c)) if steers(c) => {
                write(piece.get(..end).unwrap_or_default())?;
                write(&escape(c))?;
            }
            _ => write(piece)?,
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::io::Write as _;

    /// Texts in which every other character is one that steers.
    pub(crate) fn hostile() -> impl Strategy<Value = String> {
        let steering = prop::sample::select(vec![
            '\n', '\r', '\0', '\t', '\u{1b}', '\u{7f}', '\u{85}', '\u{9b}', '\u{2028}', '\u{202e}',
            '\u{2066}',
        ]);
        prop::collection::vec(prop_oneof![any::<char>(), steering], 0..40)
            .prop_map(|chars| chars.into_iter().collect())
    }

    #[test]
    fn what_steers_is_shown_and_the_rest_is_left() {
        assert_eq!(escaped("a\nb\u{1b}[2J\u{9b}\u{202e}é猫"), "a\\u{a}b\\u{1b}[2J\\u{9b}\\u{202e}é猫");
        assert!(matches!(escaped("Köln 猫"), Cow::Borrowed(_)));
    }

    proptest! {
        #[test]
        fn escaped_text_is_one_line_that_steers_nothing(text in hostile()) {
            prop_assert!(!escaped(&text).contains(steers));
        }

        #[test]
        fn lines_of_json_mean_the_same_and_steer_nothing(text in hostile()) {
            let mut line = serde_json::to_vec(&text).unwrap();
            line.push(b'\n');
            let mut written = Vec::new();
            JsonLines(&mut written).write_all(&line).unwrap();
            let written = String::from_utf8(written).unwrap();
            prop_assert!(!written.trim_end_matches('\n').contains(steers), "{written:?}");
            prop_assert_eq!(serde_json::from_str::<String>(&written).unwrap(), text);
        }
    }
}
