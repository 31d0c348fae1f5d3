//! Languages: everything that a question's words need, read from the packs in `packs/`, one folder per language.
//!
//! ```text
//! packs/<tag>/*.txt ──► build script ──► files (lines) ──► a table per file ──► Language
//! ```
//! No word of a language stands in code, and no language is named in it: another one is another folder. Words are
//! matched folded; tables of nouns hold them normalized, as the indexes do. `text` is the one rule that makes tokens. Knows
//! nothing of RDF, of indexes and of queries.

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
mod plural;
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

pub use cue::Cue;
pub use date::{CalendarUnit, DatePart, DatePattern, Stretch};
pub use detect::{detect, detect_among};
pub use files::POSSESSIVE;
pub use follow::Back;
pub use grade::{Degree, Grade};
pub use kind::AnswerKind;
pub use measure::Measure;
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
use files::{Files, PACKS, PackFiles, folded_words, phrases};
use rustc_hash::{FxHashMap, FxHashSet};
use std::sync::{Arc, OnceLock};

/// The tag of the pack that has no words.
const NEUTRAL: &str = "und";

/// A language: the tables of its pack.
#[derive(Debug, Default)]
pub struct Language {
    tag: &'static str,
    about: About,
    function_words: FxHashSet<String>,
    fillers: FxHashSet<String>,
    truths: FxHashMap<String, bool>,
    particles: FxHashSet<String>,
    light_verbs: FxHashSet<String>,
    tails: Vec<String>,
    cues: cue::Cues,
    roles: role::PrepositionRoles,
    forms: forms::Forms,
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
    templates: template::Templates,
    retellings: Vec<Retelling>,
    follow: follow::Follow,
    help: help::HelpPhrases,
    symbols: symbol::Symbols,
    segments: segment::Segments,
    faults: Vec<String>,
}

/// Facts of the language as a whole.
#[derive(Debug, Default)]
struct About {
    name: String,
    letters: String,
    noun_capitals: bool,
    price: String,
    determiners: FxHashSet<String>,
    fallback: bool,
    bare_comparison: bool,
    order: order::Order,
}

/// All languages that have a pack, in the order of their tags.
pub fn languages() -> impl Iterator<Item = &'static Language> {
    static LANGUAGES: OnceLock<Vec<Language>> = OnceLock::new();
    LANGUAGES.get_or_init(|| PACKS.iter().map(|(tag, files)| Language::read(tag, files)).collect()).iter()
}

/// The language of a tag: "de", and for "de-AT" also "de".
pub fn language(tag: &str) -> Option<&'static Language> {
    let primary = tag.split(['-', '_']).next().unwrap_or(tag);
    languages().find(|language| language.tag.eq_ignore_ascii_case(primary))
}

/// The default language: the one that names in graphs are mostly written in.
pub fn fallback() -> &'static Language {
    languages().find(|language| language.about.fallback).unwrap_or_else(|| neutral(NEUTRAL))
}

/// The language of a tag that has no pack: no word of it is known. Only those that a script tells have a tag.
pub fn neutral(tag: &str) -> &'static Language {
    static NEUTRALS: OnceLock<Vec<Language>> = OnceLock::new();
    static NONE: OnceLock<Language> = OnceLock::new();
    let empty = |tag| Language { tag, ..Language::default() };
    let known = NEUTRALS.get_or_init(|| script::tags().map(empty).collect());
    known.iter().find(|language| language.tag == tag).unwrap_or_else(|| NONE.get_or_init(|| empty(NEUTRAL)))
}

impl Language {
    fn read(tag: &'static str, files: &'static PackFiles) -> Self {
        let mut files = Files::new(files);
        let forms = forms::Forms::read(&mut files);
        let mut language = Self {
            tag,
            about: about(&mut files),
            function_words: word_list(&mut files, "function_words"),
            fillers: word_list(&mut files, "fillers"),
            truths: truths(&mut files),
            particles: word_list(&mut files, "particles"),
            light_verbs: light_verbs(&mut files, &forms),
            tails: tails(&mut files),
            cues: cue::Cues::read(&mut files),
            roles: role::read(&mut files),
            grades: grade::Grades::read(&mut files, &forms),
            measures: measure::read(&mut files),
            units: measure::units(&mut files),
            states: state::read(&mut files),
            related: words::related(&mut files, &forms),
            synonyms: words::synonyms(&mut files, &forms),
            translations: words::translations(&mut files, &forms),
            numbers: number::Numbers::read(&mut files),
            dates: date::Dates::read(&mut files),
            kinds: kind::Kinds::read(&mut files),
            countries: country::Countries::read(&mut files, &forms),
            templates: template::Templates::read(&mut files),
            retellings: retell::read(&mut files),
            follow: follow::Follow::read(&mut files),
            help: help::read(&mut files),
            symbols: symbol::read(&mut files),
            segments: segment::Segments::default(),
            forms,
            faults: Vec::new(),
        };
        language.segments = segment::Segments::read(&files, &language.about.order);
        language.faults = files.into_faults();
        language
    }

    /// The tag: "en".
    pub fn tag(&self) -> &'static str {
        self.tag
    }

    /// The name in English, for people.
    pub fn name(&self) -> &str {
        &self.about.name
    }

    /// Lines of the pack that could not be read, for whoever writes one.
    pub fn faults(&self) -> &[String] {
        &self.faults
    }

    /// Whether nouns are written with a capital, so that one is no sign of a name.
    pub fn has_noun_capitals(&self) -> bool {
        self.about.noun_capitals
    }

    /// Whether a noun follows a folded word: articles, "which", "many". Only of languages that write nouns with a capital.
    pub fn is_determiner(&self, folded: &str) -> bool {
        self.about.determiners.contains(folded)
    }

    /// Whether a folded word names nothing by itself.
    pub fn is_function_word(&self, folded: &str) -> bool {
        self.function_words.contains(folded)
    }

    /// Whether a folded word says little in a name of a class or property: "list", "ref", units.
    pub fn is_filler(&self, folded: &str) -> bool {
        self.fillers.contains(folded)
    }

    /// Whether a value says that something holds, or that it does not: "yes", "n".
    pub fn truth(&self, value: &str) -> Option<bool> {
        self.truths.get(&fold(value)).copied()
    }

    /// Whether a folded word is a form of a verb that says no more than that something is there, or had.
    pub fn is_light_verb(&self, folded: &str) -> bool {
        self.light_verbs.contains(folded) || self.light_verbs.contains(&self.forms.base(folded))
    }

    /// Whether a folded word stands within names of people and places: "van", "de la".
    pub fn is_particle(&self, folded: &str) -> bool {
        self.particles.contains(folded)
    }

    /// A particle that stands by itself at the end of a clause and belongs to the verb before it: "kennt … aus".
    pub fn is_separable(&self, folded: &str) -> bool {
        self.forms.is_separable(folded)
    }

    /// Whether it is the empty pack, for texts whose language is not known.
    pub fn is_unknown(&self) -> bool {
        self.tag == NEUTRAL || self.tag.is_empty()
    }

    /// All cues of all phrases that folded words begin with, the longest first, with how many words each takes.
    pub fn cues_at(&self, words: &[&str]) -> Vec<(Cue, usize)> {
        self.cues.at(words)
    }

    /// The likeliest role of what stands behind a folded preposition.
    pub fn role(&self, folded: &str) -> Option<Role> {
        self.roles(folded).first().copied()
    }

    /// All roles of what may stand behind a folded preposition, the likeliest first.
    pub fn roles(&self, folded: &str) -> &[Role] {
        self.roles.get(folded).map_or(&[], Vec::as_slice)
    }

    /// What an adjective grades. As written it tells more than folded: "größer" compares, "großer" does not.
    pub fn grade(&self, word: &str) -> Option<&Grade> {
        self.grades.get(word)
    }

    /// What is measured where it is asked how much something is.
    pub fn price(&self) -> Option<&Grade> {
        self.grades.get(&self.about.price)
    }

    /// The superlative in the place of a folded comparative of this grade, where it is a word of its own.
    pub fn superlative(&self, comparative: &str, grade: &Grade) -> Option<String> {
        self.grades.superlative(comparative, grade)
    }

    /// Whether a graded word may be comparative and superlative: Spanish "mayor". What stands around it decides.
    pub fn is_either_degree(&self, word: &str) -> bool {
        self.grades.is_either(word)
    }

    /// The quantity that a folded word names, if it follows from others: "volume".
    pub fn measure(&self, folded: &str) -> Option<&Measure> {
        self.measures.get(folded).or_else(|| self.measures.get(&self.base(folded)))
    }

    /// What a folded unit measures, the likeliest first: "km" a length, a distance. Nothing when it is no unit.
    pub fn unit(&self, folded: &str) -> Option<&Arc<[String]>> {
        self.units.get(folded)
    }

    /// The state by a number that folded words with spaces between them say.
    pub fn state(&self, folded: &str) -> Option<&State> {
        self.states.get(folded)
    }

    /// Whether a folded word means a calendar year.
    pub fn is_year(&self, folded: &str) -> bool {
        self.calendar_unit(folded) == Some(CalendarUnit::Years(1))
    }

    /// The unit of the calendar that a folded word means.
    pub fn calendar_unit(&self, folded: &str) -> Option<CalendarUnit> {
        self.dates.units.iter().find(|(word, _)| word == folded).map(|(_, unit)| *unit)
    }

    /// Nouns that a normalized verb or adjective leads to. A phrase has one space between its words.
    pub fn related(&self, norm: &str) -> &[Related] {
        self.related.get(norm, &self.forms)
    }

    /// Whether a normalized word, or one with the same base, is a verb or adjective that leads to nouns.
    pub fn leads_to_nouns(&self, norm: &str) -> bool {
        self.related.has(norm, &self.forms)
    }

    /// Nouns of the language near a normalized one.
    pub fn synonyms(&self, norm: &str) -> &[String] {
        self.synonyms.get(norm, &self.forms)
    }

    /// English words for a normalized word: names in a graph are mostly English.
    pub fn translations(&self, norm: &str) -> &[String] {
        self.translations.get(norm, &self.forms)
    }

    /// The number that a folded word or phrase stands for.
    pub fn number(&self, folded: &str) -> Option<f64> {
        self.numbers.value(folded)
    }

    /// What a word or phrase multiplies the number before it by: "million". A single letter
    /// counts as the pack writes it: "5M" is a number, "5m" a length.
    pub fn scale(&self, word: &str) -> Option<f64> {
        self.numbers.scale(word)
    }

    /// Whether a folded word or phrase says that the number before it is one in hundred.
    pub fn is_percent(&self, folded: &str) -> bool {
        self.numbers.is_percent(folded)
    }

    /// Whether a folded word joins hundreds with what follows them: "two hundred and fifty".
    pub fn joins_numbers(&self, folded: &str) -> bool {
        self.numbers.is_joiner(folded)
    }

    /// Whether decimals follow this mark.
    pub fn is_decimal_mark(&self, c: char) -> bool {
        self.numbers.is_decimal_mark(c)
    }

    /// Whether this mark groups digits by three.
    pub fn is_thousands_mark(&self, c: char) -> bool {
        self.numbers.is_thousands_mark(c)
    }

    /// The place that a folded word stands for: "third", "3rd".
    pub fn ordinal(&self, folded: &str) -> Option<u32> {
        self.numbers.ordinal(folded)
    }

    /// A folded word without what ordinals in digits end with: "XXe" is "XX".
    pub fn without_ordinal_suffix<'a>(&self, folded: &'a str) -> Option<&'a str> {
        self.numbers.without_suffix(folded)
    }

    /// Whether a point behind a number makes it an ordinal: "3. Platz".
    pub fn has_dotted_ordinals(&self) -> bool {
        self.numbers.dotted_ordinals()
    }

    /// The month that a folded word names.
    pub fn month(&self, folded: &str) -> Option<u8> {
        self.dates.month(folded)
    }

    /// How decades and centuries are said, the longest pattern first.
    pub fn date_patterns(&self) -> &[DatePattern] {
        &self.dates.patterns
    }

    /// Whether a folded phrase says that the year before it is one before the common era.
    pub fn is_before_era(&self, folded: &str) -> bool {
        self.dates.before_era.iter().any(|known| known == folded)
    }

    /// The names of the country, or the larger part of the world, that a name, an adjective or a code in capitals stands for, the English one first, the
    /// codes last.
    pub fn country(&self, word: &str) -> &[String] {
        self.countries.names(word, &self.forms)
    }

    /// What a folded question word or phrase may ask for, the likeliest first.
    pub fn answer_kinds(&self, phrase: &str) -> &[AnswerKind] {
        self.kinds.asked(phrase)
    }

    /// The kind of things that a normalized noun names.
    pub fn kind_of_noun(&self, norm: &str) -> Option<AnswerKind> {
        self.kinds.of_noun(norm).or_else(|| self.kinds.of_noun(&self.base(norm)))
    }

    /// The word without the endings of number, case and tense; irregular forms have a list of their own.
    pub fn base(&self, folded: &str) -> String {
        self.forms.base(folded)
    }

    /// What all words of a family share: "director", "directed", "direction". For both sides of a match.
    pub fn stem(&self, folded: &str) -> String {
        self.forms.stem(folded)
    }

    /// Whether a word as written ends as verbs do; a rough guess.
    pub fn ends_as_verb(&self, word: &str) -> bool {
        self.forms.ends_as_verb(word)
    }

    /// Whether the pack lists a normalized word, as it is, as a noun.
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

    /// Whether the pack lists a normalized word, as it is, as the name of something.
    pub fn is_noun(&self, norm: &str) -> bool {
        self.is_listed_noun(norm) || self.translations.lists(norm)
    }

    /// Words of the pack that mean something: nouns, verbs, adjectives, in their listed forms.
    fn content_words(&self) -> impl Iterator<Item = &String> {
        let tables = self.related.words().chain(self.synonyms.words()).chain(self.translations.words());
        let others = self.kinds.nouns().chain(self.forms.listed()).chain(self.grades.forms());
        tables.chain(others).chain(self.countries.words()).chain(self.dates.months())
    }

    /// The ways to take a folded compound apart into words that a caller knows, those with fewest parts first.
    pub fn splits(&self, compound: &str, is_word: &dyn Fn(&str) -> bool) -> Vec<Vec<String>> {
        self.forms.splits(compound, is_word)
    }

    /// Whether words of the language are put together to longer ones.
    pub fn has_compounds(&self) -> bool {
        self.forms.has_links()
    }
}

fn about(files: &mut Files) -> About {
    let mut about = About::default();
    files.each_pair("language", |name, value| {
        match (name, value) {
            ("name", value) => value.clone_into(&mut about.name),
            ("letters", value) => about.letters = value.to_lowercase(),
            ("price", word) => word.clone_into(&mut about.price),
            ("nouns", "capital") => about.noun_capitals = true,
            ("determiners", list) => about.determiners.extend(folded_words(list)),
            ("fallback", "yes") => about.fallback = true,
            ("comparison", "bare") => about.bare_comparison = true,
            (name, value) => return about.order.add(name, value),
        }
        Some(())
    });
    about
}

/// The longest first: "username" ends with "name", and with more than that where a pack says so.
fn tails(files: &mut Files) -> Vec<String> {
    let mut found: Vec<String> = word_list(files, "tails").into_iter().collect();
    found.sort_by(|a, b| b.len().cmp(&a.len()).then_with(|| a.cmp(b)));
    found
}

/// The verbs as they are written, and their bases.
fn light_verbs(files: &mut Files, forms: &forms::Forms) -> FxHashSet<String> {
    let written = word_list(files, "light_verbs");
    written.iter().map(|verb| forms.base(verb)).chain(written.iter().cloned()).collect()
}

fn truths(files: &mut Files) -> FxHashMap<String, bool> {
    let mut found = FxHashMap::default();
    files.each_pair("truths", |side, words| {
        let holds = match side {
            "yes" => true,
            "no" => false,
            _ => return None,
        };
        found.extend(phrases(words).map(|word| (fold(word), holds)));
        Some(())
    });
    found
}

fn word_list(files: &mut Files, name: &'static str) -> FxHashSet<String> {
    let mut found = FxHashSet::default();
    files.each_line(name, |line| {
        found.extend(folded_words(line));
        Some(())
    });
    found
}
