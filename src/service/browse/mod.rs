//! Browsing a graph: its overview, autocompletion (also within queries), entity pages, coordinates, and example questions. For the web page
//! and other programs; no model is called.

mod card;
mod complete;
mod entry;
mod examples;
mod places;
mod search;
mod templates;

pub use complete::UnfinishedQuery;
pub(super) use examples::{Examples, own_language, rounded, shares_a_word};
pub(super) use places::{MAX_THINGS, places as places_of};
pub use search::Lookup;
pub(super) use templates::wording;

use super::{Service, ServiceError};
use eruca_api::ColumnKind;
use eruca_dataset::{Dataset, LookupError};
use eruca_sparql::{Answer, NamedNode, QueryError, Results, Term};
use std::sync::Arc;
use std::time::Duration;

/// Time limit for browsing requests.
pub(super) const LOOK_TIME: Duration = Duration::from_secs(10);
/// Maximum length of an accepted language tag, in characters.
const MAX_TAG_CHARS: usize = 35;

/// Why browsing failed.
#[derive(Debug, thiserror::Error)]
pub enum BrowseError {
    /// An error of the service.
    #[error(transparent)]
    Service(#[from] ServiceError),
    /// An error of the endpoint or of the query check.
    #[error(transparent)]
    Query(#[from] QueryError),
}

impl From<LookupError> for BrowseError {
    fn from(error: LookupError) -> Self {
        Self::Service(match error {
            LookupError::Entities(error) => ServiceError::of_names(&error),
            other => ServiceError::Internal(other.to_string()),
        })
    }
}

impl Service {
    /// Runs a browsing request once its turn in the browsing queue has come.
    ///
    /// # Errors
    /// `Overloaded` if there are too many browsing requests.
    pub(super) async fn look<F>(&self, work: F) -> Result<F::Output, ServiceError>
    where
        F: Future + Send + 'static,
        F::Output: Send,
    {
        let _place = self.looks.enter(LOOK_TIME / 2).await?;
        Ok(self.cpu_pool.aside(work).await)
    }

    /// A dataset by id or alias, preferring labels in this language. Fails if its index is known to be damaged.
    pub(super) fn looked_at(&self, name: &str, lang: Option<&str>) -> Result<Arc<Dataset>, ServiceError> {
        let dataset = self.find(name.trim())?;
        if let Some(reason) = dataset.index.damage() {
            return Err(ServiceError::IndexDamaged {
                dataset: dataset.id.clone(),
                reason: reason.to_owned(),
                command: dataset.index.build_command.clone(),
            });
        }
        let Some(lang) = lang.filter(|tag| is_tag(tag)).map(str::to_ascii_lowercase) else {
            return Ok(dataset);
        };
        Ok(Arc::new(dataset.for_language(&lang)))
    }
}

fn is_tag(tag: &str) -> bool {
    (1..=MAX_TAG_CHARS).contains(&tag.len()) && tag.chars().all(|c| c.is_ascii_alphanumeric() || c == '-')
}

/// Parses an IRI to be used in a query.
fn checked_iri(iri: &str) -> Result<NamedNode, ServiceError> {
    NamedNode::new(iri).map_err(|error| ServiceError::Invalid {
        field: "iri",
        message: format!("it is not an IRI: {error}"),
    })
}

pub(super) fn rows(answer: &Answer) -> &[Vec<Option<Term>>] {
    match &answer.results {
        Results::Solutions(solutions) => &solutions.rows,
        Results::Boolean(_) | Results::Graph(_) => &[],
    }
}

fn iri(term: Option<&Option<Term>>) -> Option<&str> {
    match term {
        Some(Some(Term::NamedNode(node))) => Some(node.as_str()),
        _ => None,
    }
}

/// The numeric value of a cell.
pub(super) fn number(term: Option<&Option<Term>>) -> Option<f64> {
    match term {
        Some(Some(Term::Literal(literal))) => literal.value().trim().parse().ok(),
        _ => None,
    }
}

/// The kind of a property's values, in the terms used for result columns.
fn kind(dataset: &Dataset, iri: &str) -> ColumnKind {
    use eruca_indexer::media::{coordinate_role, is_picture_property};
    use eruca_indexer::{Target, ValueKind};
    let Some(card) = dataset.index.card.property(iri) else { return ColumnKind::Thing };
    if is_picture_property(iri, Some(card)) {
        return ColumnKind::Picture;
    }
    let most = card.edges.iter().max_by_key(|edge| edge.count);
    match most.map(|edge| (&edge.target, &edge.samples)) {
        Some((Target::Class(_), _)) | None => ColumnKind::Thing,
        Some((Target::Resource, _)) => ColumnKind::Link,
        Some((Target::Literal(datatype), samples)) => match ValueKind::of(datatype, samples) {
            _ if coordinate_role(iri).is_some() || datatype.ends_with("#wktLiteral") => {
                ColumnKind::Coordinates
            }
            ValueKind::Number | ValueKind::NumberText => ColumnKind::Number,
            ValueKind::Time | ValueKind::TimeText if datatype.ends_with("#gYear") => ColumnKind::Year,
            ValueKind::Time | ValueKind::TimeText => ColumnKind::Date,
            ValueKind::Text if datatype.ends_with("#boolean") => ColumnKind::Boolean,
            ValueKind::Text if datatype.ends_with("#anyURI") => ColumnKind::Link,
            ValueKind::Text | ValueKind::Quantity => ColumnKind::Text,
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_iris_may_stand_in_queries() {
        assert!(checked_iri("https://example.org/caf%C3%A9?a=b#c").is_ok());
        for iri in ["", "a b", "https://e.x/> ?p ?o } #", "https://e.x/\"", "https://e.x/{x}", "no scheme"] {
            assert!(matches!(checked_iri(iri), Err(ServiceError::Invalid { field: "iri", .. })), "{iri}");
        }
    }

    #[test]
    fn tags_of_languages_are_plain() {
        assert!(is_tag("en") && is_tag("zh-Hans-CN"));
        for tag in ["", "en_US", "e n", "\u{202e}", &"a".repeat(36)] {
            assert!(!is_tag(tag), "{tag}");
        }
    }
}
