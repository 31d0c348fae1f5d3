//! Checks a query before it runs: read-only, allowed, self-contained, portable.
//!
//! Uses `algebra` to inspect the parsed query, `terms` for prefixes, and its own tokenizer for what a parser discards
//! (layout, comments, prefixes).
//!
//! ```text
//! text ─► clean ─► escapes ─► no update, depth of the text ─► prefixes, comments, portable ─► parse the text to be sent
//!      ─► remaining escapes ─► depth and growth of the algebra ─► SERVICE, FROM, functions ─► CheckedQuery
//! ```
//!
//! [`check`] is the only way to create a [`CheckedQuery`], and endpoints accept nothing else. Allowed forms are SELECT, ASK,
//! CONSTRUCT and DESCRIBE: no updates, and no `SERVICE` or `FROM` except those listed in the policy (none by default).
//! `key` defines when two queries are equal; `unfinished` reads what is still being written, which never runs.

use crate::dialect::Dialect;
use crate::error::QueryError;
use crate::query::QueryModel;
use crate::query::algebra::{Node, walk};
use crate::terms::Prefixes;
use spargebra::term::NamedNodePattern;
use spargebra::{Query, SparqlParser};
use std::collections::BTreeSet;
use std::sync::OnceLock;

mod clean;
mod comments;
mod depth;
mod escapes;
mod functions;
mod growth;
mod key;
mod portable;
mod syntax;
mod tokens;
mod unfinished;

use tokens::{SparqlToken, SparqlTokenKind, tokenize};
pub use unfinished::{UnfinishedTerm, unfinished_term};

/// What a query may contain beyond patterns over the dataset; nothing by default.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct QueryPolicy {
    /// IRIs allowed in SERVICE; `*` allows any, including a variable.
    pub service: Vec<String>,
    /// IRI prefixes allowed in FROM and FROM NAMED; `*` allows any.
    pub from: Vec<String>,
    /// IRI prefixes of functions allowed in addition to those of SPARQL and the dialect; `*` allows any.
    pub functions: Vec<String>,
    /// The engine; its extension functions without side effects are allowed.
    pub dialect: &'static Dialect,
    /// Maximum length of the text in bytes.
    pub max_length: usize,
}

impl Default for QueryPolicy {
    fn default() -> Self {
        Self {
            service: Vec::new(),
            from: Vec::new(),
            functions: Vec::new(),
            dialect: Dialect::plain(),
            max_length: 20_000,
        }
    }
}

/// The four [query forms](https://www.w3.org/TR/sparql11-query/#QueryForms).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum QueryForm {
    /// SELECT.
    Select,
    /// ASK.
    Ask,
    /// CONSTRUCT.
    Construct,
    /// DESCRIBE.
    Describe,
}

/// A query that has passed [`check`]; endpoints accept nothing else.
#[derive(Debug, Clone)]
pub struct CheckedQuery {
    text: String,
    algebra: Query,
    model: OnceLock<QueryModel>,
}

impl CheckedQuery {
    /// A query that was written from the algebra of a checked one. Its algebra is parsed from its text, like that of any other.
    pub(crate) fn written(text: &str) -> Result<Self, QueryError> {
        escapes::refuse_left(text)?;
        match SparqlParser::new().parse_query(text) {
            Ok(algebra) => Ok(Self { text: text.to_owned(), algebra, model: OnceLock::new() }),
            Err(_) => {
                refuse("it cannot be limited to what may be seen; write it in a simpler way".to_owned())
            }
        }
    }

    /// The text to send: all prefixes declared, portable spelling, no comments or codepoint escapes, otherwise as written by the
    /// author. Every engine reads it as the same query that was parsed.
    #[must_use]
    pub fn text(&self) -> &str {
        &self.text
    }

    /// SELECT, ASK, CONSTRUCT or DESCRIBE.
    #[must_use]
    pub fn form(&self) -> QueryForm {
        match self.algebra {
            Query::Select { .. } => QueryForm::Select,
            Query::Ask { .. } => QueryForm::Ask,
            Query::Construct { .. } => QueryForm::Construct,
            Query::Describe { .. } => QueryForm::Describe,
        }
    }

    /// The parsed query.
    #[must_use]
    pub fn algebra(&self) -> &Query {
        &self.algebra
    }

    /// The parsed query, to be changed before it is written again.
    pub(crate) fn algebra_mut(&mut self) -> &mut Query {
        &mut self.algebra
    }

    /// A key that is equal for queries that differ only in whitespace, comments, keyword case and the
    /// spelling of IRIs. Variable names matter.
    #[must_use]
    pub fn key(&self) -> String {
        key::canonical(&self.text, &self.algebra)
    }

    /// The model of the query, computed on first use.
    #[must_use]
    pub fn model(&self) -> &QueryModel {
        self.model.get_or_init(|| QueryModel::of(&self.algebra))
    }
}

/// Checks a query: cleans the text, resolves codepoint escapes, removes comments, declares missing prefixes, rewrites to
/// portable spelling, parses it and applies the policy. The parsed text is the text that is sent.
///
/// # Errors
/// [`QueryError::Syntax`], [`QueryError::UnknownPrefix`] or [`QueryError::Refused`]; lines and columns refer to the text
/// without its markdown fence.
pub fn check(text: &str, prefixes: &Prefixes, policy: &QueryPolicy) -> Result<CheckedQuery, QueryError> {
    if text.len() > policy.max_length {
        let (length, limit) = (text.len(), policy.max_length);
        return refuse(format!("the query has {length} bytes, at most {limit} are allowed"));
    }
    let text = clean::clean(text);
    let text = escapes::resolve(&text);
    let tokens = tokenize(&text);
    refuse_updates(&tokens)?;
    depth::refuse_deep_text(&tokens)?;
    let known = Prefixes::well_known().merged(prefixes);
    let (missing, all) = resolve_prefixes(&tokens, &known)?;
    let (text, algebra) = parse(&tokens, &missing, &all)?;
    escapes::refuse_left(&text)?;
    depth::refuse_deep_algebra(&algebra)?;
    growth::refuse_growth(&algebra)?;
    apply_policy(&algebra, policy)?;
    functions::refuse_functions(&algebra, policy)?;
    Ok(CheckedQuery { text, algebra, model: OnceLock::new() })
}

fn refuse<T>(reason: String) -> Result<T, QueryError> {
    Err(QueryError::Refused { reason })
}

/// Parses the portable text, or the original text if a rewrite has broken it. Both are without comments.
fn parse(
    tokens: &[SparqlToken<'_>],
    declarations: &str,
    prefixes: &Prefixes,
) -> Result<(String, Query), QueryError> {
    let spoken = comments::without(tokens);
    let portable = format!("{declarations}{}", portable::rewrite(&spoken, prefixes));
    if let Ok(query) = SparqlParser::new().parse_query(&portable) {
        return Ok((portable, query));
    }
    let original: String =
        std::iter::once(declarations).chain(spoken.iter().map(|token| token.text)).collect();
    match SparqlParser::new().parse_query(&original) {
        Ok(query) => Ok((original, query)),
        Err(_) => Err(syntax::error(tokens, declarations)),
    }
}

/// Updates get their own message, because the query parser would only report a syntax error.
fn refuse_updates(tokens: &[SparqlToken<'_>]) -> Result<(), QueryError> {
    const UPDATES: &[&str] =
        &["INSERT", "DELETE", "WITH", "LOAD", "CLEAR", "CREATE", "DROP", "COPY", "MOVE", "ADD"];
    let prologue = |t: &&SparqlToken<'_>| t.is_word("PREFIX") || t.is_word("BASE");
    let first = tokens.iter().filter(|t| t.kind == SparqlTokenKind::Word).find(|t| !prologue(t));
    match first {
        Some(word) if UPDATES.iter().any(|update| word.is_word(update)) => refuse(format!(
            "{} is an update; only SELECT, ASK, CONSTRUCT and DESCRIBE are allowed",
            word.text.to_ascii_uppercase()
        )),
        _ => Ok(()),
    }
}

/// The PREFIX declarations to add, and all prefixes in effect.
fn resolve_prefixes(tokens: &[SparqlToken<'_>], known: &Prefixes) -> Result<(String, Prefixes), QueryError> {
    let significant: Vec<&SparqlToken<'_>> = tokens.iter().filter(|t| t.is_significant()).collect();
    let mut all = known.clone();
    let mut declared = BTreeSet::new();
    let mut used = BTreeSet::new();
    let mut before = None;
    for (at, token) in significant.iter().enumerate() {
        let keyword = before.replace(token);
        let Some(prefix) = token.prefix() else { continue };
        if keyword.is_some_and(|keyword: &&SparqlToken<'_>| keyword.is_word("PREFIX")) {
            declared.insert(prefix);
            if let Some(iri) = significant.get(at + 1).and_then(|token| token.iri()) {
                all.insert(prefix, iri);
            }
        } else {
            used.insert(prefix);
        }
    }
    let mut declarations = String::new();
    for prefix in used.difference(&declared) {
        match known.get(prefix) {
            Some(iri) => declarations.push_str(&format!("PREFIX {prefix}: <{iri}>\n")),
            None => return Err(QueryError::UnknownPrefix { prefix: (*prefix).to_owned() }),
        }
    }
    Ok((declarations, all))
}

fn apply_policy(query: &Query, policy: &QueryPolicy) -> Result<(), QueryError> {
    for (node, _) in walk(query) {
        if let Node::Service(name) = node {
            apply_service_policy(name, &policy.service)?;
        }
    }
    let Some(dataset) = query.dataset() else { return Ok(()) };
    for graph in dataset.default.iter().chain(dataset.named.iter().flatten()) {
        let allowed = |from: &String| from == "*" || graph.as_str().starts_with(from.as_str());
        if !policy.from.iter().any(allowed) {
            return refuse(format!("FROM {graph} is not allowed here{}", allowed_list(&policy.from)));
        }
    }
    Ok(())
}

fn apply_service_policy(name: &NamedNodePattern, allowed: &[String]) -> Result<(), QueryError> {
    let fits = |service: &String| match name {
        NamedNodePattern::NamedNode(node) => service == "*" || service == node.as_str(),
        NamedNodePattern::Variable(_) => service == "*",
    };
    if allowed.iter().any(fits) {
        return Ok(());
    }
    refuse(format!("SERVICE {name} is not allowed here{}", allowed_list(allowed)))
}

fn allowed_list(allowed: &[String]) -> String {
    match allowed {
        [] => "; query the dataset directly".to_owned(),
        some => format!("; allowed are {}", some.join(", ")),
    }
}

/// The key of an unmodified text; `None` if it does not parse.
#[cfg(any(test, fuzzing))]
pub(crate) fn key_of(text: &str) -> Option<String> {
    SparqlParser::new().parse_query(text).ok().map(|algebra| key::canonical(text, &algebra))
}

#[cfg(test)]
mod tests;
