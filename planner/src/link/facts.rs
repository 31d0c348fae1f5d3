//! Facts about the candidate things: their outgoing and incoming properties. Classes only tell that where their instances are
//! alike, so the graph itself is queried, once per question.

use super::Mention;
use crate::runner::Runner;
use eruca_sparql::{Results, Term};
use rustc_hash::FxHashMap;
use std::fmt::Write;
use std::time::Duration;

/// Maximum number of things queried.
const MAX_THINGS: usize = 24;
/// Incoming properties of things with more incoming triples are not queried: that takes too long.
const MAX_INTO: u32 = 3_000;

/// The properties of one thing.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Facts {
    /// Outgoing properties.
    pub out: Vec<String>,
    /// Incoming properties, if they were queried.
    pub into: Option<Vec<String>>,
}

/// The facts of things by IRI.
pub type Known = FxHashMap<String, Facts>;

/// Fetches facts about the candidate things of mentions. What cannot be answered in time stays unknown.
pub async fn fetch_facts(runner: &dyn Runner, mentions: &mut [Mention], time: Duration) {
    let mut known = asked_for(mentions);
    if known.is_empty() {
        return;
    }
    let Ok((_, answer)) = runner.run(&query(&known), time).await else { return };
    let (Results::Solutions(solutions), None) = (&answer.results, &answer.incomplete) else { return };
    for row in &solutions.rows {
        let [Some(Term::NamedNode(thing)), Some(Term::NamedNode(property)), into] = row.as_slice() else {
            continue;
        };
        let Some(facts) = known.get_mut(thing.as_str()) else { continue };
        match into {
            Some(_) => facts.into.get_or_insert_default().push(property.as_str().to_owned()),
            None => facts.out.push(property.as_str().to_owned()),
        }
    }
    for mention in mentions {
        let own = mention.entities.iter().filter_map(|hit| known.get_key_value(&hit.record.iri));
        mention.facts = own.map(|(iri, facts)| (iri.clone(), facts.clone())).collect();
    }
}

/// The best candidates of every mention, without facts so far.
fn asked_for(mentions: &[Mention]) -> Known {
    let mut known = Known::default();
    for rank in 0..MAX_THINGS {
        for hit in mentions.iter().filter_map(|mention| mention.entities.get(rank)) {
            if known.len() < MAX_THINGS {
                let into = (hit.record.in_degree <= MAX_INTO).then(Vec::new);
                known.insert(hit.record.iri.clone(), Facts { out: Vec::new(), into });
            }
        }
    }
    known
}

fn query(known: &Known) -> String {
    let list = |wanted: &dyn Fn(&Facts) -> bool| {
        known.iter().filter(|(_, facts)| wanted(facts)).fold(String::new(), |mut list, (iri, _)| {
            let _ = write!(list, " <{iri}>");
            list
        })
    };
    let (all, asked) = (list(&|_| true), list(&|facts| facts.into.is_some()));
    let out = format!("VALUES ?thing {{{all} }} ?thing ?property ?value");
    let into = format!("VALUES ?thing {{{asked} }} ?other ?property ?thing BIND(true AS ?into)");
    format!("SELECT DISTINCT ?thing ?property ?into WHERE {{ {{ {out} }} UNION {{ {into} }} }}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn things_that_much_leads_to_are_not_asked_for_it() {
        let known = Known::from_iter([
            ("e:small".to_owned(), Facts { out: Vec::new(), into: Some(Vec::new()) }),
            ("e:large".to_owned(), Facts::default()),
        ]);
        let query = query(&known);
        assert_eq!(
            (query.matches("<e:small>").count(), query.matches("<e:large>").count()),
            (2, 1),
            "{query}"
        );
    }
}
