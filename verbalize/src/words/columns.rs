//! Titles, kinds and units of the columns of an answer. Uses `variable_labels`.

use crate::variable_labels::units::in_datatypes;
use crate::variable_labels::{Title, Titles};
use eruca_api::{Column, ColumnKind};
use eruca_dataset::Dataset;
use eruca_indexer::media::MediaKind;
use eruca_language::languages;
use eruca_language::text::{fold, humanize};
use eruca_sparql::{Aggregate, Answer, CheckedQuery, Results, Term, XSD, is_numeric_type, local_name};

/// Number of rows examined to determine the kind of a column.
const MAX_ROWS: usize = 200;

/// The columns of a SELECT result in order; empty for other query forms. `dataset` is expected to come from
/// [`Dataset::asked`].
pub fn columns(dataset: &Dataset, query: &CheckedQuery, answer: &Answer) -> Vec<Column> {
    let Results::Solutions(solutions) = &answer.results else { return Vec::new() };
    let titles = Titles::of(dataset, query, dataset.reader());
    let column = |(at, name): (usize, &String)| {
        let values: Vec<&Term> =
            solutions.rows.iter().take(MAX_ROWS).filter_map(|row| row.get(at)?.as_ref()).collect();
        column(&titles, name, &values)
    };
    solutions.variables.iter().enumerate().map(column).collect()
}

/// A column for the values of a property.
pub(super) fn of_property(dataset: &Dataset, property: &str, values: &[&Term]) -> Column {
    let title = Title::of_property(dataset, property);
    let kind = kind(values, Some(&title), (None, false));
    let unit = title.unit.or_else(|| in_datatypes(values.iter().copied()));
    let unit = unit.filter(|_| kind == ColumnKind::Number).map(str::to_owned);
    Column { name: property.to_owned(), title: title.text, kind, unit, named: true }
}

fn column(titles: &Titles<'_>, name: &str, values: &[&Term]) -> Column {
    let source = titles.source(name);
    let aggregate = source.and_then(|source| source.aggregate);
    let is_year = source.is_some_and(|source| source.is_year) || titles.is_decade(name);
    let kind = kind(values, titles.title(name).as_ref(), (aggregate, is_year));
    let kind = if kind == ColumnKind::Number && titles.is_month(name) { ColumnKind::Month } else { kind };
    let called = titles.column(name);
    let unit = called.unit.or_else(|| in_datatypes(values.iter().copied()));
    let unit = unit.filter(|_| kind == ColumnKind::Number).map(str::to_owned);
    Column { name: name.to_owned(), title: called.text, kind, unit, named: called.named }
}

fn kind(
    values: &[&Term],
    title: Option<&Title>,
    (aggregate, is_year): (Option<Aggregate>, bool),
) -> ColumnKind {
    let mut kinds = values.iter().map(|value| kind_of(value));
    let first = match kinds.next() {
        Some(first) if kinds.all(|kind| kind == first) => first,
        // Mixed kinds are shown as text.
        _ => return ColumnKind::Text,
    };
    let named_year = title.is_some_and(says_year);
    match first {
        ColumnKind::Number if is_year => ColumnKind::Year,
        ColumnKind::Number
            if named_year && is_extreme(aggregate) && values.iter().all(|one| is_year_number(one)) =>
        {
            ColumnKind::Year
        }
        // Numbers stored as strings count as numbers if the property has a unit.
        ColumnKind::Text
            if title.is_some_and(|title| title.unit.is_some())
                && values.iter().all(|one| is_decimal(one)) =>
        {
            ColumnKind::Number
        }
        kind => kind,
    }
}

/// Whether the name of a property suggests that its values are years.
fn says_year(title: &Title) -> bool {
    let local = title.property.as_deref().map(|iri| humanize(local_name(iri))).unwrap_or_default();
    let is_year = |word: &str| {
        let word = fold(word);
        languages().any(|language| language.is_year(&word))
    };
    title.text.split_whitespace().chain(local.split_whitespace()).any(is_year)
}

/// Whether the aggregate returns one of its input values.
fn is_extreme(aggregate: Option<Aggregate>) -> bool {
    matches!(aggregate, None | Some(Aggregate::Minimum | Aggregate::Maximum | Aggregate::Other))
}

/// The kind of a single term.
pub(super) fn kind_of(term: &Term) -> ColumnKind {
    match term {
        Term::NamedNode(node) => match node.as_str() {
            iri if is_picture(iri) => ColumnKind::Picture,
            _ => ColumnKind::Thing,
        },
        Term::BlankNode(_) => ColumnKind::Thing,
        Term::Literal(literal) => match literal.datatype().as_str().strip_prefix(XSD) {
            Some("boolean") => ColumnKind::Boolean,
            Some("gYear") => ColumnKind::Year,
            Some("date" | "dateTime" | "dateTimeStamp" | "gYearMonth") => ColumnKind::Date,
            Some("anyURI") if is_picture(literal.value()) => ColumnKind::Picture,
            Some("anyURI") => ColumnKind::Link,
            Some(name) if is_numeric_type(name) => ColumnKind::Number,
            None if is_point(literal.datatype().as_str()) => ColumnKind::Coordinates,
            _ => ColumnKind::Text,
        },
    }
}

fn is_point(datatype: &str) -> bool {
    datatype == "http://www.opengis.net/ont/geosparql#wktLiteral"
}

fn is_picture(address: &str) -> bool {
    MediaKind::of(address) == Some(MediaKind::Picture)
}

fn is_decimal(term: &Term) -> bool {
    matches!(term, Term::Literal(literal) if literal.value().trim().parse::<f64>().is_ok_and(f64::is_finite))
}

/// Whether a number may be a calendar year.
fn is_year_number(term: &Term) -> bool {
    let Term::Literal(literal) = term else { return false };
    literal.value().parse::<i64>().is_ok_and(|year| (-4_000..=3_000).contains(&year))
}
