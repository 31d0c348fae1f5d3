//! What the columns and variables of a query hold: property values, class instances, aggregates or constants. Uses
//! spargebra.

use super::{Atom, Origin, QueryModel};
use crate::query::algebra::{aggregated, variables};
use crate::terms::RDF_TYPE;
use spargebra::algebra::Expression;

/// A projected column and the origin of its values.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Column {
    /// The variable name.
    pub name: String,
    /// The variables it is computed from, including itself.
    pub from: Vec<String>,
    /// The properties whose objects are its values, each with its subject if that is a variable.
    pub properties: Vec<(Option<String>, String)>,
    /// The classes that the query requires of its values.
    pub classes: Vec<String>,
    /// Whether it is an aggregate or computed from one.
    pub aggregated: bool,
    /// Whether it is the value of an expression.
    pub computed: bool,
    /// Whether the outermost ORDER BY uses it.
    pub sorts: bool,
    /// Whether its values are constants of the query (BIND, VALUES).
    pub constant: bool,
}

/// A variable with the classes and properties used with it in a query.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct VariableUse {
    /// The variable name.
    pub name: String,
    /// The classes that the query requires of it.
    pub classes: Vec<String>,
    /// Properties with this variable as the subject.
    pub has: Vec<String>,
    /// Properties with this variable as the object.
    pub is: Vec<String>,
    /// Whether it is compared with a number, used in arithmetic, or summed, without a cast.
    pub as_number: bool,
}

impl QueryModel {
    /// The use of each variable in the query, in order of first occurrence. `type_property` links instances to classes,
    /// like `rdf:type`.
    #[must_use]
    pub fn usages(&self, type_property: &str) -> Vec<VariableUse> {
        let mut found: Vec<VariableUse> = Vec::new();
        for (variable, class) in self.classes(type_property) {
            note(&mut found, variable, |usage| usage.classes.push(class.to_owned()));
        }
        for (atom, property) in self.statements(type_property) {
            if let Some(subject) = atom.subject_variable() {
                note(&mut found, subject, |usage| usage.has.push(property.to_owned()));
            }
        }
        for (atom, property) in self.statements(type_property) {
            if let Some(object) = atom.object_variable() {
                note(&mut found, object, |usage| usage.is.push(property.to_owned()));
            }
        }
        for variable in &self.numbers {
            note(&mut found, variable, |usage| usage.as_number = true);
        }
        found
    }

    /// The columns of a SELECT in order; empty for other forms. `type_property` links instances to classes, like `rdf:type`.
    #[must_use]
    pub fn columns(&self, type_property: &str) -> Vec<Column> {
        self.variables.iter().map(|name| self.column(name, type_property)).collect()
    }

    fn column(&self, name: &str, type_property: &str) -> Column {
        let (from, aggregated) = self.computed_from(name);
        let properties = self.statements(type_property).filter_map(|(atom, property)| {
            let object = atom.object_variable()?;
            let subject = atom.subject_variable().map(str::to_owned);
            from.iter().any(|name| name == object).then(|| (subject, property.to_owned()))
        });
        let classes = self.classes(type_property).filter(|(subject, _)| *subject == name);
        Column {
            properties: properties.collect(),
            classes: classes.map(|(_, class)| class.to_owned()).collect(),
            aggregated,
            computed: self.origins.contains_key(name),
            constant: self.constants.iter().any(|constant| constant == name),
            // A query may sort by the alias or by the variable it is computed from.
            sorts: self.sorted_by().any(|key| key == name),
            from,
            name: name.to_owned(),
        }
    }

    /// The variables that `name` is computed from, itself first, and whether an aggregate is involved.
    fn computed_from(&self, name: &str) -> (Vec<String>, bool) {
        let mut from = vec![name.to_owned()];
        let (mut aggregates, mut next) = (false, 0);
        while let Some(current) = from.get(next) {
            let expression = match self.origins.get(current) {
                Some(Origin::Expression(expression)) => Some(expression),
                Some(Origin::Aggregate(aggregate)) => {
                    aggregates = true;
                    aggregated(aggregate)
                }
                None => None,
            };
            for source in expression.map(variables).unwrap_or_default() {
                if !from.iter().any(|known| known == source) {
                    from.push(source.to_owned());
                }
            }
            next += 1;
        }
        (from, aggregates)
    }

    /// Pairs of variable and class required by the query.
    fn classes(&self, type_property: &str) -> impl Iterator<Item = (&str, &str)> {
        self.atoms.iter().filter_map(move |atom| class_of(atom, type_property))
    }

    /// The atoms other than class membership, each with its property. For a path, the last step determines
    /// what kind of value the object is.
    fn statements(&self, type_property: &str) -> impl Iterator<Item = (&Atom, &str)> {
        let others = self.atoms.iter().filter(move |atom| class_of(atom, type_property).is_none());
        others.filter_map(|atom| Some((atom, atom.predicates.last()?.as_str())))
    }
}

/// The variable and the class, if the atom assigns a class to a variable.
fn class_of<'a>(atom: &'a Atom, type_property: &str) -> Option<(&'a str, &'a str)> {
    let property = atom.predicates.last().filter(|iri| [RDF_TYPE, type_property].contains(&iri.as_str()));
    property.and_then(|_| Some((atom.subject_variable()?, atom.object_iri()?)))
}

/// Updates the entry of a variable, adding it if needed.
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

/// Adds the variables that an expression uses as numbers.
pub(super) fn number_operands(expression: &Expression, found: &mut Vec<String>) {
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

#[cfg(test)]
mod tests {
    use crate::{Column, Prefixes, QueryPolicy, RDF_TYPE, check};

    fn columns(text: &str) -> Vec<Column> {
        let mut prefixes = Prefixes::default();
        prefixes.insert("e", "http://e/");
        check(text, &prefixes, &QueryPolicy::default()).unwrap().model().columns(RDF_TYPE)
    }

    #[test]
    fn usages_tell_classes_properties_and_numbers() {
        let mut prefixes = Prefixes::default();
        prefixes.insert("e", "http://e/");
        let text = "SELECT (SUM(?q) AS ?sum) { ?x a e:C ; e:q ?q ; e:w ?w ; e:d ?d FILTER(?w > 3 && ?d = \"3\") } GROUP BY ?x";
        let usages = check(text, &prefixes, &QueryPolicy::default()).unwrap().model().usages(RDF_TYPE);
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
