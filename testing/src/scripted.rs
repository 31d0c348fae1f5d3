//! Conversations between the real service and a model that says what a test tells it to say.

use crate::helpers::install_tls;
use eruca::config::Settings;
use eruca::llm::{ChatModel, Message, ScriptedModel, ScriptedTurn};
use eruca::service::{Answered, Question, Service};
use eruca::trace::{Silent, StepKind};
use eruca::{http, startup};
use eruca_indexer::{DatasetIndex, NoProgress, OpenOptions};
use eruca_sparql::{Results, Term};
use serde_json::json;
use std::net::TcpListener;
use std::sync::Arc;
use tempfile::TempDir;

/// Settings in a folder of their own, which holds the indexes as long as this lives.
pub struct Setup {
    /// As they were read.
    pub settings: Settings,
    _folder: TempDir,
}

impl Setup {
    /// With this TOML and nothing from the environment; relative paths lie in the folder.
    pub fn new(toml: &str) -> Self {
        install_tls();
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("eruca.toml");
        std::fs::write(&file, format!("{toml}\n[index]\nfolder = \"index\"\n")).unwrap();
        let settings = Settings::load_from(Some(&file), folder.path(), &[]).unwrap();
        Self { settings, _folder: folder }
    }

    /// Without any, which gives the demo graph.
    pub fn demo() -> Self {
        Self::new("")
    }

    /// The service as it starts, but with this model.
    pub async fn open(&self, model: Arc<dyn ChatModel>) -> Arc<Service> {
        startup::open_service_with(&self.settings, model, &NoProgress).await.unwrap()
    }

    /// The index of the first dataset, built if it is missing.
    pub async fn index(&self) -> DatasetIndex {
        let dataset = &self.settings.datasets[0];
        let folder = self.settings.index_folder(dataset);
        if !DatasetIndex::exists(&folder) {
            startup::build_index(&self.settings, dataset, &NoProgress).await.unwrap();
        }
        let options = OpenOptions {
            folder: &folder,
            embedder: None,
            schema_in: None,
            names_in: None,
            build_command: "eruca",
        };
        DatasetIndex::open(options).await.unwrap()
    }

    /// Asks the first dataset, with a model that says these turns.
    pub async fn ask(&self, question: &str, turns: impl IntoIterator<Item = ScriptedTurn>) -> Conversation {
        let model = Arc::new(ScriptedModel::new(turns));
        let answered = self.ask_model(question, model.clone()).await;
        Conversation { answered, model }
    }

    /// Asks the first dataset, with any model.
    pub async fn ask_model(&self, question: &str, model: Arc<dyn ChatModel>) -> Answered {
        let dataset = self.settings.datasets[0].id.clone();
        let question = Question { dataset, text: question.to_owned() };
        Arc::unwrap_or_clone(self.open(model).await.answer(&question, &Silent).await.unwrap())
    }
}

/// A question that was answered, and what the model heard meanwhile.
pub struct Conversation {
    /// What came of it.
    pub answered: Answered,
    /// With all that it was asked.
    pub model: Arc<ScriptedModel>,
}

impl Conversation {
    /// What came of the tool calls: name, outcome, observation.
    pub fn tools(&self) -> Vec<(&str, &str, &str)> {
        tools(&self.answered)
    }

    /// The outcomes of the tool calls in order.
    pub fn outcomes(&self) -> Vec<&str> {
        self.tools().into_iter().map(|(_, outcome, _)| outcome).collect()
    }

    /// The observation of a tool call, counted from 0.
    pub fn observation(&self, number: usize) -> &str {
        self.tools()[number].2
    }

    /// The last message before a completion, counted from 0: what the model had to react to.
    pub fn heard(&self, completion: usize) -> String {
        match self.model.requests()[completion].messages.last().unwrap() {
            Message::System(text) | Message::User(text) | Message::Tool { content: text, .. } => text.clone(),
            Message::Assistant { .. } => panic!("the model hears itself"),
        }
    }

    /// The rows of the final query's result.
    pub fn rows(&self) -> Vec<String> {
        rows(&self.answered)
    }

    /// Nothing is left of the script, and the last turn was reached.
    pub fn is_over(&self) -> bool {
        self.model.remaining() == 0
    }
}

/// What came of the tool calls: name, outcome, observation.
pub fn tools(answered: &Answered) -> Vec<(&str, &str, &str)> {
    let calls = answered.trace.steps.iter().filter_map(|step| match &step.kind {
        StepKind::Tool { name, outcome, observation, .. } => {
            Some((name.as_str(), &**outcome, observation.as_str()))
        }
        _ => None,
    });
    calls.collect()
}

/// The rows of the final query's result: IRIs by what follows the last slash, literals by their text, columns
/// by ` | `. A boolean is a row.
pub fn rows(answered: &Answered) -> Vec<String> {
    let results =
        &answered.results.as_ref().unwrap_or_else(|| panic!("no result: {}", answered.query)).results;
    match results {
        Results::Boolean(value) => vec![value.to_string()],
        Results::Solutions(solutions) => {
            let row = |row: &Vec<Option<Term>>| row.iter().map(cell).collect::<Vec<_>>().join(" | ");
            solutions.rows.iter().map(row).collect()
        }
        Results::Graph(triples) => triples.iter().map(ToString::to_string).collect(),
    }
}

fn cell(term: &Option<Term>) -> String {
    match term {
        Some(Term::NamedNode(node)) => node.as_str().rsplit('/').next().unwrap().to_owned(),
        Some(Term::Literal(literal)) => literal.value().to_owned(),
        Some(Term::BlankNode(_)) => "[]".to_owned(),
        None => "-".to_owned(),
    }
}

/// A turn that tries a query.
pub fn tries(query: &str) -> ScriptedTurn {
    ScriptedTurn::call("execute_sparql", json!({ "query": query }))
}

/// A turn that states the final query.
pub fn answers(query: &str) -> ScriptedTurn {
    ScriptedTurn::call("answer", json!({ "query": query }))
}

/// A turn that looks a name up.
pub fn looks_up(name: &str) -> ScriptedTurn {
    ScriptedTurn::call("search_entity", json!({ "query": name }))
}

/// A running service over the demo graph with any model.
pub async fn served(model: Arc<dyn ChatModel>) -> (Setup, String, actix_web::dev::ServerHandle) {
    served_by(Setup::demo(), model).await
}

/// A running service with these settings and any model.
pub async fn served_by(
    setup: Setup,
    model: Arc<dyn ChatModel>,
) -> (Setup, String, actix_web::dev::ServerHandle) {
    install_tls();
    let service = setup.open(model).await;
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("http://{}", listener.local_addr().unwrap());
    let server = http::server(listener, service, &setup.settings, None, None).unwrap();
    let handle = server.handle();
    tokio::spawn(server);
    (setup, url, handle)
}
