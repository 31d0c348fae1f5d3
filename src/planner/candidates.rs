//! Candidate queries for a question, best first, from the readings of the whole question.

use super::build::{Built, Variant, build};
use super::drafts::{Draft, drafts};
use super::facts::facts;
use super::names::{NameHit, says_nothing, schema_hits};
use super::question::Asked;
use super::read::read;
use super::render::render;
use super::steps::steps;
use super::units::{Cut, Kind, cut};
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

/// All candidates: plain facts, then those that follow the whole question, then those of a single step.
pub(super) fn candidates(dataset: &Dataset, question: &str, grounding: &Grounding) -> Vec<Draft> {
    // Read once: every name of the schema is compared with every word.
    let (asked, form) = (Asked::read(question), AnswerForm::read(question));
    let hits = schema_hits(&dataset.index.names, &asked);
    let mut found = facts(dataset, (&asked, &hits, &form), grounding);
    found.extend(whole(dataset, (&asked, &hits, &form), grounding));
    let mut single = steps(dataset, (&asked, &hits, &form), grounding);
    single.extend(drafts(dataset, question, grounding));
    single.sort_by(|a, b| b.score.total_cmp(&a.score));
    for draft in single {
        if !found.iter().any(|known| known.query == draft.query) {
            found.push(draft);
        }
    }
    found
}

fn whole(
    dataset: &Dataset,
    (asked, hits, form): (&Asked, &[NameHit], &AnswerForm),
    grounding: &Grounding,
) -> Vec<Draft> {
    let cut = cut(dataset, asked, hits, grounding);
    let intent = read(&cut, asked, form.kind == FormKind::Ask);
    let unknown = unknown_names(&cut, asked);
    let mut found: Vec<Draft> = Vec::new();
    for variant in VARIANTS {
        let Some(mut built) =
            build(dataset, &cut, &intent, variant).filter(|built| !built.loose && !built.plan.is_empty())
        else {
            continue;
        };
        built.plan.years = asked.wants_year;
        let draft = draft(dataset, &built, &unknown);
        if !found.iter().any(|known| known.query == draft.query) {
            found.push(draft);
        }
    }
    found
}

/// Words in capitals that nothing in the graph is called by: an answer that leaves them out is not the whole answer.
fn unknown_names<'a>(cut: &Cut, asked: &'a Asked) -> Vec<&'a str> {
    let begins = |at: usize| at == 0 || asked.breaks[at].is_some_and(|mark| ".?!:".contains(mark));
    let units = cut.units.iter().filter(|unit| matches!(unit.kind, Kind::Word) && !begins(unit.words.0));
    let words = units.filter_map(|unit| asked.words.get(unit.words.0));
    let named = words.filter(|word| word.raw.starts_with(char::is_uppercase) && !says_nothing(&word.norm));
    named.map(|word| word.raw.as_str()).collect()
}

fn draft(dataset: &Dataset, built: &Built, unknown: &[&str]) -> Draft {
    let unknown: Vec<String> =
        unknown.iter().map(|name| format!("'{name}' was not found in the graph and is left out")).collect();
    let mut lines: Vec<&str> = Vec::new();
    for line in unknown.iter().chain(&built.readings) {
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
        trusted: built.lost == 0 && unknown.is_empty(),
    }
}
