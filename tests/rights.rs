//! Rights: what those with a role can find out, who try everything: by queries, names, errors, lists, kept runs, other interfaces and
//! headers.

mod left_out;

use eruca::config::Settings;
use eruca::startup;
use eruca_indexer::{BuildSummary, NoProgress};
use eruca_testing::helpers::{TestApp, json, query_log};
use reqwest::{Method, RequestBuilder, Response};
use serde_json::{Value, json as made};
use tempfile::TempDir;

const SHOP: &str = r#"
@prefix s: <http://shop.example/> . @prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> . @prefix i: <http://internal.example/> .
s:Clerk a rdfs:Class ; rdfs:label "Clerk" . s:salary rdfs:label "salary" . s:boss rdfs:label "boss" . s:town rdfs:label "town" .
s:anna a s:Clerk ; rdfs:label "Anna Berg" ; s:salary 48111 ; s:town s:ulm ; s:boss s:eve ; i:file "red folder" .
s:bert a s:Clerk ; rdfs:label "Bert Holm" ; s:salary 39222 ; s:town s:ulm ; s:boss s:anna .
s:eve a s:Clerk ; rdfs:label "Eve Secret" ; s:salary 90333 ; s:boss s:max . s:max rdfs:label "Max Ende" .
s:ulm a s:Town ; rdfs:label "Ulm" . s:Town a rdfs:Class ; rdfs:label "Town" ."#;

const VAULT: &str = "@prefix v: <http://vault.example/> . v:gold a v:Treasure ; \
    <http://www.w3.org/2000/01/rdf-schema#label> \"Golden Crown\" .";

/// What nothing that a partner reads may have in it.
const SECRETS: [&str; 10] =
    ["salary", "48111", "39222", "90333", "Eve", "s:eve", "red folder", "internal", "vault", "Golden"];

struct Shop {
    app: TestApp,
    folder: TempDir,
}

/// Builds the index of the first dataset of a configuration.
async fn build(folder: &TempDir, config: &str) -> BuildSummary {
    let file = folder.path().join("eruca.toml");
    std::fs::write(&file, config).unwrap();
    let settings = Settings::load_from(Some(&file), folder.path(), &[]).unwrap();
    startup::build_index(&settings, &settings.datasets[0], &NoProgress).await.unwrap()
}

impl Shop {
    /// With an index of what the role sees.
    async fn open() -> Self {
        Self::in_folder(tempfile::tempdir().unwrap()).await
    }

    /// With an index that was built when nothing was hidden, so that queries are rewritten.
    async fn built_before() -> Self {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join("shop.ttl"), SHOP).unwrap();
        build(&folder, "[[datasets]]\nid = \"shop\"\nfiles = [\"shop.ttl\"]\nindex = \"index\"\n").await;
        Self::in_folder(folder).await
    }

    async fn in_folder(folder: TempDir) -> Self {
        std::fs::write(folder.path().join("shop.ttl"), SHOP).unwrap();
        std::fs::write(folder.path().join("vault.ttl"), VAULT).unwrap();
        let path = |name: &str| Value::from(folder.path().join(name).to_str().unwrap());
        let app = TestApp::with(&format!(
            "[server]\nproxies = [\"gate\"]\nrole_header = \"X-Eruca-Role\"\nuser_header = \"X-Eruca-User\"\n\
             api_keys = {{ all = \"k-all\", shop = \"k-shop\", gate = \"k-gate\", op = \"k-op\" }}\n\
             key_roles = {{ shop = \"partner\" }}\noperators = [\"op\"]\n\
             [log]\nquestions_folder = {}\n\
             [[datasets]]\nid = \"shop\"\nfiles = [{}]\nindex = {}\n{}[[datasets]]\nid = \"vault\"\nfiles = [{}]\n\
             [[roles]]\nid = \"partner\"\ndatasets = [\"shop\"]\n\
             hidden = {{ terms = [\"s:salary\", \"<http://shop.example/eve>\"], namespaces = [\"http://internal.example/\"] }}\n\
             [[roles]]\nid = \"staff\"\n",
            path("log"),
            path("shop.ttl"),
            path("index"),
            if folder.path().join("known").is_dir() { format!("knowledge = {}\n", path("known")) } else { String::new() },
            path("vault.ttl"),
        ))
        .await;
        Self { app, folder }
    }

    fn get(&self, key: &str, path: &str) -> RequestBuilder {
        self.app.request(Method::GET, path).bearer_auth(key)
    }

    fn post(&self, key: &str, path: &str, body: &Value) -> RequestBuilder {
        self.app.request(Method::POST, path).bearer_auth(key).json(body)
    }

    async fn query(&self, key: &str, query: &str) -> (u16, String) {
        said(self.post(key, "/query", &made!({"dataset": "shop", "query": query}))).await
    }
}

async fn said(request: RequestBuilder) -> (u16, String) {
    let response: Response = request.send().await.unwrap();
    (response.status().as_u16(), response.text().await.unwrap())
}

/// What was written to ask comes back, so that only the rest is looked at.
fn clean(text: &str, asked: &str) -> Vec<&'static str> {
    SECRETS.into_iter().filter(|secret| text.contains(secret) && !asked.contains(secret)).collect()
}

#[tokio::test]
async fn queries_of_a_role_find_nothing_that_is_hidden() {
    find_nothing_hidden(&Shop::open().await).await;
    find_nothing_hidden(&Shop::built_before().await).await;
}

async fn find_nothing_hidden(shop: &Shop) {
    for query in [
        "SELECT ?o { ?s ?p ?o }",
        "SELECT * { ?s ?p ?o }",
        "SELECT (STR(?o) AS ?t) { ?s ?p ?o }",
        "SELECT (GROUP_CONCAT(CONCAT(STR(?s), STR(?p), STR(?o))) AS ?t) { ?s ?p ?o }",
        "SELECT (MAX(?o) AS ?m) { ?s ?p ?o FILTER(isNumeric(?o)) }",
        "SELECT ?l { ?x s:boss/rdfs:label ?l }",
        "SELECT ?o { BIND(IRI(CONCAT(\"http://shop.example/sal\", \"ary\")) AS ?p) ?s ?p ?o }",
        "SELECT ?o { { SELECT ?o { ?s ?p ?o } } }",
        "SELECT ?o { ?s (s:town|!s:town) ?o }",
        "SELECT ?x { ?x s:town? ?y }",
        "CONSTRUCT { ?s s:found ?o } { ?s ?p ?o }",
        "DESCRIBE s:anna",
        "DESCRIBE ?x { ?x a s:Clerk }",
        "SELECT ?l { ?x rdfs:label ?l }",
    ] {
        let (status, text) = shop.query("k-shop", query).await;
        assert!(status == 200 || text.contains("cannot be used"), "{query}: {text}");
        assert!(clean(&text, "").is_empty(), "{query}: {:?} in {text}", clean(&text, ""));
    }
    for (query, everybody, partner) in [
        ("ASK { ?s ?p 48111 }", "true", "false"),
        ("ASK { ?s ?p ?o FILTER(?o > 90000) }", "true", "false"),
        ("ASK { 48111 s:town* 48111 }", "true", "false"),
    ] {
        for (key, truth) in [("k-all", everybody), ("k-shop", partner)] {
            let (_, text) = shop.query(key, query).await;
            let run: Value = serde_json::from_str(&text).unwrap();
            assert_eq!(run["rows"]["boolean"].to_string(), truth, "{key} {query}: {text}");
        }
    }
}

#[tokio::test]
async fn a_dataset_that_is_not_seen_is_as_one_that_is_not_there() {
    let shop = Shop::open().await;
    let asked = |dataset: &str| {
        let id = url::form_urlencoded::byte_serialize(dataset.as_bytes()).collect::<String>();
        let question = made!({"dataset": dataset, "question": "Which treasures are there?"});
        let message = made!([{"role": "user", "content": "Which treasures are there?"}]);
        let call = made!({"jsonrpc": "2.0", "id": 1, "method": "tools/call",
            "params": {"name": "describe_dataset", "arguments": {"dataset": dataset}}});
        vec![
            shop.get("k-shop", &format!("/datasets/{id}/card")),
            shop.get("k-shop", &format!("/datasets/{id}/search?q=gold")),
            shop.get("k-shop", &format!("/datasets/{id}/entry?iri=http%3A%2F%2Fvault.example%2Fgold")),
            shop.get("k-shop", &format!("/text2sparql?dataset={id}&question=Which+treasures")),
            shop.get("k-shop", &format!("/v1/models/{id}")),
            shop.post("k-shop", "/ask", &question),
            shop.post("k-shop", "/query", &made!({"dataset": dataset, "query": "ASK { ?s ?p ?o }"})),
            shop.post("k-shop", "/complete", &made!({"dataset": dataset, "query": "ASK { ?x a ", "at": 11})),
            shop.post("k-shop", "/link", &made!({"dataset": dataset, "texts": [{"text": "crown"}]})),
            shop.post("k-shop", "/v1/chat/completions", &made!({"model": dataset, "messages": message})),
            shop.post("k-shop", "/mcp", &call).header("accept", "application/json, text/event-stream"),
        ]
    };
    for names in [["vault", "other"], ["shop,vault", "shop,other"]] {
        let [there, not_there] = names;
        for (one, other) in asked(there).into_iter().zip(asked(not_there)) {
            let ((status, text), (same, other)) = (said(one).await, said(other).await);
            assert_eq!(
                (status, text.replace("vault", "N")),
                (same, other.replace("other", "N")),
                "{names:?}"
            );
        }
    }
}

#[tokio::test]
async fn lists_cards_searches_and_answers_have_nothing_hidden_in_them() {
    have_nothing_hidden(&Shop::open().await).await;
    have_nothing_hidden(&Shop::built_before().await).await;
}

async fn have_nothing_hidden(shop: &Shop) {
    let ask =
        |dataset: &str, question: &str| made!({"dataset": dataset, "question": question, "trace": true});
    let chat = |text: &str| made!({"model": "shop", "messages": [{"role": "user", "content": text}]});
    let mcp = |method: &str, params: Value| {
        let call = made!({"jsonrpc": "2.0", "id": 1, "method": method, "params": params});
        shop.post("k-shop", "/mcp", &call).header("accept", "application/json, text/event-stream")
    };
    let requests = vec![
        shop.get("k-shop", "/datasets"),
        shop.get("k-shop", "/datasets/shop/card"),
        shop.get("k-shop", "/datasets/shop/entry?iri=http%3A%2F%2Fshop.example%2Fanna"),
        shop.get("k-shop", "/datasets/shop/search?q=Ev"),
        shop.get("k-shop", "/datasets/shop/search?q=sal"),
        shop.get("k-shop", "/datasets/shop/search?q=48111"),
        shop.get("k-shop", "/v1/models"),
        shop.post("k-shop", "/ask", &ask("shop", "How much does Anna Berg get?")),
        shop.post("k-shop", "/ask", &ask("shop", "Tell me about Anna Berg")),
        shop.post("k-shop", "/ask", &ask("shop", "Who is the boss of Anna Berg?")),
        shop.post("k-shop", "/ask", &ask("shop", "Who is Ev Secrt?")),
        shop.post("k-shop", "/ask", &ask("shop", "What can I ask?")),
        shop.post("k-shop", "/ask", &ask("auto", "Which treasures are there?")),
        shop.post("k-shop", "/v1/chat/completions", &chat("Tell me about Anna Berg")),
        shop.post(
            "k-shop",
            "/complete",
            &made!({"dataset": "shop", "query": "SELECT * { s:anna s:", "at": 20}),
        ),
        shop.post(
            "k-shop",
            "/complete",
            &made!({"dataset": "shop", "query": "SELECT * { ?x ?p Ev", "at": 19}),
        ),
        shop.post("k-shop", "/link", &made!({"dataset": "shop", "texts": [{"text": "Ev Secret"}]})),
        shop.post("k-shop", "/gerbil/shop", &Value::Null)
            .body("query=Tell+me+about+Anna+Berg")
            .header("content-type", "application/x-www-form-urlencoded"),
        mcp("resources/list", made!({})),
        mcp("tools/call", made!({"name": "list_datasets", "arguments": {}})),
        mcp("tools/call", made!({"name": "describe_dataset", "arguments": {}})),
        mcp("tools/call", made!({"name": "search_property", "arguments": {"query": "pay"}})),
        mcp("tools/call", made!({"name": "get_entry", "arguments": {"iri": "s:anna"}})),
        mcp(
            "tools/call",
            made!({"name": "execute_sparql", "arguments": {"query": "SELECT ?o { s:anna ?p ?o }"}}),
        ),
    ];
    for request in requests {
        let sent = request.try_clone().unwrap().build().unwrap();
        let asked = format!(
            "{} {:?}",
            sent.url(),
            sent.body().and_then(|body| body.as_bytes()).map(String::from_utf8_lossy)
        );
        let (_, text) = said(request).await;
        assert!(clean(&text, &asked).is_empty(), "{asked}: {:?} in {text}", clean(&text, &asked));
    }
    let (status, text) = said(shop.get("k-all", "/datasets")).await;
    assert!(status == 200 && text.contains("vault"), "{text}");
}

#[tokio::test]
async fn runs_of_others_are_not_there_and_operation_is_not_open() {
    let shop = Shop::open().await;
    let (_, text) = shop.query("k-all", "SELECT ?o { s:anna ?p ?o }").await;
    let run: Value = serde_json::from_str(&text).unwrap();
    let id = run["id"].as_str().unwrap();
    let unknown = said(shop.get("k-shop", &format!("/runs/{}", "0".repeat(id.len())))).await;
    for path in ["", "/events", "/rows", "/graph", "/claims", "/rows/0/why"] {
        assert_eq!(said(shop.get("k-shop", &format!("/runs/{id}{path}"))).await.0, 404, "{path}");
    }
    assert_eq!(said(shop.get("k-shop", &format!("/runs/{id}"))).await, unknown);
    let past = made!({"dataset": "shop", "question": "And Bert?", "history": [{"run": id}]});
    assert_eq!(said(shop.post("k-shop", "/ask", &past)).await.0, 404);
    assert_eq!(said(shop.get("k-all", &format!("/runs/{id}"))).await.0, 200);

    let (_, text) = shop.query("k-shop", "SELECT ?o { s:anna ?p ?o }").await;
    let own: Value = serde_json::from_str(&text).unwrap();
    let path = format!("/runs/{}", own["id"].as_str().unwrap());
    assert_eq!(said(shop.get("k-shop", &path)).await.0, 200);
    assert_eq!(said(shop.get("k-all", &path)).await.0, 404, "a role's runs are its own");
    assert_eq!(said(shop.get("k-shop", "/metrics")).await.0, 403);
    assert_eq!(said(shop.post("k-shop", "/datasets/shop/reload", &Value::Null)).await.0, 403);
    assert_eq!(said(shop.post("k-op", "/datasets/shop/reload", &Value::Null)).await.0, 200);
}

#[tokio::test]
async fn headers_count_with_the_key_of_a_proxy_alone() {
    let shop = Shop::open().await;
    let datasets = async |request: RequestBuilder| said(request).await;
    let as_role = |key: &str, role: &str| shop.get(key, "/datasets").header("X-Eruca-Role", role);
    let (status, text) = datasets(as_role("k-gate", "partner")).await;
    assert!(status == 200 && text.contains("shop") && !text.contains("vault"), "{text}");
    let (_, text) = datasets(as_role("k-gate", "nobody, staff, partner")).await;
    assert!(text.contains("vault"), "{text}");
    for role in ["", "nobody", "Partner", "partner;staff"] {
        let (status, text) = datasets(as_role("k-gate", role)).await;
        assert!(status == 403 && text.contains("no_role"), "{role}: {text}");
    }
    assert_eq!(datasets(shop.get("k-gate", "/datasets")).await.0, 403);
    assert_eq!(said(shop.get("k-gate", "/v1/models")).await.0, 403);
    let twice = as_role("k-gate", "partner").header("X-Eruca-Role", "staff");
    assert_eq!(datasets(twice).await.0, 403, "one of them may be the client's own");
    let (_, text) = datasets(as_role("k-shop", "staff")).await;
    assert!(!text.contains("vault"), "the header of somebody without a proxy's key: {text}");
    assert_eq!(datasets(as_role("wrong", "staff")).await.0, 401);
}

#[tokio::test]
async fn role_and_user_are_written_into_the_query_log() {
    let shop = Shop::open().await;
    let path = "/text2sparql?dataset=shop&question=Which+towns+are+there%3F";
    let proxied = shop.get("k-gate", path).header("X-Eruca-Role", "partner").header("X-Eruca-User", "ina");
    assert_eq!(said(proxied).await.0, 200);
    let forged = shop.get("k-shop", path).header("X-Eruca-User", "ina");
    assert_eq!(said(forged).await.0, 200);
    let lines = std::fs::read_to_string(query_log(&shop.folder.path().join("log"))).unwrap();
    let lines: Vec<Value> = lines.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let seen: Vec<_> = lines.iter().map(|line| (&line["key"], &line["role"], &line["user"])).collect();
    let text = |text: &str| Value::from(text);
    assert_eq!(seen[0], (&text("gate"), &text("partner"), &text("ina")));
    assert_eq!(seen[1], (&text("shop"), &text("partner"), &Value::Null));
}

#[tokio::test]
async fn what_is_hidden_later_is_not_shown_by_runs_that_were_kept() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::create_dir(folder.path().join("known")).unwrap();
    std::fs::write(folder.path().join("shop.ttl"), SHOP).unwrap();
    let path = |name: &str| Value::from(folder.path().join(name).to_str().unwrap());
    let app = TestApp::with(&format!(
        "[runs]\nfolder = {}\n[[datasets]]\nid = \"shop\"\nfiles = [{}]\nknowledge = {}\n",
        path("runs"),
        path("shop.ttl"),
        path("known")
    ))
    .await;
    let query = made!({"dataset": "shop", "query": "SELECT ?o { s:anna ?p ?o }"});
    let run = json(app.request(Method::POST, "/query").json(&query).send().await.unwrap()).await;
    assert!(run.to_string().contains("48111"), "{run}");
    let path = format!("/runs/{}", run["id"].as_str().unwrap());
    assert_eq!(app.get(&path).await.status(), 200);
    std::fs::write(folder.path().join("known/hidden.toml"), "[hidden]\nterms = [\"s:salary\"]\n").unwrap();
    let reloaded = app.request(Method::POST, "/datasets/shop/reload").send().await.unwrap();
    assert_eq!(json(reloaded).await["reloaded"], true);
    assert_eq!(app.get(&path).await.status(), 404);
    let run = json(app.request(Method::POST, "/query").json(&query).send().await.unwrap()).await;
    assert!(!run.to_string().contains("48111"), "{run}");
    assert_eq!(app.get(&format!("/runs/{}", run["id"].as_str().unwrap())).await.status(), 200);
}

const TWO_GRAPHS: &str = "<http://a.example/x> <http://a.example/p> \"seen\" <http://a.example/public> .\n\
    <http://a.example/y> <http://a.example/q> \"locked\" <http://a.example/private> .\n\
    <http://a.example/z> <http://a.example/r> \"nowhere\" .\n";

#[tokio::test]
async fn a_dataset_of_some_graphs_has_nothing_of_others() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("two.nq"), TWO_GRAPHS).unwrap();
    let path = |name: &str| Value::from(folder.path().join(name).to_str().unwrap());
    let public = format!(
        "[[datasets]]\nid = \"public\"\nfiles = [{}]\nindex = {}\ngraphs = [\"http://a.example/public\"]\n",
        path("two.nq"),
        path("index")
    );
    let app = TestApp::with(&format!(
        "[server]\napi_keys = {{ all = \"k-all\", out = \"k-out\" }}\nkey_roles = {{ out = \"outside\" }}\n\
         [[roles]]\nid = \"outside\"\ndatasets = [\"public\"]\n\
         [[datasets]]\nid = \"both\"\nfiles = [{}]\n{public}",
        path("two.nq")
    ))
    .await;
    let query = async |key: &str, dataset: &str, query: &str| {
        let body = made!({"dataset": dataset, "query": query});
        said(app.request(Method::POST, "/query").bearer_auth(key).json(&body)).await
    };
    for asked in ["SELECT * { ?s ?p ?o }", "SELECT ?o { GRAPH ?g { ?s ?p ?o } }"] {
        let (_, text) = query("k-out", "public", asked).await;
        assert!(text.contains("seen") && !text.contains("locked") && !text.contains("nowhere"), "{text}");
    }
    let (_, card) = said(app.request(Method::GET, "/datasets/public/card").bearer_auth("k-out")).await;
    assert!(card.contains("a.example/p") && !card.contains("a.example/q"), "{card}");
    assert_eq!(query("k-out", "both", "ASK {}").await.0, 404);
    assert!(query("k-all", "both", "SELECT * { ?s ?p ?o }").await.1.contains("locked"));

    let wider = public.replace("/public\"]", "/private\"]");
    let file = folder.path().join("wider.toml");
    std::fs::write(&file, wider).unwrap();
    let settings = Settings::load_from(Some(&file), folder.path(), &[]).unwrap();
    let refused = startup::open_service(&settings, &NoProgress).await;
    let words = refused.err().unwrap().to_string();
    assert!(words.contains("other named graphs"), "an index of other graphs is not opened: {words}");
}

#[tokio::test]
async fn the_check_tells_what_a_role_sees_and_what_is_wrong_with_it() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("shop.ttl"), SHOP).unwrap();
    let settings = |roles: &str| {
        let file = folder.path().join("eruca.toml");
        let dataset = "[[datasets]]\nid = \"shop\"\nfiles = [\"shop.ttl\"]\nindex = \"index\"\n";
        std::fs::write(&file, format!("{dataset}{roles}")).unwrap();
        Settings::load_from(Some(&file), folder.path(), &[])
    };
    let roles = "[server]\napi_keys = { a = \"k\" }\nkey_roles = { a = \"partner\" }\n\
        [[roles]]\nid = \"partner\"\nhidden = { terms = [\"s:salary\", \"s:wage\"] }\n[[roles]]\nid = \"idle\"\n\
        [[roles]]\nid = \"lost\"\nhidden = { terms = [\"nobody:knows\"] }\n";
    let known = settings(roles).unwrap();
    startup::open_service(&known, &NoProgress).await.unwrap();
    let parts = startup::check_parts(&known).await;
    let told: Vec<String> = parts
        .iter()
        .filter(|part| part.part.starts_with("role "))
        .map(|part| format!("{}: {}", part.part, part.detail))
        .collect();
    insta::assert_snapshot!(told.join("\n"), @r"
    role partner: sees shop; hidden from it: 2 terms, 0 namespaces, keys: a
    role partner: <http://shop.example/wage> is hidden from it, and no graph that it sees has it
    role idle: sees shop; hidden from it: 0 terms, 0 namespaces
    role idle: nobody has it; give it to a key in server.key_roles, or let a proxy name it (server.proxies)
    role lost: sees shop; hidden from it: 1 terms, 0 namespaces
    role lost: nobody has it; give it to a key in server.key_roles, or let a proxy name it (server.proxies)
    role lost: role 'lost', dataset 'shop': 'terms' is 'nobody:knows', which is neither an IRI nor a prefixed name with a known prefix; write <IRI>, or add the prefix to the dataset's 'prefixes'
    ");
    for (roles, expected) in [
        (
            "[[roles]]\nid = \"a\"\ndatasets = [\"none\"]\n",
            "'roles[0].datasets' contains 'none', which is no dataset",
        ),
        (
            "[[roles]]\nid = \"a\"\n[[roles]]\nid = \"a\"\n",
            "'roles[1].id' is 'a', which another role is called",
        ),
        ("[[roles]]\nid = \"a b\"\n", "'roles[0].id' must have"),
        ("[[roles]]\nid = \"a\"\nhiden = {}\n", "there is no setting 'roles.hiden'; did you mean 'hidden'?"),
        (
            "[server]\napi_keys = { k = \"s\" }\nkey_roles = { k = \"x\" }\n",
            "the role 'x', which is no [[roles]]",
        ),
        (
            "[server]\nkey_roles = { k = \"a\" }\n[[roles]]\nid = \"a\"\n",
            "'k', which is not in server.api_keys",
        ),
        ("[server]\napi_keys = { k = \"s\" }\nproxies = [\"k\"]\n", "are needed together"),
        (
            "[server]\napi_keys = { k = \"s\" }\noperators = [\"k\"]\nkey_roles = { k = \"a\" }\n[[roles]]\nid = \"a\"\n",
            "operators see everything",
        ),
    ] {
        let said = settings(roles).unwrap_err().to_string();
        assert!(said.contains(expected), "{roles}: {said}");
    }
}
