//! Candidate queries for a question, best first, from the readings of the whole question.

use super::build::{Built, Variant, build};
use super::drafts::{Draft, drafts};
use super::question::Asked;
use super::read::read;
use super::render::render;
use super::steps::steps;
use super::units::cut;
use crate::dataset::Dataset;
use crate::form::{AnswerForm, FormKind};
use crate::grounding::Grounding;
use eruca_sparql::one_line;

/// Characters of a reading.
const MAX_READING_CHARS: usize = 400;

/// Readings of the whole question that are tried, the likeliest first.
const VARIANTS: [Variant; 4] = [
    Variant { thing: 0, untyped: false, turned: false },
    Variant { thing: 0, untyped: false, turned: true },
    Variant { thing: 1, untyped: false, turned: false },
    Variant { thing: 0, untyped: true, turned: false },
];

/// All candidates: those that follow the whole question before those of a single step.
pub(super) fn candidates(dataset: &Dataset, question: &str, grounding: &Grounding) -> Vec<Draft> {
    let mut found = whole(dataset, question, grounding);
    let mut single = steps(dataset, question, grounding);
    single.extend(drafts(dataset, question, grounding));
    single.sort_by(|a, b| b.score.total_cmp(&a.score));
    for draft in single {
        if !found.iter().any(|known| known.query == draft.query) {
            found.push(draft);
        }
    }
    found
}

fn whole(dataset: &Dataset, question: &str, grounding: &Grounding) -> Vec<Draft> {
    let asked = Asked::read(question);
    let cut = cut(dataset, &asked, grounding);
    let intent = read(&cut, &asked, AnswerForm::read(question).kind == FormKind::Ask);
    let mut found: Vec<Draft> = Vec::new();
    for variant in VARIANTS {
        let Some(built) = build(dataset, &cut, &intent, variant).filter(|built| !built.loose) else {
            continue;
        };
        let draft = draft(dataset, &built);
        if !found.iter().any(|known| known.query == draft.query) {
            found.push(draft);
        }
    }
    found
}

fn draft(dataset: &Dataset, built: &Built) -> Draft {
    let mut lines: Vec<&str> = Vec::new();
    for line in &built.readings {
        if !lines.contains(&line.as_str()) {
            lines.push(line);
        }
    }
    Draft {
        query: render(dataset, &built.plan),
        // Names in it come from the graph.
        reading: one_line(&lines.join("; "), MAX_READING_CHARS),
        score: 1.0,
        whole: true,
        trusted: built.lost == 0,
    }
}
