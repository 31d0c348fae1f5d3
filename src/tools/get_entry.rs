//! `get_entry`: outgoing and incoming triples of one resource.

use super::arguments::schema;
use super::definitions::definitions;
use super::diagnosis::nearest_entities;
use super::entry_text::outgoing_lines;
use super::statements::{self, property_of, resolve_property};
use super::{Arguments, Observation, ObservationKind, Tool, ToolContext, Workspace};
use crate::agent_features::AgentFeatures;
use crate::rendering::{MAX_TERM_CHARS, property_line, term_text};
use async_trait::async_trait;
use eruca_dataset::Dataset;
use eruca_indexer::vocabulary::StatementPart;
use eruca_sparql::{Answer, NamedNode, QueryError, Results, Term, Triple};
use std::time::Duration;

/// Maximum number of outgoing triples fetched.
const MAX_OUTGOING: usize = 400;
/// Maximum number of incoming triples counted if the index does not have their number.
const MAX_COUNTED: usize = 5_000;
/// Maximum number of incoming properties shown.
const MAX_INCOMING: usize = 25;
/// Maximum number of properties listed of the instances of a class.
const MAX_OF_CLASS: usize = 16;
/// Maximum number of properties listed for something that occurs only as a value.
const MAX_SEEN_AS: usize = 5;

pub(super) struct GetEntry;

#[async_trait]
impl Tool for GetEntry {
    fn name(&self) -> &'static str {
        "get_entry"
    }

    fn description(&self) -> &'static str {
        "Shows what the graph says of one resource: its properties with values, and which properties of other \
         resources point to it. Use it on an example to learn how things are connected. `property` (optional) shows \
         all its values of one property, with qualifiers, ranks and references where the graph has them; `topic` (optional) \
         says which properties of a long entry are shown first."
    }

    fn parameters(&self) -> serde_json::Value {
        schema(&[
            ("iri", "prefixed name or IRI, exactly as it was shown", true),
            ("property", "prefixed name or IRI of a property", false),
            ("topic", "words for what is sought, e.g. death", false),
        ])
    }

    async fn call(&self, arguments: &Arguments, context: &ToolContext<'_>) -> Observation {
        match look(arguments, context).await {
            Ok(observation) => observation,
            Err(reason) => Observation::bad_call(reason),
        }
    }
}

async fn look(arguments: &Arguments, context: &ToolContext<'_>) -> Result<Observation, String> {
    let dataset = context.dataset;
    let iri = dataset.resolve(arguments.iri("iri")?)?;
    let property =
        arguments.optional_iri("property")?.map(|written| resolve_property(written, dataset)).transpose()?;
    let found = match &property {
        Some(property) => values_of(&iri, property, context).await,
        None => {
            let topic = arguments.optional("topic").unwrap_or_else(|| context.workspace.question());
            whole_entry(&iri, topic, context).await
        }
    };
    Ok(match (found, property) {
        (Ok(text), Some(property)) if text.is_empty() => without(&iri, &property, dataset),
        (Ok(text), None) if text.is_empty() => unknown(&iri, dataset),
        (Ok(text), _) => Observation::new(ObservationKind::Ok, text),
        (Err(error), _) => {
            Observation::new(ObservationKind::QueryFailed(error.kind()), error.told_to_models())
        }
    })
}

/// A short entry of one resource; `None` if the graph says nothing about it, or not in time.
pub(crate) async fn short_entry(
    dataset: &Dataset,
    iri: &str,
    topic: &str,
    timeout: Duration,
    max_chars: usize,
) -> Option<String> {
    let context = ToolContext {
        dataset,
        timeout,
        features: AgentFeatures::default(),
        max_chars,
        workspace: Workspace::EMPTY,
    };
    let text = whole_entry(iri, topic, &context).await.ok().filter(|text| !text.is_empty())?;
    let mut left = max_chars;
    let fits = |line: &&str| {
        left = left.saturating_sub(line.chars().count() + 1);
        left > 0
    };
    Some(text.lines().take_while(fits).collect::<Vec<_>>().join("\n"))
}

/// The entry in the style that fits the graph: with statements, or plain triples.
async fn whole_entry(iri: &str, topic: &str, context: &ToolContext<'_>) -> Result<String, QueryError> {
    let dataset = context.dataset;
    let Some(names) = &dataset.vocabulary().statements else { return entry(iri, topic, context).await };
    if names.is_reified_node(iri) {
        return entry(iri, topic, context).await;
    }
    let property =
        property_of(names, iri).and_then(|number| dataset.index.card.property(&names.direct(number)));
    match property {
        Some(property) => Ok(property_line(dataset, property)),
        None => statements::entry(iri, names, topic, context).await,
    }
}

/// All values of one property, as statements if it has any.
async fn values_of(iri: &str, property: &str, context: &ToolContext<'_>) -> Result<String, QueryError> {
    let dataset = context.dataset;
    let mut direct = property.to_owned();
    if let Some(names) = &dataset.vocabulary().statements
        && let Some(number) = property_of(names, property)
    {
        if let Some(text) = statements::of_property(iri, number, names, context).await? {
            return Ok(text);
        }
        direct = names.direct(number);
    }
    let values = format!("SELECT ?o WHERE {{ <{iri}> <{direct}> ?o }} LIMIT {MAX_OUTGOING}");
    let count = format!("SELECT (COUNT(?o) AS ?n) WHERE {{ <{iri}> <{direct}> ?o }}");
    let (values, count) = (dataset.check(&values)?, dataset.check(&count)?);
    let (values, count) =
        tokio::join!(dataset.run(&values, context.timeout), dataset.run(&count, context.timeout));
    let values = values?;
    let mut terms: Vec<String> = rows(&values)
        .iter()
        .filter_map(|row| row.first()?.as_ref())
        .map(|term| term_text(dataset, term))
        .collect();
    if terms.is_empty() {
        return Ok(String::new());
    }
    // Engines return rows in any order.
    terms.sort();
    let count = count.ok().and_then(|answer| match rows(&answer).first()?.first()? {
        Some(Term::Literal(literal)) => literal.value().parse().ok(),
        _ => None,
    });
    let count = count.unwrap_or(terms.len());
    let mut text = format!("{}, {}: {count} in all", dataset.with_label(iri), dataset.named(&direct));
    let mut shown = 0;
    for term in &terms {
        if text.chars().count() + term.chars().count() + MAX_TERM_CHARS > context.max_chars {
            break;
        }
        text.push_str(&format!("\n- {term}"));
        shown += 1;
    }
    if count > shown {
        text.push_str(&format!("\n… {} more", count - shown));
    }
    Ok(text)
}

fn without(iri: &str, property: &str, dataset: &Dataset) -> Observation {
    let text = format!(
        "{} has no {}; get_entry without `property` shows what it has.",
        dataset.named(iri),
        dataset.named(property)
    );
    Observation::new(ObservationKind::Empty, text)
}

pub(super) fn unknown(iri: &str, dataset: &Dataset) -> Observation {
    let near = nearest_entities(dataset, iri);
    let hint = if near.is_empty() {
        "find the right one with search_entity".to_owned()
    } else {
        format!("nearest known: {}", near.join(", "))
    };
    let text = format!(
        "The graph has no triple about {}; {hint}. IRIs must be copied exactly.",
        dataset.compact(iri)
    );
    Observation::new(ObservationKind::Empty, text)
}

async fn entry(iri: &str, topic: &str, context: &ToolContext<'_>) -> Result<String, QueryError> {
    let dataset = context.dataset;
    let (outgoing, incoming) = queries(iri, dataset);
    let (outgoing, incoming) = (dataset.check(&outgoing)?, dataset.check(&incoming)?);
    let (outgoing, incoming) =
        tokio::join!(dataset.run(&outgoing, context.timeout), dataset.run(&incoming, context.timeout));
    let outgoing = outgoing?;
    fetch_names(dataset, iri, &outgoing, incoming.as_deref().ok()).await;
    let mut lines = outgoing_lines(dataset, &outgoing, topic).await;
    lines.splice(0..0, as_class(iri, context).await);
    let lack = incoming.as_ref().ok().and_then(|incoming| lack(dataset, &outgoing, incoming));
    // Counting the triples that point to a hub can be too much for an endpoint; the rest is shown all the same.
    match incoming {
        Ok(answer) => lines.extend(incoming_lines(dataset, &answer)),
        Err(error) => {
            lines.push(format!("(what points to it could not be counted: {})", error.told_to_models()));
        }
    }
    lines.extend(lack);
    lines.extend(as_property(dataset, iri));
    if !lines.is_empty() {
        lines.insert(0, dataset.with_label(iri));
    }
    Ok(lines.join("\n"))
}

/// The outgoing triples of a resource, as they are shown in its entry; and whether there may be more.
pub(super) async fn outgoing_triples(
    iri: &str,
    context: &ToolContext<'_>,
) -> Result<(Vec<Triple>, bool), QueryError> {
    let dataset = context.dataset;
    let (outgoing, _) = queries(iri, dataset);
    let answer = dataset.run(&dataset.check(&outgoing)?, context.timeout).await?;
    // What the query was made of is an IRI, as it was checked.
    let subject = NamedNode::new_unchecked(iri);
    let triple = |row: &Vec<Option<Term>>| match row.as_slice() {
        [Some(Term::NamedNode(property)), Some(value)] => {
            Some(Triple::new(subject.clone(), property.clone(), value.clone()))
        }
        _ => None,
    };
    let more = answer.incomplete.is_some() || answer.row_count() >= MAX_OUTGOING;
    Ok((rows(&answer).iter().filter_map(triple).collect(), more))
}

/// What one would expect of an entry and is missing.
fn lack(dataset: &Dataset, outgoing: &Answer, incoming: &Answer) -> Option<String> {
    let first = |row: &Vec<Option<Term>>| match row.first() {
        Some(Some(Term::NamedNode(property))) => Some(property.as_str().to_owned()),
        _ => None,
    };
    if !outgoing.is_empty() {
        let typed = rows(outgoing).iter().filter_map(first).any(|iri| dataset.vocabulary().is_type(&iri));
        // Statement nodes have no type, and queries do not look for them by class.
        let expected = dataset.vocabulary().statements.is_none();
        return (expected && !typed).then(|| "It has no type: no class finds it.".to_owned());
    }
    let seen: Vec<String> = rows(incoming).iter().filter_map(first).map(|iri| dataset.named(&iri)).collect();
    let seen = seen.get(..MAX_SEEN_AS.min(seen.len())).unwrap_or_default().join(", ");
    (!seen.is_empty())
        .then(|| format!("It has no triple of its own, no type and no name: it is only a value of {seen}."))
}

/// For a class: what its instances have, and its definition.
async fn as_class(iri: &str, context: &ToolContext<'_>) -> Vec<String> {
    let dataset = context.dataset;
    let Some(class) = dataset.index.card.class(iri) else { return Vec::new() };
    let properties = dataset.index.card.properties_from(&class.iri);
    let properties = properties.filter(|property| !dataset.vocabulary().is_schema(&property.iri));
    let names: Vec<String> =
        properties.take(MAX_OF_CLASS).map(|property| dataset.named(&property.iri)).collect();
    let has = (!names.is_empty()).then(|| format!("  is a class; its instances have {}", names.join(", ")));
    let mut lines: Vec<String> = has.into_iter().collect();
    lines.extend(definitions(iri, context).await);
    lines
}

/// For a property: a note that its triples are those that use it, not those about it.
fn as_property(dataset: &Dataset, iri: &str) -> Option<String> {
    let property = dataset.index.card.property(iri)?;
    let name = dataset.compact(iri);
    Some(match property.is_unused() {
        true => format!("{name} is a property that is declared and never used."),
        false => {
            format!("{name} is a property of {} triples: get_property_examples shows some.", property.usage)
        }
    })
}

/// Two queries: what the graph says about the resource, and how often others refer to it.
fn queries(iri: &str, dataset: &Dataset) -> (String, String) {
    let (mut said, mut of_others) = (String::new(), format!("?s ?p <{iri}>"));
    let statements = dataset.vocabulary().statements.as_ref();
    if let Some(names) = statements.filter(|names| !dataset.is_indexed() && names.is_entity(iri)) {
        // A public Wikibase has names in hundreds of languages, statements beside the direct values, and hubs that millions of
        // entities point to.
        let direct = names.namespace(StatementPart::Direct);
        said = format!(" FILTER(STRSTARTS(STR(?p), \"{direct}\"))");
        of_others = format!("{{ SELECT ?s ?p WHERE {{ ?s ?p <{iri}> }} LIMIT {MAX_COUNTED} }}{said}");
    }
    (
        format!("SELECT ?p ?o WHERE {{ <{iri}> ?p ?o{said} }} LIMIT {MAX_OUTGOING}"),
        format!(
            "SELECT ?p (COUNT(?s) AS ?n) (SAMPLE(?s) AS ?example) WHERE {{ {of_others} }} GROUP BY ?p ORDER BY DESC(?n) LIMIT {MAX_INCOMING}"
        ),
    )
}

/// Fetches the names of the resource, its properties and their values, if names are looked up at a server.
async fn fetch_names(dataset: &Dataset, iri: &str, outgoing: &Answer, incoming: Option<&Answer>) {
    let terms = rows(outgoing).iter().chain(incoming.map(rows).unwrap_or_default());
    let named = terms.flatten().flatten().filter_map(|term| match term {
        Term::NamedNode(node) => Some(node.as_str()),
        Term::BlankNode(_) | Term::Literal(_) => None,
    });
    let iris: Vec<&str> = std::iter::once(iri).chain(named).collect();
    dataset.fetch_names(iris.into_iter()).await;
}

fn rows(answer: &Answer) -> &[Vec<Option<Term>>] {
    match &answer.results {
        Results::Solutions(solutions) => &solutions.rows,
        Results::Boolean(_) | Results::Graph(_) => &[],
    }
}

fn incoming_lines(dataset: &Dataset, answer: &Answer) -> Vec<String> {
    let line = |row: &Vec<Option<Term>>| {
        let (Some(Some(Term::NamedNode(property))), Some(Some(count)), Some(Some(example))) =
            (row.first(), row.get(1), row.get(2))
        else {
            return None;
        };
        Some(format!(
            "  is {} of {}, e.g. {}",
            dataset.named(property.as_str()),
            term_text(dataset, count),
            term_text(dataset, example)
        ))
    };
    rows(answer).iter().filter_map(line).collect()
}
