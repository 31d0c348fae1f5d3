//! Rows shown by their names, and keys that mean nothing.

use crate::tests::graph::{Graph, LIBRARY, PORTS};

#[test]
fn rows_are_told_by_what_names_them() {
    let graph = Graph::of(LIBRARY);
    graph.answers(
        "en",
        &[
            ("Which writers live in the city Oslo?", &["Ada Lind", "Cleo Park"]),
            ("List the books of the genre manual", &["Cold Soup", "Small Engines"]),
            ("What is the title of the book with the most pages?", &["Iron Coast"]),
        ],
    );
}

#[test]
fn keys_are_counted_and_never_compared() {
    let graph = Graph::of(LIBRARY);
    graph.answers(
        "en",
        &[
            ("How many writers have more than 1 book?", &["2"]),
            ("last names of writers with at least 3 books", &["Moss"]),
            ("Which writers have at least 3 books? List the last name and the id.", &["Moss 2"]),
        ],
    );
}

#[test]
fn keys_are_no_numbers_of_anything() {
    let graph = Graph::of(LIBRARY);
    graph.answers(
        "en",
        &[
            ("How many writers are there in total?", &["4"]),
            ("Count the number of books", &["6"]),
            ("Which writer has the most books? Give the last name.", &["Moss"]),
        ],
    );
}

#[test]
fn rows_without_a_name_are_told_by_the_row_with_their_key() {
    let graph = Graph::of(LIBRARY);
    graph.answers("en", &[("Which shelves have a height above 180?", &["Iron Coast"])]);
}

#[test]
fn things_are_no_rows_of_tables() {
    let graph = Graph::of(PORTS);
    graph.answers(
        "en",
        &[("Which ships are longer than 100?", &["s1", "s3"]), ("List all harbours", &["h1", "h2"])],
    );
}
