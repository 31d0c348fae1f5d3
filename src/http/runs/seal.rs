//! Seals of kept runs: who may read a run sees the same of its graph as the one who asked, so that a run shows nothing that was hidden
//! since, and no role reads runs of another.

/// What one sees at a moment: the role, and what is hidden in each dataset.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(in crate::http) struct Seals {
    /// The role; `None` for everybody.
    pub(in crate::http) role: Option<String>,
    /// Dataset ids with what identifies the terms that are hidden in them.
    pub(in crate::http) hidden: Vec<(String, String)>,
}

impl Seals {
    /// The seal of a run about a dataset, or about several with their ids separated by commas; empty if somebody without a role
    /// sees all of it.
    pub(in crate::http) fn of(&self, dataset: &str) -> String {
        let known =
            |id: &str| self.hidden.iter().find(|(known, _)| known == id).map(|(_, seal)| seal.as_str());
        let hidden = match known(dataset) {
            Some(seal) => seal.to_owned(),
            None => {
                let each = dataset.split(eruca_dataset::ID_SEPARATOR).filter_map(|id| known(id.trim()));
                each.filter(|seal| !seal.is_empty()).collect::<Vec<_>>().join(" ")
            }
        };
        match &self.role {
            Some(role) => format!("{role} {hidden}"),
            None => hidden,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_seal_is_of_role_and_hidden_terms() {
        let hidden: Vec<_> =
            [("a", "1"), ("b", ""), ("c", "2")].map(|(id, seal)| (id.to_owned(), seal.to_owned())).into();
        let everybody = Seals { role: None, hidden: hidden.clone() };
        let partner = Seals { role: Some("partner".to_owned()), hidden };
        let seals = ["a", "b", "a,c", "x"].map(|dataset| everybody.of(dataset));
        assert_eq!(seals, ["1", "", "1 2", ""]);
        assert_eq!(["a", "b"].map(|dataset| partner.of(dataset)), ["partner 1", "partner "]);
    }
}
