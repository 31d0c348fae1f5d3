//! Reading of whole questions.

use super::*;
use eruca_language::Degree;
use proptest::prelude::*;

fn read(text: &str) -> ParsedQuestion {
    ParsedQuestion::read(text, &[])
}

fn numbers(text: &str) -> Vec<String> {
    read(text).numerals.into_iter().map(|numeral| numeral.text).collect()
}

/// "words: first day to last day, grain"
fn times(text: &str) -> Vec<String> {
    let question = read(text);
    let show = |p: &Period| format!("{}: {} to {}, {:?}", question.text_of(p.span), p.from, p.to, p.grain);
    question.periods.iter().map(show).collect()
}

/// Gradable adjectives with degree, direction and what they measure.
fn grades(text: &str) -> Vec<(String, Degree, bool, String)> {
    let question = read(text);
    let show = |found: &GradeAt| {
        let noun = found.grade.nouns.first().cloned().unwrap_or_default();
        (question.text_of(found.span).to_owned(), found.grade.degree, found.grade.up, noun)
    };
    question.grades.iter().map(show).collect()
}

fn of_kind(text: &str, kind: WordKind) -> Vec<String> {
    read(text).words.into_iter().filter(|word| word.kind == kind).map(|word| word.raw).collect()
}

fn said(text: &str, cue: Cue) -> Vec<String> {
    let question = read(text);
    let found = question.cues.iter().filter(|found| found.cue == cue);
    found.map(|found| question.text_of(found.span).to_owned()).collect()
}

#[test]
fn numbers_are_read_in_their_spellings() {
    for (text, expected) in [
        ("over 15,000 and 1.5 in 2014", &["15000", "1.5", "2014"][..]),
        ("a base of 15x15 or 20mm, three boxes", &["15", "15", "20", "3"]),
        ("more than 5 million people or 1.5 billion", &["5000000", "1500000000"]),
        ("which sell for $3.2M, 3.5k or 2bn", &["3200000", "3500", "2000000000"]),
        ("twenty-five thousand of two hundred and fifty thousand", &["25000", "250000"]),
        ("is it two, three or a dozen", &["2", "3", "12"]),
        ("Which are between one hundred and two hundred?", &["100", "200"]),
        ("Wie viele haben 1,5 Millionen oder 1.000?", &["1500000", "1000"]),
        ("Wer hat 2 Mio. Euro, 3 Mrd. oder fünfundzwanzig?", &["2000000", "3000000000", "25"]),
        ("Was kostet mehr als 1.5 Euro?", &["1.5"]),
        ("¿Cuáles tienen dos mil o 1.200,5 habitantes?", &["2000", "1200.5"]),
        ("¿Qué países tienen treinta y cinco mil millones?", &["35000000000"]),
        ("Quelles villes ont 1 000 000 d'habitants ou 2,5 millions ?", &["1000000", "2500000"]),
        ("order 4711-0815 of 12345678901234567890", &["4711", "815"]),
        ("Who is the one in B2B and U2?", &["1"]),
    ] {
        assert_eq!(numbers(text), expected, "{text}");
    }
}

#[test]
fn percentages_are_told_from_numbers() {
    for text in
        ["more than 5 %", "more than 5%", "at least 5 percent", "mindestens 5 Prozent", "5 por ciento de"]
    {
        let question = read(text);
        assert!(question.numerals.iter().all(|numeral| numeral.percent), "{text}");
        assert_eq!(question.numerals.len(), 1, "{text}");
    }
    assert!(!read("5 people").numerals.iter().any(|numeral| numeral.percent));
}

#[test]
fn places_in_rows_are_read() {
    let places = |text: &str| read(text).ordinals.into_iter().map(|found| found.place).collect::<Vec<_>>();
    assert_eq!(places("the 6th and the second longest river"), [6, 2]);
    assert_eq!(places("Wer belegte den 3. Platz und den zweiten?"), [3, 2]);
    assert_eq!(places("Welche Abteilung ist die zweitälteste?"), [2]);
    assert_eq!(places("¿Cuál es la 3ª ciudad y la segunda?"), [3, 2]);
    assert_eq!(places("Quel est le 2e pays ?"), [2]);
    assert!(places("Welche Filme erschienen 1999. Liste sie.").is_empty());
}

#[test]
fn a_point_behind_an_ordinal_or_initial_ends_nothing() {
    let broken = |text: &str| read(text).words.iter().filter(|word| word.broken.is_some()).count();
    assert_eq!(broken("Wer belegte den 3. Platz?"), 0);
    assert_eq!(broken("Which books did J. R. R. Tolkien and Dr. Seuss write?"), 0);
    assert_eq!(broken("How many? List them."), 1);
}

#[test]
fn days_months_and_years_are_times() {
    for (text, expected) in [
        ("films of 1999", "1999: 1999-01-01 to 1999-12-31, Year"),
        ("films of May 1999", "May 1999: 1999-05-01 to 1999-05-31, Month"),
        ("films of February 2000", "February 2000: 2000-02-01 to 2000-02-29, Month"),
        ("films of 3 May 1999", "3 May 1999: 1999-05-03 to 1999-05-03, Day"),
        ("films of May 3rd, 1999", "May 3rd, 1999: 1999-05-03 to 1999-05-03, Day"),
        ("on the 3rd of May 1999", "3rd of May 1999: 1999-05-03 to 1999-05-03, Day"),
        ("since 2010-03-15", "2010-03-15: 2010-03-15 to 2010-03-15, Day"),
        ("since 3/15/2010", "3/15/2010: 2010-03-15 to 2010-03-15, Day"),
        ("Wer wurde am 15.03.2010 geboren?", "15.03.2010: 2010-03-15 to 2010-03-15, Day"),
        ("Wer wurde am 3. Mai 1999 geboren?", "3. Mai 1999: 1999-05-03 to 1999-05-03, Day"),
        ("¿Quién nació el 3 de mayo de 1999?", "3 de mayo de 1999: 1999-05-03 to 1999-05-03, Day"),
        ("Qui est né le 3 mai 1999 ?", "3 mai 1999: 1999-05-03 to 1999-05-03, Day"),
        ("Who died in 44 BC?", "44 BC: -0044-01-01 to -0044-12-31, Year"),
    ] {
        assert_eq!(times(text), [expected], "{text}");
    }
}

#[test]
fn decades_and_centuries_are_times() {
    for (text, expected) in [
        ("films of the 1990s", "the 1990s: 1990-01-01 to 1999-12-31, Decade"),
        ("films of the '70s", "the '70s: 1970-01-01 to 1979-12-31, Decade"),
        ("paintings from the nineties", "nineties: 1990-01-01 to 1999-12-31, Decade"),
        ("battles of the 19th century", "19th century: 1801-01-01 to 1900-12-31, Century"),
        ("Welche Filme sind aus den 90er Jahren?", "90er Jahren: 1990-01-01 to 1999-12-31, Decade"),
        ("Wer war im 20. Jahrhundert König?", "20. Jahrhundert: 1901-01-01 to 2000-12-31, Century"),
        ("películas de los años 90", "los años 90: 1990-01-01 to 1999-12-31, Decade"),
        ("pintores del siglo XIX", "siglo XIX: 1801-01-01 to 1900-12-31, Century"),
        ("les écrivains du XXe siècle", "XXe siècle: 1901-01-01 to 2000-12-31, Century"),
    ] {
        assert_eq!(times(text), [expected], "{text}");
    }
}

#[test]
fn a_year_that_is_said_once_counts_for_both_dates() {
    let both = times("orders between 1 May and 31 August 2022");
    assert_eq!(both.first().map(String::as_str), Some("1 May: 2022-05-01 to 2022-05-01, Day"));
    let months = times("from March to June 2021");
    assert_eq!(months.first().map(String::as_str), Some("March: 2021-03-01 to 2021-03-31, Month"));
    assert!(times("Who may visit in May?").is_empty());
}

#[test]
fn parts_of_a_date_are_no_numbers() {
    let question = read("films released between 3 May 1999 and the 1990s or 2001");
    assert_eq!(question.numerals.len(), 1);
    assert_eq!(numbers("in 2001"), ["2001"]);
    assert!(times("more than 1999.5 or 3000 or 1999%").is_empty());
}

#[test]
fn impossible_dates_are_no_days() {
    assert_eq!(Day::new(2001, 2, 29), None);
    assert_eq!(times("on 31 June 2001"), ["June 2001: 2001-06-01 to 2001-06-30, Month"]);
}

#[test]
fn quotations_are_found_and_apostrophes_are_not() {
    let texts = |text: &str| read(text).quotes.into_iter().map(|quote| quote.text).collect::<Vec<_>>();
    assert_eq!(texts("The dog's owner of 'Old Blue' isn't \"here now\""), ["Old Blue", "here now"]);
    assert_eq!(texts("Wer schrieb „Krieg und Frieden“?"), ["Krieg und Frieden"]);
    assert_eq!(texts("l'auteur de « Les Misérables »"), ["Les Misérables"]);
    assert!(texts("It is James' and the cats' food").is_empty());
    assert_eq!(of_kind("Who wrote \"War and Peace\"?", WordKind::Quoted), ["War", "and", "Peace"]);
    assert!(said("Who wrote \"War and Peace\"?", Cue::And).is_empty());
}

#[test]
fn adjectives_compare_in_their_degrees() {
    use Degree::{Comparative, Positive, Superlative};
    for (text, phrase, degree, up, noun) in [
        ("the longest river", "longest", Superlative, true, "length"),
        ("What is the most expensive car?", "the most expensive", Superlative, true, "price"),
        ("What is the least expensive car?", "the least expensive", Superlative, false, "price"),
        ("Which is more expensive?", "more expensive", Comparative, true, "price"),
        ("Which is less expensive?", "less expensive", Comparative, false, "price"),
        ("How tall is it?", "tall", Positive, true, "height"),
        ("Was ist am teuersten?", "teuersten", Superlative, true, "preis"),
        ("Was ist am wenigsten teuer?", "am wenigsten teuer", Superlative, false, "preis"),
        ("Wer ist größer als Bob?", "größer", Comparative, true, "grosse"),
        ("Wie alt ist das Haus?", "alt", Positive, true, "alter"),
        ("¿Cuál es el coche más caro?", "más caro", Superlative, true, "precio"),
        ("¿Es París más grande que Londres?", "más grande", Comparative, true, "tamano"),
        ("los productos menos caros", "menos caros", Superlative, false, "precio"),
        ("la ciudad con mayor población", "mayor", Superlative, true, "tamano"),
        ("¿Qué río es mayor que el Ebro?", "mayor", Comparative, true, "tamano"),
        ("¿Quién es más alto, Ana o Luis?", "más alto", Comparative, true, "altura"),
        ("les meilleurs élèves", "meilleurs", Superlative, true, "note"),
        ("Quel est le plus grand pays ?", "le plus grand", Superlative, true, "taille"),
        ("La Seine est plus longue que la Loire", "plus longue", Comparative, true, "longueur"),
        ("la deuxième plus grande ville", "plus grande", Superlative, true, "taille"),
    ] {
        assert_eq!(grades(text), [(phrase.to_owned(), degree, up, noun.to_owned())], "{text}");
    }
}

#[test]
fn words_that_say_what_things_are_like_are_adjectives() {
    let adjectives = |text: &str| {
        let question = ParsedQuestion::read(text, &[]);
        let found = (0..question.all().to).filter(|at| question.is_adjective(*at));
        found.filter_map(|at| Some(question.word(at)?.raw.clone())).collect::<Vec<_>>()
    };
    assert_eq!(adjectives("Which wooden bridges are longer than 20 m?"), ["wooden", "longer"]);
    assert_eq!(adjectives("Welche hölzernen Brücken gibt es?"), ["hölzernen"]);
    for none in [
        "Which bridges are in Rome?",
        "How many students does Ada Lind have?",
        "Welche Brücken gibt es in Rom?",
    ] {
        assert!(adjectives(none).is_empty(), "{none}: {:?}", adjectives(none));
    }
}

#[test]
fn nouns_and_names_are_no_degrees() {
    for text in [
        "Which minister registered in the semester?",
        "Welcher Minister ist in welchem Semester im Register?",
        "das Alter des Trainers",
        "Who lives in New York or Great Falls?",
        "How many forests are in the west?",
        "Which master has the best man?",
    ] {
        let found = grades(text);
        assert!(found.iter().all(|(phrase, ..)| phrase == "best"), "{text}: {found:?}");
    }
}

#[test]
fn a_possessive_joins_owner_and_owned() {
    for text in ["Germany's largest cities", "Germany’s largest cities", "James' wife"] {
        let question = read(text);
        assert_eq!(question.role_at(1), Some(Role::Of), "{text}");
        assert!(question.is_possessive(1) && question.is_function_word(1), "{text}");
    }
    let question = read("What's the capital of Germany?");
    assert!(!question.is_possessive(1));
    assert_eq!((question.role_at(1), question.role_at(4)), (None, Some(Role::Of)));
    assert!(question.has_cue(0, Cue::WhatIs));
    assert_eq!(question.text_of(Span::new(0, 2)), "What's");
}

#[test]
fn capitals_tell_names() {
    for (text, expected) in [
        ("Where did Mozart die?", &["Mozart"][..]),
        ("The Rhine. Mountains in Peru", &["Rhine", "Peru"]),
        ("WHO IS THE CEO OF IBM?", &[]),
        ("Who Directed The Movie In Paris", &[]),
        ("Wer ist Angela Merkel?", &["Angela", "Merkel"]),
        ("Welche Regenschirme hat der alte Hausmeister in Bonn?", &["Bonn"]),
        ("Wie heißt die Schwester von Anna oder Bob?", &["Anna", "Bob"]),
        ("¿Quién dirige el Museo del Prado?", &["Museo", "Prado"]),
    ] {
        assert_eq!(of_kind(text, WordKind::Name), expected, "{text}");
    }
}

#[test]
fn words_say_more_or_less() {
    assert!(WordKind::Function < WordKind::Verb && WordKind::Verb < WordKind::Noun);
    assert!(WordKind::Noun < WordKind::Number && WordKind::Number < WordKind::Name);
    assert_eq!(of_kind("Which rivers flow through three parks?", WordKind::Verb), ["flow"]);
    assert_eq!(of_kind("Which rivers flow through three parks?", WordKind::Noun), ["rivers", "parks"]);
    assert_eq!(of_kind("Which rivers flow through three parks?", WordKind::Number), ["three"]);
    assert_eq!(of_kind("Wer trainiert die Mannschaft?", WordKind::Verb), ["trainiert"]);
}

#[test]
fn cues_do_not_cross_punctuation() {
    assert_eq!(said("Who has no more than 5?", Cue::AtMost), ["no more than"]);
    assert!(said("Is it a no? More than 5 are.", Cue::AtMost).is_empty());
    assert_eq!(said("cities that don't have a mayor", Cue::Not), ["don't"]);
    assert_eq!(said("Städte ohne Bürgermeister, falls bekannt", Cue::Optional), ["falls bekannt"]);
}

#[test]
fn a_bound_behind_or_is_of_the_number_before_it() {
    assert_eq!(said("Which trails are 8 km or shorter?", Cue::AtMost), ["or shorter"]);
    assert!(said("Which trails are easy or shorter than 8 km?", Cue::AtMost).is_empty());
    assert_eq!(said("Which trails are easy or shorter than 8 km?", Cue::Or), ["or"]);
}

#[test]
fn the_language_of_the_question_alone_counts() {
    assert_eq!(read("Where did Mozart die?").language.tag(), "en");
    assert_eq!(read("Was kostet der Toaster?").language.tag(), "de");
    assert!(said("Which kind of child is it?", Cue::KindOf).contains(&"kind of".to_owned()));
    assert!(said("Welches Kind ist es?", Cue::KindOf).is_empty());
    assert_eq!(read("Кто снял «Титаник»?").language.tag(), "ru");
}

#[test]
fn long_texts_are_cut() {
    assert_eq!(read(&"word ".repeat(1_000)).len(), 80);
    assert!(read(&"x".repeat(10_000)).text.len() <= MAX_CHARS);
    assert!(read("").is_empty() && read("").text_of(Span::new(0, 1)).is_empty());
}

fn check(text: &str) {
    let question = read(text);
    assert!(question.len() <= 80);
    let quotes = question.quotes.iter().map(|found| found.span);
    let spans = question.cues.iter().map(|found| found.span);
    let spans = spans.chain(question.grades.iter().map(|found| found.span)).chain(quotes);
    let spans = spans.chain(question.numerals.iter().map(|found| found.span));
    for span in spans.chain(question.periods.iter().map(|found| found.span)) {
        assert!(question.all().contains(span) && !question.text_of(span).is_empty(), "{text}");
    }
    for word in &question.words {
        assert!(question.text.get(word.bytes.0..word.bytes.1).is_some(), "{text}");
    }
}

proptest! {
    #[test]
    fn never_panics_and_spans_are_valid(text in "\\PC{0,200}") {
        check(&text);
    }

    #[test]
    fn pieces_of_questions_never_panic(
        pieces in prop::collection::vec(
            prop::sample::select(vec![
                "who", "the", "'s", "'", "\"", "most", "más", "1", "1990", "5.", ",", ".", "000", "s", "er", "th",
                "century", "siglo", "XX", "e", "siècle", "BC", "million", "hundred", "and", "May", "mayo", "de",
                "zweit", "älteste", "3", "/", "-", "%", "n't", " ", " ", " ", "ß", "東", "?", "»", "large",
            ]),
            0..40,
        ),
    ) {
        check(&pieces.concat());
    }
}

#[test]
fn a_name_before_the_verb_of_the_form_may_ask_whether_it_is_so() {
    assert!(read("¿Vienna es más grande que Graz?").asks_yes_or_no());
    assert!(read("Vienna è più grande di Graz?").asks_yes_or_no());
    assert!(read("O Dr. Ivan Petrov é mais velho do que Anna Weiss?").asks_yes_or_no());
    assert!(!read("Vienna è più grande di Graz").asks_yes_or_no());
    assert!(!read("Vienna e Graz").asks_yes_or_no());
}

#[test]
fn a_question_word_behind_a_verb_of_the_form_asks_for_things() {
    assert!(!read("Sail Away has which singers?").asks_yes_or_no());
    assert!(!read("Sail Away had how many singers?").asks_yes_or_no());
    assert!(read("Is there a town which has a mill?").asks_yes_or_no());
    assert!(read("Has Ada Lind a sister who sings?").asks_yes_or_no());
}

#[test]
fn a_sign_before_a_word_ends_no_sentence() {
    assert!(!read("Who made .Org?").begins_sentence(2));
    assert!(read("Who made it. Where is it?").begins_sentence(3));
}

#[test]
fn words_of_a_title_mean_nothing_by_themselves() {
    let mut question = read("When was Never Less Than 3! shown?");
    question.take_for_name(Span::new(2, 6), (false, true));
    let inside = |cue: &CueAt| cue.span.overlaps(Span::new(2, 6));
    assert!(!question.cues.iter().any(inside) && question.numerals.is_empty());
    assert!(question.word(6).is_some_and(|word| word.broken.is_none()));
    assert!(question.has_cue(0, Cue::When));
}
