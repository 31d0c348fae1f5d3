//! The door for gold queries. Those of Wikidata's users are written for one engine: with its label service, its named subqueries and
//! its hints, none of which is SPARQL. They are written as SPARQL that gives the same rows, or it is said why that cannot be done.
//!
//! | Extension | Becomes |
//! |---|---|
//! | `SERVICE wikibase:label { … }` | `OPTIONAL { ?x rdfs:label ?xLabel FILTER(…) }` for each variable that gets a label, at the end of the group; without a label it is unbound, and not the id |
//! | `WITH { … } AS %name`, `INCLUDE %name` | the subquery in its place |
//! | `hint:…` | nothing |
//! | prefixes of Wikidata that are not declared | declared, where they name a property or an item |
//! | other services of that engine | refused, by name |
//!
//! See [the label service](https://www.mediawiki.org/wiki/Wikidata_Query_Service/User_Manual#Label_service) and
//! [named subqueries](https://github.com/blazegraph/database/wiki/NamedSubquery).

mod labels;
mod prefixes;
mod tokens;

use labels::labels;
use prefixes::with_prefixes;
use std::collections::BTreeMap;
use std::ops::Range;
use tokens::{Token, tokens};

/// How deep named subqueries may include each other.
const MAX_DEPTH: usize = 8;
/// Maximum length of a query that is written, in bytes: subqueries may be included many times.
const MAX_BYTES: usize = 200_000;
/// Services of Wikidata's engine that no other one has.
const OWN_SERVICES: [&str; 6] =
    ["wikibase:around", "wikibase:box", "wikibase:mwapi", "gas:service", "bd:sample", "bd:slice"];

/// Why a gold query cannot be run.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum GoldError {
    /// It uses a service that only Wikidata's engine has.
    #[error("it needs the service {0}, which only the engine of Wikidata has")]
    Service(String),
    /// A named subquery is missing, includes itself, or makes the query too long.
    #[error("its named subquery {0} is missing, includes itself, or makes the query too long")]
    Included(String),
}

/// A gold query as SPARQL. One without extensions stays as it is written.
///
/// # Errors
/// When it needs what only one engine has.
pub fn runnable(query: &str) -> Result<String, GoldError> {
    let is_extension =
        |token: &Token<'_>| token.is("INCLUDE") || token.is("SERVICE") || token.text.starts_with("hint:");
    let found = tokens(query);
    let prefixed = with_prefixes(query, &found);
    if !found.iter().any(is_extension) {
        return Ok(prefixed);
    }
    let (mut text, named) = without_named(&prefixed);
    for _ in 0..MAX_DEPTH {
        match included(&text, &named)? {
            Some(more) => text = more,
            None => return without_services(&without_hints(&text)),
        }
    }
    Err(GoldError::Included(named.first().map(|(name, _)| name.clone()).unwrap_or_default()))
}

/// The query without its named subqueries, and these by name.
fn without_named(query: &str) -> (String, Vec<(String, String)>) {
    let tokens = tokens(query);
    let (mut cuts, mut named, mut at) = (Vec::new(), Vec::new(), 0);
    while let Some(token) = tokens.get(at) {
        let found = Some(at + 1).filter(|_| token.is("WITH")).and_then(|open| named_at(query, &tokens, open));
        match found {
            Some((name, body, end)) => {
                cuts.push((cut(&tokens, at..end), String::new()));
                named.push((name, body));
                at = end;
            }
            None => at += 1,
        }
    }
    (spliced(query, &tokens, cuts), named)
}

/// A named subquery whose group opens at a token: its name, its body, and the token behind it.
fn named_at(query: &str, tokens: &[Token<'_>], open: usize) -> Option<(String, String, usize)> {
    let close = closing(tokens, open)?;
    let [word, name] = tokens.get(close + 1..close + 3)? else { return None };
    let body = query.get(tokens.get(open)?.at.end..tokens.get(close)?.at.start)?;
    (word.is("AS") && name.text.starts_with('%')).then(|| (name.text.to_owned(), body.to_owned(), close + 3))
}

/// The query with its inclusions replaced; `None` if there are none.
fn included(query: &str, named: &[(String, String)]) -> Result<Option<String>, GoldError> {
    let tokens = tokens(query);
    let mut cuts = Vec::new();
    for (at, pair) in tokens.windows(2).enumerate() {
        let [word, name] = pair else { continue };
        if word.is("INCLUDE") && name.text.starts_with('%') {
            let unknown = || GoldError::Included(name.text.to_owned());
            let (_, body) = named.iter().find(|(known, _)| known == name.text).ok_or_else(unknown)?;
            cuts.push((cut(&tokens, at..at + 2), format!(" {{ {body} }} ")));
        }
    }
    let Some(first) = tokens.iter().find(|token| token.text.starts_with('%')).filter(|_| !cuts.is_empty())
    else {
        return Ok(None);
    };
    let name = first.text.to_owned();
    let text = spliced(query, &tokens, cuts);
    if text.len() > MAX_BYTES { Err(GoldError::Included(name)) } else { Ok(Some(text)) }
}

/// The query without hints for the optimizer: triples whose subject begins with `hint:`.
fn without_hints(query: &str) -> String {
    let tokens = tokens(query);
    let mut cuts = Vec::new();
    let mut at = 0;
    while let Some(token) = tokens.get(at) {
        let mut end = at + 1;
        if token.text.starts_with("hint:") {
            while tokens.get(end).is_some_and(|token| !matches!(token.text, "." | "}")) {
                end += 1;
            }
            end += usize::from(tokens.get(end).is_some_and(|token| token.text == "."));
            cuts.push((cut(&tokens, at..end), String::new()));
        }
        at = end;
    }
    spliced(query, &tokens, cuts)
}

/// The query with labels in the place of the label service. That engine fills labels when all else in the group is done, so they go to its
/// end: before it, they would be those of everything.
fn without_services(query: &str) -> Result<String, GoldError> {
    let tokens = tokens(query);
    let mut cuts = Vec::new();
    let mut at_ends: BTreeMap<usize, String> = BTreeMap::new();
    for (at, _) in tokens.iter().enumerate().filter(|(_, token)| token.is("SERVICE")) {
        let silent = usize::from(tokens.get(at + 1).is_some_and(|next| next.is("SILENT")));
        let Some(name) = tokens.get(at + 1 + silent) else { continue };
        if OWN_SERVICES.contains(&name.text) {
            return Err(GoldError::Service(name.text.to_owned()));
        }
        let close = Some(at + 2 + silent).filter(|_| name.text == "wikibase:label");
        if let Some((open, close)) = close.and_then(|open| Some((open, closing(&tokens, open)?))) {
            let inside = tokens.get(open + 1..close).unwrap_or_default();
            let outside = tokens.iter().take(at).chain(tokens.iter().skip(close + 1));
            let mut labels = labels(inside, outside);
            let dot = usize::from(tokens.get(close + 1).is_some_and(|next| next.text == "."));
            if let Some(end) = end_of_group(&tokens, close + 1).filter(|end| *end > close + 1 + dot) {
                at_ends.entry(end).or_default().push_str(&labels);
                // What stands before and behind it stays apart, and a dot keeps its place.
                labels = "{ }".to_owned();
            }
            cuts.push((cut(&tokens, at..close + 1), labels));
        }
    }
    cuts.extend(
        at_ends.into_iter().map(|(end, labels)| (cut(&tokens, end..end + 1), format!(" {labels}}}"))),
    );
    cuts.sort_by_key(|(range, _)| range.start);
    Ok(spliced(query, &tokens, cuts))
}

/// The token that closes the group in which this one stands.
fn end_of_group(tokens: &[Token<'_>], from: usize) -> Option<usize> {
    let mut depth = 0_usize;
    for (at, token) in tokens.iter().enumerate().skip(from) {
        match token.text {
            "{" => depth += 1,
            "}" if depth == 0 => return Some(at),
            "}" => depth -= 1,
            _ => {}
        }
    }
    None
}

/// The token that closes the group that opens at this one.
fn closing(tokens: &[Token<'_>], open: usize) -> Option<usize> {
    tokens.get(open).filter(|token| token.text == "{")?;
    let mut depth = 0_usize;
    for (at, token) in tokens.iter().enumerate().skip(open) {
        match token.text {
            "{" => depth += 1,
            "}" => depth = depth.checked_sub(1)?,
            _ => {}
        }
        if depth == 0 {
            return Some(at);
        }
    }
    None
}

/// The place of some tokens in the text.
fn cut(tokens: &[Token<'_>], range: Range<usize>) -> Range<usize> {
    let start = tokens.get(range.start).map_or(0, |token| token.at.start);
    start..tokens.get(range.end.saturating_sub(1)).map_or(start, |token| token.at.end)
}

/// The text of the tokens, with other texts in some places, and without comments.
fn spliced(query: &str, tokens: &[Token<'_>], cuts: Vec<(Range<usize>, String)>) -> String {
    let (mut text, mut end) = (String::with_capacity(query.len()), 0);
    let mut cuts = cuts.into_iter().peekable();
    for token in tokens {
        if token.at.start < end {
            continue;
        }
        // Between tokens stands space or a comment.
        let gap = query.get(end..token.at.start).unwrap_or_default();
        let is_apart = !gap.is_empty();
        if is_apart {
            text.push(if gap.contains('\n') { '\n' } else { ' ' });
        }
        match cuts.next_if(|(range, _)| range.start == token.at.start) {
            Some((range, instead)) => {
                text.push_str(&instead);
                end = range.end;
            }
            None => {
                text.push_str(token.text);
                end = token.at.end;
            }
        }
    }
    text
}

#[cfg(test)]
mod tests;
