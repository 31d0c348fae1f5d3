//! Results as a table for people.

use super::text::{counted, one_line};
use comfy_table::presets::UTF8_FULL_CONDENSED;
use comfy_table::{ContentArrangement, Table};
use eruca_api::{Results, Term, TermKind};
use std::collections::BTreeMap;

/// Longest cell, in characters.
const CELL_CHARS: usize = 200;

/// The results as text that ends with a newline. `names` are those of opaque IRIs.
pub(super) fn render(results: &Results, names: &BTreeMap<String, String>) -> String {
    match results {
        Results::Boolean { boolean } => format!("{boolean}\n"),
        Results::Table { variables, rows, row_count, incomplete } => {
            let mut table = Table::new();
            table.load_style(UTF8_FULL_CONDENSED);
            table.set_content_arrangement(ContentArrangement::Dynamic);
            table.set_header(variables.iter().map(|name| one_line(name, CELL_CHARS)));
            for row in rows {
                table.add_row(
                    row.iter().map(|term| term.as_ref().map(|term| cell(term, names)).unwrap_or_default()),
                );
            }
            let note = incomplete
                .as_ref()
                .map(|note| format!(" ({})", one_line(note, CELL_CHARS)))
                .unwrap_or_default();
            format!("{table}\n{}{note}\n", counted(*row_count as u64, "row", "rows"))
        }
    }
}

fn cell(term: &Term, names: &BTreeMap<String, String>) -> String {
    let text = one_line(&term.value, CELL_CHARS);
    match (&term.lang, names.get(&term.value).filter(|_| term.kind == TermKind::Uri)) {
        (Some(lang), _) => format!("{text} @{lang}"),
        (None, Some(name)) => format!("{text} ({})", one_line(name, CELL_CHARS)),
        (None, None) => text,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_become_a_table_with_a_count() {
        let term = |value: &str, lang: Option<&str>| {
            Some(Term {
                kind: TermKind::Literal,
                value: value.to_owned(),
                datatype: None,
                lang: lang.map(str::to_owned),
            })
        };
        let results = Results::Table {
            variables: vec!["city".to_owned(), "people".to_owned()],
            rows: vec![vec![term("Köln", Some("de")), term("1087863", None)], vec![term("a\tb", None), None]],
            row_count: 2,
            incomplete: Some("cut at the limit of 2 rows".to_owned()),
        };
        insta::assert_snapshot!(render(&results, &BTreeMap::new()), @r#"
        ┌──────────┬─────────┐
        │ city     ┆ people  │
        ╞══════════╪═════════╡
        │ Köln @de ┆ 1087863 │
        │ a b      ┆         │
        └──────────┴─────────┘
        2 rows (cut at the limit of 2 rows)
        "#);
    }

    #[test]
    fn things_bear_their_names_where_those_are_known() {
        let term = |kind: TermKind| {
            let value = "http://e.x/Q5".to_owned();
            Some(Term { kind, value, datatype: None, lang: None })
        };
        let results = Results::Table {
            variables: vec!["x".to_owned()],
            rows: vec![vec![term(TermKind::Uri)], vec![term(TermKind::Literal)]],
            row_count: 2,
            incomplete: None,
        };
        let names = BTreeMap::from([("http://e.x/Q5".to_owned(), "human".to_owned())]);
        let shown = render(&results, &names);
        assert_eq!(shown.matches("http://e.x/Q5 (human)").count(), 1, "{shown}");
    }

    #[test]
    fn ask_is_one_word() {
        assert_eq!(render(&Results::Boolean { boolean: true }, &BTreeMap::new()), "true\n");
    }
}
