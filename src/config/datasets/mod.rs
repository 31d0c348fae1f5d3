//! Turns `[[datasets]]` entries into datasets ready to use, with the rules for several keys or several entries.

mod search;

use super::entry::DatasetEntry;
use super::error::ConfigError;
use super::file_name::safe_file_name;
use super::places::Places;
use super::setting::Setting;
use super::{
    CredentialSettings, DEMO_ID, DatasetSettings, EndpointSettings, KnowledgeSettings, Source, TextSettings,
    presets,
};
use config::Value;
use eruca_indexer::vocabulary::GivenVocabulary;
use eruca_sparql::Dialect;
use serde::{Deserialize, Deserializer};
use std::collections::BTreeMap;
use std::mem::take;
use std::path::PathBuf;

/// The folder beside the configuration with a folder for each dataset that files say something of.
const KNOWLEDGE: &str = "knowledge";

type Checked<T> = Result<T, ConfigError>;

/// Leaves the entries to [`read`], which needs their keys.
pub(super) fn later<'de, D: Deserializer<'de>>(_: D) -> Result<Vec<DatasetSettings>, D::Error> {
    Ok(Vec::new())
}

/// The datasets; the demo if there are none.
pub(super) fn read(settings: &Value, places: &Places) -> Checked<Vec<DatasetSettings>> {
    let Some(entries) = Setting::root(settings, places).datasets() else { return Ok(vec![demo(places)]) };
    let entries = Vec::<DatasetEntry>::deserialize(entries)?.into_iter().enumerate();
    let datasets: Vec<DatasetSettings> = entries
        .map(|(number, entry)| Check { at: format!("datasets[{number}]"), places }.dataset(entry))
        .collect::<Checked<_>>()?;
    unique_names(&datasets, places)?;
    Ok(if datasets.is_empty() { vec![demo(places)] } else { datasets })
}

fn unique_names(datasets: &[DatasetSettings], places: &Places) -> Checked<()> {
    let mut owners: BTreeMap<&str, usize> = BTreeMap::new();
    for (number, dataset) in datasets.iter().enumerate() {
        let aliases = dataset.aliases.iter().map(|alias| ("aliases", alias));
        for (key, name) in std::iter::once(("id", &dataset.id)).chain(aliases) {
            let Some(owner) = owners.insert(name, number) else { continue };
            let problem = format!("contains '{name}', which is already used by datasets[{owner}]");
            return places.invalid(&format!("datasets[{number}].{key}"), problem);
        }
    }
    Ok(())
}

/// An entry being checked.
struct Check<'a> {
    /// Its key, like `datasets[0]`.
    at: String,
    places: &'a Places,
}

impl Check<'_> {
    fn invalid<T>(&self, key: &str, problem: &str) -> Checked<T> {
        self.places.invalid(&format!("{}.{key}", self.at), problem)
    }

    fn dataset(&self, entry: DatasetEntry) -> Checked<DatasetSettings> {
        let mut entry = presets::filled(entry);
        let graphs = take(&mut entry.graphs);
        if !graphs.is_empty() && entry.endpoint.is_some() {
            if !entry.default_graphs.is_empty() {
                return self.invalid(
                    "default_graphs",
                    "cannot be used together with graphs, which are its default graph",
                );
            }
            entry.default_graphs.clone_from(&graphs);
        }
        let (search, source) = (self.search(&entry)?, self.source(&mut entry)?);
        if entry.id.trim().is_empty() {
            return self.invalid("id", "is empty; every dataset needs an id");
        }
        if entry.text_mapping.is_some() && entry.texts.is_empty() {
            return self.invalid("text_mapping", "needs 'texts', the documents that it is about");
        }
        let knowledge = knowledge(entry.knowledge.take(), &entry.id, self.places);
        Ok(DatasetSettings {
            name: entry.name.unwrap_or_else(|| entry.id.clone()),
            id: entry.id,
            aliases: entry.aliases,
            source,
            format: entry.format,
            graphs,
            prefixes: entry.prefixes.into_iter().collect(),
            index: entry.index,
            knowledge: Some(knowledge),
            texts: TextSettings {
                files: entry.texts,
                mapping: entry.text_mapping,
                literals_from: entry.text_literals,
                vectors: entry.text_vectors.unwrap_or(true),
            },
            languages: entry.languages,
            vocabulary: GivenVocabulary {
                profile: entry.vocabulary.filter(|profile| profile != "auto"),
                type_property: entry.type_property,
                subclass_property: entry.subclass_property,
                base: entry.wikibase_base,
            },
            search,
            editor: entry.editor,
            improve: entry.improve,
        })
    }

    fn source(&self, entry: &mut DatasetEntry) -> Checked<Source> {
        let files = take(&mut entry.files);
        match (files.is_empty(), self.endpoint(entry)?) {
            (false, None) => Ok(Source::Files(files)),
            (true, Some(endpoint)) => Ok(Source::Endpoint(endpoint)),
            (false, Some(endpoint)) => Ok(Source::FilesAndEndpoint { files, endpoint }),
            (true, None) => {
                self.places.invalid(&self.at, "has neither 'files' nor 'endpoint'; at least one is needed")
            }
        }
    }

    fn endpoint(&self, entry: &mut DatasetEntry) -> Checked<Option<EndpointSettings>> {
        let credentials = self.credentials(entry)?;
        let (default_graphs, headers) = (take(&mut entry.default_graphs), take(&mut entry.headers));
        let dialect = entry.dialect.as_deref().and_then(Dialect::named);
        let Some(url) = entry.endpoint.take() else {
            let anonymous = matches!(credentials, CredentialSettings::None);
            return match anonymous && default_graphs.is_empty() && headers.is_empty() && dialect.is_none() {
                true => Ok(None),
                false => self.places.invalid(
                    &self.at,
                    "has settings for an endpoint (credentials, headers, default_graphs, dialect) but no 'endpoint'",
                ),
            };
        };
        let headers = headers.into_iter().collect();
        Ok(Some(EndpointSettings { url, credentials, headers, default_graphs, dialect }))
    }

    fn credentials(&self, entry: &mut DatasetEntry) -> Checked<CredentialSettings> {
        let [user, password, token] =
            [&mut entry.user, &mut entry.password, &mut entry.bearer_token].map(take);
        match (user.is_empty() && password.is_empty(), token.is_empty()) {
            (true, true) => Ok(CredentialSettings::None),
            (true, false) => Ok(CredentialSettings::Bearer(token.into())),
            (false, true) if user.trim().is_empty() => {
                self.invalid("user", "is empty; a password needs a user")
            }
            (false, true) => Ok(CredentialSettings::Basic { user, password: password.into() }),
            (false, false) => self.invalid("bearer_token", "cannot be used together with user and password"),
        }
    }
}

/// The folder that is named, or else that of the dataset's id beside the configuration.
fn knowledge(named: Option<PathBuf>, id: &str, places: &Places) -> KnowledgeSettings {
    let is_named = named.is_some();
    let beside = || places.beside(KNOWLEDGE).join(safe_file_name(id));
    KnowledgeSettings { folder: named.unwrap_or_else(beside), is_named }
}

fn demo(places: &Places) -> DatasetSettings {
    let (id, name) = (DEMO_ID.to_owned(), "Demo: the world".to_owned());
    let knowledge = Some(knowledge(None, &id, places));
    DatasetSettings { id, name, knowledge, ..DatasetSettings::default() }
}
