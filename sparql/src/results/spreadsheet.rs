//! Prevents CSV injection: a spreadsheet treats text that starts with `=`, `+`, `-`, `@` or certain other characters as a formula,
//! which may run programs and send data ([OWASP, CSV injection](https://owasp.org/www-community/attacks/CSV_Injection)).
//!
//! An apostrophe before such text turns it back into text. Numbers are not changed.

use super::cells::is_numeric;
use oxrdf::{Literal, LiteralRef, NamedNode, Term, TermRef};
use std::borrow::Cow;

/// Characters that start a formula, in ASCII and in East Asian full-width forms.
fn begins(c: char) -> bool {
    matches!(
        c,
        '=' | '+' | '-' | '@' | '\t' | '\r' | '\n' | '\u{ff1d}' | '\u{ff0b}' | '\u{ff0d}' | '\u{ff20}'
    )
}

/// Characters after which a new cell may start, because many locales use another separator than the comma.
fn separates(c: char) -> bool {
    matches!(c, ';' | '\t' | '\r' | '\n')
}

/// The escaped term, if a spreadsheet would run the original.
pub(super) fn inert(term: TermRef<'_>) -> Option<Term> {
    match term {
        TermRef::Literal(literal) if is_number(literal) => None,
        TermRef::NamedNode(node) => owned(node.as_str()).map(|iri| NamedNode::new_unchecked(iri).into()),
        TermRef::Literal(literal) => owned(literal.value()).map(|text| like(literal, text).into()),
        // Its serialization starts with an underscore.
        TermRef::BlankNode(_) => None,
    }
}

/// The text with an apostrophe wherever a formula would start.
pub(super) fn inert_text(text: &str) -> Cow<'_, str> {
    let mut before = ';';
    let mut written = String::new();
    for c in text.chars() {
        if separates(before) && begins(c) {
            written.push('\'');
        }
        written.push(c);
        before = c;
    }
    if written.len() == text.len() { Cow::Borrowed(text) } else { Cow::Owned(written) }
}

fn owned(text: &str) -> Option<String> {
    match inert_text(text) {
        Cow::Borrowed(_) => None,
        Cow::Owned(text) => Some(text),
    }
}

fn is_number(literal: LiteralRef<'_>) -> bool {
    is_numeric(literal.datatype()) && literal.value().parse::<f64>().is_ok()
}

/// A literal with other text but the same language or datatype.
fn like(literal: LiteralRef<'_>, text: String) -> Literal {
    match literal.language() {
        Some(language) => Literal::new_language_tagged_literal_unchecked(text, language),
        None => Literal::new_typed_literal(text, literal.datatype()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use oxrdf::vocab::xsd;

    #[test]
    fn formulas_become_texts_and_numbers_stay() {
        let written = |literal: Literal| inert(Term::from(literal).as_ref()).map(|term| term.to_string());
        let plain = |text: &str| written(Literal::new_simple_literal(text));
        for text in ["=1+1", "+1", "-x", "@a", "\ta", "\ra", "\u{ff1d}1", "=cmd|' /C calc'!A0"] {
            assert!(plain(text).is_some_and(|written| written.starts_with("\"'")), "{text:?}");
        }
        for text in ["a", "1-2", "a=b", "", "'=1", "a, -b"] {
            assert_eq!(plain(text), None, "{text:?}");
        }
        assert_eq!(written(Literal::from(-5)), None);
        assert_eq!(written(Literal::from(-0.5)), None);
        assert!(written(Literal::new_typed_literal("-x", xsd::INTEGER)).is_some(), "it is no number");
        assert_eq!(
            written(Literal::new_language_tagged_literal_unchecked("=a", "en")).as_deref(),
            Some("\"'=a\"@en")
        );
    }

    #[test]
    fn cells_of_other_separators_are_seen() {
        assert_eq!(inert_text("a;=1\n+2\t-3,=4"), "a;'=1\n'+2\t'-3,=4");
    }
}
