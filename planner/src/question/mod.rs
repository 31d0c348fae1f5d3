//! The question, read once: its words, numbers, times, quotations, and what the language pack says about them.
//!
//! Positions are counted in words, from 0; a [`Span`] is a run of words. Knows languages, and nothing of graphs.

mod arrange;
mod form;
mod grades;
mod kinds;
mod numerals;
mod particles;
mod periods;
mod quotes;
mod span;
#[cfg(test)]
mod tests;
mod time;
mod titles;
mod words;

pub use span::Span;
pub use time::{Day, Precision};
pub use words::MAX_WORDS;

use eruca_language::{Cue, Grade, Language, POSSESSIVE, Role, detect_among, neutral};

/// Maximum number of characters read.
const MAX_CHARS: usize = 1_200;
/// Maximum number of words in a cue phrase.
const MAX_CUE_WORDS: usize = 8;

/// A word of the question.
#[derive(Debug, Clone, PartialEq)]
pub struct Word {
    /// As written.
    pub raw: String,
    /// Folded: no case, no diacritics.
    pub folded: String,
    /// Folded and singular, as in the indexes.
    pub norm: String,
    /// The common stem of its word family.
    pub stem: String,
    /// Byte range in the text of the question.
    pub bytes: (usize, usize),
    /// How much it matters.
    pub kind: WordKind,
    /// Punctuation before it.
    pub broken: Option<char>,
    /// Whether it is written as a name: capitalized, and not because of a sentence start or a capitalized common noun.
    pub capital: bool,
}

/// How much a word matters when it is unused, from little to much; a rough guess.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum WordKind {
    /// A function word.
    Function,
    /// A verb.
    Verb,
    /// Anything else.
    Noun,
    /// A number, an ordinal, a date.
    Number,
    /// Written as a name.
    Name,
    /// A word in quotation marks.
    Quoted,
}

/// A number.
#[derive(Debug, Clone, PartialEq)]
pub struct Numeral {
    /// Its words.
    pub span: Span,
    /// The number.
    pub value: f64,
    /// As SPARQL writes it: `5000000`, `1.5`.
    pub text: String,
    /// Whether it is a percentage.
    pub percent: bool,
}

/// An ordinal: "third".
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Ordinal {
    /// Its words.
    pub span: Span,
    /// 1 is the first.
    pub place: u32,
}

/// A period of time.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Period {
    /// Its words.
    pub span: Span,
    /// Its first day.
    pub from: Day,
    /// Its last day.
    pub to: Day,
    /// Its precision.
    pub grain: Precision,
}

/// A text in quotation marks.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Quote {
    /// The words inside.
    pub span: Span,
    /// The text inside.
    pub text: String,
}

/// A phrase that determines the form of the question.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CueAt {
    /// The phrase.
    pub span: Span,
    /// Its meaning.
    pub cue: Cue,
}

/// A gradable adjective, with the word that forms its degree: "most expensive".
#[derive(Debug, Clone, PartialEq)]
pub struct GradeAt {
    /// Its words.
    pub span: Span,
    /// What it grades.
    pub grade: Grade,
}

/// The question as words, with everything its language knows about them.
#[derive(Debug, Clone)]
pub struct ParsedQuestion {
    /// The part of the text that was read.
    pub text: String,
    /// Whether the text was longer.
    pub cut: bool,
    /// Its language.
    pub language: &'static Language,
    /// Its words.
    pub words: Vec<Word>,
    /// Its numbers, in order.
    pub numerals: Vec<Numeral>,
    /// Its ordinals, in order.
    pub ordinals: Vec<Ordinal>,
    /// Its times, in order.
    pub periods: Vec<Period>,
    /// Its quotations, in order.
    pub quotes: Vec<Quote>,
    /// All cue phrases, including overlapping ones, by their first word, longest first.
    pub cues: Vec<CueAt>,
    /// Its gradable adjectives, in order.
    pub grades: Vec<GradeAt>,
}

impl ParsedQuestion {
    /// Reads a question. Among equally likely languages, the first preferred one is chosen.
    pub fn read(given: &str, preferred: &[String]) -> Self {
        let text: String = given.chars().take(MAX_CHARS).collect();
        let language = detect_among(&text, preferred).unwrap_or_else(|| neutral(""));
        let cut = has_words(given.get(text.len()..));
        let quoted = quotes::find(&text);
        let (text, quoted, places) = match arrange::arrange(&text, language, &quoted) {
            Some(arranged) => {
                let quoted = quotes::find(&arranged.text);
                (arranged.text, quoted, Some(arranged.words))
            }
            None => (text, quoted, None),
        };
        let (words, more) = words::read(&text, language, &quoted, places);
        let mut question = Self {
            cut: more || cut,
            quotes: quotes::of_words(&text, &quoted, &words),
            text,
            language,
            words,
            numerals: Vec::new(),
            ordinals: Vec::new(),
            periods: Vec::new(),
            cues: Vec::new(),
            grades: Vec::new(),
        };
        question.numerals = numerals::find(&question);
        question.ordinals = numerals::ordinals(&question);
        question.periods = periods::find(&question);
        question.keep_numbers_outside_of_dates();
        question.cues = cues(&question);
        question.grades = grades::find(&question);
        grades::set_against_next(&mut question);
        kinds::settle(&mut question);
        question
    }

    /// The parts of a date are not numbers of their own; a lone year may be both.
    fn keep_numbers_outside_of_dates(&mut self) {
        let within =
            |span: Span| self.periods.iter().any(|period| period.span != span && period.span.contains(span));
        self.numerals.retain(|numeral| !within(numeral.span));
        self.ordinals.retain(|ordinal| !within(ordinal.span));
    }

    /// The number of words.
    pub fn len(&self) -> usize {
        self.words.len()
    }

    /// Whether there is no word.
    pub fn is_empty(&self) -> bool {
        self.words.is_empty()
    }

    /// The span of the whole question.
    pub fn all(&self) -> Span {
        Span::new(0, self.len())
    }

    /// A word by its index.
    pub fn word(&self, at: u16) -> Option<&Word> {
        self.words.get(usize::from(at))
    }

    /// The text from the first to the last word of a span.
    pub fn text_of(&self, span: Span) -> &str {
        match (self.word(span.from), span.to.checked_sub(1).and_then(|last| self.word(last))) {
            (Some(first), Some(last)) => self.text.get(first.bytes.0..last.bytes.1).unwrap_or_default(),
            _ => "",
        }
    }

    /// The words of a span.
    pub fn words_of(&self, span: Span) -> &[Word] {
        self.words.get(usize::from(span.from)..usize::from(span.to)).unwrap_or_default()
    }

    /// Whether a word is a function word.
    pub fn is_function_word(&self, at: u16) -> bool {
        self.word(at).is_none_or(|word| word.kind == WordKind::Function)
    }

    /// The role of what follows a preposition; the possessive ending relates its neighbours like "of", but in reverse order.
    pub fn role_at(&self, at: u16) -> Option<Role> {
        if self.is_possessive(at) {
            return Some(Role::Of);
        }
        self.word(at).and_then(|word| self.language.role(&word.folded))
    }

    /// Whether a word is spelled like the possessive ending, whatever it means.
    pub(super) fn is_possessive_ending(&self, at: usize) -> bool {
        self.words.get(at).is_some_and(|word| word.folded == POSSESSIVE)
    }

    /// Whether a word is the possessive ending, between owner and owned.
    pub fn is_possessive(&self, at: u16) -> bool {
        let before = at.checked_sub(1).and_then(|before| self.word(before));
        // "what's" is short for "what is".
        self.is_possessive_ending(usize::from(at))
            && before.is_some_and(|owner| !self.language.is_function_word(&owner.folded))
    }

    /// The folded words of a span.
    pub fn folded_of(&self, span: Span) -> String {
        self.words_of(span).iter().map(|word| word.folded.as_str()).collect::<Vec<_>>().join(" ")
    }

    /// Whether one span follows another with only function words in between.
    pub fn follows(&self, first: Span, second: Span) -> bool {
        first.to <= second.from && (first.to..second.from).all(|at| self.is_function_word(at))
    }

    /// Whether a sentence or clause ends inside a span.
    pub fn is_broken(&self, span: Span) -> bool {
        self.words_of(span).iter().skip(1).any(|word| word.broken.is_some())
    }

    /// Whether a word is the first of a sentence.
    pub fn begins_sentence(&self, at: u16) -> bool {
        at == 0 || self.word(at).and_then(|word| word.broken).is_some_and(|mark| ".?!:".contains(mark))
    }

    /// Whether a cue begins at a word.
    pub fn has_cue(&self, at: u16, cue: Cue) -> bool {
        self.cues.iter().any(|found| found.span.from == at && found.cue == cue)
    }
}

fn has_words(text: Option<&str>) -> bool {
    text.is_some_and(|text| !eruca_language::text::words(text).is_empty())
}

fn cues(question: &ParsedQuestion) -> Vec<CueAt> {
    let folded: Vec<&str> = question.words.iter().map(|word| word.folded.as_str()).collect();
    let from = |at: usize| {
        let phrase = folded.get(at..).unwrap_or_default();
        let found = question.language.cues_at(phrase.get(..MAX_CUE_WORDS).unwrap_or(phrase));
        let cues =
            found.into_iter().map(move |(cue, length)| CueAt { span: Span::new(at, at + length), cue });
        cues.filter(|found| !question.is_broken(found.span)).collect::<Vec<_>>()
    };
    let silent = |at: &usize| {
        quotes::holds(question, *at) || u16::try_from(*at).is_ok_and(|at| question.is_possessive(at))
    };
    let mut found: Vec<CueAt> = (0..folded.len()).filter(|at| !silent(at)).flat_map(from).collect();
    // "¿Cómo …?" is a question word, while "como" elsewhere compares.
    let asks = found.iter().any(|cue| cue.span.from == 0 && cue.cue.asks_for_things());
    found.retain(|cue| !(asks && cue.span.from == 0 && cue.cue == Cue::Same));
    // "8 km or shorter" bounds the number before it; "easy or shorter than 8 km" is two conditions.
    let joins: Vec<u16> =
        found.iter().filter(|cue| matches!(cue.cue, Cue::Or | Cue::And)).map(|cue| cue.span.from).collect();
    let numbered =
        |at: u16| question.numerals.iter().any(|number| number.span.to <= at && number.span.to + 2 >= at);
    let bounds = |cue: &CueAt| matches!(cue.cue, Cue::AtMost | Cue::AtLeast | Cue::Less | Cue::Greater);
    found.retain(|cue| !(bounds(cue) && joins.contains(&cue.span.from)) || numbered(cue.span.from));
    found
}
