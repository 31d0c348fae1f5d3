//! A query that is still being written: the term at the cursor, and the triple patterns that say what can stand there.
//!
//! Uses the tokenizer; `groups` finds the groups around the cursor, `triples` their triple patterns. A text is unfinished in any
//! way, so nothing here fails: what cannot be read is left out, and without a triple pattern for the cursor there is no result.
//! Every triple pattern of the result has been parsed by itself. Solutions are those of triple patterns alone: filters, bound
//! values, and what stands in OPTIONAL, UNION, MINUS, SERVICE and subqueries beside the cursor are left out.

mod groups;
mod triples;

use super::depth::refuse_deep_text;
use super::tokens::{SparqlToken, SparqlTokenKind, tokenize};
use crate::terms::{Prefixes, is_name_char};
use groups::groups_around;
use spargebra::SparqlParser;
use std::collections::BTreeSet;
use triples::{Reading, TriplePattern, triples_of};

/// Maximum number of triple patterns in the result: the nearest ones.
const MAX_TRIPLES: usize = 30;
/// What the names of variables begin with that are in no query.
const OWN_VARIABLES: &str = "search_";

/// A term that is being written in a triple pattern.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UnfinishedTerm {
    /// What has been written of its name so far: of a prefixed name, what follows the colon. Empty if nothing.
    pub name: String,
    /// The namespace of its prefix, if it has one that is known.
    pub namespace: Option<String>,
    /// The triple patterns with it, and those around that variables join to them; IRIs are written in full.
    pub pattern: String,
    /// The variable that stands for it in the pattern, without its question mark.
    pub variable: String,
    /// The prefixes that the query declares.
    pub declared: Prefixes,
    /// All prefixes in effect: the known ones and those that it declares.
    pub prefixes: Prefixes,
}

/// The term before the cursor of an unfinished query. `at` is the number of characters before the cursor, `known` are the prefixes
/// that need no declaration. `None` where no term of a triple pattern is being written, or the text around cannot be read.
#[must_use]
pub fn unfinished_term(query: &str, at: usize, known: &Prefixes) -> Option<UnfinishedTerm> {
    let cursor = query.char_indices().map(|(byte, _)| byte).chain([query.len()]).nth(at)?;
    let (before, after) = query.split_at_checked(cursor)?;
    let (before, written) = before.split_at_checked(before.trim_end_matches(is_of_name).len())?;
    let before = tokenize(before);
    let after = tokenize(after.trim_start_matches(is_of_name));
    if !is_name(written) || !can_begin(&before) {
        return None;
    }
    let tokens: Vec<SparqlToken<'_>> = before.iter().chain(&after).copied().collect();
    refuse_deep_text(&tokens).ok()?;
    let declared = declared(&tokens);
    let prefixes = known.merged(&declared);
    let own = own_variables(&tokens);
    let variable = format!("{own}place");
    let place = format!("?{variable}");
    let pieces = pieces(&before, &place, &after);
    let at = pieces.iter().take_while(|piece| piece.token.text != place).count();
    let mut reading = Reading { place: &place, own: &own, count: 0, prefixes: &prefixes };
    let groups = groups_around(&pieces, at)?;
    let found = groups.into_iter().flat_map(|group| triples_of(group, &mut reading)).collect();
    let pattern = joined(&place, found)?;
    let (name, namespace) = match written.split_once(':') {
        Some((prefix, local)) => (local, prefixes.get(prefix).map(str::to_owned)),
        None => (written, None),
    };
    Some(UnfinishedTerm { name: name.to_owned(), namespace, pattern, variable, declared, prefixes })
}

/// A token, with what its line tells.
#[derive(Debug, Clone, Copy)]
struct Piece<'a> {
    token: SparqlToken<'a>,
    /// Whether it is the first one of its line.
    begins_line: bool,
}

/// Whether a character can belong to a prefixed name that is being written.
fn is_of_name(c: char) -> bool {
    is_name_char(c) || matches!(c, ':' | '%')
}

/// Whether what was written may become the name of a term: no number, no blank node.
fn is_name(written: &str) -> bool {
    !written.starts_with(|c: char| c.is_ascii_digit() || c == '-') && !written.starts_with("_:")
}

/// Whether a term can begin after these tokens: not inside a comment or a string, nor after the sign of a variable, language
/// or IRI.
fn can_begin(before: &[SparqlToken<'_>]) -> bool {
    let is_quote = |token: &SparqlToken<'_>| token.text.starts_with(['"', '\'']);
    let is_open = |token: &SparqlToken<'_>| token.kind == SparqlTokenKind::Stray && is_quote(token);
    // A long string that is not closed looks like an empty one, and another one at once.
    let is_long = |(one, next): (&SparqlToken<'_>, &SparqlToken<'_>)| is_quote(one) && is_quote(next);
    let pairs = before.iter().zip(before.iter().skip(1));
    let ends_well = before.last().is_none_or(|last| {
        last.kind != SparqlTokenKind::Comment
            && !matches!(last.text, "?" | "$" | "@" | "<")
            && !last.text.ends_with('\\')
    });
    ends_well && !before.iter().any(is_open) && !pairs.into_iter().any(is_long)
}

/// The prefixes that are declared.
fn declared(tokens: &[SparqlToken<'_>]) -> Prefixes {
    let significant: Vec<&SparqlToken<'_>> = tokens.iter().filter(|token| token.is_significant()).collect();
    let mut prefixes = Prefixes::default();
    for three in significant.windows(3) {
        if let [keyword, name, iri] = three
            && keyword.is_word("PREFIX")
            && let (Some(prefix), Some(iri)) = (name.prefix(), iri.iri())
        {
            prefixes.insert(prefix, iri);
        }
    }
    prefixes
}

/// What the names of variables begin with that the query does not have.
fn own_variables(tokens: &[SparqlToken<'_>]) -> String {
    let mut own = OWN_VARIABLES.to_owned();
    while tokens.iter().filter_map(SparqlToken::variable).any(|name| name.starts_with(&own)) {
        own.push('_');
    }
    own
}

/// What is significant, with a variable in the place of the cursor.
fn pieces<'a>(before: &[SparqlToken<'a>], place: &'a str, after: &[SparqlToken<'a>]) -> Vec<Piece<'a>> {
    let place = SparqlToken { kind: SparqlTokenKind::Variable, text: place };
    let mut pieces = Vec::new();
    let mut begins_line = true;
    for token in before.iter().chain([&place]).chain(after) {
        if token.is_significant() {
            pieces.push(Piece { token: *token, begins_line });
            begins_line = false;
        } else {
            begins_line |= token.text.contains(['\n', '\r']);
        }
    }
    pieces
}

/// The triple patterns with the place, and those that variables join to them, as a text; `None` if none has the place.
fn joined(place: &str, found: Vec<TriplePattern>) -> Option<String> {
    let (mut kept, mut others): (Vec<_>, Vec<_>) = found.into_iter().partition(|triple| triple.has(place));
    kept.retain(parses);
    if kept.is_empty() {
        return None;
    }
    let mut reached: BTreeSet<String> = kept.iter().flat_map(TriplePattern::variables).collect();
    let is_joined = |triple: &TriplePattern, reached: &BTreeSet<String>| {
        triple.variables().any(|name| reached.contains(&name))
    };
    while kept.len() < MAX_TRIPLES
        && let Some(at) = others.iter().position(|triple| is_joined(triple, &reached))
    {
        let next = others.remove(at);
        if parses(&next) {
            reached.extend(next.variables());
            kept.push(next);
        }
    }
    Some(kept.iter().map(TriplePattern::to_string).collect::<Vec<_>>().join(" "))
}

/// Whether a parser accepts a triple pattern.
fn parses(triple: &TriplePattern) -> bool {
    SparqlParser::new().parse_query(&format!("ASK {{ {triple} }}")).is_ok()
}

#[cfg(test)]
mod tests;
