//! An answer in the words of a chat model: the prompt, with the question and the first rows and nothing else, and the words
//! made of its reply, which `verify` compares with the rows. The caller sends the prompt.

use super::phrase::Phrase;
use super::values::SHORT;
use super::verify::SayableFacts;
use super::{AnswerContext, Verbalizer, caveats, words};
use eruca_api::{PartOfText, WordedBy, Words, WordsKind};
use eruca_sparql::{Results, Solutions, Term, one_line, quoted};

const TELL: &str = include_str!("prompts/tell.md");
/// Number of rows shown to the model.
pub(super) const MAX_ROWS: usize = 50;
/// Maximum length, in characters, of a cell (a name, a text or a number with its unit) and of a column title.
const MAX_CELL: usize = 200;
const MAX_TITLE: usize = 200;
/// Maximum length, in characters, of a model's text; a longer one is cut.
const MAX_TEXT: usize = 4_000;
/// Minimum length, in characters, of names that are looked up in the model's text.
const MIN_NAME: usize = 2;

/// What a chat model gets to phrase an answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ModelPrompt {
    /// The system message.
    pub system: String,
    /// The user message: the question and the first rows.
    pub user: String,
}

/// What a chat model gets to phrase an answer; `None` where the plain sentence says it better, as without rows.
pub fn model_prompt(context: &AnswerContext<'_>) -> Option<ModelPrompt> {
    let teller = Verbalizer::new(*context);
    let (_, kind) = caveats::told(&teller);
    let rows = rows(&teller).filter(|_| kind == WordsKind::Answer)?;
    let computed =
        context.computed.map(|_| format!("\n\n{}", caveats::told(&teller).0.text())).unwrap_or_default();
    let system = TELL.trim().replace("{language}", teller.language.name());
    let question = one_line(&context.question.text, usize::MAX);
    Some(ModelPrompt { system, user: format!("Question: {question}\n\n{rows}{computed}") })
}

/// A chat model's text as the answer, with links to the things of the rows and with the names and numbers that are in no
/// row. `None` if it is blank.
pub fn read_model_text(context: &AnswerContext<'_>, text: &str) -> Option<Words> {
    let text = one_line(text.trim(), MAX_TEXT);
    if text.is_empty() {
        return None;
    }
    let teller = Verbalizer::new(*context);
    let unverified = SayableFacts::of(&teller).unverified(&text);
    let told = words(teller.language, linked(&teller, &text), WordsKind::Answer, WordedBy::Model);
    Some(Words { unverified, ..told })
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

/// Whether no letter or digit stands right before or behind a part of a text.
pub(super) fn is_whole(text: &str, at: usize, length: usize) -> bool {
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
