//! The figures of a run on standard output.

use super::{QUESTION_CHARS, examples};
use crate::cli::CliError;
use crate::cli::text::{counted, one_line};
use eruca_eval::known::GoldFrom;
use eruca_eval::metrics::side::SideFigures;
use eruca_eval::record::Record;
use eruca_eval::reliability::ALL;
use eruca_eval::resample::Measured;
use eruca_eval::summary::Summary;
use eruca_eval::trust::{Kept, coverage, threshold};
use std::io::{self, Write};

/// Maximum lengths in characters of a gold query and its error as printed; the records contain them in full.
const QUERY_CHARS: usize = 500;
const ERROR_CHARS: usize = 300;

/// Prints the questions that do not count since their gold answer is not known: most likely the question file or the graph is at
/// fault, not an answer.
pub(super) fn print_left_out(records: &[Record], out: &mut dyn Write) -> io::Result<()> {
    for Record { id, gold, provenance, .. } in records {
        let Some(error) = &gold.error else { continue };
        let query = gold.sparql.as_deref().filter(|_| provenance.from == GoldFrom::Run);
        print_failure(id, query, error, out)?;
    }
    Ok(())
}

/// Prints why a question has no gold answer, and its query.
pub(super) fn print_failure(
    id: &str,
    sparql: Option<&str>,
    error: &str,
    out: &mut dyn Write,
) -> io::Result<()> {
    let (id, error) = (one_line(id, QUESTION_CHARS), one_line(error, ERROR_CHARS));
    match sparql {
        Some(query) => {
            writeln!(out, "gold query of question {id} failed: {error}")?;
            writeln!(out, "  {}", one_line(query, QUERY_CHARS))
        }
        None => writeln!(out, "gold of question {id} is not known: {error}"),
    }
}

/// Prints the scores and what they took.
pub(super) fn print_summary(summary: &Summary, out: &mut dyn Write) -> Result<(), CliError> {
    let official = &summary.official;
    let or_dash = |value: Option<f64>| value.map_or_else(|| "-".to_owned(), |value| format!("{value:.4}"));
    writeln!(out, "questions    {} ({} without an answer)", summary.questions, summary.failed)?;
    writeln!(out, "set_P        {:.4}", official.set_p)?;
    writeln!(out, "set_recall   {:.4}", official.set_recall)?;
    writeln!(
        out,
        "set_F        {:.4} ({:.4} where one can score: {} cannot be won)",
        official.set_f, summary.set_f_winnable, summary.unwinnable
    )?;
    if let Some(Measured { deviation, interval: [low, high], .. }) = summary.set_f_measured {
        writeln!(out, "             95 % interval {low:.3} to {high:.3}, standard deviation {deviation:.3}")?;
    }
    if let Some(combined) = summary.combined {
        writeln!(out, "set_F_ndcg   {combined:.4}")?;
    }
    writeln!(
        out,
        "row F1, EM   {}, {} over {}",
        or_dash(summary.rows.row_f1),
        or_dash(summary.rows.row_em),
        counted(summary.rows.questions as u64, "question", "questions")
    )?;
    print_side(&summary.side, out)?;
    if let Some(examples) = &summary.examples {
        writeln!(out, "examples     {}", examples::told(examples))?;
    }
    writeln!(out, "model calls  {:.2} a question", summary.model_calls.mean)?;
    writeln!(out, "tokens       {:.0} a question", summary.tokens.mean)?;
    if let Some(cost) = summary.cost {
        writeln!(out, "cost         {:.4} a question, {:.2} in all", cost.per_question.mean, cost.total)?;
    }
    writeln!(out, "seconds      {:.2} a question, {:.2} at most", summary.seconds.mean, summary.seconds.max)?;
    print_reliability(summary, out)
}

/// Prints the means by the metrics of other papers.
fn print_side(figures: &SideFigures, out: &mut dyn Write) -> io::Result<()> {
    for metric in SideFigures::present(std::iter::once(figures)) {
        let Some(found) = figures.metrics.get(metric.name) else { continue };
        let questions = counted(found.questions as u64, "question", "questions");
        writeln!(out, "{:<12} {:.4} over {questions}: {}", metric.title, found.mean, metric.note)?;
    }
    let Some(qald) = &figures.qald else { return Ok(()) };
    let (mean, micro) = (&qald.macro_mean, &qald.micro);
    let by_qald = qald.macro_f1_qald.map_or_else(|| "-".to_owned(), |f1| format!("{f1:.4}"));
    writeln!(
        out,
        "QALD macro   P {:.4}, R {:.4}, F1 {:.4}, F1 QALD {by_qald}",
        mean.precision, mean.recall, mean.f1
    )?;
    writeln!(out, "QALD micro   P {:.4}, R {:.4}, F1 {:.4}", micro.precision, micro.recall, micro.f1)
}

/// Prints what is known of the gold answers: how many do not count, what the official client would give, and how far published answers
/// hold.
pub(super) fn print_gold(summary: &Summary, out: &mut dyn Write) -> io::Result<()> {
    if let Some(official) = &summary.official_failed_as_empty {
        writeln!(
            out,
            "gold failed  {} (left out; counted as empty, as the official client does, set_F is {:.4})",
            summary.gold_failed, official.set_f
        )?;
    }
    match &summary.gold_overlap {
        Some(overlap) => writeln!(out, "published    {}", overlap.told()),
        None => Ok(()),
    }
}

/// Prints where to stop trusting answers.
pub(super) fn print_threshold(records: &[Record], wanted: f64, out: &mut dyn Write) -> io::Result<()> {
    let curve = coverage(records);
    match threshold(&curve, wanted) {
        Some(Kept { probability, answers, coverage, right }) => writeln!(
            out,
            "threshold    {probability:.3}: {} ({:.0} %) have it or more, {right:.3} of them right",
            counted(answers as u64, "answer", "answers"),
            coverage * 100.0
        ),
        None => writeln!(out, "threshold    none: at no probability are {wanted} of the answers right"),
    }
}

/// Prints how many answers of each confidence level are right.
fn print_reliability(summary: &Summary, out: &mut dyn Write) -> Result<(), CliError> {
    // With a single answerer, its table equals the total.
    let several = summary.reliability.len() > 2;
    for (by, table) in summary.reliability.iter().filter(|(by, _)| several || by.as_str() != ALL) {
        let answers = counted(table.answers as u64, "answer", "answers");
        writeln!(out, "confidence   {by}: {answers}, expected calibration error {:.3}", table.ece)?;
        for row in &table.levels {
            writeln!(
                out,
                "             {:<7} {:>5}  told {:.2}  right {:.2}",
                row.name, row.answers, row.probability, row.right
            )?;
        }
    }
    Ok(())
}
