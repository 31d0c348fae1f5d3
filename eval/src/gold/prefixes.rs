//! The prefixes that Wikidata's engine knows without a declaration, and others do not.

use super::tokens::Token;
use eruca_sparql::Prefixes;
use std::fmt::Write as _;

/// The query with declarations for prefixes that it uses as Wikidata does: with the number of a property, an item or a lexeme. A graph
/// of its own with one of these prefixes has other names behind it.
pub(super) fn with_prefixes(query: &str, tokens: &[Token<'_>]) -> String {
    let mut text = String::new();
    for (prefix, namespace) in Prefixes::of_wikidata().iter() {
        let uses = |token: &Token<'_>| {
            token.text.split_once(':').is_some_and(|(name, local)| name == prefix && is_number(local))
        };
        let declares = |pair: &[Token<'_>]| match pair {
            [word, name] => word.is("PREFIX") && name.text.strip_suffix(':') == Some(prefix),
            _ => false,
        };
        if tokens.iter().any(uses) && !tokens.windows(2).any(declares) {
            // Writing to a String cannot fail.
            let _written = write!(text, "PREFIX {prefix}: <{namespace}> ");
        }
    }
    text + query
}

/// Whether a name is that of a property, an item or a lexeme.
fn is_number(local: &str) -> bool {
    let digits = local.strip_prefix(['P', 'Q', 'L']).unwrap_or_default();
    !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit())
}
