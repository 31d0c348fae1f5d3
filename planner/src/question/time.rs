//! Days, and the precision of times.

use std::fmt;

/// A day of the Gregorian calendar.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Day {
    /// The year; in years before the common era -1 is the first, as in `xsd:date` 1.0.
    pub year: i32,
    /// From 1.
    pub month: u8,
    /// From 1.
    pub day: u8,
}

/// The precision of a time.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Precision {
    /// One day.
    Day,
    /// One month.
    Month,
    /// One year.
    Year,
    /// Ten years.
    Decade,
    /// A hundred years.
    Century,
}

impl Day {
    /// A day, if it exists in the calendar.
    pub fn new(year: i32, month: u8, day: u8) -> Option<Self> {
        let valid = (1..=12).contains(&month) && (1..=days_of(year, month)).contains(&day);
        valid.then_some(Self { year, month, day })
    }

    /// The first day of a year.
    pub(super) fn first_of(year: i32) -> Self {
        Self { year, month: 1, day: 1 }
    }

    /// The last day of a year.
    pub(super) fn last_of(year: i32) -> Self {
        Self { year, month: 12, day: 31 }
    }

    /// The first and the last day of a month.
    pub(super) fn month_of(year: i32, month: u8) -> Option<(Self, Self)> {
        Some((Self::new(year, month, 1)?, Self::new(year, month, days_of(year, month))?))
    }
}

fn days_of(year: i32, month: u8) -> u8 {
    let leap = (year % 4 == 0 && year % 100 != 0) || year % 400 == 0;
    match month {
        2 if leap => 29,
        2 => 28,
        4 | 6 | 9 | 11 => 30,
        _ => 31,
    }
}

impl fmt::Display for Day {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let sign = if self.year < 0 { "-" } else { "" };
        write!(f, "{sign}{:04}-{:02}-{:02}", self.year.unsigned_abs(), self.month, self.day)
    }
}
