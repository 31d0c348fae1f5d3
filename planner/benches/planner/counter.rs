//! Counterfactuals: questions asked where the right outcome is another one, because something they speak of is gone from a copy of
//! the graph, stands the other way round, or has a name that nobody has. How often is an answer `sure` all the same?
//!
//! ```text
//! reference query ─► Names ─► Change ─► copy of the graph, indexed afresh ─► asked again
//! ```
//! Questions with another quantifier ("not", "all") are left out: no program changes the words of one without risk.

use super::asked::{Asked, ask_lines};
use super::changes::{self, Change, Statement};
use super::graphs::{Graph, QuestionLine, SetFile, read_questions};
use super::invented::{name_like, one_of, replaced, seed};
use super::named::Names;
use eruca_planner::Weights;
use eruca_planner::question::ParsedQuestion;
use eruca_sparql::{Term, local_name};
use std::collections::BTreeMap;
use std::path::PathBuf;
use tokio::runtime::Runtime;

/// Graphs with more statements are left out: each copy is indexed.
const MAX_STATEMENTS: usize = 60_000;
/// Copies of one graph.
const MAX_COPIES: usize = 10;

/// A question that was asked after a change.
#[derive(Debug, Clone)]
pub struct Case {
    pub kind: &'static str,
    /// What was removed, or the name that was replaced.
    pub about: String,
    /// Its score is that against the reference query on the original graph, or, if `follows`, on the changed one.
    pub asked: Asked,
}

impl Case {
    /// Whether the changed graph still answers the question, with the rows of the reference query.
    pub fn follows(&self) -> bool {
        follows(self.kind)
    }

    /// Sure, and should not be.
    pub fn is_bad(&self) -> bool {
        self.asked.confidence() == eruca_planner::Confidence::Sure && !(self.follows() && self.is_same())
    }

    /// Whether the answer has the rows of the reference query.
    pub fn is_same(&self) -> bool {
        self.asked.f() > 0.999
    }

    /// As an answer to calibrate with: one that cannot be right counts as one to a question without answer. Nothing where it
    /// has the right rows all the same, by another way or by chance: that teaches nothing.
    pub fn as_asked(&self) -> Option<Asked> {
        let mut asked = self.asked.clone();
        if !self.follows() {
            asked.line.sparql = None;
        }
        (self.follows() || !self.is_same()).then_some(asked)
    }
}

fn follows(kind: &str) -> bool {
    matches!(kind, "no-value" | "turned")
}

type Lines = Vec<(String, QuestionLine)>;
type Copies = BTreeMap<(Change, &'static str), Lines>;

/// All cases of some sets.
pub fn cases(sets: &[SetFile], weights: &Weights) -> anyhow::Result<Vec<Case>> {
    let runtime = Runtime::new()?;
    let mut by_graph: BTreeMap<(String, Vec<PathBuf>), Vec<&SetFile>> = BTreeMap::new();
    for set in sets {
        by_graph.entry((set.group.clone(), set.data.clone())).or_default().push(set);
    }
    let (mut all, mut left_out) = (Vec::new(), 0);
    for ((group, files), sets) in by_graph {
        let statements = changes::read(&files)?;
        let mut lines = Lines::new();
        for set in sets {
            lines.extend(read_questions(&set.questions)?.into_iter().map(|line| (set.set.clone(), line)));
        }
        if statements.len() > MAX_STATEMENTS {
            left_out += lines.len();
            continue;
        }
        let graph = Graph::open(&runtime, &group, &files)?;
        let copies = copies(&graph, &statements, &lines);
        all.extend(ask(&runtime, &graph, &statements, &group, copies, weights)?);
    }
    if left_out > 0 {
        println!("{left_out} questions to graphs of more than {MAX_STATEMENTS} statements left out");
    }
    Ok(all)
}

fn copies(graph: &Graph, statements: &[Statement], lines: &Lines) -> Copies {
    let mut copies = Copies::new();
    for (set, line) in lines {
        let Some(query) = line.sparql.as_deref().and_then(|query| graph.checked(query)) else { continue };
        let line = QuestionLine { sparql: Some(query.text().to_owned()), ..line.clone() };
        let names = Names::of(&query);
        for (kind, change) in changed(graph, statements, &line, &names) {
            copies.entry((change, kind)).or_default().push((set.clone(), line.clone()));
        }
        if let Some(line) = renamed(graph, statements, &line, &names) {
            copies.entry((Change::Nothing, "unknown-name")).or_default().push((set.clone(), line));
        }
    }
    // Which copies are made depends on nothing but what is changed.
    let mut keys: Vec<_> = copies.keys().cloned().collect();
    keys.sort_by_key(|(change, kind)| {
        (*change != Change::Nothing, seed(&format!("{kind} {}", change.about())))
    });
    for key in keys.into_iter().skip(MAX_COPIES) {
        copies.remove(&key);
    }
    copies
}

fn changed(
    graph: &Graph,
    statements: &[Statement],
    line: &QuestionLine,
    names: &Names,
) -> Vec<(&'static str, Change)> {
    let naming = &graph.index.card.naming_properties;
    let properties: Vec<&String> = names.properties.iter().filter(|iri| !naming.contains(iri)).collect();
    let one = |kind: &str, all: &[&String]| one_of(&format!("{kind} {}", line.id), all).cloned();
    let question = ParsedQuestion::read(&line.question, std::slice::from_ref(&line.lang));
    let graded = |iri: &String| !question.grades.is_empty() && changes::is_number(statements, iri);
    let numbers: Vec<&String> = properties.iter().copied().filter(|iri| graded(iri)).collect();
    let turning: Vec<&String> =
        properties.iter().copied().filter(|iri| changes::can_turn(statements, iri)).collect();
    let found = [
        ("no-property", one("p", &properties).map(Change::NoProperty)),
        ("no-class", one("c", &names.classes.iter().collect::<Vec<_>>()).map(Change::NoIri)),
        ("no-thing", one("t", &names.things.iter().collect::<Vec<_>>()).map(Change::NoIri)),
        ("no-value", one("v", &names.literals.iter().collect::<Vec<_>>()).map(Change::NoValue)),
        ("other-dimension", one("d", &numbers).map(Change::Other)),
        ("turned", one("r", &turning).map(Change::Turned)),
    ];
    found.into_iter().filter_map(|(kind, change)| Some((kind, change?))).collect()
}

/// The question with a name that the graph does not have.
fn renamed(
    graph: &Graph,
    statements: &[Statement],
    line: &QuestionLine,
    names: &Names,
) -> Option<QuestionLine> {
    let naming = &graph.index.card.naming_properties;
    let mut known: Vec<String> = names.things.iter().map(|iri| local_name(iri).replace('_', " ")).collect();
    for one in statements.iter().filter(|one| naming.contains(&one.property)) {
        let Term::Literal(label) = &one.object else { continue };
        let subject = one.subject.trim_matches(['<', '>']);
        if names.things.contains(subject) || names.literals.contains(label.value()) {
            known.push(label.value().to_owned());
        }
    }
    known.sort_by_key(|name| std::cmp::Reverse(name.len()));
    known.iter().find_map(|name| {
        let new = name_like(name, &line.id);
        let question = replaced(&line.question, name, &new)?;
        Some(QuestionLine { question, missing: vec![format!("{name} → {new}")], ..line.clone() })
    })
}

fn ask(
    runtime: &Runtime,
    original: &Graph,
    statements: &[Statement],
    group: &str,
    copies: Copies,
    weights: &Weights,
) -> anyhow::Result<Vec<Case>> {
    let mut all = Vec::new();
    for ((change, kind), lines) in copies {
        let folder = tempfile::tempdir()?;
        let copy = match &change {
            Change::Nothing => None,
            change => {
                let file = folder.path().join("graph.nq");
                std::fs::write(&file, changes::written(&change.applied(statements)))?;
                // A copy without a single statement cannot be indexed.
                let Ok(copy) = Graph::at(runtime, &folder.path().join("index"), &[file]) else { continue };
                Some(copy)
            }
        };
        let graph = copy.as_ref().unwrap_or(original);
        let judge = if follows(kind) { graph } else { original };
        all.extend(ask_lines(runtime, graph, judge, group, lines, weights).into_iter().map(|asked| {
            let about = match asked.line.missing.first().filter(|_| change == Change::Nothing) {
                Some(name) => name.clone(),
                None => change.about().to_owned(),
            };
            Case { kind, about, asked }
        }));
    }
    Ok(all)
}
