//! Apache Jena Fuseki.
//!
//! Each response has `Fuseki-Request-Id`. Since version 3.9
//! ([JENA-218](https://issues.apache.org/jira/browse/JENA-218)) a request may lower the server's own time limit with the
//! parameter `timeout`, in seconds (`setTimeouts` in `SPARQLQueryProcessor.java`); older versions ignore it. A timeout is 503
//! "Query timed out"; after the first rows, when status 200 has already been sent, two lines of `##` are appended to the result
//! (`ResponseResultSet.java`).
//!
//! Its user interface shows a query of a dataset at `/#/dataset/NAME/query?query=…` (routes in `src/router/index.js` and
//! `views/dataset/Query.vue` of its
//! [`jena-fuseki-ui`](https://github.com/apache/jena/tree/main/jena-fuseki2/jena-fuseki-ui)). It is available next to the datasets
//! on a private server; a public endpoint behind another URL seldom exposes it.

use super::{Dialect, GEOSPARQL, Signs, TimeLimit, Wordings, XPATH_MATH, plain};
use url::Url;

pub(super) static DIALECT: Dialect = Dialect {
    name: "fuseki",
    title: "Apache Jena Fuseki",
    // https://jena.apache.org/documentation/query/library-function.html; the namespace loads classes by name, so only these
    // functions are allowed.
    functions: &[
        GEOSPARQL,
        XPATH_MATH,
        "http://jena.apache.org/ARQ/function#e",
        "http://jena.apache.org/ARQ/function#localname",
        "http://jena.apache.org/ARQ/function#max",
        "http://jena.apache.org/ARQ/function#min",
        "http://jena.apache.org/ARQ/function#namespace",
        "http://jena.apache.org/ARQ/function#pi",
        "http://jena.apache.org/ARQ/function#sqrt",
    ],
    signs: Signs {
        headers: &[("fuseki-request-id", ""), ("server", "apache jena fuseki"), ("server", "fuseki")],
        ..plain::SIGNS
    },
    time_limit: Some(TimeLimit::Seconds("timeout")),
    wordings: Wordings {
        timeout: &["query cancelled due to timeout"],
        prefix: &[("Unresolved prefixed name: ", "")],
        after_output: |tail| tail.find("##  Query cancelled due to timeout during execution"),
        ..plain::WORDINGS
    },
    editor,
    ..plain::DIALECT_ITSELF
};

/// The default port, and the name of the web application.
const PORT: u16 = 3030;
const APPLICATION: &str = "fuseki";
/// Names of the query services; the dataset URL itself also answers queries.
const SERVICES: [&str; 2] = ["query", "sparql"];

fn editor(endpoint: &Url) -> Option<String> {
    let mut path: Vec<&str> = endpoint.path().split('/').filter(|part| !part.is_empty()).collect();
    if endpoint.port() != Some(PORT) && !path.contains(&APPLICATION) {
        return None;
    }
    path.pop_if(|last| SERVICES.contains(last));
    let dataset = path.pop().filter(|name| *name != APPLICATION)?;
    path.push("");
    let page = endpoint.join(&format!("/{}", path.join("/"))).ok()?;
    Some(format!("{page}#/dataset/{dataset}/query?query={}", Dialect::QUERY))
}
