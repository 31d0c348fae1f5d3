//! Reads a file as a document, by the format that its name tells.

mod html;
mod markdown;
mod plain;

use crate::document::Document;
use crate::pdf::{PdfError, PdfReader};
use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

pub(crate) use plain::paragraphs as plain_paragraphs;

/// Maximum number of bytes read of a file; PDF files have a limit of their own.
const MAX_BYTES: u64 = 64 << 20;

/// A format of documents.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DocumentFormat {
    /// Text with empty lines between paragraphs.
    Plain,
    /// CommonMark.
    Markdown,
    /// HTML.
    Html,
    /// PDF.
    Pdf,
}

impl DocumentFormat {
    /// The format of a file by its extension.
    pub fn of(file: &Path) -> Option<Self> {
        match file.extension()?.to_str()?.to_ascii_lowercase().as_str() {
            "txt" | "text" => Some(Self::Plain),
            "md" | "markdown" => Some(Self::Markdown),
            "html" | "htm" | "xhtml" => Some(Self::Html),
            "pdf" => Some(Self::Pdf),
            _ => None,
        }
    }
}

/// Why a file cannot be read as a document.
#[derive(Debug, thiserror::Error)]
pub enum ReadError {
    /// The extension is that of no known format.
    #[error("'{}' is no document that can be read: name .txt, .md, .html or .pdf files", .0.display())]
    Unknown(PathBuf),
    /// The operating system cannot read it.
    #[error("'{}' cannot be read: {source}", file.display())]
    File {
        /// The file.
        file: PathBuf,
        /// The operating system's error.
        source: io::Error,
    },
    /// It is no PDF file that can be read.
    #[error("'{}' cannot be read as PDF: {source}", file.display())]
    Pdf {
        /// The file.
        file: PathBuf,
        /// What is wrong.
        source: PdfError,
    },
}

/// Reads documents.
#[derive(Debug, Clone, Default)]
pub struct Reader {
    /// Reads PDF files.
    pub pdf: PdfReader,
}

impl Reader {
    /// The document in a file. Without a title of its own, it has the name of the file, without the extension.
    ///
    /// # Errors
    /// If the format is unknown, or if the file cannot be read.
    pub fn read(&self, file: &Path) -> Result<Document, ReadError> {
        let format = DocumentFormat::of(file).ok_or_else(|| ReadError::Unknown(file.to_owned()))?;
        let of_file = |source| ReadError::File { file: file.to_owned(), source };
        let mut document = match format {
            DocumentFormat::Pdf => {
                let opened = File::open(file).map_err(of_file)?;
                self.pdf.read(opened).map_err(|source| ReadError::Pdf { file: file.to_owned(), source })?
            }
            format => {
                let (text, is_cut) = text_of(file).map_err(of_file)?;
                let mut document = of_text(format, &text);
                let megabytes = MAX_BYTES >> 20;
                let note = || format!("only the first {megabytes} MB of '{}' were read", file.display());
                document.notes.extend(is_cut.then(note));
                document
            }
        };
        if document.title.is_empty() {
            document.title = file.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        }
        Ok(document)
    }
}

fn of_text(format: DocumentFormat, text: &str) -> Document {
    match format {
        DocumentFormat::Markdown => markdown::document(text),
        DocumentFormat::Html => html::document(text),
        DocumentFormat::Plain | DocumentFormat::Pdf => plain::document(text),
    }
}

/// The text of a file, and whether it is cut. What is no UTF-8 is taken for Windows-1252, which has a letter for each byte.
fn text_of(file: &Path) -> io::Result<(String, bool)> {
    let mut bytes = Vec::new();
    File::open(file)?.take(MAX_BYTES + 1).read_to_end(&mut bytes)?;
    let is_cut = bytes.len() as u64 > MAX_BYTES;
    bytes.truncate(MAX_BYTES as usize);
    let encoding = match std::str::from_utf8(&bytes) {
        Ok(_) => encoding_rs::UTF_8,
        // The cut may have gone through a character.
        Err(error) if is_cut && error.error_len().is_none() => encoding_rs::UTF_8,
        Err(_) => encoding_rs::WINDOWS_1252,
    };
    // A byte order mark goes before.
    Ok((encoding.decode(&bytes).0.into_owned(), is_cut))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(name: &str, content: &[u8]) -> Result<Document, ReadError> {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join(name);
        std::fs::write(&file, content).unwrap();
        Reader::default().read(&file)
    }

    #[test]
    fn the_name_of_the_file_is_the_title_of_a_text_without_one() {
        let document =
            read("Old mill.TXT", b"It was built in 1720.\nIt burned down.\n\nNobody lived there.").unwrap();
        assert_eq!(document.title, "Old mill");
        let paragraphs = &document.sections[0].paragraphs;
        assert_eq!(paragraphs, &["It was built in 1720. It burned down.", "Nobody lived there."]);
    }

    #[test]
    fn other_encodings_are_read_as_text() {
        assert_eq!(read("a.txt", b"Gr\xfc\xdfe").unwrap().sections[0].paragraphs, ["Grüße"]);
        let utf16: Vec<u8> =
            [0xFF, 0xFE].into_iter().chain("Grüße".encode_utf16().flat_map(u16::to_le_bytes)).collect();
        assert_eq!(read("a.txt", &utf16).unwrap().sections[0].paragraphs, ["Grüße"]);
    }

    #[test]
    fn other_files_are_refused_by_name() {
        let error = read("a.docx", b"PK").unwrap_err().to_string();
        assert!(error.contains("a.docx") && error.contains(".pdf"), "{error}");
        assert!(read("empty.txt", b"").unwrap().sections.is_empty());
    }
}
