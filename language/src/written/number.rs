//! Number formatting: grouped digits, the language's decimal separator, long fractions rounded and marked as such.

use super::TABLE;
use crate::Language;

/// Maximum number of decimals shown as they are; more come from a division.
const MAX_DECIMALS: usize = 4;
/// Minimum length of a whole number to group: "1,234", as is common in English and German; years are not formatted as numbers.
const MIN_GROUPED: usize = 4;
/// Maximum length of a number to write out.
const MAX_DIGITS: usize = 30;

impl Language {
    /// The formatted number; none if the text is not a decimal number.
    pub fn written_number(&self, text: &str) -> Option<String> {
        let plain = plain(text.trim())?;
        let (sign, plain) = plain.strip_prefix('-').map_or(("", plain.as_str()), |rest| ("-", rest));
        let (whole, decimals) = plain.split_once('.').unwrap_or((plain, ""));
        let decimals = decimals.trim_end_matches('0');
        if decimals.len() <= MAX_DECIMALS {
            return Some(format!("{sign}{}", joined(self, whole, decimals)));
        }
        let rounded = rounded(plain)?;
        let (whole, decimals) = rounded.split_once('.').unwrap_or((&rounded, ""));
        let shown = format!("{sign}{}", joined(self, whole, decimals.trim_end_matches('0')));
        Some(self.say(TABLE, "about", &[("n", &shown)]).into_owned())
    }
}

/// Plain digits with a decimal point; exponents are expanded.
fn plain(text: &str) -> Option<String> {
    let unsigned = text.trim_start_matches(['+', '-']);
    let digits = |part: &str| part.bytes().all(|byte| byte.is_ascii_digit());
    let (whole, decimals) = unsigned.split_once('.').unwrap_or((unsigned, ""));
    let some = unsigned.bytes().any(|byte| byte.is_ascii_digit());
    if unsigned.len() <= MAX_DIGITS && some && digits(whole) && digits(decimals) {
        let whole = whole.trim_start_matches('0');
        let whole = if whole.is_empty() { "0" } else { whole };
        let point = if decimals.is_empty() { "" } else { "." };
        let sign = if text.starts_with('-') { "-" } else { "" };
        return Some(format!("{sign}{whole}{point}{decimals}"));
    }
    let number: f64 = text.parse().ok().filter(|number: &f64| number.is_finite())?;
    (number.abs() < 1e15 && (number == 0.0 || number.abs() >= 1e-6)).then(|| number.to_string())
}

/// Two decimals; for small numbers, enough to distinguish them from zero.
fn rounded(plain: &str) -> Option<String> {
    let number: f64 = plain.parse().ok()?;
    let places = match number {
        number if number >= 1.0 || number == 0.0 => 2,
        number => (-number.log10().floor()).clamp(1.0, 12.0) as usize + 1,
    };
    Some(format!("{number:.places$}"))
}

fn joined(language: &Language, whole: &str, decimals: &str) -> String {
    let whole = grouped(language, whole);
    if decimals.is_empty() {
        return whole;
    }
    language.say(TABLE, "decimal", &[("a", &whole), ("b", decimals)]).into_owned()
}

fn grouped(language: &Language, whole: &str) -> String {
    let cut = whole.len().saturating_sub(3);
    match (whole.get(..cut), whole.get(cut..)) {
        (Some(high), Some(low)) if whole.len() >= MIN_GROUPED => {
            language.say(TABLE, "group", &[("a", &grouped_high(language, high)), ("b", low)]).into_owned()
        }
        _ => whole.to_owned(),
    }
}

/// The part above a group is grouped too, even if it is short.
fn grouped_high(language: &Language, high: &str) -> String {
    if high.len() > 3 { grouped(language, high) } else { high.to_owned() }
}

#[cfg(test)]
mod tests {
    use crate::language;

    fn say(tag: &str, text: &str) -> Option<String> {
        language(tag).unwrap().written_number(text)
    }

    #[test]
    fn every_language_has_its_manner() {
        let of = |tag| say(tag, "1234567.5").unwrap();
        assert_eq!(of("en"), "1,234,567.5");
        assert_eq!(of("de"), "1.234.567,5");
        assert_eq!(of("es"), "1.234.567,5");
        assert_eq!(of("fr"), "1\u{202f}234\u{202f}567,5");
        for tag in ["it", "nl", "pt"] {
            assert_eq!(of(tag), "1.234.567,5", "{tag}");
        }
        assert_eq!(of("ru"), of("fr"));
        assert_eq!(say("en", "2850").unwrap(), "2,850");
        assert_eq!(say("de", "-2850").unwrap(), "-2.850");
        assert_eq!(say("en", "999").unwrap(), "999");
        assert_eq!(say("en", "+7.0").unwrap(), "7");
    }

    #[test]
    fn endless_decimals_are_rounded_and_said_to_be() {
        assert_eq!(say("en", "3.3333333333333335").unwrap(), "about 3.33");
        assert_eq!(say("de", "0.0001234567").unwrap(), "rund 0,00012");
        assert_eq!(say("en", "0.25").unwrap(), "0.25");
        assert_eq!(say("en", "8.32E7").unwrap(), "83,200,000");
        assert_eq!(say("en", "1.0e0").unwrap(), "1");
    }

    #[test]
    fn what_is_no_number_is_left_alone() {
        for text in ["", "abc", "1.2.3", "NaN", "INF", "1e400", "12 km", "0x10", "1_000", "-", "."] {
            assert_eq!(say("en", text), None, "{text}");
        }
    }
}
