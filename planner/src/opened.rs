//! Expands answers that are unnamed nodes into their parts: an address into street and town, a list into its members, a quantity
//! into number and unit. Only the graph knows the parts, so it is queried when an answer contains such nodes.

use crate::link::is_joint;
use crate::render::{Opaque, Opened, Part};
use crate::runner::Runner;
use eruca_indexer::DatasetIndex;
use eruca_indexer::vocabulary::{NAMING_PROPERTIES, NAMING_WORDS, RDF_FIRST, SKOLEM_PATH, STRUCTURED_VALUES};
use eruca_language::text::fold;
use eruca_sparql::{Answer, CheckedQuery, Results, Solutions, Term, local_name};
use std::sync::Arc;
use std::time::{Duration, Instant};

/// The sort of properties with literal values.
const LITERAL: i64 = 1;
/// Maximum number of expansions: of columns, and of nodes within nodes.
const MAX_LOOKS: usize = 4;
/// Maximum number of columns that replace one.
const MAX_PARTS: usize = 8;

/// The properties of a graph that identify a node.
#[derive(Debug, Clone, Default)]
pub struct IdentifyingProperties(Arc<Properties>);

#[derive(Debug, Default)]
struct Properties {
    /// Naming properties, best first.
    naming: Vec<String>,
    /// Properties for the value of a node that is nothing else, as far as the graph uses them.
    values: Vec<&'static str>,
}

impl IdentifyingProperties {
    pub(crate) fn of(index: &DatasetIndex) -> Self {
        // A "country name" names the country.
        let whole = |property: &&str| NAMING_WORDS.contains(&fold(local_name(property)).as_str());
        let own = index.card.naming_properties.iter().map(String::as_str).filter(whole);
        let naming = own.chain(NAMING_PROPERTIES.iter().copied()).map(str::to_owned).collect();
        let has = |property: &&str| index.card.property(property).is_some();
        Self(Arc::new(Properties { naming, values: STRUCTURED_VALUES.iter().copied().filter(has).collect() }))
    }
}

/// A query that ran, and its answer.
pub(crate) type Ran = (CheckedQuery, Answer);

/// The answer with its nodes expanded; unchanged if there are none or the graph says nothing about them.
pub(crate) async fn opened(
    runner: &dyn Runner,
    telling: &IdentifyingProperties,
    text: &str,
    mut ran: Ran,
    time: Duration,
) -> Ran {
    let deadline = Instant::now() + time;
    let mut text = text.to_owned();
    let mut known: Vec<String> = Vec::new();
    for _ in 0..MAX_LOOKS {
        let left = deadline.saturating_duration_since(Instant::now());
        let Results::Solutions(solutions) = &ran.1.results else { break };
        let Some(column) = column(telling, solutions, &known) else { break };
        known.push(column.name.clone());
        let opaque =
            Opaque { query: &text, columns: &solutions.variables, node: &column.name, mixed: column.mixed };
        let Ok((_, answer)) = runner.run(&opaque.properties(), left).await else { break };
        let Some(opened) = made_of(telling, &column, &answer) else { continue };
        let query = opaque.opened(&opened);
        match runner.run(&query, left).await {
            Ok(next) if !next.1.is_empty() => (text, ran) = (query, next),
            _ => break,
        }
    }
    ran
}

/// A column with nodes to expand.
struct Column {
    name: String,
    /// Whether it has other values as well.
    mixed: bool,
    /// Whether the nodes are blank.
    blank: bool,
    /// The number of distinct nodes.
    nodes: usize,
}

/// The first column with unnamed nodes, or with things that may just stand for values.
fn column(telling: &IdentifyingProperties, solutions: &Solutions, known: &[String]) -> Option<Column> {
    let of = |(at, name): (usize, &String)| {
        let terms: Vec<&Term> = solutions.rows.iter().filter_map(|row| row.get(at)?.as_ref()).collect();
        let blank = terms.iter().filter(|term| is_blank(term)).count();
        let things = terms.iter().filter(|term| matches!(term, Term::NamedNode(_))).count();
        let valued = blank == 0 && things > 0 && things == terms.len() && !telling.0.values.is_empty();
        let mut nodes: Vec<String> =
            terms.iter().filter(|term| is_blank(term) || valued).map(ToString::to_string).collect();
        nodes.sort_unstable();
        nodes.dedup();
        let mixed = blank > 0 && blank < terms.len();
        (blank > 0 || valued).then(|| Column {
            name: name.clone(),
            mixed,
            blank: blank > 0,
            nodes: nodes.len(),
        })
    };
    let columns = solutions.variables.iter().enumerate();
    columns.filter(|(_, name)| !known.contains(name)).find_map(of)
}

/// Blank nodes may have been skolemized ([RDF 1.1, 3.5](https://www.w3.org/TR/rdf11-concepts/#section-skolemization)).
fn is_blank(term: &Term) -> bool {
    match term {
        Term::BlankNode(_) => true,
        Term::NamedNode(node) => node.as_str().contains(SKOLEM_PATH),
        Term::Literal(_) => false,
    }
}

/// A property of nodes.
struct Held {
    property: String,
    /// Whether its values are literals, things or blank nodes.
    sort: i64,
    holders: usize,
}

/// How to expand the nodes of a column, according to their properties.
fn made_of(telling: &IdentifyingProperties, column: &Column, answer: &Answer) -> Option<Opened> {
    let held = held(answer)?;
    if held.iter().any(|held| held.property == RDF_FIRST) {
        return column.blank.then_some(Opened::Members);
    }
    let part = |held: &Held| Part {
        property: held.property.clone(),
        always: held.holders == column.nodes && !column.mixed,
    };
    let of = |property: &str| held.iter().find(|held| held.property == property && held.sort == LITERAL);
    let value = telling.0.values.iter().find_map(|property| of(property));
    let name = telling.0.naming.iter().find_map(|property| of(property));
    match (value, name) {
        // Named things stay as they are.
        (None, _) if !column.blank => return None,
        (Some(value), Some(name)) if !column.blank && value.property != name.property => return None,
        (None, Some(name)) => return Some(Opened::Parts(vec![part(name)])),
        (Some(value), Some(name)) if value.property == name.property => {
            return Some(Opened::Parts(vec![part(name)]));
        }
        _ => {}
    }
    if held.iter().any(|held| is_joint(&held.property)) {
        return Some(Opened::Contained);
    }
    parts(value.into_iter().chain(&held).map(part))
}

/// One column per property, up to the maximum.
fn parts(all: impl Iterator<Item = Part>) -> Option<Opened> {
    let mut kept: Vec<Part> = Vec::new();
    for part in all {
        if kept.len() < MAX_PARTS && !kept.iter().any(|known| known.property == part.property) {
            kept.push(part);
        }
    }
    (!kept.is_empty()).then_some(Opened::Parts(kept))
}

/// Properties with literals before those with things, the most frequent first.
fn held(answer: &Answer) -> Option<Vec<Held>> {
    let Results::Solutions(solutions) = &answer.results else { return None };
    let number = |term: &Option<Term>| match term {
        Some(Term::Literal(literal)) => literal.value().parse::<i64>().ok(),
        _ => None,
    };
    let mut found: Vec<Held> = solutions
        .rows
        .iter()
        .filter_map(|row| {
            let [Some(Term::NamedNode(property)), sort, holders] = row.as_slice() else { return None };
            let holders = usize::try_from(number(holders)?).unwrap_or(usize::MAX);
            Some(Held { property: property.as_str().to_owned(), sort: number(sort)?, holders })
        })
        .collect();
    found.sort_by(|a, b| {
        (a.sort, std::cmp::Reverse(a.holders), &a.property).cmp(&(
            b.sort,
            std::cmp::Reverse(b.holders),
            &b.property,
        ))
    });
    Some(found)
}

#[cfg(test)]
mod tests {
    use crate::tests::graph::Graph;

    const INNS: &str = r#"
@prefix xl: <http://www.w3.org/2008/05/skos-xl#> .
:Inn rdfs:label "inn" . :address rdfs:label "address" . :street rdfs:label "street" . :town rdfs:label "town" . :keeper rdfs:label "keeper" .
:height rdfs:label "height" . :stops rdfs:label "stops" .
:i1 a :Inn ; rdfs:label "Red Hen" ; :address [ :street "Low Lane 2" ; :town "Ulm" ] ; :keeper :k1 ;
    :height [ <http://www.w3.org/1999/02/22-rdf-syntax-ns#value> 12 ; :unit "m" ] .
:i2 a :Inn ; rdfs:label "Blue Goat" ; :address [ :street "High Road 9" ] ; :keeper [ rdfs:label "Tom Ash" ; :age 40 ] .
:k1 a :Keeper ; rdfs:label "Ann Moor" ; :age 50 ."#;

    #[test]
    fn nodes_without_names_are_what_they_are_made_of() {
        let graph = Graph::of(INNS);
        assert_eq!(graph.ask("What is the address of Red Hen?", "en"), ["Low Lane 2 Ulm"]);
        assert_eq!(graph.ask("What is the address of Blue Goat?", "en"), ["High Road 9"]);
        assert_eq!(graph.ask("What is the height of Red Hen?", "en"), ["12 m"]);
    }

    #[test]
    fn nodes_without_a_class_stand_between() {
        let graph = Graph::of(INNS);
        assert_eq!(graph.ask("What is the town of Red Hen?", "en"), ["Ulm"]);
        assert_eq!(graph.ask("Which inns are in Ulm?", "en"), ["i1"]);
        assert_eq!(graph.ask("Where is Blue Goat?", "en"), ["High Road 9"]);
        // Here only addresses have towns.
        assert_eq!(graph.ask("What is the age of Ann Moor?", "en"), ["50"]);
    }

    #[test]
    fn what_has_a_name_is_shown_by_it() {
        let graph = Graph::of(INNS);
        assert_eq!(graph.ask("Who is the keeper of Red Hen?", "en"), ["k1"]);
        assert_eq!(graph.ask("Who is the keeper of Blue Goat?", "en"), ["Tom Ash"]);
    }
}
