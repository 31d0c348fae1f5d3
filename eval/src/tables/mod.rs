//! The tables of papers, for one run or several: scores by group, effort, what the model did, how runs ended, what was wrong.
//! SPINACH (Liu et al. 2024), ARUQULA and GRASP report their systems with them.
//!
//! A table only shows figures that `summary` and its parts have worked out.

mod did;
mod scored;

use super::leaderboard::NamedRun;
use super::summary::{Summary, summarize};
use super::table::Table;

/// What stands where there is no figure.
const NONE: &str = "-";

/// A table with its title.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TitledTable {
    /// What it shows.
    pub title: String,
    /// The table.
    pub table: Table,
}

/// A run with its figures.
struct Summed<'a> {
    name: &'a str,
    summary: Summary,
}

/// All tables of some runs. Tables without figures are left out.
pub fn tables(runs: &[NamedRun<'_>]) -> Vec<TitledTable> {
    let runs: Vec<Summed<'_>> =
        runs.iter().map(|(name, records)| Summed { name, summary: summarize(records) }).collect();
    let mut tables = vec![scored::scores(&runs), scored::effort(&runs)];
    tables.extend(scored::by_group(&runs));
    tables.extend([scored::mistakes(&runs), scored::ends(&runs), did::shares(&runs), did::turns(&runs)]);
    tables.extend(runs.iter().flat_map(|run| [did::outcomes(run), did::follows(run)]));
    tables.retain(|titled| !titled.table.rows.is_empty());
    tables
}

fn titled(title: impl Into<String>, head: Vec<String>, rows: Vec<Vec<String>>) -> TitledTable {
    TitledTable { title: title.into(), table: Table { head, rows } }
}

/// Column names.
fn head(names: &[&str]) -> Vec<String> {
    names.iter().map(|name| (*name).to_owned()).collect()
}

fn share(part: usize, all: usize) -> String {
    if all == 0 { NONE.to_owned() } else { format!("{:.3}", part as f64 / all as f64) }
}

fn or_none(value: Option<f64>) -> String {
    value.map_or_else(|| NONE.to_owned(), |value| format!("{value:.4}"))
}

#[cfg(test)]
mod tests {
    use super::super::record::Record;
    use super::super::record::tests::record;
    use super::super::table::TableFormat;
    use super::*;
    use serde_json::{Value, json};

    fn asked(id: &str, lang: &str, set_f: f64, calls: &[(&str, &str)]) -> Record {
        let tool = |(name, outcome): &(&str, &str)| {
            [json!({"kind": "model"}), json!({"kind": "tool", "name": name, "outcome": outcome})]
        };
        let steps: Vec<Value> = calls.iter().flat_map(tool).collect();
        let mut record = record(id, set_f);
        (record.lang, record.trace) = (Some(lang.to_owned()), Some(json!({"steps": steps})));
        record.predicted.results = Some(json!({"variables": ["x"], "rows": [], "row_count": 1}));
        if let Some(run) = &mut record.run {
            (run.stop_reason, run.prompt_tokens, run.completion_tokens) = ("answered".to_owned(), 900, 100);
        }
        record
    }

    fn shown(tables: &[TitledTable], title: &str) -> String {
        let found = tables.iter().find(|titled| titled.title.starts_with(title)).unwrap();
        found.table.written(TableFormat::Csv).replace("\r\n", "\n")
    }

    #[test]
    fn runs_stand_side_by_side() {
        let first = [
            asked("a", "en", 1.0, &[("search", "ok"), ("query", "ok"), ("answer", "ok")]),
            asked("b", "de", 0.0, &[("query", "empty"), ("answer", "ok")]),
        ];
        let second = [asked("a", "en", 1.0, &[]), asked("b", "de", 0.5, &[])];
        let tables = tables(&[("agent", &first), ("planner", &second)]);
        let scores = shown(&tables, "Scores");
        assert!(scores.contains("agent,2,0.5000,0.5000,0.5000,"), "{scores}");
        assert_eq!(
            shown(&tables, "set_F by language"),
            "run,de (1),en (1),mean of groups\nagent,0.0000,1.0000,0.5000\nplanner,0.5000,1.0000,0.7500\n"
        );
        assert!(shown(&tables, "Effort").starts_with(
            "run,calls,steps,seconds,tokens in,tokens out,cost\nagent,2.00,0.00,1.50,900,100,-\n"
        ));
        assert_eq!(
            shown(&tables, "Share of each tool"),
            "run,calls,answer,query,search\nagent,5,0.400,0.400,0.200\n"
        );
        assert_eq!(
            shown(&tables, "Share of questions that are ended by each turn"),
            "run,1,2,3\nagent,0.000,0.500,1.000\n"
        );
        assert_eq!(
            shown(&tables, "What followed what: agent"),
            "call,answer,query,search,end\nanswer,,,,1.000\nquery,1.000,,,\nsearch,,1.000,,\nstart,,0.500,0.500,\n"
        );
        assert!(
            shown(&tables, "Answers by what they are").contains("planner,2,0.500,"),
            "{}",
            shown(&tables, "Answers")
        );
        assert_eq!(shown(&tables, "How questions ended"), "run,answered\nagent,1.000\nplanner,1.000\n");
        assert!(!tables.iter().any(|titled| titled.title == "What followed what: planner"));
    }

    #[test]
    fn no_run_has_no_tables() {
        assert_eq!(tables(&[]), []);
    }
}
