//! The official metrics of the TEXT2SPARQL challenge, equal to its client's to the last digit.
//!
//! The client ([text2sparql-client](https://github.com/AKSW/text2sparql-client), `utils/evaluation_metrics.py`)
//! flattens a result to a set of strings and lets `pytrec_eval` score the predicted set as a ranked list:
//! - every cell of every column becomes a member, whatever its type, language or datatype;
//! - the answer of ASK becomes `{"true": 1}` or `{"true": 0}`, where 0 in the gold set means "not relevant", and
//!   the number in the predicted set is only a score to rank by. So with gold *false* nobody scores, and with gold
//!   *true* a predicted *false* is right: its set has the member "true" as well;
//! - members of equal score are ranked by their bytes, descending, so nDCG does not see the order of the rows
//!   but that of the strings.
//!
//! The metrics of other papers are in modules below; `side` has them all.

pub(crate) mod assignment;
pub mod grasp;
pub mod hits;
pub mod names;
pub mod qald;
pub mod side;
#[cfg(test)]
pub(crate) mod testing;
pub mod words;

use eruca_sparql::{Answer, Results, Solutions, Term};
use serde::{Deserialize, Serialize};
use std::borrow::Cow;
use std::collections::BTreeMap;

/// The single member of an ASK result's set.
const ASK_MEMBER: &str = "true";
/// The score of every system if the gold set has no relevant member, as in the published evaluations. Later builds of
/// `pytrec_eval` skip questions whose gold set is empty; see [`official::evaluate`](super::official::evaluate).
const NOTHING_TO_FIND: f64 = 0.0;
/// The feature of questions that are also scored by nDCG.
pub const RESULT_ORDER_MATTERS: &str = "RESULT_ORDER_MATTERS";

/// A result as the client flattens it: members with their relevance (gold) or score (predicted).
pub type ResultSet = BTreeMap<String, i64>;

/// The official scores of one question.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize, Deserialize)]
pub struct OfficialScores {
    /// The share of the predicted members that are relevant.
    #[serde(rename = "set_P")]
    pub set_p: f64,
    /// The share of the relevant members that were predicted.
    pub set_recall: f64,
    /// The harmonic mean of both.
    #[serde(rename = "set_F")]
    pub set_f: f64,
    /// Normalised discounted cumulative gain, where the order matters.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ndcg: Option<f64>,
}

/// Scores a predicted set against the gold set.
///
/// ```
/// use eruca_eval::metrics::{ResultSet, score};
///
/// let set = |members: &[&str]| members.iter().map(|m| ((*m).to_owned(), 1)).collect::<ResultSet>();
/// let scores = score(&set(&["a", "b"]), &set(&["a", "label of a"]), false);
/// assert_eq!((scores.set_p, scores.set_recall, scores.set_f), (0.5, 0.5, 0.5));
/// ```
pub fn score(gold: &ResultSet, predicted: &ResultSet, order_matters: bool) -> OfficialScores {
    let relevant = gold.values().filter(|relevance| **relevance > 0).count();
    let found = predicted.keys().filter(|member| is_relevant(gold, member)).count();
    let ndcg = order_matters.then(|| ndcg(gold, predicted));
    if relevant == 0 || found == 0 {
        let nothing = NOTHING_TO_FIND;
        return OfficialScores { set_p: nothing, set_recall: nothing, set_f: nothing, ndcg };
    }
    let set_p = found as f64 / predicted.len() as f64;
    let set_recall = found as f64 / relevant as f64;
    // The order of operations follows trec_eval's m_set_F.c with beta = 1.
    let set_f = 2.0 * set_p * set_recall / (set_recall + set_p);
    OfficialScores { set_p, set_recall, set_f, ndcg }
}

fn is_relevant(gold: &ResultSet, member: &str) -> bool {
    gold.get(member).is_some_and(|relevance| *relevance > 0)
}

/// Like trec_eval's m_ndcg.c: gains are the relevances, discounts the binary logarithm of the rank plus one.
fn ndcg(gold: &ResultSet, predicted: &ResultSet) -> f64 {
    let mut ranked: Vec<(&String, &i64)> = predicted.iter().collect();
    ranked.sort_by(|(a, a_score), (b, b_score)| b_score.cmp(a_score).then_with(|| b.cmp(a)));
    let gains = ranked.iter().map(|(member, _)| gold.get(*member).copied().unwrap_or_default());
    let mut ideal: Vec<i64> = gold.values().copied().collect();
    ideal.sort_unstable_by(|a, b| b.cmp(a));
    match discounted(ideal.into_iter()) {
        0.0 => NOTHING_TO_FIND,
        best => discounted(gains) / best,
    }
}

fn discounted(gains: impl Iterator<Item = i64>) -> f64 {
    let weighted = gains.enumerate().filter(|(_, gain)| *gain > 0);
    weighted.fold(0.0, |sum, (place, gain)| sum + gain as f64 / ((place + 2) as f64).log2())
}

/// An endpoint's answer as the client flattens it.
pub fn result_set(answer: &Answer) -> ResultSet {
    match &answer.results {
        Results::Boolean(value) => ResultSet::from([(ASK_MEMBER.to_owned(), i64::from(*value))]),
        Results::Solutions(solutions) => members(solutions.rows.iter().flatten().flatten()),
        Results::Graph(triples) => {
            let terms = triples.iter().flat_map(|triple| {
                [triple.subject.clone().into(), triple.predicate.clone().into(), triple.object.clone()]
            });
            members(terms.collect::<Vec<Term>>().iter())
        }
    }
}

fn members<'a>(terms: impl Iterator<Item = &'a Term>) -> ResultSet {
    terms.map(|term| (value(term).to_owned(), 1)).collect()
}

/// The rows; those of a graph are its triples, and a truth has none.
fn table(answer: &Answer) -> Cow<'_, Solutions> {
    match &answer.results {
        Results::Solutions(solutions) => Cow::Borrowed(solutions),
        Results::Boolean(_) | Results::Graph(_) => Cow::Owned(answer.table(usize::MAX)),
    }
}

/// The `value` of a term in SPARQL's JSON results.
fn value(term: &Term) -> &str {
    match term {
        Term::NamedNode(node) => node.as_str(),
        Term::BlankNode(node) => node.as_str(),
        Term::Literal(literal) => literal.value(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use eruca_sparql::{Literal, NamedNode, Solutions};
    use std::time::Duration;

    fn set(members: &[&str]) -> ResultSet {
        members.iter().map(|member| ((*member).to_owned(), 1)).collect()
    }

    fn range(numbers: std::ops::Range<u32>) -> ResultSet {
        numbers.map(|number| (number.to_string(), 1)).collect()
    }

    fn ask(value: i64) -> ResultSet {
        ResultSet::from([("true".to_owned(), value)])
    }

    /// set_P, set_recall, set_F, ndcg.
    fn scored(gold: &ResultSet, predicted: &ResultSet) -> [f64; 4] {
        let scores = score(gold, predicted, true);
        [scores.set_p, scores.set_recall, scores.set_f, scores.ndcg.unwrap()]
    }

    #[test]
    fn sets_score_as_pytrec_eval_scores_them() {
        // The expected values were printed by pytrec_eval (terrier 0.5.11) for these sets.
        assert_eq!(
            scored(&range(0..7), &range(3..40)),
            [0.10810810810810811, 0.5714285714285714, 0.18181818181818182, 0.3885511707329395]
        );
        assert_eq!(
            scored(&range(0..3000), &range(1000..5000)),
            [0.5, 0.6666666666666666, 0.5714285714285715, 0.5659293342856243]
        );
        assert_eq!(scored(&set(&["a"]), &set(&[])), [0.0; 4]);
        assert_eq!(scored(&set(&[""]), &set(&[""])), [1.0; 4]);
        let five = score(&set(&["a"]), &set(&["a", "b", "c", "d", "e"]), false);
        assert_eq!((five.set_f, five.ndcg), (0.33333333333333337, None));
    }

    #[test]
    fn equal_scores_are_ranked_by_bytes_descending() {
        assert_eq!(scored(&set(&["c"]), &set(&["a", "b", "c"]))[3], 1.0);
        assert_eq!(scored(&set(&["a"]), &set(&["a", "b", "c"]))[3], 0.5);
        assert_eq!(scored(&set(&["ä"]), &set(&["z", "ä", "a"]))[3], 1.0, "bytes, not letters");
        assert_eq!(
            scored(&set(&["a", "b"]), &set(&["a", "b", "c"])),
            [0.6666666666666666, 1.0, 0.8, 0.6934264036172708]
        );
    }

    #[test]
    fn ask_has_the_quirks_of_the_client() {
        assert_eq!(scored(&ask(0), &ask(0)), [0.0; 4], "gold false: nobody scores");
        assert_eq!(scored(&ask(0), &ask(1)), [0.0; 4]);
        assert_eq!(scored(&ask(1), &ask(1)), [1.0; 4]);
        assert_eq!(scored(&ask(1), &ask(0)), [1.0; 4], "gold true: a predicted false is right");
        assert_eq!(scored(&ask(1), &set(&["x"])), [0.0; 4]);
        assert_eq!(
            scored(&set(&["true", "b"]), &ask(0)),
            [1.0, 0.5, 0.6666666666666666, 0.6131471927654584],
            "a cell with the text true matches an ASK"
        );
    }

    #[test]
    fn an_empty_gold_set_scores_nothing() {
        assert_eq!(scored(&set(&[]), &set(&[])), [0.0; 4]);
        assert_eq!(scored(&set(&[]), &set(&["a"])), [0.0; 4]);
    }

    #[test]
    fn all_columns_become_one_set_of_strings() {
        let iri = Term::from(NamedNode::new_unchecked("http://e.x/a"));
        let tagged = Term::from(Literal::new_language_tagged_literal_unchecked("a", "en"));
        let plain = Term::from(Literal::new_simple_literal("a"));
        let rows = vec![vec![Some(iri.clone()), Some(tagged)], vec![Some(plain), None]];
        let solutions = Solutions { variables: vec!["x".into(), "y".into()], rows };
        let answer = |results| Answer { results, incomplete: None, elapsed: Duration::ZERO };
        assert_eq!(result_set(&answer(Results::Solutions(solutions))), set(&["http://e.x/a", "a"]));
        assert_eq!(result_set(&answer(Results::Boolean(false))), ask(0));
    }
}
