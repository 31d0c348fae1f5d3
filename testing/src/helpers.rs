//! A running service with one method per route, a chat model that keeps silent, and the places of files.

use crate::programs::{BOUND, within};
use eruca::config::Settings;
use eruca::service::Service;
use eruca::{http, startup};
use eruca_indexer::NoProgress;
use reqwest::{Certificate, Client, Method, RequestBuilder, Response};
use serde_json::Value;
use std::net::TcpListener;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use tempfile::TempDir;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::task::JoinHandle;

/// The id of the dataset that every [`TestApp`] has.
pub const CITIES: &str = "https://example.org/cities";
/// An alias of it.
pub const CITIES_ALIAS: &str = "cities";
/// A question that it answers.
pub const QUESTION: &str = "What is the capital of France?";
/// A dataset whose endpoint does not answer, in apps made with [`TestApp::with_endpoint_down`].
pub const DOWN: &str = "down";

/// A dataset whose endpoint never answers, in apps made with [`TestApp::with_silent_endpoint`].
pub const SILENT: &str = "silent";

/// A service on a port of its own.
pub struct TestApp {
    /// Its address, without a slash at the end.
    pub url: String,
    /// A client that follows no redirect.
    pub client: Client,
    /// With which it is stopped.
    pub server: actix_web::dev::ServerHandle,
    /// Comes to its end when the service does.
    pub finished: JoinHandle<std::io::Result<()>>,
    folder: TempDir,
    /// Held for [`TestApp::with_endpoint_down`].
    _down: Option<ClosedPort>,
}

/// The one place where tests open a service.
async fn open(settings: &Settings) -> Arc<Service> {
    startup::open_service(settings, &NoProgress).await.unwrap()
}

impl TestApp {
    /// The cities, answered by the planner.
    pub async fn start() -> Self {
        Self::with("").await
    }

    /// As [`TestApp::start`] with further settings, as TOML; not for `[index]`.
    pub async fn with(toml: &str) -> Self {
        install_tls();
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("test.toml");
        std::fs::write(&file, format!("{}\n{toml}", cities())).unwrap();
        let settings = Settings::load_from(Some(&file), folder.path(), &[]).unwrap();
        let service = open(&settings).await;
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let url = format!("http://{}", listener.local_addr().unwrap());
        let server =
            http::server(listener, service, &settings, http::QueryLog::open(&settings.log).unwrap(), None)
                .unwrap();
        let handle = server.handle();
        let client = Client::builder().redirect(reqwest::redirect::Policy::none()).timeout(BOUND);
        let client = client.build().unwrap();
        Self { url, client, server: handle, finished: tokio::spawn(server), folder, _down: None }
    }

    /// With a second dataset [`DOWN`]: indexed from the same file, its endpoint refuses connections.
    pub async fn with_endpoint_down() -> Self {
        let closed = ClosedPort::take();
        let endpoint = format!("http://127.0.0.1:{}/sparql", closed.number());
        let file = toml_text(&data("cities.ttl"));
        let down = format!("[[datasets]]\nid = \"{DOWN}\"\nfiles = [{file}]\nendpoint = \"{endpoint}\"");
        let mut app = Self::with(&down).await;
        app._down = Some(closed);
        app
    }

    /// Room for one question only, which `model` keeps waiting.
    pub async fn with_room_for_one(model: &SilentModel) -> Self {
        Self::with(&format!(
            "[server]\nmax_concurrent_questions = 1\nmax_waiting_questions = 0\nstop_seconds = 60\n\
             [llm]\nbase_url = \"{}\"\nmodel = \"silent\"\nretries = 0",
            model.url
        ))
        .await
    }

    /// With a second dataset [`SILENT`], whose endpoint takes queries and never answers; room for one question and one look.
    pub async fn with_silent_endpoint(endpoint: &SilentModel) -> Self {
        let file = toml_text(&data("cities.ttl"));
        Self::with(&format!(
            "[server]\nmax_concurrent_questions = 1\nmax_waiting_questions = 0\n\
             [[datasets]]\nid = \"{SILENT}\"\nfiles = [{file}]\nendpoint = \"{}\"",
            endpoint.url
        ))
        .await
    }

    /// Where its configuration `test.toml` and its folder `index` are.
    pub fn folder(&self) -> &Path {
        self.folder.path()
    }

    /// The folder of the index that it has opened.
    pub fn version(&self) -> PathBuf {
        let indexes = std::fs::read_dir(self.folder().join("index")).unwrap();
        let index = indexes.map(|entry| entry.unwrap().path()).find(|path| path.join("current").exists());
        let index = index.unwrap();
        index.join(std::fs::read_to_string(index.join("current")).unwrap())
    }

    /// A request to a path of the service.
    pub fn request(&self, method: Method, path: &str) -> RequestBuilder {
        self.client.request(method, format!("{}{path}", self.url))
    }

    /// A GET request to a path with query parameters.
    pub fn question(&self, path: &str, params: &[(&str, &str)]) -> RequestBuilder {
        let url = url::Url::parse_with_params(&format!("{}{path}", self.url), params).unwrap();
        self.client.get(url)
    }

    /// A GET request to a path.
    pub async fn get(&self, path: &str) -> Response {
        self.request(Method::GET, path).send().await.unwrap()
    }

    /// `GET /text2sparql` with these parameters.
    pub async fn text2sparql(&self, params: &[(&str, &str)]) -> Response {
        self.question("/text2sparql", params).send().await.unwrap()
    }

    /// `GET /text2sparql` with a dataset and a question.
    pub async fn ask(&self, dataset: &str, question: &str) -> Response {
        self.text2sparql(&[("dataset", dataset), ("question", question)]).await
    }

    /// `GET /` with these parameters.
    pub async fn root(&self, params: &[(&str, &str)]) -> Response {
        self.question("/", params).send().await.unwrap()
    }

    /// `GET /datasets`.
    pub async fn datasets(&self) -> Response {
        self.get("/datasets").await
    }

    /// `GET /health`.
    pub async fn health(&self) -> Response {
        self.get("/health").await
    }

    /// `GET /ready`.
    pub async fn ready(&self) -> Response {
        self.get("/ready").await
    }

    /// The description of the interface.
    pub async fn openapi(&self) -> Value {
        json(self.get("/openapi.json").await).await
    }
}

impl Drop for TestApp {
    fn drop(&mut self) {
        // The command is sent at once; nobody is left to wait for its end.
        drop(self.server.stop(false));
    }
}

/// A chat model, or an endpoint, that takes connections and says nothing until it is dropped: it holds what is asked in the
/// middle.
pub struct SilentModel {
    /// Its address, for `llm.base_url` or `endpoint`.
    pub url: String,
    listener: tokio::net::TcpListener,
}

impl SilentModel {
    /// On a port of its own.
    pub async fn start() -> Self {
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
        Self { url: format!("http://{}/v1", listener.local_addr().unwrap()), listener }
    }

    /// Waits until a question has come as far as the model; dropping the connection lets it fail.
    pub async fn asked(&self) -> tokio::net::TcpStream {
        within("a request to the model", self.listener.accept()).await.unwrap().0
    }
}

/// All that is heard on a connection that has posted the first byte of a body and no more.
pub async fn half_sent(app: &TestApp, path: &str, kind: &str) -> String {
    let address = app.url.trim_start_matches("http://");
    let mut connection = tokio::net::TcpStream::connect(address).await.unwrap();
    let head = format!("POST {path} HTTP/1.1\r\nHost: localhost\r\nContent-Type: {kind}\r\n");
    let accept = "Accept: application/json, text/event-stream\r\n";
    let sent = format!("{head}{accept}Content-Length: 2000\r\n\r\n{{");
    connection.write_all(sent.as_bytes()).await.unwrap();
    let mut heard = String::new();
    connection.read_to_string(&mut heard).await.unwrap();
    heard
}

/// The body as JSON, whatever the status.
pub async fn json(response: Response) -> Value {
    let text = response.text().await.unwrap();
    serde_json::from_str(&text).unwrap_or_else(|error| panic!("{error}: {text}"))
}

/// A file in `tests/data`.
pub fn data(name: &str) -> String {
    repository().join("tests/data").join(name).to_str().unwrap().to_owned()
}

/// The only file of a query log; beside it is the mark of its folder.
pub fn query_log(folder: &Path) -> PathBuf {
    let files = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let files: Vec<_> =
        files.filter(|path| path.extension().is_some_and(|ending| ending == "jsonl")).collect();
    assert_eq!(files.len(), 1, "{files:?}");
    files[0].clone()
}

/// The folder of the repository.
pub fn repository() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap()
}

/// The configuration of the cities.
pub fn cities() -> String {
    let file = toml_text(&data("cities.ttl"));
    format!(
        "[[datasets]]\nid = \"{CITIES}\"\naliases = [\"{CITIES_ALIAS}\"]\nname = \"Cities\"\nfiles = [{file}]\n[index]\nfolder = \"index\"\n"
    )
}

/// A folder with the configuration of the cities as its `eruca.toml`.
pub fn folder() -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("eruca.toml"), cities()).unwrap();
    folder
}

/// The configuration of the cities with a certificate for 127.0.0.1 beside it.
pub fn with_certificate(folder: &Path, more: &str) -> Certificate {
    let made = rcgen::generate_simple_self_signed(["127.0.0.1".to_owned()]).unwrap();
    std::fs::write(folder.join("cert.pem"), made.cert.pem()).unwrap();
    std::fs::write(folder.join("key.pem"), made.signing_key.serialize_pem()).unwrap();
    let server = format!("[server]\ntls_certificate = \"cert.pem\"\ntls_key = \"key.pem\"\n{more}");
    std::fs::write(folder.join("eruca.toml"), format!("{server}{}", cities())).unwrap();
    Certificate::from_pem(made.cert.pem().as_bytes()).unwrap()
}

fn toml_text(text: &str) -> String {
    Value::from(text).to_string()
}

/// A port that refuses connections as long as this lives: it is taken, so that nobody else gets it, and nothing listens.
pub struct ClosedPort(tokio::net::TcpSocket);

impl ClosedPort {
    /// Any that is free.
    pub fn take() -> Self {
        let socket = tokio::net::TcpSocket::new_v4().unwrap();
        socket.bind("127.0.0.1:0".parse().unwrap()).unwrap();
        Self(socket)
    }

    /// Its number.
    pub fn number(&self) -> u16 {
        self.0.local_addr().unwrap().port()
    }

    /// From now on connections are taken.
    pub fn listen(self) -> TcpListener {
        self.0.listen(1_024).unwrap().into_std().unwrap()
    }
}

/// HTTP clients need a TLS provider; a second one is refused and not needed.
pub fn install_tls() {
    let _installed = rustls::crypto::ring::default_provider().install_default();
}
