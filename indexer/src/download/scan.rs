//! Reads one part, page by page. Every page determines where the next one starts, so the program may be killed after any
//! page.
//!
//! A page contains the statements whose subjects come after a key. The last subject of a page may have more, so it is
//! left to the next page; a subject that fills a whole page is read object by object. A part is complete when as many
//! statements have arrived as were counted, or a page is empty: a short page proves nothing, as servers truncate silently.

use super::DownloadOptions;
use super::ask::{Asker, RequestOutcome, Row};
use super::plan::{GraphPart, listing};
use super::queries::{self, PagedPattern};
use super::spool::Position;
use crate::vocabulary::RDF_TYPE;
use eruca_sparql::{NamedNode, QueryError, Term, Triple};
use oxrdf::NamedOrBlankNode;

/// Minimum page size when the endpoint refuses larger pages.
const MIN_PAGE: usize = 100;
/// Factor by which pages are made smaller.
const SHRINK: usize = 10;

/// The result of one request.
#[derive(Debug, Default)]
pub(super) struct ScanStep {
    pub(super) rows: Vec<Triple>,
    /// Where the part continues.
    pub(super) position: Position,
    pub(super) done: bool,
    /// What is missing, if anything.
    pub(super) note: Option<String>,
    /// Parts to read instead of the rest of this one.
    pub(super) more: Vec<GraphPart>,
}

/// Reads one part.
pub(super) struct PartScanner<'a> {
    asker: &'a Asker<'a>,
    number: usize,
    part: GraphPart,
    position: Position,
    page_rows: usize,
    sample_rows: u64,
}

impl<'a> PartScanner<'a> {
    pub(super) fn new(
        asker: &'a Asker<'a>,
        options: &DownloadOptions<'_>,
        number: usize,
        part: GraphPart,
        position: Position,
    ) -> Self {
        let (page_rows, sample_rows) = (options.page_rows, options.sample_rows);
        Self { asker, number, part, position, page_rows, sample_rows }
    }

    /// The number of the part in the plan.
    pub(super) fn number(&self) -> usize {
        self.number
    }

    /// Reads the next page, and returns itself for the following step.
    pub(super) async fn next(mut self) -> (Self, Result<ScanStep, QueryError>) {
        let part = self.part.clone();
        let step = match &part {
            GraphPart::Batch { properties, expected } => self.batch(properties, *expected).await,
            GraphPart::Blank { expected } => self.blank(*expected).await,
            GraphPart::BlankPages { expected } => self.blank_page(*expected).await,
            GraphPart::Property { property, expected } => {
                self.pages(&PagedPattern { property, object: None }, *expected).await
            }
            GraphPart::Instances { class, expected } => {
                self.pages(&PagedPattern { property: RDF_TYPE, object: Some(class) }, Some(*expected)).await
            }
        };
        if let Ok(step) = &step {
            self.position = step.position.clone();
        }
        (self, step)
    }

    /// Reads several properties in one response, or each on its own if the response is incomplete.
    async fn batch(&self, properties: &[String], expected: u64) -> Result<ScanStep, QueryError> {
        if let RequestOutcome::Rows(rows) =
            self.asker.rows(&queries::whole(properties, queries::NOT_BLANK)).await?
            && rows.len() as u64 == expected
        {
            return Ok(self.last(spo(rows)));
        }
        let alone = |property: &String| GraphPart::Property { property: property.clone(), expected: None };
        Ok(ScanStep { more: properties.iter().map(alone).collect(), ..self.last(Vec::new()) })
    }

    async fn blank(&self, expected: u64) -> Result<ScanStep, QueryError> {
        let reason = match self.asker.rows(&queries::all_blank()).await? {
            RequestOutcome::Rows(rows) => {
                let note = mismatch("statements with blank nodes", rows.len() as u64, Some(expected));
                return Ok(ScanStep { note, ..self.last(spo(rows)) });
            }
            RequestOutcome::Refused(reason) => reason,
        };
        let note = Some(format!("{expected} statements with blank nodes are left out: {reason}"));
        Ok(ScanStep { note, ..self.last(Vec::new()) })
    }

    async fn blank_page(&mut self, expected: u64) -> Result<ScanStep, QueryError> {
        let offset = self.position.rows;
        let (rows, reason) = match self.ordered(|rows| Some(queries::blank_page(rows, offset))).await? {
            RequestOutcome::Rows(rows) => (rows, String::new()),
            RequestOutcome::Refused(reason) => (Vec::new(), format!(": {reason}")),
        };
        if rows.is_empty() || offset + rows.len() as u64 == expected {
            let came = offset + rows.len() as u64;
            let note = mismatch("statements with blank nodes", came, Some(expected));
            return Ok(ScanStep { note: note.map(|note| note + &reason), ..self.last(spo(rows)) });
        }
        let position = Position { rows: offset + rows.len() as u64, ..self.position.clone() };
        Ok(ScanStep { rows: spo(rows), position, ..ScanStep::default() })
    }

    /// The next page of a property or class.
    async fn pages(
        &mut self,
        pattern: &PagedPattern<'_>,
        expected: Option<u64>,
    ) -> Result<ScanStep, QueryError> {
        if let Some(reason) = self.position.sampling.clone() {
            return self.sample(pattern, expected, &reason).await;
        }
        if let Some(subject) = self.position.subject.clone() {
            return self.objects(pattern, &subject).await;
        }
        let after = self.position.after.clone();
        match self.shrinking(|rows| pattern.page(&after, rows)).await? {
            RequestOutcome::Refused(reason) => self.otherwise(pattern, reason).await,
            RequestOutcome::Rows(rows) => Ok(self.page(pattern, rows, expected)),
        }
    }

    fn page(&self, pattern: &PagedPattern<'_>, rows: Vec<Row>, expected: Option<u64>) -> ScanStep {
        let statements: Vec<Triple> = rows.into_iter().filter_map(|row| statement(pattern, row)).collect();
        let came = self.position.rows + statements.len() as u64;
        let Some(last) = statements.last().map(|triple| triple.subject.clone()) else {
            return ScanStep { note: mismatch(&named(pattern), came, expected), ..self.last(Vec::new()) };
        };
        if expected == Some(came) {
            return self.last(statements);
        }
        if statements.iter().any(|triple| text(&triple.subject) == self.position.after) {
            return self.sampled("the endpoint does not page by keys".to_owned());
        }
        // With a fixed class, each subject has one row, so the last subject of a page is complete.
        if pattern.object.is_some() {
            return self.on(statements, |position| position.after = text(&last));
        }
        let whole = statements.iter().enumerate().rfind(|(_, triple)| triple.subject != last);
        match whole.map(|(at, triple)| (at, text(&triple.subject))) {
            Some((at, key)) => {
                let kept = statements.into_iter().take(at + 1).collect();
                self.on(kept, |position| position.after = key)
            }
            None => self.on(Vec::new(), |position| position.subject = Some(text(&last))),
        }
    }

    /// The objects of a subject that fills whole pages.
    async fn objects(&mut self, pattern: &PagedPattern<'_>, subject: &str) -> Result<ScanStep, QueryError> {
        let offset = self.position.offset;
        let over = |position: &mut Position| {
            (position.after, position.subject, position.offset) = (subject.to_owned(), None, 0);
        };
        match self.ordered(|rows| pattern.objects(subject, rows, offset)).await? {
            RequestOutcome::Rows(rows) if rows.is_empty() => Ok(self.on(Vec::new(), over)),
            RequestOutcome::Rows(rows) => {
                let count = rows.len() as u64;
                let node = Some(Term::from(NamedNode::new_unchecked(subject)));
                let with_subject = |row: Row| statement(pattern, vec![node.clone(), row.into_iter().next()?]);
                let statements = rows.into_iter().filter_map(with_subject).collect();
                Ok(self.on(statements, |position| position.offset += count))
            }
            RequestOutcome::Refused(reason) => {
                let note = Some(format!("{}: of {subject} only {offset} came: {reason}", named(pattern)));
                Ok(ScanStep { note, ..self.on(Vec::new(), over) })
            }
        }
    }

    /// A fallback for what cannot be read in order: types class by class, everything else as a sample.
    async fn otherwise(&self, pattern: &PagedPattern<'_>, reason: String) -> Result<ScanStep, QueryError> {
        if pattern.property == RDF_TYPE
            && pattern.object.is_none()
            && let Ok(classes) = listing(self.asker, queries::classes).await?
        {
            let part = |(class, count): (String, Option<u64>)| GraphPart::Instances {
                class,
                expected: count.unwrap_or_default(),
            };
            return Ok(ScanStep { more: classes.into_iter().map(part).collect(), ..self.last(Vec::new()) });
        }
        Ok(self.sampled(reason))
    }

    fn sampled(&self, reason: String) -> ScanStep {
        self.on(Vec::new(), |position| (position.sampling, position.offset) = (Some(reason), 0))
    }

    /// Unordered statements: pages may overlap and leave gaps, so the result is marked as a sample.
    async fn sample(
        &mut self,
        pattern: &PagedPattern<'_>,
        expected: Option<u64>,
        reason: &str,
    ) -> Result<ScanStep, QueryError> {
        let offset = self.position.offset;
        let rows = match self.shrinking(|rows| pattern.sample(rows, offset)).await? {
            RequestOutcome::Rows(rows) => rows,
            RequestOutcome::Refused(_) => Vec::new(),
        };
        let offset = offset + rows.len() as u64;
        let is_over = rows.is_empty() || offset >= self.sample_rows || expected == Some(offset);
        let statements = rows.into_iter().filter_map(|row| statement(pattern, row)).collect();
        let step = self.on(statements, |position| position.offset = offset);
        let of = expected.map(|expected| format!(" of {expected}")).unwrap_or_default();
        let note = format!("{}: a sample of {offset}{of} statements: {reason}", named(pattern));
        Ok(ScanStep { done: is_over, note: is_over.then_some(note), ..step })
    }

    /// A page of an ordered result; also tried with a subquery, for engines that limit sorting otherwise.
    async fn ordered(
        &mut self,
        query: impl Fn(usize) -> Option<String>,
    ) -> Result<RequestOutcome, QueryError> {
        match self.shrinking(&query).await? {
            RequestOutcome::Refused(_) => {
                self.shrinking(|rows| query(rows).as_deref().and_then(queries::cut_outside)).await
            }
            rows => Ok(rows),
        }
    }

    /// A page, made smaller as long as the endpoint refuses it.
    async fn shrinking(
        &mut self,
        query: impl Fn(usize) -> Option<String>,
    ) -> Result<RequestOutcome, QueryError> {
        let mut rows = self.page_rows;
        loop {
            let Some(text) = query(rows) else {
                return Ok(RequestOutcome::Refused("its IRI cannot be written in a query".to_owned()));
            };
            match self.asker.rows(&text).await? {
                RequestOutcome::Refused(_) if rows / SHRINK >= MIN_PAGE => rows /= SHRINK,
                RequestOutcome::Refused(reason) => return Ok(RequestOutcome::Refused(reason)),
                found => {
                    self.page_rows = rows;
                    return Ok(found);
                }
            }
        }
    }

    fn on(&self, rows: Vec<Triple>, change: impl FnOnce(&mut Position)) -> ScanStep {
        let mut position = self.position.clone();
        position.rows += rows.len() as u64;
        change(&mut position);
        ScanStep { rows, position, ..ScanStep::default() }
    }

    fn last(&self, rows: Vec<Triple>) -> ScanStep {
        ScanStep { done: true, ..self.on(rows, |_| {}) }
    }
}

fn named(pattern: &PagedPattern<'_>) -> String {
    match pattern.object {
        Some(class) => format!("instances of {class}"),
        None => pattern.property.to_owned(),
    }
}

fn mismatch(what: &str, came: u64, expected: Option<u64>) -> Option<String> {
    let expected = expected.filter(|expected| *expected != came)?;
    Some(format!("{what}: {came} statements came, {expected} were counted"))
}

/// The key of a subject.
fn text(subject: &NamedOrBlankNode) -> String {
    match subject {
        NamedOrBlankNode::NamedNode(node) => node.as_str().to_owned(),
        NamedOrBlankNode::BlankNode(node) => node.as_str().to_owned(),
    }
}

/// A row with subject and object, or with an instance alone.
fn statement(pattern: &PagedPattern<'_>, row: Row) -> Option<Triple> {
    let mut cells = row.into_iter();
    let subject = node(cells.next()??)?;
    let object = match pattern.object {
        Some(class) => NamedNode::new_unchecked(class).into(),
        None => cells.next()??,
    };
    Some(Triple::new(subject, NamedNode::new_unchecked(pattern.property), object))
}

/// Rows with subject, predicate and object.
fn spo(rows: Vec<Row>) -> Vec<Triple> {
    let statement = |row: Row| {
        let mut cells = row.into_iter();
        let subject = node(cells.next()??)?;
        let Term::NamedNode(predicate) = cells.next()?? else { return None };
        Some(Triple::new(subject, predicate, cells.next()??))
    };
    rows.into_iter().filter_map(statement).collect()
}

fn node(term: Term) -> Option<NamedOrBlankNode> {
    match term {
        Term::NamedNode(node) => Some(node.into()),
        Term::BlankNode(node) => Some(node.into()),
        Term::Literal(_) => None,
    }
}
