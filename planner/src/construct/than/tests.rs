//! Comparisons with things.

use crate::tests::graph::{Graph, HARBOURS};

#[test]
fn things_are_compared_with_things() {
    let graph = Graph::of(HARBOURS);
    graph.answers(
        "en",
        &[
            ("Which ships are longer than the Petrel?", &["osprey", "tern"]),
            ("ships with more crew than the Osprey", &["petrel", "tern"]),
            ("ships with a larger tonnage than the Petrel", &["osprey", "tern"]),
            ("Which captains were born before Otto Brandt?", &["ines", "ruth"]),
            ("Which regattas took place before the Autumn Cup?", &["spring"]),
            ("Is the Tern longer than the Petrel?", &["true"]),
            ("Is the Plover longer than the Petrel?", &["false"]),
            ("Which ships are wider than they are high?", &["tern"]),
            ("Who is younger, Otto Brandt or Ruth Vance?", &["otto"]),
        ],
    );
}

#[test]
fn other_languages_too() {
    let graph = Graph::of(HARBOURS);
    graph.answers(
        "de",
        &[
            ("Welche Schiffe sind länger als die Petrel?", &["osprey", "tern"]),
            ("Welche Kapitäne wurden vor Otto Brandt geboren?", &["ines", "ruth"]),
        ],
    );
}
