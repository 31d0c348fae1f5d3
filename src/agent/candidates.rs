//! Queries that have run, and which of them is the best to return.
//!
//! The query that is returned is the best of these, not the last one; their order is that of `CandidateGrade`.

use crate::dataset::RunQuery;
use crate::tools::OpenPoint;
use eruca_indexer::vocabulary::RDF_TYPE;
use eruca_planner::same_result;
use eruca_sparql::CheckedQuery;

/// How good a candidate is, worst first. Later candidates win among equals: the model has learnt since.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum CandidateGrade {
    /// It failed, but it parses and is read-only.
    Failed,
    /// It ran and gave nothing.
    Empty,
    /// Its answer stands in the query instead of being found in the graph.
    Faked,
    /// It looks at the graph instead of answering: `?s ?p ?o` patterns, all columns.
    Probe,
    /// It ran and gave something.
    Filled,
    /// The model stated it as its answer, and it gave something or was confirmed to give nothing.
    Stated,
    /// It shows what the graph lacks.
    Absence,
}

/// A query with what it gave.
#[derive(Debug, Clone)]
pub(super) struct Candidate {
    pub(super) run: RunQuery,
    standing: Standing,
    /// Mentions of the question that the query uses.
    covered: usize,
    /// What was open in it when it ran.
    pub(super) open: Vec<OpenPoint>,
}

/// What a run itself says of its answer.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct RunSigns {
    /// The model gave it as its answer; else it is the best of what it tried.
    pub stated: bool,
    /// Another query that the model tried or stated gave the same.
    pub agrees: bool,
    /// The model stated another answer before.
    pub changed: bool,
    /// What was open in it: the kinds.
    pub open: Vec<&'static str>,
    /// What the model says that is not certain.
    pub unsure: Option<String>,
}

/// What the model made of a query.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Standing {
    /// It has not touched it: a draft that it was shown.
    Shown,
    /// It tried it out.
    Tried,
    /// It gave it as its answer.
    Stated,
    /// It gave it as its answer again after hearing what is doubtful about it.
    Confirmed,
    /// It gave it to show that the graph does not contain the answer.
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
            Ok(_) if is_faked(&self.run.query) => CandidateGrade::Faked,
            Ok(_) if matches!(self.standing, Standing::Stated | Standing::Confirmed) => {
                CandidateGrade::Stated
            }
            Ok(_) if is_probe(&self.run.query) => CandidateGrade::Probe,
            Ok(_) => CandidateGrade::Filled,
        }
    }
}

/// A SELECT all of whose columns are set by VALUES or BIND.
pub(super) fn is_faked(query: &CheckedQuery) -> bool {
    let columns = query.model().columns(RDF_TYPE);
    !columns.is_empty() && columns.iter().all(|column| column.constant)
}

/// A query whose predicates are all variables only looks around.
fn is_probe(query: &CheckedQuery) -> bool {
    let atoms = &query.model().conjunction.atoms;
    !atoms.is_empty() && atoms.iter().all(|atom| atom.predicate().is_none() && atom.variables.len() >= 2)
}

/// Whether a query uses a thing by one of its IRIs or texts.
fn uses(query: &CheckedQuery, anchor: &[String]) -> bool {
    let (iris, text) = (&query.model().iris, query.text().to_lowercase());
    anchor.iter().any(|name| iris.contains(name) || text.contains(&format!("\"{}\"", name.to_lowercase())))
}

/// The candidates of a run.
#[derive(Debug, Default)]
pub(super) struct Candidates {
    list: Vec<Candidate>,
    /// For each thing that the question names for sure: the IRIs and texts by which a query may use it.
    anchors: Vec<Vec<String>>,
}

impl Candidates {
    /// No candidates yet, of a question that names these things.
    pub(super) fn new(anchors: Vec<Vec<String>>) -> Self {
        Self { list: Vec::new(), anchors }
    }

    /// Takes a query that was run.
    pub(super) fn add(&mut self, run: RunQuery, standing: Standing, open: Vec<OpenPoint>) {
        let covered = self.anchors.iter().filter(|anchor| uses(&run.query, anchor)).count();
        self.list.push(Candidate { run, standing, covered, open });
    }

    /// What the others say of one of them.
    pub(super) fn signs(&self, best: &Candidate) -> RunSigns {
        let others = || self.taken().filter(|other| other.run.query.key() != best.run.query.key());
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

    /// Those that gave something.
    pub(super) fn filled(&self) -> impl Iterator<Item = &Candidate> {
        self.list.iter().filter(|candidate| candidate.grade() > CandidateGrade::Empty)
    }

    /// The last one that the model has run or stated, whatever it gave.
    pub(super) fn last(&self) -> Option<&Candidate> {
        self.taken().last()
    }

    /// Those that the model has run or stated.
    fn taken(&self) -> impl DoubleEndedIterator<Item = &Candidate> {
        self.list.iter().filter(|candidate| candidate.standing != Standing::Shown)
    }

    /// The best so far: by grade, then by how much of what the question names it uses, to which the stated form adds
    /// one; the later among equals.
    pub(super) fn best(&self, fits: &dyn Fn(&Candidate) -> bool) -> Option<&Candidate> {
        self.taken()
            .max_by_key(|candidate| (candidate.grade(), candidate.covered + usize::from(fits(candidate))))
    }
}
