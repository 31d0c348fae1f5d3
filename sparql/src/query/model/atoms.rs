//! The conjunctive core of a query, part by part: what must match together, so that an empty result can be
//! explained by the part that removes the last solution. Uses `algebra` and spargebra.

use crate::check::CheckedQuery;
use crate::query::algebra::pattern_of;
use oxrdf::Term;
use spargebra::algebra::{Expression, GraphPattern};
use spargebra::term::{NamedNodePattern, TermPattern, TriplePattern};

/// A part of the WHERE clause that must match.
#[derive(Debug, Clone, PartialEq)]
pub struct Atom {
    /// The part in SPARQL with full IRIs: a triple pattern, a path, or a group in braces.
    pub text: String,
    /// The subject, if the part is a triple pattern with a constant there.
    pub subject: Option<Term>,
    /// The predicate's IRI, if the part is a triple pattern with a constant there.
    pub predicate: Option<String>,
    /// The object, if the part is a triple pattern with a constant there.
    pub object: Option<Term>,
}

/// What must match together for a query to have a solution.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Conjunction {
    /// The parts, in the order of the query.
    pub atoms: Vec<Atom>,
    /// The filters, in SPARQL.
    pub filters: Vec<String>,
    /// Those of the filters that are a HAVING. They name aggregates by variables that the parser made.
    having: Vec<String>,
}

impl Conjunction {
    /// The filters on rows, in SPARQL: without HAVING, whose aggregates have no value where the parts alone are matched.
    pub fn row_filters(&self) -> impl Iterator<Item = &str> {
        self.filters.iter().filter(|filter| !self.having.contains(filter)).map(String::as_str)
    }
}

impl CheckedQuery {
    /// The conjunctive core of the query: OPTIONAL parts are left out, UNIONs and other groups are one part.
    pub fn conjunction(&self) -> Conjunction {
        let mut found = Conjunction::default();
        collect(pattern_of(self.algebra()), &mut found);
        found
    }
}

fn collect(pattern: &GraphPattern, found: &mut Conjunction) {
    use GraphPattern as P;
    match pattern {
        P::Bgp { patterns } => found.atoms.extend(patterns.iter().map(triple_atom)),
        P::Path { subject, path, object } => found.atoms.push(Atom {
            text: format!("{subject} {path} {object}"),
            subject: constant(subject),
            predicate: None,
            object: constant(object),
        }),
        P::Join { left, right } => {
            collect(left, found);
            collect(right, found);
        }
        P::LeftJoin { left, .. } | P::Minus { left, .. } => collect(left, found),
        P::Filter { expr, inner } => {
            collect(inner, found);
            let text = filter_text(expr);
            if is_grouped(inner) {
                found.having.push(text.clone());
            }
            found.filters.push(text);
        }
        P::Extend { inner, .. }
        | P::OrderBy { inner, .. }
        | P::Project { inner, .. }
        | P::Distinct { inner }
        | P::Reduced { inner }
        | P::Slice { inner, .. }
        | P::Group { inner, .. } => collect(inner, found),
        group => found.atoms.push(Atom {
            text: format!("{{ {group} }}"),
            subject: None,
            predicate: None,
            object: None,
        }),
    }
}

/// Whether a filter on this is a HAVING.
fn is_grouped(pattern: &GraphPattern) -> bool {
    match pattern {
        GraphPattern::Group { .. } => true,
        GraphPattern::Filter { inner, .. } | GraphPattern::Extend { inner, .. } => is_grouped(inner),
        _ => false,
    }
}

fn filter_text(expression: &Expression) -> String {
    format!("FILTER({expression})")
}

fn triple_atom(pattern: &TriplePattern) -> Atom {
    let predicate = match &pattern.predicate {
        NamedNodePattern::NamedNode(node) => Some(node.as_str().to_owned()),
        NamedNodePattern::Variable(_) => None,
    };
    Atom {
        text: pattern.to_string(),
        subject: constant(&pattern.subject),
        predicate,
        object: constant(&pattern.object),
    }
}

fn constant(term: &TermPattern) -> Option<Term> {
    match term {
        TermPattern::NamedNode(node) => Some(Term::from(node.clone())),
        TermPattern::Literal(literal) => Some(Term::from(literal.clone())),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use crate::{Prefixes, QueryPolicy, check};

    #[test]
    fn the_core_leaves_out_what_may_be_missing() {
        let mut prefixes = Prefixes::default();
        prefixes.insert("e", "http://e/");
        let text = "SELECT (COUNT(?x) AS ?n) { ?x a e:C ; e:p/e:q \"v\" . OPTIONAL { ?x e:o ?y } \
                    { ?x e:r e:A } UNION { ?x e:r e:B } FILTER(?x != e:Z) }";
        let core = check(text, &prefixes, &QueryPolicy::default()).unwrap().conjunction();
        let texts: Vec<&str> = core.atoms.iter().map(|atom| atom.text.as_str()).collect();
        assert!(texts.iter().any(|text| text.ends_with("<http://e/C>")), "{texts:?}");
        assert!(
            texts.iter().any(|text| text.contains("<http://e/q>") && text.contains("\"v\"")),
            "{texts:?}"
        );
        assert!(texts.iter().any(|text| text.contains("UNION")), "{texts:?}");
        assert!(texts.iter().all(|text| !text.contains("<http://e/o>")), "{texts:?}");
        assert_eq!(core.filters.len(), 1);
    }

    #[test]
    fn a_condition_on_groups_is_not_a_filter_on_rows() {
        let prefixes = Prefixes::default();
        let text = "SELECT ?x { ?x a <http://e/C> ; <http://e/p> ?y FILTER(?y > 1) } \
                    GROUP BY ?x HAVING (COUNT(?y) > 1) (SUM(?y) > 3)";
        let core = check(text, &prefixes, &QueryPolicy::default()).unwrap().conjunction();
        let of_rows: Vec<&str> = core.row_filters().collect();
        assert!(matches!(of_rows.as_slice(), [only] if only.contains("?y")), "{:?}", core.filters);
        assert!(core.filters.len() > 1, "{:?}", core.filters);
    }
}
