//! Names that can be chosen for a parameter: things of the same kind as the one that was verified.

use super::fill::label;
use super::{AskedPage, BoardError};
use crate::service::Service;
use eruca_api::{BoardCandidate, BoardCandidates};
use eruca_dataset::Dataset;
use eruca_knowledge::questions::Parameter;
use eruca_sparql::{Term, one_line};
use std::sync::Arc;

/// Names that are offered at once.
const MAX_CANDIDATES: usize = 8;
/// Maximum length of what was typed, in characters.
const MAX_TYPED: usize = 200;
/// Maximum length of what is said of a candidate, in characters.
const MAX_ABOUT: usize = 120;

impl Service {
    /// Names that complete what was typed for a parameter; without a text the best known ones.
    ///
    /// # Errors
    /// If there is no such page or parameter, or browsing is overloaded.
    pub async fn page_candidates(
        self: &Arc<Self>,
        asked: AskedPage,
        parameter: &str,
        typed: &str,
    ) -> Result<BoardCandidates, BoardError> {
        let (found, question) = self.question_named(&asked.name, asked.dataset.as_deref())?;
        let dataset = self.looked_at(&found.id, asked.lang.as_deref())?;
        let wanted = question.parameters.iter().find(|one| one.slug() == parameter);
        let Some(Parameter { value, .. }) = wanted else {
            let known = question.parameters.iter().map(Parameter::slug).collect();
            let parameter = one_line(parameter, MAX_ABOUT);
            return Err(BoardError::NoParameter { name: asked.name, parameter, known });
        };
        let (value, typed): (_, String) = (value.clone(), typed.chars().take(MAX_TYPED).collect());
        let look = move || Some(of(&dataset, &dataset.term(&value)?, &typed));
        let candidates = self.look(async move { look() }).await?.unwrap_or_default();
        Ok(BoardCandidates { candidates })
    }
}

/// Things whose names begin like a text or are near it.
pub(super) fn of(dataset: &Dataset, known: &Term, typed: &str) -> Vec<BoardCandidate> {
    named(dataset, known, &dataset.alike(known, typed, MAX_CANDIDATES))
}

/// Terms by their names; those with a name that others have as well, by their IRIs.
pub(super) fn named(dataset: &Dataset, known: &Term, terms: &[Term]) -> Vec<BoardCandidate> {
    let candidate = |term: &Term| {
        let label = label(dataset, term);
        let others = dataset.namesakes(known, &label);
        let value = match term {
            Term::NamedNode(node) if others.as_slice() != [term.clone()] => node.as_str().to_owned(),
            _ => label.clone(),
        };
        let about = about(dataset, term, value != label);
        BoardCandidate { label, value, about }
    };
    terms.iter().take(MAX_CANDIDATES).map(candidate).collect()
}

/// What tells a thing from others of its name.
fn about(dataset: &Dataset, term: &Term, has_namesakes: bool) -> Option<String> {
    let Term::NamedNode(node) = term else { return None };
    let known = dataset.index.entities.get(node.as_str()).ok().flatten()?;
    let described = known.description.filter(|text| !text.trim().is_empty());
    let told = described.or_else(|| has_namesakes.then(|| dataset.compact(node.as_str())));
    told.map(|text| one_line(&text, MAX_ABOUT))
}
