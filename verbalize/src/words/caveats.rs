//! What is said beside an answer: that nothing was found, that the graph does not know a name, how far it is to be believed,
//! which words found no place.

use super::Verbalizer;
use super::phrase::Phrase;
use eruca_api::{Confidence, WordsKind};
use eruca_planner::follow::dangling;
use eruca_planner::question::{ParsedQuestion, Word, WordKind};
use eruca_planner::{Right, mentions};
use eruca_sparql::{Results, one_line};

/// Characters of the reason why nothing was found.
const MAX_REASON: usize = 400;
/// Words of the question that are named one by one, and characters of each.
const MAX_WORDS: usize = 6;
const MAX_WORD: usize = 60;

/// The whole text with what it is.
pub(super) fn told(teller: &Verbalizer<'_>) -> (Phrase, WordsKind) {
    if let Some(reason) = teller.context.absence {
        return (teller.phrase("absent", &[("reason", sentence_of(reason).into())]), WordsKind::NotInGraph);
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

/// What was found, as far as it is to be believed.
fn believed(teller: &Verbalizer<'_>) -> (Phrase, WordsKind) {
    // What is told of names says itself whether they are those of the question.
    let insight = teller.context.insight.filter(|insight| insight.about.is_empty());
    let confidence = insight.map(|insight| insight.confidence);
    // Words without a place are not in the query: the question would say more than the rows.
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
        // What was left out says enough: such an answer is not called right.
        Some(Confidence::Likely) if unplaced.is_empty() => {
            (found.and_then(teller.phrase("likely", &[])), WordsKind::Answer)
        }
        _ => (found.and_then(unplaced), WordsKind::Answer),
    }
}

/// That the graph knows nothing about the words that say something, or that nothing was understood.
fn unread(teller: &Verbalizer<'_>) -> Phrase {
    let unused = teller.context.insight.map_or(&[][..], |insight| insight.unused.as_slice());
    let unknown: Vec<String> = unused.iter().filter(|word| !is_known(teller, word)).cloned().collect();
    match unknown.is_empty() {
        true => teller.phrase("not_understood", &[]),
        false => teller.phrase("unknown", &[("names", quoted(teller, &unknown))]),
    }
}

/// That nothing has the name of the question, and what has a name like it was taken for it.
fn misspelt(teller: &Verbalizer<'_>) -> Phrase {
    let Some(insight) = teller.context.insight else { return Phrase::default() };
    let because = insight.because.iter().filter(|because| because.part == "thing");
    let mut near = because.filter(|because| because.right == Right::Typo.key());
    let context = near.next().and_then(|near| Some((near.words.clone(), near.name.clone()?)));
    context.map_or_else(Phrase::default, |(words, name)| {
        teller.phrase("nearest", &[("x", words.into()), ("rows", name.into())])
    })
}

/// First of all that the graph does not know names of the question. What was found without them is told behind it as no more
/// than a guess, and only if the question names something else that was looked for.
fn without(teller: &Verbalizer<'_>, unknown: &[String], empty: bool) -> (Phrase, WordsKind) {
    let context = teller.phrase("unknown", &[("names", quoted(teller, unknown))]);
    if empty || teller.context.answer.is_zero_aggregate() || !remains(teller, unknown) {
        return (context.and_then(teller.oriented()), WordsKind::NotInGraph);
    }
    let found = teller.found(false).capitalized();
    let told = context.and_then(teller.phrase("guess", &[])).and_then(found);
    (told.and_then(unplaced(teller, unknown)), WordsKind::Doubt)
}

/// Whether the query holds a name or number of the question. A yes or no without a part of the question says nothing.
fn remains(teller: &Verbalizer<'_>, unknown: &[String]) -> bool {
    // What is asked for cannot be given without it.
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

/// Whether one of these is written as a name: of what the graph does not know, nothing else is shown.
fn has_name(teller: &Verbalizer<'_>, unknown: &[String]) -> bool {
    let named = |word: &&Word| word.kind >= WordKind::Name && is_part(&word.raw, unknown);
    teller.context.question.words.iter().any(|word| named(&word))
}

/// Whether a noun of the question is what a class or property of the query is called.
fn names_kind(teller: &Verbalizer<'_>) -> bool {
    let Some(insight) = teller.context.insight else { return false };
    let rights = [Right::Exact, Right::Lemma, Right::Translation].map(Right::key);
    insight.because.iter().any(|because| because.part == "term" && rights.contains(&&*because.right))
}

/// Whether a word is one of these names or a part of one.
fn is_part(word: &str, names: &[String]) -> bool {
    names.iter().any(|name| name == word || name.split_whitespace().any(|part| part == word))
}

/// Whether no word of the question that says something found a place: what was found only has a name like it.
fn is_unread(teller: &Verbalizer<'_>) -> bool {
    let says = |word: &&Word| word.kind > WordKind::Function;
    teller.context.insight.is_some_and(|insight| {
        let mut words = teller.context.question.words.iter().filter(says).peekable();
        insight.probability <= 0.0
            && words.peek().is_some()
            && words.all(|word| insight.unused.contains(&word.raw))
    })
}

/// Whether there is no row, or none with a value.
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

/// A reason with its full stop; nothing of nothing.
fn sentence_of(reason: &str) -> String {
    let reason = one_line(reason.trim(), MAX_REASON);
    if reason.is_empty() || reason.ends_with(['.', '!', '?', '…']) { reason } else { format!("{reason}.") }
}

/// The names of the question that the graph does not know; where there is no more than a guess, its nouns too.
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

/// Whether something in the graph has this name: a reading may also leave out a name that the graph knows.
fn is_known(teller: &Verbalizer<'_>, name: &str) -> bool {
    let preferred = [teller.context.question.language.tag().to_owned()];
    let name = ParsedQuestion::read(name, &preferred);
    let found = mentions(&teller.context.dataset.index, &name).unwrap_or_default();
    found.iter().any(|mention| mention.is_same_name() && mention.span.len() == name.len())
}

/// Words that found no place, but for names of which that is said already.
fn unplaced(teller: &Verbalizer<'_>, context: &[String]) -> Phrase {
    let Some(insight) = teller.context.insight else { return Phrase::default() };
    let mut words: Vec<String> = insight.unused.clone();
    words.extend(insight.not_found.iter().filter(|name| !insight.unused.contains(name)).cloned());
    words.retain(|word| !is_part(word, context));
    // What a pronoun stands for has to be told by whoever asks.
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
