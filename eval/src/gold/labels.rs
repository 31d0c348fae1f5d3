//! What the label service of Wikidata does, as SPARQL.

use super::tokens::Token;
use std::collections::BTreeSet;
use std::fmt::Write as _;

/// Names of variables that the service fills by themselves, with the property that it takes.
const BY_NAME: [(&str, &str); 3] = [
    ("AltLabel", "http://www.w3.org/2004/02/skos/core#altLabel"),
    ("Label", "http://www.w3.org/2000/01/rdf-schema#label"),
    ("Description", "http://schema.org/description"),
];
/// The same for properties that are written in the service, by their usual prefixed names.
const BY_PROPERTY: [(&str, &str); 3] = [
    ("skos:altLabel", "http://www.w3.org/2004/02/skos/core#altLabel"),
    ("rdfs:label", "http://www.w3.org/2000/01/rdf-schema#label"),
    ("schema:description", "http://schema.org/description"),
];
/// The language where the service names none: what its pages show to most people.
const LANGUAGE: &str = "en";

/// The patterns that give labels to variables. `inside` is what stands in the service, `outside` the rest of the query.
pub(super) fn labels<'a>(inside: &[Token<'_>], outside: impl Iterator<Item = &'a Token<'a>>) -> String {
    let language = language(inside);
    let written: Vec<(&str, &str, &str)> = inside
        .windows(3)
        .filter_map(|three| {
            let [subject, property, object] = three else { return None };
            let (_, iri) = BY_PROPERTY.iter().find(|(name, _)| property.text == *name)?;
            Some((subject.text, *iri, object.variable()?))
        })
        .collect();
    let names: BTreeSet<&str> = outside.filter_map(Token::variable).collect();
    let by_name = names.iter().filter_map(|name| {
        let (of, iri) = BY_NAME.iter().find_map(|(end, iri)| Some((name.strip_suffix(end)?, *iri)))?;
        let is_there = names.contains(of) && written.iter().all(|(_, _, object)| object != name);
        is_there.then(|| (format!("?{of}"), iri, *name))
    });
    let mut text = String::new();
    let all =
        written.iter().map(|(subject, iri, object)| ((*subject).to_owned(), *iri, *object)).chain(by_name);
    for (subject, iri, name) in all {
        // Writing to a String cannot fail.
        let _written = write!(
            text,
            "OPTIONAL {{ {subject} <{iri}> ?{name} . FILTER(LANG(?{name}) = \"{language}\") }} "
        );
    }
    text
}

/// The first language that the service names, but for that of the reader.
fn language<'a>(inside: &[Token<'a>]) -> &'a str {
    let is_tag = |tag: &&str| !tag.is_empty() && tag.chars().all(|c| c.is_ascii_alphanumeric() || c == '-');
    let quoted = inside.iter().filter(|token| token.text.starts_with(['"', '\'']));
    quoted
        .flat_map(|token| token.text.trim_matches(['"', '\'']).split(','))
        .map(str::trim)
        .find(is_tag)
        .unwrap_or(LANGUAGE)
}
