//! Explains why a query has no results, and which of its conditions could be dropped.

use crate::agent_features::AgentFeatures;
use crate::tools::{ToolContext, Workspace, explain_empty};
use eruca_api::{Dropped, Empty};
use eruca_dataset::Dataset;
use eruca_language::{Language, fallback, language};
use eruca_sparql::{CheckedQuery, Relaxed, one_line};
use eruca_verbalize::why::Conditions;
use std::time::{Duration, Instant};

/// Time limit for trying the query without each of its conditions.
const TIME: Duration = Duration::from_secs(4);
/// Time limit for each trial.
const TIME_EACH: Duration = Duration::from_millis(1_500);
/// Maximum number of conditions tried.
const MAX_TRIED: usize = 8;
/// Maximum number of conditions shown.
const MAX_TOLD: usize = 4;
/// Maximum length, in characters, of a condition and of a reason.
const MAX_CONDITION: usize = 300;
const MAX_REASON: usize = 1_000;

/// Explains why a query has no results, with the conditions without which it has rows. If there are such conditions,
/// they are the reason, in the reader's language; otherwise the reason is the one given to models.
pub(super) async fn explain(
    dataset: &Dataset,
    query: &CheckedQuery,
    features: AgentFeatures,
    left: Duration,
) -> Empty {
    let language = dataset.languages.first().and_then(|tag| language(tag)).unwrap_or_else(fallback);
    let until = Instant::now() + TIME.min(left / 2);
    let conditions = Conditions::of(dataset, query, language);
    let mut drop: Vec<Dropped> = Vec::new();
    for relaxed in query.relaxed(dataset.prefixes()).into_iter().take(MAX_TRIED) {
        if drop.len() < MAX_TOLD {
            drop.extend(tried(dataset, &conditions, relaxed, until).await);
        }
    }
    let reason = match drop.first() {
        Some(dropped) => told(dropped, language),
        None => {
            let context = ToolContext {
                dataset,
                timeout: left / 2,
                features,
                max_chars: MAX_REASON,
                workspace: Workspace::EMPTY,
            };
            explain_empty(query, &context).await
        }
    };
    Empty { reason: one_line(&reason, MAX_REASON), drop }
}

fn told(dropped: &Dropped, language: &Language) -> String {
    let rows = dropped.rows.to_string();
    let values = [("condition", dropped.condition.as_str()), ("rows", rows.as_str())];
    language.say("explain", "empty_without", &values).into_owned()
}

/// Runs the query without one of its conditions; `None` if there are still no rows.
async fn tried(
    dataset: &Dataset,
    conditions: &Conditions<'_>,
    relaxed: Relaxed,
    until: Instant,
) -> Option<Dropped> {
    let left = until.checked_duration_since(Instant::now())?.min(TIME_EACH);
    let query = dataset.check(&relaxed.query).ok()?;
    let answer = dataset.run(&query, left).await.ok()?;
    // An aggregate over nothing still returns one row, which is not a match.
    if answer.gives_nothing() {
        return None;
    }
    let rows = answer.row_count();
    // Without the condition, grouped queries are verbalized differently, so the comparison of wordings would be
    // unreliable.
    let words = if query.model().is_grouped { None } else { conditions.beyond(&query) };
    let condition = words.unwrap_or_else(|| dataset.compact_text(&relaxed.condition));
    let condition = one_line(&condition, MAX_CONDITION);
    Some(Dropped { condition, query: query.text().to_owned(), rows })
}
