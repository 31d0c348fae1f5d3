//! A stored graph: the triples that match a pattern, and their number.
//!
//! Check [`StoredGraph::damage`] before using the result of a query: evaluators treat an
//! error while evaluating an expression as one of the expression, and go on without the row. Test: `dataset/tests.rs`.

use crate::checked::Damage;
use crate::facts::Facts;
use crate::graphs::Graphs;
use crate::rows::Rows;
use crate::spread::{Spread, Spreads};
use crate::terms::Terms;
use crate::{OSP, POS, SPO, StoredError, StoredView};
use oxrdf::Term;
use std::ops::Range;
use std::path::Path;

/// A triple of term numbers, or a triple pattern.
pub(crate) type Numbers<T> = [T; 3];

/// A graph in a folder, memory-mapped.
#[derive(Debug)]
pub struct StoredGraph {
    facts: Facts,
    terms: Terms,
    by_subject: Rows,
    by_predicate: Rows,
    by_object: Rows,
    graphs: Graphs,
    spreads: Spreads,
    damage: Damage,
}

/// A sort order in which the matches of a pattern form one range.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Order {
    Subject,
    Predicate,
    Object,
}

impl Order {
    /// The triple with its parts rearranged from this order.
    fn triple([first, second, third]: Numbers<u32>, order: Self) -> Numbers<u32> {
        match order {
            Self::Subject => [first, second, third],
            Self::Predicate => [third, first, second],
            Self::Object => [second, third, first],
        }
    }
}

/// The matches of a pattern: rows of one order.
#[derive(Debug, Clone)]
pub(crate) struct Matches {
    order: Order,
    rows: Range<u32>,
    /// The first number of the next row, and the row at which the rows with that number end.
    first: u32,
    end: u32,
}

impl StoredGraph {
    /// Opens a graph; reads only what is needed to verify the files' blocks when they are accessed.
    ///
    /// # Errors
    /// When there is none, or it was written by another version.
    pub fn open(folder: &Path) -> Result<Self, StoredError> {
        let (facts, damage) = (Facts::read(folder)?, Damage::default());
        let rows = |order| Rows::open(folder, order, &damage);
        Ok(Self {
            terms: Terms::open(folder, facts.terms.clone(), &damage)?,
            by_subject: rows(SPO)?,
            by_predicate: rows(POS)?,
            by_object: rows(OSP)?,
            graphs: Graphs::open(folder, &damage)?,
            spreads: Spreads::open(folder, &damage)?,
            facts,
            damage,
        })
    }

    /// Number of distinct triples, including those of named graphs.
    pub fn triples(&self) -> u64 {
        self.facts.triples()
    }

    /// The graph as a dataset for one query.
    pub fn view(&self) -> StoredView<'_> {
        StoredView::new(self)
    }

    /// The first damage found in the files. Check it before using results: evaluators treat an error while evaluating an
    /// expression as one of the expression, and go on without the row.
    pub fn damage(&self) -> Option<&StoredError> {
        self.damage.get()
    }

    /// The exact number of triples that match a pattern, in a few look-ups.
    ///
    /// # Errors
    /// When the parts of the files that are read are damaged.
    pub fn count(&self, pattern: Numbers<Option<&Term>>) -> Result<u64, StoredError> {
        let mut numbers = [None; 3];
        for (number, term) in numbers.iter_mut().zip(pattern) {
            if let Some(term) = term {
                match self.terms.find(term)? {
                    Some(found) => *number = Some(found),
                    None => return Ok(0),
                }
            }
        }
        Ok(self.matches(numbers)?.len() as u64)
    }

    /// The numbers of distinct subjects and objects of a predicate's triples.
    ///
    /// # Errors
    /// When the parts of the files that are read are damaged.
    pub fn spread(&self, predicate: &Term) -> Result<Spread, StoredError> {
        match self.terms.find(predicate)? {
            Some(number) => self.spreads.of(number),
            None => Ok(Spread::default()),
        }
    }

    pub(crate) fn terms(&self) -> &Terms {
        &self.terms
    }

    pub(crate) fn graphs(&self) -> &Graphs {
        &self.graphs
    }

    fn rows(&self, order: Order) -> &Rows {
        match order {
            Order::Subject => &self.by_subject,
            Order::Predicate => &self.by_predicate,
            Order::Object => &self.by_object,
        }
    }

    /// The triples that match a pattern.
    pub(crate) fn matches(&self, pattern: Numbers<Option<u32>>) -> Result<Matches, StoredError> {
        let one = |order, first: u32| Ok((order, first, self.rows(order).of(first)?));
        let two = |order, first, second| Ok((order, first, self.rows(order).of_two(first, second)?));
        let found: Result<_, StoredError> = match pattern {
            [Some(subject), Some(predicate), Some(object)] => {
                let row = self.row([subject, predicate, object])?;
                Ok((Order::Subject, subject, row.map_or(0..0, |row| row..row + 1)))
            }
            [Some(subject), Some(predicate), None] => two(Order::Subject, subject, predicate),
            [Some(subject), None, Some(object)] => two(Order::Object, object, subject),
            [Some(subject), None, None] => one(Order::Subject, subject),
            [None, Some(predicate), Some(object)] => two(Order::Predicate, predicate, object),
            [None, Some(predicate), None] => one(Order::Predicate, predicate),
            [None, None, Some(object)] => one(Order::Object, object),
            [None, None, None] => {
                let rows = self.by_subject.all();
                let end = if rows.is_empty() { 0 } else { self.by_subject.of(0)?.end };
                return Ok(Matches { order: Order::Subject, rows, first: 0, end });
            }
        };
        let (order, first, rows) = found?;
        Ok(Matches { order, first, end: rows.end, rows })
    }

    /// The next match.
    pub(crate) fn next(&self, matches: &mut Matches) -> Option<Result<Numbers<u32>, StoredError>> {
        let row = matches.rows.next()?;
        Some(self.match_at(matches, row))
    }

    fn match_at(&self, matches: &mut Matches, row: u32) -> Result<Numbers<u32>, StoredError> {
        let rows = self.rows(matches.order);
        while row >= matches.end {
            matches.first += 1;
            matches.end = rows.of(matches.first)?.end;
        }
        let [second, third] = rows.get(row)?;
        Ok(Order::triple([matches.first, second, third], matches.order))
    }

    /// The row of a triple in subject order, which identifies it in named graphs.
    pub(crate) fn row(&self, triple: Numbers<u32>) -> Result<Option<u32>, StoredError> {
        self.by_subject.find(triple)
    }

    /// The triple in a row in subject order.
    pub(crate) fn at(&self, row: u32) -> Result<Numbers<u32>, StoredError> {
        let [predicate, object] = self.by_subject.get(row)?;
        Ok([self.by_subject.first(row)?, predicate, object])
    }
}

impl Matches {
    /// Number of remaining matches.
    pub(crate) fn len(&self) -> u32 {
        self.rows.end.saturating_sub(self.rows.start)
    }

    /// The rows, if they are in subject order.
    pub(crate) fn subject_rows(&self) -> Option<Range<u32>> {
        (self.order == Order::Subject).then(|| self.rows.clone())
    }
}
