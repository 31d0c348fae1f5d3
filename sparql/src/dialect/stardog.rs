//! Stardog.
//!
//! Errors are JSON with `message` and `code`, and the header `SD-Error-Code`
//! ([timeouts](https://github.com/stardog-union/stardog-examples/issues/52): "Execution time exceeded query timeout 300000", QEQOE2).
//! The parameter `timeout` sets a query's time limit in milliseconds
//! ([query management](https://docs.stardog.com/operating-stardog/database-administration/query-management)). It listens on port
//! 5820. Its editor, Studio, is a separate program without documented URLs.

use super::{Dialect, GEOSPARQL, Signs, TimeLimit, Wordings, contains, plain};

pub(super) static DIALECT: Dialect = Dialect {
    name: "stardog",
    title: "Stardog",
    functions: &[GEOSPARQL],
    signs: Signs {
        url: |url| url.port() == Some(5820) && url.path().ends_with("/query"),
        headers: &[("sd-error-code", ""), ("server", "stardog")],
        body: |response| response.is_error && contains(response.body, "com.complexible.stardog."),
        ..plain::SIGNS
    },
    time_limit: Some(TimeLimit::Milliseconds("timeout")),
    wordings: Wordings {
        timeout: &["exceeded query timeout"],
        prefix: &[("QName '", "undefined prefix")],
        ..plain::WORDINGS
    },
    ..plain::DIALECT_ITSELF
};
