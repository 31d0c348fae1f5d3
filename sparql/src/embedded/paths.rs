//! Puts hierarchy paths before what they are joined with.
//!
//! `?x wdt:P31/wdt:P279* wd:Q3918` is parsed as a triple pattern followed by a path. In this order Oxigraph walks up the hierarchy
//! from every instance of any class, which can take half a minute, while the subclasses of the class are found in milliseconds.
//! Among patterns that its optimizer estimates as equally large it keeps the first, so the path is put first.

use crate::query::algebra::{pattern_of_mut, patterns_mut};
use spargebra::Query;
use spargebra::algebra::{GraphPattern, PropertyPathExpression};
use spargebra::term::TermPattern;

/// Puts variable-length paths that end at a constant before what they are joined with.
pub(super) fn known_ends_first(query: &mut Query) {
    reorder(pattern_of_mut(query));
}

fn reorder(pattern: &mut GraphPattern) {
    patterns_mut(pattern).into_iter().for_each(reorder);
    if let GraphPattern::Join { left, right } = pattern
        && leads_to_constant(right)
    {
        std::mem::swap(left, right);
    }
}

fn leads_to_constant(pattern: &GraphPattern) -> bool {
    use PropertyPathExpression as E;
    let GraphPattern::Path { subject, path, object } = pattern else { return false };
    let open = matches!(subject, TermPattern::Variable(_) | TermPattern::BlankNode(_));
    let any_length = matches!(path, E::ZeroOrMore(_) | E::OneOrMore(_));
    open && any_length && matches!(object, TermPattern::NamedNode(_))
}

#[cfg(test)]
mod tests {
    use super::*;
    use spargebra::SparqlParser;

    fn reordered(query: &str) -> String {
        let mut query = SparqlParser::new().parse_query(query).unwrap();
        known_ends_first(&mut query);
        query.to_string()
    }

    fn place(text: &str, part: &str) -> usize {
        text.find(part).unwrap_or_else(|| panic!("{part} in {text}"))
    }

    #[test]
    fn the_classes_below_one_are_found_before_their_instances() {
        let text = reordered("SELECT ?x WHERE { ?x <e:type>/<e:below>* <e:Class> . ?x <e:in> ?y }");
        assert!(place(&text, "e:below") < place(&text, "e:type"), "{text}");
    }

    #[test]
    fn paths_without_a_known_end_stay() {
        let text = reordered("SELECT ?x WHERE { ?x <e:type> ?c . ?c <e:below>* ?d }");
        assert!(place(&text, "e:type") < place(&text, "e:below"), "{text}");
        let text = reordered("SELECT ?x WHERE { ?x <e:type> ?c . <e:Class> <e:below>* ?c }");
        assert!(place(&text, "e:type") < place(&text, "e:below"), "{text}");
    }
}
