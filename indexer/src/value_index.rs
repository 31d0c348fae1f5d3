//! The value index: short literals found by text, with their property. Uses `record_index`.

use crate::extract::PropertyValue;
use crate::hidden::Hides;
use crate::lexical::{NameDocument, NameHit, Named, Part};
use crate::record_index::{Record, RecordIndex, RecordIndexWriter};

/// Version of the stored format; a change makes older indexes unreadable.
pub const VALUE_FORMAT: u32 = 5;

/// A value found, with the fit of its text: 1 if all words match, more for an identical text.
pub type ValueHit = NameHit<PropertyValue>;
/// Writes the value index.
pub type ValueIndexWriter<'a> = RecordIndexWriter<'a, PropertyValue>;
/// The value index, open for searching.
pub type ValueIndex = RecordIndex<PropertyValue>;

impl Named for PropertyValue {
    fn names(&self) -> Vec<&str> {
        vec![&self.text]
    }

    fn uses(&self) -> u64 {
        u64::from(self.count)
    }
}

impl Record for PropertyValue {
    const LENIENT: bool = false;
    const PART: Part = Part::Values;

    fn document(self) -> NameDocument<Self> {
        NameDocument {
            id: format!("{}\n{}\n{}", self.property, self.text, self.language),
            filters: vec![self.property.clone()],
            record: self,
        }
    }

    fn seen(mut self, hides: &Hides) -> Option<Self> {
        self.class = self.class.filter(|class| !hides(class));
        (!hides(&self.property)).then_some(self)
    }
}
