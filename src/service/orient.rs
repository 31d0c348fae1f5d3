//! Questions that only ask what can be asked, and guidance for users whose question was not understood.

use super::Service;
use super::planned::Planned;
use crate::trace::{Insight, StopReason, Trace};
use eruca_dataset::{Dataset, RunQuery};
use eruca_indexer::media::coordinate_role;
use eruca_indexer::vocabulary::DESCRIBING_PROPERTIES;
use eruca_planner::mentions;
use eruca_planner::question::ParsedQuestion;
use eruca_sparql::{NamedNode, Results, Term};
use eruca_verbalize::words::{Orientation, main_classes};
use std::sync::Arc;
use std::time::{Duration, Instant};

/// The probability that "hello" asks what the graph contains; set by hand, because there is nothing to evaluate.
const WANTED: f32 = 0.97;
/// Upper bound on the probability of an answer that does not cover what was asked for.
const UNREAD: f32 = 0.2;
/// Time limit for fetching the properties of an entity.
const LOOK_TIME: Duration = Duration::from_millis(800);
/// Maximum number of triples examined for the properties of an entity.
const MAX_STATEMENTS: usize = 100;

/// The number of instances per class; `None` if the graph has no classes or the endpoint fails.
pub(super) async fn holdings(
    dataset: &Dataset,
    question: &ParsedQuestion,
    deadline: Instant,
) -> Option<Planned> {
    let classes = main_classes(&dataset.index);
    let nodes: Vec<String> = classes
        .iter()
        .filter_map(|class| NamedNode::new(&class.iri).ok())
        .map(|node| node.to_string())
        .collect();
    if nodes.is_empty() {
        return None;
    }
    let query = format!(
        "SELECT ?class (COUNT(DISTINCT ?thing) AS ?things) WHERE {{ VALUES ?class {{ {} }} ?thing {} ?class }} \
         GROUP BY ?class ORDER BY DESC(?things)",
        nodes.join(" "),
        dataset.vocabulary().type_path(true)
    );
    let query = dataset.check(&query).ok()?;
    let left = deadline.saturating_duration_since(Instant::now());
    let answer = dataset.run(&query, left).await.ok()?;
    let language = super::named::spoken(question);
    let reading = language.say("say", "holdings", &[]).into_owned();
    let insight = Insight { reading: reading.clone(), ..Insight::of(WANTED) };
    let best = RunQuery::new(query, Ok(answer));
    Some(Planned { best: Some(best), readings: vec![reading], insight: Some(insight) })
}

impl Service {
    /// Guidance for the user, if that is all they asked for or nothing was understood.
    pub(super) async fn orientation(
        self: &Arc<Self>,
        dataset: &Arc<Dataset>,
        question: &ParsedQuestion,
        trace: &Trace,
    ) -> Option<Orientation> {
        let wanted = trace.stop == StopReason::AskedForHelp;
        let unread = trace.insight.as_ref().is_some_and(|insight| lacks(question, insight));
        if !wanted && !unread {
            return None;
        }
        let known = if wanted { None } else { known(dataset, question).await };
        let (questions, _) = self.examples(dataset, dataset.languages.first().map(String::as_str)).await;
        Some(Orientation { wanted, known, questions })
    }
}

/// Whether nothing was understood, or what is asked for was not.
fn lacks(question: &ParsedQuestion, insight: &Insight) -> bool {
    let asked = question.asked_noun().and_then(|at| question.word(at));
    insight.probability <= UNREAD
        || asked
            .is_some_and(|word| insight.not_found.contains(&word.raw) && insight.unused.contains(&word.raw))
}

/// An entity named exactly in the question, and the properties that the graph has for it.
async fn known(dataset: &Dataset, question: &ParsedQuestion) -> Option<(String, Vec<String>)> {
    let mentions = mentions(&dataset.index, question).ok()?;
    let same = mentions.iter().filter(|mention| mention.is_same_name());
    let thing = same.max_by_key(|mention| mention.span.len())?.entities.first()?.record.iri.clone();
    let node = NamedNode::new(&thing).ok()?;
    let query =
        format!("SELECT DISTINCT ?property WHERE {{ {node} ?property ?value }} LIMIT {MAX_STATEMENTS}");
    let answer = dataset.run(&dataset.check(&query).ok()?, LOOK_TIME).await.ok()?;
    let Results::Solutions(solutions) = &answer.results else { return None };
    let told = |property: &String| {
        !dataset.vocabulary().is_type(property)
            && !DESCRIBING_PROPERTIES.contains(&property.as_str())
            && !dataset.index.card.naming_properties.contains(property)
            && coordinate_role(property).is_none()
    };
    let properties = solutions.rows.iter().filter_map(|row| match row.first() {
        Some(Some(Term::NamedNode(property))) => Some(property.as_str().to_owned()),
        _ => None,
    });
    let properties: Vec<String> = properties.filter(told).collect();
    (!properties.is_empty()).then_some((thing, properties))
}
