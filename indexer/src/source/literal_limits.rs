//! Faults within single texts and IRIs of a file that would affect more than their statement. Parsers for Turtle-like syntaxes
//! and for JSON fail permanently at a text longer than their buffers, mistake the end of one that is not UTF-8 for its
//! beginning, and in line-based syntaxes look for the end of one beyond its line. Such texts are terminated and marked here, so
//! that only their statements are left out and their positions are known. Triple terms of RDF 1.2 are also detected, as the
//! parsers refuse them without naming them.

use super::utf8_check::{INVALID_BYTE, Utf8Check};
use oxrdf::{NamedOrBlankNode, Quad, Term};
use std::cell::RefCell;
use std::collections::VecDeque;
use std::io::{self, Read};
use std::rc::Rc;
use uuid::Uuid;

/// Buffer size of the parsers for Turtle-like syntaxes, in bytes.
const TURTLE_BUFFER: usize = 16 << 20;
/// Maximum part of the buffer that parsers use for what precedes a text on its line.
const TURTLE_KEPT: usize = TURTLE_BUFFER / 2;
/// Usable buffer in bytes: the JSON parser doubles its buffer, and fails when that reaches 16 MiB.
const JSON_BUFFER: usize = 8 << 20;
/// Bytes of a buffer reserved for the marker and for the parser's look-ahead after a text.
const SPARE: usize = 1 << 16;
/// Number of bytes read at a time.
const CHUNK: usize = 1 << 16;
/// Maximum number of faults whose positions are kept; for further ones, the last of these is reported.
const MAX_PLACES: usize = 100_000;

/// The scanned syntax.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum ScannedSyntax {
    /// Turtle, TriG, N3.
    Turtle,
    /// N-Triples, N-Quads: no text extends beyond its line.
    Lines,
    /// JSON-LD.
    Json,
}

/// A position in a file, starting at 1.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Spot {
    pub(super) line: u64,
    pub(super) column: u64,
}

/// What is wrong with a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum TextFault {
    TooLong,
    NotInUtf8,
    Unended,
}

impl TextFault {
    pub(super) fn reason(self, language: ScannedSyntax) -> String {
        match self {
            Self::TooLong => format!("a text or IRI longer than {} cannot be read", longest(language)),
            Self::NotInUtf8 => "invalid UTF-8 in a text or IRI".to_owned(),
            Self::Unended => "a text has no quote at its end, before the line ends".to_owned(),
        }
    }
}

/// What has been noticed so far.
#[derive(Debug, Clone)]
pub(super) struct Noticed(Rc<RefCell<Notes>>);

#[derive(Debug)]
struct Notes {
    /// Inserted into each faulty text, followed by the number of the fault.
    marker: String,
    faults: Vec<(Spot, TextFault)>,
    /// Lines with triple terms that the parser has not reached yet.
    triple_terms: VecDeque<u64>,
}

impl Noticed {
    fn new() -> Self {
        let marker = format!("-cut-{}-", Uuid::new_v4().simple());
        Self(Rc::new(RefCell::new(Notes { marker, faults: Vec::new(), triple_terms: VecDeque::new() })))
    }

    /// The fault of a text or IRI in a quad, with its position.
    pub(super) fn fault_in(&self, quad: &Quad) -> Option<(Spot, TextFault)> {
        let notes = self.0.borrow();
        if notes.faults.is_empty() {
            return None;
        }
        let subject = match &quad.subject {
            NamedOrBlankNode::NamedNode(node) => node.as_str(),
            NamedOrBlankNode::BlankNode(_) => "",
        };
        let (object, datatype) = match &quad.object {
            Term::NamedNode(node) => (node.as_str(), ""),
            Term::Literal(literal) => (literal.value(), literal.datatype().as_str()),
            Term::BlankNode(_) => ("", ""),
        };
        let graph = match &quad.graph_name {
            oxrdf::GraphName::NamedNode(node) => node.as_str(),
            oxrdf::GraphName::BlankNode(_) | oxrdf::GraphName::DefaultGraph => "",
        };
        let texts = [object, subject, quad.predicate.as_str(), datatype, graph];
        texts.into_iter().find_map(|text| {
            let (number, _) = text.split_once(&notes.marker)?.1.split_once('-')?;
            notes.faults.get(number.parse::<usize>().ok()?).copied()
        })
    }

    /// Whether there is a triple term on this line. Must be called with ascending lines.
    pub(super) fn is_triple_term(&self, line: u64) -> bool {
        let lines = &mut self.0.borrow_mut().triple_terms;
        while lines.front().is_some_and(|first| *first < line) {
            lines.pop_front();
        }
        lines.front() == Some(&line)
    }

    /// Records a fault and returns its mark, which consists of characters allowed in IRIs.
    fn add(&self, spot: Spot, fault: TextFault) -> String {
        let mut notes = self.0.borrow_mut();
        if notes.faults.len() < MAX_PLACES {
            notes.faults.push((spot, fault));
        }
        format!("{}{}-", notes.marker, notes.faults.len() - 1)
    }

    fn add_triple_term(&self, line: u64) {
        let lines = &mut self.0.borrow_mut().triple_terms;
        if lines.back() != Some(&line) {
            lines.push_back(line);
        }
    }
}

/// The maximum length of a text, for people.
fn longest(language: ScannedSyntax) -> &'static str {
    match language {
        ScannedSyntax::Turtle | ScannedSyntax::Lines => "15 MiB",
        ScannedSyntax::Json => "7 MiB",
    }
}

/// The context of the next byte.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum TextPlace {
    Plain,
    /// After `<`, which begins an IRI or a triple term.
    Angle,
    /// After `{`, which may begin an annotation.
    Brace,
    Comment,
    Iri,
    /// After this number of these quotes in a row, which begin a text.
    Opening(u8, u8),
    /// In a text that ends with one quote.
    Short(u8),
    /// In a text that ends with three quotes, after this number of them.
    Long(u8, u8),
}

/// Passes on a file, with faulty texts marked.
pub(super) struct Bounded<R> {
    inner: R,
    language: ScannedSyntax,
    noticed: Noticed,
    utf8_check: Utf8Check,
    chunk: Vec<u8>,
    ready: Vec<u8>,
    given: usize,
    place: TextPlace,
    /// Whether the previous byte was a backslash.
    escaped: bool,
    /// Number of remaining bytes of an escape such as `\u00e9`.
    escape_left: usize,
    /// Whether the previous byte ended a line as a carriage return, which a line feed may follow.
    returned: bool,
    spot: Spot,
    /// Number of bytes on this line.
    on_line: usize,
    /// Where the text began, and its allowed and actual length.
    began: Spot,
    allowed: usize,
    length: usize,
    /// Whether further bytes of the text are dropped.
    cut: bool,
    /// Whether the text contains invalid UTF-8.
    is_marked: bool,
}

impl<R: Read> Bounded<R> {
    pub(super) fn new(inner: R, language: ScannedSyntax) -> Self {
        let start = Spot { line: 1, column: 1 };
        Self {
            inner,
            language,
            noticed: Noticed::new(),
            utf8_check: Utf8Check::default(),
            chunk: vec![0; CHUNK],
            ready: Vec::new(),
            given: 0,
            place: TextPlace::Plain,
            escaped: false,
            escape_left: 0,
            returned: false,
            spot: start,
            on_line: 0,
            began: start,
            allowed: 0,
            length: 0,
            cut: false,
            is_marked: false,
        }
    }

    pub(super) fn noticed(&self) -> Noticed {
        self.noticed.clone()
    }

    /// Scans the next bytes of the file and appends them to the output.
    fn scan(&mut self, mut bytes: &[u8]) {
        loop {
            let (run, rest) = bytes.split_at_checked(self.run(bytes)).unwrap_or((&[], bytes));
            self.take(run);
            let Some((byte, rest)) = rest.split_first() else { return };
            self.step(*byte);
            self.count(*byte);
            bytes = rest;
        }
    }

    /// Length of the run of bytes in the same context as the previous one: most of a file is copied in such runs.
    fn run(&self, bytes: &[u8]) -> usize {
        if self.escaped || self.escape_left > 0 {
            return 0;
        }
        let end = match self.place {
            TextPlace::Plain | TextPlace::Comment | TextPlace::Short(_) | TextPlace::Long(_, 0) => {
                bytes.iter().position(|byte| is_special(*byte))
            }
            TextPlace::Iri => bytes.iter().position(|byte| is_special(*byte) || byte.is_ascii_whitespace()),
            TextPlace::Angle | TextPlace::Brace | TextPlace::Opening(..) | TextPlace::Long(..) => return 0,
        };
        let run = end.unwrap_or(bytes.len());
        let fits = self.cut || !self.is_within() || self.length + run <= self.allowed;
        if fits { run } else { 0 }
    }

    fn take(&mut self, run: &[u8]) {
        if run.is_empty() {
            return;
        }
        if !self.cut {
            self.ready.extend_from_slice(run);
        }
        self.length += run.len();
        self.on_line += run.len();
        self.spot.column += run.iter().filter(|byte| *byte & 0xc0 != 0x80).count() as u64;
        self.returned = false;
    }

    fn is_within(&self) -> bool {
        matches!(self.place, TextPlace::Iri | TextPlace::Short(_) | TextPlace::Long(..))
    }

    fn step(&mut self, byte: u8) {
        match self.place {
            TextPlace::Plain | TextPlace::Angle | TextPlace::Brace => self.between(byte),
            TextPlace::Comment => {
                self.ready.push(byte);
                if matches!(byte, b'\n' | b'\r') {
                    self.place = TextPlace::Plain;
                }
            }
            TextPlace::Opening(quote, 1) if byte == quote && self.language == ScannedSyntax::Turtle => {
                self.ready.push(byte);
                self.place = TextPlace::Opening(quote, 2);
            }
            TextPlace::Opening(quote, 2) if byte == quote => {
                self.ready.push(byte);
                self.place = TextPlace::Long(quote, 0);
            }
            TextPlace::Opening(_, 2) => {
                self.place = TextPlace::Plain;
                self.between(byte);
            }
            TextPlace::Opening(quote, _) => {
                self.place = TextPlace::Short(quote);
                self.within(byte);
            }
            TextPlace::Iri | TextPlace::Short(_) | TextPlace::Long(..) => self.within(byte),
        }
    }

    /// Handles a byte outside of texts and IRIs.
    fn between(&mut self, byte: u8) {
        self.ready.push(byte);
        if std::mem::take(&mut self.escaped) {
            return;
        }
        let before = std::mem::replace(&mut self.place, TextPlace::Plain);
        match (self.language, before, byte) {
            (_, _, b'"') | (ScannedSyntax::Turtle, _, b'\'') => self.begin(TextPlace::Opening(byte, 1)),
            (ScannedSyntax::Json, ..) => {}
            (_, TextPlace::Angle, b'<') | (_, TextPlace::Brace, b'|') => {
                self.noticed.add_triple_term(self.spot.line);
            }
            (_, TextPlace::Angle, _) if !byte.is_ascii_whitespace() && byte != b'>' => {
                self.place = TextPlace::Iri;
            }
            (_, _, b'<') => self.begin(TextPlace::Angle),
            (_, _, b'{') => self.place = TextPlace::Brace,
            (_, _, b'#') => self.place = TextPlace::Comment,
            (_, _, b'\\') => self.escaped = true,
            _ => {}
        }
    }

    fn begin(&mut self, place: TextPlace) {
        self.place = place;
        self.began = self.spot;
        self.length = 0;
        self.allowed = match self.language {
            ScannedSyntax::Turtle | ScannedSyntax::Lines => {
                TURTLE_BUFFER - SPARE - self.on_line.min(TURTLE_KEPT)
            }
            ScannedSyntax::Json => JSON_BUFFER - SPARE,
        };
    }

    /// Handles a byte within a text or IRI, or at its end.
    fn within(&mut self, byte: u8) {
        let in_escape = self.is_in_escape(byte);
        match self.place {
            TextPlace::Iri if byte == b'>' || byte.is_ascii_whitespace() => return self.end(&[byte]),
            TextPlace::Short(quote) if !in_escape && byte == quote => return self.end(&[byte]),
            TextPlace::Short(quote) if !in_escape && matches!(byte, b'\n' | b'\r') => {
                return self.end_of_line(quote, byte);
            }
            TextPlace::Long(quote, 2) if !in_escape && byte == quote => {
                let all = [quote; 3];
                return self.end(if self.cut { &all } else { &all[..1] });
            }
            TextPlace::Long(quote, seen) => {
                let again = !in_escape && byte == quote;
                self.place = TextPlace::Long(quote, if again { seen + 1 } else { 0 });
            }
            _ => {}
        }
        self.length += 1;
        if byte == INVALID_BYTE {
            return self.no_letter();
        }
        // Characters and escapes are not split.
        if !self.cut && self.length > self.allowed && !in_escape && byte & 0xc0 != 0x80 {
            self.cut = true;
            let marker = self.noticed.add(self.began, TextFault::TooLong);
            self.ready.extend_from_slice(marker.as_bytes());
        }
        if !self.cut {
            self.ready.push(byte);
        }
    }

    /// Replaces the first invalid byte by a mark, and drops others.
    fn no_letter(&mut self) {
        if !self.cut && !std::mem::replace(&mut self.is_marked, true) {
            let marker = self.noticed.add(self.spot, TextFault::NotInUtf8);
            self.ready.extend_from_slice(marker.as_bytes());
        }
    }

    /// A line ends within a text. In line-based syntaxes, text and statement end here; else the parser goes on to the next quote.
    fn end_of_line(&mut self, quote: u8, byte: u8) {
        if self.language == ScannedSyntax::Lines {
            let marker = self.noticed.add(self.began, TextFault::Unended);
            self.ready.extend_from_slice(marker.as_bytes());
            self.ready.extend_from_slice(&[quote, b' ', b'.']);
        }
        self.end(&[byte]);
    }

    /// Whether the byte belongs to an escape that began before it.
    fn is_in_escape(&mut self, byte: u8) -> bool {
        if self.escape_left > 0 {
            self.escape_left -= 1;
            return true;
        }
        if std::mem::take(&mut self.escaped) {
            self.escape_left = match byte {
                b'u' => 4,
                b'U' => 8,
                _ => 0,
            };
            return true;
        }
        self.escaped = byte == b'\\';
        false
    }

    fn end(&mut self, bytes: &[u8]) {
        self.ready.extend_from_slice(bytes);
        (self.place, self.escaped, self.escape_left) = (TextPlace::Plain, false, 0);
        (self.cut, self.is_marked) = (false, false);
    }

    /// Advances the position, with line ends as defined by the parsers.
    fn count(&mut self, byte: u8) {
        let returned = std::mem::replace(&mut self.returned, byte == b'\r');
        match byte {
            b'\n' if returned => self.on_line = 0,
            b'\n' | b'\r' => {
                self.spot = Spot { line: self.spot.line + 1, column: 1 };
                self.on_line = 0;
            }
            _ => {
                self.on_line += 1;
                self.spot.column += u64::from(byte & 0xc0 != 0x80);
            }
        }
    }
}

/// Whether a byte may change the context.
fn is_special(byte: u8) -> bool {
    matches!(byte, b'"' | b'\'' | b'<' | b'>' | b'{' | b'#' | b'\\' | b'\n' | b'\r' | INVALID_BYTE)
}

impl<R: Read> Read for Bounded<R> {
    /// Fills the buffer as far as possible: a parser rescans a long text whenever it gets more of it.
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let mut filled = 0;
        while let Some(room) = buffer.get_mut(filled..).filter(|room| !room.is_empty()) {
            let ready = self.ready.get(self.given..).unwrap_or_default();
            if ready.is_empty() {
                self.ready.clear();
                self.given = 0;
                let mut chunk = std::mem::take(&mut self.chunk);
                let read = self.inner.read(&mut chunk);
                let piece = chunk.get(..*read.as_ref().unwrap_or(&0)).unwrap_or_default();
                let text = self.utf8_check.next(piece, matches!(read, Ok(0)));
                self.scan(&text);
                drop(text);
                self.chunk = chunk;
                match read {
                    Ok(0) if self.ready.is_empty() => break,
                    Ok(_) => continue,
                    // The reader will fail again at the next call, after these bytes have been returned.
                    Err(_) if filled > 0 => break,
                    Err(error) => return Err(error),
                }
            }
            let count = ready.len().min(room.len());
            room.iter_mut().zip(ready).for_each(|(to, from)| *to = *from);
            self.given += count;
            filled += count;
        }
        Ok(filled)
    }
}
