//! Entry points for fuzzers: queries as models write them, and arbitrary endpoint responses. Not part of the program;
//! compiled for tests and with `--cfg fuzzing`.

use crate::dialect::{Dialect, FailedResponse, Learned, Response, classify, error_after_output};
use crate::query::algebra::{Node, walk};
use crate::remote::fuzz_body;
use crate::results::{MAX_COLUMNS, MAX_NAME_BYTES};
use crate::{Answer, Limits, Prefixes, QueryForm, QueryPolicy, Results, Rewrite, check};
use reqwest::header::HeaderMap;
use response::Choices;
use std::time::Duration;
use url::Url;

#[cfg(unix)]
mod execution;
pub(crate) mod readings;
mod response;

/// Maximum length of a message for people and models, in bytes; the limit in characters is lower.
const MAX_MESSAGE: usize = 4_000;

/// Checks a text as a query, and exercises everything done with checked queries. If the environment variable
/// `ERUCA_FUZZ_PROGRAM` names a build of `eruca`, also runs the query, with limits of 100 ms and 64 MB.
///
/// # Panics
/// If a check is not stable: its text is refused when checked again, or contains what the policy forbids.
pub fn query(text: &str) {
    let (prefixes, policy) = (Prefixes::well_known(), QueryPolicy::default());
    let checked = match check(text, &prefixes, &policy) {
        Ok(checked) => checked,
        Err(error) => {
            assert!(error.to_string().len() < MAX_MESSAGE, "{error}");
            return;
        }
    };
    let calls_others = walk(checked.algebra()).any(|(node, _)| matches!(node, Node::Service(_)));
    assert!(!calls_others && checked.algebra().dataset().is_none(), "{text}");
    let longer = QueryPolicy { max_length: usize::MAX, ..policy };
    readings::assert_same_for_all(&checked);
    let again = check(checked.text(), &Prefixes::default(), &longer);
    let Ok(again) = again else { unreachable!("refused: {}", checked.text()) };
    assert_eq!(again.form(), checked.form());
    assert_eq!(again.model().variables, checked.model().variables);
    let _read = (checked.key(), checked.model().columns(""));
    for rewrite in [Rewrite::Distinct, Rewrite::NoLimit, Rewrite::Ask, Rewrite::Count("x".to_owned())] {
        // Edited queries are checked by their callers.
        let _edited = checked.rewritten(&rewrite, &prefixes);
    }
    #[cfg(unix)]
    execution::run(&checked);
}

/// Checks a query assembled from pieces that combine escapes, backslashes, comments and quotes; `choices` selects them.
///
/// # Panics
/// If the text sent is a different query for an engine that resolves escapes first; otherwise as for [`query`].
pub fn sent_query(choices: &[u8]) {
    query(&readings::text(choices));
}

/// Parses bytes as the response of an endpoint. The first two bytes select the kind of response and the limits; the rest is
/// the body, or controls how it is built.
///
/// # Panics
/// If a limit is exceeded or a message is too long.
pub fn endpoint_body(data: &[u8]) {
    let Some((head, rest)) = data.split_first_chunk::<2>() else { return };
    const FORMS: [QueryForm; 4] =
        [QueryForm::Select, QueryForm::Ask, QueryForm::Construct, QueryForm::Describe];
    let form = FORMS[usize::from(head[0] % 4)];
    let limits = limits(head[1]);
    // Half of the kinds are generated, half are raw bytes.
    let (body, content_type) = match head[0] / 4 {
        kind @ 0..32 => (rest.to_vec(), TYPES[usize::from(kind % 8)]),
        kind => built(kind % 4, rest),
    };
    if let Some(answer) = fuzz_body(&body, content_type, form, limits) {
        assert_within(&answer, limits);
    }
    // As in `remote`, only the start of a body that is not a result is read.
    let text = String::from_utf8_lossy(&body[..body.len().min(4_096)]);
    let elapsed = Duration::from_secs(1);
    let dialects = Dialect::all().collect::<Vec<_>>();
    let Some(dialect) = dialects.get(body.len() % dialects.len()).copied() else { return };
    for status in [200, 400, 403, 429, 500, 502] {
        let error = classify(&FailedResponse { status, body: &text, retry_after: None, elapsed, dialect });
        assert!(error.to_string().len() < MAX_MESSAGE, "{error}");
    }
    let _told = error_after_output(&body, elapsed, dialect);
    if let Ok(url) = Url::parse("http://ex.org/") {
        let learned = Learned::new(None, &url);
        for is_error in [false, true] {
            let _other = learned.hear(&Response { is_error, headers: &HeaderMap::new(), body: &body });
        }
    }
}

const TYPES: [&str; 8] = [
    "application/sparql-results+json",
    "application/sparql-results+xml",
    "text/tab-separated-values",
    "application/n-triples",
    "text/turtle",
    "text/plain",
    "text/html; charset=utf-8",
    "application/rdf+xml",
];

fn limits(byte: u8) -> Limits {
    let max_rows = [5, 0, 1, 600, 10_000][usize::from(byte % 5)];
    let max_bytes = [1 << 20, 0, 100, 10_000, 200_000][usize::from(byte / 5 % 5)];
    Limits { timeout: Duration::from_secs(1), max_rows, max_bytes }
}

fn built(kind: u8, bytes: &[u8]) -> (Vec<u8>, &'static str) {
    let mut choices = Choices::new(bytes);
    let (body, content_type) = match kind {
        0 => (response::json(&mut choices), TYPES[0]),
        1 => (response::xml(&mut choices), TYPES[1]),
        2 => (response::tsv(&mut choices), TYPES[2]),
        _ => (response::turtle(&mut choices), TYPES[4]),
    };
    (body.into_bytes(), content_type)
}

/// Checks the limits that hold for every answer: rows, columns, column names, bound and unbound cells, bytes.
fn assert_within(answer: &Answer, limits: Limits) {
    assert!(answer.row_count() <= limits.max_rows || matches!(answer.results, Results::Boolean(_)));
    let names = match &answer.results {
        Results::Solutions(solutions) => {
            let width = solutions.variables.len();
            assert!(width <= MAX_COLUMNS);
            assert!(solutions.variables.iter().all(|name| name.len() <= MAX_NAME_BYTES));
            assert!(
                solutions.rows.iter().all(|row| row.len() == width && row.capacity() <= 2 * width.max(4))
            );
            // Each cell counts 16 bytes, which limits the number of cells; a cell may use three times as much memory.
            assert!(solutions.rows.len() * width <= limits.max_bytes / 16);
            solutions.variables.iter().map(String::len).sum()
        }
        Results::Boolean(_) => return,
        Results::Graph(_) => 0,
    };
    assert!(answer.kept_bytes() - names <= limits.max_bytes);
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn any_text_is_checked(text: String) {
            query(&text);
        }

        #[test]
        fn words_of_queries_are_checked(words in prop::collection::vec(prop::sample::select(WORDS), 0..30)) {
            query(&words.join(" "));
        }

        #[test]
        fn what_is_sent_is_what_was_checked(choices in prop::collection::vec(any::<u8>(), 0..12)) {
            sent_query(&choices);
        }

        #[test]
        fn any_bytes_are_read(data: Vec<u8>) {
            endpoint_body(&data);
        }

        #[test]
        fn limits_hold_for_whatever_an_endpoint_sends(
            kind in 128_u8..=255,
            limits: u8,
            choices in prop::collection::vec(any::<u8>(), 0..40),
        ) {
            endpoint_body(&[&[kind, limits], choices.as_slice()].concat());
        }
    }

    const WORDS: &[&str] = &[
        "SELECT",
        "ASK",
        "CONSTRUCT",
        "DESCRIBE",
        "WHERE",
        "{",
        "}",
        "(",
        ")",
        "?x",
        "?y",
        "*",
        "COUNT",
        "AS",
        "DISTINCT",
        "a",
        "rdfs:label",
        "<http://e.x/a>",
        "\"a\"",
        "'b'@en",
        "1",
        ".",
        ";",
        ",",
        "FILTER",
        "OPTIONAL",
        "UNION",
        "MINUS",
        "GRAPH",
        "SERVICE",
        "FROM",
        "NAMED",
        "VALUES",
        "BIND",
        "ORDER",
        "BY",
        "GROUP",
        "HAVING",
        "LIMIT",
        "10",
        "OFFSET",
        "/",
        "|",
        "^",
        "+",
        "!",
        "=",
        "PREFIX",
        "p:",
        "BASE",
        "# c\n",
        "```sparql\n",
        "INSERT",
        "xsd:int",
        "NOT",
        "EXISTS",
        "[",
        "]",
        "true",
        "<",
        ">",
        "&&",
        "STRLANG",
    ];
}
