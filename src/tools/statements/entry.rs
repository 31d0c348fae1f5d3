//! The entry of an entity: names in the wanted languages, direct values followed by their qualifiers and ranks,
//! external identifiers in one line, incoming properties. The most informative parts come first and are dropped last.

use super::lines::{BoundedLines, joined};
use super::outline::{MAX_TRIPLES, Outline, is_external_id, languages, number_of, outgoing_query};
use super::read::{ReadStatements, rows, run, statements};
use super::text::{StatementShape, counted, rank_text, short_value, value_text};
use super::{QualifiedStatement, StatementValue};
use crate::rendering::{predicate, property_word};
use crate::tools::ToolContext;
use crate::tools::topic::Topic;
use eruca_dataset::{Dataset, quoted_name};
use eruca_indexer::vocabulary::{ABOUT, Namespaces, StatementPart};
use eruca_sparql::{Answer, QueryError, Term, is_language_tag};
use std::collections::BTreeSet;

/// Maximum number of incoming triples that are counted.
const MAX_INCOMING: usize = 50_000;
/// Maximum number of values shown per property, with qualifiers and without.
const MAX_SHOWN: usize = 4;
const MAX_SHOWN_SHORT: usize = 2;
/// Maximum number of qualifiers shown per statement.
const MAX_QUALIFIERS: usize = 5;
/// Maximum length of a property's line in characters.
const MAX_LINE: usize = 400;
const MAX_ALIASES: usize = 4;
/// Properties from which on an entry is long.
const LONG: usize = 24;

/// The entry of an entity; empty if the graph says nothing about it.
pub(in crate::tools) async fn entry(
    iri: &str,
    names: &Namespaces,
    topic: &str,
    context: &ToolContext<'_>,
) -> Result<String, QueryError> {
    let dataset = context.dataset;
    let (outgoing, incoming) = (outgoing_query(iri, names, dataset), incoming_query(iri, names));
    let (outgoing, incoming) = tokio::join!(run(&outgoing, context), run(&incoming, context));
    let outline = Outline::read(&*outgoing?, names, dataset);
    // Looking up at a server would cost a request per entry.
    let is_long = dataset.is_indexed() && outline.direct.len() > LONG;
    let topic = Topic::of(dataset, topic, is_long).await;
    let properties = outline.properties(names, dataset, &topic);
    let chosen = outline.worth_reading(&properties);
    let read = match chosen.is_empty() {
        true => Ok(ReadStatements::default()),
        false => statements(iri, &chosen, names, context).await,
    };
    let incoming = match &incoming {
        Ok(answer) => incoming_lines(dataset, names, answer),
        Err(error) => vec![format!("(what points to it could not be counted: {})", error.told_to_models())],
    };
    if outline.is_empty() && incoming.is_empty() {
        return Ok(String::new());
    }
    let (read, failed) = match read {
        Ok(read) => (read, None),
        Err(error) => (
            ReadStatements::default(),
            Some(format!("(qualifiers, ranks and references could not be read: {})", error.told_to_models())),
        ),
    };
    let page =
        EntryPage { dataset, names, iri, outline: &outline, properties: &properties, read: &read.statements };
    Ok(page.text(context.max_chars, failed, &incoming))
}

/// Counts direct claims and qualifiers; other statement nodes are left out.
fn incoming_query(iri: &str, names: &Namespaces) -> String {
    let all = names.base.as_str();
    let prefix = |part| format!("{}P", names.namespace(part));
    let (direct, qualifier) = (prefix(StatementPart::Direct), prefix(StatementPart::Qualifier));
    format!(
        "SELECT ?p (COUNT(?s) AS ?n) (SAMPLE(?s) AS ?example) WHERE {{ {{ SELECT ?s ?p WHERE {{ ?s ?p <{iri}> \
         FILTER(STRSTARTS(STR(?p), \"{direct}\") || STRSTARTS(STR(?p), \"{qualifier}\") || \
         !(STRSTARTS(STR(?p), \"{all}\") || STRSTARTS(STR(?p), \"{}\") || ?p = <{ABOUT}>)) }} \
         LIMIT {MAX_INCOMING} }} }} GROUP BY ?p ORDER BY DESC(?n) LIMIT 60",
        Namespaces::term(""),
    )
}

/// The text of an entry.
struct EntryPage<'a> {
    dataset: &'a Dataset,
    names: &'a Namespaces,
    iri: &'a str,
    outline: &'a Outline,
    /// Those that are shown, in their order.
    properties: &'a [u32],
    read: &'a [QualifiedStatement],
}

impl EntryPage<'_> {
    fn text(&self, max_chars: usize, failed: Option<String>, incoming: &[String]) -> String {
        let mut lines = BoundedLines::within(max_chars);
        let head = self.head();
        head.iter().for_each(|line| lines.reserve(line));
        let mut tail: Vec<String> = self.external_ids(max_chars / 30).into_iter().chain(failed).collect();
        if self.outline.is_cut {
            tail.push(format!("(it has more than {MAX_TRIPLES} triples, which were not all read)"));
        }
        tail.extend(self.incoming(incoming, max_chars / 5));
        tail.iter().for_each(|line| lines.reserve(line));
        let (body, used) = self.body(&mut lines);
        let mut all = BoundedLines::within(0);
        head.into_iter()
            .chain(body)
            .chain(self.legend(&used, max_chars / 10))
            .chain(tail)
            .for_each(|line| all.add_reserved(line));
        all.text()
    }

    /// Name, description and aliases, and the number of languages.
    fn head(&self) -> Vec<String> {
        let (dataset, outline) = (self.dataset, self.outline);
        let wanted = languages(dataset);
        let best = |texts: &[(String, String)]| {
            let of =
                |wanted: &String| texts.iter().find(|(_, language)| language.eq_ignore_ascii_case(wanted));
            wanted.iter().find_map(of).map(|(text, _)| text.clone())
        };
        let label = dataset.label(self.iri).or_else(|| best(&outline.labels));
        let label = label.map_or_else(String::new, |label| format!(" {}", quoted_name(&label)));
        let description =
            best(&outline.descriptions).map_or_else(String::new, |text| format!(": {}", quoted_name(&text)));
        let mut lines = vec![format!("{}{label}{description}", dataset.compact(self.iri))];
        let tagged = |(text, language): &(String, String)| match is_language_tag(language) {
            true => format!("{}@{language}", quoted_name(text)),
            false => quoted_name(text),
        };
        let mut names: Vec<String> = outline.labels.iter().map(tagged).collect();
        names.sort();
        let mut aliases: Vec<String> = outline.aliases.iter().map(|alias| quoted_name(alias)).collect();
        aliases.sort();
        aliases.dedup();
        let more = aliases.len().saturating_sub(MAX_ALIASES);
        aliases.truncate(MAX_ALIASES);
        let mut line = format!("  rdfs:label {}", names.join(", "));
        if outline.languages > names.len() as u64 {
            line.push_str(&format!(" ({} languages in all)", outline.languages));
        }
        if !aliases.is_empty() {
            let more = if more > 0 { format!(" and {more} more") } else { String::new() };
            line.push_str(&format!("; also {}{more}", aliases.join(", ")));
        }
        if outline.languages > 0 {
            lines.push(line);
        }
        lines
    }

    /// Values of as many properties as there is room for, the others by name; then qualifiers behind the values, first where the
    /// values alone could mislead. Also returns the qualifiers shown.
    fn body(&self, lines: &mut BoundedLines) -> (Vec<String>, BTreeSet<u32>) {
        let room = lines.left();
        // Room for the names of omitted properties and of qualifiers, and for the qualifiers of the values.
        let (kept, kept_for_values) = (room / 5, room * 2 / 5);
        let mut body: Vec<(Option<u32>, String)> = Vec::new();
        let mut left_out = Vec::new();
        for (property, objects) in &self.outline.other {
            let values: Vec<StatementValue> = objects.iter().map(StatementValue::of).collect();
            let line = self.values_line(&self.dataset.named(property), &values, MAX_SHOWN);
            if lines.add(line.clone(), kept) {
                body.push((None, line));
            }
        }
        for &number in self.properties {
            let line = self.short_line(number);
            if left_out.is_empty() && lines.add(line.clone(), kept_for_values) {
                body.push((Some(number), line));
            } else {
                left_out.push(format!("{} ({})", self.name(number), self.count(number)));
            }
        }
        let used = self.unfold(&mut body, lines, kept);
        let mut body: Vec<String> = body.into_iter().map(|(_, line)| line).collect();
        if !left_out.is_empty() {
            let room = (lines.left() / 2).saturating_sub(60);
            body.push(format!("  Also (get_entry with `property` shows each): {}", joined(&left_out, room)));
        }
        (body, used)
    }

    /// Replaces bare values by statements.
    fn unfold(
        &self,
        body: &mut [(Option<u32>, String)],
        lines: &mut BoundedLines,
        kept: usize,
    ) -> BTreeSet<u32> {
        let mut used = BTreeSet::new();
        for (wanted, shown) in [(true, MAX_SHOWN_SHORT), (true, MAX_SHOWN), (false, MAX_SHOWN)] {
            for (number, line) in body.iter_mut() {
                let Some(number) = number.filter(|number| self.says_more(*number) == wanted) else {
                    continue;
                };
                let (full, qualifiers) = self.property_line(number, shown);
                if lines.replace(line, full, kept) {
                    used.extend(qualifiers);
                }
            }
        }
        used
    }

    /// Whether a property's statements have times or different ranks, so that its bare values could mislead.
    fn says_more(&self, number: u32) -> bool {
        let mut statements = self.read.iter().filter(|statement| statement.property == number);
        statements.any(|statement| !statement.is_best || statement.latest().is_some())
    }

    fn name(&self, number: u32) -> String {
        self.dataset.named(&self.names.direct(number))
    }

    /// Number of values or statements of a property.
    fn count(&self, number: u32) -> usize {
        let direct = self.outline.direct.get(&number).map_or(0, Vec::len);
        let statements = self.outline.statements.get(&number).copied().unwrap_or(0);
        direct.max(usize::try_from(statements).unwrap_or(usize::MAX))
    }

    /// Statements with their qualifiers, as many as fit into a line; and the qualifiers used.
    fn property_line(&self, number: u32, max: usize) -> (String, Vec<u32>) {
        let statements: Vec<&QualifiedStatement> =
            self.read.iter().filter(|statement| statement.property == number).collect();
        if statements.is_empty() {
            return (self.short_line(number), Vec::new());
        }
        let mut line = format!("  {}", self.name(number));
        let mut used = Vec::new();
        let mut shown = 0;
        for statement in statements.iter().take(max) {
            let text = self.statement_text(statement);
            if shown > 0 && line.chars().count() + text.chars().count() > MAX_LINE {
                break;
            }
            line.push_str(if shown > 0 { ", " } else { " " });
            line.push_str(&text);
            used.extend(statement.qualifiers.iter().take(MAX_QUALIFIERS).map(|(number, _)| *number));
            shown += 1;
        }
        if statements.len() > shown {
            line.push_str(&format!(" … {} in all", counted(statements.len(), "statement")));
        }
        (line, used)
    }

    /// A line with the best values of a property alone.
    fn short_line(&self, number: u32) -> String {
        let direct = self.outline.direct.get(&number).map_or(&[][..], Vec::as_slice);
        let read = self.read.iter().filter(|statement| statement.property == number && statement.is_best);
        // Statements contain units and the precision of dates.
        let mut values: Vec<StatementValue> = read.map(|statement| statement.value.clone()).collect();
        if values.is_empty() {
            values = direct.iter().map(StatementValue::of).collect();
        }
        let shown = if self.outline.statements.is_empty() { MAX_SHOWN } else { MAX_SHOWN_SHORT };
        let statements = self.outline.statements.get(&number).copied().unwrap_or(0);
        let mut line = self.values_line(&self.name(number), &values, shown);
        if usize::try_from(statements).is_ok_and(|count| count > values.len()) {
            line.push_str(&format!(" ({statements} statements of all ranks)"));
        }
        line
    }

    fn values_line(&self, name: &str, values: &[StatementValue], max: usize) -> String {
        let shown: Vec<String> =
            values.iter().take(max).map(|value| value_text(self.dataset, value)).collect();
        let more = if values.len() > max { format!(" … {} in all", values.len()) } else { String::new() };
        format!("  {name} {}{more}", shown.join(", ")).trim_end().to_owned()
    }

    fn statement_text(&self, statement: &QualifiedStatement) -> String {
        let mut parts: Vec<String> = statement
            .qualifiers
            .iter()
            .take(MAX_QUALIFIERS)
            .map(|(number, value)| {
                let word = property_word(self.dataset, self.names, *number);
                format!("{} {}", quoted_name(&word), short_value(self.dataset, value))
            })
            .collect();
        let more = statement.qualifiers.len().saturating_sub(MAX_QUALIFIERS);
        parts.extend((more > 0).then(|| counted(more, "more qualifier")));
        parts.extend(rank_text(statement).into_iter().map(str::to_owned));
        if !statement.references.is_empty() {
            parts.push(counted(statement.references.len(), "reference"));
        }
        let value = value_text(self.dataset, &statement.value);
        if parts.is_empty() { value } else { format!("{value} [{}]", parts.join("; ")) }
    }

    /// The predicates of the qualifiers shown.
    fn legend(&self, used: &BTreeSet<u32>, max_chars: usize) -> Option<String> {
        let names: Vec<String> = used
            .iter()
            .map(|number| predicate(self.dataset, self.names, StatementPart::Qualifier, *number))
            .collect();
        let first = self.read.iter().find(|statement| !statement.qualifiers.is_empty())?;
        let qualifier = first.qualifiers.first().map(|(number, _)| *number);
        let pattern = super::text::pattern(
            self.dataset,
            self.names,
            &self.dataset.compact(self.iri),
            &StatementShape::of(first.property, qualifier.as_slice()),
        );
        (!names.is_empty()).then(|| format!("  Qualifiers: {}; as in {pattern}", joined(&names, max_chars)))
    }

    fn external_ids(&self, max_chars: usize) -> Option<String> {
        let numbers: Vec<u32> = self
            .outline
            .direct
            .keys()
            .copied()
            .filter(|number| is_external_id(self.dataset, self.names, *number))
            .collect();
        let named: Vec<String> = numbers.iter().map(|number| self.name(*number)).collect();
        (!named.is_empty()).then(|| {
            format!("  {}: {}", counted(named.len(), "external identifier"), joined(&named, max_chars))
        })
    }

    fn incoming(&self, lines: &[String], max_chars: usize) -> Vec<String> {
        let mut shown = BoundedLines::within(max_chars);
        let mut kept: Vec<String> =
            lines.iter().filter(|line| shown.add((*line).clone(), 0)).cloned().collect();
        if kept.len() < lines.len() {
            kept.push(format!("  … {} more that lead here", counted(lines.len() - kept.len(), "property")));
        }
        kept
    }
}

/// Direct claims one per line, qualifiers in one line.
fn incoming_lines(dataset: &Dataset, names: &Namespaces, answer: &Answer) -> Vec<String> {
    let mut lines = Vec::new();
    let mut qualifiers = Vec::new();
    let mut total = 0;
    for row in rows(answer) {
        let [Some(Term::NamedNode(property)), Some(count), Some(example)] = row.as_slice() else { continue };
        let count = number_of(count);
        total += count;
        match names.part(property.as_str()) {
            Some((StatementPart::Qualifier, number)) => {
                qualifiers.push(format!(
                    "{} ({count})",
                    predicate(dataset, names, StatementPart::Qualifier, number)
                ));
            }
            _ => lines.push(format!(
                "  is {} of {count}, e.g. {}",
                dataset.named(property.as_str()),
                value_text(dataset, &StatementValue::of(example))
            )),
        }
    }
    if !qualifiers.is_empty() {
        lines.insert(lines.len().min(3), format!("  is a qualifier's value: {}", joined(&qualifiers, 200)));
    }
    if total >= MAX_INCOMING as u64 {
        lines.insert(0, format!("  (only {MAX_INCOMING} of the triples that lead here were counted)"));
    }
    lines
}
