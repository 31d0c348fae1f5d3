//! Queries that have run, and the choice of the best one to return.
//!
//! The best of these is returned, not the last one; they are ranked by `CandidateGrade`.

use crate::tools::OpenPoint;
use eruca_dataset::RunQuery;
use eruca_indexer::vocabulary::RDF_TYPE;
use eruca_planner::same_result;
use eruca_sparql::CheckedQuery;

/// How good a candidate is, worst first. Among equals, later candidates win, as the model has learnt in between.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum CandidateGrade {
    /// It failed, but it parses and is read-only.
    Failed,
    /// It ran and returned nothing.
    Empty,
    /// It hard-codes its answer instead of finding it in the graph.
    Faked,
    /// It explores the graph instead of answering: `?s ?p ?o` patterns, all columns.
    Probe,
    /// It ran and returned something.
    Filled,
    /// The model stated it as its answer, and it returned something or its empty result was confirmed.
    Stated,
    /// It shows that the graph does not contain the answer.
    Absence,
}

/// A query with its result.
#[derive(Debug, Clone)]
pub(super) struct Candidate {
    pub(super) run: RunQuery,
    standing: Standing,
    /// Number of entities named in the question that the query uses.
    covered: usize,
    /// Open points of the query when it ran.
    pub(super) open: Vec<OpenPoint>,
}

/// Signs of how reliable an answer is, from the run itself.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct RunSigns {
    /// The model stated it as its answer; otherwise it is the best query that it tried.
    pub stated: bool,
    /// Another query that the model tried or stated returned the same result.
    pub agrees: bool,
    /// The model had stated another answer before.
    pub changed: bool,
    /// The kinds of its open points.
    pub open: Vec<&'static str>,
    /// What the model itself says is uncertain.
    pub unsure: Option<String>,
}

/// How the model has used a query.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Standing {
    /// Not at all: a draft that the model was shown.
    Shown,
    /// The model tried it out.
    Tried,
    /// The model gave it as its answer.
    Stated,
    /// The model gave it as its answer again after being told what is doubtful about it.
    Confirmed,
    /// The model gave it to show that the graph does not contain the answer.
    Absence,
}

impl Candidate {
    fn grade(&self) -> CandidateGrade {
        match &self.run.result {
            Ok(_) if self.standing == Standing::Absence => CandidateGrade::Absence,
            Err(_) => CandidateGrade::Failed,
            Ok(answer) if answer.gives_nothing() => match self.standing {
                Standing::Confirmed | Standing::Absence => CandidateGrade::Stated,
                Standing::Shown | Standing::Tried | Standing::Stated => CandidateGrade::Empty,
            },
            Ok(_) if is_faked(&self.run) => CandidateGrade::Faked,
            Ok(_) if matches!(self.standing, Standing::Stated | Standing::Confirmed) => {
                CandidateGrade::Stated
            }
            Ok(_) if is_probe(&self.run.query) => CandidateGrade::Probe,
            Ok(_) => CandidateGrade::Filled,
        }
    }
}

/// Whether all columns of a SELECT are set by VALUES or BIND, and the graph does not choose among them ("Who is older, A or B?").
pub(super) fn is_faked(run: &RunQuery) -> bool {
    let model = run.query.model();
    let columns = model.columns(RDF_TYPE);
    let is_constant = !columns.is_empty() && columns.iter().all(|column| column.constant);
    let rows = run.result.as_ref().map_or(0, |answer| answer.row_count());
    is_constant && !(model.asks_graph && rows < model.offered_rows)
}

/// Whether a query only explores: all its predicates are variables.
fn is_probe(query: &CheckedQuery) -> bool {
    let atoms = &query.model().conjunction.atoms;
    !atoms.is_empty() && atoms.iter().all(|atom| atom.predicate().is_none() && atom.variables.len() >= 2)
}

/// Whether a query uses an entity by one of its IRIs or texts.
fn uses(query: &CheckedQuery, anchor: &[String]) -> bool {
    let (iris, text) = (&query.model().iris, query.text().to_lowercase());
    anchor.iter().any(|name| iris.contains(name) || text.contains(&format!("\"{}\"", name.to_lowercase())))
}

/// The candidates of a run.
#[derive(Debug, Default)]
pub(super) struct Candidates {
    list: Vec<Candidate>,
    /// For each entity that the question names unambiguously: the IRIs and texts by which a query may use it.
    anchors: Vec<Vec<String>>,
}

impl Candidates {
    /// No candidates yet; `anchors` are the entities that the question names.
    pub(super) fn new(anchors: Vec<Vec<String>>) -> Self {
        Self { list: Vec::new(), anchors }
    }

    /// Adds a query that has run.
    pub(super) fn add(&mut self, run: RunQuery, standing: Standing, open: Vec<OpenPoint>) {
        let covered = self.anchors.iter().filter(|anchor| uses(&run.query, anchor)).count();
        self.list.push(Candidate { run, standing, covered, open });
    }

    /// Reliability signs of a candidate, derived from the other candidates.
    pub(super) fn signs(&self, best: &Candidate) -> RunSigns {
        let others = || self.taken().filter(|other| other.run.key() != best.run.key());
        let same = |other: &&Candidate| match (&other.run.result, &best.run.result) {
            (Ok(one), Ok(two)) => other.grade() > CandidateGrade::Empty && same_result(one, two),
            _ => false,
        };
        RunSigns {
            stated: best.standing >= Standing::Stated,
            agrees: others().any(|other| same(&other)),
            changed: others().any(|other| other.standing >= Standing::Stated && !same(&other)),
            open: best.open.iter().map(|point| point.kind).collect(),
            unsure: None,
        }
    }

    /// Candidates that returned something.
    pub(super) fn filled(&self) -> impl Iterator<Item = &Candidate> {
        self.list.iter().filter(|candidate| candidate.grade() > CandidateGrade::Empty)
    }

    /// The last query that the model ran or stated, whatever its result.
    pub(super) fn last(&self) -> Option<&Candidate> {
        self.taken().last()
    }

    /// Candidates that the model ran or stated.
    fn taken(&self) -> impl DoubleEndedIterator<Item = &Candidate> {
        self.list.iter().filter(|candidate| candidate.standing != Standing::Shown)
    }

    /// The best candidate so far: by grade, then by how many of the entities named in the question it uses (matching the
    /// stated form counts as one more); among equals, the later one.
    pub(super) fn best(&self, fits: &dyn Fn(&Candidate) -> bool) -> Option<&Candidate> {
        self.taken()
            .max_by_key(|candidate| (candidate.grade(), candidate.covered + usize::from(fits(candidate))))
    }
}
