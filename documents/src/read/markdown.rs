//! Markdown: headings, paragraphs, items of lists, rows of tables. HTML in it is left out.

use crate::document::{Document, DocumentBuilder};
use pulldown_cmark::{Event, Options, Parser, Tag, TagEnd};

/// The document of a Markdown text.
pub(super) fn document(text: &str) -> Document {
    let options = Options::ENABLE_TABLES | Options::ENABLE_YAML_STYLE_METADATA_BLOCKS;
    let mut builder = DocumentBuilder::default();
    let mut in_metadata = false;
    for event in Parser::new_ext(text, options) {
        match event {
            Event::Start(Tag::MetadataBlock(_)) => in_metadata = true,
            Event::End(TagEnd::MetadataBlock(_)) => in_metadata = false,
            Event::Text(_) if in_metadata => {}
            Event::Text(text) | Event::Code(text) => builder.text(&text),
            Event::SoftBreak | Event::HardBreak | Event::End(TagEnd::TableCell) => builder.text(" "),
            Event::Start(Tag::Heading { .. }) => builder.heading_begins(),
            Event::End(TagEnd::Heading(_)) => builder.heading_ends(),
            Event::Start(Tag::Link { dest_url, .. }) => builder.link(&dest_url),
            Event::End(
                TagEnd::Paragraph | TagEnd::Item | TagEnd::TableRow | TagEnd::TableHead | TagEnd::CodeBlock,
            )
            | Event::Start(Tag::Item | Tag::List(_)) => builder.paragraph(),
            _ => {}
        }
    }
    builder.finish()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn headings_begin_sections_and_links_are_kept() {
        let text = "---\nauthor: x\n---\n# The mill\n\nIt is *old*, says [this](http://a.example/m).\n\n## Owners\n\n- Anna\n- Bert\n\n| a | b |\n|---|---|\n| 1 | 2 |\n";
        let document = document(text);
        assert_eq!(document.title, "The mill");
        assert_eq!(document.links, ["http://a.example/m"]);
        let sections: Vec<_> = document
            .sections
            .iter()
            .map(|section| (section.heading.as_str(), section.paragraphs.join(" / ")))
            .collect();
        let owners = ("Owners", "Anna / Bert / a b / 1 2".to_owned());
        assert_eq!(sections, [("The mill", "It is old, says this.".to_owned()), owners]);
    }
}
