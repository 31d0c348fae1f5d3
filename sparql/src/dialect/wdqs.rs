//! Blazegraph, and the Wikidata Query Service, which runs on it.
//!
//! The service stops a query after 60 s, and allows each client 60 s of query time and 30 errors per minute; beyond that it
//! answers 429 with `Retry-After`, and bans clients that ignore it with 403 for a day
//! ([limits](https://www.mediawiki.org/wiki/Wikidata_Query_Service/User_Manual#Query_limits), `ThrottlingFilter.java` of
//! [wikidata-query-rdf](https://github.com/wikimedia/wikidata-query-rdf)). Its graph is
//! [split](https://www.wikidata.org/wiki/Wikidata:SPARQL_query_service/WDQS_graph_split): scholarly articles have a separate
//! endpoint. The service caches GET requests but not POST requests, which suits the default method of `remote`.
//!
//! An error after the first rows is appended to the results, when the status 200 has already been sent. It repeats the query
//! and ends with a Java stack trace ([example](https://github.com/BlueBrain/nexus/issues/731)). A header sets the time limit of
//! a query (`HTTP_HEADER_BIGDATA_MAX_QUERY_MILLIS` in
//! [`BigdataRDFContext`](https://github.com/blazegraph/database/blob/master/bigdata-core/bigdata-sails/src/java/com/bigdata/rdf/sail/webapp/BigdataRDFContext.java));
//! the service and the [Wikibase proxy](https://github.com/wmde/wikibase-release-pipeline) set it to 60 s themselves.
//!
//! The Wikimedia services have an editor on the same host, which takes the query from the URL fragment
//! ([user manual](https://www.mediawiki.org/wiki/Wikidata_Query_Service/User_Manual)). Blazegraph's own Workbench reads only a
//! tab name from it, no query (`parseHash` in
//! [`workbench.js`](https://github.com/blazegraph/database/blob/master/bigdata-war-html/src/main/webapp/html/js/workbench.js)).

use super::words::{MAX_MESSAGE, shorten};
use super::{Dialect, FailedResponse, GEOSPARQL, Signs, TimeLimit, Wordings, contains, has_host, plain};
use crate::QueryError;
use std::time::{Duration, SystemTime};
use time::OffsetDateTime;
use time::format_description::well_known::Rfc3339;
use url::Url;

/// Other engines do not support Blazegraph's own `SERVICE`s, and queries never need them.
const LABELS: &str = "Take labels from rdfs:label with FILTER(LANG(?label) = \"en\"), in the language that is asked for; do not use \
     SERVICE wikibase:label, bd: or hint:.";
const SIXTY_SECONDS: &str = "Queries are ended after 60 s: have a selective pattern, join few large sets, and avoid regular \
     expressions, ORDER BY and DISTINCT over many items.";

/// The main Wikidata graph.
pub(super) static MAIN: Dialect = Dialect {
    name: "wdqs",
    title: "Wikidata Query Service, main graph",
    hints: &[SIXTY_SECONDS, LABELS, "Scholarly articles are not in this graph."],
    signs: Signs {
        url: |url| has_host(url, &["query.wikidata.org", "query-main.wikidata.org"]),
        ..BLAZEGRAPH_SIGNS
    },
    ..BLAZEGRAPH_ITSELF
};

/// The Wikidata graph of scholarly articles.
pub(super) static SCHOLARLY: Dialect = Dialect {
    name: "wdqs-scholarly",
    title: "Wikidata Query Service, scholarly articles",
    hints: &[
        SIXTY_SECONDS,
        LABELS,
        "This graph contains only scholarly articles; names and classes of other items are not in it.",
    ],
    signs: Signs { url: |url| has_host(url, &["query-scholarly.wikidata.org"]), ..BLAZEGRAPH_SIGNS },
    ..BLAZEGRAPH_ITSELF
};

/// Any other Blazegraph, usually next to a Wikibase.
pub(super) static BLAZEGRAPH: Dialect = BLAZEGRAPH_ITSELF;

const BLAZEGRAPH_ITSELF: Dialect = Dialect {
    name: "blazegraph",
    title: "Blazegraph",
    hints: &[LABELS],
    // https://www.mediawiki.org/wiki/Wikidata_Query_Service/User_Manual
    functions: &[GEOSPARQL, "http://wikiba.se/ontology#decodeUri", "http://wikiba.se/ontology#isSomeValue"],
    signs: BLAZEGRAPH_SIGNS,
    time_limit: Some(TimeLimit::Header("x-bigdata-max-query-millis")),
    wordings: Wordings {
        prefix: &[("QName '", "undefined prefix")],
        own: without_echo,
        verdict,
        after_output,
        ..plain::WORDINGS
    },
    cut: plain::CUT,
    editor,
};

/// Hosts that have an editor.
const WITH_EDITOR: &[&str] = &[
    "query.wikidata.org",
    "query-main.wikidata.org",
    "query-scholarly.wikidata.org",
    "commons-query.wikimedia.org",
];

fn editor(endpoint: &Url) -> Option<String> {
    let host = endpoint.host_str().filter(|_| has_host(endpoint, WITH_EDITOR))?;
    Some(format!("https://{host}/#{}", Dialect::QUERY))
}

const BLAZEGRAPH_SIGNS: Signs = Signs {
    url: |url| {
        let mut parts = url.path().split('/');
        has_host(url, &["commons-query.wikimedia.org"])
            || parts.any(|part| matches!(part, "bigdata" | "blazegraph"))
    },
    // Sent by the query service and by the Wikibase images of it; plain Blazegraph identifies itself as Jetty.
    headers: &[("x-served-by", "wdqs"), ("x-first-solution-millis", "")],
    complaints: &[ECHO],
    body: |response| response.is_error && contains(response.body, "\tat com.bigdata."),
};

const ECHO: &str = "SPARQL-QUERY: ";

/// Strips the repeated query. The stack trace starts at the first line that begins with a Java exception.
fn without_echo(words: &str) -> &str {
    let Some(echo) = words.strip_prefix(ECHO) else { return words };
    let starts = ["\njava.", "\norg.", "\ncom."].iter().filter_map(|mark| echo.find(mark));
    starts.min().and_then(|at| echo.get(at + 1..)).unwrap_or_default()
}

/// Here 403 may mean a ban, not missing credentials. Its message names the end, which no header does.
fn verdict(failure: &FailedResponse<'_>, words: &str) -> Option<QueryError> {
    let (_, until) = words.split_once("You have been banned until ").filter(|_| failure.status == 403)?;
    let until = until.split([',', ' ']).next().unwrap_or_default();
    let retry_after = failure.retry_after.or_else(|| time_until(until, SystemTime::now()));
    Some(QueryError::RateLimited { retry_after, message: shorten(words, MAX_MESSAGE) })
}

/// The time left until an instant in the form of RFC 3339; none if it is over.
fn time_until(text: &str, now: SystemTime) -> Option<Duration> {
    let until = OffsetDateTime::parse(text, &Rfc3339).ok()?;
    (until - OffsetDateTime::from(now)).try_into().ok()
}

fn after_output(tail: &str) -> Option<usize> {
    let marks = [ECHO, "java.util.", "java.lang.", "com.bigdata."];
    marks.iter().filter_map(|mark| tail.find(mark)).min()
}
