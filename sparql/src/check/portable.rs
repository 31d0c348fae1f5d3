//! Portable spellings: what some engines accept and others refuse, written so that all accept it.
//!
//! Works on tokens, never inside strings, IRIs or comments; the author's layout stays.

use super::tokens::{Token, TokenKind};
use crate::datatypes::{DERIVED_INTEGERS, XSD};
use crate::terms::{Prefixes, dot_groups};
use std::borrow::Cow;

/// Names that must be followed directly by their bracket in some parsers.
const FUNCTIONS: &[&str] = &[
    "COUNT",
    "SUM",
    "MIN",
    "MAX",
    "AVG",
    "SAMPLE",
    "GROUP_CONCAT",
    "COALESCE",
    "CONCAT",
    "IF",
    "STR",
    "LANG",
    "LANGMATCHES",
    "DATATYPE",
    "BOUND",
    "IRI",
    "URI",
    "BNODE",
    "RAND",
    "ABS",
    "CEIL",
    "FLOOR",
    "ROUND",
    "STRLEN",
    "SUBSTR",
    "UCASE",
    "LCASE",
    "ENCODE_FOR_URI",
    "CONTAINS",
    "STRSTARTS",
    "STRENDS",
    "STRBEFORE",
    "STRAFTER",
    "YEAR",
    "MONTH",
    "DAY",
    "HOURS",
    "MINUTES",
    "SECONDS",
    "TIMEZONE",
    "TZ",
    "NOW",
    "UUID",
    "STRUUID",
    "MD5",
    "SHA1",
    "SHA256",
    "SHA384",
    "SHA512",
    "STRLANG",
    "STRDT",
    "SAMETERM",
    "ISIRI",
    "ISURI",
    "ISBLANK",
    "ISLITERAL",
    "ISNUMERIC",
    "REGEX",
    "REPLACE",
];

/// Rewrites `tokens` to portable spellings; `prefixes` are all that apply to the text.
pub(super) fn rewrite<'a>(tokens: &[Token<'a>], prefixes: &Prefixes) -> String {
    let mut pieces: Vec<Cow<'a, str>> = tokens.iter().map(|t| Cow::Borrowed(t.text)).collect();
    let significant: Vec<usize> = (0..tokens.len()).filter(|&i| tokens[i].is_significant()).collect();
    for (position, &at) in significant.iter().enumerate() {
        let next = significant.get(position + 1).copied();
        rewrite_name(tokens, at, next, prefixes, &mut pieces);
        if let Some(next) = next {
            join_function(tokens, at, next, &mut pieces);
            bracket_sort_key(tokens, at, next, &mut pieces);
        }
    }
    let mut names = FreeNames::of(tokens);
    for (position, &at) in significant.iter().enumerate() {
        if tokens[at].is_word("SELECT") {
            projection(tokens, &significant[position + 1..], &mut names, &mut pieces);
        }
    }
    pieces.concat()
}

/// Casts to derived integer types, and local names with several dots, which some parsers cut short.
fn rewrite_name(
    tokens: &[Token<'_>],
    at: usize,
    next: Option<usize>,
    prefixes: &Prefixes,
    pieces: &mut [Cow<'_, str>],
) {
    let token = tokens[at];
    let iri = match token.kind {
        TokenKind::PrefixedName => prefixes.expand(token.text),
        TokenKind::Iri => Some(token.text[1..token.text.len() - 1].to_owned()),
        _ => None,
    };
    let Some(iri) = iri else { return };
    let called = next.is_some_and(|next| tokens[next].is("("));
    let is_cast = iri.strip_prefix(XSD).is_some_and(|local| DERIVED_INTEGERS.contains(&local));
    if called && is_cast {
        pieces[at] = match token.prefix() {
            Some(prefix) => format!("{prefix}:integer").into(),
            None => format!("<{XSD}integer>").into(),
        };
    } else if token.kind == TokenKind::PrefixedName {
        let local = token.text.split_once(':').map_or("", |(_, local)| local);
        if dot_groups(&local.replace("\\.", "")) > 1 {
            pieces[at] = format!("<{iri}>").into();
        }
    }
}

/// Whether a token is the name of a built-in function or aggregate.
pub(super) fn is_function(token: &Token<'_>) -> bool {
    token.kind == TokenKind::Word && FUNCTIONS.iter().any(|name| token.text.eq_ignore_ascii_case(name))
}

/// `COUNT (` becomes `COUNT(`.
fn join_function(tokens: &[Token<'_>], at: usize, next: usize, pieces: &mut [Cow<'_, str>]) {
    let only_space = tokens[at + 1..next].iter().all(|t| t.kind == TokenKind::Space);
    if is_function(&tokens[at]) && tokens[next].is("(") && only_space {
        pieces[at + 1..next].fill(Cow::Borrowed(""));
    }
}

/// `ORDER BY DESC ?x` becomes `ORDER BY DESC(?x)`.
fn bracket_sort_key(tokens: &[Token<'_>], at: usize, next: usize, pieces: &mut [Cow<'_, str>]) {
    let direction = tokens[at].is_word("ASC") || tokens[at].is_word("DESC");
    if direction && tokens[next].kind == TokenKind::Variable {
        pieces[next] = format!("({})", tokens[next].text).into();
    }
}

/// The items of a SELECT clause: every expression gets brackets and a name, commas go.
fn projection(
    tokens: &[Token<'_>],
    significant: &[usize],
    names: &mut FreeNames,
    pieces: &mut [Cow<'_, str>],
) {
    let mut rest = significant;
    while let Some((&at, after)) = rest.split_first() {
        let token = tokens[at];
        rest = after;
        if token.is(",") {
            pieces[at] = Cow::Borrowed("");
        } else if token.is("(") {
            let end = closing_bracket(tokens, rest);
            rest = bracketed_item(tokens, at, &rest[..end], &rest[end..], names, pieces);
        } else if rest.first().is_some_and(|&next| tokens[next].is("(")) && is_callable(token) {
            let end = closing_bracket(tokens, &rest[1..]) + 1;
            rest = bare_call(tokens, at, &rest[..end], &rest[end..], names, pieces);
        } else if !(token.kind == TokenKind::Variable || token.is("*") || is_modifier(token)) {
            return;
        }
    }
}

fn is_modifier(token: Token<'_>) -> bool {
    token.is_word("DISTINCT") || token.is_word("REDUCED")
}

fn is_callable(token: Token<'_>) -> bool {
    is_function(&token) || matches!(token.kind, TokenKind::PrefixedName | TokenKind::Iri)
}

/// How many of the tokens belong to a bracket that is already open, its end included.
fn closing_bracket(tokens: &[Token<'_>], significant: &[usize]) -> usize {
    let mut depth = 1;
    for (count, &at) in significant.iter().enumerate() {
        if tokens[at].is("(") {
            depth += 1;
        } else if tokens[at].is(")") {
            depth -= 1;
        }
        if depth == 0 {
            return count + 1;
        }
    }
    significant.len()
}

/// An item in brackets: `item` is what follows the opening one, up to the closing one.
fn bracketed_item<'s>(
    tokens: &[Token<'_>],
    open: usize,
    item: &[usize],
    after: &'s [usize],
    names: &mut FreeNames,
    pieces: &mut [Cow<'_, str>],
) -> &'s [usize] {
    let Some((&close, inner)) = item.split_last() else { return after };
    if !tokens[close].is(")") || inner.iter().any(|&at| tokens[at].is_word("AS")) {
        return after;
    }
    if let [only] = inner
        && tokens[*only].kind == TokenKind::Variable
    {
        // `SELECT DISTINCT(?x)`: the brackets become blanks, so that words stay apart.
        pieces[open] = Cow::Borrowed(" ");
        pieces[close] = Cow::Borrowed(" ");
        return after;
    }
    if let Some((variable, rest)) = alias(tokens, after) {
        pieces[open] = Cow::Borrowed("((");
        pieces[variable] = format!("{})", tokens[variable].text).into();
        return rest;
    }
    let base = inner.first().map_or("value", |&at| tokens[at].text);
    pieces[close] = format!(" AS ?{})", names.fresh(base)).into();
    after
}

/// A call without brackets around: `COUNT(?x)`, `COUNT(?x) AS ?n`.
fn bare_call<'s>(
    tokens: &[Token<'_>],
    name: usize,
    call: &[usize],
    after: &'s [usize],
    names: &mut FreeNames,
    pieces: &mut [Cow<'_, str>],
) -> &'s [usize] {
    let Some(&close) = call.last() else { return after };
    pieces[name] = format!("({}", pieces[name]).into();
    if let Some((variable, rest)) = alias(tokens, after) {
        pieces[variable] = format!("{})", tokens[variable].text).into();
        return rest;
    }
    pieces[close] = format!(") AS ?{})", names.fresh(tokens[name].text)).into();
    after
}

/// `AS ?name` at the start of the tokens: the variable, and the tokens behind it.
fn alias<'s>(tokens: &[Token<'_>], significant: &'s [usize]) -> Option<(usize, &'s [usize])> {
    match significant {
        [word, variable, rest @ ..]
            if tokens[*word].is_word("AS") && tokens[*variable].kind == TokenKind::Variable =>
        {
            Some((*variable, rest))
        }
        _ => None,
    }
}

/// Variable names that the text does not use.
struct FreeNames {
    taken: Vec<String>,
}

impl FreeNames {
    fn of(tokens: &[Token<'_>]) -> Self {
        let variables = tokens.iter().filter(|t| t.kind == TokenKind::Variable);
        Self { taken: variables.map(|t| t.text[1..].to_owned()).collect() }
    }

    /// A name after a function: `count`, `count2`, ...
    fn fresh(&mut self, function: &str) -> String {
        let word = function.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
            && function.starts_with(|c: char| c.is_ascii_alphabetic());
        let base = if word { function.to_ascii_lowercase() } else { "value".to_owned() };
        let mut name = base.clone();
        let mut number = 2;
        while self.taken.contains(&name) {
            name = format!("{base}{number}");
            number += 1;
        }
        self.taken.push(name.clone());
        name
    }
}
