//! Quantities computed from others, such as a volume from width, depth and height; and what units measure.

use super::Language;
use super::phrases::{normal, normals};
use crate::text::fold;
use rustc_hash::FxHashMap;
use serde::Deserialize;
use std::sync::Arc;

/// A quantity computed from others.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(try_from = "String")]
pub struct Measure {
    /// Groups of nouns, each standing for one factor.
    pub factors: Vec<Vec<String>>,
    /// The operator before each factor except the first: `*`, `/` (all that follow are in the denominator), `-` or `,`.
    pub joiner: Vec<char>,
}

pub(super) type Measures = FxHashMap<String, Measure>;

/// What units measure.
pub(super) type Units = FxHashMap<String, Arc<[String]>>;

/// Words with the formula of the quantity they name.
pub(super) fn measures_of(listed: &[(String, Measure)]) -> Measures {
    let named =
        listed.iter().flat_map(|(words, measure)| words.split_whitespace().map(move |one| (one, measure)));
    named.map(|(word, measure)| (fold(word), measure.clone())).collect()
}

/// Units with nouns for what they may measure, most likely first.
pub(super) fn units_of(listed: &[(String, String)]) -> Units {
    let mut found = Units::default();
    for (units, nouns) in listed {
        let nouns: Arc<[String]> = normals(nouns);
        found.extend(units.split_whitespace().map(|unit| (fold(unit), Arc::clone(&nouns))));
    }
    found
}

impl TryFrom<String> for Measure {
    type Error = &'static str;

    /// A formula: groups of nouns separated by `*`, `/`, `-` or `,`.
    fn try_from(formula: String) -> Result<Self, Self::Error> {
        let mut measure = Self { factors: vec![Vec::new()], joiner: Vec::new() };
        for token in formula.split_whitespace() {
            match (token, measure.factors.last_mut()) {
                ("*" | "/" | "-" | ",", _) => {
                    measure.joiner.extend(token.chars());
                    measure.factors.push(Vec::new());
                }
                (noun, Some(factor)) => factor.push(normal(noun)),
                (_, None) => {}
            }
        }
        let whole = measure.factors.iter().all(|nouns| !nouns.is_empty());
        if whole { Ok(measure) } else { Err("a factor of the formula has no noun") }
    }
}

impl Language {
    /// The computed quantity that a folded word names: "volume".
    pub fn measure(&self, folded: &str) -> Option<&Measure> {
        self.measures.get(folded).or_else(|| self.measures.get(&self.base(folded)))
    }

    /// Nouns for what a folded unit measures, most likely first: "km" a length, a distance. None if it is not a unit.
    pub fn unit(&self, folded: &str) -> Option<&Arc<[String]>> {
        self.units.get(folded)
    }
}
