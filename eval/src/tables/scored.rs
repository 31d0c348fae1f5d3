//! Scores, effort, ends and mistakes: a row for each run.

use super::{NONE, Summed, TitledTable, head, or_none, share, titled};
use crate::mistakes::Outcome;
use crate::resample::Measured;
use crate::stats::mean;
use crate::summary::{Group, Summary};
use std::collections::{BTreeMap, BTreeSet};

/// Groups by which scores are shown: the title, and where the summary has them.
type Grouping = (&'static str, fn(&Summary) -> &BTreeMap<String, Group>);

const GROUPINGS: [Grouping; 5] = [
    ("set_F by dataset", |summary| &summary.by_dataset),
    ("set_F by language", |summary| &summary.by_language),
    ("set_F by form of the query", |summary| &summary.by_form),
    ("set_F by feature", |summary| &summary.by_feature),
    ("set_F by what answered", |summary| &summary.by_answered_by),
];

pub(super) fn scores(runs: &[Summed<'_>]) -> TitledTable {
    let columns = head(&[
        "run",
        "questions",
        "set_P",
        "set_R",
        "set_F",
        "95 %",
        "deviation",
        "row F1",
        "row EM",
        "unwinnable",
    ]);
    let row = |Summed { name, summary }: &Summed<'_>| {
        let (interval, deviation) = match summary.set_f_measured {
            Some(Measured { interval: [low, high], deviation, .. }) => {
                (format!("{low:.3} to {high:.3}"), format!("{deviation:.3}"))
            }
            None => (NONE.to_owned(), NONE.to_owned()),
        };
        vec![
            (*name).to_owned(),
            (summary.questions - summary.gold_failed).to_string(),
            format!("{:.4}", summary.official.set_p),
            format!("{:.4}", summary.official.set_recall),
            format!("{:.4}", summary.official.set_f),
            interval,
            deviation,
            or_none(summary.rows.row_f1),
            or_none(summary.rows.row_em),
            summary.unwinnable.to_string(),
        ]
    };
    titled("Scores", columns, runs.iter().map(row).collect())
}

pub(super) fn effort(runs: &[Summed<'_>]) -> TitledTable {
    let columns = head(&["run", "calls", "steps", "seconds", "tokens in", "tokens out", "cost"]);
    let row = |Summed { name, summary }: &Summed<'_>| {
        vec![
            (*name).to_owned(),
            format!("{:.2}", summary.model_calls.mean),
            format!("{:.2}", summary.steps.mean),
            format!("{:.2}", summary.seconds.mean),
            format!("{:.0}", summary.prompt_tokens.mean),
            format!("{:.0}", summary.completion_tokens.mean),
            or_none(summary.cost.map(|cost| cost.per_question.mean)),
        ]
    };
    titled("Effort of a question, in the mean", columns, runs.iter().map(row).collect())
}

/// A table for each grouping with more than one group.
pub(super) fn by_group(runs: &[Summed<'_>]) -> Vec<TitledTable> {
    let of = |(title, groups): Grouping| {
        let all = runs.iter().flat_map(|run| groups(&run.summary));
        let mut sizes: BTreeMap<&String, usize> = BTreeMap::new();
        all.for_each(|(group, figures)| {
            let size = sizes.entry(group).or_default();
            *size = figures.questions.max(*size);
        });
        (sizes.len() > 1).then(|| grouped(title, groups, &sizes, runs))
    };
    GROUPINGS.into_iter().filter_map(of).collect()
}

fn grouped(
    title: &str,
    groups: fn(&Summary) -> &BTreeMap<String, Group>,
    sizes: &BTreeMap<&String, usize>,
    runs: &[Summed<'_>],
) -> TitledTable {
    let named = sizes.iter().map(|(name, size)| format!("{name} ({size})"));
    let columns = head(&["run"]).into_iter().chain(named).chain(["mean of groups".to_owned()]).collect();
    let row = |Summed { name, summary }: &Summed<'_>| {
        let found = groups(summary);
        let own: Vec<f64> = found.values().map(|group| group.set_f).collect();
        let cells = sizes.keys().map(|group| or_none(found.get(*group).map(|group| group.set_f)));
        std::iter::once((*name).to_owned()).chain(cells).chain([format!("{:.4}", mean(&own))]).collect()
    };
    titled(title, columns, runs.iter().map(row).collect())
}

pub(super) fn mistakes(runs: &[Summed<'_>]) -> TitledTable {
    let met = |outcome: &Outcome| runs.iter().any(|run| run.summary.mistakes.contains_key(outcome));
    let classes: Vec<Outcome> = Outcome::ALL.into_iter().filter(met).collect();
    let named = classes.iter().map(|class| class.name().to_owned());
    let last = ["wrong with all terms", "wrong without"].map(str::to_owned);
    let columns = head(&["run", "answers"]).into_iter().chain(named).chain(last).collect();
    let row = |Summed { name, summary }: &Summed<'_>| {
        let found = &summary.mistakes;
        let all = found.values().map(|counted| counted.answers).sum();
        let cells =
            classes.iter().map(|class| share(found.get(class).map_or(0, |counted| counted.answers), all));
        let wrong =
            || found.iter().filter(|(class, _)| **class != Outcome::Right).map(|(_, counted)| counted);
        let (same, other) =
            (wrong().map(|one| one.same_terms).sum(), wrong().map(|one| one.other_terms).sum());
        [(*name).to_owned(), all.to_string()]
            .into_iter()
            .chain(cells)
            .chain([share(same, all), share(other, all)])
            .collect()
    };
    let rows = if classes.is_empty() { Vec::new() } else { runs.iter().map(row).collect() };
    titled("Answers by what they are", columns, rows)
}

pub(super) fn ends(runs: &[Summed<'_>]) -> TitledTable {
    let reasons: BTreeSet<&String> = runs.iter().flat_map(|run| run.summary.by_stop_reason.keys()).collect();
    let columns = head(&["run"]).into_iter().chain(reasons.iter().map(|reason| (*reason).clone())).collect();
    let row = |Summed { name, summary }: &Summed<'_>| {
        let count = |reason: &String| summary.by_stop_reason.get(reason).map_or(0, |group| group.questions);
        let all = summary.by_stop_reason.values().map(|group| group.questions).sum();
        let cells = reasons.iter().map(|reason| share(count(reason), all));
        std::iter::once((*name).to_owned()).chain(cells).collect()
    };
    let rows = if reasons.is_empty() { Vec::new() } else { runs.iter().map(row).collect() };
    titled("How questions ended", columns, rows)
}
