//! Which questions are meant by a name: the question with it, or those of the board with it.

use super::BoardError;
use crate::service::Service;
use eruca_api::{BoardLink, BoardPage, BoardParameter, BoardQuestion, Boards};
use eruca_dataset::Dataset;
use eruca_knowledge::questions::{Parameter, VerifiedQuestion};
use eruca_knowledge::{Board, MAX_BOARD_QUESTIONS};
use eruca_sparql::{Term, one_line};
use std::collections::BTreeMap;
use std::sync::Arc;
use url::form_urlencoded::Serializer;

/// What separates several names in an address.
const SEPARATOR: char = ',';
/// Maximum length of a name in a message, in characters.
const MAX_NAME: usize = 100;
/// Maximum number of pages that are listed.
const MAX_LISTED: usize = 500;

/// A question with its dataset.
pub(super) type Found = (Arc<Dataset>, VerifiedQuestion);

impl Service {
    /// Whether there is any page.
    pub fn has_boards(&self) -> bool {
        let served = self.served.now();
        let mut all = served.opened.iter();
        all.any(|dataset| !seen_boards(dataset).is_empty() || dataset.questions().now().has_pages())
    }

    /// The pages of all datasets, or of one.
    ///
    /// # Errors
    /// If there is no such dataset.
    pub fn boards(&self, dataset: Option<&str>) -> Result<Boards, BoardError> {
        let datasets = self.those(dataset)?;
        let boards: Vec<_> = datasets.iter().map(|dataset| (dataset, seen_boards(dataset))).collect();
        let questions: Vec<_> = datasets.iter().map(|dataset| dataset.questions().now()).collect();
        let all = boards.iter().flat_map(|(dataset, boards)| {
            boards
                .iter()
                .map(|board| (*dataset, board.name.as_str(), board.title.as_str(), board.questions.len()))
        });
        let single = datasets.iter().zip(&questions).flat_map(|(dataset, questions)| {
            let named = questions.pages().filter_map(|page| Some((page.name.as_deref()?, page)));
            named.map(move |(name, page)| (dataset, name, page.question.as_str(), 1))
        });
        let links = all.chain(single).take(MAX_LISTED).map(|(dataset, name, title, questions)| BoardLink {
            name: name.to_owned(),
            title: title.to_owned(),
            dataset: dataset.id.clone(),
            questions,
            path: self.path_of(&dataset.id, name, &[]),
        });
        Ok(Boards { boards: links.collect() })
    }

    /// The page with these names: of a question, of a board, or of several questions separated by commas.
    ///
    /// # Errors
    /// If there is none, several datasets have it, or it names too many questions.
    pub async fn board_page(
        self: &Arc<Self>,
        names: String,
        dataset: Option<String>,
    ) -> Result<BoardPage, BoardError> {
        let service = self.clone();
        // Queries are read for it.
        self.look(async move { service.page_of(&names, dataset.as_deref()) }).await?
    }

    fn page_of(&self, names: &str, dataset: Option<&str>) -> Result<BoardPage, BoardError> {
        let name = one_line(names, MAX_NAME * MAX_BOARD_QUESTIONS);
        if let Some((dataset, board)) = self.board(names, dataset)? {
            return Ok(on_board(&dataset, board));
        }
        let mut all: Vec<&str> = Vec::new();
        for one in names.split(SEPARATOR).map(str::trim).filter(|one| !one.is_empty()) {
            if !all.contains(&one) {
                all.push(one);
            }
        }
        if all.len() > MAX_BOARD_QUESTIONS {
            return Err(BoardError::TooMany { most: MAX_BOARD_QUESTIONS });
        }
        let found = all.iter().map(|one| self.question_named(one, dataset)).collect::<Result<Vec<_>, _>>()?;
        if found.is_empty() {
            return Err(BoardError::Unknown { name });
        }
        let questions = found.iter().map(|(dataset, question)| described(dataset, question)).collect();
        Ok(BoardPage { name, title: None, questions, missing: Vec::new() })
    }

    /// Whether one of these boards has a question of this name.
    pub fn board_holds(&self, boards: &[String], question: &str) -> bool {
        self.served.now().opened.iter().any(|dataset| {
            let seen = seen_boards(dataset);
            let mut named = seen.iter().filter(|board| boards.contains(&board.name));
            named.any(|board| board.questions.iter().any(|name| name == question))
        })
    }

    /// The path of a page with these names in the places of parameters.
    pub(in crate::service) fn path_of(
        &self,
        dataset: &str,
        name: &str,
        choices: &[(String, String)],
    ) -> String {
        let mut address = Serializer::new(String::new());
        if self.having(name, None).is_ok_and(|all| all.len() > 1) {
            address.append_pair("dataset", dataset);
        }
        address.extend_pairs(choices);
        match address.finish() {
            none if none.is_empty() => format!("/q/{name}"),
            choices => format!("/q/{name}?{choices}"),
        }
    }

    /// The only question with this name.
    pub(super) fn question_named(&self, name: &str, dataset: Option<&str>) -> Result<Found, BoardError> {
        let unknown = || BoardError::Unknown { name: one_line(name, MAX_NAME) };
        let mut found = self.those(dataset)?.into_iter().filter_map(|dataset| {
            let question = named(&dataset, name)?;
            Some((dataset, question))
        });
        let first = found.next().ok_or_else(unknown)?;
        let others: Vec<_> = found.map(|(dataset, _)| dataset.id.clone()).collect();
        match others.is_empty() {
            true => Ok(first),
            false => Err(several(name, std::iter::once(first.0.id.clone()).chain(others).collect())),
        }
    }

    /// The board with this name, unless there is none.
    fn board(&self, name: &str, dataset: Option<&str>) -> Result<Option<(Arc<Dataset>, Board)>, BoardError> {
        let all = self.having(name, dataset)?;
        let board =
            |dataset: &Arc<Dataset>| seen_boards(dataset).into_iter().find(|board| board.name == name);
        match all.as_slice() {
            [only] => Ok(board(only).map(|board| (only.clone(), board))),
            [] => Ok(None),
            more => Err(several(name, more.iter().map(|dataset| dataset.id.clone()).collect())),
        }
    }

    /// The datasets that have a question or a board of this name.
    fn having(&self, name: &str, dataset: Option<&str>) -> Result<Vec<Arc<Dataset>>, BoardError> {
        let has = |dataset: &Arc<Dataset>| {
            seen_boards(dataset).iter().any(|board| board.name == name) || named(dataset, name).is_some()
        };
        Ok(self.those(dataset)?.into_iter().filter(has).collect())
    }

    /// The dataset of this name, or all.
    fn those(&self, dataset: Option<&str>) -> Result<Vec<Arc<Dataset>>, BoardError> {
        match dataset {
            Some(name) => Ok(vec![self.find_one(name)?]),
            None => Ok(self.served.now().opened.clone()),
        }
    }
}

/// The boards of a dataset. Where something is hidden, a question that is not there may be hidden: it is left out, and so is a board
/// that has no other.
fn seen_boards(dataset: &Dataset) -> Vec<Board> {
    let mut boards = dataset.knowledge().boards.clone();
    if !dataset.knowledge().hidden.is_empty() {
        let questions = dataset.questions().now();
        boards.iter_mut().for_each(|board| board.questions.retain(|name| questions.named(name).is_some()));
        boards.retain(|board| !board.questions.is_empty());
    }
    boards
}

/// The question with this name.
fn named(dataset: &Dataset, name: &str) -> Option<VerifiedQuestion> {
    dataset.questions().now().named(name).cloned()
}

/// The page of a board.
fn on_board(dataset: &Dataset, board: Board) -> BoardPage {
    let (mut questions, mut missing) = (Vec::new(), Vec::new());
    for name in board.questions {
        match named(dataset, &name) {
            Some(question) => questions.push(described(dataset, &question)),
            None => missing.push(name),
        }
    }
    BoardPage { name: board.name, title: Some(board.title), questions, missing }
}

fn several(name: &str, datasets: Vec<String>) -> BoardError {
    BoardError::Several { name: one_line(name, MAX_NAME), datasets }
}

fn described(dataset: &Dataset, question: &VerifiedQuestion) -> BoardQuestion {
    let grouped = dataset.check(&question.query).is_ok_and(|query| query.model().is_grouped);
    BoardQuestion {
        name: question.name.clone().unwrap_or_default(),
        dataset: dataset.id.clone(),
        question: question.question.clone(),
        lang: question.lang.clone(),
        by: question.by.clone(),
        at: question.at.clone(),
        comment: question.comment.clone(),
        view: question.view.clone(),
        refresh: question.refresh.map(|every| every.as_secs()),
        grouped,
        parameters: question.parameters.iter().map(|one| parameter(dataset, one)).collect(),
    }
}

fn parameter(dataset: &Dataset, parameter: &Parameter) -> BoardParameter {
    let known = dataset.term(&parameter.value);
    let number = matches!(&known, Some(Term::Literal(literal)) if eruca_dataset::is_number(literal));
    BoardParameter { name: parameter.slug(), verified: parameter.name.clone(), number }
}

/// The choices by the names of the parameters in the address, each once; the last one counts.
pub(super) fn by_parameter(choices: &[(String, String)]) -> BTreeMap<&str, &str> {
    let given = choices.iter().map(|(name, value)| (name.as_str(), value.trim()));
    given.filter(|(_, value)| !value.is_empty()).collect()
}
