//! Answers as shown in a conversation: a sentence, a table, and how reliable they are.

use crate::cli::text::{counted, one_line, safe_lines};
use crate::service::{AnswerPage, Run};
use crate::trace::NO_RESULT;
use comfy_table::presets::UTF8_FULL_CONDENSED;
use comfy_table::{ContentArrangement, Table};
use eruca_api::{
    Alternative, Clarify, Column, Confidence, Insight, Reason, Rows, ShownTerm, Table as AnswerTable,
    TermKind, Why, WordsKind,
};
use eruca_sparql::local_name;
use eruca_verbalize::markdown;

/// Rows shown with an answer; a command shows the rest.
const FIRST_ROWS: usize = 20;
/// Longest cell, in characters.
const CELL_CHARS: usize = 200;
/// Longest line of another kind, in characters.
const LINE_CHARS: usize = 300;

/// How entities are shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum CellStyle {
    /// By name, if they have one.
    Names,
    /// By name and IRI.
    Whole,
}

/// The answer to a question. The two hints say how to see the query and all rows if they are not shown.
pub(in crate::cli) fn answer(run: &Run, to_query: &str, to_rows: &str) -> String {
    let mut text = String::new();
    if let Some(article) = &run.article {
        text.push_str(&format!("{}\n\n", safe_lines(&markdown::article(article))));
    } else if let Some(words) = &run.answer {
        text.push_str(&format!("{}\n", safe_lines(words.text.trim_end())));
        text.push_str(&unverified(&words.unverified));
    }
    // Rows for something other than what was asked would mislead.
    let absent = run.answer.as_ref().is_some_and(|words| words.kind == WordsKind::NotInGraph);
    let table = run.rows.as_ref().filter(|_| !absent).map(AnswerPage::rows);
    if let Some(Rows::Table(table)) = table.as_ref().filter(|_| run.answer.is_some())
        && !table.rows.is_empty()
    {
        text.push_str(&drawn(table, FIRST_ROWS, CellStyle::Names));
    }
    if run.answer.is_none() {
        text.push_str(&format!("There is a query, but it gave no result while answering; {to_query}.\n"));
        let notes = run.trace.iter().flat_map(|trace| &trace.degraded);
        for note in notes.filter(|note| note.starts_with(NO_RESULT)) {
            text.push_str(&format!("note: {}\n", one_line(note, LINE_CHARS)));
        }
    }
    if !absent {
        text.push_str(&without(run));
    }
    text.push_str(&format!("{}\n", summary(run, table.as_ref(), to_rows)));
    if let Some(verified) = run.trace.as_ref().and_then(|trace| trace.verified.as_ref()) {
        text.push_str(&format!("{}\n", one_line(&verified.text, LINE_CHARS)));
    }
    text.push_str(&others(run));
    for note in &run.missing {
        text.push_str(&format!("note: {}\n", one_line(note, LINE_CHARS)));
    }
    text
}

/// All rows.
pub(in crate::cli) fn rows(rows: &Rows) -> String {
    match rows {
        Rows::Boolean { boolean } => format!("{boolean}\n"),
        Rows::Table(table) => {
            let count = row_count(table, usize::MAX, "");
            format!("{}{count}\n", drawn(table, usize::MAX, CellStyle::Whole))
        }
    }
}

fn unverified(names: &[String]) -> String {
    match names.is_empty() {
        true => String::new(),
        false => format!("not in the rows: {}\n", one_line(&names.join(", "), LINE_CHARS)),
    }
}

fn drawn(rows: &AnswerTable, most: usize, cells: CellStyle) -> String {
    // Rows are numbered for `:why N`; a single one needs no number.
    let numbered = rows.row_count > 1;
    let mut table = Table::new();
    table.load_style(UTF8_FULL_CONDENSED);
    table.set_content_arrangement(ContentArrangement::Dynamic);
    let number = |text: String| numbered.then_some(text);
    table.set_header(number("#".to_owned()).into_iter().chain(rows.columns.iter().map(title)));
    for (at, row) in rows.rows.iter().take(most).enumerate() {
        let shown = row.iter().map(|term| term.as_ref().map(|term| cell(term, cells)).unwrap_or_default());
        table.add_row(number((at + 1).to_string()).into_iter().chain(shown));
    }
    format!("{table}\n")
}

fn title(column: &Column) -> String {
    let unit = column.unit.as_ref().map(|unit| format!(" ({unit})")).unwrap_or_default();
    one_line(&format!("{}{unit}", column.title), CELL_CHARS)
}

fn cell(term: &ShownTerm, cells: CellStyle) -> String {
    let value = one_line(&term.value, CELL_CHARS);
    match (cells, &term.label, &term.lang) {
        (CellStyle::Names, Some(label), _) => one_line(label, CELL_CHARS),
        (CellStyle::Whole, Some(label), _) => format!("{} <{value}>", one_line(label, CELL_CHARS)),
        (CellStyle::Whole, None, Some(lang)) => format!("{value} @{lang}"),
        (_, None, _) => value,
    }
}

/// Lists the conditions without which there would be rows.
fn without(run: &Run) -> String {
    let dropped = run.empty.iter().flat_map(|empty| &empty.drop);
    let line = |condition: &str, rows: usize| {
        format!("  without '{}': {}\n", one_line(condition, LINE_CHARS), counted_rows(rows))
    };
    dropped.map(|dropped| line(&dropped.condition, dropped.rows)).collect()
}

/// The number of rows, the confidence and the time taken.
fn summary(run: &Run, rows: Option<&Rows>, to_rows: &str) -> String {
    let insight = run.trace.as_ref().and_then(|trace| trace.insight.as_ref());
    let count = match rows {
        Some(Rows::Table(table)) => Some(row_count(table, FIRST_ROWS, to_rows)),
        Some(Rows::Boolean { .. }) | None => None,
    };
    let belief = insight.map(|insight| {
        let percent = (insight.probability * 100.0).round();
        format!("{} ({percent} %)", insight.confidence.name())
    });
    let model = run.trace.as_ref().and_then(|trace| trace.model.as_ref()).map(|model| one_line(model, 60));
    let seconds = format!("{:.2} s", run.elapsed.as_secs_f64());
    [count, belief, model, Some(seconds)].into_iter().flatten().collect::<Vec<_>>().join(" · ")
}

fn row_count(table: &AnswerTable, shown: usize, to_rows: &str) -> String {
    let mut text = counted_rows(table.row_count);
    if table.rows.len().min(shown) < table.row_count {
        text.push_str(&format!(", the first {}; {to_rows}", table.rows.len().min(shown)));
    }
    if let Some(reason) = &table.incomplete {
        text.push_str(&format!(" ({})", one_line(reason, LINE_CHARS)));
    }
    text
}

/// The interpretation, and alternatives to it, if it is not obvious.
fn others(run: &Run) -> String {
    let insight = run.trace.as_ref().and_then(|trace| trace.insight.as_ref());
    let Some(insight) = insight.filter(|insight| insight.confidence != Confidence::Sure) else {
        return String::new();
    };
    let Insight { reading, alternatives, .. } = insight;
    let mut text = format!("read as: {}\n", one_line(reading, LINE_CHARS));
    for Alternative { reading, rows, .. } in alternatives {
        text.push_str(&format!("or as:   {} ({})\n", one_line(reading, LINE_CHARS), counted_rows(*rows)));
    }
    text
}

/// The question to the user that is answered with a number.
pub(super) fn choice(run: &Run) -> String {
    let Some(Clarify { text, options, .. }) = &run.clarify else { return String::new() };
    let lines = options.iter().zip(1..).map(|(option, number)| {
        let here = if number == 1 { " (shown)" } else { "" };
        format!("  {number}  {}{here}\n", one_line(&option.label, LINE_CHARS))
    });
    format!("{} (type its number)\n{}", one_line(text, LINE_CHARS), lines.collect::<String>())
}

/// `1 row`, `2 rows`.
pub(super) fn counted_rows(rows: usize) -> String {
    counted(u64::try_from(rows).unwrap_or(u64::MAX), "row", "rows")
}

/// The query of an answer with an explanation of its parts.
pub(in crate::cli) fn query(run: &Run) -> String {
    let query = safe_lines(run.query.as_deref().unwrap_or_default().trim_end());
    let mut text = format!("{query}\n");
    if !run.explanation.is_empty() {
        text.push('\n');
    }
    for part in &run.explanation {
        let (sparql, words) = (one_line(&part.sparql, LINE_CHARS), one_line(&part.words, LINE_CHARS));
        text.push_str(&format!("{words}\n    {sparql}\n"));
    }
    text
}

/// Why a row is in the answer.
pub(super) fn why(why: &Why) -> String {
    let mut text = format!("{}\n", safe_lines(&why.text));
    reasons(&why.parts, "  ", &mut text);
    for note in &why.notes {
        text.push_str(&format!("note: {}\n", one_line(note, LINE_CHARS)));
    }
    text
}

fn reasons(parts: &[Reason], indent: &str, text: &mut String) {
    for part in parts {
        text.push_str(&format!("{indent}{}\n", one_line(&reason(part), LINE_CHARS)));
        below(part, &format!("{indent}  "), text);
    }
}

fn reason(part: &Reason) -> String {
    match part {
        Reason::Triple { subject, predicate, object, optional: _ } => {
            statement(&[subject, predicate, object])
        }
        Reason::Path { subject, path, object, triples: _ } => {
            format!("{} ─ {path} → {}", name(subject), name(object))
        }
        Reason::Members { of, value, total, .. } => {
            let value = value.as_ref().map(|value| format!(" = {}", name(value))).unwrap_or_default();
            let total = total.map(|total| format!(", made of {total}")).unwrap_or_default();
            format!("{of}{value}{total}")
        }
        Reason::Condition { words, .. }
        | Reason::Absent { words, .. }
        | Reason::Rank { words, .. }
        | Reason::Either { words }
        | Reason::Named { words }
        | Reason::OptionalMissing { words } => words.clone(),
    }
}

/// Adds the statements of a path, or the members of a count.
fn below(part: &Reason, indent: &str, text: &mut String) {
    let mut line = |line: String| text.push_str(&format!("{indent}{}\n", one_line(&line, LINE_CHARS)));
    match part {
        Reason::Path { triples, .. } => {
            triples.iter().for_each(|triple| line(statement(&triple.iter().collect::<Vec<_>>())));
        }
        Reason::Members { members, shown, total, .. } => {
            for member in members {
                line(member.iter().map(name).collect::<Vec<_>>().join(", "));
            }
            if let Some(more) = total.and_then(|total| total.checked_sub(*shown)).filter(|more| *more > 0) {
                line(format!("and {more} more"));
            }
        }
        _ => {}
    }
}

/// A statement: subject, property, value.
fn statement(terms: &[&ShownTerm]) -> String {
    match terms {
        [subject, predicate, object] => {
            format!("{} ─ {} → {}", name(subject), name(predicate), name(object))
        }
        other => other.iter().map(|term| name(term)).collect::<Vec<_>>().join(" "),
    }
}

/// The name of an entity or property, or the local name of its IRI.
fn name(term: &ShownTerm) -> String {
    match (term.kind, &term.label) {
        (TermKind::Uri, None) => one_line(local_name(&term.value), CELL_CHARS),
        _ => cell(term, CellStyle::Names),
    }
}
