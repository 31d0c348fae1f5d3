//! Verbalizes an answer with a chat model, which sees only the question and the first rows. Its text is checked
//! against them by `verify`.

use super::phrase::Phrase;
use super::values::SHORT;
use super::verify::SayableFacts;
use super::{AnswerContext, Verbalizer, caveats, words};
use crate::llm::{ChatModel, ChatRequest, Message, ModelError, Tokens, Usage};
use eruca_api::{PartOfText, WordedBy, Words, WordsKind};
use eruca_sparql::{Results, Solutions, Term, one_line, quoted};
use std::time::Instant;

const TELL: &str = include_str!("prompts/tell.md");
/// Number of rows shown to the model.
pub(super) const MAX_ROWS: usize = 50;
/// Maximum length, in characters, of a cell (a name, a text or a number with its unit) and of a column title.
const MAX_CELL: usize = 200;
const MAX_TITLE: usize = 200;
/// Maximum length, in characters, of the model's text; longer texts are rejected.
const MAX_TEXT: usize = 4_000;
/// Minimum length, in characters, of names that are looked up in the model's text.
const MIN_NAME: usize = 2;

/// Why there is no text from a model. In all these cases the sentence made without one is used.
#[derive(Debug, thiserror::Error)]
pub enum NotTold {
    /// There are no rows, or their confidence is too low to be reworded by a model.
    #[error("there are no rows that a model could put into words")]
    Nothing,
    /// The model failed.
    #[error(transparent)]
    Model(#[from] ModelError),
    /// The model returned no text, was truncated, or called a tool.
    #[error("the chat model returned no text")]
    NoText,
}

/// Verbalizes the answer with a chat model. Text is streamed to `tokens` as it arrives; only the returned words are
/// final.
///
/// # Errors
/// Returns [`NotTold`] if there is nothing to verbalize or the model returns no text by the deadline.
pub async fn told_by_model(
    context: &AnswerContext<'_>,
    model: &dyn ChatModel,
    tokens: &mut Tokens<'_>,
    deadline: Instant,
) -> Result<(Words, Usage), NotTold> {
    let teller = Verbalizer::new(*context);
    let request = request(&teller, deadline).ok_or(NotTold::Nothing)?;
    let completion = model.stream(&request, tokens).await?;
    let whole = !completion.cut && completion.calls.is_empty();
    let text = completion.text.filter(|_| whole).ok_or(NotTold::NoText)?;
    let text = one_line(text.trim(), MAX_TEXT);
    if text.is_empty() {
        return Err(NotTold::NoText);
    }
    let unverified = SayableFacts::of(&teller).unverified(&text);
    let told = words(teller.language, linked(&teller, &text), WordsKind::Answer, WordedBy::Model);
    Ok((Words { unverified, ..told }, completion.usage))
}

/// The request; `None` if the plain sentence is better.
fn request(teller: &Verbalizer<'_>, deadline: Instant) -> Option<ChatRequest> {
    let (_, kind) = caveats::told(teller);
    let rows = rows(teller).filter(|_| kind == WordsKind::Answer)?;
    let system = TELL.trim().replace("{language}", teller.language.name());
    let question = one_line(&teller.context.question.text, usize::MAX);
    let messages = vec![Message::System(system), Message::User(format!("Question: {question}\n\n{rows}"))];
    Some(ChatRequest::new(messages, Vec::new(), deadline.saturating_duration_since(Instant::now())))
}

/// The rows as a table with labels.
fn rows(teller: &Verbalizer<'_>) -> Option<String> {
    let answer = teller.context.answer;
    match &answer.results {
        Results::Boolean(value) => Some(format!("The answer is: {}", if *value { "yes" } else { "no" })),
        Results::Graph(_) => None,
        Results::Solutions(solutions) => {
            let shown = solutions.rows.iter().take(MAX_ROWS).map(|row| line(teller, row));
            let titles = teller.context.columns.iter().map(|column| quoted(&column.title, MAX_TITLE));
            let head = titles.collect::<Vec<_>>().join(" | ");
            let whole = if answer.incomplete.is_some() { "at least " } else { "" };
            let count = solutions.rows.len();
            let body = shown.collect::<Vec<_>>().join("\n");
            Some(format!("Rows: {whole}{count}, of which you see {}.\n{head}\n{body}", count.min(MAX_ROWS)))
        }
    }
}

fn line(teller: &Verbalizer<'_>, row: &[Option<Term>]) -> String {
    let cell = |(at, term): (usize, &Option<Term>)| {
        let text = teller.cell(teller.context.columns.get(at), term.as_ref(), SHORT).text();
        let is_number =
            !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit() || b".,- %".contains(&byte));
        if is_number { text } else { quoted(&text, MAX_CELL) }
    };
    row.iter().enumerate().map(cell).collect::<Vec<_>>().join(" | ")
}

/// The model's text with the names of entities in the rows marked as separate parts.
fn linked(teller: &Verbalizer<'_>, text: &str) -> Phrase {
    let mut names = things(teller);
    // Longest names first, so that a name wins over its own prefix.
    names.sort_by_key(|part| std::cmp::Reverse(part.text.len()));
    let mut phrase = Phrase::default();
    let mut rest = text;
    while let Some((at, part)) = first(rest, &names) {
        let (before, behind) = rest.split_at(at);
        phrase = phrase.then(Phrase::from(before));
        let iri = part.iri.as_deref().unwrap_or_default();
        phrase = phrase.then(Phrase::name(part.text.clone(), iri));
        rest = behind.get(part.text.len()..).unwrap_or_default();
    }
    phrase.then(Phrase::from(rest))
}

/// The first position where a name occurs as whole words.
fn first<'n>(text: &str, names: &'n [PartOfText]) -> Option<(usize, &'n PartOfText)> {
    let places = names.iter().enumerate().filter_map(|(rank, part)| {
        let stands = |at: &usize| is_whole(text, *at, part.text.len());
        let at = text.match_indices(&part.text).map(|(at, _)| at).find(stands)?;
        Some((at, rank, part))
    });
    places.min_by_key(|(at, rank, _)| (*at, *rank)).map(|(at, _, part)| (at, part))
}

fn is_whole(text: &str, at: usize, length: usize) -> bool {
    let before = text.get(..at).and_then(|before| before.chars().next_back());
    let behind = text.get(at + length..).and_then(|behind| behind.chars().next());
    !before.is_some_and(char::is_alphanumeric) && !behind.is_some_and(char::is_alphanumeric)
}

/// The entities, by name, in the rows that the model saw.
fn things(teller: &Verbalizer<'_>) -> Vec<PartOfText> {
    let Results::Solutions(Solutions { rows, .. }) = &teller.context.answer.results else {
        return Vec::new();
    };
    let mut found: Vec<PartOfText> = Vec::new();
    for node in rows.iter().take(MAX_ROWS).flatten().flatten() {
        let Term::NamedNode(node) = node else { continue };
        let text = teller.thing(node.as_str()).text();
        if text.chars().count() >= MIN_NAME && !found.iter().any(|part| part.text == text) {
            found.push(PartOfText::of_thing(text, node.as_str().to_owned()));
        }
    }
    found
}
