//! What a reader means by words, checked against the graph. A hidden term is the same as one that the graph does not have.

use eruca_api::{Correction, Meant, MeantKind};
use eruca_dataset::Dataset;
use eruca_knowledge::proposals::{Proposal, Proposed, Source, WordMeaning};
use eruca_knowledge::{GlossaryEntry, Learned};
use eruca_sparql::{Prefixes, one_line};

/// Longest IRI in a message, in characters.
const MAX_IRI_CHARS: usize = 300;

/// The meaning, if the graph has its term.
pub(super) fn meaning(dataset: &Dataset, meant: &Meant) -> Result<WordMeaning, String> {
    let resolved = |written: &Option<String>| written.as_deref().map(|iri| dataset.resolve(iri)).transpose();
    let (iri, property) = (resolved(&meant.iri)?, resolved(&meant.property)?);
    let needed = |iri: Option<String>| iri.ok_or("needs 'iri', the term that is meant");
    let kind = match (meant.kind, &meant.value, &iri) {
        (Some(kind), ..) => kind,
        (None, Some(_), _) => MeantKind::Value,
        (None, None, Some(iri)) => kind_of(dataset, iri),
        (None, None, None) => return Err("needs 'iri', the term that is meant".to_owned()),
    };
    let meaning = match kind {
        MeantKind::Class => WordMeaning::Class { iri: needed(iri)? },
        MeantKind::Property => WordMeaning::Property { iri: needed(iri)? },
        MeantKind::Thing => WordMeaning::Thing { iri: needed(iri)? },
        MeantKind::Value => WordMeaning::Value {
            property: property.or(iri).ok_or("needs 'property', the one whose value is meant")?,
            value: meant.value.clone().ok_or("needs 'value', the text of the value")?,
        },
        MeantKind::Prefer => {
            let over = meant.over.iter().map(|iri| dataset.resolve(iri)).collect::<Result<_, _>>()?;
            WordMeaning::Prefer { iri: needed(iri)?, over }
        }
    };
    known(dataset, &meaning)?;
    Ok(meaning)
}

/// The entry of the glossary for one question.
pub(super) fn entry(dataset: &Dataset, chosen: &Correction) -> Result<GlossaryEntry, String> {
    let meaning = meaning(dataset, &chosen.meaning)?;
    entry_of(chosen.words.clone(), meaning)
}

fn entry_of(words: String, meaning: WordMeaning) -> Result<GlossaryEntry, String> {
    let proposal = Proposal::new(Source::default(), Proposed::Glossary { words, meaning })?;
    match Learned::read(&proposal.block("", ""), &Prefixes::default())? {
        Learned::Glossary(entry) => Ok(*entry),
        Learned::Note(_) | Learned::Question(_) => Err("is no entry of the glossary".to_owned()),
    }
}

fn known(dataset: &Dataset, meaning: &WordMeaning) -> Result<(), String> {
    let entry = entry_of("x".to_owned(), meaning.clone())?;
    let Some(iri) = dataset.lacks(&entry) else { return Ok(()) };
    let what = match meaning {
        WordMeaning::Class { .. } => "class",
        WordMeaning::Property { .. } | WordMeaning::Value { .. } | WordMeaning::Prefer { .. } => "property",
        WordMeaning::Thing { .. } => "thing",
    };
    Err(format!("the graph has no {what} <{}>; choose one that it has", one_line(&iri, MAX_IRI_CHARS)))
}

fn kind_of(dataset: &Dataset, iri: &str) -> MeantKind {
    let card = &dataset.index.card;
    match (card.class(iri), card.property(iri)) {
        (Some(_), _) => MeantKind::Class,
        (None, Some(_)) => MeantKind::Property,
        (None, None) => MeantKind::Thing,
    }
}
