//! The planner's answer: readings of a question that are run, ranked and verbalized. `drafts` turns the same readings
//! into drafts for the agent.

use super::fallback::fallback;
use super::follow::Among;
use super::queue::Place;
use crate::cpu_pool::{CpuPool, Turns};
use eruca_api::{Alternative, Choice, Chosen, Insight};
use eruca_dataset::{Dataset, RunQuery};
use eruca_language::Language;
use eruca_planner::question::{MAX_WORDS, ParsedQuestion, WordKind};
use eruca_planner::{
    AllowedTime, Auditor, Judged, Judgement, Ledger, LocalizedText, MAX_TELLING_WORDS, Mention, Named,
    Reading, SIGNS, Weights, evidence, fetch_facts, is_too_long, judge, readings, signs, unknown,
};
use eruca_sparql::{Atom, CheckedQuery, Group, Prefixes, QueryError, one_line, shown_iri};
use std::sync::Arc;
use std::time::{Duration, Instant};

/// Time limit for reading a question and trying its readings.
const PLAN_TIME: Duration = Duration::from_secs(8);
/// Time limit for fetching facts about the entities named in the question.
const FACTS_TIME: Duration = Duration::from_millis(500);
/// If less time than this is left, the best reading is returned without being run.
const MIN_TIME: Duration = Duration::from_millis(50);
/// Maximum length, in characters, of the description of a reading, because names and IRIs from the graph may be long.
const MAX_READING_CHARS: usize = 400;
/// Upper bound on the probability if only approximate name matches count and other words are unused.
const MISSPELT_IN_PART: f32 = 0.2;
/// Upper bound on the probability if the noun asked for is not in the query.
const ASKED_FOR_MISSING: f32 = 0.05;
/// Maximum number of candidates shown for a name.
const MAX_NAMED: usize = 3;

/// The result of the planner.
#[derive(Debug)]
pub(super) struct Planned {
    /// The query with its result; `None` only if the endpoint's dialect rejects every query.
    pub best: Option<RunQuery>,
    /// The readings that were tried, one per line.
    pub readings: Vec<String>,
    /// The insight into the answer.
    pub insight: Option<Insight>,
}

impl Planned {
    /// The result if time ran out before there was anything: a query that is not run.
    pub fn late(dataset: &Dataset, question: &ParsedQuestion, allowed: Duration) -> Self {
        let (text, fallback) = fallback(dataset, question);
        let reading = format!("the question could not be read in time; {fallback}");
        let run = |query| RunQuery::new(query, Err(QueryError::Timeout { after: allowed }));
        Self {
            best: dataset.check(&text).ok().map(run),
            readings: vec![format!("{reading}; low confidence")],
            insight: Some(nothing_read(question, Vec::new(), reading)),
        }
    }
}

/// The planner's input.
pub(super) struct ToPlan {
    /// The parsed question.
    pub question: Arc<ParsedQuestion>,
    /// Candidate entities for its words.
    pub named: Named,
    /// The entities that the question is restricted to.
    pub among: Among,
    /// IRIs of properties that the reader prefers among equally good ones.
    pub prefers: Vec<String>,
}

impl ToPlan {
    /// A standalone question.
    pub fn alone(question: Arc<ParsedQuestion>, named: Named) -> Self {
        Self { question, named, among: Among::default(), prefers: Vec::new() }
    }
}

/// Answers a question. Long computations give up the place in the queue. Returns by the deadline.
pub(super) async fn plan(
    cpu_pool: &CpuPool,
    place: Option<&Place>,
    dataset: &Arc<Dataset>,
    asked: &ToPlan,
    deadline: Instant,
) -> Planned {
    let deadline = deadline.min(Instant::now() + PLAN_TIME);
    let ToPlan { question, named, .. } = asked;
    if is_too_long(question) {
        return too_long(dataset, question, deadline).await;
    }
    let (found, judgement) = judged(cpu_pool, place, dataset, asked, deadline).await;
    let mut lines: Vec<String> =
        named.mentions.iter().map(|mention| mention_line(dataset, mention)).collect();
    if let Some(best) = judgement.best() {
        lines.extend(judgement.ran.iter().map(|judged| judged_line(dataset, judged)));
        if best.answer.gives_nothing() {
            lines.push(emptiness(best).to_owned());
        }
        let insight = insight(dataset, question, best, &judgement);
        let best = judgement.ran.into_iter().next();
        let run = best.map(|Judged { query, answer, .. }| RunQuery::new(query, Ok(Arc::new(answer))));
        return Planned { best: run, readings: lines, insight: Some(insight) };
    }
    let (best, reading) = untried(dataset, question, &found, deadline).await;
    lines.push(format!("{reading}; low confidence"));
    let not_found = unknown(&dataset.index, question, named);
    Planned { best, readings: lines, insight: Some(nothing_read(question, not_found, reading)) }
}

/// The result for a question that is too long to be read: only a fallback query.
async fn too_long(dataset: &Dataset, question: &ParsedQuestion, deadline: Instant) -> Planned {
    let (best, shown) = untried(dataset, question, &[], deadline).await;
    let reading = format!(
        "the question is too long to plan: at most {MAX_WORDS} words are read, and {MAX_TELLING_WORDS} of those that say \
         something; ask it in fewer words, or in parts; {shown}"
    );
    let lines = vec![format!("{reading}; low confidence")];
    Planned { best, readings: lines, insight: Some(nothing_read(question, Vec::new(), reading)) }
}

/// A note on the significance of an empty answer.
fn emptiness(best: &Judged) -> &'static str {
    if best.reading.unused.is_empty() {
        "no reading gave a row; the query uses all words of the question, so an empty result may be the answer"
    } else {
        "no reading gave a row, and some words were not used: low confidence"
    }
}

/// The entities that the question names, with facts from the graph.
pub(super) async fn named_with_facts(dataset: &Dataset, named: &Named, time: Duration) -> Named {
    let mut named = named.clone();
    // In-degrees are only known for indexed graphs; a public endpoint is not queried for its hubs.
    if dataset.is_indexed() {
        fetch_facts(dataset, &mut named.mentions, time.min(FACTS_TIME)).await;
    }
    named
}

/// Reads the question and runs its readings. Half of the time is for reading, the rest for running.
pub(super) async fn judged(
    cpu_pool: &CpuPool,
    place: Option<&Place>,
    dataset: &Arc<Dataset>,
    asked: &ToPlan,
    deadline: Instant,
) -> (Vec<Reading>, Judgement) {
    let ToPlan { question, named, among, prefers } = asked;
    let weights = Weights::default();
    let now = Instant::now();
    let half = now + deadline.saturating_duration_since(now) / 2;
    let named = named_with_facts(dataset, named, half.saturating_duration_since(now)).await;
    let (read, asked, known) = (dataset.clone(), question.clone(), named.clone());
    let reading = move |turns: &Turns| {
        readings(&read.index, &asked, &known, &Weights::default(), AllowedTime::new(half, turns))
    };
    let found = cpu_pool.at_length(reading);
    let found = match place {
        Some(place) => place.while_computed(found).await,
        None => found.await,
    };
    let found = match among.is_all() {
        true => found,
        false => found.into_iter().filter_map(|reading| asked_of(dataset, among, reading)).collect(),
    };
    let judgement = judge(&**dataset, &found, &weights, deadline).await;
    let (read, asked, prefers) = (dataset.clone(), question.clone(), prefers.clone());
    let audit = move |_: &Turns| {
        judgement.audited(&Auditor::new(&read.index, &asked, &named), &Weights::default(), &prefers)
    };
    (found, cpu_pool.at_length(audit).await)
}

/// A reading restricted to the entities of the conversation; `None` if it does not involve those of an earlier
/// answer.
fn asked_of(dataset: &Dataset, among: &Among, reading: Reading) -> Option<Reading> {
    let reading = match &among.group {
        Some(group) => within(dataset, group, reading)?,
        None => reading,
    };
    if among.but.is_empty() {
        return Some(reading);
    }
    let Ok(asked) = dataset.check(&reading.query) else { return Some(reading) };
    let Some(query) = asked.without(&among.but, &Prefixes::default()) else { return Some(reading) };
    let unrestricted = reading.unrestricted.clone().or(Some(asked));
    Some(Reading { query, unrestricted, with_ties: None, ..reading })
}

/// A reading restricted to the entities of an earlier answer; `None` if it does not involve them.
fn within(dataset: &Dataset, group: &Group, reading: Reading) -> Option<Reading> {
    let query = dataset.check(&reading.query).ok()?;
    let restricted = query.within(group, &dataset.vocabulary().type_property, &Prefixes::default())?;
    // The query for ties compares with all entities.
    Some(Reading { query: restricted, unrestricted: Some(query), with_ties: None, ..reading })
}

/// The best reading if none could be run, with the reason; without a reading, a fallback query.
async fn untried(
    dataset: &Dataset,
    question: &ParsedQuestion,
    found: &[Reading],
    deadline: Instant,
) -> (Option<RunQuery>, String) {
    let valid = found.iter().find_map(|reading| Some((dataset.check(&reading.query).ok()?, &reading.told)));
    let (query, reading) = match valid {
        Some((query, reading)) => (Some(query), told(dataset, reading, question.language)),
        None => {
            let (text, reading) = fallback(dataset, question);
            (dataset.check(&text).ok(), reading)
        }
    };
    let Some(query) = query else { return (None, reading) };
    let left = deadline.saturating_duration_since(Instant::now());
    let result = match left < MIN_TIME {
        true => Err(QueryError::Timeout { after: left }),
        false => dataset.run(&query, left).await,
    };
    (Some(RunQuery::new(query, result)), reading)
}

fn insight(dataset: &Dataset, question: &ParsedQuestion, best: &Judged, judgement: &Judgement) -> Insight {
    let alternatives = judgement.alternatives().into_iter().map(|other| Alternative {
        reading: told(dataset, &other.reading.told, question.language),
        query: other.query.text().to_owned(),
        rows: other.answer.row_count(),
        choice: choice(dataset, best, other),
    });
    let (unused, mut not_found) = (best.reading.unused.clone(), best.reading.not_found.clone());
    let mut probability = judgement.probability;
    // Unused words together with approximate matches: something else may well be meant.
    let guessed = best.ledger.as_ref().is_some_and(Ledger::is_misspelt);
    if guessed && !unused.is_empty() {
        probability = probability.min(MISSPELT_IN_PART);
    }
    // Without the noun asked for, the rows are about something else.
    if let Some(asked) =
        question.asked_noun().and_then(|at| question.word(at)).filter(|asked| unused.contains(&asked.raw))
    {
        probability = probability.min(ASKED_FOR_MISSING);
        if !not_found.contains(&asked.raw) {
            not_found.push(asked.raw.clone());
        }
    }
    // "Is the Lion running?" is not answered by the existence of the Lion.
    let open = left_open(dataset, question, best);
    if !open.is_empty() {
        probability = probability.min(ASKED_FOR_MISSING);
        not_found.extend(open.into_iter().filter(|word| !not_found.contains(word)).collect::<Vec<_>>());
    }
    let ledger = best.ledger.as_ref();
    let (because, doubts) = ledger
        .map(|ledger| super::evidence::evidence(dataset, ledger, question.language))
        .unwrap_or_default();
    Insight {
        reading: told(dataset, &best.reading.told, question.language),
        because,
        doubts,
        not_found,
        unused,
        alternatives: alternatives.collect(),
        signs: named_signs(question, judgement),
        ..Insight::of(probability)
    }
}

/// The unused content words of a query that only matches names.
fn left_open(dataset: &Dataset, question: &ParsedQuestion, best: &Judged) -> Vec<String> {
    let names_alone = best.ledger.as_ref().is_some_and(Ledger::proves_names_alone);
    if !names_alone && !is_function_word(dataset, &best.query) {
        return Vec::new();
    }
    let says = |word: &&String| {
        question.words.iter().any(|known| known.raw == **word && known.kind > WordKind::Function)
    };
    best.reading.unused.iter().filter(says).cloned().collect()
}

/// Whether the query only says what an entity is called, which class it has, and that it exists.
fn is_function_word(dataset: &Dataset, query: &CheckedQuery) -> bool {
    let vocabulary = dataset.vocabulary();
    let naming = |predicate: &String| {
        vocabulary.is_type(predicate) || dataset.index.card.naming_properties.contains(predicate)
    };
    let atoms = &query.model().atoms;
    let names = |atom: &Atom| {
        atom.subject_iri().is_some() || atom.predicates.iter().any(|one| !vocabulary.is_type(one))
    };
    atoms.iter().any(names) && atoms.iter().all(|atom| atom.predicates.iter().all(naming))
}

/// A choice for the reader: the properties in which another reading differs from the best one, if that is the only
/// difference.
fn choice(dataset: &Dataset, best: &Judged, other: &Judged) -> Option<Choice> {
    let (taken, instead) = best.reading.told.differs_in(&other.reading.told)?;
    let property = |iri: &str| {
        dataset.index.card.property(iri)?;
        let name = one_line(&dataset.schema_name(iri), MAX_READING_CHARS);
        Some(Chosen { iri: iri.to_owned(), name })
    };
    Some(Choice { taken: property(taken)?, instead: property(instead)? })
}

/// The features from which the probability was computed.
fn named_signs(question: &ParsedQuestion, judgement: &Judgement) -> Vec<(&'static str, f32)> {
    let values = evidence(question, &judgement.ran).map(|known| signs(&known));
    let all = values.into_iter().flat_map(|values| SIGNS.into_iter().zip(values));
    all.filter(|(_, value)| *value != 0.0).collect()
}

/// The insight for a question of which nothing was understood: no word was used.
fn nothing_read(question: &ParsedQuestion, not_found: Vec<String>, reading: String) -> Insight {
    let says = question.words.iter().filter(|word| word.kind > WordKind::Function);
    let unused: Vec<String> = says.map(|word| word.raw.clone()).collect();
    Insight { reading, unused, not_found, ..Insight::of(0.0) }
}

/// A text in a language, or in the fallback language if there is no pack for it.
pub(super) fn told(dataset: &Dataset, text: &LocalizedText, language: &Language) -> String {
    one_line(&text.text(language, &|iri| dataset.schema_name(iri)), MAX_READING_CHARS)
}

fn judged_line(dataset: &Dataset, judged: &Judged) -> String {
    let rows = match judged.answer.row_count() {
        1 => "1 row".to_owned(),
        rows => format!("{rows} rows"),
    };
    let unused = match judged.reading.unused.as_slice() {
        [] => String::new(),
        words => one_line(&format!("; not used: {}", words.join(", ")), MAX_READING_CHARS),
    };
    format!("{}: {rows}{unused}", told(dataset, &judged.reading.told, eruca_language::fallback()))
}

fn mention_line(dataset: &Dataset, mention: &Mention) -> String {
    let entities = mention.entities.iter().map(|hit| match dataset.label(&hit.record.iri) {
        Some(name) => format!("{} ({name})", shown_iri(&hit.record.iri)),
        None => shown_iri(&hit.record.iri),
    });
    let values = mention.values.iter().map(|hit| shown_iri(&hit.record.text));
    let found: Vec<String> = entities.chain(values).take(MAX_NAMED).collect();
    one_line(&format!("'{}' may be {}", mention.text, found.join(", ")), MAX_READING_CHARS)
}

#[cfg(test)]
mod tests {
    use super::*;
    use eruca_api::Confidence;
    use eruca_dataset::testing::graph_of;
    use eruca_planner::link;

    #[tokio::test]
    async fn words_that_make_a_part_optional_are_used() {
        let hills = r#"
            @prefix h: <http://hills.example/> . @prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
            h:a a h:Hill ; rdfs:label "Long Rise" ; h:height 300 . h:b a h:Hill ; rdfs:label "Round Top" ; h:height 200 .
            h:c a h:Hill ; rdfs:label "Low Bank" .
        "#;
        let graph = graph_of("hills", hills).await;
        let question = Arc::new(graph.dataset.read("List all hills with their height if it is known."));
        let named = link(&graph.dataset.index, &question, None).unwrap();
        let deadline = Instant::now() + Duration::from_secs(60);
        let dataset = Arc::new(graph.dataset);
        let asked = ToPlan::alone(question.clone(), named);
        let found = plan(&CpuPool::start(), None, &dataset, &asked, deadline).await;
        let (best, insight) = (found.best.unwrap(), found.insight.unwrap());
        assert!(best.query.text().contains("OPTIONAL"), "{}", best.query.text());
        assert_eq!(insight.unused, Vec::<String>::new());
    }

    #[tokio::test]
    async fn a_question_for_which_time_ran_out_has_a_query_and_says_so() {
        let hills = "<http://hills.example/a> <http://www.w3.org/2000/01/rdf-schema#label> \"Long Rise\" .";
        let graph = graph_of("hills", hills).await;
        let question = graph.dataset.read("How high is Long Rise?");
        let late = Planned::late(&graph.dataset, &question, Duration::from_secs(6));
        let (best, insight) = (late.best.unwrap(), late.insight.unwrap());
        assert!(graph.dataset.run(&best.query, Duration::from_secs(60)).await.is_ok());
        assert!(matches!(best.result, Err(QueryError::Timeout { .. })));
        assert_eq!(insight.confidence, Confidence::Guess);
        assert!(insight.reading.starts_with("the question could not be read in time"), "{}", insight.reading);
    }
}
