//! Portable spelling: rewrites what some engines accept and others reject, so that all accept it.
//!
//! Works on tokens, never inside strings, IRIs or comments; keeps the author's layout.

use super::tokens::{SparqlToken, SparqlTokenKind};
use crate::datatypes::{DERIVED_INTEGERS, XSD};
use crate::terms::{Prefixes, dot_groups};
use std::borrow::Cow;

/// Function names that some parsers require to be directly followed by their parenthesis.
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

/// Rewrites `tokens` to portable spelling; `prefixes` are all prefixes in effect.
pub(super) fn rewrite(tokens: &[SparqlToken<'_>], prefixes: &Prefixes) -> String {
    let mut text = Pieces::of(tokens);
    let significant: Vec<usize> =
        tokens.iter().enumerate().filter(|(_, token)| token.is_significant()).map(|(at, _)| at).collect();
    let mut rest = significant.as_slice();
    while let Some((&at, after)) = rest.split_first() {
        let next = after.first().copied();
        text.rewrite_name(at, next, prefixes);
        text.lower_boolean(at);
        if let Some(next) = next {
            text.join_function(at, next);
            text.bracket_sort_key(at, next);
        }
        rest = after;
    }
    let mut names = FreeNames::of(tokens);
    let mut rest = significant.as_slice();
    while let Some((&at, after)) = rest.split_first() {
        if text.token(at).is_word("SELECT") {
            text.projection(after, &mut names);
        }
        rest = after;
    }
    text.pieces.concat()
}

/// Whether a token is the name of a built-in function or aggregate.
pub(super) fn is_function(token: &SparqlToken<'_>) -> bool {
    token.kind == SparqlTokenKind::Word && FUNCTIONS.iter().any(|name| token.text.eq_ignore_ascii_case(name))
}

fn is_modifier(token: SparqlToken<'_>) -> bool {
    token.is_word("DISTINCT") || token.is_word("REDUCED")
}

fn is_callable(token: SparqlToken<'_>) -> bool {
    is_function(&token) || matches!(token.kind, SparqlTokenKind::PrefixedName | SparqlTokenKind::Iri)
}

/// Stands for a missing token.
const NOTHING: SparqlToken<'_> = SparqlToken { kind: SparqlTokenKind::Stray, text: "" };

/// The tokens of a text with their replacements.
struct Pieces<'t, 'a> {
    tokens: &'t [SparqlToken<'a>],
    pieces: Vec<Cow<'a, str>>,
}

impl<'t, 'a> Pieces<'t, 'a> {
    fn of(tokens: &'t [SparqlToken<'a>]) -> Self {
        Self { tokens, pieces: tokens.iter().map(|token| Cow::Borrowed(token.text)).collect() }
    }

    fn token(&self, at: usize) -> SparqlToken<'a> {
        self.tokens.get(at).copied().unwrap_or(NOTHING)
    }

    fn put(&mut self, at: usize, piece: impl Into<Cow<'a, str>>) {
        if let Some(place) = self.pieces.get_mut(at) {
            *place = piece.into();
        }
    }

    /// Rewrites casts to derived integer types, and local names with several dots, which some parsers truncate.
    fn rewrite_name(&mut self, at: usize, next: Option<usize>, prefixes: &Prefixes) {
        let token = self.token(at);
        let iri = match token.kind {
            SparqlTokenKind::PrefixedName => prefixes.expand(token.text),
            _ => token.iri().map(str::to_owned),
        };
        let Some(iri) = iri else { return };
        let called = next.is_some_and(|next| self.token(next).is("("));
        let is_cast = iri.strip_prefix(XSD).is_some_and(|local| DERIVED_INTEGERS.contains(&local));
        if called && is_cast {
            match token.prefix() {
                Some(prefix) => self.put(at, format!("{prefix}:integer")),
                None => self.put(at, format!("<{XSD}integer>")),
            }
        } else if token.kind == SparqlTokenKind::PrefixedName {
            let local = token.text.split_once(':').map_or("", |(_, local)| local);
            if dot_groups(&local.replace("\\.", "")) > 1 {
                self.put(at, format!("<{iri}>"));
            }
        }
    }

    /// `TRUE` becomes `true`: keywords are case-insensitive ([SPARQL 1.1, 19.8](https://www.w3.org/TR/sparql11-query/#sparqlGrammar)),
    /// but some parsers treat these as case-sensitive.
    fn lower_boolean(&mut self, at: usize) {
        let token = self.token(at);
        if token.is_word("TRUE") || token.is_word("FALSE") {
            self.put(at, token.text.to_ascii_lowercase());
        }
    }

    /// `COUNT (` becomes `COUNT(`.
    fn join_function(&mut self, at: usize, next: usize) {
        let between = at + 1..next;
        let only_space = between.clone().all(|at| self.token(at).kind == SparqlTokenKind::Space);
        if is_function(&self.token(at)) && self.token(next).is("(") && only_space {
            for space in between {
                self.put(space, "");
            }
        }
    }

    /// `ORDER BY DESC ?x` becomes `ORDER BY DESC(?x)`.
    fn bracket_sort_key(&mut self, at: usize, next: usize) {
        let direction = self.token(at).is_word("ASC") || self.token(at).is_word("DESC");
        let key = self.token(next);
        if direction && key.kind == SparqlTokenKind::Variable {
            self.put(next, format!("({})", key.text));
        }
    }

    /// The items of a SELECT clause: every expression gets parentheses and an alias, commas are removed.
    fn projection(&mut self, significant: &[usize], names: &mut FreeNames) {
        let mut rest = significant;
        while let Some((&at, after)) = rest.split_first() {
            let token = self.token(at);
            rest = after;
            let open = rest.split_first().filter(|(next, _)| self.token(**next).is("("));
            if token.is(",") {
                self.put(at, "");
            } else if token.is("(") {
                let (item, after) = self.until_closed(rest);
                rest = self.bracketed_item(at, item, after, names);
            } else if let Some((open, inner)) = open.filter(|_| is_callable(token)) {
                let (call, after) = self.until_closed(inner);
                rest = self.bare_call(at, *call.last().unwrap_or(open), after, names);
            } else if !(token.kind == SparqlTokenKind::Variable || token.is("*") || is_modifier(token)) {
                return;
            }
        }
    }

    /// The tokens up to and including the parenthesis that closes an open one, and the tokens after it.
    fn until_closed<'s>(&self, significant: &'s [usize]) -> (&'s [usize], &'s [usize]) {
        let mut depth = 1;
        for (count, &at) in significant.iter().enumerate() {
            if self.token(at).is("(") {
                depth += 1;
            } else if self.token(at).is(")") {
                depth -= 1;
            }
            if depth == 0 {
                return significant.split_at_checked(count + 1).unwrap_or((significant, &[]));
            }
        }
        (significant, &[])
    }

    /// An item in parentheses: `item` is what follows the opening one, up to the closing one.
    fn bracketed_item<'s>(
        &mut self,
        open: usize,
        item: &[usize],
        after: &'s [usize],
        names: &mut FreeNames,
    ) -> &'s [usize] {
        let Some((&close, inner)) = item.split_last() else { return after };
        if !self.token(close).is(")") || inner.iter().any(|&at| self.token(at).is_word("AS")) {
            return after;
        }
        if let [only] = inner
            && self.token(*only).kind == SparqlTokenKind::Variable
        {
            // `SELECT DISTINCT(?x)`: the parentheses become spaces, to keep the words separate.
            self.put(open, " ");
            self.put(close, " ");
            return after;
        }
        if let Some((variable, rest)) = self.alias(after) {
            self.put(open, "((");
            self.put(variable, format!("{})", self.token(variable).text));
            return rest;
        }
        let base = inner.first().map_or("value", |&at| self.token(at).text);
        self.put(close, format!(" AS ?{})", names.fresh(base)));
        after
    }

    /// A call without surrounding parentheses: `COUNT(?x)`, `COUNT(?x) AS ?n`.
    fn bare_call<'s>(
        &mut self,
        name: usize,
        close: usize,
        after: &'s [usize],
        names: &mut FreeNames,
    ) -> &'s [usize] {
        if let Some(piece) = self.pieces.get_mut(name) {
            *piece = format!("({piece}").into();
        }
        if let Some((variable, rest)) = self.alias(after) {
            self.put(variable, format!("{})", self.token(variable).text));
            return rest;
        }
        self.put(close, format!(") AS ?{})", names.fresh(self.token(name).text)));
        after
    }

    /// `AS ?name` at the start of the tokens: the index of the variable, and the tokens after it.
    fn alias<'s>(&self, significant: &'s [usize]) -> Option<(usize, &'s [usize])> {
        match significant {
            [word, variable, rest @ ..]
                if self.token(*word).is_word("AS")
                    && self.token(*variable).kind == SparqlTokenKind::Variable =>
            {
                Some((*variable, rest))
            }
            _ => None,
        }
    }
}

/// Generates variable names that the text does not use.
struct FreeNames {
    taken: Vec<String>,
}

impl FreeNames {
    fn of(tokens: &[SparqlToken<'_>]) -> Self {
        Self { taken: tokens.iter().filter_map(SparqlToken::variable).map(str::to_owned).collect() }
    }

    /// A name based on a function: `count`, `count2`, ...
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
