//! The report: a single, self-contained HTML file.

mod actions;
mod board;
mod charts;
mod gold;
mod grounding;
mod html;
mod mistakes;
mod question;

pub use board::{board, write_board};
pub use grounding::{GROUNDING_REPORT_FILE, write_grounding_report};

use super::error::EvalError;
use super::journal::WholeRecords;
use super::metrics::side::{Metric, SideFigures};
use super::record::{Record, RunFigures};
use super::resample::Measured;
use super::stats::Spread;
use super::summary::{Examples, Group, Summary};
use html::{HtmlPage, percent, score};
use std::collections::BTreeMap;
use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::Path;

/// The name of the report file in the output folder.
pub const REPORT_FILE: &str = "report.html";
const SCRIPT: &str = include_str!("report/script.js");

/// Questions that are shown with their queries, results and traces; a browser can hardly show more.
const MAX_SHOWN: usize = 1_000;

/// Writes the report of a run into the folder of its records, whose traces are read from there.
///
/// # Errors
/// When it cannot be written, or the records cannot be read.
pub fn write_report(
    title: &str,
    summary: &Summary,
    records: &[Record],
    folder: &Path,
) -> Result<(), EvalError> {
    let path = folder.join(REPORT_FILE);
    let failed = |reason| EvalError::write(&path, reason);
    let mut whole = WholeRecords::open(folder)?;
    let mut file = BufWriter::new(File::create(&path).map_err(failed)?);
    let mut page = head(title, summary, records);
    let shown = shown(records);
    for (record, is_shown) in records.iter().zip(shown) {
        let whole = if is_shown { whole.of(&record.id)? } else { None };
        match whole {
            Some(whole) => question::render(&mut page, &whole),
            None => question::render_line(&mut page, record),
        }
        file.write_all(page.take().as_bytes()).map_err(failed)?;
    }
    end(&mut page);
    file.write_all(page.take().as_bytes()).and_then(|()| file.flush()).map_err(failed)
}

/// Which records are shown as a whole: all if there is room for them, otherwise first those that are not exactly right.
fn shown(records: &[Record]) -> Vec<bool> {
    let is_lost = |record: &Record| record.scores.official.set_f < 1.0;
    let lost = records.iter().filter(|record| is_lost(record)).count();
    let mut room = (MAX_SHOWN.min(lost), MAX_SHOWN.saturating_sub(lost));
    let has_room = |record: &Record| {
        let room = if is_lost(record) { &mut room.0 } else { &mut room.1 };
        let has_room = *room > 0;
        *room = room.saturating_sub(1);
        has_room
    };
    records.iter().map(has_room).collect()
}

/// The page up to its questions.
fn head(title: &str, summary: &Summary, records: &[Record]) -> HtmlPage {
    let mut page = HtmlPage::begin("Eruca eval", title);
    scores(&mut page, summary);
    gold::render(&mut page, summary);
    groups(&mut page, summary);
    mistakes::render(&mut page, &summary.mistakes);
    reliability(&mut page, summary);
    distributions(&mut page, summary, records);
    actions::render(&mut page, &summary.actions);
    questions(&mut page, records.len());
    page
}

fn end(page: &mut HtmlPage) {
    page.raw("</div>\n<script>\n").raw(SCRIPT).raw("</script>\n</body>\n</html>\n");
}

fn scores(page: &mut HtmlPage, summary: &Summary) {
    page.element("h2", "", "Scores").raw("<div class=\"cards\">\n");
    let or_dash = |value: Option<f64>| value.map_or_else(|| "–".to_owned(), score);
    let official = &summary.official;
    let accuracy = summary
        .set_f_measured
        .map_or_else(String::new, |found| format!("official; 95 %: {}", interval(&found)));
    let cards = [
        ("set F", score(official.set_f), accuracy.as_str()),
        ("set P", score(official.set_p), "precision"),
        ("set recall", score(official.set_recall), ""),
        ("set F, nDCG", or_dash(summary.combined), "nDCG where order matters"),
        ("set F, winnable", score(summary.set_f_winnable), "without empty gold and gold false"),
        ("row F1", or_dash(summary.rows.row_f1), "SPINACH, extra columns free"),
        ("row EM", or_dash(summary.rows.row_em), "share with row F1 = 1"),
    ];
    for (name, value, note) in cards {
        card(page, name, &value, note);
    }
    side_cards(page, &summary.side);
    page.raw("</div>\n<p>");
    page.text(&format!(
        "{} questions: {} perfect, {} with 0; {} with a query, {} without any answer. {} cannot be won officially; of {} the gold answer is not known.",
        summary.questions,
        summary.perfect,
        summary.zero,
        summary.with_query,
        summary.failed,
        summary.unwinnable,
        summary.gold_failed
    ));
    page.raw("</p>\n");
    if let Some(examples) = &summary.examples {
        page.element("p", "", &examples_text(examples));
    }
}

fn card(page: &mut HtmlPage, name: &str, value: &str, note: &str) {
    page.raw("<div class=\"card\">");
    page.element("b", "", value).element("span", "", name).element("small", "", note).raw("</div>\n");
}

/// The metrics of other papers.
fn side_cards(page: &mut HtmlPage, figures: &SideFigures) {
    for metric in SideFigures::present(std::iter::once(figures)) {
        card(page, metric.title, &figures.mean(&metric).map_or_else(String::new, score), metric.note);
    }
    let Some(qald) = &figures.qald else { return };
    if let Some(f1) = qald.macro_f1_qald {
        card(page, "Macro F1 QALD", &score(f1), "GERBIL, F of mean P and R");
    }
    card(page, "QALD micro F1", &score(qald.micro.f1), "GERBIL, summed counts");
}

fn interval(Measured { interval: [low, high], .. }: &Measured) -> String {
    format!("{low:.2} to {high:.2}")
}

/// How many verified questions the system had, and whether the benchmark was among them.
fn examples_text(Examples { used, left_out, leak }: &Examples) -> String {
    match leak {
        true => format!(
            "Leak: {used} verified questions were used, also those that the benchmark asks. The scores say nothing about unknown questions."
        ),
        false => format!(
            "{used} verified questions were used; {left_out} were left out because the benchmark asks them."
        ),
    }
}

fn groups(page: &mut HtmlPage, summary: &Summary) {
    page.element("h2", "", "By group").raw("<div class=\"columns\">\n");
    let tables = [
        ("Form of the gold query", &summary.by_form),
        ("Feature", &summary.by_feature),
        ("Language", &summary.by_language),
        ("Answered by", &summary.by_answered_by),
        ("Stop reason", &summary.by_stop_reason),
    ];
    for (title, groups) in tables {
        if !groups.is_empty() {
            group_table(page, title, groups);
        }
    }
    page.raw("</div>\n");
}

fn group_table(page: &mut HtmlPage, title: &str, groups: &BTreeMap<String, Group>) {
    page.raw("<table><thead><tr>").element("th", "", title);
    let side: Vec<Metric> = SideFigures::present(groups.values().map(|group| &group.side));
    let titles = side.iter().map(|metric| metric.title);
    for name in ["n", "set F", "95 %", "row F1", "row EM"].into_iter().chain(titles) {
        page.element("th", "number", name);
    }
    page.raw("</tr></thead><tbody>\n");
    let or_dash = |value: Option<f64>| value.map_or_else(|| "–".to_owned(), score);
    for (name, group) in groups {
        page.raw("<tr>").element("td", "", name);
        page.element("td", "number", &group.questions.to_string());
        page.raw(&format!("<td class=\"number bar\" style=\"--part:{}\">", percent(group.set_f)));
        page.text(&score(group.set_f)).raw("</td>");
        page.element(
            "td",
            "number",
            &group.set_f_measured.map_or_else(|| "–".to_owned(), |found| interval(&found)),
        );
        page.element("td", "number", &or_dash(group.row_f1));
        page.element("td", "number", &or_dash(group.row_em));
        for metric in &side {
            page.element("td", "number", &or_dash(group.side.mean(metric)));
        }
        page.raw("</tr>\n");
    }
    page.raw("</tbody></table>\n");
}

/// Calibration: how many answers with a probability are right, by level and by bin.
fn reliability(page: &mut HtmlPage, summary: &Summary) {
    if summary.reliability.is_empty() {
        return;
    }
    page.element("h2", "", "Confidence").raw("<div class=\"columns\">\n");
    for (by, table) in &summary.reliability {
        let title = format!("{by}: calibration error {:.3}, Brier score {:.3}", table.ece, table.brier);
        page.raw("<table><thead><tr>").element("th", "", &title);
        for name in ["n", "told", "right"] {
            page.element("th", "number", name);
        }
        page.raw("</tr></thead><tbody>\n");
        for row in table.levels.iter().chain(&table.bins) {
            page.raw("<tr>").element("td", "", &row.name);
            page.element("td", "number", &row.answers.to_string());
            page.element("td", "number", &score(row.probability));
            page.raw(&format!("<td class=\"number bar\" style=\"--part:{}\">", percent(row.right)));
            page.text(&score(row.right)).raw("</td></tr>\n");
        }
        page.raw("</tbody></table>\n");
    }
    page.raw("</div>\n");
    trust(page, summary);
}

/// How many answers are right if the least probable ones are left out.
fn trust(page: &mut HtmlPage, summary: &Summary) {
    let points: Vec<(f64, f64)> = summary.coverage.iter().map(|kept| (kept.coverage, kept.right)).collect();
    page.raw("<div class=\"charts\"><figure>").raw(&charts::curve("Right answers among those kept", &points));
    let risk = summary.risk.map_or_else(String::new, |risk| format!("; area of wrong answers {risk:.3}"));
    page.element(
        "figcaption",
        "",
        &format!(
            "Share of right answers (up) if only the most probable ones are kept (to the right: all){risk}"
        ),
    );
    page.raw("</figure></div>\n");
}

fn distributions(page: &mut HtmlPage, summary: &Summary, records: &[Record]) {
    page.element("h2", "", "What it took").raw("<div class=\"charts\">\n");
    let values = |pick: fn(&RunFigures) -> f64| -> Vec<f64> {
        records.iter().filter_map(|record| record.run.as_ref()).map(pick).collect()
    };
    let charts: [(&str, Spread, Vec<f64>); 4] = [
        ("Steps", summary.steps, values(|run| run.steps as f64)),
        ("Model calls", summary.model_calls, values(|run| f64::from(run.model_calls))),
        ("Seconds", summary.seconds, values(|run| run.seconds)),
        ("Tokens", summary.tokens, values(|run| run.tokens() as f64)),
    ];
    for (title, spread, values) in charts {
        page.raw("<figure>").raw(&charts::histogram(title, &values));
        let number = charts::number;
        page.element(
            "figcaption",
            "",
            &format!(
                "{title}: mean {}, median {}, 90 % at most {}, max {}",
                number(spread.mean),
                number(spread.median),
                number(spread.p90),
                number(spread.max)
            ),
        );
        page.raw("</figure>\n");
    }
    page.raw("</div>\n");
}

/// The head of the list of questions.
fn questions(page: &mut HtmlPage, count: usize) {
    page.element("h2", "", "Questions");
    page.raw("<p class=\"tools\"><input id=\"words\" type=\"search\" placeholder=\"filter by words\"> ");
    page.raw(
        "<select id=\"kind\"><option value=\"\">all</option><option value=\"lost\">set F below 1</option>",
    );
    page.raw("<option value=\"zero\">set F = 0</option><option value=\"perfect\">set F = 1</option>");
    page.raw("<option value=\"failed\">no answer</option></select> ");
    page.raw("<select id=\"order\"><option value=\"file\">in the file's order</option>");
    page.raw("<option value=\"score\">worst first</option><option value=\"seconds\">slowest first</option></select> ");
    page.raw("<button id=\"open\">open all</button> <button id=\"close\">close all</button> <output id=\"shown\"></output></p>\n");
    if count > MAX_SHOWN {
        let file = super::journal::RESULTS_FILE;
        page.element(
            "p",
            "",
            &format!("{MAX_SHOWN} of {count} questions are shown with their traces, the wrong ones first; all are in {file}."),
        );
    }
    page.raw("<div id=\"questions\">\n");
}

#[cfg(test)]
mod tests;
