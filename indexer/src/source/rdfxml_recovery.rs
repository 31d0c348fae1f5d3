//! RDF/XML, handed to its parser one property of an element below `rdf:RDF` at a time. After an error the parser's output for the
//! rest of the element is wrong, and it does not notice a missing end tag; so it restarts behind the broken property, with the tag
//! of its element before it, or behind the broken element where that would make something else of the element.

use std::io::{Cursor, Error, ErrorKind, Read, Result};

/// Bytes read at a time.
const CHUNK: usize = 1 << 16;
/// The longest start of a file, with its declarations, in bytes, that is kept to restart the parser with.
const MAX_HEAD: usize = 1 << 20;
/// The local name of the root element.
const ROOT: &[u8] = b"RDF";
/// Attributes that give an element a name: behind its tag alone the same node goes on.
const NAMING: [&[u8]; 3] = [b"about", b"ID", b"nodeID"];
/// The name of a property whose meaning depends on how many of them come before it.
const MEMBER: &[u8] = b"li";
/// The longest name and value of an attribute, in bytes, that are compared.
const MAX_ATTRIBUTE: usize = 64;
/// Attributes of RDF 1.2, whatever their value. A parser of RDF 1.1 takes them for properties of the graph.
const ANNOTATIONS: &[&[u8]] = &[b"rdf:annotation", b"rdf:annotationNodeID"];

/// The error of reading an element with triple terms or annotations of RDF 1.2, which a parser of RDF 1.1 drops without a
/// word.
#[derive(Debug, thiserror::Error)]
#[error(
    "triple terms and annotations of RDF 1.2 (rdf:parseType=\"Triple\", rdf:annotation) are not read: only RDF 1.1 is"
)]
pub(super) struct TripleTerm;

/// Where the next byte stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum ElementPlace {
    Text,
    /// Behind `<`.
    Markup,
    /// In a tag; whether its name is over.
    Tag(bool),
    /// In a value of a tag, until this quote.
    Value(u8),
    /// In `<?…?>`; whether the last byte was `?`.
    Instruction(bool),
    /// Behind `<!`, and behind `<!-`.
    Bang(bool),
    /// In a comment or a CDATA section, which ends with this byte twice and `>`: how often it stood last.
    Section(u8, u8),
    /// In `<!DOCTYPE…>`: how many `<` are open.
    Doctype(usize),
}

/// The beginning of a document up to the tag of an element below the root.
pub(super) struct ElementHead {
    /// As it is.
    pub(super) text: Vec<u8>,
    /// With the end tags of all that is open.
    pub(super) whole: Vec<u8>,
}

/// A document that is handed on in pieces, each of which ends with a property of an element below the root at the
/// latest.
pub(super) struct Elements<R> {
    inner: R,
    chunk: Vec<u8>,
    given: usize,
    place: ElementPlace,
    /// The tag begins with `</`.
    closing: bool,
    /// The byte before was `/`.
    slash: bool,
    name: Vec<u8>,
    /// The attribute in which the tag is, and its value.
    attribute: Vec<u8>,
    value: Vec<u8>,
    /// A triple term or annotation was met that has not been reported yet.
    has_triple_term: bool,
    /// The names of the open elements.
    open: Vec<Vec<u8>>,
    /// The tag of the element below the root in which this is; its end is missing while it is read.
    element: Vec<u8>,
    /// The element has a name.
    can_go_on: bool,
    /// The element has members that are counted, tags that do not fit, or a tag that is not read.
    is_odd: bool,
    /// All up to the end of the root's tag; nothing when that is too long.
    head: Option<Vec<u8>>,
    line: u64,
    /// Where the last element or comment below the root begins that was passed to the parser.
    began: u64,
    /// The root is closed.
    closed: bool,
    /// Something was handed on since the last restart.
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

    /// The line where the current element of the parser begins.
    pub(super) fn began(&self) -> u64 {
        self.began
    }

    /// Where the document ends before its root does, if it does: the line.
    pub(super) fn cut_off(&self) -> Option<u64> {
        (!self.closed).then_some(self.line)
    }

    /// Leaves out the rest of the property in which the parser is. What comes next is to be read behind the returned beginning of
    /// the document, which ends with the tag of its element; nothing when that cannot go on.
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

    /// The tag of the element is what is broken, so that [`Self::skip`] has to leave it out.
    pub(super) fn broken_tag(&mut self) {
        self.has_moved = true;
    }

    /// Leaves out the rest of the element in which the parser is. What comes next is to be read behind the returned
    /// beginning of the document; nothing when the elements are not those of `rdf:RDF`, the document is over, or that beginning
    /// is what is broken.
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

    /// Goes on until no more than so many elements are open; whether the document comes so far.
    fn skip_to(&mut self, depth: usize) -> Result<bool> {
        while self.open.len() > depth || self.place != ElementPlace::Text {
            if !self.fill()? {
                return Ok(false);
            }
            self.scan(usize::MAX);
        }
        // The error of what is skipped covers what is inside it.
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

    /// Advances to the end of a tag of an element below the root, or of one of its properties, by at most this many bytes; returns by how many.
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
            // An end tag also closes what is still open inside its element: a missing one then costs one element, not the
            // file.
            let of = self.open.iter().rposition(|open| *open == self.name);
            // Whose properties the next ones are is not sure any more.
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
