//! A chat model proposes entries of the glossary and notes for classes and properties whose names say little. It sees them with
//! numbers, in quotes, and names them by these, so that it cannot propose a term that the graph does not have. What it proposes is
//! reviewed like everything else.

use crate::llm::{ChatModel, ChatRequest, Message};
use crate::service::Service;
use eruca_dataset::Dataset;
use eruca_indexer::{ClassCard, Edge, PropertyCard, Target, display_label};
use eruca_knowledge::proposals::{Proposal, ProposalState, ProposalStore, Proposed, Source, WordMeaning};
use eruca_language::text::humanize;
use eruca_sparql::{local_name, quoted};
use serde::Deserialize;
use std::time::Duration;
use time::OffsetDateTime;
use time::format_description::well_known::Rfc3339;

const SYSTEM: &str = include_str!("prompts/propose.md");
/// Terms of a request, and requests.
const TERMS_EACH: usize = 20;
const MAX_CALLS: usize = 5;
/// Time for a request.
const CALL_TIME: Duration = Duration::from_secs(120);
/// Samples of a term, and their length in characters.
const MAX_SAMPLES: usize = 5;
const MAX_SAMPLE_CHARS: usize = 60;
/// Words of a term or value that are taken from a reply.
const MAX_WORDS: usize = 3;
/// A name with fewer letters says little.
const MIN_LETTERS: usize = 3;

/// A term whose name says little.
struct Opaque<'a> {
    iri: &'a str,
    is_class: bool,
    count: u64,
    samples: Vec<String>,
    /// Classes of what has it, and of what it leads to.
    from: Vec<String>,
    to: Vec<String>,
}

#[derive(Deserialize)]
struct Reply {
    #[serde(default)]
    terms: Vec<ProposedTerm>,
}

#[derive(Deserialize)]
struct ProposedTerm {
    term: usize,
    #[serde(default)]
    words: Vec<String>,
    #[serde(default)]
    note: Option<String>,
    #[serde(default)]
    values: Vec<ProposedValue>,
}

#[derive(Deserialize)]
struct ProposedValue {
    value: String,
    #[serde(default)]
    words: Vec<String>,
}

impl Service {
    /// Lets the chat model propose entries and notes; gives the number of new proposals.
    ///
    /// # Errors
    /// Why there is none, for people: there is no model, it fails, or nothing needs a description.
    pub async fn propose(&self, dataset: &Dataset, store: &ProposalStore) -> Result<usize, String> {
        let model = self.model.as_deref().ok_or("no chat model is configured ([llm] base_url and model)")?;
        let terms = opaque(dataset);
        if terms.is_empty() {
            return Err(
                "all classes and properties have names that say something, or are described".to_owned()
            );
        }
        let mut made = 0;
        for some in terms.chunks(TERMS_EACH).take(MAX_CALLS) {
            for proposal in proposals(dataset, model, some).await? {
                let known = store.get(&proposal.dataset, &proposal.id).is_ok();
                let state = store.add(&proposal).map_err(|error| error.to_string())?;
                made += usize::from(!known && state == ProposalState::Open);
            }
        }
        Ok(made)
    }
}

/// Used terms without a name that says something, a note, or an entry of the glossary; the most used first.
fn opaque(dataset: &Dataset) -> Vec<Opaque<'_>> {
    let card = &dataset.index.card;
    let knowledge = dataset.knowledge();
    let is_known = |iri: &str| {
        let entries = knowledge.glossary.iter().flat_map(|entry| entry.terms());
        knowledge.notes_about(Some(iri)).next().is_some() || entries.into_iter().any(|(_, term)| term == iri)
    };
    let classes = card.classes.iter().filter(|one| !one.is_unused() && says_little(&one.labels, &one.iri));
    let properties =
        card.properties.iter().filter(|one| !one.is_unused() && says_little(&one.labels, &one.iri));
    let mut found: Vec<Opaque<'_>> = classes
        .map(|one| of_class(dataset, one))
        .chain(properties.map(|one| of_property(dataset, one)))
        .collect();
    found.retain(|one| !is_known(one.iri));
    found.sort_by(|one, other| other.count.cmp(&one.count).then(one.iri.cmp(other.iri)));
    found
}

/// Whether the label, or else the local name, is a code rather than words.
fn says_little(labels: &[eruca_indexer::Label], iri: &str) -> bool {
    let name = display_label(labels, &[]).map_or_else(|| humanize(local_name(iri)), str::to_owned);
    let letters = name.chars().filter(|c| c.is_alphabetic()).count();
    let digits = name.chars().filter(char::is_ascii_digit).count();
    letters < MIN_LETTERS || (digits > 0 && letters <= MIN_LETTERS * 2)
}

fn of_class<'a>(dataset: &Dataset, card: &'a ClassCard) -> Opaque<'a> {
    let properties = dataset.index.card.properties_from(&card.iri);
    let to = properties.take(MAX_SAMPLES).map(|one| dataset.schema_name(&one.iri)).collect();
    let things = dataset.index.entities.best_of_class(&card.iri, MAX_SAMPLES).unwrap_or_default();
    let names = things.iter().filter_map(|thing| dataset.label(&thing.iri));
    let samples = names.collect();
    Opaque {
        iri: &card.iri,
        is_class: true,
        count: card.instances_with_subclasses,
        samples,
        from: Vec::new(),
        to,
    }
}

fn of_property<'a>(dataset: &Dataset, card: &'a PropertyCard) -> Opaque<'a> {
    let named = |iri: &str| dataset.schema_name(iri);
    let sample = |edge: &Edge, text: &String| match edge.target {
        Target::Literal(_) => text.clone(),
        Target::Class(_) | Target::Resource => {
            dataset.label(text).unwrap_or_else(|| local_name(text).to_owned())
        }
    };
    let samples = card.edges.iter().flat_map(|edge| edge.samples.iter().map(move |text| (edge, text)));
    let mut samples: Vec<String> = samples.map(|(edge, text)| sample(edge, text)).collect();
    samples.dedup();
    samples.truncate(MAX_SAMPLES);
    let from = card.domains().into_iter().take(MAX_WORDS).map(|(iri, _)| named(iri)).collect();
    let to = card.ranges().into_iter().take(MAX_WORDS).map(|(iri, _)| named(iri)).collect();
    Opaque { iri: &card.iri, is_class: false, count: card.usage, samples, from, to }
}

/// A term as a line of the prompt.
fn line(dataset: &Dataset, number: usize, one: &Opaque<'_>) -> String {
    let all = |label: &str, texts: &[String]| match texts.is_empty() {
        true => String::new(),
        false => {
            let texts: Vec<String> = texts.iter().map(|text| quoted(text, MAX_SAMPLE_CHARS)).collect();
            format!("; {label}: {}", texts.join(", "))
        }
    };
    let name = quoted(&dataset.schema_name(one.iri), MAX_SAMPLE_CHARS);
    match one.is_class {
        true => format!(
            "{number}. class {name}, {} things{}{}",
            one.count,
            all("samples", &one.samples),
            all("properties", &one.to)
        ),
        false => format!(
            "{number}. property {name}, {} uses{}{}{}",
            one.count,
            all("samples", &one.samples),
            all("of", &one.from),
            all("to", &one.to)
        ),
    }
}

async fn proposals(
    dataset: &Dataset,
    model: &dyn ChatModel,
    some: &[Opaque<'_>],
) -> Result<Vec<Proposal>, String> {
    let lines: Vec<String> = some.iter().enumerate().map(|(at, one)| line(dataset, at + 1, one)).collect();
    let messages = vec![Message::System(SYSTEM.trim().to_owned()), Message::User(lines.join("\n"))];
    let completion = model.complete(&ChatRequest::new(messages, Vec::new(), CALL_TIME)).await;
    let text = completion.map_err(|error| error.to_string())?.text.unwrap_or_default();
    let reply = read(&text).ok_or("its reply is not the JSON that it was asked for")?;
    let at = OffsetDateTime::now_utc().format(&Rfc3339).unwrap_or_default();
    let source =
        Source { dataset: dataset.id.clone(), at, by: Some(model.name().to_owned()), ..Source::default() };
    let named = reply.terms.iter().take(some.len());
    let named = named.filter_map(|said| Some((some.get(said.term.checked_sub(1)?)?, said)));
    // What is out of bounds is left out: the model made it, and nobody can correct it.
    let made = named.flat_map(|(term, said)| proposed(term, said));
    Ok(made.filter_map(|what| Proposal::new(source.clone(), what).ok()).collect())
}

/// The object in a reply, whatever stands around it.
fn read(text: &str) -> Option<Reply> {
    let (from, to) = (text.find('{')?, text.rfind('}')?);
    serde_json::from_str(text.get(from..=to)?).ok()
}

fn proposed(term: &Opaque<'_>, said: &ProposedTerm) -> Vec<Proposed> {
    let iri = || term.iri.to_owned();
    let word = |words: &String, meaning: WordMeaning| Proposed::Glossary { words: words.clone(), meaning };
    let own = |words: &String| match term.is_class {
        true => word(words, WordMeaning::Class { iri: iri() }),
        false => word(words, WordMeaning::Property { iri: iri() }),
    };
    let values = said.values.iter().filter(|one| !term.is_class && term.samples.contains(&one.value));
    let values = values.flat_map(|one| {
        let meaning = WordMeaning::Value { property: iri(), value: one.value.clone() };
        one.words.iter().take(MAX_WORDS).map(move |words| word(words, meaning.clone())).collect::<Vec<_>>()
    });
    let note = said.note.iter().map(|text| Proposed::Note { text: text.clone(), about: iri() });
    said.words.iter().take(MAX_WORDS).map(own).chain(note).chain(values).collect()
}
