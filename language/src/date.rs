//! Names of months, and how a language says decades and centuries.

use super::Language;
use super::files::{Files, key, phrases};
use crate::text::fold;
use rustc_hash::FxHashMap;

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

/// The dates of a language.
#[derive(Debug, Default)]
pub(super) struct Dates {
    months: FxHashMap<String, u8>,
    pub(super) patterns: Vec<DatePattern>,
    pub(super) month_first: bool,
    /// Dates are said from the year to the day.
    pub(super) year_first: bool,
    pub(super) before_era: Vec<String>,
    /// Words behind the digits of a year.
    pub(super) year_marks: Vec<String>,
    /// Words for years, months, decades and centuries.
    pub(super) units: Vec<(String, CalendarUnit)>,
}

impl Dates {
    pub(super) fn read(files: &mut Files) -> Self {
        let mut found = Self::default();
        files.each_pair("months", |number, names| {
            let number: u8 = number.parse().ok().filter(|number| (1..=12).contains(number))?;
            found.months.extend(names.split_whitespace().map(|name| (fold(name), number)));
            Some(())
        });
        files.each_pair("dates", |name, list| found.add(name, list));
        // The longest first.
        found.patterns.sort_by_key(|pattern| std::cmp::Reverse(pattern.parts.len()));
        found
    }

    fn add(&mut self, name: &str, list: &str) -> Option<()> {
        let stretch = match name.split_once(' ') {
            Some(("decade", from)) => Stretch::DecadeFrom(from.trim().parse().ok()?),
            Some(_) => return None,
            None => match name {
                "decade" => Stretch::Decade,
                "century" => Stretch::Century,
                "order" => return self.add_order(list),
                "before era" | "bc" => {
                    self.before_era.extend(phrases(list).map(key));
                    return Some(());
                }
                "marks-year" => {
                    self.year_marks.extend(phrases(list).map(key));
                    return Some(());
                }
                _ => return self.add_unit(name, list),
            },
        };
        self.patterns.extend(phrases(list).map(|phrase| DatePattern { stretch, parts: parts(phrase) }));
        Some(())
    }

    fn add_unit(&mut self, name: &str, list: &str) -> Option<()> {
        let unit = match name {
            "year" => CalendarUnit::Years(1),
            "ten-years" => CalendarUnit::Years(10),
            "hundred-years" => CalendarUnit::Years(100),
            "month" => CalendarUnit::Month,
            _ => return None,
        };
        self.units.extend(phrases(list).map(|word| (key(word), unit)));
        Some(())
    }

    fn add_order(&mut self, list: &str) -> Option<()> {
        (self.month_first, self.year_first) = match list {
            "month day year" => (true, false),
            "day month year" => (false, false),
            "year month day" => (true, true),
            _ => return None,
        };
        Some(())
    }

    /// The names of all months.
    pub(super) fn months(&self) -> impl Iterator<Item = &String> {
        self.months.keys()
    }

    pub(super) fn month(&self, folded: &str) -> Option<u8> {
        self.months.get(folded).copied()
    }
}

impl Language {
    /// Whether a folded word behind digits says that they are a year: "1990 года".
    pub fn marks_year(&self, folded: &str) -> bool {
        self.dates.year_marks.iter().any(|known| known == folded)
    }
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
