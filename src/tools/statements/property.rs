//! All statements of one property of one entity: values, ranks, qualifiers, references, and the pattern that matches them.

use super::lines::{BoundedLines, joined};
use super::read::{References, one_statement, references, statements};
use super::text::{StatementShape, counted, pattern, rank_text, value_text, value_up_to};
use super::{QualifiedStatement, ShownRank, StatementValue, facts_of};
use crate::rendering::predicate;
use crate::tools::ToolContext;
use eruca_dataset::Dataset;
use eruca_indexer::vocabulary::{Namespaces, StatementPart};
use eruca_sparql::{QueryError, Term};
use std::collections::{BTreeMap, BTreeSet};

/// Maximum number and length of the values shown per property of a reference.
const MAX_REFERENCE_VALUES: usize = 2;
const MAX_REFERENCE_CHARS: usize = 60;
/// Maximum number of references shown per statement.
const MAX_REFERENCES: usize = 2;
/// Maximum number of qualifiers in a pattern.
const MAX_PATTERN_QUALIFIERS: usize = 4;

/// The statements of an entity with a property; `None` if it has none.
pub(in crate::tools) async fn of_property(
    iri: &str,
    property: u32,
    names: &Namespaces,
    context: &ToolContext<'_>,
) -> Result<Option<String>, QueryError> {
    let numbers = [property];
    let (read, references) =
        tokio::join!(statements(iri, &numbers, names, context), references(iri, property, names, context));
    let read = read?;
    if read.statements.is_empty() {
        return Ok(None);
    }
    let sheet = Sheet { dataset: context.dataset, names, property, statements: &read.statements };
    // Statements can be shown without their references.
    let references = references.unwrap_or_default();
    Ok(Some(sheet.text(iri, read.is_cut, &references, context.max_chars)))
}

/// One statement of a property with its qualifiers, and the pattern that matches it.
pub(in crate::tools) async fn example(
    property: u32,
    qualifier: Option<u32>,
    names: &Namespaces,
    context: &ToolContext<'_>,
) -> Result<Option<String>, QueryError> {
    let dataset = context.dataset;
    let most_frequent = || {
        let facts = facts_of(dataset, names, property)?;
        facts.qualifiers.first().and_then(|(direct, _)| names.part(direct)).map(|(_, number)| number)
    };
    let qualifier = qualifier.or_else(most_frequent);
    let Some((thing, read)) = one_statement(property, qualifier, names, context).await? else {
        return Ok(None);
    };
    let sheet = Sheet { dataset, names, property, statements: &read.statements };
    let Some(statement) = read.statements.first() else { return Ok(None) };
    let line = sheet.line(statement, None);
    let subject =
        value_text(dataset, &StatementValue::of(&Term::from(eruca_sparql::NamedNode::new_unchecked(thing))));
    Ok(Some(format!("A statement of {subject}:\n{line}\nPattern: {}", sheet.pattern("?x"))))
}

/// Whether a statement is a plain value.
fn is_bare(statement: &QualifiedStatement) -> bool {
    statement.is_best
        && statement.rank == ShownRank::Normal
        && statement.qualifiers.is_empty()
        && statement.references.is_empty()
}

struct Sheet<'a> {
    dataset: &'a Dataset,
    names: &'a Namespaces,
    property: u32,
    statements: &'a [QualifiedStatement],
}

impl Sheet<'_> {
    /// With references if there is room for them, otherwise with their number; of too many statements, the first ones.
    fn text(&self, iri: &str, is_cut: bool, references: &References, max_chars: usize) -> String {
        let dataset = self.dataset;
        let name = dataset.named(&self.names.direct(self.property));
        let at_least = if is_cut { "at least " } else { "" };
        let head = format!("{}, {name}: {at_least}{}", dataset.with_label(iri), self.count());
        let mut tail = vec![format!("Pattern: {}", self.pattern(&dataset.compact(iri)))];
        tail.extend(self.hints());
        let whole = |references| {
            let lines = self.detailed().map(|statement| self.line(statement, references));
            let bare = self.bare(usize::MAX);
            let all = [head.clone()].into_iter().chain(lines).chain(bare).chain(tail.iter().cloned());
            all.collect::<Vec<String>>().join("\n")
        };
        let fits = |text: &String| text.chars().count() <= max_chars;
        [Some(references), None]
            .into_iter()
            .map(whole)
            .find(fits)
            .unwrap_or_else(|| self.cut(head, tail, max_chars))
    }

    fn cut(&self, head: String, mut tail: Vec<String>, max_chars: usize) -> String {
        let mut lines = BoundedLines::within(max_chars);
        // The pattern is more useful than the hints after it.
        tail.truncate(1);
        tail.iter().for_each(|line| lines.reserve(line));
        lines.reserve(&head);
        lines.add_reserved(head);
        let note =
            |left: usize| format!("… {}; ask for them with the pattern", counted(left, "more statement"));
        lines.reserve(&note(self.statements.len()));
        let bare = self.bare(lines.left() / 3);
        bare.iter().for_each(|line| lines.reserve(line));
        let mut detailed = self.detailed();
        let shown =
            detailed.by_ref().take_while(|statement| lines.add(self.line(statement, None), 0)).count();
        let left = self.detailed().count() - shown;
        bare.into_iter().for_each(|line| lines.add_reserved(line));
        if left > 0 {
            lines.add_reserved(note(left));
        }
        tail.into_iter().for_each(|line| lines.add_reserved(line));
        lines.text()
    }

    /// Statements that are more than a plain value.
    fn detailed(&self) -> impl Iterator<Item = &QualifiedStatement> {
        self.statements.iter().filter(|statement| !is_bare(statement))
    }

    /// The values of all other statements in one line.
    fn bare(&self, max_chars: usize) -> Option<String> {
        let bare = self.statements.iter().filter(|statement| is_bare(statement));
        let values: Vec<String> = bare.map(|statement| value_text(self.dataset, &statement.value)).collect();
        (!values.is_empty()).then(|| format!("- {}", joined(&values, max_chars)))
    }

    /// `9 statements (1 preferred, 2 not in wdt:)`.
    fn count(&self) -> String {
        let of = |test: &dyn Fn(&QualifiedStatement) -> bool| {
            self.statements.iter().filter(|one| test(one)).count()
        };
        let counts = [
            (of(&|one| one.rank == ShownRank::Preferred), "preferred"),
            (of(&|one| one.rank == ShownRank::Deprecated), "deprecated"),
            (of(&|one| !one.is_best), "not in wdt:"),
        ];
        let counts: Vec<String> = counts
            .iter()
            .filter(|(count, _)| *count > 0)
            .map(|(count, word)| format!("{count} {word}"))
            .collect();
        let counts = if counts.is_empty() { String::new() } else { format!(" ({})", counts.join(", ")) };
        format!("{}{counts}", counted(self.statements.len(), "statement"))
    }

    fn line(&self, statement: &QualifiedStatement, details: Option<&References>) -> String {
        let mut parts: Vec<String> = rank_text(statement).into_iter().map(str::to_owned).collect();
        parts.extend(self.values(StatementPart::Qualifier, &statement.qualifiers, usize::MAX));
        let count = statement.references.len();
        if count > 0 {
            let details =
                details.map(|known| self.references(statement, known)).filter(|text| !text.is_empty());
            parts.push(details.unwrap_or_else(|| counted(count, "reference")));
        }
        let value = value_text(self.dataset, &statement.value);
        if parts.is_empty() { format!("- {value}") } else { format!("- {value}; {}", parts.join("; ")) }
    }

    /// `pq:P580 "start time" 1990-01-01`, values of one property together.
    fn values(&self, part: StatementPart, values: &[(u32, StatementValue)], max: usize) -> Vec<String> {
        let mut by_property: Vec<(u32, Vec<&StatementValue>)> = Vec::new();
        for (number, value) in values {
            match by_property.iter_mut().find(|(known, _)| known == number) {
                Some((_, values)) => values.push(value),
                None => by_property.push((*number, vec![value])),
            }
        }
        by_property.sort_by_key(|(number, _)| *number);
        let text = |(number, values): &(u32, Vec<&StatementValue>)| {
            let shown = values.iter().take(max).map(|value| match part {
                // Web pages are shown as information, not as values to query for.
                StatementPart::Reference => value_up_to(self.dataset, value, MAX_REFERENCE_CHARS),
                _ => value_text(self.dataset, value),
            });
            let shown: Vec<String> = shown.collect();
            format!("{} {}", predicate(self.dataset, self.names, part, *number), shown.join(", "))
        };
        by_property.iter().map(text).collect()
    }

    fn references(&self, statement: &QualifiedStatement, known: &References) -> String {
        let shown: Vec<String> = statement
            .references
            .iter()
            .filter_map(|node| known.get(node))
            .take(MAX_REFERENCES)
            .map(|values| {
                let values = self.values(StatementPart::Reference, values, MAX_REFERENCE_VALUES);
                format!("({})", values.join("; "))
            })
            .collect();
        if shown.is_empty() {
            return String::new();
        }
        format!("{} {}", counted(statement.references.len(), "reference"), shown.join(" "))
    }

    /// The pattern with the qualifiers that these statements have most often.
    fn pattern(&self, thing: &str) -> String {
        let mut counts: BTreeMap<u32, usize> = BTreeMap::new();
        for statement in self.statements {
            let numbers: BTreeSet<u32> = statement.qualifiers.iter().map(|(number, _)| *number).collect();
            for number in numbers {
                *counts.entry(number).or_default() += 1;
            }
        }
        let mut numbers: Vec<(u32, usize)> = counts.into_iter().collect();
        numbers.sort_by(|a, b| b.1.cmp(&a.1).then(a.0.cmp(&b.0)));
        numbers.truncate(MAX_PATTERN_QUALIFIERS);
        let (all, some): (Vec<_>, Vec<_>) =
            numbers.into_iter().partition(|(_, count)| *count == self.statements.len());
        let of =
            |numbers: Vec<(u32, usize)>| numbers.into_iter().map(|(number, _)| number).collect::<Vec<u32>>();
        let (qualifiers, optional) = (&of(all), &of(some));
        let statements = StatementShape { property: self.property, qualifiers, optional };
        pattern(self.dataset, self.names, thing, &statements)
    }

    /// What else the pattern needs for these particular statements.
    fn hints(&self) -> Vec<String> {
        let mut hints = Vec::new();
        let short = |part| self.dataset.compact(&self.names.predicate(part, self.property));
        let term = |word| self.dataset.compact(&Namespaces::term(word));
        let has_unit =
            |one: &QualifiedStatement| matches!(&one.value, StatementValue::Known { unit: Some(_), .. });
        if self.statements.iter().any(|one| !one.is_best) {
            hints.push(format!("Only what wdt: has: add ?st a {}.", term("BestRank")));
        }
        if self.statements.iter().any(has_unit) {
            hints.push(format!(
                "Unit: ?st {} ?node . ?node {} ?amount ; {} ?unit. In the base unit: {} instead of {}.",
                short(StatementPart::ValueNode),
                term("quantityAmount"),
                term("quantityUnit"),
                short(StatementPart::NormalizedNode),
                short(StatementPart::ValueNode),
            ));
        }
        if self.statements.iter().any(|one| one.value == StatementValue::None) {
            hints.push(format!("That it has no value: ?x a {}.", short(StatementPart::NoValue)));
        }
        let values = self
            .statements
            .iter()
            .flat_map(|one| std::iter::once(&one.value).chain(one.qualifiers.iter().map(|(_, value)| value)));
        if values.clone().any(|value| value.time().is_some()) {
            hints.push("Dates are xsd:dateTime: compare with \"2000-01-01T00:00:00Z\"^^xsd:dateTime or use YEAR(?v).".to_owned());
        }
        if values.clone().any(|value| *value == StatementValue::Unknown) {
            hints.push("An unknown value is a blank node: FILTER(!isBlank(?v)) leaves it out.".to_owned());
        }
        hints
    }
}
