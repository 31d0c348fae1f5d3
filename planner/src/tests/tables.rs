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
async fn names_in_lower_case_are_names_where_the_graph_or_the_whole_question_writes_so() {
    let graph = r#"
@prefix : <http://valleys.test/> . @prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
:mills a rdfs:Class . :valleys a rdfs:Class . :wheels rdfs:label "wheels" . :ref-valley rdfs:label "ref-valley" . :valleyname rdfs:label "valleyname" .
:m1 a :mills ; :wheels 3 ; :ref-valley :v1 . :m2 a :mills ; :wheels 5 ; :ref-valley :v1 . :m3 a :mills ; :wheels 4 ; :ref-valley :v2 .
:v1 a :valleys ; :valleyname "underhill" . :v2 a :valleys ; :valleyname "Overlea" .
"#;
    let graph = Graph::of(graph).await.expect("the graph is indexed");
    for (question, wanted) in [
        ("How many mills are there in underhill?", "2"),
        ("how many mills are there in overlea?", "1"),
        ("How many mills are there in Overlea?", "1"),
    ] {
        assert_eq!(graph.ask(question).await.expect("the index can be read"), [wanted], "{question}");
    }
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
        ("Which writers have at least 3 books? List the last name and the id.", &["Moss | 2"]),
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

#[tokio::test]
async fn keys_are_no_numbers_of_anything() {
    answers(&[
        ("How many writers are there in total?", &["4"]),
        ("Count the number of books", &["6"]),
        ("Which writer has the most books? Give the last name.", &["Moss"]),
    ])
    .await;
}

#[tokio::test]
async fn the_last_noun_of_a_compound_is_asked_for() {
    answers(&[("How many book writers are there?", &["3"]), ("How many novel books are there?", &["3"])])
        .await;
}

#[tokio::test]
async fn two_bounds_with_or_between_them() {
    answers(&[
        ("Show the titles of books with pages below 100 or above 350", &["Iron Coast", "River Songs"]),
        ("last names of writers above age 40", &["Moss", "Park"]),
    ])
    .await;
}

#[tokio::test]
async fn comparisons_that_are_denied() {
    answers(&[
        ("last names of writers whose age is not higher than 34", &["Lind", "Roth"]),
        ("last names of writers whose age is higher than 34", &["Moss", "Park"]),
    ])
    .await;
}

#[tokio::test]
async fn sorted_by_what_stands_behind_a_preposition() {
    answers(&[
        ("Sort the last names of writers by age in descending order.", &["Lind", "Moss", "Park", "Roth"]),
        ("last names of writers, oldest first", &["Lind", "Moss", "Park", "Roth"]),
    ])
    .await;
}

#[tokio::test]
async fn what_an_adjective_measures_is_said_behind_it() {
    answers(&[("What is the title of the largest book by pages?", &["Iron Coast"])]).await;
}

#[tokio::test]
async fn the_greatest_with_what_else_it_has() {
    answers(&[
        ("What is the maximum number of pages and the title of the novel books?", &["400 | Iron Coast"]),
        (
            "What is the maximum number of pages for each genre?",
            &["manual | 180", "novel | 400", "poetry | 95"],
        ),
    ])
    .await;
}

#[tokio::test]
async fn numbers_that_members_are_ranked_by() {
    answers(&[
        ("What is the city with the most writers and how many does it have?", &["Oslo | 2"]),
        ("What is the city with the most writers?", &["Oslo"]),
    ])
    .await;
}

#[tokio::test]
async fn texts_that_say_yes_or_no() {
    answers(&[
        ("last names of members that are active", &["Bo", "Ek"]),
        ("last names of members that are not active", &["Ny"]),
    ])
    .await;
}

#[tokio::test]
async fn names_of_initials() {
    answers(&[("What is the number of words per minute of the writer Moss?", &["70"])]).await;
}

#[tokio::test]
async fn rows_without_a_name_are_told_by_the_row_with_their_key() {
    answers(&[("Which shelves have a height above 180?", &["Iron Coast"])]).await;
}
