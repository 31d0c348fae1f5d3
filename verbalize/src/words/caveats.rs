//! Caveats around an answer: no results, names that the graph does not know, the level of confidence, unused words of
//! the question.

use super::Verbalizer;
use super::computed;
use super::phrase::Phrase;
use eruca_api::{Confidence, WordsKind};
use eruca_planner::follow::dangling;
use eruca_planner::question::{ParsedQuestion, Word, WordKind};
use eruca_planner::{Grounds, mentions};
use eruca_sparql::{Results, one_line};

/// Maximum length, in characters, of the reason for an empty result.
const MAX_REASON: usize = 400;
/// Maximum number of question words that are listed, and the maximum length of each in characters.
const MAX_WORDS: usize = 6;
const MAX_WORD: usize = 60;

/// The complete text and its kind.
pub(super) fn told(teller: &Verbalizer<'_>) -> (Phrase, WordsKind) {
    if let Some(reason) = teller.context.absence {
        return (teller.phrase("absent", &[("reason", sentence_of(reason).into())]), WordsKind::NotInGraph);
    }
    if let Some(result) = teller.context.computed {
        return computed::told(teller, result);
    }
    if teller.context.orientation.is_some_and(|orientation| orientation.wanted) {
        return (teller.oriented(), WordsKind::Answer);
    }
    let empty = is_empty(teller);
    let unknown = unknown(teller, empty);
    if !unknown.is_empty() {
        return without(teller, &unknown, empty);
    }
    if is_unread(teller) && empty {
        return (unread(teller).and_then(teller.oriented()), WordsKind::NotInGraph);
    }
    if empty {
        return (nothing(teller).and_then(unplaced(teller, &[])), WordsKind::Empty);
    }
    if is_unread(teller) {
        let found = teller.phrase("unread", &[("value", teller.values())]);
        return (found.and_then(unplaced(teller, &[])).and_then(teller.oriented()), WordsKind::Doubt);
    }
    believed(teller)
}

/// The result, worded according to its confidence.
fn believed(teller: &Verbalizer<'_>) -> (Phrase, WordsKind) {
    // Entity cards already say whether the names match those of the question.
    let insight = teller.context.insight.filter(|insight| insight.about.is_empty());
    let confidence = insight.map(|insight| insight.confidence);
    // Unused words are not in the query, so restating the question would claim more than the rows show.
    let whole = teller
        .context
        .insight
        .is_none_or(|insight| insight.unused.is_empty() && insight.not_found.is_empty());
    let trusted = whole && confidence != Some(Confidence::Guess);
    let found = teller.found(trusted).capitalized();
    let unplaced = unplaced(teller, &[]);
    match confidence {
        Some(Confidence::Guess) => {
            let guessed = teller.phrase("guess", &[]).and_then(found).and_then(unplaced);
            (misspelt(teller).and_then(guessed), WordsKind::Doubt)
        }
        // With unused words, the caveat about them is enough; the answer is not called likely as well.
        Some(Confidence::Likely) if unplaced.is_empty() => {
            (found.and_then(teller.phrase("likely", &[])), WordsKind::Answer)
        }
        _ => (found.and_then(unplaced), WordsKind::Answer),
    }
}

/// Says that the graph does not know the content words, or that nothing was understood.
fn unread(teller: &Verbalizer<'_>) -> Phrase {
    let unused = teller.context.insight.map_or(&[][..], |insight| insight.unused.as_slice());
    let unknown: Vec<String> = unused.iter().filter(|word| !is_known(teller, word)).cloned().collect();
    match unknown.is_empty() {
        true => teller.phrase("not_understood", &[]),
        false => teller.phrase("unknown", &[("names", quoted(teller, &unknown))]),
    }
}

/// Says that nothing has the name in the question, and that a similar name was used instead.
fn misspelt(teller: &Verbalizer<'_>) -> Phrase {
    let Some(insight) = teller.context.insight else { return Phrase::default() };
    let because = insight.because.iter().filter(|because| because.part == "thing");
    let mut near = because.filter(|because| because.right == Grounds::Typo.key());
    let context = near.next().and_then(|near| Some((near.words.clone(), near.name.clone()?)));
    context.map_or_else(Phrase::default, |(words, name)| {
        teller.phrase("nearest", &[("x", words.into()), ("rows", name.into())])
    })
}

/// Starts by saying which names of the question the graph does not know. Results found without them follow as a
/// guess, and only if the query uses another name or number of the question.
fn without(teller: &Verbalizer<'_>, unknown: &[String], empty: bool) -> (Phrase, WordsKind) {
    let context = teller.phrase("unknown", &[("names", quoted(teller, unknown))]);
    if empty || teller.context.answer.is_zero_aggregate() || !remains(teller, unknown) {
        return (context.and_then(teller.oriented()), WordsKind::NotInGraph);
    }
    let found = teller.found(false).capitalized();
    let told = context.and_then(teller.phrase("guess", &[])).and_then(found);
    (told.and_then(unplaced(teller, unknown)), WordsKind::Doubt)
}

/// Whether the query still uses a name or number of the question. An ASK result that ignores part of the question is
/// useless.
fn remains(teller: &Verbalizer<'_>, unknown: &[String]) -> bool {
    // If the noun that is asked for is unknown, there is no answer.
    let question = teller.context.question;
    let asked = question.asked_noun().and_then(|at| question.word(at));
    if asked.is_some_and(|word| is_part(&word.raw, unknown)) {
        return false;
    }
    if matches!(teller.context.answer.results, Results::Boolean(_)) {
        return false;
    }
    let used =
        |word: &Word| teller.context.insight.is_some_and(|insight| !insight.unused.contains(&word.raw));
    let anchors = |word: &&Word| word.kind >= WordKind::Number && !is_part(&word.raw, unknown);
    teller.context.question.words.iter().filter(anchors).any(used)
        || !has_name(teller, unknown) && names_kind(teller)
}

/// Whether one of the unknown words is a proper name. In that case a matching class or property alone is not enough.
fn has_name(teller: &Verbalizer<'_>, unknown: &[String]) -> bool {
    let named = |word: &&Word| word.kind >= WordKind::Name && is_part(&word.raw, unknown);
    teller.context.question.words.iter().any(|word| named(&word))
}

/// Whether a noun of the question matches the name of a class or property in the query.
fn names_kind(teller: &Verbalizer<'_>) -> bool {
    let Some(insight) = teller.context.insight else { return false };
    let rights = [Grounds::Exact, Grounds::Lemma, Grounds::Translation].map(Grounds::key);
    insight.because.iter().any(|because| because.part == "term" && rights.contains(&&*because.right))
}

/// Whether a word is one of the names, or a word within one.
fn is_part(word: &str, names: &[String]) -> bool {
    names.iter().any(|name| name == word || name.split_whitespace().any(|part| part == word))
}

/// Whether none of the content words was used, so that the results only have a similar name.
fn is_unread(teller: &Verbalizer<'_>) -> bool {
    let says = |word: &&Word| word.kind > WordKind::Function;
    teller.context.insight.is_some_and(|insight| {
        let mut words = teller.context.question.words.iter().filter(says).peekable();
        insight.probability <= 0.0
            && words.peek().is_some()
            && words.all(|word| insight.unused.contains(&word.raw))
    })
}

/// Whether there are no rows, or no bound values.
fn is_empty(teller: &Verbalizer<'_>) -> bool {
    match &teller.context.answer.results {
        Results::Boolean(_) => false,
        Results::Graph(triples) => triples.is_empty(),
        Results::Solutions(solutions) => solutions.rows.iter().flatten().all(Option::is_none),
    }
}

fn nothing(teller: &Verbalizer<'_>) -> Phrase {
    let reason = teller.context.empty.map(sentence_of).unwrap_or_default();
    if reason.is_empty() {
        return teller.phrase("empty", &[]);
    }
    teller.phrase("empty_because", &[("reason", reason.into())])
}

/// A reason with a final full stop; an empty reason stays empty.
fn sentence_of(reason: &str) -> String {
    let reason = one_line(reason.trim(), MAX_REASON);
    if reason.is_empty() || reason.ends_with(['.', '!', '?', '…']) { reason } else { format!("{reason}.") }
}

/// Names of the question that the graph does not know; also its nouns if the answer is no more than a guess.
fn unknown(teller: &Verbalizer<'_>, empty: bool) -> Vec<String> {
    let Some(insight) = teller.context.insight else { return Vec::new() };
    let doubted =
        empty || teller.context.answer.is_zero_aggregate() || insight.confidence == Confidence::Guess;
    let is_name = |text: &String| {
        let parts = |word: &&Word| is_part(&word.raw, std::slice::from_ref(text));
        teller.context.question.words.iter().filter(parts).any(|word| word.kind >= WordKind::Name)
    };
    let missing = insight.not_found.iter().filter(|name| doubted || is_name(name));
    missing.filter(|name| !is_known(teller, name)).cloned().collect()
}

/// Whether the graph has an entity with this name. A reading may leave out names that the graph does know.
fn is_known(teller: &Verbalizer<'_>, name: &str) -> bool {
    let preferred = [teller.context.question.language.tag().to_owned()];
    let name = ParsedQuestion::read(name, &preferred);
    let found = mentions(&teller.context.dataset.index, &name).unwrap_or_default();
    found.iter().any(|mention| mention.is_same_name() && mention.span.len() == name.len())
}

/// Words that were not used, except names that were already reported as unknown.
fn unplaced(teller: &Verbalizer<'_>, context: &[String]) -> Phrase {
    let Some(insight) = teller.context.insight else { return Phrase::default() };
    let mut words: Vec<String> = insight.unused.clone();
    words.extend(insight.not_found.iter().filter(|name| !insight.unused.contains(name)).cloned());
    words.retain(|word| !is_part(word, context));
    // Only the user can say what an unresolved pronoun refers to.
    let unclear = dangling(teller.context.question).filter(|word| words.contains(word));
    words.retain(|word| Some(word) != unclear.as_ref());
    let pronoun = unclear.map(|word| teller.phrase("unclear", &[("words", quoted(teller, &[word]))]));
    let unplaced =
        (!words.is_empty()).then(|| teller.phrase("unplaced", &[("words", quoted(teller, &words))]));
    pronoun.unwrap_or_default().and_then(unplaced.unwrap_or_default())
}

fn quoted(teller: &Verbalizer<'_>, words: &[String]) -> Phrase {
    let shown = words.iter().take(MAX_WORDS);
    let mut items = shown.map(|word| teller.phrase("quoted", &[("x", one_line(word, MAX_WORD).into())]));
    teller.list(&mut items)
}
