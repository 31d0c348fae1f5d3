//! The tokens of a text in Tantivy's form. Uses `eruca_language::text`.

use eruca_language::text::{Token, tokens};
use tantivy::tokenizer::{Token as IndexToken, TokenStream, Tokenizer};

/// A Tantivy tokenizer for [`tokens`]: all kinds at the position of their word.
#[derive(Debug, Clone, Default)]
pub(crate) struct LabelTokenizer {
    token: IndexToken,
}

/// The token stream of [`LabelTokenizer`].
pub(crate) struct LabelTokenStream<'a> {
    tokens: std::vec::IntoIter<Token>,
    token: &'a mut IndexToken,
}

impl Tokenizer for LabelTokenizer {
    type TokenStream<'a> = LabelTokenStream<'a>;

    fn token_stream<'a>(&'a mut self, text: &'a str) -> LabelTokenStream<'a> {
        LabelTokenStream { tokens: tokens(text).into_iter(), token: &mut self.token }
    }
}

impl TokenStream for LabelTokenStream<'_> {
    fn advance(&mut self) -> bool {
        let Some(next) = self.tokens.next() else { return false };
        self.token.position = next.position;
        self.token.position_length = 1;
        (self.token.offset_from, self.token.offset_to) = next.span;
        self.token.text = next.text;
        true
    }

    fn token(&self) -> &IndexToken {
        self.token
    }

    fn token_mut(&mut self) -> &mut IndexToken {
        self.token
    }
}
