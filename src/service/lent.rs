//! Verified questions near to the one that is asked lend their queries: to a model in its prompt, and to the planner as one more
//! reading. Names in which the two questions differ are put into the query where that can be done for certain. Nobody has checked
//! that the query answers the other question: it is compared with the question word by word, as that of a model is, and is never
//! sure.

use super::Service;
use super::agent_insight::AgentAnswer;
use super::verified::{fill, near_told};
use crate::agent::{Example, RunSigns};
use crate::cpu_pool::CpuPool;
use crate::trace::{Insight, StopReason};
use eruca_api::{ReplacedName, Verified};
use eruca_dataset::{Dataset, RunQuery};
use eruca_knowledge::questions::{Parameter, VerifiedQuestion, question_key, shared_words};
use eruca_planner::question::ParsedQuestion;
use eruca_planner::{Doubt, Named};
use eruca_sparql::CheckedQuery;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// From this share of common content words on, two questions may be the same in other words: below it, they more often differ in
/// what they ask for.
const ALIKE: f32 = 0.6;
/// The greatest probability of an answer by the query of another question: likely.
const MAX_LENT: f32 = 0.75;
/// The same where no word asks for a part of the query.
const MAX_UNSAID: f32 = 0.4;
/// Time for running the query of each.
const RUN_TIME: Duration = Duration::from_secs(2);

/// A verified question that is near to another, with the names of that one.
pub(super) struct Lent {
    verified: VerifiedQuestion,
    /// The question with these names.
    question: String,
    query: CheckedQuery,
    replaced: Vec<ReplacedName>,
    /// Whether it says nearly the same as the question that is asked: all its names are in that, and most words.
    is_alike: bool,
}

/// An answer by the query of a near question.
pub(super) struct LentAnswer {
    pub(super) best: RunQuery,
    pub(super) insight: Insight,
    pub(super) verified: Verified,
}

/// The near verified questions, with the names of the one that is asked, as far as they are found.
pub(super) async fn lent(
    cpu_pool: &CpuPool,
    dataset: &Arc<Dataset>,
    asked: &str,
    question: &ParsedQuestion,
    named: &Named,
) -> Vec<Lent> {
    let near = dataset.near_questions(asked, question.language.tag()).await;
    if near.is_empty() {
        return Vec::new();
    }
    let (dataset, asked, named) = (dataset.clone(), asked.to_owned(), named.clone());
    let found =
        move |_: &_| near.into_iter().filter_map(|one| fitted(&dataset, &asked, &named, one)).collect();
    cpu_pool.at_length(found).await
}

fn fitted(dataset: &Dataset, asked: &str, named: &Named, verified: VerifiedQuestion) -> Option<Lent> {
    let query = dataset.check(&verified.query).ok()?;
    let (key, own) = (question_key(asked), question_key(&verified.question));
    let missing: Vec<&Parameter> =
        verified.parameters.iter().filter(|one| !has_words(&key, &one.name)).collect();
    // Names that only the other question has.
    let names = named.mentions.iter().map(|mention| &mention.text).filter(|name| !has_words(&own, name));
    let names: Vec<&String> = names.collect();
    let mut pairs: Vec<(Parameter, String)> = Vec::new();
    for parameter in &missing {
        let known = dataset.term(&parameter.value);
        let is_free = |name: &&&String| pairs.iter().all(|(_, taken)| taken != **name);
        let fits =
            |name: &&&String| known.as_ref().is_some_and(|known| dataset.namesake(known, name).is_some());
        let mut fitting = names.iter().filter(is_free).filter(fits);
        if let (Some(name), None) = (fitting.next(), fitting.next()) {
            pairs.push(((*parameter).clone(), (*name).clone()));
        }
    }
    let is_whole = pairs.len() == missing.len();
    let put_in =
        |text: String, (parameter, name): &(Parameter, String)| text.replacen(&parameter.name, name, 1);
    let question = pairs.iter().fold(verified.question.clone(), put_in);
    let is_alike = is_whole && shared_words(asked, &question, verified.lang.as_deref()) >= ALIKE;
    let (query, replaced) =
        if pairs.is_empty() { (query, Vec::new()) } else { fill(dataset, &query, pairs)? };
    Some(Lent { verified, question, query, replaced, is_alike })
}

/// Whether words stand in a text, both as keys of questions.
fn has_words(key: &str, words: &str) -> bool {
    format!(" {key} ").contains(&format!(" {} ", question_key(words)))
}

impl Lent {
    /// As an example for a model.
    pub(super) fn example(&self) -> Example {
        Example { question: self.question.clone(), query: self.query.text().to_owned() }
    }
}

impl Service {
    /// The answer by the query of a near question, if that is better founded than the planner's answer with this insight.
    pub(super) async fn lent_answer(
        &self,
        dataset: &Arc<Dataset>,
        question: &Arc<ParsedQuestion>,
        named: &Named,
        (lent, planned): (&[Lent], Option<&Insight>),
        deadline: Instant,
    ) -> Option<LentAnswer> {
        let (unused, least) =
            planned.map_or((usize::MAX, 0.0), |known| (known.unused.len(), known.probability));
        let mut best: Option<LentAnswer> = None;
        for one in lent.iter().filter(|one| one.is_alike) {
            let left = deadline.saturating_duration_since(Instant::now()).min(RUN_TIME);
            let Ok(answer) = dataset.run(&one.query, left).await else { continue };
            let verified = near_told(&one.verified, one.replaced.clone(), question.language);
            let run = RunQuery::new(one.query.clone(), Ok(answer));
            let (insight, is_grave) = self.compared(dataset, question, named, &run, deadline).await;
            let to_beat = best.as_ref().map_or(least, |known| known.insight.probability);
            if !is_grave && insight.unused.len() <= unused && insight.probability > to_beat {
                best = Some(LentAnswer { best: run, insight, verified });
            }
        }
        best
    }

    /// How well a query answers the question, by its words, and whether it most likely answers another one.
    async fn compared(
        &self,
        dataset: &Arc<Dataset>,
        question: &Arc<ParsedQuestion>,
        named: &Named,
        run: &RunQuery,
        deadline: Instant,
    ) -> (Insight, bool) {
        let signs = RunSigns { stated: true, ..RunSigns::default() };
        let answer = AgentAnswer {
            cpu_pool: &self.cpu_pool,
            dataset,
            question,
            named,
            run,
            drafts: &[],
            signs: &signs,
            stop: StopReason::Verified,
            deadline,
        };
        let (mut insight, ledger) = answer.judged().await;
        let is_unsaid = ledger.doubts.iter().any(|doubt| matches!(doubt, Doubt::Unsaid(_)));
        insight.lower(if is_unsaid { MAX_UNSAID } else { MAX_LENT });
        (insight, ledger.is_grave())
    }
}
