//! Dates as texts: `YYYY-MM-DD`, also with a time behind it, `YYYY-MM` and `YYYY`, with a sign for years before 1.

use mlua::{Lua, Result, Table};
use time::{Date, Month};

/// The functions for dates, as globals.
pub(crate) fn define(lua: &Lua, globals: &Table) -> Result<()> {
    let days =
        |_: &Lua, (from, to): (String, String)| Ok(day(&to)?.to_julian_day() - day(&from)?.to_julian_day());
    globals.raw_set("days_between", lua.create_function(days)?)?;
    let years = |_: &Lua, (from, to): (String, String)| Ok(whole_years(day(&from)?, day(&to)?));
    globals.raw_set("years_between", lua.create_function(years)?)?;
    let add = |_: &Lua, (date, days): (String, i64)| add(&date, days);
    globals.raw_set("add_days", lua.create_function(add)?)?;
    globals.raw_set("year", lua.create_function(|_, date: String| Ok(read(&date)?.0))?)?;
    let month = |_: &Lua, date: String| read(&date)?.1.ok_or_else(|| wrong(&date, "has no month"));
    globals.raw_set("month", lua.create_function(month)?)?;
    let of_month = |_: &Lua, date: String| read(&date)?.2.ok_or_else(|| wrong(&date, "has no day"));
    globals.raw_set("day", lua.create_function(of_month)?)?;
    let weekday = |_: &Lua, date: String| Ok(day(&date)?.weekday().number_from_monday());
    globals.raw_set("weekday", lua.create_function(weekday)?)
}

fn wrong(date: &str, why: &str) -> mlua::Error {
    let shown: String = date.chars().take(40).collect();
    mlua::Error::runtime(format!("\"{shown}\" {why}"))
}

/// Year, month and day, as far as they are given.
fn read(text: &str) -> Result<(i32, Option<u8>, Option<u8>)> {
    let error = || wrong(text, "is no date: a date is YYYY-MM-DD, YYYY-MM or YYYY");
    let trimmed = text.trim();
    let (sign, rest) = trimmed.strip_prefix('-').map_or((1, trimmed), |rest| (-1, rest));
    let date = rest.split(['T', ' ']).next().unwrap_or_default();
    let mut parts = date.trim_end_matches('Z').split('-');
    let number = |part: &str, digits: std::ops::RangeInclusive<usize>| {
        let plain = digits.contains(&part.len()) && part.bytes().all(|byte| byte.is_ascii_digit());
        plain.then(|| part.parse::<i32>().ok()).flatten().ok_or_else(error)
    };
    let year = sign * number(parts.next().unwrap_or_default(), 4..=6)?;
    let mut small = |most: i32| match parts.next() {
        None => Ok(None),
        Some(part) => {
            let value = number(part, 2..=2)?;
            let fits = (1..=most).contains(&value);
            u8::try_from(value).ok().filter(|_| fits).map(Some).ok_or_else(error)
        }
    };
    let (month, day) = (small(12)?, small(31)?);
    if parts.next().is_some() { Err(error()) } else { Ok((year, month, day)) }
}

/// The day that a date is; the first one of a month or a year.
fn day(text: &str) -> Result<Date> {
    let (year, month, day) = read(text)?;
    let month = Month::try_from(month.unwrap_or(1)).map_err(|_| wrong(text, "has no such month"))?;
    Date::from_calendar_date(year, month, day.unwrap_or(1))
        .map_err(|_| wrong(text, "is no day of the calendar"))
}

/// Birthdays from one day to another.
fn whole_years(from: Date, to: Date) -> i32 {
    let before = (u8::from(to.month()), to.day()) < (u8::from(from.month()), from.day());
    to.year() - from.year() - i32::from(before)
}

fn add(date: &str, days: i64) -> Result<String> {
    let outside = || wrong(date, "plus so many days is outside the calendar");
    let number = i64::from(day(date)?.to_julian_day()).checked_add(days).ok_or_else(outside)?;
    let number = i32::try_from(number).map_err(|_| outside())?;
    let date = Date::from_julian_day(number).map_err(|_| outside())?;
    Ok(format!("{:04}-{:02}-{:02}", date.year(), u8::from(date.month()), date.day()))
}
