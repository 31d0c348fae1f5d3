//! What is hidden is not in the index of those from whom it is hidden: nothing that is counted, named or reached tells of it.

use super::*;

/// The rows of an answer as text, or the reason why there are none.
fn told(text: &str) -> String {
    let run: Value = serde_json::from_str(text).unwrap();
    let rows =
        run["rows"]["rows"].as_array().map(|rows| rows.iter().map(Value::to_string).collect::<String>());
    rows.unwrap_or_else(|| run["error"].to_string())
}

#[tokio::test]
async fn paths_counts_and_names_do_not_tell_that_something_hidden_is_there() {
    let shop = Shop::open().await;
    let rows = async |key: &str, query: &str| {
        let (status, text) = shop.query(key, query).await;
        assert_eq!(status, 200, "{query}: {text}");
        told(&text)
    };
    // Bert's boss is Anna, and Anna's is hidden.
    let path = "SELECT ?x { s:bert s:boss+ ?x }";
    let (everybody, partner) = (rows("k-all", path).await, rows("k-shop", path).await);
    assert!(everybody.contains("eve") && everybody.contains("max"), "{everybody}");
    assert!(partner.contains("anna") && !partner.contains("max"), "{partner}");
    let count = "SELECT (COUNT(*) AS ?n) { ?x a s:Clerk }";
    assert!(rows("k-all", count).await.contains('3') && rows("k-shop", count).await.contains('2'));
    for (hidden, unknown) in [
        ("SELECT ?o { s:anna s:salary ?o }", "SELECT ?o { s:anna s:hobby ?o }"),
        ("SELECT ?x { ?x s:boss s:eve }", "SELECT ?x { ?x s:boss s:ida }"),
        ("SELECT ?x { VALUES ?x { s:eve } }", "SELECT ?x { VALUES ?x { s:ida } }"),
        ("ASK { ?s (s:boss|s:salary)* s:eve }", "ASK { ?s (s:boss|s:hobby)* s:ida }"),
        ("SELECT ?l { s:eve rdfs:label ?l }", "SELECT ?l { s:ida rdfs:label ?l }"),
    ] {
        let plain = |text: String| text.replace("salary", "hobby").replace("eve", "ida");
        let ((status, one), (same, other)) =
            (shop.query("k-shop", hidden).await, shop.query("k-shop", unknown).await);
        assert_eq!((status, plain(told(&one))), (same, told(&other)), "{hidden}");
    }
    for path in ["/datasets/shop/entry?iri=http%3A%2F%2Fshop.example%2F", "/datasets/shop/search?q="] {
        let (one, other) = (format!("{path}eve"), format!("{path}ida"));
        let (one, other) = (said(shop.get("k-shop", &one)).await, said(shop.get("k-shop", &other)).await);
        assert_eq!((one.0, one.1.replace("eve", "ida")), other, "{path}");
    }
}

#[tokio::test]
async fn cards_count_what_is_seen_alone() {
    let shop = Shop::open().await;
    let card = async |key: &str| json(shop.get(key, "/datasets/shop/card").send().await.unwrap()).await;
    let counted = |card: &Value, list: &str, iri: &str, count: &str| {
        let known =
            card[list].as_array().unwrap().iter().find(|one| one["iri"].as_str().unwrap().ends_with(iri));
        known.unwrap()[count].as_u64().unwrap()
    };
    for (key, clerks, bosses) in [("k-all", 3, 3), ("k-shop", 2, 1)] {
        let card = card(key).await;
        assert_eq!(counted(&card, "classes", "/Clerk", "count"), clerks, "{card}");
        assert_eq!(counted(&card, "properties", "/boss", "uses"), bosses, "{card}");
    }
    let triples = async |key: &str| {
        let list = json(shop.get(key, "/datasets").send().await.unwrap()).await;
        list["datasets"].as_array().unwrap().iter().find(|one| one["id"] == "shop").unwrap()["triples"]
            .as_u64()
            .unwrap()
    };
    // Two salaries and all about Eve, the file, the label of the salary, and Anna's boss.
    assert_eq!(triples("k-all").await - triples("k-shop").await, 9);
}

#[tokio::test]
async fn what_is_hidden_since_the_index_was_built_is_refused_and_the_owner_told() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::create_dir(folder.path().join("known")).unwrap();
    std::fs::write(folder.path().join("shop.ttl"), SHOP).unwrap();
    let path = |name: &str| Value::from(folder.path().join(name).to_str().unwrap());
    let config = format!(
        "[[datasets]]\nid = \"shop\"\nfiles = [{}]\nknowledge = {}\nindex = {}\n",
        path("shop.ttl"),
        path("known"),
        path("index")
    );
    let app = TestApp::with(&config).await;
    std::fs::write(folder.path().join("known/hidden.toml"), "[hidden]\nterms = [\"s:eve\"]\n").unwrap();
    let reload = || app.request(Method::POST, "/datasets/shop/reload").send();
    assert_eq!(json(reload().await.unwrap()).await["reloaded"], true);
    let query = async |query: &str| {
        let body = made!({"dataset": "shop", "query": query});
        said(app.request(Method::POST, "/query").json(&body)).await
    };
    let (status, text) = query("SELECT ?x { s:bert s:boss+ ?x }").await;
    assert!(
        (400..500).contains(&status) && text.contains("cannot be used here") && !text.contains("Eve"),
        "{text}"
    );
    let (_, ready) = said(app.request(Method::GET, "/ready")).await;
    assert!(ready.contains("built before the present terms were hidden"), "{ready}");

    assert_eq!(build(&folder, &config).await.seen.len(), 1);
    assert_eq!(json(reload().await.unwrap()).await["reloaded"], true);
    let (status, text) = query("SELECT ?x { s:bert s:boss+ ?x }").await;
    assert!(status == 200 && text.contains("anna") && !text.contains("max"), "{text}");
    let (_, ready) = said(app.request(Method::GET, "/ready")).await;
    assert!(!ready.contains("built before"), "{ready}");
}

/// Verified questions, one of them about what is hidden.
const VERIFIED: &str = "[[questions]]\nquestion = \"Who earns most in Ulm?\"\nname = \"top\"\nby = \"Ina\"\nat = 2026-11-01\n\
    query = \"SELECT ?x { ?x <http://shop.example/town> <http://shop.example/ulm> ; <http://shop.example/salary> ?s } ORDER BY DESC(?s)\"\n\
    [[questions]]\nquestion = \"Which clerks are there?\"\nname = \"clerks\"\nby = \"Ina\"\nat = 2026-11-01\n\
    query = \"SELECT ?x { ?x a <http://shop.example/Clerk> }\"\nrows = 3\ndigest = \"0123456789abcdef\"\n";

#[tokio::test]
async fn verified_questions_about_what_is_hidden_are_neither_asked_nor_lent_nor_listed() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::create_dir_all(folder.path().join("known/questions")).unwrap();
    std::fs::write(folder.path().join("known/questions/q.toml"), VERIFIED).unwrap();
    std::fs::write(
        folder.path().join("known/boards.toml"),
        "[[boards]]\nname = \"pay\"\ntitle = \"Pay\"\nquestions = [\"top\"]\n\
         [[boards]]\nname = \"all\"\ntitle = \"All\"\nquestions = [\"top\", \"clerks\"]\n",
    )
    .unwrap();
    let shop = Shop::in_folder(folder).await;
    let ask = async |key: &str, question: &str| {
        said(shop.post(key, "/ask", &made!({"dataset": "shop", "question": question}))).await.1
    };
    for question in ["Who earns most in Ulm?", "Who earns the most in Ulm now?", "earns Ulm"] {
        let (all, partner) = (ask("k-all", question).await, ask("k-shop", question).await);
        assert!(!partner.contains("salary") && !partner.contains("Ina"), "{question}: {partner}");
        assert!(question == "earns Ulm" || all.contains("salary"), "{question}: {all}");
    }
    let board =
        async |key: &str, path: &str| said(shop.get(key, path).header("accept", "application/json")).await;
    let (all, partner) = (board("k-all", "/q/all").await.1, board("k-shop", "/q/all").await.1);
    assert!(
        all.contains("earns most") && !partner.contains("earns") && !partner.contains("\"top\""),
        "{partner}"
    );
    assert!(partner.contains("Which clerks"), "{partner}");
    assert_eq!((board("k-all", "/q/pay").await.0, board("k-shop", "/q/pay").await.0), (200, 404));
    let (_, list) = board("k-shop", "/q").await;
    assert!(list.contains("/q/all") && !list.contains("pay") && !list.contains("top"), "{list}");
    let clerks = ask("k-shop", "Which clerks are there?").await;
    assert!(
        clerks.contains("\"by\":\"Ina\"") && clerks.contains("\"changed\":false"),
        "others see three: {clerks}"
    );
}

#[tokio::test]
async fn a_correction_with_something_hidden_is_refused_as_one_with_something_unknown() {
    let shop = Shop::open().await;
    let (_, text) = shop.query("k-shop", "SELECT ?o { s:anna s:town ?o }").await;
    let run: Value = serde_json::from_str(&text).unwrap();
    let refused = async |iri: &str| {
        let meaning = made!({"kind": "prefer", "iri": "http://shop.example/town", "over": [iri]});
        let body = made!({"run": run["id"], "good": false, "correction": {"words": "", "meaning": meaning}});
        said(shop.post("k-shop", "/feedback", &body)).await
    };
    let (hidden, unknown) =
        (refused("http://shop.example/salary").await, refused("http://shop.example/wages").await);
    assert_eq!((hidden.0, hidden.1.replace("salary", "wages")), unknown);
}
