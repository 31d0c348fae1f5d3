//! A query flattened into the parts that a question can ask for: statements with their mode, comparisons, orders, aggregates,
//! columns. Reads the outline of a checked query and knows no question.

use crate::link::is_joint;
use eruca_indexer::vocabulary::Vocabulary;
use eruca_sparql::{CheckedQuery, Clause, Formula, Says, Term};

/// The subject or object of a statement.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(super) enum Node {
    Variable(String),
    Iri(String),
    Literal(String),
}

/// Whether a statement is required, optional or negated.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Mode {
    Required,
    Optional,
    Negated,
}

/// One triple pattern of the query; a property path yields one per property.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Statement {
    pub subject: Node,
    pub property: String,
    pub object: Node,
    pub mode: Mode,
}

/// A query taken apart into lists.
#[derive(Debug, Default)]
pub(super) struct Parts {
    pub statements: Vec<Statement>,
    /// Class memberships.
    pub classes: Vec<(Node, String, Mode)>,
    /// Conditions of FILTER and HAVING, and whether they are negated.
    pub conditions: Vec<(Formula, Mode)>,
    /// Variables bound to expressions.
    pub named: Vec<(String, Formula)>,
    pub orders: Vec<(Formula, bool)>,
    pub aggregates: Vec<Formula>,
    pub groups: Vec<String>,
    /// The columns of the outermost query.
    pub columns: Vec<String>,
    pub limits: Vec<(Option<usize>, usize)>,
    /// The values of VALUES, with one or more rows.
    pub values: Vec<(String, Vec<Term>)>,
    pub asks: bool,
    pub has_negation: bool,
    pub has_alternatives: bool,
    pub has_optional: bool,
    /// Whether the query reaches all members of a list regardless of position, and otherwise the positions.
    pub walks_lists: bool,
    pub places: Vec<u32>,
    /// Whether the query asks for subclasses.
    pub asks_subclasses: bool,
}

impl Parts {
    /// `vocabulary` gives the properties for the class of a thing and the superclass of a class.
    pub fn of(query: &CheckedQuery, vocabulary: &Vocabulary) -> Self {
        let mut parts = Self::default();
        parts.add(&query.outline(), Mode::Required, vocabulary, true);
        parts.join_types(vocabulary);
        parts.join_lists();
        parts
    }

    /// Merges a path from a thing to a superclass, which arrives as a type statement plus a path from the type.
    fn join_types(&mut self, vocabulary: &Vocabulary) {
        let (types, statements): (Vec<Statement>, Vec<Statement>) = std::mem::take(&mut self.statements)
            .into_iter()
            .partition(|one| vocabulary.is_type(&one.property));
        self.statements = statements;
        for one in types {
            let above =
                self.classes.iter().find(|(node, ..)| *node == one.object).map(|(_, class, _)| class.clone());
            match above {
                Some(class) => {
                    self.classes.retain(|(node, ..)| *node != one.object);
                    self.classes.push((one.subject, class, one.mode));
                }
                None => self.statements.push(one),
            }
        }
    }

    fn add(&mut self, clauses: &[Clause], mode: Mode, kind: &Vocabulary, outermost: bool) {
        for clause in clauses {
            self.add_one(&clause.says, mode, kind, outermost);
        }
    }

    fn add_one(&mut self, says: &Says, mode: Mode, kind: &Vocabulary, outermost: bool) {
        match says {
            Says::Triples(all) => all.iter().for_each(|triple| self.statement(triple, mode, kind)),
            Says::Path([subject, path, object]) => self.path([subject, path, object], mode, kind),
            Says::Condition(formula) => self.conditions.push((formula.clone(), mode)),
            Says::Optional(inside) => {
                self.has_optional = true;
                self.add(inside, if mode == Mode::Negated { mode } else { Mode::Optional }, kind, false);
            }
            Says::Exists(inside) | Says::Within(_, inside) => self.add(inside, mode, kind, false),
            Says::Without(inside) => {
                self.has_negation = true;
                self.add(inside, Mode::Negated, kind, false);
            }
            Says::Either(branches) => {
                self.has_alternatives = true;
                branches.iter().for_each(|branch| self.add(branch, mode, kind, false));
            }
            Says::Named(name, formula) => self.named.push((name.clone(), formula.clone())),
            Says::Values(names, rows) => self.values(names, rows),
            Says::Groups(names) => self.groups.extend(names.iter().cloned()),
            Says::Aggregate(name, formula) => {
                self.aggregates.push(formula.clone());
                self.named.extend(name.iter().map(|name| (name.clone(), formula.clone())));
            }
            Says::Subquery(inside) => self.add(inside, mode, kind, false),
            Says::Columns(names, _) if outermost => self.columns.clone_from(names),
            Says::Ask if outermost => self.asks = true,
            Says::Order(keys) => self.orders.extend(keys.iter().cloned()),
            Says::Limit(most, after) => self.limits.push((*most, *after)),
            Says::Columns(..) | Says::Ask | Says::Graph => {}
        }
    }

    fn statement(&mut self, [subject, property, object]: &[Formula; 3], mode: Mode, kind: &Vocabulary) {
        let (Some(subject), Some(object)) = (node(subject), node(object)) else { return };
        let Formula::Term(Term::NamedNode(property)) = property else { return };
        match &object {
            Node::Iri(class) if is_structure(kind, property.as_str()) => {
                self.asks_subclasses |= mode == Mode::Required && !kind.is_type(property.as_str());
                self.classes.push((subject, class.clone(), mode));
            }
            _ => {
                let property = property.as_str().to_owned();
                self.statements.push(Statement { subject, property, object, mode });
            }
        }
    }

    /// Adds the steps of a path; the inner nodes have no names.
    fn path(&mut self, [subject, path, object]: [&Formula; 3], mode: Mode, kind: &Vocabulary) {
        let (Some(subject), Some(object)) = (node(subject), node(object)) else { return };
        let mut steps = Vec::new();
        collect(path, true, &mut steps);
        self.walks_lists |= holds_call(path, &["path_any", "path_many"])
            && steps.iter().any(|(property, _)| is_joint(property));
        if let Node::Iri(class) = &object
            && steps.iter().all(|(property, _)| is_structure(kind, property))
        {
            return self.classes.push((subject, class.clone(), mode));
        }
        steps.retain(|(property, _)| !is_structure(kind, property));
        let (last, number) = (steps.len(), self.statements.len());
        let inner = |at: usize| Node::Variable(format!("step {at} of {number}"));
        for (at, (property, forward)) in steps.into_iter().enumerate() {
            let from = if at == 0 { subject.clone() } else { inner(at) };
            let to = if at + 1 == last { object.clone() } else { inner(at + 1) };
            let (subject, object) = if forward { (from, to) } else { (to, from) };
            self.statements.push(Statement { subject, property, object, mode });
        }
    }

    fn values(&mut self, names: &[String], rows: &[Vec<Option<Term>>]) {
        for (at, name) in names.iter().enumerate() {
            let all = rows.iter().filter_map(|row| row.get(at).cloned().flatten()).collect();
            self.values.push((name.clone(), all));
        }
    }

    /// The properties that supply the values of a formula, and those leading to the nodes that have them.
    pub fn properties_in(&self, formula: &Formula) -> Vec<&str> {
        self.statements_in(formula).into_iter().map(|statement| statement.property.as_str()).collect()
    }

    /// The statements that supply the values of a formula, and those leading to the nodes that have them.
    pub fn statements_in(&self, formula: &Formula) -> Vec<&Statement> {
        let mut variables = Vec::new();
        self.variables_in(formula, &mut variables, 0);
        let ends = |statement: &&Statement| {
            variables.iter().any(|name| matches!(&statement.object, Node::Variable(object) if object == name))
        };
        let last: Vec<&Statement> = self.statements.iter().filter(ends).collect();
        let leads = |statement: &&Statement| last.iter().any(|end| end.subject == statement.object);
        let before: Vec<&Statement> = self.statements.iter().filter(leads).collect();
        last.into_iter().chain(before).collect()
    }

    /// The variables of a formula, including those of bound expressions.
    pub fn variables_in(&self, formula: &Formula, found: &mut Vec<String>, depth: usize) {
        // A variable may be defined by itself in two branches.
        if depth > 8 {
            return;
        }
        match formula {
            Formula::Variable { name, .. } => {
                found.push(name.clone());
                for (_, behind) in self.named.iter().filter(|(known, _)| known == name) {
                    self.variables_in(behind, found, depth + 1);
                }
            }
            Formula::Call { arguments, .. } => {
                arguments.iter().for_each(|inner| self.variables_in(inner, found, depth + 1));
            }
            Formula::Term(_) => {}
        }
    }

    /// Whether the query contains a call of one of these functions anywhere.
    pub fn calls(&self, names: &[&str]) -> bool {
        let conditions = self.conditions.iter().map(|(formula, _)| formula);
        let named = self.named.iter().map(|(_, formula)| formula);
        let orders = self.orders.iter().map(|(formula, _)| formula);
        conditions
            .chain(named)
            .chain(orders)
            .chain(&self.aggregates)
            .any(|formula| holds_call(formula, names))
    }

    /// All literals and numbers in the query.
    pub fn constants(&self) -> Vec<String> {
        let mut found = Vec::new();
        let conditions = self.conditions.iter().map(|(formula, _)| formula);
        let all = conditions.chain(self.named.iter().map(|(_, formula)| formula)).chain(&self.aggregates);
        all.for_each(|formula| constants(formula, &mut found));
        for statement in &self.statements {
            found.extend(literal(&statement.object));
        }
        let values = self.values.iter().flat_map(|(_, values)| values);
        found.extend(values.filter_map(|term| match term {
            Term::Literal(literal) => Some(literal.value().to_owned()),
            _ => None,
        }));
        found
    }

    /// All things named in the query, except classes and properties.
    pub fn things(&self) -> Vec<&str> {
        let ends = self.statements.iter().flat_map(|statement| [&statement.subject, &statement.object]);
        let typed = self.classes.iter().map(|(node, ..)| node);
        let mut found: Vec<&str> = ends
            .chain(typed)
            .filter_map(|node| match node {
                Node::Iri(iri) => Some(iri.as_str()),
                _ => None,
            })
            .collect();
        let conditions = self.conditions.iter().map(|(formula, _)| formula);
        conditions
            .chain(self.named.iter().map(|(_, formula)| formula))
            .for_each(|formula| iris(formula, &mut found));
        found.extend(self.values.iter().flat_map(|(_, values)| values).filter_map(|term| match term {
            Term::NamedNode(node) => Some(node.as_str()),
            _ => None,
        }));
        found
    }

    /// The variables behind all columns.
    pub fn shown(&self) -> Vec<String> {
        self.columns.iter().flat_map(|column| self.behind(column)).collect()
    }

    /// The variables behind a column: itself, and those of its expression.
    pub fn behind(&self, column: &str) -> Vec<String> {
        let mut found = Vec::new();
        let own = Formula::Variable { name: column.to_owned(), value: None };
        self.variables_in(&own, &mut found, 0);
        found
    }

    /// The terms that VALUES assigns to a variable.
    pub fn values_of(&self, variable: &str) -> impl Iterator<Item = &Term> {
        let own = self.values.iter().filter(move |(name, _)| name == variable);
        own.flat_map(|(_, values)| values)
    }
}

/// Whether a formula contains a call of one of these functions.
pub(super) fn holds_call(formula: &Formula, names: &[&str]) -> bool {
    match formula {
        Formula::Call { name, arguments, .. } => {
            names.contains(&name.strip_suffix("_distinct").unwrap_or(name))
                || arguments.iter().any(|inner| holds_call(inner, names))
        }
        _ => false,
    }
}

fn node(formula: &Formula) -> Option<Node> {
    match formula {
        Formula::Variable { name, .. } => Some(Node::Variable(name.clone())),
        Formula::Term(Term::NamedNode(iri)) => Some(Node::Iri(iri.as_str().to_owned())),
        Formula::Term(Term::Literal(literal)) => Some(Node::Literal(literal.value().to_owned())),
        Formula::Term(Term::BlankNode(node)) => Some(Node::Variable(node.to_string())),
        Formula::Call { .. } => None,
    }
}

/// The literals and numbers of a formula.
pub(super) fn constants_in(formula: &Formula) -> Vec<String> {
    let mut found = Vec::new();
    constants(formula, &mut found);
    found
}

fn literal(node: &Node) -> Option<String> {
    match node {
        Node::Literal(text) => Some(text.clone()),
        _ => None,
    }
}

fn constants(formula: &Formula, found: &mut Vec<String>) {
    match formula {
        Formula::Term(Term::Literal(literal)) => found.push(literal.value().to_owned()),
        Formula::Call { arguments, .. } => arguments.iter().for_each(|inner| constants(inner, found)),
        _ => {}
    }
}

fn iris<'a>(formula: &'a Formula, found: &mut Vec<&'a str>) {
    match formula {
        Formula::Term(Term::NamedNode(node)) => found.push(node.as_str()),
        Formula::Call { arguments, .. } => arguments.iter().for_each(|inner| iris(inner, found)),
        _ => {}
    }
}

/// Whether a property states the class or superclass of something.
fn is_structure(vocabulary: &Vocabulary, property: &str) -> bool {
    (vocabulary.is_type(property) || vocabulary.is_schema(property)) && !is_joint(property)
}

/// The properties of a path with their direction; for alternatives, all of them.
fn collect(path: &Formula, forward: bool, steps: &mut Vec<(String, bool)>) {
    match path {
        Formula::Term(Term::NamedNode(node)) => steps.push((node.as_str().to_owned(), forward)),
        Formula::Call { name, arguments, .. } => {
            let turned = name == "path_inverse";
            let inner = |argument: &Formula, steps: &mut Vec<_>| collect(argument, forward != turned, steps);
            match forward {
                true => arguments.iter().for_each(|argument| inner(argument, steps)),
                false => arguments.iter().rev().for_each(|argument| inner(argument, steps)),
            }
        }
        _ => {}
    }
}
