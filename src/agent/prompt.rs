//! The first messages of a run. The system message contains only text by Eruca: text from a graph is data and goes into the
//! user message. That one begins with the card, so that everything up to the question is the same for all questions to a
//! dataset whose card fits, and servers can cache it. There is one user message, as some chat templates reject a second.

use super::card_text::{focused, head, summary, whole};
use super::driver::{AgentTask, Draft};
use super::{earlier, examples, several};
use crate::agent_features::AgentFeatures;
use crate::grounding::Grounding;
use crate::llm::Message;
use crate::tools::{OpenPoint, doubts};
use eruca_dataset::{Dataset, quoted_name};
use eruca_planner::Confidence;
use eruca_sparql::{Dialect, is_shown_whole, one_line, quoted};

const SYSTEM: &str = include_str!("prompts/system.md");
const SYSTEM_SMALL: &str = include_str!("prompts/system_small.md");
const NOT_A_CALL: &str = include_str!("prompts/not_a_call.md");
const BEGAN_ANEW: &str = include_str!("prompts/began_anew.md");
const CUT_BRANCH: &str = include_str!("prompts/cut_branch.md");
const HALF_SPENT: &str = include_str!("prompts/half_spent.md");
const REVIEW: &str = include_str!("prompts/review.md");
const FAKED_ANSWER: &str = include_str!("prompts/faked_answer.md");
const MORE_CALLS: &str = include_str!("prompts/more_calls.md");
const LAST_CALL: &str = include_str!("prompts/last_call.md");
const NO_CONDITION: &str = include_str!("prompts/no_condition.md");
const NOT_ABSENT: &str = include_str!("prompts/not_absent.md");
const EMPTY_ANSWER: &str = include_str!("prompts/empty_answer.md");
const OPEN_ANSWER: &str = include_str!("prompts/open_answer.md");
const OTHER_FORM: &str = include_str!("prompts/other_form.md");
const DRAFTS: &str = include_str!("prompts/drafts.md");
/// Maximum number of characters shown of a draft's interpretation, which contains names from the graph.
const MAX_READING_CHARS: usize = 300;
/// Maximum number of rows shown of a draft's result.
const DRAFT_ROWS: usize = 5;
const FAILED_ANSWER: &str = include_str!("prompts/failed_answer.md");

/// Models hardly read a graph description longer than this; an entry of the entity in question is more useful.
const LONG_PART_CHARS: usize = 3_000;

/// Whether the description relevant to the question would be long.
pub(super) fn is_long(task: &AgentTask<'_>) -> bool {
    let AgentTask { dataset, grounding, features, budget, .. } = task;
    features.dataset_card
        && whole(dataset, budget.card_tokens).is_none()
        && focused(dataset, grounding, budget.card_tokens).len() > LONG_PART_CHARS
}

/// The system message and the first user message. An entry of the entity that the question names replaces a long
/// description. `kept` are the names of the drafts' results.
pub(super) fn opening(task: &AgentTask<'_>, entry: Option<&str>, kept: &[Option<String>]) -> Vec<Message> {
    let AgentTask { dataset, text, grounding, features, .. } = task;
    let card_tokens = task.budget.card_tokens;
    let card = whole(dataset, card_tokens).filter(|_| features.dataset_card);
    let details = card.is_none();
    let graph = match card {
        Some(card) => card,
        None if features.dataset_card => summary(dataset),
        None => head(dataset),
    };
    let is_one = task.others.is_empty();
    let graph = if is_one { format!("The graph: {}", graph.trim_end()) } else { several::graphs(task) };
    let mut user = format!("{graph}\n\n{}Question: {text}", earlier::text(dataset, task.earlier));
    if features.grounding && is_one {
        let found = grounding.text(dataset, details);
        user.push_str(&format!("\n\nWhat its words may mean in the graph:\n{found}"));
    }
    if details && features.dataset_card && is_one {
        match entry {
            Some(entry) => user
                .push_str(&format!("\n\nWhat the graph says of the thing that the question names:\n{entry}")),
            // What is needed to confirm a draft for which every word is proven stands above.
            None if has_sure_draft(task) => {}
            None => user.push_str(&format!(
                "\n\nThe part of the graph that fits:\n{}",
                focused(dataset, grounding, card_tokens)
            )),
        }
    }
    if features.drafts && !task.drafts.is_empty() {
        user.push_str(&format!("\n\n{}\n{}", DRAFTS.trim(), drafts(dataset, task.drafts, kept)));
    }
    user.push_str(&examples::text(dataset, task.examples));
    let hints = hints(dataset.endpoint.dialect());
    let system = if features.is_for_small_model() { SYSTEM_SMALL } else { SYSTEM };
    vec![Message::System(format!("{}{hints}", system.trim_end())), Message::User(user)]
}

/// What the first prompt shows of a graph for a question that has no draft and names no single thing.
pub struct ShownOfGraph {
    /// The card, or what stands for it and the part of it that fits.
    pub card: String,
    /// What the words of the question may mean.
    pub words: String,
}

/// The parts of the first prompt that tell of the graph, with the choices of [`opening`].
pub fn shown_of_graph(
    dataset: &Dataset,
    grounding: &Grounding,
    features: AgentFeatures,
    card_tokens: usize,
) -> ShownOfGraph {
    let card = whole(dataset, card_tokens).filter(|_| features.dataset_card);
    let details = card.is_none();
    let card = card.unwrap_or_else(|| match features.dataset_card {
        true => format!("{}{}", summary(dataset), focused(dataset, grounding, card_tokens)),
        false => head(dataset),
    });
    let words = if features.grounding { grounding.text(dataset, details) } else { String::new() };
    ShownOfGraph { card, words }
}

fn has_sure_draft(task: &AgentTask<'_>) -> bool {
    task.features.drafts && task.drafts.iter().any(|draft| draft.confidence == Confidence::Sure)
}

/// What a model should know about a dataset before exploring it: the whole card if it fits, otherwise its head and largest
/// classes; and the peculiarities of its endpoint.
pub fn graph_text(dataset: &Dataset, budget_tokens: usize) -> String {
    let graph = whole(dataset, budget_tokens).unwrap_or_else(|| summary(dataset));
    format!("{graph}{}", hints(dataset.endpoint.dialect()))
}

/// Hints about the endpoint's engine, if there are any.
fn hints(dialect: &Dialect) -> String {
    match dialect.hints() {
        [] => String::new(),
        hints => format!("\n\nThe endpoint ({}): {}", dialect.title(), hints.join(" ")),
    }
}

/// Queries with their interpretation of the question and the first rows of their results.
fn drafts(dataset: &Dataset, drafts: &[Draft], kept: &[Option<String>]) -> String {
    let names = kept.iter().map(Option::as_deref).chain(std::iter::repeat(None));
    let shown = drafts.iter().zip(names).filter_map(|(draft, name)| {
        let answer = draft.run.result.as_ref().ok()?;
        if !draft.run.query.model().iris.iter().all(|iri| is_shown_whole(iri)) {
            return None;
        }
        let query = dataset.compact_text(draft.run.query.text());
        // The model must be able to repeat a draft verbatim, so one with unprintable characters is useless.
        let query = Some(one_line(&query, usize::MAX)).filter(|shown| *shown == query)?;
        let about = about(draft);
        let doubts = doubts(&draft.run.query, Some(answer), dataset);
        let doubts: String = doubts.iter().map(|doubt| format!("\nNote: {doubt}")).collect();
        let rows = match answer.row_count() {
            1 => "1 row".to_owned(),
            count => format!("{count} rows"),
        };
        let table = dataset.table(answer, DRAFT_ROWS, 0);
        let name = name.map(|name| format!(" (kept as {name})")).unwrap_or_default();
        Some(format!("{query}\n{about}\nThis draft returns {rows}{name}:\n{table}{doubts}"))
    });
    shown.collect::<Vec<_>>().join("\n\n")
}

/// How a draft interprets the question, what it returns, and which words it leaves out.
fn about(draft: &Draft) -> String {
    let Draft { run: _, reading, confidence, returns, unused, doubts, tied } = draft;
    let unused = match unused.as_slice() {
        [] if doubts.is_empty() => "none; every word is used".to_owned(),
        [] => "none".to_owned(),
        words => words.iter().map(|word| quoted_name(word)).collect::<Vec<_>>().join(", "),
    };
    let ties = match tied {
        None => "",
        Some(true) => "\nTies: several are equally first; the draft returns all of them.",
        Some(false) => "\nTies: none; one alone is first.",
    };
    let line = |text: &str| quoted(text, MAX_READING_CHARS);
    let doubts: String = doubts.iter().map(|doubt| format!("\nNot proven: {}", line(doubt))).collect();
    format!(
        "Reading ({}): {}\nReturns: {}\nNot used: {unused}{doubts}{ties}",
        confidence.name(),
        line(reading),
        line(returns)
    )
}

/// Asks the model to review its assumptions.
pub(super) fn review() -> &'static str {
    REVIEW.trim()
}

/// Sent in the place of turns that brought nothing, with their calls.
pub(super) fn cut_branch(calls: &[String]) -> String {
    CUT_BRANCH.trim().replace("{calls}", &calls.join("\n"))
}

/// Added to the opening of a conversation that was begun anew, with the best query so far.
pub(super) fn began_anew(best: Option<&str>) -> String {
    let best = best.map(|query| format!("The best query so far: {} ", one_line(query, usize::MAX)));
    BEGAN_ANEW.trim().replace("{best}", &best.unwrap_or_default())
}

/// Sent when half of the allowed completions are used.
pub(super) fn half_spent(used: u32, all: u32) -> String {
    HALF_SPENT.trim().replace("{used}", &used.to_string()).replace("{all}", &all.to_string())
}

/// Sent when the final query hard-codes its answer instead of finding it.
pub(super) fn faked_answer() -> &'static str {
    FAKED_ANSWER.trim()
}

/// Sent when the final query has no condition on the graph.
pub(super) fn no_condition() -> &'static str {
    NO_CONDITION.trim()
}

/// Sent when a query that should show an absence returns something.
pub(super) fn not_absent() -> &'static str {
    NOT_ABSENT.trim()
}

/// Sent when the model wrote text instead of calling a tool.
pub(super) fn not_a_call(tools: &str) -> String {
    NOT_A_CALL.trim().replace("{tools}", tools)
}

/// Sent when only the first calls of a turn were executed.
pub(super) fn more_calls(made: usize) -> String {
    MORE_CALLS.trim().replace("{made}", &made.to_string())
}

/// Added before the last allowed call.
pub(super) fn last_call() -> &'static str {
    LAST_CALL.trim()
}

/// Sent when the final query returns nothing.
pub(super) fn empty_answer(observation: &str) -> String {
    EMPTY_ANSWER.trim().replace("{observation}", observation)
}

/// Sent when the final query does not match the form that the model stated.
pub(super) fn other_form(differences: &[String]) -> String {
    OTHER_FORM.trim().replace("{differences}", &differences.join("\n"))
}

/// Sent when the final query has open points.
pub(super) fn open_answer(open: &[OpenPoint], reading: &str) -> String {
    let points: Vec<&str> = open.iter().map(|point| point.text.as_str()).collect();
    OPEN_ANSWER.trim().replace("{open}", &points.join("\n")).replace("{reading}", reading)
}

/// Sent when the final query cannot be run.
pub(super) fn failed_answer(observation: &str) -> String {
    FAILED_ANSWER.trim().replace("{observation}", observation)
}
