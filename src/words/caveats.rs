//! What is said beside an answer: that nothing was found, that the graph does not know a name, how far it is to be believed,
//! which words found no place.

use super::phrase::Phrase;
use super::{Teller, WordsKind};
use crate::trace::Insight;
use eruca_planner::question::Question;
use eruca_planner::{Confidence, mentions};
use eruca_sparql::{Results, one_line};

/// Characters of the reason why nothing was found.
const MAX_REASON: usize = 400;
/// Words of the question that are named one by one, and characters of each.
const MAX_WORDS: usize = 6;
const MAX_WORD: usize = 60;

/// The whole text with what it is.
pub(super) fn told(teller: &Teller<'_>) -> (Phrase, WordsKind) {
    let empty = is_empty(teller);
    if let Some(unknown) = unknown(teller, empty) {
        return (unknown, WordsKind::NotInGraph);
    }
    if empty {
        return (nothing(teller).and_then(unplaced(teller)), WordsKind::Empty);
    }
    let confidence = teller.said.insight.map(Insight::confidence);
    // Words without a place are not in the query: the question would say more than the rows.
    let whole =
        teller.said.insight.is_none_or(|insight| insight.unused.is_empty() && insight.not_found.is_empty());
    let trusted = whole && confidence != Some(Confidence::Guess);
    let found = teller.found(trusted).capitalized();
    match confidence {
        Some(Confidence::Guess) => {
            (teller.phrase("guess", &[]).and_then(found).and_then(unplaced(teller)), WordsKind::Doubt)
        }
        Some(Confidence::Likely) => {
            (found.and_then(teller.phrase("likely", &[])).and_then(unplaced(teller)), WordsKind::Answer)
        }
        Some(Confidence::Sure) | None => (found.and_then(unplaced(teller)), WordsKind::Answer),
    }
}

/// Whether there is no row, or none with a value.
fn is_empty(teller: &Teller<'_>) -> bool {
    match &teller.said.answer.results {
        Results::Boolean(_) => false,
        Results::Graph(triples) => triples.is_empty(),
        Results::Solutions(solutions) => solutions.rows.iter().flatten().all(Option::is_none),
    }
}

fn nothing(teller: &Teller<'_>) -> Phrase {
    let reason = teller.said.empty.map(|reason| one_line(reason.trim(), MAX_REASON)).unwrap_or_default();
    if reason.is_empty() {
        return teller.phrase("empty", &[]);
    }
    let ends = reason.ends_with(['.', '!', '?', '…']);
    let reason = if ends { reason } else { format!("{reason}.") };
    teller.phrase("empty_because", &[("reason", reason.into())])
}

/// That the graph does not know a name, where the answer is nothing or a guess because of it.
fn unknown(teller: &Teller<'_>, empty: bool) -> Option<Phrase> {
    let insight = teller.said.insight?;
    let zero = teller.said.answer.is_zero_aggregate();
    let unknown: Vec<String> =
        insight.not_found.iter().filter(|name| !is_known(teller, name)).cloned().collect();
    (!unknown.is_empty() && (empty || zero || insight.confidence() == Confidence::Guess))
        .then(|| teller.phrase("unknown", &[("names", quoted(teller, &unknown))]))
}

/// Whether something in the graph has this name: a reading may also leave out a name that the graph knows.
fn is_known(teller: &Teller<'_>, name: &str) -> bool {
    let preferred = [teller.said.question.language.tag().to_owned()];
    let name = Question::read(name, &preferred);
    let found = mentions(&teller.said.dataset.index, &name).unwrap_or_default();
    found.iter().any(|mention| mention.is_same_name() && mention.span.len() == name.len())
}

/// Words that found no place; those of unknown names are among them.
fn unplaced(teller: &Teller<'_>) -> Phrase {
    let Some(insight) = teller.said.insight else { return Phrase::default() };
    let mut words: Vec<String> = insight.unused.clone();
    words.extend(insight.not_found.iter().filter(|name| !insight.unused.contains(name)).cloned());
    if words.is_empty() {
        Phrase::default()
    } else {
        teller.phrase("unplaced", &[("words", quoted(teller, &words))])
    }
}

fn quoted(teller: &Teller<'_>, words: &[String]) -> Phrase {
    let shown = words.iter().take(MAX_WORDS);
    let mut items = shown.map(|word| teller.phrase("quoted", &[("x", one_line(word, MAX_WORD).into())]));
    teller.list(&mut items)
}
