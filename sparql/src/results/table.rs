//! Compact pipe tables: one line per row, short cells, totals at the end.
//!
//! For two kinds of readers: people at a terminal, and models, which must be able to tell `"12"` from `12`.

use super::cells::{column_text, term_text};
use super::{Answer, Incomplete, Results, Solutions, TableStyle};
use crate::fence::quoted;
use oxrdf::{NamedOrBlankNode, Term, Triple};

/// Maximum characters of an endpoint's reason for an incomplete result.
const MAX_WORDS: usize = 200;

/// Renders an answer: a header and a line per row for SELECT, `true`/`false` for ASK, a line per triple
/// for CONSTRUCT and DESCRIBE; rows between the first and the last are only counted.
#[must_use]
pub fn render_table(answer: &Answer, style: &TableStyle<'_>) -> String {
    match &answer.results {
        Results::Boolean(value) => value.to_string(),
        Results::Solutions(solutions) => {
            let mut lines = vec![header(solutions, style)];
            let columns = solutions.variables.len().min(style.max_columns);
            push_excerpt(&mut lines, &solutions.rows, style, |row| {
                let cells = row.iter().take(columns).map(|cell| term_text(cell.as_ref(), style));
                cells.collect::<Vec<_>>().join(" | ")
            });
            lines.push(total(solutions.rows.len(), ["row", "rows"], answer.incomplete.as_ref()));
            lines.join("\n")
        }
        Results::Graph(triples) => {
            let mut lines = Vec::new();
            push_excerpt(&mut lines, triples, style, |triple| render_triple(triple, style));
            lines.push(total(triples.len(), ["triple", "triples"], answer.incomplete.as_ref()));
            lines.join("\n")
        }
    }
}

fn header(solutions: &Solutions, style: &TableStyle<'_>) -> String {
    let names = solutions.variables.iter().take(style.max_columns);
    let shown: Vec<String> = names.map(|name| column_text(name, style.cell_chars)).collect();
    let hidden = solutions.variables.len() - shown.len();
    match hidden {
        0 => shown.join(" | "),
        1 => format!("{} | ... (1 more column)", shown.join(" | ")),
        _ => format!("{} | ... ({hidden} more columns)", shown.join(" | ")),
    }
}

fn push_excerpt<T>(
    lines: &mut Vec<String>,
    items: &[T],
    style: &TableStyle<'_>,
    line: impl Fn(&T) -> String,
) {
    let shown = style.first_rows.saturating_add(style.last_rows);
    if items.len() <= shown {
        lines.extend(items.iter().map(line));
        return;
    }
    let left_out = items.len() - shown;
    lines.extend(items.iter().take(style.first_rows).map(&line));
    lines.push(format!("... ({} more rows)", thousands(left_out as u64)));
    lines.extend(items.iter().skip(style.first_rows + left_out).map(&line));
}

fn total(count: usize, [one, many]: [&str; 2], incomplete: Option<&Incomplete>) -> String {
    let unit = if count == 1 { one } else { many };
    let why = match incomplete {
        None => String::new(),
        Some(Incomplete::RowLimit(_)) => " (cut at the row limit)".to_owned(),
        Some(Incomplete::ByteLimit(_)) => " (cut at the size limit)".to_owned(),
        Some(Incomplete::ServerRows(rows)) => {
            format!(" (incomplete, the endpoint says: the server returns at most {rows} rows)")
        }
        Some(Incomplete::Endpoint(words)) => {
            format!(" (incomplete, the endpoint says: {})", quoted(words, MAX_WORDS))
        }
    };
    format!("{} {unit}{why}", thousands(count as u64))
}

fn render_triple(triple: &Triple, style: &TableStyle<'_>) -> String {
    let subject = match &triple.subject {
        NamedOrBlankNode::NamedNode(n) => Term::from(n.clone()),
        NamedOrBlankNode::BlankNode(b) => Term::from(b.clone()),
    };
    format!(
        "{} {} {} .",
        term_text(Some(&subject), style),
        style.prefixes.shown(triple.predicate.as_str()),
        term_text(Some(&triple.object), style)
    )
}

/// The number with commas as thousands separators.
#[must_use]
pub fn thousands(number: u64) -> String {
    let digits = number.to_string();
    let mut out = String::new();
    for (i, digit) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
    out
}
