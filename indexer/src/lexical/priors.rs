//! The query-independent scores (priors) of documents, and where the highest of them are: a search for a word that occurs in a
//! million documents starts there, and mostly ends there too.
//!
//! Documents are in blocks; blocks are sorted by their highest prior and divided into levels, highest first:
//!
//! ```text
//! priors.bin   the highest prior of each level (f32); then for each segment: its id (32 letters), its number of
//!              documents (u32), the level of each block (u8), the prior of each document (f32)
//! ```
//! Numbers are little-endian. A build sorts the documents of a batch by prior, so that few blocks contain the highest.
//! Tantivy stores the priors too, but compressed, so that reading one takes longer than the rest of a document's score.

use super::rows::{close, map};
use super::{LexicalError, PRIOR};
use memmap2::Mmap;
use std::fs::File;
use std::io::{BufWriter, Write};
use std::ops::Range;
use std::path::Path;
use std::sync::Arc;
use tantivy::{DocId, Index, Searcher, SegmentReader};

const FILE: &str = "priors.bin";
/// Number of documents per block, the maximum of a block in Tantivy's postings.
const BLOCK: u32 = 128;
/// Number of levels. All levels together contain all blocks; leaving out the last one halves the number each time.
pub(super) const LEVELS: u8 = 12;

const ID_BYTES: usize = 32;
const PRIOR_BYTES: usize = size_of::<f32>();

/// The priors of an index.
pub(super) struct Priors {
    highest: [f32; LEVELS as usize],
    segments: Vec<SegmentPriors>,
}

/// The priors of a segment.
pub(super) struct SegmentPriors {
    levels: Vec<u8>,
    file: Arc<Mmap>,
    /// Position of its documents' priors in the file.
    priors: Range<usize>,
}

impl Priors {
    /// Writes the priors of a finished Tantivy index beside it.
    pub(super) fn write(folder: &Path, index: &Index) -> Result<(), LexicalError> {
        let path = folder.join(FILE);
        let failed = |source| LexicalError::File { path: path.clone(), source };
        let searcher = index.reader()?.searcher();
        let segments = searcher.segment_readers();
        let priors = segments.iter().map(priors_of).collect::<Result<Vec<_>, _>>()?;
        let mut file = BufWriter::new(File::create(&path).map_err(failed)?);
        write_segments(&mut file, segments, &priors).map_err(failed)?;
        close(file).map_err(failed)
    }

    /// Opens the priors of the index in `folder`.
    pub(super) fn open(folder: &Path, searcher: &Searcher) -> Result<Self, LexicalError> {
        let damaged = || LexicalError::Damaged { folder: folder.to_owned() };
        let file = Arc::new(map(&folder.join(FILE))?.ok_or_else(damaged)?);
        let mut rest: &[u8] = &file;
        let mut highest = [0.0; LEVELS as usize];
        for number in &mut highest {
            *number = f32::from_le_bytes(take(&mut rest).ok_or_else(damaged)?);
        }
        let mut segments = Vec::new();
        for segment in searcher.segment_readers() {
            let (levels, priors) = take_segment(&mut rest, segment).ok_or_else(damaged)?;
            let end = file.len() - rest.len();
            segments.push(SegmentPriors { levels, file: Arc::clone(&file), priors: end - priors..end });
        }
        if rest.is_empty() { Ok(Self { highest, segments }) } else { Err(damaged()) }
    }

    /// The priors of a segment by its number.
    pub(super) fn segment(&self, segment: usize) -> Option<&SegmentPriors> {
        self.segments.get(segment)
    }

    /// The highest prior in this level and the following ones.
    pub(super) fn highest(&self, level: u8) -> f32 {
        self.highest.get(usize::from(level)).copied().unwrap_or_default()
    }

    /// The first of these levels in which no document can reach `least`, given a word score of at most `most`.
    pub(super) fn reaching(&self, levels: &Range<u8>, most: f32, least: f32) -> u8 {
        let above = |level: &u8| self.highest(*level) * most > least;
        levels.clone().find(|level| !above(level)).unwrap_or(levels.end)
    }
}

impl SegmentPriors {
    pub(super) fn of(&self, document: DocId) -> f32 {
        let priors = self.file.get(self.priors.clone()).unwrap_or_default();
        let prior = priors.get(document as usize * PRIOR_BYTES..).and_then(<[u8]>::first_chunk);
        prior.map_or(1.0, |prior| f32::from_le_bytes(*prior))
    }

    /// The first document, from this one on, in one of the levels; `None` if there is none.
    pub(super) fn next_within(&self, levels: &Range<u8>, document: DocId) -> Option<DocId> {
        let block = document / BLOCK;
        let from = self.levels.get(block as usize..)?;
        let passed = from.iter().position(|level| levels.contains(level))?;
        Some(if passed == 0 { document } else { (block + passed as u32) * BLOCK })
    }
}

fn priors_of(segment: &SegmentReader) -> Result<Vec<f32>, LexicalError> {
    let column = segment.fast_fields().f64(PRIOR)?;
    Ok((0..segment.max_doc()).map(|document| column.first(document).unwrap_or(1.0) as f32).collect())
}

fn write_segments(
    file: &mut impl Write,
    segments: &[SegmentReader],
    priors: &[Vec<f32>],
) -> std::io::Result<()> {
    let highest = |block: &[f32]| block.iter().copied().fold(0.0, f32::max);
    let blocks = priors.iter().flat_map(|priors| priors.chunks(BLOCK as usize));
    let blocks: Vec<f32> = blocks.map(highest).collect();
    let (highest, levels) = share_out(&blocks);
    for number in highest {
        file.write_all(&number.to_le_bytes())?;
    }
    let mut rest = levels.as_slice();
    for (segment, priors) in segments.iter().zip(priors) {
        let (levels, after) = rest.split_at(priors.len().div_ceil(BLOCK as usize));
        rest = after;
        file.write_all(segment.segment_id().uuid_string().as_bytes())?;
        file.write_all(&(priors.len() as u32).to_le_bytes())?;
        file.write_all(levels)?;
        for prior in priors {
            file.write_all(&prior.to_le_bytes())?;
        }
    }
    Ok(())
}

/// The level of each block, and the highest prior of each level.
#[expect(
    clippy::indexing_slicing,
    reason = "numbers of blocks come from their own range, levels are below LEVELS"
)]
fn share_out(blocks: &[f32]) -> ([f32; LEVELS as usize], Vec<u8>) {
    let mut order: Vec<usize> = (0..blocks.len()).collect();
    order.sort_by(|a, b| blocks[*b].total_cmp(&blocks[*a]));
    let (mut highest, mut levels) = ([0.0_f32; LEVELS as usize], vec![0; blocks.len()]);
    for (rank, block) in order.into_iter().enumerate() {
        let within = |level: &u8| rank << (LEVELS - 1) < blocks.len() << level;
        let level = (0..LEVELS).find(within).unwrap_or(LEVELS - 1);
        levels[block] = level;
        let highest = &mut highest[usize::from(level)];
        *highest = highest.max(blocks[block]);
    }
    // An empty level must not end a search: each level gets at least the highest prior of the following ones.
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

/// Parses the levels of a segment's blocks, and the length of its priors.
fn take_segment(rest: &mut &[u8], segment: &SegmentReader) -> Option<(Vec<u8>, usize)> {
    let id: [u8; ID_BYTES] = take(rest)?;
    let count = u32::from_le_bytes(take(rest)?);
    let (levels, after) = rest.split_at_checked(count.div_ceil(BLOCK) as usize)?;
    let (priors, after) = after.split_at_checked(count as usize * PRIOR_BYTES)?;
    *rest = after;
    let whole = id == *segment.segment_id().uuid_string().as_bytes() && count == segment.max_doc();
    whole.then(|| (levels.to_vec(), priors.len()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blocks_are_shared_out_by_their_highest_prior() {
        let blocks: Vec<f32> = (0..4_096_u16).map(|number| f32::from(number % 2_048)).collect();
        let (highest, levels) = share_out(&blocks);
        assert_eq!(
            highest,
            [2_047., 2_046., 2_045., 2_043., 2_039., 2_031., 2_015., 1_983., 1_919., 1_791., 1_535., 1_023.]
        );
        assert_eq!((levels[2_047], levels[4_095], levels[2_046], levels[0]), (0, 0, 1, 11));
    }

    #[test]
    fn few_blocks_leave_no_gap_that_ends_a_search() {
        let (highest, levels) = share_out(&[0.5, 0.9]);
        assert_eq!(levels, [11, 0]);
        assert_eq!((highest[0], &highest[1..]), (0.9, [0.5; 11].as_slice()));
    }
}
