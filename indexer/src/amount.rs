//! Numbers with units in texts: "2.5 kg", "12,500,000 EUR", "€ 30".

use eruca_language::text::fold;
use eruca_language::{languages, unit_symbol};

/// Maximum length of a unit in characters.
const MAX_UNIT: usize = 16;

/// The number and unit, in either order, if the text consists of nothing else.
pub fn amount(text: &str) -> Option<(&str, &str)> {
    let text = text.trim();
    let digit = |c: char| c.is_ascii_digit();
    let start = text.find(digit)?;
    let signed = text.get(..start)?.strip_suffix('-').map_or(start, str::len);
    let part = |c: char| !(c.is_ascii_digit() || c.is_whitespace() || ".,'".contains(c));
    let end = text.get(start..)?.find(part).map_or(text.len(), |behind| start + behind);
    let number = text.get(signed..end)?.trim();
    let unit = match (text.get(..signed)?.trim(), text.get(end..)?.trim()) {
        (before, "") => before,
        ("", behind) => behind,
        _ => return None,
    };
    let first = first_of(unit).unwrap_or(unit);
    (!first.is_empty() && first.chars().count() <= MAX_UNIT && is_unit(first)).then_some((number, first))
}

/// The first unit of several parts: "3 h 20 min".
fn first_of(behind: &str) -> Option<&str> {
    let (first, rest) = behind.split_at(behind.find(|c: char| c.is_ascii_digit())?);
    amount(rest).map(|_| first.trim_end_matches([' ', ',']))
}

fn is_unit(text: &str) -> bool {
    unit_symbol(text).is_some() || languages().any(|language| language.unit(&fold(text)).is_some())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_with_units_are_told_from_other_texts() {
        assert_eq!(amount("2.5 kg"), Some(("2.5", "kg")));
        assert_eq!(amount("12,500,000 EUR"), Some(("12,500,000", "EUR")));
        assert_eq!(amount("€ 30"), Some(("30", "€")));
        assert_eq!(amount("-4 °C"), Some(("-4", "°C")));
        assert_eq!(amount("3 h 20 min"), Some(("3", "h")));
        assert_eq!(amount("3 kg 12 Mill Lane"), None);
        assert_eq!(amount("12 Mill Lane"), None);
        assert_eq!(amount("flat 3 kg"), None);
        assert_eq!(amount("1900"), None);
        assert_eq!(amount("B12"), None);
    }
}
