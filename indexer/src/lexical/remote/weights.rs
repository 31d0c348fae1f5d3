//! The weights of a question's words in queries.

use super::keys;
use crate::lexical::plan::{AskedTerm, SearchPlan, weight};
use std::collections::BTreeMap;

/// Weights by the number of a word.
pub(super) type Weights = BTreeMap<u32, f32>;

/// One word alone.
pub(super) fn one(number: u32) -> Weights {
    Weights::from([(number, 1.0)])
}

/// Each content word, what may stand for it, and misspelt forms if they were looked up, whatever their rarity.
pub(super) fn alike(plan: &SearchPlan<'_>) -> Weights {
    let mut weights = Weights::new();
    for term in &plan.terms {
        each_form(term, |word, share, _| raise(&mut weights, word, share));
    }
    weights
}

/// The same with the function words.
pub(super) fn of_all(plan: &SearchPlan<'_>) -> Weights {
    let mut weights = alike(plan);
    plan.small_words.iter().for_each(|word| raise(&mut weights, word, 1.0));
    weights
}

/// The same as [`alike`], each form by its rarity: the inverse document frequency.
pub(super) fn by_rarity(plan: &SearchPlan<'_>) -> Weights {
    let mut weights = Weights::new();
    for term in &plan.terms {
        each_form(term, |word, share, documents| {
            raise(&mut weights, word, share * weight(documents, plan.documents));
        });
    }
    weights
}

/// Passes on the forms of a word with their share of its weight and their number of documents.
fn each_form(term: &AskedTerm, mut take: impl FnMut(&str, f32, u64)) {
    take(&term.token.text, 1.0, term.documents);
    for (word, share) in &term.token.alternatives {
        take(word, *share, term.documents);
    }
    for part in &term.parts {
        take(part, 0.9 / term.parts.len() as f32, term.documents);
    }
    for form in &term.similar {
        take(&form.term, form.weight, form.documents);
    }
}

fn raise(weights: &mut Weights, word: &str, weight: f32) {
    let known = weights.entry(keys::word(word)).or_insert(weight);
    *known = known.max(weight);
}
