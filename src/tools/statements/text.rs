//! Values and statements in words for people and models, and the SPARQL patterns that match them.

use super::{QualifiedStatement, ShownRank, StatementValue};
use crate::rendering::property_word;
use eruca_dataset::Dataset;
use eruca_indexer::vocabulary::{Namespaces, StatementPart, XSD};
use eruca_sparql::{Literal, Term, literal_text as term_of, quoted};

const MAX_VALUE_CHARS: usize = 80;
/// Wikibase's code for day precision.
const DAY: u32 = 11;

/// A value as written in SPARQL, entities with their names; dates no more precise than they are known.
pub(super) fn value_text(dataset: &Dataset, value: &StatementValue) -> String {
    value_up_to(dataset, value, MAX_VALUE_CHARS)
}

/// The same with texts of at most `max_chars` characters.
pub(super) fn value_up_to(dataset: &Dataset, value: &StatementValue, max_chars: usize) -> String {
    match value {
        StatementValue::Unknown => "unknown value".to_owned(),
        StatementValue::None => "no value".to_owned(),
        StatementValue::Known { term: Term::NamedNode(node), .. } => thing(dataset, node.as_str(), max_chars),
        StatementValue::Known { term: Term::Literal(literal), unit, precision } => {
            literal_text(dataset, literal, unit.as_deref(), *precision, max_chars)
        }
        StatementValue::Known { .. } => "unknown value".to_owned(),
    }
}

/// A shorter form: entities by their names alone.
pub(super) fn short_value(dataset: &Dataset, value: &StatementValue) -> String {
    match value {
        StatementValue::Known { term: Term::NamedNode(node), .. } => {
            let label = dataset.label(node.as_str()).map(|label| quoted(&label, MAX_VALUE_CHARS / 2));
            label.unwrap_or_else(|| dataset.compact(node.as_str()))
        }
        other => value_up_to(dataset, other, MAX_VALUE_CHARS / 2),
    }
}

/// Sort key of values with the same rank and time: their text, independent of names.
pub(super) fn sort_key(value: &StatementValue) -> String {
    match value {
        StatementValue::Known { term, .. } => term.to_string(),
        StatementValue::Unknown | StatementValue::None => String::new(),
    }
}

fn thing(dataset: &Dataset, iri: &str, max_chars: usize) -> String {
    let label =
        dataset.label(iri).map_or_else(String::new, |label| format!(" ({})", quoted(&label, max_chars)));
    format!("{}{label}", dataset.compact(iri))
}

fn literal_text(
    dataset: &Dataset,
    literal: &Literal,
    unit: Option<&str>,
    precision: Option<u32>,
    max_chars: usize,
) -> String {
    let (text, datatype) = (literal.value(), literal.datatype());
    match datatype.as_str().strip_prefix(XSD) {
        Some("dateTime") if is_time(text) => time_text(text, precision),
        Some("decimal" | "integer" | "double") => {
            let unit = unit.map_or_else(String::new, |unit| format!(" {}", thing(dataset, unit, max_chars)));
            let shown = term_of(literal, dataset.prefixes(), max_chars);
            format!("{}{unit}", shown.strip_prefix('+').unwrap_or(&shown))
        }
        _ => term_of(literal, dataset.prefixes(), max_chars),
    }
}

/// Whether a text consists only of characters that occur in dates and times.
fn is_time(text: &str) -> bool {
    let of_time = |byte: u8| byte.is_ascii_digit() || matches!(byte, b'-' | b'+' | b':' | b'.' | b'T' | b'Z');
    text.len() <= MAX_VALUE_CHARS && text.bytes().all(of_time)
}

/// A time to the day, or with its precision.
fn time_text(lexical: &str, precision: Option<u32>) -> String {
    let day = lexical.strip_suffix("T00:00:00Z").unwrap_or(lexical);
    let fields = |count: usize| {
        let (sign, unsigned) = day.strip_prefix('-').map_or(("", day), |rest| ("-", rest));
        format!("{sign}{}", unsigned.splitn(4, '-').take(count).collect::<Vec<_>>().join("-"))
    };
    match precision.unwrap_or(DAY) {
        10 => format!("{} (month)", fields(2)),
        9 => format!("{} (year)", fields(1)),
        8 => format!("{} (decade)", fields(1)),
        7 => format!("{} (century)", fields(1)),
        6 => format!("{} (millennium)", fields(1)),
        precision if precision < 6 => format!("{} (roughly)", fields(1)),
        _ => day.to_owned(),
    }
}

/// The rank, if it matters: it is not normal, or the value is not among those of `wdt:`.
pub(super) fn rank_text(statement: &QualifiedStatement) -> Vec<&'static str> {
    let mut words = Vec::new();
    match statement.rank {
        ShownRank::Preferred => words.push("preferred"),
        ShownRank::Normal => {}
        ShownRank::Deprecated => words.push("deprecated"),
    }
    if !statement.is_best {
        words.push("not in wdt:");
    }
    words
}

/// A count with its noun.
pub(super) fn counted(count: usize, word: &str) -> String {
    if count == 1 { format!("1 {word}") } else { format!("{count} {word}s") }
}

/// The qualifiers of a property's statements.
pub(super) struct StatementShape<'a> {
    pub(super) property: u32,
    /// Qualifiers that all statements have.
    pub(super) qualifiers: &'a [u32],
    /// Qualifiers that some statements have.
    pub(super) optional: &'a [u32],
}

impl<'a> StatementShape<'a> {
    /// A shape where all statements have the same qualifiers.
    pub(super) fn of(property: u32, qualifiers: &'a [u32]) -> Self {
        Self { property, qualifiers, optional: &[] }
    }
}

/// The pattern that matches a property's statements with these qualifiers; those that only some have are OPTIONAL:
/// `wd:Q1 p:P1 ?st . ?st ps:P1 ?value ; pq:P2 ?start_time OPTIONAL { ?st pq:P3 ?end_time }`.
pub(super) fn pattern(
    dataset: &Dataset,
    names: &Namespaces,
    thing: &str,
    statements: &StatementShape<'_>,
) -> String {
    let StatementShape { property, qualifiers, optional } = *statements;
    let short = |part, number| dataset.compact(&names.predicate(part, number));
    let mut text = format!(
        "{thing} {} ?st . ?st {} ?value",
        short(StatementPart::Claim, property),
        short(StatementPart::Value, property)
    );
    let qualifier = |number| {
        let variable = variable(&property_word(dataset, names, number));
        format!("{} ?{variable}", short(StatementPart::Qualifier, number))
    };
    for number in qualifiers {
        text.push_str(&format!(" ; {}", qualifier(*number)));
    }
    for number in optional {
        text.push_str(&format!(" OPTIONAL {{ ?st {} }}", qualifier(*number)));
    }
    text
}

/// A name turned into a variable name.
fn variable(name: &str) -> String {
    let words = name.split(|c: char| !c.is_ascii_alphanumeric()).filter(|word| !word.is_empty());
    let name = words.take(3).collect::<Vec<_>>().join("_").to_lowercase();
    if name.is_empty() { "q".to_owned() } else { name }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_as_exact_as_they_are_known() {
        for (lexical, precision, shown) in [
            ("1990-05-04T00:00:00Z", None, "1990-05-04"),
            ("1990-05-04T00:00:00Z", Some(11), "1990-05-04"),
            ("1990-05-00T00:00:00Z", Some(10), "1990-05 (month)"),
            ("1990-01-01T00:00:00Z", Some(9), "1990 (year)"),
            ("-0044-01-01T00:00:00Z", Some(7), "-0044 (century)"),
            ("-13798000000-01-01T00:00:00Z", Some(3), "-13798000000 (roughly)"),
            ("today", Some(9), "today (year)"),
            ("", Some(9), " (year)"),
        ] {
            assert_eq!(time_text(lexical, precision), shown);
        }
    }

    #[test]
    fn names_become_variables() {
        assert_eq!(variable("start time"), "start_time");
        assert_eq!(variable("число"), "q");
        assert_eq!(variable("of (deprecated), or so"), "of_deprecated_or");
    }
}
