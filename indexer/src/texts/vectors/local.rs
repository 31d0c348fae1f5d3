//! Vectors in a file of the index folder: row by row in the order of the passages, little-endian, mapped into memory and
//! compared one by one. Writer and reader are in this file.

use super::{Near, TextVectors, TextVectorsError, VectorQuery, best};
use async_trait::async_trait;
use eruca_sparql::offload;
use memmap2::Mmap;
use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;

const FILE: &str = "vectors.f32";

/// Writes the file.
pub(super) struct LocalVectorsWriter {
    file: PathBuf,
    writer: BufWriter<File>,
}

impl LocalVectorsWriter {
    /// Starts the file in the folder of the passages.
    pub(super) fn create(folder: &Path) -> Result<Self, TextVectorsError> {
        let file = folder.join(FILE);
        let created = File::create(&file).map_err(|error| unusable(&file, &error))?;
        Ok(Self { file, writer: BufWriter::new(created) })
    }

    /// Adds the vectors of the next passages.
    pub(super) fn add(&mut self, vectors: &[Vec<f32>]) -> Result<(), TextVectorsError> {
        let mut numbers = vectors.iter().flatten();
        let written = numbers.try_for_each(|number| self.writer.write_all(&number.to_le_bytes()));
        written.map_err(|error| unusable(&self.file, &error))
    }

    /// Syncs the file to disk.
    pub(super) fn finish(self) -> Result<(), TextVectorsError> {
        let flushed = self.writer.into_inner().map_err(io::IntoInnerError::into_error);
        flushed.and_then(|file| file.sync_all()).map_err(|error| unusable(&self.file, &error))
    }
}

fn unusable(file: &Path, reason: &dyn std::fmt::Display) -> TextVectorsError {
    TextVectorsError::File { file: file.to_owned(), reason: reason.to_string() }
}

/// The vectors in a file.
pub(crate) struct LocalVectors {
    data: Arc<Mmap>,
    dimension: usize,
}

impl LocalVectors {
    /// Opens the vectors of so many passages in their folder.
    pub(crate) fn open(folder: &Path, passages: u64, dimension: usize) -> Result<Self, TextVectorsError> {
        let path = folder.join(FILE);
        let file = File::open(&path).map_err(|error| unusable(&path, &error))?;
        // SAFETY: index files are written once and then only replaced as a whole folder, never changed in place.
        let data = unsafe { Mmap::map(&file) }.map_err(|error| unusable(&path, &error))?;
        let row = dimension.checked_mul(size_of::<f32>());
        let wanted = row.and_then(|row| row.checked_mul(usize::try_from(passages).ok()?));
        if wanted != Some(data.len()) || dimension == 0 {
            let said = format!(
                "it has {} bytes, which are not {passages} vectors of {dimension} numbers",
                data.len()
            );
            return Err(unusable(&path, &said));
        }
        Ok(Self { data: Arc::new(data), dimension })
    }
}

#[async_trait]
impl TextVectors for LocalVectors {
    async fn nearest(&self, query: VectorQuery) -> Result<Vec<Near>, TextVectorsError> {
        if query.vector.len() != self.dimension || query.limit == 0 {
            return Ok(Vec::new());
        }
        let (data, row) = (Arc::clone(&self.data), self.dimension * size_of::<f32>());
        let bytes = if query.only_chosen { query.chosen.numbers.len() * row } else { data.len() };
        let found = offload(bytes, move || scan(&data, row, &query)).await;
        found.map_err(|reason| unusable(Path::new(FILE), &reason))
    }
}

/// Compares the rows that are asked for.
fn scan(data: &[u8], row: usize, query: &VectorQuery) -> Vec<Near> {
    let VectorQuery { vector, chosen, only_chosen, limit } = query;
    let near = |number: u32, row: &[u8]| (number, dot(row, vector) + chosen.bonus(number));
    let found = if *only_chosen {
        let at = |number: u32| data.get(number as usize * row..)?.get(..row);
        chosen.numbers.iter().filter_map(|number| Some(near(*number, at(*number)?))).collect()
    } else {
        (0..).zip(data.chunks_exact(row)).map(|(number, row)| near(number, row)).collect()
    };
    best(found, *limit)
}

fn dot(row: &[u8], vector: &[f32]) -> f32 {
    let (values, _) = row.as_chunks::<{ size_of::<f32>() }>();
    let values = values.iter().map(|bytes| f32::from_le_bytes(*bytes));
    values.zip(vector).map(|(a, b)| a * b).sum()
}
