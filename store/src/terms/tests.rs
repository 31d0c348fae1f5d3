use super::*;
use crate::TooMany;
use proptest::prelude::*;

fn written(terms: &[Term]) -> (tempfile::TempDir, Terms, Vec<u32>) {
    let folder = tempfile::tempdir().unwrap();
    let mut writer = TermWriter::create(folder.path(), MOST_TERMS).unwrap();
    let numbers = terms.iter().map(|term| writer.intern(term).unwrap()).collect();
    let terms = Terms::open(folder.path(), writer.finish().unwrap(), &Damage::default()).unwrap();
    (folder, terms, numbers)
}

fn any_term() -> impl Strategy<Value = Term> {
    let text = prop_oneof!["[a-c]{0,3}", ".{0,60}", "http://example\\.org/[a-z]{1,3}"];
    (text, 0_u8..6).prop_map(|(text, kind)| match kind {
        0 => NamedNode::new_unchecked(text).into(),
        1 => BlankNode::default().into(),
        2 => Literal::new_simple_literal(text).into(),
        3 => Literal::new_language_tagged_literal_unchecked(text, "de").into(),
        4 => Literal::new_language_tagged_literal_unchecked(text, "en-gb").into(),
        _ => Literal::new_typed_literal(text, xsd::INTEGER).into(),
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]
    #[test]
    fn terms_come_back_by_number_and_numbers_by_term(terms in proptest::collection::vec(any_term(), 0..120)) {
        let (_folder, stored, numbers) = written(&terms);
        for (term, number) in terms.iter().zip(numbers) {
            prop_assert_eq!(&stored.get(number).unwrap(), term);
            prop_assert_eq!(stored.find(term).unwrap(), Some(number));
        }
        let other = Term::from(Literal::new_typed_literal("never", xsd::BYTE));
        prop_assert_eq!(stored.find(&other).unwrap(), None);
        prop_assert_eq!(stored.find(&NamedNode::new_unchecked("never").into()).unwrap(), None);
        let distinct: std::collections::HashSet<_> = terms.iter().collect();
        prop_assert!(stored.get(distinct.len() as u32).is_err());
    }
}

#[test]
fn terms_that_differ_in_one_thing_are_different() {
    let text = "a";
    let terms: [Term; 6] = [
        NamedNode::new_unchecked(text).into(),
        BlankNode::new_unchecked(text).into(),
        Literal::new_simple_literal(text).into(),
        Literal::new_language_tagged_literal_unchecked(text, "en").into(),
        Literal::new_typed_literal(text, oxrdf::vocab::rdf::LANG_STRING).into(),
        Literal::new_typed_literal(text, NamedNode::new_unchecked("en")).into(),
    ];
    let (_folder, stored, numbers) = written(&terms);
    assert_eq!(numbers, [0, 1, 2, 3, 4, 5]);
    assert_eq!(stored.get(4).unwrap(), terms[4]);
}

#[test]
fn numbers_that_run_out_are_an_error() {
    let folder = tempfile::tempdir().unwrap();
    let mut writer = TermWriter::create(folder.path(), 1).unwrap();
    let term = |text: &str| Term::from(Literal::new_simple_literal(text));
    assert_eq!(writer.intern(&term("a")).unwrap(), 0);
    let error = writer.intern(&term("b")).unwrap_err();
    assert_eq!(TooMany::within(&error), Some(TooMany { what: "terms", most: 1 }));
}

#[test]
fn values_are_those_of_the_terms() {
    let forms = ["1", "01", "1.5", "1.50", "1e3", "true", "2001-02-03", "2001-02-03T04:05:06Z", "x", ""];
    let datatypes = [
        xsd::STRING,
        xsd::BOOLEAN,
        xsd::INTEGER,
        xsd::DECIMAL,
        xsd::DOUBLE,
        xsd::DATE,
        xsd::DATE_TIME,
        xsd::BYTE,
    ];
    let literals =
        datatypes.iter().flat_map(|of| forms.map(|form| Literal::new_typed_literal(form, *of).into()));
    let literals: Vec<Term> = literals.collect();
    let (_folder, stored, numbers) = written(&literals);
    for (literal, number) in literals.iter().zip(numbers) {
        let Value { value, is_parsed: _, is_unusual } = stored.value(number).unwrap();
        assert!(value == ExpressionTerm::from(literal.clone()), "{literal}");
        assert_eq!(is_unusual, Term::from(value) != *literal, "{literal}");
    }
}
