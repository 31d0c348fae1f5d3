//! `eruca check --questions`: asks every question of the test set again, and compares its result with that of the right query.

use super::{LINE_CHARS, TestSetCommandError, opened, told};
use crate::cli::CliError;
use crate::cli::text::{counted, one_line};
use crate::config::Settings;
use eruca_api::{AgainReason, AskedAgain};
use eruca_knowledge::test_set::{Judged, TestQuestion};
use std::io::Write;

/// Asks all questions of a test set again, and tells the score.
///
/// # Errors
/// When there are none, or fewer than the wanted share are right.
pub async fn check(
    dataset: Option<&str>,
    at_least: Option<f64>,
    settings: Settings,
    out: &mut dyn Write,
) -> Result<(), CliError> {
    let (service, dataset) = opened(dataset, settings).await?;
    let (tests, problems) = service.tests(&dataset).map_err(TestSetCommandError::from)?;
    told::problems(&problems, out)?;
    if tests.is_empty() {
        return Err(TestSetCommandError::Nothing { dataset: dataset.id.clone() }.into());
    }
    let mut now: Vec<TestQuestion> = Vec::with_capacity(tests.len());
    for test in tests {
        let again = service.ask_again(&dataset, &test).await;
        tell(&test, &again, out)?;
        let judged = if again.right { Judged::Right } else { Judged::Wrong };
        let confidence = again.answer.confidence.map(|level| level.name().to_owned());
        now.push(TestQuestion { judged, confidence, ..test });
    }
    told::judged(&now, out)?;
    let (right, of) = (now.iter().filter(|one| one.judged == Judged::Right).count(), now.len());
    match at_least.filter(|wanted| (right as f64) < wanted * of as f64) {
        Some(wanted) => Err(TestSetCommandError::TooFew { right, of, wanted }.into()),
        None => Ok(()),
    }
}

/// A line for a question that is not right, or that is right now and was not.
fn tell(test: &TestQuestion, again: &AskedAgain, out: &mut dyn Write) -> Result<(), CliError> {
    let question = one_line(&test.question, LINE_CHARS);
    let was_right = test.judged == Judged::Right;
    let rows = again.answer.rows.map(|rows| format!(" ({})", counted(rows as u64, "row", "rows")));
    let rows = rows.unwrap_or_default();
    let text = one_line(&again.answer.text, LINE_CHARS);
    match again.reason {
        None if was_right => {}
        None => writeln!(out, "right now    {question}")?,
        Some(AgainReason::Other) if was_right => writeln!(out, "not right now  {question}: {text}{rows}")?,
        Some(AgainReason::Other) => writeln!(out, "wrong        {question}: {text}{rows}")?,
        Some(AgainReason::Same) => {
            writeln!(out, "wrong        {question}: the same answer as when it was judged")?;
        }
        Some(AgainReason::Unjudged) => {
            writeln!(out, "judge anew   {question}: another answer than the wrong one, {text}{rows}")?;
        }
        Some(AgainReason::Gold) => writeln!(out, "no query     {question}: its right query does not run")?,
        Some(AgainReason::None) => writeln!(out, "no answer    {question}: {text}")?,
    }
    Ok(())
}
