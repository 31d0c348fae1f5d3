//! Why rows are answers: the planner's own queries on the demo graph, explained in the language of the question.

use eruca::service::{Question, Service};
use eruca::startup;
use eruca::trace::Silent;
use eruca_api::{Reason, ShownTerm, Why};
use eruca_dataset::Dataset;
use eruca_indexer::NoProgress;
use eruca_language::{language, languages};
use eruca_sparql::{Answer, CheckedQuery, Results, Term, local_name};
use eruca_testing::helpers::data;
use eruca_testing::scripted::Setup;
use eruca_verbalize::why::{WhyError, explained, why};
use std::sync::Arc;
use std::time::Duration;

const TIME: Duration = Duration::from_secs(60);

struct Graph {
    service: Arc<Service>,
    dataset: Arc<Dataset>,
    _setup: Setup,
}

impl Graph {
    async fn demo() -> Self {
        Self::of(Setup::demo(), "demo").await
    }

    async fn workshop() -> Self {
        let file = serde_json::Value::from(data("workshop.ttl"));
        Self::of(Setup::new(&format!("[[datasets]]\nid = \"graph\"\nfiles = [{file}]")), "graph").await
    }

    async fn of(setup: Setup, id: &str) -> Self {
        let service = startup::open_service(&setup.settings, &NoProgress).await.unwrap();
        let dataset = service.dataset(id).unwrap();
        Self { service, dataset, _setup: setup }
    }

    async fn run(&self, query: &str) -> (CheckedQuery, Answer) {
        let query = self.dataset.check(query).unwrap();
        let answer = self.dataset.run(&query, TIME).await.unwrap();
        (query, Arc::unwrap_or_clone(answer))
    }

    /// What the planner makes of a question, and why the first row is an answer.
    async fn asked(&self, text: &str) -> (String, Why) {
        let question = Question { dataset: self.dataset.id.clone(), text: text.to_owned() };
        let answered = self.service.answer(&question, &Silent).await.unwrap();
        let (query, answer) = self.run(&answered.query).await;
        let dataset = self.dataset.asked(&self.dataset.read(text));
        (answered.query.clone(), why(&dataset, &query, &answer, 0, TIME).await.unwrap())
    }

    /// Every statement that is told stands in the graph.
    async fn check(&self, told: &str, why: &Why) {
        assert!(why.notes.is_empty(), "{told}: {why:?}");
        assert!(!why.parts.is_empty(), "{told}");
        for [s, p, o] in statements(&why.parts).into_iter().map(|terms| terms.map(ShownTerm::to_term)) {
            let (_, answer) = self.run(&format!("ASK {{ {s} {p} {o} }}")).await;
            assert_eq!(answer.results, Results::Boolean(true), "{told}: {s} {p} {o}");
        }
    }
}

fn statements(parts: &[Reason]) -> Vec<[&ShownTerm; 3]> {
    let mut found = Vec::new();
    for part in parts {
        match part {
            Reason::Triple { subject, predicate, object, .. } => found.push([subject, predicate, object]),
            Reason::Path { triples, .. } => found.extend(triples.iter().map(|triple| statement(triple))),
            Reason::Members { triples, example, .. } => {
                found.extend(triples.iter().flatten().map(|triple| statement(triple)));
                found.extend(statements(example));
            }
            _ => {}
        }
    }
    found
}

fn statement(triple: &[ShownTerm]) -> [&ShownTerm; 3] {
    let [subject, predicate, object] = triple else { panic!("{triple:?}") };
    [subject, predicate, object]
}

fn short(term: &ShownTerm) -> String {
    match &term.to_term() {
        Term::NamedNode(node) => local_name(node.as_str()).to_owned(),
        Term::Literal(literal) => format!("\"{}\"", literal.value()),
        _ => "_".to_owned(),
    }
}

fn line(part: &Reason) -> String {
    let said = |triple: [&ShownTerm; 3]| triple.map(short).join(" ");
    match part {
        Reason::Triple { subject, predicate, object, optional } => {
            format!("{}{}", said([subject, predicate, object]), if *optional { " (optional)" } else { "" })
        }
        Reason::Path { subject, path, object, triples } => format!(
            "{} … {} by {path}: {}",
            short(subject),
            short(object),
            triples.iter().map(|triple| said(statement(triple))).collect::<Vec<_>>().join(", ")
        ),
        Reason::Condition { words, holds } => format!("{words}{}", if *holds { "" } else { " (not so)" }),
        Reason::Absent { words, .. }
        | Reason::Rank { words, .. }
        | Reason::Either { words }
        | Reason::Named { words }
        | Reason::OptionalMissing { words } => words.clone(),
        Reason::Members { of, members, total, value, example, .. } => {
            let first = members.iter().take(3).map(|row| row.iter().map(short).collect::<Vec<_>>().join(" "));
            let example: Vec<String> = example.iter().map(line).collect();
            format!(
                "{of} = {}: {} of {total:?} [{}]",
                value.as_ref().map_or_else(String::new, short),
                first.collect::<Vec<_>>().join(", "),
                example.join("; ")
            )
        }
    }
}

fn shown(why: &Why) -> String {
    let lines: Vec<String> = why.parts.iter().map(|part| format!("  {}", line(part))).collect();
    format!("{}\n{}", why.text, lines.join("\n"))
}

/// The parts in alphabetical order: that of a query may be another one, where two readings are equal.
async fn told(graph: &Graph, questions: &[&str]) -> String {
    let mut all = Vec::new();
    for question in questions {
        let (query, why) = graph.asked(question).await;
        graph.check(&format!("{question}\n{query}"), &why).await;
        let shown = shown(&why);
        let (mut parts, sentence): (Vec<&str>, Vec<&str>) =
            shown.lines().partition(|line| line.starts_with("  "));
        parts.sort_unstable();
        let lines: Vec<&str> = sentence.into_iter().chain(parts).collect();
        all.push(format!("{question}\n{}", lines.join("\n")));
    }
    all.join("\n\n")
}

#[tokio::test]
async fn answers_of_the_planner_are_explained_in_the_language_of_the_question() {
    let graph = Graph::demo().await;
    let questions = [
        "Which rivers flow through Germany?",
        "Which three rivers are the longest?",
        "How many countries are in Europe?",
        "Which countries have more than 100 million inhabitants?",
        "Welche Länder haben mehr als 100 Millionen Einwohner?",
        "Wie viele Städte gibt es in Frankreich?",
        "Welcher Berg ist der höchste?",
        "¿Cuál es la capital de España?",
        "Quelle est la population moyenne des pays d'Europe ?",
    ];
    insta::assert_snapshot!(told(&graph, &questions).await, @r#"
    Which rivers flow through Germany?
    This row is an answer because of 2 statements of the graph.
      Rhine flowsThrough Germany
      Rhine type River

    Which three rivers are the longest?
    This row is an answer because of 2 statements of the graph.
      Nile lengthKm "6650"
      Nile type River
      number 1 by length = 6,650 km, largest first

    How many countries are in Europe?
    This row is an answer because of 35 members that are counted or reckoned with.
      number of different country = "35": Austria, Belgium, Bulgaria of Some(35) [Austria continent Europe; Austria type Country]

    Which countries have more than 100 million inhabitants?
    This row is an answer because of 2 statements of the graph and one condition that holds.
      Brazil population "203000000"
      Brazil type Country
      population (203,000,000) > 100,000,000

    Welche Länder haben mehr als 100 Millionen Einwohner?
    Diese Zeile ist eine Antwort aufgrund von 2 Aussagen des Graphen und einer Bedingung, die gilt.
      Brazil population "203000000"
      Brazil type Country
      Einwohnerzahl (203.000.000) > 100.000.000

    Wie viele Städte gibt es in Frankreich?
    Diese Zeile ist eine Antwort aufgrund von 3 Mitgliedern, die gezählt oder verrechnet werden.
      Anzahl (Stadt, ohne Doppelte) = "3": Lyon, Marseille, Paris of Some(3) [Lyon inCountry France; Lyon type City]

    Welcher Berg ist der höchste?
    Diese Zeile ist eine Antwort aufgrund von 2 Aussagen des Graphen.
      Mount_Everest heightM "8849"
      Mount_Everest type Mountain
      Nummer 1 nach Höhe = 8.849 m, das Größte zuerst

    ¿Cuál es la capital de España?
    Esta fila es una respuesta gracias a un enunciado del grafo.
      Spain capital Madrid

    Quelle est la population moyenne des pays d'Europe ?
    Cette ligne est une réponse grâce à 34 membres comptés ou pris dans le calcul.
      moyenne de population = "23715529.411764705882352941": Austria "9150000", Belgium "11700000", Bulgaria "6440000" of Some(34) [Austria type Country; Austria continent Europe; Austria population "9150000"]
    "#);
}

#[tokio::test]
async fn every_kind_of_question_is_explained() {
    let graph = Graph::workshop().await;
    let questions = [
        "Which rooms have no foreman?",
        "Which tools are from German makers?",
        "Which hand tools weigh more than 1000 g?",
        "What is the second most expensive tool?",
        "Which maker makes the heaviest hammer?",
        "Who was hired before 2000?",
        "Are there rooms with no worker?",
        "Which workers are without a foreman?",
        "What is the average price of the tools?",
        "Welche Hersteller sind in Frankreich?",
    ];
    insta::assert_snapshot!(told(&graph, &questions).await, @r#"
    Which rooms have no foreman?
    This row is an answer because of one statement of the graph and one thing that was looked for and not found.
      loft type Room
      looked for and not found: foreman: works in Quiet Loft

    Which tools are from German makers?
    This row is an answer because of 5 statements of the graph.
      HandTool … Tool by sub class of any number of times: HandTool subClassOf Tool
      brunn homeNation Germany
      brunn type Maker
      t2 madeBy brunn
      t2 type HandTool

    Which hand tools weigh more than 1000 g?
    This row is an answer because of 2 statements of the graph and one condition that holds.
      t4 type HandTool
      t4 weight_g "4200"
      weight (4,200 g) > 1,000 g

    What is the second most expensive tool?
    This row is an answer because of 3 statements of the graph.
      Machine … Tool by sub class of any number of times: Machine subClassOf Tool
      number 2 by price = 79, largest first
      t6 price "79.00"
      t6 type Machine

    Which maker makes the heaviest hammer?
    This row is an answer because of 4 statements of the graph.
      delta type Maker
      number 1 by weight = 4,200 g, largest first
      t4 madeBy delta
      t4 ofKind hammers
      t4 weight_g "4200"

    Who was hired before 2000?
    This row is an answer because of one statement of the graph and one condition that holds.
      p4 hired "1999-07-15"
      part of date of hiring (1999) < 2000

    Are there rooms with no worker?
    The answer is yes because of one statement of the graph and one thing that was looked for and not found.
      loft type Room
      looked for and not found: worker: works in Quiet Loft; worker

    Which workers are without a foreman?
    This row is an answer because of 2 statements of the graph and one thing that was looked for and not found.
      Foreman … Worker by sub class of any number of times: Foreman subClassOf Worker
      looked for and not found: Ada Lund: has foreman
      p1 type Foreman

    What is the average price of the tools?
    This row is an answer because of 7 members that are counted or reckoned with.
      average of price = "71.628571428571428571": t1 "24.5", t2 "9.9", t3 "18" of Some(7) [t1 type HandTool; HandTool … Tool by sub class of any number of times: HandTool subClassOf Tool; t1 price "24.50"]

    Welche Hersteller sind in Frankreich?
    Diese Zeile ist eine Antwort aufgrund von 2 Aussagen des Graphen.
      arbor homeNation France
      arbor type Maker
    "#);
}

const QUERY: &str = "PREFIX w: <https://example.org/workshop/>
    SELECT ?maker (COUNT(DISTINCT ?tool) AS ?tools) (AVG(?mm) AS ?mean) WHERE {
      ?tool a/rdfs:subClassOf* w:Tool ; w:madeBy ?maker ; w:length_mm ?text .
      BIND(xsd:decimal(?text) AS ?mm)
      OPTIONAL { ?maker w:homeNation ?nation }
      { ?tool w:price ?price } UNION { ?tool w:fitsWith+ ?other }
      FILTER(?mm * 2 > 100 && ?nation != w:nowhere)
      FILTER NOT EXISTS { ?tool w:hired ?day FILTER(YEAR(?day) < 2000) }
    } GROUP BY ?maker HAVING(COUNT(?tool) >= 1) ORDER BY DESC(?tools) ?maker LIMIT 3";

#[tokio::test]
async fn a_query_is_explained_part_by_part_in_every_language() {
    let graph = Graph::workshop().await;
    let query = graph.dataset.check(QUERY).unwrap();
    let mut all = Vec::new();
    for language in languages() {
        let parts = explained(&graph.dataset, &query, language);
        let lines: Vec<String> = parts.iter().map(|part| part.words.clone()).collect();
        all.push(format!("{}\n{}", language.tag(), lines.join("\n")));
    }
    insta::assert_snapshot!(all.join("\n\n"), @r#"
    de
    ?tool ist tool, auch von einer Unterart
    ?tool: maker ?maker und length (mm) ?text
    ?mm steht für length
    wo es bekannt ist: ?maker: nation ?nation
    entweder ?tool: price ?price oder von ?tool zu ?other über einmal oder öfter compatible tool
    nur wo gilt: ?mm × 2 > 100
    nur wo gilt: nation ≠ nowhere
    es darf nicht geben: ?tool: date of hiring ?day; nur wo gilt: Jahr von date of hiring < 2000
    je eine Zeile für maker
    ?tools ist: Anzahl (tool, ohne Doppelte)
    ?mean ist: Durchschnitt von ?mm
    nur wo gilt: Anzahl (tool) ≥ 1
    gezeigt wird: maker, Anzahl (tool) und Durchschnitt (length)
    geordnet nach Anzahl (tool), das Größte zuerst und maker, das Kleinste zuerst
    nur die ersten 3

    en
    ?tool is a tool, also of a kind of it
    ?tool: maker ?maker and length (mm) ?text
    ?mm stands for length
    where it is known: ?maker: nation ?nation
    either ?tool: price ?price or from ?tool to ?other by compatible tool once or more often
    only where ?mm × 2 > 100
    only where nation ≠ nowhere
    there must be none: ?tool: date of hiring ?day; only where year of date of hiring < 2000
    one row for each maker
    ?tools is the number of different tool
    ?mean is the average of ?mm
    only where number of tool ≥ 1
    shown: maker, count (tool) and average length
    in the order of count (tool), largest first and maker, smallest first
    only the first 3

    es
    ?tool es tool, también de una clase inferior
    ?tool: maker ?maker y length (mm) ?text
    ?mm representa length
    donde se conoce: ?maker: nation ?nation
    o bien ?tool: price ?price o de ?tool a ?other por compatible tool una o más veces
    solo donde ?mm × 2 > 100
    solo donde nation ≠ nowhere
    no debe haber: ?tool: date of hiring ?day; solo donde año de date of hiring < 2000
    una fila por cada maker
    ?tools es: cantidad (tool, sin repetidos)
    ?mean es: media de ?mm
    solo donde cantidad (tool) ≥ 1
    se muestra: maker, cantidad (tool) y media (length)
    por orden de cantidad (tool), lo mayor primero y maker, lo menor primero
    solo los primeros 3

    fr
    ?tool est tool, y compris d'une sous-classe
    ?tool : maker ?maker et length (mm) ?text
    ?mm désigne length
    là où c'est connu : ?maker : nation ?nation
    soit ?tool : price ?price ou de ?tool à ?other par compatible tool une ou plusieurs fois
    seulement où ?mm × 2 > 100
    seulement où nation ≠ nowhere
    il ne doit pas y avoir : ?tool : date of hiring ?day; seulement où année de date of hiring < 2000
    une ligne pour chaque maker
    ?tools est : nombre (tool, sans doublons)
    ?mean est : moyenne de ?mm
    seulement où nombre (tool) ≥ 1
    affiché : maker, nombre (tool) et moyenne (length)
    dans l'ordre de nombre (tool), le plus grand d'abord et maker, le plus petit d'abord
    seulement les 3 premiers

    it
    ?tool è tool, anche di una classe inferiore
    ?tool: maker ?maker e length (mm) ?text
    ?mm sta per length
    dove è noto: ?maker: nation ?nation
    o ?tool: price ?price o da ?tool a ?other per compatible tool una o più volte
    solo dove ?mm × 2 > 100
    solo dove nation ≠ nowhere
    non deve esserci: ?tool: date of hiring ?day; solo dove anno di date of hiring < 2000
    una riga per ogni maker
    ?tools è: numero (tool, senza ripetizioni)
    ?mean è: media di ?mm
    solo dove numero (tool) ≥ 1
    si mostra: maker, numero (tool) e media (length)
    in ordine di numero (tool), prima il maggiore e maker, prima il minore
    solo i primi 3

    nl
    ?tool is tool, ook van een klasse daaronder
    ?tool: maker ?maker en length (mm) ?text
    ?mm staat voor length
    waar bekend: ?maker: nation ?nation
    ofwel ?tool: price ?price of van ?tool naar ?other via compatible tool een of meer keren
    alleen waar ?mm × 2 > 100
    alleen waar nation ≠ nowhere
    er mag niet zijn: ?tool: date of hiring ?day; alleen waar jaar van date of hiring < 2000
    één rij per maker
    ?tools is: aantal (tool, zonder herhaling)
    ?mean is: gemiddelde van ?mm
    alleen waar aantal (tool) ≥ 1
    getoond wordt: maker, aantal (tool) en gemiddelde (length)
    op volgorde van aantal (tool), het grootste eerst en maker, het kleinste eerst
    alleen de eerste 3

    pt
    ?tool é tool, também de uma classe inferior
    ?tool: maker ?maker e length (mm) ?text
    ?mm representa length
    onde se conhece: ?maker: nation ?nation
    ou ?tool: price ?price ou de ?tool a ?other por compatible tool uma ou mais vezes
    só onde ?mm × 2 > 100
    só onde nation ≠ nowhere
    não pode haver: ?tool: date of hiring ?day; só onde ano de date of hiring < 2000
    uma linha por cada maker
    ?tools é: quantidade (tool, sem repetições)
    ?mean é: média de ?mm
    só onde quantidade (tool) ≥ 1
    mostra-se: maker, quantidade (tool) e média (length)
    por ordem de quantidade (tool), o maior primeiro e maker, o menor primeiro
    só os primeiros 3

    ru
    ?tool – класс: tool, включая его виды
    ?tool: maker ?maker и length (mm) ?text
    ?mm обозначает length
    если известно: ?maker: nation ?nation
    либо ?tool: price ?price или ?tool → ?other, путь: compatible tool один или несколько раз
    только если ?mm × 2 > 100
    только если nation ≠ nowhere
    не должно быть: ?tool: date of hiring ?day; только если год (date of hiring) < 2000
    по строке на каждое: maker
    ?tools – это количество различных (tool)
    ?mean – это среднее (?mm)
    только если количество (tool) ≥ 1
    показано: maker, количество (tool) и среднее (length)
    порядок: количество (tool), сначала большие и maker, сначала меньшие
    только первые строки: 3

    zh
    ?tool是tool或其子类
    ?tool：maker ?maker和length (mm) ?text
    ?mm表示length
    如果已知：?maker：nation ?nation
    以下之一：?tool：price ?price或从?tool经compatible tool一次或多次到?other
    仅限：?mm × 2 > 100
    仅限：nation ≠ nowhere
    不能有：?tool：date of hiring ?day; 仅限：date of hiring的年份 < 2000
    每个maker一行
    ?tools是不同的tool的数量
    ?mean是?mm的平均值
    仅限：tool的数量 ≥ 1
    显示：maker, 数量（tool）和length平均值
    按数量（tool），从大到小和maker，从小到大排序
    只取前3个
    "#);
    let parts = explained(&graph.dataset, &query, language("en").unwrap());
    let texts: Vec<&str> = parts.iter().map(|part| part.sparql.as_str()).collect();
    insta::assert_snapshot!(texts.join("\n"), @r#"
    ?tool rdf:type ?_1 . ?_1 (rdfs:subClassOf)* w:Tool .
    ?tool w:madeBy ?maker . ?tool w:length_mm ?text .
    BIND(xsd:decimal(?text) AS ?mm)
    OPTIONAL { ?maker w:homeNation ?nation . }
    { ?tool w:price ?price . } UNION { ?tool (w:fitsWith)+ ?other . }
    FILTER((?mm * 2) > 100)
    FILTER(?nation != w:nowhere)
    FILTER(NOT EXISTS { ?tool w:hired ?day . FILTER(YEAR(?day) < 2000) })
    GROUP BY ?maker
    (COUNT(DISTINCT ?tool) AS ?tools)
    (AVG(?mm) AS ?mean)
    HAVING(COUNT(?tool) >= 1)
    SELECT ?maker ?tools ?mean
    ORDER BY DESC(?tools) ASC(?maker)
    LIMIT 3
    "#);
    let (query, answer) = graph.run(QUERY).await;
    let why = why(&graph.dataset, &query, &answer, 0, TIME).await.unwrap();
    graph.check(QUERY, &why).await;
    insta::assert_snapshot!(shown(&why), @r#"
    This row is an answer because of 3 members that are counted or reckoned with and one condition that holds.
      number of different tool = "2": t1, t7 of Some(2) [t1 type HandTool; HandTool … Tool by sub class of any number of times: HandTool subClassOf Tool; t1 madeBy arbor; t1 length_mm "650"; mm = length (650 mm) = 650 mm; arbor homeNation France (optional); of 2 ways, number 2 holds: from Rip Saw to Bar Clamp by compatible tool once or more often; t1 … t7 by compatible tool once or more often: t1 fitsWith t7; mm × 2 (1300) > 100; nation (France) ≠ nowhere; looked for and not found: Rip Saw: date of hiring; year of date of hiring < 2000]
      average of mm = "833.333333333333333333": t1 "650", t1 "650", t7 "1200" of Some(3) [t1 type HandTool; HandTool … Tool by sub class of any number of times: HandTool subClassOf Tool; t1 madeBy arbor; t1 length_mm "650"; mm = length (650 mm) = 650 mm; arbor homeNation France (optional); of 2 ways, number 2 holds: from Rip Saw to Bar Clamp by compatible tool once or more often; t1 … t7 by compatible tool once or more often: t1 fitsWith t7; mm × 2 (1300) > 100; nation (France) ≠ nowhere; looked for and not found: Rip Saw: date of hiring; year of date of hiring < 2000]
      number of tool = "3": t1, t1, t7 of Some(3) [t1 type HandTool; HandTool … Tool by sub class of any number of times: HandTool subClassOf Tool; t1 madeBy arbor; t1 length_mm "650"; mm = length (650 mm) = 650 mm; arbor homeNation France (optional); of 2 ways, number 2 holds: from Rip Saw to Bar Clamp by compatible tool once or more often; t1 … t7 by compatible tool once or more often: t1 fitsWith t7; mm × 2 (1300) > 100; nation (France) ≠ nowhere; looked for and not found: Rip Saw: date of hiring; year of date of hiring < 2000]
      number of tool (3) ≥ 1
      number 1 by count (tool) = 2, largest first and maker = Arbor Works, smallest first
    "#);
}

#[tokio::test]
async fn what_cannot_be_shown_is_said() {
    let graph = Graph::workshop().await;
    let (query, answer) = graph.run("SELECT ?x { ?x a <https://example.org/workshop/Room> }").await;
    let rows = answer.row_count();
    let none = why(&graph.dataset, &query, &answer, rows, TIME).await;
    assert_eq!(none, Err(WhyError::NoSuchRow { row: rows, rows }));

    let hurried = why(&graph.dataset, &query, &answer, 0, Duration::ZERO).await.unwrap();
    assert!(hurried.parts.is_empty(), "{hurried:?}");
    insta::assert_snapshot!(hurried.notes.join("\n"), @r#"There was no time to look up everything."#);

    // The data has changed since: what the row says is no longer in the graph.
    let (_, other) = graph.run("SELECT ?x { ?x a <https://example.org/workshop/Kind> }").await;
    let gone = why(&graph.dataset, &query, &other, 0, TIME).await.unwrap();
    insta::assert_snapshot!(format!("{}\n{}", gone.text, gone.notes.join("\n")), @r#"
    Why this row is an answer could not be found out.
    The row is no longer there: the data has changed, or the endpoint answers otherwise now.
    "#);

    let (query, answer) = graph.run("CONSTRUCT { ?x a ?y } WHERE { ?x a ?y } LIMIT 2").await;
    let made = why(&graph.dataset, &query, &answer, 1, TIME).await.unwrap();
    insta::assert_snapshot!(made.notes.join("\n"), @r#"The query makes or describes statements; these are not explained one by one."#);

    let (query, answer) = graph.run("ASK { ?x a <https://example.org/workshop/Nothing> }").await;
    let no = why(&graph.dataset, &query, &answer, 0, TIME).await.unwrap();
    insta::assert_snapshot!(shown(&no), @r#"
    The answer is no: what was asked for is not in the graph.
      looked for and not found: Nothing
    "#);
}
