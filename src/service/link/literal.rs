//! Texts that are literals: numbers, dates and booleans, as written in the languages.

use eruca_api::{LiteralKind, LiteralValue};
use eruca_dataset::Dataset;
use eruca_language::language;
use eruca_planner::question::{ParsedQuestion, Period, Precision, Span};

/// The namespace of the XSD datatypes.
const XSD: &str = "http://www.w3.org/2001/XMLSchema#";

fn literal(kind: LiteralKind, value: String, datatype: &str) -> LiteralValue {
    LiteralValue { kind, value, datatype: format!("{XSD}{datatype}") }
}

/// The literal that the whole text represents.
pub(super) fn read(dataset: &Dataset, text: &str) -> Option<LiteralValue> {
    let text = text.trim();
    if let Some(plain) = plain_number(text) {
        // A four-digit number may also be a year; it is returned as a year, which has the same value.
        return time(&dataset.read(text)).or(Some(plain));
    }
    let read = dataset.read(text);
    time(&read).or_else(|| number(&read)).or_else(|| truth(dataset, &read, text))
}

/// A number in programming notation, with its sign.
fn plain_number(text: &str) -> Option<LiteralValue> {
    let digits = text.strip_prefix(['-', '+']).unwrap_or(text);
    let plain = digits.starts_with(|c: char| c.is_ascii_digit())
        && digits.chars().all(|c| c.is_ascii_digit() || c == '.')
        && text.parse::<f64>().is_ok();
    plain.then(|| number_value(text.trim_start_matches('+').to_owned()))
}

fn number_value(value: String) -> LiteralValue {
    let datatype = if value.contains('.') { "decimal" } else { "integer" };
    literal(LiteralKind::Number, value, datatype)
}

fn whole(read: &ParsedQuestion) -> Span {
    Span::new(0, read.words.len())
}

fn number(read: &ParsedQuestion) -> Option<LiteralValue> {
    let numeral = read.numerals.iter().find(|numeral| numeral.span == whole(read) && !numeral.percent)?;
    Some(number_value(numeral.text.clone()))
}

fn time(read: &ParsedQuestion) -> Option<LiteralValue> {
    let Period { from, grain, .. } = read.periods.iter().find(|period| period.span == whole(read))?;
    let (kind, value, datatype) = match grain {
        Precision::Day => {
            (LiteralKind::Date, format!("{:04}-{:02}-{:02}", from.year, from.month, from.day), "date")
        }
        Precision::Month => (LiteralKind::Month, format!("{:04}-{:02}", from.year, from.month), "gYearMonth"),
        Precision::Year => (LiteralKind::Year, format!("{:04}", from.year), "gYear"),
        Precision::Decade | Precision::Century => return None,
    };
    Some(literal(kind, value, datatype))
}

/// A boolean in one of the languages of the reader or of the text.
fn truth(dataset: &Dataset, read: &ParsedQuestion, text: &str) -> Option<LiteralValue> {
    let spoken = dataset.languages.iter().filter_map(|tag| language(tag));
    let truth = spoken.chain([read.language]).find_map(|language| language.truth(text))?;
    Some(literal(LiteralKind::Boolean, truth.to_string(), "boolean"))
}
