//! Quantifiers, having and not having, and conjunctions.

use super::graph::Graph;

/// A school: students take courses, tutor each other, and are in clubs.
const SCHOOL: &str = r#"
:Student a rdfs:Class ; rdfs:label "student"@en , "Schüler"@de , "estudiante"@es , "élève"@fr .
:Course a rdfs:Class ; rdfs:label "course"@en , "Kurs"@de , "curso"@es , "cours"@fr .
:Club a rdfs:Class ; rdfs:label "club"@en , "Verein"@de , "club"@es , "club"@fr .
:takes rdfs:label "takes"@en , "besucht"@de , "toma"@es , "étudie"@fr . :tutor rdfs:label "tutor"@en , "Tutor"@de , "tutor"@es , "tuteur"@fr .
:memberOf rdfs:label "member of"@en , "Mitglied von"@de , "miembro de"@es , "membre de"@fr .
:credits rdfs:label "credits"@en , "Punkte"@de , "créditos"@es , "crédits"@fr .
:retired rdfs:label "retired"@en , "eingestellt"@de , "cancelado"@es , "supprimé"@fr .
:town rdfs:label "town"@en , "Stadt"@de , "ciudad"@es , "ville"@fr .
:ann a :Student ; rdfs:label "Ann" ; :takes :botany , :music , :latin ; :town "Ulm" .
:ben a :Student ; rdfs:label "Ben" ; :takes :music ; :tutor :ann ; :memberOf :chess ; :town "Ulm" .
:cid a :Student ; rdfs:label "Cid" ; :takes :music , :latin ; :tutor :ann ; :memberOf :chess , :rowing ; :town "Ulm" .
:dot a :Student ; rdfs:label "Dot" ; :tutor :ben ; :town "Ulm" .
:freePlaces rdfs:label "free places"@en , "freie Plätze"@de , "plazas"@es , "places"@fr .
:botany a :Course ; rdfs:label "Botany" ; :credits 6 ; :freePlaces 0 ; :retired false .
:music a :Course ; rdfs:label "Music" ; :credits 4 ; :freePlaces 3 ; :retired false .
:latin a :Course ; rdfs:label "Latin" ; :credits 2 ; :retired true .
:chess a :Club ; rdfs:label "Chess Club" . :rowing a :Club ; rdfs:label "Rowing Club" .
"#;

fn answers(questions: &[(&str, &str, &[&str])]) {
    let graph = Graph::of(SCHOOL);
    let wrong: Vec<String> = questions
        .iter()
        .filter_map(|(question, language, wanted)| {
            let found = graph.ask(question, language);
            (found != *wanted).then(|| format!("{question}: {found:?}, not {wanted:?}"))
        })
        .collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn all_have_no_exception() {
    answers(&[
        ("Do all courses have credits over 3?", "en", &["false"]),
        ("Do all courses have credits over 1?", "en", &["true"]),
        ("Is every course retired?", "en", &["false"]),
        ("Do all students live in Ulm?", "en", &["true"]),
        ("Does each student have a tutor?", "en", &["false"]),
        ("Haben alle Schüler einen Tutor?", "de", &["false"]),
        ("Haben alle Kurse mehr als 1 Punkte?", "de", &["true"]),
        ("¿Todos los estudiantes tienen un tutor?", "es", &["false"]),
        ("¿Tienen todos los estudiantes un tutor?", "es", &["false"]),
        ("Est-ce que tous les élèves ont un tuteur ?", "fr", &["false"]),
        // Asks whether there is one.
        ("Is a course retired?", "en", &["true"]),
    ]);
}

#[test]
fn none_and_most_are_counted() {
    answers(&[
        ("Is no course retired?", "en", &["false"]),
        ("Are none of the courses retired?", "en", &["false"]),
        ("Are most courses retired?", "en", &["false"]),
        ("Do most students have a tutor?", "en", &["true"]),
        ("Haben die meisten Schüler einen Tutor?", "de", &["true"]),
        ("¿La mayoría de los estudiantes tienen un tutor?", "es", &["true"]),
        ("Est-ce que la plupart des élèves ont un tuteur ?", "fr", &["true"]),
        ("Are not all courses retired?", "en", &["true"]),
    ]);
}

#[test]
fn only_leaves_others_out() {
    answers(&[
        ("Which students take only Music?", "en", &["ben"]),
        ("Which students take Music?", "en", &["ann", "ben", "cid"]),
        ("Welche Schüler besuchen nur Music?", "de", &["ben"]),
        ("¿Qué estudiantes toman solo Music?", "es", &["ben"]),
        ("Quels élèves étudient uniquement Music ?", "fr", &["ben"]),
    ]);
}

#[test]
fn every_one_of_a_set_is_reached() {
    answers(&[
        ("Which students take all courses?", "en", &["ann"]),
        ("Which students take every course?", "en", &["ann"]),
        ("Who takes all courses?", "en", &["ann"]),
        ("Welche Schüler besuchen alle Kurse?", "de", &["ann"]),
        ("¿Qué estudiantes toman todos los cursos?", "es", &["ann"]),
        ("Quels élèves étudient tous les cours ?", "fr", &["ann"]),
        // For each, when something of them is asked for.
        ("What are the credits of all courses?", "en", &["2", "4", "6"]),
    ]);
}

#[test]
fn who_has_something_stands_before_it() {
    answers(&[
        ("Who has a tutor?", "en", &["ben", "cid", "dot"]),
        ("Who has no tutor?", "en", &["ann"]),
        ("Which students have no tutor?", "en", &["ann"]),
        ("Which students do not have a tutor?", "en", &["ann"]),
        ("Which students are not the tutor of anyone?", "en", &["cid", "dot"]),
        ("Students without a tutor", "en", &["ann"]),
        ("Wer hat keinen Tutor?", "de", &["ann"]),
        ("Welche Schüler sind ohne Tutor?", "de", &["ann"]),
        ("¿Quién no tiene tutor?", "es", &["ann"]),
        ("Qui n'a pas de tuteur ?", "fr", &["ann"]),
        ("Who is the tutor of Ben?", "en", &["ann"]),
    ]);
}

#[test]
fn nothing_is_done() {
    answers(&[
        ("Which students take nothing?", "en", &["dot"]),
        ("Which students take no courses?", "en", &["dot"]),
        ("Which students are in no club?", "en", &["ann", "dot"]),
        ("Welche Schüler besuchen nichts?", "de", &["dot"]),
    ]);
}

#[test]
fn several_things_all_hold() {
    answers(&[
        ("Which students take Botany and Latin?", "en", &["ann"]),
        ("Which students take both Latin and Music?", "en", &["ann", "cid"]),
        ("Which students take Botany or Latin?", "en", &["ann", "cid"]),
        ("Welche Schüler besuchen Botany und Latin?", "de", &["ann"]),
        ("¿Qué estudiantes toman Botany y Latin?", "es", &["ann"]),
        ("Quels élèves étudient Botany et Latin ?", "fr", &["ann"]),
        ("What are the credits of Botany and Latin?", "en", &["2", "6"]),
    ]);
}

#[test]
fn a_named_thing_is_asked_about() {
    answers(&[
        ("Is Botany a course?", "en", &["true"]),
        ("Is Botany a club?", "en", &["false"]),
        ("Is there a course called Latin?", "en", &["true"]),
        ("Is there a course called Ann?", "en", &["false"]),
        ("Is there a club called Latin?", "en", &["false"]),
        ("Is Latin retired?", "en", &["true"]),
        ("Is Botany retired?", "en", &["false"]),
        ("Does Ann have a tutor?", "en", &["false"]),
        ("Does Dot have a tutor?", "en", &["true"]),
    ]);
}

#[test]
fn what_stands_beside_the_noun_belongs_to_the_whole() {
    answers(&[
        ("Do all students in the Chess Club have a tutor?", "en", &["true"]),
        ("Do all students in the Chess Club take Latin?", "en", &["false"]),
        ("Are all courses with over 3 credits retired?", "en", &["false"]),
        ("Are there no clubs?", "en", &["false"]),
    ]);
}

#[test]
fn neither_holds_and_both_are_had() {
    answers(&[
        ("Which students take neither Botany nor Latin?", "en", &["ben", "dot"]),
        ("Who takes no course?", "en", &["dot"]),
        ("Which students have a tutor and a town?", "en", &["ben", "cid", "dot"]),
        ("Does Ann take all courses?", "en", &["true"]),
        ("Does Ben take all courses?", "en", &["false"]),
    ]);
}
