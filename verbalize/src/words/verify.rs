//! Whether the names and numbers of a model's text are in the rows, or in the question. What a name is can only be told
//! roughly: words with a capital that no pack knows. It is better to mark one too many than one too few.

use super::Verbalizer;
use super::model::MAX_ROWS;
use eruca_language::Language;
use eruca_language::text::{fold, normalize_word};
use eruca_sparql::{Results, Term};
use std::collections::HashSet;

/// Names and numbers listed at most.
const MAX_LISTED: usize = 20;
/// How far two numbers may be apart, in parts of the larger one, to be the same when one is rounded.
const SAME: f64 = 1e-9;

/// What a text may say.
pub(super) struct SayableFacts {
    language: &'static Language,
    words: HashSet<String>,
    numbers: Vec<f64>,
}

/// A word of a text, or a number.
struct TextToken<'t> {
    text: &'t str,
    from: usize,
    to: usize,
    /// It begins a sentence.
    first: bool,
}

impl SayableFacts {
    /// All that the model saw, and the question.
    pub fn of(teller: &Verbalizer<'_>) -> Self {
        let mut found = Self { language: teller.language, words: HashSet::new(), numbers: Vec::new() };
        found.add(&teller.context.question.text);
        found.numbers.extend(teller.context.question.numerals.iter().map(|numeral| numeral.value));
        for column in teller.context.columns {
            found.add(&column.title);
            found.add(column.unit.as_deref().unwrap_or_default());
        }
        let Results::Solutions(solutions) = &teller.context.answer.results else { return found };
        found.numbers.push(solutions.rows.len() as f64);
        found.numbers.push(solutions.rows.len().min(MAX_ROWS) as f64);
        for row in solutions.rows.iter().take(MAX_ROWS) {
            for (at, term) in row.iter().enumerate() {
                found.add(&teller.cell(teller.context.columns.get(at), term.as_ref(), usize::MAX).text());
                if let Some(Term::Literal(literal)) = term {
                    found.add(literal.value());
                    found.numbers.extend(literal.value().parse::<f64>());
                }
            }
        }
        found
    }

    fn add(&mut self, text: &str) {
        for token in tokens(text) {
            if let Some(number) = self.number(token.text) {
                self.numbers.push(number);
            }
            // "1867-11-07" holds a year, a month and a day.
            let digits =
                token.text.split(|c: char| !c.is_ascii_digit()).filter_map(|run| run.parse::<f64>().ok());
            self.numbers.extend(digits);
            self.words.extend(forms(self.language, token.text));
        }
    }

    /// Names and numbers of a text that are in none of it, each once.
    pub fn unverified(&self, text: &str) -> Vec<String> {
        let tokens: Vec<TextToken<'_>> = tokens(text).collect();
        let mut found: Vec<String> = Vec::new();
        let mut at = 0;
        while let Some(token) = tokens.get(at) {
            let (length, doubtful) = match token.text.chars().any(|c| c.is_ascii_digit()) {
                true => (1, !self.has_number(token, tokens.get(at + 1))),
                false => self.name(tokens.get(at..).unwrap_or_default()),
            };
            let end = tokens.get(at + length - 1).map_or(token.to, |last| last.to);
            let written = text.get(token.from..end).unwrap_or_default().to_owned();
            if doubtful && !found.contains(&written) && found.len() < MAX_LISTED {
                found.push(written);
            }
            at += length;
        }
        found
    }

    /// How many words belong to the name that begins here, and whether one of them is unknown.
    fn name(&self, tokens: &[TextToken<'_>]) -> (usize, bool) {
        let is_doubtful = |token: &TextToken<'_>| {
            token.text.starts_with(char::is_uppercase) && !self.has_word(token.text) && !self.is_common(token)
        };
        match tokens.iter().take_while(|token| is_doubtful(token)).count() {
            0 => (1, false),
            // A name does not go beyond its sentence.
            count => (1 + tokens.iter().take(count).skip(1).take_while(|token| !token.first).count(), true),
        }
    }

    fn has_word(&self, word: &str) -> bool {
        forms(self.language, word).iter().any(|form| self.words.contains(form))
    }

    /// A word of the language that has its capital from the beginning of a sentence, or from being a noun.
    fn is_common(&self, token: &TextToken<'_>) -> bool {
        let folded = fold(token.text);
        let capital_says_nothing = token.first || self.language.has_noun_capitals();
        let known = self.language.is_function_word(&folded)
            || self.language.number(&folded).is_some()
            || self.language.scale(&folded).is_some()
            || self.language.month(&folded).is_some();
        known || capital_says_nothing && self.language.knows(&normalize_word(&folded))
    }

    /// Whether a number is one of those that were seen, as it is or rounded as it is written: "83.2 million".
    fn has_number(&self, token: &TextToken<'_>, next: Option<&TextToken<'_>>) -> bool {
        let Some(number) = self.number(token.text) else { return self.has_word(token.text) };
        let scale = next.and_then(|word| self.language.scale(&fold(word.text))).unwrap_or(1.0);
        let step = scale / 10_f64.powi(self.decimals(token.text));
        let same = |known: &f64| {
            let apart = (known - number * scale).abs();
            let rounds = scale > 1.0 || self.decimals(token.text) > 0;
            apart <= SAME * known.abs().max(1.0) || rounds && apart <= step / 2.0
        };
        self.numbers.iter().any(same)
    }

    /// The number that a text is, by the marks of the language.
    fn number(&self, text: &str) -> Option<f64> {
        let digits: String = text
            .chars()
            .filter(|c| !self.language.is_thousands_mark(*c) && !c.is_whitespace())
            .map(|c| if self.language.is_decimal_mark(c) { '.' } else { c })
            .collect();
        digits.parse().ok()
    }

    fn decimals(&self, text: &str) -> i32 {
        let behind =
            text.rsplit_once(|c| self.language.is_decimal_mark(c) && !self.language.is_thousands_mark(c));
        behind.map_or(0, |(_, decimals)| i32::try_from(decimals.len()).unwrap_or(0))
    }
}

/// The forms by which a word is known again: as written, singular, without endings.
fn forms(language: &Language, word: &str) -> [String; 4] {
    let folded = fold(word.trim_end_matches("'s").trim_end_matches("’s"));
    let norm = normalize_word(&folded);
    [language.base(&folded), language.stem(&folded), norm, folded]
}

/// The words and numbers of a text; marks within a number belong to it.
fn tokens(text: &str) -> impl Iterator<Item = TextToken<'_>> {
    let mut from = 0;
    let mut found: Vec<TextToken<'_>> = Vec::new();
    let mut first = true;
    while let Some(start) =
        text.get(from..).and_then(|rest| rest.find(char::is_alphanumeric)).map(|at| from + at)
    {
        let between = text.get(from..start).unwrap_or_default();
        first |= between.contains(['.', '!', '?', ':', '\n']) && !found.is_empty();
        let end = end_of(text, start);
        found.push(TextToken { text: text.get(start..end).unwrap_or_default(), from: start, to: end, first });
        first = false;
        from = end;
    }
    found.into_iter()
}

fn end_of(text: &str, start: usize) -> usize {
    let rest = text.get(start..).unwrap_or_default();
    let is_number = rest.starts_with(|c: char| c.is_ascii_digit());
    let mut end = 0;
    let mut chars = rest.char_indices().peekable();
    while let Some((at, c)) = chars.next() {
        let next = chars.peek().map(|(_, next)| *next);
        // Narrow spaces group digits in some languages.
        let mark = matches!(c, '.' | ',' | '\'' | '’' | '\u{a0}' | '\u{202f}');
        let inside = match is_number {
            true => c.is_alphanumeric() || mark && next.is_some_and(|next| next.is_ascii_digit()),
            false => {
                c.is_alphanumeric() || matches!(c, '\'' | '’') && next.is_some_and(char::is_alphanumeric)
            }
        };
        if !inside {
            break;
        }
        end = at + c.len_utf8();
    }
    start + end
}
