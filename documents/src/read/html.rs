//! HTML: the text of its tokens. No tree is built, so the depth of a document costs nothing.

use crate::document::{Document, DocumentBuilder};
use html5ever::buffer_queue::BufferQueue;
use html5ever::tendril::StrTendril;
use html5ever::tokenizer::states::RawKind;
use html5ever::tokenizer::{Tag, TagKind, Token, TokenSink, TokenSinkResult, Tokenizer, TokenizerOpts};
use std::cell::RefCell;

/// Elements whose content is no text of the document.
const HIDDEN: [&str; 12] = [
    "script", "style", "noscript", "template", "nav", "svg", "iframe", "noembed", "noframes", "textarea",
    "select", "head",
];
/// Elements that end a paragraph.
const BLOCKS: [&str; 29] = [
    "address",
    "article",
    "aside",
    "blockquote",
    "body",
    "br",
    "caption",
    "dd",
    "details",
    "div",
    "dl",
    "dt",
    "figcaption",
    "figure",
    "footer",
    "form",
    "header",
    "hr",
    "html",
    "li",
    "main",
    "ol",
    "p",
    "pre",
    "section",
    "summary",
    "table",
    "tr",
    "ul",
];

/// The document of an HTML text.
pub(super) fn document(text: &str) -> Document {
    let input = BufferQueue::default();
    input.push_back(StrTendril::from_slice(text));
    let tokenizer = Tokenizer::new(Sink::default(), TokenizerOpts::default());
    // Scripts are not run, so the tokenizer never stops for one.
    while !input.is_empty() {
        let _done_or_script = tokenizer.feed(&input);
    }
    tokenizer.end();
    tokenizer.sink.0.into_inner().builder.finish()
}

#[derive(Default)]
struct Sink(RefCell<State>);

#[derive(Default)]
struct State {
    builder: DocumentBuilder,
    /// The hidden element that is open, and how many of its name are.
    hidden: Option<(String, usize)>,
    in_title: bool,
}

impl TokenSink for Sink {
    type Handle = ();

    fn process_token(&self, token: Token, _line: u64) -> TokenSinkResult<()> {
        let mut state = self.0.borrow_mut();
        match token {
            Token::CharacterTokens(text) => state.text(&text),
            Token::TagToken(tag) => return state.tag(&tag),
            _ => {}
        }
        TokenSinkResult::Continue
    }
}

impl State {
    fn text(&mut self, text: &str) {
        if self.hidden.is_none() || self.in_title {
            self.builder.text(text);
        }
    }

    fn tag(&mut self, tag: &Tag) -> TokenSinkResult<()> {
        let (name, begins) = (tag.name.as_ref(), tag.kind == TagKind::StartTag);
        match name {
            "title" => {
                if begins == self.in_title {
                    return TokenSinkResult::Continue;
                }
                self.in_title = begins;
                match begins {
                    true => self.builder.paragraph(),
                    false => self.builder.title(),
                }
            }
            "h1" | "h2" | "h3" | "h4" | "h5" | "h6" if self.hidden.is_none() => match begins {
                true => self.builder.heading_begins(),
                false => self.builder.heading_ends(),
            },
            "a" if begins => self.link(tag),
            "td" | "th" => self.text(" "),
            // A body ends a head that was left open.
            "body" if begins => {
                self.hidden = None;
                self.builder.paragraph();
            }
            _ if HIDDEN.contains(&name) => self.hide(name, begins && !tag.self_closing),
            _ if BLOCKS.contains(&name) && self.hidden.is_none() => self.builder.paragraph(),
            _ => {}
        }
        raw(name, begins)
    }

    /// Begins or ends an element whose content is hidden; others in it of the same name are counted.
    fn hide(&mut self, name: &str, begins: bool) {
        match (&mut self.hidden, begins) {
            (None, true) => {
                self.builder.paragraph();
                self.hidden = Some((name.to_owned(), 1));
            }
            (Some((open, depth)), true) if open == name => *depth += 1,
            (Some((open, depth)), false) if open == name => {
                *depth -= 1;
                if *depth == 0 {
                    self.hidden = None;
                }
            }
            _ => {}
        }
    }

    fn link(&mut self, tag: &Tag) {
        if self.hidden.is_none()
            && let Some(target) = tag.attrs.iter().find(|attribute| &*attribute.name.local == "href")
        {
            self.builder.link(target.value.trim());
        }
    }
}

/// Tells the tokenizer that what follows are no tags, as the tree builder of a browser does.
fn raw(name: &str, begins: bool) -> TokenSinkResult<()> {
    match name {
        _ if !begins => TokenSinkResult::Continue,
        "script" => TokenSinkResult::RawData(RawKind::ScriptData),
        "style" | "iframe" | "noembed" | "noframes" => TokenSinkResult::RawData(RawKind::Rawtext),
        "title" | "textarea" => TokenSinkResult::RawData(RawKind::Rcdata),
        _ => TokenSinkResult::Continue,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn told(html: &str) -> Vec<(String, Vec<String>)> {
        document(html).sections.into_iter().map(|section| (section.heading, section.paragraphs)).collect()
    }

    #[test]
    fn the_text_of_a_page_without_its_machinery() {
        let html = "<!doctype html><html><head><title>The mill &amp; more</title><style>p{}</style></head><body>\
            <nav>Home</nav><h1>Mill</h1><p>Built in&nbsp;<b>1720</b>.<br>Burned down.<script>var x = '<p>no</p>';</script>\
            <h2>Owners</h2><ul><li>Anna<li>Bert</ul><table><tr><td>a<td>b</table><a href='https://a.example/x'>x</a></body>";
        let document = document(html);
        assert_eq!(document.title, "The mill & more");
        assert_eq!(document.links, ["https://a.example/x"]);
        assert_eq!(
            told(html),
            [
                ("Mill".to_owned(), vec!["Built in 1720.".to_owned(), "Burned down.".to_owned()]),
                ("Owners".to_owned(), ["Anna", "Bert", "a b", "x"].map(str::to_owned).to_vec()),
            ]
        );
    }

    #[test]
    fn hostile_pages_end_and_lose_no_text_that_follows() {
        let deep = format!("{}deep{}", "<div>".repeat(200_000), "</div>".repeat(10));
        assert_eq!(told(&deep), [(String::new(), vec!["deep".to_owned()])]);
        let open = "<svg><svg></svg></svg></nav></h1>after</script><p>more</p>";
        assert_eq!(told(open), [(String::new(), vec!["after".to_owned(), "more".to_owned()])]);
        let unclosed = "<head><meta charset=x><title>T</title><body>text<script>never closed";
        assert_eq!(told(unclosed), [(String::new(), vec!["text".to_owned()])]);
        assert_eq!(document("<title>a<title>b").title, "");
    }

    proptest! {
        #[test]
        fn any_text_is_read(html in "(<[/]?(title|script|h1|p|svg|a|nav|body|textarea)[ >]|\\PC|&[a-z#0-9]{0,5};?){0,60}") {
            let _read = document(&html);
        }
    }
}
