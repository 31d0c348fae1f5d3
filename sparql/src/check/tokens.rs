//! A lossless tokenizer for SPARQL: for any text, the concatenated tokens equal the text.
//!
//! It follows the [terminals of the grammar](https://www.w3.org/TR/sparql11-query/#sparqlGrammar) and never
//! fails: anything that is not a terminal becomes a [`SparqlTokenKind::Stray`].

use crate::terms::{is_name_char, is_name_start};

/// The kind of a token.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum SparqlTokenKind {
    /// SPARQL whitespace: space, tab, line breaks.
    Space,
    /// From `#` to the end of the line.
    Comment,
    /// `<...>` without spaces or quotes inside.
    Iri,
    /// `prefix:local`, `prefix:` or `:local`.
    PrefixedName,
    /// `_:label`.
    BlankNode,
    /// The lexical form of a literal, in any of the four quote styles.
    String,
    /// `?name` or `$name`.
    Variable,
    /// `@` and a language tag.
    LangTag,
    /// An unsigned number.
    Number,
    /// A keyword or the name of a built-in function.
    Word,
    /// Operators and brackets.
    Punctuation,
    /// Characters that are not part of SPARQL, including no-break and zero-width spaces.
    Stray,
}

/// A token and its text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct SparqlToken<'a> {
    pub(super) kind: SparqlTokenKind,
    pub(super) text: &'a str,
}

impl<'a> SparqlToken<'a> {
    /// Whether this is the keyword `word` (case-insensitive).
    pub(super) fn is_word(&self, word: &str) -> bool {
        self.kind == SparqlTokenKind::Word && self.text.eq_ignore_ascii_case(word)
    }

    /// Whether this is the operator or bracket `text`.
    pub(super) fn is(&self, text: &str) -> bool {
        self.kind == SparqlTokenKind::Punctuation && self.text == text
    }

    /// Whether this is neither whitespace nor a comment.
    pub(super) fn is_significant(&self) -> bool {
        !matches!(self.kind, SparqlTokenKind::Space | SparqlTokenKind::Comment)
    }

    /// The name of a variable, without `?` or `$`.
    pub(super) fn variable(&self) -> Option<&'a str> {
        self.text.strip_prefix(['?', '$']).filter(|_| self.kind == SparqlTokenKind::Variable)
    }

    /// The IRI without its angle brackets.
    pub(super) fn iri(&self) -> Option<&'a str> {
        let iri = self.text.strip_prefix('<')?.strip_suffix('>')?;
        (self.kind == SparqlTokenKind::Iri).then_some(iri)
    }

    /// The prefix of a prefixed name, without the colon.
    pub(super) fn prefix(&self) -> Option<&'a str> {
        let (prefix, _) = self.text.split_once(':')?;
        (self.kind == SparqlTokenKind::PrefixedName).then_some(prefix)
    }
}

/// Splits `text` into tokens.
pub(super) fn tokenize(text: &str) -> Vec<SparqlToken<'_>> {
    let mut tokens = Vec::new();
    let mut rest = text;
    while !rest.is_empty() {
        let (kind, len) = next_token(rest);
        // Stray characters become one token each, so that every step advances.
        let (token, after) = rest.split_at_checked(len).unwrap_or((rest, ""));
        tokens.push(SparqlToken { kind, text: token });
        rest = after;
    }
    tokens
}

fn next_token(rest: &str) -> (SparqlTokenKind, usize) {
    let first = rest.chars().next().unwrap_or_default();
    match first {
        ' ' | '\t' | '\n' | '\r' => {
            (SparqlTokenKind::Space, span(rest, |c| matches!(c, ' ' | '\t' | '\n' | '\r')))
        }
        '#' => (SparqlTokenKind::Comment, span(rest, |c| c != '\n' && c != '\r')),
        '<' => iri(rest).map_or_else(|| punctuation(rest), |len| (SparqlTokenKind::Iri, len)),
        '"' | '\'' => {
            string(rest, first).map_or((SparqlTokenKind::Stray, 1), |len| (SparqlTokenKind::String, len))
        }
        '?' | '$' => sigil(rest, SparqlTokenKind::Variable, is_variable_char),
        '@' => sigil(rest, SparqlTokenKind::LangTag, |c| c.is_ascii_alphanumeric() || c == '-'),
        '0'..='9' => (SparqlTokenKind::Number, number(rest)),
        '.' if behind(rest, 1).starts_with(|c: char| c.is_ascii_digit()) => {
            (SparqlTokenKind::Number, number(rest))
        }
        '_' if rest.starts_with("_:") => {
            (SparqlTokenKind::BlankNode, 2 + dotted_name(behind(rest, 2), is_name_char))
        }
        ':' => (SparqlTokenKind::PrefixedName, 1 + local(behind(rest, 1))),
        '_' => (SparqlTokenKind::Word, word(rest)),
        c if is_name_start(c) && !matches!(c, '\u{200C}' | '\u{200D}') => name(rest),
        _ => punctuation(rest),
    }
}

/// The text after the first `bytes` bytes (a character boundary); empty if it is shorter.
fn behind(text: &str, bytes: usize) -> &str {
    text.get(bytes..).unwrap_or_default()
}

/// The number of bytes of the longest prefix whose characters all satisfy `fits`.
fn span(text: &str, fits: impl Fn(char) -> bool) -> usize {
    text.find(|c| !fits(c)).unwrap_or(text.len())
}

/// `VARNAME`: name characters without the hyphen.
fn is_variable_char(c: char) -> bool {
    is_name_char(c) && c != '-'
}

fn sigil(rest: &str, kind: SparqlTokenKind, fits: impl Fn(char) -> bool) -> (SparqlTokenKind, usize) {
    match span(behind(rest, 1), fits) {
        0 => (SparqlTokenKind::Punctuation, 1),
        len => (kind, 1 + len),
    }
}

/// `IRIREF`, including backslashes of `\u` escapes.
fn iri(rest: &str) -> Option<usize> {
    let inside =
        span(behind(rest, 1), |c| c > ' ' && !matches!(c, '<' | '>' | '"' | '{' | '}' | '|' | '^' | '`'));
    behind(rest, 1 + inside).starts_with('>').then_some(inside + 2)
}

/// The four kinds of quoted strings; `None` if the quote is not closed.
fn string(rest: &str, quote: char) -> Option<usize> {
    let triple: String = [quote; 3].iter().collect();
    if let Some(inside) = rest.strip_prefix(&triple)
        && let Some(end) = closing(inside, |tail| tail.starts_with(&triple), |_| false)
    {
        return Some(end + 6);
    }
    let end = closing(behind(rest, 1), |tail| tail.starts_with(quote), |c| c == '\n' || c == '\r')?;
    Some(end + 2)
}

/// The end of a string; a backslash escapes the next character.
fn closing(inside: &str, ends: impl Fn(&str) -> bool, forbidden: impl Fn(char) -> bool) -> Option<usize> {
    let mut chars = inside.char_indices();
    while let Some((at, c)) = chars.next() {
        if ends(behind(inside, at)) {
            return Some(at);
        }
        if forbidden(c) {
            return None;
        }
        if c == '\\' {
            chars.next();
        }
    }
    None
}

/// `INTEGER`, `DECIMAL` or `DOUBLE` without a sign.
fn number(rest: &str) -> usize {
    let digits = |at: usize| span(behind(rest, at), |c| c.is_ascii_digit());
    let mut end = digits(0);
    if behind(rest, end).starts_with('.') && digits(end + 1) > 0 {
        end += 1 + digits(end + 1);
    }
    if behind(rest, end).starts_with(['e', 'E']) {
        let sign = usize::from(behind(rest, end + 1).starts_with(['+', '-']));
        let exponent = digits(end + 1 + sign);
        if exponent > 0 {
            end += 1 + sign + exponent;
        }
    }
    end
}

/// A prefixed name if a colon follows, otherwise a word.
fn name(rest: &str) -> (SparqlTokenKind, usize) {
    let prefix = dotted_name(rest, is_name_char);
    if let Some(local_name) = behind(rest, prefix).strip_prefix(':') {
        return (SparqlTokenKind::PrefixedName, prefix + 1 + local(local_name));
    }
    (SparqlTokenKind::Word, word(rest))
}

fn word(rest: &str) -> usize {
    let ascii = span(rest, |c| c.is_ascii_alphanumeric() || c == '_');
    // A word that starts with a non-ASCII letter is not a keyword, but the tokenizer must advance.
    if ascii == 0 { span(rest, is_variable_char) } else { ascii }
}

/// The number of bytes of a name that may contain dots but not end with one.
fn dotted_name(text: &str, fits: impl Fn(char) -> bool) -> usize {
    let greedy = span(text, |c| c == '.' || fits(c));
    text.get(..greedy).unwrap_or(text).trim_end_matches('.').len()
}

/// `PN_LOCAL`, possibly empty.
fn local(text: &str) -> usize {
    let mut end = 0;
    let mut at = 0;
    while let Some(c) = behind(text, at).chars().next() {
        let len = match c {
            '%' if is_percent_triple(behind(text, at)) => 3,
            '\\' if behind(text, at + 1).starts_with(|c| "_~.-!$&'()*+,;=/?#@%".contains(c)) => 2,
            '.' if at > 0 => 1,
            ':' => 1,
            '-' if at == 0 => break,
            c if is_name_char(c) => c.len_utf8(),
            _ => break,
        };
        at += len;
        if c != '.' {
            end = at;
        }
    }
    end
}

fn is_percent_triple(text: &str) -> bool {
    text.as_bytes().get(1..3).is_some_and(|hex| hex.iter().all(u8::is_ascii_hexdigit))
}

fn punctuation(rest: &str) -> (SparqlTokenKind, usize) {
    if ["&&", "||", "!=", "<=", ">=", "^^"].iter().any(|op| rest.starts_with(op)) {
        return (SparqlTokenKind::Punctuation, 2);
    }
    match rest.chars().next() {
        Some(c) if "{}()[];,.*/|^+-!=<>&".contains(c) => (SparqlTokenKind::Punctuation, 1),
        Some(c) => (SparqlTokenKind::Stray, c.len_utf8()),
        None => (SparqlTokenKind::Stray, 0),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn kinds(text: &str) -> Vec<(SparqlTokenKind, &str)> {
        let significant = tokenize(text).into_iter().filter(SparqlToken::is_significant);
        significant.map(|t| (t.kind, t.text)).collect()
    }

    #[test]
    fn terminals_are_recognised() {
        use SparqlTokenKind::*;
        assert_eq!(
            kinds("?x ex:a\\(b\\)%41.c. <e:i> 'it''s' \"\"\"a\"b\"\"\" @en-GB _:b1 1.5e-3 # ?no"),
            vec![
                (Variable, "?x"),
                (PrefixedName, "ex:a\\(b\\)%41.c"),
                (Punctuation, "."),
                (Iri, "<e:i>"),
                (String, "'it'"),
                (String, "'s'"),
                (String, "\"\"\"a\"b\"\"\""),
                (LangTag, "@en-GB"),
                (BlankNode, "_:b1"),
                (Number, "1.5e-3"),
            ]
        );
    }

    #[test]
    fn comparisons_are_not_iris_and_paths_are_not_variables() {
        use SparqlTokenKind::*;
        assert_eq!(
            kinds("?a<?b && ?c >5.5 ex:p? / :q*"),
            vec![
                (Variable, "?a"),
                (Punctuation, "<"),
                (Variable, "?b"),
                (Punctuation, "&&"),
                (Variable, "?c"),
                (Punctuation, ">"),
                (Number, "5.5"),
                (PrefixedName, "ex:p"),
                (Punctuation, "?"),
                (Punctuation, "/"),
                (PrefixedName, ":q"),
                (Punctuation, "*"),
            ]
        );
    }

    #[test]
    fn colons_inside_strings_iris_and_comments_make_no_names() {
        let text = "'a:b' \"c:d\" <e:f> '''g:h''' # i:j\n k:l";
        let names: Vec<_> =
            kinds(text).into_iter().filter(|(k, _)| *k == SparqlTokenKind::PrefixedName).collect();
        assert_eq!(names, vec![(SparqlTokenKind::PrefixedName, "k:l")]);
    }

    #[test]
    fn an_unclosed_quote_and_a_no_break_space_are_stray() {
        let stray: Vec<_> =
            kinds("'abc\n\u{a0}x").into_iter().filter(|(k, _)| *k == SparqlTokenKind::Stray).collect();
        assert_eq!(stray, vec![(SparqlTokenKind::Stray, "'"), (SparqlTokenKind::Stray, "\u{a0}")]);
    }

    proptest! {
        #[test]
        fn tokens_put_together_are_the_text(text in ".{0,60}") {
            let joined: String = tokenize(&text).iter().map(|t| t.text).collect();
            prop_assert_eq!(joined, text);
        }

        #[test]
        fn so_are_those_of_sparql_like_text(text in r#"([?$:@<>'"\\#%._ a-c1{}()é\n-]|e:x|"""){0,40}"#) {
            let tokens = tokenize(&text);
            prop_assert!(tokens.iter().all(|t| !t.text.is_empty()));
            let joined: String = tokens.iter().map(|t| t.text).collect();
            prop_assert_eq!(joined, text);
        }
    }
}
