//! Times: days, months, years, decades, centuries.

use super::{Day, ParsedQuestion, Period, Precision, Span, Word, quotes};
use eruca_language::{CalendarPeriod, DatePart, DatePattern, Role};

/// Four-digit numbers that may be years.
const YEARS: std::ops::RangeInclusive<i32> = 1000..=2100;
/// Two-digit decades up to this one belong to the current century.
const THIS_CENTURY: i32 = 20;
/// Values of Roman numerals.
const ROMAN: &[(char, i32)] = &[('i', 1), ('v', 5), ('x', 10), ('l', 50), ('c', 100)];
/// The last century recognized.
const MAX_CENTURY: i32 = 21;

/// The times of a question, in order, the longest at each position.
pub(super) fn find(question: &ParsedQuestion) -> Vec<Period> {
    let mut found = Vec::new();
    let mut at = 0;
    while at < question.len() {
        match read(question, at).filter(|_| !quotes::holds(question, at)) {
            Some(period) => {
                at = usize::from(period.span.to);
                found.push(period);
            }
            None => at += 1,
        }
    }
    found
}

fn read(question: &ParsedQuestion, at: usize) -> Option<Period> {
    in_digits(question, at)
        .or_else(|| year_first(question, at))
        .or_else(|| day_month_year(question, at))
        .or_else(|| month_day_year(question, at))
        .or_else(|| month_year(question, at))
        .or_else(|| of_next_year(question, at))
        .or_else(|| stretch(question, at))
        .or_else(|| year(question, at))
}

fn day(from: usize, to: usize, day: Day) -> Period {
    Period { span: Span::new(from, to), from: day, to: day, grain: Precision::Day }
}

/// "15.03.2010", "2010-03-15", "3/15/2010".
fn in_digits(question: &ParsedQuestion, at: usize) -> Option<Period> {
    let first = question.words.get(at)?;
    let glued: Vec<i32> = first.raw.split('.').map_while(|part| part.parse().ok()).collect();
    if let [a, b, c] = glued[..] {
        return Some(day(at, at + 1, ordered(question, [a, b, c], '.')?));
    }
    let (second, third) = (question.words.get(at + 1)?, question.words.get(at + 2)?);
    let mark = mark_between(question, first, second)?;
    if !['-', '/', '.'].contains(&mark) || mark_between(question, second, third)? != mark {
        return None;
    }
    let numbers = [first.raw.parse().ok()?, second.raw.parse().ok()?, third.raw.parse().ok()?];
    Some(day(at, at + 3, ordered(question, numbers, mark)?))
}

/// A four-digit year comes first or last; where the month precedes the day, the separator is a slash.
fn ordered(question: &ParsedQuestion, numbers: [i32; 3], mark: char) -> Option<Day> {
    let [a, b, c] = numbers;
    let small = |number: i32| u8::try_from(number).ok();
    if YEARS.contains(&a) {
        return Day::new(a, small(b)?, small(c)?);
    }
    let year = Some(c).filter(|year| YEARS.contains(year))?;
    let month_first = question.language.has_month_first() && mark == '/';
    let (first, second) = if month_first { (b, a) } else { (a, b) };
    Day::new(year, small(second)?, small(first)?).or_else(|| Day::new(year, small(first)?, small(second)?))
}

/// The single character between two words.
fn mark_between(question: &ParsedQuestion, before: &Word, after: &Word) -> Option<char> {
    let mut between = question.text.get(before.bytes.1..after.bytes.0)?.chars();
    between.next().filter(|_| between.next().is_none())
}

/// A date with the year first: year, month and day, or year and month.
fn year_first(question: &ParsedQuestion, at: usize) -> Option<Period> {
    let (year, behind) = year_at(question, at).filter(|_| question.language.has_year_first())?;
    let (month, behind) = month_at(question, behind)?;
    let number = day_number(question, behind).and_then(|number| Day::new(year, month, number));
    let (from, until) = Day::month_of(year, month)?;
    Some(match number {
        Some(number) => day(at, behind + 1, number),
        None => Period { span: Span::new(at, behind), from, to: until, grain: Precision::Month },
    })
}

/// "3 May 1999", "3rd of May 1999", "3. Mai 1999", "3 de mayo de 1999".
fn day_month_year(question: &ParsedQuestion, at: usize) -> Option<Period> {
    let number = day_number(question, at)?;
    let (month, behind) = month_at(question, joined(question, at + 1))?;
    let (year, to) = year_at(question, joined(question, behind))?;
    Some(day(at, to, Day::new(year, month, number)?))
}

/// "May 3, 1999".
fn month_day_year(question: &ParsedQuestion, at: usize) -> Option<Period> {
    let (month, behind) = month_at(question, at)?;
    let number = day_number(question, behind)?;
    let (year, to) = year_at(question, behind + 1)?;
    Some(day(at, to, Day::new(year, month, number)?))
}

/// "1 May" and "May" before "and 31 August 2022" share the year given once.
fn of_next_year(question: &ParsedQuestion, at: usize) -> Option<Period> {
    let number = day_number(question, at).filter(|_| month_at(question, joined(question, at + 1)).is_some());
    let (month, to) = match number {
        Some(_) => month_at(question, joined(question, at + 1))?,
        None => month_at(question, at)?,
    };
    let next = day_month_year(question, to + 1)
        .or_else(|| month_day_year(question, to + 1))
        .or_else(|| month_year(question, to + 1))?;
    let (from, until) = Day::month_of(next.from.year, month)?;
    match number {
        Some(number) => Some(day(at, to, Day::new(next.from.year, month, number)?)),
        None => Some(Period { span: Span::new(at, to), from, to: until, grain: Precision::Month }),
    }
}

/// "May 1999".
fn month_year(question: &ParsedQuestion, at: usize) -> Option<Period> {
    let (month, behind) = month_at(question, at)?;
    let (year, to) = year_at(question, joined(question, behind))?;
    let (from, until) = Day::month_of(year, month)?;
    Some(Period { span: Span::new(at, to), from, to: until, grain: Precision::Month })
}

fn day_number(question: &ParsedQuestion, at: usize) -> Option<u8> {
    let word = question.words.get(at)?;
    let listed = question.ordinals.iter().find(|found| found.span == Span::new(at, at + 1));
    let number = listed.map(|found| found.place).or_else(|| word.raw.parse().ok())?;
    u8::try_from(number).ok().filter(|day| (1..=31).contains(day))
}

fn month_at(question: &ParsedQuestion, at: usize) -> Option<(u8, usize)> {
    let word = question.words.get(at)?;
    Some((question.language.month(&word.folded)?, at + 1))
}

/// A plain four-digit number that may be a year; or a shorter one followed by a word for it: "988 году".
fn year_at(question: &ParsedQuestion, at: usize) -> Option<(i32, usize)> {
    let word = question.words.get(at)?;
    let year: i32 = word.raw.parse().ok().filter(|_| word.raw.len() <= 4)?;
    let next = question.words.get(at + 1).filter(|next| next.broken.is_none());
    if next.is_some_and(|next| question.language.marks_year(&next.folded)) {
        return (1..=*YEARS.end()).contains(&year).then_some((year, at + 2));
    }
    // Where dates begin with the year, a word for "year" may follow it.
    let said = question.language.has_year_first()
        && next.is_some_and(|next| next.bytes.0 == word.bytes.1 && question.language.is_year(&next.folded));
    (word.raw.len() == 4 && YEARS.contains(&year)).then_some((year, at + 1 + usize::from(said)))
}

/// Skips a preposition that joins the parts of a date: "May of 1999".
fn joined(question: &ParsedQuestion, at: usize) -> usize {
    let word = question.words.get(at).filter(|word| word.broken.is_none());
    let joins = word.is_some_and(|word| question.language.roles(&word.folded).contains(&Role::Of));
    at + usize::from(joins)
}

/// A lone year, unless the number is scaled or a percentage.
fn year(question: &ParsedQuestion, at: usize) -> Option<Period> {
    if let Some(found) = before_era(question, at) {
        return Some(found);
    }
    let (year, to) = year_at(question, at)?;
    let number = Span::new(at, at + 1);
    let plain = question.numerals.iter().any(|found| found.span == number && !found.percent);
    let (from, until) = (Day::first_of(year), Day::last_of(year));
    plain.then_some(Period { span: Span::new(at, to), from, to: until, grain: Precision::Year })
}

/// "44 BC".
fn before_era(question: &ParsedQuestion, at: usize) -> Option<Period> {
    let year: i32 = question.words.get(at)?.raw.parse().ok().filter(|year| (1..=9999).contains(year))?;
    let length = (1..=3).rev().find(|length| {
        let span = Span::new(at + 1, at + 1 + length);
        let phrase: Vec<&str> = question.words_of(span).iter().map(|word| word.folded.as_str()).collect();
        question.language.is_before_era(&phrase.join(" "))
    })?;
    let (from, to) = (Day::first_of(-year), Day::last_of(-year));
    Some(Period { span: Span::new(at, at + 1 + length), from, to, grain: Precision::Year })
}

/// A decade or a century, by patterns of the language.
fn stretch(question: &ParsedQuestion, at: usize) -> Option<Period> {
    question.language.date_patterns().iter().find_map(|pattern| {
        let words = question.words.get(at..at + pattern.parts.len())?;
        let span = Span::new(at, at + pattern.parts.len());
        let unbroken = !question.is_broken(span) && !pattern.parts.is_empty();
        let numbers: Vec<Option<i32>> = words
            .iter()
            .zip(&pattern.parts)
            .map(|(word, part)| fits(question, word, part))
            .collect::<Option<_>>()?;
        let number = numbers.into_iter().flatten().next();
        unbroken.then(|| of_pattern(pattern, number, span)).flatten()
    })
}

/// Whether a word matches a part of a pattern: `Some(None)` for a literal word.
fn fits(question: &ParsedQuestion, word: &Word, part: &DatePart) -> Option<Option<i32>> {
    match part {
        DatePart::Word(expected) => (word.folded == *expected).then_some(None),
        DatePart::Decade => decade(&word.raw).map(Some),
        DatePart::Century => century(question, word).map(Some),
    }
}

/// "1990", or "90" in the most likely century.
fn decade(raw: &str) -> Option<i32> {
    let number: i32 = raw.parse().ok().filter(|number| number % 10 == 0)?;
    match raw.len() {
        4 => Some(number).filter(|year| YEARS.contains(year)),
        2 if number <= THIS_CENTURY => Some(2000 + number),
        2 => Some(1900 + number),
        _ => None,
    }
}

fn century(question: &ParsedQuestion, word: &Word) -> Option<i32> {
    let ordinal = question.language.ordinal(&word.folded).and_then(|place| i32::try_from(place).ok());
    let number = ordinal.or_else(|| word.raw.parse().ok()).or_else(|| roman(question, &word.folded))?;
    (1..=MAX_CENTURY).contains(&number).then_some(number)
}

/// "xx", or "xxe" where the language writes ordinals that way.
fn roman(question: &ParsedQuestion, folded: &str) -> Option<i32> {
    let plain = roman_digits(folded);
    plain.or_else(|| roman_digits(question.language.without_ordinal_suffix(folded)?))
}

fn roman_digits(text: &str) -> Option<i32> {
    let value = |c: char| ROMAN.iter().find(|(digit, _)| *digit == c).map(|(_, value)| *value);
    let values: Vec<i32> = text.chars().map(value).collect::<Option<_>>()?;
    let next = values.iter().skip(1).copied().chain([0]);
    let sum = values.iter().zip(next).map(|(value, next)| if *value < next { -value } else { *value }).sum();
    (!values.is_empty()).then_some(sum)
}

fn of_pattern(pattern: &DatePattern, number: Option<i32>, span: Span) -> Option<Period> {
    let (first, years, grain) = match pattern.stretch {
        CalendarPeriod::DecadeFrom(year) => (year, 10, Precision::Decade),
        CalendarPeriod::Decade => (number?, 10, Precision::Decade),
        CalendarPeriod::Century => ((number? - 1) * 100 + 1, 100, Precision::Century),
    };
    Some(Period { span, from: Day::first_of(first), to: Day::last_of(first + years - 1), grain })
}
