//! The compact pipe table: one line per row, short cells, totals at the end.
//!
//! Written for two readers at once: a person at a terminal, and a model that must tell `"12"` from `12`.

use super::{Answer, Incomplete, Results, Solutions, TableStyle};
use crate::datatypes::{XSD, is_numeric_type};
use crate::terms::Prefixes;
use oxrdf::vocab::xsd;
use oxrdf::{Literal, NamedNodeRef, NamedOrBlankNode, Term, Triple};

/// Renders an answer: a header and a line per row for SELECT, `true`/`false` for ASK, a line per triple
/// for CONSTRUCT and DESCRIBE; rows between the first and the last are counted, not shown.
#[must_use]
pub fn render_table(answer: &Answer, style: &TableStyle<'_>) -> String {
    match &answer.results {
        Results::Boolean(value) => value.to_string(),
        Results::Solutions(solutions) => {
            let mut lines = vec![header(solutions, style)];
            let columns = solutions.variables.len().min(style.max_columns);
            push_excerpt(&mut lines, &solutions.rows, style, |row| {
                let cells = row.iter().take(columns).map(|cell| render_cell(cell.as_ref(), style));
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
    // Names of columns come from the endpoint: they may contain anything.
    let shown: Vec<String> = names.map(|name| format!("?{}", cell_text(name, style.cell_chars))).collect();
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
            format!(" (incomplete, the endpoint says: {})", one_line(words, 200))
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
        render_cell(Some(&subject), style),
        one_line(&style.prefixes.compact(triple.predicate.as_str()), style.cell_chars),
        render_cell(Some(&triple.object), style)
    )
}

fn render_cell(term: Option<&Term>, style: &TableStyle<'_>) -> String {
    match term {
        None => "-".to_owned(),
        Some(Term::NamedNode(node)) => {
            // IRIs are shown whole, since people and models copy them; only an endless one is cut, with a mark.
            let name = one_line(&style.prefixes.shown(node.as_str()), usize::MAX);
            match (style.label)(node.as_str()) {
                Some(label) => format!("{name} ({})", cell_text(&label, style.cell_chars)),
                None => name,
            }
        }
        Some(Term::BlankNode(node)) => cell_text(&node.to_string(), style.cell_chars),
        Some(Term::Literal(literal)) => render_literal(literal, style.prefixes, style.cell_chars),
    }
}

fn render_literal(literal: &Literal, prefixes: &Prefixes, cell_chars: usize) -> String {
    let value = cell_text(literal.value(), cell_chars);
    let datatype = literal.datatype();
    if let Some(language) = literal.language() {
        return format!("\"{value}\"@{language}");
    }
    if datatype == xsd::STRING {
        return format!("\"{value}\"");
    }
    // Bare only what SPARQL itself reads as this number or boolean.
    if (is_numeric(datatype) && literal.value().parse::<f64>().is_ok()) || datatype == xsd::BOOLEAN {
        return value;
    }
    let datatype = match datatype.as_str().strip_prefix("http://www.w3.org/2001/XMLSchema#") {
        Some(local) => format!("xsd:{local}"),
        None => prefixes.shown(datatype.as_str()),
    };
    format!("\"{value}\"^^{datatype}")
}

/// Whether a datatype is one of the numeric types of XML Schema.
pub(super) fn is_numeric(datatype: NamedNodeRef<'_>) -> bool {
    datatype.as_str().strip_prefix(XSD).is_some_and(is_numeric_type)
}

fn cell_text(text: &str, max_chars: usize) -> String {
    // A pipe would look like the end of the cell.
    one_line(text, max_chars).replace('|', "¦")
}

/// One line without control characters and marks that hide or turn text, at most `max_chars` long: what a graph says is
/// data, for terminals as for models.
pub fn one_line(text: &str, max_chars: usize) -> String {
    let mut out = String::new();
    let mut count = 0;
    for c in text.chars() {
        let c = match c {
            '\n' | '\r' | '\t' | '\u{2028}' | '\u{2029}' => ' ',
            c if c.is_control() || is_invisible(c) => continue,
            c => c,
        };
        if c == ' ' && out.ends_with(' ') {
            continue;
        }
        if count == max_chars {
            out.push('…');
            break;
        }
        out.push(c);
        count += 1;
    }
    out
}

/// Marks that change how the rest of the line is shown (direction overrides, zero-width spaces).
fn is_invisible(c: char) -> bool {
    matches!(c, '\u{200B}' | '\u{200E}'..='\u{200F}' | '\u{202A}'..='\u{202E}' | '\u{2060}'..='\u{2069}' | '\u{FEFF}')
}

/// The number with a comma between thousands.
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
