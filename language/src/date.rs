//! Names of months, and how a language says decades and centuries.

use super::Language;
use super::pack::NumbersAndDates;
use super::phrases::{key, keys, phrases};
use crate::text::fold;
use rustc_hash::FxHashMap;
use serde::Deserialize;
use std::cmp::Reverse;
use std::collections::BTreeMap;

/// A part of a pattern of dates.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum DatePart {
    /// This very word, folded.
    Word(String),
    /// The number of a decade: 1990, or 90.
    Decade,
    /// The number of a century, as an ordinal, in Roman or in plain digits.
    Century,
}

/// What a pattern of dates stands for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Stretch {
    /// Ten years, which the pattern's number names.
    Decade,
    /// A hundred years, which the pattern's number names.
    Century,
    /// The ten years from this one.
    DecadeFrom(i32),
}

/// Words that say a stretch of time.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DatePattern {
    /// What they stand for.
    pub stretch: Stretch,
    /// The words.
    pub parts: Vec<DatePart>,
}

/// A unit of the calendar that things can be counted by.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CalendarUnit {
    /// So many years: a year, a decade, a century.
    Years(u16),
    /// A month of any year.
    Month,
}

/// In which order dates in digits are written.
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

/// How a pack says dates; `<decade>` and `<century>` in a phrase stand for the number.
#[derive(Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(super) struct DatesTable {
    order: DateOrder,
    decade: String,
    century: String,
    /// Names of decades, by the first year.
    decades: BTreeMap<i32, String>,
    bc: String,
    marks_year: String,
    year: String,
    month: String,
    ten_years: String,
    hundred_years: String,
}

/// The dates of a language.
#[derive(Debug, Default)]
pub(super) struct Dates {
    months: FxHashMap<String, u8>,
    patterns: Vec<DatePattern>,
    pub(super) order: DateOrder,
    before_era: Vec<String>,
    /// Words behind the digits of a year.
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

    /// How decades and centuries are said, the longest pattern first.
    pub fn date_patterns(&self) -> &[DatePattern] {
        &self.dates.patterns
    }

    /// Whether a folded phrase says that the year before it is one before the common era.
    pub fn is_before_era(&self, folded: &str) -> bool {
        self.dates.before_era.iter().any(|known| known == folded)
    }

    /// Whether a folded word means a calendar year.
    pub fn is_year(&self, folded: &str) -> bool {
        self.calendar_unit(folded) == Some(CalendarUnit::Years(1))
    }

    /// The unit of the calendar that a folded word means.
    pub fn calendar_unit(&self, folded: &str) -> Option<CalendarUnit> {
        self.dates.units.iter().find(|(word, _)| word == folded).map(|(_, unit)| *unit)
    }

    /// Whether a folded word behind digits says that they are a year: "1990 года".
    pub fn marks_year(&self, folded: &str) -> bool {
        self.dates.year_marks.iter().any(|known| known == folded)
    }
}

/// The longest first.
fn patterns(dates: &DatesTable) -> Vec<DatePattern> {
    let numbered = [(Stretch::Decade, &dates.decade), (Stretch::Century, &dates.century)];
    let named = dates.decades.iter().map(|(from, list)| (Stretch::DecadeFrom(*from), list));
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
