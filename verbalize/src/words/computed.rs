//! Verbalizes what a program computed from the results of queries.

use super::Verbalizer;
use super::phrase::Phrase;
use super::values::SHORT;
use eruca_api::{Computed, ComputedValue, Confidence, WordsKind};
use eruca_sparql::{NamedNode, one_line};

/// Significant digits of a computed number: programs divide, and more digits say nothing.
const DIGITS: i32 = 6;
/// Numbers from here on, and below one divided by it, are written with an exponent.
const LARGE: f64 = 1e15;

/// The computed answer, worded according to its confidence.
pub(super) fn told(teller: &Verbalizer<'_>, computed: &Computed) -> (Phrase, WordsKind) {
    let found = teller.phrase("computed", &[("value", teller.computed(computed))]);
    match teller.context.insight.map(|insight| insight.confidence) {
        Some(Confidence::Guess) => (teller.phrase("guess", &[]).and_then(found), WordsKind::Doubt),
        Some(Confidence::Likely) => (found.and_then(teller.phrase("likely", &[])), WordsKind::Answer),
        Some(Confidence::Sure) | None => (found, WordsKind::Answer),
    }
}

impl Verbalizer<'_> {
    /// The value, the list, or the rows one after the other.
    fn computed(&self, computed: &Computed) -> Phrase {
        let row = |row: &Vec<ComputedValue>| {
            self.joined(row.iter().map(|value| self.computed_value(value)).collect(), "next")
        };
        match (computed.columns.as_slice(), computed.rows.as_slice()) {
            (_, []) => self.phrase("unstated", &[]),
            ([_], rows) => self.list(&mut rows.iter().map(row)),
            (_, rows) => self.rows(&mut rows.iter().map(row)),
        }
    }

    fn computed_value(&self, value: &ComputedValue) -> Phrase {
        match value {
            ComputedValue::Nothing(()) => self.phrase("unstated", &[]),
            ComputedValue::Boolean(true) => self.phrase("yes", &[]),
            ComputedValue::Boolean(false) => self.phrase("no", &[]),
            ComputedValue::Integer(number) => self.computed_number(&number.to_string()),
            ComputedValue::Number(number) => self.computed_number(&plain(*number)),
            ComputedValue::Text(text) if text.contains("://") && NamedNode::new(text).is_ok() => {
                self.thing(text)
            }
            ComputedValue::Text(text) => {
                let date = self.language.written_time("date", text);
                date.unwrap_or_else(|| one_line(text.trim(), SHORT)).into()
            }
        }
    }

    fn computed_number(&self, number: &str) -> Phrase {
        self.language.written_number(number).unwrap_or_else(|| number.to_owned()).into()
    }
}

/// A number in decimal notation with the digits that matter.
fn plain(number: f64) -> String {
    let size = number.abs();
    if size != 0.0 && !(1.0 / LARGE..LARGE).contains(&size) {
        return format!("{number:e}");
    }
    let before = if size < 1.0 { 0 } else { size.log10().floor() as i32 + 1 };
    let places = usize::try_from((DIGITS - before).max(0)).unwrap_or(0);
    let written = format!("{number:.places$}");
    match written.contains('.') {
        true => written.trim_end_matches('0').trim_end_matches('.').to_owned(),
        false => written,
    }
}

#[cfg(test)]
mod tests {
    use super::plain;

    #[test]
    fn numbers_have_the_digits_that_matter() {
        let cases = [
            (0.0, "0"),
            (0.5, "0.5"),
            (1.0 / 3.0, "0.333333"),
            (66.9, "66.9"),
            (-2.5, "-2.5"),
            (1234.5678, "1234.57"),
            (83_200_000.4, "83200000"),
            (1e20, "1e20"),
            (1e-20, "1e-20"),
        ];
        for (number, expected) in cases {
            assert_eq!(plain(number), expected);
        }
    }
}
