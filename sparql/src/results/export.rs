//! Answers in the formats of the standard, for other programs: written piece by piece, so that a long one is never whole in
//! memory a second time.
//!
//! CSV holds the data as it is ([RFC 4180](https://www.rfc-editor.org/rfc/rfc4180) and
//! [SPARQL 1.1 CSV](https://www.w3.org/TR/sparql11-results-csv-tsv/)): a cell that a spreadsheet would take for a formula is not
//! changed, as programs would then read something else than the graph holds.

use super::{Answer, Results};
use oxrdf::{Term, Variable};
use sparesults::{QueryResultsFormat, QueryResultsSerializer, WriterSolutionsSerializer};
use std::io::{self, Write};
use std::sync::{Arc, Mutex, PoisonError};

/// Rows written at once.
const ROWS_AT_ONCE: usize = 500;
/// Columns of a graph.
const TRIPLE: [&str; 3] = ["subject", "predicate", "object"];

/// A format for results.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ExportFormat {
    /// Comma-separated values: texts alone.
    Csv,
    /// Tab-separated values: terms as in queries.
    Tsv,
    /// SPARQL results in JSON.
    Json,
}

/// An answer as pieces of a text; a graph is a table of its triples.
pub struct Export {
    answer: Answer,
    variables: Vec<Variable>,
    next: usize,
    written: SharedBuffer,
    serializer: Option<WriterSolutionsSerializer<SharedBuffer>>,
}

impl Export {
    /// Begins to write an answer.
    ///
    /// # Errors
    /// When the format cannot hold it.
    pub fn new(answer: Answer, format: ExportFormat) -> io::Result<Self> {
        let serializer = QueryResultsSerializer::from_format(match format {
            ExportFormat::Csv => QueryResultsFormat::Csv,
            ExportFormat::Tsv => QueryResultsFormat::Tsv,
            ExportFormat::Json => QueryResultsFormat::Json,
        });
        let (written, variables) = (SharedBuffer::default(), variables(&answer));
        let serializer = match &answer.results {
            Results::Boolean(boolean) => {
                serializer.serialize_boolean_to_writer(written.clone(), *boolean)?;
                None
            }
            Results::Solutions(_) | Results::Graph(_) => {
                Some(serializer.serialize_solutions_to_writer(written.clone(), variables.clone())?)
            }
        };
        Ok(Self { answer, variables, next: 0, written, serializer })
    }

    fn write_some(&mut self) -> io::Result<()> {
        let Some(serializer) = &mut self.serializer else { return Ok(()) };
        let rows = self.next..self.next + ROWS_AT_ONCE;
        for at in rows {
            let Some(row) = row(&self.answer, at) else {
                return self.serializer.take().map_or(Ok(()), |serializer| serializer.finish().map(|_| ()));
            };
            let cells = self.variables.iter().zip(&row);
            serializer
                .serialize(cells.filter_map(|(name, term)| Some((name.as_ref(), term.as_ref()?.as_ref()))))?;
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

fn variables(answer: &Answer) -> Vec<Variable> {
    match &answer.results {
        Results::Boolean(_) => Vec::new(),
        Results::Solutions(solutions) => solutions.variables.iter().map(Variable::new_unchecked).collect(),
        Results::Graph(_) => TRIPLE.map(Variable::new_unchecked).into(),
    }
}

fn row(answer: &Answer, at: usize) -> Option<Vec<Option<Term>>> {
    match &answer.results {
        Results::Boolean(_) => None,
        Results::Solutions(solutions) => solutions.rows.get(at).cloned(),
        Results::Graph(triples) => triples.get(at).map(|triple| {
            let subject = Term::from(triple.subject.clone());
            [subject, triple.predicate.clone().into(), triple.object.clone()].map(Some).into()
        }),
    }
}

/// What has been written and not been taken.
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
        let answer = Answer { results, incomplete: None, elapsed: Duration::ZERO };
        let pieces = Export::new(answer, format).unwrap().map(Result::unwrap);
        String::from_utf8(pieces.flatten().collect()).unwrap()
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
        let answer = Answer { results: solutions(&values), incomplete: None, elapsed: Duration::ZERO };
        assert_eq!(Export::new(answer, ExportFormat::Csv).unwrap().count(), 3);
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
}
