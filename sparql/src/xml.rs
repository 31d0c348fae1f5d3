//! Limits on XML, enforced before it is parsed. The parser compares each attribute of a tag with all earlier ones and keeps
//! every namespace that a tag declares (RUSTSEC-2026-0194 and -0195; no version of `oxrdfxml` and `sparesults` has the
//! fix), so one tag of a few megabytes could block a thread for hours. It also expands entities of any length
//! ([`entities`]), and scans all open tags for each literal. Server responses have stricter limits.

mod entities;

use crate::Excess;
use entities::Entities;
use std::io::{Error, ErrorKind, Read, Result};

/// Maximum attributes per tag; real documents have a few dozen.
const MAX_ATTRIBUTES: usize = 1_000;

/// Maximum namespaces declared by open tags: the parser scans all of them for each name. Some writers declare a few on
/// every tag.
const MAX_NAMESPACES: usize = 10_000;

/// Additional limits for server responses. The parser keeps the base IRI of every open tag, and expands entities, which may
/// be nested.
const IN_RESPONSES: XmlBounds =
    XmlBounds { depth: 100, value_bytes: 65_536, entities: false, variables: crate::results::MAX_COLUMNS };

/// Limits for files: ontologies use entities, and some writers nest the rest of a list inside its first item.
const IN_FILES: XmlBounds =
    XmlBounds { depth: 10_000, value_bytes: usize::MAX, entities: true, variables: usize::MAX };

/// The tag that declares a variable in SPARQL results.
const VARIABLE: &[u8] = b"variable";

/// The attribute that declares a namespace.
const XMLNS: &[u8] = b"xmlns";

#[derive(Debug, Clone, Copy)]
struct XmlBounds {
    /// Maximum depth of open tags.
    depth: usize,
    /// Maximum bytes of an attribute value.
    value_bytes: usize,
    /// Whether entity declarations are allowed.
    entities: bool,
    /// Maximum number of `variable` tags; the results parser compares each with all earlier ones.
    variables: usize,
}

/// A reader that passes XML through, and fails with an [`Excess`] when a limit is exceeded.
pub struct BoundedTags<R> {
    inner: R,
    bounds: XmlBounds,
    place: XmlPlace,
    line: u64,
    attributes: usize,
    /// Namespaces declared by the current tag, and how many bytes of `xmlns` the current attribute name has matched so far.
    declared: usize,
    xmlns: Option<usize>,
    /// Namespaces declared by each open tag, and their sum.
    namespaces: Vec<usize>,
    all_namespaces: usize,
    entities: Entities,
    depth: usize,
    value_bytes: usize,
    variables: usize,
    name: Name,
    /// The current tag starts with `</`.
    closing: bool,
    /// The previous byte was `/`.
    slash: bool,
}

/// The state of matching a tag name.
#[derive(Debug, Clone, Copy)]
enum Name {
    /// The local name so far equals the first bytes of [`VARIABLE`].
    Variable(usize),
    Other,
    Over,
}

/// The position of the next byte in the document, as the parser sees it.
#[derive(Debug, Clone, Copy)]
enum XmlPlace {
    Text,
    /// After `<`.
    Markup,
    /// Inside a tag.
    Tag,
    /// Inside an attribute value, up to this quote.
    Value(u8),
    /// Inside `<?…?>`; whether the last byte was `?`.
    Instruction(bool),
    /// After `<!`.
    Bang,
    /// Inside a comment or CDATA section, which ends with `mark` twice and `>`: `marks` counts its last consecutive occurrences,
    /// `missing` the bytes required before the end.
    Section {
        mark: u8,
        marks: usize,
        missing: usize,
    },
    /// Inside `<!DOCTYPE…>`: the number of open `<`.
    Doctype(usize),
}

impl<R: Read> BoundedTags<R> {
    /// Reads XML from a file: attributes, namespaces, depth and entity expansion are limited.
    pub fn new(inner: R) -> Self {
        Self::with(inner, IN_FILES)
    }

    /// Reads XML from a server, with additional limits on depth, values and variables; entity declarations are rejected.
    pub(crate) fn of_response(inner: R) -> Self {
        Self::with(inner, IN_RESPONSES)
    }

    fn with(inner: R, bounds: XmlBounds) -> Self {
        Self {
            inner,
            bounds,
            place: XmlPlace::Text,
            line: 1,
            attributes: 0,
            declared: 0,
            xmlns: None,
            namespaces: Vec::new(),
            all_namespaces: 0,
            entities: Entities::default(),
            depth: 0,
            value_bytes: 0,
            variables: 0,
            name: Name::Over,
            closing: false,
            slash: false,
        }
    }

    /// Advances by one byte.
    fn step(&mut self, byte: u8) -> Result<()> {
        self.line += u64::from(byte == b'\n');
        self.expand(byte)?;
        self.place = match (self.place, byte) {
            (XmlPlace::Text, b'<') => {
                (self.attributes, self.declared, self.closing, self.slash) = (0, 0, false, false);
                self.name = Name::Variable(0);
                XmlPlace::Markup
            }
            (XmlPlace::Markup, b'!') => XmlPlace::Bang,
            (XmlPlace::Markup, b'?') => XmlPlace::Instruction(true),
            (XmlPlace::Markup, b'/') => {
                (self.closing, self.name) = (true, Name::Over);
                XmlPlace::Tag
            }
            (XmlPlace::Markup | XmlPlace::Tag, _) => self.in_tag(byte),
            (XmlPlace::Value(quote), _) if byte == quote => XmlPlace::Tag,
            (XmlPlace::Value(_), _) => {
                self.value_bytes += 1;
                self.place
            }
            (XmlPlace::Instruction(true), b'>') => XmlPlace::Text,
            (XmlPlace::Instruction(_), _) => XmlPlace::Instruction(byte == b'?'),
            (XmlPlace::Bang, b'-') => XmlPlace::Section { mark: b'-', marks: 1, missing: 3 },
            (XmlPlace::Bang, b'[') => XmlPlace::Section { mark: b']', marks: 0, missing: 0 },
            (XmlPlace::Bang, _) => XmlPlace::Doctype(0),
            (XmlPlace::Section { marks: 2.., missing: 0, .. }, b'>') => XmlPlace::Text,
            (XmlPlace::Section { mark, marks, missing }, _) => XmlPlace::Section {
                mark,
                marks: if byte == mark { marks + 1 } else { 0 },
                missing: missing.saturating_sub(1),
            },
            (XmlPlace::Doctype(0), b'>') => XmlPlace::Text,
            (XmlPlace::Doctype(_), b'<') if !self.bounds.entities => {
                return Err(self.excess("the XML declares entities, which are not read"));
            }
            (XmlPlace::Doctype(open), b'<') => XmlPlace::Doctype(open + 1),
            (XmlPlace::Doctype(open), b'>') => XmlPlace::Doctype(open - 1),
            (place, _) => place,
        };
        self.check()
    }

    /// Counts entity expansion wherever the parser expands entities.
    fn expand(&mut self, byte: u8) -> Result<()> {
        let counted = match self.place {
            XmlPlace::Text => self.entities.in_text(byte),
            XmlPlace::Value(_) => self.entities.in_value(byte),
            XmlPlace::Doctype(open) => self.entities.in_doctype(byte, open == 0 && byte == b'>'),
            _ => return Ok(()),
        };
        counted.map_err(|told| self.excess(told))
    }

    fn in_tag(&mut self, byte: u8) -> XmlPlace {
        self.in_name(byte);
        self.in_attribute(byte);
        match byte {
            b'>' => {
                self.end_tag();
                return XmlPlace::Text;
            }
            b'"' | b'\'' => {
                self.value_bytes = 0;
                self.entities.begin_value();
                return XmlPlace::Value(byte);
            }
            b'=' => self.attributes += 1,
            _ => {}
        }
        self.slash = byte == b'/';
        XmlPlace::Tag
    }

    fn end_tag(&mut self) {
        self.entities.begin_text();
        match (self.closing, self.slash) {
            (true, _) => {
                self.depth = self.depth.saturating_sub(1);
                self.all_namespaces -= self.namespaces.pop().unwrap_or_default();
            }
            (false, true) => {}
            (false, false) => {
                self.depth += 1;
                self.namespaces.push(self.declared);
                self.all_namespaces += self.declared;
            }
        }
    }

    /// Counts attributes named `xmlns`, with or without a prefix.
    fn in_attribute(&mut self, byte: u8) {
        self.xmlns = match (self.xmlns, byte) {
            (_, b' ' | b'\t' | b'\r' | b'\n') => Some(0),
            (Some(seen), b':' | b'=') => {
                self.declared += usize::from(seen == XMLNS.len());
                None
            }
            (Some(seen), _) if XMLNS.get(seen) == Some(&byte) => Some(seen + 1),
            // After a value the next name may follow immediately.
            (_, b'"' | b'\'') => Some(0),
            _ => None,
        };
    }

    fn in_name(&mut self, byte: u8) {
        self.name = match (self.name, byte) {
            (Name::Over, _) => Name::Over,
            (name, b'>' | b'/' | b' ' | b'\t' | b'\r' | b'\n') => {
                self.variables += usize::from(matches!(name, Name::Variable(seen) if seen == VARIABLE.len()));
                Name::Over
            }
            (_, b':') => Name::Variable(0),
            (Name::Variable(seen), _) if VARIABLE.get(seen) == Some(&byte) => Name::Variable(seen + 1),
            _ => Name::Other,
        };
    }

    /// Checks the limits after a byte.
    fn check(&self) -> Result<()> {
        let XmlBounds { depth, value_bytes, variables, entities: _ } = self.bounds;
        let bounds = [
            (self.attributes, MAX_ATTRIBUTES, "an XML tag has", "attributes"),
            (self.value_bytes, value_bytes, "a value in an XML tag has", "bytes"),
            (self.depth, depth, "the XML has", "tags in each other"),
            (self.all_namespaces, MAX_NAMESPACES, "open tags of the XML declare", "namespaces"),
        ];
        if self.variables > variables {
            return Err(too_many_columns());
        }
        match bounds.into_iter().find(|(found, most, ..)| found > most) {
            Some((_, most, has, what)) => Err(self.excess(format!("{has} more than {most} {what}"))),
            None => Ok(()),
        }
    }

    fn excess(&self, told: impl Into<String>) -> Error {
        Excess::at((self.line, 0), told).into()
    }
}

impl<R: Read> Read for BoundedTags<R> {
    fn read(&mut self, buffer: &mut [u8]) -> Result<usize> {
        let count = self.inner.read(buffer)?;
        let checked = buffer.iter().take(count).try_for_each(|byte| self.step(*byte));
        checked.map(|()| count)
    }
}

/// Identified by its error kind, which parsers pass through.
fn too_many_columns() -> Error {
    Error::new(
        ErrorKind::FileTooLarge,
        format!("the result has more than {} columns", crate::results::MAX_COLUMNS),
    )
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

    /// Reads in pieces of `piece` bytes, as if from a network.
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

    /// Each of these would hide the following tag from a reader that disagrees with the parser about where it ends.
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

    fn response(text: &str) -> std::result::Result<usize, String> {
        let mut reader = BoundedTags::of_response(text.as_bytes());
        std::io::copy(&mut reader, &mut std::io::sink()).map(|_| 0).map_err(|error| error.to_string())
    }

    #[test]
    fn responses_have_further_bounds() {
        let nested = |depth| format!("{}<e a='/'/><e>x</e>{}", "<e>".repeat(depth), "</e>".repeat(depth));
        assert_eq!(response(&nested(99)), Ok(0));
        assert_eq!(response(&nested(99).repeat(3)), Ok(0));
        assert_eq!(response(&nested(101)), Err("the XML has more than 100 tags in each other".to_owned()));
        let value = |bytes| format!("<e a=\"{}\" b='x'/>", "'".repeat(bytes));
        assert_eq!(response(&value(65_536).repeat(2)), Ok(0));
        assert!(response(&value(65_537)).unwrap_err().contains("more than 65536 bytes"));
        let entities = "<!DOCTYPE r [<!ENTITY a \"aaaa\"><!ENTITY b \"&a;&a;\">]><r>&b;</r>";
        assert!(response(entities).unwrap_err().contains("declares entities"));
        assert_eq!(response("<!DOCTYPE r SYSTEM 'r.dtd'><r/>"), Ok(0));
        assert!(read(entities, 3).is_ok());
        assert!(read(&nested(101), 3).is_ok() && read(&value(65_537), 3).is_ok());
    }

    #[test]
    fn files_have_bounds_of_depth_and_namespaces() {
        let nested = |depth| format!("<r>\n{}<e a='/'/>{}</r>", "<e>".repeat(depth), "</e>".repeat(depth));
        assert!(read(&nested(9_999).repeat(2), 100).is_ok());
        let error = read(&nested(10_001), 100).unwrap_err();
        assert_eq!(error.to_string(), "the XML has more than 10000 tags in each other");
        assert_eq!(Excess::of(&error).map(|excess| excess.line), Some(2));
        let names = |count: usize| (0..count).map(|at| format!("xmlns:n{at}=''")).collect::<String>();
        let tags = |depth: usize, names: &str| format!("<e a=\"\" {names}>").repeat(depth);
        assert!(read(&tags(10, &names(1_000 - 1)), 100).is_ok());
        assert!(read(&format!("<r {}/>", names(900)).repeat(50), 100).is_ok());
        let error = read(&tags(11, &names(1_000 - 1)), 100).unwrap_err();
        assert_eq!(error.to_string(), "open tags of the XML declare more than 10000 namespaces");
        assert!(read(&tags(2_000, "xmlnsx='' axmlns='' b='xmlns=' xmlns=''"), 100).is_ok());
    }

    #[test]
    fn tags_that_declare_variables_are_counted_by_their_local_name() {
        let many = |tag: &str, count: usize| tag.repeat(count);
        for tag in ["<variable/>", "<variable name='v'/>", "<s:variable\nname='v'></s:variable>"] {
            assert_eq!(response(&many(tag, 1_000)), Ok(0), "{tag}");
            assert_eq!(response(&many(tag, 1_001)), Err("the result has more than 1000 columns".to_owned()));
        }
        for tag in ["<variables/>", "<variabl/>", "<my-variable/>", "<variable:x/>", "<e variable='v'/>"] {
            assert_eq!(response(&many(tag, 2_000)), Ok(0), "{tag}");
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
