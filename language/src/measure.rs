//! Quantities that follow from others, a volume from width, depth and height; and what units measure.

use super::files::{Files, normal};
use crate::text::fold;
use rustc_hash::FxHashMap;
use std::sync::Arc;

/// A quantity that follows from others.
#[derive(Debug, Clone, PartialEq)]
pub struct Measure {
    /// Groups of nouns, each standing for one factor.
    pub factors: Vec<Vec<String>>,
    /// What stands before each factor but the first: `*`, `/` (all that follow are below the line), `-` or `,`.
    pub joiner: Vec<char>,
}

pub(super) type Measures = FxHashMap<String, Measure>;

/// What units measure.
pub(super) type Units = FxHashMap<String, Arc<[String]>>;

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

/// Lines of `units : nouns`: what a number with a unit behind or before it may measure, the likeliest first.
pub(super) fn units(files: &mut Files) -> Units {
    let mut found = Units::default();
    files.each_pair("units", |units, nouns| {
        let nouns: Arc<[String]> = nouns.split_whitespace().map(normal).collect();
        found.extend(units.split_whitespace().map(|unit| (fold(unit), Arc::clone(&nouns))));
        (!nouns.is_empty()).then_some(())
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
