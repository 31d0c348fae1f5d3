//! HTML with escaping of all external text.

const STYLE: &str = include_str!("style.css");

/// A page under construction. [`text`](Page::text) and [`element`](Page::element) accept any text.
#[derive(Debug, Default)]
pub(super) struct HtmlPage(String);

impl HtmlPage {
    /// A page with its head and its title, up to what it says. The name of its window says of which `kind` it is.
    pub(super) fn begin(kind: &str, title: &str) -> Self {
        let mut page = Self::default();
        page.raw("<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n");
        page.raw("<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n");
        page.element("title", "", &format!("{kind}: {title}"));
        page.raw("<style>\n").raw(STYLE).raw("</style>\n</head>\n<body>\n");
        page.element("h1", "", title);
        page
    }

    /// Appends trusted markup.
    pub(super) fn raw(&mut self, markup: &str) -> &mut Self {
        self.0.push_str(markup);
        self
    }

    /// Appends text.
    pub(super) fn text(&mut self, text: &str) -> &mut Self {
        for c in text.chars() {
            match c {
                '&' => self.0.push_str("&amp;"),
                '<' => self.0.push_str("&lt;"),
                '>' => self.0.push_str("&gt;"),
                '"' => self.0.push_str("&quot;"),
                '\'' => self.0.push_str("&#39;"),
                c if c.is_control() && !matches!(c, '\n' | '\t') => self.0.push('\u{fffd}'),
                c => self.0.push(c),
            }
        }
        self
    }

    /// Appends an element containing text; `class` may be empty.
    pub(super) fn element(&mut self, name: &str, class: &str, text: &str) -> &mut Self {
        self.raw("<").raw(name);
        if !class.is_empty() {
            self.raw(" class=\"").raw(class).raw("\"");
        }
        self.raw(">").text(text).raw("</").raw(name).raw(">")
    }

    /// What was appended so far; the page goes on empty.
    pub(super) fn take(&mut self) -> String {
        std::mem::take(&mut self.0)
    }

    pub(super) fn finish(self) -> String {
        self.0
    }
}

/// A score with three decimals.
pub(super) fn score(value: f64) -> String {
    format!("{value:.3}")
}

/// A share as a CSS percentage.
pub(super) fn percent(share: f64) -> String {
    format!("{:.1}%", share.clamp(0.0, 1.0) * 100.0)
}
