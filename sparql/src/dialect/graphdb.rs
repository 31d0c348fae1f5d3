//! Ontotext GraphDB, which serves RDF4J's protocol and says much in its words.
//!
//! It names itself in `Server`
//! ([an example](https://github.com/pyvandenbussche/sparqles/issues/48)) and listens on port 7200. A query for which too little
//! memory is left fails with "Insufficient free Heap Memory"
//! ([an example](https://github.com/dasch-swiss/dsp-api/issues/1536)). Its repositories may have limits of time and rows
//! ([`query-timeout`, `query-limit-results`](https://graphdb.ontotext.com/documentation/11.0/configuring-a-repository.html));
//! it does not report that rows were cut off.
//!
//! Its Workbench opens `/sparql?query=…` with that query (so does its own chat, `sparql-editor` in the package
//! [graphdb-workbench](https://www.npmjs.com/package/graphdb-workbench)); `repositoryId` chooses the repository.

use super::{Dialect, GEOSPARQL, Signs, Wordings, contains, plain, rdf4j};
use url::Url;

pub(super) static DIALECT: Dialect = Dialect {
    name: "graphdb",
    title: "GraphDB",
    functions: &[GEOSPARQL],
    signs: Signs {
        url: |url| url.port() == Some(7200) && url.path().contains("/repositories/"),
        headers: &[("server", "graphdb")],
        // RDF4J sends the same words: they confirm a known GraphDB, but do not tell it from RDF4J.
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
