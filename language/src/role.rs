//! Prepositions, and the roles of the things that follow them.

use super::Language;
use crate::text::fold;
use rustc_hash::FxHashMap;
use serde::Deserialize;

/// The role of the thing after a preposition.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Role {
    /// The owner or whole.
    Of,
    /// The kind of thing, without an article: "place of birth".
    Kind,
    /// The agent.
    By,
    /// A place or time.
    In,
    /// The origin.
    From,
    /// The destination.
    To,
    /// What it has, or its company.
    With,
    /// The beneficiary or purpose.
    For,
    /// The topic.
    About,
    /// The duration.
    During,
}

/// The roles of each preposition, most likely first.
pub(super) type PrepositionRoles = FxHashMap<String, Vec<Role>>;

/// Collects the words of each role; if a word has several roles, the first is the most likely.
pub(super) fn roles_of(lists: &[(Role, String)]) -> PrepositionRoles {
    let mut found = PrepositionRoles::default();
    for (role, words) in lists {
        for word in words.split_whitespace() {
            found.entry(fold(word)).or_default().push(*role);
        }
    }
    found
}

impl Language {
    /// The most likely role of what follows a folded preposition.
    pub fn role(&self, folded: &str) -> Option<Role> {
        self.roles(folded).first().copied()
    }

    /// All roles of what may follow a folded preposition, most likely first.
    pub fn roles(&self, folded: &str) -> &[Role] {
        self.roles.get(folded).map_or(&[], Vec::as_slice)
    }
}
