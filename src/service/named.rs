//! Questions that consist only of a name: the answer is what the graph says about the entities with this name. No
//! model is called.

use super::evidence::evidence;
use super::planned::Planned;
use crate::cpu_pool::CpuPool;
use eruca_api::Insight;
use eruca_dataset::{Dataset, RunQuery};
use eruca_indexer::vocabulary::StatementPart;
use eruca_language::{Language, fallback};
use eruca_planner::question::ParsedQuestion;
use eruca_planner::{Doubt, Entry, Grounds, Ledger, NameAlone, Named, Part, name_alone};
use eruca_sparql::{NamedNode, one_line};
use std::sync::Arc;
use std::time::{Duration, Instant};

/// Maximum number of triples fetched.
pub(super) const MAX_STATEMENTS: usize = 1_000;
/// If less time than this is left, no query is run.
const MIN_TIME: Duration = Duration::from_millis(50);
/// Maximum number of languages of fetched literals, besides those without a language tag.
const MAX_LANGUAGES: usize = 3;
/// The probability that the only entity with exactly this name is meant, that one of several is, and that one with a
/// similar name is. Set by hand, because the usual features do not apply.
const ONLY: f32 = 0.97;
const ONE_OF_SEVERAL: f32 = 0.6;
const OTHER_NAME: f32 = 0.4;

/// The entities that a question names without asking anything else about them.
pub(super) async fn named_alone(
    cpu_pool: &CpuPool,
    dataset: &Arc<Dataset>,
    question: &Arc<ParsedQuestion>,
    named: &Named,
) -> Option<NameAlone> {
    let (owned, asked, named) = (dataset.clone(), question.clone(), named.clone());
    // Index failures are reported by the caller that answers instead.
    cpu_pool.at_length(move |_| name_alone(&owned.index, &asked, &named)).await.ok().flatten()
}

/// What the graph says about them; `None` if it has nothing or the endpoint fails.
pub(super) async fn told(
    dataset: &Dataset,
    question: &ParsedQuestion,
    name: &NameAlone,
    deadline: Instant,
) -> Option<Planned> {
    let about: Vec<String> = name.things.iter().map(|hit| hit.record.iri.clone()).collect();
    let query = dataset.check(&query_about(dataset, &about)?).ok()?;
    let left = deadline.saturating_duration_since(Instant::now());
    let answer = if left < MIN_TIME { None } else { dataset.run(&query, left).await.ok() }?;
    if answer.is_empty() {
        return None;
    }
    let insight = insight(dataset, question, name, about);
    let readings = vec![insight.reading.clone()];
    let best = RunQuery::new(query, Ok(answer));
    Some(Planned { best: Some(best), readings, insight: Some(insight) })
}

/// Selects all triples about the entities, with literals in the reader's languages and those without a language tag.
pub(super) fn query_about(dataset: &Dataset, about: &[String]) -> Option<String> {
    let nodes: Vec<NamedNode> = about.iter().filter_map(|iri| NamedNode::new(iri).ok()).collect();
    let vocabulary = dataset.vocabulary();
    let names = vocabulary.statements.as_ref().filter(|names| about.iter().any(|iri| names.is_entity(iri)));
    let direct = names.map_or_else(String::new, |names| {
        format!(" FILTER(STRSTARTS(STR(?property), \"{}\"))", names.namespace(StatementPart::Direct))
    });
    let texts = languages(dataset);
    let rest = format!("?property ?value .{direct}{texts} }} LIMIT {MAX_STATEMENTS}");
    Some(match nodes.as_slice() {
        [] => return None,
        [only] => format!("SELECT DISTINCT ?property ?value WHERE {{ {only} {rest}"),
        several => {
            let all = several.iter().map(ToString::to_string).collect::<Vec<_>>().join(" ");
            format!(
                "SELECT DISTINCT ?thing ?property ?value WHERE {{ VALUES ?thing {{ {all} }} ?thing {rest}"
            )
        }
    })
}

/// A filter on literal languages, because an entity may have labels in hundreds of them.
fn languages(dataset: &Dataset) -> String {
    if dataset.index.card.languages.len() <= MAX_LANGUAGES {
        return String::new();
    }
    let is_tag = |tag: &&String| tag.chars().all(|c| c.is_ascii_alphanumeric() || c == '-');
    let tags = dataset.languages.iter().filter(is_tag).take(MAX_LANGUAGES);
    let listed: Vec<String> =
        std::iter::once("\"\"".to_owned()).chain(tags.map(|tag| format!("\"{tag}\""))).collect();
    format!(" FILTER(!ISLITERAL(?value) || LANG(?value) IN ({}))", listed.join(", "))
}

fn insight(dataset: &Dataset, question: &ParsedQuestion, name: &NameAlone, about: Vec<String>) -> Insight {
    let language = spoken(question);
    let right = if name.exact { Grounds::Exact } else { Grounds::Typo };
    let entry = |iri: &String| Entry {
        span: name.span,
        words: name.text.clone(),
        part: Part::Thing(iri.clone()),
        right,
    };
    let doubts = match (name.exact, about.len()) {
        (true, 1) => Vec::new(),
        (true, _) => about.first().cloned().map(Doubt::Narrow).into_iter().collect(),
        (false, _) => vec![Doubt::Weak(name.span, name.text.clone())],
    };
    let probability = match (name.exact, about.len()) {
        (true, 1) => ONLY,
        (true, _) => ONE_OF_SEVERAL,
        (false, _) => OTHER_NAME,
    };
    // Entities with the same name share one entry, because the words name each of them equally.
    let entries = about.iter().take(if name.exact { 1 } else { about.len() }).map(entry).collect();
    let ledger = Ledger { entries, doubts };
    let called = about.first().and_then(|iri| dataset.label(iri)).unwrap_or_else(|| name.text.clone());
    let (because, doubts) = evidence(dataset, &ledger, language);
    Insight {
        reading: language.say("say", "said_of", &[("x", &one_line(&called, usize::MAX))]).into_owned(),
        because,
        doubts,
        about,
        ..Insight::of(probability)
    }
}

/// The language of the question, or the fallback: a bare name may not have a recognizable language.
pub(super) fn spoken(question: &ParsedQuestion) -> &'static Language {
    if question.language.is_unknown() { fallback() } else { question.language }
}
