//! Having, negation and quantifiers: what they say of something is put together by the constructs that would say it without them.
//! Stands above the constructs, and is a part of the grammar like them.

mod contrast;
mod having;
mod negation;
mod quantifiers;

pub(crate) use quantifiers::answered;

use crate::chart::Construct;

/// The constructs of this part, which a chart is parsed with.
pub(crate) const QUANTIFYING: &[&dyn Construct] =
    &[&negation::Negation, &contrast::Contrast, &having::Having, &quantifiers::Quantifiers];
