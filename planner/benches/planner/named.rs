//! What a reference query names: properties, classes, things and literals.

use eruca_sparql::{CheckedQuery, Clause, Formula, RDF_TYPE, Says, Term};
use std::collections::BTreeSet;

/// The names of a query.
#[derive(Debug, Default)]
pub struct Names {
    pub properties: BTreeSet<String>,
    pub classes: BTreeSet<String>,
    pub things: BTreeSet<String>,
    pub literals: BTreeSet<String>,
}

impl Names {
    pub fn of(query: &CheckedQuery) -> Self {
        let mut names = Self::default();
        names.add(&query.outline());
        names
    }

    fn add(&mut self, clauses: &[Clause]) {
        for clause in clauses {
            match &clause.says {
                Says::Triples(all) => all.iter().for_each(|triple| self.statement(triple)),
                Says::Path(path) => self.statement(path),
                Says::Condition(formula) | Says::Named(_, formula) => self.constants(formula),
                Says::Optional(inside)
                | Says::Exists(inside)
                | Says::Without(inside)
                | Says::Within(_, inside)
                | Says::Subquery(inside) => self.add(inside),
                Says::Either(branches) => branches.iter().for_each(|branch| self.add(branch)),
                Says::Values(_, rows) => {
                    rows.iter().flatten().flatten().for_each(|term| self.constant(term));
                }
                _ => {}
            }
        }
    }

    fn statement(&mut self, [subject, property, object]: &[Formula; 3]) {
        let mut steps = BTreeSet::new();
        properties(property, &mut steps);
        let typed = steps.remove(RDF_TYPE);
        self.constants(subject);
        match object {
            Formula::Term(Term::NamedNode(class)) if typed => {
                self.classes.insert(class.as_str().to_owned());
            }
            _ => self.constants(object),
        }
        self.properties.extend(steps);
    }

    fn constants(&mut self, formula: &Formula) {
        match formula {
            Formula::Term(term) => self.constant(term),
            Formula::Call { arguments, .. } => arguments.iter().for_each(|inner| self.constants(inner)),
            Formula::Variable { .. } => {}
        }
    }

    fn constant(&mut self, term: &Term) {
        match term {
            Term::NamedNode(node) => self.things.insert(node.as_str().to_owned()),
            Term::Literal(literal) => self.literals.insert(literal.value().to_owned()),
            Term::BlankNode(_) => false,
        };
    }
}

fn properties(path: &Formula, found: &mut BTreeSet<String>) {
    match path {
        Formula::Term(Term::NamedNode(node)) => {
            found.insert(node.as_str().to_owned());
        }
        Formula::Call { arguments, .. } => arguments.iter().for_each(|inner| properties(inner, found)),
        _ => {}
    }
}
