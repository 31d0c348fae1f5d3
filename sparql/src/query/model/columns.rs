//! What the columns of a SELECT are made of: properties, classes, aggregates, sort keys. Uses `algebra`.

use crate::check::CheckedQuery;
use crate::query::algebra::{Node, pattern_of, walk, walk_expression};
use oxrdf::NamedNode;
use spargebra::algebra::{AggregateExpression, AggregateFunction, Expression, GraphPattern, OrderExpression};
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
    /// Properties whose objects are its values, each with the subject if that is a variable.
    pub properties: Vec<(Option<String>, String)>,
    /// Classes that the query requires of its values.
    pub classes: Vec<String>,
    /// It is an aggregate, or computed from one.
    pub aggregated: bool,
    /// It is the value of an expression.
    pub computed: bool,
    /// The outermost ORDER BY uses it.
    pub sorts: bool,
    /// Its values are constants of the query (BIND, VALUES) instead of being found.
    pub constant: bool,
}

/// A variable with the classes and properties that a query gives it.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct VariableUse {
    /// The variable's name.
    pub name: String,
    /// Classes that the query requires of it.
    pub classes: Vec<String>,
    /// Properties of which it is the subject.
    pub has: Vec<String>,
    /// Properties of which it is the object.
    pub is: Vec<String>,
    /// It is compared with a number, calculated with, or summed up, without a cast.
    pub as_number: bool,
}

impl CheckedQuery {
    /// What the query says of each of its variables, in the order in which they are met. `type_property` leads to classes,
    /// as `rdf:type` does.
    pub fn usages(&self, type_property: &str) -> Vec<VariableUse> {
        let definitions = Definitions::of(self, type_property);
        let mut found: Vec<VariableUse> = Vec::new();
        for (variable, class) in definitions.classes {
            note(&mut found, &variable, |usage| usage.classes.push(class));
        }
        for (subject, property) in definitions.subjects {
            note(&mut found, &subject, |usage| usage.has.push(property));
        }
        for (object, _, property) in definitions.properties {
            note(&mut found, &object, |usage| usage.is.push(property));
        }
        for variable in numbers(self) {
            note(&mut found, &variable, |usage| usage.as_number = true);
        }
        found
    }

    /// The columns of a SELECT in order; empty for other forms. `type_property` leads to classes, as `rdf:type` does.
    pub fn columns(&self, type_property: &str) -> Vec<Column> {
        let definitions = Definitions::of(self, type_property);
        let sort_keys = sort_keys(pattern_of(self.algebra()));
        self.variables().into_iter().map(|name| definitions.column(name, &sort_keys)).collect()
    }

    /// Whether the outermost SELECT orders its rows.
    pub fn is_ordered(&self) -> bool {
        !self.sorted_by().is_empty()
    }

    /// Whether the outermost SELECT gives the greatest first.
    pub fn is_descending(&self) -> bool {
        matches!(order(pattern_of(self.algebra())).first(), Some(OrderExpression::Desc(_)))
    }

    /// Variables in the outermost ORDER BY, also those that are not projected.
    pub fn sorted_by(&self) -> Vec<String> {
        sort_keys(pattern_of(self.algebra()))
    }
}

/// How variables get their values anywhere in a query.
#[derive(Default)]
struct Definitions<'a> {
    type_property: &'a str,
    /// Variables of the expression behind a variable, and whether it aggregates.
    computed: BTreeMap<String, (Vec<String>, bool)>,
    properties: Vec<(String, Option<String>, String)>,
    classes: Vec<(String, String)>,
    /// Subjects that are variables, with their properties.
    subjects: Vec<(String, String)>,
    /// Variables that a VALUES or a BIND of a constant sets.
    constants: Vec<String>,
}

impl<'a> Definitions<'a> {
    fn of(query: &CheckedQuery, type_property: &'a str) -> Self {
        let mut found = Self { type_property, ..Self::default() };
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
                // The last step of a path says what kind of value its object is.
                if let Some(last) =
                    path.to_string().rsplit(['<']).next().and_then(|rest| rest.split('>').next())
                    && let Ok(last) = NamedNode::new(last)
                {
                    self.add_triple(subject, &NamedNodePattern::NamedNode(last), object);
                }
            }
            GraphPattern::Values { variables, .. } => {
                self.constants.extend(variables.iter().map(|variable| variable.as_str().to_owned()));
            }
            GraphPattern::Extend { variable, expression, .. } => {
                if matches!(expression, Expression::NamedNode(_) | Expression::Literal(_)) {
                    self.constants.push(variable.as_str().to_owned());
                }
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
            (TermPattern::NamedNode(class), Some(subject)) if self.is_type(predicate.as_str()) => {
                self.classes.push((subject, class.as_str().to_owned()));
            }
            (object, subject) => {
                if let Some(subject) = &subject {
                    self.subjects.push((subject.clone(), predicate.as_str().to_owned()));
                }
                if let Some(object) = variable(object) {
                    self.properties.push((object, subject, predicate.as_str().to_owned()));
                }
            }
        }
    }

    fn is_type(&self, predicate: &str) -> bool {
        predicate == RDF_TYPE || predicate == self.type_property
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
            constant: self.constants.contains(&name),
            // A query may sort by the alias or by the variable that it is computed from.
            sorts: sort_keys.contains(&name),
            from,
            name,
        }
    }
}

/// Notes something of a variable.
fn note(found: &mut Vec<VariableUse>, name: &str, what: impl FnOnce(&mut VariableUse)) {
    match found.iter_mut().find(|usage| usage.name == name) {
        Some(usage) => what(usage),
        None => {
            let mut usage = VariableUse { name: name.to_owned(), ..VariableUse::default() };
            what(&mut usage);
            found.push(usage);
        }
    }
}

/// Variables that are used as numbers as they are.
fn numbers(query: &CheckedQuery) -> Vec<String> {
    let mut found = Vec::new();
    for (node, _) in walk(query.algebra()) {
        match node {
            Node::Expression(expression) => number_operands(expression, &mut found),
            Node::Pattern(GraphPattern::Group { aggregates, .. }) => {
                for (_, aggregate) in aggregates {
                    if let AggregateExpression::FunctionCall {
                        name: AggregateFunction::Sum | AggregateFunction::Avg,
                        expr: Expression::Variable(variable),
                        ..
                    } = aggregate
                    {
                        found.push(variable.as_str().to_owned());
                    }
                }
            }
            _ => {}
        }
    }
    found
}

fn number_operands(expression: &Expression, found: &mut Vec<String>) {
    use Expression as E;
    let mut add = |operand: &Expression| {
        if let E::Variable(variable) = operand {
            found.push(variable.as_str().to_owned());
        }
    };
    match expression {
        E::Less(a, b)
        | E::LessOrEqual(a, b)
        | E::Greater(a, b)
        | E::GreaterOrEqual(a, b)
        | E::Equal(a, b)
            if is_number(a) || is_number(b) =>
        {
            add(a);
            add(b);
        }
        E::Add(a, b) | E::Subtract(a, b) | E::Multiply(a, b) | E::Divide(a, b) => {
            add(a);
            add(b);
        }
        E::UnaryMinus(a) | E::UnaryPlus(a) => add(a),
        _ => {}
    }
}

fn is_number(expression: &Expression) -> bool {
    let Expression::Literal(literal) = expression else { return false };
    ["integer", "decimal", "double", "float"].iter().any(|name| literal.datatype().as_str().ends_with(name))
}

fn variable(term: &TermPattern) -> Option<String> {
    match term {
        TermPattern::Variable(variable) => Some(variable.as_str().to_owned()),
        _ => None,
    }
}

/// The variables of an expression, in the order they are written.
pub(crate) fn variables(expression: &Expression) -> Vec<String> {
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
    let key = |key: &OrderExpression| match key {
        OrderExpression::Asc(expression) | OrderExpression::Desc(expression) => variables(expression),
    };
    order(pattern).iter().flat_map(key).collect()
}

/// The outermost ORDER BY.
fn order(pattern: &GraphPattern) -> &[OrderExpression] {
    match pattern {
        GraphPattern::Slice { inner, .. }
        | GraphPattern::Distinct { inner }
        | GraphPattern::Reduced { inner }
        | GraphPattern::Project { inner, .. } => order(inner),
        GraphPattern::OrderBy { expression, .. } => expression,
        _ => &[],
    }
}

#[cfg(test)]
mod tests {
    use super::RDF_TYPE;
    use crate::{Column, Prefixes, QueryPolicy, check};

    fn columns(text: &str) -> Vec<Column> {
        let mut prefixes = Prefixes::default();
        prefixes.insert("e", "http://e/");
        check(text, &prefixes, &QueryPolicy::default()).unwrap().columns(RDF_TYPE)
    }

    #[test]
    fn usages_tell_classes_properties_and_numbers() {
        let mut prefixes = Prefixes::default();
        prefixes.insert("e", "http://e/");
        let text = "SELECT (SUM(?q) AS ?sum) { ?x a e:C ; e:q ?q ; e:w ?w ; e:d ?d FILTER(?w > 3 && ?d = \"3\") } GROUP BY ?x";
        let usages = check(text, &prefixes, &QueryPolicy::default()).unwrap().usages(RDF_TYPE);
        let of = |name: &str| usages.iter().find(|usage| usage.name == name).unwrap();
        assert_eq!(of("x").classes, ["http://e/C"]);
        assert_eq!(of("x").has, ["http://e/q", "http://e/w", "http://e/d"]);
        assert!(of("q").as_number && of("w").as_number && !of("d").as_number);
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
