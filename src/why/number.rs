//! Numbers in the manner of a language, by a sample number in its pack.

/// The marks of a language: between groups of three digits, and before decimals.
struct Marks {
    group: String,
    decimal: String,
}

/// Reads the marks from a sample like `1,234.5`.
fn marks(sample: &str) -> Option<Marks> {
    let mut between = sample.split(|c: char| c.is_ascii_digit()).filter(|piece| !piece.is_empty());
    Some(Marks { group: between.next()?.to_owned(), decimal: between.next()?.to_owned() })
}

/// A number as it is written in a language; `None` when the text is no plain number. What may be a year is not grouped.
pub(super) fn written(text: &str, sample: &str) -> Option<String> {
    let (sign, digits) = match text.strip_prefix(['-', '−']) {
        Some(digits) => ("−", digits),
        None => ("", text.strip_prefix('+').unwrap_or(text)),
    };
    let (whole, decimals) = digits.split_once('.').unwrap_or((digits, ""));
    let is_number = |digits: &str| digits.chars().all(|c| c.is_ascii_digit());
    if whole.is_empty() || !is_number(whole) || !is_number(decimals) {
        return None;
    }
    let marks = marks(sample)?;
    let decimals = rounded(decimals);
    let may_be_year =
        decimals.is_empty() && whole.len() == 4 && whole.starts_with(['1', '2']) && sign.is_empty();
    let whole = if may_be_year && is_recent(whole) { whole.to_owned() } else { grouped(whole, &marks.group) };
    let decimals = if decimals.is_empty() { String::new() } else { format!("{}{decimals}", marks.decimal) };
    Some(format!("{sign}{whole}{decimals}"))
}

/// The last thousand years are what years in graphs mostly are.
fn is_recent(year: &str) -> bool {
    year.parse::<u32>().is_ok_and(|year| (1000..2100).contains(&year))
}

/// Decimals without zeros at the end, cut to as many as people read.
fn rounded(decimals: &str) -> String {
    const READ: usize = 4;
    let cut: String = decimals.chars().take(READ).collect();
    cut.trim_end_matches('0').to_owned()
}

fn grouped(digits: &str, mark: &str) -> String {
    let count = digits.chars().count();
    let mut text = String::new();
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (count - at).is_multiple_of(3) {
            text.push_str(mark);
        }
        text.push(digit);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::written;

    #[test]
    fn numbers_are_written_as_the_language_does() {
        let english = |text| written(text, "1,234.5");
        assert_eq!(english("2850").as_deref(), Some("2,850"));
        assert_eq!(english("1234567.50").as_deref(), Some("1,234,567.5"));
        assert_eq!(english("-12.000").as_deref(), Some("−12"));
        assert_eq!(written("83445000", "1.234,5").as_deref(), Some("83.445.000"));
        assert_eq!(english("1994").as_deref(), Some("1994"));
        assert_eq!(english("3.6666666666").as_deref(), Some("3.6666"));
        for text in ["", "a", "1e9", "1.2.3", "٣", "."] {
            assert_eq!(english(text), None, "{text}");
        }
    }
}
