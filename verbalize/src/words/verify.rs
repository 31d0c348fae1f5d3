//! Checks whether the names and numbers in a model's text occur in the rows or in the question. Names are detected
//! heuristically as capitalized words that no language pack knows. False positives are preferred to false negatives.

use super::Verbalizer;
use super::model::MAX_ROWS;
use eruca_language::Language;
use eruca_language::text::{fold, normalize_word};
use eruca_sparql::{Results, Term, Triple, local_name, triple_terms};
use std::collections::{BTreeMap, HashSet};

/// Maximum number of names and numbers listed.
const MAX_LISTED: usize = 20;
/// Relative tolerance within which two numbers are equal.
const SAME: f64 = 1e-9;

/// The words and numbers that a text may contain.
pub(super) struct SayableFacts {
    language: &'static Language,
    words: HashSet<String>,
    numbers: Vec<f64>,
}

/// A word or number of a text.
struct TextToken<'t> {
    text: &'t str,
    from: usize,
    to: usize,
    /// Whether it starts a sentence.
    first: bool,
}

impl SayableFacts {
    /// No facts: every name and number is then unverified.
    pub fn none(teller: &Verbalizer<'_>) -> Self {
        Self { language: teller.language, words: HashSet::new(), numbers: Vec::new() }
    }

    /// The same with the names and values of triples.
    #[must_use]
    pub fn with_triples(mut self, triples: &[Triple], names: &BTreeMap<String, String>) -> Self {
        for term in triples.iter().flat_map(triple_terms) {
            match &term {
                Term::NamedNode(node) => {
                    let name = names.get(node.as_str()).map(String::as_str);
                    self.add(name.unwrap_or_else(|| local_name(node.as_str())));
                }
                Term::Literal(literal) => {
                    self.add(literal.value());
                    self.numbers.extend(literal.value().parse::<f64>());
                }
                Term::BlankNode(_) => {}
            }
        }
        self
    }

    /// Collects everything the model saw, including the question.
    pub fn of(teller: &Verbalizer<'_>) -> Self {
        let mut found = Self::none(teller);
        found.add(&teller.context.question.text);
        found.numbers.extend(teller.context.question.numerals.iter().map(|numeral| numeral.value));
        for column in teller.context.columns {
            found.add(&column.title);
            found.add(column.unit.as_deref().unwrap_or_default());
        }
        if teller.context.computed.is_some() {
            found.add(&super::caveats::told(teller).0.text());
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
            // "1867-11-07" also contributes the year, month and day.
            let digits =
                token.text.split(|c: char| !c.is_ascii_digit()).filter_map(|run| run.parse::<f64>().ok());
            self.numbers.extend(digits);
            self.words.extend(forms(self.language, token.text));
        }
    }

    /// Names and numbers of a text that are not supported, without duplicates.
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

    /// The number of words in the name that starts here, and whether any of them is unknown.
    fn name(&self, tokens: &[TextToken<'_>]) -> (usize, bool) {
        let is_doubtful = |token: &TextToken<'_>| {
            token.text.starts_with(char::is_uppercase) && !self.has_word(token.text) && !self.is_common(token)
        };
        match tokens.iter().take_while(|token| is_doubtful(token)).count() {
            0 => (1, false),
            // A name does not cross a sentence boundary.
            count => (1 + tokens.iter().take(count).skip(1).take_while(|token| !token.first).count(), true),
        }
    }

    fn has_word(&self, word: &str) -> bool {
        forms(self.language, word).iter().any(|form| self.words.contains(form))
    }

    /// Whether the word is an ordinary word of the language, capitalized only because it starts a sentence or is a
    /// noun.
    fn is_common(&self, token: &TextToken<'_>) -> bool {
        let folded = fold(token.text);
        let capital_says_nothing = token.first || self.language.has_noun_capitals();
        let known = self.language.is_function_word(&folded)
            || self.language.number(&folded).is_some()
            || self.language.scale(&folded).is_some()
            || self.language.month(&folded).is_some();
        known || capital_says_nothing && self.language.knows(&normalize_word(&folded))
    }

    /// Whether a number was seen, either exactly or rounded to the written precision: "83.2 million".
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

    /// Parses a number with the separators of the language.
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

/// The forms used to match a word: as written, singular, stemmed.
fn forms(language: &Language, word: &str) -> [String; 4] {
    let folded = fold(word.trim_end_matches("'s").trim_end_matches("’s"));
    let norm = normalize_word(&folded);
    [language.base(&folded), language.stem(&folded), norm, folded]
}

/// Splits a text into words and numbers; separators within a number belong to it.
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
        // Some languages group digits with narrow spaces.
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
