//! The names of classes and properties as words, in memory: which terms contain a word.
//!
//! Computed from the dataset card when an index is opened.

use crate::card::{ClassCard, DatasetCard};
use crate::extract::Label;
use crate::schema_index::SchemaKind;
use crate::schema_words::{WordIndex, WordIndexes};
use crate::vocabulary::{Vocabulary, is_meta};
use eruca_language::text::{humanize, is_unspaced, normalize_word, words};
use eruca_language::{Language, ends_columns, is_kana, language, languages};
use eruca_sparql::local_name;
use rustc_hash::FxHashMap;
use std::sync::Arc;

/// Maximum number of words kept of a name; a longer label is a sentence.
const MAX_NAME_WORDS: usize = 8;
/// Maximum number of classes without instances, and of unused properties, whose names are included.
const MAX_UNUSED: usize = 20_000;
/// Maximum number of names kept per term.
const MAX_NAMES: usize = 12;

/// A class or property with its names, each a list of word numbers.
#[derive(Debug, Clone)]
pub struct SchemaTerm {
    /// Class or property.
    pub kind: SchemaKind,
    /// The IRI.
    pub iri: String,
    /// Labels in all languages and the local name, without duplicates.
    pub names: Vec<Vec<usize>>,
    /// Words of the class that has a property most often: "age" of a pet may be called "pet age".
    pub class_words: Vec<usize>,
    /// Whether it is used, or has a place in the class hierarchy; otherwise, questions cannot be about it.
    pub used: bool,
}

/// The names of classes and properties: of all that are used, and of those only declared up to a maximum.
#[derive(Debug, Clone, Default)]
pub struct SchemaNames {
    /// All words in the names, normalized.
    pub words: Vec<String>,
    /// All terms.
    pub terms: Vec<SchemaTerm>,
    /// Terms by the number of a word in their names.
    pub holders: Vec<Vec<usize>>,
    indexes: WordIndexes,
}

impl SchemaNames {
    /// Collects the names from a card.
    pub fn of(card: &DatasetCard, vocabulary: &Vocabulary) -> Self {
        let mut names = Self::default();
        let mut numbers = FxHashMap::default();
        let classes = || card.classes.iter().filter(|class| !is_meta(&class.iri));
        // In an ontology, classes without instances matter if they have a place in the hierarchy.
        let ordered = |class: &ClassCard| {
            !class.superclasses.is_empty() || card.subclasses(&class.iri).next().is_some()
        };
        let most = if vocabulary.classes_are_things { 0 } else { MAX_UNUSED };
        let (used, unused): (Vec<_>, Vec<_>) = classes().partition(|class| !class.is_unused());
        let (placed, alone): (Vec<_>, Vec<_>) = unused.into_iter().partition(|class| ordered(class));
        for class in used.into_iter().chain(placed.into_iter().chain(alone).take(most)) {
            let term = TermNames { iri: &class.iri, labels: &class.labels };
            names.add(SchemaKind::Class, term, None, !class.is_unused() || ordered(class), &mut numbers);
        }
        let properties = || card.properties.iter().filter(|property| !vocabulary.is_schema(&property.iri));
        let declared = properties().filter(|property| property.usage == 0).take(most);
        for property in properties().filter(|property| property.usage > 0).chain(declared) {
            let class = property.edges.first().and_then(|edge| edge.class.as_deref());
            let labels = |class: &str| card.class(class).map_or(&[][..], |card| &card.labels);
            let class = class.map(|iri| TermNames { iri, labels: labels(iri) });
            let term = TermNames { iri: &property.iri, labels: &property.labels };
            names.add(SchemaKind::Property, term, class, property.usage > 0, &mut numbers);
        }
        names
    }

    /// The index of words by text and by the stems of a language.
    pub fn index(&self, language: &Language) -> Arc<WordIndex> {
        self.indexes.of(&self.words, language)
    }

    /// Adds a term; for a property, with the class that its subjects have most often.
    fn add(
        &mut self,
        kind: SchemaKind,
        term: TermNames<'_>,
        class: Option<TermNames<'_>>,
        used: bool,
        numbers: &mut FxHashMap<String, usize>,
    ) {
        let TermNames { iri, labels } = term;
        let readable = humanize(local_name(iri));
        let class: Vec<String> = class.map_or_else(Vec::new, |class| {
            let labels = class.labels.iter().map(|label| label.text.clone());
            let names = std::iter::once(humanize(local_name(class.iri))).chain(labels);
            names.flat_map(|name| name_words(&name)).collect()
        });
        let mut texts: Vec<String> = vec![readable.clone()];
        texts.extend(split_compound(&readable, class.iter().map(String::as_str)));
        texts.extend(labels.iter().flat_map(|label| variants(&label.text)));
        texts.extend(labels.iter().filter_map(taken_apart));
        let mut names: Vec<Vec<usize>> = Vec::new();
        for text in texts {
            let name: Vec<usize> = name_words(&text)
                .into_iter()
                .take(MAX_NAME_WORDS)
                .map(|word| self.number(word, numbers))
                .collect();
            if !name.is_empty() && !names.contains(&name) && names.len() < MAX_NAMES {
                names.push(name);
            }
        }
        let term = self.terms.len();
        for word in names.iter().flatten() {
            if let Some(holders) = self.holders.get_mut(*word)
                && holders.last() != Some(&term)
            {
                holders.push(term);
            }
        }
        let class_words = class.into_iter().map(|word| self.number(word, numbers)).collect();
        self.terms.push(SchemaTerm { kind, iri: iri.to_owned(), names, class_words, used });
    }

    fn number(&mut self, word: String, numbers: &mut FxHashMap<String, usize>) -> usize {
        *numbers.entry(word).or_insert_with_key(|word| {
            self.words.push(word.clone());
            self.holders.push(Vec::new());
            self.words.len() - 1
        })
    }
}

/// A class or property with its names.
struct TermNames<'a> {
    iri: &'a str,
    labels: &'a [Label],
}

/// Column names are often two words in one: "petname" is "pet name", and "custid" of a customer is "customer id".
fn split_compound<'a>(name: &str, mut class: impl Iterator<Item = &'a str>) -> Option<String> {
    let folded = eruca_language::text::fold(name);
    if folded.contains(' ') {
        return None;
    }
    let (head, tail) = ends_columns(&folded)?;
    let whole = class.find(|word| head.chars().count() >= 3 && word.starts_with(head));
    Some(format!("{} {tail}", whole.unwrap_or(head)))
}

/// The normalized words of a name. In languages without spaces, it is segmented like questions, so that both have the same
/// words. Kana is left as single characters, as no pack has words in it.
pub fn name_words(name: &str) -> Vec<String> {
    let cut = name.contains(is_unspaced) && !name.contains(is_kana);
    let Some(language) = languages().find(|language| cut && language.is_unspaced()) else {
        return words(name).into_iter().map(|token| token.text).collect();
    };
    let written = language.cut(name).into_iter().filter_map(|(from, to)| name.get(from..to));
    written.map(normalize_word).filter(|word| !word.is_empty()).collect()
}

/// "Abteilungsleiter" is also "Abteilung Leiter": a compound of nouns listed in the pack of the label's language.
fn taken_apart(label: &Label) -> Option<String> {
    let language = language(&label.language).filter(|language| language.has_compounds())?;
    let compound = eruca_language::text::fold(label.text.trim());
    let is_word = |part: &str| language.is_noun(&normalize_word(part)) && !language.is_function_word(part);
    if is_word(&compound) {
        return None;
    }
    Some(language.splits(&compound, &is_word).first()?.join(" "))
}

/// "Parts List (PL)" is also "Parts List", and "PL".
fn variants(label: &str) -> Vec<String> {
    let mut found = vec![label.to_owned()];
    if let Some((before, rest)) = label.split_once('(')
        && let Some((inside, after)) = rest.split_once(')')
    {
        found.push(format!("{before} {after}"));
        if inside.chars().count() > 1 && inside.chars().all(char::is_uppercase) {
            found.push(inside.to_owned());
        }
    }
    found
}
