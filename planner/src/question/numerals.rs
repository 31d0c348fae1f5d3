//! Numbers and ordinals, in digits and in words.

use super::{Numeral, Ordinal, ParsedQuestion, Span, quotes};
use eruca_language::Language;

/// Maximum number of digits of a number; longer ones are codes.
const MAX_DIGITS: usize = 15;
/// Maximum number of words in a number word: "treinta y cinco".
const MAX_PHRASE: usize = 3;
/// Above this, a double no longer represents every integer exactly.
const EXACT: f64 = 1e15;
/// Smaller numbers are added to hundreds, and multiplied by larger scales.
const HUNDRED: f64 = 100.0;

/// The numbers of a question, in order.
pub(super) fn find(question: &ParsedQuestion) -> Vec<Numeral> {
    let mut found = Vec::new();
    let mut at = 0;
    while at < question.len() {
        match read(question, at).filter(|_| !quotes::holds(question, at)) {
            Some(numeral) => {
                at = usize::from(numeral.span.to);
                found.push(numeral);
            }
            None => at += 1,
        }
    }
    found
}

/// The ordinals, in order.
pub(super) fn ordinals(question: &ParsedQuestion) -> Vec<Ordinal> {
    let place = |at: usize| {
        let word = question.words.get(at).filter(|_| !quotes::holds(question, at))?;
        let place = question.language.ordinal(&word.folded).or_else(|| dotted(question, at))?;
        Some(Ordinal { span: Span::new(at, at + 1), place })
    };
    (0..question.len()).filter_map(place).collect()
}

/// "3. Platz": a period that does not end a sentence.
fn dotted(question: &ParsedQuestion, at: usize) -> Option<u32> {
    let word = question.words.get(at)?;
    let next = question.words.get(at + 1)?;
    let between = question.text.get(word.bytes.1..next.bytes.0)?;
    let is_ordinal = question.language.has_dotted_ordinals() && between.trim() == "." && between.len() > 1;
    (is_ordinal && word.raw.len() <= 2).then(|| word.raw.parse().ok()).flatten()
}

/// The number that starts at a word.
fn read(question: &ParsedQuestion, from: usize) -> Option<Numeral> {
    if dotted(question, from).is_some() {
        return None;
    }
    let (value, to) = match digits(question, from) {
        Some(value) => scaled(question, value, from + 1),
        None => spelled(question, from)?,
    };
    let (percent, to) = percent(question, to);
    Some(Numeral { span: Span::new(from, to), value, text: text(value), percent })
}

fn text(value: f64) -> String {
    match value.fract() == 0.0 && value.abs() < EXACT {
        true => format!("{value:.0}"),
        false => format!("{value}"),
    }
}

/// The value of a word in digits, by the separators of the language.
fn digits(question: &ParsedQuestion, at: usize) -> Option<f64> {
    parse(question.language, &question.words.get(at)?.raw)
}

fn parse(language: &Language, raw: &str) -> Option<f64> {
    let digits = raw.chars().filter(char::is_ascii_digit).count();
    if digits == 0 || digits > MAX_DIGITS || raw.starts_with(|c: char| !c.is_ascii_digit()) {
        return None;
    }
    let groups: Vec<&str> = raw.split(|c: char| language.is_thousands_mark(c)).collect();
    let (first, rest) = groups.split_first()?;
    let grouped = first.len() <= 3
        && rest.iter().enumerate().all(|(at, group)| is_group(language, group, at + 1 == rest.len()));
    let plain: String = match grouped {
        true => groups.concat(),
        false => raw.to_owned(),
    };
    let plain: String = plain.chars().map(|c| if language.is_decimal_mark(c) { '.' } else { c }).collect();
    plain.parse().ok()
}

/// Exactly three digits; decimals may follow the last group.
fn is_group(language: &Language, group: &str, last: bool) -> bool {
    let whole = match last {
        true => group.split(|c: char| language.is_decimal_mark(c)).next().unwrap_or(group),
        false => group,
    };
    whole.len() == 3 && whole.chars().all(|c| c.is_ascii_digit())
}

/// "5 million", "mil millones": the multiplier follows the number.
fn scaled(question: &ParsedQuestion, mut value: f64, mut at: usize) -> (f64, usize) {
    while let Some((scale, to)) = scale(question, at) {
        value *= scale;
        at = to;
    }
    (value, at)
}

fn scale(question: &ParsedQuestion, at: usize) -> Option<(f64, usize)> {
    // A single letter is case-sensitive, as in the pack.
    let raw = &question.words.get(at).filter(|word| word.broken.is_none())?.raw;
    question.language.scale(raw).map(|scale| (scale, at + 1))
}

/// "two hundred and fifty thousand", and a scale alone: "a million".
fn spelled(question: &ParsedQuestion, from: usize) -> Option<(f64, usize)> {
    let (mut total, mut group, mut at) = (0.0, None::<f64>, from);
    loop {
        if let Some((value, to)) = next_number(question, group, at) {
            group = Some(group.unwrap_or(0.0) + value);
            at = to;
        } else if let Some((scale, to)) =
            scale(question, at).filter(|_| group.is_some() || is_long(question, at))
        {
            let scaled_group = group.unwrap_or(1.0) * scale;
            (group, at) = (Some(scaled_group).filter(|_| scale <= HUNDRED), to);
            if group.is_none() {
                let (whole, to) = scaled(question, scaled_group, at);
                total += whole;
                at = to;
            }
        } else {
            break;
        }
    }
    (at > from).then(|| (total + group.unwrap_or(0.0), at))
}

/// The number word that continues a number, possibly after a joining word: "two hundred and fifty", but not "one hundred and two
/// hundred".
fn next_number(question: &ParsedQuestion, group: Option<f64>, at: usize) -> Option<(f64, usize)> {
    let joins = question.words.get(at).is_some_and(|word| question.language.joins_numbers(&word.folded));
    let joined = joins && group.is_some_and(|group| group >= HUNDRED);
    let (value, to) = word_number(question, at + usize::from(joined))?;
    let another = joined && scale(question, to).is_some_and(|(scale, _)| scale <= HUNDRED);
    (adds(group, value) && !another).then_some((value, to))
}

/// A single-letter scale needs a number before it.
fn is_long(question: &ParsedQuestion, at: usize) -> bool {
    question.words.get(at).is_some_and(|word| word.raw.chars().count() > 2)
}

/// The number of the longest number phrase at a word.
fn word_number(question: &ParsedQuestion, at: usize) -> Option<(f64, usize)> {
    (1..=MAX_PHRASE).rev().find_map(|length| {
        let span = Span::new(at, at + length);
        let words = question.words_of(span);
        let phrase: Vec<&str> = words.iter().map(|word| word.folded.as_str()).collect();
        let value = question.language.number(&phrase.join(" ")).filter(|_| !question.is_broken(span))?;
        Some((value, at + length))
    })
}

/// Whether a number continues: twenty-five, two hundred twelve; not "two three".
fn adds(group: Option<f64>, value: f64) -> bool {
    match group {
        None => true,
        Some(group) if group >= HUNDRED => group % HUNDRED == 0.0 && value < HUNDRED,
        Some(group) => group >= 20.0 && group % 10.0 == 0.0 && value < 10.0,
    }
}

/// Whether a percent sign or word follows, and the position after it.
fn percent(question: &ParsedQuestion, at: usize) -> (bool, usize) {
    let end = at.checked_sub(1).and_then(|last| question.words.get(last)).map_or(0, |last| last.bytes.1);
    if question.text.get(end..).unwrap_or_default().trim_start().starts_with('%') {
        return (true, at);
    }
    let said = (1..=2).rev().find(|length| {
        let words = question.words.get(at..at + length).unwrap_or_default();
        let phrase: Vec<&str> = words.iter().map(|word| word.folded.as_str()).collect();
        !phrase.is_empty() && question.language.is_percent(&phrase.join(" "))
    });
    (said.is_some(), at + said.unwrap_or(0))
}
