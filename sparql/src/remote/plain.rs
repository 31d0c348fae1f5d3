//! Converts bodies to UTF-8 text: decompresses unrequested encodings, removes byte order marks, and decodes other character
//! sets. Servers send all of these.

use crate::fence::one_line;
use encoding_rs::{Encoding, UTF_8, UTF_16BE, UTF_16LE};
use flate2::read::{DeflateDecoder, MultiGzDecoder, ZlibDecoder};
use reqwest::header::{CONTENT_ENCODING, CONTENT_TYPE, HeaderMap, HeaderName};
use std::io::Read;

/// Maximum characters shown of a header.
const MAX_HEADER_CHARS: usize = 60;

/// A body as received, or after conversion.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Body {
    pub(super) bytes: Vec<u8>,
    /// Whether the body was truncated.
    pub(super) cut: bool,
}

impl Body {
    /// The body as UTF-8 text of at most `max_bytes` bytes.
    ///
    /// # Errors
    /// Why it cannot be decoded.
    pub(super) fn plain(self, headers: &HeaderMap, max_bytes: usize) -> Result<Self, String> {
        self.unpacked(headers, max_bytes)?.in_utf8(headers, max_bytes)
    }

    /// gzip was requested, and has already been decompressed.
    fn unpacked(self, headers: &HeaderMap, max_bytes: usize) -> Result<Self, String> {
        let coding = header(headers, CONTENT_ENCODING).to_ascii_lowercase();
        match (coding.as_str(), self.bytes.as_slice()) {
            ("" | "identity", [0x1f, 0x8b, ..]) => {
                self.decoded("gzip", |bytes| Box::new(MultiGzDecoder::new(bytes)), max_bytes)
            }
            ("" | "identity" | "gzip" | "x-gzip", _) => Ok(self),
            // Many servers omit the two-byte zlib header.
            ("deflate", [first, second, ..])
                if first & 0x0f == 8 && u16::from_be_bytes([*first, *second]) % 31 == 0 =>
            {
                self.decoded("deflate", |bytes| Box::new(ZlibDecoder::new(bytes)), max_bytes)
            }
            ("deflate", [_, ..]) => {
                self.decoded("deflate", |bytes| Box::new(DeflateDecoder::new(bytes)), max_bytes)
            }
            (_, []) => Ok(self),
            (other, _) => Err(format!(
                "the response is compressed with {}, which was not asked for; let the server send gzip or nothing of the kind",
                one_line(other, MAX_HEADER_CHARS)
            )),
        }
    }

    fn decoded(
        self,
        name: &str,
        decoder: impl for<'a> FnOnce(&'a [u8]) -> Box<dyn Read + 'a>,
        max_bytes: usize,
    ) -> Result<Self, String> {
        let mut bytes = Vec::new();
        let read = decoder(&self.bytes).take(max_bytes as u64 + 1).read_to_end(&mut bytes);
        match read {
            // A body that was truncated here ends too early.
            Err(error) if !self.cut => {
                Err(format!("the response is not what its compression, {name}, says: {error}"))
            }
            _ => Ok(Self { bytes, cut: self.cut }.at_most(max_bytes)),
        }
    }

    fn in_utf8(self, headers: &HeaderMap, max_bytes: usize) -> Result<Self, String> {
        let (encoding, mark) = match (Encoding::for_bom(&self.bytes), self.bytes.as_slice()) {
            (Some(marked), _) => marked,
            (None, [a, 0, b, 0, ..]) if *a != 0 && *b != 0 => (UTF_16LE, 0),
            (None, [0, a, 0, b, ..]) if *a != 0 && *b != 0 => (UTF_16BE, 0),
            (None, bytes) if is_utf8(bytes) => return Ok(self),
            (None, _) => (charset(headers).unwrap_or(UTF_8), 0),
        };
        let text = self.bytes.get(mark..).unwrap_or_default();
        if encoding == UTF_8 {
            return Ok(Self { bytes: text.to_vec(), cut: self.cut });
        }
        let (decoded, is_wrong) = encoding.decode_without_bom_handling(text);
        if is_wrong && !self.cut {
            return Err(format!("the response begins as text in {} and is not", encoding.name()));
        }
        // Some servers write the mark twice: once as bytes, once as a character.
        let decoded = decoded.trim_start_matches('\u{feff}').to_owned();
        Ok(Self { bytes: decoded.into_bytes(), cut: self.cut }.at_most(max_bytes))
    }

    fn at_most(mut self, max_bytes: usize) -> Self {
        self.cut |= self.bytes.len() > max_bytes;
        self.bytes.truncate(max_bytes);
        self
    }
}

/// Whether the bytes are UTF-8; the last character may be truncated.
fn is_utf8(bytes: &[u8]) -> bool {
    std::str::from_utf8(bytes).err().is_none_or(|error| error.error_len().is_none())
}

/// The character set named in the headers. Ignored if the bytes are valid UTF-8, because many servers name a wrong one.
fn charset(headers: &HeaderMap) -> Option<&'static Encoding> {
    let full = header(headers, CONTENT_TYPE);
    let mut parameters = full.split(';').filter_map(|part| part.trim().split_once('='));
    let (_, name) = parameters.find(|(key, _)| key.trim().eq_ignore_ascii_case("charset"))?;
    Encoding::for_label_no_replacement(name.trim().trim_matches('"').as_bytes())
}

fn header(headers: &HeaderMap, name: HeaderName) -> String {
    let value = headers.get(name).map(|value| String::from_utf8_lossy(value.as_bytes()));
    value.unwrap_or_default().trim().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;
    use reqwest::header::HeaderValue;
    use std::io::Write;

    fn plain(bytes: &[u8], name: HeaderName, value: &'static str, max_bytes: usize) -> Result<Body, String> {
        let headers = HeaderMap::from_iter([(name, HeaderValue::from_static(value))]);
        Body { bytes: bytes.to_vec(), cut: false }.plain(&headers, max_bytes)
    }

    fn text(bytes: &[u8], content_type: &'static str) -> String {
        String::from_utf8(plain(bytes, CONTENT_TYPE, content_type, 1_000).unwrap().bytes).unwrap()
    }

    fn packed(coding: &str, text: &[u8]) -> Vec<u8> {
        let level = flate2::Compression::fast();
        let mut written = Vec::new();
        let mut writer: Box<dyn Write + '_> = match coding {
            "raw" => Box::new(flate2::write::DeflateEncoder::new(&mut written, level)),
            "gzip" => Box::new(flate2::write::GzEncoder::new(&mut written, level)),
            _ => Box::new(flate2::write::ZlibEncoder::new(&mut written, level)),
        };
        writer.write_all(text).unwrap();
        drop(writer);
        written
    }

    #[test]
    fn marks_and_encodings_are_taken_away() {
        let units = |turned: bool| -> Vec<u8> {
            let units = "{\u{e4}}".encode_utf16();
            units.flat_map(|unit| if turned { unit.to_be_bytes() } else { unit.to_le_bytes() }).collect()
        };
        assert_eq!(text("\u{feff}{\u{e4}}".as_bytes(), "application/json"), "{\u{e4}}");
        for turned in [false, true] {
            let mark: &[u8] = if turned { b"\xfe\xff" } else { b"\xff\xfe" };
            assert_eq!(text(&[mark, &units(turned)].concat(), "text/plain"), "{\u{e4}}");
            assert_eq!(text(&[mark, mark, &units(turned)].concat(), "text/plain"), "{\u{e4}}");
        }
        let named = b"\"\0{\0\xe4\0";
        assert_eq!(text(named, "text/plain"), "\"{\u{e4}");
        assert_eq!(text(b"{\xe4}", "text/plain; Charset=\"ISO-8859-1\""), "{\u{e4}}");
        assert_eq!(text("{\u{e4}}".as_bytes(), "text/plain; charset=iso-8859-1"), "{\u{e4}}", "it is not so");
        assert_eq!(text(b"", "text/plain"), "");
        let wrong = plain(b"\xff\xfe{\0\x00", CONTENT_TYPE, "text/plain", 1_000);
        assert!(wrong.unwrap_err().contains("UTF-16LE"));
    }

    #[test]
    fn deflate_is_read_in_both_forms_up_to_the_bound() {
        let long = "x".repeat(500);
        for (form, coding) in [("raw", "deflate"), ("zlib", "deflate"), ("gzip", "identity")] {
            let body = packed(form, long.as_bytes());
            assert_eq!(plain(&body, CONTENT_ENCODING, coding, 500).unwrap().bytes, long.as_bytes(), "{form}");
            let cut = plain(&body, CONTENT_ENCODING, coding, 100).unwrap();
            assert_eq!((cut.bytes.len(), cut.cut), (100, true), "{form}");
            let half = plain(&body[..body.len() / 2], CONTENT_ENCODING, coding, 500);
            assert!(half.unwrap_err().contains("compression"), "{form}");
        }
        let other = plain(b"\x0b\x02\x80", CONTENT_ENCODING, "br", 500).unwrap_err();
        assert!(other.contains("compressed with br"), "{other}");
        assert_eq!(plain(b"", CONTENT_ENCODING, "br", 500).unwrap().bytes, b"");
    }
}
