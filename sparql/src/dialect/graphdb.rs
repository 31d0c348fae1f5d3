//! Ontotext GraphDB, which serves RDF4J's protocol and uses many of its messages.
//!
//! It identifies itself in `Server`
//! ([example](https://github.com/pyvandenbussche/sparqles/issues/48)) and listens on port 7200. A query that runs out of
//! memory fails with "Insufficient free Heap Memory"
//! ([example](https://github.com/dasch-swiss/dsp-api/issues/1536)). Its repositories may have time and row limits
//! ([`query-timeout`, `query-limit-results`](https://graphdb.ontotext.com/documentation/11.0/configuring-a-repository.html));
//! it does not report truncated results.
//!
//! Its Workbench opens a query at `/sparql?query=…` (as its own chat does, `sparql-editor` in the package
//! [graphdb-workbench](https://www.npmjs.com/package/graphdb-workbench)); `repositoryId` selects the repository.

use super::{Dialect, GEOSPARQL, Signs, Wordings, contains, plain, rdf4j};
use url::Url;

pub(super) static DIALECT: Dialect = Dialect {
    name: "graphdb",
    title: "GraphDB",
    functions: &[GEOSPARQL],
    signs: Signs {
        url: |url| url.port() == Some(7200) && url.path().contains("/repositories/"),
        headers: &[("server", "graphdb")],
        // RDF4J sends the same text: it confirms a known GraphDB, but does not distinguish it from RDF4J.
        complaints: &["MALFORMED QUERY: "],
        body: |response| response.is_error && contains(response.body, "com.ontotext."),
    },
    time_limit: rdf4j::TIME_LIMIT,
    wordings: Wordings {
        too_large: &["insufficient free heap memory", "notenoughmemoryfor"],
        ..rdf4j::WORDINGS
    },
    editor,
    ..plain::DIALECT_ITSELF
};

fn editor(endpoint: &Url) -> Option<String> {
    let (before, repository) = endpoint.path().split_once("/repositories/")?;
    let repository = repository.split('/').next().filter(|name| !name.is_empty())?;
    let page = endpoint.join(&format!("{before}/sparql")).ok()?;
    Some(format!("{page}?repositoryId={repository}&query={}", Dialect::QUERY))
}
