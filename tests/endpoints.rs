//! Endpoints that count what they are asked, fail for a while, or hang, under the real service.

use eruca::llm::{ChatModel, Message, ScriptedModel, ScriptedTurn};
use eruca::service::{Answered, Question, ServiceError};
use eruca::trace::{AnsweredBy, Silent, StopReason};
use eruca_testing::helpers::repository;
use eruca_testing::scripted::{Setup, answers, looks_up, rows, tools, tries};
use serde_json::{Value, json};
use std::collections::VecDeque;
use std::sync::{Arc, Mutex};
use std::time::Duration;
use wiremock::matchers::any;
use wiremock::{Mock, MockServer, Request, Respond, ResponseTemplate};

const QUESTION: &str = "What is the capital of Japan?";
const CAPITAL: &str = "SELECT DISTINCT ?c WHERE { demo:Japan geo:capital ?c }";
/// The query by which the service looks whether an endpoint is there.
const IS_THERE: &str = "ASK { ?s ?p ?o }";
/// Attempts of one query that an endpoint asks to try again.
const ATTEMPTS: usize = 3;

/// What an endpoint does with a query.
#[derive(Debug, Clone, Copy)]
enum Reply {
    Tokyo,
    Fail(u16),
    /// Words with a good status.
    Said(&'static str),
    Hang,
}

impl Reply {
    fn template(self) -> ResponseTemplate {
        match self {
            Self::Tokyo => {
                let tokyo = json!({"type": "uri", "value": "https://eruca.dev/demo/resource/Tokyo"});
                results(&json!({"head": {"vars": ["c"]}, "results": {"bindings": [{"c": tokyo}]}}))
            }
            Self::Fail(status) => ResponseTemplate::new(status).set_body_string("warming up"),
            Self::Said(words) => ResponseTemplate::new(200).set_body_raw(words, "text/plain"),
            Self::Hang => Self::Tokyo.template().set_delay(Duration::from_secs(60)),
        }
    }
}

fn results(body: &Value) -> ResponseTemplate {
    ResponseTemplate::new(200).set_body_raw(body.to_string(), "application/sparql-results+json")
}

/// Gives prepared replies, the last one for ever, and notes what it was asked.
#[derive(Clone)]
struct Prepared {
    is_there: Reply,
    replies: Arc<Mutex<VecDeque<Reply>>>,
    asked: Arc<Mutex<Vec<String>>>,
}

impl Prepared {
    fn new(is_there: Reply, replies: impl IntoIterator<Item = Reply>) -> Self {
        let replies = Arc::new(Mutex::new(replies.into_iter().collect()));
        Self { is_there, replies, asked: Arc::default() }
    }

    /// The queries so far, but for those that look whether it is there.
    fn asked(&self) -> Vec<String> {
        self.asked.lock().unwrap().clone()
    }

    /// Asks a service whose demo graph is behind this endpoint.
    async fn ask(
        &self,
        deadline: Duration,
        turns: impl IntoIterator<Item = ScriptedTurn>,
    ) -> Result<Answered, ServiceError> {
        // One of its own: it may be left with a reply that is never fetched.
        let server = MockServer::builder().start().await;
        Mock::given(any()).respond_with(self.clone()).mount(&server).await;
        let graph = Value::from(repository().join("examples/world.ttl").to_str().unwrap());
        let setup = Setup::new(&format!(
            "[agent]\ndeadline_seconds = {}\n[helps]\ndrafts = false\n[[datasets]]\nid = \"demo\"\nfiles = [{graph}]\nendpoint = \"{}/sparql\"",
            deadline.as_secs(),
            server.uri()
        ));
        let service = setup.open(Arc::new(ScriptedModel::new(turns))).await;
        let question = Question { dataset: "demo".to_owned(), text: QUESTION.to_owned() };
        service.answer(&question, &Silent).await.map(Arc::unwrap_or_clone)
    }
}

impl Respond for Prepared {
    fn respond(&self, request: &Request) -> ResponseTemplate {
        let form = url::form_urlencoded::parse(&request.body);
        let query = request.url.query_pairs().chain(form).find(|(name, _)| name == "query").unwrap().1;
        if query.contains(IS_THERE) {
            return match self.is_there {
                Reply::Tokyo => results(&json!({"head": {}, "boolean": true})),
                other => other.template(),
            };
        }
        self.asked.lock().unwrap().push(query.into_owned());
        let mut replies = self.replies.lock().unwrap();
        let next = if replies.len() > 1 { replies.pop_front().unwrap() } else { replies[0] };
        next.template()
    }
}

const LONG: Duration = Duration::from_secs(60);

#[tokio::test]
async fn a_repeated_call_is_told_and_costs_nothing() {
    let endpoint = Prepared::new(Reply::Tokyo, [Reply::Tokyo]);
    let same = "# the same\nselect distinct ?c where {\n  <https://eruca.dev/demo/resource/Japan> geo:capital ?c .\n}";
    let turns = [
        tries(CAPITAL),
        tries(same),
        looks_up("Japan").and_call("search_entity", json!({"query": " japan "})),
        answers(same),
    ];
    let answered = endpoint.ask(LONG, turns).await.unwrap();
    assert_eq!((answered.trace.answered_by, answered.trace.stop), (AnsweredBy::Agent, StopReason::Answered));
    let outcomes: Vec<&str> = tools(&answered).iter().map(|(_, outcome, _)| *outcome).collect();
    assert_eq!(outcomes, ["ok", "repeated", "ok", "repeated", "ok"]);
    // What else the endpoint is asked is what is known of the things that the question names.
    let answers = endpoint.asked().iter().filter(|query| query.contains("geo:capital")).count();
    assert_eq!(answers, 1, "{:?}", endpoint.asked());
    insta::assert_snapshot!(tools(&answered)[1].2, @"You made this very call before and its result stands above. Try something else, or call `answer`.");
}

#[tokio::test]
async fn a_query_that_failed_for_no_fault_of_its_own_may_be_tried_again() {
    for (status, outcome) in [(503, "endpoint_down"), (429, "rate_limited")] {
        let failures = std::iter::repeat_n(Reply::Fail(status), ATTEMPTS);
        let endpoint = Prepared::new(Reply::Tokyo, failures.chain([Reply::Tokyo]));
        let answered = endpoint.ask(LONG, [tries(CAPITAL), tries(CAPITAL), answers(CAPITAL)]).await.unwrap();
        let tools = tools(&answered);
        assert_eq!((tools[0].1, tools[1].1, tools[2].1), (outcome, "ok", "ok"), "{}", tools[1].2);
        assert_eq!(rows(&answered), ["Tokyo"]);
        assert!(tools[0].2.contains("not your query's fault"), "{}", tools[0].2);
    }
}

#[tokio::test]
async fn an_endpoint_that_is_down_from_the_start_is_told() {
    let endpoint = Prepared::new(Reply::Fail(503), [Reply::Fail(503)]);
    let error = endpoint.ask(LONG, [answers(CAPITAL)]).await.unwrap_err();
    assert!(matches!(error, ServiceError::EndpointDown { .. }), "{error}");
    assert!(error.to_string().contains("warming up"), "in its own words: {error}");
}

#[tokio::test]
async fn what_an_endpoint_says_in_the_place_of_results_is_told() {
    let null = Prepared::new(Reply::Said("null"), [Reply::Said("null")]);
    let error = null.ask(LONG, []).await.unwrap_err();
    assert!(matches!(error, ServiceError::EndpointDown { .. }), "{error:?}");
    assert!(error.to_string().contains("the word null instead of a SPARQL result"), "{error}");
    let words = Prepared::new(Reply::Tokyo, [Reply::Said("Not for guests.")]);
    let answered = words.ask(LONG, []).await.unwrap();
    assert!(answered.results.is_none());
    let told = "the query has no result: the endpoint rejected the query: Not for guests.";
    assert!(answered.trace.degraded.iter().any(|note| note == told), "{:?}", answered.trace.degraded);
}

#[tokio::test]
async fn an_endpoint_that_goes_down_meanwhile_costs_no_answer() {
    let endpoint = Prepared::new(Reply::Tokyo, [Reply::Fail(500)]);
    let answered = endpoint.ask(LONG, [answers(CAPITAL), answers(CAPITAL)]).await.unwrap();
    assert!(answered.query.contains("capital"), "{}", answered.query);
    assert!(answered.results.is_none(), "nothing was verified");
}

#[tokio::test]
async fn a_query_that_hangs_ends_at_the_deadline_with_what_there_is() {
    let deadline = Duration::from_secs(2);
    let endpoint = Prepared::new(Reply::Tokyo, [Reply::Tokyo, Reply::Hang]);
    let slow = "SELECT ?c WHERE { ?x geo:capital ?c . ?y geo:capital ?d }";
    // What would be made of it to fit the question hangs, too.
    let plain = CAPITAL.replace("DISTINCT ", "");
    let answered = endpoint.ask(deadline, [tries(&plain), tries(slow), answers(slow)]).await.unwrap();
    // The second is for machines that are busy with something else just then.
    let bound = deadline + Duration::from_secs(1);
    assert!(answered.trace.elapsed < bound, "{:?}", answered.trace.elapsed);
    assert_eq!(answered.trace.stop, StopReason::Deadline);
    assert_eq!(rows(&answered), ["Tokyo"]);
}

#[tokio::test]
async fn an_endpoint_that_hangs_from_the_start_is_not_waited_for_beyond_the_deadline() {
    let deadline = Duration::from_secs(2);
    let endpoint = Prepared::new(Reply::Hang, [Reply::Hang]);
    let answered = endpoint.ask(deadline, [answers(CAPITAL)]).await.unwrap();
    let bound = deadline + Duration::from_secs(1);
    assert!(answered.trace.elapsed < bound, "{:?}", answered.trace.elapsed);
    assert!(answered.results.is_none() && answered.query.contains("WHERE"), "{}", answered.query);
}

/// An endpoint that names its engine in a header.
struct Named(Prepared);

impl Respond for Named {
    fn respond(&self, request: &Request) -> ResponseTemplate {
        self.0.respond(request).insert_header("server", "Virtuoso/07.20.3240 (Linux)")
    }
}

#[tokio::test]
async fn the_engine_of_an_endpoint_is_told_to_the_model_and_to_operators() {
    let server = MockServer::builder().start().await;
    let endpoint = Named(Prepared::new(Reply::Tokyo, [Reply::Tokyo]));
    Mock::given(any()).respond_with(endpoint).mount(&server).await;
    let graph = Value::from(repository().join("examples/world.ttl").to_str().unwrap());
    for (dialect, title, hint) in [
        ("auto", "Virtuoso", "A property path with + or * needs a constant"),
        ("qlever", "QLever", "no look-around"),
        ("plain", "", ""),
    ] {
        let setup = Setup::new(&format!(
            "[[datasets]]\nid = \"demo\"\nfiles = [{graph}]\nendpoint = \"{}/sparql\"\ndialect = \"{dialect}\"",
            server.uri()
        ));
        let model = Arc::new(ScriptedModel::new([answers(CAPITAL)]));
        let service = setup.open(Arc::clone(&model) as Arc<dyn ChatModel>).await;
        let known_at_start = if dialect == "auto" { "plain" } else { dialect };
        assert_eq!(service.datasets()[0].dialect, known_at_start);
        let question = Question { dataset: "demo".to_owned(), text: QUESTION.to_owned() };
        service.answer(&question, &Silent).await.unwrap();
        let Message::System(prompt) = &model.requests()[0].messages[0] else { panic!("no system message") };
        assert_eq!(prompt.contains("\n\nThe endpoint ("), !title.is_empty(), "{prompt}");
        assert!(prompt.contains(title) && prompt.contains(hint), "{prompt}");
        let parts = service.readiness().await.parts;
        let told = parts.iter().flatten().find(|part| part.part.ends_with("endpoint")).unwrap();
        assert_eq!(told.detail.contains("it is taken for"), !title.is_empty(), "{}", told.detail);
        assert!(told.detail.contains(title), "{}", told.detail);
    }
}
