//! Of readings that differ in one property alone, which one is meant: as the user has chosen, or as the owner of the graph says.

use crate::judge::Judged;
use crate::ledger::{Auditor, Grounds, Ledger};

/// Choices between properties.
pub(crate) struct Preferences<'a> {
    /// The properties that the user prefers.
    user: &'a [String],
    /// Those that the owner of the graph prefers, each with those that are not meant.
    owner: Vec<(&'a str, &'a [String])>,
}

impl<'a> Preferences<'a> {
    pub fn of(auditor: &'a Auditor<'_>, user: &'a [String]) -> Self {
        Self { user, owner: auditor.preferences().collect() }
    }

    /// Whether two readings differ in one property alone, and that of the first is preferred.
    pub fn decide(&self, one: &Judged, other: &Judged) -> bool {
        if self.user.is_empty() && self.owner.is_empty() {
            return false;
        }
        let Some((own, others)) = one.reading.told.differs_in(&other.reading.told) else { return false };
        let chosen = |property: &str| self.user.iter().any(|known| known == property);
        match (chosen(own), chosen(others)) {
            (true, false) => true,
            (false, true) => false,
            _ => {
                let says_less = one.reading.unused.len() > other.reading.unused.len();
                self.is_owners(own, others) && !says_less && !is_said_better((other, others), (one, own))
            }
        }
    }

    fn is_owners(&self, own: &str, others: &str) -> bool {
        self.owner.iter().any(|(property, over)| *property == own && over.iter().any(|known| known == others))
    }
}

/// Whether the question names a property on better grounds than another: then it is meant, whatever is meant otherwise.
fn is_said_better(named: (&Judged, &str), than: (&Judged, &str)) -> bool {
    let grounds =
        |(judged, iri): (&Judged, &str)| judged.ledger.as_ref().and_then(|it: &Ledger| it.grounds_of(iri));
    match (grounds(named).filter(|one| !one.is_weak()), grounds(than)) {
        (Some(one), Some(other)) => one < other,
        (Some(one), None) => one <= Grounds::Translation,
        (None, _) => false,
    }
}
