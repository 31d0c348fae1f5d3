//! Addresses of pages elsewhere: an editor to go on with a query, and a page on which a thing can be corrected.

use super::Dataset;
use eruca_sparql::{ALL_BUT_UNRESERVED, Dialect, local_name};
use percent_encoding::utf8_percent_encode;
use url::Url;

/// A longer query does not fit into a URL: servers accept little more than 8,000 bytes.
const MAX_EDITED_BYTES: usize = 7_000;

/// The URL of a page on which a thing can be corrected: a template with the thing's IRI in place of `{iri}` and the last part
/// of the IRI in place of `{name}`, both percent-encoded.
#[must_use]
pub fn improve_address(template: &str, iri: &str) -> String {
    let encoded = |text: &str| utf8_percent_encode(text, ALL_BUT_UNRESERVED).to_string();
    template.replace("{iri}", &encoded(iri)).replace("{name}", &encoded(local_name(iri)))
}

impl Dataset {
    /// The same with the URL of an editor for its queries, with [`Dialect::QUERY`] in place of the query, and that of a page
    /// on which things can be corrected, for [`improve_address`].
    #[must_use]
    pub fn with_pages(self, editor: Option<String>, improve: Option<String>) -> Self {
        Self { editor, improve, ..self }
    }

    /// The URL of a page on which a thing can be corrected, if there is one.
    pub fn improve_address(&self, iri: &str) -> Option<String> {
        self.improve.as_ref().map(|template| improve_address(template, iri))
    }

    /// The URL for continuing with a query in the endpoint's own editor: the configured one, or the one known for
    /// the engine. `None` if there is none, and for queries that are too long for a URL.
    pub fn editor(&self, query: &str) -> Option<String> {
        let by_engine = || self.endpoint.dialect().editor(&Url::parse(self.endpoint.name()).ok()?);
        let template = self.editor.clone().or_else(by_engine)?;
        let written: String = percent_encoded(query);
        (written.len() <= MAX_EDITED_BYTES).then(|| template.replace(Dialect::QUERY, &written))
    }
}

/// A query percent-encoded for a URL: everything but the unreserved characters, since fragments and query parameters
/// differ in which others they allow.
fn percent_encoded(query: &str) -> String {
    utf8_percent_encode(query, ALL_BUT_UNRESERVED).to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn queries_are_encoded_for_every_part_of_an_address() {
        assert_eq!(percent_encoded("a ?x {é}&#+%"), "a%20%3Fx%20%7B%C3%A9%7D%26%23%2B%25");
    }
}
