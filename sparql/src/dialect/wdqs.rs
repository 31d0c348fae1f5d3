//! Blazegraph, and the Wikidata Query Service, which runs it.
//!
//! The service ends a query after 60 s, and gives a client 60 s of work and 30 errors in a minute; beyond that it answers 429
//! with `Retry-After`, and 403 for hours to clients that ignore it
//! ([limits](https://www.mediawiki.org/wiki/Wikidata_Query_Service/User_Manual#Query_limits), `ThrottlingFilter.java` of
//! [wikidata-query-rdf](https://github.com/wikimedia/wikidata-query-rdf)). Its graph is
//! [split](https://www.wikidata.org/wiki/Wikidata:SPARQL_query_service/WDQS_graph_split): scholarly articles have an
//! endpoint of their own. GET requests are cached there, POST requests are not, which the rule of `remote` suits.
//!
//! An error after the first rows is appended to the results, whose status was 200 by then. The error repeats the query and ends
//! with a Java trace ([an example](https://github.com/BlueBrain/nexus/issues/731)). A query's time is limited by a header
//! (`HTTP_HEADER_BIGDATA_MAX_QUERY_MILLIS` in
//! [`BigdataRDFContext`](https://github.com/blazegraph/database/blob/master/bigdata-core/bigdata-sails/src/java/com/bigdata/rdf/sail/webapp/BigdataRDFContext.java));
//! the service and the [proxy of Wikibase](https://github.com/wmde/wikibase-release-pipeline) set it to 60 s themselves.
//!
//! The services of Wikimedia have an editor at their own host, which takes the query from the fragment of its address
//! ([user manual](https://www.mediawiki.org/wiki/Wikidata_Query_Service/User_Manual)). Blazegraph's own Workbench takes the name of
//! a tab from there and no query (`parseHash` in
//! [`workbench.js`](https://github.com/blazegraph/database/blob/master/bigdata-war-html/src/main/webapp/html/js/workbench.js)).

use super::words::{MAX_MESSAGE, shorten};
use super::{Dialect, FailedResponse, GEOSPARQL, Signs, TimeLimit, Wordings, contains, has_host, plain};
use crate::QueryError;
use url::Url;

/// `SERVICE` with Blazegraph's own services is nothing that other engines have, and never needed.
const LABELS: &str = "Take labels from rdfs:label with FILTER(LANG(?label) = \"en\"), in the language that is asked for; do not use \
     SERVICE wikibase:label, bd: or hint:.";
const SIXTY_SECONDS: &str = "Queries are ended after 60 s: have a selective pattern, join few large sets, and avoid regular \
     expressions, ORDER BY and DISTINCT over many items.";

/// The main graph of Wikidata.
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

/// The graph of scholarly articles.
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

/// Blazegraph anywhere else, mostly beside a Wikibase.
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

/// The hosts with an editor.
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
    // Sent by the query service and by Wikibase's images of it; plain Blazegraph calls itself Jetty.
    headers: &[("x-served-by", "wdqs"), ("x-first-solution-millis", "")],
    complaints: &[ECHO],
    body: |response| response.is_error && contains(response.body, "\tat com.bigdata."),
};

const ECHO: &str = "SPARQL-QUERY: ";

/// The query is repeated before the trace, which starts on the first line that begins with a Java exception.
fn without_echo(words: &str) -> &str {
    let Some(echo) = words.strip_prefix(ECHO) else { return words };
    let starts = ["\njava.", "\norg.", "\ncom."].iter().filter_map(|mark| echo.find(mark));
    starts.min().and_then(|at| echo.get(at + 1..)).unwrap_or_default()
}

/// What 403 means here: nothing about credentials.
fn verdict(failure: &FailedResponse<'_>, words: &str) -> Option<QueryError> {
    if failure.status != 403 {
        return None;
    }
    let message = shorten(words, MAX_MESSAGE);
    if words.contains("You have been banned until") {
        return Some(QueryError::RateLimited { retry_after: failure.retry_after, message });
    }
    words.to_lowercase().contains("user-agent").then(|| QueryError::Unavailable {
        message: format!("HTTP 403: {message} (the setting [outgoing] contact is sent there)"),
    })
}

fn after_output(tail: &str) -> Option<usize> {
    let marks = [ECHO, "java.util.", "java.lang.", "com.bigdata."];
    marks.iter().filter_map(|mark| tail.find(mark)).min()
}
