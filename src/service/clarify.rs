//! The question back to the reader: which of several properties is meant, where readings that differ in this alone are equally good.
//! It is made here once; all interfaces show it.

use super::types::Answered;
use eruca_api::{Choice, Clarify, ClarifyOption, Confidence, Insight};
use eruca_dataset::Dataset;
use eruca_language::Language;

/// The question and its options, the property of the answer first. `None` where nothing competes, and where the answer is sure or
/// only a guess: then the property is not what is doubtful.
pub(super) fn clarify(
    dataset: &Dataset,
    answered: &Answered,
    prefers: &[String],
    tongue: &Language,
) -> Option<Clarify> {
    let insight = answered.trace.insight.as_ref().filter(|known| known.confidence == Confidence::Likely)?;
    let rows = answered.results.as_ref()?.row_count();
    let options = options(insight, (&answered.query, rows))?;
    let is_chosen = |option: &ClarifyOption| prefers.contains(&option.iri);
    let (taken, others) = options.split_first()?;
    let chosen = is_chosen(taken) && !others.iter().any(is_chosen);
    let text = tongue.say("say", "which_meant", &[]).into_owned();
    Some(Clarify { text, options: distinct(dataset, options), chosen })
}

/// The competing properties; `None` if there are no two.
fn options(insight: &Insight, (query, rows): (&str, usize)) -> Option<Vec<ClarifyOption>> {
    let others = || insight.alternatives.iter().filter_map(|other| Some((other.choice.as_ref()?, other)));
    let (Choice { taken, .. }, _) = others().next()?;
    let mut options = vec![ClarifyOption {
        iri: taken.iri.clone(),
        label: taken.name.clone(),
        reading: insight.reading.clone(),
        query: query.to_owned(),
        rows,
    }];
    for (choice, other) in others().filter(|(choice, _)| choice.taken.iri == taken.iri) {
        let instead = &choice.instead;
        if options.iter().all(|known| known.iri != instead.iri) {
            options.push(ClarifyOption {
                iri: instead.iri.clone(),
                label: instead.name.clone(),
                reading: other.reading.clone(),
                query: other.query.clone(),
                rows: other.rows,
            });
        }
    }
    (options.len() > 1).then_some(options)
}

/// Options with the same label get their IRIs behind it, so that each can be named.
fn distinct(dataset: &Dataset, options: Vec<ClarifyOption>) -> Vec<ClarifyOption> {
    let labels: Vec<String> = options.iter().map(|option| option.label.to_lowercase()).collect();
    let is_shared = |label: &str| labels.iter().filter(|other| **other == label.to_lowercase()).count() > 1;
    let named = |option: ClarifyOption| match is_shared(&option.label) {
        true => {
            ClarifyOption { label: format!("{} ({})", option.label, dataset.compact(&option.iri)), ..option }
        }
        false => option,
    };
    options.into_iter().map(named).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use eruca_api::{Alternative, Chosen};
    use eruca_dataset::testing::graph_of;

    fn chosen(iri: &str, name: &str) -> Chosen {
        Chosen { iri: iri.to_owned(), name: name.to_owned() }
    }

    fn insight(others: &[(Chosen, Chosen)]) -> Insight {
        let other = |(taken, instead): &(Chosen, Chosen)| Alternative {
            reading: String::new(),
            query: instead.iri.clone(),
            rows: 2,
            choice: Some(Choice { taken: taken.clone(), instead: instead.clone() }),
        };
        Insight { alternatives: others.iter().map(other).collect(), ..Insight::of(0.6) }
    }

    #[test]
    fn each_property_is_offered_once_and_only_against_that_of_the_answer() {
        let [a, b, c] = ["urn:a", "urn:b", "urn:c"].map(|iri| chosen(iri, iri));
        let pairs = [(a.clone(), b.clone()), (c.clone(), a.clone()), (a.clone(), b), (a.clone(), c)];
        let found = options(&insight(&pairs), ("urn:a", 1)).unwrap();
        let shown: Vec<(&str, usize)> =
            found.iter().map(|option| (option.query.as_str(), option.rows)).collect();
        assert_eq!(shown, [("urn:a", 1), ("urn:b", 2), ("urn:c", 2)]);
        assert!(options(&insight(&[(a.clone(), a)]), ("urn:a", 1)).is_none());
        assert!(options(&insight(&[]), ("urn:a", 1)).is_none());
    }

    #[tokio::test]
    async fn properties_with_the_same_name_can_be_told_apart() {
        let graph = graph_of("hills", "@prefix h: <http://hills.example/> . h:a h:height 300 .").await;
        let [a, b, c] = [("a", "height"), ("b", "Height"), ("c", "width")]
            .map(|(iri, name)| chosen(&format!("http://hills.example/{iri}"), name));
        let found = options(&insight(&[(a.clone(), b), (a, c)]), ("urn:a", 1)).unwrap();
        let labels: Vec<String> =
            distinct(&graph.dataset, found).into_iter().map(|option| option.label).collect();
        assert!(labels[0].starts_with("height (") && labels[1].starts_with("Height ("), "{labels:?}");
        assert_ne!(labels[0].to_lowercase(), labels[1].to_lowercase());
        assert_eq!(labels[2], "width");
    }
}
