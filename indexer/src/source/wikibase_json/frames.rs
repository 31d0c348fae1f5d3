//! Entities as texts, one at a time: one per line, or one per object. At most one is in memory.
//!
//! Their length is limited. Tests: `tests`.

use super::recognise::Layout;
use crate::source::json_scanner::JsonScanner;
use std::io::{BufRead, BufReader, Read};

/// Maximum size of an entity in bytes. The largest ones of Wikidata have about 5 MB.
const MAX_BYTES: usize = 64 << 20;
/// Number of bytes read at a time.
const PIECE: usize = 1 << 16;
/// Maximum length in bytes of a key that is compared: the relevant keys are shorter.
const MAX_KEY: usize = 32;

/// The text of an entity and the line where it begins.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Frame {
    pub(super) line: u64,
    pub(super) text: Vec<u8>,
}

#[derive(Debug)]
pub(super) enum FrameError {
    Io(std::io::Error),
    Broken { line: u64, reason: String },
}

/// The entities of a file.
pub(super) struct Frames<R> {
    reader: BufReader<R>,
    layout: Layout,
    max_bytes: usize,
    /// The current line, starting at 1.
    line: u64,
    /// Whether a list was begun and has not ended.
    open_list: bool,
    scanner: JsonScanner,
    key: OuterKey,
    over: bool,
}

/// The current key of the outermost object.
#[derive(Debug, Default)]
struct OuterKey {
    text: Vec<u8>,
    current: Vec<u8>,
}

impl<R: Read> Frames<R> {
    pub(super) fn new(reader: R, layout: Layout) -> Self {
        Self {
            reader: BufReader::with_capacity(PIECE, reader),
            layout,
            max_bytes: MAX_BYTES,
            line: 0,
            open_list: false,
            scanner: JsonScanner::default(),
            key: OuterKey::default(),
            over: false,
        }
    }

    #[cfg(test)]
    pub(super) fn with_max_bytes(self, max_bytes: usize) -> Self {
        Self { max_bytes, ..self }
    }

    pub(super) fn next(&mut self) -> Option<Result<Frame, FrameError>> {
        if self.over {
            return None;
        }
        let next = match self.layout {
            Layout::Lines => self.next_line(),
            Layout::Objects { within } => self.next_object(within, false),
            Layout::Keyed => self.next_object(2, true),
        };
        match next {
            Ok(Some(frame)) => Some(Ok(frame)),
            Ok(None) => {
                self.over = true;
                None
            }
            Err(error) => {
                self.over |= matches!(error, FrameError::Io(_));
                Some(Err(error))
            }
        }
    }

    fn next_line(&mut self) -> Result<Option<Frame>, FrameError> {
        loop {
            let mut text = Vec::new();
            let limit = self.max_bytes as u64 + 1;
            let read =
                self.reader.by_ref().take(limit).read_until(b'\n', &mut text).map_err(FrameError::Io)?;
            if read == 0 {
                return self.end(self.open_list);
            }
            self.line += 1;
            if text.len() > self.max_bytes {
                self.reader.skip_until(b'\n').map_err(FrameError::Io)?;
                return Err(self.too_long(self.line));
            }
            if let Some(text) = self.entity_of(&text) {
                return Ok(Some(Frame { line: self.line, text }));
            }
        }
    }

    /// A line without the brackets and commas that belong to the list.
    fn entity_of(&mut self, line: &[u8]) -> Option<Vec<u8>> {
        let mut text = line.trim_ascii();
        if let Some(rest) = text.strip_prefix(b"[") {
            (text, self.open_list) = (rest.trim_ascii_start(), true);
        }
        text = text.strip_prefix(b",").unwrap_or(text).trim_ascii_start();
        if let Some(rest) = text.strip_suffix(b"]") {
            (text, self.open_list) = (rest.trim_ascii_end(), false);
        }
        text = text.strip_suffix(b",").unwrap_or(text).trim_ascii_end();
        (!text.is_empty()).then(|| text.to_vec())
    }

    fn next_object(&mut self, within: usize, keyed: bool) -> Result<Option<Frame>, FrameError> {
        self.line = self.line.max(1);
        let mut found: Option<Frame> = None;
        loop {
            let piece = self.reader.fill_buf().map_err(FrameError::Io)?;
            if piece.is_empty() {
                return self.end(self.scanner.depth() > 0);
            }
            let (mut used, mut done) = (0, false);
            for byte in piece {
                used += 1;
                self.line += u64::from(*byte == b'\n');
                let before = self.scanner;
                self.scanner.step(*byte);
                if keyed {
                    self.key.step(before, *byte);
                }
                let begins = *byte == b'{' && !before.in_string() && before.depth() == within;
                if begins && (!keyed || self.key.current == b"entities") {
                    found = Some(Frame { line: self.line, text: Vec::new() });
                }
                if let Some(frame) = &mut found {
                    if frame.text.len() <= self.max_bytes {
                        frame.text.push(*byte);
                    }
                    done = self.scanner.depth() == within;
                    if done {
                        break;
                    }
                }
            }
            self.reader.consume(used);
            if let Some(frame) = found.take_if(|_| done) {
                let too_long = frame.text.len() > self.max_bytes;
                return if too_long { Err(self.too_long(frame.line)) } else { Ok(Some(frame)) };
            }
        }
    }

    fn end(&mut self, open: bool) -> Result<Option<Frame>, FrameError> {
        self.over = true;
        if open {
            let reason = "the file ends before its list of entities does; is it whole?".to_owned();
            return Err(FrameError::Broken { line: self.line, reason });
        }
        Ok(None)
    }

    fn too_long(&self, line: u64) -> FrameError {
        let reason = format!("an entity has more than {} bytes, which is not read", self.max_bytes);
        FrameError::Broken { line, reason }
    }
}

impl OuterKey {
    /// Tracks the keys of the outermost object.
    fn step(&mut self, before: JsonScanner, byte: u8) {
        if before.depth() != 1 {
            return;
        }
        match (before.in_string(), byte) {
            (false, b'"') => self.text.clear(),
            (true, b'"') => {}
            (true, byte) if self.text.len() < MAX_KEY => self.text.push(byte),
            (false, b':') => self.current = std::mem::take(&mut self.text),
            _ => {}
        }
    }
}
