//! The unit of a property's numbers, where its name, its local name or the datatype of its values tells it; no guess.

use eruca_indexer::DatasetIndex;
use eruca_language::text::{fold, humanize, normalize_word};
use eruca_language::{divides_units, language, languages, unit_symbol};
use eruca_sparql::{Term, XSD, local_name};

/// Words of the longest unit: "cubic metres per second".
const MAX_UNIT_WORDS: usize = 4;

/// A name without its unit, and the unit.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct NameWithUnit {
    /// What is measured.
    pub title: String,
    /// In what.
    pub unit: &'static str,
}

/// The unit that a name says at its end: "length in km", "length (km)".
pub(crate) fn in_name(name: &str) -> Option<NameWithUnit> {
    in_brackets(name).or_else(|| at_the_end(name))
}

/// The unit that a local name says at its end: `lengthKm`, `area_m2`.
pub(crate) fn in_local_name(iri: &str) -> Option<&'static str> {
    Some(at_the_end(&humanize(local_name(iri)))?.unit)
}

/// The unit that the datatype of all values says; those of XML Schema say none.
pub(crate) fn in_datatypes<'t>(terms: impl Iterator<Item = &'t Term>) -> Option<&'static str> {
    let mut found = None;
    for term in terms {
        let Term::Literal(literal) = term else { return None };
        let datatype = literal.datatype().as_str();
        let unit = (!datatype.starts_with(XSD)).then(|| unit_symbol(&humanize(local_name(datatype))))??;
        if found.is_some_and(|known| known != unit) {
            return None;
        }
        found = Some(unit);
    }
    found
}

fn in_brackets(name: &str) -> Option<NameWithUnit> {
    let open = name.rfind(['(', '['])?;
    let inner = name.get(open + 1..)?.trim_end().strip_suffix([')', ']'])?;
    let inner = inner.trim();
    let last = inner.rsplit(' ').next().unwrap_or(inner);
    let inner = if preposition(inner.split(' ').next()?) { last } else { inner };
    measured(name.get(..open)?, unit_symbol(inner)?)
}

fn at_the_end(name: &str) -> Option<NameWithUnit> {
    let words: Vec<&str> = name.split_whitespace().collect();
    let most = MAX_UNIT_WORDS.min(words.len().checked_sub(1)?);
    let (length, unit) = (1..=most).rev().find_map(|length| {
        let phrase = words.get(words.len() - length..)?.join(" ");
        Some((length, unit_symbol(&phrase)?))
    })?;
    let before = words.get(..words.len() - length)?;
    let last = before.last()?;
    if divides_units(&fold(last)) {
        return None;
    }
    if preposition(last) {
        return measured(&before.get(..before.len() - 1)?.join(" "), unit);
    }
    let phrase = words.get(words.len() - length..)?.join(" ");
    (phrase.chars().count() > 1 || is_measured(&phrase, before)).then(|| measured(&before.join(" "), unit))?
}

fn measured(title: &str, unit: &'static str) -> Option<NameWithUnit> {
    let title = title.trim().trim_end_matches([',', '-', ':']).trim();
    (!title.is_empty()).then(|| NameWithUnit { title: title.to_owned(), unit })
}

/// A single letter is a unit where it stands behind a noun that it measures: "height m", not "vitamin c".
fn is_measured(unit: &str, words: &[&str]) -> bool {
    let unit = fold(unit);
    let nouns = |tag| language(tag).and_then(|language| language.unit(&unit));
    languages()
        .filter_map(|language| nouns(language.tag()))
        .any(|nouns| words.iter().any(|word| nouns.iter().any(|noun| *noun == normalize_word(word))))
}

fn preposition(word: &str) -> bool {
    let folded = fold(word);
    languages().any(|language| !language.roles(&folded).is_empty())
}

/// The unit of a property: of its label in any language, of its local name.
pub(crate) fn of_property(index: &DatasetIndex, property: &str, shown: &str) -> Option<NameWithUnit> {
    in_name(shown).or_else(|| {
        let labels = index.card.property(property).into_iter().flat_map(|card| &card.labels);
        let elsewhere = labels.into_iter().find_map(|label| Some(in_name(&label.text)?.unit));
        let unit = elsewhere.or_else(|| in_local_name(property))?;
        Some(NameWithUnit { title: shown.to_owned(), unit })
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use eruca_sparql::{Literal, NamedNode};

    #[test]
    fn names_that_end_with_a_unit_tell_it() {
        let told = |name: &str| in_name(name).map(|found| (found.title, found.unit));
        for (name, title, unit) in [
            ("length in km", "length", "km"),
            ("Länge (km)", "Länge", "km"),
            ("Gewicht in kg", "Gewicht", "kg"),
            ("superficie en kilómetros cuadrados", "superficie", "km²"),
            ("price [€]", "price", "EUR"),
            ("price (in EUR)", "price", "EUR"),
            ("inhabitants per km2", "inhabitants", "/km²"),
            ("height m", "height", "m"),
            ("share (%)", "share", "%"),
        ] {
            assert_eq!(told(name), Some((title.to_owned(), unit)), "{name}");
        }
    }

    #[test]
    fn local_names_tell_units_too() {
        assert_eq!(in_local_name("http://e/lengthKm"), Some("km"));
        assert_eq!(in_local_name("http://e/areaKm2"), Some("km²"));
        assert_eq!(in_local_name("http://e/elevationM"), Some("m"));
        assert_eq!(in_local_name("http://e/flowM3PerS"), Some("m³/s"));
    }

    #[test]
    fn nothing_is_guessed() {
        for name in
            ["population", "vitamin c", "km", "trips per km", "class a", "metres", "team s", "(km)", ""]
        {
            assert_eq!(in_name(name), None, "{name}");
        }
    }

    #[test]
    fn datatypes_tell_units_when_all_agree() {
        let value =
            |datatype: &str| Term::from(Literal::new_typed_literal("3", NamedNode::new(datatype).unwrap()));
        let (km, kg) = (value("http://e/type/kilometre"), value("http://e/type/kilogram"));
        let integer = value("http://www.w3.org/2001/XMLSchema#integer");
        assert_eq!(in_datatypes([&km, &km].into_iter()), Some("km"));
        assert_eq!(in_datatypes([&km, &kg].into_iter()), None);
        assert_eq!(in_datatypes([&integer].into_iter()), None);
    }
}
