//! The Eclipse RDF4J server.
//!
//! Its [REST API](https://rdf4j.org/documentation/reference/rest-api/) has a parameter `timeout` in whole seconds. A syntax error
//! is 400 with "MALFORMED QUERY: "; a timeout is 503 with "Query evaluation took too long"
//! (`AbstractQueryRequestHandler.java`).
//!
//! Its Workbench is a separate program, and a URL with a query runs it instead of showing it in the editor
//! (`QueryServlet.java`), so there is no editor link.

use super::{Dialect, GEOSPARQL, Signs, TimeLimit, Wordings, plain};

pub(super) static DIALECT: Dialect = Dialect {
    name: "rdf4j",
    title: "RDF4J",
    functions: &[GEOSPARQL],
    signs: Signs {
        url: |url| url.path().split('/').any(|part| part == "rdf4j-server"),
        complaints: &["MALFORMED QUERY: "],
        ..plain::SIGNS
    },
    time_limit: TIME_LIMIT,
    wordings: WORDINGS,
    ..plain::DIALECT_ITSELF
};

pub(super) const TIME_LIMIT: Option<TimeLimit> = Some(TimeLimit::Seconds("timeout"));

/// Shared with GraphDB, which serves the same protocol.
pub(super) const WORDINGS: Wordings = Wordings {
    timeout: &["query evaluation took too long", "queryinterruptedexception"],
    syntax: &["malformed query", "malformedquery"],
    prefix: &[("QName '", "undefined prefix")],
    tokens: &[("ncountered: \"", "\"")],
    ..plain::WORDINGS
};
