//! What engines do beyond or against the standard: how they are recognised, told of a deadline, fail and cut results off, and
//! what someone who writes queries for them should know.
//!
//! One file per engine, each with a [`Dialect`]; [`ALL`] is the only list of them. What engines share is in `words`. Uses
//! `error` and the types of `results`; `remote` calls it.
//!
//! What only one engine does stands in its file; everything else speaks of SPARQL 1.1. Tests:
//! `remote/tests/dialects.rs`, with recorded wordings, and `testing/tests/endpoints/virtuoso.rs`. How another engine is added:
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
pub(crate) use words::{FailedResponse, classify, error_after_output, is_html};

use crate::QueryError;
use crate::results::Incomplete;
use reqwest::header::HeaderMap;
use serde_json::Value;
use std::fmt;
use std::time::Duration;
use url::Url;

/// Every engine that is known, beside the one of `plain`. What fits several is taken for the first of them.
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

/// What one engine does that others do not. Queries are standard SPARQL 1.1 for all of them.
pub struct Dialect {
    name: &'static str,
    title: &'static str,
    hints: &'static [&'static str],
    /// IRIs of functions beyond SPARQL that do nothing but compute; with `*` at the end, all that begin so.
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

/// By what an engine is recognised.
#[derive(Clone, Copy)]
struct Signs {
    /// Whether this is the address of one.
    url: fn(&Url) -> bool,
    /// Headers of its responses, in lower case, each with the beginning of its value.
    headers: &'static [(&'static str, &'static str)],
    /// How texts of it that are not results begin.
    complaints: &'static [&'static str],
    /// Whether it wrote this body.
    body: fn(&Response<'_>) -> bool,
}

/// A response as far as engines are recognised by it.
pub(crate) struct Response<'a> {
    pub(crate) is_error: bool,
    pub(crate) headers: &'a HeaderMap,
    pub(crate) body: &'a [u8],
}

/// How an engine gets the deadline of a query. At the deadline its connection is closed, which not every engine notices.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum TimeLimit {
    /// A parameter of the request, in whole seconds.
    Seconds(&'static str),
    /// A parameter of the request, in milliseconds.
    Milliseconds(&'static str),
    /// A header of the request, in milliseconds.
    Header(&'static str),
}

/// What an engine says when it fails. Words are in lower case.
#[derive(Clone, Copy)]
struct Wordings {
    /// The query took too long.
    timeout: &'static [&'static str],
    /// The result or the work is too large.
    too_large: &'static [&'static str],
    /// The query cannot be parsed.
    syntax: &'static [&'static str],
    /// An unknown prefix: the text before its name, and what else the message must contain.
    prefix: &'static [(&'static str, &'static str)],
    /// The texts around the token at which parsing ended.
    tokens: &'static [(&'static str, &'static str)],
    /// The key of its words in JSON.
    json_key: Option<&'static str>,
    /// Its words without what it repeats of the query.
    own: fn(&str) -> &str,
    /// Line and column of a syntax error, from its words and the JSON around them.
    place: fn(&str, &Value) -> Option<(usize, usize)>,
    /// Whether a failure that it calls its own is about the query.
    blames_query: fn(&str) -> bool,
    /// What only this engine means by a status and words.
    verdict: fn(&FailedResponse<'_>, &str) -> Option<QueryError>,
    /// Where an error begins at the end of a result that started well.
    after_output: fn(&str) -> Option<usize>,
}

/// The address of the engine's own editor by that of an endpoint, with [`Dialect::QUERY`] where the query goes.
type Editor = fn(&Url) -> Option<String>;

/// Why a result is not whole, by the headers, the number of its rows and the LIMIT of the query.
type Cut = fn(&HeaderMap, Option<usize>, Option<usize>) -> Option<Incomplete>;

impl Dialect {
    /// The dialect of this name in settings.
    #[must_use]
    pub fn named(name: &str) -> Option<&'static Self> {
        Self::all().find(|dialect| dialect.name == name)
    }

    /// All of them.
    pub fn all() -> impl Iterator<Item = &'static Self> {
        ALL.iter().copied().chain([Self::plain()])
    }

    /// SPARQL 1.1 and nothing else.
    #[must_use]
    pub fn plain() -> &'static Self {
        &plain::DIALECT
    }

    /// Its name in settings.
    #[must_use]
    pub fn name(&self) -> &'static str {
        self.name
    }

    /// Its name for people.
    #[must_use]
    pub fn title(&self) -> &'static str {
        self.title
    }

    /// What someone who writes queries for it should know: few short sentences, none if there is nothing to say.
    #[must_use]
    pub fn hints(&self) -> &'static [&'static str] {
        self.hints
    }

    /// Whether a function beyond SPARQL is one of this engine's that only compute something of their arguments.
    pub(crate) fn has_function(&self, iri: &str) -> bool {
        self.functions.iter().any(|known| match known.strip_suffix('*') {
            Some(namespace) => iri.starts_with(namespace),
            None => iri == *known,
        })
    }

    /// The placeholder of the percent-encoded query in the address of an editor.
    pub const QUERY: &'static str = "{query}";

    /// The address of the engine's own editor for the endpoint at this address, with [`Self::QUERY`] where the query goes;
    /// `None` where it has none, or none that takes a query from its address.
    #[must_use]
    pub fn editor(&self, endpoint: &Url) -> Option<String> {
        (self.editor)(endpoint)
    }

    /// How a request sets its time limit; `None` where it cannot, or should not.
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
    /// The value that says `time`; never 0, which several engines take for no limit.
    pub(crate) fn value(self, time: Duration) -> String {
        match self {
            Self::Seconds(_) => time.as_secs_f64().ceil().max(1.0).to_string(),
            Self::Milliseconds(_) | Self::Header(_) => time.as_millis().max(1).to_string(),
        }
    }
}

/// Whether a text is one with which an engine complains, whatever its type says.
pub(crate) fn is_complaint(body: &[u8]) -> bool {
    Dialect::all().any(|dialect| dialect.complains(body))
}

/// Why a result is not whole by what headers say. An engine that does not send such headers says nothing by them.
pub(crate) fn cut(headers: &HeaderMap, rows: Option<usize>, limit: Option<usize>) -> Option<Incomplete> {
    Dialect::all().find_map(|dialect| (dialect.cut)(headers, rows, limit))
}

/// Whether a header begins with these letters, in any case.
fn starts_with(value: &[u8], start: &str) -> bool {
    value.get(..start.len()).is_some_and(|value| value.eq_ignore_ascii_case(start.as_bytes()))
}

/// The label of a blank node without the mark that stands before it.
pub(crate) fn bare_label(label: &str) -> &str {
    let marks = ["_:", virtuoso::BLANK_NODE];
    marks.iter().find_map(|mark| label.strip_prefix(mark)).unwrap_or(label)
}

/// Whether the host of an address is one of these.
fn has_host(url: &Url, hosts: &[&str]) -> bool {
    url.host_str().is_some_and(|host| hosts.contains(&host.trim_end_matches('.')))
}

/// Whether a text occurs in a body.
fn contains(body: &[u8], text: &str) -> bool {
    body.windows(text.len()).any(|window| window == text.as_bytes())
}

#[cfg(test)]
mod tests;
