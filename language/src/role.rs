//! Prepositions, and the role of the thing that follows one.

use super::Language;
use crate::text::fold;
use rustc_hash::FxHashMap;
use serde::Deserialize;

/// The role of the thing behind a preposition.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Role {
    /// What something belongs to.
    Of,
    /// What kind of thing it is, without an article: "place of birth".
    Kind,
    /// Who does it.
    By,
    /// The place or time.
    In,
    /// Where it comes from.
    From,
    /// Where it goes.
    To,
    /// What it has, or whom it is with.
    With,
    /// Whom or what it is meant for.
    For,
    /// What it deals with.
    About,
    /// The time through which it lasts.
    During,
}

/// The roles of each preposition, the likeliest first.
pub(super) type PrepositionRoles = FxHashMap<String, Vec<Role>>;

/// Roles with their words; of two roles of one word, the first is the likelier one.
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
    /// The likeliest role of what stands behind a folded preposition.
    pub fn role(&self, folded: &str) -> Option<Role> {
        self.roles(folded).first().copied()
    }

    /// All roles of what may stand behind a folded preposition, the likeliest first.
    pub fn roles(&self, folded: &str) -> &[Role] {
        self.roles.get(folded).map_or(&[], Vec::as_slice)
    }
}
