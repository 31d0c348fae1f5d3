//! The Oxigraph server. Not used for the embedded store, which is called directly.
//!
//! It identifies itself in `Server` (`with_server_name` in
//! [`cli/src/main.rs`](https://github.com/oxigraph/oxigraph/blob/main/cli/src/main.rs)). Its time limit is set at startup
//! ([issue 1336](https://github.com/oxigraph/oxigraph/issues/1336)), not per request. A syntax error is "error at LINE:COLUMN:
//! ...".
//!
//! Next to its endpoints `/query` and `/sparql` it serves YASGUI
//! ([`query.html`](https://github.com/oxigraph/oxigraph/blob/main/cli/templates/query.html)), which takes the query and the endpoint
//! from the URL fragment
//! ([`linkUtils.ts`](https://github.com/TriplyDB/Yasgui/blob/master/packages/yasgui/src/linkUtils.ts)).

use super::{Dialect, GEOSPARQL, Signs, Wordings, plain};
use url::{Url, form_urlencoded};

pub(super) static DIALECT: Dialect = Dialect {
    name: "oxigraph",
    title: "Oxigraph",
    // https://github.com/oxigraph/oxigraph/tree/main/lib/spargeo
    functions: &[GEOSPARQL],
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
    editor,
    ..plain::DIALECT_ITSELF
};

fn editor(endpoint: &Url) -> Option<String> {
    let mut asked = endpoint.clone();
    asked.set_query(None);
    asked.set_fragment(None);
    let page = asked.path().ends_with("/query") || asked.path().ends_with("/sparql");
    let page = page.then(|| asked.join("./").ok()).flatten()?;
    let asked: String = form_urlencoded::byte_serialize(asked.as_str().as_bytes()).collect();
    Some(format!("{page}#endpoint={asked}&query={}", Dialect::QUERY))
}

const SYNTAX: &str = "error at ";
