//! Looking around in a graph: card, names while they are typed, entries, places.

use eruca_testing::helpers::{CITIES, CITIES_ALIAS, DOWN, TestApp, data, json};
use reqwest::{Method, StatusCode};
use serde_json::{Value, json as made};
use std::time::{Duration, Instant};

const SIGHTS: &str = "https://example.org/sights/";

async fn app() -> TestApp {
    let file = Value::from(data("sights.ttl"));
    TestApp::with(&format!("[[datasets]]\nid = \"sights\"\nfiles = [{file}]")).await
}

async fn get(app: &TestApp, path: &str, params: &[(&str, &str)]) -> Value {
    let response = app.question(path, params).send().await.unwrap();
    assert_eq!(response.status(), 200, "{path} {params:?}");
    json(response).await
}

async fn labels(app: &TestApp, params: &[(&str, &str)]) -> Vec<String> {
    let found = get(app, "/datasets/sights/search", params).await;
    let hits = found["hits"].as_array().unwrap().iter();
    hits.map(|hit| format!("{} {}", hit["kind"].as_str().unwrap(), hit["label"].as_str().unwrap())).collect()
}

#[tokio::test]
async fn the_card_tells_what_the_graph_is_made_of_in_the_readers_language() {
    let app = app().await;
    let card = get(&app, "/datasets/sights/card", &[("lang", "de")]).await;
    assert_eq!(card["id"], "sights");
    assert!(card["triples"].as_u64().unwrap() > 20 && card["built_at"].as_str().unwrap().ends_with('Z'));
    let classes = card["classes"].as_array().unwrap();
    let sight = classes.iter().find(|class| class["iri"] == format!("{SIGHTS}Sight")).unwrap();
    assert_eq!((sight["label"].as_str(), sight["count"].as_u64()), (Some("Sehenswürdigkeit"), Some(4)));
    assert!(sight["examples"].as_array().unwrap().iter().any(|example| example["label"] == "Schiefer Turm"));
    let kinds: Vec<(&str, &str)> = sight["properties"]
        .as_array()
        .unwrap()
        .iter()
        .map(|property| (property["label"].as_str().unwrap(), property["kind"].as_str().unwrap()))
        .collect();
    assert!(kinds.contains(&("Besucherzahl", "number")) && kinds.contains(&("Stadt", "thing")), "{kinds:?}");
    let kind = |iri: &str| {
        let properties = card["properties"].as_array().unwrap();
        properties.iter().find(|property| property["iri"] == iri).unwrap()["kind"].clone()
    };
    assert_eq!(kind("http://xmlns.com/foaf/0.1/depiction"), "picture");
    assert_eq!(kind("http://www.w3.org/2003/01/geo/wgs84_pos#lat"), "coordinates");
    let edge = &card["schema"]["edges"][0];
    assert_eq!(
        (&edge["from"], &edge["to"], &edge["label"]),
        (&made!(format!("{SIGHTS}Sight")), &made!(format!("{SIGHTS}Town")), &made!("Stadt"))
    );
    let english = get(&app, "/datasets/sights/card", &[("lang", "en")]).await;
    assert_eq!(english["schema"]["edges"][0]["label"], "town");
}

#[tokio::test]
async fn an_id_that_is_an_iri_or_an_alias_is_found_by_its_path() {
    let app = TestApp::start().await;
    let id: String = url::form_urlencoded::byte_serialize(CITIES.as_bytes()).collect();
    for id in [id.as_str(), CITIES_ALIAS] {
        let card = get(&app, &format!("/datasets/{id}/card"), &[]).await;
        assert_eq!(card["id"], CITIES);
    }
}

#[tokio::test]
async fn names_go_on_as_they_are_typed_and_misspelt_ones_are_found_too() {
    let app = app().await;
    assert_eq!(labels(&app, &[("q", "lea")]).await, ["entity Leaning Tower"]);
    assert_eq!(labels(&app, &[("q", "old br")]).await, ["entity Old Bridge"]);
    assert_eq!(
        labels(&app, &[("q", "leening towr"), ("kind", "entity"), ("limit", "1")]).await,
        ["entity Leaning Tower"]
    );
    assert_eq!(labels(&app, &[("q", "sig"), ("kind", "class")]).await, ["class sight"]);
    assert_eq!(
        labels(&app, &[("q", "number of v"), ("kind", "property")]).await,
        ["property number of visitors"]
    );
    let any = labels(&app, &[("q", "town"), ("lang", "en")]).await;
    assert!(any.contains(&"class town".to_owned()) && any.contains(&"property town".to_owned()), "{any:?}");
    assert_eq!(labels(&app, &[("q", "?!")]).await, Vec::<String>::new());
    let german = get(&app, "/datasets/sights/search", &[("q", "schief"), ("lang", "en")]).await;
    let hit = &german["hits"][0];
    assert_eq!(
        (&hit["label"], &hit["matched"], &hit["classes"]),
        (&made!("Leaning Tower"), &made!("Schiefer Turm"), &made!(["sight"]))
    );
}

#[tokio::test]
async fn an_entry_has_name_picture_place_facts_and_what_leads_to_it() {
    let app = app().await;
    let tower =
        get(&app, "/datasets/sights/entry", &[("iri", &format!("{SIGHTS}Tower")), ("lang", "de")]).await;
    assert_eq!(tower["label"], "Schiefer Turm");
    assert_eq!(tower["description"], "Ein Turm, der schief steht.");
    assert_eq!(tower["picture"], "https://example.org/tower.jpg");
    assert_eq!(tower["coordinates"], made!([43.72, 10.39]));
    assert_eq!(tower["href"], format!("{SIGHTS}Tower"));
    assert_eq!(tower["classes"][0]["label"], "Sehenswürdigkeit");
    let visitors = tower["facts"]
        .as_array()
        .unwrap()
        .iter()
        .find(|fact| fact["property"]["label"] == "Besucherzahl")
        .unwrap();
    assert_eq!((&visitors["values"][0]["value"], &visitors["more"]), (&made!("5000"), &made!(0)));
    let town = get(&app, "/datasets/sights/entry", &[("iri", &format!("{SIGHTS}Springfield"))]).await;
    let incoming = &town["incoming"][0];
    assert_eq!(incoming["property"]["value"], format!("{SIGHTS}town"));
    assert_eq!(incoming["values"].as_array().unwrap().len(), 3);
    let bridge = get(&app, "/datasets/sights/entry", &[("iri", &format!("{SIGHTS}Bridge"))]).await;
    assert_eq!(
        (&bridge["coordinates"], &bridge["picture"]),
        (&made!([43.77, 11.25]), &made!("https://example.org/images/7"))
    );
    let unknown = get(&app, "/datasets/sights/entry", &[("iri", "https://example.org/nothing")]).await;
    assert_eq!((&unknown["facts"], &unknown["label"]), (&made!([]), &made!("nothing")));
}

#[tokio::test]
async fn what_means_harm_is_cleaned_cut_and_never_a_link() {
    let app = app().await;
    let trap = get(&app, "/datasets/sights/entry", &[("iri", &format!("{SIGHTS}Trap"))]).await;
    let text = trap.to_string();
    assert!(!text.contains(['\u{202e}', '\u{7}']) && !text.contains("\\u0007"), "{text}");
    assert!(trap.get("picture").is_none(), "{text}");
    assert!(trap["description"].as_str().unwrap().chars().count() <= 601);
    let page =
        trap["facts"].as_array().unwrap().iter().find(|fact| fact["property"]["label"] == "page").unwrap();
    assert_eq!(page["values"][0]["value"], "javascript:alert(1)");
    assert!(page["values"][0].get("href").is_none());
    let found = get(&app, "/datasets/sights/search", &[("q", "trap")]).await;
    assert!(!found.to_string().contains('\u{202e}'), "{found}");
    let card = get(&app, "/datasets/sights/card", &[]).await.to_string();
    assert!(!card.contains('\u{202e}'), "{card}");
}

#[tokio::test]
async fn places_come_for_all_things_at_once() {
    let app = app().await;
    let things = ["Tower", "Bridge", "Crater", "Trap", "Nowhere"].map(|name| format!("{SIGHTS}{name}"));
    let params: Vec<(&str, &str)> = things.iter().map(|iri| ("iri", iri.as_str())).collect();
    let found = get(&app, "/datasets/sights/places", &params).await;
    let expected = made!({
        format!("{SIGHTS}Bridge"): [43.77, 11.25],
        format!("{SIGHTS}Tower"): [43.72, 10.39],
    });
    assert_eq!(found["places"], expected, "one is on the moon");
    assert_eq!(get(&app, "/datasets/sights/places", &[]).await["places"], made!({}));
    let many = vec![("iri", "https://example.org/a"); 101];
    assert_eq!(app.question("/datasets/sights/places", &many).send().await.unwrap().status(), 422);
}

#[tokio::test]
async fn what_is_wrong_with_a_request_is_told() {
    let app = TestApp::with_endpoint_down().await;
    type Case = (&'static str, &'static [(&'static str, &'static str)], u16);
    let cases: [Case; 8] = [
        ("/datasets/nowhere/card", &[], 404),
        ("/datasets/nowhere/search", &[("q", "x")], 404),
        ("/datasets/cities/search", &[], 422),
        ("/datasets/cities/search", &[("q", "x"), ("kind", "thing")], 422),
        ("/datasets/cities/search", &[("q", "x"), ("limit", "many")], 422),
        ("/datasets/cities/entry", &[("iri", "https://e.x/> ?p ?o } #")], 422),
        ("/datasets/cities/places", &[("iri", "a b")], 422),
        ("/datasets/down/entry", &[("iri", "https://example.org/cities/Paris")], 502),
    ];
    for (path, params, status) in cases {
        let response = app.question(path, params).send().await.unwrap();
        assert_eq!(response.status().as_u16(), status, "{path} {params:?}");
        assert!(json(response).await["detail"] != Value::Null);
    }
    assert_eq!(
        app.request(Method::POST, "/datasets/cities/card").send().await.unwrap().status(),
        StatusCode::METHOD_NOT_ALLOWED
    );
    // The index knows names also while the endpoint is down.
    let found = get(&app, &format!("/datasets/{DOWN}/search"), &[("q", "par")]).await;
    assert_eq!(found["hits"][0]["label"], "Paris");
}

#[tokio::test]
async fn example_questions_are_made_of_the_graph_and_answered_by_it() {
    let app = TestApp::with(
        "[[datasets]]\nid = \"world\"\nfiles = [\"WORLD\"]"
            .replace(
                "WORLD",
                eruca_testing::helpers::repository().join("examples/world.ttl").to_str().unwrap(),
            )
            .as_str(),
    )
    .await;
    for lang in ["en", "de", "es"] {
        let examples = examples(&app, lang).await;
        assert!((3..=6).contains(&examples.len()), "{lang}: {examples:?}");
        for question in &examples {
            let response = app.ask("world", question).await;
            let confidence = response.headers()["eruca-confidence"].to_str().unwrap().to_owned();
            assert!(!confidence.starts_with("guess"), "{question}: {confidence}");
        }
        println!("{lang}: {examples:#?}");
    }
}

/// The example questions, once they are all made.
async fn examples(app: &TestApp, lang: &str) -> Vec<String> {
    let until = Instant::now() + Duration::from_secs(120);
    loop {
        let card = get(app, "/datasets/world/card", &[("lang", lang)]).await;
        if card["examples_pending"] == false {
            let examples = card["examples"].as_array().unwrap().iter();
            return examples.map(|text| text.as_str().unwrap().to_owned()).collect();
        }
        assert!(Instant::now() < until, "they are never ready");
    }
}
