//! Converts answers of the service to tool results.

use super::output::{
    AnsweredOutput, Belief, CitedText, ClaimOutput, ClarifyOutput, EmptyOutput, MeantProperty, OtherReading,
    ResultTable, Without,
};
use super::resources;
use crate::service::{Run, Service};
use crate::trace::{AnsweredBy, Insight, StopReason, Trace};
use eruca_api::{Citation, Claim, Clarify, ClarifyOption, Dropped, Empty, ShownTerm};
use eruca_sparql::{Answer, Incomplete, Results, Solutions, TRIPLE, quoted};
use std::collections::BTreeMap;
use std::time::Duration;

/// Maximum number of rows shown to a model; for more it can use `LIMIT` and `OFFSET`.
const MAX_ROWS: usize = 50;
/// Maximum length, in characters, of an endpoint's message.
const MAX_WORDS: usize = 400;

/// An answered question; `None` while it has no query.
pub(super) fn answered(service: &Service, run: &Run) -> Option<AnsweredOutput> {
    let trace = run.trace.as_ref()?;
    let insight = trace.insight.as_ref();
    let rows = run.rows.as_ref();
    Some(AnsweredOutput {
        dataset: run.dataset.clone(),
        question: run.question.clone(),
        query: run.query.clone()?,
        result: rows.map(|rows| ResultTable {
            row_count: rows.row_count,
            ..table(service, &run.dataset, &rows.page, &rows.labels)
        }),
        citations: trace.citations.iter().map(cited).collect(),
        program: trace.computed.as_ref().map(|computed| computed.program.clone()),
        answer: run.answer.as_ref().map(|words| words.text.clone()),
        unverified: run.answer.as_ref().map(|words| words.unverified.clone()).unwrap_or_default(),
        claims: run.claims.iter().map(|one| claim(service, &run.dataset, one)).collect(),
        article: run.article.clone(),
        empty: run.empty.clone().map(reason),
        answered_by: answered_by(trace.answered_by).to_owned(),
        verified: trace.verified.as_ref().map(|verified| verified.text.clone()),
        stopped_early: stopped_early(trace),
        confidence: insight.map(belief),
        reading: insight.map(|insight| insight.reading.clone()).filter(|reading| !reading.is_empty()),
        unused_words: insight.map(|insight| insight.unused.clone()).unwrap_or_default(),
        not_in_graph: insight.map(|insight| insight.not_found.clone()).unwrap_or_default(),
        missing: run.missing.clone(),
        clarify: run.clarify.as_ref().filter(|clarify| clarify.is_open()).map(clarified),
        other_readings: insight.map(other_readings).unwrap_or_default(),
        run: resources::run_uri(run.id),
    })
}

fn cited(citation: &Citation) -> CitedText {
    let (quote, passage) = (citation.quote.clone(), citation.passage.clone());
    CitedText { quote, passage, place: citation.place() }
}

fn clarified(clarify: &Clarify) -> ClarifyOutput {
    let property =
        |option: &ClarifyOption| MeantProperty { label: option.label.clone(), iri: option.iri.clone() };
    ClarifyOutput { question: clarify.text.clone(), options: clarify.options.iter().map(property).collect() }
}

/// A sentence of the answer with what supports it.
fn claim(service: &Service, dataset: &str, claim: &Claim) -> ClaimOutput {
    let Claim { text, support: _, supported, rows: _, triples, more, counted, unverified } = claim;
    let terms = |terms: &Vec<ShownTerm>| terms.iter().map(|term| Some(term.to_term())).collect();
    let found =
        Solutions { variables: TRIPLE.map(str::to_owned).into(), rows: triples.iter().map(terms).collect() };
    let answer = Answer { results: Results::Solutions(found), incomplete: None, elapsed: Duration::ZERO };
    let cells = service.cells(dataset, &answer, &BTreeMap::new(), MAX_ROWS);
    let triple = |cells: Vec<Option<String>>| cells.into_iter().flatten().collect::<Vec<_>>().join(" ");
    let supported = supported.map_or("unknown", |supported| if supported { "yes" } else { "no" });
    ClaimOutput {
        sentence: text.clone(),
        supported: supported.to_owned(),
        triples: cells.rows.into_iter().map(triple).collect(),
        more: *more,
        counted: *counted,
        unverified: unverified.clone(),
    }
}

/// The first rows of a result.
pub(super) fn table(
    service: &Service,
    dataset: &str,
    answer: &Answer,
    labels: &BTreeMap<String, String>,
) -> ResultTable {
    let cells = service.cells(dataset, answer, labels, MAX_ROWS);
    let row_count = answer.row_count();
    let unshown = (cells.rows.len() < row_count && !cells.columns.is_empty()).then(|| {
        format!("only the first {} rows are shown; use LIMIT and OFFSET for others", cells.rows.len())
    });
    let truncated: Vec<String> =
        answer.incomplete.as_ref().map(incomplete).into_iter().chain(unshown).collect();
    let boolean = match answer.results {
        Results::Boolean(boolean) => Some(boolean),
        Results::Solutions(_) | Results::Graph(_) => None,
    };
    ResultTable {
        boolean,
        columns: cells.columns,
        rows: cells.rows,
        names: cells.names,
        prefixes: cells.prefixes,
        row_count,
        truncated: (!truncated.is_empty()).then(|| truncated.join("; ")),
    }
}

/// Why a query has no results.
pub(super) fn reason(empty: Empty) -> EmptyOutput {
    let Empty { reason, drop } = empty;
    let without = |dropped: Dropped| {
        let Dropped { condition, query, rows } = dropped;
        Without { condition, query, rows }
    };
    EmptyOutput { reason, without: drop.into_iter().map(without).collect() }
}

fn incomplete(incomplete: &Incomplete) -> String {
    match incomplete {
        Incomplete::RowLimit(rows) => format!("cut after {rows} rows, the configured limit"),
        Incomplete::ByteLimit(bytes) => format!("cut after {bytes} bytes, the configured limit"),
        Incomplete::ServerRows(rows) => format!("the endpoint returns at most {rows} rows"),
        Incomplete::Endpoint(words) => {
            format!(
                "the endpoint gave a part of the result: {}; counts over it mean nothing",
                quoted(words, MAX_WORDS)
            )
        }
    }
}

fn answered_by(who: AnsweredBy) -> &'static str {
    match who {
        AnsweredBy::Agent => "agent",
        AnsweredBy::Planner => "planner",
        AnsweredBy::Verified => "verified",
    }
}

fn stopped_early(trace: &Trace) -> Option<String> {
    let reason = match trace.stop {
        StopReason::Deadline => "the time was over; this is the best query until then",
        StopReason::Budget => {
            "the allowed model calls or tokens were used up; this is the best query until then"
        }
        StopReason::ModelFailed => "the language model failed; this is the best query without it",
        StopReason::Answered
        | StopReason::AnsweredAsText
        | StopReason::NotInGraph
        | StopReason::NoModel
        | StopReason::AskedAgain
        | StopReason::AskedForHelp
        | StopReason::OnlyNamed
        | StopReason::Verified => {
            return None;
        }
    };
    Some(reason.to_owned())
}

fn belief(insight: &Insight) -> Belief {
    // Always between 0 and 100.
    let percent = (insight.probability.clamp(0.0, 1.0) * 100.0).round() as u8;
    Belief { level: insight.confidence.name().to_owned(), percent }
}

fn other_readings(insight: &Insight) -> Vec<OtherReading> {
    let alternatives = insight.alternatives.iter();
    let other = alternatives.map(|alternative| OtherReading {
        reading: alternative.reading.clone(),
        query: alternative.query.clone(),
        rows: alternative.rows,
    });
    other.collect()
}
