//! Passes on JSON-LD, and fails with an [`Excess`] if objects are nested too deeply or contexts are too large in total.

use super::contexts::Contexts;
use super::measure::Measure;
use crate::source::json_scanner::JsonScanner;
use eruca_sparql::Excess;
use std::io::{Read, Result};

/// Maximum nesting of objects and arrays. Real documents have about ten levels.
const MAX_DEPTH: usize = 128;
/// Maximum size of a context in bytes.
const MAX_CONTEXT: usize = 16 << 20;
/// Maximum size of contexts in use, in bytes, summed over the nested objects that need a copy of them: each takes about forty
/// times as much memory.
const MAX_IN_USE: usize = 16 << 20;
/// Maximum number of bytes of a key that are compared: `@context`, with every character escaped.
const MAX_KEY: usize = 50;

/// An object or array that is open.
#[derive(Debug, Clone, Copy, Default)]
struct Level {
    /// Size of the contexts in use, in bytes.
    active: usize,
    /// Whether one of them has scoped contexts for some terms, which change the contexts in use at any object.
    scoped: bool,
    /// What this level adds to the total in use.
    charged: usize,
    /// Number of levels that have been in it.
    below: usize,
}

/// The last thing read other than white space.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum JsonPlace {
    /// Something else.
    Elsewhere,
    /// The key `@context` and its colon: a context follows.
    BeforeContext,
    /// In a context that began at this depth; `text` if it is a string.
    Context { depth: usize, text: bool },
}

/// Passes on JSON-LD that is within the limits.
pub(in crate::source) struct BoundedJson<R> {
    inner: R,
    contexts: Contexts,
    scanner: JsonScanner,
    line: u64,
    column: u64,
    place: JsonPlace,
    /// The beginning of the last string, without quotes, as written.
    text: Vec<u8>,
    context: Vec<u8>,
    levels: Vec<Level>,
    in_use: usize,
    excess: Option<Excess>,
}

impl<R: Read> BoundedJson<R> {
    pub(in crate::source) fn new(inner: R, contexts: Contexts) -> Self {
        Self {
            inner,
            contexts,
            scanner: JsonScanner::default(),
            line: 1,
            column: 0,
            place: JsonPlace::Elsewhere,
            text: Vec::new(),
            context: Vec::new(),
            levels: Vec::new(),
            in_use: 0,
            excess: None,
        }
    }

    fn step(&mut self, byte: u8) -> std::result::Result<(), String> {
        self.count(byte);
        let (depth, was_text) = (self.scanner.depth(), self.scanner.in_string());
        self.scanner.step(byte);
        let is_text = self.scanner.in_string();
        if self.scanner.depth() > MAX_DEPTH {
            return Err(format!("objects and arrays stand more than {MAX_DEPTH} deep in each other"));
        }
        self.keep_text(byte, was_text, is_text);
        match self.place {
            JsonPlace::Context { depth, text } => {
                self.context.push(byte);
                let over = if text { !is_text } else { self.scanner.depth() <= depth };
                if over { self.end_context() } else { self.check_length() }
            }
            _ if was_text || is_text && self.place == JsonPlace::Elsewhere => Ok(()),
            JsonPlace::BeforeContext if !byte.is_ascii_whitespace() => {
                self.begin_context(byte, depth);
                Ok(())
            }
            JsonPlace::BeforeContext => Ok(()),
            JsonPlace::Elsewhere => self.between(byte),
        }
    }

    fn count(&mut self, byte: u8) {
        match byte {
            b'\n' => (self.line, self.column) = (self.line + 1, 0),
            _ => self.column += u64::from(byte & 0xc0 != 0x80),
        }
    }

    fn keep_text(&mut self, byte: u8, was_text: bool, is_text: bool) {
        match (was_text, is_text) {
            (false, true) => self.text.clear(),
            (true, true) if self.text.len() < MAX_KEY => self.text.push(byte),
            _ => {}
        }
    }

    /// Handles a byte outside of strings and contexts.
    fn between(&mut self, byte: u8) -> std::result::Result<(), String> {
        match byte {
            b':' if is_context(&self.text) => self.place = JsonPlace::BeforeContext,
            b'{' | b'[' => return self.open(),
            b'}' | b']' => self.close(),
            _ => {}
        }
        Ok(())
    }

    fn begin_context(&mut self, byte: u8, depth: usize) {
        self.context.clear();
        self.context.push(byte);
        self.place = match byte {
            b'{' | b'[' => JsonPlace::Context { depth, text: false },
            b'"' => JsonPlace::Context { depth, text: true },
            // Null, or not a context at all.
            _ => JsonPlace::Elsewhere,
        };
    }

    fn check_length(&self) -> std::result::Result<(), String> {
        if self.context.len() <= MAX_CONTEXT {
            return Ok(());
        }
        Err(format!("a context has more than {MAX_CONTEXT} bytes"))
    }

    fn end_context(&mut self) -> std::result::Result<(), String> {
        self.place = JsonPlace::Elsewhere;
        let context = std::mem::take(&mut self.context);
        let Measure { bytes, scoped, .. } = self.contexts.measure(&context)?;
        let Some(level) = self.levels.last_mut() else { return Ok(()) };
        level.active += bytes;
        level.scoped |= scoped;
        level.charged += level.active;
        self.in_use += level.active;
        // What precedes the context in its object is subject to it, too.
        let above = self.in_use.saturating_add(level.below.saturating_mul(level.active));
        Self::check_use(above)
    }

    fn open(&mut self) -> std::result::Result<(), String> {
        let Level { active, scoped, .. } = self.levels.last().copied().unwrap_or_default();
        let charged = if scoped { active } else { 0 };
        self.levels.push(Level { active, scoped, charged, below: 0 });
        self.in_use += charged;
        Self::check_use(self.in_use)
    }

    fn close(&mut self) {
        let Some(closed) = self.levels.pop() else { return };
        self.in_use -= closed.charged;
        if let Some(level) = self.levels.last_mut() {
            level.below = level.below.max(closed.below + 1);
        }
    }

    fn check_use(in_use: usize) -> std::result::Result<(), String> {
        if in_use <= MAX_IN_USE {
            return Ok(());
        }
        Err(format!(
            "the contexts of objects in each other come to more than {MAX_IN_USE} bytes, counted for each of the objects"
        ))
    }
}

/// Whether a key is `@context`, however it is escaped.
fn is_context(text: &[u8]) -> bool {
    let quoted = [b"\"", text, b"\""].concat();
    text.len() < MAX_KEY && serde_json::from_slice::<String>(&quoted).is_ok_and(|key| key == "@context")
}

impl<R: Read> Read for BoundedJson<R> {
    fn read(&mut self, buffer: &mut [u8]) -> Result<usize> {
        if let Some(excess) = &self.excess {
            return Err(excess.clone().into());
        }
        let count = self.inner.read(buffer)?;
        for (at, byte) in buffer.iter().take(count).enumerate() {
            if let Err(told) = self.step(*byte) {
                let excess = Excess::at((self.line, self.column), told);
                self.excess = Some(excess.clone());
                // Only what precedes the excess is passed on: with this byte, the parser would start processing it.
                return if at > 0 { Ok(at) } else { Err(excess.into()) };
            }
        }
        Ok(count)
    }
}
