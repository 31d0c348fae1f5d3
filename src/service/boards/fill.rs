//! A page's query with the names that are chosen in it: each must be that of exactly one thing of the same kind as the one that was
//! verified, or the IRI of such a thing.

use super::find::by_parameter;
use super::{AskedPage, BoardError};
use crate::service::Service;
use crate::service::index::check_index;
use eruca_api::BoardChoice;
use eruca_dataset::Dataset;
use eruca_knowledge::questions::{Parameter, VerifiedQuestion, question_key};
use eruca_sparql::{CheckedQuery, Prefixes, QueryError, Term, one_line};
use std::collections::BTreeMap;
use std::sync::Arc;

/// Maximum length of a chosen name, in characters.
const MAX_CHOICE: usize = 1_000;
/// Maximum length of a name in a message, in characters.
const MAX_SHOWN: usize = 100;

/// A page as it is asked, ready to be run.
#[derive(Clone)]
pub struct FilledPage {
    /// The verified question.
    pub question: VerifiedQuestion,
    /// The question with the names that are chosen.
    pub text: String,
    /// The names that are chosen.
    pub choices: Vec<BoardChoice>,
    pub(super) dataset: Arc<Dataset>,
    pub(super) query: CheckedQuery,
}

impl FilledPage {
    /// The dataset's id.
    pub fn dataset_id(&self) -> &str {
        &self.dataset.id
    }

    /// The query with the names that are chosen.
    pub fn query(&self) -> &str {
        self.query.text()
    }

    /// Parts of the graph's files that could not be read, so that rows may be missing.
    pub fn missing(&self) -> Vec<String> {
        self.dataset.unread().to_vec()
    }

    /// Identifies the page with what is chosen, and the state of its dataset.
    pub fn place(&self) -> String {
        format!("/q/{}\n{}", self.question.name.as_deref().unwrap_or_default(), self.key())
    }

    /// Identifies the query and the state of its dataset.
    pub(super) fn key(&self) -> String {
        format!("{}\n{}", self.dataset.version(), self.query.text())
    }
}

impl Service {
    /// The page as it is asked.
    ///
    /// # Errors
    /// If there is no such page, a choice is wrong, or the query is no longer allowed.
    pub async fn fill_page(self: &Arc<Self>, asked: AskedPage) -> Result<FilledPage, BoardError> {
        let (found, question) = self.question_named(&asked.name, asked.dataset.as_deref())?;
        let dataset = self.looked_at(&found.id, asked.lang.as_deref())?;
        check_index(&dataset).await?;
        self.look(async move { filled(dataset, question, &asked) }).await?
    }
}

fn filled(
    dataset: Arc<Dataset>,
    question: VerifiedQuestion,
    asked: &AskedPage,
) -> Result<FilledPage, BoardError> {
    let given = known(&question, asked)?;
    let (mut pairs, mut choices, mut names) = (Vec::new(), Vec::new(), Vec::new());
    for parameter in &question.parameters {
        let slug = parameter.slug();
        let chosen =
            given.get(slug.as_str()).map(|value| chosen(&dataset, parameter, value)).transpose()?.flatten();
        let other = chosen.is_some();
        let (label, value) = match chosen {
            Some(Chosen { known, term, label, value }) => {
                pairs.push((known, term));
                names.push((parameter, label.clone()));
                (label, value)
            }
            None => (parameter.name.clone(), parameter.name.clone()),
        };
        choices.push(BoardChoice { name: slug, label, value, other });
    }
    let query = dataset.check(&question.query)?;
    let query = match pairs.is_empty() {
        true => query,
        false => dataset.check(&query.with_terms(&pairs, &Prefixes::default()).ok_or_else(unfit)?)?,
    };
    let named: Vec<_> = names.iter().map(|(parameter, name)| (*parameter, name.as_str())).collect();
    let text = question.with_names(&named);
    Ok(FilledPage { text, choices, query, dataset, question })
}

/// The choices, if the question has all of these parameters.
fn known<'a>(
    question: &VerifiedQuestion,
    asked: &'a AskedPage,
) -> Result<BTreeMap<&'a str, &'a str>, BoardError> {
    let slugs: Vec<String> = question.parameters.iter().map(Parameter::slug).collect();
    let unknown = asked.choices.iter().find(|(name, _)| !slugs.contains(name));
    match unknown {
        Some((name, _)) => Err(BoardError::NoParameter {
            name: asked.name.clone(),
            parameter: one_line(name, MAX_SHOWN),
            known: slugs,
        }),
        None => Ok(by_parameter(&asked.choices)),
    }
}

/// A name that takes the place of another.
struct Chosen {
    known: Term,
    term: Term,
    label: String,
    value: String,
}

/// What a choice stands for; `None` if it is what was verified.
fn chosen(dataset: &Dataset, parameter: &Parameter, given: &str) -> Result<Option<Chosen>, BoardError> {
    let known = dataset.term(&parameter.value).ok_or_else(unfit)?;
    let slug = parameter.slug();
    let value: String = given.chars().take(MAX_CHOICE).collect();
    if question_key(&value) == question_key(&parameter.name) {
        return Ok(None);
    }
    let found = match as_iri(dataset, &value) {
        Some(term) if term == known => return Ok(None),
        Some(term) => Some(term).filter(|term| dataset.is_of_kind(&known, term)).into_iter().collect(),
        None => dataset.namesakes(&known, &value),
    };
    let shown = one_line(&value, MAX_SHOWN);
    match found.as_slice() {
        [term] if *term == known => Ok(None),
        [term] => Ok(Some(Chosen { label: label(dataset, term), term: term.clone(), known, value })),
        [] => {
            let candidates = super::candidates::of(dataset, &known, &value);
            Err(BoardError::UnknownValue { parameter: slug, value: shown, candidates })
        }
        several => {
            let candidates = super::candidates::named(dataset, &known, several);
            Err(BoardError::AmbiguousValue { parameter: slug, value: shown, candidates })
        }
    }
}

/// The thing whose IRI this is; prefixed names are read as names, which may have colons too.
fn as_iri(dataset: &Dataset, value: &str) -> Option<Term> {
    let is_iri = value.starts_with('<') || value.contains("://") || value.starts_with("urn:");
    is_iri.then(|| dataset.term(value)).flatten()
}

/// What a term is called.
pub(super) fn label(dataset: &Dataset, term: &Term) -> String {
    match term {
        Term::NamedNode(node) => {
            dataset.label(node.as_str()).unwrap_or_else(|| dataset.schema_name(node.as_str()))
        }
        Term::Literal(literal) => one_line(literal.value(), MAX_SHOWN),
        Term::BlankNode(_) => term.to_string(),
    }
}

fn unfit() -> QueryError {
    let reason = "the value of a parameter is not in the query of this verified question; correct its file (eruca check)";
    QueryError::Refused { reason: reason.to_owned() }
}
