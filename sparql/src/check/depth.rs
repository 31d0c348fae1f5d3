//! Refusing queries that would exhaust the stack or the patience of a recursive, backtracking parser, or
//! of an evaluator: a stack overflow ends the whole process.

use super::refuse;
use super::tokens::{Token, TokenKind};
use crate::algebra::{Node, walk};
use crate::error::QueryError;
use spargebra::Query;
use spargebra::algebra::GraphPattern;

/// Brackets inside brackets: more is no honest query.
const MAX_NESTING: usize = 30;

/// Calls inside calls of [`RETRIED`]: each doubles the time of parsing.
const MAX_RETRIED_NESTING: usize = 10;

/// Operators in the text; the parser recurses over chains of them.
const MAX_OPERATORS: usize = 300;

/// Depth of the parsed algebra, the triple patterns of a block included: evaluators recurse over it, and the
/// time of planning a block grows with the fourth power of its patterns.
const MAX_ALGEBRA_DEPTH: usize = 150;

/// Functions with optional arguments, whose first arguments the parser reads once per variant.
const RETRIED: &[&str] = &["REGEX", "REPLACE", "SUBSTR", "GROUP_CONCAT"];

/// Checks the text before it is parsed.
pub(super) fn refuse_deep_text(tokens: &[Token<'_>]) -> Result<(), QueryError> {
    let mut open: Vec<bool> = Vec::new();
    let mut operators = 0_usize;
    let mut retried = false;
    for token in tokens.iter().filter(|t| t.is_significant()) {
        match (token.kind, token.text) {
            (TokenKind::Punctuation, "(" | "{" | "[") => open.push(retried),
            (TokenKind::Punctuation, ")" | "}" | "]") => {
                open.pop();
            }
            (TokenKind::Punctuation, "." | ";" | "," | "=") => {}
            (TokenKind::Punctuation, _) => operators += 1,
            _ => {}
        }
        retried = RETRIED.iter().any(|name| token.is_word(name));
        let retries = open.iter().filter(|retried| **retried).count();
        if open.len() > MAX_NESTING || retries > MAX_RETRIED_NESTING {
            return refuse("brackets are nested too deep; make the query flatter".to_owned());
        }
    }
    if operators > MAX_OPERATORS {
        let hint = "use VALUES or IN instead of long chains";
        return refuse(format!(
            "the query has {operators} operators, at most {MAX_OPERATORS} are allowed; {hint}"
        ));
    }
    Ok(())
}

/// Checks the parsed query before anything recurses over it.
pub(super) fn refuse_deep_algebra(query: &Query) -> Result<(), QueryError> {
    let too_deep = walk(query).any(|(node, depth)| match node {
        // Each triple pattern of a block becomes one more join.
        Node::Pattern(GraphPattern::Bgp { patterns }) => depth + patterns.len() > MAX_ALGEBRA_DEPTH,
        _ => depth > MAX_ALGEBRA_DEPTH,
    });
    if too_deep {
        return refuse(format!(
            "more than {MAX_ALGEBRA_DEPTH} patterns or operators build on each other; split the query"
        ));
    }
    Ok(())
}
