//! The score of a test set in a terminal, and what to do next.

use super::LINE_CHARS;
use crate::cli::text::{counted, one_line};
use crate::service::test_set::score;
use eruca_api::{Compared, TestScore, TestShare};
use eruca_knowledge::test_set::{Judged, TestQuestion};
use std::io::{self, Write};

/// Below this many answers the interval is too wide to say much.
const FEW: usize = 20;

/// How a question is built, for people.
pub(super) fn construct(name: &str) -> String {
    one_line(&name.replace('_', " "), LINE_CHARS)
}

/// What a query gives, in a line.
pub(super) fn result(compared: &Compared) -> String {
    let first = compared.first.join("; ");
    let more = if compared.rows > compared.first.len() { "; …" } else { "" };
    match compared.rows {
        0 => "empty".to_owned(),
        rows => {
            format!("{}: {}{more}", counted(rows as u64, "row", "rows"), one_line(&first, LINE_CHARS))
        }
    }
}

/// What is wrong in the file.
pub(super) fn problems(problems: &[String], out: &mut dyn Write) -> io::Result<()> {
    problems.iter().try_for_each(|problem| writeln!(out, "error: {problem}"))
}

/// The score of what was judged.
pub(super) fn judged(tests: &[TestQuestion], out: &mut dyn Write) -> io::Result<()> {
    let Some(TestScore { all, constructs, confidences, .. }) = score(tests) else {
        return writeln!(out, "nothing has been judged yet");
    };
    writeln!(out, "score        {}", share(&all))?;
    table("by construct", &constructs, out)?;
    table("by confidence", &confidences, out)
}

/// The share of right answers with its interval.
pub(super) fn share(TestShare { right, of, share, low, high, .. }: &TestShare) -> String {
    let percent = |share: &f64| format!("{:.0}", share * 100.0);
    let (share, low, high) = (percent(share), percent(low), percent(high));
    format!("{right} of {of} right: {share} % (95 % interval {low} to {high} %)")
}

fn table(title: &str, rows: &[TestShare], out: &mut dyn Write) -> io::Result<()> {
    if rows.is_empty() {
        return Ok(());
    }
    writeln!(out, "{title}")?;
    for TestShare { name, right, of, .. } in rows {
        writeln!(out, "  {:<16} {right} of {of}", construct(name))?;
    }
    Ok(())
}

/// What the score suggests.
pub(super) fn next(tests: &[TestQuestion], dataset: &str, out: &mut dyn Write) -> io::Result<()> {
    let Some(TestScore { all, constructs, open, .. }) = score(tests) else { return Ok(()) };
    writeln!(out, "next")?;
    let wrong: Vec<&TestQuestion> = tests.iter().filter(|one| one.judged == Judged::Wrong).collect();
    let sure = wrong.iter().filter(|one| one.confidence.as_deref() == Some("sure")).count();
    if sure > 0 {
        let count = counted(sure as u64, "wrong answer was", "wrong answers were");
        writeln!(out, "  {count} said to be sure: these mislead most, so correct them first")?;
    }
    if let Some(weakest) = constructs.first().filter(|one| one.share < 1.0) {
        let name = construct(&weakest.name);
        writeln!(
            out,
            "  weakest: {name} ({} of {}); words of the house go into the glossary (docs/knowledge.md), and a chat model may help",
            weakest.right, weakest.of
        )?;
    }
    if open > 0 {
        let count = counted(open as u64, "wrong answer has", "wrong answers have");
        writeln!(out, "  {count} no right query yet; they count as wrong until they are judged anew")?;
    }
    if all.of < FEW {
        writeln!(out, "  with {} judged the interval is wide: go on, or --count for more", all.of)?;
    }
    let id = one_line(dataset, LINE_CHARS);
    writeln!(
        out,
        "  after a change: eruca check --questions --dataset '{id}' --at-least 0.8 asks all of them again"
    )
}
