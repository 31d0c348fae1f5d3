//! Files in encodings other than UTF-8: UTF-16 is recognised by its first bytes, and an XML file may declare any encoding.
//! Parsers get UTF-8.

use encoding_rs::{Decoder, DecoderResult, Encoding, UTF_8, UTF_16BE, UTF_16LE};
use eruca_sparql::one_line;
use std::io::{Error, ErrorKind, Read, Result};
use std::ops::Range;

/// The byte order mark that may precede a text in UTF-8. It is not part of the text.
const BYTE_ORDER_MARK: &[u8] = b"\xef\xbb\xbf";
/// Number of bytes decoded at a time.
const CHUNK: u64 = 1 << 16;
/// Maximum length of an XML declaration in bytes.
const MAX_DECLARATION: usize = 1_000;
/// Maximum number of characters shown of an encoding's name.
const MAX_NAME_CHARS: usize = 40;

/// The encoding of a file with this beginning, unless it is UTF-8.
///
/// # Errors
/// The name of an unknown encoding.
pub(super) fn encoding_of(head: &[u8]) -> std::result::Result<Option<&'static Encoding>, String> {
    let utf_16 = match head {
        [0xff, 0xfe, 0, 0, ..] | [0, 0, 0xfe, 0xff, ..] => return Err("UTF-32".to_owned()),
        [0xff, 0xfe, ..] => Some(UTF_16LE),
        [0xfe, 0xff, ..] => Some(UTF_16BE),
        // No text has these bytes between its letters.
        [a, 0, b, 0, ..] if a.is_ascii_graphic() && b.is_ascii() && *b != 0 => Some(UTF_16LE),
        [0, a, 0, b, ..] if a.is_ascii_graphic() && b.is_ascii() && *b != 0 => Some(UTF_16BE),
        _ => None,
    };
    if utf_16.is_some() || head.starts_with(BYTE_ORDER_MARK) {
        return Ok(utf_16);
    }
    let Some((_, name)) = declared(head) else { return Ok(None) };
    match Encoding::for_label_no_replacement(name.as_bytes()) {
        // A declaration of UTF-16 could not have been read byte by byte, so it is wrong.
        Some(encoding) if encoding == UTF_16LE || encoding == UTF_16BE => Ok(None),
        Some(encoding) => Ok((encoding != UTF_8).then_some(encoding)),
        None => Err(one_line(name, MAX_NAME_CHARS)),
    }
}

/// Removes encoding information from a text that is UTF-8 by now: the byte order mark, and the encoding in its XML
/// declaration, which is replaced by spaces. Positions in errors stay the same.
pub(super) fn without_encoding(head: &mut Vec<u8>) {
    if head.starts_with(BYTE_ORDER_MARK) {
        head.drain(..BYTE_ORDER_MARK.len());
    }
    let words = declared(head).map(|(words, _)| words);
    if let Some(words) = words.and_then(|words| head.get_mut(words)) {
        words.fill(b' ');
    }
}

/// The position of the encoding in an XML declaration, and its name.
fn declared(head: &[u8]) -> Option<(Range<usize>, &str)> {
    let beginning = head.get(..head.len().min(MAX_DECLARATION))?;
    let end = beginning.windows(2).position(|pair| pair == b"?>")?;
    let declaration = std::str::from_utf8(beginning.get(..end)?).ok()?;
    let (before, after) = declaration.strip_prefix("<?xml").and(declaration.split_once("encoding"))?;
    let value = after.trim_start().strip_prefix('=')?.trim_start();
    let quote = value.chars().next().filter(|quote| matches!(quote, '"' | '\''))?;
    let (name, rest) = value.strip_prefix(quote)?.split_once(quote)?;
    Some((before.len()..declaration.len() - rest.len(), name))
}

/// The error for bytes that are invalid in the encoding of their file.
#[derive(Debug, thiserror::Error)]
#[error("it holds bytes that are not {0}, as its beginning is")]
struct NotInEncoding(&'static str);

/// Whether this is the error for bytes that are invalid in the encoding of their file.
pub(super) fn is_not_in_encoding(error: &Error) -> bool {
    let Some(source) = error.get_ref() else { return false };
    source.is::<NotInEncoding>()
}

/// A text in another encoding, decoded to UTF-8.
pub(super) struct InUtf8<R> {
    inner: R,
    decoder: Decoder,
    text: String,
    given: usize,
    is_over: bool,
}

impl<R: Read> InUtf8<R> {
    pub(super) fn new(inner: R, encoding: &'static Encoding) -> Self {
        let decoder = encoding.new_decoder_with_bom_removal();
        Self { inner, decoder, text: String::new(), given: 0, is_over: false }
    }

    /// Decodes the next bytes.
    fn fill(&mut self) -> Result<()> {
        let mut bytes = Vec::new();
        self.inner.by_ref().take(CHUNK).read_to_end(&mut bytes)?;
        self.is_over = bytes.is_empty();
        self.text.clear();
        self.given = 0;
        // The length cannot overflow for so few bytes.
        let most = self.decoder.max_utf8_buffer_length_without_replacement(bytes.len()).unwrap_or_default();
        self.text.reserve(most);
        let (result, _) =
            self.decoder.decode_to_string_without_replacement(&bytes, &mut self.text, self.is_over);
        match result {
            DecoderResult::InputEmpty => Ok(()),
            DecoderResult::Malformed(..) | DecoderResult::OutputFull => {
                let name = self.decoder.encoding().name();
                Err(Error::new(ErrorKind::InvalidData, NotInEncoding(name)))
            }
        }
    }
}

impl<R: Read> Read for InUtf8<R> {
    fn read(&mut self, buffer: &mut [u8]) -> Result<usize> {
        while self.given == self.text.len() && !self.is_over && !buffer.is_empty() {
            self.fill()?;
        }
        let count = self.text.as_bytes().get(self.given..).unwrap_or_default().read(buffer)?;
        self.given += count;
        Ok(count)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn name(head: &[u8]) -> std::result::Result<&'static str, String> {
        encoding_of(head).map(|encoding| encoding.map_or("UTF-8", Encoding::name))
    }

    #[test]
    fn first_bytes_and_declarations_tell_the_encoding() {
        let cases: [(&[u8], std::result::Result<&str, &str>); 12] = [
            (b"", Ok("UTF-8")),
            (b"<a> <b> <c> .", Ok("UTF-8")),
            (b"\xef\xbb\xbf<?xml encoding='ISO-8859-1'?>", Ok("UTF-8")),
            (b"\xff\xfe<\0a\0", Ok("UTF-16LE")),
            (b"\xfe\xff\0<\0a", Ok("UTF-16BE")),
            (b"<\0?\0x\0", Ok("UTF-16LE")),
            (b"\0<\0?\0x", Ok("UTF-16BE")),
            (b"\xff\xfe\0\0<\0\0\0", Err("UTF-32")),
            (b"<?xml version='1.0' encoding = \"iso-8859-1\" ?>", Ok("windows-1252")),
            (b"<?xml version='1.0' encoding='UTF-16'?>", Ok("UTF-8")),
            (b"<?xml version='1.0' encoding='ebcdic'?>", Err("ebcdic")),
            (b"<?xml version='1.0'?><a encoding='ebcdic'/>", Ok("UTF-8")),
        ];
        for (head, told) in cases {
            assert_eq!(name(head), told.map_err(str::to_owned), "{head:?}");
        }
    }

    #[test]
    fn words_on_the_encoding_become_blanks() {
        let mut head = b"\xef\xbb\xbf<?xml version='1.0' encoding='utf-16' standalone='yes'?><a/>".to_vec();
        without_encoding(&mut head);
        assert_eq!(head, b"<?xml version='1.0'                   standalone='yes'?><a/>");
    }

    #[test]
    fn what_is_cut_within_a_letter_is_an_error() {
        let read = |bytes: &[u8]| {
            let mut text = String::new();
            InUtf8::new(bytes, UTF_16LE).read_to_string(&mut text).map(|_| text)
        };
        assert_eq!(read(b"\xff\xfea\0\xe4\0").unwrap(), "a\u{e4}");
        assert!(read(b"a\0\xe4").unwrap_err().to_string().contains("not UTF-16LE"));
        assert!(read(b"\x00\xd8a\0").is_err());
    }
}
