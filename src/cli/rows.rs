//! All rows of an answer for other programs: [CSV and TSV](https://www.w3.org/TR/sparql11-results-csv-tsv/) and
//! [JSON](https://www.w3.org/TR/sparql11-results-json/) as SPARQL has them, on demand with columns of names.

use super::text::safe_lines;
use clap::{Args, ValueEnum};
use eruca_sparql::{Answer, Export, ExportFormat};
use std::io::{self, IsTerminal, Write};

/// In which form rows are wanted, if they alone are.
#[derive(Debug, Args)]
pub struct RowsArgs {
    /// Print all rows of the result, and nothing else, in a format of SPARQL 1.1; the query goes to stderr
    #[arg(long, value_name = "FORMAT", conflicts_with_all = ["json", "show_results", "interactive", "stdin"])]
    pub results: Option<RowFormat>,
    /// With --results: beside each column with IRIs one with their names: `cityLabel` beside `city`
    #[arg(long, requires = "results")]
    pub labels: bool,
}

/// A format for rows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum RowFormat {
    /// Comma-separated values: texts alone
    Csv,
    /// Tab-separated values: terms as in queries
    Tsv,
    /// SPARQL results in JSON
    Json,
}

impl RowFormat {
    fn export(self) -> ExportFormat {
        match self {
            Self::Csv => ExportFormat::Csv,
            Self::Tsv => ExportFormat::Tsv,
            Self::Json => ExportFormat::Json,
        }
    }
}

/// Writes an answer. On a terminal, which obeys some of what graphs hold, that is left out.
///
/// # Errors
/// When `out` cannot be written.
pub(super) fn write(answer: Answer, format: RowFormat, out: &mut dyn Write) -> io::Result<()> {
    let terminal = io::stdout().is_terminal();
    for piece in Export::new(answer, format.export())? {
        match (piece?, terminal) {
            (piece, false) => out.write_all(&piece)?,
            (piece, true) => out.write_all(safe_lines(&String::from_utf8_lossy(&piece)).as_bytes())?,
        }
    }
    // CSV and TSV end their last line themselves.
    if format == RowFormat::Json {
        writeln!(out)?;
    }
    out.flush()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::service::with_labels;
    use eruca_sparql::{Literal, NamedNode, Results, Solutions, Triple};
    use std::collections::BTreeMap;
    use std::time::Duration;

    fn written(results: Results, format: RowFormat) -> String {
        let names = BTreeMap::from([("http://e.x/Q5".to_owned(), "a, human".to_owned())]);
        let answer = Answer { results, incomplete: None, elapsed: Duration::ZERO };
        let mut out = Vec::new();
        write(with_labels(answer, &names), format, &mut out).unwrap();
        String::from_utf8(out).unwrap()
    }

    fn node(iri: &str) -> NamedNode {
        NamedNode::new_unchecked(iri)
    }

    fn solutions(variables: &[&str]) -> Results {
        let rows = vec![
            vec![Some(node("http://e.x/Q5").into()), Some(Literal::from(1).into())],
            vec![Some(node("http://e.x/unnamed").into()), None],
        ];
        let variables = variables.iter().map(|name| (*name).to_owned()).collect();
        Results::Solutions(Solutions { variables, rows })
    }

    #[test]
    fn names_stand_in_columns_of_their_own_beside_unchanged_iris() {
        assert_eq!(
            written(solutions(&["x", "n"]), RowFormat::Csv),
            "x,xLabel,n\r\nhttp://e.x/Q5,\"a, human\",1\r\nhttp://e.x/unnamed,,\r\n"
        );
        assert_eq!(
            written(solutions(&["x", "n"]), RowFormat::Tsv).lines().nth(1),
            Some("<http://e.x/Q5>\t\"a, human\"\t1")
        );
        let json: serde_json::Value =
            serde_json::from_str(&written(solutions(&["x", "n"]), RowFormat::Json)).unwrap();
        assert_eq!(json["results"]["bindings"][0]["xLabel"]["value"], "a, human");
        assert!(json["results"]["bindings"][1]["xLabel"].is_null());
    }

    #[test]
    fn a_column_that_the_query_has_is_not_made_again() {
        let csv = written(solutions(&["x", "xLabel"]), RowFormat::Csv);
        assert_eq!(csv.lines().next(), Some("x,xLabel"));
    }

    #[test]
    fn graphs_and_truth_values_have_a_form_too() {
        let triple = Triple::new(node("http://e.x/Q5"), node("http://e.x/p"), Literal::from("v"));
        let csv = written(Results::Graph(vec![triple]), RowFormat::Csv);
        assert_eq!(
            csv,
            "subject,subjectLabel,predicate,predicateLabel,object\r\nhttp://e.x/Q5,\"a, human\",http://e.x/p,,v\r\n"
        );
        assert_eq!(written(Results::Boolean(true), RowFormat::Csv), "true");
    }
}
