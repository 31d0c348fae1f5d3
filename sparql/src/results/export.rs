//! Writes answers in the standard formats for other programs, chunk by chunk from shared rows, so that a long
//! answer is never in memory twice, however many clients read it and however slowly.
//!
//! CSV contains the data unchanged ([RFC 4180](https://www.rfc-editor.org/rfc/rfc4180) and
//! [SPARQL 1.1 CSV](https://www.w3.org/TR/sparql11-results-csv-tsv/)) unless a spreadsheet version is requested
//! ([`super::spreadsheet`]), because other programs would then read values that are not in the graph.

use super::spreadsheet;
use super::{Answer, Results, TRIPLE};
use oxrdf::{LiteralRef, Term, TermRef, Variable};
use sparesults::{QueryResultsFormat, QueryResultsSerializer, WriterSolutionsSerializer};
use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};
use std::io::{self, Write};
use std::sync::{Arc, Mutex, PoisonError};

/// A chunk ends with the row that makes it this long, in bytes.
const PIECE_BYTES: usize = 16 << 10;
/// Suffix of a label column: the column name followed by this.
const LABEL: &str = "Label";

/// An export format.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ExportFormat {
    /// CSV: plain text values.
    Csv,
    /// TSV: terms in SPARQL syntax.
    Tsv,
    /// SPARQL 1.1 Query Results JSON.
    Json,
}

/// Changes to the exported data.
#[derive(Debug, Clone, Default)]
pub struct ExportOptions {
    /// Labels of IRIs: each column with IRIs is followed by a column with their labels, `cityLabel` after `city`, unless the query
    /// already has a column of that name. Not for booleans.
    pub names: Option<Arc<BTreeMap<String, String>>>,
    /// Whether to escape CSV and TSV cells that a spreadsheet would run as a formula. JSON is not changed.
    pub spreadsheet: bool,
}

/// An answer as an iterator of text chunks; a graph is written as a table of its triples.
pub struct Export {
    answer: Arc<Answer>,
    names: Arc<BTreeMap<String, String>>,
    spreadsheet: bool,
    columns: Vec<Column>,
    next: usize,
    written: SharedBuffer,
    serializer: Option<WriterSolutionsSerializer<SharedBuffer>>,
}

/// A column of the output.
struct Column {
    name: Variable,
    /// Index of the column in the answer.
    from: usize,
    /// Whether it holds the labels of that column.
    labels: bool,
}

impl Export {
    /// Starts writing an answer.
    ///
    /// # Errors
    /// If the format cannot represent it.
    pub fn new(
        answer: impl Into<Arc<Answer>>,
        format: ExportFormat,
        options: ExportOptions,
    ) -> io::Result<Self> {
        let (answer, ExportOptions { names, spreadsheet }) = (answer.into(), options);
        let spreadsheet = spreadsheet && format != ExportFormat::Json;
        let columns = columns(&answer, names.is_some(), spreadsheet);
        let serializer = QueryResultsSerializer::from_format(match format {
            ExportFormat::Csv => QueryResultsFormat::Csv,
            ExportFormat::Tsv => QueryResultsFormat::Tsv,
            ExportFormat::Json => QueryResultsFormat::Json,
        });
        let written = SharedBuffer::default();
        let serializer = match &answer.results {
            Results::Boolean(boolean) => {
                serializer.serialize_boolean_to_writer(written.clone(), *boolean)?;
                None
            }
            Results::Solutions(_) | Results::Graph(_) => {
                let header = columns.iter().map(|column| column.name.clone()).collect();
                Some(serializer.serialize_solutions_to_writer(written.clone(), header)?)
            }
        };
        let names = names.unwrap_or_default();
        Ok(Self { answer, names, spreadsheet, columns, next: 0, written, serializer })
    }

    fn write_some(&mut self) -> io::Result<()> {
        let Some(serializer) = &mut self.serializer else { return Ok(()) };
        while self.written.lock().len() < PIECE_BYTES {
            if self.next >= self.answer.row_count() {
                return self.serializer.take().map_or(Ok(()), |serializer| serializer.finish().map(|_| ()));
            }
            let mut cells = Vec::with_capacity(self.columns.len());
            for column in &self.columns {
                if let Some(cell) = cell(&self.answer, self.next, column, &self.names) {
                    let inert = if self.spreadsheet { spreadsheet::inert(cell) } else { None };
                    cells.push((&column.name, cell, inert));
                }
            }
            serializer.serialize(
                cells
                    .iter()
                    .map(|(name, cell, inert)| (name.as_ref(), inert.as_ref().map_or(*cell, Term::as_ref))),
            )?;
            self.next += 1;
        }
        Ok(())
    }
}

impl Iterator for Export {
    type Item = io::Result<Vec<u8>>;

    fn next(&mut self) -> Option<Self::Item> {
        if let Err(error) = self.write_some() {
            self.serializer = None;
            return Some(Err(error));
        }
        let piece = std::mem::take(&mut *self.written.lock());
        (!piece.is_empty() || self.serializer.is_some()).then_some(Ok(piece))
    }
}

/// The output columns, including label columns if requested.
fn columns(answer: &Answer, with_names: bool, spreadsheet: bool) -> Vec<Column> {
    let variables: Vec<Cow<'_, str>> = match &answer.results {
        Results::Boolean(_) => Vec::new(),
        Results::Solutions(solutions) => solutions.variables.iter().map(Cow::from).collect(),
        Results::Graph(_) => TRIPLE.map(Cow::from).into(),
    };
    let taken: BTreeSet<&str> = variables.iter().map(AsRef::as_ref).collect();
    let title = |text: &str| {
        let text = if spreadsheet { spreadsheet::inert_text(text) } else { Cow::from(text) };
        Variable::new_unchecked(text)
    };
    let both = variables.iter().enumerate().flat_map(|(from, variable)| {
        let label = format!("{variable}{LABEL}");
        let named = with_names && !taken.contains(label.as_str()) && has_iris(answer, from);
        let beside = named.then(|| Column { name: title(&label), from, labels: true });
        std::iter::once(Column { name: title(variable), from, labels: false }).chain(beside)
    });
    both.collect()
}

fn has_iris(answer: &Answer, column: usize) -> bool {
    (0..answer.row_count()).any(|row| matches!(term(answer, row, column), Some(TermRef::NamedNode(_))))
}

fn cell<'a>(
    answer: &'a Answer,
    row: usize,
    column: &Column,
    names: &'a BTreeMap<String, String>,
) -> Option<TermRef<'a>> {
    match term(answer, row, column.from)? {
        TermRef::NamedNode(node) if column.labels => {
            names.get(node.as_str()).map(|name| LiteralRef::new_simple_literal(name).into())
        }
        _ if column.labels => None,
        term => Some(term),
    }
}

fn term(answer: &Answer, row: usize, column: usize) -> Option<TermRef<'_>> {
    match &answer.results {
        Results::Boolean(_) => None,
        Results::Solutions(solutions) => solutions.rows.get(row)?.get(column)?.as_ref().map(Term::as_ref),
        Results::Graph(triples) => {
            let triple = triples.get(row)?;
            match column {
                0 => Some(triple.subject.as_ref().into()),
                1 => Some(triple.predicate.as_ref().into()),
                _ => Some(triple.object.as_ref()),
            }
        }
    }
}

/// Bytes written but not yet taken.
#[derive(Clone, Default)]
struct SharedBuffer(Arc<Mutex<Vec<u8>>>);

impl SharedBuffer {
    fn lock(&self) -> std::sync::MutexGuard<'_, Vec<u8>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Write for SharedBuffer {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.lock().extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Solutions;
    use oxrdf::{Literal, NamedNode, Triple};
    use std::time::Duration;

    fn text(results: Results, format: ExportFormat) -> String {
        text_with(results, format, ExportOptions::default())
    }

    fn text_with(results: Results, format: ExportFormat, options: ExportOptions) -> String {
        let pieces = Export::new(answer(results), format, options).unwrap().map(Result::unwrap);
        String::from_utf8(pieces.flatten().collect()).unwrap()
    }

    fn answer(results: Results) -> Answer {
        Answer { results, incomplete: None, elapsed: Duration::ZERO }
    }

    fn named(results: Results, format: ExportFormat) -> String {
        let names = BTreeMap::from([("http://e.x/Q5".to_owned(), "a, human".to_owned())]);
        text_with(results, format, ExportOptions { names: Some(names.into()), spreadsheet: false })
    }

    fn node(iri: &str) -> NamedNode {
        NamedNode::new_unchecked(iri)
    }

    fn things(variables: &[&str]) -> Results {
        let rows = vec![
            vec![Some(node("http://e.x/Q5").into()), Some(Literal::from(1).into())],
            vec![Some(node("http://e.x/unnamed").into()), None],
        ];
        let variables = variables.iter().map(|name| (*name).to_owned()).collect();
        Results::Solutions(Solutions { variables, rows })
    }

    fn solutions(values: &[&str]) -> Results {
        let rows = values.iter().map(|value| vec![Some(Literal::new_simple_literal(*value).into()), None]);
        Results::Solutions(Solutions { variables: vec!["a".into(), "b".into()], rows: rows.collect() })
    }

    #[test]
    fn cells_are_the_data_as_it_is_quoted_where_needed() {
        let csv = text(solutions(&["=1+1", "a,\"b\"\nc", "-x"]), ExportFormat::Csv);
        assert_eq!(csv, "a,b\r\n=1+1,\r\n\"a,\"\"b\"\"\nc\",\r\n-x,\r\n");
        assert_eq!(text(solutions(&["a\tb"]), ExportFormat::Tsv), "?a\t?b\n\"a\\tb\"\t\n");
        assert_eq!(
            text(solutions(&["x"]), ExportFormat::Json),
            r#"{"head":{"vars":["a","b"]},"results":{"bindings":[{"a":{"type":"literal","value":"x"}}]}}"#
        );
    }

    #[test]
    fn long_answers_come_in_pieces_and_are_whole() {
        let values = vec!["x"; 1_234];
        assert_eq!(text(solutions(&values), ExportFormat::Csv).lines().count(), 1_235);
        let long = "x".repeat(PIECE_BYTES / 2);
        let rows = answer(solutions(&[long.as_str(); 10])).into();
        let read = || Export::new(Arc::clone(&rows), ExportFormat::Csv, ExportOptions::default()).unwrap();
        let mut slow = read();
        assert_eq!(Arc::strong_count(&rows), 2, "readers share the rows");
        assert!(slow.next().unwrap().unwrap().len() < 2 * PIECE_BYTES);
        let whole: usize = read().map(|piece| piece.unwrap().len()).sum();
        assert!(read().count() >= 5 && whole > 10 * long.len());
        assert_eq!(text(solutions(&[]), ExportFormat::Csv), "a,b\r\n");
        assert_eq!(text(solutions(&vec!["x"; 500]), ExportFormat::Csv).lines().count(), 501);
    }

    #[test]
    fn truth_values_and_graphs_have_a_form_too() {
        assert_eq!(text(Results::Boolean(true), ExportFormat::Json), r#"{"head":{},"boolean":true}"#);
        assert_eq!(text(Results::Boolean(false), ExportFormat::Csv), "false");
        let node = NamedNode::new_unchecked("http://e.x/a");
        let graph = Results::Graph(vec![Triple::new(node.clone(), node.clone(), node)]);
        assert_eq!(
            text(graph, ExportFormat::Csv),
            "subject,predicate,object\r\nhttp://e.x/a,http://e.x/a,http://e.x/a\r\n"
        );
    }
    #[test]
    fn names_stand_in_columns_of_their_own_beside_unchanged_iris() {
        assert_eq!(
            named(things(&["x", "n"]), ExportFormat::Csv),
            "x,xLabel,n\r\nhttp://e.x/Q5,\"a, human\",1\r\nhttp://e.x/unnamed,,\r\n"
        );
        assert_eq!(
            named(things(&["x", "n"]), ExportFormat::Tsv).lines().nth(1),
            Some("<http://e.x/Q5>\t\"a, human\"\t1")
        );
        let json: serde_json::Value =
            serde_json::from_str(&named(things(&["x", "n"]), ExportFormat::Json)).unwrap();
        assert_eq!(json["results"]["bindings"][0]["xLabel"]["value"], "a, human");
        assert!(json["results"]["bindings"][1]["xLabel"].is_null());
    }

    #[test]
    fn a_column_that_the_query_has_is_not_made_again() {
        let csv = named(things(&["x", "xLabel"]), ExportFormat::Csv);
        assert_eq!(csv.lines().next(), Some("x,xLabel"));
    }

    #[test]
    fn things_of_a_graph_have_names_too() {
        let triple = Triple::new(node("http://e.x/Q5"), node("http://e.x/p"), Literal::from("v"));
        assert_eq!(
            named(Results::Graph(vec![triple]), ExportFormat::Csv),
            "subject,subjectLabel,predicate,predicateLabel,object\r\nhttp://e.x/Q5,\"a, human\",http://e.x/p,,v\r\n"
        );
        assert_eq!(named(Results::Boolean(true), ExportFormat::Csv), "true");
    }

    #[test]
    fn a_spreadsheet_takes_no_cell_for_a_formula() {
        let for_sheets = ExportOptions { names: None, spreadsheet: true };
        let csv = text_with(solutions(&["=1+1", "x;=1+1"]), ExportFormat::Csv, for_sheets.clone());
        assert_eq!(csv, "a,b\r\n'=1+1,\r\nx;'=1+1,\r\n");
        let tsv = text_with(solutions(&["@a", "x"]), ExportFormat::Tsv, for_sheets.clone());
        assert_eq!(tsv, "?a\t?b\n\"'@a\"\t\n\"x\"\t\n");
        let json = text_with(solutions(&["=1+1"]), ExportFormat::Json, for_sheets.clone());
        assert!(json.contains("\"=1+1\""), "{json}");
        let mut hostile = things(&["=x", "n"]);
        if let Results::Solutions(solutions) = &mut hostile {
            solutions.rows = vec![vec![Some(node("=cmd").into()), Some(Literal::from(-5).into())]];
        }
        assert_eq!(text_with(hostile, ExportFormat::Csv, for_sheets), "'=x,n\r\n'=cmd,-5\r\n");
    }
}
