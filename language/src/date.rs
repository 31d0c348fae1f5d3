//! Names of months, and phrases for decades and centuries.

use super::Language;
use super::pack::NumbersAndDates;
use super::phrases::{key, keys, phrases};
use crate::text::fold;
use rustc_hash::FxHashMap;
use serde::Deserialize;
use std::cmp::Reverse;
use std::collections::BTreeMap;

/// A part of a date pattern.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum DatePart {
    /// A literal word, folded.
    Word(String),
    /// The number of a decade: 1990, or 90.
    Decade,
    /// The number of a century, as an ordinal, in Roman or in Arabic digits.
    Century,
}

/// The period that a date pattern describes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CalendarPeriod {
    /// A decade, given by the pattern's number.
    Decade,
    /// A century, given by the pattern's number.
    Century,
    /// The decade starting in this year.
    DecadeFrom(i32),
}

/// A phrase for a decade or a century.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DatePattern {
    /// What it describes.
    pub stretch: CalendarPeriod,
    /// Its words.
    pub parts: Vec<DatePart>,
}

/// A calendar unit for grouping.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CalendarUnit {
    /// A number of years: a year, a decade, a century.
    Years(u16),
    /// A month of any year.
    Month,
}

/// The order of numeric dates.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize)]
pub(super) enum DateOrder {
    #[default]
    #[serde(rename = "day month year")]
    DayMonthYear,
    #[serde(rename = "month day year")]
    MonthDayYear,
    #[serde(rename = "year month day")]
    YearMonthDay,
}

/// Date phrases of a pack; `<decade>` and `<century>` stand for the number.
#[derive(Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(super) struct DatesTable {
    order: DateOrder,
    decade: String,
    century: String,
    /// Names of decades, by their first year.
    decades: BTreeMap<i32, String>,
    bc: String,
    marks_year: String,
    year: String,
    month: String,
    ten_years: String,
    hundred_years: String,
}

/// The date phrases of a language.
#[derive(Debug, Default)]
pub(super) struct Dates {
    months: FxHashMap<String, u8>,
    patterns: Vec<DatePattern>,
    pub(super) order: DateOrder,
    before_era: Vec<String>,
    /// Words that follow the digits of a year.
    year_marks: Vec<String>,
    /// Words for years, months, decades and centuries.
    units: Vec<(String, CalendarUnit)>,
}

impl Dates {
    pub(super) fn of(file: &NumbersAndDates) -> Self {
        let dates = &file.dates;
        let months = (1..).zip(&file.months);
        let units = [
            (&dates.year, CalendarUnit::Years(1)),
            (&dates.month, CalendarUnit::Month),
            (&dates.ten_years, CalendarUnit::Years(10)),
            (&dates.hundred_years, CalendarUnit::Years(100)),
        ];
        Self {
            months: months
                .flat_map(|(at, names)| names.split_whitespace().map(move |name| (fold(name), at)))
                .collect(),
            patterns: patterns(dates),
            order: dates.order,
            before_era: keys(&dates.bc).collect(),
            year_marks: keys(&dates.marks_year).collect(),
            units: units
                .into_iter()
                .flat_map(|(words, unit)| keys(words).map(move |word| (word, unit)))
                .collect(),
        }
    }

    /// The names of all months.
    pub(super) fn months(&self) -> impl Iterator<Item = &String> {
        self.months.keys()
    }
}

impl Language {
    /// The month that a folded word names.
    pub fn month(&self, folded: &str) -> Option<u8> {
        self.dates.months.get(folded).copied()
    }

    /// Patterns for decades and centuries, longest first.
    pub fn date_patterns(&self) -> &[DatePattern] {
        &self.dates.patterns
    }

    /// Whether a folded phrase marks the year before it as before the common era.
    pub fn is_before_era(&self, folded: &str) -> bool {
        self.dates.before_era.iter().any(|known| known == folded)
    }

    /// Whether a folded word means a calendar year.
    pub fn is_year(&self, folded: &str) -> bool {
        self.calendar_unit(folded) == Some(CalendarUnit::Years(1))
    }

    /// The calendar unit that a folded word means.
    pub fn calendar_unit(&self, folded: &str) -> Option<CalendarUnit> {
        self.dates.units.iter().find(|(word, _)| word == folded).map(|(_, unit)| *unit)
    }

    /// Whether a folded word after digits marks them as a year: "1990 года".
    pub fn marks_year(&self, folded: &str) -> bool {
        self.dates.year_marks.iter().any(|known| known == folded)
    }
}

/// Longest first.
fn patterns(dates: &DatesTable) -> Vec<DatePattern> {
    let numbered = [(CalendarPeriod::Decade, &dates.decade), (CalendarPeriod::Century, &dates.century)];
    let named = dates.decades.iter().map(|(from, list)| (CalendarPeriod::DecadeFrom(*from), list));
    let phrased = numbered.into_iter().chain(named);
    let all = phrased.flat_map(|(stretch, list)| phrases(list).map(move |phrase| (stretch, phrase)));
    let mut found: Vec<DatePattern> =
        all.map(|(stretch, phrase)| DatePattern { stretch, parts: parts(phrase) }).collect();
    found.sort_by_key(|pattern| Reverse(pattern.parts.len()));
    found
}

/// `<decade>er jahre` → the number, "er", "jahre".
fn parts(phrase: &str) -> Vec<DatePart> {
    let mut found = Vec::new();
    for piece in phrase.split_inclusive('>') {
        let (words, slot) = piece.split_once('<').unwrap_or((piece, ""));
        found.extend(key(words).split_whitespace().map(|word| DatePart::Word(word.to_owned())));
        match slot {
            "decade>" => found.push(DatePart::Decade),
            "century>" => found.push(DatePart::Century),
            _ => {}
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use crate::language;

    #[test]
    fn a_word_behind_digits_may_say_that_they_are_a_year() {
        assert!(language("ru").unwrap().marks_year("году"));
        assert!(!language("ru").unwrap().marks_year("рублеи") && !language("en").unwrap().marks_year("year"));
    }
}
