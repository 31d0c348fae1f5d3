//! Tables of a relational database (W3C direct mapping): names of rows, keys, groups, columns that are said again.

use super::Graph;

const LIBRARY: &str = include_str!("library.ttl");

async fn answers(questions: &[(&str, &[&str])]) {
    let graph = Graph::of(LIBRARY).await.expect("the graph is indexed");
    for (question, wanted) in questions {
        let found = graph.ask(question).await.expect("the index can be read");
        assert_eq!(found, *wanted, "{question}");
    }
}

#[tokio::test]
async fn rows_are_told_by_what_names_them() {
    answers(&[
        ("Which writers live in the city Oslo?", &["Ada | Lind", "Cleo | Park"]),
        ("List the books of the genre manual", &["Cold Soup", "Small Engines"]),
        ("What is the title of the book with the most pages?", &["Iron Coast"]),
    ])
    .await;
}

#[tokio::test]
async fn a_word_of_a_columns_name_is_no_superlative() {
    answers(&[
        ("last names of writers", &["Lind", "Moss", "Park", "Roth"]),
        ("Show the first and last names of writers in Oslo", &["Ada | Lind", "Cleo | Park"]),
        ("What is the last name of the oldest writer?", &["Moss"]),
    ])
    .await;
}

#[tokio::test]
async fn keys_are_counted_and_never_compared() {
    answers(&[
        ("How many writers have more than 1 book?", &["2"]),
        ("last names of writers with at least 3 books", &["Moss"]),
    ])
    .await;
}

#[tokio::test]
async fn numbers_for_each() {
    answers(&[
        ("Show the number of books for each genre", &["manual | 2", "novel | 3", "poetry | 1"]),
        (
            "What is the average number of pages for each genre?",
            &["manual | 165", "novel | 310", "poetry | 95"],
        ),
        ("How many books are there of the genre novel?", &["3"]),
        ("How many books are there?", &["6"]),
    ])
    .await;
}

#[tokio::test]
async fn columns_that_a_second_sentence_says() {
    answers(&[
        ("Which book has the most pages? Give me the title.", &["Iron Coast"]),
        (
            "How many books are there for each genre? List the genre and the count.",
            &["manual | 2", "novel | 3", "poetry | 1"],
        ),
        (
            "Which writers are older than 40? Show the last name and the city.",
            &["Moss | Bergen", "Park | Oslo"],
        ),
    ])
    .await;
}

#[tokio::test]
async fn bounds_around_nouns() {
    answers(&[
        ("last names of writers above age 40", &["Moss", "Park"]),
        ("How many writers under age 40 are there?", &["2"]),
    ])
    .await;
}
