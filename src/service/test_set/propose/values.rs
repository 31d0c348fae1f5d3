//! Values from the graph: which are worth asking for.

use eruca_sparql::Term;
use std::collections::{BTreeMap, BTreeSet};

/// The least number of things that share a value which is asked for.
const MIN_SHARED: usize = 2;
/// Whole numbers between these may be years.
const YEARS: std::ops::RangeInclusive<f64> = 1_000.0..=2_100.0;
/// How much the greatest of some amounts is above their middle, where adding them up means something.
const SPREAD: f64 = 3.0;

/// A thing and a value of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Pair {
    pub thing: Term,
    pub value: Term,
}

/// The pairs of well-known things first, the others in the order of their texts.
pub(super) fn known_first(mut pairs: Vec<Pair>, known: &BTreeSet<String>) -> Vec<Pair> {
    let is_known =
        |pair: &Pair| matches!(&pair.thing, Term::NamedNode(node) if known.contains(node.as_str()));
    pairs.sort_by_cached_key(|pair| (!is_known(pair), pair.thing.to_string(), pair.value.to_string()));
    pairs
}

/// The pairs whose thing has a name that no other of these has.
pub(super) fn distinct_names(
    pairs: Vec<Pair>,
    name: impl Fn(&Term) -> Option<String>,
) -> Vec<(Pair, String)> {
    let named: Vec<(Pair, String)> =
        pairs.into_iter().filter_map(|pair| name(&pair.thing).map(|name| (pair, name))).collect();
    let mut things: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for (pair, name) in &named {
        things.entry(name.to_lowercase()).or_default().insert(pair.thing.to_string());
    }
    let is_only = |name: &str| things.get(&name.to_lowercase()).is_some_and(|all| all.len() == 1);
    named
        .into_iter()
        .filter(|(pair, name)| is_only(name) && matches!(pair.thing, Term::NamedNode(_)))
        .collect()
}

/// Values that several things share, but not too many: the most frequent first.
pub(super) fn usual(pairs: &[Pair], most: usize) -> Vec<&Term> {
    let mut counts: BTreeMap<String, (usize, &Term)> = BTreeMap::new();
    for pair in pairs {
        counts.entry(pair.value.to_string()).or_insert((0, &pair.value)).0 += 1;
    }
    let all = pairs.len();
    let fits = |count: usize| (MIN_SHARED..=most).contains(&count) && count < all;
    let mut found: Vec<(usize, String, &Term)> = counts
        .into_iter()
        .filter(|(_, (count, _))| fits(*count))
        .map(|(text, (count, term))| (count, text, term))
        .collect();
    found.sort_by(|a, b| b.0.cmp(&a.0).then_with(|| a.1.cmp(&b.1)));
    found.into_iter().map(|(_, _, term)| term).collect()
}

/// The year of a date.
pub(super) fn year(term: &Term) -> Option<f64> {
    let Term::Literal(literal) = term else { return None };
    let digits = literal.value().get(..4)?;
    digits.bytes().all(|byte| byte.is_ascii_digit()).then(|| digits.parse().ok()).flatten()
}

/// Whether numbers are years, of which nobody asks the average.
pub(super) fn looks_like_years(values: &[f64]) -> bool {
    values.iter().all(|value| value.fract() == 0.0 && YEARS.contains(value))
}

/// Whether adding numbers up means something: amounts differ widely, as heights and ages do not.
pub(super) fn extensive(values: &[f64]) -> bool {
    let mut sorted = values.to_vec();
    sorted.sort_by(f64::total_cmp);
    let (Some(least), Some(middle), Some(greatest)) =
        (sorted.first(), sorted.get(sorted.len() / 2), sorted.last())
    else {
        return false;
    };
    *least >= 0.0 && *greatest > middle * SPREAD
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::service::browse::number;
    use eruca_sparql::{Literal, NamedNode};

    fn pair(thing: &str, value: &str) -> Pair {
        let thing = Term::NamedNode(NamedNode::new(format!("urn:{thing}")).unwrap());
        Pair { thing, value: Term::Literal(Literal::new_simple_literal(value)) }
    }

    #[test]
    fn only_what_several_things_share_is_asked_for() {
        let pairs =
            [pair("a", "red"), pair("b", "red"), pair("c", "blue"), pair("d", "green"), pair("e", "green")];
        let found: Vec<String> = usual(&pairs, 10).into_iter().map(ToString::to_string).collect();
        assert_eq!(found, ["\"green\"", "\"red\""]);
        assert!(usual(&pairs, 1).is_empty());
    }

    #[test]
    fn things_that_share_a_name_are_left_out_and_known_ones_come_first() {
        let pairs = vec![pair("a", "1"), pair("b", "2"), pair("c", "3")];
        let sorted = known_first(pairs, &BTreeSet::from(["urn:c".to_owned()]));
        let name = |term: &Term| Some(if term.to_string() == "<urn:b>" { "X" } else { "Y" }.to_owned());
        assert_eq!(sorted.first(), Some(&pair("c", "3")));
        assert_eq!(distinct_names(sorted, name), [(pair("b", "2"), "X".to_owned())]);
    }

    #[test]
    fn years_have_no_average_and_heights_no_sum() {
        assert!(looks_like_years(&[1953.0, 1865.0]) && !looks_like_years(&[1953.0, 8.5]));
        assert!(extensive(&[1.0, 2.0, 100.0]) && !extensive(&[4808.0, 6961.0, 8849.0]) && !extensive(&[]));
        assert_eq!(year(&pair("a", "1953-05-29").value), Some(1953.0));
        assert_eq!(year(&pair("a", "-044-03-15").value), None);
        assert_eq!(number(Some(&Some(pair("a", "7").value))), Some(7.0));
    }
}
