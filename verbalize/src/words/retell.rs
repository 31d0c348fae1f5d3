//! Restates the question as a statement: "What is the capital of France?" and "Paris" become "The capital of France
//! is Paris". Only for whole, simple questions that match a pattern of the language pack; all others get a plain
//! form.

use super::Verbalizer;
use super::phrase::Phrase;
use eruca_language::{Cue, Retelling, RetoldForm, RetoldPart};
use eruca_planner::question::{ParsedQuestion, Span, Word, WordKind};

/// Maximum number of words of a question that is restated.
const MAX_WORDS: usize = 24;
/// Cues of questions that offer a choice or ask for more than one thing: restating them would be meaningless.
const NOT_SIMPLE: [Cue; 5] = [Cue::Or, Cue::Each, Cue::AsWell, Cue::OrderBy, Cue::Sorting];

/// Question words: after the opening they introduce a second question or a subordinate clause.
const ASKS: [Cue; 6] = [Cue::Which, Cue::Who, Cue::When, Cue::Where, Cue::HowMany, Cue::HowMuch];
/// Number of words that may precede the question word: "in which".
const OPENING: u16 = 3;

/// The values that fill a statement.
pub(super) struct FrameWords {
    /// The answer.
    pub value: Phrase,
    /// The answer as a count.
    pub number: Option<Phrase>,
}

/// Slot names of a pattern with the words they matched.
type Slots<'p> = Vec<(&'p str, Span)>;

/// Restates the question with its answer; `None` unless the result is certain to read well.
pub(super) fn retold(teller: &Verbalizer<'_>, form: RetoldForm, told: &FrameWords) -> Option<Phrase> {
    let question = teller.context.question;
    if !is_simple(question) {
        return None;
    }
    let fits = teller.language.retellings().iter().filter(|one| one.form == form);
    let (retelling, slots) = fits.filter_map(|one| Some((one, matched(question, one)?))).next()?;
    if form == RetoldForm::Many && !slots.first().is_some_and(|(_, span)| is_plural(question, *span)) {
        return None;
    }
    let sentence = retelling.sentence.as_ref()?;
    let mut values: Vec<(&str, Phrase)> =
        slots.iter().map(|(name, span)| (*name, Phrase::from(question.text_of(*span)))).collect();
    values.push(("value", told.value.clone()));
    values.push(("n", told.number.clone().unwrap_or_default()));
    let needs_number = sentence.slots().any(|slot| slot == "n");
    let enough = !needs_number || told.number.is_some();
    enough.then(|| Phrase::filled(sentence, &values).then(Phrase::from(".")))
}

/// Whether the question is one short sentence asking for one thing.
fn is_simple(question: &ParsedQuestion) -> bool {
    let parted = question.words.iter().skip(1).any(|word| word.broken.is_some());
    !parted
        && question.len() <= MAX_WORDS
        && question.quotes.is_empty()
        && !question
            .cues
            .iter()
            .any(|cue| NOT_SIMPLE.contains(&cue.cue) || cue.span.from >= OPENING && ASKS.contains(&cue.cue))
}

/// Matches a pattern against the whole question; earlier slots are as short as possible.
fn matched<'p>(question: &ParsedQuestion, retelling: &'p Retelling) -> Option<Slots<'p>> {
    let mut slots = Slots::new();
    fits(&question.words, 0, &retelling.pattern, &mut slots).then_some(slots)
}

fn fits<'p>(words: &[Word], at: usize, pattern: &'p [RetoldPart], slots: &mut Slots<'p>) -> bool {
    let Some((first, rest)) = pattern.split_first() else { return at == words.len() };
    match first {
        RetoldPart::Words(choice) => {
            let here = words.get(at).is_some_and(|word| choice.contains(&word.folded));
            here && fits(words, at + 1, rest, slots)
        }
        RetoldPart::Slot(name) => (at + 1..=words.len()).any(|end| {
            slots.push((name, Span::new(at, end)));
            fits(words, end, rest, slots) || {
                slots.pop();
                false
            }
        }),
    }
}

/// Whether the head noun of a phrase is plural, taking the last word of the leading noun sequence.
fn is_plural(question: &ParsedQuestion, span: Span) -> bool {
    let words = question.words_of(span);
    let nouns = words.iter().take_while(|word| word.kind == WordKind::Noun);
    nouns
        .last()
        .is_some_and(|noun| noun.norm != noun.folded || question.language.base(&noun.folded) != noun.folded)
}
