//! Everything a graph says about one entity, for people: labels, picture, coordinates, facts, incoming links.

use super::places::places;
use super::{BrowseError, LOOK_TIME, checked_iri, iri, number, rows};
use crate::service::Service;
use crate::service::index::confirm_index;
use eruca_api::{Entry, Fact, Recording, ShownTerm, href};
use eruca_dataset::{Dataset, MAX_NAME_CHARS};
use eruca_indexer::media::{MediaKind, coordinate_role, is_picture_property, picture, recording};
use eruca_indexer::vocabulary::{DESCRIBING_PROPERTIES, StatementPart};
use eruca_language::text::humanize;
use eruca_sparql::{Answer, Literal, NamedNode, Term, local_name, one_line};
use std::collections::BTreeMap;
use std::sync::Arc;

/// Maximum number of outgoing and incoming triples fetched.
const MAX_OUTGOING: usize = 500;
const MAX_INCOMING: usize = 300;
/// Maximum number of incoming triples counted.
const MAX_COUNTED: usize = 5_000;
/// Maximum number of properties shown, and of values for each.
const MAX_FACTS: usize = 80;
/// Maximum number of sounds and films.
const MAX_RECORDINGS: usize = 4;
const MAX_VALUES: usize = 6;
const MAX_WAYS: usize = 25;
/// Maximum length, in characters, of a text value and of the description.
const MAX_VALUE_CHARS: usize = 1_000;
const MAX_DESCRIPTION_CHARS: usize = 600;

impl Service {
    /// What a dataset says about an entity, with labels in this language. An unknown entity has no facts.
    ///
    /// # Errors
    /// If there is no such dataset, the IRI is invalid, browsing is overloaded, or the endpoint fails.
    pub async fn entry(
        self: &Arc<Self>,
        dataset: &str,
        iri: &str,
        lang: Option<&str>,
    ) -> Result<Entry, BrowseError> {
        let dataset = self.looked_at(dataset, lang)?;
        let (asked, iri) = (dataset.clone(), checked_iri(iri)?);
        let view = self.look(async move { view(&asked, iri).await }).await?;
        confirm_index(&dataset).await?;
        view
    }
}

async fn view(dataset: &Dataset, thing: NamedNode) -> Result<Entry, BrowseError> {
    let [said, counted, leading] = queries(dataset, &thing);
    let things = [thing.clone()];
    let (said, counted, leading, place, entity) = tokio::join!(
        run(dataset, &said),
        run(dataset, &counted),
        run(dataset, &leading),
        places(dataset, &things),
        dataset.entity(thing.as_str())
    );
    let (said, entity) = (said?, entity?);
    // Counting the incoming links of a hub can be too much for an endpoint; the rest is shown anyway.
    let incoming = incoming(counted.ok().as_deref(), leading.ok().as_deref());
    let mut view = Entry {
        label: String::new(),
        description: None,
        href: href(thing.as_str()),
        picture: None,
        recordings: Vec::new(),
        improve: dataset.improve_address(thing.as_str()),
        coordinates: place.unwrap_or_default().into_values().next(),
        classes: Vec::new(),
        facts: Vec::new(),
        incoming,
        iri: thing.into_string(),
    };
    take(&mut view, dataset, &said);
    // The graph may have a description in the reader's language; the index only has one.
    let known = entity.and_then(|entity| entity.description);
    view.description = view.description.or_else(|| Some(one_line(&known?, MAX_DESCRIPTION_CHARS)));
    name(&mut view, dataset).await;
    Ok(view)
}

async fn run(dataset: &Dataset, query: &str) -> Result<Arc<Answer>, BrowseError> {
    Ok(dataset.run(&dataset.check(query)?, LOOK_TIME).await?)
}

/// Queries for the outgoing triples, the number of incoming triples by property, and the incoming triples.
fn queries(dataset: &Dataset, thing: &NamedNode) -> [String; 3] {
    // Besides direct values, a Wikibase has statement nodes, and hubs with millions of incoming links.
    let names = dataset.vocabulary().statements.as_ref().filter(|names| names.is_entity(thing.as_str()));
    let direct = names.map_or_else(String::new, |names| {
        format!(" FILTER(STRSTARTS(STR(?p), \"{}\"))", names.namespace(StatementPart::Direct))
    });
    let leading = match dataset.is_indexed() {
        true => format!("?s ?p {thing}{direct}"),
        false => format!("{{ SELECT ?s ?p WHERE {{ ?s ?p {thing} }} LIMIT {MAX_COUNTED} }}{direct}"),
    };
    [
        format!("SELECT ?p ?o WHERE {{ {thing} ?p ?o{direct} }} LIMIT {MAX_OUTGOING}"),
        format!(
            "SELECT ?p (COUNT(?s) AS ?n) WHERE {{ {leading} }} GROUP BY ?p ORDER BY DESC(?n) LIMIT {MAX_WAYS}"
        ),
        format!("SELECT ?p ?s WHERE {{ ?s ?p {thing}{direct} }} LIMIT {MAX_INCOMING}"),
    ]
}

/// Incoming links, most frequent first. If they could not be counted, the fetched ones are counted.
fn incoming(counted: Option<&Answer>, leading: Option<&Answer>) -> Vec<Fact> {
    let mut groups = groups(leading.map_or(&[], rows));
    let counts: BTreeMap<&str, usize> = counted
        .map_or(&[][..], rows)
        .iter()
        .filter_map(|row| Some((iri(row.first())?, number(row.get(1))? as usize)))
        .collect();
    let total =
        |property: &NamedNode, seen: usize| counts.get(property.as_str()).copied().unwrap_or(0).max(seen);
    groups.sort_by_key(|(property, values)| std::cmp::Reverse(total(property, values.len())));
    let incoming = |(property, values): (NamedNode, Vec<Term>)| {
        let total = total(&property, values.len());
        fact(property, &values.iter().collect::<Vec<_>>(), total)
    };
    groups.into_iter().take(MAX_WAYS).map(incoming).collect()
}

/// A property with its first values out of `total`; labels are added later.
fn fact(property: NamedNode, values: &[&Term], total: usize) -> Fact {
    let values: Vec<ShownTerm> =
        values.iter().take(MAX_VALUES).map(|value| ShownTerm::from(*value)).collect();
    Fact {
        property: ShownTerm::from(&Term::from(property)),
        more: total.saturating_sub(values.len()),
        values,
    }
}

/// Groups rows of property and value by property, keeping their order.
fn groups(rows: &[Vec<Option<Term>>]) -> Vec<(NamedNode, Vec<Term>)> {
    let mut groups: Vec<(NamedNode, Vec<Term>)> = Vec::new();
    for row in rows {
        let [Some(Term::NamedNode(property)), Some(value)] = row.as_slice() else { continue };
        let value = cleaned(value);
        match groups.iter_mut().find(|(known, _)| known == property) {
            Some((_, values)) if values.contains(&value) => {}
            Some((_, values)) => values.push(value),
            None => groups.push((property.clone(), vec![value])),
        }
    }
    groups
}

/// A literal without text-direction and other control characters, shortened for a page. IRIs are unchanged.
fn cleaned(value: &Term) -> Term {
    let Term::Literal(literal) = value else { return value.clone() };
    let text = one_line(literal.value(), MAX_VALUE_CHARS);
    match literal.language() {
        Some(language) => Literal::new_language_tagged_literal_unchecked(text, language).into(),
        None => Literal::new_typed_literal(text, literal.datatype()).into(),
    }
}

/// Fills the entry with the outgoing triples.
fn take(entry: &mut Entry, dataset: &Dataset, said: &Answer) {
    let mut groups = groups(rows(said));
    let card = &dataset.index.card;
    groups.retain(|(property, values)| {
        let property = property.as_str();
        if entry.picture.is_none() {
            let expected = is_picture_property(property, card.property(property));
            entry.picture = values.iter().find_map(|value| picture(value, expected));
        }
        let room = MAX_RECORDINGS.saturating_sub(entry.recordings.len());
        entry.recordings.extend(values.iter().filter_map(recorded).take(room));
        if dataset.vocabulary().is_type(property) {
            entry.classes.extend(values.iter().map(ShownTerm::from));
            return false;
        }
        if DESCRIBING_PROPERTIES.contains(&property) {
            describe(entry, dataset, values);
            return false;
        }
        let is_name = card.naming_properties.iter().any(|naming| naming == property);
        !is_name && coordinate_role(property).is_none()
    });
    // Properties with few values are the most informative.
    groups.sort_by_key(|(_, values)| values.len());
    let facts = groups.into_iter().take(MAX_FACTS).map(|(property, values)| {
        let values = dataset.in_own_language(values.iter().collect());
        fact(property, &values, values.len())
    });
    entry.facts = facts.collect();
}

fn recorded(value: &Term) -> Option<Recording> {
    let (kind, address) = recording(value)?;
    Some(Recording { address, is_film: kind == MediaKind::Film })
}

fn describe(entry: &mut Entry, dataset: &Dataset, values: &[Term]) {
    let own = dataset.in_own_language(values.iter().collect());
    let text = own.iter().find_map(|value| match value {
        Term::Literal(literal) => Some(one_line(literal.value(), MAX_DESCRIPTION_CHARS)),
        Term::NamedNode(_) | Term::BlankNode(_) => None,
    });
    entry.description = entry.description.take().or(text);
}

/// Fetches the labels of everything mentioned; classes and properties without one are named after their IRIs.
async fn name(entry: &mut Entry, dataset: &Dataset) {
    let named = entry.terms_mut().filter_map(|term| term.iri().map(str::to_owned));
    let mut iris: Vec<String> = named.collect();
    iris.push(entry.iri.clone());
    iris.sort_unstable();
    iris.dedup();
    dataset.fetch_names(iris.iter().map(String::as_str)).await;
    let label = |iri: String| dataset.label(&iri).map(|label| (iri, label));
    let mut labels: BTreeMap<String, String> = iris.into_iter().filter_map(label).collect();
    let facts = entry.facts.iter().chain(&entry.incoming);
    for iri in facts.map(|fact| &fact.property).chain(&entry.classes).filter_map(ShownTerm::iri) {
        labels.entry(iri.to_owned()).or_insert_with_key(|iri| dataset.schema_name(iri));
    }
    let own = labels.get(&entry.iri).cloned();
    entry.label = own.unwrap_or_else(|| one_line(&humanize(local_name(&entry.iri)), MAX_NAME_CHARS));
    entry.terms_mut().for_each(|term| term.name(&labels));
}
