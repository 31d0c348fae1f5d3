//! The planner on questions with reference queries: scores, and weights learned from answers.
//!
//! ```sh
//! cargo bench -p eruca-planner -- score SETS.json [PREFIX]       # every set, with the weights as they stand
//! cargo bench -p eruca-planner -- show SETS.json PREFIX          # every wrong answer of some sets
//! cargo bench -p eruca-planner -- learn SETS.json WEIGHTS.txt    # weights from all sets
//! cargo bench -p eruca-planner -- dump SETS.json FILE            # every candidate with its features, as JSON lines
//! cargo bench -p eruca-planner -- protocol SETS.json [FILE]      # leave one graph out: learned on the others, scored on it
//! cargo bench -p eruca-planner -- counter SETS.json [FILE]       # how often an answer is sure after what it needs is gone
//! ```
//! `SETS.json` is a list of `{"set", "group", "data": [files], "questions": file}`; sets of one group share a graph and are left
//! out together. Questions are lines of `{"id", "question", "lang", "sparql"}`, those without an answer have `"missing"` instead.
#![allow(clippy::print_stdout, reason = "a benchmark reports to its terminal")]

mod asked;
mod calibrate;
mod changes;
mod counted;
mod counter;
mod graphs;
mod invented;
mod learn;
mod named;
mod report;
mod scores;

use anyhow::Context;
use asked::{Asked, ask_all};
use calibrate::{calibrated, probability};
use counter::Case;
use eruca_planner::Weights;
use graphs::{SetFile, read_sets};
use std::collections::BTreeSet;
use std::path::Path;

fn main() -> anyhow::Result<()> {
    let arguments: Vec<String> = std::env::args().skip(1).filter(|argument| argument != "--bench").collect();
    let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
    match words.as_slice() {
        ["score", sets] => score(sets, "", false),
        ["score", sets, prefix] => score(sets, prefix, false),
        ["show", sets, prefix] => score(sets, prefix, true),
        ["learn", sets, file] => learned(sets, file),
        ["dump", sets, file] => dump(sets, file),
        ["protocol", sets] => protocol(sets, None),
        ["protocol", sets, file] => protocol(sets, Some(file)),
        ["counter", sets] => counted_as(sets, None),
        ["counter", sets, file] => counted_as(sets, Some(file)),
        _ => {
            println!(
                "SKIPPED: score SETS [PREFIX] | show SETS PREFIX | learn SETS WEIGHTS | protocol SETS | counter SETS [FILE]"
            );
            Ok(())
        }
    }
}

fn chosen(sets: &str, prefix: &str) -> anyhow::Result<Vec<SetFile>> {
    let all = read_sets(Path::new(sets))?;
    Ok(all.into_iter().filter(|set| prefix.split(',').any(|prefix| set.set.starts_with(prefix))).collect())
}

fn score(sets: &str, prefix: &str, show: bool) -> anyhow::Result<()> {
    let asked = ask_all(&chosen(sets, prefix)?, &Weights::default(), None)?;
    if show {
        report::wrong(&asked);
    }
    report::table(&asked);
    Ok(())
}

/// Weights from all sets; the signs of confidence from answers to graphs that the weights were not learned on.
fn learned(sets: &str, file: &str) -> anyhow::Result<()> {
    let sets = chosen(sets, "")?;
    let first = Weights::default().unlearned();
    let all = ask_all(&sets, &first, None)?;
    let weights = learn::learn(&all.iter().collect::<Vec<_>>(), &first);
    let (mut apart, changed) = left_out(&sets, &all, &first)?;
    let weights = calibrated(apart.iter(), changed.iter(), &weights);
    std::fs::write(file, learn::file(&weights, &all)).with_context(|| format!("writing {file}"))?;
    told_apart(&mut apart, &changed);
    Ok(())
}

/// Candidates with their features, for a look with other tools.
fn dump(sets: &str, file: &str) -> anyhow::Result<()> {
    let asked = ask_all(&chosen(sets, "")?, &Weights::default(), None)?;
    std::fs::write(file, report::lines(&asked)).with_context(|| format!("writing {file}"))
}

/// Every group scored with weights, and its confidence with signs, that were learned on the others; the candidates of each question go
/// to a file if one is named, those of the counterfactuals to one beside it.
fn protocol(sets: &str, file: Option<&str>) -> anyhow::Result<()> {
    let sets = chosen(sets, "")?;
    let first = Weights::default().unlearned();
    let all = ask_all(&sets, &first, None)?;
    let (mut apart, changed) = left_out(&sets, &all, &first)?;
    told_apart(&mut apart, &changed);
    let Some(file) = file else { return Ok(()) };
    std::fs::write(file, report::lines(&apart)).with_context(|| format!("writing {file}"))?;
    let file = format!("{file}.changed");
    std::fs::write(&file, report::lines(&changed)).with_context(|| format!("writing {file}"))
}

/// Counterfactuals, with the weights as they stand; the answers that are sure and should not be go to a file if one is named.
fn counted_as(sets: &str, file: Option<&str>) -> anyhow::Result<()> {
    let cases = counter::cases(&chosen(sets, "")?, &Weights::default())?;
    counted::table(&cases);
    let Some(file) = file else { return Ok(()) };
    std::fs::write(file, counted::lines(&cases)).with_context(|| format!("writing {file}"))
}

/// Asks every group, and its counterfactuals, with weights that were learned on the others.
fn left_out(sets: &[SetFile], all: &[Asked], first: &Weights) -> anyhow::Result<(Vec<Asked>, Vec<Asked>)> {
    let (mut apart, mut changed) = (Vec::new(), Vec::new());
    for group in groups(sets) {
        let others: Vec<&Asked> = all.iter().filter(|asked| asked.group != group).collect();
        let weights = learn::learn(&others, first);
        let own: Vec<SetFile> = sets.iter().filter(|set| set.group == group).cloned().collect();
        apart.extend(ask_all(&own, &weights, None)?);
        changed.extend(counter::cases(&own, &weights)?.iter().filter_map(Case::as_asked));
    }
    Ok((apart, changed))
}

/// The table and the curve of answers whose weights were learned elsewhere, with confidence that was fitted elsewhere, on
/// counterfactuals too.
fn told_apart(apart: &mut [Asked], changed: &[Asked]) {
    let groups: BTreeSet<String> = apart.iter().map(|one| one.group.clone()).collect();
    for group in groups {
        let other = |one: &&Asked| one.group != group;
        let (asked, changed) = (apart.iter().filter(other), changed.iter().filter(other));
        let weights = calibrated(asked, changed, &Weights::default());
        for one in apart.iter_mut().filter(|one| one.group == group) {
            one.probability = probability(one, &weights);
        }
    }
    report::table(apart);
    report::curve(apart);
}

fn groups(sets: &[SetFile]) -> BTreeSet<String> {
    sets.iter().map(|set| set.group.clone()).collect()
}
