//! The texts of the queries. Pages are selected by keys, since unordered results cannot be paged; results without
//! keys are read in one response.

use eruca_sparql::NamedNode;

/// Statements with a blank node; labels of blank nodes are valid within one response only.
pub(super) const BLANK: &str = "FILTER(isBlank(?s) || isBlank(?o))";
/// Statements without blank nodes.
pub(super) const NOT_BLANK: &str = "FILTER(isIRI(?s) && !isBlank(?o))";

/// Properties after a key, with the number of their statements.
pub(super) fn counts(filter: &str, after: &str) -> String {
    let key = after_key("?p", after);
    format!("SELECT ?p (COUNT(*) AS ?n) WHERE {{ ?s ?p ?o {filter} {key} }} GROUP BY ?p ORDER BY STR(?p)")
}

/// Properties after a key, without counts.
pub(super) fn properties(after: &str) -> String {
    format!("SELECT DISTINCT ?p WHERE {{ ?s ?p ?o {} }} ORDER BY STR(?p)", after_key("?p", after))
}

/// Properties of some statements with other than the known ones.
pub(super) fn other_properties(known: &[String], rows: usize) -> String {
    let list: Vec<String> = known.iter().filter_map(|iri| iri_ref(iri)).collect();
    let filter =
        if list.is_empty() { String::new() } else { format!("FILTER(?p NOT IN ({}))", list.join(", ")) };
    format!("SELECT DISTINCT ?p WHERE {{ {{ SELECT ?p WHERE {{ ?s ?p ?o {filter} }} LIMIT {rows} }} }}")
}

/// Classes after a key, with the number of their instances.
pub(super) fn classes(after: &str) -> String {
    let key = after_key("?o", after);
    format!(
        "SELECT ?o (COUNT(*) AS ?n) WHERE {{ ?s a ?o FILTER(isIRI(?s) && isIRI(?o)) {key} }} GROUP BY ?o ORDER BY STR(?o)"
    )
}

/// Some of the named graphs.
pub(super) fn graphs() -> String {
    "SELECT DISTINCT ?g WHERE { GRAPH ?g { ?s ?p ?o } } LIMIT 10".to_owned()
}

/// Two columns, a subject and a blank node as its object, to check whether labels are stable.
pub(super) fn blank_objects() -> String {
    "SELECT ?s ?o WHERE { ?s ?p ?o FILTER(isIRI(?s) && isBlank(?o)) } LIMIT 100".to_owned()
}

/// The blank nodes that are objects of one subject.
pub(super) fn blank_objects_of(subject: &str) -> Option<String> {
    Some(format!("SELECT ?o WHERE {{ {} ?p ?o FILTER(isBlank(?o)) }}", iri_ref(subject)?))
}

/// All statements of some properties in one response.
pub(super) fn whole(properties: &[String], filter: &str) -> String {
    let list: Vec<String> = properties.iter().filter_map(|iri| iri_ref(iri)).collect();
    format!("SELECT ?s ?p ?o WHERE {{ VALUES ?p {{ {} }} ?s ?p ?o {filter} }}", list.join(" "))
}

/// All statements with blank nodes in one response.
pub(super) fn all_blank() -> String {
    format!("SELECT ?s ?p ?o WHERE {{ ?s ?p ?o {BLANK} }}")
}

/// A page of them, for endpoints with stable labels.
pub(super) fn blank_page(rows: usize, offset: u64) -> String {
    format!("SELECT ?s ?p ?o WHERE {{ ?s ?p ?o {BLANK} }} ORDER BY ?s ?p ?o LIMIT {rows} OFFSET {offset}")
}

/// A pattern read in pages: the statements of a property, or the instances of a class.
pub(super) struct PagedPattern<'a> {
    pub(super) property: &'a str,
    pub(super) object: Option<&'a str>,
}

impl PagedPattern<'_> {
    /// `?s <p> ?o`, with the class instead of `?o` for instances.
    fn text(&self) -> Option<String> {
        let object = match self.object {
            Some(iri) => iri_ref(iri)?,
            None => "?o".to_owned(),
        };
        Some(format!("?s {} {object}", iri_ref(self.property)?))
    }

    fn columns(&self) -> &'static str {
        if self.object.is_some() { "?s" } else { "?s ?o" }
    }

    fn filter(&self) -> &'static str {
        if self.object.is_some() { "FILTER(isIRI(?s))" } else { NOT_BLANK }
    }

    /// Statements whose subjects come after a key, ordered by subject.
    pub(super) fn page(&self, after: &str, rows: usize) -> Option<String> {
        let (columns, filter) = (self.columns(), self.filter());
        Some(format!(
            "SELECT {columns} WHERE {{ {} {filter} FILTER(STR(?s) > {}) }} ORDER BY STR(?s) LIMIT {rows}",
            self.text()?,
            string(after)
        ))
    }

    /// Statements in no particular order, at any offset.
    pub(super) fn sample(&self, rows: usize, offset: u64) -> Option<String> {
        let (columns, filter) = (self.columns(), self.filter());
        Some(format!("SELECT {columns} WHERE {{ {} {filter} }} LIMIT {rows} OFFSET {offset}", self.text()?))
    }

    /// The objects of one subject, in order.
    pub(super) fn objects(&self, subject: &str, rows: usize, offset: u64) -> Option<String> {
        let property = iri_ref(self.property)?;
        let pattern = match iri_ref(subject) {
            Some(subject) => format!("{subject} {property} ?o"),
            None => format!("?s {property} ?o FILTER(STR(?s) = {})", string(subject)),
        };
        Some(format!(
            "SELECT ?o WHERE {{ {pattern} FILTER(!isBlank(?o)) }} ORDER BY ?o LIMIT {rows} OFFSET {offset}"
        ))
    }
}

/// The query as a subquery of one that selects the page: otherwise, some engines sort at most 10,000 rows.
pub(super) fn cut_outside(query: &str) -> Option<String> {
    let (inner, cut) = query.split_at(query.rfind(" LIMIT ")?);
    let columns = inner.strip_prefix("SELECT ")?.split(" WHERE ").next()?;
    Some(format!("SELECT {columns} WHERE {{ {{ {inner} }} }}{cut}"))
}

/// `<iri>`, or `None` for IRIs that are invalid in SPARQL, which some graphs contain.
pub(super) fn iri_ref(iri: &str) -> Option<String> {
    Some(NamedNode::new(iri).ok()?.to_string())
}

fn after_key(variable: &str, after: &str) -> String {
    if after.is_empty() { String::new() } else { format!("FILTER(STR({variable}) > {})", string(after)) }
}

/// An expression with the value `text`. It never contains a backslash before a `u`, as in an escape, since some engines resolve
/// those even after another backslash and `check` refuses them: the text is concatenated there.
fn string(text: &str) -> String {
    let mut parts = vec![String::new()];
    let mut before = None;
    for c in text.chars() {
        if before == Some('\\') && matches!(c, 'u' | 'U') {
            parts.push(String::new());
        }
        if let Some(part) = parts.last_mut() {
            push_escaped(part, c);
        }
        before = Some(c);
    }
    let quoted: Vec<String> = parts.iter().map(|part| format!("\"{part}\"")).collect();
    if quoted.len() == 1 { quoted.concat() } else { format!("CONCAT({})", quoted.join(", ")) }
}

fn push_escaped(out: &mut String, c: char) {
    match c {
        '"' => out.push_str("\\\""),
        '\\' => out.push_str("\\\\"),
        '\n' => out.push_str("\\n"),
        '\r' => out.push_str("\\r"),
        '\t' => out.push_str("\\t"),
        c => out.push(c),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use eruca_sparql::{Prefixes, QueryPolicy, check};
    use proptest::prelude::*;

    fn parses(text: &str) {
        let checked = check(text, &Prefixes::default(), &QueryPolicy::default());
        assert!(checked.is_ok(), "{text}: {checked:?}");
    }

    #[test]
    fn the_cut_moves_outside() {
        let page =
            PagedPattern { property: "http://e.x/p", object: None }.objects("http://e.x/s", 10, 20).unwrap();
        insta::assert_snapshot!(cut_outside(&page).unwrap(), @"SELECT ?o WHERE { { SELECT ?o WHERE { <http://e.x/s> <http://e.x/p> ?o FILTER(!isBlank(?o)) } ORDER BY ?o } } LIMIT 10 OFFSET 20");
    }

    #[test]
    fn fixed_queries_parse() {
        let known = ["http://e.x/p".to_owned(), "no iri".to_owned()];
        for text in [
            counts(BLANK, ""),
            counts("", "http://e.x/p"),
            properties("http://e.x/\"p"),
            other_properties(&known, 10),
            other_properties(&[], 10),
            classes(""),
            classes("x"),
            graphs(),
            blank_objects(),
            whole(&known, NOT_BLANK),
            all_blank(),
            blank_page(10, 20),
            cut_outside(&blank_page(10, 20)).unwrap(),
        ] {
            parses(&text);
        }
    }

    #[test]
    fn a_key_may_hold_what_looks_like_an_escape() {
        let all = PagedPattern { property: "http://e.x/p", object: None };
        for key in ["\\U", "http://e.x/\\u0041", "\\\\u\\U0000"] {
            parses(&all.page(key, 10).unwrap());
            parses(&all.objects(key, 10, 0).unwrap());
        }
        assert_eq!(string("a\\u0041"), r#"CONCAT("a\\", "u0041")"#);
    }

    proptest! {
        #[test]
        fn whatever_a_graph_holds_makes_no_other_query(subject: String, class: String) {
            let all = PagedPattern { property: "http://e.x/p", object: None };
            parses(&all.page(&subject, 10).unwrap());
            parses(&all.objects(&subject, 10, 0).unwrap());
            let instances = PagedPattern { property: "http://e.x/p", object: Some(&class) };
            let texts = [instances.page("", 10), instances.sample(10, 0), blank_objects_of(&class)];
            let made = texts.into_iter().flatten().filter_map(|text| check(&text, &Prefixes::default(), &QueryPolicy::default()).ok());
            for query in made {
                prop_assert!(query.model().iris.len() <= 2, "{}", query.text());
            }
        }
    }
}
