//! Untrusted text in Markdown: none of it may become markup. Graphs, models and endpoints supply such text.
//!
//! A backslash makes a character literal in every dialect of Markdown. Opening brackets are not escaped, as `\[` and `\(` begin
//! formulas in some front ends; as closing ones are, they have no effect.

mod article;

pub use article::article;

use eruca_api::PartOfText;
use eruca_sparql::{disarmed, one_line};

/// Maximum length of a cell or line in characters.
pub const MAX_CHARS: usize = 300;
/// Maximum length in characters of a sentence without links.
pub const MAX_SENTENCE: usize = 10_000;

/// Text on one line that Markdown shows literally, wherever in a line it is.
pub fn text(text: &str) -> String {
    let line = one_line(text.trim(), MAX_CHARS);
    escaped(&line)
}

/// Text as a paragraph of its own: characters that would begin a list, a heading or a table are escaped.
pub fn paragraph(text: &str, most: usize) -> String {
    let line = escaped(&one_line(text.trim(), most));
    let digits = line.bytes().take_while(u8::is_ascii_digit).count();
    let (head, rest) = line.split_at_checked(digits).unwrap_or_default();
    match rest.chars().next() {
        Some('.' | ')') if digits > 0 => format!("{head}\\{rest}"),
        Some('-' | '+' | '=' | ':') if digits == 0 => format!("\\{rest}"),
        _ => line,
    }
}

/// A sentence in parts, as a paragraph of its own or the text of a list's item.
pub fn line(parts: &[PartOfText]) -> String {
    let mut parts = parts.iter();
    let Some(first) = parts.next() else { return String::new() };
    let head = match &first.href {
        Some(_) => part(first),
        // Its trailing spaces separate it from the next part.
        None => {
            let kept = first.text.trim_end();
            let spaces = first.text.len() > kept.len();
            format!("{}{}", paragraph(kept, MAX_SENTENCE), if spaces { " " } else { "" })
        }
    };
    parts.fold(head, |sentence, next| match (&next.href, sentence.strip_suffix('!')) {
        // With a mark of exclamation before it, a link is a picture.
        (Some(_), Some(before)) => format!("{before}\\!{}", part(next)),
        _ => sentence + &part(next),
    })
}

fn part(part: &PartOfText) -> String {
    match &part.href {
        Some(href) => link(&part.text, href),
        None => piece(&part.text),
    }
}

/// A part of a line, with leading and trailing spaces kept.
pub fn piece(text: &str) -> String {
    let line = one_line(text, usize::MAX);
    escaped(&line)
}

fn escaped(line: &str) -> String {
    let mut out = String::with_capacity(line.len() + 16);
    let mut rest = line;
    while let Some(c) = rest.chars().next() {
        let is_mark =
            matches!(c, '\\' | '`' | '*' | '_' | ']' | '<' | '>' | '&' | '#' | '|' | '~' | '$' | '@');
        // Front ends turn bare URLs into links.
        let is_address = c == ':' && rest.starts_with("://") || c == '.' && ends_with_www(&out);
        if is_mark || is_address {
            out.push('\\');
        }
        out.push(c);
        rest = rest.get(c.len_utf8()..).unwrap_or_default();
    }
    out
}

fn ends_with_www(text: &str) -> bool {
    let tail = text.len().checked_sub(3).and_then(|at| text.get(at..));
    tail.is_some_and(|tail| tail.eq_ignore_ascii_case("www"))
}

/// A link; `href` must be a web URL.
pub fn link(label: &str, href: &str) -> String {
    format!("[{}]({})", piece(label), address(href))
}

/// The address, if it is one of the web.
fn address_of(address: &str) -> Option<String> {
    eruca_api::href(address)
}

/// A URL escaped so that it ends where it should, also in a table.
fn address(href: &str) -> String {
    let mut out = String::with_capacity(href.len());
    for c in href.chars() {
        let ends = c.is_whitespace() || c.is_control() || "()[]<>|\\`\"".contains(c) || hides(c);
        if ends {
            let mut buffer = [0; 4];
            out.extend(c.encode_utf8(&mut buffer).bytes().map(|byte| format!("%{byte:02X}")));
        } else {
            out.push(c);
        }
    }
    out
}

/// Whether a character is invisible on its own.
fn hides(c: char) -> bool {
    !c.is_ascii() && one_line(c.encode_utf8(&mut [0; 4]), 1).is_empty()
}

/// Code in a fence that the code itself cannot close.
pub fn fence(language: &str, code: &str) -> String {
    let longest = code.split(|c| c != '`').map(str::len).max().unwrap_or_default();
    let fence = "`".repeat(longest.max(2) + 1);
    // Conversations become prompts of other models.
    format!("{fence}{language}\n{}\n{fence}", disarmed(code.trim_end()))
}

/// The code in the first fence with this language in a text.
pub fn fenced<'t>(language: &str, text: &'t str) -> Option<&'t str> {
    let opening = format!("```{language}\n");
    let (before, after) = text.split_once(&opening)?;
    let more = before.bytes().rev().take_while(|byte| *byte == b'`').count();
    let closing = format!("\n{}", "`".repeat(3 + more));
    after.split_once(&closing).map(|(code, _)| code)
}

/// A table; its cells are Markdown already.
pub fn table(head: &[HeadCell], rows: &[Vec<String>]) -> String {
    let titles: Vec<&str> = head.iter().map(|cell| cell.title.as_str()).collect();
    let rules: Vec<&str> = head.iter().map(|cell| if cell.is_number { "---:" } else { "---" }).collect();
    let mut lines = vec![row(&titles), row(&rules)];
    lines.extend(rows.iter().map(|cells| row(&cells.iter().map(String::as_str).collect::<Vec<_>>())));
    lines.join("\n")
}

/// The heading of a column.
pub struct HeadCell {
    /// Its text, as Markdown.
    pub title: String,
    /// Whether the column contains numbers.
    pub is_number: bool,
}

fn row(cells: &[&str]) -> String {
    format!("| {} |", cells.join(" | "))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn marks_of_a_text_mean_nothing() {
        for (hostile, shown) in [
            ("[x](javascript:alert(1))", r"[x\](javascript:alert(1))"),
            ("![x](http://evil.example/?q)", r"![x\](http\://evil.example/?q)"),
            ("<img src=x onerror=y>", r"\<img src=x onerror=y\>"),
            ("a | b\n\n# c", r"a \| b \# c"),
            ("**b** `c` ~~d~~ &lt; $e$ x_y", r"\*\*b\*\* \`c\` \~\~d\~\~ \&lt; \$e\$ x\_y"),
            ("www.evil.example me@evil.example", r"www\.evil.example me\@evil.example"),
            (r"\] \", r"\\\] \\"),
            ("Köln (Stadt) [1", "Köln (Stadt) [1"),
        ] {
            assert_eq!(text(hostile), shown);
        }
    }

    #[test]
    fn a_paragraph_begins_neither_list_nor_heading() {
        for (line, shown) in [
            ("1. FC Köln", r"1\. FC Köln"),
            ("1990) x", r"1990\) x"),
            ("- x", r"\- x"),
            ("+ x", r"\+ x"),
            ("===", r"\==="),
            ("# x", r"\# x"),
            ("> x", r"\> x"),
            ("1990", "1990"),
            ("", ""),
        ] {
            assert_eq!(paragraph(line, 100), shown);
        }
    }

    #[test]
    fn an_exclamation_makes_no_picture_of_a_link() {
        let named = PartOfText::of_thing("b".to_owned(), "https://e.x/b".to_owned());
        let said = PartOfText { text: "a!".to_owned(), ..PartOfText::default() };
        assert_eq!(line(&[said, named.clone()]), r"a\![b](https://e.x/b)");
        assert_eq!(line(&[named.clone(), named]), "[b](https://e.x/b)[b](https://e.x/b)");
    }

    #[test]
    fn addresses_and_code_end_where_they_end() {
        assert_eq!(link("a]b", "https://e.x/a_(b)|c d"), r"[a\]b](https://e.x/a_%28b%29%7Cc%20d)");
        assert_eq!(fence("sparql", "ASK {}\n"), "```sparql\nASK {}\n```");
        let tricky = "SELECT * { ?s ?p \"```\n````\" }";
        let shown = fence("sparql", tricky);
        assert!(shown.starts_with("`````sparql\n"), "{shown}");
        assert_eq!(fenced("sparql", &format!("Text.\n\n{shown}\n\nmore")), Some(tricky));
        assert_eq!(fenced("sparql", "```sparql\nASK {}"), None);
    }

    proptest! {
        #[test]
        fn no_text_leaves_its_line_or_a_mark_that_counts(hostile in "[\\x00-\\u{2029}]{0,60}") {
            let shown = text(&hostile);
            prop_assert!(!shown.contains(['\n', '\r']));
            let mut chars = shown.chars();
            while let Some(c) = chars.next() {
                match c {
                    '\\' => { chars.next(); }
                    c => prop_assert!(!"`*_]<>&#|~$@".contains(c), "{c:?} in {shown}"),
                }
            }
        }

        #[test]
        fn any_code_comes_out_of_its_fence_as_it_went_in(code in "[a-z`\n ]{0,40}[a-z`]") {
            let shown = fence("sparql", &code);
            prop_assert_eq!(fenced("sparql", &shown), Some(code.as_str()));
        }
    }
}
