//! Answers as articles: sections about the things of an answer, each line with its sources, made of the graph and of texts
//! beside it.

use crate::cli::run;
use eruca::llm::{ScriptedModel, ScriptedTurn};
use eruca_api::{Article, ArticleLine, ArticleSource, SectionKind};
use eruca_testing::helpers::{CITIES, QUESTION, TestApp, data, folder, json};
use eruca_testing::programs::{stderr, stdout};
use eruca_testing::scripted::{Setup, answers, served, served_by};
use eruca_testing::sparql_server::{Manners, SparqlServer};
use eruca_verbalize::markdown;
use reqwest::{Client, Method};
use serde_json::{Value, json};
use std::path::PathBuf;
use std::sync::Arc;

/// The run of a question about a dataset with this file.
async fn run_of(file: &str, question: &str) -> Value {
    run_with(&format!("files = [{:?}]", data(file)), question).await
}

async fn run_with(settings: &str, question: &str) -> Value {
    let app = TestApp::with(&format!("[[datasets]]\nid = \"graph\"\n{settings}\n")).await;
    let body = json!({"dataset": "graph", "question": question, "style": "article"});
    json(app.request(Method::POST, "/ask").json(&body).send().await.unwrap()).await
}

fn article(run: &Value) -> Article {
    let article =
        serde_json::from_value(run["article"].clone()).unwrap_or_else(|error| panic!("{error}: {run:#}"));
    assert_sound(&article);
    article
}

/// Every line refers to sources that are there, nothing is unbounded, and what is told of a thing is told of it.
fn assert_sound(article: &Article) {
    let Article { lead, things, sections, sources, .. } = article;
    let of_things = things.iter().flat_map(|thing| &thing.sections);
    let lines: Vec<&ArticleLine> =
        of_things.clone().chain(sections).flat_map(|section| &section.lines).collect();
    for line in &lines {
        assert!(!line.sources.is_empty() && !line.text().trim().is_empty(), "{line:#?}");
        assert!(line.sources.len() <= 5, "{line:#?}");
    }
    let numbers = lines.into_iter().chain(lead).flat_map(|line| &line.sources);
    assert!(numbers.clone().all(|number| (1..=sources.len()).contains(number)), "{article:#?}");
    for (at, source) in sources.iter().enumerate() {
        assert!(!sources[..at].contains(source), "a source is listed once: {source:#?}");
        let used = |line: &ArticleLine| line.sources.contains(&(at + 1));
        let pictured =
            things.iter().flat_map(|thing| &thing.pictures).any(|picture| picture.source == at + 1);
        let all = of_things.clone().chain(sections).flat_map(|section| &section.lines).chain(lead);
        assert!(pictured || all.clone().any(used), "every source is used: {source:#?}");
    }
    assert!(things.len() <= 3 && sources.len() <= 60);
    assert!(things.iter().all(|thing| thing.sections.len() <= 7));
    assert!(of_things.chain(sections).all(|section| section.lines.len() <= 8));
}

/// Headings with their lines.
fn told(article: &Article) -> Vec<(String, Vec<String>)> {
    let sections = article.things.iter().flat_map(|thing| &thing.sections).chain(&article.sections);
    let lines = |lines: &[ArticleLine]| lines.iter().map(ArticleLine::text).collect();
    sections.map(|section| (section.heading.clone(), lines(&section.lines))).collect()
}

fn section(heading: &str, lines: &[&str]) -> (String, Vec<String>) {
    (heading.to_owned(), lines.iter().map(ToString::to_string).collect())
}

/// What a line rests on: the names or values of its statements.
fn grounds(article: &Article, line: &ArticleLine) -> Vec<String> {
    let of = |number: &usize| match &article.sources[number - 1] {
        ArticleSource::Triple { subject, property, value } => {
            let name = |term: &eruca_api::ShownTerm| term.label.clone().unwrap_or(term.value.clone());
            format!("{}|{}|{}", name(subject), name(property), name(value))
        }
        ArticleSource::Passage { passage } => passage.quote.clone(),
        ArticleSource::Query { .. } => "query".to_owned(),
    };
    line.sources.iter().map(of).collect()
}

#[tokio::test]
async fn a_thing_alone_is_told_in_sections() {
    let article = article(&run_of("peaks.ttl", "Tell me about K2").await);
    assert_eq!((article.title.as_str(), article.lang.as_str()), ("K2", "en"));
    assert_eq!(
        told(&article),
        [
            section("What it is", &["K2 – mountain.", "The second highest mountain."]),
            section("Places", &["Lies in: Pakistan and China"]),
            section("Times", &["First ascent: 31 July 1954"]),
            section("Numbers", &["Height: 8,611\u{a0}m"]),
        ]
    );
    let height = &article.things[0].sections[3].lines[0];
    assert_eq!(grounds(&article, height), ["K2|height (m)|8611"]);
    assert!(article.lead.iter().all(|line| !line.sources.is_empty()), "{:#?}", article.lead);
}

#[tokio::test]
async fn it_is_told_in_the_language_of_the_question() {
    let article = article(&run_of("peaks.ttl", "Erzähl mir etwas über K2.").await);
    assert_eq!((article.title.as_str(), article.lang.as_str()), ("K2", "de"));
    assert_eq!(
        told(&article),
        [
            section("Was es ist", &["K2 – Berg.", "Der zweithöchste Berg."]),
            section("Orte", &["Liegt in: Pakistan und China"]),
            section("Zeiten", &["Erstbesteigung: 31. Juli 1954"]),
            section("Zahlen", &["Höhe: 8.611\u{a0}m"]),
        ]
    );
}

#[tokio::test]
async fn properties_stand_by_what_their_values_are() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("graph.ttl");
    let graph = r#"@prefix : <http://e.x/> . @prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
        @prefix geo: <http://www.opengis.net/ont/geosparql#> . @prefix xsd: <http://www.w3.org/2001/XMLSchema#> .
        :Mill rdfs:label "mill"@en . :Miller rdfs:label "miller"@en . :Person rdfs:label "person"@en . :Town rdfs:label "town"@en .
        :old a :Mill ; rdfs:label "Old Mill"@en ; :owner :ada , :ben ; :lies :wick ; :built "1720-05-02"^^xsd:date ; :wheels 3 ;
            :like :new ; :at "POINT(8.5 47.25)"^^geo:wktLiteral ; :sound <http://e.x/wheel.ogg> ; :motto "Grind"@en , "Mahle"@de .
        :new a :Mill ; rdfs:label "New Mill"@en . :wick a :Town ; rdfs:label "Wick"@en .
        :ada a :Person ; rdfs:label "Ada Finch"@en . :ben a :Person ; rdfs:label "Ben Rowan"@en ."#;
    std::fs::write(&file, graph).unwrap();
    let files = format!("files = [{:?}]", file.to_str().unwrap());
    let article = article(&run_with(&files, "Tell me about Old Mill").await);
    assert_eq!(
        told(&article),
        [
            section("What it is", &["Old Mill – mill.", "Motto: Grind"]),
            section("People", &["Owner: Ada Finch and Ben Rowan"]),
            section("Places", &["At: 47.25, 8.5", "Lies: Wick"]),
            section("Times", &["Built: 2 May 1720"]),
            section("Numbers", &["Wheels: 3"]),
            section("Related things", &["Like: New Mill"]),
            section("Media", &["Sound: wheel ogg"]),
        ]
    );
}

#[tokio::test]
async fn the_first_three_things_have_their_sections_and_others_are_counted() {
    let article = article(&run_of("cities.ttl", "Which cities are there?").await);
    let names: Vec<&str> = article.things.iter().map(|thing| thing.name.as_str()).collect();
    assert_eq!((names.len(), article.more_things), (3, 1), "{names:?}");
    assert_ne!(article.title, names[0]);
    for thing in &article.things {
        let kinds: Vec<SectionKind> = thing.sections.iter().map(|section| section.kind).collect();
        assert_eq!(kinds, [SectionKind::Identity, SectionKind::Places, SectionKind::Measures], "{thing:#?}");
        let line = &thing.sections[1].lines[0];
        let of_it = format!("{}|located in|", thing.name);
        assert!(grounds(&article, line).iter().all(|ground| ground.starts_with(&of_it)), "{line:#?}");
    }
}

#[tokio::test]
async fn a_thing_that_is_the_answer_is_told_of() {
    for (question, title, place) in [
        (QUESTION, "Paris", section("Places", &["Located in: France"])),
        ("Was ist die Hauptstadt von Frankreich?", "Paris", section("Orte", &["Located in: Frankreich"])),
    ] {
        let article = article(&run_of("cities.ttl", question).await);
        assert_eq!(article.title, title);
        assert!(told(&article).contains(&place), "{:#?}", told(&article));
        let lead = grounds(&article, &article.lead[0]);
        assert!(lead.iter().any(|ground| ground.ends_with("|Paris")), "{lead:?}");
    }
}

#[tokio::test]
async fn a_number_has_the_statements_that_it_was_counted_over() {
    let article = article(&run_of("cities.ttl", "How many cities are located in Germany?").await);
    assert!(article.things.is_empty());
    assert!(article.lead[0].text().contains('2') && !article.lead[0].sources.is_empty(), "{article:#?}");
    let [statements] = article.sections.as_slice() else { panic!("{article:#?}") };
    assert_eq!(statements.kind, SectionKind::Statements);
    let lines: Vec<String> = statements.lines.iter().map(ArticleLine::text).collect();
    assert!(lines.contains(&"Berlin – located in: Germany".to_owned()), "{lines:#?}");
}

#[tokio::test]
async fn yes_and_no_rest_on_statements_or_on_the_query() {
    let yes = article(&run_of("cities.ttl", "Is Berlin located in Germany?").await);
    assert_eq!(yes.lead[0].text(), "Yes.");
    assert_eq!(grounds(&yes, &yes.lead[0]), ["Berlin|located in|Germany"]);
    assert_eq!(told(&yes), [section("What the answer rests on", &["Berlin – located in: Germany"])]);
    let no = article(&run_of("cities.ttl", "Is Berlin located in France?").await);
    assert_eq!(grounds(&no, &no.lead[0]), ["query"]);
    assert!(no.sections.is_empty(), "{no:#?}");
}

#[tokio::test]
async fn an_empty_answer_says_so_and_no_more() {
    let run = run_of("cities.ttl", "Which cities have a population over 90000000?").await;
    assert_eq!(run["answer"]["kind"], "empty", "{run:#}");
    let article = article(&run);
    assert!(article.things.is_empty() && article.sections.is_empty(), "{article:#?}");
    let lead: Vec<String> = article.lead.iter().map(ArticleLine::text).collect();
    assert_eq!(lead.join(" "), run["answer"]["text"].as_str().unwrap());
}

#[tokio::test]
async fn nobody_gets_an_article_who_did_not_ask_for_one() {
    let app = TestApp::start().await;
    for more in [json!({}), json!({"style": "short"}), json!({"style": "article", "answer": false})] {
        let mut body = json!({"dataset": CITIES, "question": QUESTION});
        body.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        let run = json(app.request(Method::POST, "/ask").json(&body).send().await.unwrap()).await;
        assert!(run["state"] == "done" && run.get("article").is_none(), "{run:#}");
    }
    let body = json!({"dataset": CITIES, "question": QUESTION, "style": "long"});
    let refused = app.request(Method::POST, "/ask").json(&body).send().await.unwrap();
    assert_eq!(refused.status(), 422);
}

/// A graph in which a name, a property and a value want to be markup, and a thing has more than an article tells.
const HOSTILE: &str = r#"@prefix : <http://e.x/> . @prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
:Mill a rdfs:Class ; rdfs:label "mill"@en .
:old a :Mill ; rdfs:label "Old Mill"@en ; :note "line\n\n# Heading\n[x](javascript:alert(1)) ![y](http://evil.example/z.png) <b>\u202E" ;
    :odd <javascript:alert(2)> ; :photo <http://e.x/mill.jpg> , <http://e.x/back.png> , <http://e.x/side.png> ; :sound <http://e.x/wheel.ogg> .
:odd rdfs:label "[p](javascript:alert(3))\n- q"@en .
"#;

async fn hostile(more: &str) -> Value {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("graph.ttl");
    let many = |number: usize| {
        let values: Vec<String> = (0..30).map(|value| format!("{}", number * 100 + value)).collect();
        format!(
            ":old :size{number} {} .\n:size{number} rdfs:label \"{} {number}\"@en .\n",
            values.join(" , "),
            "size".repeat(900)
        )
    };
    let sizes: String = (0..20).map(many).collect();
    std::fs::write(&file, format!("{HOSTILE}{sizes}")).unwrap();
    run_with(&format!("files = [{:?}]\n{more}", file.to_str().unwrap()), "Tell me about Old Mill").await
}

#[tokio::test]
async fn names_that_want_to_be_markup_are_text_and_what_is_left_out_is_counted() {
    let run = hostile("improve = \"https://wiki.example/{name}\"").await;
    let article = article(&run);
    let thing = &article.things[0];
    assert_eq!(thing.improve.as_deref(), Some("https://wiki.example/old"));
    let pictures: Vec<&str> = thing.pictures.iter().map(|picture| picture.title.as_str()).collect();
    assert_eq!((pictures.as_slice(), thing.more_pictures), (["Old Mill (photo)"; 2].as_slice(), 1));
    let measures = thing.sections.iter().find(|section| section.kind == SectionKind::Measures).unwrap();
    assert_eq!(measures.lines.len() + measures.more, 20, "{measures:#?}");
    assert!(measures.lines[0].text().ends_with("and 26 others"), "{}", measures.lines[0].text());
    assert_eq!((measures.lines[0].sources.len(), measures.lines[0].more_sources), (4, 26));
    let text = markdown::article(&article);
    for line in text.lines() {
        assert!(line.chars().count() < 3_000, "{line}");
        assert!(!line.starts_with("# Heading") && !line.starts_with("- q"), "{text}");
    }
    // An escaped bracket closes nothing.
    let marks = text.replace("\\]", "");
    assert!(!marks.contains("](javascript") && !marks.contains("![y]"), "{text}");
    assert!(!text.contains('\u{202e}'), "{text}");
    assert!(text.contains("[Improve this](https://wiki.example/old)"), "{text}");
    assert!(text.contains("12 more"), "{text}");
}

/// A service whose endpoint refuses queries with these words, and otherwise answers.
async fn served_remotely(
    refused: Option<(&'static str, &'static str)>,
    turns: Vec<ScriptedTurn>,
) -> (SparqlServer, Value) {
    let file = data("cities.ttl");
    let manners = Manners { refused, ..Manners::default() };
    let endpoint = SparqlServer::start(&[PathBuf::from(&file)], manners).await;
    let toml = format!("[[datasets]]\nid = \"graph\"\nfiles = [{file:?}]\nendpoint = {:?}\n", endpoint.url());
    let (_setup, url, handle) = served_by(Setup::new(&toml), Arc::new(ScriptedModel::new(turns))).await;
    let body = json!({"question": QUESTION, "style": "article"});
    let run =
        Client::new().post(format!("{url}/ask")).json(&body).send().await.unwrap().json().await.unwrap();
    handle.stop(false).await;
    (endpoint, run)
}

#[tokio::test]
async fn where_the_endpoint_fails_for_the_second_round_the_answer_stays_short() {
    let query =
        "SELECT ?c WHERE { <https://example.org/cities/France> <https://example.org/cities/capital> ?c }";
    let turns = || vec![answers(query), ScriptedTurn::text("It is Paris.")];
    let (_endpoint, whole) = served_remotely(None, turns()).await;
    assert_eq!(article(&whole).title, "Paris");
    let (endpoint, run) = served_remotely(Some(("?property ?value", "the server is tired")), turns()).await;
    assert!(endpoint.asked().iter().any(|query| query.contains("?property ?value")), "it was asked");
    assert_eq!((&run["state"], &run["answer"]["text"]), (&json!("done"), &json!("It is Paris.")), "{run:#}");
    assert!(run.get("article").is_none() && run.get("error").is_none(), "{run:#}");
}

#[tokio::test]
async fn what_a_model_made_up_is_not_in_the_lead() {
    let words = "Tokyo is the capital of Japan. It was founded by Ieyasu Tokugawa in 1603.";
    let turns = [answers("SELECT ?c WHERE { demo:Japan geo:capital ?c }"), ScriptedTurn::text(words)];
    let (_setup, url, _server) = served(Arc::new(ScriptedModel::new(turns))).await;
    let body = json!({"question": "What is the capital of Japan?", "style": "article"});
    let run: Value =
        Client::new().post(format!("{url}/ask")).json(&body).send().await.unwrap().json().await.unwrap();
    assert_eq!(run["answer"]["text"], words);
    let article = article(&run);
    let lead: Vec<String> = article.lead.iter().map(ArticleLine::text).collect();
    assert!(lead.join(" ").contains("Tokyo") && !lead.join(" ").contains("1603"), "{lead:?}");
}

#[tokio::test]
async fn what_texts_say_stands_apart_with_its_place() {
    let folder = tempfile::tempdir().unwrap();
    let (graph, note) = (folder.path().join("graph.ttl"), folder.path().join("Fire.txt"));
    std::fs::write(&graph, HOSTILE).unwrap();
    std::fs::write(&note, "The Old Mill burned down in 1840 because of lightning.").unwrap();
    let settings = format!("files = [{:?}]\ntexts = [{:?}]", graph.to_str().unwrap(), note.to_str().unwrap());
    let article = article(&run_with(&settings, "Tell me about Old Mill").await);
    let texts = article.sections.last().unwrap();
    assert_eq!((texts.kind, texts.heading.as_str()), (SectionKind::Texts, "From texts, not from the graph"));
    let line = &texts.lines[0];
    assert_eq!(line.text(), "“The Old Mill burned down in 1840 because of lightning.” (Fire)");
    assert_eq!(grounds(&article, line), ["The Old Mill burned down in 1840 because of lightning."]);
    assert!(!article.things[0].sections.iter().any(|section| section.kind == SectionKind::Texts));
}

#[tokio::test]
async fn chat_clients_get_it_as_markdown_in_the_place_of_the_sentence() {
    let app = TestApp::start().await;
    let ask = async |stream: bool| {
        let messages = json!([{"role": "user", "content": QUESTION}]);
        let body = json!({"model": CITIES, "messages": messages, "style": "article", "stream": stream});
        app.request(Method::POST, "/v1/chat/completions")
            .json(&body)
            .send()
            .await
            .unwrap()
            .text()
            .await
            .unwrap()
    };
    let whole: Value = serde_json::from_str(&ask(false).await).unwrap();
    let content = whole["choices"][0]["message"]["content"].as_str().unwrap();
    assert!(content.starts_with("## Paris\n\n") && content.contains("### Sources\n\n1. ["), "{content}");
    assert!(content.contains("```sparql"), "{content}");
    let streamed = ask(true).await;
    let pieces = streamed.lines().filter_map(|line| line.strip_prefix("data: {"));
    let pieces = pieces.map(|piece| serde_json::from_str::<Value>(&format!("{{{piece}")).unwrap());
    let said = |piece: Value| piece["choices"][0]["delta"]["content"].as_str().map(str::to_owned);
    let said: String = pieces.filter_map(said).collect();
    let without_page = |text: &str| text.rsplit_once("\n\n[").unwrap().0.to_owned();
    assert_eq!(without_page(&said), without_page(content));
}

#[tokio::test]
async fn mcp_clients_get_it_as_structure_and_as_text() {
    let app = TestApp::start().await;
    let call = async |style: &str| {
        let arguments = json!({"question": QUESTION, "dataset": CITIES, "style": style});
        let params = json!({"name": "text2sparql", "arguments": arguments});
        let body = json!({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params});
        let request = app.request(Method::POST, "/mcp").json(&body);
        let request = request.header("accept", "application/json, text/event-stream");
        json(request.header("mcp-protocol-version", "2025-06-18").send().await.unwrap()).await["result"]
            .clone()
    };
    let told = call("article").await;
    assert_eq!(told["structuredContent"]["article"]["title"], "Paris", "{told:#}");
    assert!(told["content"][0]["text"].as_str().unwrap().contains("### Sources"), "{told:#}");
    assert!(call("short").await["structuredContent"].get("article").is_none());
    assert_eq!(call("long").await["isError"], true);
}

#[test]
fn the_command_line_prints_it_for_one_question() {
    let folder = folder();
    let told = run(folder.path(), &["ask", "--style", "article", QUESTION]);
    let text = stdout(&told);
    assert!(
        text.starts_with("## Paris\n\n") && text.contains("### Sources\n\n1. ["),
        "{text}{}",
        stderr(&told)
    );
    let short = stdout(&run(folder.path(), &["ask", "--answer", QUESTION]));
    assert!(short.contains("Paris") && !short.contains("##"), "{short}");
    let object = stdout(&run(folder.path(), &["ask", "--json", "--style", "article", QUESTION]));
    let object: Value = serde_json::from_str(&object).unwrap();
    assert_eq!(object["article"]["title"], "Paris", "{object:#}");
    assert_eq!(run(folder.path(), &["ask", "--style", "long", QUESTION]).status.code(), Some(2));
    let many = run(folder.path(), &["ask", "--style", "article", "-"]);
    assert!(stderr(&many).contains("--style article is for one question"), "{}", stderr(&many));
}
