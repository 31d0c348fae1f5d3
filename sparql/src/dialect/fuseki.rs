//! Apache Jena Fuseki.
//!
//! Each response has `Fuseki-Request-Id`. Since version 3.9
//! ([JENA-218](https://issues.apache.org/jira/browse/JENA-218)) a request may lower the server's own time limit with the
//! parameter `timeout`, in seconds (`setTimeouts` in `SPARQLQueryProcessor.java`); older ones ignore it. A time-out is 503
//! "Query timed out"; after the first rows two lines of `##` are appended to a result whose status was 200 by then
//! (`ResponseResultSet.java`).

use super::{Dialect, Signs, TimeLimit, Wordings, plain};

pub(super) static DIALECT: Dialect = Dialect {
    name: "fuseki",
    title: "Apache Jena Fuseki",
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
    ..plain::DIALECT_ITSELF
};
