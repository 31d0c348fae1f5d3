//! A name's tokens as one text, created once when the index is built: Tantivy indexes it, and searches compare with it.
//!
//! Tokens are separated by spaces; their first character marks those that are not plain words. No token contains a space
//! or a control character, since tokens consist of letters, digits and marks.

use eruca_language::text::{TokenKind, tokens};
use tantivy::tokenizer::{Token as IndexToken, TokenStream, Tokenizer};

const PART: char = '\u{1}';
const COMPOUND: char = '\u{2}';

/// A token of an encoded name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct NameToken<'a> {
    pub(super) text: &'a str,
    /// The position of its word.
    pub(super) position: usize,
    pub(super) kind: TokenKind,
}

/// Encodes the tokens of a name.
pub(super) fn encode(name: &str) -> String {
    let mut encoded = String::with_capacity(name.len() + 8);
    for token in tokens(name) {
        if !encoded.is_empty() {
            encoded.push(' ');
        }
        match token.kind {
            TokenKind::Word => {}
            TokenKind::Part => encoded.push(PART),
            TokenKind::Compound => encoded.push(COMPOUND),
        }
        encoded.push_str(&token.text);
    }
    encoded
}

/// The names encoded, each once: a name that is the same in two languages counts once.
pub(super) fn encode_each(names: Vec<&str>) -> Vec<String> {
    let mut encoded: Vec<String> = Vec::with_capacity(names.len());
    for name in names.into_iter().map(encode) {
        if !name.is_empty() && !encoded.contains(&name) {
            encoded.push(name);
        }
    }
    encoded
}

/// The tokens of an encoded name.
pub(super) fn decode(encoded: &str) -> impl Iterator<Item = NameToken<'_>> {
    let mut words = 0_usize;
    encoded.split(' ').filter(|token| !token.is_empty()).map(move |token| {
        let (text, kind) = match token.strip_prefix(PART) {
            Some(part) => (part, TokenKind::Part),
            None => match token.strip_prefix(COMPOUND) {
                Some(compound) => (compound, TokenKind::Compound),
                None => (token, TokenKind::Word),
            },
        };
        words += usize::from(kind == TokenKind::Word);
        NameToken { text, position: words.saturating_sub(1), kind }
    })
}

/// The words of an encoded name in order.
pub(super) fn words(encoded: &str) -> impl Iterator<Item = &str> {
    encoded.split(' ').filter(|token| !token.is_empty() && !token.starts_with([PART, COMPOUND]))
}

/// The words of an encoded name in alphabetical order: equal for names with the same words.
pub(super) fn word_set(encoded: &str) -> String {
    let mut words: Vec<&str> = words(encoded).collect();
    words.sort_unstable();
    words.join(" ")
}

/// A Tantivy tokenizer for encoded names.
#[derive(Debug, Clone, Default)]
pub(super) struct EncodedTokenizer {
    token: IndexToken,
}

/// The token stream of [`EncodedTokenizer`].
pub(super) struct EncodedTokenStream<'a> {
    rest: &'a str,
    token: &'a mut IndexToken,
}

impl Tokenizer for EncodedTokenizer {
    type TokenStream<'a> = EncodedTokenStream<'a>;

    fn token_stream<'a>(&'a mut self, text: &'a str) -> EncodedTokenStream<'a> {
        self.token.reset();
        EncodedTokenStream { rest: text, token: &mut self.token }
    }
}

impl TokenStream for EncodedTokenStream<'_> {
    fn advance(&mut self) -> bool {
        if self.rest.is_empty() {
            return false;
        }
        let (token, rest) = self.rest.split_once(' ').unwrap_or((self.rest, ""));
        self.rest = rest;
        self.token.position = self.token.position.wrapping_add(1);
        self.token.text.clear();
        self.token.text.push_str(token.trim_start_matches([PART, COMPOUND]));
        true
    }

    fn token(&self) -> &IndexToken {
        self.token
    }

    fn token_mut(&mut self) -> &mut IndexToken {
        self.token
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn words_of_the_same_name_in_another_order_are_equal() {
        assert_eq!(word_set(&encode("By Two Two")), word_set(&encode("two by two")));
        assert_ne!(word_set(&encode("By Two")), word_set(&encode("two by two")));
    }

    proptest! {
        #[test]
        fn nothing_is_lost(text in "\\PC{0,60}") {
            let encoded = encode(&text);
            let decoded: Vec<_> = decode(&encoded).map(|t| (t.text.to_owned(), t.kind)).collect();
            let wanted: Vec<_> = tokens(&text).into_iter().map(|t| (t.text, t.kind)).collect();
            prop_assert_eq!(decoded, wanted);
            let mut tokenizer = EncodedTokenizer::default();
            let mut stream = tokenizer.token_stream(&encoded);
            for token in tokens(&text) {
                prop_assert!(stream.advance());
                prop_assert_eq!(&stream.token().text, &token.text);
            }
            prop_assert!(!stream.advance());
        }
    }
}
