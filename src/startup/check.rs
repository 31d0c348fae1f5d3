//! Checks whether the configuration would work: models, files, endpoints, indexes. Builds, loads and writes nothing.

mod boards;
mod questions;
mod roles;

use super::build::built_from_other;
use super::endpoints::{self, Outgoing, missing_contact};
use super::{StartupError, knowledge, models, names_server, schema_server, seen};
use crate::config::{DatasetSettings, EndpointSettings, SearchSettings, Settings, Source};
use crate::llm::{ChatRequest, Message};
use eruca_api::{PartHealth, PartState};
use eruca_dataset::{hidden_entries, unused_entries};
use eruca_indexer::embedding::Embedder;
use eruca_indexer::{DatasetIndex, OpenOptions, ReadOptions, SourceError, edit_distance, expand_patterns};
use eruca_sparql::{Limits, Prefixes, QueryPolicy, Results, SparqlEndpoint, check};
use std::collections::BTreeSet;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

/// Timeout for one endpoint or model.
const TIME: Duration = Duration::from_secs(30);
/// Maximum number of a graph's languages listed, most frequent first.
const MAX_LANGUAGES: usize = 8;

/// Every part of the configuration with its state; the state `down` means that it would not work.
pub async fn check_parts(settings: &Settings) -> Vec<PartState> {
    let outgoing = match Outgoing::new(settings) {
        Ok(outgoing) => outgoing,
        Err(error) => return vec![down("network", StartupError::from(error))],
    };
    let mut parts = vec![chat_model(settings, &outgoing).await];
    let (embedding, embedder) = embedding(settings, &outgoing).await;
    parts.push(embedding);
    let (mut indexes, mut indexed) = (Vec::new(), Vec::new());
    for dataset in &settings.datasets {
        let checked = Checked { settings, dataset, outgoing: &outgoing };
        parts.extend(checked.files());
        parts.extend(checked.endpoint().await);
        let (index, opened) = checked.index(embedder.clone()).await;
        parts.extend(index);
        parts.extend(questions::states(&checked, opened.as_ref()));
        parts.extend(boards::states(&checked, opened.as_ref()));
        parts.extend(checked.knowledge(opened.as_ref()));
        indexed.extend(opened.as_ref().map(|_| dataset));
        indexes.extend(opened);
    }
    parts.extend(naming_properties(settings, &indexes));
    let indexed: Vec<roles::Indexed<'_>> = indexed.into_iter().zip(&indexes).collect();
    parts.extend(roles::states(settings, &indexed));
    parts
}

fn ok(part: impl Into<String>, detail: impl Into<String>) -> PartState {
    PartState { part: part.into(), state: PartHealth::Ok, detail: detail.into() }
}

fn degraded(part: impl Into<String>, detail: impl Into<String>) -> PartState {
    PartState { part: part.into(), state: PartHealth::Degraded, detail: detail.into() }
}

fn down(part: impl Into<String>, error: impl ToString) -> PartState {
    PartState { part: part.into(), state: PartHealth::Down, detail: error.to_string() }
}

/// Asks the model for one word, as no other kind of request is supported by every server.
async fn chat_model(settings: &Settings, outgoing: &Outgoing) -> PartState {
    const PART: &str = "chat model";
    let model = match models::chat_model(settings, outgoing.client.clone()) {
        Ok(Some(model)) => model,
        Ok(None) => {
            return ok(PART, "none is configured ([llm] base_url and model); the planner answers");
        }
        Err(error) => return down(PART, error),
    };
    let messages = vec![Message::User("Answer with the word ok.".to_owned())];
    match model
        .complete(&ChatRequest { messages, tools: Vec::new(), timeout: TIME, sampled_anew: false })
        .await
    {
        Ok(_) => ok(PART, format!("{} answers", model.name())),
        Err(error) => down(PART, error),
    }
}

async fn embedding(settings: &Settings, outgoing: &Outgoing) -> (PartState, Option<Arc<dyn Embedder>>) {
    const PART: &str = "embedding model";
    match models::embedder(settings, &outgoing.client).await {
        Ok(Some(embedder)) => {
            let detail = format!("{} works, {} dimensions", embedder.model(), embedder.dimension());
            (ok(PART, detail), Some(embedder))
        }
        Ok(None) => {
            let detail =
                "none is configured ([embedding] provider); classes and properties are searched by words";
            (ok(PART, detail), None)
        }
        Err(error) => (down(PART, error), None),
    }
}

/// The dataset being checked.
struct Checked<'a> {
    settings: &'a Settings,
    dataset: &'a DatasetSettings,
    outgoing: &'a Outgoing,
}

impl Checked<'_> {
    fn part(&self, name: &str) -> String {
        format!("dataset {}: {name}", self.dataset.id)
    }

    fn files(&self) -> Option<PartState> {
        let part = self.part("files");
        match &self.dataset.source {
            Source::Demo => Some(ok(part, "the demo graph, which is built in")),
            Source::Endpoint(_) => None,
            Source::Files(files) | Source::FilesAndEndpoint { files, .. } => {
                Some(match self.formats(files) {
                    Ok((count, formats)) => {
                        let files = if count == 1 { "1 file".to_owned() } else { format!("{count} files") };
                        let formats: Vec<_> = formats.into_iter().collect();
                        ok(part, format!("{files} ({})", formats.join(", ")))
                    }
                    Err(error) => down(part, error),
                })
            }
        }
    }

    fn formats(&self, patterns: &[PathBuf]) -> Result<(usize, BTreeSet<&'static str>), SourceError> {
        let base = self.dataset.vocabulary.base.as_deref();
        let reading = ReadOptions { skip_errors: false, wikibase_base: base, format: self.dataset.format };
        let files = expand_patterns(patterns)?;
        let formats: Result<_, _> = files.iter().map(|file| reading.format_of(file)).collect();
        Ok((files.len(), formats?))
    }

    async fn endpoint(&self) -> Vec<PartState> {
        let Some(settings) = self.dataset.source.endpoint() else { return Vec::new() };
        let part = self.part("endpoint");
        let mut parts = vec![match self.opened(settings) {
            Ok(endpoint) => asked(part.clone(), endpoint.as_ref()).await,
            Err(error) => down(part.clone(), error),
        }];
        parts.extend(missing_contact(self.settings, self.dataset).map(|note| degraded(part, note)));
        parts
    }

    fn opened(&self, endpoint: &EndpointSettings) -> Result<Arc<dyn SparqlEndpoint>, StartupError> {
        endpoints::remote(self.outgoing, self.dataset, endpoint)
    }

    /// The index, opened if possible.
    async fn index(&self, embedder: Option<Arc<dyn Embedder>>) -> (Vec<PartState>, Option<DatasetIndex>) {
        let (part, folder) = (self.part("index"), self.settings.index_folder(self.dataset));
        if let SearchSettings::Wikibase(search) = &self.dataset.search {
            let detail = format!("none; names are looked up at {}, which is not asked here", search.api);
            return (vec![ok(part, detail)], None);
        }
        if !DatasetIndex::exists(&folder) {
            return (vec![self.no_index(part, folder)], None);
        }
        let command = format!("eruca index --dataset '{}' (with the same --config, if any)", self.dataset.id);
        let options = OpenOptions {
            folder: &folder,
            embedder,
            schema_in: schema_server(self.settings, self.dataset),
            names_in: names_server(self.settings, self.dataset),
            build_command: &command,
        };
        match DatasetIndex::open(options).await {
            Ok(index) => (self.states(part, &index).await, Some(index)),
            Err(error) => (vec![down(part, error)], None),
        }
    }

    /// What the owner of the graph knows of it; against the graph, if there is an index.
    fn knowledge(&self, index: Option<&DatasetIndex>) -> Vec<PartState> {
        let part = self.part("knowledge");
        let read = match index {
            Some(index) => knowledge::knowledge_of(self.dataset, index, None),
            // The prefixes of its files are not known yet.
            None if !self.dataset.knowledge.as_ref().is_some_and(|known| known.folder.is_dir()) => {
                return Vec::new();
            }
            None => knowledge::read(self.dataset, &Prefixes::well_known()).map(|known| (known, Vec::new())),
        };
        match read {
            Ok((known, _)) if known.is_empty() => Vec::new(),
            Ok((known, warnings)) => {
                let (words, notes, hidden) = (known.glossary.len(), known.notes.len(), known.hidden.count());
                let folder = known.folder().map(|folder| folder.display().to_string()).unwrap_or_default();
                let unused = match index.map_or(0, |index| unused_entries(&known, index)) {
                    0 => String::new(),
                    unused => format!(" ({unused} not used)"),
                };
                let detail = format!(
                    "{words} glossary entries{unused}, {notes} notes, {hidden} hidden terms in '{folder}'"
                );
                let warnings = warnings.into_iter().chain(hidden_entries(&known));
                let told = warnings.map(|warning| degraded(&*part, warning));
                std::iter::once(ok(&*part, detail)).chain(told).collect()
            }
            Err(StartupError::Knowledge { source, .. }) => {
                source.problems.iter().map(|problem| down(&*part, problem)).collect()
            }
            Err(error) => vec![down(part, error)],
        }
    }

    fn no_index(&self, part: String, folder: PathBuf) -> PartState {
        match &self.dataset.source {
            Source::Endpoint(_) => {
                down(part, StartupError::NoIndex { dataset: self.dataset.id.clone(), folder })
            }
            _ => degraded(part, format!("there is none in '{}' yet; it is built at start", folder.display())),
        }
    }

    async fn states(&self, part: String, index: &DatasetIndex) -> Vec<PartState> {
        index.examine();
        if let Some(damage) = index.damage() {
            return vec![down(part, format!("{damage}; build it again with: {}", index.build_command))];
        }
        let (entities, properties) = (index.manifest.entities, index.manifest.properties);
        let search = index.schema.describe();
        let texts = index.texts.as_ref().map(|texts| format!(", texts {}", texts.describe()));
        let texts = texts.unwrap_or_default();
        let mut parts = vec![match searchable(index).await {
            Ok(()) => {
                ok(&*part, format!("{entities} entities, {properties} properties, search {search}{texts}"))
            }
            Err(error) => degraded(&*part, error),
        }];
        let endpoint = self.dataset.source.endpoint().and_then(|endpoint| self.opened(endpoint).ok());
        let name = endpoint.as_ref().map_or("", |endpoint| endpoint.name());
        let other = built_from_other(self.settings, self.dataset, name, &index.manifest);
        parts.extend(other.map(|other| {
            let command = &index.build_command;
            degraded(&*part, format!("it was built from other data: {other}; run: {command}"))
        }));
        let folder = self.settings.index_folder(self.dataset);
        let hidden = |prefixes: &Prefixes| seen::hidden(self.settings, self.dataset, prefixes);
        if !DatasetIndex::has_all_without(&folder, hidden) {
            let problem =
                "it was built before the present terms were hidden; counts and samples may come from them";
            parts.push(degraded(&*part, format!("{problem}; run: {}", index.build_command)));
        }
        let missing = index.manifest.notes.iter().chain(&index.manifest.unread);
        parts.extend(missing.map(|note| degraded(&*part, format!("it is not whole: {note}"))));
        parts.extend(self.languages(index));
        parts
    }

    /// Configured languages in which the graph has no text.
    fn languages(&self, index: &DatasetIndex) -> Vec<PartState> {
        let known: Vec<&str> = index.card.languages.iter().map(|(tag, _)| tag.as_str()).collect();
        let named: Vec<&str> =
            known.iter().copied().filter(|tag| !tag.is_empty()).take(MAX_LANGUAGES).collect();
        let named = if named.is_empty() { "none".to_owned() } else { named.join(", ") };
        let unknown = self.dataset.languages.iter().filter(|tag| !known.iter().any(|has| covers(tag, has)));
        let said = unknown.map(|tag| {
            let detail = format!("no text of the graph has the language '{tag}'; it has: {named}");
            degraded(self.part("languages"), detail)
        });
        said.collect()
    }
}

/// Whether the servers with parts of an index answer.
async fn searchable(index: &DatasetIndex) -> Result<(), String> {
    index.schema.check().await.map_err(|error| error.to_string())?;
    match &index.texts {
        Some(texts) => texts.check().await.map_err(|error| error.to_string()),
        None => Ok(()),
    }
}

/// Whether a configured tag covers a language: `de` covers `de-AT`.
fn covers(wanted: &str, has: &str) -> bool {
    let has = has.to_lowercase();
    has.strip_prefix(wanted).is_some_and(|rest| rest.is_empty() || rest.starts_with('-'))
}

async fn asked(part: String, endpoint: &dyn SparqlEndpoint) -> PartState {
    let policy = QueryPolicy { max_length: super::opener::MAX_QUERY_BYTES, ..QueryPolicy::default() };
    let query = match check("ASK { ?s ?p ?o }", &Prefixes::default(), &policy) {
        Ok(query) => query,
        Err(error) => return down(part, error),
    };
    let limits = Limits { timeout: TIME, max_rows: 1, max_bytes: 1 << 16 };
    let name = endpoint.name();
    match endpoint.query(&query, limits).await {
        Ok(answer) if answer.results == Results::Boolean(false) => {
            let remedy = "name its graphs with default_graphs, if it has others";
            degraded(part, format!("{name} answers, but its default graph is empty; {remedy}"))
        }
        Ok(_) => ok(part, format!("{name} answers")),
        Err(error) => {
            let remedy = "check that it runs, and its address and credentials in [[datasets]]";
            down(part, format!("{name}: {error}; {remedy}"))
        }
    }
}

/// Configured naming properties that no indexed graph has, or that were not configured when an index was built.
fn naming_properties(settings: &Settings, indexes: &[DatasetIndex]) -> Vec<PartState> {
    let part = "[index] naming_properties";
    let properties = &settings.index.naming_properties;
    if indexes.is_empty() {
        let unseen = "cannot be looked at before there is an index";
        return properties.iter().map(|iri| degraded(part, format!("'{iri}' {unseen}"))).collect();
    }
    let state = |iri: &String| {
        let having: Vec<_> = indexes.iter().filter(|index| index.card.property(iri).is_some()).collect();
        if having.is_empty() {
            let nearest = nearest(iri, indexes).map(|near| format!("; did you mean '{near}'?"));
            let detail = format!("no indexed graph has the property '{iri}'");
            return degraded(part, detail + &nearest.unwrap_or_default());
        }
        match having.iter().find(|index| !index.card.naming_properties.contains(iri)) {
            None => ok(part, format!("'{iri}' is in the graph")),
            Some(index) => {
                let command = &index.build_command;
                degraded(part, format!("an index was built without '{iri}'; run: {command}"))
            }
        }
    };
    properties.iter().map(state).collect()
}

/// The property of a graph with the most similar IRI.
fn nearest<'a>(iri: &str, indexes: &'a [DatasetIndex]) -> Option<&'a str> {
    let known = indexes.iter().flat_map(|index| &index.card.properties).map(|card| card.iri.as_str());
    let (distance, near) = known.map(|known| (edit_distance(iri, known), known)).min()?;
    (distance <= iri.chars().count() / 5).then_some(near)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tag_wants_its_regions_and_no_other_language() {
        assert!(covers("de", "de") && covers("de", "de-AT") && covers("pt-br", "pt-BR"));
        assert!(!covers("de", "den") && !covers("pt-br", "pt") && !covers("de", ""));
    }
}
