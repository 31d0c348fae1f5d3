//! Boards: several verified questions on one page, by their names.

use crate::Origin;
use crate::questions::is_slug;
use crate::written::Board as WrittenBoard;

/// Questions on one page.
pub const MAX_BOARD_QUESTIONS: usize = 12;
/// Maximum number of characters of a title.
const MAX_TITLE_CHARS: usize = 200;

/// Several verified questions on one page.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Board {
    /// The name in the address.
    pub name: String,
    /// The title: one line.
    pub title: String,
    /// The names of the questions.
    pub questions: Vec<String>,
    /// Where it is written.
    pub origin: Origin,
}

impl Board {
    /// A board as it is written, beside those that are known.
    pub(crate) fn read(board: WrittenBoard, origin: Origin, known: &[Self]) -> Result<Self, String> {
        let WrittenBoard { name, title, questions } = board;
        let title = title.map_or_else(|| name.clone(), |title| title.trim().to_owned());
        if let Some(wrong) = std::iter::once(&name).chain(&questions).find(|name| !is_slug(name)) {
            return Err(format!(
                "has the name '{wrong}'; names have at most 64 small letters a to z, digits, '-' and '_'"
            ));
        }
        if questions.is_empty() || questions.len() > MAX_BOARD_QUESTIONS {
            return Err(format!("must have between 1 and {MAX_BOARD_QUESTIONS} 'questions', by their names"));
        }
        if title.is_empty() || title.chars().count() > MAX_TITLE_CHARS || title.contains(char::is_control) {
            return Err(format!("must have a 'title' of one line and at most {MAX_TITLE_CHARS} characters"));
        }
        if known.iter().any(|other| other.name == name) {
            return Err(format!("there is another board '{name}'; rename one of them"));
        }
        Ok(Self { name, title, questions, origin })
    }
}
