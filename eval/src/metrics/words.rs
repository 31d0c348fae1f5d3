//! Exact match of answers in words.
//!
//! Texts are normalised as by SQuAD's scorer (`evaluate-v1.1.py`; Rajpurkar et al., "SQuAD: 100,000+ Questions for Machine Comprehension
//! of Text", 2016), which Mintaka (Sen et al., "Mintaka: A Complex, Natural, and Multilingual Dataset for End-to-End Question Answering",
//! 2022) takes for answers in words: lower case, no ASCII punctuation, no articles, single spaces, in this order. Articles are those of
//! the language pack of the question's language, as MLQA (Lewis et al., 2020) has them for several languages.
//!
//! SQuAD takes the best of several gold texts. Here each gold row has some: its literals, and the labels of its things where
//! names are looked up. An answer matches if each of its texts is one of a row's, and each row's is among them. Questions with a
//! gold row without any text, without rows, or with a truth as gold answer, have no score.

use super::names::Labels;
use eruca_language::Language;
use eruca_sparql::{Answer, Results, Solutions, Term};
use std::collections::BTreeSet;

/// What SQuAD's scorer removes: Python's `string.punctuation`.
fn is_punctuation(c: char) -> bool {
    c.is_ascii_punctuation()
}

/// A text without case, punctuation, articles and additional spaces.
///
/// ```
/// let language = eruca_language::language("en").unwrap();
/// assert_eq!(eruca_eval::metrics::words::normalized("The Beatles' \"Help!\"", language), "beatles help");
/// ```
pub fn normalized(text: &str, language: &Language) -> String {
    let lower = text.to_lowercase();
    let bare: String = lower.chars().filter(|c| !is_punctuation(*c)).collect();
    let mut kept = String::with_capacity(bare.len());
    // Articles are whole runs of letters and digits, so one may stand beside a mark that is no ASCII character.
    let is_inside = |c: char| c.is_alphanumeric() || c == '_';
    for part in bare.split_inclusive(|c| !is_inside(c)) {
        let word = part.trim_end_matches(|c| !is_inside(c));
        match language.is_article(word) {
            true => kept.extend([" ", part.strip_prefix(word).unwrap_or_default()]),
            false => kept.push_str(part),
        }
    }
    kept.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// 1 if the texts are those of the gold answer, else 0; `None` where the gold answer has no texts.
pub fn text_em(gold: &Answer, texts: &[String], labels: Option<&Labels>, language: &Language) -> Option<f64> {
    let Results::Solutions(gold) = &gold.results else { return None };
    let gold = gold_texts(gold, labels, language)?;
    let given: BTreeSet<String> = texts.iter().map(|text| normalized(text, language)).collect();
    let all_are_right = given.iter().all(|text| gold.iter().any(|row| row.contains(text)));
    let all_are_there = gold.iter().all(|row| !row.is_disjoint(&given));
    Some(f64::from(all_are_right && all_are_there))
}

/// The texts that may stand for each row; `None` for no rows, or if a row has none.
fn gold_texts(
    gold: &Solutions,
    labels: Option<&Labels>,
    language: &Language,
) -> Option<BTreeSet<BTreeSet<String>>> {
    let texts = |term: &Term| -> Vec<String> {
        match term {
            Term::Literal(literal) => vec![normalized(literal.value(), language)],
            Term::NamedNode(node) => {
                let labels = labels.into_iter().flat_map(|labels| labels.of(node.as_str()));
                labels.map(|label| normalized(label, language)).collect()
            }
            Term::BlankNode(_) => Vec::new(),
        }
    };
    let rows: BTreeSet<BTreeSet<String>> =
        gold.rows.iter().map(|row| row.iter().flatten().flat_map(texts).collect()).collect();
    (!rows.is_empty() && rows.iter().all(|row| !row.is_empty())).then_some(rows)
}

/// The texts by which rows are shown: of each row the first literal.
pub fn shown_texts(answer: &Answer) -> Vec<String> {
    let Results::Solutions(solutions) = &answer.results else { return Vec::new() };
    let literal = |term: &Term| match term {
        Term::Literal(literal) => Some(literal.value().to_owned()),
        Term::NamedNode(_) | Term::BlankNode(_) => None,
    };
    solutions.rows.iter().filter_map(|row| row.iter().flatten().find_map(literal)).collect()
}

#[cfg(test)]
mod tests {
    use super::super::testing::{boolean, table};
    use super::*;
    use eruca_language::language;

    fn english(text: &str) -> String {
        normalized(text, language("en").unwrap())
    }

    #[test]
    fn texts_are_normalised_as_by_squad() {
        // Printed by normalize_answer of SQuAD's evaluate-v1.1.py.
        assert_eq!(english("The  Cat, a dog & an Owl."), "cat dog owl");
        assert_eq!(english("U.S.A."), "usa");
        assert_eq!(english("a_b the-cat theatre"), "ab thecat theatre");
        assert_eq!(english("l\u{2019}a b\u{2013}the c"), "l\u{2019} b\u{2013} c");
        assert_eq!(english("The"), "");
        assert_eq!(english("Ärger A-1"), "ärger a1");
        assert_eq!(normalized("Die Zeit der Uhr", language("de").unwrap()), "zeit uhr");
    }

    fn em(gold: &Answer, texts: &[&str]) -> Option<f64> {
        let texts: Vec<String> = texts.iter().map(|text| (*text).to_owned()).collect();
        text_em(gold, &texts, None, language("en").unwrap())
    }

    #[test]
    fn all_texts_are_wanted_and_no_others() {
        let gold = table("x xLabel alias", &["e:a Paris City-of-Light", "e:b Berlin -"]);
        assert_eq!(em(&gold, &["the Berlin", "PARIS."]), Some(1.0));
        assert_eq!(em(&gold, &["city of light", "berlin"]), Some(0.0), "a hyphen is removed, no space comes");
        assert_eq!(em(&gold, &["cityoflight", "berlin", "paris"]), Some(1.0));
        assert_eq!(em(&gold, &["paris"]), Some(0.0));
        assert_eq!(em(&gold, &["paris", "berlin", "rome"]), Some(0.0));
        assert_eq!(em(&gold, &[]), Some(0.0));
    }

    #[test]
    fn gold_answers_without_texts_have_no_score() {
        assert_eq!(em(&table("x", &["e:a"]), &["a"]), None);
        assert_eq!(em(&table("x", &["A", "e:a"]), &["a"]), None);
        assert_eq!(em(&table("x", &[]), &[]), None);
        assert_eq!(em(&boolean(true), &["true"]), None);
        let labels = Labels::from_iter([("e:a".to_owned(), vec!["Paris".to_owned()])]);
        let texts = ["paris".to_owned()];
        let found = text_em(&table("x", &["e:a"]), &texts, Some(&labels), language("en").unwrap());
        assert_eq!(found, Some(1.0));
    }
}
