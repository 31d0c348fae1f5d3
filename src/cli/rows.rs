//! All rows of an answer for other programs: [CSV and TSV](https://www.w3.org/TR/sparql11-results-csv-tsv/) and
//! [JSON](https://www.w3.org/TR/sparql11-results-json/) as specified for SPARQL, optionally with columns of names.

use clap::{Args, ValueEnum};
use eruca_sparql::{Answer, Export, ExportFormat, ExportOptions};
use std::collections::BTreeMap;
use std::io::{self, Write};
use std::sync::Arc;

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

/// Writes an answer, including its columns of names, if any.
///
/// # Errors
/// When `out` cannot be written.
pub(super) fn write(
    answer: Arc<Answer>,
    format: RowFormat,
    names: Option<BTreeMap<String, String>>,
    out: &mut dyn Write,
) -> io::Result<()> {
    let options = ExportOptions { names: names.map(Arc::new), spreadsheet: false };
    for piece in Export::new(answer, format.export(), options)? {
        out.write_all(&piece?)?;
    }
    // CSV and TSV output already ends with a line break.
    if format == RowFormat::Json {
        writeln!(out)?;
    }
    out.flush()
}
