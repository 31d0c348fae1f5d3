//! `search_in`: what can stand at one place of some triple patterns.

use super::arguments::schema;
use super::{Arguments, Observation, ObservationKind, Tool, ToolContext};
use crate::agent_features::AgentFeatures;
use crate::rendering::term_text;
use async_trait::async_trait;
use eruca_dataset::{
    Dataset, PatternError, PatternHit, PatternHits, PatternPlace, PatternSearch, quoted_name,
};
use eruca_sparql::Term;
use std::time::Duration;

/// Time for a search: counting all solutions of a pattern can take as long as the graph is large.
const TIME: Duration = Duration::from_secs(20);
/// Terms shown.
const SHOWN: usize = 15;

pub(super) struct SearchIn;

#[async_trait]
impl Tool for SearchIn {
    fn name(&self) -> &'static str {
        "search_in"
    }

    fn description(&self) -> &'static str {
        "Finds what can stand for a variable in triple patterns, with the number of solutions: which properties \
         something has, which classes its values are of, or which of many namesakes the pattern allows. `text` (optional) \
         keeps those with a name like it."
    }

    fn parameters(&self) -> serde_json::Value {
        schema(&[
            ("pattern", "triple patterns, as in WHERE, e.g. ?film a ex:Film ; ?p ex:Kubrick", true),
            ("variable", "the variable that is sought, e.g. p", true),
            ("text", "words of its name", false),
        ])
    }

    fn is_shown(&self, features: AgentFeatures) -> bool {
        features.search_in
    }

    fn runs_patterns(&self) -> bool {
        true
    }

    fn is_basic(&self) -> bool {
        false
    }

    async fn call(&self, arguments: &Arguments, context: &ToolContext<'_>) -> Observation {
        let (pattern, variable) = match (arguments.text("pattern"), arguments.text("variable")) {
            (Ok(pattern), Ok(variable)) => (pattern, variable),
            (Err(reason), _) | (_, Err(reason)) => return Observation::bad_call(reason),
        };
        let search = PatternSearch {
            pattern: without_braces(pattern),
            variable,
            text: arguments.optional("text"),
            unfinished: false,
            namespace: None,
            limit: SHOWN,
        };
        match context.dataset.search_in(search, context.timeout.min(TIME)).await {
            Ok(found) => shown(&search, &found, context.dataset),
            Err(PatternError::Pattern(reason)) => Observation::bad_call(format!(
                "The pattern cannot be searched: {}. Give triple patterns alone, without SELECT and WHERE.",
                reason.trim_end_matches('.')
            )),
            Err(PatternError::Query(error)) => {
                Observation::new(ObservationKind::QueryFailed(error.kind()), error.told_to_models())
            }
            Err(PatternError::Lookup(error)) => Observation::lookup_failed(&error),
        }
    }
}

/// A pattern without the braces that models write around it.
fn without_braces(pattern: &str) -> &str {
    let trimmed = pattern.trim();
    let inner = trimmed.strip_prefix('{').and_then(|rest| rest.strip_suffix('}'));
    // `{ a } UNION { b }` begins and ends with braces, too.
    inner.filter(|inner| !inner.contains(['{', '}'])).unwrap_or(trimmed).trim()
}

fn shown(search: &PatternSearch<'_>, found: &PatternHits, dataset: &Dataset) -> Observation {
    let what = match found.place {
        PatternPlace::Predicate => "property",
        PatternPlace::Class => "class",
        PatternPlace::Node => "term",
    };
    if found.hits.is_empty() {
        let named =
            search.text.map(|text| format!(" with a name like {}", quoted_name(text))).unwrap_or_default();
        let text = format!(
            "No {what}{named} makes the pattern match; leave out a condition, or search without `text`."
        );
        return Observation::new(ObservationKind::Empty, text);
    }
    let line = |hit: &PatternHit| {
        let name = match &hit.term {
            Term::NamedNode(node) => dataset.named(node.as_str()),
            other => term_text(dataset, other),
        };
        format!("{name}: {}", hit.solutions)
    };
    let mut lines: Vec<String> = found.hits.iter().map(line).collect();
    if found.more {
        lines.push(format!("… and others; the first {} are shown", found.hits.len()));
    }
    if let Some(sample) = found.sampled {
        lines.push(format!("(counted in the first {sample} solutions only; there may be more, and others)"));
    }
    Observation::new(ObservationKind::Ok, lines.join("\n"))
}

#[cfg(test)]
mod tests {
    use super::without_braces;

    #[test]
    fn braces_around_a_pattern_go_and_those_of_its_parts_stay() {
        for (pattern, expected) in [
            ("{ ?a ?b ?c }", "?a ?b ?c"),
            (" ?a ?b ?c . ", "?a ?b ?c ."),
            ("{ ?a ?b ?c } UNION { ?c ?b ?a }", "{ ?a ?b ?c } UNION { ?c ?b ?a }"),
        ] {
            assert_eq!(without_braces(pattern), expected);
        }
    }
}
