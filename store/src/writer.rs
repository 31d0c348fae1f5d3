//! Writes a graph: terms are numbered in order of occurrence, quads of numbers sorted, and triples written in three orders.

use crate::graphs::{PairWriter, write_by_graph};
use crate::rows::RowWriter;
use crate::sorter::{SortedRuns, Sorter};
use crate::spread::SpreadWriter;
use crate::terms::{MOST_TERMS, TermFacts, TermWriter};
use crate::{FORMAT, Facts, OSP, POS, SPO};
use oxrdf::{GraphName, Quad, Term};
use std::io;
use std::path::{Path, PathBuf};

/// Stands for the default graph in quads; for a named graph, it is its term number plus one.
const DEFAULT_GRAPH: u32 = 0;

/// Where to write a graph, and with how much memory.
#[derive(Debug, Clone)]
pub struct WriterOptions<'a> {
    /// The folder of the stored graph, which must exist and be empty.
    pub folder: &'a Path,
    /// An existing folder for temporary files.
    pub work: &'a Path,
    /// Number of quads sorted in memory at a time, sixteen bytes each.
    pub quads_in_memory: usize,
}

/// Writes the quads of a graph to a folder.
#[derive(Debug)]
pub struct StoreWriter {
    folder: PathBuf,
    work: PathBuf,
    in_memory: usize,
    terms: TermWriter,
    quads: Sorter<4>,
}

impl StoreWriter {
    /// A writer without quads.
    ///
    /// # Errors
    /// When the folders cannot be written.
    pub fn create(options: &WriterOptions<'_>) -> io::Result<Self> {
        let WriterOptions { folder, work, quads_in_memory: in_memory } = *options;
        Ok(Self {
            folder: folder.to_owned(),
            work: work.to_owned(),
            in_memory,
            terms: TermWriter::create(folder, MOST_TERMS)?,
            quads: Sorter::new(work, "quads", in_memory, true),
        })
    }

    /// Adds a quad. Triples of named graphs are in the default graph as well, which is the union of all.
    ///
    /// # Errors
    /// When the folders cannot be written, and with [`TooMany`](crate::TooMany) when numbers run out.
    pub fn add(&mut self, quad: &Quad) -> io::Result<()> {
        let graph = match &quad.graph_name {
            GraphName::DefaultGraph => DEFAULT_GRAPH,
            GraphName::NamedNode(name) => self.terms.intern(&Term::from(name.clone()))? + 1,
            GraphName::BlankNode(name) => self.terms.intern(&Term::from(name.clone()))? + 1,
        };
        let subject = self.terms.intern(&Term::from(quad.subject.clone()))?;
        let predicate = self.terms.intern(&Term::from(quad.predicate.clone()))?;
        let object = self.terms.intern(&quad.object)?;
        self.quads.push([subject, predicate, object, graph])
    }

    /// Sorts everything and completes the files.
    ///
    /// # Errors
    /// When the folders cannot be written, and with [`TooMany`](crate::TooMany) when numbers run out.
    pub fn finish(self) -> io::Result<Facts> {
        let Self { folder, work, in_memory, terms, quads } = self;
        // Terms first: this frees their hash tables, the largest data structure.
        let terms = terms.finish()?;
        let mut orders = OtherOrders::new(&work, in_memory / 2);
        let mut spread = SpreadWriter::default();
        let triples = write_by_subject(&folder, quads.finish()?, &terms, &mut orders, &mut spread)?;
        orders.write(&folder, &terms, &mut spread)?;
        spread.write(&folder)?;
        let facts = Facts { format: FORMAT, triples, terms };
        facts.write(&folder)?;
        Ok(facts)
    }
}

/// Writes the triples in subject order, and the graphs that they are in; returns their number.
fn write_by_subject(
    folder: &Path,
    quads: SortedRuns<4>,
    terms: &TermFacts,
    orders: &mut OtherOrders,
    spread: &mut SpreadWriter,
) -> io::Result<u32> {
    let mut rows = RowWriter::create(folder, SPO)?;
    let mut by_triple = PairWriter::by_triple(folder)?;
    let mut last: Option<[u32; 3]> = None;
    for quad in quads {
        let [subject, predicate, object, graph] = quad?;
        let triple = [subject, predicate, object];
        if last != Some(triple) {
            if last.is_none_or(|[before, of, _]| [before, of] != [subject, predicate]) {
                spread.subject(predicate);
            }
            last = Some(triple);
            rows.push(triple)?;
            orders.by_predicate.push([predicate, object, subject])?;
            orders.by_object.push([object, subject, predicate])?;
        }
        if let Some(graph) = graph.checked_sub(DEFAULT_GRAPH + 1) {
            let row = rows.count() - 1;
            by_triple.push([row, graph])?;
            orders.by_graph.push([graph, row])?;
        }
    }
    let triples = rows.count();
    by_triple.finish()?;
    rows.finish(terms.count())?;
    Ok(triples)
}

/// Triples to be sorted by predicate and by object.
struct OtherOrders {
    by_predicate: Sorter<3>,
    by_object: Sorter<3>,
    by_graph: Sorter<2>,
}

impl OtherOrders {
    fn new(work: &Path, in_memory: usize) -> Self {
        Self {
            by_predicate: Sorter::new(work, POS, in_memory, false),
            by_object: Sorter::new(work, OSP, in_memory, false),
            by_graph: Sorter::new(work, "graphs", in_memory, false),
        }
    }

    /// Sorts and writes both orders concurrently.
    fn write(self, folder: &Path, terms: &TermFacts, spread: &mut SpreadWriter) -> io::Result<()> {
        std::thread::scope(|scope| {
            let by_object = scope.spawn(|| write_rows(folder, OSP, self.by_object, terms, |_| ()));
            write_rows(folder, POS, self.by_predicate, terms, |predicate| spread.object(predicate))?;
            write_by_graph(folder, self.by_graph.finish()?)?;
            by_object.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
        })
    }
}

/// Writes rows; also reports the first number of each distinct pair of a first and a second one.
fn write_rows(
    folder: &Path,
    name: &str,
    keys: Sorter<3>,
    terms: &TermFacts,
    mut on_pair: impl FnMut(u32),
) -> io::Result<()> {
    let mut rows = RowWriter::create(folder, name)?;
    let mut last = None;
    for key in keys.finish()? {
        let key = key?;
        let [first, second, _] = key;
        if last != Some([first, second]) {
            last = Some([first, second]);
            on_pair(first);
        }
        rows.push(key)?;
    }
    rows.finish(terms.count())
}
