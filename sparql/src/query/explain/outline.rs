//! Describes the meaning of a query part by part, in query order; the presentation layer adds the wording. Uses
//! spargebra and the rest of this module.

use super::formula::{Aggregates, Formula, FormulaMaker, path};
use crate::check::{CheckedQuery, QueryForm};
use crate::query::Known;
use crate::query::algebra::{branches, conjuncts, names, not_exists, pattern_of, patterns_within, sort_key};
use crate::query::edit::open::opened;
use crate::query::select::{Duplicates, Select};
use crate::query::write::{SparqlWriter, bracketed, spaced};
use oxrdf::Term;
use spargebra::algebra::{AggregateExpression, Expression, GraphPattern, OrderExpression};
use spargebra::term::TriplePattern;

/// A part of a query.
#[derive(Debug, Clone, PartialEq)]
pub struct Clause {
    /// The part in SPARQL with full IRIs.
    pub sparql: String,
    /// Its meaning.
    pub says: Says,
}

/// The meaning of a part of a query.
#[derive(Debug, Clone, PartialEq)]
pub enum Says {
    /// Triple patterns with the same subject.
    Triples(Vec<[Formula; 3]>),
    /// A property path: subject, path, object.
    Path([Formula; 3]),
    /// A FILTER condition.
    Condition(Formula),
    /// OPTIONAL.
    Optional(Vec<Clause>),
    /// EXISTS.
    Exists(Vec<Clause>),
    /// MINUS or NOT EXISTS.
    Without(Vec<Clause>),
    /// UNION.
    Either(Vec<Vec<Clause>>),
    /// GRAPH or SERVICE.
    Within(Formula, Vec<Clause>),
    /// A variable bound to an expression.
    Named(String, Formula),
    /// VALUES: the variables and the rows.
    Values(Vec<String>, Vec<Vec<Option<Term>>>),
    /// The GROUP BY variables.
    Groups(Vec<String>),
    /// An aggregate, with its column name if it has one.
    Aggregate(Option<String>, Formula),
    /// A subquery.
    Subquery(Vec<Clause>),
    /// The projected columns, and whether they are DISTINCT.
    Columns(Vec<String>, bool),
    /// The ASK form.
    Ask,
    /// The CONSTRUCT or DESCRIBE form.
    Graph,
    /// ORDER BY: the sort keys; `true` means descending.
    Order(Vec<(Formula, bool)>),
    /// LIMIT and OFFSET.
    Limit(Option<usize>, usize),
}

impl CheckedQuery {
    /// The query part by part: first the pattern, then the projection, order and limit.
    #[must_use]
    pub fn outline(&self) -> Vec<Clause> {
        let pattern = opened(pattern_of(self.algebra()));
        let aggregates = aggregates(&pattern);
        let outliner = Outliner { aggregates: &aggregates, known: &Known::new() };
        let mut found = outliner.clauses(&pattern, true);
        let (sparql, says) = match self.form() {
            QueryForm::Select => return found,
            QueryForm::Ask => ("ASK", Says::Ask),
            QueryForm::Construct => ("CONSTRUCT", Says::Graph),
            QueryForm::Describe => ("DESCRIBE", Says::Graph),
        };
        found.push(Clause { sparql: sparql.to_owned(), says });
        found
    }
}

/// The aggregates of a pattern, by their variables.
pub(crate) fn aggregates(pattern: &GraphPattern) -> Aggregates {
    let groups = patterns_within(pattern).filter_map(|one| match one {
        GraphPattern::Group { aggregates, .. } => Some(aggregates),
        _ => None,
    });
    groups.flatten().map(|(name, of)| (name.as_str().to_owned(), of.clone())).collect()
}

/// Builds clauses from patterns, with known values substituted for variables.
pub(crate) struct Outliner<'a> {
    pub(crate) aggregates: &'a Aggregates,
    pub(crate) known: &'a Known,
}

impl Outliner<'_> {
    fn maker(&self) -> FormulaMaker<'_> {
        FormulaMaker { aggregates: self.aggregates, known: self.known, found: None }
    }

    fn writer(&self) -> SparqlWriter<'_> {
        SparqlWriter::with(self.known)
    }

    pub(crate) fn clauses(&self, pattern: &GraphPattern, outermost: bool) -> Vec<Clause> {
        let mut found = Vec::new();
        self.add(pattern, outermost, &mut found);
        // Aggregates without a column are described in the condition or sort key that uses them.
        found.retain(|clause| !matches!(clause.says, Says::Aggregate(None, _)));
        found
    }

    fn add(&self, pattern: &GraphPattern, outermost: bool, out: &mut Vec<Clause>) {
        use GraphPattern as P;
        match pattern {
            P::Bgp { patterns } => self.triples(patterns, out),
            P::Join { left, right } | P::Lateral { left, right } => {
                self.add(left, false, out);
                self.add(right, false, out);
            }
            P::Filter { expr, inner } => {
                self.add(inner, outermost, out);
                let keyword = if matches!(**inner, P::Group { .. }) { "HAVING" } else { "FILTER" };
                self.condition(keyword, expr, out);
            }
            P::LeftJoin { left, right, expression } => {
                self.add(left, false, out);
                self.optional(right, expression.as_ref(), out);
            }
            P::Minus { left, right } => {
                self.add(left, false, out);
                let text = format!("MINUS {{ {} }}", self.writer().pattern(right));
                out.push(Clause { sparql: text, says: Says::Without(self.clauses(right, false)) });
            }
            P::Extend { inner, variable, expression } => {
                self.add(inner, outermost, out);
                self.named(variable.as_str(), expression, out);
            }
            P::Group { inner, variables, aggregates } => {
                if !outermost {
                    return self.subquery(pattern, out);
                }
                self.add(inner, false, out);
                self.groups(variables, aggregates, out);
            }
            P::Project { .. }
            | P::Distinct { .. }
            | P::Reduced { .. }
            | P::Slice { .. }
            | P::OrderBy { .. } => {
                if outermost {
                    self.select(&Select::of(pattern), out);
                } else {
                    self.subquery(pattern, out);
                }
            }
            other => out.push(Clause { sparql: self.writer().pattern(other), says: self.whole(other) }),
        }
    }

    /// The meaning of a pattern that forms a single clause.
    fn whole(&self, pattern: &GraphPattern) -> Says {
        use GraphPattern as P;
        let maker = self.maker();
        match pattern {
            P::Path { subject, path: way, object } => {
                Says::Path([maker.term(subject), path(way), maker.term(object)])
            }
            P::Union { .. } => {
                let branches = branches(pattern);
                Says::Either(branches.into_iter().map(|branch| self.clauses(branch, false)).collect())
            }
            P::Graph { name, inner } | P::Service { name, inner, .. } => {
                Says::Within(maker.name(name), self.clauses(inner, false))
            }
            P::Values { variables, bindings } => Says::Values(
                names(variables),
                bindings
                    .iter()
                    .map(|row| row.iter().map(|cell| cell.clone().map(Term::from)).collect())
                    .collect(),
            ),
            other => Says::Subquery(self.clauses(other, true)),
        }
    }

    fn triples(&self, patterns: &[TriplePattern], out: &mut Vec<Clause>) {
        let maker = self.maker();
        for group in patterns.chunk_by(|a, b| a.subject == b.subject) {
            let texts: Vec<String> = group.iter().map(|triple| self.writer().triple(triple)).collect();
            let all = group.iter().map(|triple| {
                [maker.term(&triple.subject), maker.name(&triple.predicate), maker.term(&triple.object)]
            });
            out.push(Clause { sparql: texts.join(" "), says: Says::Triples(all.collect()) });
        }
    }

    fn optional(&self, right: &GraphPattern, condition: Option<&Expression>, out: &mut Vec<Clause>) {
        let mut inside = self.clauses(right, false);
        let mut text = self.writer().pattern(right);
        if let Some(condition) = condition {
            self.condition("FILTER", condition, &mut inside);
            text = format!("{text} {}", self.writer().filter(condition));
        }
        out.push(Clause { sparql: format!("OPTIONAL {{ {text} }}"), says: Says::Optional(inside) });
    }

    fn condition(&self, keyword: &str, expression: &Expression, out: &mut Vec<Clause>) {
        for part in conjuncts(expression) {
            let says = match (part, not_exists(part)) {
                (Expression::Exists(pattern), _) => Says::Exists(self.clauses(pattern, false)),
                (_, Some(pattern)) => Says::Without(self.clauses(pattern, false)),
                (other, None) => Says::Condition(self.maker().formula(other)),
            };
            let sparql = format!("{keyword}{}", bracketed(&self.readable(part)));
            out.push(Clause { sparql, says });
        }
    }

    /// A BIND that only names an aggregate becomes part of the aggregate.
    fn named(&self, name: &str, expression: &Expression, out: &mut Vec<Clause>) {
        if let Expression::Variable(variable) = expression
            && let Some(aggregate) = self.aggregates.get(variable.as_str())
        {
            let text = self.writer().aggregate(aggregate);
            let shown = out
                .iter_mut()
                .rev()
                .find(|clause| clause.sparql == text && matches!(clause.says, Says::Aggregate(None, _)));
            if let Some(Clause { sparql, says: Says::Aggregate(shown, _) }) = shown {
                *sparql = format!("({text} AS ?{name})");
                *shown = Some(name.to_owned());
                return;
            }
        }
        let formula = self.maker().formula(expression);
        let sparql = format!("BIND({} AS ?{name})", self.readable(expression));
        out.push(Clause { sparql, says: Says::Named(name.to_owned(), formula) });
    }

    /// The text of an expression, with aggregates written out instead of the parser's generated names.
    fn readable(&self, expression: &Expression) -> String {
        let text = self.writer().expression(expression);
        self.aggregates.iter().fold(text, |text, (name, aggregate)| {
            text.replace(&format!("?{name}"), &self.writer().aggregate(aggregate))
        })
    }

    fn groups(
        &self,
        variables: &[oxrdf::Variable],
        aggregates: &[(oxrdf::Variable, AggregateExpression)],
        out: &mut Vec<Clause>,
    ) {
        if !variables.is_empty() {
            let sparql = format!("GROUP BY {}", spaced(variables));
            out.push(Clause { sparql, says: Says::Groups(names(variables)) });
        }
        for (_, aggregate) in aggregates {
            let formula = self.maker().aggregate(aggregate, None);
            let sparql = self.writer().aggregate(aggregate);
            out.push(Clause { sparql, says: Says::Aggregate(None, formula) });
        }
    }

    fn subquery(&self, pattern: &GraphPattern, out: &mut Vec<Clause>) {
        let sparql = self.writer().pattern(pattern);
        out.push(Clause { sparql, says: Says::Subquery(self.clauses(pattern, true)) });
    }

    /// Projection comes before order.
    fn select(&self, select: &Select<'_>, out: &mut Vec<Clause>) {
        self.add(select.body, true, out);
        if let Some(columns) = select.columns {
            let distinct = select.duplicates != Duplicates::Kept;
            let once = if distinct { "DISTINCT " } else { "" };
            let sparql = format!("SELECT {once}{}", spaced(columns));
            out.push(Clause { sparql, says: Says::Columns(names(columns), distinct) });
        }
        if !select.order.is_empty() {
            self.order(select.order, out);
        }
        if let Some((start, length)) = select.slice {
            let limit = length.map_or_else(String::new, |length| format!("LIMIT {length}"));
            let offset = if start > 0 { format!("OFFSET {start}") } else { String::new() };
            let sparql = format!("{limit} {offset}").trim().to_owned();
            out.push(Clause { sparql, says: Says::Limit(length, start) });
        }
    }

    fn order(&self, keys: &[OrderExpression], out: &mut Vec<Clause>) {
        let maker = self.maker();
        let formulas = keys.iter().map(|key| {
            let (expression, down) = sort_key(key);
            (maker.formula(expression), down)
        });
        let texts = keys.iter().map(|key| {
            let (expression, down) = sort_key(key);
            format!("{}{}", if down { "DESC" } else { "ASC" }, bracketed(&self.readable(expression)))
        });
        let sparql = format!("ORDER BY {}", texts.collect::<Vec<_>>().join(" "));
        out.push(Clause { sparql, says: Says::Order(formulas.collect()) });
    }
}
