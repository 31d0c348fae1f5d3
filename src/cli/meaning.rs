//! What somebody says that words mean: `WORDS=TERM`, a term by its IRI, a prefixed name, or a name that the graph has.

use crate::service::Service;
use crate::service::browse::Lookup;
use eruca_api::{Correction, Meant};
use std::sync::Arc;

/// Words with what they mean, and the name of that.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct NamedMeaning {
    /// As it is sent with a question.
    pub correction: Correction,
    /// The name of the term.
    pub name: String,
}

/// The words and the term of `WORDS=TERM`.
pub(super) fn parts(text: &str) -> Result<(String, String), &'static str> {
    let (words, term) = text.split_once('=').ok_or("write WORDS=TERM, like clients=Customer")?;
    let (words, term) = (words.trim(), term.trim());
    match words.is_empty() || term.is_empty() {
        true => Err("write WORDS=TERM, like clients=Customer"),
        false => Ok((words.to_owned(), term.to_owned())),
    }
}

/// The term that is meant.
///
/// # Errors
/// Why there is none, for people.
pub(super) async fn resolved(
    service: &Arc<Service>,
    dataset: &str,
    (words, term): (String, String),
) -> Result<NamedMeaning, String> {
    let known = service.dataset(dataset).ok_or_else(|| format!("there is no dataset '{dataset}'"))?;
    let meaning = |iri: String| Meant { iri: Some(iri), ..Meant::default() };
    if let Ok(iri) = known.resolve(&term) {
        let name = known.label(&iri).unwrap_or_else(|| known.compact(&iri));
        return Ok(NamedMeaning { correction: Correction { words, meaning: meaning(iri) }, name });
    }
    let lookup = Lookup { dataset: dataset.to_owned(), text: term.clone(), kind: None, limit: 1, lang: None };
    let found = service.search(lookup).await.map_err(|error| error.to_string())?;
    let hit = found.hits.into_iter().next();
    let hit =
        hit.ok_or_else(|| format!("the graph has nothing called '{term}'; `eruca search` shows names"))?;
    Ok(NamedMeaning { correction: Correction { words, meaning: meaning(hit.iri) }, name: hit.label })
}
