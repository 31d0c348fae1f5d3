//! Formats dates and times of a language, by datatype. Years before the common era are left unchanged, because the datatypes
//! disagree on whether there is a year 0.

use super::TABLE;
use crate::Language;

impl Language {
    /// The formatted date or time for the local name of an XML Schema datatype; none for other datatypes, or if the text is not
    /// in its lexical form.
    pub fn written_time(&self, datatype: &str, text: &str) -> Option<String> {
        let text = text.trim();
        match datatype {
            "date" => date(self, without_zone(text)),
            "dateTime" | "dateTimeStamp" => moment(self, text),
            "gYear" => written_year(without_zone(text)),
            "gYearMonth" => month_of_year(self, without_zone(text)),
            "gMonthDay" => day_of_month(self, without_zone(text)),
            "gMonth" => month_of(self, without_zone(text).strip_prefix("--")?),
            _ => None,
        }
    }
}

/// A day in the form `YYYY-MM-DD`.
fn date(language: &Language, text: &str) -> Option<String> {
    let [year, month, day] = parts(text)?;
    Some(day_in(language, "day", day, month, year))
}

fn day_in(language: &Language, key: &'static str, day: &str, month: &str, year: &str) -> String {
    let Some(name) = month_of(language, month) else { return format!("{year}-{month}-{day}") };
    let number = day.trim_start_matches('0');
    let key = if key == "day" && number == "1" { "first_day" } else { key };
    language.say(TABLE, key, &[("day", number), ("month", &name), ("year", year)]).into_owned()
}

fn moment(language: &Language, text: &str) -> Option<String> {
    let (day, time) = text.split_once('T')?;
    let zone = time.find(['Z', '+', '-']).unwrap_or(time.len());
    let (clock, zone) = (time.get(..zone)?, time.get(zone..)?);
    let written = date(language, day)?;
    if is_midnight(clock) {
        return Some(written);
    }
    let clock = clock.get(..5)?;
    // The time zone belongs to the time; UTC is omitted.
    let time = if matches!(zone, "" | "Z" | "+00:00") { clock.to_owned() } else { format!("{clock} {zone}") };
    Some(language.say(TABLE, "at_time", &[("day", &written), ("time", &time)]).into_owned())
}

fn is_midnight(clock: &str) -> bool {
    clock.chars().all(|c| matches!(c, '0' | ':' | '.'))
}

/// The year as plain digits.
pub fn written_year(text: &str) -> Option<String> {
    let digits = text.strip_prefix('-').unwrap_or(text);
    is_number(digits).then(|| {
        let short = digits.trim_start_matches('0');
        let short = if short.is_empty() { "0" } else { short };
        if text.starts_with('-') { format!("-{short}") } else { short.to_owned() }
    })
}

fn month_of_year(language: &Language, text: &str) -> Option<String> {
    let (year, number) = text.rsplit_once('-')?;
    let (year, name) = (written_year(year)?, month_of(language, number)?);
    Some(language.say(TABLE, "month_year", &[("month", &name), ("year", &year)]).into_owned())
}

fn day_of_month(language: &Language, text: &str) -> Option<String> {
    let (month, day) = text.strip_prefix("--")?.split_once('-')?;
    is_number(day).then(|| day_in(language, "day_month", day, month, ""))
}

fn month_of(language: &Language, text: &str) -> Option<String> {
    let number: u8 = text.parse().ok().filter(|number| (1..=12).contains(number))?;
    Some(language.phrase(TABLE, &format!("month_{number}"))?.fill(&[]))
}

/// Year, month and day of a date in the common era.
fn parts(text: &str) -> Option<[&str; 3]> {
    let mut parts = text.split('-');
    let found = [parts.next()?, parts.next()?, parts.next()?];
    let whole = parts.next().is_none() && found.iter().all(|part| is_number(part));
    whole.then_some(found)
}

fn is_number(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit())
}

/// A date without its time zone, which people do not use for days.
fn without_zone(text: &str) -> &str {
    let text = text.strip_suffix('Z').unwrap_or(text);
    match text.rfind(['+', '-']) {
        Some(at) if text.get(at..).is_some_and(|zone| zone.len() == 6 && zone.contains(':')) => {
            text.get(..at).unwrap_or(text)
        }
        _ => text,
    }
}

#[cfg(test)]
mod tests {
    use crate::language;

    fn say(tag: &str, text: &str, datatype: &str) -> Option<String> {
        language(tag)?.written_time(datatype, text)
    }

    #[test]
    fn every_language_has_its_manner() {
        assert_eq!(say("en", "1999-05-03", "date").unwrap(), "3 May 1999");
        assert_eq!(say("de", "1999-05-03", "date").unwrap(), "3. Mai 1999");
        assert_eq!(say("es", "1999-05-03", "date").unwrap(), "3 de mayo de 1999");
        assert_eq!(say("fr", "1999-05-01", "date").unwrap(), "1er mai 1999");
        assert_eq!(say("fr", "1999-05-31Z", "date").unwrap(), "31 mai 1999");
        assert_eq!(say("it", "1999-05-01", "date").unwrap(), "1º maggio 1999");
        assert_eq!(say("nl", "1999-05-03", "date").unwrap(), "3 mei 1999");
        assert_eq!(say("ru", "1999-05-03", "date").unwrap(), "3 мая 1999 года");
        assert_eq!(say("zh", "1999-05-03", "date").unwrap(), "1999年5月3日");
        assert_eq!(say("pt", "1999-05-03", "date").unwrap(), "3 de maio de 1999");
    }

    #[test]
    fn each_datatype_says_what_it_knows() {
        assert_eq!(say("en", "2001-02-03T00:00:00Z", "dateTime").unwrap(), "3 February 2001");
        assert_eq!(say("de", "2001-02-03T14:30:00", "dateTime").unwrap(), "3. Februar 2001, 14:30 Uhr");
        assert_eq!(
            say("en", "2001-02-03T14:30:00+02:00", "dateTime").unwrap(),
            "3 February 2001, 14:30 +02:00"
        );
        assert_eq!(say("en", "2020-03", "gYearMonth").unwrap(), "March 2020");
        assert_eq!(say("en", "--12-24", "gMonthDay").unwrap(), "24 December");
        assert_eq!(say("de", "0753", "gYear").unwrap(), "753");
        assert_eq!(say("en", "-0044", "gYear").unwrap(), "-44");
    }

    #[test]
    fn what_is_not_written_as_it_should_be_is_left_alone() {
        for (text, datatype) in
            [("soon", "date"), ("1999", "date"), ("-0044-03-15", "date"), ("x", "gYear"), ("3", "integer")]
        {
            assert_eq!(say("en", text, datatype), None, "{text}");
        }
        assert_eq!(say("en", "1999-13-45", "date").unwrap(), "1999-13-45");
    }
}
