//! The same query about other things: terms put in the places of others.

use super::readable::{pieces, readable};
use crate::check::CheckedQuery;
use crate::terms::Prefixes;
use oxrdf::{Literal, Term};

impl CheckedQuery {
    /// The query with the second term of each pair in every place of the first; `None` if a first one is not in it, or if a pair is
    /// neither two IRIs nor two literals of the same language and datatype.
    #[must_use]
    pub fn with_terms(&self, replaced: &[(Term, Term)], prefixes: &Prefixes) -> Option<String> {
        let text = self.algebra().to_string();
        let pieces = pieces(&text);
        let (mut edited, mut found) = (String::with_capacity(text.len()), vec![false; replaced.len()]);
        for (at, (between, token)) in pieces.iter().enumerate() {
            let behind = pieces.get(at + 1).copied().unwrap_or_default();
            let mut pairs = replaced.iter().zip(&mut found);
            edited.push_str(between);
            match pairs.find(|((old, _), _)| is_written(old, token, behind)) {
                Some(((old, new), found)) => {
                    edited.push_str(&written_in_place(old, new)?);
                    *found = true;
                }
                None => edited.push_str(token),
            }
        }
        found.iter().all(|found| *found).then(|| readable(&edited, prefixes))
    }
}

/// Whether a token, with what is behind it, is this term.
fn is_written(term: &Term, token: &str, (behind, next): (&str, &str)) -> bool {
    match term {
        Term::NamedNode(node) => {
            token.strip_prefix('<').and_then(|rest| rest.strip_suffix('>')) == Some(node.as_str())
        }
        Term::Literal(literal) if token == lexical(literal) => {
            let whole = literal.to_string();
            let tail = whole.strip_prefix(&lexical(literal)).unwrap_or_default();
            if tail.is_empty() { !behind.starts_with(['@', '^']) } else { ends_like(tail, behind, next) }
        }
        Term::Literal(_) | Term::BlankNode(_) => false,
    }
}

/// Whether a language or datatype stands behind a literal.
fn ends_like(tail: &str, behind: &str, next: &str) -> bool {
    if let Some(datatype) = tail.strip_prefix("^^") {
        return behind == "^^" && next == datatype;
    }
    let rest = behind.strip_prefix(tail);
    rest.is_some_and(|rest| !rest.starts_with(|c: char| c.is_ascii_alphanumeric() || c == '-'))
}

/// What is written in the place of a term; language and datatype stand behind it already.
fn written_in_place(old: &Term, new: &Term) -> Option<String> {
    match (old, new) {
        (Term::NamedNode(_), Term::NamedNode(node)) => Some(node.to_string()),
        (Term::Literal(old), Term::Literal(new)) => {
            let same = old.language() == new.language() && old.datatype() == new.datatype();
            same.then(|| lexical(new))
        }
        _ => None,
    }
}

/// The text of a literal in quotes.
fn lexical(literal: &Literal) -> String {
    Literal::new_simple_literal(literal.value()).to_string()
}

#[cfg(test)]
mod tests {
    use crate::{Prefixes, QueryPolicy, check};
    use oxrdf::{Literal, NamedNode, Term};

    fn replaced(query: &str, pairs: &[(Term, Term)]) -> Option<String> {
        let mut prefixes = Prefixes::default();
        prefixes.insert("e", "http://e/");
        check(query, &prefixes, &QueryPolicy::default()).unwrap().with_terms(pairs, &prefixes)
    }

    fn iri(name: &str) -> Term {
        NamedNode::new_unchecked(format!("http://e/{name}")).into()
    }

    #[test]
    fn things_and_values_are_put_in_the_places_of_others() {
        let query = "SELECT ?x { ?x e:in e:a ; e:near e:ab ; e:name \"e:a\" . FILTER(?x != <http://e/a>) }";
        let text = replaced(query, &[(iri("a"), iri("b"))]).unwrap();
        assert!(text.contains("e:in e:b") && text.contains("e:near e:ab"), "{text}");
        assert!(text.contains("\"e:a\"") && !text.contains("e:a "), "{text}");
        let swapped = [(iri("a"), iri("ab")), (iri("ab"), iri("a"))];
        let text = replaced(query, &swapped).unwrap();
        assert!(text.contains("e:in e:ab") && text.contains("e:near e:a "), "{text}");
    }

    #[test]
    fn literals_keep_language_and_datatype() {
        let query = "ASK { ?x e:p \"a\" , \"a\"@en , \"a\"@en-GB , 5 }";
        let text = |new: &str| Literal::new_language_tagged_literal_unchecked(new, "en").into();
        let text = replaced(query, &[(text("a"), text("b \" c"))]).unwrap();
        assert!(text.contains("\"b \\\" c\"@en"), "{text}");
        assert!(text.contains("\"a\"@en-") && text.matches("\"a\"").count() == 2, "{text}");
        let text = replaced(query, &[(Literal::from(5).into(), Literal::from(7).into())]).unwrap();
        assert!(text.contains('7') && !text.contains('5'), "{text}");
        let plain = |text: &str| Term::from(Literal::from(text));
        assert_eq!(replaced(query, &[(plain("a"), Literal::from(7).into())]), None, "another datatype");
    }

    #[test]
    fn what_is_not_in_a_query_cannot_be_replaced() {
        assert_eq!(replaced("ASK { ?x e:p e:a }", &[(iri("a"), iri("b")), (iri("z"), iri("b"))]), None);
    }
}
