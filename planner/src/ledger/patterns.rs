//! Patterns of the glossary in a query: the parts of each are replaced by one statement, or one class, which its words justify as
//! they justify any other. Reads the query, so it finds them in queries of models and people as well.

use super::parts::{Mode, Node, Parts, Statement};
use crate::schema::{HousePattern, Schema};
use eruca_indexer::SchemaKind;
use eruca_knowledge::{THIS, VALUE};
use eruca_sparql::{Formula, NamedNode, Term};

/// Maximum number of times that a pattern is found in a query, and of pairs of parts that are compared for it.
const MAX_FOUND: usize = 8;
const MAX_TRIES: usize = 20_000;

/// Replaces the parts of each pattern of the glossary.
pub(super) fn fold(schema: &Schema<'_>, parts: &mut Parts) {
    for known in schema.patterns() {
        let wanted = Parts::of(known.pattern.fragment().query(), &schema.index.manifest.vocabulary);
        for _ in 0..MAX_FOUND {
            let Some(found) = find(&wanted, parts) else { break };
            replace(known, &found, parts);
        }
    }
}

/// Where a pattern is in a query.
#[derive(Clone)]
struct Found {
    /// What its variables are in the query.
    nodes: Vec<(String, Node)>,
    statements: Vec<usize>,
    classes: Vec<usize>,
    conditions: Vec<usize>,
    /// Whether it is required, optional or negated as a whole.
    mode: Mode,
}

impl Found {
    fn node(&self, variable: &str) -> Option<&Node> {
        self.nodes.iter().find(|(own, _)| own == variable).map(|(_, node)| node)
    }

    /// The same where a node of the pattern is this node of the query, if it can be.
    fn with(mut self, wanted: &Node, node: &Node) -> Option<Self> {
        let Node::Variable(variable) = wanted else { return (wanted == node).then_some(self) };
        if let Some(known) = self.node(variable) {
            return (known == node).then_some(self);
        }
        let is_end = [THIS, VALUE].contains(&variable.as_str());
        let is_free = !self.nodes.iter().any(|(_, taken)| taken == node);
        let may_be = is_end || (is_free && matches!(node, Node::Variable(_)));
        if !may_be {
            return None;
        }
        self.nodes.push((variable.clone(), node.clone()));
        Some(self)
    }

    /// Whether a part of the query has the mode that one of the pattern needs here.
    fn allows(&self, wanted: Mode, mode: Mode) -> bool {
        let due = match (self.mode, wanted) {
            (Mode::Negated, _) | (_, Mode::Negated) => Mode::Negated,
            (Mode::Optional, _) | (_, Mode::Optional) => Mode::Optional,
            (Mode::Required, Mode::Required) => Mode::Required,
        };
        due == mode
    }
}

fn find(wanted: &Parts, parts: &Parts) -> Option<Found> {
    let mut tries = MAX_TRIES;
    [Mode::Required, Mode::Optional, Mode::Negated].into_iter().find_map(|mode| {
        let (nodes, statements, classes, conditions) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
        let start = Found { nodes, statements, classes, conditions, mode };
        statements_of(wanted, parts, start, &mut tries)
    })
}

/// Finds the statements of a pattern one by one, and then the rest.
fn statements_of(wanted: &Parts, parts: &Parts, so_far: Found, tries: &mut usize) -> Option<Found> {
    let Some(next) = wanted.statements.get(so_far.statements.len()) else {
        return classes_of(wanted, parts, so_far, tries);
    };
    for (at, own) in parts.statements.iter().enumerate() {
        *tries = tries.checked_sub(1)?;
        let is_it = own.property == next.property && so_far.allows(next.mode, own.mode);
        if !is_it || so_far.statements.contains(&at) {
            continue;
        }
        let ends = so_far.clone().with(&next.subject, &own.subject);
        let Some(mut more) = ends.and_then(|found| found.with(&next.object, &own.object)) else { continue };
        more.statements.push(at);
        if let Some(found) = statements_of(wanted, parts, more, tries) {
            return Some(found);
        }
    }
    None
}

fn classes_of(wanted: &Parts, parts: &Parts, so_far: Found, tries: &mut usize) -> Option<Found> {
    let Some((node, class, mode)) = wanted.classes.get(so_far.classes.len()) else {
        return conditions_of(wanted, parts, so_far);
    };
    for (at, (own, own_class, own_mode)) in parts.classes.iter().enumerate() {
        *tries = tries.checked_sub(1)?;
        if own_class != class || !so_far.allows(*mode, *own_mode) || so_far.classes.contains(&at) {
            continue;
        }
        let Some(mut more) = so_far.clone().with(node, own) else { continue };
        more.classes.push(at);
        if let Some(found) = classes_of(wanted, parts, more, tries) {
            return Some(found);
        }
    }
    None
}

/// Finds the filters of a pattern; what only it uses must not be used by other parts.
fn conditions_of(wanted: &Parts, parts: &Parts, mut so_far: Found) -> Option<Found> {
    for (formula, mode) in &wanted.conditions {
        let formula = replaced(formula, &so_far);
        let is_it = |(at, (own, own_mode)): &(usize, &(Formula, Mode))| {
            *own == formula && so_far.allows(*mode, *own_mode) && !so_far.conditions.contains(at)
        };
        let at = parts.conditions.iter().enumerate().find(is_it)?.0;
        so_far.conditions.push(at);
    }
    let inner = so_far.nodes.iter().filter(|(own, _)| ![THIS, VALUE].contains(&own.as_str()));
    let is_used = |node: &Node| is_used_elsewhere(node, parts, &so_far);
    (!inner.into_iter().any(|(_, node)| is_used(node))).then_some(so_far)
}

fn is_used_elsewhere(node: &Node, parts: &Parts, found: &Found) -> bool {
    let Node::Variable(name) = node else { return false };
    let other = |at: usize, taken: &[usize]| !taken.contains(&at);
    let statements = parts.statements.iter().enumerate().filter(|(at, _)| other(*at, &found.statements));
    let classes = parts.classes.iter().enumerate().filter(|(at, _)| other(*at, &found.classes));
    let conditions = parts.conditions.iter().enumerate().filter(|(at, _)| other(*at, &found.conditions));
    let formulas = conditions.map(|(_, (formula, _))| formula);
    let formulas = formulas.chain(parts.named.iter().map(|(_, formula)| formula));
    let mut formulas =
        formulas.chain(parts.orders.iter().map(|(formula, _)| formula)).chain(&parts.aggregates);
    // All variables are columns of ASK.
    (!parts.asks && parts.columns.contains(name))
        || parts.groups.contains(name)
        || statements.into_iter().any(|(_, one)| one.subject == *node || one.object == *node)
        || classes.into_iter().any(|(_, (own, ..))| own == node)
        || formulas.any(|formula| has_variable(formula, name))
}

fn has_variable(formula: &Formula, wanted: &str) -> bool {
    match formula {
        Formula::Variable { name, .. } => name == wanted,
        Formula::Call { arguments, .. } => arguments.iter().any(|inner| has_variable(inner, wanted)),
        Formula::Term(_) => false,
    }
}

/// A filter of a pattern with the nodes of the query.
fn replaced(formula: &Formula, found: &Found) -> Formula {
    match formula {
        Formula::Variable { name, value } => match found.node(name) {
            Some(Node::Variable(own)) => Formula::Variable { name: own.clone(), value: value.clone() },
            Some(Node::Iri(iri)) => Formula::Term(Term::NamedNode(NamedNode::new_unchecked(iri.as_str()))),
            Some(Node::Literal(_)) | None => formula.clone(),
        },
        Formula::Call { name, arguments, value } => {
            let arguments = arguments.iter().map(|inner| replaced(inner, found)).collect();
            Formula::Call { name: name.clone(), arguments, value: value.clone() }
        }
        Formula::Term(_) => formula.clone(),
    }
}

fn replace(known: &HousePattern<'_>, found: &Found, parts: &mut Parts) {
    let Some(this) = found.node(THIS).cloned() else { return };
    keep(&mut parts.statements, &found.statements);
    keep(&mut parts.classes, &found.classes);
    keep(&mut parts.conditions, &found.conditions);
    let (name, mode) = (known.pattern.name().to_owned(), found.mode);
    match (known.kind(), found.node(VALUE).cloned()) {
        (SchemaKind::Property, Some(object)) => {
            parts.statements.push(Statement { subject: this, property: name, object, mode });
        }
        _ => parts.classes.push((this, name, mode)),
    }
    let modes =
        parts.statements.iter().map(|one| one.mode).chain(parts.classes.iter().map(|(.., mode)| *mode));
    parts.has_optional &= modes.into_iter().any(|mode| mode == Mode::Optional);
}

fn keep<T>(all: &mut Vec<T>, without: &[usize]) {
    let mut at = 0..;
    all.retain(|_| at.next().is_none_or(|at| !without.contains(&at)));
}
