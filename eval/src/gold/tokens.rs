//! The tokens of a query, as far as extensions of engines need them: SPARQL's own parsers refuse these before anything could be done.

use std::ops::Range;

/// A token with its place in the text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Token<'a> {
    pub(super) text: &'a str,
    pub(super) at: Range<usize>,
}

impl Token<'_> {
    /// Whether it is this keyword, in any case.
    pub(super) fn is(&self, keyword: &str) -> bool {
        self.text.eq_ignore_ascii_case(keyword)
    }

    /// The name of a variable.
    pub(super) fn variable(&self) -> Option<&str> {
        self.text.strip_prefix(['?', '$']).filter(|name| !name.is_empty())
    }
}

/// The tokens of a query without its comments.
pub(super) fn tokens(query: &str) -> Vec<Token<'_>> {
    let mut found = Vec::new();
    let mut rest = query;
    while let Some(first) = rest.chars().next() {
        let length = length(rest, first);
        let (text, after) = rest.split_at(length);
        if !first.is_whitespace() && first != '#' {
            let start = query.len() - rest.len();
            found.push(Token { text, at: start..start + length });
        }
        rest = after;
    }
    found
}

/// The length in bytes of what begins here; at least one character.
fn length(rest: &str, first: char) -> usize {
    let until = |stop: fn(char) -> bool| rest.find(stop).unwrap_or(rest.len()).max(first.len_utf8());
    match first {
        '#' => until(|c| matches!(c, '\n' | '\r')),
        '"' | '\'' => string(rest, first),
        '<' => iri(rest).unwrap_or(1),
        '?' | '$' => name(rest, 1),
        c if is_of_name(c) || c == ':' || c == '%' => name(rest, first.len_utf8()),
        _ => first.len_utf8(),
    }
}

fn is_of_name(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

/// A name from `from` on; a dot at its end ends a triple.
fn name(rest: &str, from: usize) -> usize {
    let of_name = |c: char| is_of_name(c) || matches!(c, ':' | '-' | '.' | '%');
    let tail = rest.get(from..).unwrap_or_default();
    let end = from + tail.find(|c| !of_name(c)).unwrap_or(tail.len());
    let text = rest.get(..end).unwrap_or_default();
    text.trim_end_matches('.').len().max(from)
}

/// An IRI in angle brackets; `None` if it is the sign for less.
fn iri(rest: &str) -> Option<usize> {
    let end = rest.find('>')?;
    let inside = rest.get(1..end)?;
    let is_iri = !inside
        .contains(|c: char| c.is_whitespace() || matches!(c, '<' | '"' | '{' | '}' | '|' | '^' | '`' | '\\'));
    is_iri.then_some(end + 1)
}

/// A string with its quotes, short or long.
fn string(rest: &str, quote: char) -> usize {
    let long: String = std::iter::repeat_n(quote, 3).collect();
    let end = if rest.starts_with(&long) { long } else { quote.to_string() };
    let mut escaped = false;
    for (at, c) in rest.char_indices().skip(end.len()) {
        let here = rest.get(at..).unwrap_or_default();
        if !escaped && here.starts_with(&end) {
            return at + end.len();
        }
        escaped = c == '\\' && !escaped;
    }
    rest.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(query: &str) -> Vec<&str> {
        tokens(query).into_iter().map(|token| token.text).collect()
    }

    #[test]
    fn strings_iris_and_comments_are_whole() {
        assert_eq!(
            texts("SELECT?x{ ?x wdt:P31/<http://e.x/#p> \"a # \\\" {\"@en. # } no\n FILTER(?y<3 && 2>1) }"),
            [
                "SELECT",
                "?x",
                "{",
                "?x",
                "wdt:P31",
                "/",
                "<http://e.x/#p>",
                "\"a # \\\" {\"",
                "@",
                "en",
                ".",
                "FILTER",
                "(",
                "?y",
                "<",
                "3",
                "&",
                "&",
                "2",
                ">",
                "1",
                ")",
                "}"
            ]
        );
        assert_eq!(
            texts("'''it's'''%i INCLUDE %i . wd:Q1. \"open"),
            ["'''it's'''", "%i", "INCLUDE", "%i", ".", "wd:Q1", ".", "\"open"]
        );
        assert_eq!(texts(""), Vec::<&str>::new());
    }
}
