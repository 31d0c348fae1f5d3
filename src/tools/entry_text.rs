//! The lines of an entry: one per property, those that the question or a topic speaks of first, and the rest of a long
//! entry folded by kind of value, so that a model sees what there is without reading all of it.

use super::topic::Topic;
use crate::rendering::term_text;
use eruca_dataset::{Dataset, ValueGroup};
use eruca_sparql::{Answer, Results, Term};

/// Maximum number of objects shown per property.
const MAX_OBJECTS: usize = 4;
/// Properties shown with their values; a few more are shown rather than folded.
const SHOWN: usize = 24;
const FEW_MORE: usize = 6;
/// Properties named of a folded kind.
const MAX_NAMED: usize = 20;

/// A property of an entry with its objects.
struct Line<'a> {
    property: String,
    objects: Vec<&'a Term>,
}

/// What a folded group is called.
fn name(group: ValueGroup) -> &'static str {
    match group {
        ValueGroup::Entities => "entities",
        ValueGroup::Dates => "dates",
        ValueGroup::Numbers => "numbers",
        ValueGroup::Texts => "texts",
        ValueGroup::Identifiers => "identifiers",
        ValueGroup::Media => "media",
    }
}

/// The lines of an entry's outgoing triples: types and names, then what fits the topic, then properties with few values,
/// which say most.
pub(super) async fn outgoing_lines(dataset: &Dataset, answer: &Answer, topic: &str) -> Vec<String> {
    let mut groups = grouped(answer);
    let is_long = groups.len() > SHOWN + FEW_MORE;
    let topic = Topic::of(dataset, topic, is_long).await;
    groups.sort_by_cached_key(|line| (topic.rank(dataset, &line.property), line.objects.len()));
    let shown = if is_long { SHOWN } else { groups.len() };
    let folded = groups.split_off(shown);
    let mut lines: Vec<String> = groups.iter().map(|line| text(dataset, line)).collect();
    lines.extend(folded_lines(dataset, &folded));
    lines
}

fn grouped(answer: &Answer) -> Vec<Line<'_>> {
    let Results::Solutions(found) = &answer.results else { return Vec::new() };
    let mut groups: Vec<Line<'_>> = Vec::new();
    for row in &found.rows {
        let (Some(Some(Term::NamedNode(property))), Some(Some(object))) = (row.first(), row.get(1)) else {
            continue;
        };
        match groups.iter_mut().find(|line| line.property == property.as_str()) {
            Some(line) => line.objects.push(object),
            None => groups.push(Line { property: property.as_str().to_owned(), objects: vec![object] }),
        }
    }
    groups
}

fn text(dataset: &Dataset, Line { property, objects }: &Line<'_>) -> String {
    let shown: Vec<String> = objects.iter().take(MAX_OBJECTS).map(|term| term_text(dataset, term)).collect();
    let more = objects.len() > MAX_OBJECTS;
    let more = if more { format!(" … {} in all", objects.len()) } else { String::new() };
    format!("  {} {}{more}", dataset.named(property), shown.join(", "))
}

/// The other properties by the kind of their values, without these.
fn folded_lines(dataset: &Dataset, folded: &[Line<'_>]) -> Vec<String> {
    let group_of = |line: &Line<'_>| dataset.value_group(&line.property, line.objects.first().copied());
    let lines = ValueGroup::ALL.into_iter().filter_map(|group| {
        let of_group: Vec<&Line<'_>> = folded.iter().filter(|line| group_of(line) == group).collect();
        let names = of_group.iter().take(MAX_NAMED).map(|line| dataset.named(&line.property));
        let names = names.collect::<Vec<_>>().join(", ");
        let more = of_group.len().saturating_sub(MAX_NAMED);
        let more = if more > 0 { format!(" and {more} more") } else { String::new() };
        (!of_group.is_empty()).then(|| format!("  {} {}: {names}{more}", of_group.len(), name(group)))
    });
    let mut lines: Vec<String> = lines.collect();
    if !lines.is_empty() {
        lines.insert(0, "Without their values (`property` or `topic` shows them):".to_owned());
    }
    lines
}
