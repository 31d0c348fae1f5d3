//! A bound for XML before it is parsed: the parser compares each attribute of a tag with all before it and keeps
//! every namespace that a tag declares (RUSTSEC-2026-0194 and -0195; no version of `oxrdfxml` and `sparesults`
//! has the fix), so that one tag of a few megabytes would hold a thread for hours.

use std::io::{Error, ErrorKind, Read, Result};

/// Attributes of one tag that are let through; documents that people and programs write have a few dozen.
const MAX_ATTRIBUTES: usize = 1_000;

/// Hands on XML, and fails at a tag with more attributes than anyone writes.
pub struct BoundedTags<R> {
    inner: R,
    place: Place,
    attributes: usize,
}

/// Where in the document the next byte stands, as the parser sees it.
#[derive(Debug, Clone, Copy)]
enum Place {
    Text,
    /// Behind `<`.
    Markup,
    /// In a tag.
    Tag,
    /// In a value of a tag, until this quote.
    Value(u8),
    /// In `<?…?>`; whether the last byte was `?`.
    Instruction(bool),
    /// Behind `<!`.
    Bang,
    /// In a comment or a CDATA section, which ends with this byte twice and `>`: how often it stood last, and
    /// how many bytes must come before the end.
    Section {
        mark: u8,
        marks: usize,
        missing: usize,
    },
    /// In `<!DOCTYPE…>`: how many `<` are open.
    Doctype(usize),
}

impl<R: Read> BoundedTags<R> {
    /// Reads XML from `inner`.
    pub fn new(inner: R) -> Self {
        Self { inner, place: Place::Text, attributes: 0 }
    }

    /// Moves on by a byte; `false` when its tag has too many attributes.
    fn step(&mut self, byte: u8) -> bool {
        self.place = match (self.place, byte) {
            (Place::Text, b'<') => {
                self.attributes = 0;
                Place::Markup
            }
            (Place::Markup, b'!') => Place::Bang,
            (Place::Markup, b'?') => Place::Instruction(true),
            (Place::Markup | Place::Tag, _) => self.in_tag(byte),
            (Place::Value(quote), _) if byte == quote => Place::Tag,
            (Place::Instruction(true), b'>') => Place::Text,
            (Place::Instruction(_), _) => Place::Instruction(byte == b'?'),
            (Place::Bang, b'-') => Place::Section { mark: b'-', marks: 1, missing: 3 },
            (Place::Bang, b'[') => Place::Section { mark: b']', marks: 0, missing: 0 },
            (Place::Bang, _) => Place::Doctype(0),
            (Place::Section { marks: 2.., missing: 0, .. }, b'>') => Place::Text,
            (Place::Section { mark, marks, missing }, _) => Place::Section {
                mark,
                marks: if byte == mark { marks + 1 } else { 0 },
                missing: missing.saturating_sub(1),
            },
            (Place::Doctype(0), b'>') => Place::Text,
            (Place::Doctype(open), b'<') => Place::Doctype(open + 1),
            (Place::Doctype(open), b'>') => Place::Doctype(open - 1),
            (place, _) => place,
        };
        self.attributes <= MAX_ATTRIBUTES
    }

    fn in_tag(&mut self, byte: u8) -> Place {
        match byte {
            b'>' => return Place::Text,
            b'"' | b'\'' => return Place::Value(byte),
            b'=' => self.attributes += 1,
            _ => {}
        }
        Place::Tag
    }
}

impl<R: Read> Read for BoundedTags<R> {
    fn read(&mut self, buffer: &mut [u8]) -> Result<usize> {
        let count = self.inner.read(buffer)?;
        if buffer[..count].iter().all(|byte| self.step(*byte)) {
            return Ok(count);
        }
        let told = format!("an XML tag has more than {MAX_ATTRIBUTES} attributes");
        Err(Error::new(ErrorKind::InvalidData, told))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use oxrdfio::{RdfFormat, RdfParser};

    const BEFORE: &str =
        "<?xml version='1.0'?><!DOCTYPE r [<!ENTITY e \"'\">]><!-- don't --><!----><r><![CDATA['<]]>";

    fn tag(attributes: usize) -> String {
        let attributes: Vec<String> = (0..attributes).map(|at| format!("a{at}='=>'")).collect();
        format!("{BEFORE}<t {}/></r>", attributes.join(" "))
    }

    /// In pieces of every size, as they come from a network.
    fn read(text: &str, piece: usize) -> Result<String> {
        let mut reader = BoundedTags::new(text.as_bytes());
        let (mut all, mut buffer) = (Vec::new(), vec![0; piece]);
        loop {
            match reader.read(&mut buffer)? {
                0 => return Ok(String::from_utf8(all).unwrap()),
                count => all.extend_from_slice(&buffer[..count]),
            }
        }
    }

    #[test]
    fn tags_that_people_write_pass_unchanged_and_endless_ones_do_not() {
        for piece in [1, 7, 1 << 16] {
            assert_eq!(read(&tag(MAX_ATTRIBUTES), piece).unwrap(), tag(MAX_ATTRIBUTES));
            let error = read(&tag(MAX_ATTRIBUTES + 1), piece).unwrap_err();
            assert_eq!(error.to_string(), "an XML tag has more than 1000 attributes");
        }
    }

    #[test]
    fn what_only_looks_like_attributes_is_not_counted() {
        let signs = "=".repeat(2 * MAX_ATTRIBUTES);
        for text in [
            format!("<r>{signs}</r>"),
            format!("<r a='{signs}'/>"),
            format!("<!-- {signs} --><r/>"),
            format!("<r><![CDATA[{signs}]]></r>"),
            format!("<?p {signs}?><r/>"),
            "<t a='1' b='2'/>".repeat(MAX_ATTRIBUTES),
        ] {
            assert_eq!(read(&text, 64).unwrap(), text);
        }
    }

    /// Each of these would hide the tag behind it from a reader that sees where it ends otherwise than the parser.
    #[test]
    fn nothing_before_a_tag_hides_it() {
        for before in [
            "<!-->-->",
            "<!--->-->",
            "<!-- -- ' -->",
            "<!-- --->",
            "<![CDATA[]]]>",
            "<?p '?>",
            "<?p ??>",
            "<e a='\"'/>",
            "<e a=\"'\"/>",
            "'",
            "\"",
            "</e '>' >",
            "<e/>",
        ] {
            let text = format!("<r>{before}<t {}", "a=''".repeat(MAX_ATTRIBUTES + 1));
            assert!(read(&text, 5).is_err(), "{before}");
        }
        for before in ["<!DOCTYPE r>", "<!DOCTYPE r [<!ENTITY a \"'\">]>"] {
            let text = format!("{before}<t {}", "a=''".repeat(MAX_ATTRIBUTES + 1));
            assert!(read(&text, 5).is_err(), "{before}");
        }
    }

    #[test]
    fn namespaces_count_too() {
        let names: Vec<String> =
            (0..=MAX_ATTRIBUTES).map(|at| format!("xmlns:n{at}='http://e.x/{at}'")).collect();
        let text =
            format!("<rdf:RDF xmlns:rdf='http://www.w3.org/1999/02/22-rdf-syntax-ns#' {}/>", names.join(" "));
        let parser = RdfParser::from_format(RdfFormat::RdfXml);
        let error = parser.for_reader(BoundedTags::new(text.as_bytes())).find_map(std::result::Result::err);
        assert!(error.unwrap().to_string().contains("more than 1000 attributes"));
    }
}
