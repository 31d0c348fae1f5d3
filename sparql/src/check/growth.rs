//! Refuses queries whose strings grow exponentially: 27 times `BIND(CONCAT(?a, ?a) AS ?b)` turns sixteen characters into
//! gigabytes, in single allocations that cannot be stopped from outside.
//!
//! Computes an upper bound on the size of every expression from the algebra, before the query runs. The size of variables
//! bound from data is unknown; a typical length is assumed, and the memory limit of the evaluation covers longer
//! values.

use super::refuse;
use crate::error::QueryError;
use crate::query::algebra::{Node, children, pattern_of, patterns, sort_key};
use oxrdf::{Literal, Variable};
use rustc_hash::FxHashMap;
use spargebra::Query;
use spargebra::algebra::{AggregateExpression, AggregateFunction, Expression, Function, GraphPattern};
use spargebra::term::GroundTerm;

/// Maximum length of a string that a query may build, in bytes.
const MAX_BYTES: u64 = 64 << 20;

/// Assumed size of a term from the data, in bytes.
const TERM_BYTES: u64 = 1 << 10;

/// Assumed size of non-string values, in bytes: numbers, booleans, dates, UUIDs.
const VALUE_BYTES: u64 = 64;

/// Assumed number of solutions in a group.
const GROUP_MEMBERS: u64 = 1_000;

/// Maximum growth per byte from case conversion or percent-encoding.
const CODING_FACTOR: u64 = 3;

/// Checks the parsed query, whose depth has already been checked.
pub(super) fn refuse_growth(query: &Query) -> Result<(), QueryError> {
    let mut bounds = ByteBounds::default();
    bounds.pattern(pattern_of(query));
    if bounds.longest <= MAX_BYTES {
        return Ok(());
    }
    let (longest, limit) = (bounds.longest >> 20, MAX_BYTES >> 20);
    refuse(format!(
        "its functions make strings of up to {longest} MB of each other's results, at most {limit} MB are allowed; apply \
         CONCAT, REPLACE or ENCODE_FOR_URI to fewer results of such functions"
    ))
}

/// Known upper bounds of variables, in bytes.
#[derive(Default)]
struct ByteBounds {
    variables: FxHashMap<Variable, u64>,
    longest: u64,
}

impl ByteBounds {
    fn bind(&mut self, variable: &Variable, bytes: u64) {
        // The same name may occur in several scopes; the largest bound counts.
        let known = self.variables.entry(variable.clone()).or_default();
        *known = bytes.max(*known);
    }

    /// Visits patterns inside out, so that variables are known before they are used.
    fn pattern(&mut self, pattern: &GraphPattern) {
        use GraphPattern as P;
        for inner in patterns(pattern) {
            self.pattern(inner);
        }
        match pattern {
            P::Values { variables, bindings } => self.values(variables, bindings),
            P::LeftJoin { expression: Some(condition), .. } => self.check(condition),
            P::Filter { expr, .. } => self.check(expr),
            P::Extend { variable, expression, .. } => {
                let bytes = self.expression(expression);
                self.bind(variable, bytes);
            }
            P::OrderBy { expression, .. } => expression.iter().for_each(|key| self.check(sort_key(key).0)),
            P::Group { aggregates, .. } => {
                for (variable, aggregate) in aggregates {
                    let bytes = self.aggregate(aggregate);
                    self.bind(variable, bytes);
                }
            }
            _ => {}
        }
    }

    fn values(&mut self, variables: &[Variable], bindings: &[Vec<Option<GroundTerm>>]) {
        for (variable, cell) in bindings.iter().flat_map(|row| variables.iter().zip(row)) {
            let bytes = match cell {
                Some(GroundTerm::Literal(literal)) => length(literal.value()),
                Some(GroundTerm::NamedNode(node)) => length(node.as_str()),
                None => 0,
            };
            self.bind(variable, bytes);
        }
    }

    fn aggregate(&mut self, aggregate: &AggregateExpression) -> u64 {
        let AggregateExpression::FunctionCall { name, expr, .. } = aggregate else { return VALUE_BYTES };
        let bytes = self.expression(expr);
        let bytes = match name {
            AggregateFunction::GroupConcat { separator } => {
                let separator = separator.as_deref().map_or(1, length);
                bytes.saturating_add(separator).saturating_mul(GROUP_MEMBERS)
            }
            AggregateFunction::Count | AggregateFunction::Sum | AggregateFunction::Avg => VALUE_BYTES,
            AggregateFunction::Min
            | AggregateFunction::Max
            | AggregateFunction::Sample
            | AggregateFunction::Custom(_) => bytes,
        };
        self.longest = self.longest.max(bytes);
        bytes
    }

    fn check(&mut self, expression: &Expression) {
        let _bytes = self.expression(expression);
    }

    fn expression(&mut self, expression: &Expression) -> u64 {
        use Expression as E;
        let bytes = match expression {
            E::NamedNode(node) => length(node.as_str()),
            E::Literal(literal) => length(literal.value()),
            E::Variable(variable) => self.variables.get(variable).copied().unwrap_or(TERM_BYTES),
            E::If(condition, yes, no) => {
                self.check(condition);
                self.expression(yes).max(self.expression(no))
            }
            E::Coalesce(list) => self.all(list).into_iter().max().unwrap_or(0),
            E::FunctionCall(function, arguments) => {
                let sizes = self.all(arguments);
                call(function, &sizes, arguments)
            }
            // Numbers and booleans, whatever their operands.
            other => {
                self.check_parts(other);
                VALUE_BYTES
            }
        };
        self.longest = self.longest.max(bytes);
        bytes
    }

    fn check_parts(&mut self, expression: &Expression) {
        for part in children(Node::Expression(expression)) {
            match part {
                Node::Expression(part) => self.check(part),
                Node::Pattern(pattern) => self.pattern(pattern),
                Node::Path(_) | Node::Iri(_) | Node::Variable(_) | Node::Service(_) => {}
            }
        }
    }

    fn all(&mut self, expressions: &[Expression]) -> Vec<u64> {
        expressions.iter().map(|expression| self.expression(expression)).collect()
    }
}

/// Upper bound of a function's result, in bytes, for arguments of these sizes.
fn call(function: &Function, sizes: &[u64], arguments: &[Expression]) -> u64 {
    let sum = || sizes.iter().fold(0, |sum: u64, size| sum.saturating_add(*size));
    let first = sizes.first().copied().unwrap_or(0);
    match function {
        Function::Replace => {
            let by = sizes.get(2).copied().unwrap_or(0);
            // An empty match is possible around every byte, and each group reference may repeat the whole text.
            let inserted = first.saturating_add(1).saturating_mul(by);
            let repeated = first.saturating_mul(groups(arguments.get(2)).unwrap_or(by));
            first.saturating_add(inserted).saturating_add(repeated)
        }
        Function::EncodeForUri | Function::UCase | Function::LCase => first.saturating_mul(CODING_FACTOR),
        // Other functions return short values, or values no longer than their arguments together.
        _ => sum().max(VALUE_BYTES),
    }
}

/// Number of group references in a replacement; `None` if it is not a constant.
fn groups(replacement: Option<&Expression>) -> Option<u64> {
    match replacement? {
        Expression::Literal(text) => Some(dollars(text)),
        _ => None,
    }
}

fn dollars(text: &Literal) -> u64 {
    text.value().matches('$').count() as u64
}

fn length(text: &str) -> u64 {
    text.len() as u64
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Prefixes, QueryPolicy, check};

    fn refused(text: &str) -> bool {
        match check(text, &Prefixes::default(), &QueryPolicy::default()) {
            Ok(_) => false,
            Err(QueryError::Refused { reason }) => {
                assert!(reason.contains("MB"), "{reason}");
                true
            }
            Err(other) => panic!("{text}: {other}"),
        }
    }

    fn steps(times: usize, function: &str) -> String {
        let step = |i: usize| format!("BIND({} AS ?a{})", function.replace('#', &format!("?a{i}")), i + 1);
        (0..times).map(step).collect()
    }

    #[test]
    fn strings_that_double_are_refused_wherever_they_do() {
        for text in [
            format!("SELECT ?a27 {{ BIND('aaaaaaaaaaaaaaaa' AS ?a0) {} }}", steps(27, "CONCAT(#, #)")),
            format!("SELECT (STRLEN(?a27) AS ?n) {{ ?s ?p ?a0 {} }}", steps(27, "CONCAT(STR(#), #)")),
            format!(
                "SELECT ?a7 {{ VALUES ?a0 {{ 'aaaa' }} {} }}",
                steps(7, "REPLACE(#, 'a', 'aaaaaaaaaaaaaaaaaaaa')")
            ),
            format!("SELECT ?a9 {{ ?s ?p ?a0 {} }}", steps(9, "REPLACE(#, '.*', '$0$0$0$0$0')")),
            format!("SELECT ?a20 {{ BIND('   ' AS ?a0) {} }}", steps(20, "ENCODE_FOR_URI(#)")),
            format!("SELECT ?a20 {{ BIND('ŉ' AS ?a0) {} }}", steps(20, "UCASE(#)")),
            format!("SELECT ?a20 {{ ?s ?p ?a0 {} }}", steps(20, "IF(true, COALESCE(CONCAT(#, #)), 1)")),
            format!(
                "ASK {{ ?s ?p ?a0 {} FILTER EXISTS {{ ?s ?p ?o FILTER(CONCAT(?a17, ?o) = '') }} }}",
                steps(17, "CONCAT(#, #)")
            ),
            "SELECT (GROUP_CONCAT(?b) AS ?g) { ?s ?p ?o BIND(REPLACE(?o, 'a', ?o) AS ?b) }".to_owned(),
            format!(
                "SELECT ?a1 {{ ?s ?p ?o }} ORDER BY {}CONCAT(?o, ?o){}",
                "REPLACE(CONCAT('a', ".repeat(7),
                "), '', 'aaaaaaaaaaaaaaaa')".repeat(7)
            ),
        ] {
            assert!(refused(&text), "{text}");
        }
    }

    #[test]
    fn queries_as_people_write_them_are_not() {
        for text in [
            "SELECT (CONCAT(?a, ' ', ?b, ' (', STR(?c), ')') AS ?n) { ?s ?a ?b ; ?c ?d }",
            "SELECT (GROUP_CONCAT(DISTINCT CONCAT(?a, ': ', UCASE(?b)); separator=\"; \") AS ?n) { ?s ?a ?b }",
            "SELECT (REPLACE(REPLACE(STR(?a), '^.*[/#]', ''), '_', ' ') AS ?n) { ?s ?a ?b }",
            "SELECT (REPLACE(?a, '([0-9]+)', '$1 $1') AS ?n) (REPLACE(?a, 'x', ?b) AS ?m) { ?s ?a ?b }",
            "SELECT (IRI(CONCAT('http://e.x/', ENCODE_FOR_URI(LCASE(?a)))) AS ?n) { ?s ?p ?a FILTER(STRLEN(?a) > 3) }",
            "SELECT ?a { { SELECT (GROUP_CONCAT(?x) AS ?a) { ?x ?y ?z } GROUP BY ?y } FILTER(CONTAINS(?a, 'b')) }",
        ] {
            assert!(!refused(text), "{text}");
        }
        let many = format!("SELECT (CONCAT({}?o) AS ?n) {{ ?s ?p ?o }}", "?o, ".repeat(500));
        assert!(!refused(&many));
    }
}
