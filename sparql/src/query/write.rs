//! Serializes patterns and expressions to SPARQL that parses back to the same meaning; spargebra's own serialization omits
//! parentheses in arithmetic. Uses spargebra.

use super::Known;
use super::algebra::{branches, operands};
use super::select::{Duplicates, Select};
use oxrdf::vocab::xsd;
use oxrdf::{Literal, Variable};
use spargebra::algebra::{AggregateExpression, AggregateFunction, Expression, GraphPattern, OrderExpression};
use spargebra::term::{NamedNodePattern, TermPattern, TriplePattern};

/// Writes SPARQL; known values replace their variables, for people to read.
#[derive(Clone, Copy, Default)]
pub(crate) struct SparqlWriter<'a> {
    values: Option<&'a Known>,
}

impl<'a> SparqlWriter<'a> {
    pub(crate) fn with(values: &'a Known) -> Self {
        Self { values: Some(values) }
    }

    fn variable(self, name: &str) -> String {
        let value = self.values.and_then(|values| values.get(name)?.as_ref());
        value.map_or_else(|| format!("?{name}"), ToString::to_string)
    }

    pub(crate) fn term(self, term: &TermPattern) -> String {
        match term {
            TermPattern::Variable(variable) => self.variable(variable.as_str()),
            other => other.to_string(),
        }
    }

    pub(crate) fn name(self, name: &NamedNodePattern) -> String {
        match name {
            NamedNodePattern::Variable(variable) => self.variable(variable.as_str()),
            NamedNodePattern::NamedNode(node) => node.to_string(),
        }
    }

    pub(crate) fn triple(self, triple: &TriplePattern) -> String {
        format!(
            "{} {} {} .",
            self.term(&triple.subject),
            self.name(&triple.predicate),
            self.term(&triple.object)
        )
    }

    /// The content of a group graph pattern, without the braces.
    pub(crate) fn pattern(self, pattern: &GraphPattern) -> String {
        use GraphPattern as P;
        match pattern {
            P::Bgp { patterns } => {
                let triples: Vec<String> = patterns.iter().map(|triple| self.triple(triple)).collect();
                triples.join(" ")
            }
            P::Path { subject, path, object } => {
                format!("{} {path} {} .", self.term(subject), self.term(object))
            }
            P::Join { left, right } => format!("{} {}", self.left(left), self.right(right)),
            P::Lateral { left, right } => {
                format!("{} LATERAL {{ {} }}", self.left(left), self.pattern(right))
            }
            P::LeftJoin { left, right, expression } => {
                let filter = expression.as_ref().map_or_else(String::new, |e| self.filter(e));
                format!("{} OPTIONAL {{ {} {filter} }}", self.left(left), self.left(right))
            }
            P::Minus { left, right } => format!("{} MINUS {{ {} }}", self.left(left), self.pattern(right)),
            P::Filter { expr, inner } => format!("{} {}", self.pattern(inner), self.filter(expr)),
            P::Extend { inner, variable, expression } => {
                format!("{} BIND({} AS {variable})", self.left(inner), self.expression(expression))
            }
            P::Union { .. } => {
                let all = branches(pattern).into_iter().map(|one| format!("{{ {} }}", self.pattern(one)));
                all.collect::<Vec<_>>().join(" UNION ")
            }
            P::Graph { name, inner } => format!("GRAPH {} {{ {} }}", self.name(name), self.pattern(inner)),
            P::Service { name, inner, silent } => {
                let silent = if *silent { "SILENT " } else { "" };
                format!("SERVICE {silent}{} {{ {} }}", self.name(name), self.pattern(inner))
            }
            P::Values { .. } => pattern.to_string(),
            subquery => format!("{{ {} }}", self.select(subquery)),
        }
    }

    /// The left operand, in braces if needed: a filter here would also apply to everything after it in the group.
    fn left(self, pattern: &GraphPattern) -> String {
        match pattern {
            GraphPattern::Filter { .. } => format!("{{ {} }}", self.pattern(pattern)),
            other => self.pattern(other),
        }
    }

    /// The right operand, in braces if needed: these apply to everything before them in the group.
    fn right(self, pattern: &GraphPattern) -> String {
        use GraphPattern as P;
        match pattern {
            P::Join { .. }
            | P::Lateral { .. }
            | P::LeftJoin { .. }
            | P::Minus { .. }
            | P::Filter { .. }
            | P::Extend { .. } => format!("{{ {} }}", self.pattern(pattern)),
            other => self.pattern(other),
        }
    }

    pub(crate) fn filter(self, expression: &Expression) -> String {
        format!("FILTER{}", bracketed(&self.expression(expression)))
    }

    /// A SELECT with its solution modifiers.
    pub(crate) fn select(self, pattern: &GraphPattern) -> String {
        self.select_from(pattern, "")
    }

    /// The same with FROM clauses, each followed by a space.
    pub(crate) fn select_from(self, pattern: &GraphPattern, from: &str) -> String {
        let select = Select::of(pattern);
        let once = match select.duplicates {
            Duplicates::Kept => "",
            Duplicates::Distinct => "DISTINCT ",
            Duplicates::Reduced => "REDUCED ",
        };
        let (head, pattern, by) = match (select.columns, select.body) {
            (None, GraphPattern::Group { inner, variables, aggregates }) => {
                let (head, by) = self.group(variables, aggregates);
                (head, self.pattern(inner), by)
            }
            (columns, body) => (spaced(columns.unwrap_or_default()), self.pattern(body), String::new()),
        };
        let head = if head.is_empty() { "*".to_owned() } else { head };
        let keys: String = select.order.iter().map(|key| format!(" {}", self.key(key))).collect();
        let order = if keys.is_empty() { String::new() } else { format!(" ORDER BY{keys}") };
        let (start, length) = select.slice.unwrap_or_default();
        let limit = length.map_or_else(String::new, |length| format!(" LIMIT {length}"));
        let offset = if start > 0 { format!(" OFFSET {start}") } else { String::new() };
        format!("SELECT {once}{head} {from}WHERE {{ {pattern} }}{by}{order}{limit}{offset}")
    }

    pub(crate) fn key(self, key: &OrderExpression) -> String {
        match key {
            OrderExpression::Asc(expression) => format!("ASC({})", self.expression(expression)),
            OrderExpression::Desc(expression) => format!("DESC({})", self.expression(expression)),
        }
    }

    /// The SELECT and GROUP BY clauses of a group that is a SELECT of its own.
    fn group(self, keys: &[Variable], aggregates: &[(Variable, AggregateExpression)]) -> (String, String) {
        let keys = spaced(keys);
        let by = if keys.is_empty() { String::new() } else { format!(" GROUP BY {keys}") };
        let values = aggregates.iter().map(|(name, value)| format!(" ({} AS {name})", self.aggregate(value)));
        ((keys + &values.collect::<String>()).trim_start().to_owned(), by)
    }

    pub(crate) fn aggregate(self, aggregate: &AggregateExpression) -> String {
        let once = |distinct: bool| if distinct { "DISTINCT " } else { "" };
        match aggregate {
            AggregateExpression::CountSolutions { distinct } => format!("COUNT({}*)", once(*distinct)),
            AggregateExpression::FunctionCall {
                name: AggregateFunction::GroupConcat { separator: Some(separator) },
                expr,
                distinct,
            } => {
                let separator = Literal::new_simple_literal(separator.as_str());
                let expr = self.expression(expr);
                format!("GROUP_CONCAT({}{expr}; SEPARATOR = {separator})", once(*distinct))
            }
            AggregateExpression::FunctionCall { name, expr, distinct } => {
                format!("{name}({}{})", once(*distinct), self.expression(expr))
            }
        }
    }

    pub(crate) fn expression(self, expression: &Expression) -> String {
        use Expression as E;
        let of = |inner: &Expression| self.expression(inner);
        match expression {
            E::NamedNode(node) => node.to_string(),
            E::Literal(literal) => plain(literal),
            E::Variable(variable) => self.variable(variable.as_str()),
            E::Bound(variable) => format!("BOUND({variable})"),
            E::Or(..) => self.chained(expression, " || "),
            E::And(..) => self.chained(expression, " && "),
            E::Equal(a, b) => self.joined(a, "=", b),
            E::SameTerm(a, b) => format!("sameTerm({}, {})", of(a), of(b)),
            E::Greater(a, b) => self.joined(a, ">", b),
            E::GreaterOrEqual(a, b) => self.joined(a, ">=", b),
            E::Less(a, b) => self.joined(a, "<", b),
            E::LessOrEqual(a, b) => self.joined(a, "<=", b),
            E::Add(a, b) => self.joined(a, "+", b),
            E::Subtract(a, b) => self.joined(a, "-", b),
            E::Multiply(a, b) => self.joined(a, "*", b),
            E::Divide(a, b) => self.joined(a, "/", b),
            E::UnaryPlus(a) => format!("(+{})", of(a)),
            E::UnaryMinus(a) => format!("(-{})", of(a)),
            E::Not(a) => self.negated(a),
            E::In(a, list) => format!("({} IN ({}))", of(a), self.list(list)),
            E::Exists(pattern) => format!("EXISTS {{ {} }}", self.pattern(pattern)),
            E::If(a, b, c) => format!("IF({}, {}, {})", of(a), of(b), of(c)),
            E::Coalesce(list) => format!("COALESCE({})", self.list(list)),
            E::FunctionCall(function, list) => format!("{function}({})", self.list(list)),
        }
    }

    fn joined(self, a: &Expression, sign: &str, b: &Expression) -> String {
        format!("({} {sign} {})", self.expression(a), self.expression(b))
    }

    /// A chain of one operator needs no parentheses, and must not have any if it is long: the nesting would be too deep.
    fn chained(self, whole: &Expression, sign: &str) -> String {
        let parts: Vec<String> = operands(whole).into_iter().map(|part| self.expression(part)).collect();
        format!("({})", parts.join(sign))
    }

    fn negated(self, inner: &Expression) -> String {
        match inner {
            Expression::Equal(a, b) => self.joined(a, "!=", b),
            Expression::In(a, list) => format!("({} NOT IN ({}))", self.expression(a), self.list(list)),
            Expression::Exists(pattern) => format!("NOT EXISTS {{ {} }}", self.pattern(pattern)),
            other => format!("(!{})", self.expression(other)),
        }
    }

    fn list(self, list: &[Expression]) -> String {
        let all: Vec<String> = list.iter().map(|one| self.expression(one)).collect();
        all.join(", ")
    }
}

/// Variables separated by spaces, as after SELECT and GROUP BY.
pub(crate) fn spaced(variables: &[Variable]) -> String {
    let names: Vec<String> = variables.iter().map(ToString::to_string).collect();
    names.join(" ")
}

/// A literal in its short form: integers and booleans without datatype.
fn plain(literal: &Literal) -> String {
    let text = literal.value();
    let is_count = literal.datatype() == xsd::INTEGER && text.chars().all(|c| c.is_ascii_digit());
    let is_truth = literal.datatype() == xsd::BOOLEAN && matches!(text, "true" | "false");
    if (is_count && !text.is_empty()) || is_truth { text.to_owned() } else { literal.to_string() }
}

/// A text in parentheses, unless it already has a surrounding pair.
pub(crate) fn bracketed(text: &str) -> String {
    let inside = text.strip_prefix('(').and_then(|text| text.strip_suffix(')'));
    let own = inside.is_some_and(|inside| {
        let mut depth = 0_i32;
        // Parentheses inside strings are counted too; at worst the result has a superfluous pair.
        inside.chars().all(|c| {
            depth += i32::from(c == '(') - i32::from(c == ')');
            depth >= 0
        })
    });
    if own && !text.contains('"') { text.to_owned() } else { format!("({text})") }
}
