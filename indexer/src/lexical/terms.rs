//! All words of all names with their document counts, as one automaton in a memory-mapped file.
//!
//! Tantivy has one dictionary per segment; searching each of them for misspelt forms takes that many
//! times longer.

use super::near;
use super::rows::{close, map};
use super::words::Words;
use super::{FIELDS, LexicalError};
use memmap2::Mmap;
use std::fs::File;
use std::io::BufWriter;
use std::path::Path;
use tantivy::Index;
use tantivy::termdict::TermMerger;
use tantivy_fst::raw::Fst;
use tantivy_fst::{IntoStreamer, Map, MapBuilder, Streamer};

const FILE: &str = "names.fst";

/// The words of an index.
pub(super) struct Terms(Map<Mmap>);

impl Terms {
    /// Writes the words of a finished Tantivy index beside it.
    pub(super) fn write(folder: &Path, index: &Index) -> Result<(), LexicalError> {
        let path = folder.join(FILE);
        let failed = |source| LexicalError::File { path: path.clone(), source };
        let broken = |error: tantivy_fst::Error| failed(std::io::Error::other(error));
        let file = File::create(&path).map_err(failed)?;
        let mut builder = MapBuilder::new(BufWriter::new(file)).map_err(broken)?;
        let searcher = index.reader()?.searcher();
        let segments = searcher.segment_readers().iter().map(|segment| segment.inverted_index(FIELDS.name));
        let segments = segments.collect::<Result<Vec<_>, _>>()?;
        let streams = segments.iter().map(|segment| segment.terms().stream());
        let streams = streams.collect::<Result<Vec<_>, _>>().map_err(failed)?;
        let mut merged = TermMerger::new(streams);
        while merged.advance() {
            let infos = merged.current_segment_ords_and_term_infos();
            let documents = infos.map(|(_, info)| u64::from(info.doc_freq)).sum();
            builder.insert(merged.key(), documents).map_err(broken)?;
        }
        close(builder.into_inner().map_err(broken)?).map_err(failed)
    }

    /// Opens the words of the index in `folder`.
    pub(super) fn open(folder: &Path) -> Result<Self, LexicalError> {
        let damaged = || LexicalError::Damaged { folder: folder.to_owned() };
        let data = map(&folder.join(FILE))?.ok_or_else(damaged)?;
        Ok(Self(Map::from(Fst::new(data).map_err(|_| damaged())?)))
    }
}

impl Words for Terms {
    fn documents(&self, word: &str) -> u64 {
        self.0.get(word).unwrap_or(0)
    }

    fn near(&self, word: &str, edits: u8, fixed: usize, take: &mut dyn FnMut(&str)) {
        near::visit(self.0.as_fst(), word, edits, fixed, take);
    }

    fn beginning(&self, start: &str, limit: usize, take: &mut dyn FnMut(&str, u64)) {
        let end = format!("{start}{}", char::MAX);
        let mut stream = self.0.range().ge(start).lt(end).into_stream();
        for _ in 0..limit {
            let Some((word, documents)) = stream.next() else { return };
            if let Ok(word) = std::str::from_utf8(word) {
                take(word, documents);
            }
        }
    }
}
