//! Feeds RDF/XML to its parser one property of an element below `rdf:RDF` at a time. After an error, the parser's output for the
//! rest of the element is wrong, and it does not notice a missing end tag; so it restarts after the bad property, with the tag
//! of its element before it, or after the whole element if that could change the meaning.

use std::io::{Cursor, Error, ErrorKind, Read, Result};

/// Number of bytes read at a time.
const CHUNK: usize = 1 << 16;
/// Maximum size in bytes of the start of a file, with its declarations, that is kept to restart the parser with.
const MAX_HEAD: usize = 1 << 20;
/// The local name of the root element.
const ROOT: &[u8] = b"RDF";
/// Attributes that name an element: its tag alone can be repeated to continue the same node.
const NAMING: [&[u8]; 3] = [b"about", b"ID", b"nodeID"];
/// A property whose meaning depends on the number of those before it.
const MEMBER: &[u8] = b"li";
/// Maximum length in bytes of the name and value of an attribute that are compared.
const MAX_ATTRIBUTE: usize = 64;
/// Attributes of RDF 1.2, whatever their value. An RDF 1.1 parser would mistake them for properties of the graph.
const ANNOTATIONS: &[&[u8]] = &[b"rdf:annotation", b"rdf:annotationNodeID"];

/// The error for an element with triple terms or annotations of RDF 1.2, which an RDF 1.1 parser drops
/// silently.
#[derive(Debug, thiserror::Error)]
#[error(
    "triple terms and annotations of RDF 1.2 (rdf:parseType=\"Triple\", rdf:annotation) are not read: only RDF 1.1 is"
)]
pub(super) struct TripleTerm;

/// The context of the next byte.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum ElementPlace {
    Text,
    /// After `<`.
    Markup,
    /// In a tag; whether its name has ended.
    Tag(bool),
    /// In an attribute value, until this quote.
    Value(u8),
    /// In `<?…?>`; whether the last byte was `?`.
    Instruction(bool),
    /// After `<!`, or after `<!-` if true.
    Bang(bool),
    /// In a comment or CDATA section, which ends with this byte twice and `>`: how often it came last.
    Section(u8, u8),
    /// In `<!DOCTYPE…>`: number of open `<`.
    Doctype(usize),
}

/// The beginning of a document up to the tag of an element below the root.
pub(super) struct ElementHead {
    /// As it is in the file.
    pub(super) text: Vec<u8>,
    /// With end tags for all open elements.
    pub(super) whole: Vec<u8>,
}

/// A document passed on in pieces, each of which ends with a property of an element below the root at the
/// latest.
pub(super) struct Elements<R> {
    inner: R,
    chunk: Vec<u8>,
    given: usize,
    place: ElementPlace,
    /// Whether the tag begins with `</`.
    closing: bool,
    /// Whether the previous byte was `/`.
    slash: bool,
    name: Vec<u8>,
    /// The current attribute of the tag, and its value.
    attribute: Vec<u8>,
    value: Vec<u8>,
    /// Whether there was a triple term or annotation that has not been reported yet.
    has_triple_term: bool,
    /// The names of the open elements.
    open: Vec<Vec<u8>>,
    /// The tag of the current element below the root; incomplete while it is being read.
    element: Vec<u8>,
    /// Whether the element has a name, so that it can be continued.
    can_go_on: bool,
    /// Whether the element has counted members, mismatched tags, or a tag that could not be read.
    is_odd: bool,
    /// Everything up to the end of the root's tag; `None` if that is too long.
    head: Option<Vec<u8>>,
    line: u64,
    /// The line of the last element or comment below the root that was passed to the parser.
    began: u64,
    /// Whether the root is closed.
    closed: bool,
    /// Whether anything was passed on since the last restart.
    has_moved: bool,
}

impl<R: Read> Elements<R> {
    pub(super) fn new(inner: R) -> Self {
        Self {
            inner,
            chunk: Vec::new(),
            given: 0,
            place: ElementPlace::Text,
            closing: false,
            slash: false,
            name: Vec::new(),
            attribute: Vec::new(),
            value: Vec::new(),
            has_triple_term: false,
            open: Vec::new(),
            element: Vec::new(),
            can_go_on: false,
            is_odd: false,
            head: Some(Vec::new()),
            line: 1,
            began: 1,
            closed: false,
            has_moved: false,
        }
    }

    /// The line where the parser's current element begins.
    pub(super) fn began(&self) -> u64 {
        self.began
    }

    /// The line where the document ends, if its root has not been closed.
    pub(super) fn cut_off(&self) -> Option<u64> {
        (!self.closed).then_some(self.line)
    }

    /// Skips the rest of the parser's current property. Parsing continues after the returned beginning of
    /// the document, which ends with the tag of its element; `None` if that cannot be continued.
    ///
    /// # Errors
    /// When the document cannot be read.
    pub(super) fn skip_property(&mut self) -> Result<Option<ElementHead>> {
        if !self.has_moved
            || self.open.len() < 2
            || !self.skip_to(2)?
            || self.open.len() < 2
            || !self.can_go_on
            || self.is_odd
        {
            return Ok(None);
        }
        let root = self.open.first().filter(|name| local(name) == ROOT);
        let Some(mut text) = root.and(self.head.clone()) else { return Ok(None) };
        text.extend_from_slice(&self.element);
        let mut whole = text.clone();
        for name in self.open.iter().rev() {
            whole.extend([b"</", name.as_slice(), b">"].concat());
        }
        self.has_moved = false;
        Ok(Some(ElementHead { text, whole }))
    }

    /// Reports that the tag of the element itself is invalid, so that [`Self::skip`] must skip the element.
    pub(super) fn broken_tag(&mut self) {
        self.has_moved = true;
    }

    /// Skips the rest of the parser's current element. Parsing continues after the returned
    /// beginning of the document; `None` if the elements are not those of `rdf:RDF`, the document is over, or that beginning
    /// itself is invalid.
    ///
    /// # Errors
    /// When the document cannot be read.
    pub(super) fn skip(&mut self) -> Result<Option<Cursor<Vec<u8>>>> {
        if !std::mem::take(&mut self.has_moved) || !self.skip_to(1)? {
            return Ok(None);
        }
        let root = self.open.first().filter(|name| local(name) == ROOT);
        Ok(root.and(self.head.clone()).map(Cursor::new))
    }

    /// Advances until at most `depth` elements are open; returns whether the document has that much.
    fn skip_to(&mut self, depth: usize) -> Result<bool> {
        while self.open.len() > depth || self.place != ElementPlace::Text {
            if !self.fill()? {
                return Ok(false);
            }
            self.scan(usize::MAX);
        }
        // The error for what is skipped also covers its content.
        self.has_triple_term = false;
        Ok(true)
    }

    /// Whether there is something to scan.
    fn fill(&mut self) -> Result<bool> {
        if self.given < self.chunk.len() {
            return Ok(true);
        }
        self.chunk.resize(CHUNK, 0);
        self.given = 0;
        let count = self.inner.read(&mut self.chunk).inspect_err(|_| self.chunk.clear())?;
        self.chunk.truncate(count);
        Ok(count > 0)
    }

    /// Advances by at most this many bytes to the end of a tag of an element below the root or its properties; returns how many.
    fn scan(&mut self, most: usize) -> usize {
        let chunk = std::mem::take(&mut self.chunk);
        let mut count = 0;
        for byte in chunk.iter().skip(self.given).take(most) {
            count += 1;
            let is_tag_of_element = self.place != ElementPlace::Text && self.open.len() == 1;
            self.step(*byte);
            if is_tag_of_element && self.element.len() < MAX_HEAD {
                self.element.push(*byte);
            }
            self.line += u64::from(*byte == b'\n');
            if *byte == b'>' && self.place == ElementPlace::Text && self.open.len() <= 2 {
                break;
            }
        }
        self.chunk = chunk;
        self.given += count;
        count
    }

    fn step(&mut self, byte: u8) {
        self.place = match (self.place, byte) {
            (ElementPlace::Text, b'<') => {
                if self.open.len() <= 1 {
                    self.began = self.line;
                    self.element = b"<".to_vec();
                    (self.can_go_on, self.is_odd) = (false, false);
                }
                ElementPlace::Markup
            }
            (ElementPlace::Markup, b'!') => ElementPlace::Bang(false),
            (ElementPlace::Markup, b'?') => ElementPlace::Instruction(false),
            (ElementPlace::Markup, _) => self.begin_tag(byte),
            (ElementPlace::Tag(named), _) => self.in_tag(named, byte),
            (ElementPlace::Value(quote), _) if byte == quote => {
                self.end_attribute();
                ElementPlace::Tag(true)
            }
            (place @ ElementPlace::Value(_), _) => {
                push(&mut self.value, byte);
                place
            }
            (ElementPlace::Instruction(true), b'>') => ElementPlace::Text,
            (ElementPlace::Instruction(_), _) => ElementPlace::Instruction(byte == b'?'),
            (ElementPlace::Bang(false), b'-') => ElementPlace::Bang(true),
            (ElementPlace::Bang(true), b'-') => ElementPlace::Section(b'-', 0),
            (ElementPlace::Bang(false), b'[') => ElementPlace::Section(b']', 0),
            (ElementPlace::Bang(_), _) => ElementPlace::Doctype(0),
            (ElementPlace::Section(_, 2..), b'>') | (ElementPlace::Doctype(0), b'>') => ElementPlace::Text,
            (ElementPlace::Section(mark, seen), _) if byte == mark => {
                ElementPlace::Section(mark, seen.saturating_add(1))
            }
            (ElementPlace::Section(mark, _), _) => ElementPlace::Section(mark, 0),
            (ElementPlace::Doctype(open), b'<') => ElementPlace::Doctype(open + 1),
            (ElementPlace::Doctype(open), b'>') => ElementPlace::Doctype(open - 1),
            (place, _) => place,
        };
    }

    fn begin_tag(&mut self, byte: u8) -> ElementPlace {
        self.name.clear();
        self.attribute.clear();
        (self.closing, self.slash) = (byte == b'/', false);
        if self.closing { ElementPlace::Tag(false) } else { self.in_tag(false, byte) }
    }

    fn in_tag(&mut self, named: bool, byte: u8) -> ElementPlace {
        let named = named || byte.is_ascii_whitespace() || matches!(byte, b'>' | b'/');
        match byte {
            b'>' => {
                self.end_tag();
                return ElementPlace::Text;
            }
            b'"' | b'\'' => {
                self.value.clear();
                return ElementPlace::Value(byte);
            }
            _ if !named => self.name.push(byte),
            b'=' => {}
            _ if byte.is_ascii_whitespace() => {}
            _ => push(&mut self.attribute, byte),
        }
        self.slash = byte == b'/';
        ElementPlace::Tag(named)
    }

    fn end_attribute(&mut self) {
        let is_triple = local(&self.attribute) == b"parseType" && self.value == b"Triple";
        let has_triple_term = is_triple || ANNOTATIONS.contains(&self.attribute.as_slice());
        self.has_triple_term |= has_triple_term;
        if self.open.len() == 1 {
            self.can_go_on |= NAMING.contains(&local(&self.attribute)) && self.attribute.contains(&b':');
            self.is_odd |= has_triple_term;
        }
        self.attribute.clear();
    }

    fn end_tag(&mut self) {
        if self.closing {
            // An end tag also closes elements still open inside: a missing one then costs one element, not the
            // whole file.
            let of = self.open.iter().rposition(|open| *open == self.name);
            // It is no longer certain which element the following properties belong to.
            self.is_odd |= of.is_none_or(|of| of + 1 < self.open.len());
            self.open.truncate(of.unwrap_or(self.open.len().saturating_sub(1)));
        } else if self.open.len() == 2 && local(&self.name) == MEMBER {
            self.is_odd = true;
        }
        if !self.closing && !self.slash {
            self.open.push(self.name.clone());
        }
        self.closed = self.open.is_empty();
    }
}

/// A name without its prefix.
fn local(name: &[u8]) -> &[u8] {
    name.rsplit(|byte| *byte == b':').next().unwrap_or(name)
}

fn push(text: &mut Vec<u8>, byte: u8) {
    if text.len() < MAX_ATTRIBUTE {
        text.push(byte);
    }
}

impl<R: Read> Read for Elements<R> {
    fn read(&mut self, buffer: &mut [u8]) -> Result<usize> {
        if buffer.is_empty() || !self.fill()? {
            return Ok(0);
        }
        let (from, in_head) = (self.given, self.open.is_empty() && !self.closed);
        self.has_moved = true;
        let count = self.scan(buffer.len());
        if std::mem::take(&mut self.has_triple_term) {
            return Err(Error::new(ErrorKind::Unsupported, TripleTerm));
        }
        let piece = self.chunk.get(from..self.given).unwrap_or_default();
        buffer.iter_mut().zip(piece).for_each(|(to, from)| *to = *from);
        if in_head && let Some(head) = &mut self.head {
            head.extend_from_slice(piece);
            if head.len() > MAX_HEAD {
                self.head = None;
            }
        }
        Ok(count)
    }
}
