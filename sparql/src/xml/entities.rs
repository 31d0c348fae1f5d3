//! Computes the size of expanded XML entities. Entities may be nested, each repeating another ten times, and referenced often:
//! a few hundred bytes can expand to gigabytes. Lengths are computed as the parser (`oxrdfxml`) would expand them, beforehand.

use std::collections::HashMap;

/// Maximum bytes of a document type declaration. Those of ontologies have a few thousand.
const MAX_DOCTYPE: usize = 1 << 20;
/// Maximum total bytes of all expanded entities of a document. In ontologies they are IRI prefixes.
const MAX_DECLARED: usize = 1 << 20;
/// Maximum bytes of an entity name.
const MAX_NAME: usize = 256;
/// Maximum bytes that entities may add to an attribute value, usually an IRI.
const MAX_IN_VALUE: usize = 1 << 16;
/// Maximum bytes that entities may add to a text node.
const MAX_IN_TEXT: usize = 16 << 20;
/// Maximum bytes that entities may add to a document: a fixed amount, plus this many per byte read.
const MAX_ADDED: u64 = 64 << 20;
const MAX_ADDED_PER_BYTE: u64 = 100;

/// The entities declared so far, and the bytes that they have added to the document.
#[derive(Debug, Default)]
pub(super) struct Entities {
    /// Expanded length of each entity, in bytes.
    lengths: HashMap<Vec<u8>, usize>,
    declared: usize,
    /// The document type declaration read so far.
    doctype: Vec<u8>,
    /// The name of the entity reference being read.
    reference: Option<Vec<u8>>,
    in_value: usize,
    in_text: usize,
    added: u64,
    seen: u64,
}

impl Entities {
    /// Handles a byte of a document type declaration; `last` marks its end.
    pub(super) fn in_doctype(&mut self, byte: u8, last: bool) -> Result<(), String> {
        if !last {
            self.doctype.push(byte);
            let within = self.doctype.len() <= MAX_DOCTYPE;
            return if within { Ok(()) } else { Err(more("the DOCTYPE has", MAX_DOCTYPE, "bytes")) };
        }
        let doctype = std::mem::take(&mut self.doctype);
        let doctype = String::from_utf8_lossy(&doctype);
        doctype.split('<').skip(1).try_for_each(|declaration| self.declare(declaration))
    }

    /// Handles the text after a `<`, split into name and value as the parser does. Other declarations are rejected by the parser.
    fn declare(&mut self, declaration: &str) -> Result<(), String> {
        let Some(rest) = declaration.strip_prefix("!ENTITY") else { return Ok(()) };
        let rest = rest.trim_start().strip_prefix('%').unwrap_or(rest).trim_start();
        let Some((name, rest)) = rest.split_once(|c: char| c.is_ascii_whitespace()) else { return Ok(()) };
        let Some(value) = rest.split('"').nth(1) else { return Ok(()) };
        if name.len() > MAX_NAME {
            return Err(more("the name of an XML entity has", MAX_NAME, "bytes"));
        }
        let length = value.len().saturating_add(self.added_by(value));
        self.declared = self.declared.saturating_add(length);
        if self.declared > MAX_DECLARED {
            return Err(more("the XML entities of the file stand for", MAX_DECLARED, "bytes together"));
        }
        self.lengths.insert(name.as_bytes().to_vec(), length);
        Ok(())
    }

    /// Bytes that the references in an entity's value add to it.
    fn added_by(&self, value: &str) -> usize {
        let references = value.split('&').skip(1).filter_map(|text| text.split(';').next());
        let lengths = references.filter_map(|name| self.lengths.get(name.as_bytes()));
        lengths.fold(0, |all, length| all.saturating_add(*length))
    }

    /// A text node begins after a tag.
    pub(super) fn begin_text(&mut self) {
        (self.in_text, self.reference) = (0, None);
    }

    /// Handles a byte of text. Comments do not end a text node.
    pub(super) fn in_text(&mut self, byte: u8) -> Result<(), String> {
        let added = self.referred(byte);
        self.in_text += added;
        if self.in_text > MAX_IN_TEXT {
            return Err(more("XML entities add to a text", MAX_IN_TEXT, "bytes"));
        }
        self.add(added)
    }

    pub(super) fn begin_value(&mut self) {
        (self.in_value, self.reference) = (0, None);
    }

    /// Handles a byte of an attribute value.
    pub(super) fn in_value(&mut self, byte: u8) -> Result<(), String> {
        let added = self.referred(byte);
        self.in_value += added;
        if self.in_value > MAX_IN_VALUE {
            return Err(more("XML entities add to an attribute", MAX_IN_VALUE, "bytes"));
        }
        self.add(added)
    }

    /// Bytes added by the reference that ends with this byte.
    fn referred(&mut self, byte: u8) -> usize {
        self.seen += 1;
        if self.lengths.is_empty() {
            return 0;
        }
        match (byte, &mut self.reference) {
            (b'&', _) => self.reference = Some(Vec::new()),
            (b';', Some(name)) => {
                let length = self.lengths.get(name).copied();
                self.reference = None;
                return length.unwrap_or_default();
            }
            (_, Some(name)) if name.len() <= MAX_NAME => name.push(byte),
            _ => self.reference = None,
        }
        0
    }

    fn add(&mut self, added: usize) -> Result<(), String> {
        self.added += added as u64;
        if self.added > MAX_ADDED + MAX_ADDED_PER_BYTE * self.seen {
            return Err(format!(
                "XML entities make the file more than {MAX_ADDED_PER_BYTE} times as long as it is written"
            ));
        }
        Ok(())
    }
}

fn more(has: &str, most: usize, what: &str) -> String {
    format!("{has} more than {most} {what}")
}

#[cfg(test)]
mod tests {
    use crate::{BoundedTags, Excess};
    use oxrdfio::{RdfFormat, RdfParser};
    use proptest::prelude::*;
    use std::fmt::Write;

    fn document(declarations: &str, inside: &str) -> String {
        format!(
            "<!DOCTYPE r [\n{declarations}]>\n<rdf:RDF xmlns:rdf='http://www.w3.org/1999/02/22-rdf-syntax-ns#' \
             xmlns:e='http://ex.org/'>{inside}</rdf:RDF>"
        )
    }

    /// Reads such a file as an index does, and returns the total bytes of its quads.
    fn read(declarations: &str, inside: &str) -> Result<usize, String> {
        let text = document(declarations, inside);
        let quads = RdfParser::from_format(RdfFormat::RdfXml).for_reader(BoundedTags::new(text.as_bytes()));
        let lengths =
            quads.map(|quad| match quad {
                Ok(quad) => Ok(quad.to_string().len()),
                Err(oxrdfio::RdfParseError::Io(error)) => Err(Excess::of(&error)
                    .map_or(error.to_string(), |excess| format!("{}: {excess}", excess.line))),
                Err(error) => Err(error.to_string()),
            });
        lengths.sum()
    }

    fn entity(name: &str, value: &str) -> String {
        format!("<!ENTITY {name} \"{value}\">\n")
    }

    fn thing(text: &str) -> String {
        format!("<rdf:Description rdf:about='http://ex.org/a'><e:p>{text}</e:p></rdf:Description>")
    }

    /// Nine entities, each of which repeats the previous one ten times.
    fn laughs() -> String {
        let mut all = entity("e0", "aaaaaaaaaa");
        for at in 1..10 {
            let _written = write!(all, "{}", entity(&format!("e{at}"), &format!("&e{};", at - 1).repeat(10)));
        }
        all
    }

    #[test]
    fn entities_that_ontologies_use_are_replaced() {
        let declared = entity("owl", "http://www.w3.org/2002/07/owl#") + &entity("Class", "&owl;Class");
        let inside =
            "<rdf:Description rdf:about='&owl;Thing'><rdf:type rdf:resource='&Class;'/></rdf:Description>";
        assert!(read(&declared, &inside.repeat(20_000)).unwrap() > 2_000_000);
        assert!(read(&declared, &thing("&#65; &amp; &unknown;")).unwrap_err().contains("unknown"));
    }

    #[test]
    fn entities_of_entities_are_refused_where_they_are_declared() {
        for inside in
            [thing("&e9;"), "<rdf:Description rdf:about='http://ex.org/&e9;'/>".to_owned(), thing("x")]
        {
            let told = read(&laughs(), &inside).unwrap_err();
            assert_eq!(told, "12: the XML entities of the file stand for more than 1048576 bytes together");
        }
        let names = [" % e", "\u{a0}e", "%e", "\te"];
        for name in names {
            let declared = entity(name, &"a".repeat(1_000)) + &entity("f", &"&e;".repeat(1_050));
            assert!(read(&declared, "").unwrap_err().contains("together"), "{name}");
        }
    }

    #[test]
    fn an_entity_that_is_used_too_often_is_refused() {
        let big = entity("big", &"a".repeat(1_000_000));
        assert!(read(&big, &thing("&big;")).unwrap() > 1_000_000);
        assert_eq!(
            read(&big, &thing(&"&big;".repeat(2_000))).unwrap_err(),
            "4: XML entities add to a text more than 16777216 bytes"
        );
        assert!(read(&big, &thing(&"&big;<!-- - -->".repeat(2_000))).is_err());
        let inside = "<rdf:Description rdf:about='http://ex.org/&big;'/>";
        assert_eq!(
            read(&big, inside).unwrap_err(),
            "4: XML entities add to an attribute more than 65536 bytes"
        );
        let many = thing(&"&big;".repeat(10)).repeat(1_000);
        assert_eq!(
            read(&big, &many).unwrap_err(),
            "4: XML entities make the file more than 100 times as long as it is written"
        );
    }

    #[test]
    fn declarations_are_bounded_themselves() {
        let long = format!("<!-- {} -->", "a".repeat(1 << 20));
        assert!(read(&long, "").unwrap_err().contains("the DOCTYPE has more than 1048576 bytes"));
        assert!(read(&entity(&"n".repeat(300), "a"), "").unwrap_err().contains("the name of an XML entity"));
    }

    proptest! {
        /// The parser never expands accepted documents beyond the computed size.
        #[test]
        fn the_parser_adds_no_more_than_is_counted(
            declared in prop::collection::vec(("[ab%]{1,2}", "(a|&a;|&b;|&ab;|;|&amp;| ){0,6}"), 0..6),
            text in "(x|&a;|&b;|&aa;|&ab;|;| ){0,9}",
        ) {
            let declared: String = declared.iter().map(|(name, value)| entity(name, value)).collect();
            let text = document(&declared, &thing(&text));
            let mut reader = BoundedTags::new(text.as_bytes());
            let quads = RdfParser::from_format(RdfFormat::RdfXml).for_reader(&mut reader);
            let longest = quads.flatten().map(|quad| quad.object.to_string().len()).max();
            prop_assert!(longest.unwrap_or_default() as u64 <= text.len() as u64 + reader.entities.added);
        }
    }
}
