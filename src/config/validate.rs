//! From settings as written to settings ready to use: ranges, names, combinations.
//!
//! Each value is read by its name, `server.port`; a section has no type of its own before it is checked
//! (docs/decisions.md).

use super::error::ConfigError;
use super::layers::{Merged, Origins};
use super::raw::RawDataset;
use super::{
    AgentSettings, CredentialSettings, DEMO_ID, DatasetSettings, EmbeddingProvider, EmbeddingSettings,
    EndpointReading, EndpointSettings, IndexSettings, LlmSettings, OnnxRuntime, PoolingSetting,
    PriceSettings, SchemaIndexSettings, SearchSettings, Settings, Source, SparqlSettings,
};
use eruca_indexer::GivenFormat;
use eruca_indexer::vocabulary::GivenVocabulary;
use eruca_sparql::Dialect;
use secrecy::SecretString;
use serde::de::DeserializeOwned;
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::time::Duration;
use toml::Table;
use url::Url;

mod operation;
mod page;
mod server;
mod vocabulary;
mod wikibase;

type Checked<T> = Result<T, ConfigError>;

/// Checks everything and gives it its final types. `variables` hold the fall-backs for `[llm]`.
pub(super) fn settings(merged: Merged, variables: &[(String, String)]) -> Checked<Settings> {
    let Merged { sections, datasets, origins } = merged;
    let check = Check { sections: &sections, origins: &origins };
    Ok(Settings {
        server: check.server()?,
        llm: check.llm(variables)?,
        agent: check.agent()?,
        helps: check.section("helps")?,
        sparql: check.sparql()?,
        outgoing: check.outgoing()?,
        embedding: check.embedding()?,
        schema_index: check.schema_index()?,
        index: check.index()?,
        cache: check.cache()?,
        log: check.log()?,
        datasets: check.datasets(datasets)?,
        store_program: None,
    })
}

impl EndpointSettings {
    /// An open endpoint named on the command line.
    ///
    /// # Errors
    /// When the URL or a graph cannot be used.
    pub fn from_arguments(url: &str, default_graphs: Vec<String>) -> Checked<Self> {
        let check = Check { sections: &Table::new(), origins: &Origins::command_line() };
        check.web_url("--endpoint", url)?;
        check.iris("--default-graph", &default_graphs)?;
        let (credentials, headers) = (CredentialSettings::None, Vec::new());
        Ok(Self { url: url.to_owned(), credentials, headers, default_graphs, dialect: None })
    }
}

struct Check<'a> {
    sections: &'a Table,
    origins: &'a Origins,
}

impl Check<'_> {
    /// The value of a setting, like `server.port`. The layers have checked its type already.
    fn get<T: DeserializeOwned>(&self, key: &str) -> Checked<T> {
        let (section, name) = key.split_once('.').unwrap_or((key, ""));
        let value = self.sections.get(section).and_then(|keys| keys.get(name));
        match value.map(|value| T::deserialize(value.clone())) {
            Some(Ok(value)) => Ok(value),
            _ => self.not_in_defaults(key),
        }
    }

    /// All settings of a section that need no check.
    fn section<T: DeserializeOwned>(&self, section: &str) -> Checked<T> {
        match self.sections.get(section).map(|keys| T::deserialize(keys.clone())) {
            Some(Ok(keys)) => Ok(keys),
            _ => self.not_in_defaults(section),
        }
    }

    fn not_in_defaults<T>(&self, key: &str) -> Checked<T> {
        self.invalid(key, "has no such value in config/default.toml; this is a fault of Eruca")
    }

    /// A text; `None` where it is empty.
    fn given(&self, key: &str) -> Checked<Option<String>> {
        Ok(Some(self.get::<String>(key)?).filter(|text| !text.is_empty()))
    }

    fn invalid<T>(&self, key: &str, problem: impl Into<String>) -> Checked<T> {
        Err(ConfigError::Invalid {
            origin: self.origins.of(key),
            key: key.to_owned(),
            problem: problem.into(),
        })
    }

    fn number<T: TryFrom<i64>>(&self, key: &str, min: i64, max: i64) -> Checked<T> {
        let value: i64 = self.get(key)?;
        let fitting = if (min..=max).contains(&value) { T::try_from(value).ok() } else { None };
        fitting.map_or_else(|| self.invalid(key, format!("must be between {min} and {max}")), Ok)
    }

    fn count<T: TryFrom<i64>>(&self, key: &str) -> Checked<T> {
        self.number(key, 1, 1_000_000_000)
    }

    fn seconds(&self, key: &str, min: i64) -> Checked<Duration> {
        self.number(key, min, 86_400).map(Duration::from_secs)
    }

    /// A text that must not be empty.
    fn needed(&self, key: &str, why: &str) -> Checked<String> {
        self.required(key, self.get(key)?, why)
    }

    fn required(&self, key: &str, value: String, why: &str) -> Checked<String> {
        if value.trim().is_empty() { self.invalid(key, format!("is empty; {why}")) } else { Ok(value) }
    }

    fn base_url(&self, key: &str, value: &str) -> Checked<String> {
        self.web_url(key, value)?;
        Ok(value.trim_end_matches('/').to_owned())
    }

    fn web_url(&self, key: &str, value: &str) -> Checked<()> {
        match Url::parse(value) {
            Ok(url) if !matches!(url.scheme(), "http" | "https") => {
                self.invalid(key, "must be a URL that starts with http:// or https://")
            }
            Ok(url) if !url.username().is_empty() || url.password().is_some() => self.invalid(
                key,
                "must not hold credentials: URLs are shown to users; there are other keys for them",
            ),
            Ok(_) => Ok(()),
            Err(error) => self.invalid(key, format!("must be a URL like https://example.org/path: {error}")),
        }
    }

    fn llm(&self, variables: &[(String, String)]) -> Checked<Option<LlmSettings>> {
        let prices = self.prices()?;
        let (base_url, model): (String, String) = (self.get("llm.base_url")?, self.get("llm.model")?);
        let [own_url, own_model] = [&base_url, &model].map(|value| !value.is_empty());
        let base_url = or_variable(base_url, variables, "OPENAI_BASE_URL");
        let model = or_variable(model, variables, "OPENAI_MODEL");
        match (base_url.is_empty(), model.is_empty()) {
            (true, _) if own_model => return self.invalid("llm.base_url", "is empty while llm.model is set"),
            (_, true) if own_url => return self.invalid("llm.model", "is empty while llm.base_url is set"),
            // Variables that other programs use must not half-configure ours.
            (true, _) | (_, true) => return Ok(None),
            (false, false) => {}
        }
        let temperature: f64 = self.get("llm.temperature")?;
        if temperature > 2.0 || temperature.is_nan() {
            return self.invalid("llm.temperature", "must be at most 2; a negative number leaves it out");
        }
        Ok(Some(LlmSettings {
            base_url: self.base_url("llm.base_url", &base_url)?,
            model,
            api_key: secret(or_variable(self.get("llm.api_key")?, variables, "OPENAI_API_KEY")),
            temperature: (temperature >= 0.0).then_some(temperature),
            timeout: self.seconds("llm.timeout_seconds", 1)?,
            retries: self.number("llm.retries", 0, 20)?,
            max_completion_tokens: self.count("llm.max_completion_tokens")?,
            prices,
        }))
    }

    fn prices(&self) -> Checked<Option<PriceSettings>> {
        let (prompt_key, completion_key) = ("llm.price_prompt", "llm.price_completion");
        let (prompt, completion): (f64, f64) = (self.get(prompt_key)?, self.get(completion_key)?);
        for (key, price) in [(prompt_key, prompt), (completion_key, completion)] {
            if !price.is_finite() || price < 0.0 {
                return self.invalid(key, "must be the price of a million tokens; 0 if it is not known");
            }
        }
        let cached: f64 = self.get("llm.price_cached")?;
        let cached = if cached.is_finite() && cached >= 0.0 { cached } else { prompt };
        Ok((prompt > 0.0 || completion > 0.0).then_some(PriceSettings { prompt, cached, completion }))
    }

    fn agent(&self) -> Checked<AgentSettings> {
        Ok(AgentSettings {
            deadline: self.seconds("agent.deadline_seconds", 1)?,
            max_model_calls: self.number("agent.max_model_calls", 1, 1000)?,
            token_budget: self.count("agent.token_budget")?,
            prompt_card_tokens: self.count("agent.prompt_card_tokens")?,
            observation_chars: self.number("agent.observation_chars", 200, 1_000_000)?,
        })
    }

    fn sparql(&self) -> Checked<SparqlSettings> {
        let megabytes: u64 = self.number("sparql.max_memory_mb", 0, 1_000_000)?;
        Ok(SparqlSettings {
            timeout: self.seconds("sparql.timeout_seconds", 1)?,
            max_rows: self.count("sparql.max_rows")?,
            max_bytes: self.count("sparql.max_bytes")?,
            max_memory: (megabytes > 0).then_some(megabytes << 20),
            worker_processes: self.get("sparql.worker_processes")?,
            allow_service: self.get("sparql.allow_service")?,
            allow_from: self.get("sparql.allow_from")?,
            allow_functions: self.get("sparql.allow_functions")?,
        })
    }

    fn embedding(&self) -> Checked<EmbeddingSettings> {
        Ok(EmbeddingSettings {
            provider: self.embedding_provider()?,
            query_prefix: self.get("embedding.query_prefix")?,
            document_prefix: self.get("embedding.document_prefix")?,
        })
    }

    fn embedding_provider(&self) -> Checked<EmbeddingProvider> {
        let pooling = self.pooling()?;
        let runtime = OnnxRuntime {
            library: self.given("embedding.onnxruntime")?.map(PathBuf::from),
            max_tokens: self.number("embedding.max_tokens", 8, 100_000)?,
            threads: self.number("embedding.threads", 1, 1024)?,
        };
        let model = |why: &str| self.needed("embedding.model", why);
        match self.get::<String>("embedding.provider")?.as_str() {
            "none" => Ok(EmbeddingProvider::None),
            "onnx" => {
                let path = self.needed("embedding.path", "name the folder with model.onnx")?;
                Ok(EmbeddingProvider::Onnx { path: path.into(), pooling, runtime })
            }
            "fastembed" if !cfg!(feature = "model-download") => self.invalid(
                "embedding.provider",
                "is \"fastembed\", but this program was built without the feature model-download; \
                 build it with `--features model-download`, or use \"onnx\" with a folder",
            ),
            "fastembed" => Ok(EmbeddingProvider::Fastembed { model: model("name a model")?, runtime }),
            "openai" => Ok(EmbeddingProvider::OpenAi {
                base_url: self.base_url("embedding.base_url", &self.get::<String>("embedding.base_url")?)?,
                model: model("name the model as the server knows it")?,
                api_key: secret(self.get("embedding.api_key")?),
            }),
            _ => {
                self.invalid("embedding.provider", "must be \"none\", \"onnx\", \"fastembed\" or \"openai\"")
            }
        }
    }

    fn pooling(&self) -> Checked<PoolingSetting> {
        match self.get::<String>("embedding.pooling")?.as_str() {
            "mean" => Ok(PoolingSetting::Mean),
            "cls" => Ok(PoolingSetting::Cls),
            _ => self.invalid("embedding.pooling", "must be \"mean\" or \"cls\""),
        }
    }

    fn schema_index(&self) -> Checked<SchemaIndexSettings> {
        let some = |key: &str| {
            let number: u32 = self.number(key, 0, 1_000)?;
            Ok::<_, ConfigError>((number > 0).then_some(number))
        };
        match self.get::<String>("schema_index.backend")?.as_str() {
            "local" => Ok(SchemaIndexSettings::Local),
            "qdrant" => Ok(SchemaIndexSettings::Qdrant {
                url: self.base_url("schema_index.url", &self.get::<String>("schema_index.url")?)?,
                api_key: secret(self.get("schema_index.api_key")?),
                collection_prefix: self.needed("schema_index.collection_prefix", "write a name")?,
                search_timeout: self.seconds("schema_index.search_timeout_seconds", 1)?,
                shard_number: some("schema_index.shard_number")?,
                replication_factor: some("schema_index.replication_factor")?,
            }),
            _ => self.invalid("schema_index.backend", "must be \"local\" or \"qdrant\""),
        }
    }

    fn index(&self) -> Checked<IndexSettings> {
        let naming_properties: Vec<String> = self.get("index.naming_properties")?;
        self.iris("index.naming_properties", &naming_properties)?;
        Ok(IndexSettings {
            folder: self.needed("index.folder", "name a folder, for example \"data\"")?.into(),
            naming_properties,
            skip_errors: self.get("index.skip_errors")?,
            max_value_chars: self.number("index.max_value_chars", 1, 10_000)?,
            endpoint: EndpointReading {
                page_rows: self.number("index.endpoint_page_rows", 100, 1_000_000)?,
                requests: self.number("index.endpoint_requests", 1, 64)?,
                timeout: self.seconds("index.endpoint_timeout_seconds", 1)?,
                patience: self.seconds("index.endpoint_patience_seconds", 0)?,
                sample_rows: self.count("index.endpoint_sample_rows")?,
            },
        })
    }

    fn iris(&self, key: &str, values: &[String]) -> Checked<()> {
        match values.iter().all(|value| Url::parse(value).is_ok()) {
            true => Ok(()),
            false => {
                self.invalid(key, "must hold full IRIs like \"http://xmlns.com/foaf/0.1/name\", without <>")
            }
        }
    }

    fn datasets(&self, raw: Vec<RawDataset>) -> Checked<Vec<DatasetSettings>> {
        if raw.is_empty() {
            return Ok(vec![demo()]);
        }
        let datasets: Vec<DatasetSettings> = raw
            .into_iter()
            .enumerate()
            .map(|(number, raw)| self.dataset(&format!("datasets[{number}]"), raw))
            .collect::<Checked<_>>()?;
        self.unique_names(&datasets)?;
        Ok(datasets)
    }

    fn unique_names(&self, datasets: &[DatasetSettings]) -> Checked<()> {
        let mut owners: BTreeMap<&str, usize> = BTreeMap::new();
        for (number, dataset) in datasets.iter().enumerate() {
            let aliases = dataset.aliases.iter().map(|alias| ("aliases", alias));
            for (key, name) in std::iter::once(("id", &dataset.id)).chain(aliases) {
                let Some(owner) = owners.insert(name, number) else { continue };
                let problem = format!("contains '{name}', which is already used by datasets[{owner}]");
                return self.invalid(&format!("datasets[{number}].{key}"), problem);
            }
        }
        Ok(())
    }

    fn dataset(&self, at: &str, raw: RawDataset) -> Checked<DatasetSettings> {
        let mut raw = self.with_preset(at, raw)?;
        let search = self.search(at, &raw)?;
        let format = self.format(&format!("{at}.format"), &raw.format)?;
        let source = self.source(at, &mut raw)?;
        let vocabulary = self.vocabulary(at, &mut raw)?;
        let editor = self.editor(&format!("{at}.editor"), std::mem::take(&mut raw.editor))?;
        let RawDataset { id, aliases, name, prefixes, index, languages, .. } = raw;
        self.prefixes(&format!("{at}.prefixes"), &prefixes)?;
        let id = self.required(&format!("{at}.id"), id, "every dataset needs an id")?;
        if aliases.iter().any(|alias| alias.trim().is_empty()) {
            return self.invalid(&format!("{at}.aliases"), "contains an empty name");
        }
        let tag =
            |tag: &String| !tag.is_empty() && tag.chars().all(|c| c.is_ascii_alphanumeric() || c == '-');
        if !languages.iter().all(tag) {
            return self
                .invalid(&format!("{at}.languages"), "must hold language tags like \"en\" or \"pt-BR\"");
        }
        Ok(DatasetSettings {
            name: if name.is_empty() { id.clone() } else { name },
            id,
            aliases,
            source,
            format,
            prefixes: prefixes.into_iter().collect(),
            index: (!index.is_empty()).then(|| index.into()),
            languages: languages.into_iter().map(|tag| tag.to_lowercase()).collect(),
            vocabulary,
            search,
            editor,
        })
    }

    /// [Names](https://www.w3.org/TR/sparql11-query/#rPN_PREFIX) as nearly everyone writes them.
    fn prefixes(&self, key: &str, prefixes: &BTreeMap<String, String>) -> Checked<()> {
        let fits = |c: char| c.is_alphanumeric() || matches!(c, '-' | '_');
        let name = |name: &String| name.starts_with(char::is_alphabetic) && name.chars().all(fits);
        if !prefixes.keys().all(name) {
            return self.invalid(key, "must hold names like \"ex\", without the colon");
        }
        self.iris(key, &prefixes.values().cloned().collect::<Vec<_>>())
    }

    fn source(&self, at: &str, raw: &mut RawDataset) -> Checked<Source> {
        let files: Vec<PathBuf> = std::mem::take(&mut raw.files).into_iter().map(PathBuf::from).collect();
        match (files.is_empty(), self.endpoint(at, raw)?) {
            (false, None) => Ok(Source::Files(files)),
            (true, Some(endpoint)) => Ok(Source::Endpoint(endpoint)),
            (false, Some(endpoint)) => Ok(Source::FilesAndEndpoint { files, endpoint }),
            (true, None) => self.invalid(at, "has neither 'files' nor 'endpoint'; at least one is needed"),
        }
    }

    fn format(&self, key: &str, name: &str) -> Checked<Option<GivenFormat>> {
        match GivenFormat::named(name) {
            None if !name.is_empty() => {
                let names = GivenFormat::ALL.map(|format| format!("\"{}\"", format.name()));
                self.invalid(key, format!("must be one of {}", names.join(", ")))
            }
            format => Ok(format),
        }
    }

    fn endpoint(&self, at: &str, raw: &mut RawDataset) -> Checked<Option<EndpointSettings>> {
        let url = std::mem::take(&mut raw.endpoint);
        let credentials = self.credentials(at, raw)?;
        let default_graphs = std::mem::take(&mut raw.default_graphs);
        let headers = std::mem::take(&mut raw.headers);
        let dialect = self.dialect(&format!("{at}.dialect"), &std::mem::take(&mut raw.dialect))?;
        if url.is_empty() {
            let anonymous = matches!(credentials, CredentialSettings::None);
            let is_bare = anonymous && default_graphs.is_empty() && headers.is_empty() && dialect.is_none();
            return match is_bare {
                true => Ok(None),
                false => self.invalid(
                    at,
                    "has settings for an endpoint (credentials, headers, default_graphs, dialect) but no 'endpoint'",
                ),
            };
        }
        self.web_url(&format!("{at}.endpoint"), &url)?;
        self.iris(&format!("{at}.default_graphs"), &default_graphs)?;
        let headers = headers.into_iter().map(|(name, value)| (name, SecretString::from(value))).collect();
        Ok(Some(EndpointSettings { url, credentials, headers, default_graphs, dialect }))
    }

    fn dialect(&self, key: &str, name: &str) -> Checked<Option<&'static Dialect>> {
        match Dialect::named(name) {
            Some(dialect) => Ok(Some(dialect)),
            None if matches!(name, "" | "auto") => Ok(None),
            None => {
                let names: Vec<_> = Dialect::all().map(|dialect| format!("\"{}\"", dialect.name())).collect();
                self.invalid(key, format!("must be \"auto\", {}", names.join(", ")))
            }
        }
    }

    fn credentials(&self, at: &str, raw: &mut RawDataset) -> Checked<CredentialSettings> {
        let [user, password, token] =
            [&mut raw.user, &mut raw.password, &mut raw.bearer_token].map(std::mem::take);
        match (user.is_empty() && password.is_empty(), token.is_empty()) {
            (true, true) => Ok(CredentialSettings::None),
            (true, false) => Ok(CredentialSettings::Bearer(token.into())),
            (false, true) => {
                let user = self.required(&format!("{at}.user"), user, "a password needs a user")?;
                Ok(CredentialSettings::Basic { user, password: password.into() })
            }
            (false, false) => {
                self.invalid(&format!("{at}.bearer_token"), "cannot be used together with user and password")
            }
        }
    }
}

fn demo() -> DatasetSettings {
    DatasetSettings {
        id: DEMO_ID.to_owned(),
        aliases: Vec::new(),
        name: "Demo: the world".to_owned(),
        source: Source::Demo,
        format: None,
        prefixes: Vec::new(),
        index: None,
        languages: Vec::new(),
        vocabulary: GivenVocabulary::default(),
        search: SearchSettings::Index,
        editor: None,
    }
}

fn secret(value: String) -> Option<SecretString> {
    (!value.is_empty()).then(|| value.into())
}

fn or_variable(value: String, variables: &[(String, String)], name: &str) -> String {
    if !value.is_empty() {
        return value;
    }
    variables.iter().find(|(known, _)| known == name).map(|(_, value)| value.clone()).unwrap_or_default()
}
