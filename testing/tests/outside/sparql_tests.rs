//! The evaluation tests of SPARQL 1.0 and 1.1 by the W3C ([rdf-tests](https://github.com/w3c/rdf-tests)): a stored graph, asked
//! through the check and its rewriting, on threads and in workers, gives what Oxigraph gives directly; or where that turns on how
//! a literal is written, which Oxigraph's own store does not keep, what the W3C wants.
//!
//! `ERUCA_RDF_TESTS` names a clone; without it the test says that it was skipped.

use eruca_indexer::{NoProgress, read_quads};
use eruca_sparql::{
    CheckedQuery, EmbeddedStore, Limits, Prefixes, QueryPolicy, Results, SparqlEndpoint, WorkerOptions,
    WorkerStore, check,
};
use eruca_store::{StoreWriter, WriterOptions};
use eruca_testing::helpers::repository;
use eruca_testing::programs::{shows, skipped, within};
use oxigraph::model::{GraphName, NamedNode, Quad, Term};
use oxigraph::sparql::results::{QueryResultsFormat, QueryResultsParser, ReaderQueryResultsParserOutput};
use oxigraph::sparql::{QueryResults, QuerySolution, SparqlEvaluator};
use oxigraph::store::Store;
use spareval::ExpressionTerm;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::Duration;
use url::Url;

const LIMITS: Limits = Limits { timeout: Duration::from_secs(30), max_rows: 100_000, max_bytes: 100_000_000 };

/// What all manifests are asked for.
const TESTS: &str = "PREFIX mf: <http://www.w3.org/2001/sw/DataAccess/tests/test-manifest#>
    PREFIX qt: <http://www.w3.org/2001/sw/DataAccess/tests/test-query#>
    SELECT ?test ?query ?data ?named ?result WHERE {
      ?test a mf:QueryEvaluationTest ; mf:action ?action ; mf:result ?result . ?action qt:query ?query .
      OPTIONAL { ?action qt:data ?data } OPTIONAL { ?action qt:graphData ?named }
      FILTER NOT EXISTS { ?action <http://www.w3.org/ns/sparql-service-description#entailmentRegime> ?regime }
      FILTER NOT EXISTS { ?action qt:serviceData ?service } }";

/// One test: a query, and its graphs by their names.
#[derive(Default)]
struct Evaluation {
    query: PathBuf,
    graphs: BTreeMap<Option<String>, PathBuf>,
    result: PathBuf,
}

/// All tests of a clone, by their names.
fn evaluations(clone: &Path) -> BTreeMap<String, Evaluation> {
    let mut found: BTreeMap<String, Evaluation> = BTreeMap::new();
    for version in ["sparql10", "sparql11"] {
        let folders = std::fs::read_dir(clone.join("sparql").join(version)).unwrap();
        let folders = folders.map(|entry| entry.unwrap().path().join("manifest.ttl"));
        for manifest in folders.filter(|manifest| manifest.is_file()) {
            for row in selected(&manifest, TESTS) {
                let text = |name: &str| row.get(name).map(|term| iri(term).to_owned());
                let test = found.entry(format!("{version} {}", text("test").unwrap())).or_default();
                test.query = path(&text("query").unwrap());
                test.result = path(&text("result").unwrap());
                test.graphs.extend(text("data").map(|data| (None, path(&data))));
                test.graphs.extend(text("named").map(|named| (Some(named.clone()), path(&named))));
            }
        }
    }
    found
}

/// The rows that a query gives over a file.
fn selected(file: &Path, query: &str) -> Vec<QuerySolution> {
    let store = Store::new().unwrap();
    quads(file).into_iter().for_each(|quad| store.insert(&quad).unwrap());
    let query = SparqlEvaluator::new().parse_query(query).unwrap();
    let QueryResults::Solutions(rows) = query.on_store(&store).execute().unwrap() else { panic!() };
    rows.map(Result::unwrap).collect()
}

fn iri(term: &Term) -> &str {
    match term {
        Term::NamedNode(node) => node.as_str(),
        other => panic!("{other} is no IRI"),
    }
}

fn path(iri: &str) -> PathBuf {
    Url::parse(iri).unwrap().to_file_path().unwrap()
}

/// A file's statements, with its own address as base.
fn quads(file: &Path) -> Vec<Quad> {
    let mut quads = Vec::new();
    read_quads(file, false, &NoProgress, &mut |quad| quads.push(quad)).unwrap();
    quads
}

/// The statements of a test, those of named graphs in them.
fn dataset(test: &Evaluation) -> Vec<Quad> {
    let graph_name = |name: &Option<String>| match name {
        Some(name) => NamedNode::new(name).unwrap().into(),
        None => GraphName::DefaultGraph,
    };
    let quads = test.graphs.iter().flat_map(|(name, file)| {
        quads(file).into_iter().map(|quad| Quad { graph_name: graph_name(name), ..quad })
    });
    quads.collect()
}

/// What a query gave, without the names of blank nodes and the order of rows.
#[derive(Debug, PartialEq)]
enum Given {
    Boolean(bool),
    Rows(Vec<String>, Vec<Vec<String>>),
    Triples(Vec<String>),
}

/// A term by its value: Oxigraph keeps `1.0` as `1`, a stored graph as it was written.
fn shown(term: &Term) -> String {
    match term {
        Term::BlankNode(_) => "_:".to_owned(),
        other => Term::from(ExpressionTerm::from(other.clone())).to_string(),
    }
}

/// What Oxigraph says of the union of all graphs, and of each.
fn directly(quads: &[Quad], query: &str) -> Result<Given, String> {
    let store = Store::new().unwrap();
    for quad in quads {
        store.insert(quad).unwrap();
        store.insert(&Quad { graph_name: GraphName::DefaultGraph, ..quad.clone() }).unwrap();
    }
    let query = SparqlEvaluator::new().parse_query(query).map_err(|error| error.to_string())?;
    let failed = |error: oxigraph::sparql::QueryEvaluationError| error.to_string();
    Ok(match query.on_store(&store).execute().map_err(failed)? {
        QueryResults::Boolean(truth) => Given::Boolean(truth),
        QueryResults::Solutions(rows) => {
            let names: Vec<String> = rows.variables().iter().map(|name| name.as_str().to_owned()).collect();
            let mut given = Vec::new();
            for row in rows {
                let row = row.map_err(failed)?;
                given.push(row.values().iter().map(|term| term.as_ref().map_or("".into(), shown)).collect());
            }
            given.sort();
            Given::Rows(names, given)
        }
        QueryResults::Graph(triples) => {
            let triples = triples.map(|triple| triple.map_err(failed));
            let triples = triples.map(|triple| {
                triple
                    .map(|it| format!("{} {} {}", shown(&it.subject.into()), it.predicate, shown(&it.object)))
            });
            let mut triples = triples.collect::<Result<Vec<_>, _>>()?;
            triples.sort();
            triples.dedup();
            Given::Triples(triples)
        }
    })
}

async fn through(store: &dyn SparqlEndpoint, query: &CheckedQuery) -> Result<Given, String> {
    let answer = within("an answer", store.query(query, LIMITS)).await.map_err(|error| error.to_string())?;
    assert!(answer.incomplete.is_none());
    Ok(match answer.results {
        Results::Boolean(truth) => Given::Boolean(truth),
        Results::Solutions(found) => {
            let row = |row: &Vec<Option<Term>>| {
                row.iter().map(|term| term.as_ref().map_or("".into(), shown)).collect::<Vec<_>>()
            };
            let mut rows: Vec<Vec<String>> = found.rows.iter().map(row).collect();
            rows.sort();
            Given::Rows(found.variables.to_vec(), rows)
        }
        Results::Graph(triples) => {
            let shown = |it: &oxigraph::model::Triple| {
                format!("{} {} {}", shown(&it.subject.clone().into()), it.predicate, shown(&it.object))
            };
            let mut triples: Vec<String> = triples.iter().map(shown).collect();
            triples.sort();
            triples.dedup();
            Given::Triples(triples)
        }
    })
}

/// A set of rows, each with its variables; terms as they are written, but for the names of blank nodes.
type Bindings = Vec<BTreeMap<String, String>>;

fn written(term: &Term) -> String {
    if term.is_blank_node() { "_:".to_owned() } else { term.to_string() }
}

/// What the W3C wants, from a file of results: XML, or RDF with a node for each row.
fn wanted_by_w3c(file: &Path) -> Option<Bindings> {
    let mut rows: Bindings = if file.extension().is_some_and(|ending| ending == "srx") {
        let parser = QueryResultsParser::from_format(QueryResultsFormat::Xml);
        let found = parser.for_reader(std::fs::File::open(file).ok()?).ok()?;
        let ReaderQueryResultsParserOutput::Solutions(found) = found else { return None };
        let row = |row: QuerySolution| {
            row.iter().map(|(name, term)| (name.as_str().to_owned(), written(term))).collect()
        };
        found.map(|it| it.ok().map(row)).collect::<Option<_>>()?
    } else {
        let quads = quads(file);
        let of = |subject: &str, property: &str| {
            let of = |quad: &&Quad| {
                quad.subject.to_string() == subject
                    && quad.predicate.as_str() == format!("{RESULT_SET}{property}")
            };
            quads.iter().filter(of).map(|quad| quad.object.clone()).collect::<Vec<_>>()
        };
        let rows = quads.iter().filter(|quad| quad.predicate.as_str() == format!("{RESULT_SET}solution"));
        let cell = |cell: &Term| match &of(&cell.to_string(), "variable")[..] {
            [Term::Literal(name)] => (
                name.value().to_owned(),
                of(&cell.to_string(), "value").iter().map(written).collect::<String>(),
            ),
            other => panic!("{other:?} names no variable"),
        };
        rows.map(|row| of(&row.object.to_string(), "binding").iter().map(cell).collect()).collect()
    };
    rows.sort();
    Some(rows)
}

const RESULT_SET: &str = "http://www.w3.org/2001/sw/DataAccess/tests/result-set#";

/// Whether the answer is the one that the W3C wants, letter by letter.
async fn is_as_the_w3c_wants(store: &dyn SparqlEndpoint, query: &CheckedQuery, test: &Evaluation) -> bool {
    let answer = within("an answer", store.query(query, LIMITS)).await.unwrap();
    let Results::Solutions(found) = answer.results else { return false };
    let row = |row: &Vec<Option<Term>>| {
        let cells = found.variables.iter().zip(row);
        cells.filter_map(|(name, term)| Some((name.clone(), written(term.as_ref()?)))).collect()
    };
    let mut rows: Bindings = found.rows.iter().map(row).collect();
    rows.sort();
    wanted_by_w3c(&test.result).is_some_and(|wanted| wanted == rows)
}

/// How a test came out.
enum Outcome {
    Same,
    /// It turns on how literals are written, and is as the W3C wants it.
    AsWritten,
    /// The check refuses the query; why.
    Refused(String),
    Differs(String),
}

async fn evaluate(test: &Evaluation) -> Outcome {
    let text = std::fs::read_to_string(&test.query).unwrap();
    let base = Url::from_file_path(&test.query).unwrap();
    let text = format!("BASE <{base}>\n{text}");
    let any = || vec!["*".to_owned()];
    let policy = QueryPolicy { from: any(), functions: any(), ..QueryPolicy::default() };
    let quads = dataset(test);
    let folder = tempfile::tempdir().unwrap();
    let options = WriterOptions { folder: folder.path(), work: folder.path(), quads_in_memory: 1_000 };
    let mut writer = StoreWriter::create(&options).unwrap();
    quads.iter().for_each(|quad| writer.add(quad).unwrap());
    writer.finish().unwrap();
    let query = match check(&text, &Prefixes::default(), &policy) {
        Ok(query) => query,
        Err(error) => return Outcome::Refused(error.to_string()),
    };
    let wanted = directly(&quads, &text);
    let threads = EmbeddedStore::open(folder.path()).unwrap();
    let workers = WorkerStore::open(WorkerOptions {
        program: env!("CARGO_BIN_EXE_eruca-tested").into(),
        arguments: vec!["worker".into()],
        graph: folder.path().to_owned(),
        max_memory: None,
    });
    for (place, given) in
        [("threads", through(&threads, &query).await), ("workers", through(&workers.unwrap(), &query).await)]
    {
        let same = match (&wanted, &given) {
            (Ok(wanted), Ok(given)) => wanted == given,
            (Err(_), Err(_)) => true,
            (Ok(_), Err(_)) | (Err(_), Ok(_)) => false,
        };
        if !same && is_as_the_w3c_wants(&threads, &query, test).await {
            return Outcome::AsWritten;
        }
        if !same {
            return Outcome::Differs(format!("{place}: wanted {wanted:?}\ncame {given:?}\n{}", query.text()));
        }
    }
    Outcome::Same
}

#[tokio::test]
async fn stored_graphs_give_what_oxigraph_gives_in_the_tests_of_the_w3c() {
    let Some(clone) = std::env::var_os("ERUCA_RDF_TESTS").filter(|clone| !clone.is_empty()) else {
        return skipped("ERUCA_RDF_TESTS names no clone of w3c/rdf-tests");
    };
    let tests = evaluations(&repository().join(clone));
    let (mut same, mut as_written, mut refused, mut differ) = (0, 0, Vec::new(), Vec::new());
    for (name, test) in &tests {
        match evaluate(test).await {
            Outcome::Same => same += 1,
            Outcome::AsWritten => as_written += 1,
            Outcome::Refused(reason) => refused.push(format!("{name}: {reason}")),
            Outcome::Differs(how) => differ.push(format!("{name}: {how}")),
        }
    }
    let refused = refused.join("\n");
    shows(&format!(
        "{} tests: {same} as Oxigraph, {as_written} as the W3C wants where literals are kept as written, {} \
         otherwise; refused:\n{refused}",
        tests.len(),
        differ.len()
    ));
    assert!(differ.is_empty(), "{}", differ.join("\n\n"));
}
