//! Text from outside in lines of a log or a terminal: nothing of it may begin a line of its own or steer the terminal.
//!
//! Questions, graphs, endpoints, models and clients choose such text. Knows no other module.
//!
//! Steps, tables and reports on a terminal contain no control characters. Lines of the log, of the query log and of
//! progress are one line each, with such characters escaped. Test: `tests/log_lines.rs`.

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

/// Standard output. On a terminal, which obeys some of what graphs, models and endpoints hold, characters that [`steers`] names are
/// left out, but for the ends of lines and tabs; programs and files get every byte.
pub struct Screen<W> {
    out: W,
    is_terminal: bool,
    /// The beginning of a character whose end has not come.
    begun: Vec<u8>,
}

impl<W: io::Write> Screen<W> {
    /// Writes to this.
    pub fn new(out: W, is_terminal: bool) -> Self {
        Self { out, is_terminal, begun: Vec::new() }
    }
}

impl<W: io::Write> io::Write for Screen<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if !self.is_terminal {
            return self.out.write(bytes);
        }
        let mut all = std::mem::take(&mut self.begun);
        all.extend_from_slice(bytes);
        let whole = whole_chars(&all);
        self.begun = all.split_off(whole);
        let text = String::from_utf8_lossy(&all);
        let kept: String = text.chars().filter(|c| !steers(*c) || matches!(c, '\n' | '\t')).collect();
        self.out.write_all(kept.as_bytes()).map(|()| bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }
}

/// The length up to a character that has begun and may go on.
fn whole_chars(bytes: &[u8]) -> usize {
    let last = bytes.utf8_chunks().last().map_or(&[][..], |chunk| chunk.invalid());
    // Of what is wrong in itself, and of what is only cut, the second may become right.
    let cut = std::str::from_utf8(last).is_err_and(|error| error.error_len().is_none());
    if cut { bytes.len() - last.len() } else { bytes.len() }
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

    #[test]
    fn programs_get_every_byte() {
        let mut out = Vec::new();
        Screen::new(&mut out, false).write_all(b"a\x1b[31m\xff\r\n").unwrap();
        assert_eq!(out, b"a\x1b[31m\xff\r\n");
    }

    proptest! {
        #[test]
        fn a_terminal_gets_all_but_what_steers_it(text in hostile(), cut in 0..200_usize) {
            let (mut out, bytes) = (Vec::new(), text.as_bytes());
            let (one, other) = bytes.split_at(cut.min(bytes.len()));
            let mut screen = Screen::new(&mut out, true);
            screen.write_all(one).unwrap();
            screen.write_all(other).unwrap();
            let left: String = text.chars().filter(|c| !steers(*c) || matches!(c, '\n' | '\t')).collect();
            prop_assert_eq!(String::from_utf8(out).unwrap(), left);
        }

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
