//! Points in time as `xsd:dateTime`, as in the RDF export of a Wikibase: Julian dates are converted to
//! Gregorian ones, parts finer than the precision become the first, and years BC are counted with a
//! year 0 (XSD 1.1), which the JSON does not have.

use crate::vocabulary::wikibase_values::JULIAN;

/// Values of `precision` in the JSON from which on the year and the month are known.
const YEAR: u64 = 9;
const MONTH: u64 = 10;
const DAY: u64 = 11;
/// The years whose Julian dates are converted, as in the export.
const CONVERTED: std::ops::RangeInclusive<i64> = -4_713..=1_465_072;

/// The time as `xsd:dateTime` without its datatype; `None` if it is not valid.
pub(super) fn date_time(time: &str, precision: u64, calendar: &str) -> Option<String> {
    let Parts { year, month, day, clock } = parts(time)?;
    if calendar == JULIAN && precision >= DAY && CONVERTED.contains(&year) {
        let (year, month, day) = gregorian(julian_day(year, month, day));
        return Some(written(year, month, day, clock));
    }
    let month = if precision <= YEAR { 1 } else { month };
    let day = if precision <= MONTH { 1 } else { day.min(days_in(astronomical(year), month)) };
    // For decades and coarser precisions, the RDF export keeps the number of the JSON, without a year 0.
    let year = if precision >= YEAR { astronomical(year) } else { year };
    Some(written(year, month, day, clock))
}

struct Parts<'a> {
    /// Never 0: the year before 1 is -1.
    year: i64,
    month: i64,
    day: i64,
    clock: &'a str,
}

/// `+1952-03-11T00:00:00Z` split into parts, with valid months and days.
fn parts(time: &str) -> Option<Parts<'_>> {
    let (date, clock) = time.split_once('T')?;
    let (negative, digits) = match date.strip_prefix('-') {
        Some(rest) => (true, rest),
        None => (false, date.strip_prefix('+').unwrap_or(date)),
    };
    let mut numbers = digits.splitn(3, '-').map(|text| {
        let digits = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
        digits.then(|| text.parse::<i64>().ok()).flatten()
    });
    let (year, month, day) = (numbers.next()??, numbers.next()??, numbers.next()??);
    let shape: String = clock.chars().map(|c| if c.is_ascii_digit() { '0' } else { c }).collect();
    let year = if negative { -year } else { year };
    (year != 0 && shape == "00:00:00Z").then_some(Parts {
        year,
        month: month.clamp(1, 12),
        day: day.clamp(1, 31),
        clock,
    })
}

fn written(year: i64, month: i64, day: i64, clock: &str) -> String {
    let sign = if year < 0 { "-" } else { "" };
    format!("{sign}{:04}-{month:02}-{day:02}T{clock}", year.unsigned_abs())
}

/// Converts to years with a year 0.
fn astronomical(year: i64) -> i64 {
    if year < 0 { year + 1 } else { year }
}

fn days_in(year: i64, month: i64) -> i64 {
    let leap = year.rem_euclid(4) == 0 && (year.rem_euclid(100) != 0 || year.rem_euclid(400) == 0);
    match month {
        2 => 28 + i64::from(leap),
        4 | 6 | 9 | 11 => 30,
        _ => 31,
    }
}

/// The Julian day number of a date in the Julian calendar.
fn julian_day(year: i64, month: i64, day: i64) -> i64 {
    // Years are counted from March, so that the leap day is the last day.
    let shift = (14 - month) / 12;
    let (years, months) = (astronomical(year) + 4_800 - shift, month + 12 * shift - 3);
    day + (153 * months + 2) / 5 + 365 * years + years.div_euclid(4) - 32_083
}

/// Year, month and day in the Gregorian calendar.
fn gregorian(day: i64) -> (i64, i64, i64) {
    let days = day + 32_044;
    let centuries = (4 * days + 3).div_euclid(146_097);
    let days = days - (146_097 * centuries).div_euclid(4);
    let years = (4 * days + 3).div_euclid(1_461);
    let days = days - (1_461 * years).div_euclid(4);
    let months = (5 * days + 2) / 153;
    let day = days - (153 * months + 2) / 5 + 1;
    (100 * centuries + years - 4_800 + months / 10, months + 3 - 12 * (months / 10), day)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const GREGORIAN: &str = "http://www.wikidata.org/entity/Q1985727";

    #[test]
    fn times_are_written_as_in_the_export() {
        let cases = [
            ("+1952-03-11T00:00:00Z", 11, GREGORIAN, Some("1952-03-11T00:00:00Z")),
            ("+2001-12-31T00:00:00Z", 9, GREGORIAN, Some("2001-01-01T00:00:00Z")),
            ("+2001-05-00T00:00:00Z", 10, GREGORIAN, Some("2001-05-01T00:00:00Z")),
            ("+00000001990-02-31T00:00:00Z", 11, GREGORIAN, Some("1990-02-28T00:00:00Z")),
            ("-0044-03-15T00:00:00Z", 11, JULIAN, Some("-0043-03-13T00:00:00Z")),
            ("-0001-00-00T00:00:00Z", 9, GREGORIAN, Some("0000-01-01T00:00:00Z")),
            ("-13798000000-00-00T00:00:00Z", 3, GREGORIAN, Some("-13798000000-01-01T00:00:00Z")),
            ("+1582-10-04T00:00:00Z", 11, JULIAN, Some("1582-10-14T00:00:00Z")),
            ("+1616-04-23T00:00:00Z", 11, JULIAN, Some("1616-05-03T00:00:00Z")),
            ("+1500-00-00T00:00:00Z", 9, JULIAN, Some("1500-01-01T00:00:00Z")),
            ("+12026-07-01T00:00:00Z", 11, GREGORIAN, Some("12026-07-01T00:00:00Z")),
            ("+0000-01-01T00:00:00Z", 11, GREGORIAN, None),
            ("about 1900", 9, GREGORIAN, None),
            ("+1900-01-01T25h", 11, GREGORIAN, None),
        ];
        for (time, precision, calendar, expected) in cases {
            assert_eq!(date_time(time, precision, calendar).as_deref(), expected, "{time}");
        }
    }

    proptest! {
        #[test]
        fn no_time_panics(time in "[+-]?[0-9]{0,20}-?[0-9é]{0,3}-?[0-9]{0,25}T?[0-9:Z]{0,10}", precision in 0_u64..20) {
            for calendar in [GREGORIAN, JULIAN, ""] {
                let _time = date_time(&time, precision, calendar);
            }
        }

        #[test]
        fn days_of_both_calendars_follow_each_other(day in 0_i64..5_000_000) {
            let ((_, m1, d1), (_, m2, d2)) = (gregorian(day), gregorian(day + 1));
            prop_assert!((m1 == m2 && d2 == d1 + 1) || d2 == 1, "{day}");
        }
    }
}
