//! Possession, negation and quantifiers. They call other constructs to combine the phrases and then quantify or negate the
//! result. The layer above the constructs, and part of the grammar like them.

mod contrast;
mod having;
mod negation;
mod quantifiers;

pub(crate) use quantifiers::answered;

use crate::chart::Construct;

/// The constructs of this layer, used for parsing.
pub(crate) const QUANTIFYING: &[&dyn Construct] =
    &[&negation::Negation, &contrast::Contrast, &having::Having, &quantifiers::Quantifiers];
