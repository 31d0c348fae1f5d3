//! What OWL says of a class by nodes without names: restrictions, unions and intersections, each on one line instead of
//! lists and blank nodes.

use super::ToolContext;
use crate::rendering::term_text;
use eruca_dataset::Dataset;
use eruca_sparql::{Results, Term};
use std::time::Duration;

/// Restrictions and lists read of one class.
const MAX_PARTS: usize = 30;
/// Time for reading them.
const TIME: Duration = Duration::from_secs(5);

const OWL: &str = "http://www.w3.org/2002/07/owl#";

/// A line for each restriction of a class, and one for each union or intersection that it is.
pub(super) async fn definitions(iri: &str, context: &ToolContext<'_>) -> Vec<String> {
    let dataset = context.dataset;
    let of =
        "<http://www.w3.org/2000/01/rdf-schema#subClassOf>|<http://www.w3.org/2002/07/owl#equivalentClass>";
    let list = "<http://www.w3.org/1999/02/22-rdf-syntax-ns#rest>*/<http://www.w3.org/1999/02/22-rdf-syntax-ns#first>";
    let restrictions = format!(
        "SELECT ?p ?how ?value WHERE {{ <{iri}> ({of})/(<{OWL}intersectionOf>/{list})? ?r . ?r <{OWL}onProperty> ?p ; ?how ?value \
         FILTER(?how != <{OWL}onProperty> && isIRI(?p) && !isBlank(?value) && STRSTARTS(STR(?how), \"{OWL}\")) }} \
         ORDER BY ?p ?how ?value LIMIT {MAX_PARTS}"
    );
    let lists = format!(
        "SELECT ?how ?member WHERE {{ {{ <{iri}> ?how ?list }} UNION {{ <{iri}> ({of}) ?c . ?c ?how ?list }} ?list {list} ?member \
         FILTER(?how IN (<{OWL}unionOf>, <{OWL}intersectionOf>, <{OWL}oneOf>) && isIRI(?member)) }} ORDER BY ?how ?member LIMIT {MAX_PARTS}"
    );
    let time = TIME.min(context.timeout);
    let (restrictions, lists) = tokio::join!(rows(&restrictions, dataset, time), rows(&lists, dataset, time));
    let mut lines: Vec<String> = restrictions.iter().filter_map(|row| restriction(row, dataset)).collect();
    for (how, words) in
        [("unionOf", "is the union of"), ("intersectionOf", "is the intersection of"), ("oneOf", "is one of")]
    {
        let how = format!("{OWL}{how}");
        let members: Vec<String> =
            lists.iter().filter_map(|row| member(row, &how)).map(|term| term_text(dataset, term)).collect();
        if !members.is_empty() {
            lines.push(format!("  {words} {}", members.join(", ")));
        }
    }
    lines
}

async fn rows(query: &str, dataset: &Dataset, time: Duration) -> Vec<Vec<Option<Term>>> {
    let Ok(query) = dataset.check(query) else { return Vec::new() };
    match dataset.run(&query, time).await.map(|answer| answer.results.clone()) {
        Ok(Results::Solutions(found)) => found.rows,
        // An entry without its definitions is better than none.
        Ok(_) | Err(_) => Vec::new(),
    }
}

/// `keptBy: only Keeper`, `height: at least 1`.
fn restriction(row: &[Option<Term>], dataset: &Dataset) -> Option<String> {
    let [Some(Term::NamedNode(property)), Some(Term::NamedNode(how)), Some(value)] = row else { return None };
    let words = match how.as_str().strip_prefix(OWL)? {
        "someValuesFrom" => "some",
        "allValuesFrom" => "only",
        "hasValue" => "the value",
        "minCardinality" | "minQualifiedCardinality" => "at least",
        "maxCardinality" | "maxQualifiedCardinality" => "at most",
        "cardinality" | "qualifiedCardinality" => "exactly",
        _ => return None,
    };
    Some(format!(
        "  by definition has {}: {words} {}",
        dataset.named(property.as_str()),
        term_text(dataset, value)
    ))
}

fn member<'r>(row: &'r [Option<Term>], how: &str) -> Option<&'r Term> {
    match row {
        [Some(Term::NamedNode(kind)), Some(member)] if kind.as_str() == how => Some(member),
        _ => None,
    }
}
