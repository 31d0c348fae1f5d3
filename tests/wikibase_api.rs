//! A dataset without an index: names come from the search of a Wikibase, facts from its endpoint. Both are stand-ins.

use crate::cli::run;
use eruca::config::{SearchSettings, Settings};
use eruca::llm::{Message, ScriptedModel, ScriptedTurn};
use eruca::service::Question;
use eruca::startup;
use eruca::trace::{AnsweredBy, Silent, StepKind};
use eruca_indexer::NoProgress;
use eruca_testing::helpers::{TestApp, data, json};
use eruca_testing::programs::{stderr, stdout};
use eruca_testing::scripted::{Setup, rows};
use eruca_testing::sparql_server::{Manners, SparqlServer};
use serde_json::{Map, Value, json as value};
use std::sync::{Arc, Mutex};
use std::time::Duration;
use wiremock::matchers::any;
use wiremock::{Mock, MockServer, Request, Respond, ResponseTemplate};

/// Id, label, description, aliases, and the kind of the values of a property.
type Row = (&'static str, &'static str, &'static str, &'static [&'static str], Option<&'static str>);

const ENTITIES: [Row; 14] = [
    ("Q83495", "The Matrix", "1999 film", &["Matrix"], None),
    ("Q207536", "Cloud Atlas", "2012 film", &[], None),
    ("Q104123", "Pulp Fiction", "1994 film", &[], None),
    ("Q44337", "matrix", "array of numbers", &["matrices"], None),
    ("Q9544977", "Lana Wachowski", "American film director", &["Larry Wachowski"], None),
    ("Q9545711", "Lilly Wachowski", "American film director", &["Andy Wachowski"], None),
    ("Q55221", "Tom Tykwer", "German film director", &[], None),
    ("Q3772", "Quentin Tarantino", "American film director", &[], None),
    ("Q11424", "film", "sequence of images", &["movie", "motion picture"], None),
    ("Q24862", "short film", "film of little length", &[], None),
    ("Q5", "human", "being", &["person"], None),
    ("Q30114662", "film (given name)", "name", &["film"], None),
    ("P57", "director", "who directed a work", &["directed by", "film director"], Some("wikibase-item")),
    ("P569", "date of birth", "day on which someone was born", &["born on", "birthdate"], Some("time")),
];

/// Answers as the API does, from [`ENTITIES`].
#[derive(Clone, Default)]
struct Api {
    asked: Arc<Mutex<Vec<String>>>,
    /// What it answers instead.
    instead: Arc<Mutex<Option<ResponseTemplate>>>,
}

impl Api {
    async fn start() -> (Self, MockServer) {
        let (api, server) = (Self::default(), MockServer::builder().start().await);
        Mock::given(any()).respond_with(api.clone()).mount(&server).await;
        (api, server)
    }

    fn says(&self, instead: Option<ResponseTemplate>) {
        *self.instead.lock().unwrap() = instead;
    }

    /// What was asked since this was last called, like `wbsearchentities item film`.
    fn asked(&self) -> Vec<String> {
        std::mem::take(&mut self.asked.lock().unwrap())
    }
}

impl Respond for Api {
    fn respond(&self, request: &Request) -> ResponseTemplate {
        let parameter = |name: &str| {
            let found = request.url.query_pairs().find(|(known, _)| known == name);
            found.map(|(_, value)| value.into_owned()).unwrap_or_default()
        };
        let (action, kind, text, ids) =
            (parameter("action"), parameter("type"), parameter("search"), parameter("ids"));
        self.asked.lock().unwrap().push(format!("{action} {kind}{ids} {text}").trim().replace("  ", " "));
        if let Some(instead) = self.instead.lock().unwrap().clone() {
            return instead;
        }
        let body = match action.as_str() {
            "wbsearchentities" => search(&kind, &text),
            "wbgetentities" => entities(&ids),
            other => {
                value!({"error": {"code": "badvalue", "info": format!("Unrecognized value for parameter \"action\": {other}.")}})
            }
        };
        ResponseTemplate::new(200).set_body_json(body)
    }
}

/// Labels and aliases that begin with the text, as `wbsearchentities` finds them.
fn search(kind: &str, text: &str) -> Value {
    let starts = |name: &str| name.to_lowercase().starts_with(&text.to_lowercase());
    let of_kind = |id: &str| id.starts_with('P') == (kind == "property");
    let hits = ENTITIES.iter().filter(|(id, ..)| of_kind(id)).filter_map(|(id, label, about, aliases, datatype)| {
        let by_label = starts(label);
        let alias = aliases.iter().find(|alias| starts(alias));
        let matched = if by_label { label } else { alias? };
        let mut hit = value!({"id": id, "title": id, "concepturi": format!("http://www.wikidata.org/entity/{id}"),
            "label": label, "description": about,
            "display": {"label": {"value": label, "language": "en"}, "description": {"value": about, "language": "en"}},
            "match": {"type": if by_label { "label" } else { "alias" }, "language": "en", "text": matched}});
        if !by_label {
            hit["aliases"] = value!([matched]);
        }
        if let Some(datatype) = datatype {
            hit["datatype"] = value!(datatype);
        }
        Some(hit)
    });
    value!({"searchinfo": {"search": text}, "search": hits.collect::<Vec<_>>(), "success": 1})
}

fn entities(ids: &str) -> Value {
    let entity = |id: &str| match ENTITIES.iter().find(|(known, ..)| *known == id) {
        None => value!({"id": id, "missing": ""}),
        Some((_, label, about, aliases, datatype)) => {
            let term = |text: &str| value!({"language": "en", "value": text});
            let aliases: Vec<Value> = aliases.iter().map(|alias| term(alias)).collect();
            value!({"id": id, "type": "item", "labels": {"en": term(label)}, "descriptions": {"en": term(about)},
                "aliases": if aliases.is_empty() { value!([]) } else { value!({"en": aliases}) }, "datatype": datatype})
        }
    };
    let all: Map<String, Value> = ids.split('|').map(|id| (id.to_owned(), entity(id))).collect();
    value!({"entities": all, "success": 1})
}

/// The preset with the stand-ins in the places of Wikidata's servers.
struct Wiki {
    api: Api,
    _server: MockServer,
    endpoint: SparqlServer,
    toml: String,
}

impl Wiki {
    async fn start() -> Self {
        let (api, server) = Api::start().await;
        let endpoint = SparqlServer::start(&[data("films.ttl").into()], Manners::default()).await;
        let toml = format!(
            "[[datasets]]\nid = \"wikidata\"\npreset = \"wikidata\"\nendpoint = \"{}\"\nwikibase_api = \"{}/w/api.php\"\n",
            endpoint.url(),
            server.uri()
        );
        Self { api, _server: server, endpoint, toml }
    }

    fn setup(&self) -> Setup {
        Setup::new(&format!("{}[helps]\ndrafts = false\n", self.toml))
    }

    /// The rows of the planner's answer, without their namespaces.
    async fn plan(&self, question: &str) -> Vec<String> {
        let setup = Setup::new(&self.toml);
        let service = startup::open_service(&setup.settings, &NoProgress).await.unwrap();
        let question = Question { dataset: "wikidata".to_owned(), text: question.to_owned() };
        let answered = service.answer(&question, &Silent).await.unwrap();
        assert_eq!(answered.trace.answered_by, AnsweredBy::Planner);
        let mut rows: Vec<String> = rows(&answered)
            .into_iter()
            .map(|row| row.replace("http://www.wikidata.org/entity/", ""))
            .collect();
        rows.sort();
        rows
    }
}

#[tokio::test]
async fn the_preset_answers_single_facts_without_a_model_and_without_an_index() {
    let wiki = Wiki::start().await;
    assert_eq!(wiki.plan("Who directed The Matrix?").await, ["Q9544977", "Q9545711"]);
    assert_eq!(wiki.plan("What is the date of birth of Lana Wachowski?").await.len(), 1);
    assert_eq!(wiki.plan("Which films were directed by Tom Tykwer?").await, ["Q207536"]);
    assert_eq!(wiki.plan("Name all films").await, ["Q104123", "Q207536", "Q83495"]);
}

#[tokio::test]
async fn a_model_finds_its_way_by_looking_names_up() {
    let wiki = Wiki::start().await;
    let query = "SELECT DISTINCT ?who WHERE { wd:Q83495 wdt:P57 ?who }";
    let turns = [
        ScriptedTurn::call("search_entity", value!({"query": "Matrix"})),
        ScriptedTurn::call("search_entity", value!({"query": "Matrix", "class": "wd:Q11424"})),
        ScriptedTurn::call("search_property", value!({"query": "directed"})),
        ScriptedTurn::call("search_class", value!({"query": "film"})),
        ScriptedTurn::call("get_property_examples", value!({"property": "wdt:P57"})),
        ScriptedTurn::call("get_entry", value!({"iri": "wd:Q83495"})),
        ScriptedTurn::call("execute_sparql", value!({"query": query})),
        ScriptedTurn::call("answer", value!({"query": query})),
    ];
    let talk = wiki.setup().ask("Who made that film about the matrix?", turns).await;
    assert!(talk.is_over());
    let said = |number: usize| talk.observation(number);
    insta::assert_snapshot!(said(0), @r#"
    - wd:Q83495 "The Matrix" a wd:Q11424 "film", also "Matrix": "1999 film"
    - wd:Q44337 "matrix" a wd:Q24034552: "array of numbers"
    "#);
    insta::assert_snapshot!(said(1), @r#"- wd:Q83495 "The Matrix" a wd:Q11424 "film", also "Matrix": "1999 film""#);
    insta::assert_snapshot!(said(2), @r#"- wdt:P57 "director" -> wikibase-item, also "directed by": "who directed a work""#);
    insta::assert_snapshot!(said(3), @r#"
    - wd:Q11424 "film": "sequence of images"
    (instances of what was looked up are not counted)
    "#);
    insta::assert_snapshot!(said(5), @r#"
    wd:Q83495 "The Matrix"
      rdfs:label "The Matrix"@en (2 languages in all)
      wdt:P31 wd:Q11424 ("film")
      wdt:P57 "director" wd:Q9544977 ("Lana Wachowski"), wd:Q9545711 ("Lilly Wachowski")
      wdt:P577 1999-03-31
      wdt:P2047 136
    "#);
    insta::assert_snapshot!(said(6), @r#"
    ?who
    wd:Q9545711 ("Lilly Wachowski")
    wd:Q9544977 ("Lana Wachowski")
    2 rows
    (kept as r1)
    "#);
    assert!(said(4).starts_with("- wdt:P57 \"director\" -> wikibase-item"), "{}", said(4));
    assert_eq!(talk.rows().len(), 2);
}

#[tokio::test]
async fn what_was_looked_up_is_not_asked_again_and_names_are_fetched_together() {
    let wiki = Wiki::start().await;
    let setup = wiki.setup();
    let query = "SELECT DISTINCT ?who ?film WHERE { ?film wdt:P57 ?who }";
    let turns = || {
        [
            ScriptedTurn::call("search_entity", value!({"query": "Pulp Fiction"})),
            ScriptedTurn::call("execute_sparql", value!({"query": query})),
            ScriptedTurn::call("answer", value!({"query": query})),
        ]
    };
    let model = Arc::new(ScriptedModel::new(turns().into_iter().chain(turns())));
    let service = setup.open(model).await;
    let ask = async |text: &str| {
        let question = Question { dataset: "wikidata".to_owned(), text: text.to_owned() };
        service.answer(&question, &Silent).await.unwrap()
    };
    ask("who made films?").await;
    let first = wiki.api.asked();
    assert_eq!(first.iter().filter(|asked| asked.starts_with("wbgetentities")).count(), 2, "{first:?}");
    ask("who made films, again?").await;
    let second = wiki.api.asked();
    assert!(!second.iter().any(|asked| asked.contains("Pulp") || asked.starts_with("wbget")), "{second:?}");
}

#[tokio::test]
async fn a_search_that_fails_costs_the_look_up_and_not_the_question() {
    let wiki = Wiki::start().await;
    let query = "SELECT DISTINCT ?film WHERE { ?film wdt:P57 wd:Q3772 }";
    for (instead, words) in [
        (ResponseTemplate::new(429).insert_header("retry-after", "90"), "asks to wait 90 s"),
        (
            ResponseTemplate::new(200).set_body_json(
                value!({"error": {"code": "maxlag", "info": "Waiting for 10.0.0.1: 9 seconds lagged"}}),
            ),
            "seconds lagged",
        ),
        (
            ResponseTemplate::new(200)
                .set_body_json(value!({"error": {"code": "internal_api_error", "info": "Caught exception"}})),
            "internal_api_error",
        ),
        (ResponseTemplate::new(200).set_body_raw("<html>proxy</html>", "text/html"), "a web page"),
        (
            ResponseTemplate::new(403).set_body_string("Please respect our robot policy"),
            "set contact under [outgoing]",
        ),
        (ResponseTemplate::new(500), "HTTP status 500"),
    ] {
        wiki.api.says(Some(instead));
        let turns = [
            ScriptedTurn::call("search_entity", value!({"query": "Tarantino"})),
            ScriptedTurn::call("search_property", value!({"query": "director"})),
            ScriptedTurn::call("search_class", value!({"query": "film"})),
            ScriptedTurn::call("execute_sparql", value!({"query": query})),
            ScriptedTurn::call("answer", value!({"query": query})),
        ];
        let talk = wiki.setup().ask("Which films did Quentin Tarantino direct?", turns).await;
        assert_eq!(talk.outcomes(), ["failed", "failed", "failed", "ok", "ok"], "{words}");
        for number in 0..3 {
            let said = talk.observation(number);
            assert!(said.contains(words) && said.contains("rdfs:label"), "{words}: {said}");
        }
        assert_eq!(talk.rows(), ["Q104123"]);
        let grounding = talk.answered.trace.steps.iter().find_map(|step| match &step.kind {
            StepKind::Grounding { observation } => Some(observation.clone()),
            _ => None,
        });
        let grounding = grounding.unwrap();
        assert!(
            grounding.contains("Could not be looked up: \"Quentin Tarantino\"") && grounding.contains(words),
            "{grounding}"
        );
    }
}

#[tokio::test]
async fn a_slow_search_does_not_hold_the_question_up() {
    let wiki = Wiki::start().await;
    wiki.api.says(Some(ResponseTemplate::new(200).set_delay(Duration::from_secs(600))));
    let query = "SELECT DISTINCT ?film WHERE { ?film wdt:P57 wd:Q3772 }";
    let turns = [ScriptedTurn::call("answer", value!({"query": query}))];
    let talk = wiki.setup().ask("Which films did Quentin Tarantino direct?", turns).await;
    assert_eq!(talk.rows().len(), 1);
    assert!(talk.answered.trace.elapsed < Duration::from_secs(60));
}

#[tokio::test]
async fn the_service_tells_where_names_come_from_and_builds_nothing() {
    let wiki = Wiki::start().await;
    let app = TestApp::with(&wiki.toml).await;
    let answer = json(app.ask("wikidata", "Who directed Pulp Fiction?").await).await;
    assert!(answer["query"].as_str().unwrap().contains("prop/direct/P57"), "{answer}");
    let datasets = json(app.datasets().await).await;
    let listed = datasets["datasets"].as_array().unwrap().iter().find(|dataset| dataset["id"] == "wikidata");
    assert_eq!(listed.unwrap()["schema_search"], "wikibase-api", "{datasets}");
    let part = async || {
        let ready = json(app.ready().await).await;
        let parts = ready["parts"].as_array().unwrap().clone();
        parts.into_iter().find(|part| part["part"] == "dataset wikidata: index").unwrap()
    };
    let state = part().await;
    assert!(state["state"] == "ok" && state["detail"].as_str().unwrap().contains("/w/api.php"), "{state}");
    assert!(!app.folder().join("index/wikidata").exists());
    assert!(wiki.endpoint.asked().iter().all(|query| !query.contains("COUNT(*)")), "nothing was downloaded");
}

#[tokio::test]
async fn with_both_the_index_comes_first_and_the_search_adds_what_it_lacks() {
    let (api, server) = Api::start().await;
    let endpoint = SparqlServer::start(&[data("films.ttl").into()], Manners::default()).await;
    let toml = format!(
        "[[datasets]]\nid = \"cities\"\nfiles = [{}]\nendpoint = \"{}\"\nsearch = \"both\"\nwikibase_api = \"{}/w/api.php\"\n\
         prefixes = {{ wd = \"http://www.wikidata.org/entity/\" }}\n[helps]\ndrafts = false\n",
        Value::from(data("cities.ttl")),
        endpoint.url(),
        server.uri(),
    );
    let query = "SELECT ?x WHERE { ?x ?p ?o } LIMIT 1";
    let turns = || {
        [
            ScriptedTurn::call("search_entity", value!({"query": "Paris"})),
            ScriptedTurn::call("search_entity", value!({"query": "Tom Tykwer"})),
            ScriptedTurn::call("search_property", value!({"query": "director"})),
            ScriptedTurn::call("answer", value!({"query": query})),
        ]
    };
    let talk = Setup::new(&toml).ask("who?", turns()).await;
    assert!(talk.observation(0).contains("Paris"), "{}", talk.observation(0));
    assert!(talk.observation(1).contains("Q55221"), "{}", talk.observation(1));
    assert!(talk.observation(2).contains("P57"), "{}", talk.observation(2));
    api.says(Some(ResponseTemplate::new(500)));
    let talk = Setup::new(&toml).ask("who?", turns()).await;
    assert_eq!(talk.outcomes()[0], "ok");
    let said = talk.observation(0);
    assert!(said.contains("Paris") && said.contains("HTTP status 500"), "{said}");
}

#[tokio::test]
async fn the_first_prompt_says_how_such_a_graph_is_asked() {
    let wiki = Wiki::start().await;
    let query = "SELECT DISTINCT ?who WHERE { wd:Q83495 wdt:P57 ?who }";
    let talk = wiki
        .setup()
        .ask("Who directed The Matrix?", [ScriptedTurn::call("answer", value!({"query": query}))])
        .await;
    let messages = &talk.model.requests()[0].messages;
    let [Message::System(_), Message::User(user), ..] = messages.as_slice() else { panic!("{messages:?}") };
    for words in [
        "there is no index of it",
        "PREFIX wdt: <http://www.wikidata.org/prop/direct/>",
        "wdt:P31/wdt:P279*",
        "pq:",
    ] {
        assert!(user.contains(words), "{words}: {user}");
    }
    assert!(!user.contains("triples)"), "{user}");
    for words in ["wd:Q83495 \"The Matrix\" a wd:Q11424 \"film\"", "wdt:P57 \"director\" -> wikibase-item"] {
        assert!(user.contains(words), "{words}: {user}");
    }
}

#[tokio::test]
async fn on_the_command_line_results_bear_names_and_there_is_nothing_to_index() {
    let wiki = Wiki::start().await;
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("eruca.toml"), &wiki.toml).unwrap();
    let run = async |arguments: &'static [&'static str]| {
        let path = folder.path().to_owned();
        let output = tokio::task::spawn_blocking(move || run(&path, arguments)).await.unwrap();
        assert!(output.status.success(), "{}", stderr(&output));
        stdout(&output)
    };
    let asked = run(&["ask", "--show-results", "Who directed Pulp Fiction?"]).await;
    assert!(asked.contains("http://www.wikidata.org/entity/Q3772 (Quentin Tarantino)"), "{asked}");
    let indexed = run(&["index"]).await;
    assert!(indexed.contains("wikidata") && indexed.contains("nothing is indexed"), "{indexed}");
    assert!(!folder.path().join("data").exists());
}

#[test]
fn the_preset_is_filled_and_overridden_and_mistakes_are_named() {
    let load = |toml: &str| {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("eruca.toml");
        std::fs::write(&file, toml).unwrap();
        Settings::load_from(Some(&file), folder.path(), &[]).map_err(|error| error.to_string())
    };
    let four_lines =
        "[[datasets]]\nid = \"wikidata\"\npreset = \"wikidata\"\n[outgoing]\ncontact = \"you@example.org\"\n";
    let settings = load(four_lines).unwrap();
    let dataset = &settings.datasets[0];
    assert_eq!((dataset.name.as_str(), dataset.languages.as_slice()), ("Wikidata", &["en".to_owned()][..]));
    let endpoint = dataset.source.endpoint().unwrap();
    assert_eq!(endpoint.url, "https://query.wikidata.org/sparql");
    assert_eq!(endpoint.dialect.map(eruca_sparql::Dialect::name), Some("wdqs"));
    let SearchSettings::Wikibase(search) = &dataset.search else { panic!("{:?}", dataset.search) };
    assert_eq!(search.api, "https://www.wikidata.org/w/api.php");
    assert_eq!((search.base.as_str(), search.vectors.as_deref()), ("http://www.wikidata.org/", None));

    let of = |lines: &str| load(&format!("[[datasets]]\nid = \"w\"\n{lines}\n"));
    let own =
        of("preset = \"wikidata\"\nlanguages = [\"de\"]\nvector_search = \"https://v.example/\"").unwrap();
    assert_eq!(own.datasets[0].languages, ["de"]);
    let other = of("preset = \"wikidata\"\nendpoint = \"https://qlever.example/api\"").unwrap();
    assert!(other.datasets[0].source.endpoint().unwrap().dialect.is_none());
    assert_eq!(own.datasets[0].search.wikibase().unwrap().vectors.as_deref(), Some("https://v.example"));
    let indexed = of("preset = \"wikidata\"\nfiles = [\"dump.nt.gz\"]").unwrap();
    assert_eq!(indexed.datasets[0].search, SearchSettings::Index);

    let endpoint = "endpoint = \"https://e.x/sparql\"\n";
    let api = "wikibase_api = \"https://e.x/w/api.php\"\n";
    for (lines, words) in [
        ("preset = \"wikidta\"".to_owned(), "must be one of: wikidata"),
        (format!("{endpoint}search = \"wikibase\""), "must be \"index\", \"wikibase-api\" or \"both\""),
        (format!("{endpoint}search = \"wikibase-api\""), "name the address of api.php"),
        (format!("{endpoint}search = \"wikibase-api\"\n{api}"), "must hold 'wd'"),
        (
            format!("{endpoint}search = \"wikibase-api\"\n{api}prefixes = {{ wd = \"https://e.x/\" }}"),
            "must hold 'wd'",
        ),
        (format!("search = \"wikibase-api\"\n{api}"), "no 'endpoint'"),
        (format!("{endpoint}files = [\"a.nt\"]\nsearch = \"wikibase-api\"\n{api}"), "which uses no index"),
        (format!("{endpoint}{api}"), "names are looked up in the index alone"),
        (
            format!("{endpoint}search = \"both\"\nwikibase_api = \"ftp://e.x\""),
            "must be a URL that starts with",
        ),
    ] {
        let said = of(&lines).unwrap_err();
        assert!(said.contains(words) && said.contains("line"), "{words}: {said}");
    }
}
