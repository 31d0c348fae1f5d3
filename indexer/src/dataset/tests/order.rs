//! The order of entities with equal or similar names.

use super::{entities, index_of};

/// Numbered cities with the same name.
fn cities(count: u32, name: &str) -> String {
    let key = name.replace(' ', "");
    (0..count).map(|n| format!(":{key}{n} a :City ; rdfs:label \"{name}\" .\n")).collect()
}

#[tokio::test]
async fn every_name_has_its_turn_among_equals() {
    let (index, _workshop) = index_of(&format!("{}{}", cities(8, "Marlon"), cities(1, "Marlin"))).await;
    let found = entities(&index, "marlen", None);
    assert!(found[..2].contains(&"Marlin0".to_owned()), "{found:?}");
}

#[tokio::test]
async fn longer_names_have_places_beside_many_of_the_very_name() {
    let longer = [cities(1, "Ellis Lane"), cities(2, "Lane Springs"), cities(1, "Long Lane End")];
    let (index, _workshop) = index_of(&format!("{}{}", cities(9, "Lane"), longer.concat())).await;
    let found = entities(&index, "lane", None);
    let of_the_name = |iri: &&String| iri.starts_with("Lane") && iri.len() == 5;
    assert_eq!((found.len(), found.iter().filter(of_the_name).count()), (5, 2), "{found:?}");
    // A name shared by more places is more likely to be meant.
    assert_eq!((found[2].as_str(), found[3].as_str()), ("LaneSprings0", "EllisLane0"), "{found:?}");
    assert_eq!(index.entities.namesakes("Lane", None).unwrap(), 9);
    assert_eq!(index.entities.namesakes("Lane", Some("http://e.x/River")).unwrap(), 0);
}

#[tokio::test]
async fn a_name_that_half_of_the_list_holds_is_shown_in_full() {
    let (index, _workshop) = index_of(&format!("{}{}", cities(2, "Lane"), cities(9, "Ellis Lane"))).await;
    let found = entities(&index, "lane", None);
    assert_eq!((&found[0][..4], &found[1][..4]), ("Lane", "Lane"), "{found:?}");
}

#[tokio::test]
async fn many_of_one_name_fill_the_list_when_nothing_else_has_it() {
    let (index, _workshop) = index_of(&format!("{}{}", cities(9, "Lane"), cities(3, "Lana"))).await;
    let found = entities(&index, "lane", None);
    assert!(found.iter().all(|iri| iri.starts_with("Lane")), "{found:?}");
}

#[tokio::test]
async fn spelling_decides_between_equals_where_the_question_has_it() {
    let place = |key: &str, name: &str| format!(":{key} a :City ; rdfs:label \"{name}\" .\n");
    let graph = [
        place("upper", "VILLA FONTANA"),
        place("used", "Fontana Vecchia"),
        ":a :near :used . :b :near :used .\n".to_owned(),
        place("marked", "Horní Ves"),
        place("plain", "Horni Ves"),
        ":a :near :plain .\n".to_owned(),
    ];
    let (index, _workshop) = index_of(&graph.concat()).await;
    assert_eq!(entities(&index, "FONTANA", None)[0], "upper");
    assert_eq!(entities(&index, "fontana", None)[0], "used");
    assert_eq!(entities(&index, "Horní", None)[0], "marked");
    assert_eq!(entities(&index, "horni", None)[0], "plain");
}
