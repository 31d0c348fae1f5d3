//! Prepositions, and the role of the thing that follows one.

use super::files::Files;
use crate::text::fold;
use rustc_hash::FxHashMap;

/// The role of the thing behind a preposition.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
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

impl Role {
    fn parse(name: &str) -> Option<Self> {
        Some(match name {
            "of" => Self::Of,
            "kind" => Self::Kind,
            "by" => Self::By,
            "in" => Self::In,
            "from" => Self::From,
            "to" => Self::To,
            "with" => Self::With,
            "for" => Self::For,
            "about" => Self::About,
            "during" => Self::During,
            _ => return None,
        })
    }
}

/// The roles of each preposition, the likeliest first: the order of the lines.
pub(super) type PrepositionRoles = FxHashMap<String, Vec<Role>>;

pub(super) fn read(files: &mut Files) -> PrepositionRoles {
    let mut found = PrepositionRoles::default();
    files.each_pair("prepositions", |name, words| {
        let role = Role::parse(name)?;
        for word in words.split_whitespace() {
            found.entry(fold(word)).or_default().push(role);
        }
        Some(())
    });
    found
}
