//! Leak control of benchmarks: verified questions that a benchmark asks are left out, unless it is to be shown what they make.

use crate::service::Service;
use eruca_eval::questions::EvalQuestion;
use eruca_eval::summary::Examples;
use eruca_knowledge::questions::BenchmarkQuestion;
use std::collections::BTreeSet;

/// Leaves out the verified questions of these datasets that the benchmark asks, and counts; `None` if there are no verified ones.
pub(super) fn control(
    service: &Service,
    datasets: &BTreeSet<String>,
    asked: &[EvalQuestion],
    leak: bool,
) -> Option<Examples> {
    let asked: Vec<BenchmarkQuestion<'_>> = asked.iter().filter(|_| !leak).map(benchmark_question).collect();
    let (mut used, mut left_out) = (0, 0);
    for dataset in datasets.iter().filter_map(|id| service.dataset(id)) {
        let (of_dataset, without) = dataset.questions().leave_out(&asked);
        (used, left_out) = (used + of_dataset, left_out + without);
    }
    (used + left_out > 0).then_some(Examples { used, left_out, leak })
}

fn benchmark_question(question: &EvalQuestion) -> BenchmarkQuestion<'_> {
    let EvalQuestion { id, text, lang, sparql, .. } = question;
    BenchmarkQuestion { id, text, lang: lang.as_deref(), query: sparql.as_deref() }
}

/// The counts for people.
pub(super) fn told(examples: &Examples) -> String {
    let Examples { used, left_out, leak } = examples;
    match leak {
        true => format!("{used} used, also those that the benchmark asks (--leak)"),
        false => format!("{used} used, {left_out} left out because the benchmark asks them"),
    }
}
