//! What the columns of a SELECT are made of: properties, classes, aggregates, sort keys. Uses `algebra`.

use crate::algebra::{Node, pattern_of, walk, walk_expression};
use crate::check::CheckedQuery;
use oxrdf::NamedNode;
use spargebra::algebra::{AggregateExpression, Expression, GraphPattern, OrderExpression};
use spargebra::term::{NamedNodePattern, TermPattern};
use std::collections::BTreeMap;

const RDF_TYPE: &str = "http://www.w3.org/1999/02/22-rdf-syntax-ns#type";

/// A projected column and where its values come from.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Column {
    /// The variable's name.
    pub name: String,
    /// Variables that it is computed from, itself included.
    pub from: Vec<String>,
    /// Properties whose objects it holds, each with the subject if that is a variable.
    pub properties: Vec<(Option<String>, String)>,
    /// Classes that its values are said to have.
    pub classes: Vec<String>,
    /// It holds an aggregate, or something computed from one.
    pub aggregated: bool,
    /// It is the value of an expression.
    pub computed: bool,
    /// The outermost ORDER BY uses it.
    pub sorts: bool,
}

impl CheckedQuery {
    /// The columns of a SELECT in order; empty for other forms.
    pub fn columns(&self) -> Vec<Column> {
        let definitions = Definitions::of(self);
        let sort_keys = sort_keys(pattern_of(self.algebra()));
        self.variables().into_iter().map(|name| definitions.column(name, &sort_keys)).collect()
    }

    /// Whether the outermost SELECT orders its rows.
    pub fn is_ordered(&self) -> bool {
        !sort_keys(pattern_of(self.algebra())).is_empty()
    }
}

/// How variables get their values anywhere in a query.
#[derive(Default)]
struct Definitions {
    /// Variables of the expression behind a variable, and whether it aggregates.
    computed: BTreeMap<String, (Vec<String>, bool)>,
    properties: Vec<(String, Option<String>, String)>,
    classes: Vec<(String, String)>,
}

impl Definitions {
    fn of(query: &CheckedQuery) -> Self {
        let mut found = Self::default();
        for (node, _) in walk(query.algebra()) {
            if let Node::Pattern(pattern) = node {
                found.add(pattern);
            }
        }
        found
    }

    fn add(&mut self, pattern: &GraphPattern) {
        match pattern {
            GraphPattern::Bgp { patterns } => {
                for triple in patterns {
                    self.add_triple(&triple.subject, &triple.predicate, &triple.object);
                }
            }
            GraphPattern::Path { subject, path, object } => {
                // Of a path its last step says what the object is.
                if let Some(last) =
                    path.to_string().rsplit(['<']).next().and_then(|rest| rest.split('>').next())
                    && let Ok(last) = NamedNode::new(last)
                {
                    self.add_triple(subject, &NamedNodePattern::NamedNode(last), object);
                }
            }
            GraphPattern::Extend { variable, expression, .. } => {
                let value = (variables(expression), false);
                self.computed.insert(variable.as_str().to_owned(), value);
            }
            GraphPattern::Group { aggregates, .. } => {
                for (variable, aggregate) in aggregates {
                    let value = (aggregated_variables(aggregate), true);
                    self.computed.insert(variable.as_str().to_owned(), value);
                }
            }
            _ => {}
        }
    }

    fn add_triple(&mut self, subject: &TermPattern, predicate: &NamedNodePattern, object: &TermPattern) {
        let NamedNodePattern::NamedNode(predicate) = predicate else { return };
        let subject = variable(subject);
        match (object, subject) {
            (TermPattern::NamedNode(class), Some(subject)) if predicate.as_str() == RDF_TYPE => {
                self.classes.push((subject, class.as_str().to_owned()));
            }
            (object, subject) => {
                if let Some(object) = variable(object) {
                    self.properties.push((object, subject, predicate.as_str().to_owned()));
                }
            }
        }
    }

    fn column(&self, name: String, sort_keys: &[String]) -> Column {
        let mut from = vec![name.clone()];
        let (mut aggregated, mut next) = (false, 0);
        while let Some(current) = from.get(next).cloned() {
            next += 1;
            if let Some((sources, aggregates)) = self.computed.get(&current) {
                aggregated |= aggregates;
                for source in sources {
                    if !from.contains(source) {
                        from.push(source.clone());
                    }
                }
            }
        }
        let of_column = self.properties.iter().filter(|(object, _, _)| from.contains(object));
        let classes = self.classes.iter().filter(|(subject, _)| *subject == name);
        Column {
            properties: of_column.map(|(_, subject, property)| (subject.clone(), property.clone())).collect(),
            classes: classes.map(|(_, class)| class.clone()).collect(),
            aggregated,
            computed: self.computed.contains_key(&name),
            // The alias itself, or what it is computed from, may be sorted by.
            sorts: sort_keys.contains(&name),
            from,
            name,
        }
    }
}

fn variable(term: &TermPattern) -> Option<String> {
    match term {
        TermPattern::Variable(variable) => Some(variable.as_str().to_owned()),
        _ => None,
    }
}

fn variables(expression: &Expression) -> Vec<String> {
    let mut found: Vec<String> = Vec::new();
    for (node, _) in walk_expression(expression) {
        if let Node::Expression(Expression::Variable(variable) | Expression::Bound(variable)) = node
            && !found.iter().any(|known| known == variable.as_str())
        {
            found.push(variable.as_str().to_owned());
        }
    }
    found
}

fn aggregated_variables(aggregate: &AggregateExpression) -> Vec<String> {
    match aggregate {
        AggregateExpression::CountSolutions { .. } => Vec::new(),
        AggregateExpression::FunctionCall { expr, .. } => variables(expr),
    }
}

/// Variables in the outermost ORDER BY.
fn sort_keys(pattern: &GraphPattern) -> Vec<String> {
    match pattern {
        GraphPattern::Slice { inner, .. }
        | GraphPattern::Distinct { inner }
        | GraphPattern::Reduced { inner }
        | GraphPattern::Project { inner, .. } => sort_keys(inner),
        GraphPattern::OrderBy { expression, .. } => expression
            .iter()
            .flat_map(|key| match key {
                OrderExpression::Asc(expression) | OrderExpression::Desc(expression) => variables(expression),
            })
            .collect(),
        _ => Vec::new(),
    }
}

#[cfg(test)]
mod tests {
    use crate::{Column, Prefixes, QueryPolicy, check};

    fn columns(text: &str) -> Vec<Column> {
        let mut prefixes = Prefixes::default();
        prefixes.insert("e", "http://e/");
        check(text, &prefixes, &QueryPolicy::default()).unwrap().columns()
    }

    #[test]
    fn columns_know_their_properties_aggregates_and_sort_keys() {
        let found = columns(
            "SELECT ?x ?label (SUM(?w) AS ?total) { ?x a e:C ; e:label ?label ; e:part/e:weight ?w } \
             GROUP BY ?x ?label ORDER BY DESC(?total)",
        );
        assert_eq!(found[0].classes, ["http://e/C"]);
        assert_eq!(found[1].properties, [(Some("x".to_owned()), "http://e/label".to_owned())]);
        assert!(
            found[2].aggregated && found[2].sorts && found[2].from.contains(&"w".to_owned()),
            "{:?}",
            found[2]
        );
        assert!(found[2].properties.iter().any(|(_, iri)| iri == "http://e/weight"), "{:?}", found[2]);
        assert!(!found[0].sorts && !found[0].aggregated);
    }
}
