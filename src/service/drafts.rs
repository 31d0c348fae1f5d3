//! Drafts: the planner's queries that are given to the agent. Only those are shown that are more likely right than
//! wrong and that do not ignore an adjective. Tests: `tests`, `tests/drafts.rs`.

use super::evidence::evidence;
use super::planned::{ToPlan, judged, told};
use crate::agent::Draft;
use crate::cpu_pool::CpuPool;
use eruca_api::Doubtful;
use eruca_dataset::{Dataset, RunQuery};
use eruca_language::fallback;
use eruca_planner::question::ParsedQuestion;
use eruca_planner::{Confidence, Doubt, Judged, Ledger, Named};
use std::sync::Arc;
use std::time::{Duration, Instant};

/// Time limit for planning that only assists the agent, which needs most of the time itself.
const DRAFTS_TIME: Duration = Duration::from_secs(3);
/// Maximum number of drafts shown to the agent.
const MAX_DRAFTS: usize = 2;
/// A second draft is shown if it is at least half as likely as the first: ln 2.
const NEARLY_AS_LIKELY: f32 = 0.7;

/// Drafts for the agent, best first: those that are likely right and have results.
pub(super) async fn drafts(
    cpu_pool: &CpuPool,
    dataset: &Arc<Dataset>,
    question: &Arc<ParsedQuestion>,
    named: &Named,
    deadline: Instant,
) -> Vec<Draft> {
    let share = deadline.saturating_duration_since(Instant::now()) / 4;
    let until = Instant::now() + share.min(DRAFTS_TIME);
    let asked = ToPlan::alone(question.clone(), named.clone());
    let (_, judgement) = judged(cpu_pool, None, dataset, &asked, until).await;
    let Some(best) = judgement.best() else { return Vec::new() };
    let confidence = judgement.confidence();
    if confidence < Confidence::Likely {
        return Vec::new();
    }
    let others = judgement.alternatives().into_iter();
    let near = others.filter(|other| best.score - other.score <= NEARLY_AS_LIKELY);
    let whole = |judged: &&Judged| {
        !judged.answer.gives_nothing()
            && !judged.ledger.as_ref().is_some_and(|ledger| lacks_adjective(question, ledger))
    };
    let worth = std::iter::once(best).chain(near).filter(whole).take(MAX_DRAFTS);
    worth.map(|judged| draft(dataset, judged, confidence)).collect()
}

/// Whether the query ignores an adjective: its rows then look like those asked for, but are not.
fn lacks_adjective(question: &ParsedQuestion, ledger: &Ledger) -> bool {
    ledger.doubts.iter().any(|doubt| match doubt {
        Doubt::Unused(span, _) | Doubt::Form(span, _) => {
            (span.from..span.to).any(|at| question.is_adjective(at))
        }
        _ => false,
    })
}

fn draft(dataset: &Dataset, judged: &Judged, confidence: Confidence) -> Draft {
    let Judged { reading, query, answer, tied, ledger, .. } = judged;
    Draft {
        run: RunQuery::new(query.clone(), Ok(Arc::new(answer.clone()))),
        reading: told(dataset, &reading.told, fallback()),
        confidence,
        returns: told(dataset, &reading.returns, fallback()),
        unused: reading.unused.clone(),
        doubts: ledger.as_ref().map(|ledger| proofs(dataset, ledger)).unwrap_or_default(),
        tied: reading.with_ties.as_ref().map(|_| *tied),
    }
}

/// What is unproven about a draft, in the language of the prompts; unused words are reported separately.
fn proofs(dataset: &Dataset, ledger: &Ledger) -> Vec<String> {
    let told = |doubt: &&Doubtful| doubt.kind != "unused";
    let (_, doubts) = evidence(dataset, ledger, fallback());
    doubts.iter().filter(told).map(|doubt| doubt.text.clone()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use eruca_dataset::testing::graph_of;
    use eruca_planner::{Auditor, link};

    #[tokio::test]
    async fn a_draft_without_an_adjective_of_the_question_is_not_shown() {
        let hills = r#"
            @prefix h: <http://hills.example/> . @prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
            h:a a h:Hill ; rdfs:label "Long Rise" ; h:height 300 . h:b a h:Hill ; rdfs:label "Round Top" ; h:height 200 .
        "#;
        let graph = graph_of("hills", hills).await;
        let lacks = |text: &str, query: &str| {
            let question = graph.dataset.read(text);
            let named = link(&graph.dataset.index, &question, None).unwrap();
            let auditor = Auditor::new(&graph.dataset.index, &question, &named);
            let query = format!("PREFIX h: <http://hills.example/> {query}");
            lacks_adjective(&question, &auditor.ledger(&graph.dataset.check(&query).unwrap(), None))
        };
        let all = "SELECT ?h WHERE { ?h a h:Hill }";
        assert!(lacks("Which grassy hills are there?", all));
        assert!(lacks("Which is the highest hill?", all));
        let highest = "SELECT ?h WHERE { ?h a h:Hill ; h:height ?m } ORDER BY DESC(?m) LIMIT 1";
        assert!(!lacks("Which is the highest hill?", highest));
        assert!(!lacks("Which hills are there?", all));
    }
}
