//! Sentences of every shape in every language: questions with their queries on a small graph.

mod any;

use super::*;
use eruca_dataset::testing::{TestGraph, graph_of};
use eruca_sparql::Incomplete;
use std::ops::Deref;
use std::sync::Arc;
use std::time::Duration;

/// Orchards: labels in several languages, units in names, dates, years, booleans, coordinates.
const ORCHARDS: &str = r#"
@prefix : <http://orchard.example/> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
@prefix xsd: <http://www.w3.org/2001/XMLSchema#> .
:Orchard a rdfs:Class ; rdfs:label "orchard"@en, "Obstgarten"@de, "huerto"@es, "verger"@fr .
:Keeper a rdfs:Class ; rdfs:label "keeper"@en, "Gärtner"@de .
:keeper rdfs:label "keeper"@en, "Gärtner"@de, "jardinero"@es, "jardinier"@fr .
:areaHa rdfs:label "area"@en, "Fläche"@de, "superficie"@es, "superficie"@fr .
:trees rdfs:label "number of trees"@en, "Anzahl der Bäume"@de .
:share rdfs:label "share of old trees (%)"@en .
:plantedYear rdfs:label "planting year"@en .
:opened rdfs:label "opening day"@en, "Eröffnungstag"@de, "día de apertura"@es, "jour d’ouverture"@fr .
:open rdfs:label "open to visitors"@en .
:place <http://www.w3.org/1999/02/22-rdf-syntax-ns#type> rdfs:Resource .
:hill a :Orchard ; rdfs:label "Hill Orchard"@en, "Hügelgarten"@de ; :keeper :ida ; :areaHa 12.5 ; :trees 2850 ; :share 40 ;
  :plantedYear 1987 ; :opened "1999-05-03"^^xsd:date ; :open true ;
  :place "POINT(10.5 52.25)"^^<http://www.opengis.net/ont/geosparql#wktLiteral> .
:dale a :Orchard ; rdfs:label "Dale Orchard"@en ; :keeper :ida ; :areaHa 3 ; :trees 410 ; :plantedYear 2004 ; :open false .
:moor a :Orchard ; rdfs:label "Moor Orchard"@en ; :keeper :ole ; :areaHa 7 ; :trees 1000 .
:ida a :Keeper ; rdfs:label "Ida Brandt" .
:ole a :Keeper ; rdfs:label "Ole\u202E Vik" .
"#;

/// The context of an answer besides its rows.
#[derive(Default)]
struct Around<'a> {
    insight: Option<Insight>,
    absence: Option<&'a str>,
    computed: Option<Computed>,
    empty: Option<&'a str>,
    cut: bool,
}

struct Orchards(TestGraph);

impl Deref for Orchards {
    type Target = TestGraph;

    fn deref(&self) -> &TestGraph {
        &self.0
    }
}

async fn orchards() -> Orchards {
    Orchards(graph_of("orchards", ORCHARDS).await)
}

impl Orchards {
    /// Runs a query and hands everything that a sentence is made of to a function.
    async fn context<T>(
        &self,
        question: &str,
        query: &str,
        around: &Around<'_>,
        tell: impl AsyncFnOnce(&AnswerContext<'_>) -> T,
    ) -> T {
        let question = self.dataset.read(question);
        let dataset = self.dataset.asked(&question);
        let query = format!("PREFIX : <http://orchard.example/> {query}");
        let query = dataset.check(&query).unwrap();
        let answer = dataset.run(&query, Duration::from_secs(20)).await.unwrap();
        let mut answer = Arc::unwrap_or_clone(answer);
        answer.incomplete = around.cut.then_some(Incomplete::RowLimit(answer.row_count()));
        let columns = columns(&dataset, &query, &answer);
        tell(&AnswerContext {
            dataset: &dataset,
            question: &question,
            query: &query,
            answer: &answer,
            insight: around.insight.as_ref(),
            absence: around.absence,
            computed: around.computed.as_ref(),
            labels: &BTreeMap::new(),
            empty: around.empty,
            orientation: None,
            added: 0,
            unit: None,
            columns: &columns,
        })
        .await
    }

    async fn words(&self, question: &str, query: &str, around: &Around<'_>) -> Words {
        self.context(question, query, around, async |context| sentence(context)).await
    }

    async fn expect(&self, cases: &[(&str, &str, &str)]) {
        let mut faults = Vec::new();
        for (question, query, expected) in cases {
            let found = self.words(question, query, &Around::default()).await.text;
            if found != *expected {
                faults.push(format!("{question}\n  expected {expected}\n  found    {found}"));
            }
        }
        assert!(faults.is_empty(), "{}", faults.join("\n"));
    }
}

fn insight(probability: f32, unused: &[&str], not_found: &[&str]) -> Around<'static> {
    let owned = |words: &[&str]| words.iter().map(|word| (*word).to_owned()).collect();
    let insight = Insight {
        reading: "orchards".to_owned(),
        unused: owned(unused),
        not_found: owned(not_found),
        ..Insight::of(probability)
    };
    Around { insight: Some(insight), ..Around::default() }
}

const ALL: &str = "SELECT ?orchard { ?orchard a :Orchard } ORDER BY DESC(?orchard)";
const TREES: &str = "SELECT ?orchard ?n { ?orchard a :Orchard ; :trees ?n } ORDER BY DESC(?n)";

#[tokio::test]
async fn simple_questions_become_statements() {
    let graph = orchards().await;
    let keeper = "SELECT ?k { :hill :keeper ?k }";
    graph
        .expect(&[
            ("Who is the keeper of Hill Orchard?", keeper, "The keeper of Hill Orchard is Ida Brandt."),
            ("Wer ist der Gärtner vom Hügelgarten?", keeper, "Der Gärtner vom Hügelgarten ist Ida Brandt."),
            (
                "¿Quién es el jardinero de Hill Orchard?",
                keeper,
                "El jardinero de Hill Orchard es Ida Brandt.",
            ),
            (
                "Qui est le jardinier de Hill Orchard ?",
                keeper,
                "Le jardinier de Hill Orchard est Ida Brandt.",
            ),
            (
                "Which orchards are there in the village?",
                ALL,
                "3 orchards are there in the village: Moor Orchard, Hill Orchard and Dale Orchard.",
            ),
            (
                "Welche Obstgärten liegen am Dorf?",
                ALL,
                "3 Obstgärten liegen am Dorf: Moor Orchard, Hügelgarten und Dale Orchard.",
            ),
            (
                "¿Qué huertos están abiertos?",
                ALL,
                "3 huertos están abiertos: Moor Orchard, Hill Orchard y Dale Orchard.",
            ),
            (
                "Quels vergers sont ouverts ?",
                ALL,
                "3 vergers sont ouverts\u{a0}: Moor Orchard, Hill Orchard et Dale Orchard.",
            ),
        ])
        .await;
}

#[tokio::test]
async fn numbers_have_the_manner_and_the_unit_that_the_graph_tells() {
    let graph = orchards().await;
    let (trees, area) = ("SELECT ?n { :hill :trees ?n }", "SELECT ?a { :hill :areaHa ?a }");
    let average = "SELECT (AVG(?a) AS ?m) { ?o :areaHa ?a }";
    graph
        .expect(&[
            ("How many trees does Hill Orchard have?", trees, "Hill Orchard has 2,850 trees."),
            ("Wie viele Bäume hat der Hügelgarten?", trees, "2.850 Bäume hat der Hügelgarten."),
            ("How large is Hill Orchard?", area, "Hill Orchard is 12.5\u{a0}ha large."),
            ("Wie groß ist der Hügelgarten?", area, "Der Hügelgarten ist 12,5\u{a0}ha groß."),
            ("Combien mesure Hill Orchard ?", area, "Superficie\u{a0}: 12,5\u{a0}ha."),
            (
                "What share is old at Hill Orchard?",
                "SELECT ?s { :hill :share ?s }",
                "Share of old trees: 40%.",
            ),
            ("Mean size?", average, "Average area: 7.5\u{a0}ha."),
            ("Durchschnittliche Größe der Gärten?", average, "Durchschnitt (Fläche): 7,5\u{a0}ha."),
            ("How many?", "SELECT (COUNT(?o) AS ?c) { ?o a :Orchard }", "Count (orchard): 3."),
            ("Half of it?", "SELECT (?a / 2 AS ?half) { :hill :areaHa ?a }", "6.25."),
        ])
        .await;
}

#[tokio::test]
async fn dates_years_truths_and_places_are_told_as_such() {
    let graph = orchards().await;
    let opened = "SELECT ?d { :hill :opened ?d }";
    graph
        .expect(&[
            ("When did Hill Orchard open?", opened, "Hill Orchard opened on 3 May 1999."),
            ("Wann öffnete der Hügelgarten?", opened, "Der Hügelgarten öffnete am 3. Mai 1999."),
            ("¿Cuándo abrió Hill Orchard?", opened, "Hill Orchard abrió el 3 de mayo de 1999."),
            ("Quand a ouvert Hill Orchard ?", opened, "Hill Orchard a ouvert le 3 mai 1999."),
            ("Opening day of Hill Orchard", opened, "Opening day: 3 May 1999."),
            (
                "When was Hill Orchard founded?",
                "SELECT ?y { :hill :plantedYear ?y }",
                "Hill Orchard was founded in 1987.",
            ),
            ("Since when?", "SELECT ?y { :hill :plantedYear ?y }", "Planting year: 1987."),
            ("Which year?", "SELECT (YEAR(?d) AS ?y) { :hill :opened ?d }", "Year (opening day): 1999."),
            ("Open?", "SELECT ?o { :hill :open ?o }", "Open to visitors: yes."),
            ("Where?", "SELECT ?p { :hill :place ?p }", "Place: 52.25, 10.5."),
            ("Is Hill Orchard open?", "ASK { :hill :open true }", "Yes."),
            ("Is Dale Orchard open?", "ASK { :dale :open true }", "No, the graph does not say so."),
            ("Ist Hill Orchard offen?", "ASK { :hill :open true }", "Ja."),
        ])
        .await;
}

#[tokio::test]
async fn tables_and_details_are_told_row_by_row() {
    let graph = orchards().await;
    let best = format!("{TREES} LIMIT 1");
    let labelled =
        "SELECT ?o ?name { ?o a :Orchard ; rdfs:label ?name FILTER(LANG(?name) = 'en') } ORDER BY ?name";
    let groups = "SELECT ?k (COUNT(?o) AS ?c) { ?o :keeper ?k } GROUP BY ?k ORDER BY DESC(?c)";
    graph
        .expect(&[
            ("Trees of each orchard", TREES, "3 rows (orchard, number of trees): Hill Orchard – 2,850; Moor Orchard – 1,000; Dale Orchard – 410."),
            ("Which orchard has the most trees?", &best, "Hill Orchard (number of trees: 2,850) has the most trees."),
            ("Orchards by name in English", labelled, "Orchard: Dale Orchard, Hill Orchard and Moor Orchard (3 in all)."),
            ("Orchards per keeper", groups, "2 rows (keeper, count): Ida Brandt – 2; Ole Vik – 1."),
        ])
        .await;
}

#[tokio::test]
async fn parts_name_the_things_and_hold_no_marks_that_turn_text() {
    let graph = orchards().await;
    let words =
        graph.words("Who keeps Moor Orchard?", "SELECT ?k { :moor :keeper ?k }", &Around::default()).await;
    let named: Vec<(&str, &str)> =
        words.parts.iter().filter_map(|part| Some((part.text.as_str(), part.iri.as_deref()?))).collect();
    assert_eq!(named, [("Ole Vik", "http://orchard.example/ole")]);
    assert_eq!(words.text, "Ole Vik keeps Moor Orchard.");
    assert_eq!((words.kind, words.by, words.lang.as_str()), (WordsKind::Answer, WordedBy::Reading, "en"));
}

#[tokio::test]
async fn doubt_is_said_and_words_without_a_place_are_named() {
    let graph = orchards().await;
    let words = graph.words("Which orchards are organic?", ALL, &insight(0.3, &["organic"], &[])).await;
    assert_eq!(words.kind, WordsKind::Doubt);
    assert_eq!(
        words.text,
        "This is only a guess. Orchard: Moor Orchard, Hill Orchard and Dale Orchard (3 in all). The query does not use “organic”."
    );
    let words = graph.words("Welche Obstgärten gibt es?", ALL, &insight(0.6, &[], &[])).await;
    assert_eq!(words.kind, WordsKind::Answer);
    assert_eq!(
        words.text,
        "3 Obstgärten gibt es: Moor Orchard, Hügelgarten und Dale Orchard. Das stimmt wahrscheinlich, ist aber nicht sicher."
    );
    // Restating the question would claim more than the rows show.
    let words = graph.words("Which orchards are organic?", ALL, &insight(0.9, &["organic"], &[])).await;
    assert!(words.text.starts_with("Orchard: Moor Orchard"), "{}", words.text);
}

#[tokio::test]
async fn what_the_graph_does_not_know_is_said_first() {
    let graph = orchards().await;
    for (question, text) in [
        ("Which orchards are in Atlantis?", "This graph knows nothing about “Atlantis”."),
        ("Welche Obstgärten liegen in Atlantis?", "Dieser Graph weiß nichts über „Atlantis“."),
        ("¿Qué huertos hay en Atlantis?", "Este grafo no sabe nada de «Atlantis»."),
        ("Quels vergers sont à Atlantis ?", "Ce graphe ne sait rien de «\u{a0}Atlantis\u{a0}»."),
    ] {
        // However confident a reading without the name is, its rows are not an answer.
        for probability in [0.2, 0.6, 0.9] {
            let around = insight(probability, &["Atlantis"], &["Atlantis"]);
            let words = graph.words(question, ALL, &around).await;
            assert_eq!((words.kind, words.text.as_str()), (WordsKind::NotInGraph, text), "{probability}");
        }
    }
    // A boolean result that ignores part of the question is useless.
    let around = insight(0.2, &["Atlantis"], &["Atlantis"]);
    let words = graph.words("Is Ida Brandt from Atlantis?", "ASK { ?o :keeper :ida }", &around).await;
    assert_eq!(words.kind, WordsKind::NotInGraph);
    // The graph knows this name, but the reading left it out.
    let words = graph.words("Which orchards has Ida Brandt?", ALL, &insight(0.2, &[], &["Ida Brandt"])).await;
    assert_eq!(words.kind, WordsKind::Doubt);
    assert!(words.text.ends_with("The query does not use “Ida Brandt”."), "{}", words.text);
}

#[tokio::test]
async fn what_remains_without_an_unknown_name_is_a_guess() {
    let graph = orchards().await;
    let kept = "SELECT ?o { ?o :keeper :ida } ORDER BY ?o";
    let question = "Which orchards that Ida Brandt keeps are in Atlantis?";
    let words = graph.words(question, kept, &insight(0.6, &["Atlantis"], &["Atlantis"])).await;
    assert_eq!(words.kind, WordsKind::Doubt);
    assert_eq!(
        words.text,
        "This graph knows nothing about “Atlantis”. This is only a guess. Dale Orchard and Hill Orchard (2 in all)."
    );
    let large = "SELECT ?o { ?o a :Orchard ; :areaHa ?a FILTER(?a > 10) }";
    let question = "Welche Obstgärten in Atlantis haben mehr als 10 ha?";
    let words = graph.words(question, large, &insight(0.2, &["Atlantis"], &["Atlantis"])).await;
    assert_eq!(
        words.text,
        "Dieser Graph weiß nichts über „Atlantis“. Das ist nur geraten. Obstgarten: Hügelgarten."
    );
}

#[tokio::test]
async fn things_with_a_like_name_are_no_answer_to_a_question_that_could_not_be_read() {
    let graph = orchards().await;
    let found = "SELECT ?o { ?o a :Orchard FILTER(STRENDS(STR(?o), \"hill\")) }";
    let words =
        graph.words("Wer malt den Hügelgarten?", found, &insight(0.0, &["malt", "Hügelgarten"], &[])).await;
    assert_eq!(words.kind, WordsKind::Doubt);
    assert_eq!(
        words.text,
        "Im Graphen fand sich keine Antwort, nur Dinge mit einem ähnlichen Namen wie in der Frage: Hügelgarten. Nicht eingeordnet: „malt“ und „Hügelgarten“."
    );
}

#[tokio::test]
async fn nothing_is_told_with_its_reason() {
    let graph = orchards().await;
    let none = "SELECT ?o { ?o a :Orchard ; :areaHa ?a FILTER(?a > 99) }";
    let around = Around { empty: Some("no orchard has an area above 99"), ..Around::default() };
    let words = graph.words("Which orchards are larger than 99 ha?", none, &around).await;
    assert_eq!(words.kind, WordsKind::Empty);
    assert_eq!(words.text, "Nothing was found: no orchard has an area above 99.");
    let words = graph.words("Welche Obstgärten sind größer als 99 ha?", none, &Around::default()).await;
    assert_eq!(words.text, "Es wurde nichts gefunden.");
    let unbound = "SELECT (MAX(?x) AS ?m) { ?o :nothing ?x }";
    assert_eq!(graph.words("What is most?", unbound, &Around::default()).await.kind, WordsKind::Empty);
}

#[tokio::test]
async fn long_lists_are_cut_with_their_number_and_cut_results_are_told() {
    let graph = orchards().await;
    let many = "SELECT ?n { VALUES ?n { 1 2 3 4 5 6 7 8 9 10 11 12 } }";
    let words = graph.words("Which are they?", many, &Around::default()).await;
    assert_eq!(words.text, "1, 2, 3, 4, 5, 6, 7, 8 and 4 others (12 in all).");
    let words =
        graph.words("Which orchards are there?", ALL, &Around { cut: true, ..Around::default() }).await;
    assert_eq!(
        words.text,
        "Orchard: Moor Orchard, Hill Orchard and Dale Orchard (at least 3; the result was cut)."
    );
}

#[tokio::test]
async fn columns_have_titles_kinds_and_units() {
    let graph = orchards().await;
    let query = "SELECT ?o ?keeper ?a ?y ?d ?open (?a * 2 AS ?double) { ?o a :Orchard ; :keeper ?keeper ; :areaHa ?a ; :plantedYear ?y ; :opened ?d ; :open ?open }";
    let told = graph
        .context("Everything", query, &Around::default(), async |context| {
            let one = |column: &Column| {
                let kind = serde_json::json!(column.kind);
                let unit = column.unit.as_deref().unwrap_or("-");
                format!("{} {} {unit}", column.title, kind.as_str().unwrap())
            };
            context.columns.iter().map(one).collect::<Vec<_>>()
        })
        .await;
    let expected = [
        "orchard thing -",
        "keeper thing -",
        "area number ha",
        "planting year year -",
        "opening day date -",
        "open to visitors boolean -",
        "double number -",
    ];
    assert_eq!(told, expected);
}

/// What a model is shown, and its text as words; nothing where no model is asked.
async fn by_model(question: &str, query: &str, text: &str) -> Option<(ModelPrompt, Option<Words>)> {
    let graph = orchards().await;
    graph
        .context(question, query, &Around::default(), async |context| {
            Some((model_prompt(context)?, read_model_text(context, text)))
        })
        .await
}

#[tokio::test]
async fn a_model_tells_the_rows_and_its_names_are_linked() {
    let text = "Hill Orchard has the most trees, 2,850; it is followed by Moor Orchard with 1,000.";
    let (prompt, words) = by_model("Which orchards have many trees?", TREES, text).await.unwrap();
    let words = words.unwrap();
    assert_eq!((words.text.as_str(), words.by), (text, WordedBy::Model));
    assert!(words.unverified.is_empty(), "{:?}", words.unverified);
    assert_eq!(words.parts.first().unwrap().iri.as_deref(), Some("http://orchard.example/hill"));
    let user = prompt.user;
    assert!(
        user.contains("\"Dale Orchard\" | 410") && user.contains("Which orchards have many trees?"),
        "{user}"
    );
}

#[tokio::test]
async fn what_a_model_adds_is_marked() {
    let text = "Hill Orchard near Lübeck has 2,851 trees, Moor Orchard has 1 thousand. Ida Brandt planted them in 1987.";
    let (_, words) = by_model("Which orchards have many trees?", TREES, text).await.unwrap();
    assert_eq!(words.unwrap().unverified, ["Lübeck", "2,851", "Ida Brandt", "1987"]);
    let text = "Der Hügelgarten hat 2.850 Bäume und der Garten Moor Orchard rund 1 Tausend. In Kassel gibt es keinen.";
    let (_, words) = by_model("Welche Obstgärten haben viele Bäume?", TREES, text).await.unwrap();
    assert_eq!(words.unwrap().unverified, ["Kassel"]);
}

#[tokio::test]
async fn a_model_is_asked_only_about_rows_and_an_empty_text_is_none() {
    let (_, words) = by_model("Which orchards?", ALL, " \n").await.unwrap();
    assert!(words.is_none());
    let none = "SELECT ?o { ?o a :Nothing }";
    assert!(by_model("Which orchards?", none, "There is one.").await.is_none());
}

#[tokio::test]
async fn titles_say_only_what_holds_for_every_row() {
    let graph = orchards().await;
    let either = "SELECT ?x { { ?x a :Orchard } UNION { ?x a :Keeper } } ORDER BY ?x LIMIT 1";
    let without = "SELECT ?x { ?o :keeper ?x FILTER NOT EXISTS { ?x a :Orchard } } ORDER BY ?x LIMIT 1";
    graph
        .expect(&[
            ("Anything?", either, "Dale Orchard."),
            ("Anybody?", without, "Keeper: Ida Brandt."),
            (
                "What is the number of orchards?",
                "SELECT (COUNT(?o) AS ?c) { ?o a :Orchard }",
                "The number of orchards is 3.",
            ),
            (
                "Which keeper is the oldest and who is the youngest?",
                "SELECT ?k { :hill :keeper ?k }",
                "Keeper: Ida Brandt.",
            ),
        ])
        .await;
}

#[tokio::test]
async fn what_the_graph_lacks_is_said_in_the_language_of_the_question() {
    let graph = orchards().await;
    const NOTHING: &str = "SELECT ?o { ?o :organic true }";
    let absent = |reason: &'static str| Around { absence: Some(reason), ..Around::default() };
    for (question, reason, context) in [
        (
            "Which orchards are organic?",
            "no orchard says how it is kept",
            "The graph does not contain the answer: no orchard says how it is kept.",
        ),
        (
            "Welche Obstgärten sind biologisch?",
            "Von keinem ist die Anbauart bekannt.",
            "Der Graph enthält die Antwort nicht: Von keinem ist die Anbauart bekannt.",
        ),
    ] {
        let words = graph.words(question, NOTHING, &absent(reason)).await;
        assert_eq!((words.text.as_str(), words.kind), (context, WordsKind::NotInGraph));
    }
}
