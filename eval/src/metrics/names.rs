//! `--names`: a label counts for the thing whose label it is.
//!
//! Many gold queries return labels where an answer returns IRIs, and the reverse. No paper has this; it is reported beside the
//! strict figures. Labels are those that the dataset has. Before scores are worked out:
//! - a text beside a thing in the same row that is a label of that thing is left out;
//! - a text that is a label of a thing on the other side becomes that thing; of several, the first one by its IRI. So a vague
//!   name finds one thing at most. A gold column in which labels became things counts for SPINACH's F1, also as `…Label`.
//!
//! Only texts without a datatype are labels; case and spaces count, languages do not. Where no thing is involved, nothing changes.

use eruca_sparql::{Answer, Literal, NamedNode, Results, Solutions, Term, XSD};
use std::collections::{BTreeMap, BTreeSet};

/// Maximum number of things of a question whose labels are looked up.
const MAX_THINGS: usize = 10_000;

/// What is added to the name of a column whose labels became things: SPINACH leaves out gold columns by the ends of their names.
const OF_THINGS: &str = "Thing";

/// The labels of things, by IRI.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Labels(BTreeMap<String, Vec<String>>);

impl FromIterator<(String, Vec<String>)> for Labels {
    fn from_iter<T: IntoIterator<Item = (String, Vec<String>)>>(labels: T) -> Self {
        Self(labels.into_iter().collect())
    }
}

impl Labels {
    /// The labels of a thing.
    pub fn of(&self, iri: &str) -> impl Iterator<Item = &str> {
        self.0.get(iri).into_iter().flatten().map(String::as_str)
    }

    /// Both sides with things instead of their labels.
    pub fn resolved(&self, gold: &Answer, predicted: &Answer) -> (Answer, Answer) {
        let (of_gold, of_predicted) = (self.named(gold), self.named(predicted));
        (self.with_things(gold, &of_predicted), self.with_things(predicted, &of_gold))
    }

    /// The things of an answer by their labels.
    fn named<'a>(&'a self, answer: &'a Answer) -> BTreeMap<&'a str, &'a str> {
        let mut named = BTreeMap::new();
        for iri in things(answer).into_iter().rev() {
            named.extend(self.of(iri).map(|label| (label, iri)));
        }
        named
    }

    fn with_things(&self, answer: &Answer, others: &BTreeMap<&str, &str>) -> Answer {
        let Results::Solutions(Solutions { variables, rows }) = &answer.results else {
            return answer.clone();
        };
        let resolved: Vec<_> = rows.iter().map(|row| self.row_with_things(row, others)).collect();
        let has_new_things = |column: usize| {
            let mut pairs = rows.iter().zip(&resolved).map(|(row, new)| (row.get(column), new.get(column)));
            pairs.any(|(before, after)| before != after && after.is_some_and(Option::is_some))
        };
        let name = |(column, name): (usize, &String)| match has_new_things(column) {
            true => format!("{name}{OF_THINGS}"),
            false => name.clone(),
        };
        let variables = variables.iter().enumerate().map(name).collect();
        let results = Results::Solutions(Solutions { variables, rows: resolved });
        Answer { results, incomplete: answer.incomplete.clone(), elapsed: answer.elapsed }
    }

    fn row_with_things(&self, row: &[Option<Term>], others: &BTreeMap<&str, &str>) -> Vec<Option<Term>> {
        let beside: BTreeSet<&str> =
            row.iter().flatten().filter_map(iri).flat_map(|iri| self.of(iri)).collect();
        let cell = |term: &Term| match name(term) {
            Some(name) if beside.contains(name) => None,
            Some(name) => {
                let thing = others.get(name).map(|iri| NamedNode::new_unchecked(*iri).into());
                Some(thing.unwrap_or_else(|| term.clone()))
            }
            None => Some(term.clone()),
        };
        row.iter().map(|term| term.as_ref().and_then(cell)).collect()
    }
}

/// The things of both sides, as far as they are looked up.
pub fn things_of<'a>(gold: &'a Answer, predicted: Option<&'a Answer>) -> Vec<&'a str> {
    let mut found = things(gold);
    found.extend(predicted.map(things).unwrap_or_default());
    found.into_iter().take(MAX_THINGS).collect()
}

fn things(answer: &Answer) -> BTreeSet<&str> {
    match &answer.results {
        Results::Solutions(solutions) => solutions.rows.iter().flatten().flatten().filter_map(iri).collect(),
        Results::Boolean(_) | Results::Graph(_) => BTreeSet::new(),
    }
}

fn iri(term: &Term) -> Option<&str> {
    match term {
        Term::NamedNode(node) => Some(node.as_str()),
        Term::BlankNode(_) | Term::Literal(_) => None,
    }
}

/// The text of a literal that may be a label.
fn name(term: &Term) -> Option<&str> {
    match term {
        Term::Literal(literal) if literal.language().is_some() || is_string(literal) => Some(literal.value()),
        _ => None,
    }
}

fn is_string(literal: &Literal) -> bool {
    literal.datatype().as_str().strip_prefix(XSD) == Some("string")
}

#[cfg(test)]
mod tests {
    use super::super::testing::table;
    use super::super::{result_set, score};
    use super::*;
    use crate::rows::row_f1;

    fn labels() -> Labels {
        let label =
            |(iri, label): (&str, &str)| (iri.to_owned(), vec![label.to_owned(), format!("{label}!")]);
        [("e:a", "Paris"), ("e:b", "Berlin"), ("e:c", "Paris")].map(label).into_iter().collect()
    }

    /// F of the sets, and of the rows.
    fn scored(gold: &Answer, predicted: &Answer) -> (f64, f64) {
        let (gold, predicted) = labels().resolved(gold, predicted);
        let set = score(&result_set(&gold), &result_set(&predicted), false).set_f;
        (set, row_f1(&gold, Some(&predicted)).unwrap())
    }

    #[test]
    fn a_label_counts_for_its_thing_on_both_sides() {
        let (things, texts) = (table("x", &["e:a", "e:b"]), table("y", &["Berlin", "Paris!"]));
        assert_eq!(scored(&things, &texts), (1.0, 1.0));
        assert_eq!(scored(&texts, &things), (1.0, 1.0));
        assert_eq!(scored(&table("yLabel", &["Berlin", "Paris!"]), &things), (1.0, 1.0));
        assert_eq!(scored(&things, &table("x", &["berlin"])), (0.0, 0.0), "case counts");
    }

    #[test]
    fn a_label_beside_its_thing_says_nothing_more() {
        let both = table("x name", &["e:a Paris", "e:b Berlin"]);
        assert_eq!(scored(&both, &table("x", &["e:a", "e:b"])), (1.0, 1.0));
        assert_eq!(scored(&table("x", &["Paris", "Berlin"]), &both), (1.0, 1.0));
    }

    #[test]
    fn a_vague_name_finds_one_thing() {
        assert_eq!(scored(&table("x", &["e:a", "e:c"]), &table("y", &["Paris"])), (2.0 / 3.0, 2.0 / 3.0));
        let rows = table("x", &["Rome", "5"]);
        assert_eq!(scored(&rows, &rows), (1.0, 1.0), "nothing to look up");
    }
}
