//! Hits@1: whether the first answer is right.
//!
//! The convention of WebQSP (Yih et al., "The Value of Semantic Parse Labeling for Knowledge Base Question Answering", 2016) and of work
//! on question answering over knowledge graphs since (GraftNet, Sun et al. 2018): a system's best answer is in the gold set or not. Here
//! that is the first bound cell of the first row. A query gives rows in no order unless it asks for one, so only questions whose
//! order matters or whose gold result is one row or truth have this score. Texts are compared as in the official sets, without
//! datatype and language. A right cell of another column counts; a label where things are asked for does not. An empty gold result
//! has no score.

use super::{table, value};
use eruca_sparql::{Answer, Results, Term};

/// 1 or 0; `None` for questions that this does not measure. A missing answer scores 0.
pub fn hits_at_1(gold: &Answer, predicted: Option<&Answer>, order_matters: bool) -> Option<f64> {
    if gold.is_empty() || (gold.row_count() > 1 && !order_matters) {
        return None;
    }
    let hit = predicted.is_some_and(|predicted| match (&gold.results, &predicted.results) {
        (Results::Boolean(gold), Results::Boolean(predicted)) => gold == predicted,
        (Results::Boolean(_), _) | (_, Results::Boolean(_)) => false,
        _ => first(predicted).is_some_and(|first| has(gold, value(&first))),
    });
    Some(f64::from(hit))
}

/// The first bound cell of the first row.
fn first(answer: &Answer) -> Option<Term> {
    answer.table(1).rows.into_iter().flatten().flatten().next()
}

fn has(gold: &Answer, text: &str) -> bool {
    table(gold).rows.iter().flatten().flatten().any(|term| value(term) == text)
}

#[cfg(test)]
mod tests {
    use super::super::testing::{boolean, table};
    use super::hits_at_1;
    use eruca_sparql::Answer;

    fn one(gold: &Answer, predicted: &Answer) -> Option<f64> {
        hits_at_1(gold, Some(predicted), false)
    }

    #[test]
    fn the_first_answer_decides() {
        let gold = table("x xLabel", &["e:a A"]);
        assert_eq!(one(&gold, &table("y", &["e:a", "e:b"])), Some(1.0));
        assert_eq!(one(&gold, &table("y", &["e:b", "e:a"])), Some(0.0));
        assert_eq!(one(&gold, &table("y z", &["- e:a"])), Some(1.0), "the first that is bound");
        assert_eq!(one(&gold, &table("y", &["-", "e:a"])), Some(0.0), "of the first row");
        assert_eq!(one(&gold, &table("y", &[])), Some(0.0));
        assert_eq!(hits_at_1(&gold, None, false), Some(0.0));
    }

    #[test]
    fn sets_without_an_order_have_no_first_answer() {
        let gold = table("x", &["e:a", "e:b"]);
        assert_eq!(one(&gold, &gold), None);
        assert_eq!(hits_at_1(&gold, Some(&table("y", &["e:b"])), true), Some(1.0));
        assert_eq!(one(&table("x", &[]), &gold), None);
    }

    #[test]
    fn truths_are_compared_with_truths() {
        assert_eq!(one(&boolean(false), &boolean(false)), Some(1.0));
        assert_eq!(one(&boolean(true), &boolean(false)), Some(0.0));
        assert_eq!(one(&boolean(true), &table("x", &["true"])), Some(0.0));
    }
}
