//! What the tools of the agent show of a graph.

use crate::helpers::data;
use crate::scripted::Setup;
use eruca::agent_features::AgentFeatures;
use eruca::startup;
use eruca::tools::{self, Arguments, ToolContext, Workspace};
use eruca_dataset::Dataset;
use eruca_indexer::NoProgress;
use serde_json::{Value, json};
use std::sync::Arc;
use std::time::Duration;

/// Characters of an observation where a test does not ask for another number.
const MAX_CHARS: usize = 6_000;

/// A dataset ready to be looked at.
pub struct Graph {
    dataset: Arc<Dataset>,
    _setup: Setup,
}

impl Graph {
    /// Of a file in `tests/data`.
    pub async fn of(file: &str) -> Self {
        Self::with(file, "").await
    }

    /// With further settings of the dataset.
    pub async fn with(file: &str, settings: &str) -> Self {
        let file = Value::from(data(file));
        let setup = Setup::new(&format!("[[datasets]]\nid = \"graph\"\nfiles = [{file}]\n{settings}"));
        let mut datasets = startup::open_datasets(&setup.settings, &NoProgress).await.unwrap();
        Self { dataset: datasets.remove(0), _setup: setup }
    }

    /// The Wikibase of the tests.
    pub async fn wiki() -> Self {
        Self::of("wiki.ttl").await
    }

    /// What a tool shows.
    pub async fn see(&self, tool: &str, arguments: Value) -> String {
        self.see_within(MAX_CHARS, tool, arguments).await
    }

    /// What a tool shows in so many characters.
    pub async fn see_within(&self, max_chars: usize, tool: &str, arguments: Value) -> String {
        let context = ToolContext {
            dataset: &self.dataset,
            timeout: Duration::from_secs(20),
            features: AgentFeatures::default(),
            max_chars,
            workspace: Workspace::EMPTY,
        };
        let arguments = Arguments::parse(&arguments.to_string()).unwrap();
        tools::find(tool).unwrap().call(&arguments, &context).await.text
    }

    /// A thing.
    pub async fn entry(&self, iri: &str) -> String {
        self.see("get_entry", json!({ "iri": iri })).await
    }

    /// The statements of a thing with one property.
    pub async fn values(&self, iri: &str, property: &str) -> String {
        self.see("get_entry", json!({ "iri": iri, "property": property })).await
    }

    /// The properties that words may mean.
    pub async fn properties(&self, words: &str) -> String {
        self.see("search_property", json!({ "query": words })).await
    }

    /// What is noted of a query apart from its result and the reason why that is empty.
    pub async fn note(&self, query: &str) -> String {
        let seen =
            self.see_with(AgentFeatures { explain_empty: false, ..AgentFeatures::default() }, query).await;
        let notes: Vec<&str> =
            seen.lines().filter(|line| line.ends_with('.') && *line != "0 rows.").collect();
        assert!(!notes.is_empty(), "nothing is noted: {seen}");
        notes.join("\n")
    }

    /// Nothing is noted of the query.
    pub async fn is_fine(&self, query: &str) {
        let features = AgentFeatures { explain_empty: false, ..AgentFeatures::default() };
        let without = AgentFeatures { preflight: false, ..features };
        let seen = self.see_with(features, query).await;
        assert!(!seen.contains("The graph does not know"), "{seen}");
        assert_eq!(seen, self.see_with(without, query).await);
    }

    /// Why the query gives nothing.
    pub async fn why(&self, query: &str) -> String {
        let seen = self.see_with(AgentFeatures { preflight: false, ..AgentFeatures::default() }, query).await;
        assert!(seen.starts_with("0 rows."), "{seen}");
        seen.lines().last().unwrap().to_owned()
    }

    /// What is told of a query with these helps.
    pub async fn see_with(&self, features: AgentFeatures, query: &str) -> String {
        let timeout = Duration::from_secs(20);
        let context = ToolContext {
            dataset: &self.dataset,
            timeout,
            features,
            max_chars: MAX_CHARS,
            workspace: Workspace::EMPTY,
        };
        tools::run_query(query, &context).await.text
    }

    /// What is told of a query.
    pub async fn run(&self, query: &str) -> String {
        self.see("execute_sparql", json!({ "query": query })).await
    }
}
