//! Virtuoso, open source and commercial.
//!
//! A server truncates every result at `ResultSetMaxRows`, often 10,000, and reports this in `X-SPARQL-MaxRows`; on its own timeout
//! it may return the rows found so far, with `X-SQL-State: S1TAT` and status 200 or 206
//! ([README.ANYTIME](https://github.com/openlink/virtuoso-opensource/blob/develop/7/README.ANYTIME.md)). It sorts at most
//! `MaxSortedTopRows` rows per page ([SR353](https://github.com/openlink/virtuoso-opensource/issues/479)), 10,000 by default; a
//! sorted subquery has no such limit. Errors are plain text in its own format, sometimes with status 200, followed by the
//! query. ASK may be answered with a table. Blank nodes look like `nodeID://b1`. Virtuoso 7 does not support POST with the bare
//! query as the body, only with a form.
//!
//! Its parameter `timeout` (milliseconds) is not sent: it requests partial results instead of an error, so counts would be
//! wrong.
//!
//! Its endpoint shows browsers a form, which takes the query from the parameter `qtxt`
//! ([SPARQL protocol](https://docs.openlinksw.com/virtuoso/rdfsparqlprotocolendpoint/)).

use super::{Dialect, GEOSPARQL, Signs, Wordings, plain};
use crate::fence::one_line;
use crate::results::Incomplete;
use reqwest::header::HeaderMap;
use url::Url;

pub(super) static DIALECT: Dialect = Dialect {
    name: "virtuoso",
    title: "Virtuoso",
    hints: &[
        // https://github.com/openlink/virtuoso-opensource/issues/511 and 234
        "A property path with + or * needs a constant at one end.",
        // https://github.com/NatLibFi/Skosmos/issues/644
        "GROUP_CONCAT needs a separator: GROUP_CONCAT(?x; SEPARATOR=\", \").",
        "A result is cut at a number of rows that the server sets, often 10000; count with COUNT instead of listing.",
    ],
    // https://docs.openlinksw.com/virtuoso/rdfsparqlrulefulltext/ and virtuosotipsandtricksgeospatial; other `bif:` and
    // `sql:` functions can be any server procedure.
    functions: &[
        GEOSPARQL,
        "bif:contains",
        "bif:datediff",
        "bif:st_distance",
        "bif:st_intersects",
        "bif:st_point",
        "bif:st_within",
    ],
    signs: Signs {
        headers: &[("server", "virtuoso"), ("x-sparql-default-graph", "")],
        complaints: &[NAME],
        ..plain::SIGNS
    },
    wordings: Wordings {
        timeout: &["s1tat", "s1t00"],
        too_large: &["estimated execution time", "transitive temp memory", "sr353"],
        syntax: &["sp030"],
        prefix: &[
            ("Undefined namespace prefix in prefix '", ""),
            ("Undefined namespace prefix at '", ""),
            ("Undefined namespace prefix '", ""),
        ],
        tokens: &[(" at '", "'")],
        own: |words| words.split("\nSPARQL query:").next().unwrap_or(words),
        // It answers 500 where others answer 400.
        blames_query: is_error,
        after_output,
        ..plain::WORDINGS
    },
    cut,
    editor,
    ..plain::DIALECT_ITSELF
};

fn editor(endpoint: &Url) -> Option<String> {
    let mut form = endpoint.clone();
    form.set_query(None);
    form.set_fragment(None);
    Some(format!("{form}?qtxt={}", Dialect::QUERY))
}

/// Prefix of its blank node labels.
pub(super) const BLANK_NODE: &str = "nodeID://";

const NAME: &str = "Virtuoso ";

/// Maximum characters kept of a header about a partial result.
const MAX_REASON_CHARS: usize = 300;

fn is_error(line: &str) -> bool {
    line.starts_with(NAME) && line.contains(" Error ")
}

fn after_output(tail: &str) -> Option<usize> {
    let mut names = tail.match_indices(NAME).filter_map(|(at, _)| Some((at, tail.get(at..)?)));
    names.find(|(_, rest)| rest.lines().next().is_some_and(is_error)).map(|(at, _)| at)
}

fn cut(headers: &HeaderMap, rows: Option<usize>, limit: Option<usize>) -> Option<Incomplete> {
    let header = |name: &str| Some(String::from_utf8_lossy(headers.get(name)?.as_bytes()).into_owned());
    if let Some(state) = header("x-sql-state").filter(|state| state.trim() != "00000") {
        let message = header("x-sql-message").unwrap_or_default();
        return Some(Incomplete::Endpoint(one_line(format!("{state} {message}").trim(), MAX_REASON_CHARS)));
    }
    let rows = rows?;
    let most: usize = header("x-sparql-maxrows")?.trim().parse().ok()?;
    (rows >= most && limit.is_none_or(|limit| limit > rows)).then_some(Incomplete::ServerRows(most))
}
