//! Numbers in one unit: other units are converted by factors in the query.

use super::pattern::Pattern;
use crate::meaning::{Iri, Step};
use crate::units::{DURATION, Named, Scale, Unit};

const XSD: &str = "http://www.w3.org/2001/XMLSchema#";
/// A regular expression for numbers in texts.
const NUMBER: &str = "-?[0-9][0-9.,' ]*";

impl<'k> Pattern<'_, 'k> {
    /// Writes a path to a number; returns an expression for it, converted to one unit.
    pub fn quantity(&mut self, term: &str, path: &[Step<'k>]) -> Option<String> {
        let (last, before) = path.split_last()?;
        let scale = self.schema.scale(path);
        if !scale.varies() {
            return None;
        }
        let at = self.walk(term, before, None, true);
        let value = self.step(&at, *last, None, true);
        Some(match scale {
            Scale::Beside { units, named, dimension, .. } => {
                let number = self.number(&value, Some(last));
                let code = self.unit_beside(&at, &units, named);
                self.converted(&number, &code, dimension, named)
            }
            Scale::Written { dimension: Some(DURATION), comma } => {
                let seconds = self.fresh("seconds");
                self.push(format!("BIND({} AS {seconds})", parts_of_time(&value, comma)));
                self.push(format!("FILTER({seconds} > 0)"));
                seconds
            }
            Scale::Written { dimension, comma } => {
                let number = number_in(&value, comma);
                let code = format!("LCASE(REPLACE(STR({value}), \"^([^0-9-]*){NUMBER}(.*)$\", \"$1$2\"))");
                self.converted(&number, &code, dimension, Named::Text)
            }
            Scale::Typed { dimension } => {
                let number = format!("<{XSD}decimal>(STR({value}))");
                let code = format!("REPLACE(STR(DATATYPE({value})), \"^.*[/#:]\", \"\")");
                self.converted(&number, &code, Some(dimension), Named::Iri)
            }
            Scale::Durations => seconds(&value),
            Scale::Unsaid | Scale::One(_) => value,
        })
    }

    fn unit_beside(&mut self, at: &str, units: &[Iri<'k>], named: Named) -> String {
        let unit = match units {
            [unit] => self.step(at, Step { property: unit, forward: true }, None, true),
            // A quantity may state its unit twice, which would duplicate its rows.
            _ => {
                let ends: Vec<String> = units.iter().map(|_| self.fresh("unit")).collect();
                for (unit, end) in units.iter().zip(&ends) {
                    self.push(format!("OPTIONAL {{ {at} <{unit}> {end} . }}"));
                }
                format!("COALESCE({})", ends.join(", "))
            }
        };
        match named {
            Named::Text => format!("LCASE(STR({unit}))"),
            Named::Qudt | Named::Iri => format!("REPLACE(STR({unit}), \"^.*[/#:]\", \"\")"),
        }
    }

    /// The number times the factor of its unit. Units of another dimension are excluded.
    fn converted(&mut self, number: &str, code: &str, dimension: Option<&str>, named: Named) -> String {
        let (name, factor) = (self.fresh("unit_name"), self.fresh("factor"));
        self.push(format!("BIND({code} AS {name})"));
        let rows: Vec<String> = Unit::all(dimension, named)
            .into_iter()
            .map(|(unit, factor)| format!("({} {factor})", super::quoted(unit)))
            .collect();
        self.push(format!("VALUES ({name} {factor}) {{ {} }}", rows.join(" ")));
        format!("({number} * {factor})")
    }
}

/// The seconds of an `xsd:duration`, by its parts; missing parts count as zero.
fn seconds(value: &str) -> String {
    let parts = [
        ("^P(.*[^0-9])?([0-9]+)D.*$", 86_400),
        ("^.*T(.*[^0-9.])?([0-9.]+)H.*$", 3600),
        ("^.*T(.*[^0-9.])?([0-9.]+)M.*$", 60),
        ("^.*T(.*[^0-9.])?([0-9.]+)S$", 1),
    ];
    let part = |(pattern, factor): (&str, u32)| {
        format!("COALESCE(<{XSD}decimal>(REPLACE(STR({value}), \"{pattern}\", \"$2\")), 0) * {factor}")
    };
    format!("({})", parts.map(part).join(" + "))
}

/// The seconds of a duration in a text, which may have several parts: "3 h 20 min". Missing parts count as zero, and a text
/// without any part is not a duration.
fn parts_of_time(value: &str, comma: bool) -> String {
    let mut factors: Vec<(&str, Vec<&str>)> = Vec::new();
    for (name, factor) in Unit::all(Some(DURATION), Named::Text) {
        match factors.iter_mut().find(|(known, _)| *known == factor) {
            Some((_, names)) => names.push(name),
            None => factors.push((factor, vec![name])),
        }
    }
    let decimals = if comma { "." } else { "" };
    let part = |(factor, names): &(&str, Vec<&str>)| {
        let pattern = format!("^(.*[^0-9.,])?([0-9]+([.,][0-9]+)*) *({})([^a-z].*)?$", names.join("|"));
        let number =
            format!("REPLACE(REPLACE(LCASE(STR({value})), \"{pattern}\", \"$2\"), \",\", \"{decimals}\")");
        format!("COALESCE(<{XSD}decimal>({number}), 0) * {factor}")
    };
    factors.iter().map(part).collect::<Vec<_>>().join(" + ")
}

/// The number in a text, as a decimal.
fn number_in(value: &str, comma: bool) -> String {
    let digits = format!("REPLACE(STR({value}), \"^[^0-9-]*({NUMBER}).*$\", \"$1\")");
    let text = match comma {
        true => format!("REPLACE(REPLACE({digits}, \"[.' ]\", \"\"), \",\", \".\")"),
        false => format!("REPLACE({digits}, \"[,' ]\", \"\")"),
    };
    format!("<{XSD}decimal>({text})")
}
