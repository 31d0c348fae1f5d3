//! The ranks of documents before any question, and where the highest of them are: a search for a word of a million
//! documents begins there, and most often ends there too.
//!
//! Documents lie in blocks; blocks are sorted by their highest prior and shared out over levels, the highest first:
//!
//! ```text
//! priors.bin   the highest prior of each level (f64); then for each segment: its id (32 letters), the number of
//!              its blocks (u32), the level of each block (u8)
//! ```
//! Numbers are little-endian. A build sorts the documents of a batch by their prior, so that few blocks hold the highest.

use super::{LexicalError, PRIOR};
use std::fs::File;
use std::io::{BufWriter, Write};
use std::ops::Range;
use std::path::Path;
use tantivy::columnar::Column;
use tantivy::{DocId, Index, Searcher, SegmentReader};

const FILE: &str = "priors.bin";
/// Documents of a block, as many as a block of Tantivy's postings has at most.
const BLOCK: u32 = 128;
/// The share of all blocks down to the end of each level, in sixty-fourths.
const ENDS: [usize; 7] = [1, 2, 4, 8, 16, 32, 64];
/// The levels that a search looks through at a time: the best 64th, the best eighth, the rest.
pub(super) const PASSES: [Range<u8>; 3] = [0..1, 1..4, 4..ENDS.len() as u8];

const ID_BYTES: usize = 32;

/// The priors of an index.
pub(super) struct Priors {
    highest: [f64; ENDS.len()],
    segments: Vec<SegmentPriors>,
}

/// The priors of a segment.
pub(super) struct SegmentPriors {
    column: Column<f64>,
    levels: Vec<u8>,
}

impl Priors {
    /// Writes the levels of a finished Tantivy index beside it.
    pub(super) fn write(folder: &Path, index: &Index) -> Result<(), LexicalError> {
        let searcher = index.reader()?.searcher();
        let (mut blocks, mut counts) = (Vec::new(), Vec::new());
        for segment in searcher.segment_readers() {
            let highest = highest_of_blocks(segment)?;
            counts.push(highest.len());
            blocks.extend(highest);
        }
        let (highest, levels) = share_out(&blocks);
        let path = folder.join(FILE);
        let failed = |source| LexicalError::File { path: path.clone(), source };
        let mut file = BufWriter::new(File::create(&path).map_err(failed)?);
        for number in highest {
            file.write_all(&number.to_le_bytes()).map_err(failed)?;
        }
        let mut rest = levels.as_slice();
        for (segment, count) in searcher.segment_readers().iter().zip(counts) {
            let (levels, after) = rest.split_at(count);
            rest = after;
            let id = segment.segment_id().uuid_string();
            let written = file
                .write_all(id.as_bytes())
                .and_then(|()| file.write_all(&(count as u32).to_le_bytes()))
                .and_then(|()| file.write_all(levels));
            written.map_err(failed)?;
        }
        let file = file.into_inner().map_err(std::io::IntoInnerError::into_error).map_err(failed)?;
        file.sync_all().map_err(failed)
    }

    /// Opens the priors of the index in `folder`.
    pub(super) fn open(folder: &Path, searcher: &Searcher) -> Result<Self, LexicalError> {
        let path = folder.join(FILE);
        let bytes = std::fs::read(&path).map_err(|source| LexicalError::File { path, source })?;
        let damaged = || LexicalError::Damaged { folder: folder.to_owned() };
        let mut rest = bytes.as_slice();
        let mut highest = [0.0; ENDS.len()];
        for number in &mut highest {
            *number = f64::from_le_bytes(take(&mut rest).ok_or_else(damaged)?);
        }
        let segments = searcher.segment_readers().iter().map(|segment| {
            let levels = take_levels(&mut rest, segment).ok_or_else(damaged)?;
            Ok(SegmentPriors { column: segment.fast_fields().f64(PRIOR)?, levels })
        });
        let segments = segments.collect::<Result<_, LexicalError>>()?;
        if rest.is_empty() { Ok(Self { highest, segments }) } else { Err(damaged()) }
    }

    /// The priors of a segment by its number.
    pub(super) fn segment(&self, segment: usize) -> Option<&SegmentPriors> {
        self.segments.get(segment)
    }

    /// The number of the first of these levels in which no document reaches `least`, when its words score `most`.
    pub(super) fn reaching(&self, levels: &Range<u8>, most: f64, least: f64) -> u8 {
        let above = |level: &u8| self.highest.get(usize::from(*level)).is_some_and(|top| top * most > least);
        levels.clone().find(|level| !above(level)).unwrap_or(levels.end)
    }
}

impl SegmentPriors {
    pub(super) fn of(&self, document: DocId) -> f64 {
        self.column.first(document).unwrap_or(1.0)
    }

    /// The first document from this one on that lies in one of the levels; `None` behind the last.
    pub(super) fn next_within(&self, levels: &Range<u8>, document: DocId) -> Option<DocId> {
        let block = document / BLOCK;
        let from = self.levels.get(block as usize..)?;
        let passed = from.iter().position(|level| levels.contains(level))?;
        Some(if passed == 0 { document } else { (block + passed as u32) * BLOCK })
    }
}

/// The highest prior of each block.
fn highest_of_blocks(segment: &SegmentReader) -> Result<Vec<f64>, LexicalError> {
    let column = segment.fast_fields().f64(PRIOR)?;
    let end = segment.max_doc();
    let highest = |start: u32| {
        (start..end.min(start + BLOCK)).filter_map(|document| column.first(document)).fold(0.0, f64::max)
    };
    Ok((0..end).step_by(BLOCK as usize).map(highest).collect())
}

/// The level of each block, and the highest prior of each level.
fn share_out(blocks: &[f64]) -> ([f64; ENDS.len()], Vec<u8>) {
    let mut order: Vec<usize> = (0..blocks.len()).collect();
    order.sort_by(|a, b| blocks[*b].total_cmp(&blocks[*a]));
    let (mut highest, mut levels) = ([0.0_f64; ENDS.len()], vec![0; blocks.len()]);
    for (rank, block) in order.into_iter().enumerate() {
        let within = |end: &usize| rank * ENDS[ENDS.len() - 1] < *end * blocks.len();
        let level = ENDS.iter().position(within).unwrap_or(ENDS.len() - 1);
        levels[block] = level as u8;
        highest[level] = highest[level].max(blocks[block]);
    }
    // A level that is empty must not seem the end: what is behind it may be higher.
    for level in (1..highest.len()).rev() {
        highest[level - 1] = highest[level - 1].max(highest[level]);
    }
    (highest, levels)
}

fn take<const N: usize>(rest: &mut &[u8]) -> Option<[u8; N]> {
    let (taken, after) = rest.split_first_chunk()?;
    *rest = after;
    Some(*taken)
}

fn take_levels(rest: &mut &[u8], segment: &SegmentReader) -> Option<Vec<u8>> {
    let id: [u8; ID_BYTES] = take(rest)?;
    let count = u32::from_le_bytes(take(rest)?);
    let (levels, after) = rest.split_at_checked(count as usize)?;
    *rest = after;
    let whole =
        id == *segment.segment_id().uuid_string().as_bytes() && count == segment.max_doc().div_ceil(BLOCK);
    whole.then(|| levels.to_vec())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blocks_are_shared_out_by_their_highest_prior() {
        let blocks: Vec<f64> = (0..128).map(|number| f64::from(number % 64)).collect();
        let (highest, levels) = share_out(&blocks);
        assert_eq!(highest, [63.0, 62.0, 61.0, 59.0, 55.0, 47.0, 31.0]);
        assert_eq!((levels[63], levels[127], levels[62], levels[0]), (0, 0, 1, 6));
    }

    #[test]
    fn few_blocks_leave_no_gap_that_ends_a_search() {
        let (highest, levels) = share_out(&[0.5, 0.9]);
        assert_eq!(levels, [6, 0]);
        assert_eq!(highest, [0.9, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5]);
    }
}
