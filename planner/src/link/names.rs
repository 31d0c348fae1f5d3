//! Classes and properties that spans may name, with their fit: every content word of the span must match a word of the name, and
//! unmatched words of the name lower the fit.

use super::asked::{Asked, telling};
use super::{Evidence, NamedTerm, is_joint};
use crate::question::{ParsedQuestion, Span, Word};
use eruca_indexer::{DatasetIndex, SchemaKind, SchemaNames, SchemaTerm};
use eruca_language::{AnswerKind, Cue, Role, fallback};
use rustc_hash::FxHashMap;

/// Maximum number of words in a span.
const MAX_SPAN: u16 = 6;
/// Minimum fit of a span.
const MIN_FIT: f32 = 0.4;
/// Maximum number of links per span, for classes and properties each.
const MAX_PER_SPAN: usize = 8;
/// Weights of words in a name: fillers, words that repeat the class; all others weigh 1.
const FILLER_WEIGHT: f32 = 0.15;
const CLASS_WORD_WEIGHT: f32 = 0.3;

/// The share of a name that its head accounts for if the head is a filler.
const HEAD_SHARE: f32 = 0.35;

/// Length of a word that may consist of initials.
const INITIALS: std::ops::RangeInclusive<usize> = 3..=5;
/// Minimum number of letters that abbreviate a class name.
const MIN_SHORTENED: usize = 2;

/// How strongly evidence supports a name.
fn strength(evidence: Evidence) -> f32 {
    match evidence {
        Evidence::Glossary | Evidence::Exact => 1.0,
        Evidence::Stem => 0.9,
        Evidence::Translation => 0.88,
        Evidence::Synonym => 0.75,
        Evidence::Related => 0.72,
        Evidence::Part => 0.6,
        Evidence::Typo => 0.75,
    }
}

/// Matches between words of the question and words of names.
#[derive(Debug, Default)]
struct Meets {
    /// Positions in the question, by the index of a word of names.
    places: FxHashMap<usize, Vec<(u16, Evidence)>>,
    /// Matches of each part of a compound, by the position of the compound.
    compounds: FxHashMap<u16, Vec<Vec<usize>>>,
}

impl Meets {
    fn add(&mut self, at: u16, number: usize, evidence: Evidence) {
        let places = self.places.entry(number).or_default();
        if !places.iter().any(|(known, _)| *known == at) {
            places.push((at, evidence));
        }
    }

    /// Positions that match a word of names.
    fn of(&self, number: usize) -> impl Iterator<Item = (u16, Evidence)> {
        self.places.get(&number).into_iter().flatten().copied()
    }
}

/// All candidate classes and properties for spans of the question.
pub(super) fn schema_links(index: &DatasetIndex, question: &ParsedQuestion) -> Vec<NamedTerm> {
    let names = &index.names;
    let meets = meets(names, question);
    let mut touched: Vec<usize> =
        meets.places.keys().filter_map(|word| names.holders.get(*word)).flatten().copied().collect();
    touched.sort_unstable();
    touched.dedup();
    let mut found = Vec::new();
    for term in touched.into_iter().filter_map(|at| names.terms.get(at)).filter(|term| !is_joint(&term.iri)) {
        for (span, fit, evidence) in spans_of(names, term, &meets, question) {
            found.push(named(term, span, fit, evidence));
        }
    }
    found.extend(initials(names, question));
    best_per_span(found)
}

fn named(term: &SchemaTerm, span: Span, fit: f32, evidence: Evidence) -> NamedTerm {
    NamedTerm { kind: term.kind, iri: term.iri.clone(), span, fit, evidence, used: term.used }
}

/// Properties named by the initials of several words: "miles per gallon".
fn initials(names: &SchemaNames, question: &ParsedQuestion) -> Vec<NamedTerm> {
    let mut found = Vec::new();
    for (number, short) in names.words.iter().enumerate().filter(|(_, word)| is_short(word, question)) {
        let holders = names.holders.get(number).into_iter().flatten();
        let terms: Vec<&SchemaTerm> = holders.filter_map(|at| names.terms.get(*at)).collect();
        for span in spelled_out(question, short) {
            for term in &terms {
                let fit = term.names.iter().filter_map(|name| {
                    let used: Vec<bool> = name.iter().map(|word| *word == number).collect();
                    let meets = Meets::default();
                    Reading { names, term, name, meets: &meets, question, span }.held(&used)
                });
                let fit = fit.fold(0.0, f32::max).sqrt() * strength(Evidence::Synonym);
                found.extend((fit >= MIN_FIT).then(|| named(term, span, fit, Evidence::Synonym)));
            }
        }
    }
    found
}

/// Whether a word may consist of initials: a few letters that are not a word of the language.
fn is_short(word: &str, question: &ParsedQuestion) -> bool {
    INITIALS.contains(&word.len())
        && word.bytes().all(|letter| letter.is_ascii_lowercase())
        && !question.language.knows(word)
}

/// Spans whose words start with the letters of a word, with content words at both ends.
fn spelled_out(question: &ParsedQuestion, short: &str) -> Vec<Span> {
    let letters = short.chars();
    let spans = (0..question.len()).map(|from| Span::new(from, from + short.len()));
    let fits = |span: &Span| {
        let words = question.words_of(*span);
        words.len() == short.len()
            && words.iter().zip(letters.clone()).all(|(word, letter)| word.folded.starts_with(letter))
            && !question.is_broken(*span)
            && !question.is_function_word(span.from)
            && !question.is_function_word(span.to - 1)
    };
    spans.filter(fits).collect()
}

fn best_per_span(mut found: Vec<NamedTerm>) -> Vec<NamedTerm> {
    // Unused terms come last, so that they do not crowd out others.
    found.sort_by(|a, b| {
        (!a.used, a.span, a.kind as u8)
            .cmp(&(!b.used, b.span, b.kind as u8))
            .then(b.fit.total_cmp(&a.fit))
            .then_with(|| a.iri.cmp(&b.iri))
    });
    let mut kept: Vec<NamedTerm> = Vec::new();
    let (mut of_span, mut very) = (0, false);
    for link in found {
        let group = |link: &NamedTerm| (link.used, link.span, link.kind);
        let same = kept.last().is_some_and(|last| group(last) == group(&link));
        of_span = if same { of_span + 1 } else { 1 };
        very = if same { very } else { is_very_name(&link) };
        // "Mountains" does not mean mountaineers, with which it shares a stem, and "concerts" does not mean concert halls.
        let lesser = link.evidence == Evidence::Stem || link.fit < PART_FIT;
        let outdone = very && link.kind == SchemaKind::Class && lesser;
        if of_span <= MAX_PER_SPAN && !outdone {
            kept.push(link);
        }
    }
    kept
}

/// Below this fit, an important word of the name is unmatched.
const PART_FIT: f32 = 0.8;

fn is_very_name(link: &NamedTerm) -> bool {
    link.evidence == Evidence::Exact && link.fit >= 1.0
}

/// The words of names that each word of the question matches, by the best evidence.
fn meets(names: &SchemaNames, question: &ParsedQuestion) -> Meets {
    let index = names.index(question.language);
    let mut meets = Meets::default();
    for (at, word) in (0..).zip(&question.words) {
        let next = question.word(at + 1).filter(|next| next.broken.is_none());
        let asked = Asked { word, next, language: question.language, index: &index, names };
        for (number, evidence) in asked.met() {
            meets.add(at, number, evidence);
        }
        let parts = asked.parts();
        for number in telling(question.language, &parts) {
            meets.add(at, number, Evidence::Part);
        }
        if !parts.is_empty() {
            meets.compounds.insert(at, parts.into_iter().map(|part| part.met).collect());
        }
    }
    meets
}

type Hit = (Span, f32, Evidence);

/// The spans that a term may match, each with its best fit.
fn spans_of(names: &SchemaNames, term: &SchemaTerm, meets: &Meets, question: &ParsedQuestion) -> Vec<Hit> {
    let mut best: Vec<Hit> = Vec::new();
    for name in &term.names {
        let mut places: Vec<u16> = name.iter().flat_map(|word| meets.of(*word)).map(|(at, _)| at).collect();
        places.sort_unstable();
        places.dedup();
        for (number, from) in places.iter().enumerate() {
            for to in places.iter().skip(number).map(|at| at + 1).filter(|to| to - from <= MAX_SPAN) {
                let span = Span { from: *from, to };
                let reading = Reading { names, term, name, meets, question, span };
                let Some((fit, evidence)) = reading.fit().filter(|(fit, _)| *fit >= MIN_FIT) else {
                    continue;
                };
                match best.iter_mut().find(|(known, ..)| *known == span) {
                    Some(known) if known.1 < fit => *known = (span, fit, evidence),
                    Some(_) => {}
                    None => best.push((span, fit, evidence)),
                }
            }
        }
    }
    best
}

/// One name matched against one span.
struct Reading<'a> {
    names: &'a SchemaNames,
    term: &'a SchemaTerm,
    name: &'a [usize],
    meets: &'a Meets,
    question: &'a ParsedQuestion,
    span: Span,
}

impl Reading<'_> {
    fn fit(&self) -> Option<(f32, Evidence)> {
        if self.question.is_broken(self.span) {
            return None;
        }
        let mut used = vec![false; self.name.len()];
        let (mut met, mut said, mut weakest) = (0.0_f32, 0.0_f32, Evidence::Exact);
        let (mut last, mut skipped) = (None, false);
        for at in self.span.from..self.span.to {
            match self.whole_compound(at, &used).or_else(|| self.best_place(at, &used)) {
                Some((places, evidence)) => {
                    let place = places.iter().min().copied();
                    // "date of birth" keeps the order; "id of the student" is an id, plus a student.
                    if skipped && place < last && !self.is_kind_behind_of(at) {
                        return None;
                    }
                    last = places.iter().max().copied();
                    for place in places {
                        used.get_mut(place).into_iter().for_each(|used| *used = true);
                    }
                    met += strength(evidence);
                    said += 1.0;
                    weakest = weakest.max(evidence);
                }
                None if self.may_skip(at) => skipped = true,
                None => return None,
            }
        }
        let held = self.held(&used).or_else(|| self.head(&used).filter(|_| weakest <= Evidence::Synonym))?;
        (said > 0.0).then(|| ((met / said) * held.sqrt(), weakest))
    }

    /// Function words may occur inside a name, except separating ones: "products by category" does not name a category.
    fn may_skip(&self, at: u16) -> bool {
        let roles = self.question.word(at).map_or(&[][..], |word| self.question.language.roles(&word.folded));
        let parts = roles.contains(&Role::By) && !roles.contains(&Role::Of);
        self.question.is_function_word(at) && !parts && !self.question.has_cue(at, Cue::Each)
    }

    /// "Place of birth" is a birth place: a singular noun after a bare "of" specifies the kind.
    fn is_kind_behind_of(&self, at: u16) -> bool {
        let Some(of) = at.checked_sub(1).filter(|of| *of > self.span.from) else { return false };
        let bare = |word: &Word| self.question.language.roles(&word.folded).contains(&Role::Kind);
        let singular = |word: &Word| word.norm == word.folded;
        self.question.word(of).is_some_and(bare)
            && !self.question.is_function_word(of - 1)
            && self.question.word(at).is_some_and(singular)
    }

    fn best_place(&self, at: u16, used: &[bool]) -> Option<(Vec<usize>, Evidence)> {
        let found = self.free(used).filter_map(|(place, word)| {
            let (_, evidence) = self.meets.of(word).find(|(position, _)| *position == at)?;
            Some((place, evidence))
        });
        let best = found.min_by_key(|(place, evidence)| (*evidence, *place));
        best.map(|(place, evidence)| (vec![place], evidence))
    }

    /// The positions of all parts of a compound, if every part has one.
    fn whole_compound(&self, at: u16, used: &[bool]) -> Option<(Vec<usize>, Evidence)> {
        let mut places: Vec<usize> = Vec::new();
        for part in self.meets.compounds.get(&at)? {
            let mut free =
                self.free(used).filter(|(place, word)| part.contains(word) && !places.contains(place));
            let (place, _) = free.next()?;
            places.push(place);
        }
        Some((places, Evidence::Stem))
    }

    /// The words of the name not matched yet.
    fn free<'u>(&'u self, used: &'u [bool]) -> impl Iterator<Item = (usize, usize)> + 'u {
        let all = self.name.iter().copied().enumerate();
        all.filter(|(place, _)| used.get(*place) == Some(&false))
    }

    /// The matched share of the name by word weights; none if no content word was matched.
    fn held(&self, used: &[bool]) -> Option<f32> {
        let weights = self.name.iter().map(|word| self.weight(*word));
        let (mut whole, mut held, mut telling) = (0.0, 0.0, false);
        for ((weight, used), word) in weights.zip(used).zip(self.name) {
            whole += weight;
            if *used {
                held += weight;
                let letter = self.names.words.get(*word).is_some_and(|word| word.len() == 1);
                telling |= weight > FILLER_WEIGHT && !letter;
            }
        }
        (telling || held >= whole).then_some(held / whole)
    }

    /// The share for a property name of which only the head was matched, if that is a filler: "value" for an insured value; units
    /// after it do not count. Not for classes.
    fn head(&self, used: &[bool]) -> Option<f32> {
        let text = |word: &usize| self.names.words.get(*word).map_or("", String::as_str);
        let unit = |word: &usize| {
            let text = text(word);
            self.question.language.unit(text).is_some() || fallback().unit(text).is_some()
        };
        let head = self.name.iter().rposition(|word| !unit(word))?;
        let word = self.name.get(head).map(text)?;
        let named = self.term.kind == SchemaKind::Property && !fallback().is_function_word(word);
        let alone = used.iter().enumerate().all(|(at, used)| *used == (at == head));
        (named && alone && self.name.len() > 1).then_some(HEAD_SHARE)
    }

    /// "stu" in "stu_city" abbreviates the student.
    fn is_of_class(&self, word: usize, text: &str) -> bool {
        let class = &self.term.class_words;
        let shortened = |class: &usize| {
            text.len() >= MIN_SHORTENED
                && self.names.words.get(*class).is_some_and(|class| class.starts_with(text))
        };
        class.contains(&word) || class.iter().any(shortened)
    }

    /// Whether another word of the question implies a word of the name: "where" or "in" a place, "when" or "in" a time. Only for
    /// properties: a concert in Rome is not a concert hall.
    fn is_asked(&self, text: &str) -> bool {
        if self.term.kind == SchemaKind::Class {
            return false;
        }
        let asked = |cue: Cue| self.question.cues.iter().any(|found| found.cue == cue);
        let within = || {
            (self.span.to..self.question.len() as u16).any(|at| self.question.role_at(at) == Some(Role::In))
        };
        let languages = [self.question.language, fallback()].into_iter();
        let mut kinds = languages.filter_map(|language| language.kind_of_noun(text));
        kinds.any(|kind| match kind {
            AnswerKind::Time => asked(Cue::When) || within(),
            AnswerKind::Place => asked(Cue::Where) || within(),
            _ => false,
        })
    }

    fn weight(&self, word: usize) -> f32 {
        let text = self.names.words.get(word).map_or("", String::as_str);
        if self.name.len() == 1 {
            1.0
        } else if self.question.language.is_filler(text) || fallback().is_filler(text) || self.is_asked(text)
        {
            FILLER_WEIGHT
        } else if self.is_of_class(word, text) {
            CLASS_WORD_WEIGHT
        } else {
            1.0
        }
    }
}
