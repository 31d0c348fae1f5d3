//! The structure of a pack's TOML files, one struct each. An unknown key is an error in the pack, which a test finds.
//!
//! Words in a string are separated by spaces, phrases by commas. `Language::read` builds look-up tables from them.

use super::cue::Cue;
use super::date::DatesTable;
use super::follow::{Anaphor, SoundForm};
use super::forms::WordEnding;
use super::grade::Adjective;
use super::kind::AnswerKind;
use super::measure::Measure;
use super::order::Order;
use super::phrases::WordSet;
use super::relation::Relations;
use super::retell::Retelling;
use super::role::Role;
use super::state::StateOf;
use super::template::Phrases;
use serde::Deserialize;
use std::collections::BTreeMap;

/// `language.toml`: general properties of the language.
#[derive(Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(super) struct About {
    pub(super) name: String,
    pub(super) letters: String,
    pub(super) noun_capitals: bool,
    pub(super) price: String,
    pub(super) determiners: WordSet,
    pub(super) fallback: bool,
    pub(super) bare_comparison: bool,
    pub(super) order: Order,
}

/// `words.toml`
#[derive(Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(super) struct Words {
    pub(super) function_words: WordSet,
    pub(super) articles: String,
    pub(super) light_verbs: WordSet,
    pub(super) fillers: WordSet,
    pub(super) particles: WordSet,
    pub(super) column_ends: WordSet,
    pub(super) prepositions: Vec<(Role, String)>,
    pub(super) relations: Relations,
    pub(super) truths: Truths,
}

/// Phrases by which values mean yes and no.
#[derive(Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(super) struct Truths {
    pub(super) yes: String,
    pub(super) no: String,
}

/// `forms.toml`
#[derive(Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(super) struct FormRules {
    pub(super) inflection: Vec<WordEnding>,
    pub(super) derivation: Vec<WordEnding>,
    pub(super) whole: WordSet,
    pub(super) adjective: Vec<WordEnding>,
    pub(super) comparative: Vec<WordEnding>,
    pub(super) superlative: Vec<WordEnding>,
    pub(super) name: Vec<WordEnding>,
    pub(super) verb: Vec<WordEnding>,
    pub(super) link: String,
    pub(super) separable: WordSet,
    pub(super) plural: Vec<String>,
    pub(super) plural_of_last: bool,
}

/// `numbers-and-dates.toml`
#[derive(Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(super) struct NumbersAndDates {
    pub(super) decimal: String,
    pub(super) thousands: String,
    pub(super) joiner: String,
    pub(super) percent: String,
    pub(super) ordinal_suffixes: String,
    pub(super) numbers: BTreeMap<u32, String>,
    pub(super) scales: BTreeMap<u64, String>,
    pub(super) ordinals: BTreeMap<u32, String>,
    pub(super) months: [String; 12],
    pub(super) dates: DatesTable,
}

/// `quantities.toml`
#[derive(Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(super) struct Quantities {
    pub(super) adjectives: Vec<Adjective>,
    pub(super) measures: Vec<(String, Measure)>,
    pub(super) units: Vec<(String, String)>,
    pub(super) states: Vec<StateOf>,
    pub(super) symbols: BTreeMap<String, String>,
    pub(super) divides: String,
}

/// `questions.toml`
#[derive(Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(super) struct Questions {
    pub(super) help: Vec<String>,
    pub(super) asked: Vec<(String, Vec<AnswerKind>)>,
    pub(super) nouns: BTreeMap<AnswerKind, Vec<String>>,
    pub(super) cues: BTreeMap<Cue, String>,
    pub(super) follow: BTreeMap<Anaphor, String>,
}

/// `sentences.toml`
#[derive(Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(super) struct Sentences {
    pub(super) fits: Vec<SoundForm>,
    pub(super) retell: Vec<Retelling>,
    pub(super) say: Phrases,
    pub(super) explain: Phrases,
    pub(super) readings: Phrases,
    pub(super) examples: Phrases,
    pub(super) follow: Phrases,
}
