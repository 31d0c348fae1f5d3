//! Plain text: paragraphs end at empty lines.

use crate::document::{Document, DocumentBuilder};

/// The document of a plain text.
pub(super) fn document(text: &str) -> Document {
    let mut builder = DocumentBuilder::default();
    paragraphs(text, &mut builder);
    builder.finish()
}

/// Adds the paragraphs of a plain text.
pub(crate) fn paragraphs(text: &str, builder: &mut DocumentBuilder) {
    for line in text.lines() {
        match line.trim().is_empty() {
            true => builder.paragraph(),
            false => {
                builder.text(line);
                builder.text(" ");
            }
        }
    }
    builder.paragraph();
}
