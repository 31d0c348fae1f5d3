//! The server of Eclipse RDF4J.
//!
//! Its [REST API](https://rdf4j.org/documentation/reference/rest-api/) has a parameter `timeout` in whole seconds. What cannot be
//! parsed is 400 with "MALFORMED QUERY: "; a time-out 503 with "Query evaluation took too long"
//! (`AbstractQueryRequestHandler.java`).
//!
//! Its Workbench is a program of its own, and an address with a query runs it rather than showing it in the editor
//! (`QueryServlet.java`): there is no editor to lead to.

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

/// Also those of GraphDB, which serves the same protocol.
pub(super) const WORDINGS: Wordings = Wordings {
    timeout: &["query evaluation took too long", "queryinterruptedexception"],
    syntax: &["malformed query", "malformedquery"],
    prefix: &[("QName '", "undefined prefix")],
    tokens: &[("ncountered: \"", "\"")],
    ..plain::WORDINGS
};
