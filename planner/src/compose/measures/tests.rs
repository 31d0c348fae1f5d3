//! Which attributes measure members, and which do not.

use crate::Confidence;
use crate::tests::graph::{Graph, WARDS};

#[test]
fn the_only_number_there_is_makes_nobody_taller_or_older() {
    let graph = Graph::of(WARDS);
    for (language, question) in [
        ("en", "Who is taller than Amy Holt?"),
        ("en", "How heavy is Bea Kord?"),
        ("en", "Who is the oldest nurse?"),
        ("en", "How old is Amy Holt?"),
        ("de", "Wer ist größer als Amy Holt?"),
        ("es", "¿Quién es más alto que Amy Holt?"),
        ("fr", "Qui est plus grand que Amy Holt ?"),
    ] {
        assert_ne!(graph.confidence(question, language), Confidence::Sure, "{question}");
    }
    assert_ne!(graph.confidence("Which nurses are over 60?", "en"), Confidence::Sure);
    for question in ["Who is the newest nurse?", "Who has the highest wage?", "Who is the best paid nurse?"] {
        assert_eq!(graph.confidence(question, "en"), Confidence::Sure, "{question}");
    }
}
