//! How a language refers to what was asked before: "and in …", "it", "which of them". Lines of the file `follow`.

use super::Language;
use super::files::{Files, folded_words, phrases};
use super::template::Template;
use crate::text::fold;
use rustc_hash::FxHashMap;

macro_rules! backs {
    ($($(#[$doc:meta])* $back:ident = $name:literal),+ $(,)?) => {
        /// How a phrase refers to what was asked before.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
        pub enum Back { $($(#[$doc])* $back),+ }

        impl Back {
            /// All ways.
            pub const ALL: &'static [Self] = &[$(Self::$back),+];

            /// The name by which the files of the packs call it.
            pub fn name(self) -> &'static str {
                match self { $(Self::$back => $name),+ }
            }
        }
    };
}

backs! {
    /// Begins what stands in the place of a part of the last question: "and", "what about".
    Lead = "lead",
    /// Says nothing at the end of such a part: "then", "instead".
    Tail = "tail",
    /// Stands for a thing or a person.
    One = "one",
    /// Stands for a thing or a person where it is the last word, and elsewhere for nothing.
    Last = "last",
    /// Stands for a thing.
    Thing = "thing",
    /// Stands for a person.
    Person = "person",
    /// Stands for something behind the verb, before which it is written: the name goes to the end.
    Moved = "moved",
    /// The owner of the noun behind it is a thing or a person.
    Owner = "owner",
    /// The owner of the noun behind it is a thing.
    ThingOwner = "thing-owner",
    /// The owner of the noun behind it is a person.
    PersonOwner = "person-owner",
    /// Stands for a place.
    There = "there",
    /// Points, with the noun behind it, to a thing.
    This = "this",
    /// The same in a form that also says whose something is: right behind a noun it points, too.
    OfThis = "of-this",
    /// Some of the last answers are asked for; what they must meet follows.
    OfThem = "of-them",
    /// A condition on the last answers follows.
    Only = "only",
    /// What the last answers are ordered by follows.
    Sort = "sort",
    /// The number of the last answers is asked for.
    Count = "count",
    /// The number of those of the last answers is asked for that meet what follows.
    CountOf = "count-of",
    /// Stands for several things: those of the last answer.
    Them = "them",
    /// Wants what is found in a certain view, and asks for nothing: "on a map".
    View = "view",
    /// Stands for a kind of things that was named before, behind an adjective: "the longest one".
    Ones = "ones",
    /// Says that more is wanted than was given before: "what else".
    Else = "else",
    /// Stands for what the question itself named before: "the village where they live".
    Again = "again",
}

/// What a language says of earlier questions.
#[derive(Debug, Default)]
pub(super) struct Follow {
    phrases: Vec<(Vec<String>, Back)>,
    templates: FxHashMap<&'static str, Template>,
    fits: Vec<SoundForm>,
}

/// A word that stands before nouns of some sounds.
#[derive(Debug)]
struct SoundForm {
    key: String,
    word: &'static str,
    /// How folded nouns begin ("a-") or end ("-a"); without any it stands before all.
    sounds: Vec<String>,
}

impl SoundForm {
    /// `word > sounds`, or `word` alone.
    fn read(key: &str, line: &'static str) -> Self {
        let (word, sounds) = line.split_once('>').unwrap_or((line, ""));
        let sounds = sounds.split_whitespace().map(fold).collect();
        Self { key: fold(key.trim()), word: word.trim(), sounds }
    }

    fn stands_before(&self, noun: &str) -> bool {
        let sounds = |sound: &String| match (sound.strip_suffix('-'), sound.strip_prefix('-')) {
            (Some(begin), _) => noun.starts_with(begin),
            (None, Some(end)) => noun.ends_with(end),
            (None, None) => noun == sound,
        };
        self.sounds.is_empty() || self.sounds.iter().any(sounds)
    }
}

impl Follow {
    /// Lines of `back : phrases`, `say key : template` and `fit key : word > sounds`.
    pub(super) fn read(files: &mut Files) -> Self {
        let mut found = Self::default();
        files.each_pair("follow", |name, list| match name.split_once(' ') {
            Some(("say", key)) => {
                found.templates.insert(key.trim(), Template::parse(list)?).is_none().then_some(())
            }
            Some(("fit", key)) => {
                found.fits.push(SoundForm::read(key, list));
                Some(())
            }
            _ => found.add(name, list),
        });
        found.phrases.sort_by_key(|(words, _)| std::cmp::Reverse(words.len()));
        found
    }

    fn add(&mut self, name: &str, list: &str) -> Option<()> {
        let back = Back::ALL.iter().copied().find(|back| back.name() == name)?;
        self.phrases.extend(phrases(list).map(|phrase| (folded_words(phrase), back)));
        self.phrases.iter().all(|(words, _)| !words.is_empty()).then_some(())
    }
}

impl Language {
    /// How many of these folded words, from the first one on, refer back in this way; the longest phrase counts.
    pub fn refers_back(&self, back: Back, words: &[&str]) -> Option<usize> {
        let begins =
            |phrase: &[String]| phrase.len() <= words.len() && phrase.iter().zip(words).all(|(a, b)| a == b);
        let known = self.follow.phrases.iter().filter(|(_, known)| *known == back);
        known.map(|(phrase, _)| phrase).find(|phrase| begins(phrase)).map(Vec::len)
    }

    /// How a question is put together with what came before; nothing where the language has no way that is always right.
    pub fn follow_phrase(&self, key: &str) -> Option<&Template> {
        self.follow.templates.get(key)
    }

    /// The word of a key (a possessive, the beginning of a question) that stands before a folded noun.
    pub fn fitting(&self, key: &str, noun: &str) -> Option<&'static str> {
        let fits = |fit: &&SoundForm| fit.key == key && fit.stands_before(noun);
        self.follow.fits.iter().find(fits).map(|fit| fit.word)
    }
}
