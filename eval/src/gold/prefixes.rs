//! The prefixes that Wikidata's engine knows without a declaration.

use super::tokens::Token;
use std::fmt::Write as _;

/// Prefixes with what follows the address of Wikidata in them
/// ([list](https://www.mediawiki.org/wiki/Wikibase/Indexing/RDF_Dump_Format#Full_list_of_prefixes)).
const PREFIXES: [(&str, &str); 18] = [
    ("wd", "entity/"),
    ("wds", "entity/statement/"),
    ("wdv", "value/"),
    ("wdref", "reference/"),
    ("wdt", "prop/direct/"),
    ("wdtn", "prop/direct-normalized/"),
    ("p", "prop/"),
    ("ps", "prop/statement/"),
    ("psv", "prop/statement/value/"),
    ("psn", "prop/statement/value-normalized/"),
    ("pq", "prop/qualifier/"),
    ("pqv", "prop/qualifier/value/"),
    ("pqn", "prop/qualifier/value-normalized/"),
    ("pr", "prop/reference/"),
    ("prv", "prop/reference/value/"),
    ("prn", "prop/reference/value-normalized/"),
    ("wdno", "prop/novalue/"),
    ("wdata", "wiki/Special:EntityData/"),
];

/// The query with declarations for prefixes that it uses as Wikidata does: with the number of a property, an item or a lexeme. A graph
/// of its own with one of these prefixes has other names behind it.
pub(super) fn with_prefixes(query: &str, tokens: &[Token<'_>]) -> String {
    let mut text = String::new();
    for (prefix, path) in PREFIXES {
        let uses = |token: &Token<'_>| {
            token.text.split_once(':').is_some_and(|(name, local)| name == prefix && is_number(local))
        };
        let declares = |pair: &[Token<'_>]| matches!(pair, [word, name] if word.is("PREFIX") && name.text.strip_suffix(':') == Some(prefix));
        if tokens.iter().any(uses) && !tokens.windows(2).any(declares) {
            // Writing to a String cannot fail.
            let _written = write!(text, "PREFIX {prefix}: <http://www.wikidata.org/{path}> ");
        }
    }
    text + query
}

/// Whether a name is that of a property, an item or a lexeme.
fn is_number(local: &str) -> bool {
    let digits = local.strip_prefix(['P', 'Q', 'L']).unwrap_or_default();
    !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit())
}
