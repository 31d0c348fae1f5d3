use super::*;
use crate::{EmbeddedStore, Prefixes, QueryPolicy, Results, check};
use oxrdfio::{RdfFormat, RdfParser};
use std::sync::Mutex;
use std::time::Duration;

const LIMITS: Limits = Limits { timeout: Duration::from_secs(20), max_rows: 1_000, max_bytes: 1 << 20 };
const FILMS: &str = "http://films.example/sparql";
const PEOPLE: &str = "http://people.example/sparql";

/// A member that notes what it is asked.
struct Store {
    store: EmbeddedStore,
    asked: Mutex<Vec<String>>,
    is_down: bool,
    max_rows: usize,
}

impl Store {
    fn of(turtle: &str) -> Arc<Self> {
        Arc::new(Self::holding(turtle))
    }

    fn holding(turtle: &str) -> Self {
        let store = EmbeddedStore::in_memory().unwrap();
        let text = format!("@prefix : <http://ex.org/> . {turtle}");
        let quads = RdfParser::from_format(RdfFormat::Turtle).for_reader(text.as_bytes());
        store.load_quads(quads.map(Result::unwrap)).unwrap();
        Self { store, asked: Mutex::default(), is_down: false, max_rows: usize::MAX }
    }
}

#[async_trait]
impl FederationMember for Store {
    async fn part(&self, query: &str, limits: Limits) -> Result<Arc<Answer>, QueryError> {
        self.asked.lock().unwrap().push(query.to_owned());
        if self.is_down {
            return Err(QueryError::Unavailable { message: "no route".to_owned() });
        }
        let query = check(query, &Prefixes::default(), &QueryPolicy::default())?;
        let limits = Limits { max_rows: limits.max_rows.min(self.max_rows), ..limits };
        self.store.query(&query, limits).await.map(Arc::new)
    }
}

fn films() -> Store {
    Store::holding(
        ":f1 a :Film ; :director :ann ; :title 'One' . :f2 a :Film ; :director :bob ; :title 'Two' .
         :f3 a :Film ; :director :ann ; :title 'Three' . :f4 a :Film ; :director [ :name 'nobody' ] ; :title 'Four' .",
    )
}

fn people() -> Store {
    Store::holding(":ann :born 1950 ; :city :rome . :bob :born 1960 ; :city :oslo . :cem :born 1970 .")
}

fn endpoint(films: Arc<Store>, people: Arc<Store>) -> FederatedEndpoint {
    let members: Vec<(String, Arc<dyn FederationMember>)> =
        vec![(FILMS.to_owned(), films), (PEOPLE.to_owned(), people)];
    FederatedEndpoint::new("films and people".to_owned(), members, true)
}

fn checked(query: &str) -> CheckedQuery {
    let text = query
        .replace("FILMS", &format!("SERVICE <{FILMS}>"))
        .replace("PEOPLE", &format!("SERVICE <{PEOPLE}>"));
    let any = || vec!["*".to_owned()];
    let policy = QueryPolicy { service: any(), from: any(), ..QueryPolicy::default() };
    check(&format!("PREFIX : <http://ex.org/> {text}"), &Prefixes::default(), &policy).unwrap()
}

async fn run(endpoint: &FederatedEndpoint, query: &str) -> Result<Answer, QueryError> {
    endpoint.query(&checked(query), LIMITS).await
}

/// The rows as text, sorted, with the local names of IRIs.
fn rows(answer: &Answer) -> Vec<String> {
    let Results::Solutions(found) = &answer.results else { panic!("no table: {answer:?}") };
    let cell = |term: &Option<crate::Term>| {
        term.as_ref().map_or("-".to_owned(), |term| match term {
            crate::Term::Literal(literal) => literal.value().to_owned(),
            crate::Term::NamedNode(node) => node.as_str().replace("http://ex.org/", ":"),
            crate::Term::BlankNode(_) => "_".to_owned(),
        })
    };
    let mut rows: Vec<String> =
        found.rows.iter().map(|row| row.iter().map(cell).collect::<Vec<_>>().join(" ")).collect();
    rows.sort();
    rows
}

async fn both(query: &str) -> Vec<String> {
    rows(&run(&endpoint(Arc::new(films()), Arc::new(people())), query).await.unwrap())
}

#[tokio::test]
async fn parts_of_several_members_are_joined() {
    let joined = ["One 1950", "Three 1950", "Two 1960"];
    for query in [
        "SELECT ?t ?y { FILMS { ?f :director ?p ; :title ?t } PEOPLE { ?p :born ?y } }",
        "SELECT ?t ?y { PEOPLE { ?p :born ?y } FILMS { ?f :director ?p ; :title ?t } }",
        // The home answers what stands outside.
        "SELECT ?t ?y { ?f :director ?p ; :title ?t . PEOPLE { ?p :born ?y } }",
        "SELECT ?t ?y { ?f :director ?p . PEOPLE { ?p :born ?y } ?f :title ?t }",
        "SELECT ?t ?y { { SELECT ?p ?t { FILMS { ?f :director ?p ; :title ?t } } } PEOPLE { ?p :born ?y } }",
    ] {
        assert_eq!(both(query).await, joined, "{query}");
    }
}

#[tokio::test]
async fn what_combines_members_is_evaluated_here() {
    for (query, expected) in [
        (
            "SELECT ?y (COUNT(?f) AS ?n) { FILMS { ?f :director ?p } PEOPLE { ?p :born ?y } } GROUP BY ?y",
            vec!["1950 2", "1960 1"],
        ),
        (
            "SELECT ?t ?y { FILMS { ?f :director ?p ; :title ?t } OPTIONAL { PEOPLE { ?p :born ?y FILTER(?y > 1955) } } }",
            vec!["Four -", "One -", "Three -", "Two 1960"],
        ),
        ("SELECT ?p { PEOPLE { ?p :born ?y } MINUS { FILMS { ?f :director ?p } } }", vec![":cem"]),
        (
            "SELECT ?x { { FILMS { ?x a :Film } } UNION { PEOPLE { ?x :city :oslo } } }",
            vec![":bob", ":f1", ":f2", ":f3", ":f4"],
        ),
        (
            "SELECT ?t { FILMS { ?f :director ?p ; :title ?t } PEOPLE { ?p :born ?y } } ORDER BY DESC(?y) ?t LIMIT 1",
            vec!["Two"],
        ),
        (
            "SELECT ?t { VALUES ?p { :bob } FILMS { ?f :director ?p ; :title ?t } PEOPLE { ?p :born ?y } }",
            vec!["Two"],
        ),
        (
            "SELECT ?t ?d { FILMS { ?f :director ?p ; :title ?t } PEOPLE { ?p :born ?y } BIND(?y + 1 AS ?d) FILTER(?d = 1961) }",
            vec!["Two 1961"],
        ),
    ] {
        assert_eq!(both(query).await, expected, "{query}");
    }
}

#[tokio::test]
async fn a_limit_inside_is_that_of_its_part() {
    // Restricted to the people of the films, the youngest person would be another one.
    let youngest = "{ SELECT ?p { PEOPLE { ?p :born ?y } } ORDER BY DESC(?y) LIMIT 1 }";
    assert!(both(&format!("SELECT ?f {{ FILMS {{ ?f :director ?p }} {youngest} }}")).await.is_empty());
    let counted = "{ SELECT (COUNT(?p) AS ?n) { PEOPLE { ?p :born ?y } } }";
    let query = format!("SELECT ?t ?n {{ FILMS {{ ?f :title ?t ; :director :bob }} {counted} }}");
    assert_eq!(both(&query).await, ["Two 3"]);
}

#[tokio::test]
async fn a_part_is_restricted_to_what_is_known() {
    let (films, people) = (Arc::new(films()), Arc::new(people()));
    let endpoint = endpoint(films, people.clone());
    let query = "SELECT ?y { FILMS { ?f :title 'Two' ; :director ?p } PEOPLE { ?p :born ?y } }";
    assert_eq!(rows(&run(&endpoint, query).await.unwrap()), ["1960"]);
    let asked = people.asked.lock().unwrap().concat();
    assert!(asked.contains("ex.org/bob") && !asked.contains("ex.org/ann"), "{asked}");
    let parts = endpoint.parts(&checked(query), LIMITS).await.unwrap();
    let told: Vec<_> = parts.iter().map(|part| (part.rows, part.restricted_to)).collect();
    assert_eq!(told, [(1, None), (1, Some(1))]);
}

#[tokio::test]
async fn a_query_for_one_member_goes_there_whole() {
    let (films, people) = (Arc::new(films()), Arc::new(people()));
    let endpoint = endpoint(films.clone(), people.clone());
    let query =
        "SELECT DISTINCT ?p { PEOPLE { ?p :born ?y FILTER EXISTS { ?p :city ?c } } } ORDER BY ?y LIMIT 1";
    assert_eq!(rows(&run(&endpoint, query).await.unwrap()), [":ann"]);
    assert!(films.asked.lock().unwrap().is_empty());
    assert!(people.asked.lock().unwrap().concat().contains("LIMIT 1"));
    assert_eq!(rows(&run(&endpoint, "SELECT ?f { ?f :title 'Two' }").await.unwrap()), [":f2"]);
    let is = run(&endpoint, "ASK { PEOPLE { :ann :born 1950 } }").await.unwrap();
    assert_eq!(is.results, Results::Boolean(true));
}

#[tokio::test]
async fn parts_without_variables_and_without_solutions() {
    assert_eq!(
        both("SELECT ?t { PEOPLE { :ann :born 1950 } FILMS { ?f :title ?t ; :director :bob } }").await,
        ["Two"]
    );
    assert!(
        both("SELECT ?t { PEOPLE { :ann :born 1 } FILMS { ?f :title ?t ; :director :bob } }")
            .await
            .is_empty()
    );
}

#[tokio::test]
async fn blank_nodes_come_back_and_are_never_the_same_in_two_members() {
    let query = "SELECT ?p ?n { FILMS { ?f :title 'Four' ; :director ?p . ?p :name ?n } OPTIONAL { PEOPLE { ?p :born ?y } } }";
    assert_eq!(both(query).await, ["_ nobody"]);
    let twins = || Store::of("[] :born 1950 .");
    let endpoint = endpoint(twins(), twins());
    let query = "SELECT ?p { FILMS { ?p :born ?y } PEOPLE { ?p :born ?z } }";
    assert!(run(&endpoint, query).await.unwrap().is_empty());
}

#[tokio::test]
async fn a_member_that_is_down_is_named_and_may_be_left_out() {
    let endpoint = endpoint(Arc::new(films()), Arc::new(Store { is_down: true, ..people() }));
    let query = |silent: &str| {
        format!(
            "SELECT ?t ?y {{ FILMS {{ ?f :director ?p ; :title ?t }} SERVICE {silent} <{PEOPLE}> {{ ?p :born ?y }} }}"
        )
    };
    let error = run(&endpoint, &query("")).await.unwrap_err().to_string();
    assert!(error.contains(PEOPLE) && error.contains("no route"), "{error}");
    assert_eq!(rows(&run(&endpoint, &query("SILENT")).await.unwrap()).len(), 4);
}

#[tokio::test]
async fn a_part_that_is_cut_makes_the_answer_incomplete() {
    let cut = || Arc::new(Store { max_rows: 2, ..films() });
    let endpoint_of = |people| endpoint(cut(), Arc::new(people));
    let query = "SELECT (COUNT(*) AS ?n) { FILMS { ?f :director ?p } PEOPLE { ?p :born ?y } }";
    let few = endpoint_of(Store { max_rows: 2, ..people() });
    let incomplete = run(&few, query).await.unwrap().incomplete;
    assert!(
        matches!(&incomplete, Some(Incomplete::Endpoint(words)) if words.contains(FILMS)),
        "{incomplete:?}"
    );
    // Restricted to one person, no part is too long.
    let one = endpoint_of(Store::holding(":bob :born 1960 ."));
    let answer = run(&one, query).await.unwrap();
    assert_eq!((rows(&answer), answer.incomplete), (vec!["1".to_owned()], None));
}

#[tokio::test]
async fn what_cannot_be_split_says_why() {
    let endpoint = endpoint(Arc::new(films()), Arc::new(people()));
    for (query, reason) in [
        (
            "SELECT ?f { FILMS { ?f a :Film } PEOPLE { ?p :born ?y } FILTER NOT EXISTS { ?f :x ?p } }",
            "EXISTS",
        ),
        (
            "SELECT ?f { FILMS { ?f a :Film } PEOPLE { ?p :born ?y } } ORDER BY (EXISTS { ?f :x ?p })",
            "EXISTS",
        ),
        ("SELECT ?f FROM :g { FILMS { ?f a :Film } PEOPLE { ?p :born ?y } }", "FROM"),
        ("SELECT ?f { GRAPH :g { FILMS { ?f a :Film } } PEOPLE { ?p :born ?y } }", "GRAPH"),
        ("SELECT ?f { ?f a :Film SERVICE ?p { ?p :born ?y } }", "no variable"),
        ("SELECT ?f { ?f a :Film SERVICE <http://else.example/> { ?p :born ?y } }", "none of these datasets"),
        ("DESCRIBE ?p { ?f :director ?p . PEOPLE { ?p :born ?y } }", "DESCRIBE"),
    ] {
        let error = run(&endpoint, query).await.unwrap_err();
        assert!(error.kind() == "refused" && error.to_string().contains(reason), "{query}: {error}");
    }
}

#[tokio::test]
async fn many_known_values_are_sent_in_batches() {
    let many: String = (0..1_500).map(|n| format!(":p{n} :knows :q{n} . ")).collect();
    let known: String = (0..1_500).map(|n| format!(":q{n} :born {n} . ")).collect();
    let people = Store::of(&known);
    let endpoint = endpoint(Store::of(&many), people.clone());
    let query = "SELECT (COUNT(*) AS ?n) { FILMS { ?p :knows ?q } PEOPLE { ?q :born ?y } }";
    assert_eq!(rows(&run(&endpoint, query).await.unwrap()), ["1500"]);
    assert!(people.asked.lock().unwrap().len() > 1);
}
