//! Property tests with arbitrary graphs, questions and model texts: no panic, and the parts add up to the text.

use super::{Around, insight, orchards};
use crate::variable_labels::units;
use crate::words::{Verbalizer, sentence, verify::SayableFacts};
use eruca_language::languages;
use eruca_sparql::{Literal, NamedNode, Results, Solutions, Term, XSD};
use proptest::prelude::*;
use proptest::test_runner::{Config, TestRunner};

fn term() -> impl Strategy<Value = Option<Term>> {
    let datatype = prop_oneof![
        Just("integer"),
        Just("double"),
        Just("date"),
        Just("dateTime"),
        Just("gYear"),
        Just("gMonthDay"),
        Just("boolean"),
        Just("anyURI"),
        Just("string")
    ];
    let text = prop_oneof![any::<String>(), "[-+0-9.:TZe]{0,24}", Just("POINT(1 2)".to_owned())];
    let literal = (text, datatype).prop_map(|(text, name)| {
        Term::from(Literal::new_typed_literal(text, NamedNode::new_unchecked(format!("{XSD}{name}"))))
    });
    let node = "[a-zA-Z0-9%/#_-]{0,20}"
        .prop_map(|name| Term::from(NamedNode::new_unchecked(format!("http://e/{name}"))));
    prop_oneof![Just(None), literal.prop_map(Some), node.prop_map(Some)]
}

fn rows() -> impl Strategy<Value = Vec<Vec<Option<Term>>>> {
    prop::collection::vec(prop::collection::vec(term(), 3), 0..12)
}

#[test]
fn texts_of_any_kind_are_read() {
    proptest!(Config::with_cases(300), |(text in any::<String>(), digits in "[-+0-9.eE]{0,40}")| {
        for language in languages() {
            for text in [&text, &digits] {
                let _number = language.written_number(text);
                let _date = language.written_time("date", text);
            }
        }
        let _unit = (units::in_name(&text), units::in_local_name(&text));
    });
}

#[tokio::test]
async fn sentences_are_made_of_any_rows() {
    let graph = orchards().await;
    let query = "SELECT ?o ?k ?n { ?o a :Orchard ; :keeper ?k ; :trees ?n }";
    for (question, around) in [
        ("Which orchards are there?", Around::default()),
        ("Wie viele Bäume hat der Garten?", insight(0.9, &[], &[])),
        ("¿Qué huertos hay?", insight(0.2, &["a\u{202e}b"], &["x"])),
    ] {
        graph
            .context(question, query, &around, async |context| {
                let mut runner = TestRunner::new(Config::with_cases(80));
                let ran = runner.run(&(rows(), any::<String>()), |(rows, told)| {
                    let mut answer = context.answer.clone();
                    let variables = ["o", "k", "n"].map(str::to_owned).to_vec();
                    answer.results = Results::Solutions(Solutions { variables, rows });
                    let columns = crate::words::columns(context.dataset, context.query, &answer);
                    let context =
                        crate::words::AnswerContext { answer: &answer, columns: &columns, ..*context };
                    let words = sentence(&context);
                    prop_assert_eq!(
                        &words.text,
                        &words.parts.iter().map(|part| part.text.as_str()).collect::<String>()
                    );
                    prop_assert!(!words.text.trim().is_empty());
                    let _marked = SayableFacts::of(&Verbalizer::new(context)).unverified(&told);
                    Ok(())
                });
                ran.unwrap();
            })
            .await;
    }
}
