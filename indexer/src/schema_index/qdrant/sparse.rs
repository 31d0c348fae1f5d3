//! BM25 as sparse vectors. The part that depends on one document is computed here, the inverse document
//! frequency by the server (the vector's modifier), so that their product is the BM25 score. The
//! vectors are computed here because the server's own tokenizer neither splits CamelCase nor follows the other rules.

use crate::schema_index::SchemaDocument;
use eruca_language::text::{TokenKind, name_key, searched_part, tokens};
use eruca_language::{is_function_word, related_words};
use rustc_hash::FxHashSet;
use std::collections::BTreeMap;

/// BM25's k1, with its usual value: how soon further occurrences of a word stop counting.
const K1: f32 = 1.2;
/// BM25's b, with its usual value: how strongly long documents are penalized.
const B: f32 = 0.75;
const NAME_WEIGHT: f32 = 1.0;
/// Words of the comment weigh less than those of the name.
const TEXT_WEIGHT: f32 = 0.3;

/// Weights by term number.
pub(super) type TermWeights = BTreeMap<u32, f32>;

/// The BM25 weights of each document's terms, without the inverse document frequency.
pub(super) fn document_weights(documents: &[SchemaDocument]) -> Vec<TermWeights> {
    let mut counted: Vec<TermWeights> = documents.iter().map(frequencies).collect();
    let total: f32 = counted.iter().map(length).sum();
    let average = total / counted.len().max(1) as f32;
    for weights in &mut counted {
        saturate(weights, average);
    }
    counted
}

/// The weights of the search words: function words are left out unless there is nothing else, but
/// the nouns they stand for ("when": date) count. `similar` are expansions of misspelt words.
pub(super) fn query_weights(text: &str, similar: &[(String, f32)]) -> TermWeights {
    let asked = tokens(searched_part(text));
    let mut words = asked.iter().filter(|token| token.kind == TokenKind::Word);
    let nothing_else = words.all(|word| is_function_word(&word.text));
    let mut weights = TermWeights::new();
    let mut raise = |word: &str, weight: f32| {
        let known = weights.entry(term(word)).or_insert(weight);
        *known = known.max(weight);
    };
    for token in &asked {
        if nothing_else || !is_function_word(&token.text) {
            raise(&token.text, 1.0);
        }
        for (word, weight) in related_words(&token.text) {
            raise(&word, weight);
        }
    }
    for (word, weight) in similar {
        raise(word, *weight);
    }
    weights
}

/// How often each term occurs in the names (equal names count once, whatever their language) and the text.
fn frequencies(document: &SchemaDocument) -> TermWeights {
    let mut counts = TermWeights::new();
    let mut count = |text: &str, weight: f32| {
        for token in tokens(text) {
            *counts.entry(term(&token.text)).or_default() += weight;
        }
    };
    let mut seen = FxHashSet::default();
    for name in document.names.iter().filter(|name| seen.insert(name_key(name))) {
        count(name, NAME_WEIGHT);
    }
    count(&document.text, TEXT_WEIGHT);
    counts
}

fn length(frequencies: &TermWeights) -> f32 {
    frequencies.values().sum()
}

fn saturate(frequencies: &mut TermWeights, average: f32) {
    let norm = K1 * (1.0 - B + B * length(frequencies) / average);
    for weight in frequencies.values_mut() {
        *weight = *weight * (K1 + 1.0) / (*weight + norm);
    }
}

/// The number of a term: 32-bit FNV-1a of its UTF-8 bytes (offset basis 0x811c9dc5, prime 0x01000193). It is
/// stored with the index, so it must never change. Two terms with the same number count as one term in searches;
/// among 10,000 terms, about 0.01 such pairs are expected.
fn term(word: &str) -> u32 {
    word.bytes().fold(0x811c_9dc5, |hash, byte| (hash ^ u32::from(byte)).wrapping_mul(0x0100_0193))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::schema_index::SchemaKind;

    fn document(names: &[&str], text: &str) -> SchemaDocument {
        let names = names.iter().map(|name| (*name).to_owned()).collect();
        SchemaDocument { iri: String::new(), kind: SchemaKind::Class, names, text: text.to_owned(), usage: 0 }
    }

    fn asked(words: &[(&str, f32)]) -> TermWeights {
        words.iter().map(|(word, weight)| (term(word), *weight)).collect()
    }

    #[test]
    fn term_numbers_are_the_published_fnv_1a() {
        assert_eq!(term(""), 0x811c_9dc5);
        assert_eq!(term("a"), 0xe40c_292c);
        assert_eq!(term("foobar"), 0xbf9c_f968);
    }

    #[test]
    fn weights_follow_the_bm25_formula() {
        let weights =
            document_weights(&[document(&["price"], ""), document(&["net price", "Net Price"], "price")]);
        let average = (1.0 + 2.3) / 2.0;
        let expected = 1.3 * 2.2 / (1.3 + 1.2 * (0.25 + 0.75 * 2.3 / average));
        let found = weights[1][&term("price")];
        assert!((found - expected).abs() < 1e-6, "{found} instead of {expected}");
    }

    #[test]
    fn documents_without_words_have_no_weights() {
        assert_eq!(document_weights(&[document(&["?"], "")]), [TermWeights::new()]);
        assert!(document_weights(&[]).is_empty());
    }

    #[test]
    fn questions_weigh_words_compounds_and_related_words() {
        let expected = asked(&[("wind", 1.0), ("speed", 1.0), ("windspeed", 1.0)]);
        assert_eq!(query_weights("the wind-speed", &[]), expected);
        assert_eq!(query_weights("how heavy", &[]), asked(&[("heavy", 1.0), ("weight", 0.8), ("mass", 0.8)]));
        assert_eq!(query_weights("heavy weight", &[])[&term("weight")], 1.0);
    }

    #[test]
    fn function_words_count_when_nothing_else_is_asked() {
        assert_eq!(query_weights("of the", &[]), asked(&[("of", 1.0), ("the", 1.0)]));
        assert_eq!(query_weights("when released", &[]).get(&term("date")), Some(&0.8));
        assert!(query_weights(" ?! ", &[]).is_empty());
    }
}
