//! The server of Oxigraph; the embedded store is no endpoint and needs nothing of this.
//!
//! It names itself in `Server` (`with_server_name` in
//! [`cli/src/main.rs`](https://github.com/oxigraph/oxigraph/blob/main/cli/src/main.rs)). Its limit of time is set when it is started
//! ([issue 1336](https://github.com/oxigraph/oxigraph/issues/1336)); a request has none. A syntax error is "error at LINE:COLUMN:
//! ...".

use super::{Dialect, Signs, Wordings, plain};

pub(super) static DIALECT: Dialect = Dialect {
    name: "oxigraph",
    title: "Oxigraph",
    signs: Signs { headers: &[("server", "oxigraph")], ..plain::SIGNS },
    wordings: Wordings {
        timeout: &["the sparql operation has been cancelled"],
        place: |words, _| {
            let (line, rest) = words.strip_prefix(SYNTAX)?.split_once(':')?;
            let digits = rest.split(|c: char| !c.is_ascii_digit()).next()?;
            Some((line.parse().ok()?, digits.parse().ok()?))
        },
        verdict: |failure, words| words.starts_with(SYNTAX).then(|| super::words::syntax(words, failure)),
        ..plain::WORDINGS
    },
    ..plain::DIALECT_ITSELF
};

const SYNTAX: &str = "error at ";
