//! Checksums of files: of all bytes for those of an index; of samples for source files, enough to recognise them.
//! Uses nothing else of this package.

use crc32fast::Hasher;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};

const STEP_BYTES: usize = 1 << 18;
/// Size of one sample of a fingerprint. Files of up to [`SAMPLES`] times this size are read completely; of larger ones,
/// that many evenly spread samples are read.
const SAMPLE_BYTES: u64 = 1 << 16;
const SAMPLES: u64 = 256;

/// The length and the checksum (CRC-32) of a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct FileSum {
    /// Its length in bytes.
    pub bytes: u64,
    /// The CRC-32 of its content.
    pub crc32: u32,
}

impl FileSum {
    /// Reads a whole file. `pace` gets the number of bytes of each step and may wait, or abort (the result is then `None`).
    pub(crate) fn of(path: &Path, pace: &mut dyn FnMut(usize) -> bool) -> io::Result<Option<Self>> {
        let mut file = File::open(path)?;
        let (mut sum, mut bytes) = (Hasher::new(), 0);
        let mut step = vec![0; STEP_BYTES];
        loop {
            let count = match file.read(&mut step) {
                Ok(0) => return Ok(Some(Self { bytes, crc32: sum.finalize() })),
                Ok(count) => count,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                Err(error) => return Err(error),
            };
            sum.update(step.get(..count).unwrap_or_default());
            bytes += count as u64;
            if !pace(count) {
                return Ok(None);
            }
        }
    }
}

/// The checksum of some bytes.
pub(crate) fn crc32(bytes: &[u8]) -> u32 {
    crc32fast::hash(bytes)
}

/// The checksums of all files in a folder, by relative path. Hidden files are skipped: markers, locks, and the search
/// engine's notes for its writer; so is the folder `but`, whose files have their own checksums.
pub(crate) fn of_folder(root: &Path, but: &str) -> io::Result<BTreeMap<String, FileSum>> {
    let mut sums = BTreeMap::new();
    let mut folders = vec![PathBuf::new()];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(root.join(&folder))? {
            let entry = entry?;
            let path = folder.join(entry.file_name());
            if entry.metadata()?.is_dir() {
                folders.extend((path != Path::new(but)).then_some(path));
            } else if !entry.file_name().to_string_lossy().starts_with('.')
                && let Some(sum) = FileSum::of(&entry.path(), &mut |_| true)?
            {
                sums.insert(path.to_string_lossy().into_owned(), sum);
            }
        }
    }
    Ok(sums)
}

/// The checksum of samples of a file: all bytes of a short one; of a long one, its beginning, its end, and as many
/// samples in between as can be read at every start of the service.
pub(crate) fn fingerprint(path: &Path) -> io::Result<u32> {
    let mut file = File::open(path)?;
    let bytes = file.metadata()?.len();
    let mut sum = Hasher::new();
    let mut part = Vec::new();
    for number in 0..SAMPLES {
        if bytes > SAMPLES * SAMPLE_BYTES {
            let last = u128::from(bytes - SAMPLE_BYTES);
            let start = last * u128::from(number) / u128::from(SAMPLES - 1);
            file.seek(SeekFrom::Start(u64::try_from(start).unwrap_or_default()))?;
        }
        part.clear();
        (&mut file).take(SAMPLE_BYTES).read_to_end(&mut part)?;
        sum.update(&part);
    }
    Ok(sum.finalize())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_fingerprint_is_of_the_content_and_reads_a_long_file_in_parts() {
        let folder = tempfile::tempdir().unwrap();
        for length in [0_usize, 1, 70_000, 20_000_000] {
            let path = folder.path().join("file");
            let mut bytes: Vec<u8> = (0..length).map(|at| (at % 251) as u8).collect();
            std::fs::write(&path, &bytes).unwrap();
            let print = fingerprint(&path).unwrap();
            assert_eq!(print, fingerprint(&path).unwrap());
            if length <= 70_000 {
                assert_eq!(print, crc32(&bytes), "all of a short file");
            }
            for at in [0, length.saturating_sub(1)].into_iter().filter(|at| *at < length) {
                bytes[at] ^= 1;
                std::fs::write(&path, &bytes).unwrap();
                assert_ne!(fingerprint(&path).unwrap(), print, "byte {at} of {length}");
                bytes[at] ^= 1;
            }
        }
    }

    #[test]
    fn files_are_summed_but_hidden_ones() {
        let folder = tempfile::tempdir().unwrap();
        std::fs::create_dir(folder.path().join("part")).unwrap();
        for (name, text) in [("part/file", "123456789"), (".hidden", "x"), ("empty", "")] {
            std::fs::write(folder.path().join(name), text).unwrap();
        }
        std::fs::create_dir(folder.path().join("other")).unwrap();
        std::fs::write(folder.path().join("other/file"), "x").unwrap();
        let sums = of_folder(folder.path(), "other").unwrap();
        let expected = [
            ("empty".to_owned(), FileSum { bytes: 0, crc32: 0 }),
            // The check value of CRC-32.
            ("part/file".to_owned(), FileSum { bytes: 9, crc32: 0xCBF4_3926 }),
        ];
        assert_eq!(sums, BTreeMap::from(expected));
    }
}
