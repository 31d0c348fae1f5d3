//! Changes to a graph after which the right outcome of a question is another one, and the graph after them as N-Quads.

use eruca_indexer::{NoProgress, expand_patterns, read_quads};
use eruca_sparql::{RDF_TYPE, Term};
use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::path::PathBuf;

/// The property that takes the place of the one that a question grades by.
const OTHER: &str = "http://x.example/shoeSize";

/// A statement; subject and graph as N-Quads write them.
#[derive(Debug, Clone)]
pub struct Statement {
    pub subject: String,
    pub property: String,
    pub object: Term,
    graph: String,
}

/// What is done to a graph.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub enum Change {
    /// Nothing: the question is changed.
    Nothing,
    /// No statement with a property, none about it.
    NoProperty(String),
    /// No statement from or to an IRI: a thing, or a class.
    NoIri(String),
    /// No statement with a literal as object.
    NoValue(String),
    /// The values of a property, shuffled, under another one.
    Other(String),
    /// The statements of a property turned round.
    Turned(String),
}

impl Change {
    /// What was removed or changed.
    pub fn about(&self) -> &str {
        match self {
            Self::Nothing => "",
            Self::NoProperty(of)
            | Self::NoIri(of)
            | Self::NoValue(of)
            | Self::Other(of)
            | Self::Turned(of) => of,
        }
    }

    /// The graph after the change.
    pub fn applied(&self, graph: &[Statement]) -> Vec<Statement> {
        let keep =
            |keep: &dyn Fn(&Statement) -> bool| graph.iter().filter(|one| keep(one)).cloned().collect();
        match self {
            Self::Nothing => graph.to_vec(),
            Self::NoProperty(iri) => keep(&|one| one.property != *iri && !one.touches(iri)),
            Self::NoIri(iri) => keep(&|one| !one.touches(iri)),
            Self::NoValue(value) => {
                keep(&|one| !matches!(&one.object, Term::Literal(literal) if literal.value() == value))
            }
            Self::Other(iri) => other(iri, graph),
            Self::Turned(iri) => graph
                .iter()
                .map(|one| if one.property == *iri { one.turned() } else { one.clone() })
                .collect(),
        }
    }
}

impl Statement {
    fn touches(&self, iri: &str) -> bool {
        self.subject == format!("<{iri}>") || is_iri(&self.object, iri)
    }

    fn turned(&self) -> Self {
        let Term::NamedNode(object) = &self.object else { return self.clone() };
        let Some(subject) = self.subject.strip_prefix('<').and_then(|text| text.strip_suffix('>')) else {
            return self.clone();
        };
        let object_now = eruca_sparql::NamedNode::new_unchecked(subject);
        Self { subject: object.to_string(), object: object_now.into(), ..self.clone() }
    }
}

pub fn is_iri(term: &Term, iri: &str) -> bool {
    matches!(term, Term::NamedNode(node) if node.as_str() == iri)
}

fn other(iri: &str, graph: &[Statement]) -> Vec<Statement> {
    let mut values: Vec<Term> =
        graph.iter().filter(|one| one.property == iri).map(|one| one.object.clone()).collect();
    let by = values.len() / 2;
    values.rotate_left(by);
    let mut values = values.into_iter();
    let mut changed = Vec::new();
    for one in graph {
        if one.property == iri {
            let object = values.next().unwrap_or_else(|| one.object.clone());
            changed.push(Statement { property: OTHER.to_owned(), object, ..one.clone() });
        } else if !one.touches(iri) {
            changed.push(one.clone());
        }
    }
    changed
}

/// The statements of some files.
pub fn read(files: &[PathBuf]) -> anyhow::Result<Vec<Statement>> {
    let mut all = Vec::new();
    for file in expand_patterns(files)? {
        read_quads(&file, true, &NoProgress, &mut |quad| {
            let graph = quad.graph_name.to_string();
            all.push(Statement {
                subject: quad.subject.to_string(),
                property: quad.predicate.as_str().to_owned(),
                object: quad.object,
                graph: if graph == "DEFAULT" { String::new() } else { graph },
            });
        })?;
    }
    Ok(all)
}

/// Statements as N-Quads.
pub fn written(graph: &[Statement]) -> String {
    let mut text = String::new();
    for one in graph {
        let _ = writeln!(text, "{} <{}> {} {} .", one.subject, one.property, one.object, one.graph);
    }
    text
}

/// Whether all values of a property are numbers.
pub fn is_number(graph: &[Statement], property: &str) -> bool {
    let mut values = graph.iter().filter(|one| one.property == property).peekable();
    values.peek().is_some()
        && values.all(
            |one| matches!(&one.object, Term::Literal(literal) if literal.value().parse::<f64>().is_ok()),
        )
}

/// Whether a property leads from IRIs to IRIs, some of the same class on both sides.
pub fn can_turn(graph: &[Statement], property: &str) -> bool {
    let (mut from, mut to) = (BTreeSet::new(), BTreeSet::new());
    for one in graph.iter().filter(|one| one.property == property) {
        if !matches!(one.object, Term::NamedNode(_)) || !one.subject.starts_with('<') {
            return false;
        }
        from.insert(one.subject.clone());
        to.insert(one.object.to_string());
    }
    let classes = |of: &BTreeSet<String>| -> BTreeSet<String> {
        let typed = graph.iter().filter(|one| one.property == RDF_TYPE && of.contains(&one.subject));
        typed.map(|one| one.object.to_string()).collect()
    };
    !classes(&from).is_disjoint(&classes(&to))
}
