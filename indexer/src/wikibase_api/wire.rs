//! Lenient parsing of the API's responses: what is missing or malformed is left out, and invalid ids are
//! never used.

use super::{WikibaseEntity, is_id};
use crate::extract::Label;
use serde_json::Value;

/// Maximum number of aliases kept per entity: famous people have a hundred.
const MAX_ALIASES: usize = 20;
/// Maximum number of characters kept of a name, and of a description.
const MAX_NAME_CHARS: usize = 250;
const MAX_DESCRIPTION_CHARS: usize = 500;

/// The hits of `wbsearchentities`, in order.
pub(super) fn search(body: &Value) -> Vec<WikibaseEntity> {
    let hits = body.get("search").and_then(Value::as_array).map_or(&[][..], Vec::as_slice);
    hits.iter().filter_map(hit).collect()
}

fn hit(hit: &Value) -> Option<WikibaseEntity> {
    let id = id(hit)?;
    let shown = |key: &str| hit.get("display").and_then(|display| display.get(key)).and_then(term);
    let plain = |key: &str| hit.get(key).and_then(text).map(|text| Label { text, language: String::new() });
    let mut labels: Vec<Label> = shown("label").or_else(|| plain("label")).into_iter().collect();
    let matched = hit.get("match").filter(|matched| is_name(matched));
    let matched = matched
        .and_then(|matched| Some(Label { text: text(matched.get("text")?)?, language: language(matched) }));
    let aliases = hit.get("aliases").and_then(Value::as_array).map_or(&[][..], Vec::as_slice);
    let aliases = aliases.iter().filter_map(text).map(|text| Label { text, language: String::new() });
    for label in matched.into_iter().chain(aliases.take(MAX_ALIASES)) {
        add(&mut labels, label);
    }
    let description = shown("description").or_else(|| plain("description"));
    Some(WikibaseEntity {
        id,
        labels,
        description: description.map(|label| cut(&label.text, MAX_DESCRIPTION_CHARS)),
        datatype: hit.get("datatype").and_then(text),
    })
}

/// The match may be the id itself, which is not a name.
fn is_name(matched: &Value) -> bool {
    matched.get("type").and_then(Value::as_str) != Some("entityId")
}

/// The entities of `wbgetentities`; names in the order of `languages`.
pub(super) fn entities(body: &Value, languages: &[String]) -> Vec<WikibaseEntity> {
    let Some(entities) = body.get("entities").and_then(Value::as_object) else { return Vec::new() };
    // The key is the requested id; the id in the value differs if one was merged into another.
    entities
        .iter()
        .filter(|(id, _)| is_id(id))
        .filter_map(|(id, value)| entity(id, value, languages))
        .collect()
}

fn entity(id: &str, value: &Value, languages: &[String]) -> Option<WikibaseEntity> {
    if value.get("missing").is_some() {
        return None;
    }
    let mut labels: Vec<Label> = in_order(value.get("labels"), languages).filter_map(term).collect();
    let aliases = in_order(value.get("aliases"), languages).filter_map(Value::as_array).flatten();
    for label in aliases.filter_map(term).take(MAX_ALIASES) {
        add(&mut labels, label);
    }
    let mut unique: Vec<Label> = Vec::with_capacity(labels.len());
    labels.into_iter().for_each(|label| add(&mut unique, label));
    let description = in_order(value.get("descriptions"), languages).find_map(term);
    Some(WikibaseEntity {
        id: id.to_owned(),
        labels: unique,
        description: description.map(|label| cut(&label.text, MAX_DESCRIPTION_CHARS)),
        datatype: value.get("datatype").and_then(text),
    })
}

/// The ids of a vector search, in order.
pub(super) fn nearest(body: &Value) -> Vec<String> {
    let rows = body.as_array().map_or(&[][..], Vec::as_slice);
    let ids = rows.iter().filter_map(|row| row.get("QID").or_else(|| row.get("PID"))?.as_str());
    ids.filter(|id| is_id(id)).map(str::to_owned).collect()
}

/// The values of a map by language, best language first. PHP writes an empty map as an empty list.
fn in_order<'a>(map: Option<&'a Value>, languages: &'a [String]) -> impl Iterator<Item = &'a Value> {
    languages.iter().filter_map(move |language| map?.get(language.as_str()))
}

fn id(value: &Value) -> Option<String> {
    let id = value.get("id")?.as_str()?;
    is_id(id).then(|| id.to_owned())
}

/// `{"language": "en", "value": "..."}`.
fn term(value: &Value) -> Option<Label> {
    Some(Label { text: text(value.get("value")?)?, language: language(value) })
}

fn language(value: &Value) -> String {
    value.get("language").and_then(Value::as_str).map(|tag| cut(tag, 40)).unwrap_or_default()
}

fn text(value: &Value) -> Option<String> {
    let text = value.as_str()?.trim();
    (!text.is_empty()).then(|| cut(text, MAX_NAME_CHARS.max(MAX_DESCRIPTION_CHARS)))
}

fn add(labels: &mut Vec<Label>, mut label: Label) {
    label.text = cut(&label.text, MAX_NAME_CHARS);
    if !labels.iter().any(|known| known.text == label.text) {
        labels.push(label);
    }
}

fn cut(text: &str, chars: usize) -> String {
    text.chars().take(chars).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use serde_json::json;

    #[test]
    fn a_hit_has_its_label_its_alias_and_its_description() {
        let body = json!({"searchinfo": {"search": "h2g2"}, "success": 1, "search": [
            {"id": "Q3107329", "title": "Q3107329", "pageid": 1, "concepturi": "http://www.wikidata.org/entity/Q3107329",
             "display": {"label": {"value": "The Guide", "language": "en"}, "description": {"value": "novel", "language": "en"}},
             "label": "The Guide", "description": "novel",
             "match": {"type": "alias", "language": "en", "text": "H2G2"}, "aliases": ["H2G2"]},
            {"id": "Property:P57", "label": "a title, not an id"},
            {"id": "Q5", "label": "human", "match": {"type": "entityId", "text": "Q5"}},
            "text"]});
        let found = search(&body);
        let names = |at: usize| found[at].labels.iter().map(|label| label.text.as_str()).collect::<Vec<_>>();
        assert_eq!(found.len(), 2);
        assert_eq!(names(0), ["The Guide", "H2G2"]);
        assert_eq!(found[0].description.as_deref(), Some("novel"));
        assert_eq!(names(1), ["human"]);
    }

    #[test]
    fn names_come_in_the_order_of_the_languages_and_missing_entities_not_at_all() {
        let body = json!({"success": 1, "entities": {
            "P57": {"type": "property", "id": "P57", "datatype": "wikibase-item",
                "labels": {"en": {"language": "en", "value": "director"}, "de": {"language": "de", "value": "Regie"}},
                "aliases": {"en": [{"language": "en", "value": "directed by"}]}, "descriptions": []},
            "Q999999999": {"id": "Q999999999", "missing": ""},
            "Q1": {"id": "Q1", "labels": [], "aliases": {}, "descriptions": {"mul": {"language": "mul", "value": "all"}}}}});
        let found = entities(&body, &["de".to_owned(), "mul".to_owned(), "en".to_owned()]);
        let names: Vec<&str> = found[0].labels.iter().map(|label| label.text.as_str()).collect();
        assert_eq!(names, ["Regie", "director", "directed by"]);
        assert_eq!(found[0].datatype.as_deref(), Some("wikibase-item"));
        assert_eq!((found.len(), found[1].description.as_deref()), (2, Some("all")));
    }

    #[test]
    fn the_nearest_are_ids_of_items_or_properties() {
        let body = json!([{"QID": "Q42", "similarity_score": 0.9, "rrf_score": 0.04, "source": "Vector Search"},
            {"PID": "P57", "similarity_score": 0.8}, {"QID": "Q1> ?x"}, {"QID": 7}, 3]);
        assert_eq!(nearest(&body), ["Q42", "P57"]);
        assert!(nearest(&json!({"detail": "Query is missing"})).is_empty());
    }

    fn any_json() -> impl Strategy<Value = Value> {
        let key = prop_oneof![
            Just("search".to_owned()),
            Just("entities".to_owned()),
            Just("id".to_owned()),
            Just("labels".to_owned()),
            Just("en".to_owned()),
            Just("value".to_owned()),
            Just("aliases".to_owned()),
            Just("match".to_owned()),
            Just("QID".to_owned()),
            Just("Q1".to_owned()),
            Just("display".to_owned()),
            Just("label".to_owned()),
        ];
        let text = prop_oneof![Just("Q42".to_owned()), "\\PC{0,20}"];
        let leaf =
            prop_oneof![Just(Value::Null), any::<i64>().prop_map(Value::from), text.prop_map(Value::from)];
        leaf.prop_recursive(5, 60, 6, move |inner| {
            prop_oneof![
                prop::collection::vec(inner.clone(), 0..5).prop_map(Value::from),
                prop::collection::vec((key.clone(), inner), 0..5)
                    .prop_map(|pairs| Value::Object(pairs.into_iter().collect())),
            ]
        })
    }

    proptest! {
        #[test]
        fn any_body_is_read_without_a_fault_and_gives_ids_alone(body in any_json()) {
            let all = search(&body).into_iter().chain(entities(&body, &["en".to_owned()])).map(|entity| entity.id);
            for id in all.chain(nearest(&body)) {
                prop_assert!(is_id(&id), "{id}");
            }
        }
    }
}
