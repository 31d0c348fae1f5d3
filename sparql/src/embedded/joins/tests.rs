use super::*;
use oxrdf::NamedNode;
use spargebra::SparqlParser;

/// A graph of 1,000 people, ten of them painters, each with one of five birthplaces, and 20,000 paintings with one maker each.
struct Museum;

impl Counts for Museum {
    fn count(&self, pattern: [Option<&Term>; 3]) -> Result<u64, StoredError> {
        let [subject, predicate, object] = pattern.map(|term| term.map(ToString::to_string));
        Ok(match (subject, predicate.as_deref(), object.as_deref()) {
            (_, Some("<e:job>"), Some(_)) => 10,
            (_, Some("<e:born>"), Some(_)) => 200,
            (_, Some("<e:born>" | "<e:job>"), None) => 1_000,
            (_, Some("<e:maker>"), None) => 20_000,
            (_, Some("<e:type>"), Some(_)) => 20_000,
            _ => 100_000,
        })
    }

    fn spread(&self, predicate: &Term) -> Result<Spread, StoredError> {
        Ok(match predicate.to_string().as_str() {
            "<e:job>" => Spread { subjects: 1_000, objects: 100 },
            "<e:born>" => Spread { subjects: 1_000, objects: 5 },
            "<e:maker>" => Spread { subjects: 20_000, objects: 1_000 },
            _ => Spread { subjects: 30_000, objects: 10 },
        })
    }
}

/// The predicates of the joined patterns in order, taken from the serialized algebra.
fn order(query: &str) -> Vec<String> {
    let mut query = SparqlParser::new().parse_query(query).unwrap();
    fewest_rows_first(&mut query, &Museum);
    let text = query.to_string();
    let predicates = ["job", "born", "maker", "type", "below"];
    let mut found: Vec<(usize, &str)> =
        predicates.iter().filter_map(|name| Some((text.find(&format!("<e:{name}>"))?, *name))).collect();
    found.sort_unstable();
    found.into_iter().map(|(_, name)| name.to_owned()).collect()
}

#[test]
fn the_rarest_comes_first_and_then_what_it_leads_to() {
    let query =
        "SELECT * { ?w <e:type> <e:Painting> . ?w <e:maker> ?p . ?p <e:born> ?c . ?p <e:job> <e:Painter> }";
    assert_eq!(order(query), ["job", "born", "maker", "type"]);
}

#[test]
fn what_an_optional_part_is_given_counts_as_known() {
    let query = "SELECT * { ?p <e:job> <e:Painter> OPTIONAL { ?w <e:type> <e:Painting> . ?w <e:maker> ?p } }";
    assert_eq!(order(query), ["job", "maker", "type"]);
    let alone = "SELECT * { ?w <e:type> <e:Painting> . ?w <e:maker> <e:Someone> . ?w <e:below> ?x }";
    assert_eq!(order(alone).len(), 3);
}

#[test]
fn what_exists_is_looked_up_from_the_row() {
    let query = "SELECT * { ?p <e:job> <e:Painter> FILTER NOT EXISTS { ?w <e:type> <e:Painting> . ?w <e:maker> ?p } }";
    assert_eq!(order(query), ["job", "maker", "type"]);
}

#[test]
fn parts_that_are_no_triples_stay_where_they_are() {
    let text = "SELECT * { ?p <e:job> ?j . ?p <e:born> ?c { SELECT ?p { ?w <e:maker> ?p } } }";
    let before = SparqlParser::new().parse_query(text).unwrap();
    let mut query = before.clone();
    fewest_rows_first(&mut query, &Museum);
    assert_eq!(query, before);
}

#[test]
fn parts_without_a_common_variable_are_not_joined_anew() {
    let before = SparqlParser::new().parse_query("SELECT * { ?p <e:job> ?j . ?w <e:maker> ?q }").unwrap();
    let mut query = before.clone();
    fewest_rows_first(&mut query, &Museum);
    assert_eq!(query, before);
}

#[test]
fn blank_nodes_join_like_variables() {
    let query = "SELECT * { _:w <e:type> <e:Painting> . _:w <e:maker> ?p . ?p <e:job> <e:Painter> }";
    assert_eq!(order(query), ["job", "maker", "type"]);
}

#[test]
fn predicates_may_be_variables() {
    let node = Term::from(NamedNode::new_unchecked("e:x"));
    assert_eq!(Museum.count([None, Some(&node), None]).unwrap(), 100_000);
    let query = "SELECT * { ?p ?q ?o . ?p <e:job> <e:Painter> . ?p <e:born> ?c }";
    assert_eq!(order(query), ["job", "born"]);
}
