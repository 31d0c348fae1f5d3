//! One question of the report: scores, queries and results side by side, and the trace.

use super::html::{HtmlPage, score};
use crate::excluded::is_known;
use crate::metrics::side::METRICS;
use crate::record::{Record, Side};
use serde_json::Value;
use std::collections::BTreeSet;

/// Maximum number of rows shown per result.
const MAX_ROWS: usize = 50;

/// A question with queries, results and trace.
pub(super) fn render(page: &mut HtmlPage, record: &Record) {
    begin(page, record);
    if let Some(error) = &record.error {
        page.element("p", "error", &format!("No answer: {error}"));
    }
    page.element("p", "scores", &scores(record));
    page.raw("<div class=\"sides\">\n");
    side(page, "Gold", &record.gold, &values(&record.predicted));
    side(page, "Predicted", &record.predicted, &values(&record.gold));
    page.raw("</div>\n");
    if let Some(trace) = &record.trace {
        steps(page, trace);
    }
    page.raw("</details>\n");
}

/// A question in one line.
pub(super) fn render_line(page: &mut HtmlPage, record: &Record) {
    begin(page, record);
    page.raw("</details>\n");
}

fn begin(page: &mut HtmlPage, record: &Record) {
    let set_f = record.scores.official.set_f;
    let seconds = record.run.as_ref().map(|run| run.seconds).unwrap_or_default();
    page.raw(&format!(
        "<details data-score=\"{set_f}\" data-seconds=\"{seconds}\" data-kind=\"{}\">",
        kind(record)
    ));
    page.raw("<summary>").element("span", badge(record), &score(set_f)).raw(" ");
    page.element("code", "", &record.id).raw(" ").element("span", "question", &record.question).raw(" ");
    page.element("small", "", &figures(record)).raw("</summary>\n");
}

fn kind(record: &Record) -> &'static str {
    match record.scores.official.set_f {
        _ if record.error.is_some() => "failed zero lost",
        0.0 => "zero lost",
        1.0 => "perfect",
        _ => "lost",
    }
}

fn badge(record: &Record) -> &'static str {
    match record.scores.official.set_f {
        0.0 if record.scores.unwinnable => "badge none",
        0.0 => "badge bad",
        1.0 => "badge good",
        _ => "badge some",
    }
}

fn figures(record: &Record) -> String {
    let mut text = record.form.clone();
    if let Some(run) = &record.run {
        text += &format!(
            " · {} model calls · {} tokens{} · {:.1} s · {}, {}",
            run.model_calls,
            run.tokens(),
            if run.tokens_estimated { " (estimated)" } else { "" },
            run.seconds,
            run.answered_by,
            run.stop_reason
        );
        if let Some(cost) = run.cost {
            text += &format!(" · cost {cost:.4}");
        }
        if !run.rewrites.is_empty() {
            text += &format!(" · {} rewrites", run.rewrites.len());
        }
    }
    text
}

fn scores(record: &Record) -> String {
    let official = &record.scores.official;
    let mut text = format!(
        "dataset {} · set P {} · set recall {} · set F {}",
        record.dataset,
        score(official.set_p),
        score(official.set_recall),
        score(official.set_f)
    );
    if let Some(ndcg) = official.ndcg {
        text += &format!(" · nDCG {}", score(ndcg));
    }
    if let Some(row_f1) = record.scores.row_f1 {
        text += &format!(" · row F1 {}", score(row_f1));
    }
    for metric in METRICS {
        if let Some(value) = metric.of(&record.scores) {
            text += &format!(" · {} {}", metric.title, score(value));
        }
    }
    if let Some(overlap) = record.provenance.overlap {
        text += &format!(" · published answer and gold query share {}", score(overlap.share));
    }
    if !is_known(record) {
        text += " · does not count: the gold answer is not known";
    } else if record.scores.unwinnable {
        text += " · no system can score here: the gold set is empty or its ASK is false";
    }
    if !record.features.is_empty() {
        text += &format!(" · {}", record.features.join(", "));
    }
    text
}

/// The values of all cells shown on a side.
fn values(side: &Side) -> BTreeSet<&str> {
    let rows = side.results.iter().filter_map(|results| results.get("rows")?.as_array()).flatten();
    let cells = rows.filter_map(Value::as_array).flatten();
    cells.filter_map(|cell| cell.get("value")?.as_str()).collect()
}

fn side(page: &mut HtmlPage, title: &str, side: &Side, other: &BTreeSet<&str>) {
    page.raw("<section>").element("h3", "", title);
    page.element("pre", "query", side.sparql.as_deref().unwrap_or("(no query)"));
    if let Some(error) = &side.error {
        page.element("p", "error", error);
    }
    if let Some(results) = &side.results {
        table(page, results, other);
    }
    page.raw("</section>\n");
}

/// Results in the form of the HTTP service; cells that also occur on the other side are highlighted.
fn table(page: &mut HtmlPage, results: &Value, other: &BTreeSet<&str>) {
    if let Some(boolean) = results.get("boolean").and_then(Value::as_bool) {
        page.element("p", "boolean", &boolean.to_string());
        return;
    }
    let list =
        |name: &str| results.get(name).and_then(Value::as_array).map(Vec::as_slice).unwrap_or_default();
    page.raw("<div class=\"wide\"><table><thead><tr>");
    for variable in list("variables") {
        page.element("th", "", variable.as_str().unwrap_or_default());
    }
    page.raw("</tr></thead><tbody>\n");
    let rows = list("rows");
    for row in rows.iter().take(MAX_ROWS) {
        page.raw("<tr>");
        for cell in row.as_array().map(Vec::as_slice).unwrap_or_default() {
            let value = cell.get("value").and_then(Value::as_str).unwrap_or_default();
            page.element("td", if other.contains(value) { "hit" } else { "" }, value);
        }
        page.raw("</tr>\n");
    }
    page.raw("</tbody></table></div>");
    let count = results.get("row_count").and_then(Value::as_u64).unwrap_or_default();
    let shown = rows.len().min(MAX_ROWS);
    let note = if shown as u64 == count { String::new() } else { format!(" ({shown} shown)") };
    let rows = if count == 1 { "row" } else { "rows" };
    page.element("p", "count", &format!("{count} {rows}{note}"));
}

fn steps(page: &mut HtmlPage, trace: &Value) {
    page.raw("<h3>Trace</h3>\n<ol class=\"trace\">\n");
    for step in trace.get("steps").and_then(Value::as_array).into_iter().flatten() {
        let text = |name: &str| step.get(name).and_then(Value::as_str).unwrap_or_default();
        let millis = |name: &str| step.get(name).and_then(Value::as_f64).unwrap_or_default();
        page.raw("<li>").element("b", "", text("kind")).raw(" ");
        let times =
            format!("at {:.2} s, took {:.2} s", millis("at_ms") / 1000.0, millis("elapsed_ms") / 1000.0);
        page.element("small", "", &times);
        for (name, value) in step.as_object().into_iter().flatten() {
            if !["kind", "at_ms", "elapsed_ms"].contains(&name.as_str()) {
                field(page, name, value);
            }
        }
        page.raw("</li>\n");
    }
    page.raw("</ol>\n");
    for note in trace.get("degraded").and_then(Value::as_array).into_iter().flatten() {
        page.element("p", "note", note.as_str().unwrap_or_default());
    }
}

/// A field of a step, of any type: new kinds of steps need no change here.
fn field(page: &mut HtmlPage, name: &str, value: &Value) {
    let text = match value {
        Value::Null => return,
        Value::String(text) => text.clone(),
        Value::Array(items) => items.iter().map(item).collect::<Vec<_>>().join("\n"),
        other => item(other),
    };
    if text.is_empty() {
        return;
    }
    page.raw("<div class=\"field\">").element("small", "", name).element("pre", "", &text).raw("</div>");
}

/// The texts of an object on one line: the name and the arguments of a call.
fn item(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        Value::Object(fields) if fields.values().all(Value::is_string) => {
            fields.values().filter_map(Value::as_str).collect::<Vec<_>>().join(" ")
        }
        other => other.to_string(),
    }
}
