//! Deviations of engines from the SPARQL standard: how an engine is recognised, takes a time limit, reports errors and
//! truncates results, and hints for writing queries for it.
//!
//! One file per engine, each defining a [`Dialect`]; [`ALL`] is the only list of them. Code shared by engines is in `words`.
//! Uses `error` and the types of `results`; called by `remote`.
//!
//! Behaviour specific to one engine belongs in its file; all other code assumes SPARQL 1.1. Tests:
//! `remote/tests/dialects.rs`, with recorded messages, and `testing/tests/endpoints/virtuoso.rs`. To add an engine, see
//! docs/extending.md.

mod fuseki;
mod graphdb;
mod learned;
mod oxigraph;
mod plain;
mod qlever;
mod rdf4j;
mod stardog;
mod virtuoso;
mod wdqs;
mod words;

pub(crate) use learned::Learned;
pub(crate) use words::{FailedResponse, classify, error_after_output};

use crate::QueryError;
use crate::results::Incomplete;
use reqwest::header::HeaderMap;
use serde_json::Value;
use std::fmt;
use std::time::Duration;
use url::Url;

/// All known engines except `plain`. If several match, the first one wins.
static ALL: &[&Dialect] = &[
    &wdqs::MAIN,
    &wdqs::SCHOLARLY,
    &wdqs::BLAZEGRAPH,
    &qlever::DIALECT,
    &virtuoso::DIALECT,
    &fuseki::DIALECT,
    &rdf4j::DIALECT,
    &graphdb::DIALECT,
    &oxigraph::DIALECT,
    &stardog::DIALECT,
];

/// The engine-specific behaviour of one engine. Queries are standard SPARQL 1.1 for all engines.
pub struct Dialect {
    name: &'static str,
    title: &'static str,
    hints: &'static [&'static str],
    /// IRIs of extension functions without side effects; a trailing `*` matches any suffix.
    functions: &'static [&'static str],
    signs: Signs,
    time_limit: Option<TimeLimit>,
    wordings: Wordings,
    cut: Cut,
    editor: Editor,
}

/// The functions of [GeoSPARQL](https://docs.ogc.org/is/22-047r1/22-047r1.html).
const GEOSPARQL: &str = "http://www.opengis.net/def/function/geosparql/*";

/// The mathematical functions of [XPath](https://www.w3.org/TR/xpath-functions-31/#trigonometry).
const XPATH_MATH: &str = "http://www.w3.org/2005/xpath-functions/math#*";

/// How an engine is recognised.
#[derive(Clone, Copy)]
struct Signs {
    /// Whether the URL belongs to this engine.
    url: fn(&Url) -> bool,
    /// Response headers, in lower case, each with the prefix of its value.
    headers: &'static [(&'static str, &'static str)],
    /// Prefixes of its non-result texts (error messages).
    complaints: &'static [&'static str],
    /// Whether this engine produced the response body.
    body: fn(&Response<'_>) -> bool,
}

/// The parts of a response used to recognise an engine.
pub(crate) struct Response<'a> {
    pub(crate) is_error: bool,
    pub(crate) headers: &'a HeaderMap,
    pub(crate) body: &'a [u8],
}

/// How a query's time limit is sent to an engine. The connection is closed at the deadline anyway, but not every engine
/// notices.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum TimeLimit {
    /// A request parameter, in whole seconds.
    Seconds(&'static str),
    /// A request parameter, in milliseconds.
    Milliseconds(&'static str),
    /// A request header, in milliseconds.
    Header(&'static str),
}

/// The error messages of an engine. Patterns are in lower case.
#[derive(Clone, Copy)]
struct Wordings {
    /// The query took too long.
    timeout: &'static [&'static str],
    /// The result is too large or the query too expensive.
    too_large: &'static [&'static str],
    /// The query has a syntax error.
    syntax: &'static [&'static str],
    /// An unknown prefix: the text before the prefix name, and what else the message must contain.
    prefix: &'static [(&'static str, &'static str)],
    /// The texts before and after the token at which parsing failed.
    tokens: &'static [(&'static str, &'static str)],
    /// The JSON key of the message.
    json_key: Option<&'static str>,
    /// Strips the query text that the engine repeats from its message.
    own: fn(&str) -> &str,
    /// Line and column of a syntax error, from the message and the surrounding JSON.
    place: fn(&str, &Value) -> Option<(usize, usize)>,
    /// Whether a server error (by its message) is caused by the query.
    blames_query: fn(&str) -> bool,
    /// Engine-specific classification by status and message.
    verdict: fn(&FailedResponse<'_>, &str) -> Option<QueryError>,
    /// Byte offset of an error message at the end of a result that started normally.
    after_output: fn(&str) -> Option<usize>,
}

/// Builds the URL of the engine's query editor from an endpoint URL, with [`Dialect::QUERY`] as the query placeholder.
type Editor = fn(&Url) -> Option<String>;

/// Why a result is incomplete, from the headers, its number of rows and the LIMIT of the query.
type Cut = fn(&HeaderMap, Option<usize>, Option<usize>) -> Option<Incomplete>;

impl Dialect {
    /// The dialect with this name in the settings.
    #[must_use]
    pub fn named(name: &str) -> Option<&'static Self> {
        Self::all().find(|dialect| dialect.name == name)
    }

    /// All dialects.
    pub fn all() -> impl Iterator<Item = &'static Self> {
        ALL.iter().copied().chain([Self::plain()])
    }

    /// Plain SPARQL 1.1.
    #[must_use]
    pub fn plain() -> &'static Self {
        &plain::DIALECT
    }

    /// The name used in settings.
    #[must_use]
    pub fn name(&self) -> &'static str {
        self.name
    }

    /// The display name.
    #[must_use]
    pub fn title(&self) -> &'static str {
        self.title
    }

    /// Hints for writing queries for this engine: a few short sentences, or none.
    #[must_use]
    pub fn hints(&self) -> &'static [&'static str] {
        self.hints
    }

    /// Whether the IRI is an extension function of this engine that has no side effects.
    pub(crate) fn has_function(&self, iri: &str) -> bool {
        self.functions.iter().any(|known| match known.strip_suffix('*') {
            Some(namespace) => iri.starts_with(namespace),
            None => iri == *known,
        })
    }

    /// The placeholder for the percent-encoded query in an editor URL.
    pub const QUERY: &'static str = "{query}";

    /// The URL of the engine's query editor for the endpoint at this URL, with [`Self::QUERY`] as the query placeholder;
    /// `None` if the engine has no editor, or none that takes a query from the URL.
    #[must_use]
    pub fn editor(&self, endpoint: &Url) -> Option<String> {
        (self.editor)(endpoint)
    }

    /// How the time limit is passed in a request; `None` if it cannot or should not be.
    pub(crate) fn time_limit(&self) -> Option<TimeLimit> {
        self.time_limit
    }

    fn is_at(&self, url: &Url) -> bool {
        (self.signs.url)(url)
    }

    fn is_named_in(&self, headers: &HeaderMap) -> bool {
        let signs = self.signs.headers.iter();
        let mut found = signs.filter_map(|(name, start)| Some((headers.get(*name)?, start)));
        found.any(|(value, start)| starts_with(value.as_bytes(), start))
    }

    fn wrote(&self, response: &Response<'_>) -> bool {
        (response.is_error && self.complains(response.body)) || (self.signs.body)(response)
    }

    fn complains(&self, body: &[u8]) -> bool {
        self.signs.complaints.iter().any(|start| body.starts_with(start.as_bytes()))
    }
}

impl fmt::Debug for Dialect {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Dialect").field(&self.name).finish()
    }
}

impl PartialEq for Dialect {
    fn eq(&self, other: &Self) -> bool {
        self.name == other.name
    }
}

impl Eq for Dialect {}

impl TimeLimit {
    /// The parameter value for `time`; never 0, which several engines interpret as no limit.
    pub(crate) fn value(self, time: Duration) -> String {
        match self {
            Self::Seconds(_) => time.as_secs_f64().ceil().max(1.0).to_string(),
            Self::Milliseconds(_) | Self::Header(_) => time.as_millis().max(1).to_string(),
        }
    }
}

/// Whether the body is an engine's error message, regardless of its content type.
pub(crate) fn is_complaint(body: &[u8]) -> bool {
    Dialect::all().any(|dialect| dialect.complains(body))
}

/// Why a result is incomplete according to the response headers. Engines without such headers never match.
pub(crate) fn cut(headers: &HeaderMap, rows: Option<usize>, limit: Option<usize>) -> Option<Incomplete> {
    Dialect::all().find_map(|dialect| (dialect.cut)(headers, rows, limit))
}

/// Whether `value` starts with `start`, ignoring ASCII case.
fn starts_with(value: &[u8], start: &str) -> bool {
    value.get(..start.len()).is_some_and(|value| value.eq_ignore_ascii_case(start.as_bytes()))
}

/// The label of a blank node without its prefix (`_:` or an engine's own).
pub(crate) fn bare_label(label: &str) -> &str {
    let marks = ["_:", virtuoso::BLANK_NODE];
    marks.iter().find_map(|mark| label.strip_prefix(mark)).unwrap_or(label)
}

fn has_host(url: &Url, hosts: &[&str]) -> bool {
    url.host_str().is_some_and(|host| hosts.contains(&host.trim_end_matches('.')))
}

fn contains(body: &[u8], text: &str) -> bool {
    body.windows(text.len()).any(|window| window == text.as_bytes())
}

#[cfg(test)]
mod tests;
