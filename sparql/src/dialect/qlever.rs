//! QLever.
//!
//! From its [source](https://github.com/ad-freiburg/qlever), as of August 2026: errors are JSON with the message in
//! `exception` and the position in `metadata` (`ParseException.h`, `Server.cpp`); 400 for syntax errors, 429 for
//! "Operation timed out.", 500 for "Tried to allocate ...". JSON results end with `meta` (`ExportQueryExecutionTrees.cpp`),
//! and an error after the first rows is appended to them. It does not support Blazegraph's services
//! ([differences](https://github.com/ad-freiburg/qlever/wiki/Differences-between-QLever's-Wikidata-SPARQL-endpoint-and-the-Wikidata-Query-Service-(WDQS))),
//! and its regular expressions are RE2's (`RegexExpression.cpp`).
//!
//! Its parameter `timeout`, like `30s`, is not sent: if it exceeds the server's limit, 30 s by default, the query is refused
//! with 403, and otherwise the server limit ends the query anyway (`verifyUserSubmittedQueryTimeout`).
//!
//! With its own user interface, `/api/NAME` is the endpoint and `/NAME` the editor, which takes the query from the
//! parameter `query`, like `https://qlever.dev/wikidata?query=…`.

use super::{Dialect, GEOSPARQL, Response, Signs, Wordings, XPATH_MATH, contains, plain};
use serde_json::Value;
use url::Url;

pub(super) static DIALECT: Dialect = Dialect {
    name: "qlever",
    title: "QLever",
    hints: &[
        "Write standard SPARQL 1.1: there is no SERVICE wikibase:label, bd: or hint:; take labels from rdfs:label with \
         FILTER(LANG(?label) = \"en\"), in the language that is asked for.",
        "Regular expressions know no look-around and no back-references.",
    ],
    // Its parser supports those of two namespaces (`SparqlQleverVisitor::processIriFunctionCall`).
    functions: &[GEOSPARQL, XPATH_MATH],
    signs: Signs {
        url: |url| url.host_str().is_some_and(|host| host.split('.').any(|part| part.starts_with("qlever"))),
        body,
        ..plain::SIGNS
    },
    wordings: Wordings {
        too_large: &["tried to allocate"],
        syntax: &["invalid sparql query"],
        prefix: &[("Prefix ", "was not registered")],
        tokens: &[("Token \"", "\"")],
        json_key: Some("exception"),
        place,
        after_output: |tail| tail.find("An error has occurred while exporting"),
        ..plain::WORDINGS
    },
    editor,
    ..plain::DIALECT_ITSELF
};

/// Bytes at the end of a result that are searched for `meta`.
const META_BYTES: usize = 200;

fn body(response: &Response<'_>) -> bool {
    if response.is_error {
        return serde_json::from_slice::<Value>(response.body)
            .is_ok_and(|json| json.get("exception").is_some() && json.get("status").is_some());
    }
    // Quotation marks inside values are escaped, so this cannot occur in one.
    let start = response.body.len().saturating_sub(META_BYTES);
    response.body.get(start..).is_some_and(|end| contains(end, r#""meta":{"query-time-ms":"#))
}

fn editor(endpoint: &Url) -> Option<String> {
    let name = endpoint.path().strip_prefix("/api/")?.trim_end_matches('/');
    let mut page = endpoint.join(&format!("/{name}")).ok().filter(|_| !name.is_empty())?;
    page.set_query(None);
    Some(format!("{page}?query={}", Dialect::QUERY))
}

/// Lines are 1-based, positions 0-based.
fn place(_: &str, json: &Value) -> Option<(usize, usize)> {
    let number = |key: &str| usize::try_from(json.get("metadata")?.get(key)?.as_u64()?).ok();
    Some((number("line")?, number("positionInLine")?.saturating_add(1)))
}
