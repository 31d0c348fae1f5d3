//! Languages: everything needed to interpret words of a question, read from the packs in `packs/`, one folder per language.
//!
//! ```text
//! packs/<tag>/*.toml, *.txt ──► build script ──► files ──► pack (structures, by serde) ──► tables ──► Language
//! ```
//! No word of a language is in code, and no language is named in it: a new language is a new folder. Words are matched in folded
//! form; noun tables contain the normalized form that the indexes use. `text` is the one rule for tokenization. Knows nothing of
//! RDF, indexes or queries.

// Questions and names may contain anything: unchecked indexing into texts and lists is forbidden.
#![warn(clippy::indexing_slicing)]
#![cfg_attr(not(test), warn(clippy::string_slice))]

mod country;
mod cue;
mod date;
mod detect;
mod files;
mod follow;
mod forms;
mod grade;
mod help;
mod kind;
mod measure;
mod number;
mod order;
mod pack;
mod phrases;
mod plural;
mod relation;
mod retell;
mod role;
mod script;
mod segment;
mod state;
mod symbol;
mod template;
pub mod text;
mod together;
mod words;
mod written;

#[cfg(test)]
mod tests;

pub use cue::{Cue, QUESTION_WORDS};
pub use date::{CalendarPeriod, CalendarUnit, DatePart, DatePattern};
pub use detect::{detect, detect_among};
pub use follow::Anaphor;
pub use grade::{Degree, Grade};
pub use kind::AnswerKind;
pub use measure::Measure;
pub use phrases::POSSESSIVE;
pub use relation::NameShape;
pub use retell::{Retelling, RetoldForm, RetoldPart};
pub use role::Role;
pub use script::{is_kana, language_of_script};
pub use state::{MAX_STATE_WORDS, State};
pub use symbol::{divides_units, unit_symbol};
pub use template::{Piece, Template};
pub use together::{ends_columns, is_function_word, related_words};
pub use words::Related;
pub use written::written_year;

use crate::text::fold;
use files::{Files, PACKS, PackFiles};
use pack::{About, FormRules, NumbersAndDates, Quantities, Questions, Sentences, Truths, Words};
use phrases::phrases;
use rustc_hash::{FxHashMap, FxHashSet};
use std::mem::take;
use std::sync::OnceLock;

/// The tag of the pack that has no words.
const NEUTRAL: &str = "und";

/// A language: the tables of its pack.
#[derive(Debug, Default)]
pub struct Language {
    tag: &'static str,
    about: About,
    words: Words,
    light_verbs: FxHashSet<String>,
    column_ends: Vec<String>,
    truths: FxHashMap<String, bool>,
    cues: cue::Cues,
    roles: role::PrepositionRoles,
    forms: forms::Forms,
    plurals: plural::Plurals,
    grades: grade::Grades,
    measures: measure::Measures,
    units: measure::Units,
    states: state::States,
    related: words::RelatedWords,
    synonyms: words::WordTable,
    translations: words::WordTable,
    numbers: number::Numbers,
    dates: date::Dates,
    kinds: kind::Kinds,
    countries: country::Countries,
    help: help::HelpPhrases,
    back_phrases: follow::BackPhrases,
    symbols: symbol::Symbols,
    segments: segment::Segments,
    /// Loaded when text in this language is generated: questions are matched against all languages, but answered in one.
    sentences: OnceLock<Sentences>,
    files: &'static PackFiles,
}

/// All languages with a pack, ordered by tag.
pub fn languages() -> impl Iterator<Item = &'static Language> {
    static LANGUAGES: OnceLock<Vec<Language>> = OnceLock::new();
    let read =
        |(tag, files): &(&'static str, &'static PackFiles)| Language::read(tag, &mut Files::new(files));
    LANGUAGES.get_or_init(|| PACKS.iter().map(read).collect()).iter()
}

/// The language for a tag: "de" also for "de-AT".
pub fn language(tag: &str) -> Option<&'static Language> {
    let primary = tag.split(['-', '_']).next().unwrap_or(tag);
    languages().find(|language| language.tag.eq_ignore_ascii_case(primary))
}

/// The default language: the most common one for names in graphs.
pub fn fallback() -> &'static Language {
    languages().find(|language| language.about.fallback).unwrap_or_else(|| neutral(NEUTRAL))
}

/// A language without a pack, by its tag: none of its words are known. Only languages detected by script have a tag.
pub fn neutral(tag: &str) -> &'static Language {
    static NEUTRALS: OnceLock<Vec<Language>> = OnceLock::new();
    static NONE: OnceLock<Language> = OnceLock::new();
    let empty = |tag| Language { tag, ..Language::default() };
    let known = NEUTRALS.get_or_init(|| script::tags().map(empty).collect());
    known.iter().find(|language| language.tag == tag).unwrap_or_else(|| NONE.get_or_init(|| empty(NEUTRAL)))
}

impl Language {
    fn read(tag: &'static str, files: &mut Files) -> Self {
        let about: About = files.tables("language.toml");
        let words: Words = files.tables("words.toml");
        let mut rules: FormRules = files.tables("forms.toml");
        let numbers: NumbersAndDates = files.tables("numbers-and-dates.toml");
        let quantities: Quantities = files.tables("quantities.toml");
        let questions: Questions = files.tables("questions.toml");
        let plurals = plural::Plurals { rules: take(&mut rules.plural), of_last: rules.plural_of_last };
        let forms = forms::Forms::of(rules, files);
        Self {
            tag,
            light_verbs: light_verbs(&words.light_verbs, &forms),
            column_ends: longest_first(&words.column_ends),
            truths: truths(&words.truths),
            cues: cue::Cues::of(&questions.cues),
            roles: role::roles_of(&words.prepositions),
            plurals,
            grades: grade::Grades::of(&quantities.adjectives, &forms),
            measures: measure::measures_of(&quantities.measures),
            units: measure::units_of(&quantities.units),
            states: state::states_of(&quantities.states),
            related: words::related(files, &forms),
            synonyms: words::synonyms(files, &forms),
            translations: words::translations(files, &forms),
            numbers: number::Numbers::of(&numbers),
            dates: date::Dates::of(&numbers),
            kinds: kind::Kinds::of(&questions.asked, &questions.nouns),
            countries: country::Countries::read(files, &forms),
            help: help::phrases_of(&questions.help),
            back_phrases: follow::phrases_of(&questions.follow),
            symbols: symbol::Symbols::of(&quantities.symbols, &quantities.divides),
            segments: segment::Segments::read(files, &about.order),
            sentences: OnceLock::new(),
            files: files.all(),
            about,
            words,
            forms,
        }
    }

    fn sentences(&self) -> &Sentences {
        self.sentences.get_or_init(|| Files::new(self.files).tables("sentences.toml"))
    }

    /// The tag: "en".
    pub fn tag(&self) -> &'static str {
        self.tag
    }

    /// The English name of the language, for display.
    pub fn name(&self) -> &str {
        &self.about.name
    }

    /// Whether common nouns are capitalized, so that a capital does not indicate a name.
    pub fn has_noun_capitals(&self) -> bool {
        self.about.noun_capitals
    }

    /// Whether a folded word precedes nouns: articles, "which", "many". Only filled for languages with capitalized nouns.
    pub fn is_determiner(&self, folded: &str) -> bool {
        self.about.determiners.contains(folded)
    }

    /// Whether a folded word is a function word.
    pub fn is_function_word(&self, folded: &str) -> bool {
        self.words.function_words.contains(folded)
    }

    /// Whether a word in lower case, with its accents, is an article.
    pub fn is_article(&self, word: &str) -> bool {
        self.words.articles.split_whitespace().any(|article| article == word)
    }

    /// Whether a folded word adds little to the name of a class or property: "list", "ref", units.
    pub fn is_filler(&self, folded: &str) -> bool {
        self.words.fillers.contains(folded)
    }

    /// Whether a value means true or false: "yes", "n".
    pub fn truth(&self, value: &str) -> Option<bool> {
        self.truths.get(&fold(value)).copied()
    }

    /// Whether a folded word is a form of a light verb, which only expresses existence or possession.
    pub fn is_light_verb(&self, folded: &str) -> bool {
        self.light_verbs.contains(folded) || self.light_verbs.contains(&self.forms.base(folded))
    }

    /// Whether a folded word is a particle within names of people and places: "van", "de la".
    pub fn is_particle(&self, folded: &str) -> bool {
        self.words.particles.contains(folded)
    }

    /// Whether it is the empty pack, for texts in an unknown language.
    pub fn is_unknown(&self) -> bool {
        self.tag == NEUTRAL || self.tag.is_empty()
    }

    /// The number-based state that folded words, separated by spaces, express.
    pub fn state(&self, folded: &str) -> Option<&State> {
        self.states.get(folded)
    }

    /// Nouns related to a normalized verb or adjective. Words of a phrase are separated by single spaces.
    pub fn related(&self, norm: &str) -> &[Related] {
        self.related.get(norm, &self.forms)
    }

    /// Whether a normalized word, or one with the same base form, is a verb or adjective with related nouns.
    pub fn leads_to_nouns(&self, norm: &str) -> bool {
        self.related.has(norm, &self.forms)
    }

    /// Synonyms of a normalized noun in the language.
    pub fn synonyms(&self, norm: &str) -> &[String] {
        self.synonyms.get(norm, &self.forms)
    }

    /// English translations of a normalized word, since names in graphs are mostly English.
    pub fn translations(&self, norm: &str) -> &[String] {
        self.translations.get(norm, &self.forms)
    }

    /// The word without inflectional endings (number, case, tense); irregular forms are listed.
    pub fn base(&self, folded: &str) -> String {
        self.forms.base(folded)
    }

    /// The common stem of a word family: "director", "directed", "direction". For both sides of a match.
    pub fn stem(&self, folded: &str) -> String {
        self.forms.stem(folded)
    }

    /// Whether the pack lists exactly this normalized word as a noun.
    pub fn is_listed_noun(&self, norm: &str) -> bool {
        self.synonyms.lists(norm) || self.kinds.of_noun(norm).is_some()
    }

    /// Whether any table of the pack has a normalized word.
    pub fn knows(&self, norm: &str) -> bool {
        self.is_function_word(norm)
            || self.grade(norm).is_some()
            || self.kind_of_noun(norm).is_some()
            || self.related.has(norm, &self.forms)
            || self.synonyms.has(norm, &self.forms)
            || self.translations.has(norm, &self.forms)
    }

    /// Whether the pack lists exactly this normalized word as a noun or translates it.
    pub fn is_noun(&self, norm: &str) -> bool {
        self.is_listed_noun(norm) || self.translations.lists(norm)
    }

    /// Content words of the pack: nouns, verbs, adjectives, in their listed forms.
    fn content_words(&self) -> impl Iterator<Item = &str> {
        let tables = self.related.words().chain(self.synonyms.words()).chain(self.translations.words());
        let listed = self.kinds.nouns().chain(self.forms.listed()).chain(self.countries.words());
        let listed = listed.chain(self.dates.months()).map(String::as_str);
        tables.chain(self.grades.forms()).chain(listed)
    }
}

/// Longest first: "username" ends with "name", and with a longer ending if a pack lists one.
fn longest_first(words: &FxHashSet<String>) -> Vec<String> {
    let mut found: Vec<String> = words.iter().cloned().collect();
    found.sort_by(|a, b| b.len().cmp(&a.len()).then_with(|| a.cmp(b)));
    found
}

/// The verbs as listed, and their base forms.
fn light_verbs(written: &FxHashSet<String>, forms: &forms::Forms) -> FxHashSet<String> {
    written.iter().map(|verb| forms.base(verb)).chain(written.iter().cloned()).collect()
}

fn truths(said: &Truths) -> FxHashMap<String, bool> {
    let sides = [(&said.yes, true), (&said.no, false)];
    sides.into_iter().flat_map(|(list, holds)| phrases(list).map(move |word| (fold(word), holds))).collect()
}
