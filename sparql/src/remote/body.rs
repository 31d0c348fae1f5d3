//! Parses successful responses into results: formats, truncation, and errors that engines report in headers or trailers.
//!
//! The limits of the call bound the memory used for a response, whatever is sent: each cell counts 16 bytes, even if
//! unbound, and there are at most 1,000 columns. Reading is a single pass, and stops when the result is no longer needed.
//! Tests: `tests`, `fuzzing/response.rs`.

use super::json;
use super::stop::{StopFlag, StoppingReader};
use crate::dialect::{self, Dialect, FailedResponse, classify, error_after_output};
use crate::outgoing::CountedResponse;
use crate::outgoing::is_page;
use crate::results::{
    Collector, Incomplete, MAX_COLUMNS, MAX_NAME_BYTES, Results, Solutions, row_bytes, triple_bytes,
};
use crate::xml::BoundedTags;
use crate::{CheckedQuery, Limits, QueryError, QueryForm};
use oxrdf::{Term, Triple};
use oxrdfio::{RdfFormat, RdfParser};
use reqwest::header::{CONTENT_TYPE, HeaderMap};
use sparesults::{
    QueryResultsFormat, QueryResultsParseError, QueryResultsParser, ReaderQueryResultsParserOutput,
};
use std::borrow::Cow;
use std::cell::Cell;
use std::io::{Error, ErrorKind, Read};
use std::time::Duration;

/// Maximum bytes read as an error message from a body that is not a result.
const MAX_WORDS: usize = 65_536;

/// Maximum bytes of a graph without a triple: the parser's open state, such as nested brackets, uses many times as much
/// memory.
const MAX_SILENCE: usize = 1 << 20;

/// Data from the response headers.
#[derive(Debug, Clone)]
pub(super) struct ResponseHead {
    pub(super) status: u16,
    pub(super) headers: HeaderMap,
    /// The endpoint's dialect as far as it is known.
    pub(super) dialect: &'static Dialect,
}

impl ResponseHead {
    pub(super) fn of(reply: &CountedResponse, dialect: &'static Dialect) -> Self {
        Self { status: reply.status().as_u16(), headers: reply.headers().clone(), dialect }
    }

    /// A head for tests and fuzzers.
    #[cfg(any(test, fuzzing))]
    pub(super) fn typed(content_type: &str) -> Self {
        let content_type = reqwest::header::HeaderValue::from_str(content_type).ok();
        let headers = content_type.map(|content_type| (CONTENT_TYPE, content_type)).into_iter().collect();
        Self { status: 200, headers, dialect: Dialect::plain() }
    }
}

/// A response as received.
pub(super) struct Raw {
    pub(super) head: ResponseHead,
    pub(super) bytes: Vec<u8>,
    /// Whether there were more bytes than the limit allows.
    pub(super) cut: bool,
    pub(super) elapsed: Duration,
}

#[cfg(any(test, fuzzing))]
impl Raw {
    pub(super) fn for_fuzzing(bytes: &[u8], content_type: &str, max_bytes: usize) -> Self {
        let kept: Vec<u8> = bytes.iter().copied().take(max_bytes).collect();
        let cut = kept.len() < bytes.len();
        Self { head: ResponseHead::typed(content_type), bytes: kept, cut, elapsed: Duration::from_secs(1) }
    }
}

type Outcome = Result<(Results, Option<Incomplete>), QueryError>;

/// The result as far as it could be read, and why reading stopped.
pub(super) struct Partial {
    pub(super) results: Results,
    pub(super) incomplete: Option<Incomplete>,
    pub(super) error: Option<String>,
    /// The result has too many columns, or a column name is too long.
    pub(super) too_wide: bool,
}

/// Parses a response to `query`, stopping early if its result is no longer needed.
pub(super) fn parse(raw: &Raw, query: &CheckedQuery, limits: Limits, stop: &StopFlag) -> Outcome {
    // The bytes were limited on receipt, but few bytes can expand to much memory: unbound cells, or a long prefix used
    // often.
    let partial = match query.form() {
        QueryForm::Construct | QueryForm::Describe => match graph_format(raw) {
            Some(format) => parse_graph(raw, format, limits, stop),
            None => return Err(not_results(raw)),
        },
        QueryForm::Select | QueryForm::Ask => match results_format(raw) {
            Some(QueryResultsFormat::Json) => json::parse(&raw.bytes, limits, stop),
            Some(format) => parse_results(raw, format, limits, stop),
            None => return Err(other_than_results(raw, query)),
        },
    };
    if partial.too_wide {
        let message = format!(
            "the result has more than {MAX_COLUMNS} columns, or one with a name of more than {MAX_NAME_BYTES} bytes; ask for \
             fewer"
        );
        return Err(QueryError::TooLarge { message });
    }
    let results = if query.form() == QueryForm::Ask { as_boolean(partial.results) } else { partial.results };
    let incomplete = match (partial.incomplete, partial.error) {
        (Some(incomplete), _) => Some(incomplete),
        (None, Some(_)) if raw.cut => Some(Incomplete::ByteLimit(limits.max_bytes)),
        (None, Some(error)) => Some(broken_off(raw, &results, &error)?),
        (None, None) => endpoint_cut(raw, &results, query.model().limit),
    };
    Ok((with_variables(results, query), incomplete))
}

/// Handles a body that ends too early although it was not cut here: an error if there are no rows, otherwise
/// the endpoint's reason for an incomplete result.
fn broken_off(raw: &Raw, results: &Results, error: &str) -> Result<Incomplete, QueryError> {
    let Some(said) = error_after_output(&raw.bytes, raw.elapsed, raw.head.dialect) else {
        let message = match is_unfinished(&raw.bytes) {
            true => format!(
                "the response breaks off in the midst of results, perhaps because the server had no more time; ask for \
                 less ({error})"
            ),
            false => format!("the response is not a SPARQL result: {error}"),
        };
        return Err(QueryError::Unavailable { message });
    };
    match results {
        Results::Solutions(solutions) if !solutions.rows.is_empty() => {
            Ok(Incomplete::Endpoint(said.to_string()))
        }
        Results::Graph(triples) if !triples.is_empty() => Ok(Incomplete::Endpoint(said.to_string())),
        _ => Err(said),
    }
}

/// Whether a body begins as JSON and does not end so.
fn is_unfinished(body: &[u8]) -> bool {
    let body = body.trim_ascii();
    body.starts_with(b"{") && !body.ends_with(b"}")
}

/// Truncation reported by the engine's headers or by status 206.
fn endpoint_cut(raw: &Raw, results: &Results, limit: Option<usize>) -> Option<Incomplete> {
    let rows = match results {
        Results::Solutions(solutions) => Some(solutions.rows.len()),
        Results::Boolean(_) | Results::Graph(_) => None,
    };
    let partial = || Incomplete::Endpoint("HTTP 206: partial content".to_owned());
    dialect::cut(&raw.head.headers, rows, limit).or_else(|| (raw.head.status == 206).then(partial))
}

/// Some engines answer ASK with a table in which a 1, or any row, means true.
fn as_boolean(results: Results) -> Results {
    let Results::Solutions(solutions) = results else { return results };
    let is_true = |cell: &Option<Term>| match cell {
        Some(Term::Literal(literal)) => !matches!(literal.value(), "0" | "false"),
        _ => true,
    };
    Results::Boolean(solutions.rows.first().and_then(|row| row.first()).is_some_and(is_true))
}

/// If the body was cut before its head was complete, uses the columns of the query.
fn with_variables(results: Results, query: &CheckedQuery) -> Results {
    match results {
        Results::Solutions(solutions) if solutions.variables.is_empty() && solutions.rows.is_empty() => {
            Results::Solutions(Solutions { variables: query.model().variables.clone(), rows: Vec::new() })
        }
        other => other,
    }
}

/// The error for a table that cannot be parsed; otherwise see [`not_results`].
fn other_than_results(raw: &Raw, query: &CheckedQuery) -> QueryError {
    let first = start(raw, MAX_WORDS).lines().next().unwrap_or_default().to_owned();
    let columns: Vec<&str> = first.split(',').map(|name| name.trim().trim_matches('"')).collect();
    if media_type(raw) == "text/csv"
        && query.form() == QueryForm::Select
        && columns == query.model().variables
    {
        let message = "results in CSV, which does not tell things from texts; let the endpoint answer with \
                       application/sparql-results+json, as it is asked to";
        return QueryError::Unavailable { message: message.to_owned() };
    }
    not_results(raw)
}

/// The error for text in place of results, sent with status 200.
fn not_results(raw: &Raw) -> QueryError {
    let body = start(raw, MAX_WORDS);
    let kind = match body.trim() {
        "" => Some("an empty body"),
        "null" => Some("the word null"),
        text if is_page(text) => Some("a web page"),
        _ => None,
    };
    if let Some(kind) = kind {
        let message = format!("{kind} instead of a SPARQL result; is this the endpoint's URL?");
        return QueryError::Unavailable { message };
    }
    let (elapsed, dialect) = (raw.elapsed, raw.head.dialect);
    classify(&FailedResponse { status: 400, body: &body, retry_after: None, elapsed, dialect })
}

/// The first `bytes` bytes of a body as text.
fn start(raw: &Raw, bytes: usize) -> Cow<'_, str> {
    String::from_utf8_lossy(raw.bytes.get(..bytes).unwrap_or(&raw.bytes))
}

fn media_type(raw: &Raw) -> String {
    let full = raw.head.headers.get(CONTENT_TYPE).map(|value| String::from_utf8_lossy(value.as_bytes()));
    let full = full.unwrap_or_default();
    full.split(';').next().unwrap_or_default().trim().to_ascii_lowercase()
}

fn results_format(raw: &Raw) -> Option<QueryResultsFormat> {
    let first = raw.bytes.iter().find(|byte| !byte.is_ascii_whitespace());
    match (media_type(raw).as_str(), first) {
        ("text/tab-separated-values", _) => Some(QueryResultsFormat::Tsv),
        // The start of the body is more reliable than the declared content type.
        (_, Some(b'{')) => Some(QueryResultsFormat::Json),
        ("text/html", _) => None,
        (_, Some(b'<')) if !is_page(&start(raw, 1_000)) => Some(QueryResultsFormat::Xml),
        _ => None,
    }
}

fn graph_format(raw: &Raw) -> Option<RdfFormat> {
    match media_type(raw).as_str() {
        // Some servers send N-Triples as plain text.
        "text/plain" if !dialect::is_complaint(&raw.bytes) => Some(RdfFormat::NTriples),
        "text/html" | "text/plain" | "application/json" | "" => None,
        media_type => RdfFormat::from_media_type(media_type).filter(is_read),
    }
}

/// RDF formats accepted in a response. Servers send no others unasked, and the memory of their parsers cannot be bounded.
fn is_read(format: &RdfFormat) -> bool {
    use RdfFormat::{NQuads, NTriples, RdfXml, TriG, Turtle};
    matches!(format, NTriples | NQuads | Turtle | TriG | RdfXml)
}

/// Passes the bytes of a graph through, and fails after too many bytes without a triple.
struct Speaking<'a> {
    inner: StoppingReader<'a>,
    /// Bytes since the last triple.
    silence: &'a Cell<usize>,
}

impl Read for Speaking<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
        if self.silence.get() > MAX_SILENCE {
            let told = format!("no statement in {MAX_SILENCE} bytes");
            return Err(Error::new(ErrorKind::InvalidData, told));
        }
        let count = self.inner.read(buffer)?;
        self.silence.set(self.silence.get() + count);
        Ok(count)
    }
}

fn parse_graph(raw: &Raw, format: RdfFormat, limits: Limits, stop: &StopFlag) -> Partial {
    let mut kept = Collector::new(limits);
    let mut error = None;
    let silence = Cell::new(0);
    let bytes = Speaking { inner: stop.reader(&raw.bytes), silence: &silence };
    let bytes: Box<dyn Read + '_> =
        if format == RdfFormat::RdfXml { Box::new(BoundedTags::of_response(bytes)) } else { Box::new(bytes) };
    for quad in RdfParser::from_format(format).lenient().for_reader(bytes) {
        silence.set(0);
        match quad {
            Ok(quad) => {
                let triple = Triple::from(quad);
                let bytes = triple_bytes(&triple);
                if !kept.push(triple, bytes) {
                    break;
                }
            }
            Err(e) => {
                error = Some(e.to_string());
                break;
            }
        }
    }
    let (results, incomplete) = (Results::Graph(kept.items), kept.incomplete);
    Partial { results, incomplete, error, too_wide: false }
}

fn parse_results(raw: &Raw, format: QueryResultsFormat, limits: Limits, stop: &StopFlag) -> Partial {
    let told = |results, error| Partial { results, incomplete: None, error, too_wide: false };
    let nothing = Results::Solutions(Solutions::default());
    let bytes = stop.reader(&raw.bytes);
    let bytes: Box<dyn Read + '_> = match format {
        QueryResultsFormat::Xml => Box::new(BoundedTags::of_response(bytes)),
        _ if has_many_cells(&raw.bytes) => return Partial { too_wide: true, ..told(nothing, None) },
        // The parser rescans an unfinished line for each new chunk, which is quadratic in the line length.
        _ if raw.bytes.split(|byte| *byte == b'\n').any(|line| line.len() > MAX_SILENCE) => {
            return told(nothing, Some(format!("a line has more than {MAX_SILENCE} bytes")));
        }
        _ => Box::new(bytes),
    };
    let solutions = match QueryResultsParser::from_format(format).for_reader(bytes) {
        Ok(ReaderQueryResultsParserOutput::Boolean(value)) => return told(Results::Boolean(value), None),
        Ok(ReaderQueryResultsParserOutput::Solutions(solutions)) => solutions,
        Err(e) => return Partial { too_wide: is_too_wide(&e), ..told(nothing, Some(e.to_string())) },
    };
    let variables: Vec<String> = solutions.variables().iter().map(|v| v.as_str().to_owned()).collect();
    if variables.iter().any(|name| name.len() > MAX_NAME_BYTES) {
        return Partial { too_wide: true, ..told(nothing, None) };
    }
    let mut kept = Collector::new(limits);
    let mut error = None;
    for solution in solutions {
        match solution {
            Ok(solution) => {
                let row = solution.values().to_vec();
                let bytes = row_bytes(&row);
                if !kept.push(row, bytes) {
                    break;
                }
            }
            Err(e) => {
                error = Some(e.to_string());
                break;
            }
        }
    }
    let results = Results::Solutions(Solutions { variables, rows: kept.items });
    Partial { incomplete: kept.incomplete, ..told(results, error) }
}

fn is_too_wide(error: &QueryResultsParseError) -> bool {
    matches!(error, QueryResultsParseError::Io(error) if error.kind() == ErrorKind::FileTooLarge)
}

/// Whether a line of a TSV table has more cells than the column limit.
fn has_many_cells(bytes: &[u8]) -> bool {
    let cells = |line: &[u8]| line.iter().filter(|byte| **byte == b'\t').count();
    bytes.split(|byte| *byte == b'\n').any(|line| cells(line) >= MAX_COLUMNS)
}

#[cfg(test)]
mod tests;
