//! Detects the compression of files by their names and their first bytes.

use std::io::Read;

/// Number of bytes at the beginning of a file that identify its compression.
pub(super) const MAGIC_BYTES: usize = 4;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Compression {
    None,
    Gzip,
    Bzip2,
    Zstandard,
}

impl Compression {
    /// The compression according to a file name, and the name without its extension.
    pub(super) fn of_name(name: &str) -> (Self, &str) {
        let endings = [(".gz", Self::Gzip), (".bz2", Self::Bzip2), (".zst", Self::Zstandard)];
        endings
            .into_iter()
            .find_map(|(ending, compression)| Some((compression, name.strip_suffix(ending)?)))
            .unwrap_or((Self::None, name))
    }

    /// The compression according to the first bytes of a file. No RDF text begins like this.
    pub(super) fn of_content(bytes: &[u8]) -> Self {
        match bytes {
            [0x1f, 0x8b, ..] => Self::Gzip,
            [b'B', b'Z', b'h', b'1'..=b'9', ..] => Self::Bzip2,
            [0x28, 0xb5, 0x2f, 0xfd, ..] => Self::Zstandard,
            _ => Self::None,
        }
    }

    pub(super) fn name(self) -> Option<&'static str> {
        match self {
            Self::None => None,
            Self::Gzip => Some("gzip"),
            Self::Bzip2 => Some("bzip2"),
            Self::Zstandard => Some("Zstandard"),
        }
    }

    pub(super) fn decode<'a>(
        self,
        input: impl Read + Send + 'a,
    ) -> std::io::Result<Box<dyn Read + Send + 'a>> {
        Ok(match self {
            Self::None => Box::new(input),
            Self::Gzip => Box::new(flate2::read::MultiGzDecoder::new(input)),
            Self::Bzip2 => Box::new(bzip2::read::MultiBzDecoder::new(input)),
            Self::Zstandard => Box::new(zstd::stream::read::Decoder::new(input)?),
        })
    }
}
