//! Refusing queries that would exhaust the stack or the patience of a recursive, backtracking parser, or
//! of an evaluator: a stack overflow ends the whole process.
//!
//! The text is checked before it is parsed, the algebra before it is run; evaluation threads have large stacks.

use super::refuse;
use super::tokens::{SparqlToken, SparqlTokenKind};
use crate::error::QueryError;
use crate::query::algebra::{Node, walk};
use spargebra::Query;
use spargebra::algebra::GraphPattern;

/// Depth of nested brackets; no real query needs more.
const MAX_NESTING: usize = 30;

/// Readings of tokens by the parser. It goes back and reads some brackets twice, the brackets inside them four times, and
/// so on; a query without such brackets has as many readings as tokens.
const MAX_READINGS: u64 = 40_000;

/// Operators in the text; the parser recurses over chains of them.
const MAX_OPERATORS: usize = 300;

/// Depth of the parsed algebra, the triple patterns of a block included: evaluators recurse over it, and the
/// time of planning a block grows with the fourth power of its patterns.
const MAX_ALGEBRA_DEPTH: usize = 150;

/// Functions with optional arguments, whose first arguments the parser reads once per variant.
const RETRIED: &[&str] = &["REGEX", "REPLACE", "SUBSTR", "GROUP_CONCAT"];

/// Checks the text before it is parsed.
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

/// The brackets that are open, and how often the parser reads what is inside them.
#[derive(Default)]
struct Brackets {
    /// Whether the parser reads each of them twice.
    open: Vec<bool>,
    readings: u64,
    /// The next bracket holds the arguments of one of [`RETRIED`].
    retried: bool,
    /// The next bracket belongs to the operand of `!`: the parser first tries whether the operand is another `!`, and
    /// reads it again when it is not.
    negated: bool,
}

impl Brackets {
    fn read(&mut self, token: &SparqlToken<'_>) {
        let twice = self.retried || self.negated;
        self.retried = RETRIED.iter().any(|name| token.is_word(name));
        // `!` may be followed by the name of a function, or by EXISTS, before the bracket.
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

/// Checks the parsed query before anything recurses over it.
pub(super) fn refuse_deep_algebra(query: &Query) -> Result<(), QueryError> {
    let too_deep = walk(query).any(|(node, depth)| match node {
        // Each triple pattern of a block becomes one more join.
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
