//! What fuzzers feed: queries as models write them, and whatever an endpoint may send. Not part of the program;
//! compiled for tests and with `--cfg fuzzing`.

use crate::dialect::{Failure, classify, error_after_output};
use crate::remote::fuzz_body;
use crate::{Prefixes, QueryForm, QueryPolicy, Rewrite, check};
use std::time::Duration;

#[cfg(unix)]
mod execution;

/// Longest message for people and models, in bytes; its characters are bounded lower.
const MAX_MESSAGE: usize = 4_000;

/// Checks a text as a query, and does with it whatever is done with checked queries. It is run, too, where the variable
/// `ERUCA_FUZZ_PROGRAM` names a build of `eruca`: in 100 ms and 64 MB.
///
/// # Panics
/// When a check is not final: its text is refused by another check, or holds what the policy forbids.
pub fn query(text: &str) {
    let (prefixes, policy) = (Prefixes::well_known(), QueryPolicy::default());
    let checked = match check(text, &prefixes, &policy) {
        Ok(checked) => checked,
        Err(error) => {
            assert!(error.to_string().len() < MAX_MESSAGE, "{error}");
            return;
        }
    };
    let shown = checked.algebra().to_string();
    assert!(!shown.contains("SERVICE <") && !shown.contains("FROM <"), "{text}");
    let longer = QueryPolicy { max_length: usize::MAX, ..policy };
    let again = check(checked.text(), &Prefixes::default(), &longer);
    let Ok(again) = again else { unreachable!("refused: {}", checked.text()) };
    assert_eq!(again.form(), checked.form());
    assert_eq!(again.variables(), checked.variables());
    let _read = (checked.key(), checked.iris(), checked.limit(), checked.conjunction(), checked.columns());
    for rewrite in [Rewrite::Distinct, Rewrite::NoLimit, Rewrite::Ask, Rewrite::Count("x".to_owned())] {
        // Edits are checked by their users.
        let _edited = checked.rewritten(&rewrite, &prefixes);
    }
    #[cfg(unix)]
    execution::run(&checked);
}

/// Reads bytes as the response of an endpoint: the first says what kind of response, the rest is its body.
///
/// # Panics
/// When limits do not hold or a message is long.
pub fn endpoint_body(data: &[u8]) {
    let Some((kind, body)) = data.split_first() else { return };
    const TYPES: [&str; 8] = [
        "application/sparql-results+json",
        "application/sparql-results+xml",
        "text/tab-separated-values",
        "application/n-triples",
        "text/turtle",
        "text/plain",
        "text/html; charset=utf-8",
        "",
    ];
    const FORMS: [QueryForm; 4] =
        [QueryForm::Select, QueryForm::Ask, QueryForm::Construct, QueryForm::Describe];
    let content_type = TYPES[usize::from(kind % 8)];
    let form = FORMS[usize::from(kind / 8 % 4)];
    fuzz_body(body, content_type, form);
    let text = String::from_utf8_lossy(body);
    for status in [200, 400, 429, 500, 502] {
        let elapsed = Duration::from_secs(1);
        let error = classify(&Failure { status, body: &text, retry_after: None, elapsed });
        assert!(error.to_string().len() < MAX_MESSAGE, "{error}");
    }
    let _told = error_after_output(body, Duration::from_secs(1));
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
        fn any_bytes_are_read(data: Vec<u8>) {
            endpoint_body(&data);
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
