//! Ties cut off by a LIMIT: rows with the same sort key as the last one kept.

use super::ToolContext;
use eruca_dataset::{Dataset, MAX_NAME_CHARS};
use eruca_sparql::{Answer, BeyondLimit, CheckedQuery, Results, Term, literal_text, number_of};
use std::time::Duration;

/// Maximum number of rows fetched beyond a LIMIT.
const MAX_MORE: usize = 200;
/// Time for fetching them.
const TIME: Duration = Duration::from_secs(3);

/// The sort key of a row.
type Key = Vec<Term>;

/// A note on how many rows tie for the last place of a query with ORDER BY and LIMIT, if the LIMIT keeps only some of them.
pub(super) async fn note(query: &CheckedQuery, answer: &Answer, context: &ToolContext<'_>) -> Option<String> {
    let dataset = context.dataset;
    let beyond = query.beyond_limit(MAX_MORE, &dataset.index.card.prefixes)?;
    let limit = beyond.limit;
    if answer.row_count() < limit {
        return None;
    }
    let probe = dataset.check(&beyond.query).ok()?;
    let found = dataset.run(&probe, TIME.min(context.timeout / 4)).await.ok()?;
    let keys = keys(&beyond, &found);
    let last = keys.get(limit.checked_sub(1)?)?.clone().filter(|key| !key.is_empty())?;
    let shares = |key: &&Option<Key>| {
        key.as_ref().is_some_and(|key| key.iter().zip(&last).all(|(a, b)| is_equal(a, b)))
    };
    let kept = keys.iter().take(limit).filter(shares).count();
    let cut = keys.iter().skip(limit).take_while(shares).count();
    let at_least = if cut == MAX_MORE { "at least " } else { "" };
    let value = last.iter().map(|term| shown(dataset, term)).collect::<Vec<_>>().join(", ");
    (cut > 0).then(|| {
        format!(
            "Tie: {at_least}{} rows share the last place ({value}), and LIMIT {limit} keeps {kept} of them. To return all of \
             them, compare with that value, found by a subquery, instead of LIMIT.",
            kept + cut
        )
    })
}

/// The sort key of each row; `None` if a part of it is unbound.
fn keys(beyond: &BeyondLimit, found: &Answer) -> Vec<Option<Key>> {
    let Results::Solutions(solutions) = &found.results else { return Vec::new() };
    let at: Vec<usize> = beyond
        .keys
        .iter()
        .filter_map(|key| solutions.variables.iter().position(|name| name == key))
        .collect();
    let key = |row: &Vec<Option<Term>>| at.iter().map(|at| row.get(*at).cloned().flatten()).collect();
    solutions.rows.iter().map(key).collect()
}

fn shown(dataset: &Dataset, term: &Term) -> String {
    match term {
        Term::NamedNode(node) => dataset.named(node.as_str()),
        Term::Literal(literal) => literal_text(literal, dataset.prefixes(), MAX_NAME_CHARS),
        Term::BlankNode(_) => "blank node".to_owned(),
    }
}

/// Whether two terms are equal for an order: numbers are compared by value.
fn is_equal(a: &Term, b: &Term) -> bool {
    a == b || number_of(a).zip(number_of(b)).is_some_and(|(a, b)| a == b)
}

#[cfg(test)]
mod tests {
    use super::*;
    use eruca_sparql::{Literal, NamedNode, XSD};

    #[test]
    fn numbers_are_equal_by_their_value_and_texts_by_their_letters() {
        let integer = |text: &str| -> Term {
            Literal::new_typed_literal(text, NamedNode::new_unchecked(format!("{XSD}integer"))).into()
        };
        let text = |text: &str| -> Term { Literal::from(text).into() };
        assert!(
            is_equal(&integer("1"), &integer("01")) && is_equal(&integer("1"), &Literal::from(1.0).into())
        );
        assert!(is_equal(&text("1"), &text("1")));
        assert!(!is_equal(&text("1"), &text("01")) && !is_equal(&text("1"), &integer("1")));
    }
}
