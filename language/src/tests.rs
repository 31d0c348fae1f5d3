//! Required content of every pack, and words of individual packs.

use super::*;
use crate::phrases::folded_words;
use crate::template::Template;
use std::collections::BTreeSet;

mod short;

fn pack(tag: &str) -> &'static Language {
    language(tag).unwrap_or_else(|| panic!("no pack {tag}"))
}

fn cues(tag: &str, phrase: &str) -> Vec<(Cue, usize)> {
    let words: Vec<String> = folded_words(phrase);
    pack(tag).cues_at(&words.iter().map(String::as_str).collect::<Vec<_>>())
}

fn nouns(related: &[Related]) -> Vec<&str> {
    related.iter().map(|related| related.noun.as_str()).collect()
}

#[test]
fn every_line_and_every_table_of_every_pack_can_be_read() {
    for (tag, files) in PACKS {
        let mut files = Files::new(files);
        Language::read(tag, &mut files);
        files.tables::<Sentences>("sentences.toml");
        let faults = files.into_faults();
        assert!(faults.is_empty(), "{tag}: {faults:#?}");
    }
}

#[test]
fn every_pack_says_every_cue() {
    let said = |language: &Language| language.cues.phrases().map(|(_, cue)| *cue).collect::<BTreeSet<Cue>>();
    let all: BTreeSet<Cue> = languages().flat_map(said).collect();
    for language in languages() {
        let said = said(language);
        let missing: Vec<_> = all.difference(&said).collect();
        assert!(missing.is_empty(), "{} lacks {missing:?}", language.tag());
    }
}

#[test]
fn every_pack_has_every_file() {
    let names = |files: &PackFiles| files.iter().map(|(name, _)| *name).collect::<BTreeSet<_>>();
    let all: BTreeSet<&str> = PACKS.iter().flat_map(|(_, files)| names(files)).collect();
    for (tag, files) in PACKS {
        let missing: Vec<_> = all.difference(&names(files)).copied().collect();
        // English needs no translations into English.
        assert!(missing.is_empty() || missing == ["translations.txt"], "{tag} lacks {missing:?}");
    }
}

#[test]
fn every_pack_has_every_phrase_with_places_that_are_filled() {
    let slots = |template: &Template| template.slots().map(str::to_owned).collect::<BTreeSet<_>>();
    // For the shapes of properties' names, which not every pack tells.
    let of_shapes = ["verb", "verb_of", "state", "state_of"];
    for language in languages() {
        let has_shapes = language.words.relations.are_listed();
        let tables = fallback().sentences().tables().into_iter().zip(language.sentences().tables());
        for ((name, known), (_, own)) in tables {
            for (key, template) in known {
                if name == "readings" && !has_shapes && of_shapes.contains(&key.as_str()) {
                    assert!(!own.contains_key(key), "{}: {key} is never said", language.tag());
                    continue;
                }
                let Some(own) = own.get(key) else { panic!("{}: {name} lacks {key}", language.tag()) };
                let (own, filled) = (slots(own), slots(template));
                assert!(own.is_subset(&filled), "{}: {name}, {key}: {own:?} of {filled:?}", language.tag());
            }
            let others = own.keys().filter(|key| !known.contains_key(*key)).collect::<Vec<_>>();
            assert!(others.is_empty(), "{}: {name} has keys of its own: {others:?}", language.tag());
        }
    }
}

#[test]
fn words_of_names_tell_no_language() {
    let told = |text: &str| detect_among(text, &["en".to_owned()]).map(Language::tag);
    for name in ["Dining Car Enzian", "Saloon Car"] {
        assert_eq!(told(name), Some("en"), "{name}");
    }
    assert_eq!(told("car il y a des trains"), Some("fr"));
}

#[test]
fn one_pack_is_taken_when_nothing_tells_the_language() {
    assert_eq!(languages().filter(|language| language.about.fallback).count(), 1);
}

#[test]
fn opposites_are_adjectives_of_the_same_pack() {
    for language in languages() {
        for form in language.grades.forms() {
            let Some(grade) = language.grade(form) else { panic!("{form}") };
            let Some(opposite) = language.grade(&grade.opposite) else { continue };
            // "new" and "old" both mean a larger value: of a date, and of an age.
            let turned = !opposite.reversed.is_empty() || !grade.reversed.is_empty();
            assert!(opposite.up != grade.up || turned, "{}: {form} and {}", language.tag(), grade.opposite);
        }
    }
}

#[test]
fn a_cue_may_have_several_meanings_and_the_longest_phrase_comes_first() {
    assert_eq!(cues("en", "no more than 5").first(), Some(&(Cue::AtMost, 3)));
    assert!(cues("en", "no more than 5").contains(&(Cue::Not, 1)));
    assert!(cues("en", "how many cars").contains(&(Cue::HowMany, 2)));
    assert!(cues("en", "don't have").contains(&(Cue::Not, 2)));
    assert!(cues("de", "wie viele Autos").contains(&(Cue::HowMany, 2)));
    assert!(cues("es", "¿Cuántos coches?").contains(&(Cue::HowMany, 1)));
    assert!(cues("fr", "combien d'habitants").contains(&(Cue::HowMany, 2)));
    assert!(cues("it", "quanti abitanti").contains(&(Cue::HowMany, 1)));
    assert!(cues("nl", "hoeveel inwoners").contains(&(Cue::HowMany, 1)));
    assert!(cues("pt", "quantas cidades").contains(&(Cue::HowMany, 1)));
    assert!(cues("zh", "多少个").contains(&(Cue::HowMany, 1)));
    assert!(cues("zh", "哪一 年").contains(&(Cue::When, 2)));
    assert!(cues("en", "suppliers").is_empty());
}

#[test]
fn only_words_of_the_language_count() {
    // German "die" and "was" against English "die" and "was".
    assert!(cues("en", "die").is_empty());
    assert!(cues("en", "kind").iter().all(|(cue, _)| *cue == Cue::KindOf));
    assert!(!pack("en").is_function_word("die"));
    assert!(pack("en").grade("alter").is_none());
    assert!(nouns(pack("en").related("die")).contains(&"death"));
}

#[test]
fn superlatives_are_forms_of_listed_adjectives() {
    for (tag, word, up, noun) in [
        ("en", "cheapest", false, "price"),
        ("de", "teuersten", true, "price"),
        ("de", "Teuerste", true, "price"),
        ("de", "günstigstes", false, "price"),
        ("de", "bevölkerungsreichster", true, "population"),
        ("es", "carísimas", true, "price"),
        ("it", "carissime", true, "price"),
        ("nl", "duurste", true, "price"),
        ("nl", "goedkoopste", false, "price"),
        ("pt", "caríssimas", true, "price"),
        ("en", "latest", true, "date"),
        ("zh", "最便宜", false, "price"),
    ] {
        let grade = pack(tag).grade(word).unwrap_or_else(|| panic!("{word}"));
        assert_eq!((grade.degree, grade.up), (Degree::Superlative, up), "{word}");
        assert!(grade.nouns.iter().any(|known| known == noun), "{word}");
    }
}

#[test]
fn nouns_that_look_like_degrees_are_none() {
    for language in languages() {
        for noun in ["semester", "minister", "register", "forest", "west", "orchester", "master", "fenster"] {
            assert!(language.grade(noun).is_none(), "{} {noun}", language.tag());
        }
    }
}

#[test]
fn accents_tell_degrees_apart() {
    let german = pack("de");
    let degree = |word| german.grade(word).map(|grade| grade.degree);
    assert_eq!(degree("größer"), Some(Degree::Comparative));
    assert_eq!(degree("großer"), Some(Degree::Positive));
    assert_eq!(degree("älter"), Some(Degree::Comparative));
    assert_eq!(degree("alter"), Some(Degree::Positive));
    assert_eq!((degree("grösste"), degree("grosser")), (Some(Degree::Superlative), Some(Degree::Positive)));
    // Without accents, the form is unambiguous.
    assert_eq!(degree("kurzester"), Some(Degree::Superlative));
    assert!(pack("fr").grade("élèves").is_none() && pack("fr").grade("eleve").is_some());
}

#[test]
fn who_is_older_was_born_earlier() {
    let old = pack("en").grade("older").unwrap();
    assert!(old.up && old.reversed.iter().any(|noun| noun == "birth"));
    assert_eq!(&*old.opposite, "young");
}

#[test]
fn verbs_and_adjectives_lead_to_nouns_in_all_their_forms() {
    for (tag, word, noun) in [
        ("en", "born", "birth"),
        ("en", "wrote", "author"),
        ("en", "lives", "residence"),
        ("en", "directed", "director"),
        ("en", "evolves", "evolution"),
        ("en", "manufactured", "manufacturer"),
        ("de", "geboren", "birth"),
        ("de", "schrieb", "author"),
        ("de", "fließt", "course"),
        ("de", "trainiert", "coach"),
        ("es", "murió", "death"),
        ("es", "dirigió", "director"),
        ("fr", "réalisé", "director"),
        ("fr", "né", "birth"),
        ("it", "diresse", "director"),
        ("it", "nata", "birth"),
        ("nl", "schreef", "author"),
        ("nl", "overleden", "death"),
        ("nl", "opgericht", "founder"),
        ("pt", "dirigiu", "director"),
        ("pt", "nasceu", "birth"),
        ("zh", "执导", "director"),
        ("zh", "出生", "birth"),
    ] {
        let related = pack(tag).related(&text::normalize_word(word));
        assert!(nouns(related).contains(&noun), "{word}: {related:?}");
    }
}

#[test]
fn what_is_asked_for_may_choose_the_noun() {
    let born = pack("en").related("born");
    let time = born.iter().find(|related| related.kind == Some(AnswerKind::Time));
    assert_eq!(time.map(|related| related.noun.as_str()), Some("birthdate"));
    assert!(pack("en").answer_kinds("who").contains(&AnswerKind::Person));
    assert_eq!(pack("de").answer_kinds("wo"), [AnswerKind::Place]);
    assert_eq!(pack("en").kind_of_noun("city"), Some(AnswerKind::Place));
    assert_eq!(pack("de").kind_of_noun("lehrerin"), Some(AnswerKind::Person));
    assert_eq!(pack("en").kind_of_noun("colour"), Some(AnswerKind::Thing));
}

#[test]
fn translations_are_found_for_plurals_and_cases() {
    for (tag, word, english) in [
        ("de", "Abteilungen", "department"),
        ("de", "Städten", "city"),
        ("de", "Häuser", "house"),
        ("de", "Ärztinnen", "doctor"),
        ("de", "Flüsse", "river"),
        ("de", "Trainers", "coach"),
        ("es", "ciudades", "city"),
        ("es", "jugadoras", "player"),
        ("es", "países", "country"),
        ("fr", "villes", "city"),
        ("fr", "hôpitaux", "hospital"),
        ("it", "città", "city"),
        ("it", "fiumi", "river"),
        ("it", "attrici", "actress"),
        ("nl", "steden", "city"),
        ("nl", "rivieren", "river"),
        ("nl", "ziekenhuizen", "hospital"),
        ("pt", "cidades", "city"),
        ("pt", "canções", "song"),
        ("pt", "hospitais", "hospital"),
        ("pt", "ônibus", "bus"),
        ("zh", "城市", "city"),
        ("zh", "書籍", "book"),
    ] {
        let found = pack(tag).translations(&text::normalize_word(word));
        assert!(found.iter().any(|found| found == english), "{word}: {found:?}");
    }
    assert!(pack("en").synonyms("film").iter().any(|word| word == "movie"));
}

#[test]
fn families_of_words_share_a_stem() {
    for (tag, one, other) in [
        ("en", "directed", "director"),
        ("en", "directed", "direction"),
        ("en", "producer", "produced"),
        ("en", "movies", "movie"),
        ("en", "movy", "movie"),
        ("en", "cookies", "cookie"),
        ("en", "wives", "wife"),
        ("en", "people", "person"),
        ("en", "children", "child"),
        ("en", "located", "location"),
        ("en", "populated", "population"),
        ("en", "suppliers", "supply"),
        ("en", "evolves", "evolve"),
        ("en", "reliable", "reliability"),
        ("de", "trainer", "trainiert"),
        ("de", "grunder", "gegrundet"),
        ("de", "grundung", "gegrundet"),
        ("de", "stadte", "stadt"),
        ("de", "arzte", "arzt"),
        ("de", "spielte", "spieler"),
        ("de", "kompatibel", "kompatibilitat"),
        ("es", "fundador", "fundado"),
        ("es", "canciones", "cancion"),
        ("es", "escribio", "escribir"),
        ("fr", "fondateur", "fondation"),
        ("fr", "villes", "ville"),
        ("it", "fondatore", "fondazione"),
        ("it", "fiumi", "fiume"),
        ("nl", "schilders", "schilder"),
        ("nl", "talen", "taal"),
        ("pt", "fundador", "fundado"),
        ("pt", "cancoes", "cancao"),
    ] {
        let language = pack(tag);
        assert_eq!(language.stem(one), language.stem(other), "{one} {other}");
    }
}

#[test]
fn words_that_only_look_alike_keep_their_stems() {
    for (tag, one, other) in [
        ("en", "student", "stadium"),
        ("en", "university", "universe"),
        ("en", "flower", "flow"),
        ("en", "number", "numb"),
        ("en", "party", "part"),
        ("en", "station", "state"),
        ("en", "department", "departure"),
        ("en", "general", "generation"),
        ("en", "news", "new"),
        ("en", "building", "built"),
        ("en", "country", "county"),
        ("de", "gewicht", "wichtig"),
        ("de", "gehalt", "halt"),
        ("es", "pais", "paisaje"),
    ] {
        let language = pack(tag);
        assert_ne!(language.stem(one), language.stem(other), "{one} {other}");
    }
}

#[test]
fn numbers_keep_their_digits() {
    for word in ["1999", "1,000", "2200", "b2b55"] {
        assert_eq!(pack("en").stem(word), word);
    }
}

#[test]
fn numbers_ordinals_and_months_are_known() {
    assert_eq!(pack("en").number("twelve"), Some(12.0));
    assert_eq!(pack("de").number("funfundzwanzig"), Some(25.0));
    assert_eq!(pack("es").number("treinta y cinco"), Some(35.0));
    assert_eq!((pack("zh").number("三十五"), pack("zh").scale("亿")), (Some(35.0), Some(1e8)));
    assert_eq!((pack("zh").month("4月"), pack("zh").ordinal("第二")), (Some(4), Some(2)));
    assert_eq!(pack("de").scale("Milliarden"), Some(1e9));
    assert_eq!((pack("en").scale("M"), pack("en").scale("m")), (Some(1e6), None));
    assert_eq!((pack("en").ordinal("3rd"), pack("en").ordinal("second")), (Some(3), Some(2)));
    assert_eq!((pack("es").ordinal("3o"), pack("fr").ordinal("2e")), (Some(3), Some(2)));
    assert_eq!(pack("en").ordinal("rd"), None);
    assert_eq!((pack("de").month("marz"), pack("en").month("marz")), (Some(3), None));
}

#[test]
fn countries_are_known_by_adjective_name_and_code() {
    for (tag, word) in [
        ("en", "French"),
        ("de", "französischen"),
        ("es", "francesas"),
        ("fr", "françaises"),
        ("it", "francesi"),
        ("nl", "Franse"),
        ("pt", "francesas"),
        ("zh", "法国"),
    ] {
        assert_eq!(pack(tag).country(word).first().map(String::as_str), Some("France"), "{word}");
    }
    assert_eq!(pack("de").country("Deutschland"), ["Germany", "Deutschland"]);
    assert_eq!(pack("en").country("US").first().map(String::as_str), Some("United States"));
    for (word, name) in
        [("Niederlanden", "Netherlands"), ("Deutschlands", "Germany"), ("europäische", "Europe")]
    {
        assert_eq!(pack("de").country(word).first().map(String::as_str), Some(name), "{word}");
    }
    assert!(pack("en").country("us").is_empty() && pack("de").country("Wand").is_empty());
}

#[test]
fn compounds_come_apart_into_words_that_the_caller_knows() {
    let known =
        ["sport", "abteilung", "herz", "spezialistin", "haupt", "stadt", "hauptstadt", "name", "leiter"];
    let is_word = |word: &str| known.contains(&word);
    let german = pack("de");
    assert_eq!(german.splits("sportabteilung", &is_word), [["sport", "abteilung"]]);
    assert_eq!(german.splits("abteilungsleiter", &is_word), [["abteilung", "leiter"]]);
    assert_eq!(german.splits("herzspezialistin", &is_word), [["herz", "spezialistin"]]);
    let parts = german.splits("hauptstadtname", &is_word);
    assert_eq!(parts.first(), Some(&vec!["hauptstadt".to_owned(), "name".to_owned()]));
    assert!(german.splits("sport", &is_word).is_empty());
    assert!(german.splits(&"sport".repeat(40), &is_word).is_empty());
}

#[test]
fn languages_are_told_by_their_words_letters_and_script() {
    for (question, expected) in [
        ("Who directed Titanic?", Some("en")),
        ("Where did Mozart die?", Some("en")),
        ("Was Einstein born in Ulm?", Some("en")),
        ("Caesar died in 44 BC", Some("en")),
        ("Who was in an Die Hard film?", Some("en")),
        ("population of Zürich", Some("en")),
        ("Wie viele Einwohner hat Berlin?", Some("de")),
        ("Was kostet der Toaster?", Some("de")),
        ("Name der Firma", Some("de")),
        ("Flüsse in Bayern", Some("de")),
        ("¿Cuántos habitantes tiene Madrid?", Some("es")),
        ("películas de Almodóvar", Some("es")),
        ("Combien d'habitants a Paris ?", Some("fr")),
        ("Quanti abitanti ha Roma?", Some("it")),
        ("Hoeveel inwoners heeft Gent?", Some("nl")),
        ("Quantos habitantes tem Lisboa?", Some("pt")),
        ("Кто снял «Титаник»?", Some("ru")),
        ("Хто зняв фільм Титанік?", Some("uk")),
        ("Хто був мером Ялти у 1950 році?", Some("uk")),
        ("Кто перевёл «Заповіт» на русский?", Some("ru")),
        ("谁导演了泰坦尼克号？", Some("zh")),
        ("タイタニックの監督は誰ですか", Some("ja")),
        ("Who sang 北国の春?", Some("en")),
        ("Titanic", None),
        ("", None),
    ] {
        assert_eq!(detect(question).map(Language::tag), expected, "{question}");
    }
}

#[test]
fn the_caller_decides_what_the_words_leave_open() {
    let preferred = |tags: &[&str]| {
        let tags: Vec<String> = tags.iter().map(|tag| (*tag).to_owned()).collect();
        detect_among("Titanic", &tags).map(Language::tag)
    };
    assert_eq!(preferred(&["xx", "es-MX", "de"]), Some("es"));
    assert_eq!(preferred(&[]), languages().find(|language| language.about.fallback).map(Language::tag));
    let german = detect_among("Wie viele Einwohner hat Berlin?", &["en".to_owned()]);
    assert_eq!(german.map(Language::tag), Some("de"));
}

#[test]
fn a_script_without_a_pack_has_its_tag_and_no_words() {
    let greek = detect("Ποιος σκηνοθέτησε τον «Τιτανικό»;").unwrap();
    assert_eq!(greek.tag(), "el");
    assert!(greek.cues_at(&["ποιος"]).is_empty() && !greek.is_function_word("who"));
    assert_eq!(neutral("nothing").tag(), "und");
}
