//! A verified question with a name is a page of its own: what its name, its parameters in the address, its view and its age may be.

use super::key::tokens;
use super::{Parameter, VerifiedQuestion};
use eruca_language::text::fold;
use std::time::Duration;

/// Longest name of a page, and of a parameter in an address, in characters.
pub const MAX_SLUG_CHARS: usize = 64;
/// The views that the page has; one that does not fit the rows gives way to one that does.
pub const VIEWS: [&str; 9] = ["big", "verdict", "card", "list", "table", "bars", "time", "map", "graph"];
/// The shortest and the longest time for which a result is served from memory.
const MIN_REFRESH: Duration = Duration::from_secs(30);
const MAX_REFRESH: Duration = Duration::from_secs(30 * 86_400);
/// Parameters of the address that have a meaning of their own.
const TAKEN: [&str; 9] =
    ["dataset", "lang", "key", "embed", "labels", "spreadsheet", "offset", "limit", "graph"];
/// Units of durations, in seconds, the largest first.
const UNITS: [(char, u64); 4] = [('d', 86_400), ('h', 3_600), ('m', 60), ('s', 1)];

impl Parameter {
    /// Its name in an address.
    #[must_use]
    pub fn slug(&self) -> String {
        self.alias.clone().unwrap_or_else(|| slug(&self.name))
    }
}

impl VerifiedQuestion {
    /// The question with other names in the places of some parameters.
    #[must_use]
    pub fn with_names(&self, names: &[(&Parameter, &str)]) -> String {
        let words = tokens(&self.question);
        let place = |(parameter, name): &(&Parameter, &str)| {
            let known = tokens(&parameter.name);
            let mut windows = words.windows(known.len().max(1));
            let found = windows.find(|window| {
                window.iter().map(|word| &word.text).eq(known.iter().map(|word| &word.text))
            })?;
            Some((found.first()?.span.0, found.last()?.span.1, (*name).to_owned()))
        };
        let mut places: Vec<_> = names.iter().filter_map(place).collect();
        places.sort_by_key(|(from, ..)| std::cmp::Reverse(*from));
        let mut text = self.question.clone();
        places.into_iter().for_each(|(from, to, name)| text.replace_range(from..to, &name));
        text
    }

    /// Checks how it is shown.
    pub(super) fn check_page(&self) -> Result<(), String> {
        if let Some(name) = self.name.as_deref().filter(|name| !is_slug(name)) {
            return Err(wrong_slug("name", name));
        }
        if let Some(view) = self.view.as_deref().filter(|view| !VIEWS.contains(view)) {
            return Err(format!("there is no view '{view}'; there are {}", VIEWS.join(", ")));
        }
        if self.refresh.is_some_and(|every| !(MIN_REFRESH..=MAX_REFRESH).contains(&every)) {
            return Err("'refresh' must be between 30s and 30d".to_owned());
        }
        if self.name.is_none() && (self.view.is_some() || self.refresh.is_some() || self.stale) {
            return Err(
                "'view', 'refresh' and 'stale' need a 'name', under which the question is shown".to_owned()
            );
        }
        self.check_slugs()
    }

    fn check_slugs(&self) -> Result<(), String> {
        let mut known: Vec<String> = Vec::new();
        for parameter in &self.parameters {
            let slug = parameter.slug();
            if parameter.alias.is_some() && !is_slug(&slug) {
                return Err(wrong_slug("as", &slug));
            }
            // Without a page there is no address in which they could be mixed up.
            if self.name.is_some() && (slug.is_empty() || TAKEN.contains(&&*slug) || known.contains(&slug)) {
                return Err(format!(
                    "the parameter '{}' needs another name in the address than '{slug}'; give it one with 'as'",
                    parameter.name
                ));
            }
            known.push(slug);
        }
        Ok(())
    }
}

fn wrong_slug(key: &str, text: &str) -> String {
    format!(
        "'{key}' is '{text}'; it must have at most {MAX_SLUG_CHARS} small letters a to z, digits, '-' and '_', and begin with a letter or digit"
    )
}

/// Whether a text can be the name of a page.
#[must_use]
pub fn is_slug(text: &str) -> bool {
    let plain = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit();
    text.len() <= MAX_SLUG_CHARS
        && text.starts_with(plain)
        && text.chars().all(|c| plain(c) || matches!(c, '-' | '_'))
}

/// A name as it stands in an address: small letters and digits of any script, with `-` between the words.
fn slug(text: &str) -> String {
    let folded = fold(text);
    let words = folded.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
    words.collect::<Vec<_>>().join("-").chars().take(MAX_SLUG_CHARS).collect()
}

/// A duration like "90s", "10m", "1h" or "2d".
///
/// # Errors
/// What must be written, as a part of a sentence.
pub fn parse_duration(text: &str) -> Result<Duration, String> {
    let text = text.trim();
    let read = UNITS.iter().find_map(|(unit, seconds)| {
        let number = text.strip_suffix(*unit)?.trim_end().parse::<u32>().ok()?;
        Some(Duration::from_secs(u64::from(number) * seconds))
    });
    read.ok_or_else(|| {
        format!("'refresh' is '{text}'; write a duration like \"90s\", \"10m\", \"1h\" or \"2d\"")
    })
}

/// A duration as [`parse_duration`] reads it.
pub(super) fn written_duration(duration: Duration) -> String {
    let seconds = duration.as_secs();
    let fits = UNITS.iter().find(|(_, unit)| seconds.is_multiple_of(*unit));
    let (unit, length) = fits.copied().unwrap_or(('s', 1));
    format!("{}{unit}", seconds / length)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_in_addresses_are_plain() {
        assert!(is_slug("leaders-of_2") && is_slug("7"));
        for wrong in ["", "-a", "A", "a b", "a.csv", "a,b", "ä", &"a".repeat(65)] {
            assert!(!is_slug(wrong), "{wrong}");
        }
        assert_eq!(slug("Sales & Märkte (EU)"), "sales-markte-eu");
        assert_eq!(slug("&"), "");
    }

    #[test]
    fn durations_are_read_as_they_are_written() {
        for text in ["30s", "90s", "10m", "1h", "36h", "2d"] {
            assert_eq!(written_duration(parse_duration(text).unwrap()), text);
        }
        for wrong in ["", "10", "m", "-1m", "1.5h", "1w", "99999999999s"] {
            assert!(parse_duration(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn names_are_put_into_the_question() {
        let parameter = |name: &str| Parameter { name: name.to_owned(), ..Parameter::default() };
        let (town, ford) = (parameter("old town"), parameter("Ford"));
        let roads = VerifiedQuestion {
            question: "Which roads go from Old Town to Ford?".to_owned(),
            ..VerifiedQuestion::default()
        };
        let text = roads.with_names(&[(&town, "Ü"), (&ford, "the new port")]);
        assert_eq!(text, "Which roads go from Ü to the new port?");
        assert_eq!(roads.with_names(&[(&parameter("Mill"), "x")]), roads.question);
    }

    #[test]
    fn what_a_page_cannot_be_is_told() {
        let parameter = |name: &str, alias: Option<&str>| Parameter {
            name: name.to_owned(),
            value: "<http://e.x/a>".to_owned(),
            alias: alias.map(str::to_owned),
        };
        let page = |parameters: &[Parameter]| VerifiedQuestion {
            name: Some("leaders".to_owned()),
            parameters: parameters.to_vec(),
            ..VerifiedQuestion::default()
        };
        let wrong = |question: VerifiedQuestion| question.check_page().unwrap_err();
        assert!(page(&[parameter("Sales", None), parameter("Old Town", Some("town"))]).check_page().is_ok());
        let told = [
            wrong(VerifiedQuestion { name: Some("Leaders".to_owned()), ..page(&[]) }),
            wrong(VerifiedQuestion { view: Some("pie".to_owned()), ..page(&[]) }),
            wrong(VerifiedQuestion { refresh: Some(Duration::from_secs(29)), ..page(&[]) }),
            wrong(VerifiedQuestion { name: None, view: Some("map".to_owned()), ..page(&[]) }),
            wrong(page(&[parameter("Sales", Some("key"))])),
            wrong(page(&[parameter("Sales", None), parameter("SALES!", None)])),
        ];
        insta::assert_snapshot!(told.join("\n"), @r"
        'name' is 'Leaders'; it must have at most 64 small letters a to z, digits, '-' and '_', and begin with a letter or digit
        there is no view 'pie'; there are big, verdict, card, list, table, bars, time, map, graph
        'refresh' must be between 30s and 30d
        'view', 'refresh' and 'stale' need a 'name', under which the question is shown
        the parameter 'Sales' needs another name in the address than 'key'; give it one with 'as'
        the parameter 'SALES!' needs another name in the address than 'sales'; give it one with 'as'
        ");
    }
}
