//! Estimates the confidence of an agent's answer: its query is compared with the question word by word, as for
//! planner queries, and with the findings of the planner and of the run. Uses `confidence` for the probability and
//! `why` to verbalize the conditions.

use super::confidence::{AnswerSigns, DraftAgreement};
use super::evidence::{evidence, said};
use super::planned::named_with_facts;
use crate::agent::{Draft, RunSigns};
use crate::cpu_pool::{CpuPool, Turns};
use eruca_api::{Alternative, Doubtful, Insight, StopReason};
use eruca_dataset::{Dataset, RunQuery};
use eruca_language::fallback;
use eruca_planner::question::ParsedQuestion;
use eruca_planner::{Auditor, Confidence, Doubt, Ledger, Named, same_result, unknown};
use eruca_sparql::{Answer, Results, Term, one_line};
use eruca_verbalize::why::explained;
use std::collections::HashSet;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// Maximum time for comparing the query with the question.
const AUDIT_TIME: Duration = Duration::from_secs(3);
/// Minimum time for it, even if the question's deadline has passed.
const LEAST_TIME: Duration = Duration::from_millis(200);
/// Maximum probability of an answer that a program computed, which no rule compares with the question.
const MAX_OF_PROGRAM: f32 = 0.8;
/// Maximum probability of an answer that joins several datasets: no rule knows how their terms belong together.
const MAX_OF_SEVERAL: f32 = 0.8;
/// Maximum length, in characters, of the verbalized query.
const MAX_READING_CHARS: usize = 400;

/// A question with the answer of an agent.
pub(super) struct AgentAnswer<'a> {
    pub(super) cpu_pool: &'a CpuPool,
    pub(super) dataset: &'a Arc<Dataset>,
    pub(super) question: &'a Arc<ParsedQuestion>,
    pub(super) named: &'a Named,
    /// The final query and its result.
    pub(super) run: &'a RunQuery,
    /// The planner's drafts that were given to the agent.
    pub(super) drafts: &'a [Draft],
    /// Signs observed during the run.
    pub(super) signs: &'a RunSigns,
    /// Why the run ended.
    pub(super) stop: StopReason,
    pub(super) deadline: Instant,
}

impl AgentAnswer<'_> {
    /// The confidence of the answer, with reasons.
    pub(super) async fn insight(&self) -> Insight {
        self.judged().await.0
    }

    /// The same with the ledger of the query; an empty one, if it took too long to make.
    pub(super) async fn judged(&self) -> (Insight, Ledger) {
        let audited = self.audited().await;
        let (ledger, missing) = audited.clone().unwrap_or_default();
        let unused = ledger.unused();
        let is_unused =
            |name: &String| name.split_whitespace().all(|word| unused.iter().any(|one| one == word));
        let not_found = missing.into_iter().filter(is_unused).collect();
        let signs = self.answer_signs(audited.as_ref().map(|(ledger, _)| ledger));
        let (because, mut doubts) = evidence(self.dataset, &ledger, self.question.language);
        doubts.extend(self.own_doubts(&signs));
        let insight = Insight {
            reading: self.reading(),
            unused,
            not_found,
            because,
            doubts,
            alternatives: self.others().map(alternative).collect(),
            signs: signs.named(),
            ..Insight::of(signs.probability())
        };
        (insight, ledger)
    }

    /// The same for an answer that a program computed: the query was compared with the question, the program was not.
    pub(super) fn of_program(&self, mut insight: Insight) -> Insight {
        insight.lower(MAX_OF_PROGRAM);
        insight.doubts.push(said("computed", String::new(), self.question.language));
        insight
    }

    /// The same for an answer that joins several datasets, which no rule compares with the question.
    pub(super) fn of_several(&self, mut insight: Insight) -> Insight {
        insight.lower(MAX_OF_SEVERAL);
        insight.doubts.push(said("several", String::new(), self.question.language));
        insight
    }

    /// The ledger of the query and the names unknown to the graph; `None` if this takes too long.
    async fn audited(&self) -> Option<(Ledger, Vec<String>)> {
        if self.dataset.is_several() {
            return None;
        }
        let left = self.deadline.saturating_duration_since(Instant::now());
        let time = left.clamp(LEAST_TIME, AUDIT_TIME);
        let named = named_with_facts(self.dataset, self.named, time / 4);
        let audited = async {
            let named = named.await;
            let (dataset, question, run) = (self.dataset.clone(), self.question.clone(), self.run.clone());
            let audit = move |_: &Turns| {
                let auditor = Auditor::new(&dataset.index, &question, &named);
                let ledger = auditor.ledger(&run.query, run.result.as_deref().ok());
                (ledger, unknown(&dataset.index, &question, &named))
            };
            self.cpu_pool.at_length(audit).await
        };
        tokio::time::timeout(time, audited).await.ok()
    }

    fn answer_signs(&self, ledger: Option<&Ledger>) -> AnswerSigns {
        let RunSigns { stated, agrees, changed, open, unsure } = self.signs;
        let doubts = ledger.map_or(&[][..], |ledger| ledger.doubts.as_slice());
        let count = |test: fn(&Doubt) -> bool| doubts.iter().filter(|doubt| test(doubt)).count();
        let answer = self.run.result.as_deref().ok();
        let stopped =
            matches!(self.stop, StopReason::Budget | StopReason::Deadline | StopReason::ModelFailed);
        AnswerSigns {
            drafts: self.agreement(),
            full: ledger.is_some_and(Ledger::is_full),
            unused: count(|doubt| matches!(doubt, Doubt::Unused(..))),
            doubts: count(|doubt| !doubt.is_grave() && !matches!(doubt, Doubt::Unused(..) | Doubt::Empty)),
            grave: count(Doubt::is_grave),
            agrees: *agrees,
            changed: *changed,
            tie: open.contains(&"tie"),
            partial: open.contains(&"partial"),
            unsure: unsure.is_some(),
            unstated: !stated,
            stopped,
            unrun: answer.is_none(),
            empty: answer.is_some_and(Answer::gives_nothing),
            unbound: answer.is_some_and(lacks_values),
            incomplete: answer.is_some_and(|answer| answer.incomplete.is_some()),
        }
    }

    fn agreement(&self) -> DraftAgreement {
        let Some(answer) = self.run.result.as_deref().ok() else { return DraftAgreement::Nothing };
        let same = |draft: &Draft| draft.run.result.as_ref().is_ok_and(|own| agree(own, answer));
        let Some((best, others)) = self.drafts.split_first() else { return DraftAgreement::Nothing };
        match (best.confidence == Confidence::Sure, same(best)) {
            (true, true) => DraftAgreement::SameAsSure,
            (true, false) => DraftAgreement::OtherThanSure,
            (false, true) => DraftAgreement::SameAsLikely,
            (false, false) if others.iter().any(same) => DraftAgreement::SameAsLikely,
            (false, false) => DraftAgreement::OtherThanLikely,
        }
    }

    /// Drafts with a different result.
    fn others(&self) -> impl Iterator<Item = &Draft> {
        let answer = self.run.result.as_deref().ok();
        let other = move |draft: &&Draft| match (&draft.run.result, answer) {
            (Ok(own), Some(answer)) => !agree(own, answer),
            (own, _) => own.is_ok(),
        };
        self.drafts.iter().filter(other)
    }

    /// Doubts about the run itself, which a ledger does not cover.
    fn own_doubts(&self, signs: &AnswerSigns) -> Vec<Doubtful> {
        let about = self.signs.unsure.clone().unwrap_or_default();
        let language = self.question.language;
        let of = |holds: bool, kind: &'static str, about: &str| {
            holds.then(|| said(kind, about.to_owned(), language))
        };
        let differs = matches!(signs.drafts, DraftAgreement::OtherThanSure | DraftAgreement::OtherThanLikely);
        [
            of(signs.unsure, "unsure", &about),
            of(signs.unrun, "not-run", ""),
            of(signs.stopped || signs.unstated, "stopped", ""),
            of(signs.tie, "tie", ""),
            of(signs.partial, "partial", ""),
            of(signs.unbound && signs.grave == 0, "nameless", ""),
            of(signs.incomplete, "cut", ""),
            of(differs, "rival", ""),
        ]
        .into_iter()
        .flatten()
        .collect()
    }

    /// All conditions of the query, verbalized in the language of the question.
    fn reading(&self) -> String {
        let own = Some(self.question.language).filter(|language| !language.is_unknown());
        let parts = explained(self.dataset, &self.run.query, own.unwrap_or_else(fallback));
        let words: Vec<String> = parts.into_iter().map(|part| part.words).collect();
        one_line(&words.join("; "), MAX_READING_CHARS)
    }
}

fn alternative(draft: &Draft) -> Alternative {
    Alternative {
        reading: draft.reading.clone(),
        query: draft.run.query.text().to_owned(),
        rows: draft.run.result.as_deref().map_or(0, Answer::row_count),
        choice: None,
    }
}

fn lacks_values(answer: &Answer) -> bool {
    matches!(&answer.results, Results::Solutions(found) if found.rows.iter().flatten().any(Option::is_none))
}

/// Whether two answers agree, regardless of the order of rows and columns and of duplicates. If one has a single
/// column, the other may have additional ones, such as a label next to its entity.
fn agree(a: &Answer, b: &Answer) -> bool {
    if same_result(a, b) {
        return true;
    }
    let (Results::Solutions(a), Results::Solutions(b)) = (&a.results, &b.results) else { return false };
    let (wide, narrow) = if a.variables.len() < b.variables.len() { (b, a) } else { (a, b) };
    if wide.variables.len() == narrow.variables.len() {
        return rows(&wide.rows) == rows(&narrow.rows);
    }
    let only = column(&narrow.rows, 0);
    narrow.variables.len() == 1 && (0..wide.variables.len()).any(|at| column(&wide.rows, at) == only)
}

/// The distinct rows, each with its cells sorted.
fn rows(rows: &[Vec<Option<Term>>]) -> HashSet<Vec<String>> {
    let row = |row: &Vec<Option<Term>>| {
        let mut cells: Vec<String> = row.iter().flatten().map(ToString::to_string).collect();
        cells.sort_unstable();
        cells
    };
    rows.iter().map(row).collect()
}

fn column(rows: &[Vec<Option<Term>>], at: usize) -> HashSet<Option<&Term>> {
    rows.iter().map(|row| row.get(at).and_then(Option::as_ref)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use eruca_sparql::{Literal, Solutions};

    fn answer(variables: &[&str], rows: &[&[&str]]) -> Answer {
        let cell = |text: &&str| Some(Term::from(Literal::from(*text)));
        let rows = rows.iter().map(|row| row.iter().map(cell).collect()).collect();
        let variables = variables.iter().map(|name| (*name).to_owned()).collect();
        let results = Results::Solutions(Solutions { variables, rows });
        Answer { results, incomplete: None, elapsed: Duration::ZERO }
    }

    #[test]
    fn answers_agree_whatever_their_order_and_whatever_stands_beside() {
        let one = answer(&["x"], &[&["a"], &["b"]]);
        for same in
            [answer(&["y"], &[&["b"], &["a"], &["a"]]), answer(&["n", "y"], &[&["B", "b"], &["A", "a"]])]
        {
            assert!(agree(&one, &same) && agree(&same, &one), "{same:?}");
        }
        let turned = [answer(&["x", "y"], &[&["a", "b"]]), answer(&["x", "y"], &[&["b", "a"]])];
        assert!(agree(&turned[0], &turned[1]));
    }

    #[test]
    fn answers_with_other_rows_do_not_agree() {
        let one = answer(&["x"], &[&["a"], &["b"]]);
        for other in [answer(&["x"], &[&["a"]]), answer(&["x", "y"], &[&["a", "c"]]), answer(&["x"], &[])] {
            assert!(!agree(&one, &other), "{other:?}");
        }
        let truth = Answer { results: Results::Boolean(true), incomplete: None, elapsed: Duration::ZERO };
        assert!(!agree(&one, &truth) && agree(&truth, &truth.clone()));
    }
}
