//! A document as it was read: its title and its sections.

/// A document.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Document {
    /// Its title: the first heading or what the format has for one; empty if there is none.
    pub title: String,
    /// Its text in order.
    pub sections: Vec<Section>,
    /// Addresses to which its text links.
    pub links: Vec<String>,
    /// What is missing, in sentences for people.
    pub notes: Vec<String>,
}

/// A part of a document below one heading or on one page.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Section {
    /// The heading; empty if there is none.
    pub heading: String,
    /// The page, from 1, where the format has pages.
    pub page: Option<u32>,
    /// Its paragraphs, without line breaks.
    pub paragraphs: Vec<String>,
}

/// Collects the sections of a document from a stream of text, headings and breaks.
#[derive(Debug, Default)]
pub(crate) struct DocumentBuilder {
    document: Document,
    section: Section,
    text: String,
    in_heading: bool,
    title_is_given: bool,
}

/// Maximum number of links kept.
const MAX_LINKS: usize = 1_000;
/// Maximum length of a title, heading or link, in bytes.
const MAX_NAME: usize = 1_000;

impl DocumentBuilder {
    /// Adds text to the current paragraph or heading.
    pub(crate) fn text(&mut self, text: &str) {
        self.text.push_str(text);
    }

    /// Ends the paragraph.
    pub(crate) fn paragraph(&mut self) {
        let text = one_line(&std::mem::take(&mut self.text));
        if !text.is_empty() {
            self.section.paragraphs.push(text);
        }
    }

    /// Begins a heading.
    pub(crate) fn heading_begins(&mut self) {
        self.paragraph();
        self.in_heading = true;
    }

    /// Ends a heading, which begins a section.
    pub(crate) fn heading_ends(&mut self) {
        if !std::mem::take(&mut self.in_heading) {
            return self.paragraph();
        }
        let heading = name(&std::mem::take(&mut self.text));
        if self.document.title.is_empty() {
            self.document.title.clone_from(&heading);
        }
        self.section(Section { heading, ..Section::default() });
    }

    /// Takes what was read since the last break as the title.
    pub(crate) fn title(&mut self) {
        let title = name(&std::mem::take(&mut self.text));
        if !title.is_empty() && !std::mem::replace(&mut self.title_is_given, true) {
            self.document.title = title;
        }
    }

    /// Begins a page.
    pub(crate) fn page(&mut self, page: u32) {
        self.paragraph();
        self.section(Section { page: Some(page), ..Section::default() });
    }

    fn section(&mut self, next: Section) {
        let done = std::mem::replace(&mut self.section, next);
        if !done.paragraphs.is_empty() {
            self.document.sections.push(done);
        }
    }

    /// Keeps an address to which the text links.
    pub(crate) fn link(&mut self, address: &str) {
        let is_web = address.starts_with("http://") || address.starts_with("https://");
        if is_web && address.len() <= MAX_NAME && self.document.links.len() < MAX_LINKS {
            self.document.links.push(address.to_owned());
        }
    }

    /// The document.
    pub(crate) fn finish(mut self) -> Document {
        self.paragraph();
        self.section(Section::default());
        self.document
    }
}

fn name(text: &str) -> String {
    let line = one_line(text);
    let end = line.floor_char_boundary(MAX_NAME);
    line.get(..end).unwrap_or_default().to_owned()
}

/// A text with single spaces and without control characters.
pub(crate) fn one_line(text: &str) -> String {
    let mut line = String::with_capacity(text.len());
    for word in text.split(|c: char| c.is_whitespace() || c.is_control()).filter(|word| !word.is_empty()) {
        if !line.is_empty() {
            line.push(' ');
        }
        line.push_str(word);
    }
    line
}
