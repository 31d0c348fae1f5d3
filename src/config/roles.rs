//! `[[roles]]`: what those see who have a key, or come through a proxy, with a role.

use super::error::ConfigError;
use super::places::Places;
use super::sections::server::ServerSettings;
use super::values::all;
use super::{DatasetSettings, Settings};
use serde::{Deserialize, Deserializer};
use std::collections::BTreeSet;

/// Maximum length of a role's id in characters.
const MAX_ID_CHARS: usize = 64;

/// A role: which datasets are seen, and what of them is not.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct RoleSettings {
    /// Its id.
    pub id: String,
    /// Ids or aliases of the datasets that it sees; `None` for all.
    pub datasets: Option<Vec<String>>,
    /// What it does not see, in addition to what each dataset hides from everybody.
    pub hidden: RoleHidden,
}

/// What a role does not see.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct RoleHidden {
    /// IRIs or prefixed names.
    #[serde(deserialize_with = "filled")]
    pub terms: Vec<String>,
    /// What IRIs begin with.
    #[serde(deserialize_with = "filled")]
    pub namespaces: Vec<String>,
}

fn filled<'de, D: Deserializer<'de>>(setting: D) -> Result<Vec<String>, D::Error> {
    all(setting, |term| !term.trim().is_empty(), "contains an empty text")
}

impl RoleSettings {
    /// Whether the role sees a dataset.
    pub fn sees(&self, dataset: &DatasetSettings) -> bool {
        let named = |name: &String| dataset.id == *name || dataset.aliases.contains(name);
        self.datasets.as_ref().is_none_or(|names| names.iter().any(named))
    }
}

/// Checks the roles against the datasets and the keys.
pub(super) fn check(settings: &Settings, places: &Places) -> Result<(), ConfigError> {
    let mut known = BTreeSet::new();
    for (number, role) in settings.roles.iter().enumerate() {
        let at = |key: &str| format!("roles[{number}].{key}");
        if !is_id(&role.id) {
            return places.invalid(&at("id"), "must have 1 to 64 letters, digits, '-', '_' and '.'");
        }
        if !known.insert(role.id.as_str()) {
            return places.invalid(&at("id"), format!("is '{}', which another role is called", role.id));
        }
        let mut datasets = role.datasets.iter().flatten();
        if role.datasets.as_ref().is_some_and(Vec::is_empty) {
            return places.invalid(&at("datasets"), "is empty; name datasets, or leave it out for all");
        }
        if let Some(name) = datasets.find(|name| settings.dataset(name).is_none()) {
            return places.invalid(&at("datasets"), format!("contains '{name}', which is no dataset"));
        }
    }
    check_keys(&settings.server, &known, places)
}

fn check_keys(server: &ServerSettings, known: &BTreeSet<&str>, places: &Places) -> Result<(), ConfigError> {
    if let Some((key, role)) = server.key_roles.iter().find(|(_, role)| !known.contains(role.as_str())) {
        let problem = format!("gives '{key}' the role '{role}', which is no [[roles]]");
        return places.invalid("server.key_roles", problem);
    }
    server.check_roles(places)
}

fn is_id(id: &str) -> bool {
    let plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.');
    (1..=MAX_ID_CHARS).contains(&id.len()) && id.chars().all(plain)
}
