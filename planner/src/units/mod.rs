//! Units of measurement: which of them measure the same, and the factors between them. The table is in `units.txt`.

mod scale;

pub(crate) use scale::{DURATION, Quantity, Scale};

use eruca_language::unit_symbol;
use std::sync::LazyLock;

const TABLE: &str = include_str!("units.txt");
const VALUES: &str = "value-properties";
const UNITS: &str = "unit-properties";

/// A unit of the table.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Unit {
    /// The dimension; units of one dimension are convertible.
    pub dimension: &'static str,
    pub symbol: &'static str,
    /// The factor to the first unit of the dimension, as a number and as written in the table.
    pub factor: f64,
    pub written: &'static str,
    /// Its names in QUDT, in other vocabularies, and in texts (in lower case).
    names: [Vec<&'static str>; 3],
}

/// Where a unit's name occurs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum Named {
    /// At the end of a QUDT IRI.
    Qudt,
    /// At the end of another IRI.
    Iri,
    /// In a text.
    Text,
}

struct Table {
    units: Vec<Unit>,
    values: Vec<&'static str>,
    of_units: Vec<&'static str>,
}

static READ: LazyLock<Table> = LazyLock::new(|| {
    let mut table = Table { units: Vec::new(), values: Vec::new(), of_units: Vec::new() };
    for (key, rest) in
        TABLE.lines().filter(|line| !line.starts_with('#')).filter_map(|line| line.split_once(" : "))
    {
        match key {
            VALUES => table.values.extend(rest.split_whitespace()),
            UNITS => table.of_units.extend(rest.split_whitespace()),
            dimension => table.units.extend(read(dimension, rest)),
        }
    }
    table
});

fn read(dimension: &'static str, rest: &'static str) -> Option<Unit> {
    let mut parts = rest.split('|');
    let (symbol, written) = parts.next()?.trim().split_once(' ')?;
    let mut names = || parts.next().map_or_else(Vec::new, |names| names.split_whitespace().collect());
    let names = [names(), names(), names()];
    Some(Unit { dimension, symbol, factor: written.parse().ok()?, written, names })
}

impl Unit {
    /// The unit for a word, a symbol, a code or the end of an IRI.
    pub fn find(name: &str) -> Option<&'static Self> {
        let name = name.trim();
        let lower = name.to_lowercase();
        let exactly = |unit: &&Unit| {
            let [qudt, iris, _] = &unit.names;
            unit.symbol == name || qudt.contains(&name) || iris.contains(&name)
        };
        let text = |unit: &&Unit| {
            let [_, _, texts] = &unit.names;
            texts.contains(&lower.as_str())
        };
        let units = || READ.units.iter();
        units().find(exactly).or_else(|| units().find(text)).or_else(|| {
            let symbol = unit_symbol(name)?;
            units().find(|unit| unit.symbol == symbol)
        })
    }

    /// The names of all units (of a dimension) in one place of occurrence, with their factors.
    pub fn all(dimension: Option<&str>, named: Named) -> Vec<(&'static str, &'static str)> {
        let units = READ.units.iter().filter(|unit| dimension.is_none_or(|wanted| wanted == unit.dimension));
        let mut found: Vec<(&str, &str)> = Vec::new();
        for unit in units {
            let [qudt, iris, texts] = &unit.names;
            let names: Vec<&str> = match named {
                Named::Qudt => qudt.clone(),
                Named::Iri => qudt.iter().chain(iris).copied().collect(),
                Named::Text => texts.clone(),
            };
            found.extend(names.into_iter().map(|name| (name, unit.written)));
        }
        found
    }

    /// The symbol of the dimension's first unit.
    pub fn base_of(symbol: &str) -> Option<&'static str> {
        let dimension = Self::find(symbol)?.dimension;
        READ.units.iter().find(|unit| unit.dimension == dimension).map(|unit| unit.symbol)
    }

    /// Whether the dimension has several units.
    pub fn converts(dimension: &str) -> bool {
        READ.units.iter().filter(|unit| unit.dimension == dimension).count() > 1
    }

    /// The first unit of each dimension.
    pub fn bases() -> impl Iterator<Item = &'static Self> {
        READ.units.iter().enumerate().filter_map(|(at, unit)| {
            let first = READ.units.iter().position(|other| other.dimension == unit.dimension);
            (first == Some(at)).then_some(unit)
        })
    }
}

/// Whether a property's local name is one for the number of a quantity.
pub(crate) fn holds_value(local: &str) -> bool {
    READ.values.contains(&local.to_lowercase().as_str())
}

/// Whether a property's local name is one for the unit of a quantity.
pub(crate) fn holds_unit(local: &str) -> bool {
    READ.of_units.contains(&local.to_lowercase().as_str())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn units_are_found_by_codes_words_and_ends_of_iris() {
        let known = |name: &str| Unit::find(name).map(|unit| (unit.dimension, unit.factor));
        assert_eq!(known("KiloGM"), Some(("mass", 1.0)));
        assert_eq!(known("Gramm"), Some(("mass", 0.001)));
        assert_eq!(known("kilomètres"), Some(("length", 1000.0)));
        assert_eq!(known("EUR"), Some(("eur", 1.0)));
        assert_eq!(known("people"), None);
    }

    #[test]
    fn a_currency_is_converted_into_no_other() {
        assert!(!Unit::converts("eur"));
        assert!(Unit::converts("mass"));
        assert!(Unit::all(Some("mass"), Named::Text).iter().all(|(name, _)| *name != "km"));
    }
}
