//! Quantities that follow from others: a volume from width, depth and height.

use super::files::{Files, normal};
use crate::text::fold;
use rustc_hash::FxHashMap;

/// A quantity that follows from others.
#[derive(Debug, Clone, PartialEq)]
pub struct Measure {
    /// Groups of nouns, each standing for one factor.
    pub factors: Vec<Vec<String>>,
    /// What stands before each factor but the first: `*`, `/` (all that follow are below the line), `-` or `,`.
    pub joiner: Vec<char>,
}

pub(super) type Measures = FxHashMap<String, Measure>;

/// Lines of `words : formula`; the formula joins groups of nouns by `*`, `/`, `-` or `,`.
pub(super) fn read(files: &mut Files) -> Measures {
    let mut found = Measures::default();
    files.each_pair("measures", |words, formula| {
        let measure = parse(formula)?;
        found.extend(words.split_whitespace().map(|word| (fold(word), measure.clone())));
        Some(())
    });
    found
}

fn parse(formula: &str) -> Option<Measure> {
    let mut measure = Measure { factors: vec![Vec::new()], joiner: Vec::new() };
    for token in formula.split_whitespace() {
        match token {
            "*" | "/" | "-" | "," => {
                measure.joiner.extend(token.chars());
                measure.factors.push(Vec::new());
            }
            noun => measure.factors.last_mut()?.push(normal(noun)),
        }
    }
    measure.factors.iter().all(|nouns| !nouns.is_empty()).then_some(measure)
}
