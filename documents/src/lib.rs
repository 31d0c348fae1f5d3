//! Reads documents (plain text, Markdown, HTML, PDF) into passages: pieces of a few sentences that a search can find and an
//! answer can quote. Knows nothing of RDF, indexes or models.
//!
//! Nothing in a document is believed: no reader recurses with it, sizes are bounded, and PDF files, whose format cannot be
//! read safely in one process with other work, are read by a child process with limits of time and memory.

mod document;
mod passages;
mod pdf;
mod read;

pub use document::{Document, Section};
pub use passages::{Piece, pieces, text_pieces};
pub use pdf::{PdfError, PdfReader, pdf_process};
pub use read::{DocumentFormat, ReadError, Reader};

use read::plain_paragraphs as read_plain;
