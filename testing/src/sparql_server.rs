//! A SPARQL endpoint in process: HTTP in front of the embedded store, with the bad manners of real ones by choice.

use crate::helpers::install_tls;
use eruca_indexer::{NoProgress, read_quads};
use eruca_sparql::{
    Answer, EmbeddedStore, Limits, Prefixes, QueryError, QueryForm, QueryPolicy, Results, SparqlEndpoint,
    Term, check,
};
use serde_json::{Value, json};
use std::net::SocketAddr;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;
use wiremock::matchers::any;
use wiremock::{Mock, MockServer, Request, Respond, ResponseTemplate};

/// How the endpoint behaves.
#[derive(Debug, Clone, Default)]
pub struct Manners {
    /// Every result is cut here, as Virtuoso's `ResultSetMaxRows` does, which a header tells.
    pub max_rows: Option<usize>,
    /// The header is left out.
    pub silent: bool,
    /// Queries with these words get one row and a header that says that the time was over.
    pub partial: Option<&'static str>,
    /// Queries with these words fail in Virtuoso's words.
    pub refused: Option<(&'static str, &'static str)>,
    /// ASK is answered with Virtuoso's table.
    pub ask_as_select: bool,
    /// Every n-th request is asked to come again at once.
    pub busy_every: Option<usize>,
    /// A header that every request must have.
    pub wants: Option<(&'static str, &'static str)>,
    /// Stands before it.
    pub gate: Gate,
}

/// What a gate does with a request.
type Judge = dyn Fn(&Request) -> Option<ResponseTemplate> + Send + Sync;

/// Sees each request first, and may answer it instead of the endpoint.
#[derive(Clone, Default)]
pub struct Gate(Option<Arc<Judge>>);

impl Gate {
    /// A gate that does this.
    pub fn new(judge: impl Fn(&Request) -> Option<ResponseTemplate> + Send + Sync + 'static) -> Self {
        Self(Some(Arc::new(judge)))
    }
}

impl std::fmt::Debug for Gate {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}", if self.0.is_some() { "a gate" } else { "no gate" })
    }
}

/// The endpoint.
pub struct SparqlServer {
    server: MockServer,
    shared: Arc<Shared>,
}

struct Shared {
    store: EmbeddedStore,
    manners: Mutex<Manners>,
    asked: Mutex<Vec<String>>,
    /// Requests after the n-th are never answered.
    hangs_after: Mutex<Option<usize>>,
    hangs: AtomicBool,
}

struct Responder(Arc<Shared>);

impl SparqlServer {
    /// Serves the triples of some files.
    pub async fn start(files: &[PathBuf], manners: Manners) -> Self {
        install_tls();
        let store = EmbeddedStore::in_memory().unwrap();
        let mut quads = Vec::new();
        for file in files {
            read_quads(file, false, &NoProgress, &mut |quad| quads.push(quad)).unwrap();
        }
        store.load_quads(quads.into_iter()).unwrap();
        let shared = Arc::new(Shared {
            store,
            manners: Mutex::new(manners),
            asked: Mutex::default(),
            hangs_after: Mutex::default(),
            hangs: AtomicBool::new(false),
        });
        // One of its own: it may be left with a reply that is never fetched.
        let server = MockServer::builder().start().await;
        Mock::given(any()).respond_with(Responder(shared.clone())).mount(&server).await;
        Self { server, shared }
    }

    /// The address for queries.
    pub fn url(&self) -> String {
        format!("{}/sparql", self.server.uri())
    }

    /// The address of the server.
    pub fn address(&self) -> SocketAddr {
        *self.server.address()
    }

    /// The queries since this was last asked for.
    pub fn asked(&self) -> Vec<String> {
        std::mem::take(&mut self.shared.asked.lock().unwrap())
    }

    /// Answers no request after the n-th from now on; `None` answers all again.
    pub fn hang_after(&self, requests: Option<usize>) {
        self.shared.asked.lock().unwrap().clear();
        self.shared.hangs.store(false, Ordering::SeqCst);
        *self.shared.hangs_after.lock().unwrap() = requests;
    }

    /// Whether a request is being left without an answer.
    pub fn hangs(&self) -> bool {
        self.shared.hangs.load(Ordering::SeqCst)
    }
}

impl Respond for Responder {
    fn respond(&self, request: &Request) -> ResponseTemplate {
        let shared = &self.0;
        let manners = shared.manners.lock().unwrap().clone();
        if let Some(judge) = &manners.gate.0
            && let Some(response) = judge(request)
        {
            return response;
        }
        if let Some((name, value)) = manners.wants
            && request.headers.get(name).and_then(|given| given.to_str().ok()) != Some(value)
        {
            return ResponseTemplate::new(401).set_body_string("who are you?");
        }
        let form = url::form_urlencoded::parse(&request.body);
        let found = request.url.query_pairs().chain(form).find(|(name, _)| name == "query");
        let query = found.map(|(_, query)| query.into_owned()).unwrap_or_default();
        let number = {
            let mut asked = shared.asked.lock().unwrap();
            asked.push(query.clone());
            asked.len()
        };
        if shared.hangs_after.lock().unwrap().is_some_and(|last| number > last) {
            shared.hangs.store(true, Ordering::SeqCst);
            return ResponseTemplate::new(200).set_delay(Duration::from_secs(600));
        }
        if manners.busy_every.is_some_and(|every| number.is_multiple_of(every)) {
            return ResponseTemplate::new(429).insert_header("retry-after", "0").set_body_string("slow down");
        }
        shared.answer(&query, &manners)
    }
}

impl Shared {
    fn answer(&self, text: &str, manners: &Manners) -> ResponseTemplate {
        if let Some((_, words)) = manners.refused.filter(|(part, _)| text.contains(part)) {
            return ResponseTemplate::new(500).set_body_raw(words, "text/plain");
        }
        let policy = QueryPolicy { max_length: usize::MAX, ..QueryPolicy::default() };
        let outcome = check(text, &Prefixes::default(), &policy).and_then(|query| {
            let answer = self.run(&query)?;
            Ok((query.form(), answer))
        });
        match outcome {
            Ok((form, answer)) => response(form, answer, text, manners),
            Err(error) => ResponseTemplate::new(400).set_body_string(error.to_string()),
        }
    }

    /// The store is asynchronous and the responder is not.
    fn run(&self, query: &eruca_sparql::CheckedQuery) -> Result<Answer, QueryError> {
        let limits = Limits { timeout: Duration::from_secs(60), max_rows: usize::MAX, max_bytes: usize::MAX };
        std::thread::scope(|scope| {
            let runner = scope.spawn(|| {
                let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
                runtime.block_on(self.store.query(query, limits))
            });
            runner.join().unwrap()
        })
    }
}

fn response(form: QueryForm, answer: Answer, text: &str, manners: &Manners) -> ResponseTemplate {
    let json = |body: Value| {
        ResponseTemplate::new(200).set_body_raw(body.to_string(), "application/sparql-results+json")
    };
    match answer.results {
        Results::Boolean(value) if manners.ask_as_select => {
            let row = json!({"__ASK_RETVAL": {"type": "literal", "value": 1}});
            let rows: Vec<Value> = value.then_some(row).into_iter().collect();
            json(json!({"head": {"vars": ["__ASK_RETVAL"]}, "results": {"bindings": rows}}))
        }
        Results::Boolean(value) => json(json!({"head": {}, "boolean": value})),
        Results::Graph(triples) => {
            let lines: String = triples.iter().map(|triple| format!("{triple} .\n")).collect();
            ResponseTemplate::new(200).set_body_raw(lines, "application/n-triples")
        }
        Results::Solutions(mut solutions) => {
            assert_eq!(form, QueryForm::Select);
            let partial = manners.partial.is_some_and(|part| text.contains(part));
            let cap = if partial { Some(1) } else { manners.max_rows };
            let capped = cap.is_some_and(|cap| solutions.rows.len() > cap);
            solutions.rows.truncate(cap.unwrap_or(usize::MAX));
            let rows: Vec<Value> =
                solutions.rows.iter().map(|row| binding(&solutions.variables, row)).collect();
            let template =
                json(json!({"head": {"vars": solutions.variables}, "results": {"bindings": rows}}));
            match (partial, manners.max_rows.filter(|_| capped && !manners.silent)) {
                (true, _) => template
                    .insert_header("X-SQL-State", "S1TAT")
                    .insert_header("X-SQL-Message", "RC...: Returning incomplete results"),
                (false, Some(rows)) => template.insert_header("X-SPARQL-MaxRows", rows.to_string()),
                (false, None) => template,
            }
        }
    }
}

fn binding(variables: &[String], row: &[Option<Term>]) -> Value {
    let cells =
        variables.iter().zip(row).filter_map(|(name, cell)| Some((name.clone(), term(cell.as_ref()?))));
    Value::Object(cells.collect())
}

fn term(term: &Term) -> Value {
    match term {
        Term::NamedNode(node) => json!({"type": "uri", "value": node.as_str()}),
        Term::BlankNode(node) => json!({"type": "bnode", "value": node.as_str()}),
        Term::Literal(literal) => match literal.language() {
            Some(tag) => json!({"type": "literal", "value": literal.value(), "xml:lang": tag}),
            None => {
                json!({"type": "literal", "value": literal.value(), "datatype": literal.datatype().as_str()})
            }
        },
    }
}
