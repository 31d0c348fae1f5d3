//! Verbalizes single values: names of entities, numbers with units, dates, texts.

use super::Verbalizer;
use super::columns::kind_of;
use super::phrase::Phrase;
use eruca_api::{Column, ColumnKind};
use eruca_language::written_year;
use eruca_planner::follow::converted;
use eruca_sparql::{Literal, Term, XSD, one_line};

/// Maximum length, in characters, of a text that is the whole answer, and of one among others.
pub(super) const LONG: usize = 400;
pub(super) const SHORT: usize = 80;

impl Verbalizer<'_> {
    /// Verbalizes a cell of a column, with at most `most` characters of text.
    pub(super) fn cell(&self, column: Option<&Column>, term: Option<&Term>, most: usize) -> Phrase {
        match term {
            None => self.phrase("unstated", &[]),
            Some(Term::NamedNode(node)) => match kind_of(&node.clone().into()) {
                // An image URL is shown as it is.
                ColumnKind::Picture => Phrase::from(one_line(node.as_str(), most)),
                _ => self.thing(node.as_str()),
            },
            Some(Term::BlankNode(_)) => self.phrase("unnamed", &[]),
            Some(Term::Literal(literal)) => Phrase::from(self.literal(column, literal, most)),
        }
    }

    fn literal(&self, column: Option<&Column>, literal: &Literal, most: usize) -> String {
        let kind = column.map_or(ColumnKind::Text, |column| column.kind);
        let own = kind_of(&literal.clone().into());
        let told = match (kind, own) {
            (ColumnKind::Year, ColumnKind::Number) => written_year(literal.value()),
            (ColumnKind::Month, ColumnKind::Number) => self.month(literal.value()),
            (ColumnKind::Number, _) | (_, ColumnKind::Number) => self.number(column, literal.value()),
            (_, ColumnKind::Boolean) => self.truth(literal.value()),
            (_, ColumnKind::Coordinates) => self.point(literal.value()),
            _ => self.time(literal),
        };
        told.unwrap_or_else(|| one_line(literal.value().trim(), most))
    }

    fn number(&self, column: Option<&Column>, text: &str) -> Option<String> {
        let number = self.language.written_number(text)?;
        Some(match column.and_then(|column| column.unit.as_deref()) {
            None => number,
            Some(unit) if self.context.unit.is_some_and(|wanted| wanted != unit) => {
                let own = self.text("with_unit", &[("n", &number), ("unit", unit)]);
                match self.in_unit(text, unit) {
                    Some(other) => self.text("detailed", &[("value", &other), ("details", &own)]),
                    None => own,
                }
            }
            Some("%") => self.text("percent", &[("n", &number)]),
            Some(unit) => self.text("with_unit", &[("n", &number), ("unit", unit)]),
        })
    }

    /// The name of a month, by number.
    fn month(&self, number: &str) -> Option<String> {
        let number: u8 = number.trim().parse().ok().filter(|number| (1..=12).contains(number))?;
        Some(self.text(&format!("month_{number}"), &[]))
    }

    /// A number converted to the requested unit, with three significant digits.
    fn in_unit(&self, text: &str, unit: &str) -> Option<String> {
        let wanted = self.context.unit?;
        let number = converted(text.trim().parse().ok()?, unit, wanted)?;
        let digits =
            if number == 0.0 { 0 } else { (2.0 - number.abs().log10().floor()).clamp(0.0, 6.0) as usize };
        let written = self.language.written_number(&format!("{number:.digits$}"))?;
        Some(self.text("with_unit", &[("n", &written), ("unit", wanted)]))
    }

    fn time(&self, literal: &Literal) -> Option<String> {
        let datatype = literal.datatype();
        self.language.written_time(datatype.as_str().strip_prefix(XSD)?, literal.value())
    }

    /// A formatted count.
    pub(super) fn count(&self, number: usize) -> String {
        let text = number.to_string();
        self.language.written_number(&text).unwrap_or(text)
    }

    fn truth(&self, text: &str) -> Option<String> {
        match text {
            "true" | "1" => Some(self.text("yes", &[])),
            "false" | "0" => Some(self.text("no", &[])),
            _ => None,
        }
    }

    /// Parses `POINT(longitude latitude)`; shows the latitude first.
    fn point(&self, text: &str) -> Option<String> {
        let (_, inner) = text.split_once('(')?;
        let mut numbers = inner.strip_suffix(')')?.split_whitespace().map(str::parse::<f64>);
        let (lon, lat) = (numbers.next()?.ok()?, numbers.next()?.ok()?);
        if numbers.next().is_some() || !text.trim_start().to_uppercase().starts_with("POINT") {
            return None;
        }
        let say = |number: f64| self.language.written_number(&format!("{number:.4}"));
        Some(self.text("coordinates", &[("lat", &say(lat)?), ("lon", &say(lon)?)]))
    }
}
