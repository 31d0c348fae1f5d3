//! Refuses queries that would overflow the stack of a recursive parser or evaluator, or make a backtracking parser run for too
//! long: a stack overflow aborts the whole process.
//!
//! The text is checked before parsing, the algebra before evaluation; evaluation threads have large stacks.

use super::refuse;
use super::tokens::{SparqlToken, SparqlTokenKind};
use crate::error::QueryError;
use crate::query::algebra::{Node, walk};
use spargebra::Query;
use spargebra::algebra::GraphPattern;

/// Maximum nesting of brackets; no real query needs more.
const MAX_NESTING: usize = 30;

/// Maximum number of token reads by the parser. It backtracks and reads some brackets twice, brackets inside those four times,
/// and so on; without such brackets, each token is read once.
const MAX_READINGS: u64 = 40_000;

/// Maximum number of operators in the text; the parser recurses over chains of them.
const MAX_OPERATORS: usize = 300;

/// Maximum depth of the algebra, counting each triple pattern of a block as one level: evaluators recurse over it, and the
/// time to plan a block grows with the fourth power of its size.
const MAX_ALGEBRA_DEPTH: usize = 150;

/// Functions with optional arguments, whose first arguments the parser reads once for each variant.
const RETRIED: &[&str] = &["REGEX", "REPLACE", "SUBSTR", "GROUP_CONCAT"];

/// Checks the text before parsing.
pub(super) fn refuse_deep_text(tokens: &[SparqlToken<'_>]) -> Result<(), QueryError> {
    let mut brackets = Brackets::default();
    let mut operators = 0_usize;
    for token in tokens.iter().filter(|t| t.is_significant()) {
        brackets.read(token);
        let counts = !matches!(token.text, "(" | "{" | "[" | ")" | "}" | "]" | "." | ";" | "," | "=");
        operators += usize::from(token.kind == SparqlTokenKind::Punctuation && counts);
        if brackets.open.len() > MAX_NESTING || brackets.readings > MAX_READINGS {
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

/// The open brackets, and how often the parser reads their content.
#[derive(Default)]
struct Brackets {
    /// For each open bracket, whether the parser reads it twice.
    open: Vec<bool>,
    readings: u64,
    /// The next bracket contains the arguments of one of [`RETRIED`].
    retried: bool,
    /// The next bracket belongs to the operand of `!`: the parser first tries to parse the operand as another `!`, and
    /// reads it again if that fails.
    negated: bool,
}

impl Brackets {
    fn read(&mut self, token: &SparqlToken<'_>) {
        let twice = self.retried || self.negated;
        self.retried = RETRIED.iter().any(|name| token.is_word(name));
        // `!` may be followed by a function name or EXISTS before the bracket.
        let is_name = matches!(
            token.kind,
            SparqlTokenKind::Word | SparqlTokenKind::Iri | SparqlTokenKind::PrefixedName
        );
        self.negated = token.is("!") || (self.negated && is_name);
        match (token.kind, token.text) {
            (SparqlTokenKind::Punctuation, "(" | "{" | "[") => self.open.push(twice),
            (SparqlTokenKind::Punctuation, ")" | "}" | "]") => {
                self.open.pop();
            }
            _ => {}
        }
        let doublings = self.open.iter().filter(|twice| **twice).count();
        self.readings = self.readings.saturating_add(1 << doublings.min(MAX_NESTING));
    }
}

/// Checks the parsed query before any recursive code sees it.
pub(super) fn refuse_deep_algebra(query: &Query) -> Result<(), QueryError> {
    let too_deep = walk(query).any(|(node, depth)| match node {
        // Each triple pattern of a block adds a join.
        Node::Pattern(GraphPattern::Bgp { patterns }) => depth + patterns.len() > MAX_ALGEBRA_DEPTH,
        Node::Variable(_) => false,
        _ => depth > MAX_ALGEBRA_DEPTH,
    });
    if too_deep {
        return refuse(format!(
            "more than {MAX_ALGEBRA_DEPTH} patterns or operators build on each other; split the query"
        ));
    }
    Ok(())
}
