//! Pages of verified questions by HTTP: names, choices, ages of results; `keys` has keys and frames,
//! `recorded` metrics and the query log.

mod keys;
mod recorded;

use crate::cli::run;
use eruca::config::Settings;
use eruca::service::boards::Clock;
use eruca::{http, startup};
use eruca_indexer::NoProgress;
use eruca_testing::helpers::{install_tls, json};
use eruca_testing::programs::{stdout, within};
use reqwest::{Client, RequestBuilder, Response};
use serde_json::{Value, json as value};
use std::net::TcpListener;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering::SeqCst};
use std::time::{Duration, SystemTime};
use tempfile::TempDir;
use wiremock::matchers::any;
use wiremock::{Mock, MockServer, Request, ResponseTemplate};

const OFFICE: &str = r#"
@prefix o: <http://office.example/> . @prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
@prefix geo: <http://www.w3.org/2003/01/geo/wgs84_pos#> .
o:sales a o:Department ; rdfs:label "Sales" ; o:head o:ada ; o:budget 120 ; geo:lat 48.1 ; geo:long 11.5 .
o:research a o:Department ; rdfs:label "Research" ; o:head o:bo , o:sum ; o:budget 300 ; geo:lat 52.5 ; geo:long 13.4 .
o:twin1 a o:Department ; rdfs:label "Twin" ; o:head o:bo . o:twin2 a o:Department ; rdfs:label "Twin" .
o:ada a o:Person ; rdfs:label "Ada Moss" . o:bo a o:Person ; rdfs:label "Bo Reed" .
o:sum a o:Person ; rdfs:label "=SUM(A1)" .
"#;

const QUESTIONS: &str = r#"
[[questions]]
name = "leaders"
question = "Who leads Sales?"
lang = "en"
query = "SELECT ?person WHERE { <http://office.example/sales> <http://office.example/head> ?person } ORDER BY ?person"
by = "Ada"
at = 2026-01-31
parameters = [{ name = "Sales", value = "<http://office.example/sales>", as = "department" }]

[[questions]]
name = "budgets"
question = "What are the budgets above 100?"
query = "SELECT ?d ?b WHERE { ?d <http://office.example/budget> ?b FILTER(?b > 100) } ORDER BY ?b"
by = "Bo"
at = 2026-02-01
view = "map"
refresh = "10m"
parameters = [{ name = "100", value = "100" }]
"#;

const BOARDS: &str =
    "[[boards]]\nname = 'house'\ntitle = 'The house'\nquestions = ['leaders', 'gone', 'budgets']\n";

/// A service over the office with these settings, and a clock that is moved by hand.
struct Site {
    url: String,
    client: Client,
    seconds: Arc<AtomicU64>,
    folder: TempDir,
    server: actix_web::dev::ServerHandle,
}

impl Drop for Site {
    fn drop(&mut self) {
        drop(self.server.stop(false));
    }
}

fn write(folder: &Path, name: &str, text: &str) {
    let file = folder.join(name);
    std::fs::create_dir_all(file.parent().unwrap()).unwrap();
    std::fs::write(file, text).unwrap();
}

/// A folder with the office and its questions.
fn office(toml: &str) -> TempDir {
    install_tls();
    let folder = tempfile::tempdir().unwrap();
    write(folder.path(), "office.ttl", OFFICE);
    write(folder.path(), "knowledge/office/boards.toml", BOARDS);
    write(folder.path(), "knowledge/office/questions/a.toml", QUESTIONS);
    let toml = match toml.contains("[[datasets]]") {
        true => toml.to_owned(),
        false => format!("[[datasets]]\nid = \"office\"\nfiles = [\"office.ttl\"]\n{toml}"),
    };
    write(folder.path(), "eruca.toml", &format!("{toml}\n[index]\nfolder = \"index\"\n"));
    folder
}

impl Site {
    async fn new(toml: &str) -> Self {
        Self::at(office(toml)).await
    }

    async fn at(folder: TempDir) -> Self {
        let settings =
            Settings::load_from(Some(&folder.path().join("eruca.toml")), folder.path(), &[]).unwrap();
        let seconds = Arc::new(AtomicU64::new(1_800_000_000));
        let told = seconds.clone();
        let clock: Clock = Arc::new(move || SystemTime::UNIX_EPOCH + Duration::from_secs(told.load(SeqCst)));
        let service = startup::open_service(&settings, &NoProgress).await.unwrap();
        let service = Arc::new(Arc::into_inner(service).unwrap().with_clock(clock));
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let url = format!("http://{}", listener.local_addr().unwrap());
        let log = http::QueryLog::open(&settings.log).unwrap();
        let server = http::server(listener, service, &settings, log, None).unwrap();
        let handle = server.handle();
        tokio::spawn(server);
        Self { url, client: Client::new(), seconds, folder, server: handle }
    }

    async fn get(&self, path: &str) -> Response {
        self.client.get(format!("{}{path}", self.url)).send().await.unwrap()
    }

    async fn json(&self, path: &str) -> Value {
        let response = self.get(path).await;
        assert_eq!(response.status(), 200, "{path}");
        json(response).await
    }

    async fn refused(&self, path: &str) -> (u16, Value) {
        let response = self.get(path).await;
        (response.status().as_u16(), json(response).await)
    }

    async fn status(&self, path: &str, key: Option<&str>) -> u16 {
        let request = self.client.get(format!("{}{path}", self.url));
        let request = key.into_iter().fold(request, RequestBuilder::bearer_auth);
        request.send().await.unwrap().status().as_u16()
    }

    fn later(&self, seconds: u64) {
        self.seconds.fetch_add(seconds, SeqCst);
    }
}

/// The names in the first column.
fn names(result: &Value) -> Vec<&str> {
    let rows = result["rows"]["rows"].as_array().unwrap();
    rows.iter().map(|row| row[0]["label"].as_str().or(row[0]["value"].as_str()).unwrap()).collect()
}

#[tokio::test]
async fn a_choice_takes_the_place_of_the_name_that_was_verified() {
    let site = Site::new("").await;
    let first = site.json("/q/leaders.json").await;
    assert_eq!((first["question"].as_str(), names(&first)), (Some("Who leads Sales?"), vec!["Ada Moss"]));
    assert_eq!(first["made_at"], "2027-01-15T08:00:00Z");
    for given in
        ["Research", "research", "http://office.example/research", "%3Chttp://office.example/research%3E"]
    {
        let other = site.json(&format!("/q/leaders.json?department={given}")).await;
        assert_eq!(other["question"], "Who leads Research?", "{given}");
        assert_eq!(names(&other), ["Bo Reed", "=SUM(A1)"], "{given}");
        assert_eq!(other["parameters"][0]["other"], true);
    }
    for same in ["sales", "http://office.example/sales", ""] {
        let same = site.json(&format!("/q/leaders.json?department={same}")).await;
        assert_eq!((names(&same), &same["parameters"][0]["other"]), (vec!["Ada Moss"], &Value::Bool(false)));
    }
    let more = site.json("/q/budgets.json?100=200").await;
    assert_eq!(
        (names(&more), more["question"].as_str()),
        (vec!["Research"], Some("What are the budgets above 200?"))
    );
    assert_eq!(more["rows"]["places"]["http://office.example/research"], value!([52.5, 13.4]));
}

#[tokio::test]
async fn wrong_choices_are_told_with_what_may_be_meant() {
    let site = Site::new("").await;
    let (status, wrong) = site.refused("/q/leaders.json?department=Reserch").await;
    assert_eq!((status, wrong["code"].as_str()), (422, Some("unknown_value")));
    assert_eq!(wrong["detail"], "nothing of the right kind is called 'Reserch'; choose another department");
    assert_eq!(
        (&wrong["parameter"], &wrong["candidates"][0]["value"]),
        (&value!("department"), &value!("Research"))
    );
    let (_, person) = site.refused("/q/leaders.json?department=Bo+Reed").await;
    assert_eq!(person["code"], "unknown_value", "not a department");
    let (status, twin) = site.refused("/q/leaders.csv?department=Twin").await;
    assert_eq!((status, twin["code"].as_str()), (422, Some("ambiguous_value")));
    let iris: Vec<&str> =
        twin["candidates"].as_array().unwrap().iter().map(|one| one["value"].as_str().unwrap()).collect();
    assert_eq!(iris, ["http://office.example/twin1", "http://office.example/twin2"]);
    let chosen = site.json(&format!("/q/leaders.json?department={}", iris[0])).await;
    assert_eq!((names(&chosen), chosen["question"].as_str()), (vec!["Bo Reed"], Some("Who leads Twin?")));
    let (status, other) = site.refused("/q/leaders.json?dept=Research").await;
    assert_eq!((status, other["code"].as_str()), (422, Some("unknown_parameter")));
    assert_eq!(other["detail"], "the question 'leaders' has no parameter 'dept'; it has department");
    for path in
        ["/q/nobody.json", "/q/nobody", "/q/nobody.csv", "/q/nobody/candidates?parameter=a", "/q/house.json"]
    {
        let (status, body) = site.refused(path).await;
        assert_eq!((status, body["code"].as_str()), (404, Some("unknown_board")), "{path}");
    }
    assert_eq!(site.status("/q/leaders.xlsx", None).await, 404);
}

#[tokio::test]
async fn pages_are_described_listed_and_completed() {
    let site = Site::new("").await;
    let house = site.json("/q/house").await;
    assert_eq!((&house["title"], &house["missing"]), (&value!("The house"), &value!(["gone"])));
    let told: Vec<_> =
        house["questions"].as_array().unwrap().iter().map(|one| one["name"].as_str().unwrap()).collect();
    assert_eq!(told, ["leaders", "budgets"]);
    let leaders = &house["questions"][0];
    assert_eq!((&leaders["by"], &leaders["at"]), (&value!("Ada"), &value!("2026-01-31")));
    assert_eq!(leaders["parameters"], value!([{"name": "department", "verified": "Sales", "number": false}]));
    assert_eq!(
        (&house["questions"][1]["view"], &house["questions"][1]["refresh"]),
        (&value!("map"), &value!(600))
    );
    let two = site.json("/q/budgets,leaders,budgets").await;
    assert_eq!((two["questions"].as_array().unwrap().len(), two.get("title")), (2, None));
    assert_eq!(site.status(&format!("/q/{}", vec!["leaders"; 40].join(",")), None).await, 200);
    let many: Vec<String> = (0..13).map(|n| format!("q{n}")).collect();
    assert_eq!(site.refused(&format!("/q/{}", many.join(","))).await.1["code"], "too_many_questions");

    let all = site.json("/q").await;
    let paths: Vec<_> =
        all["boards"].as_array().unwrap().iter().map(|one| one["path"].as_str().unwrap()).collect();
    assert_eq!(paths, ["/q/house", "/q/leaders", "/q/budgets"]);
    assert_eq!(site.json("/config.json").await["pages"]["boards"], true);

    let candidates = async |typed: &str| {
        let found = site.json(&format!("/q/leaders/candidates?parameter=department&q={typed}")).await;
        let all = found["candidates"].as_array().unwrap().iter();
        all.map(|one| one["value"].as_str().unwrap().to_owned()).collect::<Vec<_>>()
    };
    assert_eq!(candidates("re").await, ["Research"]);
    assert_eq!(candidates("twin").await, ["http://office.example/twin1", "http://office.example/twin2"]);
    assert_eq!(candidates("").await.len(), 4);
    assert!(candidates("ada").await.is_empty(), "a person is no department");
}

#[tokio::test]
async fn files_are_for_programs_or_for_spreadsheets_and_sent_once() {
    let site = Site::new("").await;
    let text = async |path: &str| site.get(path).await.text().await.unwrap();
    let exact = text("/q/leaders.csv?department=Research&labels=true").await;
    assert!(exact.contains("person,personLabel") && exact.contains(",=SUM(A1)"), "{exact}");
    let sheet = text("/q/leaders.csv?department=Research&labels=true&spreadsheet=true").await;
    assert!(sheet.contains(",'=SUM(A1)"), "{sheet}");
    assert!(text("/q/budgets.tsv").await.starts_with("?d\t?b\n"));
    let found: Value = serde_json::from_str(&text("/q/budgets.srj").await).unwrap();
    assert_eq!(found["results"]["bindings"].as_array().unwrap().len(), 2);

    for path in ["/q/budgets.csv", "/q/budgets.json"] {
        let first = site.get(path).await;
        let header = |name: &str| first.headers()[name].to_str().unwrap().to_owned();
        assert_eq!(header("cache-control"), "max-age=600");
        assert_eq!(header("last-modified"), "Fri, 15 Jan 2027 08:00:00 GMT");
        let ask = async |name: &str, value: String| {
            let request = site.client.get(format!("{}{path}", site.url)).header(name, value);
            request.send().await.unwrap()
        };
        let again = ask("if-none-match", header("etag")).await;
        assert_eq!((again.status().as_u16(), &again.headers()["etag"]), (304, &first.headers()["etag"]));
        assert_eq!(ask("if-none-match", "\"other\"".to_owned()).await.status(), 200);
        assert_eq!(ask("if-modified-since", header("last-modified")).await.status(), 304);
        assert_eq!(ask("if-modified-since", "Thu, 14 Jan 2027 08:00:00 GMT".to_owned()).await.status(), 200);
    }
    site.later(200);
    assert_eq!(site.get("/q/budgets.csv").await.headers()["cache-control"], "max-age=400");
}

/// An endpoint that counts its queries and answers with the count, or that it is closed.
struct Counter {
    server: MockServer,
    count: Arc<AtomicUsize>,
    open: Arc<AtomicUsize>,
}

impl Counter {
    async fn start() -> Self {
        install_tls();
        let server = MockServer::start().await;
        let (count, open) = (Arc::new(AtomicUsize::new(0)), Arc::new(AtomicUsize::new(1)));
        let (counted, state) = (count.clone(), open.clone());
        let respond = move |_: &Request| {
            if state.load(SeqCst) == 0 {
                return ResponseTemplate::new(500);
            }
            let number = (counted.fetch_add(1, SeqCst) + 1).to_string();
            let cell = value!({"type": "literal", "value": number});
            let body = value!({"head": {"vars": ["n"]}, "results": {"bindings": [{"n": cell}]}});
            ResponseTemplate::new(200).set_body_raw(body.to_string(), "application/sparql-results+json")
        };
        Mock::given(any()).respond_with(respond).mount(&server).await;
        Self { server, count, open }
    }

    /// A site over it whose only question says this, too.
    async fn site(&self, more: &str) -> Site {
        let folder = office(&format!(
            "[[datasets]]\nid = \"office\"\nfiles = [\"office.ttl\"]\nendpoint = \"{}/sparql\"\n[cache]\nseconds = 3600\n",
            self.server.uri()
        ));
        let question = format!(
            "[[questions]]\nname = 'count'\nquestion = 'How many?'\nquery = 'SELECT ?n {{ ?s ?p ?n }}'\nby = 'Ada'\nat = 2026-01-31\n{more}\n"
        );
        write(folder.path(), "knowledge/office/questions/a.toml", &question);
        write(folder.path(), "knowledge/office/boards.toml", "");
        Site::at(folder).await
    }
}

#[tokio::test]
async fn a_result_is_kept_as_long_as_the_question_says() {
    let counter = Counter::start().await;
    let site = counter.site("refresh = '1m'").await;
    let before = counter.count.load(SeqCst);
    let first = site.json("/q/count.json").await;
    assert_eq!(names(&first), [(before + 1).to_string()]);
    site.later(59);
    assert_eq!(site.json("/q/count.json").await["made_at"], first["made_at"]);
    assert!(site.get("/q/count.csv").await.text().await.unwrap().contains(&(before + 1).to_string()));
    site.later(1);
    let second = site.json("/q/count.json").await;
    assert_eq!(names(&second), [(before + 2).to_string()], "not even from the cache of results");
    assert_ne!(second["made_at"], first["made_at"]);
    let together = futures_util::future::join_all((0..8).map(|_| site.json("/q/count.json?lang=de"))).await;
    assert!(together.iter().all(|result| names(result) == names(&second)));
    assert_eq!(counter.count.load(SeqCst), before + 2);
}

#[tokio::test]
async fn an_older_result_is_shown_meanwhile_if_the_question_says_so() {
    let counter = Counter::start().await;
    let site = counter.site("refresh = '1m'\nstale = true").await;
    let first = site.json("/q/count.json").await;
    site.later(61);
    let old = site.json("/q/count.json").await;
    assert_eq!((names(&old), &old["stale"]["code"]), (names(&first), &value!("refreshing")));
    within("a new result", async {
        while names(&site.json("/q/count.json").await) == names(&first) {
            tokio::task::yield_now().await;
        }
    })
    .await;
    assert_eq!(site.json("/q/count.json").await.get("stale"), None);
}

#[tokio::test]
async fn an_endpoint_that_is_down_gives_what_it_gave_before() {
    let counter = Counter::start().await;
    let site = counter.site("refresh = '1m'").await;
    counter.open.store(0, SeqCst);
    let (status, none) = site.refused("/q/count.json").await;
    assert_eq!((status, none["code"].as_str()), (502, Some("endpoint_down")), "there is no result yet");
    counter.open.store(1, SeqCst);
    let first = site.json("/q/count.json").await;
    counter.open.store(0, SeqCst);
    site.later(60);
    let down = site.get("/q/count.json").await;
    for (name, expected) in [("eruca-stale", "endpoint_down"), ("cache-control", "max-age=15")] {
        assert_eq!(down.headers()[name], expected);
    }
    let down = json(down).await;
    assert_eq!((names(&down), &down["made_at"]), (names(&first), &first["made_at"]));
    assert_eq!(down["stale"]["code"], "endpoint_down");
    counter.open.store(1, SeqCst);
    site.later(14);
    assert_eq!(site.json("/q/count.json").await["stale"]["code"], "endpoint_down", "it is left alone");
    site.later(1);
    let up = site.json("/q/count.json").await;
    assert_eq!((up.get("stale"), names(&up) != names(&first)), (None, true));
}

#[tokio::test]
async fn what_is_hidden_later_is_not_shown_from_memory() {
    let site = Site::new("").await;
    assert_eq!(names(&site.json("/q/leaders.json").await), ["Ada Moss"]);
    write(
        site.folder.path(),
        "knowledge/office/hidden.toml",
        "[hidden]\nterms = ['http://office.example/ada']\n",
    );
    let reload = site.client.post(format!("{}/datasets/office/reload", site.url)).send().await.unwrap();
    assert_eq!(json(reload).await["reloaded"], true);
    assert!(names(&site.json("/q/leaders.json").await).is_empty());
    let changed = QUESTIONS.replace("name = \"leaders\"", "name = \"heads\"");
    write(site.folder.path(), "knowledge/office/questions/a.toml", &changed);
    site.client.post(format!("{}/datasets/office/reload", site.url)).send().await.unwrap();
    assert_eq!(site.status("/q/leaders.json", None).await, 404);
    assert_eq!(site.status("/q/heads.json", None).await, 200);
}

#[test]
fn what_is_wrong_with_boards_is_told_before_anything_is_started() {
    let folder = office("[server]\nport = 0\n");
    let twice = QUESTIONS.replace("\"budgets\"", "\"house\"");
    write(folder.path(), "knowledge/office/questions/a.toml", &twice);
    let said = stdout(&run(folder.path(), &["check"]));
    for expected in [
        "the board 'house' has the question 'gone', but none has that name",
        "the board 'house' has the question 'budgets', but none has that name",
        "a verified question has the name 'house' too",
    ] {
        assert!(said.contains(expected), "{said}");
    }
}

#[tokio::test]
async fn several_datasets_may_have_a_name() {
    let folder = office(
        "[[datasets]]\nid = \"office\"\nfiles = [\"office.ttl\"]\n[[datasets]]\nid = \"b\"\nfiles = [\"office.ttl\"]\nknowledge = \"knowledge/office\"",
    );
    let site = Site::at(folder).await;
    for path in ["/q/leaders.json", "/q/leaders", "/q/house"] {
        let (status, body) = site.refused(path).await;
        assert_eq!((status, body["code"].as_str()), (422, Some("several_datasets")), "{path}");
        assert_eq!(body["datasets"], value!(["office", "b"]));
    }
    assert_eq!(site.json("/q/leaders.json?dataset=b").await["dataset"], "b");
    assert_eq!(site.json("/q?dataset=b").await["boards"][1]["path"], "/q/leaders?dataset=b");
    assert_eq!(site.status("/q/leaders.json?dataset=nowhere", None).await, 404);
    let ask = value!({"dataset": "b", "question": "Who leads research?"});
    let run = site.client.post(format!("{}/ask", site.url)).json(&ask).send().await.unwrap();
    let page = &json(run).await["trace"]["verified"]["page"];
    assert_eq!(page, "/q/leaders?dataset=b&department=research");
    assert_eq!(
        names(&site.json(&page.as_str().unwrap().replace('?', ".json?")).await),
        ["Bo Reed", "=SUM(A1)"]
    );
}
