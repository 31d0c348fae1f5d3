//! Years of times and between times, for all ways of writing them: days, months, plain years, numbers, and texts.

use super::pattern::Pattern;
use crate::meaning::Step;
use eruca_indexer::Target;

const XSD: &str = "http://www.w3.org/2001/XMLSchema#";
/// Datatypes on which SPARQL's date functions work.
const DAYS: [&str; 2] = ["date", "dateTime"];
/// Length of a day, `YYYY-MM-DD`.
const DAY_LENGTH: usize = 10;

/// A time expression in a query.
#[derive(Debug, Clone)]
pub(super) struct Time {
    pub text: String,
    /// Whether SPARQL's date functions work on it, which only support days.
    pub days: bool,
}

impl Time {
    /// The current time in the query.
    pub fn now() -> Self {
        Self { text: "NOW()".to_owned(), days: true }
    }

    /// A day, `YYYY-MM-DD`.
    pub fn day(day: &str) -> Self {
        Self { text: format!("\"{day}\"^^<{XSD}date>"), days: true }
    }

    /// The calendar year; years before the common era are negative.
    pub fn year(&self) -> String {
        let text = &self.text;
        match self.days {
            true => format!("<{XSD}integer>(SUBSTR(STR({text}), 1, 4))"),
            false => format!("<{XSD}integer>(REPLACE(STR({text}), \"^(-?[0-9]+).*$\", \"$1\"))"),
        }
    }

    /// The decade as its first year, or the century as its number.
    pub fn era(&self, years: u16) -> String {
        let year = self.year();
        match years {
            100 => format!("<{XSD}integer>(FLOOR(({year} - 1) / 100) + 1)"),
            years => format!("<{XSD}integer>(FLOOR({year} / {years}) * {years})"),
        }
    }

    /// The month, 1 to 12.
    pub fn month(&self) -> String {
        let text = &self.text;
        match self.days {
            true => format!("MONTH({text})"),
            false => format!("<{XSD}integer>(REPLACE(STR({text}), \"^-?[0-9]+-([0-9]{{2}}).*$\", \"$1\"))"),
        }
    }

    /// Full years from this time to a later one; if either has no day, the difference of the calendar years.
    pub fn years_until(&self, later: &Self) -> String {
        let (from, to) = (&self.text, &later.text);
        if self.days && later.days {
            let day = |of: &str| format!("(MONTH({of}) * 100 + DAY({of}))");
            return format!("(YEAR({to}) - YEAR({from}) - IF({} < {}, 1, 0))", day(to), day(from));
        }
        let day = |of: &str| format!("SUBSTR(STR({of}), 6, 5)");
        let known = |of: &str| format!("STRLEN(STR({of})) >= {DAY_LENGTH}");
        let before = format!("{} && {} && {} < {}", known(from), known(to), day(to), day(from));
        format!("({} - {} - IF({before}, 1, 0))", later.year(), self.year())
    }

    /// Year, month and day as one number that increases with time.
    pub fn number(&self) -> String {
        let text = &self.text;
        let part = |from: usize| {
            format!("COALESCE(<{XSD}integer>(SUBSTR(REPLACE(STR({text}), \"^-\", \"\"), {from}, 2)), 0)")
        };
        format!("({} * 10000 + {} * 100 + {})", self.year(), part(6), part(9))
    }

    /// Full years between two times in either order.
    pub fn years_apart(&self, other: &Self) -> String {
        if !(self.days && other.days) {
            return format!("ABS({} - {})", self.year(), other.year());
        }
        let day = |of: &str| format!("(YEAR({of}) * 10000 + MONTH({of}) * 100 + DAY({of}))");
        format!("<{XSD}integer>(FLOOR(ABS({} - {}) / 10000))", day(&self.text), day(&other.text))
    }
}

impl<'k> Pattern<'_, 'k> {
    /// A value at the end of a step, as a time.
    pub fn time(&self, text: String, step: Option<&Step<'k>>) -> Time {
        let types = self.datatypes(step);
        let day = |datatype: &&str| DAYS.iter().any(|day| datatype.strip_prefix(XSD) == Some(day));
        Time { text, days: types.iter().all(day) }
    }

    /// The datatypes of a property's literals, without duplicates.
    pub fn datatypes(&self, step: Option<&Step<'k>>) -> Vec<&'k str> {
        let card = step.and_then(|step| self.schema.property(step.property));
        let mut found: Vec<&str> = Vec::new();
        for edge in card.into_iter().flat_map(|card| &card.edges) {
            if let Target::Literal(datatype) = &edge.target
                && !found.contains(&datatype.as_str())
            {
                found.push(datatype);
            }
        }
        found
    }
}
